"""The refuting loop in a process of its own: a pickled job on standard input, its result on standard output.

Started by :mod:`ktsolve.proof.solitary`, which kills it when its time is up.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys

from ktsolve.proof.loop import refute

__all__ = ["main"]


def main() -> None:
    """Read (question, solver, bytes of memory or None), write how it ended."""
    # Ctrl-C goes to the parent, which decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a solver may print must not get into the result
    question, solver, memory = pickle.load(sys.stdin.buffer)
    if memory is not None:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    try:
        pickle.dump(refute(question, solver), out, protocol=pickle.HIGHEST_PROTOCOL)
        out.flush()
    except (BrokenPipeError, MemoryError):
        os._exit(1)
    os._exit(0)  # no destructors: the solver's memory goes with the process


if __name__ == "__main__":
    main()
