"""Protocols of engines for more than the tasks of :class:`Engine`, and the rankings that engines prepare.

They split counts, share work between counts, weigh tours, find tours far apart, or number tours in a fixed
order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from ktsolve.base.limits import Settings
from ktsolve.engines.interface import Counted, Estimate
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistics import TourObjective

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "CountsPairs",
    "CountsParts",
    "EstimatesPairs",
    "FindsBest",
    "FindsLightest",
    "FindsSeveral",
    "Ranking",
    "RanksTours",
]


class Ranking(ABC):
    """All tours of a problem in a fixed order, numbered from 0.

    A count is a sum over states, and the count of a state is a sum over its predecessors or successors: with
    a fixed order of the summands this is a mixed-radix number system. To *unrank* a number is to follow the
    cumulative sums; to *rank* a tour is to add up what comes before it.

    - ``count``: Number of undirected tours; on a directed graph, of directed ones. As :attr:`Counted.count`.
    - ``order``: Name of the order: the engine, its plan, and the version of both. Two rankings of one problem
      with equal names have the same order, on any machine, with any number of threads and any memory limit.
    - ``peak_bytes``: Most memory held for tables while preparing.
    """

    problem: TourProblem
    count: int
    order: str
    peak_bytes: int

    @abstractmethod
    def unrank(self, indices: Sequence[int], settings: Settings) -> NDArray[np.int32]:
        """The tours with these indices, each from 0 to ``count`` - 1, in any order and with repetitions.

        One row a tour: the cells by number, in the order of the tour, numbered to answer the problem
        (:meth:`TourProblem.labeled_to_fit`). Raises LimitReached.
        """

    @abstractmethod
    def rank(self, tours: NDArray[np.int32], settings: Settings) -> list[int]:
        """The indices of tours that answer the problem, in any direction and from any start of closed ones.

        The tours are rows as of :meth:`unrank`; the caller has checked them. Raises LimitReached.
        """

    @abstractmethod
    def save(self, path: Path) -> None:
        """Write everything that :meth:`unrank` and :meth:`rank` need to a file.

        The engine's ``restored`` reads it. The file is written beside its place and moved there when it is
        complete, so that a half of one is never found under its name.
        """


Pair = tuple[Cell, Cell]


@runtime_checkable
class CountsParts(Protocol):
    """An engine that can count a part of the tours."""

    def count_part(self, problem: TourProblem, settings: Settings, part: tuple[int, int]) -> Counted:
        """Part (i, n) of a count: the sum over i from 0 to n-1 is the whole. Raises LimitReached."""


@runtime_checkable
class CountsPairs(Protocol):
    """An engine that counts many pairs of ends together at a lower cost than one by one.

    It may have an attribute ``most_pairs``, the most pairs worth giving it at once.
    """

    def count_pairs(
        self, problem: TourProblem, pairs: Sequence[Pair], settings: Settings
    ) -> Iterator[tuple[Pair, Counted]]:
        """Each pair with the number of tours that have these ends, in any order. Raises LimitReached."""


@runtime_checkable
class EstimatesPairs(Protocol):
    """An engine that predicts the cost of counting pairs of ends together."""

    def estimate_pairs(
        self, problem: TourProblem, pairs: Sequence[Pair], settings: Settings
    ) -> Estimate | None:
        """Predicted cost of ``count_pairs``; None if the engine makes no prediction."""


@runtime_checkable
class FindsSeveral(Protocol):
    """An engine that finds a number of tours otherwise than by listing the first ones."""

    def several(
        self, problem: TourProblem, settings: Settings, most: int, *, far_apart: bool = False
    ) -> Iterator[Tour]:
        """Up to ``most`` different tours, fewer if there are no more; with few common moves if asked.

        Raises LimitReached.
        """


@runtime_checkable
class FindsLightest(Protocol):
    """An engine that finds tours of least or greatest total weight without bounds on the weight."""

    def lightest(self, problem: TourProblem, settings: Settings, *, heaviest: bool = False) -> Tour | None:
        """A tour of least total weight, or of greatest; None if there is no tour. Raises LimitReached."""


@runtime_checkable
class FindsBest(Protocol):
    """An engine that finds the best tours for an objective by visiting all tours."""

    def improving(self, problem: TourProblem, objective: TourObjective, settings: Settings) -> Iterator[Tour]:
        """Tours, each better than those before; the last is the best of all. Raises LimitReached."""


@runtime_checkable
class RanksTours(Protocol):
    """An engine that numbers the tours of a problem in a fixed order: task ``rank``."""

    def ranks_at(self, problem: TourProblem) -> int:
        """The place of the engine among those that rank; the least place is taken.

        It depends on the conditions and the sides of the board alone: the order of the tours depends on the
        engine, so that neither predictions nor the machine may change it.
        """

    def ranking(self, problem: TourProblem, settings: Settings) -> Ranking:
        """All tours of the problem in the engine's order. Raises LimitReached."""

    def restored(self, problem: TourProblem, path: Path, settings: Settings) -> Ranking:
        """A ranking that was saved.

        Raises BadInput if the file is damaged, or was made for another problem, by another engine or version.
        """
