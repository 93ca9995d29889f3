"""Workers of a Dask cluster. Dask distributed is an extra, imported only for ``--dask``.

Each worker of the cluster does one task at a time with all its threads, in the memory that it states. Workers
need ktsolve installed and never open the ledger: they send results, and the end of a task, as events through
the scheduler. Nothing is fetched from a worker, since it may have died. The task of a worker that disappears
is given to another one.
"""

from __future__ import annotations

import contextlib
import logging
import pickle
import queue
import time
import uuid
from dataclasses import replace
from typing import Any

from ktsolve.base.errors import BadInput, KtsolveError, LimitReached
from ktsolve.base.limits import Settings
from ktsolve.base.units import shown_bytes
from ktsolve.base.workers import Event, as_ktsolve_error
from ktsolve.wings.census.work import Task, TooLarge, WorkerSlot, perform

__all__ = ["DaskPool"]

_ANSWER = 10.0  # seconds in which the scheduler must answer
_GRACE = 5.0  # seconds after the end of a task in which its last event must arrive
_LOOK = 1.0  # seconds between two requests for the list of workers


class DaskPool:
    """The workers of a Dask scheduler.

    Raises BadInput if the extra is missing, or no scheduler answers at the address.
    """

    def __init__(self, address: str, settings: Settings) -> None:
        try:
            import distributed
        except ImportError:
            raise BadInput(
                "--dask needs Dask distributed, which is not installed: pip install distributed"
            ) from None
        for name in ("distributed", "distributed.client"):
            # Our error is one line; Dask would log its tracebacks as well.
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
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._tasks: dict[int, tuple[str, Any]] = {}
        self._ended: dict[int, float] = {}
        self._workers: dict[str, WorkerSlot] = {}
        self._looked = 0.0
        self._no_answer_since: float | None = None
        self._client.subscribe_topic(self._topic, lambda event: self._events.put(pickle.loads(event[1])))

    @property
    def size(self) -> int:
        """How many workers there are now."""
        return len(self._look())

    def _look(self) -> dict[str, WorkerSlot]:
        now = time.monotonic()
        if now - self._looked <= _LOOK:
            return self._workers
        # Without a connection the client would block until its own time limit.
        if self._client.status == "running":
            with contextlib.suppress(OSError, TimeoutError, RuntimeError, ValueError):
                known = self._client.scheduler_info(n_workers=-1)["workers"]
                self._workers = {address: self._slot(address, stated) for address, stated in known.items()}
                self._looked, self._no_answer_since = time.monotonic(), None
                return self._workers
        self._no_answer_since = self._no_answer_since or now
        if now - self._no_answer_since > _ANSWER:
            raise LimitReached("the Dask scheduler does not answer; recorded results stay in the ledger")
        return self._workers

    def _slot(self, address: str, stated: dict[str, Any]) -> WorkerSlot:
        memory = stated.get("memory_limit") or None
        # Dask stops workers that come near their limit; the engine's states get three quarters of it.
        given = self._settings.memory and self._settings.memory_limit
        limits = [limit for limit in (memory and memory * 3 // 4, given) if limit]
        threads = min(stated.get("nthreads", 1), self._settings.threads or 1024)
        return WorkerSlot(address, min(limits) if limits else None, max(1, threads))

    def offer(self, need: int | None) -> WorkerSlot | None:
        """A free worker for a job that needs that many bytes; None if it has to wait. Raises TooLarge."""
        busy = {address for address, _ in self._tasks.values()}
        workers = self._look().values()
        fitting = [slot for slot in workers if not need or slot.memory is None or need <= slot.memory]
        if workers and not fitting:
            largest = max(slot.memory or 0 for slot in workers)
            raise TooLarge(
                f"it needs about {shown_bytes(need or 0)}; the largest worker has {shown_bytes(largest)}"
            )
        return next((slot for slot in fitting if slot.worker not in busy), None)

    def start(self, ticket: int, slot: WorkerSlot, task: Task) -> None:
        """Give a task to the worker that was offered."""
        settings = replace(task.settings, memory=slot.memory, threads=slot.threads)
        given, place = replace(task, settings=settings), {"key": f"{self._topic}-{ticket}", "pure": False}
        future = self._client.submit(_on_worker, ticket, given, self._topic, workers=[slot.worker], **place)
        self._tasks[ticket] = (slot.worker, future)

    def wait(self, timeout: float) -> list[Event]:
        """The next events; an empty list after a number of seconds without events."""
        events = []
        with contextlib.suppress(queue.Empty):
            events.append(self._events.get(timeout=timeout))
            while True:
                events.append(self._events.get_nowait())
        for event in events:
            if event.kind != "result":
                self._forget(event.ticket)
        present = self._look()
        for ticket, (address, future) in list(self._tasks.items()):
            if future.status == "error":
                error: KtsolveError
                kind, error = "failed", as_ktsolve_error(future.exception())
                if type(future.exception()).__name__ == "KilledWorker":
                    kind, error = "died", LimitReached(" ".join(str(future.exception()).split()))
            elif address not in present:
                kind, error = "died", LimitReached(f"its worker {address} is gone")
            elif future.done() and self._overdue(ticket):
                kind, error = "died", LimitReached("its last event did not arrive")
            else:
                continue
            self._forget(ticket)
            events.append(Event(ticket, kind, error))
        return events

    def _forget(self, ticket: int) -> None:
        # With the last reference to its future Dask forgets a task, and its worker stops it.
        self._ended.pop(ticket, None)
        self._tasks.pop(ticket, None)

    def _overdue(self, ticket: int) -> bool:
        """Did a task end some time ago, and no last event arrived? The event may be on its way."""
        now = time.monotonic()
        return now - self._ended.setdefault(ticket, now) > _GRACE

    def close(self) -> None:
        """Cancel the running jobs, and leave the cluster."""
        with contextlib.suppress(Exception):
            self._client.cancel([future for _, future in self._tasks.values()], force=True)
        self._tasks.clear()
        with contextlib.suppress(Exception):
            self._client.close(timeout=1)


def _on_worker(ticket: int, task: Task, topic: str) -> None:
    """Do a task on a worker of the cluster; sends each result and the end of the task as events."""
    from distributed import get_worker

    worker: Any = get_worker()
    key = worker.get_current_task()

    def watch(_fraction: float | None, _note: str) -> None:
        state = getattr(worker.state.tasks.get(key), "state", "gone")
        if state in ("gone", "cancelled", "released", "forgotten"):
            raise LimitReached("the run of this task has ended")

    def send(kind: str, value: Any = None) -> None:
        worker.log_event(topic, pickle.dumps(Event(ticket, kind, value)))

    try:
        for result in perform(replace(task, settings=replace(task.settings, progress=watch))):
            send("result", result)
    except Exception as error:
        send("failed", as_ktsolve_error(error))
    else:
        send("done")
