"""A run of a census: claim jobs, give them to workers, record results, until none are left or it is stopped.

Only this process of the run writes to the ledger. A result is committed before it is announced.
"""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from types import FrameType

from ktsolve.base.errors import InternalError, KtsolveError, LimitReached
from ktsolve.base.limits import Clock, Settings, out_of_time
from ktsolve.base.text import number_of
from ktsolve.base.workers import Event
from ktsolve.engines.interface import Engine
from ktsolve.engines.registry import ENGINES
from ktsolve.wings.census.jobs import Census, CensusJob, JobResult
from ktsolve.wings.census.ledger import Ledger
from ktsolve.wings.census.work import Pool, Task, TooLarge, WorkerSlot, batch_size, memory_needed

__all__ = ["CensusRun", "Ended", "stoppable", "with_text"]

_HEARTBEAT = 10.0  # seconds between two heartbeats; a sixth of the lease
_TICK = 0.2  # seconds between two checks of Ctrl-C, the clock and the claims of other runs
_ATTEMPTS = 3  # workers that may die during one job before the run gives it up

OnResult = Callable[[CensusJob, JobResult], None]
OnProgress = Callable[[float | None, str], None]


@dataclass(frozen=True)
class Ended:
    """How a run ended."""

    counted: int  # jobs counted by this run
    left: int  # jobs that no run has counted
    error: KtsolveError | None = None
    """The reason why jobs are left: a limit, an interrupt or the crash of a worker; None if none are left."""


@contextlib.contextmanager
def stoppable() -> Iterator[Callable[[], str]]:
    """A function that returns ``interrupted`` (Ctrl-C), ``terminated`` (SIGTERM, SIGHUP) or an empty text.

    The first signal only sets a flag, so that no commit is interrupted. A second Ctrl-C raises
    KeyboardInterrupt.
    """
    seen: list[str] = []
    if threading.current_thread() is not threading.main_thread():
        yield lambda: ""
        return

    def note(number: int, _frame: FrameType | None) -> None:
        if seen and number == signal.SIGINT:
            raise KeyboardInterrupt
        seen.append("interrupted" if number == signal.SIGINT else "terminated")

    names = ("SIGINT", "SIGTERM", "SIGHUP")  # the last is not on Windows
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.signal(number, note) for number in numbers}
    try:
        yield lambda: seen[0] if seen else ""
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@dataclass
class CensusRun:
    """One run on an open ledger, with a pool of workers."""

    ledger: Ledger  # where results are recorded
    pool: Pool  # the workers
    engine: Engine  # the engine that counts
    settings: Settings  # settings of the jobs, apart from the time limit
    clock: Clock = field(default_factory=lambda: Clock(None))  # time limit of the run
    stopped: Callable[[], str] = lambda: ""
    """Returns the reason to stop, or an empty text (see :func:`stoppable`)."""
    on_result: OnResult = lambda _job, _result: None  # called after a result is on the disk
    on_progress: OnProgress = lambda _fraction, _note: None
    on_wait: Callable[[str], None] = lambda _why: None
    """Called once with a message, when the run waits for workers or for other runs."""
    _waits: bool = False
    _open: dict[int, dict[int, CensusJob]] = field(default_factory=dict)
    _deaths: dict[int, int] = field(default_factory=dict)
    _given_up: dict[int, KtsolveError] = field(default_factory=dict)
    _needs: dict[int, int | None] = field(default_factory=dict)
    _tickets: int = 0
    _counted: int = 0

    @property
    def census(self) -> Census:
        """The census of the ledger."""
        return self.ledger.census

    def __call__(self) -> Ended:
        """Count until nothing is left, or something stops it.

        Raises BadInput, LimitReached if the ledger can no longer be written; recorded results stay;
        Disagreement if a job was counted twice with different results.
        """
        jobs = {job.number: job for job in self.census.jobs}
        last_heartbeat, last_look = time.monotonic(), 0.0
        self.ledger.enter(self.pool.size)
        self.ledger.free_dead()
        self._show_progress()
        while self.ledger.left():
            if why := self.stopped():
                return self._ended(LimitReached(why))
            if self.clock.left == 0:
                return self._ended(out_of_time(self.settings))
            if time.monotonic() - last_heartbeat > _HEARTBEAT:
                self.ledger.heartbeat(self.pool.size)
                last_heartbeat = time.monotonic()
            if time.monotonic() - last_look > 1.0:
                self.ledger.free_dead()  # another run may have been killed
                last_look = time.monotonic()
            self._hand_out(jobs)
            if not self._open and self._all_given_up():
                return self._ended(None)
            self._announce_waiting()
            for event in self.pool.wait(_TICK):
                self._take(event)
        return self._ended(None)

    def _hand_out(self, jobs: dict[int, CensusJob]) -> None:
        if self.pool.offer(None) is None:
            return
        waiting = [number for number in self.ledger.waiting() if number not in self._given_up]
        # A batch computes shared tables once; the jobs that are left are divided evenly among the workers.
        share = -(-len(waiting) // max(1, self.pool.size))
        size = max(1, min(batch_size(self.engine, self.census), share))
        while waiting:
            first = waiting.pop(0)
            try:
                slot = self.pool.offer(self._need(jobs[first]))
            except TooLarge as error:
                self._give_up(jobs[first], error)
                continue
            if slot is None:
                if self.pool.offer(None) is None:
                    return
                continue  # this job has to wait for memory; a smaller one may fit
            batch = [first, *waiting[: size - 1]] if self._need(jobs[first]) is None else [first]
            waiting = waiting[len(batch) - 1 :]
            claimed = self.ledger.claim(batch)
            if claimed:
                self._start(slot, [jobs[number] for number in claimed])

    def _start(self, slot: WorkerSlot, batch: list[CensusJob]) -> None:
        self._tickets += 1
        self._open[self._tickets] = {job.number: job for job in batch}
        settings = replace(self.settings, timeout=self.clock.left or None, progress=None)
        task = Task(self.census.problem, tuple(batch), self.engine.name, ENGINES[self.engine.name], settings)
        self.pool.start(self._tickets, slot, task)

    def _need(self, job: CensusJob) -> int | None:
        if job.number not in self._needs:
            self._needs[job.number] = memory_needed(self.engine, self.census.problem, job, self.settings)
        return self._needs[job.number]

    def _take(self, event: Event) -> None:
        todo = self._open.get(event.ticket)
        if todo is None:
            return
        if event.kind == "result":
            number, result = event.value
            job = todo.pop(number, None)
            if job is not None and self.ledger.record(number, result):
                self._counted += 1
                self.on_result(job, result)
                self._show_progress()
            return
        del self._open[event.ticket]
        for position, job in enumerate(todo.values()):
            if event.kind != "died":
                self._give_up(job, event.value or InternalError("the engine gave no count"))
            elif position == 0:
                # The worker was at the first job of the batch without a result; the others are tried again.
                self._deaths[job.number] = self._deaths.get(job.number, 0) + 1
                if self._deaths[job.number] >= _ATTEMPTS:
                    self._give_up(job, event.value, f", {_ATTEMPTS} times")
        self.ledger.release(list(todo))

    def _give_up(self, job: CensusJob, error: KtsolveError, times: str = "") -> None:
        self._given_up[job.number] = with_text(error, f"{job.name}: {error}{times}")

    def _all_given_up(self) -> bool:
        """Has this run given up every job that is left?"""
        waiting = self.ledger.waiting()
        # A job that is left and not waiting is claimed by another run.
        return len(waiting) == self.ledger.left() and self._given_up.keys() >= set(waiting)

    def _announce_waiting(self) -> None:
        if not self._open and not self._waits:
            self._waits = True
            self.on_wait(f"waiting for {'jobs that other runs claim' if self.pool.size else 'workers'}")

    def _show_progress(self) -> None:
        total = len(self.census.jobs)
        done = total - self.ledger.left()
        self.on_progress(done / total if total else None, f"{done} of {number_of(total, 'job')}")

    def _ended(self, error: KtsolveError | None) -> Ended:
        self.ledger.release([number for todo in self._open.values() for number in todo])
        left = self.ledger.left()
        if left and error is None:
            errors = list(self._given_up.values()) or [LimitReached("no job could be done")]
            first = next((each for each in errors if isinstance(each, InternalError)), errors[0])
            more = f", and {len(errors) - 1} more" if len(errors) > 1 else ""
            error = with_text(first, f"{first}{more}")
        return Ended(self._counted, left, error if left else None)


def with_text(error: KtsolveError, text: str) -> KtsolveError:
    """A crash, or else a limit, with another text and the notes of the first error."""
    kind = InternalError if isinstance(error, InternalError) else LimitReached
    found = kind(text)
    for note in getattr(error, "__notes__", ()):
        found.add_note(note)
    return found
