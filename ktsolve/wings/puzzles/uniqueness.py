"""Whether the clues of a puzzle leave one tour, and how few clues do: minimal and smallest sets of clues.

A question of uniqueness is answered by propagation (:mod:`.step_deduction`) if that completes the board, and
else by a SAT formula of the steps that it leaves to each cell, without the known tour. The formula has a
Boolean for each of these, and one for each move that is left. Each kind gives clauses that the other lacks:
without the moves a reduction of 8x8 takes ten times as long. Problems with further conditions are listed.

Rejected: one incremental formula for all sets, with the clues as assumptions and cores that drop several
clues at once. It takes fewer calls, but its formula is that of the whole board, ten times as large; a
question of open 10x10 took up to 20 s, and 1 s in a formula of its own. Of the solvers, CaDiCaL takes twice
as long as Glucose, and Minisat twenty times in the worst case.

The smallest set of clues for a tour is a smallest set that hits, for each other tour, a step at which the
two differ. Such sets are found for the other tours known so far; a tour that still fits is a further set to
hit (implicit hitting sets: Karp 2010; for formulas Ignatiev, Previti, Liffiton & Marques-Silva 2015).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, islice
from typing import Any

from ktsolve.base.errors import BadInput, LimitReached, Refused
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.sat.conflict_budget import BudgetExhausted
from ktsolve.graphs.tour import Tour
from ktsolve.model.clauses import free, suppress_sigint
from ktsolve.problem.conditions import At, End, Forbid, Require, Start
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.find import find_all
from ktsolve.wings.puzzles.step_deduction import StepDeduction

__all__ = ["Unclear", "Uniqueness", "minimal", "other_tour", "smallest", "solutions", "takes_other_tour"]

_CONFLICTS = 60_000
"""Conflicts after which a clue is kept without proof that it is needed: some seconds. The hardest question of
four open puzzles of 10x10 took 23,000."""

_HITTING_SETS = 400
"""Most sets of clues that are tried to prove that a set is smallest."""

_SOLVER = "glucose4"

_FIRST_STEP = 5_000
"""Conflicts before the clock is read; twice as many each time, because Glucose begins its restarts anew."""

_TAKEN = (Start, End, Require, Forbid, At)


class Unclear(Exception):
    """It is not known whether the solution is the only one."""


def solutions(problem: TourProblem, engine: str = "auto", settings: Settings | None = None) -> Iterator[Tour]:
    """The numbered tours that fit a problem with clues, one by one.

    Raises
    ------
    BadInput
        If the tour is closed and no step is given: then its solutions are not numbered.
    LimitReached
        While iterating.

    Examples
    --------
    >>> problem = TourProblem(board="3x4", closed=False, at={1: "a3", 9: "c1"})
    >>> [tour.names() for tour in solutions(problem)]
    ['a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1']
    """
    if not problem.known_steps and problem.closed:
        raise BadInput("a closed tour without clues may begin anywhere: give at least one step")
    for tour in find_all(problem, engine, settings):
        yield from problem.labelings(tour)


class Uniqueness:
    """Answers for sets of steps of one tour whether these clues leave no other tour.

    Parameters
    ----------
    problem:
        The problem without clues.
    tour:
        The solution, as numbered.
    engine:
        ``auto`` for propagation and a formula, or the engine that lists solutions.
    rules:
        ``easy`` or ``medium``: also ask that these rules complete the board
        (see :mod:`~ktsolve.wings.puzzles.step_deduction`).
    """

    def __init__(
        self,
        problem: TourProblem,
        tour: Tour,
        engine: str = "auto",
        settings: Settings | None = None,
        rules: str | None = None,
    ) -> None:
        self._settings = settings or Settings()
        self._clock = Clock(self._settings)
        self._problem, self._engine, self._rules = problem, engine, rules
        self.tour = tour.as_closed(problem.closed)
        self._formula = engine == "auto" and takes_other_tour(problem)

    def stated(self, steps: Collection[int]) -> TourProblem:
        """The problem with these clues."""
        squares = self.tour.squares
        return self._problem.replace(at={step: squares[step - 1] for step in sorted(steps)})

    def check_time(self) -> None:
        """Raise LimitReached when no time is left."""
        self._clock.check()

    def deduced(self, steps: Collection[int]) -> bool:
        """Whether propagation completes the board, by the rules asked for or by all."""
        problem = self.stated(steps)
        return takes_other_tour(problem) and StepDeduction(problem).completes(self._rules or "medium")

    def other(self, steps: Collection[int]) -> Tour | None:
        """Another numbered tour with these clues; None if this one is the only one.

        Raises
        ------
        Unclear
            If that takes too long.
        LimitReached
            If no time is left.
        """
        problem = self.stated(steps)
        if not problem.known_steps and problem.closed:
            return self.tour.starting_at(self.tour.squares[1])
        settings = self._clock.within(self._settings)
        try:
            if self._formula:
                return other_tour(problem, self.tour, Clock(settings), _CONFLICTS)
            # A question that takes long is left open; others may still be easy.
            limit = (
                None if settings.timeout is None else max(settings.timeout / 4, min(1.0, settings.timeout))
            )
            found = solutions(problem, self._engine, replace(settings, timeout=limit))
            return next((tour for tour in islice(found, 2) if tour != self.tour), None)
        except (BudgetExhausted, LimitReached) as limit_reached:
            raise Unclear from limit_reached

    def holds(self, steps: Collection[int]) -> bool:
        """Whether the tour is the only one with these clues, and the rules asked for find it."""
        if self.deduced(steps):
            return True
        return self._rules is None and self.other(steps) is None


def minimal(
    asked: Uniqueness,
    steps: Collection[int],
    units: Iterable[Collection[int]],
    least: int = 0,
    progress: Callable[[float | None, str], None] | None = None,
) -> tuple[frozenset[int], bool]:
    """Steps without units that are not needed, tried in order; and whether each unit left is needed.

    Propagation goes first through all units, because it takes milliseconds. When time runs out, the steps
    left so far are returned.

    Parameters
    ----------
    steps:
        Clues that suffice.
    units:
        Sets of steps that are left out together.
    least:
        No fewer clues than these are left.
    """
    kept = frozenset(steps)
    order = [frozenset(unit) for unit in units]
    proved = True
    for test in (asked.deduced, asked.holds):
        left: list[frozenset[int]] = []
        for number, unit in enumerate(order):
            if progress is not None:
                progress(number / len(order), f"{len(kept)} clues")
            fewer = kept - unit
            if len(fewer) < least:
                proved = False
                left.append(unit)
                continue
            try:
                asked.check_time()
                if test(fewer):
                    kept = fewer
                    continue
            except Unclear:
                proved = False
            except LimitReached:
                return kept, False
            left.append(unit)
        order = left
    return kept, proved


def smallest(
    asked: Uniqueness,
    known: frozenset[int],
    units: Sequence[frozenset[int]],
    always: frozenset[int] = frozenset(),
    progress: Callable[[float | None, str], None] | None = None,
) -> tuple[frozenset[int], bool]:
    """A set of few clues that leaves the tour alone, and whether it is proved that none is smaller.

    Parameters
    ----------
    known:
        Such a set, which is the result if no smaller one is found.
    units:
        Sets of steps of which all or none are clues.
    always:
        Steps that are clues in any case.
    """
    from pysat.examples.hitman import Hitman

    weights = {number: len(unit) for number, unit in enumerate(units)}
    best = known
    with Hitman(htype="sorted", solver="g4") as sets:
        for tried in range(_HITTING_SETS):
            if progress is not None:
                progress(None, f"{len(best)} clues, {tried} sets tried")
            chosen = sets.get() if tried else []
            if chosen is None:
                return best, True
            steps = always.union(*(units[number] for number in chosen))
            if len(steps) >= len(best):
                return best, True
            try:
                asked.check_time()
                other = asked.other(steps)
                if other is None:
                    return steps, True
                different = _differing(asked, steps, units, other)
            except (Unclear, LimitReached):
                return best, False
            if not different:  # the other tour has the same cells at all steps that may be clues
                return best, True
            sets.hit(different, weights=weights)
    return best, False


def _differing(
    asked: Uniqueness, steps: frozenset[int], units: Sequence[frozenset[int]], other: Tour
) -> list[int]:
    """The units in which another tour differs, few of them: with more clues, others still fit."""
    squares = asked.tour.squares
    shuffled = random.Random(len(steps)).sample(range(len(units)), len(units))
    for _ in range(4):
        same = {step for step, cell in enumerate(other.squares, 1) if squares[step - 1] == cell}
        different = [number for number in range(len(units)) if not units[number] <= same]
        more = next((number for number in shuffled if number in set(different)), None)
        if more is None or len(different) < 3:
            return different
        agreeing = [unit for unit in units if unit <= same]
        try:
            closer = asked.other(frozenset().union(steps, units[more], *agreeing))
        except Unclear:
            return different
        if closer is None:
            return different
        other = closer
    return different


# -- another tour -------------------------------------------------------------------------------------------


def takes_other_tour(problem: TourProblem) -> bool:
    """Whether :func:`other_tour` takes a problem: its conditions are ends, moves and steps."""
    stated = all(isinstance(each, _TAKEN) for each in problem.conditions)
    return stated and not problem.ground.directed and len(problem.ground) > 2


def other_tour(
    problem: TourProblem, tour: Tour, clock: Clock | None = None, conflicts: int | None = None
) -> Tour | None:
    """A second numbered tour with the clues of a problem; None if the given one is the only one.

    Parameters
    ----------
    problem:
        A problem on an undirected graph whose conditions are ends, moves and steps.
    tour:
        The tour that is known.
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
        free(solver)
