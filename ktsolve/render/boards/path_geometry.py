"""Lines of a path: straight or smooth, across wrapped edges, in runs of one colour."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import ceil, floor
from typing import TYPE_CHECKING

from ktsolve.graphs.board import Board, Move
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.tour import Tour
from ktsolve.render.boards.layout import BoardLayout, Layout
from ktsolve.render.scene.shapes import Curve, PathShape, Point, Polyline, Shape, Strand, flattened

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["PathGeometry", "Run", "segments"]

Run = tuple[int, int, str]
"""The number of the first move, the number after the last move, and the colour of these moves."""

_TENSION = 0.3
"""Length of a tangent as a share of the mean of the moves before and after; Catmull and Rom use 1/3."""


@dataclass(frozen=True)
class PathGeometry:
    """The moves of a tour as lines of a picture. Linear in the moves: a million take one or two seconds."""

    tour: Tour
    """Any walk. The last move of a closed walk leads back to the start. Invalid moves are drawn straight."""
    layout: Layout  # the positions of the cells
    # Curves through the cells (Catmull & Rom 1974) instead of straight lines; moves across a wrapped edge
    # stay straight.
    smooth: bool = False
    # Of a move across wrapped edges only the parts that begin and end in its cells, where it goes on beside
    # the board (:mod:`ktsolve.render.boards.picture`).
    stubs: bool = False

    @cached_property
    def cells(self) -> NDArray[np.int64]:
        """Rows and columns of the cells of a board in order; a closed walk ends with its first cell."""
        import numpy as np

        walk = np.fromiter(chain.from_iterable(self.tour.squares), dtype=np.int64, count=2 * len(self.tour))
        walk = walk.reshape(-1, 2)
        return np.concatenate([walk, walk[:1]]) if self.closes else walk

    @property
    def closes(self) -> bool:
        """Whether the last move leads back to the start."""
        return self.tour.closed and len(self.tour) > 2

    @property
    def moves(self) -> int:
        """Number of moves."""
        return max(len(self.tour) - (not self.closes), 0)

    @cached_property
    def points(self) -> NDArray[np.int64] | NDArray[np.float64]:
        """Positions of the steps, (x, y); whole on a board. A closed walk ends with its first step."""
        import numpy as np

        layout = self.layout
        if isinstance(layout, BoardLayout):
            half = layout.unit // 2
            return self.cells[:, ::-1] * layout.unit + (layout.left + half, layout.top + half)
        walk = [*self.tour.squares, *(self.tour.squares[:1] if self.closes else ())]
        return np.array([layout.centre(vertex) for vertex in walk]).reshape(-1, 2)

    @cached_property
    def wrapped_moves(self) -> dict[int, Cell]:
        """The offset on the unwrapped board of each move across a wrapped edge, by the number of the move."""
        import numpy as np

        board = self.tour.ground
        if not isinstance(board, Board) or board.wrap == "none" or not self.moves:
            return {}
        steps = np.diff(self.cells, axis=0)
        plain = np.zeros(len(steps), dtype=bool)
        for offset in board.offsets:
            plain |= (steps == offset).all(axis=1)
        return {i: _unwrapped(board, tuple(steps[i].tolist())) for i in np.flatnonzero(~plain).tolist()}

    def shapes(self, run: Run, width: float) -> Iterator[Shape]:
        """Yield the moves of a run as lines of that width."""
        first, stop, colour = run
        strands: list[Strand] = []
        begin = first
        for i in [*(i for i in self.wrapped_moves if first <= i < stop), stop]:
            if begin < i:
                if self.smooth:
                    strands.append(self._curve(begin, i))
                elif isinstance(self.layout, BoardLayout):
                    yield Polyline(self.points[begin : i + 1].astype(int, copy=False), colour, width)
                else:
                    corners = [(x, y) for x, y in self.points[begin : i + 1].tolist()]
                    strands.append(Strand(corners[0], tuple(corners[1:])))
            if i < stop:
                strands.extend(Strand(start, (end,)) for start, end in self._wrapped(i))
            begin = i + 1
        if strands:
            yield PathShape(tuple(strands), stroke=colour, stroke_width=width)

    def pieces(self, move: int, parts: int) -> list[list[Point]]:
        """A move as it is drawn: polylines of that number of parts; several if it crosses wrapped edges."""
        (x, y), (dx, dy) = self.points[move].tolist(), self._vector(move)
        if self.smooth and move not in self.wrapped_moves:
            return [flattened(self._curve(move, move + 1), parts)]
        lines = [((x, y), (x + dx, y + dy))]
        if move in self.wrapped_moves:
            lines = self._wrapped(move)
        return [
            [(a + (c - a) * i / parts, b + (d - b) * i / parts) for i in range(parts + 1)]
            for (a, b), (c, d) in lines
        ]

    def _wrapped(self, move: int) -> list[tuple[Point, Point]]:
        """A move across wrapped edges as straight lines on the board."""
        assert isinstance(self.layout, BoardLayout)
        x, y = self.points[move].tolist()
        lines = list(_pieces(self.layout, (x, y), self._vector(move)))
        return [lines[0], lines[-1]] if self.stubs and len(lines) > 2 else lines

    def across_edges(self, move: int) -> tuple[tuple[Point, Point], tuple[Point, Point]]:
        """A move across wrapped edges as two whole lines: out of its first cell, into its last."""
        (x0, y0), (x1, y1) = self.points[move : move + 2].tolist()
        dx, dy = self._vector(move)
        return ((x0, y0), (x0 + dx, y0 + dy)), ((x1 - dx, y1 - dy), (x1, y1))

    def _curve(self, first: int, stop: int) -> Strand:
        points = [(float(x), float(y)) for x, y in self.points[first : stop + 1].tolist()]
        steps: list[Point | Curve] = []
        for i in range(first, stop):
            (x0, y0), (x1, y1) = points[i - first], points[i - first + 1]
            (u0, v0), (u1, v1) = self._tangent(i), self._tangent(i + 1)
            steps.append(((x0 + u0, y0 + v0), (x1 - u1, y1 - v1), (x1, y1)))
        return Strand(points[0], tuple(steps))

    def _tangent(self, cell: int) -> Point:
        """The vector from a cell to its control point: along the mean of the moves before and after it."""
        last = self.moves - 1
        returns = self.closes
        before = cell - 1 if cell > 0 else (last if returns else 0)
        after = cell if cell <= last else (0 if returns else last)
        (a, b), (c, d) = self._vector(before), self._vector(after)
        return _TENSION * (a + c) / 2, _TENSION * (b + d) / 2

    def _vector(self, move: int) -> Point:
        unit = self.layout.unit
        if move in self.wrapped_moves:
            down, right = self.wrapped_moves[move]
            return right * unit, down * unit
        (x0, y0), (x1, y1) = self.points[move : move + 2].tolist()
        return x1 - x0, y1 - y0


def segments(layout: Layout, move: Move) -> list[tuple[Point, Point]]:
    """Return a move as straight lines: one, or several if it crosses wrapped edges.

    >>> segments(BoardLayout(Board(3, 4, wrap="x"), 40, 0, 0), ((0, 0), (1, 2)))
    [((20, 20), (100, 60))]
    >>> segments(BoardLayout(Board(3, 4, wrap="x"), 40, 0, 0), ((0, 0), (2, 3)))
    [((20.0, 20.0), (0.0, 60.0)), ((160.0, 60.0), (140.0, 100.0))]
    """
    first, second = move
    start, stop = layout.centre(first), layout.centre(second)
    if not isinstance(layout, BoardLayout):
        return [(start, stop)]
    step = second[0] - first[0], second[1] - first[1]
    if layout.board.wrap == "none" or step in layout.board.offsets:
        return [(start, stop)]
    down, right = _unwrapped(layout.board, step)
    return list(_pieces(layout, start, (right * layout.unit, down * layout.unit)))


def _unwrapped(board: Board, step: Cell) -> Cell:
    """The offset of the piece that equals a step modulo the wrapped sides; the step itself if none does."""
    for down, right in board.offsets:
        rows_fit = (step[0] - down) % board.rows == 0 if "y" in board.wrap else step[0] == down
        columns_fit = (step[1] - right) % board.columns == 0 if "x" in board.wrap else step[1] == right
        if rows_fit and columns_fit:
            return down, right
    return step


def _pieces(layout: BoardLayout, start: Point, vector: Point) -> Iterator[tuple[Point, Point]]:
    """The pieces on the board of a line that crosses wrapped edges, one for each copy of the board."""
    board, width, height = layout.board, layout.width, layout.height
    (x, y), (dx, dy) = (start[0] - layout.left, start[1] - layout.top), vector
    pieces = []
    for over in _copies(x, x + dx, width) if "x" in board.wrap else range(1):
        for down in _copies(y, y + dy, height) if "y" in board.wrap else range(1):
            piece = _clipped((x - over * width, y - down * height), vector, (width, height))
            if piece is not None:
                pieces.append(piece)
    for _, (x0, y0), (x1, y1) in sorted(pieces):
        yield (x0 + layout.left, y0 + layout.top), (x1 + layout.left, y1 + layout.top)


def _copies(start: float, stop: float, length: float) -> range:
    low, high = min(start, stop), max(start, stop)
    return range(floor(low / length), ceil(high / length))


def _clipped(start: Point, vector: Point, size: Point) -> tuple[float, Point, Point] | None:
    """The segment of a line inside a rectangle at the origin, and its start (Liang & Barsky 1984)."""
    first, last = 0.0, 1.0
    for at, step, length in zip(start, vector, size, strict=True):
        if step == 0:
            if not 0 <= at <= length:
                return None
            continue
        enter, leave = sorted((-at / step, (length - at) / step))
        first, last = max(first, enter), min(last, leave)
    if first >= last:
        return None
    (x, y), (dx, dy) = start, vector
    return first, (x + first * dx, y + first * dy), (x + last * dx, y + last * dy)
