"""Limits enforced outside the engines: before an engine starts, and between two engines."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from ktsolve.base.errors import LimitReached, OutOfMemory
from ktsolve.base.guard import guarded, held_memory
from ktsolve.base.limits import Settings, out_of_time
from ktsolve.base.units import shown_bytes
from ktsolve.graphs.board import BYTES_PER_CELL, check_cells
from ktsolve.graphs.notation import parse_size

__all__ = ["backstop", "check_size"]

_LEAST = 8 << 20
"""Bytes that a command needs besides what Python and its modules take."""


def check_size(size: str, settings: Settings, bytes_per_cell: int = BYTES_PER_CELL) -> tuple[int, int]:
    """Rows and columns of a board, if it fits into memory.

    Parameters
    ----------
    bytes_per_cell:
        What is done with it takes so many bytes for a cell.

    Raises
    ------
    BadInput
        If ``size`` is not the size of a board.
    LimitReached
        With the estimate and the limit.
    """
    rows, columns = parse_size(size)
    check_cells(rows * columns, bytes_per_cell, settings)
    return rows, columns


@contextlib.contextmanager
def backstop(settings: Settings) -> Iterator[None]:
    """Raise LimitReached at the memory limit and after the time limit, at any place in the main thread.

    Engines check the clock and their own memory, and report what they reached. Reading a large board,
    building a model, drawing and running a user's model file check nothing and are stopped here
    (:mod:`ktsolve.base.guard`).

    Raises
    ------
    LimitReached
        Also at once, if Python alone takes more than the memory limit.
    """
    limit = settings.memory_limit
    held = held_memory()
    if settings.memory is not None and held and held + _LEAST > limit:
        raise LimitReached(
            f"the memory limit of {shown_bytes(limit)} is too low: Python and its modules alone take "
            f"{shown_bytes(held)}; give --memory 128M or more"
        )

    def error(which: str) -> LimitReached:
        if which == "memory":
            return OutOfMemory(f"stopped at the memory limit of {shown_bytes(limit)}")
        return out_of_time(settings)

    with guarded(settings.timeout, limit, error):
        yield
