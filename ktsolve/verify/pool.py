"""Runs jobs in processes of their own, a few at a time: a crash or a limit ends one job and not the check."""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.connection
import signal
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ktsolve.errors import KtsolveError, LimitReached

__all__ = ["Outcome", "run_all"]

# Forked from a server that has these loaded, a process starts in milliseconds.
_PRELOAD = [
    "ktsolve.engines.through_model",
    "ktsolve.verify.jobs",
    "ortools.sat.python.cp_model",
    "pysat.solvers",
]


@dataclass(frozen=True)
class Outcome:
    """What became of a job: its value, or what went wrong; ``limit`` if time or memory ran out."""

    value: Any
    seconds: float
    error: str = ""
    limit: bool = False


def _child(job: Callable[[], Any], pipe: multiprocessing.connection.Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    started = time.perf_counter()
    try:
        outcome = Outcome(job(), time.perf_counter() - started)
    except LimitReached as error:
        outcome = Outcome(None, time.perf_counter() - started, str(error), limit=True)
    except KtsolveError as error:
        outcome = Outcome(None, time.perf_counter() - started, str(error))
    except Exception:
        trace = " ".join(traceback.format_exc().split())
        outcome = Outcome(None, time.perf_counter() - started, f"crashed: {trace[-300:]}")
    with contextlib.suppress(BrokenPipeError):  # nobody waits for it any more
        pipe.send(outcome)
    pipe.close()


def run_all(
    jobs: Sequence[Callable[[], Any]], workers: int, timeout: float | None = None
) -> Iterator[tuple[int, Outcome]]:
    """Run picklable jobs, at most ``workers`` at once; yields (number of the job, outcome) as they end.

    When the iteration is given up (Ctrl-C, an error), running jobs are killed. After ``timeout`` seconds the
    jobs still running or waiting end with a limit.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOAD)
    deadline = None if timeout is None else time.monotonic() + timeout
    waiting = list(range(len(jobs)))[::-1]
    running: dict[Any, tuple[int, Any, float]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                number = waiting.pop()
                receiver, sender = context.Pipe(duplex=False)
                process = context.Process(target=_child, args=(jobs[number], sender), daemon=True)
                process.start()
                sender.close()
                running[receiver] = (number, process, time.perf_counter())
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            ready = multiprocessing.connection.wait(list(running), timeout=left)
            if not ready:
                for number, _process, started in running.values():
                    yield number, Outcome(None, time.perf_counter() - started, "out of time", limit=True)
                for number in waiting:
                    yield number, Outcome(None, 0.0, "out of time", limit=True)
                return
            for receiver in [each for each in running if each in ready]:
                number, process, started = running.pop(receiver)
                try:
                    outcome = receiver.recv()
                except EOFError:
                    process.join()
                    seconds = time.perf_counter() - started
                    outcome = Outcome(None, seconds, f"the process died with exit code {process.exitcode}")
                receiver.close()
                process.join()
                yield number, outcome
    finally:
        for _number, process, _started in running.values():
            process.kill()
            process.join()
