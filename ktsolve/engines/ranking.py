"""Tours of a problem in a fixed order: the k-th tour, and the place of a tour.

An engine that can *rank* (:class:`ktsolve.engines.protocols.RanksTours`) prepares a :class:`Ranking` of a
problem. A count is a sum over states, and the count of a state is a sum over its predecessors or successors:
with a fixed order of the summands this is a mixed-radix number system. To *unrank* a number is to follow the
cumulative sums; to *rank* a tour is to add up what comes before it. All numbers are whole numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.limits import Settings
from ktsolve.problem.problem import TourProblem

__all__ = ["Ranking"]


class Ranking(ABC):
    """All tours of a problem in a fixed order, numbered from 0.

    Attributes
    ----------
    problem:
        The problem.
    count:
        Number of undirected tours; on a directed graph, of directed ones. As :attr:`Counted.count`.
    order:
        Name of the order: the engine, its plan, and the version of both. Two rankings of one problem with
        equal names have the same order, on any machine, with any number of threads and any memory limit.
    peak_bytes:
        Most memory held for tables while preparing.
    """

    problem: TourProblem
    count: int
    order: str
    peak_bytes: int

    @abstractmethod
    def unrank(self, indices: Sequence[int], settings: Settings) -> NDArray[np.int32]:
        """The tours with these indices, each from 0 to ``count`` - 1, in any order and with repetitions.

        Returns
        -------
        NDArray
            One row a tour: the cells by number, in the order of the tour, numbered to answer the problem
            (:meth:`TourProblem.labeled_to_fit`). Shape (len(indices), cells).

        Raises
        ------
        LimitReached
            At the time or memory limit.
        """

    @abstractmethod
    def rank(self, tours: NDArray[np.int32], settings: Settings) -> list[int]:
        """The indices of tours that answer the problem, in any direction and from any start of closed ones.

        Parameters
        ----------
        tours:
            Rows as :meth:`unrank` returns them. The caller has checked that they answer the problem.

        Raises
        ------
        LimitReached
            At the time or memory limit.
        """

    @abstractmethod
    def save(self, path: Path) -> None:
        """Write everything that :meth:`unrank` and :meth:`rank` need to a file.

        The engine's ``restored`` reads it. The file is written beside its place and moved there when it is
        complete, so that no half of one is ever found under its name.
        """
