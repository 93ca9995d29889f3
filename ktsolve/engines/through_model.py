"""The Boolean engines as tour engines: a problem goes through ``models/tour.py`` to a solver of models."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from ktsolve.engines.interface import ALL_FEATURES, Engine
from ktsolve.engines.solver import ModelSolver
from ktsolve.ground.tour import Tour
from ktsolve.model.constraints import Assignment
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Clock, Settings

if TYPE_CHECKING:
    from ktsolve.models.tour import TourModel

__all__ = ["CpSatEngine", "SatEngine", "ThroughModel"]


_STATED = "the problem is stated, no solver is asked yet"


class ThroughModel(Engine):
    """An engine that knows models only."""

    abilities: ClassVar = dict.fromkeys(("construct", "enumerate", "count"), ALL_FEATURES)

    def solver(self) -> ModelSolver:
        """The solver of models behind this engine."""
        raise NotImplementedError

    def construct(self, problem: TourProblem, settings: Settings) -> Tour | None:
        """The first solution of the model, or None when the solver proves that there is none."""
        from ktsolve.models.tour import TourModel

        clock = Clock(settings.timeout)
        compiled = TourModel(problem)
        solved = self.solver().solve(compiled.model, clock.within(settings, _STATED))
        return None if solved.assignment is None else compiled.decode(solved.assignment)

    def enumerate(self, problem: TourProblem, settings: Settings) -> Iterator[Tour]:
        """All tours; of several numberings of one tour only the first."""
        from ktsolve.models.tour import TourModel

        clock = Clock(settings.timeout)
        compiled = TourModel(problem)
        solutions = self.solver().solutions(compiled.model, clock.within(settings, _STATED))
        yield from _each_once(compiled, solutions)


def _each_once(compiled: TourModel, assignments: Iterator[Assignment]) -> Iterator[Tour]:
    """The tours of solutions; of several numberings of one tour only the first."""
    seen: set[tuple[int, ...]] = set()
    for assignment in assignments:
        tour = compiled.decode(assignment)
        if compiled.problem.numbered:
            key = tour.normalised().indices
            if key in seen:
                continue
            seen.add(key)
        yield tour


class SatEngine(ThroughModel):
    """SAT with lazily added cuts."""

    name = "sat"
    summary = "SAT solver (python-sat), subtours cut off lazily"

    def solver(self) -> ModelSolver:
        """python-sat."""
        from ktsolve.engines.sat.solver import SatSolver

        return SatSolver()

    def several(
        self, problem: TourProblem, settings: Settings, most: int, *, far_apart: bool = False
    ) -> Iterator[Tour]:
        """Up to ``most`` tours, each looked for from another place (see ``engines/sat/several.py``).

        Raises Refused if they are to lie far apart and a SAT solver or an encoding is asked for by name.
        """
        from ktsolve.engines.sat.solver import SatSolver
        from ktsolve.models.tour import TourModel

        if not far_apart and (problem.numbered or settings.solver or settings.encoding != "lazy"):
            return islice(self.enumerate(problem, settings), most)
        clock = Clock(settings.timeout)
        compiled = TourModel(problem)
        moves = compiled.moves if far_apart else None
        left = clock.within(settings, _STATED)
        return _each_once(compiled, SatSolver().several(compiled.model, left, most, moves))


class CpSatEngine(ThroughModel):
    """CP-SAT with circuit constraints."""

    name = "cpsat"
    summary = "CP-SAT (OR-Tools), circuit constraints"

    def solver(self) -> ModelSolver:
        """OR-Tools."""
        from ktsolve.engines.cpsat import CpSatSolver

        return CpSatSolver()
