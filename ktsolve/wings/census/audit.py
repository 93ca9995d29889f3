"""The audit of a ledger: a random sample of its jobs is counted again in another way and compared.

Another engine counts if it can within the time; else the same engine counts on the transposed board with
another member of the class, where it meets other cells and states. Arithmetic answers nothing here. Only the
engine that defines a part can count it. A count in parts is therefore compared as a whole where another
engine can count it; else the same engine counts a part again.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from ktsolve.base.errors import InternalError, KtsolveError, LimitReached
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.auto import ranked
from ktsolve.engines.protocols import CountsParts
from ktsolve.engines.registry import ENGINES, MODEL_ENGINES, engine_named
from ktsolve.graphs.board import Move
from ktsolve.graphs.notation import Cell
from ktsolve.problem.problem import TourProblem
from ktsolve.wings.census.checks import partial_total
from ktsolve.wings.census.jobs import Census, CensusJob
from ktsolve.wings.census.pool import Pool, TooLarge, WorkerSlot
from ktsolve.wings.census.rows import LedgerRow
from ktsolve.wings.census.work import Task

__all__ = ["Audited", "audit", "transposed"]

_REACH = 10.0
"""Another engine gets this number of seconds, or this multiple of the time of the count in the ledger."""

_OPPOSITE = {"none": "none", "x": "y", "y": "x", "xy": "xy"}


@dataclass(frozen=True)
class Audited:
    """A job that was counted again."""

    name: str  # the job; ``total`` for all parts together
    there: int  # the count in the ledger
    found: int | None  # the count found now, if there is one
    how: str  # engine and orientation, and the reason why ``found`` is None
    error: KtsolveError | None = None  # the error that ended the last attempt

    @property
    def holds(self) -> bool | None:
        """Are the counts equal? None if the second is missing."""
        return None if self.found is None else self.found == self.there

    def to_json(self) -> dict[str, str | None]:
        """The job and both counts."""
        again = None if self.found is None else str(self.found)
        return {"job": self.name, "count": str(self.there), "again": again, "how": self.how}

    def __str__(self) -> str:
        if self.found is None:
            return f"audit {self.name}: not done, {self.how}"
        verdict = "as in the ledger" if self.holds else f"the ledger has {self.there}, FAILS"
        return f"audit {self.name}: {self.found} by {self.how}, {verdict}"


@dataclass(frozen=True)
class _Attempt:
    name: str
    there: int
    task: Task
    how: str


def transposed(problem: TourProblem) -> TourProblem:
    """The same problem with rows and columns exchanged.

    >>> print(transposed(TourProblem(board="3x4", closed=False, start="a1")))
    open 4x3 start c4
    """
    board = problem.board
    turned = replace(
        board,
        rows=board.columns,
        columns=board.rows,
        removed=frozenset((c, r) for r, c in board.removed),
        wrap=_OPPOSITE[board.wrap],
    )

    def turn(cell: Cell | None) -> Cell | None:
        return None if cell is None else (cell[1], cell[0])

    def turn_all(moves: frozenset[Move]) -> list[Move]:
        return [((a[1], a[0]), (b[1], b[0])) for a, b in moves]

    return problem.replace(
        board=turned,
        start=turn(problem.start),
        end=turn(problem.end),
        require=turn_all(problem.require),
        forbid=turn_all(problem.forbid),
    )


def audit(
    census: Census,
    rows: list[LedgerRow],
    number: int,
    pool: Pool,
    settings: Settings,
    clock: Clock,
    stopped: Callable[[], str] = lambda: "",
) -> Iterator[Audited]:
    """Count a random sample of a given number of counted jobs again; yields each as it is done.

    Ends when ``stopped`` returns a reason or the time is up; the rest of the sample then has no count.
    """
    counted = [row for row in rows if row.result is not None]
    chosen = random.SystemRandom().sample(counted, min(number, len(counted)))
    todo = [_attempts(census, rows, row, settings) for row in sorted(chosen, key=lambda row: row.number)]
    if census.split == "parts" and len(rows) > 1 and (whole := _whole(census, rows, settings)):
        todo.insert(0, whole)
    waiting, running, tickets = [each for each in todo if each], dict[int, list[_Attempt]](), 0
    while (waiting or running) and not stopped() and clock.left != 0:
        while waiting and (slot := _offer(pool)) is not None:
            attempts = waiting.pop(0)
            tickets -= 1  # those of the run are positive
            running[tickets] = attempts
            pool.start(tickets, slot, _within(attempts[0].task, clock))
        for event in pool.wait(0.2):
            if event.ticket not in running:
                continue
            attempts = running[event.ticket]
            if event.kind == "result" and attempts:
                _, result = event.value
                yield Audited(attempts[0].name, attempts[0].there, result.count, attempts[0].how)
                running[event.ticket] = []
            elif event.kind != "result":
                del running[event.ticket]
                if attempts[1:] and not isinstance(event.value, InternalError):
                    waiting.insert(0, attempts[1:])
                elif attempts:
                    how = f"{attempts[0].how}: {event.value}"
                    yield Audited(attempts[0].name, attempts[0].there, None, how, event.value)
    why = LimitReached(stopped() or "out of time")
    for attempts in [*running.values(), *waiting]:
        if attempts:
            yield Audited(attempts[0].name, attempts[0].there, None, str(why), why)


def _offer(pool: Pool) -> WorkerSlot | None:
    try:
        return pool.offer(None)
    except TooLarge:
        return None


def _within(task: Task, clock: Clock) -> Task:
    limits = [limit for limit in (task.settings.timeout, clock.left) if limit]
    return replace(task, settings=replace(task.settings, timeout=min(limits) if limits else None))


def _attempts(census: Census, rows: list[LedgerRow], row: LedgerRow, settings: Settings) -> list[_Attempt]:
    """Ways to count a job again, the best first."""
    assert row.result is not None
    job = census.jobs[row.number - 1]
    if census.split == "parts" and census.parts > 1:
        engine = row.result.engine
        if engine not in ENGINES or not isinstance(engine_named(engine), CountsParts):
            return []
        how = f"{engine}, once more"
        return [_Attempt(job.name, row.result.count, _task(census.problem, job, engine, settings, None), how)]
    found = []
    limit = max(_REACH, _REACH * row.result.seconds)
    for engine in _auditors(job.problem_of(census.problem)):
        if engine != row.result.engine:
            task = _task(census.problem, job, engine, settings, limit)
            found.append(_Attempt(job.name, row.result.count, task, engine))
    if row.result.engine in ENGINES:
        member, ends = _another(census, job)
        task = _task(transposed(census.problem), member, row.result.engine, settings, None)
        how = f"{row.result.engine}, transposed" + (f", ends {ends}" if ends else "")
        found.append(_Attempt(job.name, row.result.count, task, how))
    return found


def _whole(census: Census, rows: list[LedgerRow], settings: Settings) -> list[_Attempt]:
    own = {row.result.engine for row in rows if row.result is not None}
    job = CensusJob(0, "total", 1, part=(0, 1))
    limit = max(_REACH, _REACH * sum(row.result.seconds for row in rows if row.result is not None))
    return [
        _Attempt("total", partial_total(rows), _task(census.problem, job, engine, settings, limit), engine)
        for engine in _auditors(census.problem)
        if engine not in own
    ]


def _auditors(problem: TourProblem) -> list[str]:
    """Engines that count without listing the tours as solutions of a model, the best first."""
    return [engine for engine in ranked("count", problem) if engine not in MODEL_ENGINES]


def _task(problem: TourProblem, job: CensusJob, engine: str, settings: Settings, limit: float | None) -> Task:
    settings = replace(settings, timeout=limit, progress=None)
    return Task(problem, (job,), engine, ENGINES[engine], settings, arithmetic=False)


def _another(census: Census, job: CensusJob) -> tuple[CensusJob, str]:
    """The job on the transposed board, by another member of its class if it has one."""
    if job.ends is None:
        return job, ""
    others = [pair for pair in census.members(job) if pair != job.ends] or [job.ends]
    first, second = random.SystemRandom().choice(others)
    name = "-".join(census.problem.board.name(cell) for cell in (first, second))
    return replace(job, ends=((second[1], second[0]), (first[1], first[0]))), name
