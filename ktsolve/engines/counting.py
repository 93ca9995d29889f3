"""Engines that count tours without seeing one, and engines that share work between counts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Protocol, runtime_checkable

from ktsolve.engines.interface import Counted, Engine, Estimate
from ktsolve.errors import Refused
from ktsolve.ground.notation import Cell
from ktsolve.ground.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Settings

__all__ = ["CountingEngine", "CountsPairs", "CountsParts", "EstimatesPairs"]

Pair = tuple[Cell, Cell]


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


@runtime_checkable
class CountsParts(Protocol):
    """An engine that can split a count by itself."""

    def count_part(self, problem: TourProblem, settings: Settings, part: tuple[int, int]) -> Counted:
        """Part (i, n) of a count: the sum over i from 0 to n-1 is the whole. Raises LimitReached."""


@runtime_checkable
class CountsPairs(Protocol):
    """An engine that counts many pairs of ends together for less than one by one.

    It may have an attribute ``most_pairs``, the most pairs worth giving it at once.
    """

    def count_pairs(
        self, problem: TourProblem, pairs: Sequence[Pair], settings: Settings
    ) -> Iterator[tuple[Pair, Counted]]:
        """Each pair with the number of tours that have these ends, in any order. Raises LimitReached."""


@runtime_checkable
class EstimatesPairs(Protocol):
    """An engine that can tell what counting pairs of ends together will take."""

    def estimate_pairs(
        self, problem: TourProblem, pairs: Sequence[Pair], settings: Settings
    ) -> Estimate | None:
        """What ``count_pairs`` would take; None if it cannot tell without counting."""
