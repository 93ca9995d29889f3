"""The difference of tours: the number of moves that one makes and another does not."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from ktsolve.graphs.tour import Tour

__all__ = ["difference", "least_difference"]


def difference(first: Tour, second: Tour) -> int:
    """The number of moves of one tour that the other does not make, independent of step numbers.

    It is symmetric if both tours are closed or both are open: then they have equally many moves.

    >>> from ktsolve.graphs.board import Board
    >>> board = Board.parse("3x4")
    >>> tour = Tour.from_names(board, "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1".split())
    >>> other = Tour.from_names(board, "a3 c2 a1 b3 d2 b1 d1 b2 d3 c1 a2 c3".split())
    >>> difference(tour, tour.reversed()), difference(tour, other)
    (0, 1)
    """
    return len(first.moves - second.moves)


def least_difference(tours: Sequence[Tour]) -> int:
    """The difference of the two tours that are closest; 0 if there are fewer than two. Quadratic in tours."""
    return min((difference(a, b) for a, b in combinations(tours, 2)), default=0)
