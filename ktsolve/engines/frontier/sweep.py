"""A native frontier sweep: its cost estimate, its limits and its progress."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import TypeVar

from ktsolve import _native
from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Clock, Settings, check_status, native_progress
from ktsolve.base.units import shown_bytes
from ktsolve.engines.frontier.order import EliminationOrder
from ktsolve.engines.interface import Estimate
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.problem import TourProblem

__all__ = ["check_width", "expected_cost", "sweep"]

_HOPELESS = 1000
"""A count is refused at once when its estimate exceeds the memory limit by this factor. The estimate is
rough; anything less is tried."""

_BYTES_PER_STATE = 96
"""Two tables, half full: 47 bytes for a predicted state of 5x12, 93 on 6x12, 190 on 7x10."""

_SECONDS_PER_STATE = 1e-7
"""Seconds per state, summed over all vertices, as long as the tables lie in caches."""

_IN_CACHES = 1e6
_SLOWER = 2.5
"""Times as long where they do not: measured on 7x8 and 7x10."""

_Report = TypeVar("_Report", bound="_native.FrontierReport")


def expected_cost(problem: TourProblem, order: EliminationOrder) -> Estimate:
    """States, memory and time, as predicted for an order.

    The prediction of the states is right within a factor of four on most graphs.
    """
    seconds = _SECONDS_PER_STATE * (1 if order.states < _IN_CACHES else _SLOWER)
    # Counts take as many words as they need; the bound on their bits is nearly twice the number.
    words = max(1.0, CycleGraph.of(problem).most_cycles.bit_length() / 110)
    return Estimate(
        plan=f"{len(order.vertices)} {problem.ground.nouns.cells} one after the other, "
        f"frontier of {order.width}",
        states=order.states,
        bytes=order.states * _BYTES_PER_STATE * (1 + words) / 2,
        seconds=0.01 + order.total * seconds * (1 + words) / 2,
    )


def check_width(doing: str, problem: TourProblem, order: EliminationOrder, settings: Settings) -> None:
    """Raise LimitReached if the frontier is wider than a state can hold.

    Parameters
    ----------
    doing, problem:
        Named in the message: ``counting``, ``listing`` and the like.
    """
    if order.width > _native.WIDEST_FRONTIER:
        raise _too_wide(doing, problem, order, settings)


def _too_wide(doing: str, problem: TourProblem, order: EliminationOrder, settings: Settings) -> LimitReached:
    expected = expected_cost(problem, order)
    return LimitReached(
        f"{doing} {problem} needs a frontier of {order.width} {problem.ground.nouns.cells}, "
        f"about {expected.states:.0e} states and {shown_bytes(expected.bytes)}; "
        f"the memory limit is {shown_bytes(settings.memory_limit)}"
    )


def sweep(
    doing: str,
    problem: TourProblem,
    order: EliminationOrder,
    settings: Settings,
    clock: Clock,
    run: Callable[[float | None, int, object | None], _Report],
    *,
    passes: int = 1,
) -> _Report:
    """The report of ``run(seconds, bytes, progress)``, a native sweep.

    Parameters
    ----------
    doing, problem:
        Named in messages: ``counting`` and the like.
    order:
        The order of the sweep.
    passes:
        2 if the sweep goes back through the vertices after it has passed them.

    Raises
    ------
    LimitReached
        At the time or memory limit, with how far it got; or at once, when the frontier is too wide.
    """
    budget = settings.memory_budget
    check_width(doing, problem, order, settings)
    if expected_cost(problem, order).bytes > budget * _HOPELESS:
        raise _too_wide(doing, problem, order, settings)
    steps, nouns = len(order.vertices), problem.ground.nouns
    # The share of each vertex in the work, as predicted.
    top = order.bits.max(initial=0)
    done = [0.0, *accumulate((2.0 ** (order.bits - top)).tolist())]

    def describe(step: int, _total: int, states: int) -> tuple[float, str]:
        share = done[step] if step < steps else 2 * done[-1] - done[2 * steps - step]
        at = f"{nouns.cell} {step % steps + 1} of {steps}"
        back = " on the way back" if step >= steps else ""
        return share / (passes * done[-1]), f"{at}{back}, {states:,} states"

    try:
        report = run(clock.left, budget, native_progress(settings, describe))
    except ValueError as error:  # one slot too many
        raise LimitReached(f"{doing} {problem}: {error}") from None
    reached = (
        f"{report.eliminated} of {steps} {nouns.cells} done, {report.peak_states:,} states "
        f"in {shown_bytes(report.peak_bytes)}"
    )
    check_status(report.status, settings, reached)
    return report
