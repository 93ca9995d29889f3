"""Find the tour with the least or the greatest value of a statistic.

The solvers of models find better and better tours and prove bounds on the way, CP-SAT and SAT each by methods
of its own. Engine search visits all tours. A tour of least weight is found by a frontier sweep where few
states are predicted. The four share no code and must agree.

No prediction tells which engine proves an optimum first: see :func:`ktsolve.engines.race.improving`.

Some bounds need no proof: only weights are negative, a tour has a known number of angles and moves, and the
problem may bound the statistic.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.limits import Clock, Settings, takes_settings
from ktsolve.engines.auto import choose, contenders, sure, worth_a_trial
from ktsolve.engines.interface import checked
from ktsolve.engines.protocols import FindsBest, FindsLightest
from ktsolve.engines.race import Optimum, improving
from ktsolve.engines.registry import engine_named, takes
from ktsolve.engines.solver import Solved, Unsolved
from ktsolve.engines.through_model import ThroughModel
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour
from ktsolve.problem.conditions import Bound
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistics import TourObjective, parse_objective
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


@takes_settings
@timed
def best(
    problem: TourProblem | Graph | str | Any,
    objective: TourObjective | None = None,
    engine: str = "auto",
    settings: Settings | None = None,
    *,
    minimise: str | tuple[str, Any] | None = None,
    maximise: str | tuple[str, Any] | None = None,
    keep: bool = False,
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
        The statistic, as the options of ``ktsolve tour`` take it: ``"turns"``, ``"moves:a1-b3"``; moves also
        as ``("moves", [(u, v)])``. ``"weight"`` is the sum of the weights of edges: see :meth:`Graph.of`.
    keep:
        Return the best tour so far at Ctrl-C, as at a limit, instead of raising KeyboardInterrupt.
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
    found = _best_of(question, objective, engine, settings, keep)
    if found.tour is not None:
        checked(found.engine, problem, found.tour)
    return found


def _objective(
    problem: TourProblem, given: TourObjective | None, minimise: Any, maximise: Any
) -> TourObjective:
    texts = (("minimise", minimise), ("maximise", maximise))
    named = [parse_objective(sense, text, problem.ground) for sense, text in texts if text is not None]
    stated = named if given is None else [given, *named]
    if len(stated) != 1 or not isinstance(stated[0], TourObjective):
        what = "turns" if isinstance(problem.ground, Board) else "weight"
        raise BadInput(f'best needs one objective: give minimise="{what}" or maximise="{what}"')
    return stated[0]


def _best_of(
    problem: TourProblem, objective: TourObjective, engine: str, settings: Settings, keep: bool
) -> Best:
    if objective.statistic.name == "weight":
        swept = _swept(problem, objective, engine, settings)
        if swept is not None:
            return swept
    bounded = problem.replace(conditions=problem.conditions | {Bound(objective.statistic, least=0)})
    if engine == "auto":
        names = contenders("optimise", bounded, settings, raced=True)
    else:
        names = [choose(engine, "optimise", bounded).name]
    start: Optimum[Tour] = Optimum(names[0], bound=_known_beforehand(problem, objective))
    known = start
    wanted = _TourOptimisation(problem, objective)
    try:
        for each in improving(wanted, names, settings, start, tried=int(worth_a_trial(bounded))):
            known = each
    except KeyboardInterrupt:
        if known.best is None or not keep:
            raise
    if known.impossible:
        return Best(None, None, None, engine=known.engine, reason=EXHAUSTED)
    return Best(known.best, known.value, known.bound, engine=known.engine)


def _swept(problem: TourProblem, objective: TourObjective, engine: str, settings: Settings) -> Best | None:
    """The best tour by an engine that weighs tours without bounds; None if ``engine`` is not of that kind."""
    clock = Clock(settings)
    names = sure("optimise", problem, settings) if engine == "auto" else [engine]
    for chosen in map(engine_named, names):
        if isinstance(chosen, FindsLightest) and takes(chosen.name, "optimise", problem):
            tour = chosen.lightest(problem, clock.within(settings), heaviest=objective.sense == "maximise")
            if tour is None:
                return Best(None, None, None, engine=chosen.name, reason=EXHAUSTED)
            value = objective.statistic.of(checked(chosen.name, problem, tour))
            return Best(tour, value, value, engine=chosen.name)
    return None


def _known_beforehand(problem: TourProblem, objective: TourObjective) -> int | None:
    """The bound that needs no proof."""
    statistic = objective.statistic
    stated = [each for each in problem.conditions if isinstance(each, Bound) and each.statistic == statistic]
    if objective.sense == "minimise":
        least = [each.least for each in stated if each.least is not None]
        return max([statistic.least(problem.ground, problem.closed), *least])
    most = [each.most for each in stated if each.most is not None]
    greatest = statistic.greatest(problem.ground, problem.closed)
    return min(most + ([] if greatest is None else [greatest]), default=None)


@dataclass(frozen=True)
class _TourOptimisation:
    """The best tour as an :class:`~ktsolve.engines.race.Optimisation`: solutions are indices of cells."""

    problem: TourProblem
    objective: TourObjective

    def __str__(self) -> str:
        return f"{self.objective} of {self.problem}"

    @property
    def least(self) -> bool:
        """Whether the least value is wanted."""
        return self.objective.sense == "minimise"

    def read(self, name: str, solution: Sequence[int]) -> tuple[Tour, int]:
        """The tour after its check, and its value."""
        tour = checked(name, self.problem, self._tour(solution))
        return tour, self.objective.statistic.of(tour)

    def _tour(self, indices: Sequence[int]) -> Tour:
        return Tour.from_indices(self.problem.ground, indices, self.problem.closed)

    def improving(self, name: str, settings: Settings, start: Sequence[int] | None) -> Iterator[Solved]:
        """Better and better tours, the last with the best bound. Raises LimitReached before the first."""
        engine = engine_named(name)
        if isinstance(engine, FindsBest):
            return self._by_listing(engine, settings)
        assert isinstance(engine, ThroughModel)
        return self._by_model(engine, settings, None if start is None else self._tour(start))

    def _by_model(self, engine: ThroughModel, settings: Settings, first: Tour | None) -> Iterator[Solved]:
        from ktsolve.models.tour import TourModel

        # Any tour is found much sooner than the best one: the answer if time runs out, and a hint.
        clock = Clock(settings)
        if first is None:
            first = find(self.problem, engine.name, settings).tour
        if first is None:
            yield Solved(None)
            return
        indices, last = list(first.indices), None
        yield Solved(indices)
        compiled = TourModel(self.problem, self.objective, clock=clock)
        compiled.suggest(first.as_closed(self.problem.closed))

        def proved(bound: int | None) -> int | None:
            return None if bound is None else bound + compiled.constant

        try:
            for solved in engine.solver().improving(compiled.model, clock.within(settings)):
                if solved.assignment is not None and solved.assignment is not last:
                    last, indices = solved.assignment, list(compiled.decode(solved.assignment).indices)
                yield Solved(None if solved.assignment is None else indices, bound=proved(solved.bound))
        except Unsolved as stop:
            yield Solved(indices, bound=proved(stop.bound))
        except LimitReached:
            return

    def _by_listing(self, engine: FindsBest, settings: Settings) -> Iterator[Solved]:
        indices: list[int] | None = None
        try:
            for tour in engine.improving(self.problem, self.objective, settings):
                indices = list(tour.indices)
                yield Solved(indices)
        except LimitReached:
            if indices is None:
                raise
            return
        yield Solved(indices, bound=None if indices is None else self.read("", indices)[1])
