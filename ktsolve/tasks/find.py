"""Find one tour, or several, or prove that none exists."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ktsolve.base.errors import BadInput, Refused
from ktsolve.base.limits import Clock, Settings, takes_settings
from ktsolve.base.text import unknown
from ktsolve.engines.auto import choose, fitting
from ktsolve.engines.interface import checked
from ktsolve.engines.protocols import FindsSeveral
from ktsolve.engines.race import Listing, answer_to
from ktsolve.engines.walk.engine import WalkEngine
from ktsolve.engines.walk.rules import RULES
from ktsolve.engines.walk.walk import FEATURES_WALKED, RepairedWalk, Walk, repaired_walk, walk
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import FEATURES, TourProblem
from ktsolve.tasks.answer import EXHAUSTED, Answer, Parts, joined_names, refutation_of, simplified_for, timed

__all__ = ["Answer", "FoundTours", "WalkAnswer", "find", "find_all", "recorded_walk"]


_ARGUED = 250_000
"""Cells up to which arithmetic is tried before a walk; on larger boards a walk takes less time."""


@takes_settings
@timed
def find(
    problem: TourProblem | Graph | str | Any,
    engine: str = "auto",
    settings: Settings | None = None,
    **conditions: Any,
) -> Answer:
    """Find one tour, or prove that none exists.

    Parameters
    ----------
    problem:
        A problem; or a board, its size such as ``"8x8"``, a graph, or its name: see :meth:`TourProblem.of`.
    engine:
        Name of the engine, or ``auto``.
    settings:
        Limits and threads; the defaults if None.
    **conditions:
        Where no problem is given, ``closed`` and conditions, as for :class:`TourProblem`.

    Returns
    -------
    Answer
        The tour, or the reason why none exists.

    Raises
    ------
    Refused
        If the engine cannot take the problem.
    LimitReached
        If time or memory ran out first.
    WrongAnswer
        If the engine gave a tour that does not answer the problem.

    Examples
    --------
    >>> find(TourProblem(board="5x6", closed=True)).tour.valid
    True
    >>> find("4x4", closed=True).reason
    'no closed tour exists on a rectangle with a side of 1, 2 or 4 (Schwenk 1991)'
    >>> find("1000x1001", start="c3").tour[0]
    (997, 2)
    """
    problem = TourProblem.of(problem, **conditions)
    settings = Settings.of(settings)
    clock = Clock(settings)
    engine = fitting(engine, "construct", problem, settings)
    question, refutation = simplified_for("construct", problem, engine, settings)
    if refutation is not None:
        return Answer(None, **refutation)
    parts = Parts(question, "construct", engine, settings)
    if parts.refutation is not None:
        return Answer(None, **parts.refutation)
    tours, names = [], []
    for part in parts.questions:
        name, tour = answer_to("construct", part, engine, clock.within(settings))
        if tour is None:
            return Answer(None, engine=name, reason=EXHAUSTED)
        tours.append(tour)
        names.append(name)
    name = joined_names(names)
    return Answer(checked(name, problem, parts.tour(tours)), engine=name)


class FoundTours(Iterator[Tour]):
    """Tours one by one, as an engine finds them."""

    def __init__(self, engine: str | Callable[[], str], tours: Iterator[Tour]) -> None:
        self._engine = engine
        self._tours = tours

    @property
    def engine(self) -> str:
        """Name of the engine that lists them, or ``arithmetic`` if it proves that none exist.

        Of several side by side, all their names until one of them has listed all.
        """
        return self._engine if isinstance(self._engine, str) else self._engine()

    def __next__(self) -> Tour:
        return next(self._tours)


@takes_settings
def find_all(
    problem: TourProblem | Graph | str | Any,
    engine: str = "auto",
    settings: Settings | None = None,
    number: int | None = None,
    diverse: bool = False,
    **conditions: Any,
) -> FoundTours:
    """List all undirected tours, or up to ``number`` different ones, one by one as they are found.

    Parameters
    ----------
    problem:
        A problem; or a board, its size such as ``"8x8"``, a graph, or its name: see :meth:`TourProblem.of`.
    engine:
        Name of the engine, or ``auto``.
    settings:
        Limits and threads; the defaults if None.
    number:
        The largest number of tours; None for all.
    diverse:
        Each tour has as few moves as possible in common with those before it. Needs a number.
    **conditions:
        Where no problem is given, ``closed`` and conditions, as for :class:`TourProblem`.

    Returns
    -------
    FoundTours
        An iterator, with the name of the engine.

    Raises
    ------
    Refused
        If the engine cannot take the problem, or cannot find diverse tours.
    LimitReached
        While iterating, when time or memory runs out.
    BadInput
        If the number does not fit.

    Examples
    --------
    >>> tours = find_all(TourProblem(board="3x10", closed=True))
    >>> tours.engine, len(list(tours))
    ('search', 16)
    """
    problem = TourProblem.of(problem, **conditions)
    settings = Settings.of(settings)
    if number is not None and number < 1:
        raise BadInput(f"the number of tours must be at least 1, not {number}")
    if diverse and number is None:
        raise BadInput("diverse tours need a number: give it, such as 5")
    task = "diversify" if diverse else "enumerate"
    question, refutation = simplified_for(task, problem, engine, settings)
    if refutation is not None:
        return FoundTours(refutation["engine"], iter(()))
    if diverse:
        chosen = choose(engine, task, question)
        assert isinstance(chosen, FindsSeveral)
        assert number is not None
        far = chosen.several(question, settings, number, far_apart=True)
        return FoundTours(chosen.name, (checked(chosen.name, problem, tour) for tour in far))
    parts = Parts(question, task, engine, settings)
    if parts.refutation is not None:
        return FoundTours(parts.refutation["engine"], iter(()))
    listings = {each: Listing(each, engine, settings, number) for each in parts.questions}

    def name() -> str:
        return joined_names(each.engine for each in listings.values())

    found = parts.listed(lambda each: iter(listings[each]))
    tours = (checked(name(), problem, tour) for tour in found)
    return FoundTours(name, itertools.islice(tours, number))


@dataclass(frozen=True)
class WalkAnswer(Answer):
    """The result of a walk, and its statistics. ``reason`` may also say what stopped the walk.

    Attributes
    ----------
    rule, begin:
        The rule that broke ties, and the first cell of the walk; None if arithmetic answered.
    stopped:
        Whether the walk stopped before it had an answer.
    statistics:
        ``nodes``, ``backtracks``, ``first_stuck`` and ``longest`` of a walk with backtracking (see
        :class:`~ktsolve.engines.walk.walk.Walk`), ``attempts``, ``walks``, ``first_stuck`` and
        ``reversals`` of a repaired one (:class:`~ktsolve.engines.walk.walk.RepairedWalk`).
    events, recorded:
        Numbers of the cells visited, -1 where the last one is taken back; and whether these are all.
    """

    rule: str
    begin: Cell | None = None
    stopped: bool = False
    statistics: Mapping[str, int] = field(default_factory=dict)
    events: Sequence[int] = ()
    recorded: bool = True

    @property
    def status(self) -> str:
        """``found``, ``impossible`` or ``unknown``."""
        return "unknown" if self.stopped else super().status

    def trace(self, problem: TourProblem) -> dict[str, Any]:
        """The record as JSON data: board, ``closed``, ``rule``, ``start``, ``events``, ``complete``."""
        return {
            "board": problem.ground.to_json(),
            "closed": problem.closed,
            "rule": self.rule,
            "start": None if self.begin is None else list(self.begin),
            "events": list(self.events),
            "complete": self.recorded,
        }


@timed
def recorded_walk(
    problem: TourProblem,
    rule: str = "home",
    *,
    begin: Cell | str | None = None,
    repair: bool = False,
    settings: Settings | None = None,
    most_events: int = 0,
) -> WalkAnswer:
    """One tour by Warnsdorff's rule with backtracking, or, with ``repair``, by joining walks.

    Parameters
    ----------
    problem:
        An open or closed tour, perhaps with a start, forbidden moves, and any board.
    rule:
        The rule that breaks ties, a name in :data:`RULES`.
    begin:
        First cell of the walk, and of an open tour. Default: the start of an open tour, else the middle of
        the board. A closed tour is renumbered to begin at the start that the problem gives.
    repair:
        Whether walks are joined, in place of backtracking.
    settings:
        Limits.
    most_events:
        Number of steps of a walk with backtracking to record.

    Returns
    -------
    WalkAnswer
        The tour, or what stopped the walk.

    Raises
    ------
    BadInput
        For a rule that is unknown or not for this board, or a first cell that contradicts the start.
    Refused
        If the problem has a condition that a walk does not take.

    Examples
    --------
    >>> answer = recorded_walk(TourProblem(board="8x8", closed=True), "roth")
    >>> answer.status, answer.tour.valid, answer.begin
    ('found', True, (3, 3))
    >>> recorded_walk(TourProblem(board="3x4", closed=False), most_events=4).events
    [5, 3, 10, 4]
    """
    settings = Settings.of(settings)
    clock = Clock(settings)
    first = _first(problem, begin)
    if first is not None and not problem.closed:
        problem = problem.replace(start=first)
    if not problem.features <= FEATURES_WALKED:
        unsupported = min(problem.features - FEATURES_WALKED, key=list(FEATURES).index)
        raise Refused(f"a walk does not take {FEATURES[unsupported]} ({unsupported}): use ktsolve tour")
    if rule not in RULES:
        raise unknown("rule", rule, RULES)
    refutation = refutation_of(problem) if len(problem.ground) <= _ARGUED else None
    if refutation is not None:
        return WalkAnswer(None, rule, **refutation)
    walked: Walk | RepairedWalk
    if repair:
        walked = repaired_walk(problem, rule, begin=first, settings=settings, clock=clock)
        names = ("attempts", "walks", "first_stuck", "reversals")
    else:
        walked = walk(problem, rule, begin=first, settings=settings, clock=clock, most_events=most_events)
        names = ("nodes", "backtracks", "first_stuck", "longest")
    tour = walked.tour
    if tour is not None:
        checked(WalkEngine.name, problem, tour)
    return WalkAnswer(
        tour,
        rule,
        walked.begin,
        tour is None and bool(walked.stopped),
        {name: getattr(walked, name) for name in names},
        getattr(walked, "events", ()),
        getattr(walked, "recorded", True),
        engine=WalkEngine.name,
        reason=walked.stopped or ("" if tour is not None else "every walk was tried"),
    )


def _first(problem: TourProblem, begin: Cell | str | None) -> Cell | None:
    if begin is None:
        return None
    cell: Cell = problem.ground.cell(begin)
    if not problem.closed and problem.start not in (None, cell):
        raise BadInput(
            f"the walk of an open tour begins at its start {problem.ground.name(problem.start or cell)}, "
            f"not at {problem.ground.name(cell)}: give one of the two"
        )
    return cell
