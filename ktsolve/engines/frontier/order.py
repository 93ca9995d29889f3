"""The order in which the frontier sweep eliminates the vertices: a narrower frontier has fewer states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ktsolve import _native
from ktsolve.base.limits import Clock, check_status
from ktsolve.graphs.board import Board
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.problem import TourProblem

__all__ = ["EliminationOrder", "best_order", "frontier_widths", "predicted"]


_MANY = 2.0**14  # predicted states from which it is worth a test whether a graph is planar
_SWEPT = 100  # rows and columns from which no sweep is narrow enough, unless most cells are removed


@dataclass(frozen=True)
class EliminationOrder:
    """An order of the vertices; after each the size of the frontier and the bits of the predicted states."""

    vertices: NDArray[np.int32]
    widths: NDArray[np.int32]
    bits: NDArray[np.float64]
    planar: bool = False
    """Whether the states are those predicted for a planar graph, without an extra vertex to the end."""

    @property
    def width(self) -> int:
        """Size of the largest frontier."""
        return int(self.widths.max(initial=0))

    @property
    def states(self) -> float:
        """The predicted largest number of states."""
        return float(2 ** min(self.bits.max(initial=0), 1000.0))

    @property
    def total(self) -> float:
        """The predicted sum of states over all vertices."""
        return float(np.exp2(np.minimum(self.bits, 1000.0)).sum())


def frontier_widths(graph: CycleGraph, order: Sequence[int] | NDArray[np.int32]) -> NDArray[np.int64]:
    """Size of the frontier after each vertex of the order, or of its beginning. Linear in the edges."""
    number, numbers = len(order), np.arange(graph.vertices)
    place = np.full(graph.vertices, -1)
    place[np.asarray(order, dtype=np.int64)] = numbers[:number]
    place[place < 0] = numbers[number:]
    # A vertex is in the frontier from its first eliminated neighbour until it is eliminated itself.
    first = numbers.copy()
    ends = place[graph.edges]
    np.minimum.at(first, ends[:, 0], ends[:, 1])
    np.minimum.at(first, ends[:, 1], ends[:, 0])
    late = first < numbers
    begun = np.bincount(first[late], minlength=graph.vertices)
    widths: NDArray[np.int64] = np.cumsum(begun - late)[:number]
    return widths


def predicted(
    graph: CycleGraph, order: Sequence[int] | NDArray[np.int32], *, planar: bool = False
) -> EliminationOrder:
    """An order with its widths and the prediction of its states. Linear in the edges."""
    vertices = np.asarray(order).tolist()
    _, vertices, bits, widths = _native.frontier_prediction(*graph.arrays(), vertices, planar)
    return EliminationOrder(vertices, widths, bits, planar)


def best_order(
    problem: TourProblem,
    graph: CycleGraph,
    clock: Clock | None = None,
    vertex_of: Sequence[int] | None = None,
    effort: float = 1.0,
) -> EliminationOrder:
    """The order of the fewest predicted states, of several kinds (ktsolve/frontier/order.hpp).

    The order of least width is the pathwidth problem, which is NP-hard. Sweeps of a board along rows, columns
    and diagonals are candidates; the beam search brings the states held at once from 471,137 to 9,864 for
    6x7 and from 23.6 to 8.6 million for 7x8 (docs/benchmarks.md).

    The graph is the cycle graph of the problem or a quotient of it. Raises LimitReached.

    - ``vertex_of``: The vertex of each cell where several cells share one; vertices of no cell come last.
    - ``effort``: Factor of the work of the beam search. With a twentieth the order of a board of width 8 is
      found in some ten milliseconds instead of 150, and has up to a third more states, on 9x9 four times as
      many.
    """
    clock = clock or Clock(None)
    clock.check("ordering the cells")
    sweeps = _sweeps(problem) if vertex_of is not None or _has_cells(problem, graph) else []
    if vertex_of is not None:
        inner = [vertex for vertex in range(graph.vertices) if vertex != graph.extra]
        sweeps = [list(dict.fromkeys([*(vertex_of[cell] for cell in order), *inner])) for order in sweeps]
    last = graph.extra if graph.extra is not None and _swept_last(graph) else -1
    given = [_with_extra(graph, order) for order in sweeps]

    def order(planar: bool) -> EliminationOrder:
        status, vertices, bits, widths = _native.frontier_order(
            *graph.arrays(), given, last=last, effort=effort, seconds=clock.left, planar=planar
        )
        clock.check("ordering the cells")
        check_status(status, None, "ordering the cells")
        return EliminationOrder(vertices, widths, bits, planar and last < 0)

    found = order(planar=False)
    return order(planar=True) if found.states > _MANY and graph.planar else found


def _has_cells(problem: TourProblem, graph: CycleGraph) -> bool:
    """Whether the vertices of the graph are the cells of a board, and perhaps an extra vertex."""
    inner = graph.vertices - (graph.extra is not None)
    return isinstance(problem.ground, Board) and inner == len(problem.ground)


def _swept_last(graph: CycleGraph) -> bool:
    """Whether an extra vertex stays in the frontier to the end, as it does unless both ends are given."""
    return int(np.count_nonzero(graph.edges == graph.extra)) > 2


def _with_extra(graph: CycleGraph, order: list[int]) -> list[int]:
    """The order with the extra vertex of an open tour: last, or after the first end if both are given.

    In the second case the other end is in the frontier instead, for fewer steps.
    """
    if graph.extra is None or graph.extra in order:
        return order
    if _swept_last(graph):
        return [*order, graph.extra]
    ends = graph.around[graph.extra]
    at = min((order.index(end) for end in ends), default=len(order) - 1) + 1
    return [*order[:at], graph.extra, *order[at:]]


def _sweeps(problem: TourProblem) -> list[list[int]]:
    board, cells = problem.board, problem.board.cells
    if min(board.rows, board.columns) > _SWEPT:
        return [list(range(len(cells)))]
    keys = ([r for r, _ in cells], [c for _, c in cells], [r + c for r, c in cells])
    # Among equals, cells keep their order: row by row.
    orders = [sorted(range(len(cells)), key=key.__getitem__) for key in keys]
    return [each for order in orders for each in (order, order[::-1])]
