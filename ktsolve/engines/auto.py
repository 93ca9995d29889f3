"""The choice of engines, for every task: ``--engine auto``.

Engines state as data what they take (:attr:`.Engine.capabilities`), what a task costs
(:meth:`.Engine.rough_estimate`), and when a trial of theirs is worth its time (:class:`.Trial`). This file
has the rules, and no name of an engine.

On boards engines predict their cost (:mod:`ktsolve.engines.prediction`). The favourite runs alone if the
choice is sure. Otherwise it is tried for a moment in this process, after the trials for boards; then it and
its rivals run at the same time, each in a worker process. The first checked answer wins, and the others are
stopped. On bare graphs predictions are worth less: the trials for graphs come first, then all engines whose
last trial has no end run at the same time. Models go to the solver that suits their sums.

An optimum that is not proved after a moment is left to all engines that may prove it: the first proof wins,
and at the limit the best solution and the tightest bound of all are given.

With a seed one tour, lists and optima of models come from the favourite alone: they depend on no race. The
order of the tours depends on the problem alone, and so does the engine that numbers them.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar, overload

from ktsolve.base.errors import LimitReached, Refused, WrongAnswer
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.units import shown_seconds
from ktsolve.engines.interface import PLAIN_FEATURES, TASKS, Counted, Engine, Estimate, Trial, checked
from ktsolve.engines.prediction import Prediction, predictions, rivals
from ktsolve.engines.protocols import EstimatesPairs, FindsSeveral, RanksTours
from ktsolve.engines.registry import (
    AUTO,
    ENGINES,
    MODEL_ENGINES,
    TRIED_FIRST,
    engine_named,
    engines_for,
    solver_named,
    takes,
    use_instead,
)
from ktsolve.engines.side_by_side import Result, side_by_side
from ktsolve.engines.solver import ModelSolver, Solved
from ktsolve.graphs.board import BYTES_PER_CELL, Board, check_cells
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import FEATURES, TourProblem

if TYPE_CHECKING:
    from ktsolve.model.constraints import Constraint
    from ktsolve.model.constraints import Literal as ModelLiteral
    from ktsolve.model.model import Model

__all__ = [
    "Listing",
    "Optimisation",
    "Optimum",
    "answer_to",
    "check_taken",
    "choose",
    "contenders",
    "engine_for_all",
    "engine_for_pairs",
    "fitting",
    "improving",
    "model_solver",
    "model_solvers",
    "predicted",
    "race",
    "ranked",
    "sure",
    "worth_a_trial",
]

_LARGE = 900
"""Cells of a board from which predictions take longer than trials, which then come before them."""

_STATED = 10_000
"""Edges, and variables for steps, of a model that is stated within a moment."""

_PREDICTED = 1.0
"""Seconds for the prediction of an engine on a bare graph."""

_WIDE = 1e10
"""Predicted states from which a remark gives no number."""

_MOMENT = 0.7
"""Seconds for which the favourite runs alone where the choice is unsure: less than other processes take to
start and to catch up."""

_MOMENT_FOR_BEST = 1.0
"""Seconds for which it runs alone where the best solution is wanted."""

_LAST_WORDS = 0.5
"""Seconds before the limit at which engines side by side give the best they have."""

_MOST_RIVALS = 3
"""Engines side by side, at most; no more than cores, but two."""

_MERGED = 20_000
"""Tours that several engines list together; then the one that has most of them goes on alone."""

_HEAVY = 1000
"""Least total of the weights of a sum that goes to a solver that adds. A subset of 30 numbers of five digits
with a given sum takes 0.32 CPU seconds as clauses, and 0.13 by CP-SAT."""

# -- one engine ----------------------------------------------------------------------------------------------


def predicted(task: str, problem: TourProblem, settings: Settings | None = None) -> list[Prediction]:
    """The engines that take the task for the problem and that ``auto`` may choose, by predicted cost.

    >>> [each.engine.name for each in predicted("count", TourProblem(board="8x8", closed=True))][:2]
    ['join', 'frontier']
    """
    # One by one: an engine that need not predict is not even imported.
    able = (engine_named(name) for name in AUTO if takes(name, task, problem))
    return predictions(task, problem, able, settings or Settings())


def ranked(task: str, problem: TourProblem) -> Iterator[str]:
    """Names of the engines that take the task for the problem and that ``auto`` may choose, the best first.

    >>> list(ranked("count", TourProblem(board="8x8", closed=True)))
    ['join', 'frontier', 'search', 'sat', 'cpsat', 'strip']
    """
    if task == "rank":
        able = [engine for engine in map(engine_named, AUTO) if isinstance(engine, RanksTours)]
        places = {each.name: each.ranks_at(problem) for each in able if takes(each.name, task, problem)}
        yield from sorted(places, key=places.__getitem__)
        return
    names = [each.engine.name for each in predicted(task, problem)]
    yield from names
    # Those left out because another one is sure to be fast.
    yield from (name for name in AUTO if name not in names and takes(name, task, problem))


def check_taken(task: str, problem: TourProblem) -> None:
    """Raise Refused unless ``auto`` has an engine that takes the task for the problem."""
    if any(takes(name, task, problem) for name in AUTO):
        return
    able = [each.capabilities[task] for each in map(engine_named, ENGINES) if task in each.capabilities]
    missing = problem.features.difference(*able) if able else set()
    if not missing:
        raise Refused(f"no engine can {task} for {problem}")
    unsupported = min(missing, key=list(FEATURES).index)
    raise Refused(f"no engine can {task} tours with {FEATURES[unsupported]} ({unsupported})")


def choose(name: str, task: str, problem: TourProblem) -> Engine:
    """The engine of that name, if it takes the task for the problem; for ``auto`` the first choice.

    Raises
    ------
    Refused
        Naming the condition that the engine does not take, and the engines that do.
    """
    if name == "auto":
        check_taken(task, problem)
        return engine_named(next(ranked(task, problem)))
    engine = engine_named(name)
    unsupported = engine.unsupported_feature(task, problem)
    if unsupported is None:
        return engine
    instead = use_instead(engines_for(task, problem))
    if unsupported in TASKS:
        raise Refused(f"engine {name} cannot {task} tours: {instead}")
    condition = f"{FEATURES[unsupported]} ({unsupported})"
    if unsupported in engine.needs:
        raise Refused(f"engine {name} takes only problems with {condition}: {instead}")
    raise Refused(f"engine {name} cannot {task} with {condition}: {instead}")


def fitting(name: str, task: str, problem: TourProblem, settings: Settings) -> str:
    """Return the name; for ``auto`` on a board that memory does not hold, an engine that reads its sides.

    Raises
    ------
    OutOfMemory
        If the board does not fit into memory as objects, and the engine lists its cells.

    Examples
    --------
    >>> problem = TourProblem(board="30000x40000", closed=True)
    >>> fitting("auto", "construct", problem, Settings(memory="1G"))
    'divide'
    """
    board = problem.ground
    if isinstance(board, Board) and len(board) * BYTES_PER_CELL > settings.memory_budget:
        width = min(board.rows, board.columns)
        for each in AUTO if name == "auto" else [name]:
            if width <= engine_named(each).reads_sides and takes(each, task, problem):
                return each
        check_cells(len(board), BYTES_PER_CELL, settings)
    return name


def engine_for_all(engine: str, task: str, questions: Sequence[TourProblem]) -> Engine:
    """The engine that takes all questions; for ``auto`` the best of these for the first question.

    Raises
    ------
    Refused
        If the named engine does not take a question, or no engine takes all of them.
    """
    if engine == "auto":
        for name in ranked(task, questions[0]):
            if all(takes(name, task, each) for each in questions):
                return engine_named(name)
        raise Refused(f"no engine can {task} tours for all pairs of ends: give one start and one end")
    for each in questions[1:]:
        choose(engine, task, each)
    return choose(engine, task, questions[0])


def engine_for_pairs(
    engine: str,
    problem: TourProblem,
    question: TourProblem,
    pairs: Sequence[tuple[Cell, Cell]],
    settings: Settings,
) -> Engine:
    """The engine that counts pairs of ends: for ``auto`` one that shares work between them if that is faster.

    Parameters
    ----------
    question:
        The problem with one of the pairs.
    """
    if engine != "auto":
        return choose(engine, "count", question)
    favourite = predicted("count", question, settings)[0]
    for name in AUTO:
        sharing = engine_named(name)
        if isinstance(sharing, EstimatesPairs) and takes(name, "count", question):
            together = sharing.estimate_pairs(problem, pairs, settings)
            if together is not None and together.seconds < len(pairs) * favourite.seconds:
                return sharing
    return favourite.engine


# -- trials --------------------------------------------------------------------------------------------------


class _Trials:
    """The trials of all engines for a task, with the estimates on which they depend."""

    def __init__(self, task: str, problem: TourProblem, clock: Clock, settings: Settings) -> None:
        self._task, self._problem, self._clock, self._settings = task, problem, clock, settings
        self.bare = "graph" in problem.features and problem.features <= PLAIN_FEATURES
        self._ground = "graph" if self.bare else "board"
        self._estimates: dict[str, Estimate | None] = {}

    def early(self) -> Iterator[tuple[str, float]]:
        """Engines to try before any prediction, each with its seconds."""
        for name in TRIED_FIRST:
            if takes(name, self._task, self._problem):
                if engine_named(name).builds:
                    return
                yield from self._worth(self._rows([name], early=True))

    def timed(self) -> Iterator[tuple[str, float]]:
        """Engines to try after the early ones, each with its seconds, in the order of their places."""
        # A generator: where the choice is sure, no further engine is imported.
        yield from self._worth(row for row in self._rows(ENGINES) if row[1].seconds < math.inf)

    def endless(self) -> list[str]:
        """Engines that run to their end."""
        rows = (row for row in self._rows(ENGINES) if row[1].seconds == math.inf)
        return [name for name, _ in self._worth(rows)]

    def _rows(self, names: Iterable[str], *, early: bool = False) -> list[tuple[str, Trial]]:
        able = (name for name in names if takes(name, self._task, self._problem))
        rows = ((name, row) for name in able for row in engine_named(name).trials if row.early == early)
        fitting = (row for row in rows if row[1].fits(self._task, self._ground, self._problem))
        return sorted(fitting, key=lambda row: row[1].place)

    def _worth(self, rows: Iterable[tuple[str, Trial]]) -> Iterator[tuple[str, float]]:
        cells = len(self._problem.ground)
        for name, row in rows:
            if (self._settings.memory is None or row.in_memory_limit) and self._is_cheap(name, row):
                yield name, max(row.seconds, cells * row.seconds_per_cell)

    def _is_cheap(self, name: str, row: Trial) -> bool:
        """Whether the estimate is within the bounds of a trial."""
        if not row.predicts:
            return True
        others = [each for each in self._estimates.values() if each is not None]
        if row.others and all(each.states <= row.others for each in others):
            return False
        expected = self._estimate(name)
        if expected is None:
            return False
        if row.others and expected.seconds >= min(row.seconds, *(each.seconds for each in others)):
            return False
        least, most = row.states
        # A state at the border belongs to the smaller range.
        within = expected.states <= most and (expected.states > least or not least)
        return within and expected.states * len(self._problem.ground) <= row.work

    def _estimate(self, name: str) -> Estimate | None:
        """The predicted cost of an engine; None if it makes no prediction at once."""
        if name not in self._estimates:
            settings = self._clock.within(self._settings)
            self._estimates[name] = None
            try:
                expected = engine_named(name).estimate(
                    self._problem, _brief(settings, _PREDICTED), self._task
                )
            except LimitReached as limit:
                settings.say(f"{name}: {limit}")
                return None
            if expected is not None:
                wide = expected.states > _WIDE
                states = f"{expected.states:.0e} states, {shown_seconds(expected.seconds)}"
                settings.say(f"{name}: {'too many states' if wide else states} predicted")
            self._estimates[name] = expected
        return self._estimates[name]


def _brief(settings: Settings, seconds: float) -> Settings:
    """The settings with at most these seconds."""
    left = settings.timeout
    return replace(settings, timeout=seconds if left is None else min(left, seconds))


def sure(task: str, problem: TourProblem, settings: Settings) -> list[str]:
    """The engines that run to their end by their trials alone, whatever others predict."""
    return _Trials(task, problem, Clock(settings), settings).endless()


def worth_a_trial(problem: TourProblem) -> bool:
    """Whether a model of the problem is stated within a moment."""
    steps = len(problem.ground) ** 2 if problem.step_indexed else 0
    return len(problem.ground.edges) + steps <= _STATED


def contenders(task: str, problem: TourProblem, settings: Settings, *, raced: bool) -> list[str]:
    """The favourite by prediction and, if ``raced``, those that may be faster. Remarks say why.

    Raises
    ------
    Refused
        If no engine takes the task for the problem.
    """
    check_taken(task, problem)
    found = predicted(task, problem, settings)
    cores = min(settings.thread_budget, os.cpu_count() or 1)
    chosen = rivals(found, most=max(2, min(cores, _MOST_RIVALS))) if raced else found[:1]
    names = [each.engine.name for each in chosen]
    settings.say(f"predicted: {', '.join(map(str, found[:4]))}")
    if len(names) > 1:
        settings.say(f"unsure: {names[0]} first, then side by side with {' and '.join(names[1:])}")
    else:
        settings.say(f"chosen: {names[0]}")
    return names


# -- one answer ----------------------------------------------------------------------------------------------

Task = Literal["construct", "count"]
_Answer = tuple[str, Tour | Counted | None]


@overload
def answer_to(
    task: Literal["construct"], problem: TourProblem, engine: str, settings: Settings
) -> tuple[str, Tour | None]: ...
@overload
def answer_to(
    task: Literal["count"], problem: TourProblem, engine: str, settings: Settings
) -> tuple[str, Counted]: ...
def answer_to(task: Task, problem: TourProblem, engine: str, settings: Settings) -> _Answer:
    """The name of the engine that answered, and a tour, None, or the number of tours.

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
    clock = Clock(settings)
    trials = _Trials(task, problem, clock, settings)
    # On boards a trial finds any tour, also with a seed.
    free = trials.bare or (task == "construct" and settings.seed is None)
    done = set()
    early = trials.early() if free and (trials.bare or len(problem.ground) >= _LARGE) else iter(())
    for name, seconds in early:
        done.add(name)
        if answer := _tried(name, task, problem, clock.within(settings), seconds):
            return answer
    names: list[str] = []
    later: Iterable[tuple[str, float]] = trials.timed() if free else ()
    if not trials.bare:
        raced = task == "count" or settings.seed is None
        names = contenders(task, problem, clock.within(settings), raced=raced)
        unsure = len(names) > 1 and worth_a_trial(problem)
        later = [each for each in later if each[0] not in done] if unsure else []
        if unsure:
            tried = [name for name, _ in later]
            later.append((next(name for name in names if name not in tried), _MOMENT))
    for name, seconds in later:
        if answer := _tried(name, task, problem, clock.within(settings), seconds):
            return answer
    return race(task, problem, names or trials.endless(), clock.within(settings))


def _tried(name: str, task: Task, problem: TourProblem, settings: Settings, seconds: float) -> _Answer | None:
    """The answer of an engine within some seconds, in this process; None if it has none by then."""
    left = settings.timeout
    clock = Clock(None)
    try:
        answer = getattr(engine_named(name), task)(problem, _brief(settings, seconds))
    except LimitReached:
        if left is not None and left <= seconds:
            raise
        settings.say(f"{name}: no answer within {shown_seconds(seconds)}")
        return None
    settings.say(f"{name} answered after {shown_seconds(clock.elapsed)}")
    if isinstance(answer, Tour):
        checked(name, problem, answer)
    return name, answer


def race(task: Task, problem: TourProblem, names: Sequence[str], settings: Settings) -> _Answer:
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
    with closing(_raced(names, partial(_answer, task, problem), settings)) as results:
        first = next(results)
    settings.say(f"{first.name} answered first, after {shown_seconds(clock.elapsed)}")
    if first.value is None or isinstance(first.value, Counted):
        return first.name, first.value
    tour = Tour.from_indices(problem.ground, first.value, problem.closed)
    return first.name, checked(first.name, problem, tour)


def _raced(
    names: Sequence[str], work: Callable[[str, Settings], Iterator[Any]], settings: Settings
) -> Generator[Result, None, None]:
    """The results of work(name, settings) for several engines, each in a worker process."""
    works = {name: partial(_registered, name, ENGINES[name], work) for name in names}
    return side_by_side(works, settings, {name: engine_named(name).memory_shares for name in names})


def _registered(
    name: str, path: str, work: Callable[[str, Settings], Iterator[Any]], settings: Settings
) -> Iterator[Any]:
    """Work in a worker process, which may not have the row of an engine that was added."""
    ENGINES.setdefault(name, path)
    return work(name, settings)


def _answer(task: Task, problem: TourProblem, name: str, settings: Settings) -> Iterator[Any]:
    """The answer in a worker process: the indices of a tour, None, or the number of tours."""
    answer = getattr(engine_named(name), task)(problem, settings)
    yield list(answer.indices) if isinstance(answer, Tour) else answer


# -- lists ---------------------------------------------------------------------------------------------------


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
        if engine == "auto":
            self._names = sure("enumerate", problem, settings) or contenders(
                "enumerate", problem, settings, raced=settings.seed is None
            )
        else:
            self._names = [choose(engine, "enumerate", problem).name]
        self.engine = ", ".join(self._names)

    def __iter__(self) -> Iterator[Tour]:
        if len(self._names) == 1:
            yield from self._listed(self._names[0], self._settings)
            return
        clock = Clock(self._settings)
        seen: set[tuple[int, ...]] = set()
        if worth_a_trial(self._problem):
            left = self._settings.timeout
            try:
                for tour in self._listed(self._names[0], _brief(self._settings, _MOMENT)):
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
            yield from self._others(seen, clock)
        else:
            yield from self._merged(seen, clock)

    def _listed(self, name: str, settings: Settings) -> Iterator[Tour]:
        chosen = engine_named(name)
        if self._number is not None and isinstance(chosen, FindsSeveral):
            return chosen.several(self._problem, settings, self._number)
        return chosen.enumerate(self._problem, settings)

    def _others(self, seen: set[tuple[int, ...]], clock: Clock) -> Iterator[Tour]:
        """The tours of one engine that are not yet seen."""
        for tour in self._listed(self.engine, clock.within(self._settings)):
            if tour.normalised().indices not in seen:
                yield tour

    def _merged(self, seen: set[tuple[int, ...]], clock: Clock) -> Iterator[Tour]:
        """The tours of several engines, each once, until one of them has listed all."""
        problem, settings = self._problem, clock.within(self._settings)
        since = Clock(None)
        found: dict[str, set[tuple[int, ...]]] = {name: set() for name in self._names}
        with closing(_raced(self._names, partial(_list, problem), settings)) as results:
            for result in results:
                if result.last:
                    self.engine = result.name
                    settings.say(f"{result.name} has listed all first, after {shown_seconds(since.elapsed)}")
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
        yield from self._others(seen, clock)


def _list(problem: TourProblem, name: str, settings: Settings) -> Iterator[list[int]]:
    """The indices of tours, in a worker process."""
    for tour in engine_named(name).enumerate(problem, settings):
        yield list(tour.indices)


# -- the best solution ---------------------------------------------------------------------------------------

_T_co = TypeVar("_T_co", covariant=True)
_T = TypeVar("_T")


class Optimisation(Protocol[_T_co]):
    """What is to be optimised; it can be pickled."""

    @property
    def least(self) -> bool:
        """Whether the least value is wanted, not the greatest."""

    def improving(self, name: str, settings: Settings, start: Any) -> Iterator[Solved]:
        """Better and better solutions of an engine, each with the bound known then.

        The last is proved best, or there is none, or time or memory ran out. Raises LimitReached if this
        happens before a solution is found.

        Parameters
        ----------
        start:
            A solution from which the engine may begin, as in :class:`Solved`; None without one.
        """

    def read(self, name: str, solution: Any) -> tuple[_T_co, int]:
        """A solution as the caller has it, and its value. Raises WrongAnswer, which names the engine."""


@dataclass(frozen=True)
class Optimum(Generic[_T]):
    """What is known about the best solution.

    Attributes
    ----------
    engine:
        The engine that found it, or that proved it.
    best, value:
        The best solution so far, and its value.
    bound:
        No solution is better than this; None if nothing is proved.
    impossible:
        Whether there is no solution.
    core:
        Then those of the assumptions that no solution satisfies.
    raw:
        The solution as the engines have it; or one from which they may begin.
    """

    engine: str
    best: _T | None = None
    value: int | None = None
    bound: int | None = None
    impossible: bool = False
    core: tuple[ModelLiteral, ...] = ()
    raw: Any = None

    @property
    def proved(self) -> bool:
        """Whether there is no better solution."""
        return self.impossible or (self.best is not None and self.value == self.bound)

    def after(self, name: str, found: Solved, task: Optimisation[_T]) -> Optimum[_T]:
        """What is known after the next result of an engine. Raises WrongAnswer if the two contradict."""
        sign = 1 if task.least else -1
        bounds = [each for each in (self.bound, found.bound) if each is not None]
        bound = max(bounds, key=lambda each: sign * each, default=None)
        known = replace(self, bound=bound)
        if found.assignment is None:
            if self.best is not None:
                raise WrongAnswer(f"engine {name} finds no solution of {task} where there is one")
            return replace(known, engine=name, impossible=True, core=found.core)
        if found.assignment is not self.raw:
            best, value = task.read(name, found.assignment)
            if self.value is None or sign * value < sign * self.value:
                known = replace(known, engine=name, best=best, value=value, raw=found.assignment)
        if bound is not None and known.value is not None and sign * known.value < sign * bound:
            raise WrongAnswer(f"engine {name} proves that no solution of {task} has the value {known.value}")
        return replace(known, engine=name) if known.proved else known


def improving(
    task: Optimisation[_T], names: Sequence[str], settings: Settings, known: Optimum[_T], *, tried: int
) -> Iterator[Optimum[_T]]:
    """Better and better solutions: some engines in turn, each for a moment, and then all, side by side.

    The last is proved best, or time or memory ran out.

    Parameters
    ----------
    known:
        What is known before, such as a bound.
    tried:
        How many engines run in turn.

    Raises
    ------
    LimitReached
        If time or memory ran out before any solution was found.
    """
    clock = Clock(settings)
    alone = len(names) == 1
    for name in names if alone else names[:tried]:
        left = clock.left
        whole = alone or (left is not None and left <= _MOMENT_FOR_BEST)
        within = clock.within(settings)
        try:
            limits = within if alone else _brief(within, _MOMENT_FOR_BEST)
            for found in task.improving(name, limits, known.raw):
                known = known.after(name, found, task)
                yield known
                if known.proved:
                    return
        except LimitReached:
            if whole and known.best is None:
                raise
        if whole:
            return
    left = clock.left
    # Each is stopped a little before the limit, so that it gives what it has.
    seconds = None if left is None else max(left / 2, left - _LAST_WORDS)
    work = partial(_improve, task, known.raw, seconds)
    try:
        with closing(_raced(names, work, clock.within(settings))) as results:
            for result in results:
                if not result.last:
                    known = known.after(result.name, result.value, task)
                    yield known
                if known.proved:
                    settings.say(f"{result.name} proved it first, after {shown_seconds(clock.elapsed)}")
                    return
    except LimitReached:
        if known.best is None:
            raise
    if known.best is None:
        raise LimitReached("stopped before any solution was found")


def _improve(
    task: Optimisation[Any], start: Any, seconds: float | None, name: str, settings: Settings
) -> Iterator[Solved]:
    """Optimise in a worker process."""
    return task.improving(name, replace(settings, timeout=seconds), start)


# -- models --------------------------------------------------------------------------------------------------


def model_solver(name: str, model: Model, *, listing: bool = False) -> ModelSolver:
    """The solver of models of that name; for ``auto`` the first of :func:`model_solvers`."""
    return model_solvers(name, model, listing=listing)[0]


def model_solvers(name: str, model: Model, *, listing: bool = False) -> list[ModelSolver]:
    """The solver of models of that name; for ``auto`` those that take the model, the preferred one first.

    A model with an objective, or with integers or large weights and without loops, goes to a solver that adds
    (:attr:`.ModelSolver.adds`): sums are long as clauses. Loops are faster as clauses, where cuts are made as
    they are needed; so are Booleans of which as many or as few as possible are to be true, by unsatisfiable
    cores (dominating queens of 8x8 in 0.7 s instead of 18 s, with one thread). A solver for whose limits the
    numbers are too large is left out where another one takes the model.

    Parameters
    ----------
    listing:
        Whether solutions are listed that differ in the shown variables alone.

    Raises
    ------
    Refused
        If the engine solves no models, or not this one.
    """
    solvers = [solver_named(each) for each in (MODEL_ENGINES if name == "auto" else (name,))]
    able = [each for each in solvers if each.unsupported_kind(model) is None]
    if not able and name == "auto":
        raise Refused(f"no engine takes all of {', '.join(sorted(model.kinds))}")
    if not able:
        others = [each for each in MODEL_ENGINES if solver_named(each).unsupported_kind(model) is None]
        raise Refused(f"engine {name} takes no {solvers[0].unsupported_kind(model)}: {use_instead(others)}")
    if len(able) == 1:
        return able
    adds = _adds(model)
    able.sort(key=lambda each: not each.lists_shown if listing else each.adds != adds)
    return [each for each in able if each.within_limits(model)] or able


def _adds(model: Model) -> bool:
    """Whether the model is mostly about sums."""
    from ktsolve.model.constraints import PLAIN_KINDS

    if model.objective is not None and not _counts(model):
        return True
    loops = model.kinds - PLAIN_KINDS - {"objective"}
    return not loops and bool(model.integers_by_number or any(map(_heavy, model.constraints)))


def _counts(model: Model) -> bool:
    """Whether the only objective is a number of true literals, up to a factor and a constant."""
    from ktsolve.model.constraints import Literal as ModelLiteral

    (objective, *more) = model.objectives
    terms = objective.total.terms
    equal = len({abs(weight) for weight, _ in terms}) <= 1
    return not more and equal and all(isinstance(variable, ModelLiteral) for _, variable in terms)


def _heavy(constraint: Constraint) -> bool:
    """Whether a constraint is a sum with large weights: its adders are many clauses."""
    from ktsolve.model.constraints import Comparison, Linear

    if isinstance(constraint, Linear):
        weights = [weight for weight, _ in constraint.terms]
    elif isinstance(constraint, Comparison):
        weights = [weight for weight, _ in constraint.normal()[0]]
    else:
        return False
    return sum(map(abs, weights)) > _HEAVY and max(map(abs, weights)) > 1
