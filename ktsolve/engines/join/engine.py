"""Engine ``join``: exact counts by a grouped two-sided frontier join, native and threaded.

See native/include/ktsolve/join.hpp for the method and :mod:`ktsolve.engines.join.planning` for how it is
planned.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import networkx as nx

from ktsolve.engines.cycle_graph import CycleGraph
from ktsolve.engines.interface import PLAIN_FEATURES, Counted, Engine, Estimate
from ktsolve.engines.join.pairs import Gauge, Tables, TooMuch, estimate_passes
from ktsolve.engines.join.planning import best_plan
from ktsolve.engines.join.routes import EndsCut, Pair, Pass, cuts_for_ends, passes_for
from ktsolve.engines.join.run import count_along, estimate
from ktsolve.ground.notation import Cell
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Clock, Settings

__all__ = ["JoinEngine"]


class JoinEngine(Engine):
    """Counting from two sides, in C++."""

    name = "join"
    summary = "exact count by a two-sided join of half boards, native, all threads"
    capabilities: ClassVar = {"count": PLAIN_FEATURES - {"graph", "steps", "symmetry"}}
    most_pairs: ClassVar = 1 << 20

    def rough_seconds(self, problem: TourProblem, tours: int) -> float:
        """A guess that depends on the board alone; measured on the cases of ``ktsolve verify``."""
        return 3e-4 * len(problem.board) ** 2

    def count(self, problem: TourProblem, settings: Settings) -> Counted:
        """Number of tours.

        Raises
        ------
        LimitReached
            At the time or memory limit, telling how far it got.
        Refused
            If the board has no cut narrow enough.
        """
        return self.count_part(problem, settings, (0, 1))

    def estimate(self, problem: TourProblem, settings: Settings) -> Estimate | None:
        """States, memory and time, from the plan. Milliseconds."""
        graph = CycleGraph.of(problem)
        if len(problem.board) == 1 or _hopeless(graph) or _complete(graph):
            return None
        return estimate(best_plan(problem, graph), settings)

    def count_part(self, problem: TourProblem, settings: Settings, part: tuple[int, int]) -> Counted:
        """Summand i of n of the number of tours, for ``part`` = (i, n): they add up to it.

        Raises
        ------
        LimitReached, Refused
            As :meth:`count`.
        """
        if len(problem.board) == 1:
            one = int(not problem.closed and part[0] == 0)
            return Counted(one, one)
        clock = Clock(settings.timeout)
        graph = CycleGraph.of(problem)
        if _hopeless(graph):
            return Counted(0, 0)
        if _complete(graph):
            number = _by_definition(graph) if part[0] == 0 else 0
            return Counted(number, number * problem.directions)
        return count_along(problem, best_plan(problem, graph, clock), settings, clock, part)

    def count_pairs(
        self, problem: TourProblem, pairs: Sequence[tuple[Cell, Cell]], settings: Settings
    ) -> Iterator[tuple[tuple[Cell, Cell], Counted]]:
        """The number of open tours for each pair of ends, in the order in which they come out.

        Half tables are made once for all pairs that need them; pairs that no cut along lines serves are
        counted by themselves.

        Raises
        ------
        LimitReached, Refused
            As :meth:`count`.
        """
        clock = Clock(settings.timeout)
        index = problem.board.index
        asked = {(index[a], index[b]): (a, b) for a, b in pairs}
        for pair, counted in self._together(problem, asked, settings, clock):
            yield asked.pop(pair), counted
        for a, b in asked.values():
            yield (a, b), self.count(problem.replace(start=a, end=b), clock.within(settings))

    def estimate_pairs(
        self, problem: TourProblem, pairs: Sequence[tuple[Cell, Cell]], settings: Settings
    ) -> Estimate | None:
        """What :meth:`count_pairs` will take; None if some pair would be counted by itself. Milliseconds."""
        sharing = _Sharing.of(problem)
        if sharing is None:
            return None
        index = problem.board.index
        passes = sharing.passes([(index[a], index[b]) for a, b in pairs])
        served = sum(len(each.routes) for each in passes)
        return estimate_passes(passes, settings) if served == len(pairs) else None

    def _together(
        self, problem: TourProblem, pairs: Iterable[Pair], settings: Settings, clock: Clock
    ) -> Iterator[tuple[Pair, Counted]]:
        """The pairs that some cut serves."""
        sharing = _Sharing.of(problem)
        if sharing is None:
            return
        left = dict.fromkeys(pairs)
        while left and sharing.cuts:
            passes = sharing.passes(left)
            gauge = Gauge(settings.progress, sum(each.cost for each in passes))
            try:
                for cut, at_cut in itertools.groupby(passes, key=lambda each: each.cut):
                    tables = Tables(sharing.moves, cut, settings, clock, gauge)
                    for each in at_cut:
                        for route, number in tables.count(each):
                            del left[route.pair]
                            a, b = (problem.board.cells[v] for v in route.pair)
                            directions = problem.replace(start=a, end=b).directions
                            details = each.details(route)
                            yield route.pair, Counted(number, number * directions, tables.peak_bytes, details)
            except TooMuch:
                sharing.cuts.remove(cut)  # the others may have smaller tables
            else:
                return


@dataclass(frozen=True)
class _Sharing:
    """What pairs of ends of a problem can share."""

    moves: CycleGraph
    symmetries: list[tuple[int, ...]]
    cuts: list[EndsCut]

    @classmethod
    def of(cls, problem: TourProblem) -> _Sharing | None:
        """None if tables are no help."""
        graph = CycleGraph.of(problem)
        if _hopeless(graph) or _complete(graph):
            return None
        moves = _moves(graph)
        symmetries = [symmetry.images for symmetry in problem.automorphisms]
        return cls(moves, symmetries, cuts_for_ends(problem, moves, symmetries))

    def passes(self, pairs: Iterable[Pair]) -> list[Pass]:
        """How the pairs are counted; those that no cut serves are left out."""
        return passes_for(pairs, self.cuts, self.symmetries)


def _moves(graph: CycleGraph) -> CycleGraph:
    """The graph without the extra vertex."""
    kept = [
        (edge, needed)
        for edge, needed in zip(graph.edges, graph.required, strict=True)
        if graph.extra not in edge
    ]
    return CycleGraph(
        graph.vertices - 1, tuple(e for e, _ in kept), tuple(n for _, n in kept), None, graph.impossible
    )


def _hopeless(graph: CycleGraph) -> bool:
    """Is it plain that no cycle reaches all vertices?"""
    whole = nx.Graph(graph.edges)
    return graph.impossible or len(whole) < max(3, graph.vertices) or not nx.is_connected(whole)


def _complete(graph: CycleGraph) -> bool:
    """Is every cell a move from every other? Nothing can be cut then, but there are ten vertices at most."""
    return len(graph.edges) == graph.vertices * (graph.vertices - 1) // 2


def _by_definition(graph: CycleGraph) -> int:
    """Hamiltonian cycles with all required edges, by trying all permutations."""
    required = {edge for edge, needed in zip(graph.edges, graph.required, strict=True) if needed}
    count = 0
    for rest in itertools.permutations(range(1, graph.vertices)):
        if rest[0] < rest[-1]:
            walk = (0, *rest, 0)
            count += required <= {(min(pair), max(pair)) for pair in itertools.pairwise(walk)}
    return count
