"""The table of engines: names, modules, the choice of ``--engine auto``, and refusals.

No other file of the package lists all engines. Help texts, refusals and the cross-check take their lists
from here, so that a new engine needs one row in :data:`ENGINES` and, if ``auto`` may choose it, one in
:data:`AUTO`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from ktsolve.engines.interface import PLAIN_FEATURES, TASKS, Engine
from ktsolve.engines.solver import ModelSolver
from ktsolve.engines.through_model import ThroughModel
from ktsolve.errors import BadInput, Refused
from ktsolve.model.model import Model
from ktsolve.problem.problem import FEATURES, TourProblem

__all__ = [
    "AUTO",
    "ENGINES",
    "MODEL_ENGINES",
    "built_by_divide",
    "choose",
    "engine_at",
    "engine_named",
    "engines_for",
    "model_solver",
    "ranked",
    "solver_named",
]

ENGINES: dict[str, str] = {
    "search": "ktsolve.engines.search:SearchEngine",
    "frontier": "ktsolve.engines.frontier:FrontierEngine",
    "join": "ktsolve.engines.join.engine:JoinEngine",
    "quotient": "ktsolve.engines.quotient:QuotientEngine",
    "strip": "ktsolve.engines.strip.engine:StripEngine",
    "sat": "ktsolve.engines.through_model:SatEngine",
    "cpsat": "ktsolve.engines.through_model:CpSatEngine",
    "walk": "ktsolve.engines.walk.engine:WalkEngine",
    "divide": "ktsolve.engines.divide.engine:DivideEngine",
}
"""Name of each engine and its class, which is imported at first use."""

MODEL_ENGINES = ("sat", "cpsat")
"""Engines that solve any :class:`Model`, in the order in which ``auto`` tries them."""


# -- auto ----------------------------------------------------------------------------------------------------

_SEARCHED = 20
"""Cells up to which search counts by visiting every tour faster than other engines plan."""

_LISTED = 64
"""Cells up to which search finds and lists tours faster than SAT."""

_LISTED_WITH_STEPS = 40
"""The same for problems with steps: few given steps prune the search little."""

_MOST_JOINED = 150
"""Cells from which a join would count modulo many primes, one after the other; frontier does not."""

_SWEPT_CELLS, _SWEPT_SIDE = 40, 4
"""Cells of a board, or its smaller side, up to which ``frontier`` numbers the tours; its tables are made in a
tenth of a second. On larger boards ``join`` prepares 6x10 in 0.1 s, where ``frontier`` takes a minute."""

_STRIP_WIDTH = {True: 6, False: 5}
"""Widest strips whose transfer is compiled in seconds: closed and open."""

_STRIP_LENGTHS = 5
"""Lengths, as multiples of the width, from which compiling the transfer takes less time than sweeping."""

_BUILT = 2_500
"""Cells from which building a tour is faster than searching for one."""


def built_by_divide(rows: int, columns: int, *, ends: bool) -> bool:
    """Whether ``auto`` takes ``divide`` for a plain board; with given ends only where it can place them."""
    return rows * columns >= _BUILT and (not ends or min(rows, columns) >= 6)


def _rank_divide(task: str, problem: TourProblem) -> int | None:
    if "graph" in problem.features:
        return None
    rows, columns = problem.board.rows, problem.board.columns
    ends = bool(problem.start or problem.end)
    return 1 if task == "construct" and built_by_divide(rows, columns, ends=ends) else None


_FILTERED = 30
"""Cells up to which search lists tours and the checker filters them sooner than a model is solved."""


def _rank_search(task: str, problem: TourProblem) -> int | None:
    cells = len(problem.ground)
    if task == "optimise" or not problem.features <= PLAIN_FEATURES:
        return 5 if cells <= _FILTERED and task != "construct" else None
    if task in ("count", "tally"):
        return 2 if cells <= _SEARCHED else 6
    if task == "construct":
        return 2 if cells <= _LISTED and not problem.step_indexed else 9
    return 2 if cells <= (_LISTED_WITH_STEPS if problem.step_indexed else _LISTED) else 9


def _rank_frontier(task: str, problem: TourProblem) -> int | None:
    if task not in ("count", "rank", "tally"):
        return None
    cells = len(problem.ground)
    if task == "rank":
        if _ranked_by_sweep(problem):
            return 3
    elif cells <= _SEARCHED:
        return 5
    if cells > _MOST_JOINED or "graph" in problem.features:
        return 3
    from ktsolve.engines.join.planning import has_line_separator
    from ktsolve.problem.cycle_graph import CycleGraph

    return 5 if has_line_separator(problem, CycleGraph.of(problem)) else 3


def _ranked_by_sweep(problem: TourProblem) -> bool:
    """Whether the tables of all layers of a sweep are small, by the sides of the board alone.

    Nothing else counts: the order of the tours depends on the engine.
    """
    if "graph" in problem.features:
        return True
    rows, columns = problem.board.rows, problem.board.columns
    small = len(problem.ground) <= _SWEPT_CELLS or min(rows, columns) <= _SWEPT_SIDE
    return small and "wrap" not in problem.features


def _rank_strip(task: str, problem: TourProblem) -> int | None:
    if task != "count" or "graph" in problem.features:
        return None
    width, length = sorted((problem.board.rows, problem.board.columns))
    widest = _STRIP_WIDTH[problem.closed] - (problem.board.leaper != (1, 2))
    return 2 if width <= widest and length >= _STRIP_LENGTHS * width else None


def _rank_cpsat(task: str, problem: TourProblem) -> int:
    sums = task == "construct" and "magic" in problem.features
    return 6 if sums or task == "optimise" else 8


AUTO: dict[str, Callable[[str, TourProblem], int | None]] = {
    "search": _rank_search,
    "frontier": _rank_frontier,
    "join": lambda task, problem: 4 if task in ("count", "rank", "tally") else None,
    "quotient": lambda task, problem: 0 if "symmetry" in problem.features else None,
    "strip": _rank_strip,
    "sat": lambda task, problem: 7,
    "cpsat": _rank_cpsat,
    "divide": _rank_divide,
}
"""Rank of an engine for a task (see :data:`TASKS`) and a problem. ``auto`` chooses the engine of least rank
that takes the problem, never one whose rank is None or that has no row."""


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


def engines_for(task: str, problem: TourProblem) -> list[str]:
    """Names of the engines that take the task for the problem.

    >>> engines_for("count", TourProblem(board="6x6", closed=True, symmetry="rot90"))
    ['search', 'quotient', 'sat', 'cpsat']
    """
    return [name for name in ENGINES if engine_named(name).unsupported_feature(task, problem) is None]


def ranked(task: str, problem: TourProblem) -> Iterator[str]:
    """Names of the engines that take the task for the problem and that ``auto`` may choose, by rank.

    >>> list(ranked("count", TourProblem(board="6x6", closed=True)))
    ['join', 'frontier', 'search', 'sat', 'cpsat']
    """
    ranks = {name: rank(task, problem) for name, rank in AUTO.items()}
    for _, name in sorted((rank, name) for name, rank in ranks.items() if rank is not None):
        if engine_named(name).unsupported_feature(task, problem) is None:
            yield name


def choose(name: str, task: str, problem: TourProblem) -> Engine:
    """The engine of that name, if it takes the task for the problem; for ``auto`` the one of least rank.

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
    instead = _instead(engines_for(task, problem))
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


def model_solver(name: str, model: Model) -> ModelSolver:
    """The solver of models of that name; for ``auto`` the first that takes the model.

    Raises
    ------
    Refused
        If the engine solves no models, or not this one.
    """
    names = MODEL_ENGINES if name == "auto" else (name,)
    for solver in map(solver_named, names):
        unsupported = solver.unsupported_kind(model)
        if unsupported is None:
            return solver
    if name == "auto":
        raise Refused(f"no engine takes all of {', '.join(sorted(model.kinds))}")
    able = [each for each in MODEL_ENGINES if solver_named(each).unsupported_kind(model) is None]
    raise Refused(f"engine {name} takes no {unsupported}: {_instead(able)}")


def solver_named(name: str) -> ModelSolver:
    """The solver of models of the engine of that name. Raises Refused if the engine solves no models."""
    engine = engine_named(name)
    if not isinstance(engine, ThroughModel):
        raise Refused(f"engine {name} takes tour problems only, not models: {_instead(MODEL_ENGINES)}")
    return engine.solver()


def _instead(names: Sequence[str]) -> str:
    return f"use {', '.join(names)}" if names else "no engine can"
