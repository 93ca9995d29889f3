"""python-sat, kept from answering Ctrl-C by itself.

In the main thread python-sat puts a handler of its own around every long call into C, and at Ctrl-C leaves
the call by a jump: out of the middle of ``malloc`` perhaps, whose lock then stays locked, and all hangs (seen
in one of 150 interrupted listings). In other threads it does not; so it is told that it is in one, and
Python hears Ctrl-C as soon as the call is over. Whoever calls sees to it that no call is long.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["unheard"]


class _AnotherThread:
    """Stands in for python-sat's way to ask whether this is the main thread."""

    @staticmethod
    def check() -> bool:
        return False


@contextmanager
def unheard() -> Iterator[None]:
    """Calls of python-sat within leave Ctrl-C to Python."""
    from pysat import _utils, card, solvers

    solvers.MainThread = card.MainThread = _AnotherThread
    try:
        yield
    finally:
        solvers.MainThread = card.MainThread = _utils.MainThread
