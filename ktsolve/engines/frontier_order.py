"""The order in which the frontier sweep eliminates the vertices: a narrower frontier has fewer states."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from functools import partial

from ktsolve.engines.cycle_graph import CycleGraph
from ktsolve.ground.board import Board
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Clock

__all__ = ["best_order", "estimated_states", "frontier_widths"]

_GROWTH = 4.0
"""Factor by which states grow with each further frontier cell: 5.0e4, 8.7e5, 1.9e7 and 3.4e8 states for three
rows of boards 6, 7, 8 and 9 wide, whose frontiers have 12, 14, 16 and 18 cells."""

_CHEAP = 1e9
"""Cost of a simple order below which a search for a better one takes longer than the count: some 300,000
states, a tenth of a second. (Costs are a thousand times the number of states; only comparisons of costs are
used.)"""

_BEAM_WORK = 20_000
"""Partial orders extended by the beam search in all: 0.1 s for 6x6, 0.4 s for 8x8."""

_MOST_VERTICES = 400
"""Most vertices for the beam search. Larger boards that can be counted are strips."""

_WIDEST = 60
"""Width of a frontier at which no order of the beam search makes a count feasible."""


def _weight(width: int) -> float:
    return _GROWTH ** min(width, 400)  # a float holds no more


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


def _cost(graph: CycleGraph, order: Sequence[int]) -> float:
    return sum(map(_weight, frontier_widths(graph, order)))


def estimated_states(widths: Sequence[int]) -> float:
    """A rough estimate of the largest number of states, from the frontier's widths.

    Calibrated on knight boards: as if three cells of the frontier were determined by the others.
    """
    return _weight(max(0, max(widths, default=0) - 3))


def best_order(
    problem: TourProblem,
    graph: CycleGraph,
    clock: Clock | None = None,
    vertex_of: Sequence[int] | None = None,
) -> list[int]:
    """An order of low cost: the best of six simple sweeps and, where they are costly, of a beam search.

    ``vertex_of`` gives the vertex of each cell where several cells share one; vertices of no cell come last.

    The order of least width is the pathwidth problem, which is NP-hard. Against the sweep along the shorter
    side, the beam search brings the states held at once from 471,137 to 9,864 for 6x7 and from 23.6 to 10.2
    million for 7x8 (docs/benchmarks.md). Raises LimitReached when the clock runs out.
    """
    clock = clock or Clock(None)
    sweeps = _sweeps(problem, graph)
    if vertex_of is not None:
        inner = [vertex for vertex in range(graph.vertices) if vertex != graph.extra]
        sweeps = [list(dict.fromkeys([*(vertex_of[cell] for cell in order), *inner])) for order in sweeps]
    cost = partial(_cost, graph)
    best = min((_with_extra(graph, order) for order in sweeps), key=cost)
    clock.check("ordering the cells")
    if _CHEAP < cost(best) < _weight(_WIDEST) and graph.vertices <= _MOST_VERTICES:
        best = min(best, _with_extra(graph, _beam(graph, clock)), key=cost)
    return best


def _swept_last(graph: CycleGraph) -> bool:
    """Whether an extra vertex stays in the frontier to the end, as it does unless both ends are given."""
    return graph.extra is not None and len(graph.around[graph.extra]) > 2


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


def _sweeps(problem: TourProblem, graph: CycleGraph) -> list[list[int]]:
    if not isinstance(problem.ground, Board):
        import networkx

        moves = networkx.Graph(edge for edge in graph.pairs if graph.extra not in edge)
        moves.add_nodes_from(v for v in range(graph.vertices) if v != graph.extra)
        orders = [list(networkx.utils.reverse_cuthill_mckee_ordering(moves))]
    else:
        cells = problem.ground.cells
        keys = ([r for r, _ in cells], [c for _, c in cells], [r + c for r, c in cells])
        # Among equals, cells keep their order: row by row.
        orders = [sorted(range(len(cells)), key=key.__getitem__) for key in keys]
    return [each for order in orders for each in (order, order[::-1])]


def _beam(graph: CycleGraph, clock: Clock) -> list[int]:
    """An order by beam search over sets of eliminated vertices.

    Of all partial orders of one length the cheapest few hundred are kept, one for each set (a bit mask). The
    cost of a partial order is the sum over its frontiers.
    """
    masks = [sum(1 << other for other in others) for others in graph.around]
    everything = (1 << graph.vertices) - 1
    if _swept_last(graph):
        assert graph.extra is not None
        everything &= ~(1 << graph.extra)
    length = everything.bit_count()
    width = max(10, _BEAM_WORK // max(1, length))
    # set eliminated -> (cost, union of neighbourhoods, order)
    beam: dict[int, tuple[float, int, tuple[int, ...]]] = {0: (0.0, 0, ())}
    for _ in range(length):
        clock.check("ordering the cells")
        longer: dict[int, tuple[float, int, tuple[int, ...]]] = {}
        for done, (cost, reach, order) in beam.items():
            candidates = (reach & ~done & everything) or (everything & ~done)
            while candidates:
                bit = candidates & -candidates
                candidates ^= bit
                vertex = bit.bit_length() - 1
                now, seen = done | bit, reach | masks[vertex]
                total = cost + _weight((seen & ~now & everything).bit_count())
                if now not in longer or total < longer[now][0]:
                    longer[now] = (total, seen, (*order, vertex))
        beam = dict(heapq.nsmallest(width, longer.items(), key=lambda item: item[1][0]))
    return list(min(beam.values(), key=lambda item: item[0])[2])
