"""The table of engines: names, modules, the choice of ``--engine auto``, and refusals.

No other file of the package lists all engines. Help texts, refusals and the cross-check take their lists
from here, so that a new engine needs one row in :data:`ENGINES` and, if ``auto`` may choose it, its name in
:data:`AUTO`.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from functools import cache

from ktsolve.base.errors import BadInput, Refused
from ktsolve.base.limits import Settings
from ktsolve.engines.interface import TASKS, Engine
from ktsolve.engines.prediction import Prediction, predictions
from ktsolve.engines.solver import ModelSolver
from ktsolve.engines.through_model import ThroughModel
from ktsolve.problem.problem import FEATURES, TourProblem

__all__ = [
    "AUTO",
    "ENGINES",
    "MODEL_ENGINES",
    "check_taken",
    "choose",
    "engine_at",
    "engine_named",
    "engines_for",
    "predicted",
    "ranked",
    "solver_named",
    "takes",
    "use_instead",
]

ENGINES: dict[str, str] = {
    "search": "ktsolve.engines.search.engine:SearchEngine",
    "frontier": "ktsolve.engines.frontier.engine:FrontierEngine",
    "join": "ktsolve.engines.join.engine:JoinEngine",
    "quotient": "ktsolve.engines.quotient.engine:QuotientEngine",
    "strip": "ktsolve.engines.strip.engine:StripEngine",
    "sat": "ktsolve.engines.through_model:SatEngine",
    "cpsat": "ktsolve.engines.through_model:CpSatEngine",
    "walk": "ktsolve.engines.walk.engine:WalkEngine",
    "divide": "ktsolve.engines.divide.engine:DivideEngine",
}
"""Name of each engine and its class, which is imported at first use."""

MODEL_ENGINES = ("sat", "cpsat")
"""Engines that solve any :class:`Model`, in the order in which ``auto`` tries them as a rule."""

# -- auto ----------------------------------------------------------------------------------------------------

AUTO: tuple[str, ...] = ("divide", "strip", "quotient", "search", "join", "frontier", "sat", "cpsat")
"""Engines that ``auto`` may choose, in the order in which they predict: those whose predictions take least
time first. Among equal predictions the order decides."""

_MOST_JOINED = 150
"""Cells from which a join would number modulo many primes, one after the other; frontier does not."""

_SWEPT_CELLS, _SWEPT_SIDE = 40, 4
"""Cells of a board, or its smaller side, up to which ``frontier`` numbers the tours; its tables are made in a
tenth of a second. On larger boards ``join`` prepares 6x10 in 0.1 s, where ``frontier`` takes a minute."""


def _ranking_order(problem: TourProblem) -> tuple[str, ...]:
    """The engines that number tours, the preferred one first.

    By the conditions and the sides of the board alone: the order of the tours depends on the engine, so that
    neither predictions nor the machine may change it.
    """
    if "graph" in problem.features or len(problem.ground) > _MOST_JOINED:
        return "quotient", "frontier", "join"
    rows, columns = problem.board.rows, problem.board.columns
    small = len(problem.ground) <= _SWEPT_CELLS or min(rows, columns) <= _SWEPT_SIDE
    if small and "wrap" not in problem.features:
        return "quotient", "frontier", "join"
    from ktsolve.engines.join.planning import has_line_separator
    from ktsolve.problem.cycle_graph import CycleGraph

    if has_line_separator(problem, CycleGraph.of(problem)):
        return "quotient", "join", "frontier"
    return "quotient", "frontier", "join"


# -- choice --------------------------------------------------------------------------------------------------


@cache
def engine_named(name: str) -> Engine:
    """The engine of that name.

    >>> engine_named("search").name
    'search'
    """
    if name not in ENGINES:
        raise BadInput(f"engine {name!r} is unknown: use auto, {', '.join(ENGINES)}")
    return engine_at(ENGINES[name])


def engine_at(path: str) -> Engine:
    """The engine of a class, given as in :data:`ENGINES`."""
    module, _, attribute = path.partition(":")
    engine = getattr(importlib.import_module(module), attribute)()
    assert isinstance(engine, Engine)
    return engine


def takes(name: str, task: str, problem: TourProblem) -> bool:
    """Whether the engine of that name takes the task for the problem."""
    return engine_named(name).unsupported_feature(task, problem) is None


def engines_for(task: str, problem: TourProblem) -> list[str]:
    """Names of the engines that take the task for the problem.

    >>> engines_for("count", TourProblem(board="6x6", closed=True, symmetry="rot90"))
    ['search', 'frontier', 'quotient', 'sat', 'cpsat']
    """
    return [name for name in ENGINES if takes(name, task, problem)]


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
        for name in _ranking_order(problem):
            if takes(name, task, problem):
                yield name
        return
    names = [each.engine.name for each in predicted(task, problem)]
    yield from names
    # Those left out because another one is sure to be fast.
    for name in AUTO:
        if name not in names and takes(name, task, problem):
            yield name


def check_taken(name: str, task: str, problem: TourProblem) -> None:
    """Raise Refused unless the engine of that name takes the task for the problem; for ``auto`` any one."""
    if name != "auto":
        choose(name, task, problem)
    elif not any(takes(each, task, problem) for each in AUTO):
        raise Refused(_no_engine(task, problem))


def choose(name: str, task: str, problem: TourProblem) -> Engine:
    """The engine of that name, if it takes the task for the problem; for ``auto`` the first choice.

    Raises
    ------
    Refused
        Naming the condition that the engine does not take, and the engines that do.
    """
    if name == "auto":
        first = next(ranked(task, problem), None)
        if first is None:
            raise Refused(_no_engine(task, problem))
        return engine_named(first)
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


def _no_engine(task: str, problem: TourProblem) -> str:
    able = [each.capabilities[task] for each in map(engine_named, ENGINES) if task in each.capabilities]
    missing = problem.features.difference(*able) if able else set()
    if not missing:
        return f"no engine can {task} for {problem}"
    unsupported = min(missing, key=list(FEATURES).index)
    return f"no engine can {task} tours with {FEATURES[unsupported]} ({unsupported})"


def solver_named(name: str) -> ModelSolver:
    """The solver of models of the engine of that name. Raises Refused if the engine solves no models."""
    engine = engine_named(name)
    if not isinstance(engine, ThroughModel):
        raise Refused(f"engine {name} takes tour problems only, not models: {use_instead(MODEL_ENGINES)}")
    return engine.solver()


def use_instead(names: Sequence[str]) -> str:
    """The end of a refusal: the engines that can."""
    return f"use {', '.join(names)}" if names else "no engine can"
