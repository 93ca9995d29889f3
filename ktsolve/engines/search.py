"""Engine ``search``: exhaustive native backtracking (see native/include/ktsolve/search.hpp).

Forced moves, no early closing, no cut vertices; every undirected tour is visited exactly once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, ClassVar

from ktsolve.engines.cycle_graph import CycleGraph
from ktsolve.engines.interface import PLAIN_FEATURES, Counted, Engine
from ktsolve.errors import LimitReached
from ktsolve.ground.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Clock, Settings, out_of_time

if TYPE_CHECKING:
    from ktsolve import _native

__all__ = ["SearchEngine"]

_BATCH = 1024
"""Most tours in one slice."""

_SLICE = 0.1
"""Seconds in one slice."""


class SearchEngine(Engine):
    """Exhaustive backtracking over moves, in C++."""

    name = "search"
    summary = "exhaustive backtracking with forced moves and connectivity, native"
    capabilities: ClassVar = dict.fromkeys(("construct", "enumerate", "count"), PLAIN_FEATURES)

    def rough_seconds(self, problem: TourProblem, tours: int) -> float:
        """As of any engine that lists tours; measured on the cases of ``ktsolve verify``."""
        return 0.3 * super().rough_seconds(problem, tours)

    def construct(self, problem: TourProblem, settings: Settings) -> Tour | None:
        """The first tour of the search, or None when the whole tree holds none."""
        return next(self._tours(problem, settings), None)

    def enumerate(self, problem: TourProblem, settings: Settings) -> Iterator[Tour]:
        """All tours, in the order of the search."""
        return self._tours(problem, settings)

    def _tours(self, problem: TourProblem, settings: Settings) -> Iterator[Tour]:
        if len(problem.ground) == 1:
            yield from _single_cell(problem)
            return
        search = self._start(problem, settings)
        if search is None:
            return
        clock = Clock(settings.timeout)
        image = _image(problem, settings.seed)
        extra = len(problem.ground) if not problem.closed else None
        batch = 1
        while not search.exhausted:
            # In slices, so that tours are handed on soon and Ctrl-C between two of them loses none.
            left = _SLICE if clock.left is None else min(_SLICE, clock.left)
            _, cycles = search.run(batch, True, left, None)
            batch = min(2 * batch, _BATCH)
            for cycle in cycles.tolist():
                if extra is not None:
                    at = cycle.index(extra)
                    cycle = cycle[at + 1 :] + cycle[:at]
                tour = Tour.from_indices(problem.ground, map(image, cycle), problem.closed)
                # As numbered for the problem; a tour without such a numbering is left for the caller's check.
                yield problem.numbered_to_fit(tour)
            if not search.exhausted:
                clock.check(_reached(search))
            if settings.progress is not None:
                settings.progress(None, _reached(search))

    def count(self, problem: TourProblem, settings: Settings) -> Counted:
        """Number of tours, by visiting every one without writing it down."""
        if len(problem.ground) == 1:
            number = sum(1 for _ in _single_cell(problem))
            return Counted(number, number)
        if problem.steps:
            # How many directions answer the problem has to be asked of each tour.
            return super().count(problem, settings)
        search = self._start(problem, settings)
        if search is None:
            return Counted(0, 0)
        status, _ = search.run(2**64 - 1, False, settings.timeout, _reporter(settings))
        if status != "done":
            raise _stopped(status, settings, search)
        return Counted(search.found, search.found * problem.directions, search.bytes, {"nodes": search.nodes})

    def _start(self, problem: TourProblem, settings: Settings) -> _native.Search | None:
        from ktsolve import _native

        graph, links = CycleGraph.of(problem).linked(problem)
        if graph.impossible:
            return None
        # The extra vertex of an open tour stands at step 0, so that cells keep their step numbers.
        index = problem.ground.index
        anchors = [(index[cell], step) for step, cell in problem.known_steps] if problem.steps else []
        if anchors and graph.extra is not None:
            anchors.append((graph.extra, 0))
        vertices, edges, required = graph.arrays()
        return _native.Search(vertices, edges, required, links, anchors, settings.seed or 0)


def _image(problem: TourProblem, seed: int | None) -> Callable[[int], int]:
    """Where the seed puts each cell: the search itself begins at the same cells whatever the order of moves.

    A symmetry of the problem takes its tours to its tours, each to another.
    """
    if not seed:
        return int
    return problem.automorphisms[seed % len(problem.automorphisms)]


def _single_cell(problem: TourProblem) -> Iterator[Tour]:
    if not problem.closed:
        yield Tour.from_indices(problem.ground, [0])


def _reporter(settings: Settings) -> object | None:
    if settings.progress is None:
        return None
    progress = settings.progress
    return lambda step, _, found: progress(None, f"{found:,} tours, {step:,} nodes")


def _reached(search: _native.Search) -> str:
    return f"{search.found:,} tours found in {search.nodes:,} nodes"


def _stopped(status: str, settings: Settings, search: _native.Search) -> LimitReached:
    reached = _reached(search)
    if status == "time":
        return out_of_time(settings.timeout, reached)
    return LimitReached(f"stopped, {reached}")
