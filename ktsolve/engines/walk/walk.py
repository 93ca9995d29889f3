"""Walks by Warnsdorff's rule over the board of a tour problem: with backtracking, or repaired."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ktsolve.engines.walk.rules import majority, middle, native_walker, places
from ktsolve.ground.board import Board
from ktsolve.ground.notation import Cell
from ktsolve.ground.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Clock, Settings, out_of_time

__all__ = ["FEATURES_WALKED", "Repaired", "Walk", "repaired_walk", "walk"]

FEATURES_WALKED = frozenset({"closed", "open", "start", "forbid", "holes", "leaper", "wrap"})
"""What a problem may ask for (see :data:`ktsolve.problem.problem.FEATURES`)."""

_ATTEMPTS = 20
"""Walks that are repaired before repair gives up."""


@dataclass(frozen=True)
class Walk:
    """How a walk with backtracking went.

    Attributes
    ----------
    tour:
        The tour, None if none was found.
    begin:
        Where the walk began. A closed tour is renumbered to begin where the problem says.
    exhausted:
        Every walk was tried: there is no tour.
    nodes, backtracks:
        Cells gone to, and cells taken back.
    first_stuck:
        Cells visited when the first cell was taken back; all of them if none was.
    longest:
        Most cells visited at once.
    events:
        Number of a cell gone to, -1 where the last one is taken back; as many as were to be recorded.
    recorded:
        Are these all?
    stopped:
        What stopped the walk before it had an answer, in words; empty if nothing did.
    """

    tour: Tour | None
    begin: Cell
    exhausted: bool
    nodes: int
    backtracks: int
    first_stuck: int
    longest: int
    events: Sequence[int] = ()
    recorded: bool = True
    stopped: str = ""


@dataclass(frozen=True)
class Repaired:
    """How a repaired walk went.

    Attributes
    ----------
    tour:
        The tour, None if none was found, which proves nothing.
    begin:
        Where the walk began.
    attempts:
        Walks from the beginning, each repaired until nothing helped.
    walks:
        How many walks it took to cover the board, in the last attempt.
    first_stuck:
        Cells of the first of them.
    reversals:
        Exchanges of moves at ends of walks that made a tour of them.
    stopped:
        What stopped the repair, in words.
    """

    tour: Tour | None
    begin: Cell
    attempts: int
    walks: int
    first_stuck: int
    reversals: int
    stopped: str = ""


def walk(
    problem: TourProblem,
    rule: str = "home",
    *,
    begin: Cell | None = None,
    settings: Settings | None = None,
    clock: Clock | None = None,
    most_nodes: int | None = None,
    most_events: int = 0,
) -> Walk:
    """Walk by Warnsdorff's rule; where the walk is stuck take cells back, the last one first.

    Every way is tried in the end, so that no tour means that there is none; but that end is near on the
    smallest boards only. One cell and its moves take a microsecond, memory is some 100 bytes a cell.

    Parameters
    ----------
    problem:
        With features of :data:`FEATURES_WALKED` only.
    rule:
        A name in :data:`~ktsolve.engines.walk.rules.RULES`.
    begin:
        Where the walk begins. By default where an open tour must, the top-left corner for ``squirrel-cull``,
        else the middle of the board.
    settings:
        ``timeout``, ``seed`` and ``progress`` are honoured.
    clock:
        Has been running since before, if the time limit is for more than this walk.
    most_nodes:
        Stop after going to so many cells.
    most_events:
        Record so many steps.

    Raises
    ------
    BadInput
        If the rule is unknown or not for this board.

    Examples
    --------
    >>> found = walk(TourProblem(board="8x8", closed=True, start="a1"))
    >>> found.tour.valid, found.tour.squares[0], found.begin, found.nodes - found.backtracks
    (True, (7, 0), (3, 3), 64)
    >>> walk(TourProblem(board="4x4", closed=False)).exhausted
    True

    References
    ----------
    H. C. von Warnsdorff, Des Rösselsprunges einfachste und allgemeinste Lösung (1823).
    """
    settings = settings or Settings()
    clock = clock or Clock(settings.timeout)
    board = problem.board
    starts = _starts(problem, rule, begin)
    first = start = next(starts)
    walker = native_walker(problem, rule, first)
    nodes = backtracks = first_stuck = longest = 0
    events: list[int] = []
    recorded = True
    tour, stopped = None, ""
    while True:
        report = walker.search(
            board.index[start],
            problem.closed,
            settings.seed or 0,
            None if most_nodes is None else most_nodes - nodes,
            most_events - len(events),
            clock.left,
            _reporter(settings, nodes),
        )
        first_stuck = first_stuck or report.first_stuck
        nodes, backtracks = nodes + report.nodes, backtracks + report.backtracks
        longest = max(longest, report.longest)
        recorded = recorded and (report.recorded if most_events > len(events) else most_events == 0)
        events.extend(report.events.tolist())
        if report.found:
            tour = _numbered(problem, report.path.tolist())
        if not report.exhausted:
            break
        # The ends of an open tour are free: what begins nowhere else may begin there.
        following = next(starts, None)
        if following is None:
            break
        start = following
    if tour is None and not report.exhausted:
        reached = f"{nodes:,} cells gone to, {backtracks:,} taken back"
        limit = out_of_time(settings.timeout, reached) if report.status == "time" else None
        stopped = str(limit or f"stopped, {reached}")
    return Walk(
        tour, first, report.exhausted, nodes, backtracks, first_stuck, longest, events, recorded, stopped
    )


def repaired_walk(
    problem: TourProblem,
    rule: str = "home",
    *,
    begin: Cell | None = None,
    settings: Settings | None = None,
    clock: Clock | None = None,
    attempts: int = _ATTEMPTS,
) -> Repaired:
    """Walk by Warnsdorff's rule, walk on from every cell that is left, and make one tour of the walks.

    Ends are led to one another by reversals (Euler 1759, Posa 1976). About linear in the number of cells:
    1000x1000 takes a second, beside three for the board. A repair that fails proves nothing; some are tried
    from other seeds.

    Parameters and errors are those of :func:`walk`.

    Examples
    --------
    >>> found = repaired_walk(TourProblem(board="50x50", closed=True))
    >>> found.tour.valid, found.first_stuck <= 2500
    (True, True)
    """
    settings = settings or Settings()
    clock = clock or Clock(settings.timeout)
    board = problem.board
    start = next(_starts(problem, rule, begin))
    walker = native_walker(problem, rule, start)
    tour, stopped = None, ""
    reversals = attempt = 0
    while True:
        report = walker.repair(
            board.index[start],
            problem.closed,
            not problem.closed and problem.start is not None,
            (settings.seed or 0) + attempt,
            20 * len(board) + 10_000,
            clock.left,
            _reporter(settings, attempt, repair=True),
        )
        attempt += 1
        reversals += report.reversals
        if report.found:
            tour = _numbered(problem, report.path.tolist())
            break
        reached = f"{attempt} {'walk' if attempt == 1 else 'walks'} repaired in vain"
        if report.status == "time":
            stopped = str(out_of_time(settings.timeout, reached))
            break
        if attempt >= attempts:
            stopped = f"{reached}, which proves nothing"
            break
    return Repaired(tour, start, attempt, report.walks, report.first_stuck, reversals, stopped)


def _starts(problem: TourProblem, rule: str, begin: Cell | None) -> Iterator[Cell]:
    """Where walks begin, one after the other; for a proof that there is no tour all are needed."""
    board = problem.board
    if not problem.closed and problem.start is not None:
        yield problem.start
        return
    first = begin or ((0, 0) if rule == "squirrel-cull" else middle(board))
    allowed = None if problem.closed else majority(board)
    if first in board and (begin is not None or allowed is None or allowed[board.index[first]]):
        yield first
        if problem.closed:
            return
    for number in _nearest_first(board, first):
        if board.cells[number] != first and (allowed is None or allowed[number]):
            yield board.cells[number]
            if problem.closed:
                return


def _nearest_first(board: Board, cell: Cell) -> Any:
    """Numbers of the cells, nearest to one first."""
    return np.argsort(((places(board) - np.array(cell)) ** 2).sum(axis=1), kind="stable").tolist()


def _numbered(problem: TourProblem, path: list[int]) -> Tour:
    if problem.closed and problem.start is not None:
        at = path.index(problem.board.index[problem.start])
        path = path[at:] + path[:at]
    return Tour.from_indices(problem.board, path, problem.closed)


def _reporter(settings: Settings, before: int, *, repair: bool = False) -> object | None:
    if settings.progress is None:
        return None
    progress = settings.progress
    if repair:
        return lambda step, _, left: progress(None, f"walk {before + 1}: {left:,} pieces, {step:,} reversals")
    return lambda step, _, longest: progress(None, f"{before + step:,} cells gone to, longest {longest:,}")
