"""A native frontier sweep: its cost estimate, its limits and its progress."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TypeVar

from ktsolve import _native
from ktsolve.engines.frontier_order import estimated_states
from ktsolve.engines.interface import Estimate
from ktsolve.errors import LimitReached
from ktsolve.native_status import check_status, native_progress
from ktsolve.settings import Clock, Settings, shown_bytes

__all__ = ["expected_cost", "sweep"]

_HOPELESS = 1000
"""A count is refused at once when its estimate exceeds the memory limit by this factor. The estimate is
rough; anything less is tried."""

_BYTES_PER_STATE = 48

_SECONDS_PER_STATE = 2e-6
"""Seconds per state of the largest number held at once; measured on 6x8 and 7x8."""

_Report = TypeVar("_Report", bound="_native.FrontierReport")


def expected_cost(widths: Sequence[int]) -> Estimate:
    """States, memory and time, estimated from the widths of the frontier after each vertex."""
    states = estimated_states(widths)
    return Estimate(
        plan=f"{len(widths)} cells one after the other, frontier of {max(widths)}",
        states=states,
        bytes=states * _BYTES_PER_STATE,
        seconds=0.1 + states * _SECONDS_PER_STATE,
    )


def sweep(
    problem: object,
    widths: Sequence[int],
    settings: Settings,
    clock: Clock,
    run: Callable[[float | None, int, object | None], _Report],
) -> _Report:
    """The report of ``run(seconds, bytes, progress)``, a native sweep.

    Parameters
    ----------
    problem:
        Named in messages.
    widths:
        Of the frontier after each vertex.

    Raises
    ------
    LimitReached
        At the time or memory limit, with how far it got; or at once, when the frontier is too wide.
    """
    budget = settings.memory_budget
    expected = expected_cost(widths)
    if expected.bytes > budget * _HOPELESS or max(widths) > _native.WIDEST_FRONTIER:
        raise LimitReached(
            f"counting {problem} needs a frontier of {max(widths)} cells, about {expected.states:.0e} states "
            f"and {shown_bytes(expected.bytes)}; the memory limit is {shown_bytes(budget)}"
        )
    # The work at a vertex is assumed to triple with each further cell of the frontier.
    done = [0.0, *accumulate(3.0**width for width in widths)]

    def describe(step: int, _total: int, states: int) -> tuple[float, str]:
        return done[step] / done[-1], f"cell {step + 1} of {len(widths)}, {states:,} states"

    try:
        report = run(clock.left, budget, native_progress(settings, describe))
    except (OverflowError, ValueError) as error:  # too many bits, or one slot too many
        raise LimitReached(f"counting {problem}: {error}") from None
    reached = (
        f"{report.eliminated} of {len(widths)} cells done, {report.peak_states:,} states "
        f"in {shown_bytes(report.peak_bytes)}"
    )
    check_status(report.status, settings, reached)
    return report
