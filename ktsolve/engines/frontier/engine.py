"""Engine ``frontier``: the native frontier sweep (ktsolve/frontier/count.hpp, docs/frontier.md).

Exact counts, single tours, lists of all tours, tours of least or greatest weight, tours by number, and counts
of tours by the moves that they use.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ktsolve import _native
from ktsolve.base.errors import BadInput, OutOfMemory
from ktsolve.base.limits import Clock, Settings, check_status
from ktsolve.base.units import shown_bytes
from ktsolve.engines.frontier.diagram import FrontierRanking
from ktsolve.engines.frontier.order import best_order
from ktsolve.engines.frontier.sweep import (
    check_width,
    count_invariant,
    expected_cost,
    order_of_orbits,
    probed_cost,
    sweep,
)
from ktsolve.engines.interface import PLAIN_FEATURES, Counted, Engine, Estimate, Trial
from ktsolve.engines.protocols import Ranking
from ktsolve.engines.search.tree import LISTED_FIRST, SECONDS_LISTED, tree_of
from ktsolve.graphs.board import Board
from ktsolve.graphs.symmetry import named_symmetry
from ktsolve.graphs.tour import Tour
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.problem import TourProblem

__all__ = ["FrontierEngine"]

_BATCH = 1024  # most tours in one slice
_SLICE = 0.1  # seconds in one slice
_BYTES_KEPT = 16  # bytes of a state where all layers are kept
_WIDE = 24  # smaller side of a board from which no sweep ends
_ORDERED = 0.1  # seconds in which the order of the vertices is found
_INVARIANT = 2.5  # time of a count of invariant tours by that of all tours with as many states
_SLOWER = 3.0  # time of a list, a ranking or a tally by that of a count
_NARROW = 1e4  # predicted states of a graph that are swept in some hundredths of a second

_CHEAP = {"construct": 2e5, "count": 2e6}
"""Predicted states that are swept in a second or two; few other engines answer as fast."""

_PREDICTIONS_FAIL = 10.0  # seconds of a trial: a sweep that takes longer was predicted wrong


def _is_wide(problem: TourProblem) -> bool:
    """Whether a board has no narrow order of its cells; to look for one takes seconds on 400x400."""
    board = problem.ground
    if not isinstance(board, Board) or 10 * len(board.removed) > len(board):
        return False
    return min(board.rows, board.columns) >= _WIDE


class FrontierEngine(Engine):
    """Counts, finds, lists and weighs tours by a frontier sweep, in C++."""

    name = "frontier"
    summary = "frontier sweep over the cells: exact counts, lists, least weights, native"
    _takes = PLAIN_FEATURES - {"steps", "symmetry"}
    capabilities: ClassVar = {
        **dict.fromkeys(("construct", "enumerate", "count", "optimise", "rank", "tally"), _takes),
        "count": _takes | {"symmetry"},
    }
    rough_milliseconds = None
    predicted_in = 0.2
    memory_shares = 4
    trials = (
        *(
            Trial(task=task, ground="graph", place=place, seconds=_PREDICTIONS_FAIL, states=states)
            for task, most in _CHEAP.items()
            for place, states in ((1, (0.0, _NARROW)), (5, (_NARROW, most)))
        ),
        Trial(task="construct", ground="graph", place=7, seconds=math.inf, states=(0, 1e10)),
        Trial(task="count", ground="graph", place=7, seconds=math.inf),
        # On smaller graphs the predictions choose the engine that lists.
        Trial(
            task="enumerate", ground="graph", place=7, seconds=math.inf, cells=(65, math.inf), states=(0, 2e5)
        ),
        # A million states over all vertices are weighed in 0.2 s.
        Trial(task="optimise", ground="graph", place=7, seconds=math.inf, work=1e6),
    )

    def estimate(self, problem: TourProblem, settings: Settings, task: str = "count") -> Estimate | None:
        """States, memory and time, predicted for the order that is used."""
        return self._estimate(problem, settings, task)

    def rough_estimate(
        self, problem: TourProblem, settings: Settings, task: str = "count"
    ) -> Estimate | None:
        """The same for an order that is found in a tenth of the time, except with a symmetry.

        It has up to a third more states, rarely four times as many.
        """
        return self._estimate(problem, settings, task, effort=0.05)

    def _estimate(
        self, problem: TourProblem, settings: Settings, task: str, effort: float = 1.0
    ) -> Estimate | None:
        if task == "construct" and _is_wide(problem):
            return None
        graph = CycleGraph.of(problem)
        if len(problem.ground) == 1 or graph.impossible:
            return None
        if problem.symmetry is not None:
            images = named_symmetry(problem.board, problem.symmetry).images
            orbits = order_of_orbits(problem, graph, images, Clock(settings))
            expected = expected_cost(problem, orbits, threads=settings.thread_budget)
            return replace(expected, seconds=_INVARIANT * expected.seconds)
        clock = Clock(settings)
        order = best_order(problem, graph, clock, effort=effort)
        rough = effort < 1 or task == "construct"
        threads = settings.thread_budget if task == "count" else 1
        if rough:
            counted = expected_cost(problem, order, threads=threads)
        else:
            counted = probed_cost(problem, graph, order, clock, threads)
        if task == "count":
            return counted
        if task == "enumerate":
            tree = tree_of(problem)
            tours = LISTED_FIRST if tree is None else max(tree.tours, 1.0)
            listed = min(tours, LISTED_FIRST)
            counted = replace(
                counted, seconds=_ORDERED + counted.seconds * listed / tours + listed * SECONDS_LISTED
            )
        # All layers are kept: of a list the dead states, of a ranking those from which a tour is reached.
        return replace(
            counted,
            bytes=order.total * _BYTES_KEPT,
            seconds=counted.seconds * _SLOWER,
            factor=2.0 if task == "enumerate" else 2 * counted.factor,
        )

    def count(self, problem: TourProblem, settings: Settings) -> Counted:
        """Number of tours; of symmetric ones by a sweep of the whole board (:func:`.count_invariant`).

        Raises LimitReached; at once, when the frontier is too wide.
        """
        if len(problem.ground) == 1:
            return Counted(int(not problem.closed), int(not problem.closed))
        clock = Clock(settings)
        graph = CycleGraph.of(problem)
        if graph.impossible:
            return Counted(0, 0)
        if problem.symmetry is not None:
            images = named_symmetry(problem.board, problem.symmetry).images
            report = count_invariant(problem, images, settings, clock)
        else:
            order = best_order(problem, graph, clock)
            arrays = graph.arrays(order.vertices)
            run = partial(_native.frontier_count, *arrays, threads=settings.thread_budget)
            report = sweep("counting", problem, order, settings, clock, run)
        details = {
            "peak_states": report.peak_states,
            "total_states": report.total_states,
            "transitions": report.transitions,
            "widest_frontier": report.widest,
            "count_bits": report.limbs * 64,
        }
        return Counted(report.count, report.count * problem.directions, report.peak_bytes, details)

    def construct(self, problem: TourProblem, settings: Settings) -> Tour | None:
        """A tour, the first of the list; None if none exists.

        The list keeps all dead states. Where they take too much memory, a count, which keeps two layers, may
        still show that there is no tour. Raises LimitReached.
        """
        clock = Clock(settings)
        try:
            return next(self.enumerate(problem, settings), None)
        except OutOfMemory:
            if self.count(problem, clock.within(settings)).count == 0:
                return None
            raise

    def enumerate(self, problem: TourProblem, settings: Settings) -> Iterator[Tour]:
        """Yield all tours. Raises LimitReached."""
        if len(problem.ground) == 1:
            if not problem.closed:
                yield Tour.from_indices(problem.ground, [0])
            return
        clock = Clock(settings)
        graph = CycleGraph.of(problem)
        if graph.impossible:
            return
        order = best_order(problem, graph, clock)
        check_width("listing", problem, order, settings)
        listing = _native.FrontierList(*graph.arrays(order.vertices), settings.seed or 0)
        batch, budget = 1, settings.memory_budget
        while not listing.exhausted:
            # In slices, so that tours are yielded soon and Ctrl-C between two of them loses none.
            left = _SLICE if clock.left is None else min(_SLICE, clock.left)
            status, cycles = listing.run(batch, left, budget)
            batch = min(2 * batch, _BATCH)
            for cycle in order.vertices[cycles].tolist():
                # As numbered for the problem; a tour without such a labeling is left for the caller's check.
                yield problem.labeled_to_fit(graph.tour(problem, cycle))
            if listing.exhausted:
                return
            reached = f"{listing.found:,} tours found, {listing.dead:,} dead states"
            clock.check(reached)
            if status == "memory":
                check_status(status, settings, f"{reached} in {shown_bytes(listing.bytes)}")
            if settings.progress is not None:
                settings.progress(None, reached)

    def ranks_at(self, problem: TourProblem) -> int:
        """After an engine for symmetric tours."""
        return 2

    def ranking(self, problem: TourProblem, settings: Settings) -> Ranking:
        """All tours in the order of the choices that they make in the sweep.

        Keeps all layers of states from which a tour is reached. Raises LimitReached.
        """
        return FrontierRanking.built(problem, settings)

    def restored(self, problem: TourProblem, path: Path, settings: Settings) -> Ranking:
        """A ranking that was saved. Raises BadInput if the file is damaged or not of this problem."""
        return FrontierRanking.restored(problem, path)

    def tally(self, problem: TourProblem, moves: Sequence[int], settings: Settings) -> list[int]:
        """Entry j: the number of tours that use exactly j of some moves, given as places of edges.

        Each state has a polynomial, its ways by the number of these moves. Raises LimitReached.
        """
        clock = Clock(settings)
        return FrontierRanking.built(problem, settings).tally(moves, clock.within(settings))

    def move_counts(self, problem: TourProblem, settings: Settings) -> list[int]:
        """The number of tours that use each move, along the edges of the ground. Raises LimitReached."""
        clock = Clock(settings)
        return FrontierRanking.built(problem, settings).move_counts(clock.within(settings))

    def lightest(self, problem: TourProblem, settings: Settings, *, heaviest: bool = False) -> Tour | None:
        """A tour of least total weight, or of greatest; None if there is no tour.

        Raises LimitReached, and BadInput if the graph has no weights.
        """
        if len(problem.ground) == 1:
            return None if problem.closed else Tour.from_indices(problem.ground, [0])
        clock = Clock(settings)
        graph = CycleGraph.of(problem)
        weights = _weights(problem, graph)
        if graph.impossible:
            return None
        order = best_order(problem, graph, clock)
        given = -weights if heaviest else weights
        run = partial(_native.frontier_lightest, *graph.arrays(order.vertices), given)
        report = sweep("weighing", problem, order, settings, clock, run)
        if not report.found:
            return None
        return problem.labeled_to_fit(graph.tour(problem, order.vertices[report.cycle].tolist()))


def _weights(problem: TourProblem, graph: CycleGraph) -> NDArray[np.int64]:
    """The weight of each edge of the cycle graph: 0 for those that stand for no edge of the problem."""
    ground = problem.ground
    if ground.weights is None:
        raise BadInput(f"{ground} has no weights")
    places = graph.moves(problem)
    weights = np.zeros(len(places), dtype=np.int64)
    weights[places >= 0] = ground.weights[places[places >= 0]]
    return weights
