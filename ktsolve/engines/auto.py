"""The choice of engines, for every task: ``--engine auto``.

Engines state as data what they take (:attr:`.Engine.capabilities`), what a task costs
(:meth:`.Engine.rough_estimate`), and when a trial of theirs is worth its time (:class:`.Trial`). This file
has the rules, and no name of an engine; :mod:`ktsolve.engines.race` runs what is chosen.

On boards engines predict their cost (:mod:`ktsolve.engines.prediction`). On bare graphs predictions are worth
less: the trials for graphs come first, then all engines whose last trial has no end run at the same time.
Models go to the solver that suits their sums. The engine that numbers tours depends on the problem alone.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ktsolve.base.errors import LimitReached, Refused
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.units import shown_seconds
from ktsolve.engines.interface import PLAIN_FEATURES, TASKS, Engine, Estimate, Trial, model_size
from ktsolve.engines.prediction import Prediction, lacks_memory, predictions, rivals
from ktsolve.engines.protocols import EstimatesPairs, RanksTours
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
from ktsolve.engines.solver import ModelSolver
from ktsolve.graphs.board import BYTES_PER_CELL, Board, check_cells
from ktsolve.graphs.notation import Cell
from ktsolve.problem.problem import FEATURES, TourProblem

if TYPE_CHECKING:
    from ktsolve.model.model import Model

__all__ = [
    "Trials",
    "briefly",
    "check_taken",
    "choose",
    "contenders",
    "engine_for_all",
    "engine_for_pairs",
    "fitting",
    "model_solver",
    "model_solvers",
    "predicted",
    "ranked",
    "sure",
    "worth_a_trial",
]

_STATED = 10_000  # edges, and variables for steps, of a model that is stated within a moment
_PREDICTED = 1.0  # seconds for the prediction of an engine on a bare graph
_WIDE = 1e10  # predicted states from which a remark gives no number
_MOST_RIVALS = 3  # engines side by side, at most; no more than cores, but two

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

    Raises Refused, which names the condition that the engine does not take, and the engines that do.
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

    Raises OutOfMemory if the board does not fit into memory as objects, and the engine lists its cells.

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


def engine_for_all(engine: str, task: str, problems: Sequence[TourProblem]) -> Engine:
    """The engine that takes all problems, or Refused; for ``auto`` the best of these for the first one."""
    if engine == "auto":
        for name in ranked(task, problems[0]):
            if all(takes(name, task, each) for each in problems):
                return engine_named(name)
        raise Refused(f"no engine can {task} tours for all pairs of ends: give one start and one end")
    chosen = [choose(engine, task, each) for each in problems]
    return chosen[0]


def engine_for_pairs(
    engine: str,
    problem: TourProblem,
    question: TourProblem,
    pairs: Sequence[tuple[Cell, Cell]],
    settings: Settings,
) -> Engine:
    """The engine that counts pairs of ends; ``question`` is the problem with one of them.

    For ``auto`` an engine that shares work between pairs if that is faster.
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


class Trials:
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
        """Engines that run to their end.

        Those that lack memory by far are left out if another one does not: they would take a share of it.
        """
        rows = (row for row in self._rows(ENGINES) if row[1].seconds == math.inf)
        names = [name for name, _ in self._worth(rows)]
        known = {name: each for name, each in self._estimates.items() if each is not None and name in names}
        hopeless = {name for name, each in known.items() if lacks_memory(each, self._settings)}
        return [name for name in names if name not in hopeless] if hopeless < known.keys() else names

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
            brief = briefly(settings, _PREDICTED)
            try:
                expected = engine_named(name).estimate(self._problem, brief, self._task)
            except LimitReached as limit:
                settings.say(f"{name}: {limit}")
                return None
            if expected is not None:
                wide = expected.states > _WIDE
                states = f"{expected.states:.0e} states, {shown_seconds(expected.seconds)}"
                settings.say(f"{name}: {'too many states' if wide else states} predicted")
            self._estimates[name] = expected
        return self._estimates[name]


def briefly(settings: Settings, seconds: float) -> Settings:
    """The settings with at most these seconds."""
    left = settings.timeout
    return replace(settings, timeout=seconds if left is None else min(left, seconds))


def sure(task: str, problem: TourProblem, settings: Settings) -> list[str]:
    """The engines that run to their end by their trials alone, whatever others predict."""
    return Trials(task, problem, Clock(settings), settings).endless()


def worth_a_trial(problem: TourProblem) -> bool:
    """Whether a model of the problem is stated within a moment."""
    return model_size(problem) <= _STATED


def contenders(task: str, problem: TourProblem, settings: Settings, *, raced: bool) -> list[str]:
    """The favourite by prediction and, if ``raced``, those that may be faster. Remarks say why.

    Raises Refused if no engine takes the task for the problem.
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


# -- models --------------------------------------------------------------------------------------------------


def model_solver(name: str, model: Model, *, listing: bool = False) -> ModelSolver:
    """The solver of models of that name; for ``auto`` the first of :func:`model_solvers`."""
    return model_solvers(name, model, listing=listing)[0]


def model_solvers(name: str, model: Model, *, listing: bool = False) -> list[ModelSolver]:
    """The solver of models of that name; for ``auto`` those that take the model, the preferred one first.

    The shape of the constraints decides between a solver that adds (:attr:`.ModelSolver.adds`) and one that
    works with clauses (:mod:`ktsolve.engines.model_choice`). Loops are faster as clauses, where cuts are made
    as they are needed; so are Booleans of which as many or as few as possible are to be true, by
    unsatisfiable cores (dominating queens of 8x8 in 0.7 s instead of 18 s, with one thread). A solver for
    whose limits the numbers are too large is left out where another one takes the model. A ``listing`` has
    solutions that differ in the shown variables alone. Raises Refused if the engine does not solve models, or
    not this one.
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
    from ktsolve.engines.model_choice import adds  # late: boards have no models

    summing = adds(model)
    able.sort(key=lambda each: not each.lists_shown if listing else each.adds != summing)
    return [each for each in able if each.within_limits(model)] or able
