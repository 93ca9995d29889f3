"""Engine ``join``: exact counts by a grouped two-sided frontier join, native and threaded.

See ktsolve/join/count.hpp for the method and :mod:`ktsolve.engines.join.planning` for the plan.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np

from ktsolve.base.files import temporary_folder
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.interface import (
    PLAIN_FEATURES,
    Counted,
    Engine,
    Estimate,
    Trial,
    listed_move_counts,
    listed_tally,
)
from ktsolve.engines.join.fitting import estimate
from ktsolve.engines.join.pairs import (
    EndsSeparation,
    Pair,
    Route,
    RouteGroup,
    route_groups,
    separators_for_ends,
)
from ktsolve.engines.join.planning import best_plan, has_line_separator
from ktsolve.engines.join.ranking import FewTours, JoinRanking
from ktsolve.engines.join.run import count_along, moves_along, tally_along
from ktsolve.engines.join.tables import ProgressMeter, Tables, TablesTooLarge, estimate_groups
from ktsolve.engines.protocols import Ranking
from ktsolve.graphs.edge_arrays import component_labels
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.tour import Tour
from ktsolve.problem.cycle_graph import CycleGraph, Edge
from ktsolve.problem.problem import TourProblem

__all__ = ["JoinEngine"]

_MOST_PREDICTED = 600
"""Cells up to which the cost is predicted: on longer boards all separators together take seconds."""

_SLOWER = 4.0  # time of a tally by that of a count: 4.3 with the moves of one slope of 8x8
_MOST_RANKED = 150  # cells from which tours would be numbered modulo many primes, one after the other

_Way = Literal["whole", "passes", "batches"]
"""How half tables are shared: all of a group in memory, in files of blocks, in memory one batch at a time."""

_WAYS: tuple[_Way, ...] = ("whole", "passes", "batches")

_SWEPT_CELLS, _SWEPT_SIDE = 40, 4
"""Cells of a board, or its smaller side, up to which a sweep makes its tables in a tenth of a second."""


class JoinEngine(Engine):
    """Exact counts by a two-sided join, in C++."""

    name = "join"
    summary = "exact count by a two-sided join of half boards, native, all threads"
    capabilities: ClassVar = {
        task: PLAIN_FEATURES - {"digraph", "steps", "symmetry"} for task in ("count", "rank", "tally")
    }
    most_pairs: ClassVar = 1 << 20
    rough_milliseconds = None
    memory_shares = 4
    trials = (
        Trial(task="count", ground="graph", place=4, seconds=10.0, others=1e5),
        Trial(task="count", ground="graph", place=8, seconds=math.inf),
    )

    def count(self, problem: TourProblem, settings: Settings) -> Counted:
        """Number of tours. Raises LimitReached, and Refused if no separator is narrow enough."""
        return self.count_part(problem, settings, (0, 1))

    def estimate(self, problem: TourProblem, settings: Settings, task: str = "count") -> Estimate | None:
        """States, memory and time, estimated from the plan. Raises Refused as :meth:`count`."""
        graph = CycleGraph.of(problem)
        if _without_tables(problem, graph) or len(problem.ground) > _MOST_PREDICTED:
            return None
        plan = best_plan(problem, graph, Clock(settings), outside_in=task != "count")
        counted = estimate(plan, settings)
        if task == "count":
            return counted
        return replace(counted, seconds=counted.seconds * _SLOWER, bytes=counted.bytes * 2)

    def count_part(self, problem: TourProblem, settings: Settings, part: tuple[int, int]) -> Counted:
        """Summand i of n of the number of tours, for ``part`` = (i, n). Raises as :meth:`count`."""
        clock = Clock(settings)
        graph = CycleGraph.of(problem)
        few = _few_tours(problem, graph)
        if few is not None:
            number = len(few) if part[0] == 0 else 0
            return Counted(number, number * problem.directions)
        return count_along(problem, best_plan(problem, graph, clock), settings, clock, part)

    def ranks_at(self, problem: TourProblem) -> int:
        """Before a sweep on large boards with a separator along lines: 6x10 takes 0.1 s, not a minute."""
        if "graph" in problem.features or len(problem.ground) > _MOST_RANKED:
            return 3
        board = problem.board
        small = len(board) <= _SWEPT_CELLS or min(board.rows, board.columns) <= _SWEPT_SIDE
        if small and "wrap" not in problem.features:
            return 3
        return 1 if has_line_separator(problem, CycleGraph.of(problem)) else 3

    def ranking(self, problem: TourProblem, settings: Settings) -> Ranking:
        """All tours in the order of :mod:`ktsolve.engines.join.ranking`.

        Raises as :meth:`count`, and LimitReached if there are 2^127 tours or more.
        """
        clock = Clock(settings)
        graph = CycleGraph.of(problem)
        few = _few_tours(problem, graph)
        if few is not None:
            return FewTours(problem, few)
        plan = best_plan(problem, graph, clock, outside_in=True)
        return JoinRanking.prepared(problem, plan, settings, clock)

    def restored(self, problem: TourProblem, path: Path, settings: Settings) -> Ranking:
        """A ranking that was saved. Raises BadInput if the file is damaged or of another problem or plan."""
        graph = CycleGraph.of(problem)
        few = _few_tours(problem, graph)
        if few is not None:
            return FewTours.restored(problem, few, path)
        plan = best_plan(problem, graph, Clock(settings), outside_in=True)
        return JoinRanking.restored(problem, plan, path, settings)

    def tally(self, problem: TourProblem, moves: Sequence[int], settings: Settings) -> list[int]:
        """Entry j: the number of tours that use exactly j of some moves, places in ``problem.ground.edges``.

        A part of each state is the number of these moves used so far; see native/src/join/tally.hpp. Raises
        as :meth:`count`.
        """
        clock = Clock(settings)
        graph = CycleGraph.of(problem)
        few = _few_tours(problem, graph)
        if few is not None:
            return listed_tally(problem, _as_tours(problem, few), moves)
        ends = problem.ground.edges[np.asarray(moves, dtype=np.int64)]
        chosen = {(u, v) for u, v in ends.tolist()}.intersection(graph.pairs)
        if not chosen:
            count = self.count(problem, settings).count
            return [count] if count else []
        return tally_along(problem, best_plan(problem, graph, clock, chosen), settings, clock)

    def move_counts(self, problem: TourProblem, settings: Settings) -> list[int]:
        """The number of tours that use each move, along ``problem.ground.edges``.

        One sweep forwards and one backwards over the states of a half: ktsolve/join/moves.hpp. Raises as
        :meth:`count`.
        """
        clock = Clock(settings)
        graph = CycleGraph.of(problem)
        few = _few_tours(problem, graph)
        if few is not None:
            return listed_move_counts(problem, _as_tours(problem, few))
        number = self.count(problem, settings).count
        plan = best_plan(problem, graph, clock)
        found = moves_along(plan, number, clock.within(settings), clock) if number else {}
        return [found.get((u, v), 0) for u, v in problem.ground.edges.tolist()]

    def count_pairs(
        self, problem: TourProblem, pairs: Sequence[tuple[Cell, Cell]], settings: Settings
    ) -> Iterator[tuple[tuple[Cell, Cell], Counted]]:
        """The number of open tours for each pair of ends, in the order in which they are counted.

        Half tables are made once for all pairs that need them, and divided into blocks, in files, where two
        do not fit into memory. Pairs that no separator along lines serves are counted one by one. Raises as
        :meth:`count`.
        """
        clock = Clock(settings)
        index = problem.ground.index
        left = {(index[a], index[b]): (a, b) for a, b in pairs}
        sharing = _Sharing(problem)
        for way in _WAYS:
            for each, route, number, peak in sharing.counted(left, settings, clock, way):
                a, b = left.pop(route.pair)
                directed = number * problem.replace(start=a, end=b).directions
                yield (a, b), Counted(number, directed, peak, each.details(route))
        for a, b in left.values():
            yield (a, b), self.count(problem.replace(start=a, end=b), clock.within(settings))

    def estimate_pairs(
        self, problem: TourProblem, pairs: Sequence[tuple[Cell, Cell]], settings: Settings
    ) -> Estimate | None:
        """Estimate for :meth:`count_pairs`, or None if a pair is counted by itself; takes milliseconds."""
        index = problem.ground.index
        sharing = _Sharing(problem)
        groups = sharing.groups(((index[a], index[b]) for a, b in pairs), sharing.separations)
        served = sum(len(each.routes) for each in groups)
        return estimate_groups(groups, settings) if served == len(pairs) else None


class _Sharing:
    """The separators and symmetries that pairs of ends of a problem can share."""

    def __init__(self, problem: TourProblem) -> None:
        graph = CycleGraph.of(problem)
        inner = graph.keeping(lambda edge: graph.extra not in edge)
        self.moves = replace(inner, vertices=graph.vertices - 1, extra=None)
        self.symmetries = [symmetry.images for symmetry in problem.automorphisms]
        self.separations: list[EndsSeparation] = []
        if not _without_tables(problem, graph):
            self.separations = separators_for_ends(problem, self.moves, self.symmetries)

    def groups(self, pairs: Iterable[Pair], separations: Sequence[EndsSeparation]) -> list[RouteGroup]:
        """The pairs by the tables they share; those that no separator serves are left out."""
        return route_groups(pairs, separations, self.symmetries)

    def counted(
        self, left: Mapping[Pair, object], settings: Settings, clock: Clock, way: _Way
    ) -> Iterator[tuple[RouteGroup, Route, int, int]]:
        """How pairs are counted, their numbers and the bytes that it took; of some, which the caller removes.

        Others are left where tables do not fit into memory, of which those of other separators may.
        """
        separations = list(self.separations)
        with ExitStack() as stack:
            folder = ""
            if way == "passes" and left and separations:
                folder = settings.spill or stack.enter_context(temporary_folder())
            while left and separations:
                groups = self.groups(left, separations)
                meter = ProgressMeter(settings, sum(each.cost for each in groups))
                try:
                    for separation, here in itertools.groupby(groups, key=lambda each: each.separation):
                        tables = partial(Tables, self.moves, separation, settings, clock, meter)
                        yield from _counted_by(tables, here, way, folder)
                    return
                except TablesTooLarge:
                    separations.remove(separation)


def _counted_by(
    made: Callable[[], Tables], groups: Iterable[RouteGroup], way: _Way, folder: str
) -> Iterator[tuple[RouteGroup, Route, int, int]]:
    """The numbers of groups of one separation. The tables go with the call, before others are made."""
    tables = made()
    for each in groups:
        if way == "passes":
            counted = tables.count_in_passes(each, folder)
        else:
            counted = tables.count(each, in_batches=way == "batches")
        for route, number in counted:
            yield each, route, number, tables.native.peak_bytes


def _hopeless(graph: CycleGraph) -> bool:
    """Whether there is no cycle because of required edges, isolated vertices or a disconnected graph."""
    apart = component_labels(graph.vertices, graph.edges).any()
    return graph.impossible or graph.vertices < 3 or bool(apart)


def _without_tables(problem: TourProblem, graph: CycleGraph) -> bool:
    """Whether no tables are needed: one cell, no tour, or a complete graph, which has no separator."""
    complete = len(graph.edges) == graph.vertices * (graph.vertices - 1) // 2
    return len(problem.ground) == 1 or complete or _hopeless(graph)


def _few_tours(problem: TourProblem, graph: CycleGraph) -> list[list[int]] | None:
    """The tours as rows of cells if no tables are needed, else None. A complete graph is small."""
    if not _without_tables(problem, graph):
        return None
    if len(problem.ground) == 1:
        return [] if problem.closed else [[0]]
    if _hopeless(graph):
        return []
    required = {edge for edge, needed in graph.needed.items() if needed}
    cycles = ([0, *rest] for rest in itertools.permutations(range(1, graph.vertices)) if rest[0] < rest[-1])
    return [graph.order(cycle) for cycle in cycles if required <= _edges(cycle)]


def _as_tours(problem: TourProblem, rows: Iterable[Sequence[int]]) -> Iterator[Tour]:
    return (Tour.from_indices(problem.ground, row, problem.closed) for row in rows)


def _edges(cycle: Sequence[int]) -> set[Edge]:
    """The edges of a cycle, given as its vertices in order."""
    return {(min(pair), max(pair)) for pair in itertools.pairwise([*cycle, cycle[0]])}
