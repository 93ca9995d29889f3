"""Engine ``walk``: one tour by Warnsdorff's rule and exchanges (see ktsolve/walk/walk.hpp)."""

from __future__ import annotations

import math
from typing import ClassVar

from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.interface import PLAIN_FEATURES, Engine, Trial
from ktsolve.engines.walk.graph_walk import hamiltonian_cycle
from ktsolve.engines.walk.walk import FEATURES_WALKED, repaired_walk, walk
from ktsolve.graphs.tour import Tour
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.problem import TourProblem

__all__ = ["WalkEngine"]


_LARGE = 10_000
"""Edges of a graph from which a prediction takes some tenths of a second."""


class WalkEngine(Engine):
    """Repairs walks by Warnsdorff's rule; on boards it uses backtracking if the repair fails."""

    name = "walk"
    summary = "Warnsdorff's rule, repaired by exchanges, native"
    capabilities: ClassVar = {"construct": PLAIN_FEATURES - {"steps", "symmetry"}}
    trials = (
        # The walk of a board takes a fifth of that time for each cell.
        Trial(task="construct", ground="board", place=0, early=True, seconds=0.2, seconds_per_cell=2e-5),
        Trial(task="construct", ground="graph", place=0, early=True, seconds=0.2, edges=(_LARGE, math.inf)),
        Trial(task="construct", ground="graph", place=2, seconds=0.2, edges=(0, _LARGE - 1)),
        Trial(task="construct", ground="graph", place=9, seconds=math.inf),
    )

    def construct(self, problem: TourProblem, settings: Settings) -> Tour | None:
        """Return a tour; None if there is evidently none, or backtracking has tried every walk.

        Local search on graphs, and on boards with conditions, does not backtrack. Raises LimitReached.
        """
        clock = Clock(settings)
        if not problem.features <= FEATURES_WALKED:
            if len(problem.ground) == 1:
                return None if problem.closed else Tour.from_indices(problem.ground, [0])
            graph = CycleGraph.of(problem)
            cycle = hamiltonian_cycle(graph, settings, clock)
            if cycle is None:
                return None
            return problem.labeled_to_fit(graph.tour(problem, cycle.tolist()))
        # The best rule first. It may fail in the same way each time; random ties vary the walk.
        for rule in ("home", "random"):
            repaired = repaired_walk(problem, rule, settings=settings, clock=clock)
            if repaired.tour is not None:
                return repaired.tour
            clock.check(f"{repaired.attempts} walks repaired without success")
        tried = walk(problem, settings=settings, clock=clock)
        if tried.tour is None and not tried.exhausted:
            raise LimitReached(tried.stopped)
        return tried.tour
