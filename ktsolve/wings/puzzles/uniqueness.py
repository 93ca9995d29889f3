"""Whether the clues of a puzzle leave one tour: a formula of what propagation leaves, without that tour.

Reducing a puzzle asks for many sets of clues whether a tour other than a given one fits. Propagation
(:mod:`.step_deduction`) leaves to each cell some steps. The formula has a Boolean for each of
these, and one for each move that is left. Each kind gives clauses that the other lacks: without the moves a
reduction of 8x8 takes ten times as long.

Rejected: one incremental formula for all sets, with the clues as assumptions and cores that drop several
clues at once. It takes fewer calls, but its formula is that of the whole board, ten times as large; a
question of open 10x10 took up to 20 s, and 1 s in a formula of its own. Of the solvers, CaDiCaL takes twice
as long as Glucose, and Minisat twenty times in the worst case.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from ktsolve.base.errors import Refused
from ktsolve.base.limits import Clock
from ktsolve.engines.sat.conflict_budget import BudgetExhausted
from ktsolve.graphs.tour import Tour
from ktsolve.model.python_sat import suppress_sigint
from ktsolve.problem.conditions import At, End, Forbid, Require, Start
from ktsolve.problem.problem import TourProblem
from ktsolve.wings.puzzles.step_deduction import StepDeduction

__all__ = ["other_tour", "takes_other_tour"]

_SOLVER = "glucose4"

_FIRST_STEP = 5_000
"""Conflicts before the clock is read; twice as many each time, because Glucose begins its restarts anew."""

_TAKEN = (Start, End, Require, Forbid, At)


def takes_other_tour(problem: TourProblem) -> bool:
    """Whether :func:`other_tour` takes a problem: its conditions are ends, moves and steps."""
    stated = all(isinstance(each, _TAKEN) for each in problem.conditions)
    return stated and not problem.ground.directed and len(problem.ground) > 2


def other_tour(
    problem: TourProblem, tour: Tour, clock: Clock | None = None, conflicts: int | None = None
) -> Tour | None:
    """A numbered tour that fits the clues of a problem and is not the given one; None if there is none.

    Parameters
    ----------
    problem:
        A problem on an undirected graph whose conditions are ends, moves and steps.
    tour:
        A tour that fits.
    conflicts:
        Conflicts of the solver after which it gives up.

    Raises
    ------
    Refused
        For other problems.
    LimitReached
        When the clock has run out.
    BudgetExhausted
        When the conflicts are used up.

    Examples
    --------
    >>> from ktsolve.tasks.find import find
    >>> tour = find(TourProblem(board="5x5", closed=False)).tour
    >>> several = TourProblem(board="5x5", closed=False, at={1: tour.squares[0], 5: tour.squares[4]})
    >>> other = other_tour(several, tour)
    >>> several.check(other) is None, other != tour
    (True, True)
    >>> only = several.replace(at=dict(list(enumerate(tour.squares, 1))[::2]))
    >>> other_tour(only, tour) is None
    True
    """
    if not takes_other_tour(problem):
        raise Refused("the formula of clues takes ends, moves and steps on undirected graphs")
    whole = tour.as_closed(problem.closed)
    table = StepDeduction(problem)
    n = len(problem.ground)
    if not table.settle(moves=True) or len(table.known()) == n:
        return None
    left = [(v, t) for v, steps in enumerate(table.steps) for t in range(n) if steps >> t & 1]
    places = {place: number for number, place in enumerate(left, 1)}
    given = [-places[problem.ground.index[cell], t] for t, cell in enumerate(whole.squares)]
    true = _solution([given, *_clauses(table, places, problem.closed)], clock or Clock(None), conflicts)
    if true is None:
        return None
    order = sorted((t, v) for (v, t), literal in places.items() if literal in true)
    return Tour.from_indices(problem.ground, (v for _, v in order), problem.closed)


def _clauses(table: StepDeduction, at: dict[tuple[int, int], int], closed: bool) -> Iterator[list[int]]:
    n = len(table.steps)
    around: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    moves = [(u, v) for u, others in enumerate(table.around) for v in others if u < v]
    for number, (u, v) in enumerate(moves, len(at) + 1):
        around[u].append((v, number))
        around[v].append((u, number))
    for v in range(n):
        yield from _exactly_one([at[v, t] for t in range(n) if (v, t) in at])
    for t in range(n):
        yield from _exactly_one([at[v, t] for v in range(n) if (v, t) in at])
    for (v, t), here in at.items():
        steps = [(t + ahead) % n for ahead in (1, -1) if closed or 0 <= t + ahead < n]
        for step in steps:
            there = [(at[w, step], move) for w, move in around[v] if (w, step) in at]
            yield [-here, *(literal for literal, _ in there)]
            yield from ([-here, -literal, move] for literal, move in there)
        for w, move in around[v]:
            yield [-move, -here, *(at[w, step] for step in steps if (w, step) in at)]
    for v in range(n):
        own = [move for _, move in around[v]]
        yield from ([-a, -b, -c] for a, b, c in combinations(own, 3))
        if closed:
            yield from ([move for move in own if move != left] for left in own)


def _exactly_one(literals: list[int]) -> Iterator[list[int]]:
    yield literals
    yield from ([-a, -b] for a, b in combinations(literals, 2))


def _solution(clauses: list[list[int]], clock: Clock, conflicts: int | None) -> set[int] | None:
    from pysat.solvers import Solver

    solver: Any = Solver(name=_SOLVER)
    try:
        solver.append_formula(clauses, no_return=True)
        step, used = _FIRST_STEP, 0
        while conflicts is None or used < conflicts:
            clock.check()
            solver.conf_budget(step)
            with suppress_sigint():
                found: bool | None = solver.solve_limited()
            if found is not None:
                return {literal for literal in solver.get_model() if literal > 0} if found else None
            used += step
            step *= 2
        raise BudgetExhausted
    finally:
        solver.delete()
