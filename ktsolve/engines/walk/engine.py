"""Engine ``walk``: one tour, by Warnsdorff's rule (see native/include/ktsolve/walk.hpp)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ktsolve.engines.interface import Engine
from ktsolve.engines.walk.walk import FEATURES_WALKED, repaired_walk, walk
from ktsolve.errors import LimitReached, Refused
from ktsolve.ground.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Clock, Settings

__all__ = ["WalkEngine"]


class WalkEngine(Engine):
    """A walk by Warnsdorff's rule, repaired; where repair fails, backtracking."""

    name = "walk"
    summary = "Warnsdorff's rule, repaired by reversals, native"
    abilities: ClassVar = {"construct": FEATURES_WALKED}

    def construct(self, problem: TourProblem, settings: Settings) -> Tour | None:
        """A tour; None only when backtracking has tried every walk."""
        clock = Clock(settings.timeout)
        # The best rule first; where it gets stuck in one way only, chance knows others.
        for rule in ("home", "random"):
            repaired = repaired_walk(problem, rule, settings=settings, clock=clock)
            if repaired.tour is not None:
                return repaired.tour
            clock.check(repaired.stopped)
        tried = walk(problem, settings=settings, clock=clock)
        if tried.tour is None and not tried.exhausted:
            raise LimitReached(tried.stopped)
        return tried.tour

    def enumerate(self, problem: TourProblem, settings: Settings) -> Iterator[Tour]:
        """Refused: the rule finds one tour, and does not know of others."""
        raise Refused(f"engine {self.name} cannot enumerate tours")
