"""One native sweep over a graph: refused where no machine could do it, watched, and its limits told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from ktsolve.engines.frontier_order import estimated_states
from ktsolve.engines.interface import Estimate
from ktsolve.errors import LimitReached
from ktsolve.settings import Clock, Settings, out_of_time, shown_bytes

if TYPE_CHECKING:
    from ktsolve import _native

__all__ = ["expected_cost", "sweep"]

_HOPELESS = 1000
"""A count is refused unseen when its estimate is this many times over the memory budget. The estimate is
rough; anything less is tried."""

_BYTES_PER_STATE = 48

_SECONDS_PER_STATE = 2e-6
"""Of the most states held at once; measured on 6x8 and 7x8."""

_Report = TypeVar("_Report", bound="_native.FrontierReport")


def expected_cost(widths: Sequence[int]) -> Estimate:
    """States, memory and time, from the widths of the frontier in the order that would be used."""
    states = estimated_states(widths)
    return Estimate(
        plan=f"{len(widths)} cells one after the other, frontier of {max(widths)}",
        states=states,
        bytes=states * _BYTES_PER_STATE,
        seconds=0.1 + states * _SECONDS_PER_STATE,
    )


def sweep(
    asked: object,
    widths: Sequence[int],
    settings: Settings,
    clock: Clock,
    run: Callable[[float | None, int, object | None], _Report],
) -> _Report:
    """What ``run(seconds, bytes, progress)`` reports, run to the end.

    Parameters
    ----------
    asked:
        What is counted, for messages.
    widths:
        Of the frontier after each vertex.

    Raises
    ------
    LimitReached
        At the time or memory limit, telling how far it got; or at once, when the frontier is too wide for
        any machine.
    """
    from ktsolve import _native

    budget = settings.memory_budget
    expected = expected_cost(widths)
    if expected.bytes > budget * _HOPELESS or max(widths) > _native.WIDEST_FRONTIER:
        raise LimitReached(
            f"counting {asked} needs a frontier of {max(widths)} cells, about {expected.states:.0e} states "
            f"and {shown_bytes(expected.bytes)}; the memory limit is {shown_bytes(budget)}"
        )
    try:
        report = run(clock.left, budget, _reporter(settings, widths))
    except (OverflowError, ValueError) as error:  # too many bits, or one slot too many
        raise LimitReached(f"counting {asked}: {error}") from None
    if report.status == "done":
        return report
    reached = (
        f"{report.eliminated} of {len(widths)} cells done, {report.peak_states:,} states "
        f"in {shown_bytes(report.peak_bytes)}"
    )
    if report.status == "time":
        raise out_of_time(settings.timeout, reached)
    limit = f"the memory limit of {budget / 2**20:,.0f} MiB" if report.status == "memory" else "request"
    raise LimitReached(f"stopped at {limit}, {reached}")


def _reporter(settings: Settings, widths: Sequence[int]) -> object | None:
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
