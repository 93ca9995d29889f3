"""What a limit that is met leaves behind."""

from __future__ import annotations

import gc
import weakref

from ktsolve.base.errors import OutOfMemory
from ktsolve.base.limits import Settings, check_status


class Table:
    """Something large."""


def meet_the_limit() -> weakref.ref[Table]:
    table = Table()
    try:
        hold(table)
    except OutOfMemory:
        return weakref.ref(table)
    raise AssertionError("the limit was not met")


def hold(table: Table) -> None:
    check_status("memory", Settings(memory="1G"), f"{table} made")


def test_an_error_keeps_nothing_alive() -> None:
    # What is tried next may need the memory at once, before garbage is collected.
    gc.disable()
    try:
        assert meet_the_limit()() is None
    finally:
        gc.enable()
