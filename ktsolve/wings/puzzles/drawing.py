"""The pen that kinds of puzzles draw with: cells, clues, lines, in units of cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ktsolve.graphs.notation import Cell
from ktsolve.grids.puzzle import Edge, GridPuzzle, GridSolution
from ktsolve.render.scene.shapes import Circle, PathShape, Point, Rect, Shape, Strand, Text
from ktsolve.render.scene.theme import Theme, blend

__all__ = ["Mark", "Pen"]

Mark = tuple[Any, ...]
"""A mark of a solution (:attr:`GridSolution.marks`)."""

_CELL = 40.0

_THIN = 0.35  # contrast of the lines between cells, of that of the ink


class Pen:
    """Collects the shapes of a puzzle.

    A place ``(row, column)`` of a line or a mark is the centre of a cell, or, with ``corners``, the dot at
    its upper left corner.
    """

    def __init__(self, puzzle: GridPuzzle, theme: Theme, left: float, top: float) -> None:
        self.puzzle = puzzle
        self.theme = theme
        self.shapes: list[Shape] = []
        self._left, self._top = left, top
        self.width, self.height = puzzle.columns * _CELL, puzzle.rows * _CELL

    def at(self, place: Cell, *, corners: bool = False) -> Point:
        """The point of a place."""
        shift = 0.0 if corners else 0.5
        return self._left + (place[1] + shift) * _CELL, self._top + (place[0] + shift) * _CELL

    def grid(self, without: Iterable[Cell] = ()) -> None:
        """Draw the cells and the edge of the grid."""
        gone = frozenset(without)
        thin = blend((self.theme.background, self.theme.ink), _THIN)
        for r, c in self.puzzle.cells:
            if (r, c) not in gone:
                x, y = self.at((r, c), corners=True)
                self.shapes.append(Rect(x, y, _CELL, _CELL, None, thin, 1))
        self.shapes.append(Rect(self._left, self._top, self.width, self.height, None, self.theme.ink, 2))

    def dots(self) -> None:
        """Draw the dots at the corners of cells."""
        for r in range(self.puzzle.rows + 1):
            for c in range(self.puzzle.columns + 1):
                self.shapes.append(Circle(*self.at((r, c), corners=True), 2.4, self.theme.ink))

    def fill(self, cells: Iterable[Cell], colour: str) -> None:
        """Fill cells."""
        for cell in sorted(cells):
            x, y = self.at(cell, corners=True)
            self.shapes.append(Rect(x, y, _CELL, _CELL, colour))

    def text(self, cell: Cell, text: str, colour: str = "", *, bold: bool = False, size: float = 0.5) -> None:
        """Write into a cell."""
        shrink = {1: 1.0, 2: 0.9, 3: 0.72}.get(len(text), 0.55)
        self.shapes.append(
            Text(*self.at(cell), text, size * _CELL * shrink, colour or self.theme.ink, bold=bold)
        )

    def disc(self, cell: Cell, radius: float, fill: str | None, stroke: str | None = None) -> None:
        """Draw a disc in a cell; the radius is in cells."""
        self.shapes.append(Circle(*self.at(cell), radius * _CELL, fill, stroke, 2 if stroke else 0))

    def arrow(self, cell: Cell, direction: Cell) -> None:
        """Draw an arrow beside a number, at the edge of a cell that lies across the direction."""
        x, y = self.at(cell)
        dr, dc = direction
        x, y = (x, y - 0.3 * _CELL) if dc else (x + 0.3 * _CELL, y)
        long, wide = 0.3 * _CELL, 0.1 * _CELL
        tip, tail = (x + dc * long, y + dr * long), (x - dc * long, y - dr * long)
        head = (
            (tip[0] - dc * wide * 1.4 - dr * wide, tip[1] - dr * wide * 1.4 - dc * wide),
            (tip[0] - dc * wide * 1.4 + dr * wide, tip[1] - dr * wide * 1.4 + dc * wide),
        )
        strands = (Strand(tail, (tip,)), Strand(head[0], (tip, head[1])))
        self.shapes.append(PathShape(strands, stroke=self.theme.ink, stroke_width=1.5))

    def lines(
        self, solution: GridSolution, *, corners: bool = False, colour: str = "", width: float = 0.11
    ) -> None:
        """Draw the lines of a solution, each connected piece in one stroke."""
        strands = tuple(
            Strand(
                self.at(way[0], corners=corners),
                tuple(self.at(place, corners=corners) for place in way[1:]),
                closed,
            )
            for way, closed in _ways(solution.lines)
        )
        if strands:
            stroke = colour or self.theme.line
            self.shapes.append(PathShape(strands, stroke=stroke, stroke_width=width * _CELL))

    def marks(self, marks: Iterable[Mark], colour: str, *, corners: bool = False) -> None:
        """Draw lines, discs in shaded cells, and numbers in a colour."""
        drawn = GridSolution.of(marks)
        self.lines(drawn, corners=corners, colour=colour, width=0.14)
        for cell in sorted(drawn.shaded):
            self.disc(cell, 0.3, colour)
        for cell, number in drawn.numbers:
            self.disc(cell, 0.34, self.theme.background, colour)
            self.text(cell, str(number), colour, bold=True, size=0.42)

    def crosses(self, marks: Iterable[Mark], colour: str, *, corners: bool = False) -> None:
        """Draw a cross for each line that is absent, and a dot in each cell that is not shaded."""
        size = 0.09 * _CELL
        strands = []
        for what, *where in marks:
            if what == "shaded":
                self.disc(where[0], 0.07, colour)
            elif what == "line":
                (x, y), (u, v) = (self.at(place, corners=corners) for place in where)
                x, y = (x + u) / 2, (y + v) / 2
                strands += [
                    Strand((x - size, y - size * turn), ((x + size, y + size * turn),)) for turn in (1, -1)
                ]
        if strands:
            self.shapes.append(PathShape(tuple(strands), stroke=colour, stroke_width=2))

    def ring(self, dot: Cell, colour: str) -> None:
        """Draw a ring around a dot at a corner of cells."""
        self.shapes.append(Circle(*self.at(dot, corners=True), 0.17 * _CELL, None, colour, 2.5))

    def way(self, cells: list[Cell], width: float = 0.11) -> None:
        """Draw a line through the centres of cells."""
        points = [self.at(cell) for cell in cells]
        if len(points) > 1:
            strand = Strand(points[0], tuple(points[1:]))
            self.shapes.append(PathShape((strand,), stroke=self.theme.line, stroke_width=width * _CELL))


def _ways(lines: frozenset[Edge]) -> Iterator[tuple[list[Cell], bool]]:
    """The lines as walks, and whether each is closed."""
    near: dict[Cell, list[Cell]] = {}
    for a, b in sorted(lines):
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    left = set(lines)
    ends = [place for place, others in near.items() if len(others) == 1]
    for start in [*ends, *near]:
        walk = [start]
        while True:
            here = walk[-1]
            onward = next((p for p in near[here] if (min(here, p), max(here, p)) in left), None)
            if onward is None:
                break
            left.discard((min(here, onward), max(here, onward)))
            walk.append(onward)
        if len(walk) > 2 and walk[-1] == start:
            yield walk[:-1], True
        elif len(walk) > 1:
            yield walk, False
