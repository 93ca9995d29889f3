"""Workers as threads of the test's process, for tests that are not about processes.

A worker process takes a quarter of a second to start, most of it for imports. Jobs and results are pickled
and sent as they are to a process. A thread has no limit of memory, and ends by itself when its job does:
there is no kill.
"""

from __future__ import annotations

import multiprocessing
import pickle
import threading
from multiprocessing.connection import Connection

from ktsolve.base import workers
from ktsolve.base.errors import InternalError

__all__ = ["ThreadWorker"]


class ThreadWorker:
    """In place of ``ktsolve.base.workers._Worker``."""

    def __init__(self, memory: int | None) -> None:
        self.ticket = 0
        self.connection, theirs = multiprocessing.Pipe()
        threading.Thread(target=_serve, args=(theirs,), daemon=True).start()

    def cause_of_death(self) -> InternalError:
        """The error for a thread that ended by itself, which none does."""
        return InternalError("a worker thread ended")

    def close(self) -> None:
        """Let the thread end with its next message."""
        self.connection.close()


def _serve(connection: Connection) -> None:
    try:
        while True:
            message = workers._perform(connection.recv_bytes(), connection, None)
            connection.send_bytes(pickle.dumps(message))
    except (EOFError, OSError):
        pass  # the pool is closed
