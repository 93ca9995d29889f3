"""How long native calls end, as exceptions, and how they report progress."""

from __future__ import annotations

from collections.abc import Callable

from ktsolve.base.errors import InternalError, LimitReached, OutOfMemory
from ktsolve.base.limits import Settings, out_of_time, shown_bytes

__all__ = ["NativeProgress", "check_status", "limit_reached", "native_progress"]

NativeProgress = Callable[[int, int, int], None]
"""Called by the native core some twenty times a second: step, number of steps (0: unknown), and the number of
states held or of results found."""


def limit_reached(status: str, limits: Settings | float | None, reached: str = "") -> LimitReached | None:
    """The exception for the status of a native call, None for ``done``.

    Parameters
    ----------
    status:
        ``done``, ``time``, ``memory`` or ``interrupted``.
    limits:
        The limits that the call was given: settings, or seconds alone.
    reached:
        How far the call got.

    Examples
    --------
    >>> limit_reached("time", 2.5, "3 of 8 cells done")
    LimitReached('stopped at the time limit of 2.5 s, 3 of 8 cells done')
    >>> limit_reached("memory", Settings(memory=1 << 30))
    OutOfMemory('stopped at the memory limit of 1 GiB')
    >>> limit_reached("interrupted", None)
    LimitReached('interrupted')
    """
    if status == "done":
        return None
    if status == "time":
        return out_of_time(limits.timeout if isinstance(limits, Settings) else limits, reached)
    tail = f", {reached}" if reached else ""
    if status == "interrupted":
        return LimitReached(f"interrupted{tail}")
    if status != "memory":
        raise InternalError(f"the native core returned an unknown status, {status!r}")
    budget = f" of {shown_bytes(limits.memory_limit)}" if isinstance(limits, Settings) else ""
    return OutOfMemory(f"stopped at the memory limit{budget}{tail}")


def check_status(status: str, limits: Settings | float | None, reached: str = "") -> None:
    """Raise the exception of :func:`limit_reached` unless the status of a native call is ``done``."""
    error = limit_reached(status, limits, reached)
    if error is not None:
        raise error


def native_progress(
    settings: Settings, describe: str | Callable[[int, int, int], tuple[float | None, str]]
) -> NativeProgress | None:
    """The callback of a native call that reports to ``settings.progress``; None without one.

    ``describe`` gives the fraction done (None: unknown) and a text for the arguments of the callback; a text
    stands for itself and the number of steps.
    """
    progress = settings.progress
    if progress is None:
        return None

    def report(step: int, total: int, states: int) -> None:
        if isinstance(describe, str):
            progress(step / total if total else None, f"{describe}, {states:,} steps")
        else:
            progress(*describe(step, total, states))

    return report
