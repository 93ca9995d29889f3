"""Engines ``sat`` and ``cpsat``: a tour problem is stated as a model and given to a solver of models."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.text import number_of
from ktsolve.engines.interface import ALL_FEATURES, Engine, Estimate, Trial, model_size
from ktsolve.engines.solver import ModelSolver
from ktsolve.graphs.tour import Tour
from ktsolve.problem.conditions import Bound
from ktsolve.problem.problem import CONDITIONS, TourProblem

if TYPE_CHECKING:
    from ktsolve.model.constraints import Assignment
    from ktsolve.models.tour import TourModel

__all__ = ["CpSatEngine", "SatEngine", "ThroughModel"]

_SOLUTIONS = re.compile(r"(no|[0-9,]+) solutions? found")

_STARTED = 0.1  # seconds before a solver begins: its modules are imported
_SECONDS_STATED = 5e-5  # seconds for each Boolean of a model

_SECONDS_IN_ARRAYS = 4e-6
"""Seconds for each move where only moves matter: the engine sat reads them from arrays."""

_SOLVED_FOR_BEST = 20.0
"""How much longer the best tour takes than one: many models, the last without a solution. 8x8 and open 7x7
take 4 to 9 s, 6x6 some 2 s."""

_UNKNOWN = 1000.0  # tours that are left, at most, by conditions that need a model: a guess


class ThroughModel(Engine):
    """An engine that states the problem by ``models/tour.py`` and solves the model."""

    capabilities: ClassVar = dict.fromkeys(
        ("construct", "enumerate", "count", "optimise", "tally"), ALL_FEATURES
    )

    def solver(self) -> ModelSolver:
        """The solver of models of this engine."""
        raise NotImplementedError

    def estimate(self, problem: TourProblem, settings: Settings, task: str = "count") -> Estimate | None:
        """A rough time from the size of the model, and for lists from the estimated number of tours.

        It is the less certain the more conditions need a model: nothing predicts how hard these are.
        """
        booleans = model_size(problem)
        conditions = problem.features & CONDITIONS
        seconds = _STARTED + booleans * self._seconds_stated(problem)
        if task == "optimise":
            seconds *= _SOLVED_FOR_BEST
        factor = 100.0 if conditions else 10.0 if problem.step_indexed else 4.0
        listed = ""
        if task in ("count", "enumerate", "tally"):
            from ktsolve.engines.search.tree import LISTED_FIRST, guessed_tours, tree_of

            tree = tree_of(problem)
            tours = guessed_tours(problem) if tree is None else tree.tours
            # A condition that needs a model leaves an unknown share of the tours.
            tours = min(tours, _UNKNOWN) if conditions else tours
            if task == "enumerate":
                tours = min(tours, LISTED_FIRST)
            seconds += tours * (self.rough_milliseconds or 1.0) / 1000
            factor = max(factor, 100.0 if tree is None or not tree.seen else 4.0)
            listed = f", about {tours:,.0f} tours" if tours < 1e7 else f", about {tours:.0e} tours"
        seconds *= self.slower(task, problem)
        plan = f"a model of {booleans:,} Booleans{listed}"
        return Estimate(plan, states=0.0, bytes=booleans * 1e3, seconds=seconds, factor=factor)

    def _seconds_stated(self, problem: TourProblem) -> float:
        """Seconds for each Boolean of a model."""
        return _SECONDS_STATED

    def slower(self, task: str, problem: TourProblem) -> float:
        """The time of a task by that of engine ``sat``, as a rule."""
        return 1.0

    def construct(self, problem: TourProblem, settings: Settings) -> Tour | None:
        """The first solution of the model, or None when the solver proves that none exists."""
        compiled, left = _stated(problem, settings)
        solved = self.solver().solve(compiled.model, left)
        return None if solved.assignment is None else compiled.decode(solved.assignment)

    def enumerate(self, problem: TourProblem, settings: Settings) -> Iterator[Tour]:
        """Every tour once, as numbered in the first solution that has it."""
        compiled, left = _stated(problem, settings)
        found = 0
        try:
            for tour in _each_once(compiled, self.solver().solutions(compiled.model, left)):
                found += 1
                yield tour
        except LimitReached as limit:
            # The solver has counted solutions of the model, of which several may be labelings of a tour.
            tours = number_of(found, "tour") if found else "no tour"
            raise type(limit)(_SOLUTIONS.sub(f"{tours} found", str(limit))) from None


def _stated(problem: TourProblem, settings: Settings) -> tuple[TourModel, Settings]:
    """The model of a problem, and the settings with the time that is left."""
    from ktsolve.models.tour import TourModel

    clock = Clock(settings)
    compiled = TourModel(problem, clock=clock)
    return compiled, clock.within(settings, "after stating the model, before solving it")


def _each_once(compiled: TourModel, assignments: Iterator[Assignment]) -> Iterator[Tour]:
    """The tours of solutions, each once, as numbered in the first solution that has it."""
    seen: set[tuple[int, ...]] = set()
    for assignment in assignments:
        tour = compiled.decode(assignment)
        if compiled.problem.step_indexed:
            key = tour.normalised().indices
            if key in seen:
                continue
            seen.add(key)
        yield tour


class SatEngine(ThroughModel):
    """A SAT solver of python-sat; clauses against subtours are added as subtours come up."""

    name = "sat"
    summary = "SAT solver (python-sat), subtour cuts added lazily"
    capabilities: ClassVar = dict.fromkeys(
        ("construct", "enumerate", "count", "optimise", "diversify", "tally"), ALL_FEATURES
    )
    rough_milliseconds = 2.5
    trials = (
        # Larger models alone take longer to state than a trial.
        Trial(
            task="construct",
            ground="graph",
            place=6,
            seconds=0.5,
            size=(0, 10_000),
            in_memory_limit=False,
        ),
        Trial(task="construct", ground="graph", place=8, seconds=math.inf),
    )

    def _seconds_stated(self, problem: TourProblem) -> float:
        plain = not (problem.step_indexed or problem.ground.directed or problem.features & CONDITIONS)
        return _SECONDS_IN_ARRAYS if plain else _SECONDS_STATED

    def solver(self) -> ModelSolver:
        """The solver of models on python-sat."""
        from ktsolve.engines.sat.solver import SatSolver

        return SatSolver()

    def several(
        self, problem: TourProblem, settings: Settings, most: int, *, far_apart: bool = False
    ) -> Iterator[Tour]:
        """Up to ``most`` tours, each search begun elsewhere (see ``engines/sat/distinct_solutions.py``).

        Raises Refused for tours far apart if the settings name a SAT solver or an encoding.
        """
        from ktsolve.engines.sat.solver import SatSolver

        if not far_apart and (problem.step_indexed or settings.solver or settings.encoding != "lazy"):
            return islice(self.enumerate(problem, settings), most)
        compiled, left = _stated(problem, settings)
        moves = compiled.moves if far_apart else None
        return _each_once(compiled, SatSolver().several(compiled.model, left, most, moves))


class CpSatEngine(ThroughModel):
    """CP-SAT of OR-Tools with circuit constraints."""

    name = "cpsat"
    summary = "CP-SAT (OR-Tools), circuit constraints"
    rough_milliseconds = 3.0

    def slower(self, task: str, problem: TourProblem) -> float:
        """More than that of ``sat``, but for equal sums and weights, which CP-SAT reasons about."""
        if task == "optimise":
            weighed = any(
                isinstance(each, Bound) and each.statistic.name == "weight" for each in problem.conditions
            )
            return 0.3 if weighed else 3.0
        return 0.5 if task == "construct" and "magic" in problem.features else 2.0

    def solver(self) -> ModelSolver:
        """The solver of models on CP-SAT."""
        from ktsolve.engines.cpsat import CpSatSolver

        return CpSatSolver()
