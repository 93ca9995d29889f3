"""Pictures of swap puzzles: the pieces at the start, and at the goal."""

from __future__ import annotations

from ktsolve.problem.swap import EMPTY, SwapPuzzle
from ktsolve.render.boards.layout import BoardLayout, board_shapes, edge_shapes
from ktsolve.render.pieces import Pieces
from ktsolve.render.scene.shapes import Group, Path, Scene, Shape, Strand, Text
from ktsolve.render.scene.style import Style

__all__ = ["puzzle_scene"]

_CELL = 40
_GAP = 52
_ABOVE, _MARGIN = 26, 10


def puzzle_scene(puzzle: SwapPuzzle, style: Style | None = None) -> Scene:
    """Return the picture of a puzzle: its start, an arrow, and its goal.

    >>> puzzle_scene(SwapPuzzle(start="W.W/.x./B.B", goal="B.B/.x./W.W")).description
    'Start: W.W/.x./B.B. Goal: B.B/.x./W.W.'
    """
    style = style or Style()
    theme = style.colours
    board, pieces = puzzle.board, Pieces(puzzle, theme)
    left = BoardLayout(board, _CELL, _MARGIN, _ABOVE)
    right = BoardLayout(board, _CELL, _MARGIN + left.width + _GAP, _ABOVE)
    shapes: list[Shape] = []
    for layout, position, title in ((left, puzzle.first, "start"), (right, puzzle.last, "goal")):
        shapes += [*board_shapes(layout, theme), *edge_shapes(layout, theme)]
        shapes.append(Text(layout.left + layout.width / 2, 13, title, 13, theme.ink))
        standing = ((at, letter) for at, letter in zip(board.cells, position, strict=True) if letter != EMPTY)
        placed = [pieces.shapes(letter, *layout.centre(at), _CELL) for at, letter in standing]
        shapes.append(Group(title, [shape for piece in placed for shape in piece]))
    middle, x = _ABOVE + left.height / 2, _MARGIN + left.width + 10
    tip = right.left - 10
    arrow = Strand((x, middle), ((tip, middle),))
    head = Strand((tip - 7, middle - 6), ((tip, middle), (tip - 7, middle + 6)))
    shapes.append(Path((arrow, head), stroke=theme.ink, stroke_width=2))
    width, height = right.left + right.width + _MARGIN, _ABOVE + left.height + _MARGIN
    description = f"Start: {puzzle.start}. Goal: {puzzle.goal}."
    pixels = min(max(width, height), 1200)
    return Scene(width, height, f"Swap puzzle {puzzle}", description, theme.background, tuple(shapes), pixels)
