"""Suppression of python-sat's own handler of Ctrl-C (SIGINT).

In the main thread python-sat installs a signal handler around every long call into C. At Ctrl-C the handler
leaves the call by ``longjmp``. If the jump interrupts ``malloc``, the lock of the allocator stays locked and
the process hangs (seen in one of 150 interrupted listings). In other threads python-sat installs no handler.
:func:`suppress_sigint` makes it take the main thread for another thread, so that Python handles Ctrl-C after
the call. Callers must therefore keep each call short.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["suppress_sigint"]


class _AnotherThread:
    """Replaces python-sat's check for the main thread."""

    @staticmethod
    def check() -> bool:
        return False


@contextmanager
def suppress_sigint() -> Iterator[None]:
    """Return a context in which calls of python-sat leave Ctrl-C to Python."""
    from pysat import _utils, card, solvers

    solvers.MainThread = card.MainThread = _AnotherThread
    try:
        yield
    finally:
        solvers.MainThread = card.MainThread = _utils.MainThread
