"""SAT solvers in a process of their own, which is killed at its limits: they hear of none.

The work is pickled and sent to :mod:`ktsolve.engines.sat.worker`; what it finds comes back as it is found,
and now and then how far it is, so that whoever runs out of time can say what was reached.
"""

from __future__ import annotations

import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from typing import Any, TypeVar

from ktsolve.engines.sat.conflict_budget import NOTHING, Effort, Report
from ktsolve.errors import KtsolveError, LimitReached
from ktsolve.settings import Clock, shown_bytes

__all__ = ["in_own_process"]

T = TypeVar("T")


def in_own_process(
    work: Callable[[Report], Iterator[T]],
    memory: int | None,
    clock: Clock,
    reached: Callable[[int, Effort], str],
) -> Generator[T, None, None]:
    """What the work finds, as it finds it.

    Parameters
    ----------
    work:
        Something that can be pickled; it is given a function to tell its effort to.
    memory:
        Bytes that the process may take.
    reached:
        Words for how far it came: after so many findings, with that effort.

    Raises
    ------
    LimitReached
        When time or memory runs out.
    """
    job = pickle.dumps((memory, work))
    child = subprocess.Popen(
        [sys.executable, "-m", "ktsolve.engines.sat.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        # Short of memory a process may end anywhere, and not quietly.
        stderr=None if memory is None else subprocess.DEVNULL,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    messages: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()

    def read() -> None:
        try:
            while True:
                messages.put(pickle.load(child.stdout))  # type: ignore[arg-type]
        except (EOFError, pickle.UnpicklingError, OSError, ValueError):
            # The child ended, or was killed in the middle of a message, or we closed the pipe.
            messages.put(("gone", None))

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    found, effort = 0, NOTHING
    try:
        try:
            child.stdin.write(job)
            child.stdin.close()
        except BrokenPipeError:
            pass
        while True:
            clock.check(reached(found, effort))
            try:
                left = clock.left
                kind, value = messages.get(timeout=0.1 if left is None else min(left, 0.1) + 1e-3)
            except queue.Empty:
                continue
            if kind == "found":
                found += 1
                yield value
            elif kind == "effort":
                effort = value
            elif kind == "end":
                return
            elif kind == "error":
                assert isinstance(value, KtsolveError)
                raise value
            else:
                if memory is None:
                    raise LimitReached("the SAT solver's process ended by itself")
                raise LimitReached(
                    f"the SAT solver stopped at the memory limit of {shown_bytes(memory)}, "
                    f"{reached(found, effort)}"
                )
    finally:
        child.kill()
        child.wait()
        reader.join()
        child.stdout.close()
