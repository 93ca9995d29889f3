"""Workers on this machine: processes that do one task at a time, and die with their coordinator.

Each is a process of its own, also when there is only one: then it can be stopped in the middle of a job, and
a job that runs out of memory or crashes takes nothing with it.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.connection
import os
import queue
import signal
import threading
import traceback
from dataclasses import dataclass, replace
from typing import Any, Protocol

from ktsolve.census.rows import Result
from ktsolve.census.work import Task, perform
from ktsolve.errors import KtsolveError, LimitReached
from ktsolve.settings import Settings, shown_bytes

__all__ = ["Event", "LocalPool", "Pool", "Seat", "TooLarge"]

_PRELOAD = ["ktsolve.census.work"]


class TooLarge(LimitReached):
    """A job needs more memory than any worker has."""


@dataclass(frozen=True)
class Seat:
    """A worker that is free, and what a task may use there.

    Attributes
    ----------
    worker:
        Its name.
    memory:
        Bytes, None if the worker does not say.
    threads:
        Threads.
    """

    worker: str
    memory: int | None
    threads: int


@dataclass(frozen=True)
class Event:
    """Something that became of a task.

    Attributes
    ----------
    ticket:
        As :meth:`Pool.start` was given.
    kind:
        ``result`` (with ``number`` and ``result``), ``done`` (the task is), ``limit`` (it ran out of
        something), ``failed`` (it cannot be done) or ``lost`` (the worker died; another may do it).
    text:
        What went wrong.
    """

    ticket: int
    kind: str
    number: int = 0
    result: Result | None = None
    text: str = ""


class Pool(Protocol):
    """Workers, wherever they are."""

    @property
    def size(self) -> int:
        """How many workers there are now."""

    def offer(self, need: int | None) -> Seat | None:
        """A free worker for a job that needs so many bytes; None if it has to wait. Raises TooLarge."""

    def start(self, ticket: int, seat: Seat, task: Task) -> None:
        """Give a task to the worker that was offered."""

    def wait(self, timeout: float) -> list[Event]:
        """What happened; after so many seconds at the latest, nothing."""

    def close(self) -> None:
        """Stop all work at once."""


@dataclass
class _Worker:
    process: Any
    pipe: Any
    ticket: int | None = None
    memory: int = 0


class LocalPool:
    """Processes on this machine.

    Memory is shared out evenly; a job that needs more than its share gets it as soon as the others leave it.
    """

    def __init__(self, workers: int, settings: Settings) -> None:
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(_PRELOAD)
        self._budget = settings.memory_budget
        self._share = max(1 << 20, self._budget // workers)
        self._threads = max(1, settings.thread_budget // workers)
        self._workers: dict[str, _Worker] = {f"worker {i + 1}": self._hire() for i in range(workers)}

    @property
    def size(self) -> int:
        """How many workers there are."""
        return len(self._workers)

    def _hire(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_work, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def offer(self, need: int | None) -> Seat | None:
        """A free worker for a job that needs so many bytes; None if it has to wait. Raises TooLarge."""
        memory = max(self._share, need or 0)
        if memory > max(self._budget, self._share):
            limit = shown_bytes(self._budget)
            raise TooLarge(f"it needs about {shown_bytes(memory)}; the memory limit is {limit}")
        used = sum(worker.memory for worker in self._workers.values() if worker.ticket is not None)
        if used and used + memory > self._budget:
            return None
        for name, worker in self._workers.items():
            if worker.ticket is None:
                return Seat(name, memory, self._threads)
        return None

    def start(self, ticket: int, seat: Seat, task: Task) -> None:
        """Give a task to the worker that was offered."""
        worker = self._workers[seat.worker]
        worker.ticket, worker.memory = ticket, seat.memory or 0
        settings = replace(task.settings, memory=seat.memory, threads=seat.threads)
        with contextlib.suppress(OSError):  # it died while it was idle: wait() will tell
            worker.pipe.send((ticket, replace(task, settings=settings)))

    def wait(self, timeout: float) -> list[Event]:
        """What happened; after so many seconds at the latest, nothing."""
        pipes = {worker.pipe: name for name, worker in self._workers.items()}
        events: list[Event] = []
        for pipe in multiprocessing.connection.wait(list(pipes), timeout=timeout):
            name = pipes[pipe]
            worker = self._workers[name]
            try:
                event = worker.pipe.recv()
            except (EOFError, OSError):
                worker.process.join()
                worker.pipe.close()
                if worker.ticket is not None:
                    text = f"its worker died ({_ending(worker.process.exitcode)})"
                    events.append(Event(worker.ticket, "lost", text=text))
                self._workers[name] = self._hire()
                continue
            if event.kind != "result":
                worker.ticket = None
            events.append(event)
        return events

    def close(self) -> None:
        """Stop all work at once."""
        for worker in self._workers.values():
            try:
                os.killpg(worker.process.pid, signal.SIGKILL)  # with what it has started itself
            except OSError:  # it is gone, or has not come so far
                worker.process.kill()
        for worker in self._workers.values():
            worker.process.join()
            worker.pipe.close()
        self._workers.clear()


def _ending(code: int | None) -> str:
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit status {code}"


def _work(pipe: multiprocessing.connection.Connection) -> None:
    """The life of a worker."""
    os.setpgid(0, 0)  # engines may start processes of their own, which are to end with it
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the coordinator
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    tasks: queue.SimpleQueue[tuple[int, Task]] = queue.SimpleQueue()

    def listen() -> None:
        # When the coordinator is gone, even by kill -9, the pipe ends, and with it the worker.
        try:
            while True:
                tasks.put(pipe.recv())
        except (EOFError, OSError):
            os.killpg(0, signal.SIGKILL)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        ticket, task = tasks.get()
        for event in events_of(ticket, task):
            pipe.send(event)


def events_of(ticket: int, task: Task) -> Any:
    """Do a task, and tell what happens."""
    try:
        for number, result in perform(task):
            yield Event(ticket, "result", number, result)
    except LimitReached as error:
        yield Event(ticket, "limit", text=str(error))
    except MemoryError:
        yield Event(ticket, "limit", text="out of memory")
    except KtsolveError as error:
        yield Event(ticket, "failed", text=str(error))
    except Exception:
        trace = " ".join(traceback.format_exc().split())
        yield Event(ticket, "failed", text=f"crashed: {trace[-300:]}")
    else:
        yield Event(ticket, "done")
