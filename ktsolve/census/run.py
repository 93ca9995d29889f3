"""A run of a census: claim jobs, have them done, write results down, until none are left or it is stopped.

This process is the only one that writes to the ledger. Every result is committed before anyone hears of it.
"""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from types import FrameType

from ktsolve.census.jobs import Census, Job
from ktsolve.census.ledger import Ledger
from ktsolve.census.pool import Event, Pool, Seat, TooLarge
from ktsolve.census.rows import Result
from ktsolve.census.work import Task, batch_size, memory_needed
from ktsolve.engines.interface import Engine
from ktsolve.engines.registry import ENGINES
from ktsolve.settings import Clock, Settings, out_of_time

__all__ = ["Ended", "Run", "stoppable"]

_BEAT = 10.0
"""Seconds between two signs of life; a sixth of the lease."""

_TICK = 0.2
"""Seconds after which Ctrl-C, the clock and the claims of others are looked at again."""

_LIVES = 3
"""Workers that may die over one job in one run before it is left alone."""

OnResult = Callable[[Job, Result], None]
OnProgress = Callable[[float | None, str], None]


@dataclass(frozen=True)
class Ended:
    """How a run ended.

    Attributes
    ----------
    counted:
        Jobs counted by this run.
    left:
        Jobs that are still not counted, by anyone.
    why:
        Why it ended before all were: ``interrupted``, a limit, or what went wrong; empty if none are left.
    """

    counted: int
    left: int
    why: str = ""


@contextlib.contextmanager
def stoppable() -> Iterator[Callable[[], str]]:
    """A function that tells whether Ctrl-C or SIGTERM came, and why one should stop; empty if not.

    A signal then only raises a flag, so that no commit is torn; a second Ctrl-C is an ordinary one.
    """
    seen: list[str] = []
    if threading.current_thread() is not threading.main_thread():
        yield lambda: ""
        return

    def note(number: int, _frame: FrameType | None) -> None:
        if seen and number == signal.SIGINT:
            raise KeyboardInterrupt
        seen.append("interrupted" if number == signal.SIGINT else "terminated")

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: seen[0] if seen else ""
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@dataclass
class Run:
    """One run on an open ledger, with a pool of workers.

    Parameters
    ----------
    ledger, pool:
        Where results go, and who makes them.
    engine:
        Who counts.
    settings:
        Those of the jobs, apart from the time.
    clock:
        Limits the run.
    stopped:
        Tells why to stop, empty to go on (see :func:`stoppable`).
    on_result, on_progress:
        Called after a result is on the disk.
    on_wait:
        Called with what the run waits for, if it is not for its own jobs.
    """

    ledger: Ledger
    pool: Pool
    engine: Engine
    settings: Settings
    clock: Clock = field(default_factory=lambda: Clock(None))
    stopped: Callable[[], str] = lambda: ""
    on_result: OnResult = lambda _job, _result: None
    on_progress: OnProgress = lambda _fraction, _note: None
    on_wait: Callable[[str], None] = lambda _why: None
    _waits: bool = False
    _open: dict[int, dict[int, Job]] = field(default_factory=dict)
    _deaths: dict[int, int] = field(default_factory=dict)
    _given_up: dict[int, str] = field(default_factory=dict)
    _needs: dict[int, int | None] = field(default_factory=dict)
    _tickets: int = 0
    _counted: int = 0

    @property
    def census(self) -> Census:
        """What is counted."""
        return self.ledger.census

    def __call__(self) -> Ended:
        """Count until nothing is left, or something stops it.

        Raises
        ------
        BadInput, LimitReached
            If the ledger cannot be written any more; what it holds stays.
        Disagreement
            If a job was counted twice, with different results.
        """
        jobs = {job.number: job for job in self.census.jobs}
        last_beat, looked = time.monotonic(), 0.0
        self.ledger.enter(self.pool.size)
        self.ledger.free_dead()
        self._tell()
        while self.ledger.left():
            if why := self.stopped():
                return self._ended(why)
            if self.clock.left == 0:
                return self._ended(str(out_of_time(self.settings.timeout)))
            if time.monotonic() - last_beat > _BEAT:
                self.ledger.beat(self.pool.size)
                last_beat = time.monotonic()
            if time.monotonic() - looked > 1.0:
                # Others may have died meanwhile, or given jobs back.
                self.ledger.free_dead()
                looked = time.monotonic()
            self._hand_out(jobs)
            if not self._open and self._all_given_up():
                return self._ended("")
            self._say_that_it_waits()
            for event in self.pool.wait(_TICK):
                self._take(event)
        return self._ended("")

    def _hand_out(self, jobs: dict[int, Job]) -> None:
        if self.pool.offer(None) is None:
            return
        waiting = [number for number in self.ledger.waiting() if number not in self._given_up]
        # What the classes of a batch share is made once: all workers get as much of what is left.
        share = -(-len(waiting) // max(1, self.pool.size))
        size = max(1, min(batch_size(self.engine, self.census), share))
        while waiting:
            first = waiting.pop(0)
            try:
                seat = self.pool.offer(self._need(jobs[first]))
            except TooLarge as error:
                self._given_up[first] = f"{jobs[first].name}: {error}"
                continue
            if seat is None:
                if self.pool.offer(None) is None:
                    return
                continue  # this one has to wait for memory; a smaller one may fit
            batch = [first, *waiting[: size - 1]] if self._need(jobs[first]) is None else [first]
            waiting = waiting[len(batch) - 1 :]
            claimed = self.ledger.claim(batch)
            if claimed:
                self._start(seat, [jobs[number] for number in claimed])

    def _start(self, seat: Seat, batch: list[Job]) -> None:
        self._tickets += 1
        self._open[self._tickets] = {job.number: job for job in batch}
        settings = replace(self.settings, timeout=self.clock.left or None, progress=None)
        task = Task(self.census.problem, tuple(batch), self.engine.name, ENGINES[self.engine.name], settings)
        self.pool.start(self._tickets, seat, task)

    def _need(self, job: Job) -> int | None:
        if job.number not in self._needs:
            self._needs[job.number] = memory_needed(self.engine, self.census.problem, job, self.settings)
        return self._needs[job.number]

    def _take(self, event: Event) -> None:
        todo = self._open.get(event.ticket)
        if todo is None:
            return
        if event.kind == "result":
            assert event.result is not None
            job = todo.pop(event.number, None)
            if job is not None and self.ledger.record(job.number, event.result):
                self._counted += 1
                self.on_result(job, event.result)
                self._tell()
            return
        del self._open[event.ticket]
        for position, job in enumerate(todo.values()):
            if event.kind == "lost":
                # The one it was at is to blame, if anyone; of a batch, the first without a result.
                self._deaths[job.number] = self._deaths.get(job.number, 0) + (position == 0)
                if self._deaths[job.number] >= _LIVES:
                    self._given_up[job.number] = f"{job.name}: {event.text}, {_LIVES} times"
            else:
                self._given_up[job.number] = f"{job.name}: {event.text or 'the engine gave no count'}"
        self.ledger.release(list(todo))

    def _all_given_up(self) -> bool:
        """Is there nothing left that anyone could still do?"""
        waiting = self.ledger.waiting()
        # Those that do not wait are claimed by others.
        return len(waiting) == self.ledger.left() and self._given_up.keys() >= set(waiting)

    def _say_that_it_waits(self) -> None:
        if self._open or self._waits:
            return
        self._waits = True
        if self.pool.size == 0:
            self.on_wait("waiting for workers")
        else:
            self.on_wait("waiting for jobs that other runs claim")

    def _tell(self) -> None:
        total = len(self.census.jobs)
        done = total - self.ledger.left()
        self.on_progress(done / total if total else None, f"{done} of {total} jobs")

    def _ended(self, why: str) -> Ended:
        self.ledger.release([number for todo in self._open.values() for number in todo])
        left = self.ledger.left()
        if left and not why:
            reasons = list(self._given_up.values())
            more = f", and {len(reasons) - 1} more" if len(reasons) > 1 else ""
            why = reasons[0] + more if reasons else "nothing could be done"
        return Ended(self._counted, left, why if left else "")
