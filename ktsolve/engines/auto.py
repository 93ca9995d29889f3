"""What ``--engine auto`` runs: the favourite, trials, and several engines side by side.

On boards engines predict their cost (:mod:`ktsolve.engines.prediction`). The favourite runs alone if the
choice is sure. Otherwise it is tried for a moment in this process, for one tour after ``search`` (on large
boards before anything is predicted); then it and its rivals run at the same time, each in a worker process.
The first checked answer wins, and the others are stopped.

On bare graphs predictions tell less, so more engines are tried: ``search``, ``walk`` and ``sat`` for a
moment, ``frontier`` if few states are predicted. After that all engines that could answer race.

With a seed one tour and lists come from the favourite alone: which tour is found does not depend on a race.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any, Literal, overload

from ktsolve.base.errors import LimitReached, WrongAnswer
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.units import shown_seconds
from ktsolve.engines.interface import PLAIN_FEATURES, Counted, Estimate, checked
from ktsolve.engines.prediction import rivals
from ktsolve.engines.protocols import FindsSeveral
from ktsolve.engines.registry import ENGINES, choose, engine_at, engine_named, predicted, takes
from ktsolve.engines.side_by_side import side_by_side
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem

__all__ = ["Listing", "answer_to", "contenders", "race", "worth_a_trial"]

Task = Literal["construct", "count"]

RACERS: dict[str, tuple[str, ...]] = {
    "construct": ("frontier", "sat", "walk", "search"),
    "count": ("frontier", "join", "search"),
}
"""Engines in a race, for each task; those take part that take the problem."""

_SMALL = {"construct": 20, "count": 10}
"""Vertices up to which search is tried before anything else."""

_SEARCHED = 10_000
"""Vertices up to which search is tried for a cycle: most graphs without much structure have one at once."""

_LISTED = 64
"""Vertices up to which the registry's choice lists."""

_LARGE = 10_000
"""Edges from which local search is tried before a prediction, which takes some tenths of a second there."""

_TRIALS = {"search": 0.1, "walk": 0.2, "sat": 0.5}
"""Seconds of a trial, less than starting processes and importing modules there takes."""

_STATED = 10_000
"""Edges up to which sat is tried: larger models alone take longer to state than a trial."""

_NARROW = 1e4
"""Predicted states up to which a sweep comes before all trials: some hundredths of a second."""

_WIDE = 1e5
"""Predicted states from which a join may count faster than a sweep."""

_CHEAP = {"construct": 2e5, "count": 2e6}
"""Predicted states up to which a sweep runs alone, a second or two; few other engines answer as fast."""

_PREDICTED = 1.0
"""Seconds for a prediction."""

_HOPELESS = 1e10
"""Predicted states from which a sweep does not race to find one tour."""

_CHEAP_SECONDS = 10.0
"""Seconds for such a sweep: predictions fail."""

_MOMENT = 0.7
"""Seconds for which the favourite runs alone where the choice is unsure: less than other processes take to
start and to catch up."""

_SEARCH_MOMENT = 0.2
"""Seconds for which search is tried first where one tour is wanted: it often meets one at once, whatever its
tree is, and it needs no modules that take long to import."""

_SLOWLY_PREDICTED = 900
"""Cells from which predictions take longer than that, and from which local search is tried first."""

_WALKED = 2e-5
"""Seconds of the trial of local search on a large board, for each cell; it takes a fifth of that."""

_MOST_RIVALS = 3
"""Engines side by side, at most; no more than cores, but two."""

_MERGED = 20_000
"""Tours that several engines list together; then the one that has most of them goes on alone."""


@overload
def answer_to(
    task: Literal["construct"], problem: TourProblem, engine: str, settings: Settings
) -> tuple[str, Tour | None]: ...
@overload
def answer_to(
    task: Literal["count"], problem: TourProblem, engine: str, settings: Settings
) -> tuple[str, Counted]: ...
def answer_to(
    task: Task, problem: TourProblem, engine: str, settings: Settings
) -> tuple[str, Tour | Counted | None]:
    """The name of the engine that answered, and a tour, None, or the number of tours.

    ``auto`` is a portfolio of trials on bare graphs and a choice by predictions elsewhere.

    Raises
    ------
    LimitReached
        If time or memory runs out first.

    Examples
    --------
    >>> answer_to("count", TourProblem(board="6x6", closed=True), "auto", Settings())[1].count
    9862
    """
    if engine != "auto":
        chosen = choose(engine, task, problem)
        return chosen.name, getattr(chosen, task)(problem, settings)
    if "graph" in problem.features and problem.features <= PLAIN_FEATURES:
        return _portfolio(task, problem, settings)
    clock = Clock(settings)
    searched = task == "construct" and settings.seed is None and takes("search", task, problem)
    trials = {"search": _SEARCH_MOMENT} if searched else {}
    cells = len(problem.ground)
    if searched and cells >= _SLOWLY_PREDICTED and not takes("divide", task, problem):
        first = {"walk": max(_TRIALS["walk"], cells * _WALKED)} if takes("walk", task, problem) else {}
        first["search"] = trials.pop("search")
        for name, seconds in first.items():
            answer = _tried(name, task, problem, clock.within(settings), seconds)
            if answer is not None:
                return answer
    names = contenders(task, problem, clock.within(settings), raced=task == "count" or settings.seed is None)
    if len(names) > 1 and worth_a_trial(problem):
        trials[next(name for name in names if name not in trials)] = _MOMENT
        for name, seconds in trials.items():
            answer = _tried(name, task, problem, clock.within(settings), seconds)
            if answer is not None:
                return answer
    return race(task, problem, names, clock.within(settings))


def contenders(task: str, problem: TourProblem, settings: Settings, *, raced: bool) -> list[str]:
    """The favourite by prediction and, if ``raced``, those that may be faster. Remarks say why.

    Raises
    ------
    Refused
        If no engine takes the task for the problem.
    """
    found = predicted(task, problem, settings)
    if not found:
        choose("auto", task, problem)
    cores = min(settings.thread_budget, os.cpu_count() or 1)
    chosen = rivals(found, most=max(2, min(cores, _MOST_RIVALS))) if raced else found[:1]
    names = [each.engine.name for each in chosen]
    settings.say(f"predicted: {', '.join(map(str, found[:4]))}")
    if len(names) > 1:
        settings.say(f"unsure: {names[0]} first, then side by side with {' and '.join(names[1:])}")
    else:
        settings.say(f"chosen: {names[0]}")
    return names


def worth_a_trial(problem: TourProblem) -> bool:
    """Whether a model of the problem is stated within a moment."""
    steps = len(problem.ground) ** 2 if problem.step_indexed else 0
    return len(problem.ground.edges) + steps <= _STATED


class Listing:
    """The tours of a problem, one by one.

    Parameters
    ----------
    number:
        How many are wanted at most; None for all.

    Attributes
    ----------
    engine:
        Name of the engine that lists them; of several, until one of them has listed all.
    """

    def __init__(self, problem: TourProblem, engine: str, settings: Settings, number: int | None) -> None:
        self._problem, self._settings, self._number = problem, settings, number
        if engine == "auto" and self._swept():
            names = ["frontier"]
        elif engine == "auto":
            names = contenders("enumerate", problem, settings, raced=settings.seed is None)
        else:
            names = [choose(engine, "enumerate", problem).name]
        self._names = names
        self.engine = ", ".join(names)

    def _swept(self) -> bool:
        """Whether the sweep is cheap on a bare graph."""
        problem = self._problem
        if "graph" not in problem.features or len(problem.ground) <= _LISTED:
            return False
        sweep = _predicted("frontier", "enumerate", problem, self._settings)
        return sweep is not None and sweep.states <= _CHEAP["construct"]

    def __iter__(self) -> Iterator[Tour]:
        if len(self._names) == 1:
            yield from self._listed(self._names[0], self._settings)
            return
        clock = Clock(self._settings)
        seen: set[tuple[int, ...]] = set()
        if worth_a_trial(self._problem):
            left = self._settings.timeout
            brief = replace(self._settings, timeout=_MOMENT if left is None else min(left, _MOMENT))
            try:
                for tour in self._listed(self._names[0], brief):
                    seen.add(tour.normalised().indices)
                    yield tour
                self.engine = self._names[0]
                return
            except LimitReached:
                if left is not None and left <= _MOMENT:
                    raise
        if self._number is not None and seen:
            # A few tours are wanted, and the favourite finds some.
            self.engine = self._names[0]
            for tour in self._listed(self.engine, clock.within(self._settings)):
                if tour.normalised().indices not in seen:
                    yield tour
        else:
            yield from self._merged(seen, clock.within(self._settings))

    def _listed(self, name: str, settings: Settings) -> Iterator[Tour]:
        chosen = engine_named(name)
        if self._number is not None and isinstance(chosen, FindsSeveral):
            return chosen.several(self._problem, settings, self._number)
        return chosen.enumerate(self._problem, settings)

    def _merged(self, seen: set[tuple[int, ...]], settings: Settings) -> Iterator[Tour]:
        """The tours of several engines, each once, until one of them has listed all."""
        problem = self._problem
        clock = Clock(settings)
        works = {name: partial(_list, ENGINES[name], problem) for name in self._names}
        found: dict[str, set[tuple[int, ...]]] = {name: set() for name in works}
        with closing(side_by_side(works, settings)) as results:
            for result in results:
                if result.last:
                    self.engine = result.name
                    settings.say(f"{result.name} has listed all first, after {shown_seconds(clock.elapsed)}")
                    if len(found[result.name]) != len(seen):
                        raise WrongAnswer(
                            f"engine {result.name} lists {len(found[result.name])} tours of {problem}, "
                            f"and other engines {len(seen)}"
                        )
                    return
                tour = Tour.from_indices(problem.ground, result.value, problem.closed)
                key = tour.normalised().indices
                found[result.name].add(key)  # an engine that starts again lists its tours again
                if key not in seen:
                    seen.add(key)
                    yield tour
                if len(seen) >= _MERGED:
                    break
        self.engine = max(found, key=lambda name: len(found[name]))
        settings.say(f"{self.engine} goes on alone: it has listed most")
        for tour in self._listed(self.engine, clock.within(settings)):
            if tour.normalised().indices not in seen:
                yield tour


def _list(path: str, problem: TourProblem, settings: Settings) -> Iterator[list[int]]:
    """List in a worker process: the indices of tours."""
    for tour in engine_at(path).enumerate(problem, settings):
        yield list(tour.indices)


def _portfolio(task: Task, problem: TourProblem, settings: Settings) -> tuple[str, Tour | Counted | None]:
    clock = Clock(settings)

    def tried(name: str, seconds: float) -> tuple[str, Tour | Counted | None] | None:
        if not takes(name, task, problem):
            return None
        return _tried(name, task, problem, clock.within(settings), seconds)

    if len(problem.ground) <= _SMALL[task] and (answer := tried("search", _TRIALS["search"])):
        return answer
    large = task == "construct" and len(problem.ground.edges) >= _LARGE
    if large and (answer := tried("walk", _TRIALS["walk"])):
        return answer
    sweep = _predicted("frontier", task, problem, clock.within(settings))
    for name, seconds in _trials(task, problem, sweep, clock.within(settings)):
        if answer := tried(name, seconds):
            return answer
    hopeless = task == "construct" and (sweep is None or sweep.states > _HOPELESS)
    racers = [name for name in RACERS[task] if not (hopeless and name == "frontier")]
    names = [name for name in racers if takes(name, task, problem)]
    return race(task, problem, names, clock.within(settings))


def _trials(
    task: Task, problem: TourProblem, sweep: Estimate | None, settings: Settings
) -> Iterator[tuple[str, float]]:
    """Yield engines to try before a race, each with its seconds: a narrow sweep, local search, others."""
    vertices, edges = len(problem.ground), len(problem.ground.edges)
    if sweep is not None and sweep.states <= _NARROW:
        yield "frontier", _CHEAP_SECONDS
    if task == "construct" and edges < _LARGE:
        yield "walk", _TRIALS["walk"]
    if task == "construct" and vertices <= _SEARCHED:
        # The search checks connectivity at each of its steps.
        yield "search", _TRIALS["search"] * max(1.0, vertices / 1000)
    if task == "count" and sweep is not None and sweep.states > _WIDE:
        join = _predicted("join", task, problem, settings)
        if join is not None and join.seconds < min(sweep.seconds, _CHEAP_SECONDS):
            yield "join", _CHEAP_SECONDS
    if sweep is not None and _NARROW < sweep.states <= _CHEAP[task]:
        yield "frontier", _CHEAP_SECONDS
    if task == "construct" and settings.memory is None and edges <= _STATED:
        yield "sat", _TRIALS["sat"]


def _predicted(name: str, task: str, problem: TourProblem, settings: Settings) -> Estimate | None:
    """The predicted cost of an engine; None if it takes no such question or finds no plan at once."""
    if not takes(name, task, problem):
        return None
    left = settings.timeout
    limited = replace(settings, timeout=_PREDICTED if left is None else min(left, _PREDICTED))
    try:
        expected = engine_named(name).estimate(problem, limited)
    except LimitReached as limit:
        settings.say(f"{name}: {limit}")
        return None
    if expected is not None:
        wide = expected.states > _HOPELESS
        cost = (
            "too many states" if wide else f"{expected.states:.0e} states, {shown_seconds(expected.seconds)}"
        )
        settings.say(f"{name}: {cost} predicted")
    return expected


def _tried(
    name: str, task: Task, problem: TourProblem, settings: Settings, seconds: float
) -> tuple[str, Tour | Counted | None] | None:
    """The answer of an engine within some seconds, in this process; None if it has none by then."""
    left = settings.timeout
    limited = replace(settings, timeout=seconds if left is None else min(left, seconds))
    clock = Clock(None)
    try:
        answer = getattr(engine_named(name), task)(problem, limited)
    except LimitReached:
        if left is not None and left <= seconds:
            raise
        settings.say(f"{name}: no answer within {shown_seconds(seconds)}")
        return None
    settings.say(f"{name} answered after {shown_seconds(clock.elapsed)}")
    if isinstance(answer, Tour):
        checked(name, problem, answer)
    return name, answer


# -- the race ------------------------------------------------------------------------------------------------


def race(
    task: Task, problem: TourProblem, names: Sequence[str], settings: Settings
) -> tuple[str, Tour | Counted | None]:
    """The first checked answer of several engines that run at the same time (:func:`.side_by_side`).

    Raises
    ------
    WrongAnswer
        If an engine gives a wrong tour.
    LimitReached
        At the time limit, or when no engine could answer within the memory.
    InternalError
        If no engine answers and one crashed.
    """
    clock = Clock(settings)
    if len(names) == 1:
        return names[0], getattr(engine_named(names[0]), task)(problem, settings)
    works = {name: partial(_answer, ENGINES[name], task, problem) for name in names}
    with closing(side_by_side(works, settings)) as results:
        first = next(results)
    settings.say(f"{first.name} answered first, after {shown_seconds(clock.elapsed)}")
    if first.value is None or isinstance(first.value, Counted):
        return first.name, first.value
    tour = Tour.from_indices(problem.ground, first.value, problem.closed)
    return first.name, checked(first.name, problem, tour)


def _answer(path: str, task: Task, problem: TourProblem, settings: Settings) -> Iterator[Any]:
    """Answer in a worker process: the indices of a tour, None, or the number of tours."""
    answer = getattr(engine_at(path), task)(problem, settings)
    yield list(answer.indices) if isinstance(answer, Tour) else answer
