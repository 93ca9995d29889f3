"""Counts with sets of starts and ends, put together from counts with one start, or with both ends given."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ktsolve.ground.notation import Cell
from ktsolve.problem.problem import TourProblem

__all__ = ["can_be_split", "pairs_of_ends"]


def can_be_split(problem: TourProblem) -> bool:
    """Is this a question about open tours whose ends lie in sets, and that looks the same from both ends?"""
    return bool(problem.starts or problem.ends) and not problem.closed and not problem.numbered


def pairs_of_ends(problem: TourProblem) -> Iterator[tuple[TourProblem, int]]:
    """Questions with both ends given whose counts add up to the undirected count, each with its directions.

    Every undirected tour has one unordered pair of ends; it counts if one of them is a start and the other an
    end, and twice as a directed tour if that holds both ways.

    >>> problem = TourProblem(board="3x4", closed=False, starts=["a1", "d3"], ends=["d3", "a2"])
    >>> [(part._parts(), directions) for part, directions in pairs_of_ends(problem)]
    [({'start': 'd3', 'end': 'a2'}, 1), ({'start': 'a1', 'end': 'd3'}, 1), ({'start': 'a1', 'end': 'a2'}, 1)]
    """
    everywhere = frozenset(problem.board.cells)
    starts = problem.starts or _given(problem.start) or everywhere
    ends = problem.ends or _given(problem.end) or everywhere
    free = problem.replace(start=None, end=None, starts=(), ends=())
    if len(problem.board) == 1:
        if starts & ends:
            yield free, 1
        return
    for a, b in combinations(sorted(starts | ends), 2):
        directions = (a in starts and b in ends) + (b in starts and a in ends)
        if directions:
            first, second = (a, b) if a in starts and b in ends else (b, a)
            yield free.replace(start=first, end=second), directions


def _given(cell: Cell | None) -> frozenset[Cell]:
    return frozenset() if cell is None else frozenset({cell})
