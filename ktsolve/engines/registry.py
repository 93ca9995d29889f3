"""The table of engines: their names and modules.

No other file of the package lists engines. Help texts, refusals, the choice of ``--engine auto`` and the
cross-check take their lists from here, so that a new engine needs one row in :data:`ENGINES` and, if ``auto``
may choose it, its name in :data:`AUTO`.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from ktsolve.base.errors import Refused
from ktsolve.base.text import unknown

if TYPE_CHECKING:
    from ktsolve.engines.interface import Engine
    from ktsolve.engines.solver import ModelSolver
    from ktsolve.problem.problem import TourProblem

__all__ = [
    "AUTO",
    "ENGINES",
    "MODEL_ENGINES",
    "TRIED_FIRST",
    "engine_named",
    "engines_for",
    "other_solver",
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

AUTO: tuple[str, ...] = ("divide", "strip", "quotient", "search", "join", "frontier", "sat", "cpsat")
"""Engines that ``auto`` may choose, in the order in which they predict: those whose predictions take least
time first. Among equal predictions the order decides."""

TRIED_FIRST = ("divide", "walk", "search")
"""Engines with trials before any prediction, in the order of these; before them the engine that builds."""


@cache
def engine_named(name: str) -> Engine:
    """The engine of that name.

    >>> engine_named("search").name
    'search'
    """
    if name not in ENGINES:
        raise unknown("engine", name, ("auto", *ENGINES))
    module, _, attribute = ENGINES[name].partition(":")
    engine: Engine = getattr(importlib.import_module(module), attribute)()
    return engine


def takes(name: str, task: str, problem: TourProblem) -> bool:
    """Whether the engine of that name takes the task for the problem."""
    return engine_named(name).unsupported_feature(task, problem) is None


def engines_for(task: str, problem: TourProblem) -> list[str]:
    """Names of the engines that take the task for the problem.

    >>> from ktsolve import TourProblem
    >>> engines_for("count", TourProblem(board="6x6", closed=True, symmetry="rot90"))
    ['search', 'frontier', 'quotient', 'sat', 'cpsat']
    """
    return [name for name in ENGINES if takes(name, task, problem)]


def solver_named(name: str) -> ModelSolver:
    """The solver of models of the engine of that name. Raises Refused if the engine solves no models."""
    from ktsolve.engines.through_model import ThroughModel

    if name not in ENGINES:
        raise unknown("engine", name, ("auto", *MODEL_ENGINES))
    engine = engine_named(name)
    if not isinstance(engine, ThroughModel):
        raise Refused(f"engine {name} takes tour problems only, not models: {use_instead(MODEL_ENGINES)}")
    return engine.solver()


def other_solver(name: str) -> str:
    """The engine that solves models beside the one of that name.

    >>> other_solver("sat")
    'cpsat'
    """
    return next(other for other in MODEL_ENGINES if other != name)


def use_instead(names: Sequence[str]) -> str:
    """The suffix of a refusal message: "use A, B"."""
    return f"use {', '.join(names)}" if names else "no engine can"
