"""Workers of a census: the interface of a pool, and worker processes on this machine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Settings
from ktsolve.base.units import shown_bytes
from ktsolve.base.workers import Event, WorkerPool
from ktsolve.wings.census.work import Task, perform

__all__ = ["LocalPool", "Pool", "TooLarge", "WorkerSlot"]


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
        settings = replace(task.settings, threads=slot.threads).with_share(slot.memory or self._share)
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
