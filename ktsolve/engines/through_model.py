"""The Boolean engines as tour engines: a problem goes through ``models/tour.py`` to a solver of models."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ktsolve.engines.base import ALL_FEATURES, Engine, Settings
from ktsolve.engines.solver import ModelSolver
from ktsolve.ground.tour import Tour
from ktsolve.problem.problem import TourProblem

__all__ = ["CpSatEngine", "SatEngine", "ThroughModel"]


class ThroughModel(Engine):
    """An engine that knows models only."""

    abilities: ClassVar = dict.fromkeys(("construct", "enumerate", "count"), ALL_FEATURES)

    def solver(self) -> ModelSolver:
        """The solver of models behind this engine."""
        raise NotImplementedError

    def construct(self, problem: TourProblem, settings: Settings) -> Tour | None:
        """The first solution of the model, or None when the solver proves that there is none."""
        from ktsolve.models.tour import TourModel

        compiled = TourModel(problem)
        solved = self.solver().solve(compiled.model, settings)
        return None if solved.assignment is None else compiled.decode(solved.assignment)

    def enumerate(self, problem: TourProblem, settings: Settings) -> Iterator[Tour]:
        """All tours; of several numberings of one tour only the first."""
        from ktsolve.models.tour import TourModel

        compiled = TourModel(problem)
        seen: set[tuple[int, ...]] = set()
        for assignment in self.solver().solutions(compiled.model, settings):
            tour = compiled.decode(assignment)
            if problem.numbered:
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


class CpSatEngine(ThroughModel):
    """CP-SAT with circuit constraints."""

    name = "cpsat"
    summary = "CP-SAT (OR-Tools), circuit constraints"

    def solver(self) -> ModelSolver:
        """OR-Tools."""
        from ktsolve.engines.cpsat import CpSatSolver

        return CpSatSolver()
