"""Engines that look for each of several tours in another place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from ktsolve.ground.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Settings

__all__ = ["FindsSeveral"]


@runtime_checkable
class FindsSeveral(Protocol):
    """An engine that finds a number of tours otherwise than by listing the first ones."""

    def several(
        self, problem: TourProblem, settings: Settings, most: int, *, far_apart: bool = False
    ) -> Iterator[Tour]:
        """Up to ``most`` different tours, fewer if there are no more; with few common moves if asked.

        Raises LimitReached.
        """
