"""The table of engines, and the choice among them."""

from __future__ import annotations

import importlib
from functools import cache

from ktsolve.engines.interface import Engine
from ktsolve.errors import BadInput, Refused
from ktsolve.problem.problem import FEATURES, TourProblem

__all__ = ["ENGINES", "choose", "engine_named", "engines_for"]

ENGINES: dict[str, str] = {
    "search": "ktsolve.engines.search:SearchEngine",
    "frontier": "ktsolve.engines.frontier:FrontierEngine",
    "join": "ktsolve.engines.join.engine:JoinEngine",
    "quotient": "ktsolve.engines.quotient:QuotientEngine",
    "sat": "ktsolve.engines.through_model:SatEngine",
    "cpsat": "ktsolve.engines.through_model:CpSatEngine",
    "walk": "ktsolve.engines.walk.engine:WalkEngine",
    "divide": "ktsolve.engines.divide.engine:DivideEngine",
}
"""Name of each engine and where it lives; nothing is imported before it is used."""

_PREFERENCE = {
    # SAT with cuts scales best; CP-SAT takes sums better. Search wins on lists; counts, and tours with a
    # symmetry: see choose().
    "construct": ("sat", "cpsat", "search"),
    "enumerate": ("search", "sat", "cpsat"),
    "count": ("join", "frontier", "search", "sat", "cpsat"),
}

_SEARCHED = 20
"""Cells up to which visiting every tour takes less than planning anything else."""

_MOST_JOINED = 150
"""Cells from which a join would count modulo many primes, one after the other; the frontier just widens."""


@cache
def engine_named(name: str) -> Engine:
    """The engine of that name.

    >>> engine_named("search").name
    'search'
    """
    if name not in ENGINES:
        raise BadInput(f"engine {name!r} is unknown: use auto, {', '.join(ENGINES)}")
    module, _, attribute = ENGINES[name].partition(":")
    engine = getattr(importlib.import_module(module), attribute)()
    assert isinstance(engine, Engine)
    return engine


def engines_for(task: str, problem: TourProblem) -> list[str]:
    """Names of the engines that can do the task for the problem."""
    return [name for name in ENGINES if engine_named(name).lacks(task, problem) is None]


_BUILT = 2_500
"""Cells from which a tour is sooner built than searched for."""


def built_by_divide(rows: int, columns: int, *, ends: bool) -> bool:
    """Does ``auto`` leave a plain board to ``divide``? With ends only where that takes any."""
    return rows * columns >= _BUILT and (not ends or min(rows, columns) >= 6)


def _has_cut(problem: TourProblem) -> bool:
    from ktsolve.engines.cycle_graph import CycleGraph
    from ktsolve.engines.join.planning import has_line_cut

    return has_line_cut(problem, CycleGraph.of(problem))


def choose(name: str, task: str, problem: TourProblem) -> Engine:
    """The engine to use: the one named, if it can, or for ``auto`` the first preferred one that can.

    Raises
    ------
    Refused
        Naming what the engine cannot take and the engines that can.
    """
    if name == "auto":
        order = _PREFERENCE[task]
        if task == "construct" and "magic" in problem.features:
            order = ("cpsat", "sat", "search")
        elif task == "construct" and built_by_divide(
            problem.board.rows, problem.board.columns, ends=bool(problem.start or problem.end)
        ):
            order = ("divide", *order)
        elif task == "construct" and len(problem.board) <= 64 and not problem.numbered:
            order = ("search", "sat", "cpsat")
        elif task == "enumerate" and len(problem.board) > 64:
            order = ("sat", "search", "cpsat")
        elif task == "count":
            if len(problem.board) <= _SEARCHED:
                order = ("search", *order)
            elif len(problem.board) > _MOST_JOINED or not _has_cut(problem):
                order = ("frontier", *order)
        if "symmetry" in problem.features:
            order = ("quotient", *order)
        for candidate in order:
            engine = engine_named(candidate)
            if engine.lacks(task, problem) is None:
                return engine
        raise Refused(f"no engine can {task} for {problem}")
    engine = engine_named(name)
    lacking = engine.lacks(task, problem)
    if lacking is None:
        return engine
    able = engines_for(task, problem)
    instead = f"use {', '.join(able)}" if able else "no engine can"
    if lacking == task:
        raise Refused(f"engine {name} cannot {task} tours: {instead}")
    if lacking in engine.needs:
        raise Refused(f"engine {name} takes only problems with {FEATURES[lacking]} ({lacking}): {instead}")
    raise Refused(f"engine {name} cannot {task} with {FEATURES[lacking]} ({lacking}): {instead}")
