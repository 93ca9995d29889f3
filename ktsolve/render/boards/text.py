"""Drawings of tours in box characters."""

from __future__ import annotations

from ktsolve.graphs.notation import Cell, file_name
from ktsolve.graphs.tour import Tour
from ktsolve.render.boards.accessibility import accessibility
from ktsolve.render.scene.style import Style

__all__ = ["text_drawing"]

_HOLE = "░"


def text_drawing(tour: Tour, style: Style | None = None) -> str:
    """Return the tour as text with those details of a style that characters can show.

    These are step numbers, values of a heat map, accessibility, coordinates, the caption and ``after``.

    >>> from ktsolve.graphs.board import Board
    >>> ring = Tour.from_names(Board.parse("3x3", without="b2"), "a1 b3 c1 a2 c3 b1 a3 c2", closed=True)
    >>> print(text_drawing(ring))
      ┌───┬───┬───┐
    3 │ 7 │ 2 │ 5 │
      ├───┼───┼───┤
    2 │ 4 │░░░│ 8 │
      ├───┼───┼───┤
    1 │ 1 │ 6 │ 3 │
      └───┴───┴───┘
        a   b   c
    """
    style = style or Style()
    board = tour.board
    style.check_size(board.rows * board.columns, characters=True)
    marks = _marks(tour, style)
    coordinates = style.coordinates is not False
    width = max([1, *map(len, marks.values())])
    if coordinates:
        width = max(width, len(file_name(board.columns - 1)))
    ranks = len(str(board.rows)) if coordinates else 0

    def rule(left: str, between: str, right: str) -> str:
        indent = " " * (ranks + 1) if coordinates else ""
        return indent + left + between.join(["─" * (width + 2)] * board.columns) + right

    lines = [style.caption] if style.caption else []
    lines.append(rule("┌", "┬", "┐"))
    for r in range(board.rows):
        cells = [
            _HOLE * (width + 2) if (r, c) in board.removed else f" {marks.get((r, c), ''):>{width}} "
            for c in range(board.columns)
        ]
        rank = f"{board.rows - r:>{ranks}} " if coordinates else ""
        lines.append(rank + "│" + "│".join(cells) + "│")
        if r < board.rows - 1:
            lines.append(rule("├", "┼", "┤"))
    lines.append(rule("└", "┴", "┘"))
    if coordinates:
        files = [f" {file_name(c):^{width}} " for c in range(board.columns)]
        lines.append((" " * (ranks + 1) + " " + " ".join(files)).rstrip())
    return "\n".join(lines)


def _marks(tour: Tour, style: Style) -> dict[Cell, str]:
    """The text in each cell."""
    steps = len(tour) if style.after is None else min(style.after, len(tour))
    walk = tour.squares[:steps]
    marks: dict[Cell, str] = {}
    if style.accessibility:
        numbers = accessibility(tour.board, frozenset(walk))
        marks.update((cell, f"({number})") for cell, number in numbers.items())
    if style.heat is not None:
        marks.update((cell, str(value)) for cell, value in style.heat.values.items())
    else:
        marks.update((cell, str(step)) for step, cell in enumerate(walk, 1))
    return marks
