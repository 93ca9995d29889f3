"""The job of the cross-check: one comparison, run in a worker process; and the runner of many jobs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ktsolve.base.errors import InternalError, KtsolveError, LimitReached
from ktsolve.base.limits import Settings
from ktsolve.base.workers import WorkerPool

LEVELS = ("quick", "standard", "full")  # levels of the cross-check; each includes those before it


@dataclass(frozen=True)
class Context:
    """The settings of a job, and the engine into which a fault is injected to test the cross-check."""

    settings: Settings = field(default_factory=lambda: Settings(threads=1))
    faulty: str | None = None


@dataclass(frozen=True)
class Sides:
    """Both sides of a comparison."""

    left: str
    right: str
    explained: str = ""  # the disagreement, if it takes more than both sides to explain it

    @classmethod
    def unless(cls, wrong: Sequence[str], right: str) -> Sides:
        """Equal sides if nothing is wrong; else the left one names the first three wrong things."""
        return cls(f"{right}; wrong: {', '.join(wrong[:3])}" if wrong else right, right)

    @property
    def disagreement(self) -> str:
        """What differs; empty if both sides are equal."""
        return self.explained or ("" if self.left == self.right else f"{self.left} is not {self.right}")


@dataclass(frozen=True)
class Job:
    """A comparison: a function of a module, called with a ``Context`` and the arguments.

    It returns ``Sides``, or the answer of one engine.
    """

    name: str
    work: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    level: str = "quick"  # the first of ``LEVELS`` with this job
    section: str = "identities"  # where the report lists it: among the cases, or in one of its sections
    seconds: float = 1.0  # rough time; long jobs start first
    limited: bool = False
    """Whether the job gets a memory limit. Engines on models keep one in a process of their own, and a job
    has a process already."""

    def __call__(self, context: Context) -> Any:
        """The result of the work. Raises LimitReached."""
        return self.work(context, *self.arguments)


class Stopped(LimitReached):
    """The whole cross-check was stopped before the end of a job."""


@dataclass(frozen=True)
class Outcome:
    """The value of a job, or the error that ended it."""

    value: Any
    seconds: float
    error: KtsolveError | None = None

    @property
    def limit(self) -> bool:
        """Did a time or memory limit end the job?"""
        return isinstance(self.error, LimitReached)

    @property
    def stopped(self) -> bool:
        """Was the cross-check stopped before the end of the job?"""
        return isinstance(self.error, Stopped)

    @property
    def crash(self) -> bool:
        """Did the worker process of the job crash?"""
        return isinstance(self.error, InternalError)


def run_all(
    jobs: Sequence[Callable[[], Any]], workers: int, timeout: float | None = None
) -> Iterator[tuple[int, Outcome]]:
    """Run functions that can be pickled in worker processes; yields (index of the function, outcome).

    After ``timeout`` seconds the functions that have not ended get an outcome with ``Stopped``.
    """
    deadline = None if timeout is None else time.monotonic() + timeout
    waiting = list(range(len(jobs)))[::-1]
    started: dict[int, float] = {}
    with WorkerPool(workers) as pool:
        while waiting or started:
            while waiting and pool.free:
                number = waiting.pop()
                started[number] = time.monotonic()
                pool.start(number, partial(_timed, jobs[number]))
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            events = pool.wait(left)
            if not events:
                break
            for event in events:
                if event.kind == "result":
                    del started[event.ticket]
                    yield event.ticket, Outcome(*event.value)
                elif event.kind in ("failed", "died") and event.ticket in started:
                    seconds = time.monotonic() - started.pop(event.ticket)
                    yield event.ticket, Outcome(None, seconds, event.value)
        for number in (*started, *waiting[::-1]):
            yield number, Outcome(None, 0.0, Stopped("out of time"))


def _timed(job: Callable[[], Any], _progress: object) -> Iterator[tuple[Any, float]]:
    started = time.perf_counter()
    value = job()
    yield value, time.perf_counter() - started
