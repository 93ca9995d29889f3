"""Find the tour with the least or the greatest value of a statistic.

An engine whose solver takes objectives optimises by itself and proves bounds on the way. With any other
engine that takes bounds, a better tour is searched for until the engine proves that there is none. A tour of
least weight is found by a frontier sweep where few states are predicted. The three methods share no code and
must agree.

Some bounds need no proof: only weights are negative, a tour has a known number of angles and moves, and the
problem may bound the statistic.
"""

from __future__ import annotations

from dataclasses import dataclass

from ktsolve.engines.interface import Engine
from ktsolve.engines.protocols import FindsBest, FindsLightest
from ktsolve.engines.registry import choose, engine_named
from ktsolve.engines.solver import Unsolved
from ktsolve.engines.through_model import ThroughModel
from ktsolve.errors import LimitReached, WrongAnswer
from ktsolve.ground.tour import Tour
from ktsolve.problem.conditions import Bound
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistic import Objective
from ktsolve.settings import Clock, Settings
from ktsolve.tasks.answer import EXHAUSTED, Answer, checked, refutation_of, timed
from ktsolve.tasks.find import find

__all__ = ["Best", "best"]


@dataclass(frozen=True)
class Best(Answer):
    """The best tour found.

    Attributes
    ----------
    value:
        The value of this tour.
    bound:
        No tour has a better value; None if nothing is known. Equal to ``value`` if the tour is proved best.
    """

    value: int | None
    bound: int | None

    @property
    def optimal(self) -> bool:
        """Whether it is proved that no tour is better."""
        return self.tour is not None and self.value == self.bound

    @property
    def gap(self) -> int | None:
        """The difference of value and bound; None if there is no bound."""
        return None if self.value is None or self.bound is None else abs(self.value - self.bound)

    @property
    def status(self) -> str:
        """``optimal``, ``found`` or ``impossible``."""
        return "optimal" if self.optimal else super().status


@timed
def best(
    problem: TourProblem, objective: Objective, engine: str = "auto", settings: Settings | None = None
) -> Best:
    """A tour with the least or the greatest value of a statistic.

    When time runs out, the best found so far is given, with the best bound known.

    Raises
    ------
    Refused
        If the engine cannot take the problem or bounds on the statistic.
    LimitReached
        If time or memory ran out before any tour was found.

    Examples
    --------
    >>> from ktsolve.problem.statistic import Quantity
    >>> found = best(TourProblem(board="5x6", closed=True), Objective("minimise", Quantity("crossings")))
    >>> found.value, found.optimal
    (49, True)
    """
    settings = settings or Settings()
    if (refutation := refutation_of(problem)) is not None:
        return Best(None, None, None, **refutation)
    if objective.quantity.name == "weight":
        swept = _swept(problem, objective, engine, settings)
        if swept is not None:
            return swept
    bounded = problem.replace(conditions=problem.conditions | {Bound(objective.quantity, least=0)})
    chosen = choose(engine, "optimise", bounded)
    limit = _known_beforehand(problem, objective)
    if isinstance(chosen, ThroughModel) and "objective" in chosen.solver().kinds:
        found = _at_once(problem, objective, limit, chosen, settings)
    elif isinstance(chosen, FindsBest):
        found = _improved(problem, objective, limit, chosen, settings)
    else:
        found = _step_by_step(problem, objective, limit, chosen.name, settings)
    reason = "" if found[0] is not None else EXHAUSTED
    return Best(*found, engine=chosen.name, reason=reason)


_FEW_STATES = 1e6
"""Predicted states, over all vertices, up to which ``auto`` weighs tours by a sweep: some 0.2 s."""


def _swept(problem: TourProblem, objective: Objective, engine: str, settings: Settings) -> Best | None:
    """The best tour by an engine that weighs tours without bounds; None if ``engine`` is not of that kind.

    ``auto`` takes the sweep where few states are predicted.
    """
    chosen = engine_named("frontier" if engine == "auto" else engine)
    if not isinstance(chosen, FindsLightest) or chosen.unsupported_feature("optimise", problem) is not None:
        return None
    clock = Clock(settings.timeout)
    if engine == "auto":
        expected = chosen.estimate(problem, settings)
        if expected is None or expected.states * len(problem.ground) > _FEW_STATES:
            return None
    tour = chosen.lightest(problem, clock.within(settings), heaviest=objective.sense == "maximise")
    if tour is None:
        return Best(None, None, None, engine=chosen.name, reason=EXHAUSTED)
    value = objective.quantity.of(checked(chosen.name, problem, tour))
    return Best(tour, value, value, engine=chosen.name)


_Found = tuple[Tour | None, int | None, int | None]
"""A tour, its value, and a bound."""


def _known_beforehand(problem: TourProblem, objective: Objective) -> int | None:
    """The bound that needs no proof."""
    quantity = objective.quantity
    asked = [each for each in problem.conditions if isinstance(each, Bound) and each.quantity == quantity]
    if objective.sense == "minimise":
        return max(
            [
                quantity.least(problem.ground, problem.closed),
                *(each.least for each in asked if each.least is not None),
            ]
        )
    most = [each.most for each in asked if each.most is not None]
    greatest = quantity.greatest(problem.ground, problem.closed)
    return min(most + ([] if greatest is None else [greatest]), default=None)


def _tighter(objective: Objective, *bounds: int | None) -> int | None:
    """The tightest bound."""
    known = [bound for bound in bounds if bound is not None]
    return (max if objective.sense == "minimise" else min)(known, default=None)


def _at_once(
    problem: TourProblem, objective: Objective, limit: int | None, engine: ThroughModel, settings: Settings
) -> _Found:
    from ktsolve.models.tour import TourModel

    # Any tour is found much sooner than the best one: the answer if time runs out, and a hint for the solver.
    clock = Clock(settings.timeout)
    first = find(problem, settings=settings).tour
    if first is None:
        return None, None, None
    value = objective.quantity.of(first)
    if value == limit:
        return first, value, limit
    compiled = TourModel(problem, objective)
    compiled.suggest(first.as_closed(problem.closed))
    try:
        solved = engine.solver().solve(compiled.model, clock.within(settings))
    except Unsolved as stop:
        proved = None if stop.bound is None else stop.bound + compiled.constant
        return first, value, _tighter(objective, limit, proved)
    except LimitReached:
        return first, value, limit
    if solved.assignment is None:
        raise WrongAnswer(f"engine {engine.name} finds no tour for {problem} where there is one")
    tour = checked(engine.name, problem, compiled.decode(solved.assignment))
    bound = None if solved.bound is None else solved.bound + compiled.constant
    return tour, objective.quantity.of(tour), _tighter(objective, limit, bound)


def _improved(
    problem: TourProblem, objective: Objective, limit: int | None, engine: Engine, settings: Settings
) -> _Found:
    assert isinstance(engine, FindsBest)
    tour, value = None, None
    try:
        for tour in engine.improving(problem, objective, settings):
            value = objective.quantity.of(checked(engine.name, problem, tour))
            if value == limit:
                break
    except LimitReached:
        if tour is None:
            raise
        return tour, value, limit
    return tour, value, value


def _step_by_step(
    problem: TourProblem, objective: Objective, limit: int | None, engine: str, settings: Settings
) -> _Found:
    clock = Clock(settings.timeout)
    quantity, tour, value = objective.quantity, None, None
    asked = problem
    while tour is None or value != limit:
        try:
            answer = find(asked, engine, clock.within(settings))
        except LimitReached:
            if tour is None:
                raise
            return tour, value, limit
        if answer.tour is None:
            return tour, value, value
        tour = answer.tour
        value = quantity.of(tour)
        minimise = objective.sense == "minimise"
        better = Bound(quantity, most=value - 1) if minimise else Bound(quantity, least=value + 1)
        asked = problem.replace(conditions=problem.conditions | {better})
    return tour, value, limit
