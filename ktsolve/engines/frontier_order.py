"""In which order the frontier sweep eliminates the vertices: the narrower the frontier, the fewer states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ktsolve.engines.cycle_graph import CycleGraph
from ktsolve.problem.problem import TourProblem

__all__ = ["best_order", "estimated_states", "frontier_widths"]

_GROWTH = 4.0
"""States grow about fourfold with each further frontier cell: 5.0e4, 8.7e5, 1.9e7, 3.4e8 for three rows of a
board 6, 7, 8 and 9 wide, whose frontiers have 12, 14, 16 and 18 cells."""

_GREEDY_UP_TO = 400


def frontier_widths(graph: CycleGraph, order: Sequence[int]) -> list[int]:
    """Size of the frontier after each vertex of the order. Linear in the edges."""
    place = {vertex: i for i, vertex in enumerate(order)}
    changes = [0] * (graph.vertices + 1)
    for vertex in order:
        # In the frontier from its first eliminated neighbour until it is eliminated itself.
        first = min((place[other] for other in graph.around[vertex]), default=place[vertex])
        if first < place[vertex]:
            changes[first] += 1
            changes[place[vertex]] -= 1
    widths, width = [], 0
    for change in changes[:-1]:
        width += change
        widths.append(width)
    return widths


def _cost(widths: Sequence[int]) -> float:
    return sum(_GROWTH**width for width in widths)


def estimated_states(widths: Sequence[int]) -> float:
    """A rough guess at the largest number of states, from the frontier's widths.

    Calibrated on knight boards: three cells of the frontier are as good as determined.
    """
    return float(_GROWTH ** max(0, max(widths, default=0) - 3))


def best_order(problem: TourProblem, graph: CycleGraph) -> list[int]:
    """The cheapest of the sweeps along the sides, from either end, and of greedy orders."""
    orders = [_with_extra(graph, order) for order in _candidates(problem, graph)]
    return min(orders, key=lambda order: _cost(frontier_widths(graph, order)))


def _with_extra(graph: CycleGraph, order: list[int]) -> list[int]:
    """Where the extra vertex of an open tour goes: last, or, if both ends are given, after the first of them.

    Then the other end waits in the frontier instead, and for a shorter time.
    """
    if graph.extra is None:
        return order
    ends = graph.around[graph.extra]
    if len(ends) != 2:
        return [*order, graph.extra]
    at = min(order.index(end) for end in ends) + 1
    return [*order[:at], graph.extra, *order[at:]]


def _candidates(problem: TourProblem, graph: CycleGraph) -> Iterator[list[int]]:
    cells = problem.board.cells
    numbers = range(len(cells))
    for key in (
        lambda i: (cells[i][0], cells[i][1]),
        lambda i: (cells[i][1], cells[i][0]),
        lambda i: (cells[i][0] + cells[i][1], cells[i][0]),
    ):
        order = sorted(numbers, key=key)
        yield order
        yield order[::-1]
    if len(cells) <= _GREEDY_UP_TO:
        starts = sorted(numbers, key=lambda i: len(graph.around[i]))[:2]
        for start in starts:
            yield _greedy(graph, start, len(cells))


def _greedy(graph: CycleGraph, start: int, cells: int) -> list[int]:
    """Always the vertex that adds the fewest new ones to the frontier, oldest first among equals."""
    order = [start]
    done = {start}
    frontier = {other: 0 for other in graph.around[start] if other < cells}
    while len(order) < cells:
        if frontier:
            vertex = min(
                frontier,
                key=lambda v: (
                    sum(1 for o in graph.around[v] if o < cells and o not in done and o not in frontier),
                    frontier[v],
                ),
            )
            del frontier[vertex]
        else:
            vertex = next(v for v in range(cells) if v not in done)
        done.add(vertex)
        order.append(vertex)
        for other in graph.around[vertex]:
            if other < cells and other not in done:
                frontier.setdefault(other, len(order))
    return order
