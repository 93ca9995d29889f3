"""Engine ``quotient``: symmetric tours, counted and searched in the quotient graph of their symmetry.

The vertices of the quotient are the orbits of cells. It has a half or a quarter of the cells, so that counts
and searches reach boards of twice or four times the size. docs/symmetry.md explains the theory,
:mod:`ktsolve.engines.quotient.shapes` the cases.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.frontier.sweep import expected_cost, sweep
from ktsolve.engines.interface import PLAIN_FEATURES, Counted, Engine, Estimate
from ktsolve.engines.protocols import Ranking
from ktsolve.engines.quotient.shapes import Shape, images_of, order_of_orbits, shapes_of, short_tours
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem

if TYPE_CHECKING:
    from ktsolve import _native
    from ktsolve.engines.quotient.ranking import QuotientRanking

__all__ = ["QuotientEngine"]

_BATCH = 4096  # most cycles of the quotient in one slice of the search
_SLICE = 0.1  # longest slice of the search in seconds
_SEARCHED = 200  # cells up to which symmetric tours are found in hundredths of a second


class QuotientEngine(Engine):
    """Counts and searches symmetric tours in the quotient by their symmetry."""

    name = "quotient"
    summary = "symmetric tours, counted by a frontier sweep and searched over orbits of cells, native"
    needs: ClassVar = frozenset({"symmetry"})
    _takes = PLAIN_FEATURES - {"graph", "steps"}
    capabilities: ClassVar = dict.fromkeys(("construct", "enumerate", "count", "rank", "tally"), _takes)
    rough_milliseconds = None

    def enumerate(self, problem: TourProblem, settings: Settings) -> Iterator[Tour]:
        """Yield all tours, from the cycles of the quotient. Raises LimitReached."""
        board = problem.board
        for cells in self._tours(problem, settings):
            tour = Tour.from_indices(board, cells, problem.closed)
            # A tour without a valid labeling is a bug; it is returned for the caller's check to report.
            yield problem.labeled_to_fit(tour)

    def _tours(self, problem: TourProblem, settings: Settings) -> Iterator[list[int]]:
        if len(problem.ground) == 1:
            if not problem.closed:
                yield [0]
            return
        images = images_of(problem)
        yield from short_tours(problem, images)
        clock = Clock(settings)
        running = [(shape, _search(shape, settings)) for shape in shapes_of(problem, images)]
        batch, cycles_found, found = 1, 0, 0
        while running:
            # The shapes take turns in slices: a shape without tours does not delay the others.
            for shape, search in list(running):
                left = _SLICE if clock.left is None else min(_SLICE, clock.left)
                _, cycles = search.run(batch, True, left, None)
                for cycle in cycles.tolist():
                    for cells in shape.tours(cycle):
                        found += 1
                        yield cells
                cycles_found += len(cycles)
                if search.exhausted:
                    running.remove((shape, search))
            batch = min(2 * batch, _BATCH)
            reached = f"{found:,} tours found, {cycles_found:,} cycles of the quotient"
            if running:
                clock.check(reached)
            if settings.progress is not None:
                settings.progress(None, reached)

    def estimate(self, problem: TourProblem, settings: Settings, task: str = "count") -> Estimate | None:
        """Return the expected cost of the most expensive shape; a rough one where tours are searched for."""
        if task in ("construct", "enumerate"):
            cells = len(problem.ground)
            factor = 3.0 if cells <= _SEARCHED else 100.0
            return Estimate("a search over orbits of cells", 0.0, 1 << 20, 5e-5 * cells, factor=factor)
        clock = Clock(settings)
        shapes = shapes_of(problem, images_of(problem)) if len(problem.ground) > 1 else []
        orders = [order_of_orbits(problem, shape, clock) for shape in shapes]
        expected = [expected_cost(problem, order, threads=settings.thread_budget) for order in orders]
        if not expected:
            return None
        # Each shape is swept, with two counts for each state.
        seconds = 2.5 * sum(each.seconds for each in expected)
        return replace(max(expected, key=lambda each: each.states), seconds=seconds)

    def count(self, problem: TourProblem, settings: Settings) -> Counted:
        """Return the number of tours. Raises LimitReached."""
        return self.count_invariant(problem, images_of(problem), settings)

    def count_invariant(self, problem: TourProblem, images: Sequence[int], settings: Settings) -> Counted:
        """Return the number of tours that are invariant under a symmetry, given by the image of each cell.

        The method counts cycles of the quotient; where the symmetry turns the tours, only those of odd
        voltage. Raises LimitReached, and Refused if the order of the symmetry is not a power of 2.
        """
        if len(problem.ground) == 1:
            return Counted(int(not problem.closed), int(not problem.closed))
        clock = Clock(settings)
        count = len(short_tours(problem, images))
        details: dict[str, int] = {}
        peak = 0
        for shape in shapes_of(problem, images):
            report = _swept(problem, shape, settings, clock)
            tours = report.odd if shape.kind == "turned" else report.even + report.odd
            count += tours
            details |= {
                shape.kind: tours,
                f"{shape.kind}_peak_states": report.peak_states,
                f"{shape.kind}_transitions": report.transitions,
                f"{shape.kind}_widest_frontier": report.widest,
            }
            peak = max(peak, report.peak_bytes)
        return Counted(count, count * problem.directions, peak, details)

    def ranks_at(self, problem: TourProblem) -> int:
        """Before all others."""
        return 0

    def ranking(self, problem: TourProblem, settings: Settings) -> Ranking:
        """All tours, shape by shape in the order of the sweep of the quotient. Raises LimitReached."""
        return _ranking_class().built(problem, settings)

    def restored(self, problem: TourProblem, path: Path, settings: Settings) -> Ranking:
        """A ranking that was saved. Raises BadInput if the file is damaged or not of this problem."""
        return _ranking_class().restored(problem, path)

    def tally(self, problem: TourProblem, moves: Sequence[int], settings: Settings) -> list[int]:
        """Entry j: the number of tours that use exactly j of some moves. Raises LimitReached."""
        clock = Clock(settings)
        return _ranking_class().built(problem, settings).tally(moves, clock.within(settings))

    def move_counts(self, problem: TourProblem, settings: Settings) -> list[int]:
        """The number of tours that use each move, along the edges of the ground. Raises LimitReached."""
        clock = Clock(settings)
        return _ranking_class().built(problem, settings).move_counts(clock.within(settings))


def _ranking_class() -> type[QuotientRanking]:
    # Imported late: every choice of an engine imports this file, and few number tours.
    from ktsolve.engines.quotient.ranking import QuotientRanking

    return QuotientRanking


def _swept(problem: TourProblem, shape: Shape, settings: Settings, clock: Clock) -> _native.VoltageReport:
    from ktsolve import _native

    order = order_of_orbits(problem, shape, clock)
    arrays = shape.graph.arrays(order.vertices)
    run = partial(_native.voltage_count, *arrays, shape.parallel, threads=settings.thread_budget)
    return sweep("counting", problem, order, settings, clock, run)


def _search(shape: Shape, settings: Settings) -> _native.Search:
    from ktsolve import _native

    return _native.Search(*shape.graph.arrays(), [], [], settings.seed or 0)
