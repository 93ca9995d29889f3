"""The engines that ``auto`` has chosen, one after the other and side by side.

On boards the favourite runs alone if the choice is sure. Otherwise it is tried for a moment in this process,
after the trials for boards; then it and its rivals run at the same time, each in a worker process. The first
checked answer wins, and the others are stopped. An optimum that is not proved after a moment is left to all
engines that may prove it: the first proof wins, and at the limit the best solution and the tightest bound of
all are given.

With a seed one tour, lists and optima of models come from the favourite alone: they depend on no race. The
order of the tours depends on the problem alone.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from time import process_time, sleep
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar, overload

from ktsolve.base.errors import KtsolveError, LimitReached, WrongAnswer
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.units import shown_seconds
from ktsolve.engines.auto import Trials, briefly, choose, contenders, sure, worth_a_trial
from ktsolve.engines.interface import Counted, checked
from ktsolve.engines.protocols import FindsSeveral
from ktsolve.engines.registry import ENGINES, engine_named
from ktsolve.engines.side_by_side import IDLE, Result, side_by_side
from ktsolve.engines.solver import Solved
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem

if TYPE_CHECKING:
    from ktsolve.model.constraints import Literal as ModelLiteral

__all__ = ["Beside", "Listing", "Optimisation", "Optimum", "answer_to", "improving", "race"]

_LARGE = 900  # cells of a board from which predictions take longer than trials, which then come before them

_MOMENT = 0.7
"""Seconds for which the favourite runs alone where the choice is unsure: less than other processes take to
start and to catch up."""

_MOMENT_FOR_BEST = 1.0  # seconds for which it runs alone where the best solution is wanted
_TRIED_AFTER = 0.6  # seconds after which another engine has a trial
_TRIAL = 0.25  # seconds of that
_POLL = 0.05  # seconds between looks at worker processes
_LAST_WORDS = 0.5  # seconds before the limit at which engines side by side give the best they have
_MERGED = 20_000  # tours that several engines list together; then the one that has most of them goes on alone

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
    """The name of the engine that answered, and a tour, None, or the number of tours. Raises LimitReached.

    >>> answer_to("count", TourProblem(board="6x6", closed=True), "auto", Settings())[1].count
    9862
    """
    if engine != "auto":
        chosen = choose(engine, task, problem)
        return chosen.name, getattr(chosen, task)(problem, settings)
    clock = Clock(settings)
    trials = Trials(task, problem, clock, settings)
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
        answer = getattr(engine_named(name), task)(problem, briefly(settings, seconds))
    except LimitReached as limit:
        if left is not None and left <= seconds:
            raise
        refused = clock.elapsed < seconds
        settings.say(f"{name}: {limit if refused else f'no answer within {shown_seconds(seconds)}'}")
        return None
    settings.say(f"{name} answered after {shown_seconds(clock.elapsed)}")
    if isinstance(answer, Tour):
        checked(name, problem, answer)
    return name, answer


def race(task: Task, problem: TourProblem, names: Sequence[str], settings: Settings) -> _Answer:
    """The first checked answer of several engines that run at the same time.

    Raises as :func:`.side_by_side`, and WrongAnswer if an engine gives a wrong tour.
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
    names: Sequence[str],
    work: Callable[[str, Settings], Iterator[Any]],
    settings: Settings,
    *,
    polled: bool = False,
) -> Generator[Result, None, None]:
    """The results of work(name, settings) for several engines, each in a worker process."""
    works = {name: partial(_registered, name, ENGINES[name], work) for name in names}
    shares = {name: engine_named(name).memory_shares for name in names}
    return side_by_side(works, settings, shares, polled=polled)


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
    """The tours of a problem, one by one; ``number`` of them are wanted at most, or all.

    ``engine`` names the engine that lists them; of several, all until one of them has listed all.
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
                for tour in self._listed(self._names[0], briefly(self._settings, _MOMENT)):
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
        happens before a solution is found. The engine may begin with ``start``, a solution as in
        :class:`Solved`.
        """

    def read(self, name: str, solution: Any) -> tuple[_T_co, int]:
        """A solution as the caller has it, and its value. Raises WrongAnswer, which names the engine."""


@dataclass(frozen=True)
class Optimum(Generic[_T]):
    """What is known about the best solution: the best so far, its value, the engine that found or proved it.

    - ``bound``: No solution is better than this; None if nothing is proved.
    - ``impossible``: Whether there is no solution.
    - ``core``: Then those of the assumptions that no solution satisfies.
    - ``raw``: The solution as the engines have it; or one from which they may begin.
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


@dataclass(frozen=True)
class Beside(Generic[_T]):
    """The first engine is at work in this process, and the others join it.

    Before that, each of ``tried`` has a short trial between two steps of the first one. ``stops`` is called
    with what others find meanwhile, and says whether to stop.
    """

    tried: Sequence[str]
    stops: Callable[[Optimum[_T]], bool]


def improving(
    task: Optimisation[_T],
    names: Sequence[str],
    settings: Settings,
    known: Optimum[_T],
    *,
    tried: int = 0,
    beside: Beside[_T] | None = None,
) -> Generator[Optimum[_T], None, None]:
    """Better and better solutions: the first engines in turn, each for a moment, and then all, side by side.

    The last is proved best, or time or memory ran out. Raises LimitReached if this happens before any
    solution is found. ``known`` is what is known before, such as a bound; ``tried`` engines run in turn. With
    ``beside`` the first one runs in this process to its end. Engines side by side have worker processes.
    """
    clock, stop = Clock(settings), LimitReached("stopped before any solution was found")
    alone = len(names) == 1
    others = [] if alone else names[1:] if beside else names
    race = _Race(task, others, settings, known, beside)
    with closing(race):
        for name in names[:1] if alone or beside else names[:tried]:
            left = clock.left
            whole = alone or (left is not None and left <= _MOMENT_FOR_BEST)
            within = clock.within(settings)
            try:
                yield from race.turn(name, within if whole or beside else briefly(within, _MOMENT_FOR_BEST))
            except _Settled:
                yield race.known
                return
            except LimitReached as reached:
                stop = reached
            if race.known.proved:
                return
            if whole and not beside:
                break
        left = clock.left
        if others and (left is None or left > 0):
            try:
                yield from race.rest()
            except LimitReached as reached:
                stop = reached
    if race.known.best is None and not race.known.proved:
        raise stop
    yield race.known


class _Settled(Exception):
    """What other engines found ends the work of the first one."""


class _Race(Generic[_T]):
    """Engines side by side in worker processes, perhaps beside one that is at work in this process.

    ``known`` is what all of them have found.
    """

    def __init__(
        self,
        task: Optimisation[_T],
        names: Sequence[str],
        settings: Settings,
        known: Optimum[_T],
        beside: Beside[_T] | None,
    ) -> None:
        self._task, self._names, self._settings, self.known = task, names, settings, known
        self._beside = beside if names else None
        self._tried = list(self._beside.tried) if self._beside else []
        self._clock, self._cpu = Clock(settings), process_time()
        self._results: Generator[Result, None, None] | None = None

    def turn(self, name: str, settings: Settings) -> Iterator[Optimum[_T]]:
        """What an engine finds in this process, with looks at those beside it. Raises _Settled."""
        if self._beside:
            settings = replace(settings, progress=self._watch)
            if settings.memory is not None:
                settings = replace(settings, memory=settings.memory_budget // 2)
        for found in self._task.improving(name, settings, self.known.raw):
            self.known = self.known.after(name, found, self._task)
            yield self.known
            if self.known.proved:
                return
            if self._beside:
                self._look()

    def _watch(self, fraction: float | None, text: str) -> None:
        """Show progress, and look at the others. Raises _Settled."""
        if self._settings.progress is not None:
            self._settings.progress(fraction, text)
        self._look()

    def _look(self) -> None:
        """Start the others when it is time, and take what they have found. Raises _Settled."""
        # On a busy machine the first engine has not had much of the time that has passed.
        used = max(process_time() - self._cpu, self._clock.elapsed / 3)
        while self._tried and used >= _TRIED_AFTER:
            self._try(self._tried.pop(0))
        if used < _MOMENT_FOR_BEST or not self._names:
            return
        try:
            for result in self._raced():
                if result == IDLE:
                    break
                self._settle(result)
        except WrongAnswer:
            raise
        except KtsolveError as error:  # without the others the first engine goes on
            self._settings.say(str(error))
            self._names = ()

    def rest(self) -> Iterator[Optimum[_T]]:
        """What the engines side by side find, when none is at work in this process."""
        for result in self._raced():
            if result == IDLE:
                sleep(_POLL)
            elif self._take(result):
                yield self.known
            if self.known.proved:
                return

    def close(self) -> None:
        """Stop the engines side by side."""
        if self._results is not None:
            self._results.close()

    def _raced(self) -> Generator[Result, None, None]:
        if self._results is None:
            within = self._clock.within(self._settings)
            if self._beside and within.memory is not None:
                within = replace(within, memory=within.memory_budget // 2)
            self._results = _improvements(self._task, self._names, within, self.known.raw)
        return self._results

    def _take(self, result: Result) -> bool:
        """Take a result; return whether it has news."""
        if result.last:
            return False
        before, self.known = self.known, self.known.after(result.name, result.value, self._task)
        if self.known.proved:
            self._settings.say(f"{result.name} was first, after {shown_seconds(self._clock.elapsed)}")
        return self.known != before

    def _settle(self, result: Result) -> None:
        """Take a result. Raises _Settled if it ends the work of the first engine."""
        news = self._take(result)
        if self.known.proved or (news and self._beside and self._beside.stops(self.known)):
            raise _Settled

    def _try(self, name: str) -> None:
        limits = briefly(replace(self._clock.within(self._settings), progress=None), _TRIAL)
        with suppress(LimitReached):
            for found in self._task.improving(name, limits, self.known.raw):
                self._settle(Result(name, found))


def _improvements(
    task: Optimisation[Any], names: Sequence[str], settings: Settings, start: Any
) -> Generator[Result, None, None]:
    """The better and better solutions of several engines, each in a worker process."""
    # Each is stopped a little before the limit, so that it gives what it has.
    left = settings.timeout
    seconds = None if left is None else max(left / 2, left - _LAST_WORDS)
    return _raced(names, partial(_improve, task, start, seconds), settings, polled=True)


def _improve(
    task: Optimisation[Any], start: Any, seconds: float | None, name: str, settings: Settings
) -> Iterator[Solved]:
    """Optimise in a worker process."""
    return task.improving(name, replace(settings, timeout=seconds), start)
