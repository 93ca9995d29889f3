"""Checks of a finished ledger: identities that tours obey, and published values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Settings
from ktsolve.tasks.count import count
from ktsolve.verify.published import published_value
from ktsolve.wings.census.jobs import Census, CensusJob
from ktsolve.wings.census.rows import LedgerRow

__all__ = ["Check", "checks", "partial_total"]

_REACH = 20.0
"""Seconds to count the closed tours of a board without a published value."""


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
    """Check a finished ledger, whose rows :meth:`Ledger.check_rows` has checked before.

    With ``settings`` the closed tours of the board may be counted for a check; without them nothing is.

    >>> from ktsolve.wings.census.jobs import make_census
    >>> from ktsolve.wings.census.rows import JobResult
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
    found = []
    corners = [
        job
        for job in census.jobs
        if apart(job) and job.ends is not None and any(len(board.neighbours[cell]) == 2 for cell in job.ends)
    ]
    if closed is None and corners:
        closed, source = counts[corners[0].number], f"as many as have the ends {corners[0].name}"
    if closed is not None:
        found += [
            Check(f"ends {job.name}", False, f"{counts[job.number]} is not {closed}, the closed tours")
            for job in corners
            if counts[job.number] != closed
        ]
    if closed is None:
        found.append(Check(name, None, f"{total}; {source}"))
    else:
        sides = f"{len(board)} x {closed} closed tours"
        found.append(_equal(name, total, len(board) * closed, f" ({source})", sides))
    return found


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
