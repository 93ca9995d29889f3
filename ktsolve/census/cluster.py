"""Workers on a cluster: Dask distributed, an extra that is imported only when it is asked for.

Each worker of the cluster does one task at a time, with all its threads, and has as much memory as it states.
The workers need ktsolve installed and never see the ledger: they tell each result as it is there, and how a
task ended, as events through the scheduler. Nothing is fetched from a worker: it may just have died. One that
disappears loses its task, which another then does.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import time
import uuid
from dataclasses import replace
from typing import Any

from ktsolve.census.pool import Event, Seat, TooLarge, events_of
from ktsolve.census.rows import result_of
from ktsolve.census.work import Task
from ktsolve.errors import BadInput, LimitReached
from ktsolve.settings import Settings, shown_bytes

__all__ = ["DaskPool"]

_ANSWER = 10.0
"""Seconds in which the scheduler must answer."""

_GRACE = 5.0
"""Seconds after its end in which a task must have said how it ended."""

_LOOK = 1.0
"""Seconds after which the list of workers is looked at again."""


class DaskPool:
    """The workers of a Dask scheduler.

    Raises
    ------
    BadInput
        If the extra is missing, or nobody answers at the address.
    """

    def __init__(self, address: str, settings: Settings) -> None:
        try:
            import distributed
        except ImportError:
            raise BadInput(
                "--dask needs Dask distributed, which is not installed: pip install 'ktsolve[cluster]'"
            ) from None
        for name in ("distributed", "distributed.client"):
            # What goes wrong is told in one line, by us; Dask would add its tracebacks.
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        try:
            client: Any = distributed.Client
            self._client = client(address, timeout=_ANSWER, set_as_default=False)
        except (OSError, TimeoutError, ValueError):
            raise BadInput(
                f"no Dask scheduler answers at {address}: write an address such as tcp://host:8786"
            ) from None
        self._settings = settings
        self._topic = f"ktsolve-census-{uuid.uuid4().hex}"
        self._heard: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._tasks: dict[int, tuple[str, Any]] = {}
        self._ended: dict[int, float] = {}
        self._workers: dict[str, Seat] = {}
        self._looked = 0.0
        self._mute: float | None = None  # since when the scheduler has not answered
        self._client.subscribe_topic(self._topic, lambda event: self._heard.put(_event(event[1])))

    @property
    def size(self) -> int:
        """How many workers there are now."""
        return len(self._look())

    def _look(self) -> dict[str, Seat]:
        now = time.monotonic()
        if now - self._looked <= _LOOK:
            return self._workers
        # Asked while it is not connected, the client would block until it gives up by itself.
        if self._client.status == "running":
            with contextlib.suppress(OSError, TimeoutError, RuntimeError, ValueError):
                known = self._client.scheduler_info(n_workers=-1)["workers"]
                self._workers = {address: self._seat(address, told) for address, told in known.items()}
                self._looked, self._mute = time.monotonic(), None
                return self._workers
        self._mute = self._mute or now
        if now - self._mute > _ANSWER:
            raise LimitReached("the Dask scheduler is gone; what the ledger holds stays")
        return self._workers

    def _seat(self, address: str, told: dict[str, Any]) -> Seat:
        stated = told.get("memory_limit") or None
        # Dask stops workers that come near their limit; the engine's states get three quarters of it.
        limits = [limit for limit in (stated and stated * 3 // 4, self._settings.memory) if limit]
        threads = min(told.get("nthreads", 1), self._settings.threads or 1024)
        return Seat(address, min(limits) if limits else None, max(1, threads))

    def offer(self, need: int | None) -> Seat | None:
        """A free worker for a job that needs so many bytes; None if it has to wait. Raises TooLarge."""
        busy = {address for address, _ in self._tasks.values()}
        workers = self._look().values()
        fitting = [seat for seat in workers if not need or seat.memory is None or need <= seat.memory]
        if workers and not fitting:
            largest = max(seat.memory or 0 for seat in workers)
            raise TooLarge(
                f"it needs about {shown_bytes(need or 0)}; the largest worker has {shown_bytes(largest)}"
            )
        return next((seat for seat in fitting if seat.worker not in busy), None)

    def start(self, ticket: int, seat: Seat, task: Task) -> None:
        """Give a task to the worker that was offered."""
        settings = replace(task.settings, memory=seat.memory, threads=seat.threads)
        future = self._client.submit(
            _on_worker,
            ticket,
            replace(task, settings=settings),
            self._topic,
            key=f"{self._topic}-{ticket}",
            workers=[seat.worker],
            pure=False,
        )
        self._tasks[ticket] = (seat.worker, future)

    def wait(self, timeout: float) -> list[Event]:
        """What happened; after so many seconds at the latest, nothing."""
        events = []
        with contextlib.suppress(queue.Empty):
            events.append(self._heard.get(timeout=timeout))
            while True:
                events.append(self._heard.get_nowait())
        for event in events:
            if event.kind != "result":
                self._forget(event.ticket)
        present = self._look()
        for ticket, (address, future) in list(self._tasks.items()):
            if future.status == "error":
                error = future.exception()
                kind = "lost" if type(error).__name__ == "KilledWorker" else "failed"
                text = " ".join(f"{type(error).__name__}: {error}".split())
            elif address not in present:
                kind, text = "lost", f"its worker {address} is gone"
            elif future.done() and self._silent(ticket):
                kind, text = "lost", "nobody heard how it ended"
            else:
                continue
            self._forget(ticket)
            events.append(Event(ticket, kind, text=text))
        return events

    def _forget(self, ticket: int) -> None:
        # With the last reference to its future Dask forgets a task, and its worker stops it.
        self._ended.pop(ticket, None)
        self._tasks.pop(ticket, None)

    def _silent(self, ticket: int) -> bool:
        """Has a task been over for a while without having said so? What it says may be on its way."""
        now = time.monotonic()
        return now - self._ended.setdefault(ticket, now) > _GRACE

    def close(self) -> None:
        """Cancel what is running, and leave the cluster."""
        with contextlib.suppress(Exception):
            self._client.cancel([future for _, future in self._tasks.values()], force=True)
        self._tasks.clear()
        with contextlib.suppress(Exception):
            self._client.close(timeout=1)


def _event(message: dict[str, Any]) -> Event:
    fields = message.get("result")
    result = None if fields is None else result_of(fields)
    return Event(message["ticket"], message["kind"], message["number"], result, message["text"])


def _on_worker(ticket: int, task: Task, topic: str) -> None:
    """Do a task on a worker of the cluster; tells each result as it is there, and how it ended."""
    from distributed import get_worker

    worker: Any = get_worker()
    key = worker.get_current_task()

    def watch(_fraction: float | None, _note: str) -> None:
        state = getattr(worker.state.tasks.get(key), "state", "gone")
        if state in ("gone", "cancelled", "released", "forgotten"):
            raise LimitReached("the run that asked for it has ended")

    for event in events_of(ticket, replace(task, settings=replace(task.settings, progress=watch))):
        message = {
            "ticket": event.ticket,
            "kind": event.kind,
            "number": event.number,
            "result": None if event.result is None else list(event.result.fields()),
            "text": event.text,
        }
        worker.log_event(topic, message)
