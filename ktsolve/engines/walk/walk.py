"""Walks by Warnsdorff's rule: with backtracking, or with repair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ktsolve.base.limits import Clock, NativeProgress, Settings, limit_reached, native_progress
from ktsolve.base.text import number_of
from ktsolve.engines.walk.rules import majority, middle, native_walker
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem

__all__ = ["FEATURES_WALKED", "RepairedWalk", "Walk", "repaired_walk", "walk"]

FEATURES_WALKED = frozenset({"closed", "open", "start", "forbid", "holes", "leaper", "wrap"})
"""Features that a problem may have (see :data:`ktsolve.problem.problem.FEATURES`)."""

_ATTEMPTS = 20  # most walks that are repaired before the repair fails


@dataclass(frozen=True)
class Walk:
    """Result of a walk with backtracking.

    - ``begin``: Cell where the walk began. A closed tour is renumbered to begin at the start of the problem.
    - ``exhausted``: Whether every walk was tried; then no tour means that none exists.
    - ``nodes``, ``backtracks``: Number of steps forward, and of steps back.
    - ``first_stuck``, ``longest``: Cells visited before the first step back, and most cells visited at once.
    - ``events``, ``recorded``: The number of a cell for a step forward, -1 for a step back; whether these are
      complete.
    - ``stopped``: Message about the limit that stopped the walk; empty if none did.
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
class RepairedWalk:
    """Result of a repaired walk: a tour that was not found may exist.

    - ``attempts``: Number of walks that were repaired, with ``reversals`` in all.
    - ``walks``: Number of walks that covered the board in the last attempt.
    - ``first_stuck``: Number of cells of the first of these walks.
    - ``stopped``: Message about the limit that stopped the repair; empty if none did.
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
    """Walk by Warnsdorff's rule with backtracking.

    The search is exhaustive: if it ends without a tour, no tour exists. Only on the smallest boards does it
    end soon. One step takes about a microsecond; memory is about 100 bytes per cell.

    The problem has features of :data:`FEATURES_WALKED` only. By default the walk begins at the start of an
    open problem, or else in the top-left corner for ``squirrel-cull`` and in the middle of the board for
    other rules; an open tour that must begin on the other colour begins at the nearest cell of that colour.
    The clock may be that of a time limit for more than this walk. ``most_nodes`` limits the steps forward,
    ``most_events`` the steps recorded. Raises BadInput if the rule does not apply to the board.

    >>> found = walk(TourProblem(board="8x8", closed=True, start="a1"))
    >>> found.tour.valid, found.tour.squares[0], found.begin, found.nodes - found.backtracks
    (True, (7, 0), (3, 3), 64)
    >>> walk(TourProblem(board="4x4", closed=False)).exhausted
    True

    Source: H. C. von Warnsdorff, Des Rösselsprunges einfachste und allgemeinste Lösung (1823).
    """
    settings = settings or Settings()
    clock = clock or Clock(settings)
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
            tour = _tour_of(problem, report.path.tolist())
        if not report.exhausted:
            break
        # An open tour may begin at any allowed cell: an exhaustive search tries all of them.
        if (following := next(starts, None)) is None:
            break
        start = following
    if tour is None and not report.exhausted:
        reached = f"{nodes:,} steps forward, {backtracks:,} back"
        stopped = str(limit_reached(report.status, settings, reached) or f"stopped, {reached}")
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
) -> RepairedWalk:
    """Cover the board by walks by Warnsdorff's rule, and join them into one tour by reversals.

    A reversal exchanges a move at the end of a walk (Euler 1759, Posa 1976). The time is about linear in the
    number of cells: 1000x1000 takes about a second, after three seconds for the board. If a repair fails, a
    tour may still exist; ``attempts`` limits the number of repairs, each with another seed.

    Other parameters and the errors are those of :func:`walk`.

    >>> found = repaired_walk(TourProblem(board="50x50", closed=True))
    >>> found.tour.valid, found.first_stuck <= 2500
    (True, True)
    """
    settings = settings or Settings()
    clock = clock or Clock(settings)
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
            200 + 2 * len(board),
        )
        attempt += 1
        reversals += report.reversals
        if report.found:
            tour = _tour_of(problem, report.path.tolist())
            break
        reached = f"{number_of(attempt, 'walk')} repaired without success"
        last = f"{reached}; a tour may exist" if attempt >= attempts else ""
        if stopped := str(limit_reached(report.status, settings, reached) or last):
            break
    return RepairedWalk(tour, start, attempt, report.walks, report.first_stuck, reversals, stopped)


def _starts(problem: TourProblem, rule: str, begin: Cell | None) -> Iterator[Cell]:
    """Yield the cells where walks begin; a proof that no tour exists needs all of them."""
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
    row, column = board.coordinates
    for number in np.argsort((row - first[0]) ** 2 + (column - first[1]) ** 2, kind="stable").tolist():
        if board.cells[number] != first and (allowed is None or allowed[number]):
            yield board.cells[number]
            if problem.closed:
                return


def _tour_of(problem: TourProblem, path: list[int]) -> Tour:
    if problem.closed and problem.start is not None:
        at = path.index(problem.board.index[problem.start])
        path = path[at:] + path[:at]
    return Tour.from_indices(problem.board, path, problem.closed)


def _reporter(settings: Settings, before: int, *, repair: bool = False) -> NativeProgress | None:
    def describe(step: int, _total: int, number: int) -> tuple[None, str]:
        if repair:
            return None, f"walk {before + 1}: {number:,} walks left, {step:,} reversals"
        return None, f"{before + step:,} steps forward, longest {number:,}"

    return native_progress(settings, describe)
