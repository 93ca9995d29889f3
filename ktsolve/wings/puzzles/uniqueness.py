"""Whether the clues of a puzzle leave one solution, and how few clues do: minimal and smallest sets of clues.

On a numbered board this is decided by propagation (:mod:`.step_deduction`) if that completes the board, and
else by the SAT solver: the statement of ``models/tour.py`` with the steps and moves that propagation leaves,
without the known tour.

Rejected: one incremental formula for all sets, with the clues as assumptions and cores that drop several
clues at once. It takes fewer calls, but its formula is that of the whole board: a puzzle of 8x8 takes seven
times as long. Of the solvers, CaDiCaL takes up to twice as long as Glucose, and Minisat twenty times.

The smallest set of clues for a tour is a smallest set that hits, for each other tour, a step at which the
two differ. Such sets are found for the other tours known so far; a tour that still fits is a further set to
hit (implicit hitting sets: Karp 2010; for formulas Ignatiev, Previti, Liffiton & Marques-Silva 2015).
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TypeVar

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.sat.lazy import LazySolver
from ktsolve.engines.sat.python_sat import BudgetExhausted, ConflictBudget
from ktsolve.graphs.tour import Tour
from ktsolve.models.tour import TourModel
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.find import find_all
from ktsolve.wings.puzzles.step_deduction import StepDeduction

__all__ = ["Unclear", "Uniqueness", "other_tour", "reduced", "smallest", "solutions", "takes_other_tour"]

_CONFLICTS = 60_000
"""Conflicts after which a clue is kept without proof that it is needed: some seconds. The hardest question of
four open puzzles of 10x10 took 23,000."""

_HITTING_SETS = 400  # most sets of clues that are tried to prove that a set is smallest

_SOLVER = "glucose4"

T = TypeVar("T")

Test = Callable[[Sequence[T]], Collection[T] | None]
"""Returns those of some clues that suffice; None if all of them do not."""


class Unclear(Exception):
    """It is not known whether the solution is the only one."""


def solutions(problem: TourProblem, engine: str = "auto", settings: Settings | None = None) -> Iterator[Tour]:
    """The numbered tours that fit a problem with clues, one by one.

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

    The problem has no clues; the tour is the solution as numbered. The engine is ``auto`` for propagation and
    the SAT solver, or the one that lists solutions. With ``rules``, ``easy`` or ``medium``, these must
    complete the board, too.
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

    def deduced(self, steps: Collection[int]) -> bool:
        """Whether propagation completes the board, by the rules asked for or by all."""
        problem = self.stated(steps)
        return takes_other_tour(problem) and StepDeduction(problem).completes(self._rules or "medium")

    def other(self, steps: Collection[int]) -> Tour | None:
        """Another numbered tour with these clues, or None. Raises Unclear if that takes too long."""
        problem = self.stated(steps)
        if not problem.known_steps and problem.closed:
            return self.tour.starting_at(self.tour.squares[1])
        settings = self._clock.within(self._settings)
        try:
            if self._formula:
                return other_tour(problem, self.tour, settings, _CONFLICTS)
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
        return self.deduced(steps) or (self._rules is None and self.other(steps) is None)

    def tests(self, always: frozenset[int] = frozenset(), least: int = 0) -> list[Test[frozenset[int]]]:
        """The tests for :func:`reduced`: by propagation, which takes milliseconds, and by all means.

        ``always`` are steps that are clues beside the units; with fewer clues than ``least`` the answer is
        unclear.
        """

        def test(
            suffices: Callable[[Collection[int]], bool], units: Sequence[frozenset[int]]
        ) -> Sequence[frozenset[int]] | None:
            self._clock.check()
            steps = always.union(*units)
            if len(steps) < least:
                raise Unclear
            return units if suffices(steps) else None

        means = [self.deduced, self.holds] if self._rules is None else [self.deduced]
        return [partial(test, each) for each in means]


def reduced(
    units: Iterable[T],
    tests: Iterable[Test[T]],
    progress: Callable[[float | None, str], None] | None = None,
    stops: tuple[type[BaseException], ...] = (LimitReached,),
) -> tuple[list[T], bool]:
    """Units none of which can be left out, tried in order; and whether each is proved to be needed.

    Several units at once are left out as long as that succeeds. When time runs out, or at another of the
    ``stops``, the units left so far are returned.

    A unit is a clue, or a set of clues that are left out together. The tests are made in turn, the cheap ones
    first; they may raise Unclear.
    """
    kept, proved = list(units), True
    for test in tests:
        at = size = 0
        while at < len(kept):
            if progress is not None:
                progress(at / len(kept), f"{len(kept)} clues")
            before, after = kept[:at], kept[at + size :]
            try:
                needed = test([*before, *after])
            except Unclear:
                needed, proved = None, proved and size > 1
            except stops:
                return kept, False
            if needed is not None:
                before = [each for each in before if each in needed]
                kept, at = before + [each for each in after if each in needed], len(before)
                size = size or max(1, len(kept) // 8)
            elif size > 1:
                size //= 2
            elif size:
                at += 1
            else:
                break
    return kept, proved


def smallest(
    asked: Uniqueness,
    known: frozenset[int],
    units: Sequence[frozenset[int]],
    always: frozenset[int] = frozenset(),
    progress: Callable[[float | None, str], None] | None = None,
) -> tuple[frozenset[int], bool]:
    """A set of few clues that leaves the tour alone, and whether it is proved that none is smaller.

    Of each unit all steps are clues or none, and ``always`` are clues in any case. ``known`` is such a set,
    the result if no smaller one is found.
    """
    from pysat.examples.hitman import Hitman

    weights = {number: len(unit) for number, unit in enumerate(units)}
    with Hitman(htype="sorted", solver="g4") as sets:
        for tried in range(_HITTING_SETS):
            if progress is not None:
                progress(None, f"{len(known)} clues, {tried} sets tried")
            chosen = sets.get() if tried else []
            steps = known if chosen is None else always.union(*(units[number] for number in chosen))
            if len(steps) >= len(known):
                return known, True
            try:
                other = asked.other(steps)
                if other is None:
                    return steps, True
                different = _differing(asked, steps, units, other)
            except (Unclear, LimitReached):
                return known, False
            if not different:  # the other tour has the same cells at all steps that may be clues
                return known, True
            sets.hit(different, weights=weights)
    return known, False


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
    """Whether :func:`other_tour` takes a problem: one on an undirected graph."""
    return not problem.ground.directed and len(problem.ground) > 2


def other_tour(
    problem: TourProblem, tour: Tour, settings: Settings | None = None, conflicts: int = sys.maxsize
) -> Tour | None:
    """A second numbered tour with the clues of a problem; None if the given one is the only one.

    The problem is one that :func:`takes_other_tour`. After some conflicts the solver raises BudgetExhausted.

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
    table = StepDeduction(problem)
    if not table.settle(moves=True) or len(table.known()) == len(problem.ground):
        return None
    clock, cells = Clock(settings or Settings()), problem.ground.cells
    dropped = [(cells[u], cells[v]) for u, v in problem.allowed_edges.tolist() if v not in table.around[u]]
    fewer = problem.replace(forbid=[*problem.forbid, *dropped])
    compiled = TourModel(fewer, possible=table.steps, clock=clock)
    compiled.exclude(tour.as_closed(problem.closed))

    def check_time(_conflicts: int) -> None:
        clock.check()

    with closing(LazySolver(compiled.model, _SOLVER)) as solver:
        found = solver.next_solution(ConflictBudget(conflicts, check_time))
    return None if found is None else compiled.decode(found)
