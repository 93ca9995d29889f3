"""Statistics of many walks by Warnsdorff's rule on square boards.

The limit of a run is a number of steps, not a time, and random choices come from seeds: the same version of
the code gives the same results on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

from ktsolve import _native
from ktsolve.engines.walk.rules import RULES, middle, native_walker
from ktsolve.graphs.notation import Cell
from ktsolve.problem.problem import TourProblem

__all__ = ["AIMED", "ZONES", "Field", "Tally", "sampled"]

ZONES = ("edge", "2", "3", "4", "middle")
"""The zones of a board, from its edge to its middle."""

AIMED = ("aim", "shun")
"""Rules for studies only: ties go to the cell farther from a given cell, or nearer to it."""

_STEPS_PER_CELL = 10
"""Largest number of steps forward in a run, per cell of the board."""


@dataclass(frozen=True)
class Tally:
    """Statistics of some runs.

    Attributes
    ----------
    runs, found:
        Number of walks, and of tours found.
    backtracks:
        Number of steps back in each walk that found a tour.
    reached:
        Average share of the board visited before the first step back.
    """

    runs: int
    found: int
    backtracks: tuple[int, ...]
    reached: float

    @classmethod
    def of(cls, reports: Sequence[_native.WalkReport], cells: int) -> Tally:
        """Return the statistics of runs on a board with a given number of cells."""
        found = [report for report in reports if report.found]
        reached = sum(report.first_stuck for report in reports) / (len(reports) * cells)
        return cls(len(reports), len(found), tuple(report.backtracks for report in found), reached)

    @classmethod
    def total(cls, tallies: Iterable[Tally]) -> Tally:
        """Return the statistics of several sets of runs together."""
        each = list(tallies)
        runs = sum(one.runs for one in each)
        reached = sum(one.reached * one.runs for one in each) / runs
        backtracks = tuple(number for one in each for number in one.backtracks)
        return cls(runs, sum(one.found for one in each), backtracks, reached)

    @property
    def rate(self) -> str:
        """Tours per walk, as text."""
        return f"{self.found / self.runs:.2f}"

    @property
    def median(self) -> str:
        """Median number of steps back in walks that found a tour, as text."""
        return f"{median(self.backtracks):g}" if self.backtracks else "-"


class Field:
    """A square board, possibly with forbidden moves or removed cells."""

    def __init__(self, side: int, **conditions: object) -> None:
        self.side = side
        self.problem = TourProblem(board=f"{side}x{side}", closed=side % 2 == 0, **conditions)  # type: ignore[arg-type]
        self.cells = self.problem.board.cells
        self.index = self.problem.board.index

    @property
    def middle(self) -> Cell:
        """The cell at the centre, or above and left of it."""
        return middle(self.problem.board)

    def ring(self, cell: Cell) -> int:
        """Return the distance of a cell from the edge."""
        row, column = cell
        return min(row, column, self.side - 1 - row, self.side - 1 - column)

    def zone(self, cell: Cell) -> int:
        """Return the number of a cell's zone (see :data:`ZONES`)."""
        return round(4 * self.ring(cell) / self.ring(self.middle))

    def walker(self, rule: str, aim: Cell | None = None) -> _native.Walker:
        """Return the native walker for a rule; ``home`` and the rules of :data:`AIMED` use ``aim``."""
        if rule in RULES:
            return native_walker(self.problem, rule, aim or self.middle)
        place = np.array(self.cells)
        away: NDArray[np.int64] = np.abs(place - np.array(aim or self.middle)).sum(axis=1)
        keys = -away if rule == "aim" else away
        return _native.Walker(len(self.cells), self.problem.board.edges, "keys", keys, _NONE, [], _NONE)

    def closed(
        self, walker: _native.Walker, start: Cell, seeds: Iterable[int], home: Cell | None = None
    ) -> list[_native.WalkReport]:
        """Run walks with backtracking that end next to their start, or next to the cell ``home``."""
        most = _STEPS_PER_CELL * len(self.cells)
        at = -1 if home is None else self.index[home]
        return [walker.search(self.index[start], True, seed, most, home=at) for seed in seeds]

    def open(self, walker: _native.Walker, start: Cell, seeds: Iterable[int]) -> list[_native.WalkReport]:
        """Run walks without steps back; a walk ends where it is stuck."""
        return [walker.search(self.index[start], False, seed, len(self.cells)) for seed in seeds]


_NONE = np.zeros(0, dtype=np.uint8)


def sampled(field: Field, most: int) -> list[Cell]:
    """Return all cells, or a random sample of ``most`` cells; the side of the board is the seed."""
    if len(field.cells) <= most:
        return list(field.cells)
    chosen = np.random.default_rng(field.side).choice(len(field.cells), most, replace=False)
    return [field.cells[number] for number in sorted(chosen)]
