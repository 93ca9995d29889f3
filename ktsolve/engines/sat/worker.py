"""The SAT loop in a process of its own: pickled work on standard input, pickled messages on standard output.

Started by :mod:`ktsolve.engines.sat.own_process`, which kills it when its time is up.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import time
from typing import Any, BinaryIO

from ktsolve.engines.sat.conflict_budget import Effort
from ktsolve.errors import KtsolveError

__all__ = ["main"]

_EVERY = 0.2
"""Seconds between two messages about the effort."""


def main() -> None:
    """Read a job, send ``("found", ...)`` and ``("effort", ...)``; last ``("end", None)`` or an error."""
    # Ctrl-C goes to the parent, which decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a solver may print must not get into the messages
    memory, work = pickle.load(sys.stdin.buffer)
    if memory is not None:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    told = time.monotonic() - _EVERY

    def report(effort: Effort) -> None:
        nonlocal told
        if (now := time.monotonic()) >= told + _EVERY:
            told = now
            _send(out, "effort", effort)

    try:
        for found in work(report):
            _send(out, "found", found)
        _send(out, "end", None)
    except KtsolveError as error:
        _send(out, "error", error)
    except (BrokenPipeError, MemoryError):
        os._exit(1)  # nobody listens, or nothing can be said: the parent sees the end of the messages
    out.flush()
    os._exit(0)  # no destructors: the solver's memory goes with the process


def _send(out: BinaryIO, kind: str, value: Any) -> None:
    pickle.dump((kind, value), out, protocol=pickle.HIGHEST_PROTOCOL)
    out.flush()


if __name__ == "__main__":
    main()
