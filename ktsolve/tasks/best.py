"""Find the tour with the least or the greatest value of a statistic.

The solvers of models find better and better tours and prove bounds on the way, CP-SAT and SAT each by methods
of its own. Engine search visits all tours. A tour of least weight is found by a frontier sweep where few
states are predicted. The four share no code and must agree.

No prediction tells which engine proves an optimum first. So ``auto`` tries the favourite for a moment, and
then runs it side by side with others. The first proof wins; at the limit the best tour and the tightest bound
of all are given.

Some bounds need no proof: only weights are negative, a tour has a known number of angles and moves, and the
problem may bound the statistic.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ktsolve.base.errors import BadInput, LimitReached, WrongAnswer
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.units import shown_seconds
from ktsolve.engines.auto import contenders, worth_a_trial
from ktsolve.engines.interface import checked
from ktsolve.engines.protocols import FindsBest, FindsLightest
from ktsolve.engines.registry import ENGINES, choose, engine_named
from ktsolve.engines.side_by_side import side_by_side
from ktsolve.engines.solver import Unsolved
from ktsolve.engines.through_model import ThroughModel
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour
from ktsolve.problem.conditions import Bound
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistics import Objective, parse_objective
from ktsolve.tasks.answer import EXHAUSTED, Answer, simplified_for, timed
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
    problem: TourProblem | Graph | str | Any,
    objective: Objective | None = None,
    engine: str = "auto",
    settings: Settings | None = None,
    *,
    minimise: str | None = None,
    maximise: str | None = None,
    **conditions: Any,
) -> Best:
    """Find a tour with the least or the greatest value of a statistic.

    When time runs out, the best found so far is given, with the best bound known.

    Parameters
    ----------
    problem:
        A problem; or a board, its size such as ``"8x8"``, a graph, or its name: see :meth:`TourProblem.of`.
    objective:
        The objective as an object, in place of ``minimise`` or ``maximise``.
    engine:
        Name of the engine, or ``auto``.
    settings:
        Limits and threads; the defaults if None.
    minimise, maximise:
        The statistic, as the options of ``ktsolve tour`` take it: ``"turns"``, ``"moves:a1-b3"``.
    **conditions:
        Where no problem is given, ``closed`` and conditions, as for :class:`TourProblem`.

    Returns
    -------
    Best
        The tour, its value, and the best bound known.

    Raises
    ------
    Refused
        If the engine cannot take the problem or bounds on the statistic.
    LimitReached
        If time or memory ran out before any tour was found.

    Examples
    --------
    >>> found = best("5x6", minimise="crossings")
    >>> found.value, found.optimal
    (49, True)
    """
    problem = TourProblem.of(problem, **conditions)
    objective = _objective(problem, objective, minimise, maximise)
    settings = Settings.of(settings)
    question, refutation = simplified_for("optimise", problem, engine, settings)
    if refutation is not None:
        return Best(None, None, None, **refutation)
    found = _best_of(question, objective, engine, settings)
    if found.tour is not None:
        checked(found.engine, problem, found.tour)
    return found


def _objective(
    problem: TourProblem, given: Objective | None, minimise: str | None, maximise: str | None
) -> Objective:
    texts = (("minimise", minimise), ("maximise", maximise))
    named = [parse_objective(sense, text, problem.ground) for sense, text in texts if text is not None]
    stated = named if given is None else [given, *named]
    if len(stated) != 1 or not isinstance(stated[0], Objective):
        raise BadInput('best needs one objective: give minimise="turns" or maximise="turns"')
    return stated[0]


def _best_of(problem: TourProblem, objective: Objective, engine: str, settings: Settings) -> Best:
    if objective.statistic.name == "weight":
        swept = _swept(problem, objective, engine, settings)
        if swept is not None:
            return swept
    bounded = problem.replace(conditions=problem.conditions | {Bound(objective.statistic, least=0)})
    limit = _known_beforehand(problem, objective)
    if engine == "auto":
        return _chosen(problem, bounded, objective, limit, settings)
    name = choose(engine, "optimise", bounded).name
    *_, found = _improved(name, problem, objective, limit, settings)
    return _best(found, name)


def _best(found: _Found, engine: str) -> Best:
    return Best(*found, engine=engine, reason="" if found[0] is not None else EXHAUSTED)


def _chosen(
    problem: TourProblem, bounded: TourProblem, objective: Objective, limit: int | None, settings: Settings
) -> Best:
    """The best tour by the engines that ``auto`` chooses."""
    clock = Clock(settings.timeout)
    names = contenders("optimise", bounded, settings, raced=True)
    if len(names) == 1:
        *_, found = _improved(names[0], problem, objective, limit, settings)
        return _best(found, names[0])
    start: _Found = None, None, limit
    if worth_a_trial(bounded):
        left = settings.timeout
        brief = replace(settings, timeout=_MOMENT if left is None else min(left, _MOMENT))
        try:
            *_, start = _improved(names[0], problem, objective, limit, brief)
        except LimitReached:
            if left is not None and left <= _MOMENT:
                raise
        else:
            tour, value, bound = start
            if tour is None or value == bound or (left is not None and left <= _MOMENT):
                return _best(start, names[0])
    return _raced(problem, names, objective, limit, start, clock.within(settings))


def _raced(
    problem: TourProblem,
    names: Sequence[str],
    objective: Objective,
    limit: int | None,
    start: _Found,
    settings: Settings,
) -> Best:
    """The best tour of several engines side by side: the first proof wins, at the limit the best found."""
    clock = Clock(settings.timeout)
    tour, value, bound = start
    given = None if tour is None else list(tour.indices)
    # Each is stopped a little before the limit, so that it gives what it has.
    seconds = None if clock.left is None else max(clock.left / 2, clock.left - _LAST_WORDS)
    works = {
        name: partial(_improve, name, ENGINES[name], problem, objective, limit, given, seconds)
        for name in names
    }
    best_of = names[0]
    stopped: LimitReached | None = None
    try:
        with closing(side_by_side(works, settings)) as results:
            for name, made in ((each.name, each.value) for each in results if not each.last):
                indices, proved, done = made
                if indices is not None:
                    found = Tour.from_indices(problem.ground, indices, problem.closed)
                    reached = objective.statistic.of(checked(name, problem, found))
                    if value is None or objective.better(reached, value):
                        tour, value, best_of = found, reached, name
                elif done and tour is None:
                    return _best((None, None, None), name)
                elif done:
                    raise WrongAnswer(f"engine {name} finds no tour for {problem} where there is one")
                bound = _tighter(objective, bound, proved)
                if value is not None and value == bound:
                    settings.say(f"{name} proved it first, after {shown_seconds(clock.elapsed)}")
                    return _best((tour, value, bound), name)
                if value is not None and bound is not None and objective.better(value, bound):
                    raise WrongAnswer(f"engine {name} proves that no {objective} of {problem} is {value}")
    except LimitReached as stop:
        stopped = stop
    if tour is None:
        raise stopped or LimitReached("stopped before any tour was found")
    return _best((tour, value, bound), best_of)


def _improve(
    name: str,
    path: str,
    problem: TourProblem,
    objective: Objective,
    limit: int | None,
    given: list[int] | None,
    seconds: float | None,
    settings: Settings,
) -> Iterator[tuple[list[int] | None, int | None, bool]]:
    """Optimise in a worker process: indices of a better tour, the bound, and whether there is no tour."""
    ENGINES.setdefault(name, path)
    tour = None if given is None else Tour.from_indices(problem.ground, given, problem.closed)
    limited = replace(settings, timeout=seconds)
    for found, _, bound in _improved(name, problem, objective, limit, limited, tour):
        yield None if found is None else list(found.indices), bound, found is None


_MOMENT = 1.0
"""Seconds for which the favourite runs alone."""

_LAST_WORDS = 0.5
"""Seconds before the limit at which engines side by side give the best they have."""

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
    value = objective.statistic.of(checked(chosen.name, problem, tour))
    return Best(tour, value, value, engine=chosen.name)


_Found = tuple[Tour | None, int | None, int | None]
"""A tour, its value, and a bound."""


def _known_beforehand(problem: TourProblem, objective: Objective) -> int | None:
    """The bound that needs no proof."""
    statistic = objective.statistic
    stated = [each for each in problem.conditions if isinstance(each, Bound) and each.statistic == statistic]
    if objective.sense == "minimise":
        return max(
            [
                statistic.least(problem.ground, problem.closed),
                *(each.least for each in stated if each.least is not None),
            ]
        )
    most = [each.most for each in stated if each.most is not None]
    greatest = statistic.greatest(problem.ground, problem.closed)
    return min(most + ([] if greatest is None else [greatest]), default=None)


def _tighter(objective: Objective, *bounds: int | None) -> int | None:
    """The tightest bound."""
    known = [bound for bound in bounds if bound is not None]
    return (max if objective.sense == "minimise" else min)(known, default=None)


def _improved(
    name: str,
    problem: TourProblem,
    objective: Objective,
    limit: int | None,
    settings: Settings,
    start: Tour | None = None,
) -> Iterator[_Found]:
    """Better and better tours of an engine, the last with the best bound known; None if there is no tour.

    Raises
    ------
    LimitReached
        If time or memory runs out before any tour is found.
    """
    engine = engine_named(name)
    if isinstance(engine, FindsBest):
        return _by_listing(problem, objective, limit, engine, name, settings)
    assert isinstance(engine, ThroughModel)
    return _by_model(problem, objective, limit, engine, settings, start)


def _by_model(
    problem: TourProblem,
    objective: Objective,
    limit: int | None,
    engine: ThroughModel,
    settings: Settings,
    first: Tour | None,
) -> Iterator[_Found]:
    from ktsolve.models.tour import TourModel

    # Any tour is found much sooner than the best one: the answer if time runs out, and a hint for the solver.
    clock = Clock(settings.timeout)
    if first is None:
        first = find(problem, engine.name, settings).tour
    if first is None:
        yield None, None, None
        return
    value = objective.statistic.of(first)
    yield first, value, limit
    if value == limit:
        return
    compiled = TourModel(problem, objective)
    compiled.suggest(first.as_closed(problem.closed))
    tour, bound, last = first, limit, None
    try:
        for solved in engine.solver().improving(compiled.model, clock.within(settings)):
            if solved.assignment is None:
                raise WrongAnswer(f"engine {engine.name} finds no tour for {problem} where there is one")
            if solved.assignment is not last:
                last = solved.assignment
                tour = checked(engine.name, problem, compiled.decode(last))
                value = objective.statistic.of(tour)
            proved = None if solved.bound is None else solved.bound + compiled.constant
            bound = _tighter(objective, bound, proved)
            yield tour, value, bound
            if value == bound:
                return
    except Unsolved as stop:
        proved = None if stop.bound is None else stop.bound + compiled.constant
        yield first, value, _tighter(objective, limit, proved)
    except LimitReached:
        return


def _by_listing(
    problem: TourProblem,
    objective: Objective,
    limit: int | None,
    engine: FindsBest,
    name: str,
    settings: Settings,
) -> Iterator[_Found]:
    tour, value = None, None
    try:
        for tour in engine.improving(problem, objective, settings):
            value = objective.statistic.of(checked(name, problem, tour))
            yield tour, value, limit
            if value == limit:
                return
    except LimitReached:
        if tour is None:
            raise
        return
    yield tour, value, value
