"""Tours as rows of cell numbers, and the cycles of the cycle graph that they are, many at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.problem import TourProblem

__all__ = ["cycles_of_rows", "rows_of_cycles", "rows_to_fit"]


def rows_of_cycles(problem: TourProblem, graph: CycleGraph, cycles: NDArray[np.int32]) -> NDArray[np.int32]:
    """The tours of cycles, numbered to answer a problem with at most one start and one end.

    Each row has the vertices of a cycle in order. Linear.

    >>> problem = TourProblem(board="3x4", closed=False, start="a1")
    >>> tour = [8, 2, 4, 10, 3, 9, 7, 1, 11, 5, 6, 0]
    >>> graph = CycleGraph.of(problem)
    >>> rows_of_cycles(problem, graph, np.array([[12, *tour[::-1]]])).tolist() == [tour]
    True
    """
    rows: NDArray[np.integer] = cycles
    if graph.extra is not None:
        rows = _rolled(rows, graph.extra)
    if graph.doubled:
        rows = _in_direction(rows)
        entries = rows % 2 == 0
        if graph.extra is not None:
            entries &= rows != graph.extra
        rows = rows[entries].reshape(len(rows), -1) // 2
    elif graph.extra is not None:
        rows = rows[:, 1:]
    return rows_to_fit(problem, rows)


def rows_to_fit(problem: TourProblem, rows: NDArray[np.integer]) -> NDArray[np.int32]:
    """Tours numbered to answer a problem with at most one start and one end, by turning and reversing them.

    As :meth:`TourProblem.labeled_to_fit`, many at once. Linear.

    >>> problem = TourProblem(board="3x4", closed=False, end="a3")
    >>> rows_to_fit(problem, np.array([[0, 6, 8, 2, 4, 10, 3, 9, 7, 1, 11, 5]])).tolist()
    [[5, 11, 1, 7, 9, 3, 10, 4, 2, 8, 6, 0]]
    """
    index, directed = problem.ground.index, problem.ground.directed
    first, last = (None if cell is None else index[cell] for cell in (problem.start, problem.end))
    if not problem.closed:
        if not directed and (first is not None or last is not None):
            backwards = rows[:, 0] != first if first is not None else rows[:, -1] != last
            rows = np.where(backwards[:, None], rows[:, ::-1], rows)
    elif first is not None:
        rows = _rolled(rows, first)
        if last is not None and not directed:
            backwards = rows[:, -1] != last
            rows = np.where(backwards[:, None], np.roll(rows[:, ::-1], 1, axis=1), rows)
    elif last is not None:
        rows = np.roll(_rolled(rows, last), -1, axis=1)
    return np.ascontiguousarray(rows, dtype=np.int32)


def cycles_of_rows(graph: CycleGraph, rows: NDArray[np.int32]) -> NDArray[np.int32]:
    """The cycles of tours; the inverse of :func:`rows_of_cycles` up to the start and the direction. Linear.

    >>> problem = TourProblem(board="3x4", closed=False)
    >>> cycles_of_rows(CycleGraph.of(problem), np.array([[8, 2, 4, 10, 3, 9, 7, 1, 11, 5, 6, 0]])).tolist()
    [[8, 2, 4, 10, 3, 9, 7, 1, 11, 5, 6, 0, 12]]
    """
    cycles: NDArray[np.int32] = np.asarray(rows, dtype=np.int32)
    if graph.doubled:
        doubled = 2 * cycles[:, :, None] + np.arange(2, dtype=np.int32)
        cycles = doubled.reshape(len(cycles), -1).astype(np.int32)
    if graph.extra is not None:
        outer = np.full((len(cycles), 1), graph.extra, dtype=np.int32)
        cycles = np.append(cycles, outer, axis=1).astype(np.int32)
    return np.ascontiguousarray(cycles)


def _rolled(rows: NDArray[np.integer], first: int) -> NDArray[np.integer]:
    """Each cycle from a vertex on."""
    at = np.argmax(rows == first, axis=1)
    places = (np.arange(rows.shape[1]) + at[:, None]) % rows.shape[1]
    return np.take_along_axis(rows, places, axis=1)


def _in_direction(rows: NDArray[np.integer]) -> NDArray[np.integer]:
    """Cycles of a graph with doubled vertices in the direction of the arcs: 0, 1 in a row."""
    at = np.argmax(rows == 0, axis=1)
    after = np.take_along_axis(rows, ((at + 1) % rows.shape[1])[:, None], axis=1)[:, 0]
    return np.where((after != 1)[:, None], rows[:, ::-1], rows)
