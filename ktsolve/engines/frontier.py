"""Engine ``frontier``: exact counts by a frontier sweep, native (see native/include/ktsolve/frontier.hpp)."""

from __future__ import annotations

from typing import ClassVar

from ktsolve.engines.base import (
    PLAIN_FEATURES,
    Clock,
    Counted,
    Estimate,
    Settings,
    out_of_time,
)
from ktsolve.engines.counting import CountingEngine
from ktsolve.engines.cycle_graph import CycleGraph
from ktsolve.engines.frontier_order import best_order, estimated_states, frontier_widths
from ktsolve.errors import LimitReached
from ktsolve.ground.quantities import shown_bytes
from ktsolve.problem.problem import TourProblem

__all__ = ["FrontierEngine"]

_HOPELESS = 1000
"""A count is refused unseen when its estimate is this many times over the memory budget. The estimate is
rough; anything less is tried."""

_BYTES_PER_STATE = 48

_SECONDS_PER_STATE = 2e-6
"""Of the most states held at once; measured on 6x8 and 7x8."""


class FrontierEngine(CountingEngine):
    """Counting by merging partial tours, in C++."""

    name = "frontier"
    summary = "exact count by a frontier sweep over the cells, native"
    abilities: ClassVar = {"count": PLAIN_FEATURES - {"steps", "symmetry", "magic"}}

    def estimate(self, problem: TourProblem, settings: Settings) -> Estimate | None:
        """States, memory and time, from the widths of the frontier in the order that would be used."""
        graph = CycleGraph.of(problem)
        if len(problem.board) == 1 or graph.impossible:
            return None
        order = best_order(problem, graph, Clock(settings.timeout))
        widths = frontier_widths(graph, order)
        states = estimated_states(widths)
        return Estimate(
            plan=f"{len(order)} cells one after the other, frontier of {max(widths)}",
            states=states,
            bytes=states * _BYTES_PER_STATE,
            seconds=0.1 + states * _SECONDS_PER_STATE,
        )

    def count(self, problem: TourProblem, settings: Settings) -> Counted:
        """Number of tours.

        Raises
        ------
        LimitReached
            At the time or memory limit, telling how far it got; or at once, when the frontier is too wide for
            any machine.
        """
        from ktsolve import _native

        if len(problem.board) == 1:
            return Counted(int(not problem.closed), int(not problem.closed))
        clock = Clock(settings.timeout)
        graph = CycleGraph.of(problem)
        if graph.impossible:
            return Counted(0, 0)
        order = best_order(problem, graph, clock)
        widths = frontier_widths(graph, order)
        budget = settings.memory_budget
        states = estimated_states(widths)
        if states * _BYTES_PER_STATE > budget * _HOPELESS or max(widths) > _native.WIDEST_FRONTIER:
            raise LimitReached(
                f"counting {problem} needs a frontier of {max(widths)} cells, about {states:.0e} states and "
                f"{shown_bytes(states * _BYTES_PER_STATE)}; the memory limit is {shown_bytes(budget)}"
            )
        try:
            report = _native.frontier_count(
                *graph.arrays(order), clock.left, budget, _reporter(settings, widths)
            )
        except (OverflowError, ValueError) as error:  # too many bits, or one slot too many
            raise LimitReached(f"counting {problem}: {error}") from None
        if report.status != "done":
            reached = (
                f"{report.eliminated} of {len(order)} cells done, {report.peak_states:,} states "
                f"in {shown_bytes(report.peak_bytes)}"
            )
            if report.status == "time":
                raise out_of_time(settings.timeout, reached)
            limit = (
                f"the memory limit of {budget / 2**20:,.0f} MiB" if report.status == "memory" else "request"
            )
            raise LimitReached(f"stopped at {limit}, {reached}")
        details = {
            "peak_states": report.peak_states,
            "total_states": report.total_states,
            "transitions": report.transitions,
            "widest_frontier": report.widest,
            "count_bits": report.limbs * 64,
        }
        return Counted(report.count, report.count * problem.directions, report.peak_bytes, details)


def _reporter(settings: Settings, widths: list[int]) -> object | None:
    if settings.progress is None:
        return None
    progress = settings.progress
    # Work at a vertex is taken to grow like the number of states, roughly tripling with the frontier's width.
    weights = [3.0**width for width in widths]
    done = [0.0]
    for weight in weights:
        done.append(done[-1] + weight)

    def report(step: int, _total: int, states: int) -> None:
        progress(done[step] / done[-1], f"cell {step + 1} of {len(widths)}, {states:,} states")

    return report
