"""Cycles and paths that need not visit all vertices by the frontier sweep: longest ones, and numbers.

The sweep is that of all tours (ktsolve/frontier/count.hpp) in which vertices may be left out, but for the
extra vertex of paths.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from ktsolve import _native
from ktsolve.base.errors import Refused
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.frontier.diagram import Diagram
from ktsolve.engines.frontier.order import EliminationOrder, best_order
from ktsolve.engines.frontier.sweep import expected_cost, sweep
from ktsolve.graphs.tour import Tour
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.longest import LongestProblem

__all__ = ["PartialSweep"]


class PartialSweep:
    """The sweep over the walks of a problem, of two vertices or more. Directed graphs are refused.

    >>> from ktsolve.graphs.board import Board
    >>> problem = LongestProblem(Board.parse("3x4"), closed=True)
    >>> sweep = PartialSweep(problem, Settings())
    >>> sweep.by_length(), len(sweep.longest())
    ([0, 0, 0, 0, 0, 0, 3, 0, 2, 0, 1], 10)
    """

    def __init__(self, problem: LongestProblem, settings: Settings) -> None:
        if problem.ground.directed or problem.non_crossing:
            what = "non-crossing walks" if problem.non_crossing else "directed graphs"
            raise Refused(f"engine frontier leaves out vertices of undirected graphs only, not of {what}")
        self._problem, self._settings, self._clock = problem, settings, Clock(settings)
        self._graph = CycleGraph.of(problem.spanning)
        self._places = self._graph.moves(problem.spanning)
        self._order: EliminationOrder = best_order(problem.spanning, self._graph, self._clock)
        self._optional = (self._order.vertices != self._graph.extra).astype(np.uint8)

    @property
    def states(self) -> float:
        """The states at once that a sweep of all tours would have, as predicted."""
        return expected_cost(self._problem.spanning, self._order).states

    def by_length(self) -> list[int]:
        """Entry k: the number of walks of k edges, k > 0. Raises LimitReached."""
        if self._graph.impossible:
            return []
        problem, order = self._problem, self._order
        induced = problem.induced
        diagram = Diagram(self._graph, order.vertices, optional=self._optional, induced=induced)
        diagram.build(problem.spanning, order, self._settings, self._clock)
        steps = [[int(place >= 0)] for place in self._places]
        return diagram.tally(steps, self._clock.within(self._settings))

    def longest(self) -> Tour | None:
        """A longest walk of two vertices or more; None if no such walk exists. Raises LimitReached."""
        problem, order, graph = self._problem, self._order, self._graph
        if graph.impossible:
            return None
        weights: NDArray[np.int64] = np.where(self._places < 0, 0, -1)
        if problem.weighted and problem.ground.weights is not None:
            weights = np.where(self._places < 0, 0, -problem.ground.weights[self._places])
        run = partial(
            _native.frontier_lightest,
            *graph.arrays(order.vertices),
            weights.astype(np.int64),
            optional=self._optional,
            induced=problem.induced,
        )
        report = sweep("sweeping", problem.spanning, order, self._settings, self._clock, run)
        if not report.found:
            return None
        walk = graph.tour(problem.spanning, order.vertices[report.cycle].tolist())
        forwards = problem.start in (None, walk[0]) and problem.end in (None, walk[-1])
        return walk if forwards else walk.reversed()
