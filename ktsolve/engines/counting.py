"""Engines that count tours without seeing one."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from ktsolve.engines.base import Counted, Engine, Settings
from ktsolve.errors import Refused
from ktsolve.ground.tour import Tour
from ktsolve.problem.problem import TourProblem

__all__ = ["CountingEngine"]


class CountingEngine(Engine):
    """An engine that merges partial tours and forgets them."""

    def construct(self, problem: TourProblem, settings: Settings) -> Tour | None:
        """Not possible. Raises Refused."""
        raise Refused(f"engine {self.name} cannot construct tours: use sat, cpsat, search")

    def enumerate(self, problem: TourProblem, settings: Settings) -> Iterator[Tour]:
        """Not possible. Raises Refused."""
        raise Refused(f"engine {self.name} cannot enumerate tours: use search, sat, cpsat")

    @abstractmethod
    def count(self, problem: TourProblem, settings: Settings) -> Counted:
        """The number of tours. Raises LimitReached."""
