"""Engine ``search``: exhaustive native backtracking (see native/include/ktsolve/search.hpp).

Forced moves, no early closing, no cut vertices; every undirected tour is visited exactly once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from ktsolve import _native
from ktsolve.engines.interface import PLAIN_FEATURES, Counted, Engine
from ktsolve.ground.tour import Tour
from ktsolve.native_status import check_status, native_progress
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Clock, Settings

__all__ = ["SearchEngine"]

_BATCH = 1024
"""Most tours in one slice."""

_SLICE = 0.1
"""Seconds in one slice."""


class SearchEngine(Engine):
    """Exhaustive backtracking over moves, in C++."""

    name = "search"
    summary = "exhaustive backtracking with forced moves and connectivity, native"
    capabilities: ClassVar = dict.fromkeys(("construct", "enumerate", "count", "tally"), PLAIN_FEATURES)
    rough_milliseconds = 0.3

    def enumerate(self, problem: TourProblem, settings: Settings) -> Iterator[Tour]:
        """Yield all tours, in the order of the search."""
        if len(problem.ground) == 1:
            if not problem.closed:
                yield Tour.from_indices(problem.ground, [0])
            return
        graph, search = self._start(problem, settings)
        if search is None:
            return
        clock = Clock(settings.timeout)
        # The order of moves alone would leave the cells at which the search begins the same.
        seed = settings.seed or 0
        image = problem.automorphisms[seed % len(problem.automorphisms)] if seed else None
        batch = 1
        while not search.exhausted:
            # In slices, so that tours are yielded soon and Ctrl-C between two of them loses none.
            left = _SLICE if clock.left is None else min(_SLICE, clock.left)
            _, cycles = search.run(batch, True, left, None)
            batch = min(2 * batch, _BATCH)
            for cycle in cycles.tolist():
                tour = graph.tour(problem, cycle)
                if image is not None:
                    tour = tour.transformed(image)
                # As numbered for the problem; a tour without such a numbering is left for the caller's check.
                yield problem.numbered_to_fit(tour)
            if not search.exhausted:
                clock.check(_reached(search))
            if settings.progress is not None:
                settings.progress(None, _reached(search))

    def count(self, problem: TourProblem, settings: Settings) -> Counted:
        """Number of tours, each of which is visited without being stored."""
        if problem.steps or len(problem.ground) == 1:
            # The number of directions that answer the problem differs from tour to tour.
            return super().count(problem, settings)
        _, search = self._start(problem, settings)
        if search is None:
            return Counted(0, 0)
        status, _ = search.run(2**64 - 1, False, settings.timeout, native_progress(settings, _describe))
        check_status(status, settings, _reached(search))
        return Counted(search.found, search.found * problem.directions, search.bytes, {"nodes": search.nodes})

    def count_invariant(self, problem: TourProblem, images: Sequence[int], settings: Settings) -> Counted:
        """Number of tours that are invariant under a symmetry, which the problem need not name.

        Parameters
        ----------
        images:
            The image of each cell, by index.
        """
        whole = CycleGraph.of(problem)
        if whole.tripled:
            images = [3 * image + i for image in images for i in range(3)]
        graph, links = whole.linked_by(images)
        if graph.impossible:
            return Counted(0, 0)
        search = _native.Search(*graph.arrays(), links, [], settings.seed or 0)
        status, _ = search.run(2**64 - 1, False, settings.timeout, native_progress(settings, _describe))
        check_status(status, settings, _reached(search))
        return Counted(search.found, search.found * problem.directions, search.bytes, {"nodes": search.nodes})

    def _start(self, problem: TourProblem, settings: Settings) -> tuple[CycleGraph, _native.Search | None]:
        graph, links = CycleGraph.of(problem).linked(problem)
        if graph.impossible:
            return graph, None
        index = problem.ground.index
        anchors = [(index[cell], step) for step, cell in problem.known_steps] if problem.steps else []
        if graph.tripled:
            # Three vertices of each cell at three steps of the cycle exclude the opposite direction.
            anchors = [(3 * v + i, 3 * step - 2 + i) for v, step in anchors for i in range(3)]
        # The extra vertex of an open tour is at step 0, so that cells keep their step numbers.
        if anchors and graph.extra is not None:
            anchors.append((graph.extra, 0))
        vertices, edges, required = graph.arrays()
        return graph, _native.Search(vertices, edges, required, links, anchors, settings.seed or 0)


def _describe(nodes: int, _total: int, found: int) -> tuple[None, str]:
    return None, f"{found:,} tours, {nodes:,} nodes"


def _reached(search: _native.Search) -> str:
    return f"{search.found:,} tours found in {search.nodes:,} nodes"
