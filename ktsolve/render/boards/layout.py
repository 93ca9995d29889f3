"""Positions of vertices in a picture; the shapes of a board: cells, edge, coordinates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ktsolve.graphs.board import Board
from ktsolve.graphs.notation import Cell, file_name
from ktsolve.render.graphs.layout import GraphLayout
from ktsolve.render.scene.shapes import Group, PathShape, Point, Rect, Shape, Strand, Text
from ktsolve.render.scene.theme import Theme

__all__ = ["BoardLayout", "Layout", "board_shapes", "coordinate_shapes", "edge_shapes", "midpoint", "squares"]

_LINE_DRAWING = 60
"""Longest side of a board that is drawn with its cells; of a larger one only the path is drawn."""


@dataclass(frozen=True)
class BoardLayout:
    """A board whose cells are squares of side ``unit``, its corner at ``(left, top)``; all even numbers.

    >>> layout = BoardLayout(Board(3, 4), 40, 0, 0)
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
        """Whether the cells are drawn, and not the path alone."""
        return max(self.board.rows, self.board.columns) <= _LINE_DRAWING

    def corner(self, cell: Cell) -> tuple[int, int]:
        """The upper left corner of a cell."""
        return self.left + cell[1] * self.unit, self.top + cell[0] * self.unit

    def centre(self, cell: Cell) -> tuple[int, int]:
        """The centre of a cell."""
        x, y = self.corner(cell)
        return x + self.unit // 2, y + self.unit // 2


def squares(layout: BoardLayout, cells: Iterable[Cell], fill: str, inset: float = 0) -> PathShape:
    """Return cells filled with one colour, ``inset`` smaller on each side."""
    side = layout.unit - 2 * inset
    strands = []
    for cell in cells:
        x, y = layout.corner(cell)
        x0, y0, x1, y1 = x + inset, y + inset, x + inset + side, y + inset + side
        strands.append(Strand((x0, y0), ((x1, y0), (x1, y1), (x0, y1)), closed=True))
    return PathShape(tuple(strands), fill=fill)


def board_shapes(layout: BoardLayout, theme: Theme, *, plain: bool = False) -> list[Shape]:
    """Return the cells, in two colours unless ``plain`` or too small, and the holes of the board."""
    board = layout.board
    shapes: list[Shape] = [Rect(layout.left, layout.top, layout.width, layout.height, theme.light)]
    if layout.detailed and not plain:
        dark = [(r, c) for r, c in board.cells if (r + c) % 2]
        if dark:
            shapes.append(squares(layout, dark, theme.dark))
    if board.removed:
        shapes.append(squares(layout, sorted(board.removed), theme.background))
    return [Group("board", shapes)]


def edge_shapes(layout: BoardLayout, theme: Theme) -> list[Shape]:
    """Return the edge of the board and of its holes; wrapped edges are dashed."""
    board = layout.board
    solid: list[Strand] = []
    dashed: list[Strand] = []
    for strand, wrapped in _edges(layout):
        (dashed if wrapped else solid).append(strand)
    width = max(layout.unit / 26, 0.5) if layout.detailed else layout.unit / 4
    shapes: list[Shape] = []
    if solid:
        shapes.append(PathShape(tuple(solid), stroke=theme.frame, stroke_width=width))
    if dashed:
        length = min(layout.unit / 5, 8) if layout.detailed else max(board.rows, board.columns) / 60
        dash = (length, 1.2 * length)
        shapes.append(PathShape(tuple(dashed), stroke=theme.frame, stroke_width=width, dash=dash))
    return [Group("edge", shapes)]


def _edges(layout: BoardLayout) -> Iterator[tuple[Strand, bool]]:
    """The sides of cells at which the board ends, as long straight lines, and whether each is wrapped."""
    import numpy as np

    board, unit, left, top = layout.board, layout.unit, layout.left, layout.top
    if not board.removed and board.wrap == "none":
        right, bottom = left + layout.width, top + layout.height
        yield Strand((left, top), ((right, top), (right, bottom), (left, bottom)), closed=True), False
        return
    inside = np.zeros((board.rows + 2, board.columns + 2), dtype=np.int8)
    inside[1:-1, 1:-1] = 1
    for r, c in board.removed:
        inside[r + 1, c + 1] = 0
    for axis, (letter, last) in enumerate((("y", board.rows), ("x", board.columns))):
        ends = np.abs(np.diff(inside if axis == 0 else inside.T, axis=0))
        # Each pair of changes along a line is the start and the end of a run.
        runs = np.argwhere(np.diff(ends, axis=1)).reshape(-1, 2, 2).tolist()
        for (line, first), (_, stop) in runs:
            wrapped = letter in board.wrap and line in (0, last)
            if axis == 0:
                y = top + line * unit
                yield Strand((left + first * unit, y), ((left + stop * unit, y),)), wrapped
            else:
                x = left + line * unit
                yield Strand((x, top + first * unit), ((x, top + stop * unit),)), wrapped


Layout = BoardLayout | GraphLayout  # the place of a ground in a picture


def coordinate_shapes(
    layout: BoardLayout, theme: Theme, size: float, across: int = 0, down: int = 0
) -> list[Shape]:
    """Return file names below the board and ranks to its left, in a font of that size; on long sides some.

    ``across`` and ``down`` are the room for moves across wrapped edges, between the board and the names.
    """
    board, unit = layout.board, layout.unit
    # Names longer than a cell is wide would overlap: some are left out.
    every = max(1, -(-int(size * (0.62 * len(file_name(board.columns - 1)) + 0.3)) // unit))
    below = layout.top + layout.height + down + 0.8 * size
    beside = layout.left - across - size * max(0.7, 0.3 * len(str(board.rows)) + 0.2)
    texts: list[Shape] = []
    for column in range(0, board.columns, every):
        x, _ = layout.centre((0, column))
        texts.append(Text(x, below, file_name(column), size, theme.faint))
    for row in range(board.rows - 1, -1, -every):
        _, y = layout.centre((row, 0))
        texts.append(Text(beside, y, str(board.rows - row), size, theme.faint))
    return [Group("coordinates", texts)]


def midpoint(first: Point, second: Point) -> Point:
    """Return the point half way between two points."""
    return (first[0] + second[0]) / 2, (first[1] + second[1]) / 2
