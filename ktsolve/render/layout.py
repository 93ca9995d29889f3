"""Where the cells of a board are in a picture, and the board itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ktsolve.ground.board import Board
from ktsolve.ground.notation import Cell, file_name
from ktsolve.render.scene import Group, Path, Point, Rect, Shape, Strand, Text
from ktsolve.render.theme import Theme

__all__ = ["Layout", "board_shapes", "coordinate_shapes", "edge_shapes", "middle", "squares"]

_LINE_DRAWING = 60
"""Longest side of a board whose cells are drawn one by one; beyond, they would be smaller than the lines."""


@dataclass(frozen=True)
class Layout:
    """A board whose cells are squares of side ``unit``, its corner at ``(left, top)``; all even numbers.

    >>> layout = Layout(Board(3, 4), 40, 0, 0)
    >>> layout.centre((0, 3)), layout.width, layout.height
    ((140, 20), 160, 120)
    """

    board: Board
    unit: int
    left: int
    top: int

    @property
    def width(self) -> int:
        """Width of the board."""
        return self.board.columns * self.unit

    @property
    def height(self) -> int:
        """Height of the board."""
        return self.board.rows * self.unit

    @property
    def detailed(self) -> bool:
        """Are cells large enough to be seen one by one?"""
        return max(self.board.rows, self.board.columns) <= _LINE_DRAWING

    def corner(self, cell: Cell) -> tuple[int, int]:
        """The upper left corner of a cell."""
        return self.left + cell[1] * self.unit, self.top + cell[0] * self.unit

    def centre(self, cell: Cell) -> tuple[int, int]:
        """The middle of a cell."""
        x, y = self.corner(cell)
        return x + self.unit // 2, y + self.unit // 2


def squares(layout: Layout, cells: Iterable[Cell], fill: str, inset: float = 0) -> Path:
    """Cells filled with one colour, ``inset`` smaller on each side."""
    side = layout.unit - 2 * inset
    strands = []
    for cell in cells:
        x, y = layout.corner(cell)
        x0, y0, x1, y1 = x + inset, y + inset, x + inset + side, y + inset + side
        strands.append(Strand((x0, y0), ((x1, y0), (x1, y1), (x0, y1)), closed=True))
    return Path(tuple(strands), fill=fill)


def board_shapes(layout: Layout, theme: Theme, *, plain: bool = False) -> list[Shape]:
    """The cells, in two colours unless ``plain`` or too small, what is missing of them, and the edge."""
    board = layout.board
    shapes: list[Shape] = [Rect(layout.left, layout.top, layout.width, layout.height, theme.light)]
    if layout.detailed and not plain:
        dark = [(r, c) for r, c in board.cells if (r + c) % 2]
        if dark:
            shapes.append(squares(layout, dark, theme.dark))
    if board.removed:
        shapes.append(squares(layout, sorted(board.removed), theme.hole))
    return [Group("board", shapes)]


def edge_shapes(layout: Layout, theme: Theme) -> list[Shape]:
    """The edge of the board and of its holes; edges that are joined to the opposite one are dashed."""
    board = layout.board
    solid: list[Strand] = []
    dashed: list[Strand] = []
    for strand, joined in _edges(layout):
        (dashed if joined else solid).append(strand)
    width = max(layout.unit / 26, 0.5) if layout.detailed else layout.unit / 4
    found: list[Shape] = []
    if solid:
        found.append(Path(tuple(solid), stroke=theme.frame, stroke_width=width))
    if dashed:
        length = min(layout.unit / 5, 8) if layout.detailed else max(board.rows, board.columns) / 60
        dash = (length, 1.2 * length)
        found.append(Path(tuple(dashed), stroke=theme.frame, stroke_width=width, dash=dash))
    return [Group("edge", found)]


def _edges(layout: Layout) -> Iterator[tuple[Strand, bool]]:
    """Sides of cells where the board ends, as long straight lines, and whether they are wrapped."""
    board = layout.board
    rows, columns = board.rows, board.columns
    unit, left, top = layout.unit, layout.left, layout.top
    if not board.removed:
        x, y = left + layout.width, top + layout.height
        if board.wrap == "none":
            yield Strand((left, top), ((x, top), (x, y), (left, y)), closed=True), False
            return
        for across in (top, y):
            yield Strand((left, across), ((x, across),)), "y" in board.wrap
        for down in (left, x):
            yield Strand((down, top), ((down, y),)), "x" in board.wrap
        return

    def here(r: int, c: int) -> bool:
        return 0 <= r < rows and 0 <= c < columns and (r, c) not in board.removed

    for r in range(rows + 1):
        ends = [here(r - 1, c) != here(r, c) for c in range(columns)]
        for first, stop in _runs(ends):
            y = top + r * unit
            joined = "y" in board.wrap and r in (0, rows)
            yield Strand((left + first * unit, y), ((left + stop * unit, y),)), joined
    for c in range(columns + 1):
        ends = [here(r, c - 1) != here(r, c) for r in range(rows)]
        for first, stop in _runs(ends):
            x = left + c * unit
            joined = "x" in board.wrap and c in (0, columns)
            yield Strand((x, top + first * unit), ((x, top + stop * unit),)), joined


def _runs(marks: list[bool]) -> Iterator[tuple[int, int]]:
    """Where runs of True begin and end."""
    first = None
    for i, mark in enumerate([*marks, False]):
        if mark and first is None:
            first = i
        elif not mark and first is not None:
            yield first, i
            first = None


def coordinate_shapes(layout: Layout, theme: Theme, size: float) -> list[Shape]:
    """Files below the board and ranks to its left in letters of that size; on long sides only some."""
    board, unit = layout.board, layout.unit
    # Names may be as long as a cell is wide, so that some are left out.
    every = max(1, -(-int(size * (0.62 * len(file_name(board.columns - 1)) + 0.3)) // unit))
    below = layout.top + layout.height + 0.8 * size
    beside = layout.left - size * max(0.7, 0.3 * len(str(board.rows)) + 0.2)
    texts: list[Shape] = []
    for column in range(0, board.columns, every):
        x, _ = layout.centre((0, column))
        texts.append(Text(x, below, file_name(column), size, theme.faint))
    for row in range(board.rows - 1, -1, -every):
        _, y = layout.centre((row, 0))
        texts.append(Text(beside, y, str(board.rows - row), size, theme.faint))
    return [Group("coordinates", texts)]


def middle(first: Point, second: Point) -> Point:
    """The point half way."""
    return (first[0] + second[0]) / 2, (first[1] + second[1]) / 2
