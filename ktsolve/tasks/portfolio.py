"""The choice of ``--engine auto`` on bare graphs: short trials, then several engines in a race.

No prediction tells which engine answers first about a graph. So a question is tried in this process while
that is cheap: ``search``, ``walk`` and ``sat`` for a moment, ``frontier`` if few states are predicted.
After that all engines that could answer run at the same time, each in a worker process. The first answer
wins, and the others are stopped. An engine that fails leaves the race; one that runs out of its share of the
memory starts again when the others have left it more.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, overload

from ktsolve.engines.interface import PLAIN_FEATURES, Counted, Engine, Estimate
from ktsolve.engines.registry import ENGINES, choose, engine_at, engine_named
from ktsolve.errors import InternalError, KtsolveError, LimitReached, OutOfMemory
from ktsolve.ground.notation import number_of
from ktsolve.ground.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Clock, Settings, shown_bytes, shown_seconds
from ktsolve.tasks.answer import checked

__all__ = ["answer_to", "lister", "race"]

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

HUNGRY = {"frontier": 4, "join": 4}
"""Shares of the memory: these engines keep tables, the others have one share."""

_PROCESS = 1 << 30
"""Bytes of address space of a process besides the tables of a native engine: modules, stacks."""


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

    ``auto`` is a portfolio on bare graphs and :func:`ktsolve.engines.registry.choose` elsewhere.

    Raises
    ------
    LimitReached
        If time or memory runs out first.

    Examples
    --------
    >>> answer_to("count", TourProblem(board="6x6", closed=True), "auto", Settings())[1].count
    9862
    """
    if engine == "auto" and "graph" in problem.features and problem.features <= PLAIN_FEATURES:
        return _portfolio(task, problem, settings)
    chosen = choose(engine, task, problem)
    return chosen.name, getattr(chosen, task)(problem, settings)


def lister(problem: TourProblem, engine: str, settings: Settings) -> Engine:
    """The engine that lists the tours: on a bare graph ``auto`` takes the sweep where it is cheap."""
    if engine == "auto" and len(problem.ground) > _LISTED:
        sweep = _predicted("frontier", "enumerate", problem, settings)
        if sweep is not None and sweep.states <= _CHEAP["construct"]:
            return engine_named("frontier")
    return choose(engine, "enumerate", problem)


def _portfolio(task: Task, problem: TourProblem, settings: Settings) -> tuple[str, Tour | Counted | None]:
    clock = Clock(settings.timeout)

    def tried(name: str, seconds: float) -> tuple[str, Tour | Counted | None] | None:
        if not _takes(name, task, problem):
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
    names = [name for name in racers if _takes(name, task, problem)]
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


def _takes(name: str, task: str, problem: TourProblem) -> bool:
    return engine_named(name).unsupported_feature(task, problem) is None


def _predicted(name: str, task: str, problem: TourProblem, settings: Settings) -> Estimate | None:
    """The predicted cost of an engine; None if it takes no such question or finds no plan at once."""
    if not _takes(name, task, problem):
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


@dataclass
class _Racer:
    name: str
    memory: int


def race(
    task: Task, problem: TourProblem, names: Sequence[str], settings: Settings
) -> tuple[str, Tour | Counted | None]:
    """The first checked answer of several engines that run at the same time, each in a process.

    With more engines than threads the operating system gives each a share of the time. The memory is divided.

    Raises
    ------
    WrongAnswer
        If an engine gives a wrong tour.
    LimitReached
        At the time limit, or when no engine could answer within the memory.
    InternalError
        If no engine answers and one crashed.
    """
    from ktsolve.workers import WorkerPool  # late: most questions start no process

    clock = Clock(settings.timeout)
    if len(names) == 1:
        settings.say(f"{names[0]}: no other engine takes this")
        return names[0], getattr(engine_named(names[0]), task)(problem, settings)
    cores = min(settings.thread_budget, os.cpu_count() or 1)
    settings.say(f"race of {', '.join(names)} on {number_of(cores, 'core')}")
    budget = settings.memory_budget
    share = budget // sum(HUNGRY.get(name, 1) for name in names)
    racers = [_Racer(name, share * HUNGRY.get(name, 1)) for name in names]
    running: dict[int, _Racer] = {}
    hungry: list[_Racer] = []
    failures: list[KtsolveError] = []
    with WorkerPool(len(names)) as pool:

        def start(racer: _Racer) -> None:
            ticket = names.index(racer.name)
            running[ticket] = racer
            own = replace(
                settings,
                timeout=None,
                memory=racer.memory if racer.name in HUNGRY else None,
                threads=cores,
                progress=None,
                remark=None,
            )
            job = partial(_run, ENGINES[racer.name], task, problem, own, cores)
            # Native engines keep to their memory by themselves; the limit of the process stops the others.
            limit = None if settings.memory is None else racer.memory + _PROCESS
            pool.start(ticket, job, limit)

        for racer in racers:
            start(racer)
        while running:
            clock.check(f"no answer of {', '.join(each.name for each in running.values())} yet")
            left = clock.left
            for event in pool.wait(0.1 if left is None else min(left, 0.1) + 1e-3):
                if event.kind == "progress":
                    if settings.progress is not None:
                        settings.progress(None, f"{running[event.ticket].name}: {event.value}")
                    continue
                if event.kind == "done":
                    continue
                racer = running.pop(event.ticket)
                if event.kind == "result":
                    settings.say(f"{racer.name} answered first, after {shown_seconds(clock.elapsed)}")
                    return racer.name, _answer(racer.name, problem, event.value)
                assert isinstance(event.value, KtsolveError)
                settings.say(f"{racer.name} left the race: {event.value}")
                failures.append(event.value)
                if isinstance(event.value, OutOfMemory):
                    hungry.append(racer)
            if hungry:
                free = budget - sum(each.memory for each in running.values())
                most = max(hungry, key=lambda each: each.memory)
                if free > 1.25 * most.memory:
                    hungry.remove(most)
                    settings.say(f"{most.name} starts again with {shown_bytes(free)}")
                    start(_Racer(most.name, free))
    raise next((each for each in failures if isinstance(each, InternalError)), failures[-1])


def _answer(name: str, problem: TourProblem, value: Any) -> Tour | Counted | None:
    if value is None or isinstance(value, Counted):
        return value
    return checked(name, problem, Tour.from_indices(problem.ground, value, problem.closed))


def _run(
    path: str,
    task: Task,
    problem: TourProblem,
    settings: Settings,
    cores: int,
    progress: Callable[[Any], None],
) -> Iterator[Any]:
    """Answer in a worker process: the indices of a tour, None, or the number of tours."""
    if hasattr(os, "sched_setaffinity"):
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])

    def report(_fraction: float | None, text: str) -> None:
        progress(text)

    answer = getattr(engine_at(path), task)(problem, replace(settings, progress=report))
    yield list(answer.indices) if isinstance(answer, Tour) else answer
