"""What must hold of a finished ledger: identities that tours obey, and what is published."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ktsolve.census.jobs import Census, Job
from ktsolve.census.rows import Row
from ktsolve.errors import LimitReached
from ktsolve.settings import Settings
from ktsolve.tasks.count import count
from ktsolve.verify.catalogue import published_value

__all__ = ["Check", "checks", "partial_total"]

_REACH = 20.0
"""Seconds that counting the closed tours of the board may take, where nothing is published."""


@dataclass(frozen=True)
class Check:
    """One thing that was checked.

    Attributes
    ----------
    name:
        What.
    holds:
        None if it could not be checked.
    detail:
        Both sides, or why not.
    """

    name: str
    holds: bool | None
    detail: str


def partial_total(rows: Sequence[Row]) -> int:
    """Undirected tours of the jobs counted so far, each with its multiplicity; damaged rows are left out."""
    return sum(row.multiplicity * row.result.count for row in rows if row.result is not None and row.sound)


def checks(census: Census, rows: Sequence[Row], settings: Settings | None = None) -> list[Check]:
    """Hold a finished ledger against everything that must be true of it.

    That every job is there once and every checksum right, :meth:`Ledger.check_rows` makes sure before.
    Without ``settings`` nothing is counted for it; with them the closed tours of the board may be.

    Examples -------- >>> from ktsolve.census.jobs import make_census >>> from ktsolve.census.rows import
    Result >>> from ktsolve.problem.problem import TourProblem >>> census =
    make_census(TourProblem(board="5x6", closed=True)) >>> wrong = Result(9, "search", "0.1.0", "", 0.1,
    None) >>> [(c.name, c.holds, c.detail) for c in checks(census, [Row(1, "part 1 of 1", 1, 1, 0, wrong, 0,
    True)])] [('published', False, '9 is not 8 (OEIS A175855)')]
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
    """Leaving one move out makes an open tour of a closed one, and the ends of that are a move apart.

    So there are as many open tours with such ends as cells times closed tours; and of a cell with two moves
    only, a corner, every closed tour has both: an open tour from there to a neighbour is a closed tour
    without that move.
    """
    problem, board = census.problem, census.problem.board
    name = "ends a move apart"
    if problem.require or problem.forbid:
        return [Check(name, None, "with required or forbidden moves closed tours do not tell")]
    if len(board) < 3:
        return []

    def apart(job: Job) -> bool:
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
    """Closed tours of the board, and who says so; or None, and why nobody does."""
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
