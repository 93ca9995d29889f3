"""Engine ``frontier``: exact counts by a frontier sweep, native (see native/include/ktsolve/frontier.hpp)."""

from __future__ import annotations

from typing import ClassVar

from ktsolve import _native
from ktsolve.engines.cycle_graph import CycleGraph
from ktsolve.engines.frontier_order import best_order, frontier_widths
from ktsolve.engines.interface import PLAIN_FEATURES, Counted, Engine, Estimate
from ktsolve.engines.sweep import expected_cost, sweep
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Clock, Settings

__all__ = ["FrontierEngine"]


class FrontierEngine(Engine):
    """Exact counts by a frontier sweep, in C++."""

    name = "frontier"
    summary = "exact count by a frontier sweep over the cells, native"
    capabilities: ClassVar = {"count": PLAIN_FEATURES - {"steps", "symmetry"}}
    rough_milliseconds = None

    def estimate(self, problem: TourProblem, settings: Settings) -> Estimate | None:
        """States, memory and time, estimated from the widths of the frontier in the order that is used."""
        graph = CycleGraph.of(problem)
        if len(problem.ground) == 1 or graph.impossible:
            return None
        order = best_order(problem, graph, Clock(settings.timeout))
        return expected_cost(frontier_widths(graph, order))

    def count(self, problem: TourProblem, settings: Settings) -> Counted:
        """Number of tours.

        Raises
        ------
        LimitReached
            At the time or memory limit, with how far it got; or at once, when the frontier is too wide.
        """
        if len(problem.ground) == 1:
            return Counted(int(not problem.closed), int(not problem.closed))
        clock = Clock(settings.timeout)
        graph = CycleGraph.of(problem)
        if graph.impossible:
            return Counted(0, 0)
        order = best_order(problem, graph, clock)
        report = sweep(
            problem,
            frontier_widths(graph, order),
            settings,
            clock,
            lambda *limits: _native.frontier_count(*graph.arrays(order), *limits),
        )
        details = {
            "peak_states": report.peak_states,
            "total_states": report.total_states,
            "transitions": report.transitions,
            "widest_frontier": report.widest,
            "count_bits": report.limbs * 64,
        }
        return Counted(report.count, report.count * problem.directions, report.peak_bytes, details)
