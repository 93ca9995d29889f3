"""Many walks by Warnsdorff's rule on square boards, and what became of them.

A run is limited by the cells it goes to, never by time, and chance comes from numbered seeds: the same
version of the code gives the same figures on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

from ktsolve import _native
from ktsolve.engines.walk.rules import RULES, middle, native_walker
from ktsolve.ground.notation import Cell
from ktsolve.problem.problem import TourProblem

__all__ = ["AIMED", "ZONES", "Field", "Tally", "sampled"]

ZONES = ("edge", "2", "3", "4", "middle")
"""Fifths of the way from the edge of the board to its middle."""

AIMED = ("aim", "shun")
"""Ties to the cell farther from a given cell, or nearer to it; for studies only."""

_PATIENCE = 10
"""Cells a run may go to, for each cell of the board."""


@dataclass(frozen=True)
class Tally:
    """What became of some runs.

    Attributes
    ----------
    runs, found:
        Walks, and tours.
    backtracks:
        Cells taken back in each walk that found a tour.
    reached:
        Share of the board visited before the first cell was taken back, on the average.
    """

    runs: int
    found: int
    backtracks: tuple[int, ...]
    reached: float

    @classmethod
    def of(cls, reports: Sequence[_native.WalkReport], cells: int) -> Tally:
        """Sum up the reports of a board of so many cells."""
        found = [report for report in reports if report.found]
        reached = sum(report.first_stuck for report in reports) / (len(reports) * cells)
        return cls(len(reports), len(found), tuple(report.backtracks for report in found), reached)

    @classmethod
    def total(cls, tallies: Iterable[Tally]) -> Tally:
        """The sum of several."""
        each = list(tallies)
        runs = sum(one.runs for one in each)
        reached = sum(one.reached * one.runs for one in each) / runs
        backtracks = tuple(number for one in each for number in one.backtracks)
        return cls(runs, sum(one.found for one in each), backtracks, reached)

    @property
    def rate(self) -> str:
        """Tours per walk."""
        return f"{self.found / self.runs:.2f}"

    @property
    def median(self) -> str:
        """Cells taken back in the middling walk of those that found a tour."""
        return f"{median(self.backtracks):g}" if self.backtracks else "-"


class Field:
    """A square board to walk on, without some cells or moves if need be."""

    def __init__(self, side: int, **conditions: object) -> None:
        self.side = side
        self.problem = TourProblem(board=f"{side}x{side}", closed=side % 2 == 0, **conditions)  # type: ignore[arg-type]
        self.cells = self.problem.board.cells
        self.index = self.problem.board.index

    @property
    def middle(self) -> Cell:
        """The cell at the centre, or up and left of it."""
        return middle(self.problem.board)

    def ring(self, cell: Cell) -> int:
        """How many cells away the edge is."""
        row, column = cell
        return min(row, column, self.side - 1 - row, self.side - 1 - column)

    def zone(self, cell: Cell) -> int:
        """Number of the zone (see :data:`ZONES`)."""
        return round(4 * self.ring(cell) / self.ring(self.middle))

    def walker(self, rule: str, aim: Cell | None = None) -> _native.Walker:
        """The rule on this board; ``home`` and those of :data:`AIMED` need a cell to keep away from."""
        if rule in RULES:
            return native_walker(self.problem, rule, aim or self.middle)
        place = np.array(self.cells)
        away: NDArray[np.int64] = np.abs(place - np.array(aim or self.middle)).sum(axis=1)
        keys = -away if rule == "aim" else away
        return _native.Walker(len(self.cells), self.problem.board.edges, "keys", keys, _NONE, [])

    def closed(
        self, walker: _native.Walker, start: Cell, seeds: Iterable[int], home: Cell | None = None
    ) -> list[_native.WalkReport]:
        """Walks with backtracking that come home: to the start, or next to another cell."""
        most = _PATIENCE * len(self.cells)
        at = -1 if home is None else self.index[home]
        return [walker.search(self.index[start], True, seed, most, home=at) for seed in seeds]

    def open(self, walker: _native.Walker, start: Cell, seeds: Iterable[int]) -> list[_native.WalkReport]:
        """Walks that take nothing back: they end where they are stuck."""
        return [walker.search(self.index[start], False, seed, len(self.cells)) for seed in seeds]


_NONE = np.zeros(0, dtype=np.uint8)


def sampled(field: Field, most: int) -> list[Cell]:
    """All cells, or so many of them drawn by the side of the board as the seed."""
    if len(field.cells) <= most:
        return list(field.cells)
    chosen = np.random.default_rng(field.side).choice(len(field.cells), most, replace=False)
    return [field.cells[number] for number in sorted(chosen)]
