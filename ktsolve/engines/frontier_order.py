"""In which order the frontier sweep eliminates the vertices: the narrower the frontier, the fewer states."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from typing import Any

from ktsolve.engines.cycle_graph import CycleGraph
from ktsolve.ground.board import Board
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Clock

__all__ = ["best_order", "estimated_states", "frontier_widths"]

_GROWTH = 4.0
"""States grow about fourfold with each further frontier cell: 5.0e4, 8.7e5, 1.9e7, 3.4e8 for three rows of a
board 6, 7, 8 and 9 wide, whose frontiers have 12, 14, 16 and 18 cells."""

_CHEAP = 1e9
"""Cost of a simple order below which looking for a better one takes longer than counting: some 300,000
states, a tenth of a second. (Costs are a thousand times the states really met; only their order matters.)"""

_BEAM_WORK = 20_000
"""Partial orders looked at by the beam search, shared among the vertices: 0.1 s for 6x6, 0.4 s for 8x8."""

_MOST_VERTICES = 400
"""On longer boards that can be counted at all, strips, sweeping along them is as good."""

_WIDEST = 60
"""A frontier that no order brings down to what can be counted: looking for one would only take long."""


def _weight(width: int) -> float:
    return _GROWTH ** min(width, 400)  # beyond lies what a float cannot hold


_Chain = Any
"""``(vertex, chain)`` or None: a linked list, shared between partial orders."""


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
    return sum(_weight(width) for width in widths)


def estimated_states(widths: Sequence[int]) -> float:
    """A rough guess at the largest number of states, from the frontier's widths.

    Calibrated on knight boards: three cells of the frontier are as good as determined.
    """
    return _weight(max(0, max(widths, default=0) - 3))


def best_order(
    problem: TourProblem,
    graph: CycleGraph,
    clock: Clock | None = None,
    vertex_of: Sequence[int] | None = None,
) -> list[int]:
    """A cheap order: the best of the sweeps along the sides or, where it pays, what a beam search finds.

    ``vertex_of`` tells the vertex of each cell where several cells share one; vertices of no cell come last.

    Finding the best order of all is the pathwidth problem, NP-hard. The beam search is worth it: against the
    sweep along the shorter side it cuts the states of 6x6 from 304053 to 12465 and those of 7x8 from 1.7e8 to
    4.8e7 (transitions likewise, 4 times the speed). When the clock runs out LimitReached is raised.
    """
    clock = clock or Clock(None)
    sweeps = _sweeps(problem)
    if vertex_of is not None:
        inner = [vertex for vertex in range(graph.vertices) if vertex != graph.extra]
        sweeps = (list(dict.fromkeys([*(vertex_of[cell] for cell in order), *inner])) for order in sweeps)
    orders = [_with_extra(graph, order) for order in sweeps]
    costs = [_cost(frontier_widths(graph, order)) for order in orders]
    clock.check("ordering the cells")
    if _CHEAP < min(costs) < _weight(_WIDEST) and graph.vertices <= _MOST_VERTICES:
        order = _with_extra(graph, _beam(graph, clock))
        orders.append(order)
        costs.append(_cost(frontier_widths(graph, order)))
    return orders[costs.index(min(costs))]


def _swept_last(graph: CycleGraph) -> bool:
    """Does the extra vertex of an open tour stay in the frontier to the end? Not if both ends are given."""
    return graph.extra is not None and len(graph.around[graph.extra]) > 2


def _with_extra(graph: CycleGraph, order: list[int]) -> list[int]:
    """Where the extra vertex of an open tour goes: last, or, if both ends are given, after the first of them.

    Then the other end waits in the frontier instead, and for a shorter time.
    """
    if graph.extra is None or graph.extra in order:
        return order
    if _swept_last(graph):
        return [*order, graph.extra]
    ends = graph.around[graph.extra]
    at = min((order.index(end) for end in ends), default=len(order) - 1) + 1
    return [*order[:at], graph.extra, *order[at:]]


def _sweeps(problem: TourProblem) -> Iterator[list[int]]:
    if not isinstance(problem.ground, Board):
        from networkx.utils import reverse_cuthill_mckee_ordering

        order = list(reverse_cuthill_mckee_ordering(problem.ground.graph))
        yield order
        yield order[::-1]
        return
    cells = problem.ground.cells
    numbers = range(len(cells))
    for key in (
        lambda i: (cells[i][0], cells[i][1]),
        lambda i: (cells[i][1], cells[i][0]),
        lambda i: (cells[i][0] + cells[i][1], cells[i][0]),
    ):
        order = sorted(numbers, key=key)
        yield order
        yield order[::-1]


def _beam(graph: CycleGraph, clock: Clock) -> list[int]:
    """Order by beam search over sets of eliminated vertices, by the cost of the frontiers so far.

    Of all partial orders of one length the cheapest few hundred are kept, one for each set (a bit mask).
    """
    masks = [sum(1 << other for other in others) for others in graph.around]
    everything = (1 << graph.vertices) - 1
    if _swept_last(graph):
        assert graph.extra is not None
        everything &= ~(1 << graph.extra)
    length = everything.bit_count()
    width = max(10, _BEAM_WORK // max(1, length))
    # set eliminated -> (cost, union of neighbourhoods, order as a linked list)
    beam: dict[int, tuple[float, int, _Chain]] = {0: (0.0, 0, None)}
    for _ in range(length):
        clock.check("ordering the cells")
        longer: dict[int, tuple[float, int, _Chain]] = {}
        for done, (cost, reach, chain) in beam.items():
            candidates = (reach & ~done & everything) or (everything & ~done)
            while candidates:
                bit = candidates & -candidates
                candidates ^= bit
                vertex = bit.bit_length() - 1
                now, seen = done | bit, reach | masks[vertex]
                frontier = (seen & ~now & everything).bit_count()
                total = cost + _weight(frontier)
                known = longer.get(now)
                if known is None or total < known[0]:
                    longer[now] = (total, seen, (vertex, chain))
        beam = dict(heapq.nsmallest(width, longer.items(), key=lambda item: item[1][0]))
    best: _Chain = min(beam.values(), key=lambda item: item[0])[2]
    order: list[int] = []
    while best is not None:
        order.append(best[0])
        best = best[1]
    return order[::-1]
