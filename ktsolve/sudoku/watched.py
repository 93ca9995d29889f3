"""Long native calls: their progress handed on, and their way of ending turned into an error."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from ktsolve.errors import LimitReached
from ktsolve.settings import Clock, Settings, out_of_time, shown_bytes

__all__ = ["finished", "reporter", "time_left"]


def reporter(settings: Settings, what: str) -> Callable[[int, int, int], None] | None:
    """A progress callback for the native core, None if nobody wants to know."""
    if settings.progress is None:
        return None
    progress = settings.progress

    def report(step: int, total: int, states: int) -> None:
        progress(step / total if total else None, f"{what}, {states:,} steps")

    return report


@contextlib.contextmanager
def time_left(settings: Settings, clock: Clock) -> Iterator[Settings]:
    """Settings for a part of the work, with the time that is left; errors name the limit of the whole."""
    try:
        yield clock.within(settings)
    except LimitReached:
        if clock.left == 0:
            raise out_of_time(settings.timeout) from None
        raise


def finished(status: str, settings: Settings, reached: str = "") -> None:
    """Raise LimitReached unless a native call ended with all its work done."""
    if status == "time":
        raise out_of_time(settings.timeout, reached)
    if status == "memory":
        raise LimitReached(f"stopped at the memory limit of {shown_bytes(settings.memory_budget)}")
    if status != "done":
        raise LimitReached(f"interrupted{', ' + reached if reached else ''}")
