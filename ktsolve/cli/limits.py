"""Limits enforced outside the engines: before an engine starts, and between two engines."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING

from ktsolve.errors import LimitReached
from ktsolve.ground.notation import parse_size

if TYPE_CHECKING:
    from ktsolve.settings import Settings

__all__ = ["backstop", "check_size", "stand_down"]

_BYTES_PER_CELL = 2_000
"""Size of a board as Python objects: cells, moves, neighbours, numbers. Models take ten times as much."""

_GRACE = 1.0
"""Seconds after the time limit in which an engine may stop by itself and report what it reached."""


def check_size(size: str, settings: Settings) -> tuple[int, int]:
    """Rows and columns of a board, if it fits into memory.

    Raises
    ------
    BadInput
        If ``size`` is not the size of a board.
    LimitReached
        With the estimate and the limit.
    """
    rows, columns = parse_size(size)
    needed, budget = rows * columns * _BYTES_PER_CELL, settings.memory_budget
    if needed > budget:
        raise LimitReached(
            f"a board of {rows * columns:,} cells takes at least {needed / 2**30:,.1f} GiB; "
            f"the memory limit is {budget / 2**30:,.1f} GiB"
        )
    return rows, columns


@contextlib.contextmanager
def backstop(timeout: float | None) -> Iterator[None]:
    """Raise LimitReached shortly after the time limit, at any place in the main thread.

    Engines check the clock and report what they reached. Reading a large board, building a model and running
    a user's model file check no clock and are stopped here.
    """
    if (
        timeout is None
        or threading.current_thread() is not threading.main_thread()
        or not hasattr(signal, "setitimer")
    ):
        yield
        return

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise LimitReached(f"stopped at the time limit of {timeout:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    # Again every second: Python drops what is raised while it runs a destructor or collects garbage.
    signal.setitimer(signal.ITIMER_REAL, min(timeout + _GRACE, 10.0**8), 1.0)
    try:
        yield
    finally:
        stand_down()
        signal.signal(signal.SIGALRM, before)


def stand_down() -> None:
    """Cancel the backstop: the work is done, and writing the result has no time limit."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)
