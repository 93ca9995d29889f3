"""Pictures of swap puzzles: the pieces at the start, and at the goal."""

from __future__ import annotations

from ktsolve.problem.swap import EMPTY, Position, SwapPuzzle
from ktsolve.render.knight import knight
from ktsolve.render.layout import BoardLayout, board_shapes, edge_shapes
from ktsolve.render.scene import Circle, Group, Path, Scene, Shape, Strand, Text
from ktsolve.render.style import Style
from ktsolve.render.theme import legible

__all__ = ["puzzle_scene"]

_CELL = 40
_GAP = 52
_ABOVE, _MARGIN = 26, 10


def puzzle_scene(puzzle: SwapPuzzle, style: Style | None = None) -> Scene:
    """Return the picture of a puzzle: its start, an arrow, and its goal.

    Knights are drawn as knights, in white and black if the letters are W and B; other pieces are discs with
    their letters.

    >>> puzzle_scene(SwapPuzzle(start="W.W/.x./B.B", goal="B.B/.x./W.W")).description
    'Start: W.W/.x./B.B. Goal: B.B/.x./W.W.'
    """
    style = style or Style()
    theme = style.colours
    board = puzzle.board
    left = BoardLayout(board, _CELL, _MARGIN, _ABOVE)
    right = BoardLayout(board, _CELL, _MARGIN + left.width + _GAP, _ABOVE)
    shapes: list[Shape] = []
    for layout, position, title in ((left, puzzle.first, "start"), (right, puzzle.last, "goal")):
        shapes += [*board_shapes(layout, theme), *edge_shapes(layout, theme)]
        shapes.append(Text(layout.left + layout.width / 2, 13, title, 13, theme.ink))
        shapes.append(Group(title, _pieces(puzzle, position, layout, style)))
    middle, x = _ABOVE + left.height / 2, _MARGIN + left.width + 10
    tip = right.left - 10
    arrow = Strand((x, middle), ((tip, middle),))
    head = Strand((tip - 7, middle - 6), ((tip, middle), (tip - 7, middle + 6)))
    shapes.append(Path((arrow, head), stroke=theme.ink, stroke_width=2))
    width, height = right.left + right.width + _MARGIN, _ABOVE + left.height + _MARGIN
    description = f"Start: {puzzle.start}. Goal: {puzzle.goal}."
    pixels = min(max(width, height), 1200)
    return Scene(width, height, f"Swap puzzle {puzzle}", description, theme.background, tuple(shapes), pixels)


def _pieces(puzzle: SwapPuzzle, position: Position, layout: BoardLayout, style: Style) -> list[Shape]:
    theme = style.colours
    leapers = dict(puzzle.leapers)
    colours = sorted(set(puzzle.colour_of.values()))
    fills = {"W": "#ffffff", "B": "#2b2b2b"}
    shapes: list[Shape] = []
    for cell, letter in zip(puzzle.board.cells, position, strict=True):
        if letter == EMPTY:
            continue
        x, y = layout.centre(cell)
        group = puzzle.colour_of[letter]
        fill = fills.get(group) or theme.categories[colours.index(group) % len(theme.categories)]
        ink = legible(fill)
        if leapers.get(letter, puzzle.board.leaper) == (1, 2) and group in fills:
            shapes += knight(x, y, 0.8 * layout.unit, fill, "#2b2b2b" if fill == "#ffffff" else "#ffffff")
        else:
            shapes.append(Circle(x, y, 0.36 * layout.unit, fill, "#2b2b2b", 1))
            shapes.append(Text(x, y, letter, 0.42 * layout.unit, ink, bold=True))
    return shapes
