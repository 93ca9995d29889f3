"""Drawings in characters: a board with its lines, coordinates and step numbers."""

from __future__ import annotations

from ktsolve.ground.notation import Cell, file_name
from ktsolve.ground.tour import Tour
from ktsolve.render.accessibility import accessibility
from ktsolve.render.style import Look

__all__ = ["text_drawing"]

_HOLE = "░"


def text_drawing(tour: Tour, look: Look | None = None) -> str:
    """The tour as text, with what characters can show of a look: numbers, values, coordinates.

    Examples
    --------
    >>> from ktsolve.ground.board import Board
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
    look = look or Look()
    board = tour.board
    look.refuse_crowds(board.rows * board.columns, characters=True)
    marks = _marks(tour, look)
    named = look.coordinates is not False
    width = max([1, *map(len, marks.values())])
    if named:
        width = max(width, len(file_name(board.columns - 1)))
    ranks = len(str(board.rows)) if named else 0

    def rule(left: str, between: str, right: str) -> str:
        indent = " " * (ranks + 1) if named else ""
        return indent + left + between.join(["─" * (width + 2)] * board.columns) + right

    lines = [look.caption] if look.caption else []
    lines.append(rule("┌", "┬", "┐"))
    for r in range(board.rows):
        cells = [
            _HOLE * (width + 2) if (r, c) in board.removed else f" {marks.get((r, c), ''):>{width}} "
            for c in range(board.columns)
        ]
        rank = f"{board.rows - r:>{ranks}} " if named else ""
        lines.append(rank + "│" + "│".join(cells) + "│")
        if r < board.rows - 1:
            lines.append(rule("├", "┼", "┤"))
    lines.append(rule("└", "┴", "┘"))
    if named:
        files = [f" {file_name(c):^{width}} " for c in range(board.columns)]
        lines.append((" " * (ranks + 1) + " " + " ".join(files)).rstrip())
    return "\n".join(lines)


def _marks(tour: Tour, look: Look) -> dict[Cell, str]:
    """What stands in each cell."""
    steps = len(tour) if look.after is None else min(look.after, len(tour))
    walk = tour.squares[:steps]
    marks: dict[Cell, str] = {}
    if look.accessibility:
        numbers = accessibility(tour.board, frozenset(walk))
        marks.update((cell, f"({number})") for cell, number in numbers.items())
    if look.heat is not None:
        marks.update((cell, str(value)) for cell, value in look.heat.values.items())
    else:
        marks.update((cell, str(step)) for step, cell in enumerate(walk, 1))
    return marks
