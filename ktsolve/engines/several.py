"""The interface of engines that search for each of several tours from another start."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from ktsolve.ground.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Settings

__all__ = ["FindsSeveral"]


@runtime_checkable
class FindsSeveral(Protocol):
    """An engine that finds several different tours without enumeration."""

    def several(
        self, problem: TourProblem, settings: Settings, most: int, *, far_apart: bool = False
    ) -> Iterator[Tour]:
        """Yield up to ``most`` different tours; with ``far_apart`` they have few moves in common.

        Raises LimitReached.
        """
