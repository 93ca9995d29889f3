"""Checks of a finished ledger: identities that tours obey, published values, and the audit.

The audit counts a random sample of the jobs again in another way and compares. Another engine counts if it
can within the time; else the same engine counts on the transposed board with another member of the class,
where it meets other cells and states. Arithmetic answers nothing here. Only the engine that defines a part
can count it. A count in parts is therefore compared as a whole where another engine can count it; else the
same engine counts a part again.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ktsolve.base.errors import InternalError, KtsolveError, LimitReached
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.auto import ranked
from ktsolve.engines.protocols import CountsParts
from ktsolve.engines.registry import ENGINES, MODEL_ENGINES, engine_named
from ktsolve.graphs.board import Move
from ktsolve.graphs.notation import Cell
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.count import count
from ktsolve.verify.published import published_value
from ktsolve.wings.census.jobs import Census, CensusJob, LedgerRow
from ktsolve.wings.census.work import Pool, Task, TooLarge, WorkerSlot

__all__ = ["Audited", "Check", "audit", "checks", "partial_total", "transposed"]

_REACH = 20.0  # seconds to count the closed tours of a board without a published value


@dataclass(frozen=True)
class Check:
    """The result of one check."""

    name: str  # name of the identity
    holds: bool | None  # None if it was not checked
    detail: str  # both sides, or the reason why it was not checked


def partial_total(rows: Sequence[LedgerRow]) -> int:
    """Undirected tours of the counted jobs, times their multiplicities; damaged rows are left out."""
    return sum(row.multiplicity * row.result.count for row in rows if row.result is not None and row.sound)


def checks(census: Census, rows: Sequence[LedgerRow], settings: Settings | None = None) -> list[Check]:
    """Check a finished ledger, whose rows ``Ledger.check_rows`` has checked before.

    With ``settings`` the closed tours of the board may be counted for a check; without them nothing is.

    >>> from ktsolve.wings.census.jobs import make_census
    >>> from ktsolve.wings.census.jobs import JobResult
    >>> from ktsolve.problem.problem import TourProblem
    >>> census = make_census(TourProblem(board="5x6", closed=True))
    >>> wrong = JobResult(9, "search", "0.1.0", "", 0.1, None)
    >>> row = LedgerRow(1, "part 1 of 1", 1, 1, 0, wrong, 0, True)
    >>> [(check.name, check.holds, check.detail) for check in checks(census, [row])]
    [('published', False, '9 is not 8 (OEIS A175855)')]
    """
    counts = {row.number: row.result.count for row in rows if row.result is not None}
    found = []
    if census.split == "endpoints" and census.whole:
        found.append(_pairs(census))
        found += _adjacent_ends(census, counts, settings)
    published = published_value(census.problem) if census.whole else None
    if published is not None:
        found.append(_equal("published", partial_total(rows), published.count, f" ({published.source})"))
    return found


def _equal(name: str, left: int, right: int, source: str = "", sides: str = "") -> Check:
    holds = left == right
    return Check(name, holds, f"{left} {'=' if holds else 'is not'} {sides or right}{source}")


def _pairs(census: Census) -> Check:
    cells = len(census.problem.board)
    counted = sum(job.multiplicity for job in census.jobs)
    pairs = cells * (cells - 1) // 2
    holds = counted + census.ruled_out == pairs
    sides = f"{counted} counted + {census.ruled_out} ruled out by colours"
    return Check("pairs of ends", holds, f"{sides} {'=' if holds else 'is not'} {pairs}")


def _adjacent_ends(census: Census, counts: dict[int, int], settings: Settings | None) -> list[Check]:
    """A closed tour without one of its moves is an open tour whose ends are a move apart.

    So the open tours with such ends number cells times closed tours. A closed tour has both moves of a corner
    with two moves: the open tours from there to one neighbour number the closed tours.
    """
    problem, board = census.problem, census.problem.board
    name = "ends a move apart"
    if problem.require or problem.forbid:
        return [Check(name, None, "does not apply with required or forbidden moves")]
    if len(board) < 3:
        return []

    def apart(job: CensusJob) -> bool:
        return job.ends is not None and board.adjacent(*job.ends)

    total = sum(job.multiplicity * counts[job.number] for job in census.jobs if apart(job))
    closed, source = _closed(census, settings)
    beside = (job for job in census.jobs if apart(job))
    corners = [job for job in beside if any(len(board.neighbours[cell]) == 2 for cell in job.ends or ())]
    if closed is None and corners:
        closed, source = counts[corners[0].number], f"as many as have the ends {corners[0].name}"
    if closed is None:
        return [Check(name, None, f"{total}; {source}")]
    found = [
        Check(f"ends {job.name}", False, f"{counts[job.number]} is not {closed}, the closed tours")
        for job in corners
        if counts[job.number] != closed
    ]
    sides = f"{len(board)} x {closed} closed tours"
    return [*found, _equal(name, total, len(board) * closed, f" ({source})", sides)]


def _closed(census: Census, settings: Settings | None) -> tuple[int | None, str]:
    """The number of closed tours of the board and its source; or None and the reason."""
    problem = census.problem.replace(closed=True)
    published = published_value(problem)
    if published is not None:
        return published.count, published.source
    if settings is None:
        return None, "the closed tours are not counted for a report"
    within = _REACH if settings.timeout is None else min(_REACH, settings.timeout)
    try:
        answer = count(problem, settings=replace(settings, timeout=within, progress=None))
    except LimitReached:
        return None, f"the closed tours cannot be counted within {within:g} s"
    return answer.count, answer.engine


_AGAIN = 10.0
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
    removed, wrap = frozenset((c, r) for r, c in board.removed), _OPPOSITE[board.wrap]
    turned = replace(board, rows=board.columns, columns=board.rows, removed=removed, wrap=wrap)

    def turn(cell: Cell | None) -> Cell | None:
        return None if cell is None else (cell[1], cell[0])

    def turn_all(moves: frozenset[Move]) -> list[Move]:
        return [((a[1], a[0]), (b[1], b[0])) for a, b in moves]

    ends = {"start": turn(problem.start), "end": turn(problem.end)}
    moves = {"require": turn_all(problem.require), "forbid": turn_all(problem.forbid)}
    return problem.replace(board=turned, **ends, **moves)


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
    limit = max(_AGAIN, _AGAIN * row.result.seconds)
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
    limit = max(_AGAIN, _AGAIN * sum(row.result.seconds for row in rows if row.result is not None))
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
