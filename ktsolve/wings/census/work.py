"""The work of one worker, the interface of a pool of workers, and worker processes on this machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol, runtime_checkable

from ktsolve import __version__
from ktsolve.base.errors import LimitReached, Refused
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.units import shown_bytes
from ktsolve.base.workers import Event, WorkerPool
from ktsolve.engines.auto import choose, ranked
from ktsolve.engines.interface import Counted, Engine
from ktsolve.engines.protocols import CountsPairs, CountsParts
from ktsolve.engines.registry import ENGINES, engine_named, engines_for
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.count import count
from ktsolve.wings.census.jobs import Census, CensusJob, JobResult

__all__ = [
    "LocalPool",
    "Pool",
    "StatesMemory",
    "Task",
    "TooLarge",
    "WorkerSlot",
    "batch_size",
    "engine_for",
    "memory_needed",
    "perform",
]


@runtime_checkable
class StatesMemory(Protocol):
    """An engine that predicts the memory of a count."""

    def memory_needed(self, problem: TourProblem, settings: Settings) -> int | None:
        """Bytes, about; None if unknown."""


_MOST_PAIRS = 32  # pairs given at once to an engine without an attribute ``most_pairs``


@dataclass(frozen=True)
class Task:
    """Jobs that one worker does one after the other."""

    problem: TourProblem  # the problem of the census
    jobs: tuple[CensusJob, ...]  # one job, or a batch of classes for an engine that counts pairs together
    engine: str  # name of the engine
    home: str  # module and class of the engine, as in the registry: the registry of a worker may lack it
    settings: Settings  # time, memory and threads for the task
    arithmetic: bool = True  # may arithmetic answer instead of the engine? Not in an audit


def engine_for(name: str, census: Census) -> Engine:
    """The engine for the jobs of a census: the one named, or for ``auto`` the first preferred one that can.

    Raises Refused if it cannot count these tours, or not in parts.

    >>> from ktsolve.wings.census.jobs import make_census
    >>> engine_for("search", make_census(TourProblem(board="6x6", closed=False))).name
    'search'
    """
    asked = census.jobs[0].problem_of(census.problem) if census.jobs else census.problem
    engine = choose(name, "count", asked)
    if name == "auto" and census.split == "endpoints":
        # Classes of ends share half tables: the prediction is about one class.
        able_engines = map(engine_named, ranked("count", asked))
        engine = next((each for each in able_engines if isinstance(each, CountsPairs)), engine)
    if census.split == "parts" and census.parts > 1 and not isinstance(engine, CountsParts):
        able = [each for each in engines_for("count", asked) if isinstance(engine_named(each), CountsParts)]
        if name == "auto" and able:
            return engine_named(able[0])
        instead = f"use {', '.join(able)}" if able else "no engine can"
        who = "engine auto" if name == "auto" else f"engine {name}"
        raise Refused(f"{who} cannot count in parts (--parts): {instead}")
    return engine


def batch_size(engine: Engine, census: Census) -> int:
    """Number of jobs that a worker gets at once."""
    if census.split == "endpoints" and isinstance(engine, CountsPairs):
        return max(1, int(getattr(engine, "most_pairs", _MOST_PAIRS)))
    return 1


def memory_needed(engine: Engine, problem: TourProblem, job: CensusJob, settings: Settings) -> int | None:
    """Bytes that the job takes, about; None if unknown."""
    if isinstance(engine, StatesMemory):
        return engine.memory_needed(job.problem_of(problem), settings)
    return None


def perform(task: Task, _progress: Callable[[object], None] | None = None) -> Iterator[tuple[int, JobResult]]:
    """Do a task, as a job of :mod:`ktsolve.base.workers`; yields (number of the job, result).

    Raises LimitReached at a limit; results before it are valid.
    """
    ENGINES.setdefault(task.engine, task.home)
    engine = engine_named(task.engine)
    clock = Clock(task.settings)
    if len(task.jobs) > 1 and isinstance(engine, CountsPairs):
        yield from _together(engine, task)
        return
    for job in task.jobs:
        yield job.number, _count(engine, task, job, clock.within(task.settings))


def _count(engine: Engine, task: Task, job: CensusJob, settings: Settings) -> JobResult:
    started = time.perf_counter()
    if job.part is not None and job.part[1] > 1:
        assert isinstance(engine, CountsParts)
        counted = engine.count_part(task.problem, settings, job.part)
    elif not task.arithmetic:
        counted = engine.count(job.problem_of(task.problem), settings)
    else:
        answer = count(job.problem_of(task.problem), task.engine, settings)
        plan = answer.reason or _plan(answer.details)
        return JobResult(answer.count, answer.engine, __version__, plan, answer.seconds, answer.peak_bytes)
    return _result(counted, engine, time.perf_counter() - started)


def _together(engine: CountsPairs, task: Task) -> Iterator[tuple[int, JobResult]]:
    assert isinstance(engine, Engine)
    numbers = {job.ends: job.number for job in task.jobs if job.ends is not None}
    last = time.perf_counter()
    for pair, counted in engine.count_pairs(task.problem, list(numbers), task.settings):
        now = time.perf_counter()
        # The time for tables that the pairs share is part of the first one's.
        yield numbers[pair], _result(counted, engine, now - last)
        last = now


def _result(counted: Counted, engine: Engine, seconds: float) -> JobResult:
    plan = _plan(dict(counted.details))
    return JobResult(counted.count, engine.name, __version__, plan, seconds, counted.peak_bytes)


def _plan(details: dict[str, int]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in details.items())


class TooLarge(LimitReached):
    """A job needs more memory than any worker has."""


@dataclass(frozen=True)
class WorkerSlot:
    """A free worker, and the resources that a task may use there."""

    worker: str  # its name
    memory: int | None  # bytes, None if unknown
    threads: int


class Pool(Protocol):
    """Workers that do tasks; results arrive as events with a value ``(number of the job, Result)``."""

    @property
    def size(self) -> int:
        """How many workers there are now."""

    def offer(self, need: int | None) -> WorkerSlot | None:
        """A free worker for a job that needs that many bytes; None if it has to wait. Raises TooLarge."""

    def start(self, ticket: int, slot: WorkerSlot, task: Task) -> None:
        """Give a task to the worker that was offered."""

    def wait(self, timeout: float) -> list[Event]:
        """The next events; an empty list after a number of seconds without events."""

    def close(self) -> None:
        """Stop all work at once."""


class LocalPool:
    """Worker processes on this machine, also when there is only one: a job can then be stopped half-way.

    Each worker gets an equal share of the memory. A job that needs more waits until the others leave enough.
    """

    def __init__(self, workers: int, settings: Settings) -> None:
        self._processes = WorkerPool(workers)
        self._limit = settings.memory_limit
        self._budget = settings.memory_budget
        self._share = max(1 << 20, self._budget // workers)
        self._threads = max(1, settings.thread_budget // workers)
        self._used: dict[int, int] = {}

    @property
    def size(self) -> int:
        """How many workers there are."""
        return self._processes.size

    def offer(self, need: int | None) -> WorkerSlot | None:
        """A free worker for a job that needs that many bytes; None if it has to wait. Raises TooLarge."""
        memory = max(self._share, need or 0)
        if memory > max(self._budget, self._share):
            limit = shown_bytes(self._limit)
            raise TooLarge(f"it needs about {shown_bytes(memory)}; the memory limit is {limit}")
        used = sum(self._used.values())
        if not self._processes.free or (used and used + memory > self._budget):
            return None
        return WorkerSlot("local", memory, self._threads)

    def start(self, ticket: int, slot: WorkerSlot, task: Task) -> None:
        """Give a task to a free worker process."""
        self._used[ticket] = slot.memory or 0
        settings = replace(task.settings, threads=slot.threads).within_memory(
            slot.memory or self._share, held_counts=False
        )
        self._processes.start(ticket, partial(perform, replace(task, settings=settings)))

    def wait(self, timeout: float) -> list[Event]:
        """The next events; an empty list after a number of seconds without events."""
        events = self._processes.wait(timeout)
        for event in events:
            if event.kind in ("done", "failed", "died"):
                del self._used[event.ticket]
        return events

    def close(self) -> None:
        """Kill all worker processes."""
        self._processes.close()
