"""The argument by degrees: some nodes need more edges than the others can give them.

Every node of a cycle has two edges, every node of a directed cycle an arc from it and an arc to it. Take a
set of nodes that *need* edges and a set of nodes that *give* them. The first need two each; they get at most
two from each node of the second set, and one from each edge to a node outside of it. If that is less, no
cycle exists. In a directed graph one arc leads from each node that needs it, and one to each node that gives.
Needed edges are taken first: they leave their nodes with fewer edges to need or to give.

Degrees below two, three needed edges at a node, and three neighbours of degree two are cases of it. There are
such sets if and only if no weights from 0 to 1 of the edges sum to two at each node (Ford & Fulkerson,
Flows in Networks, 1962): a minimum cut between the nodes as givers and as receivers finds them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ktsolve.proof.problem_graph import Edge, ProblemGraph

__all__ = ["Shortage", "count_degrees", "find_degrees"]

_MOST_EDGES = 2_000_000
"""Largest number of edges for which sets are looked for."""


@dataclass(frozen=True)
class Shortage:
    """The edges that some nodes need, and those that they can get, apart from needed edges of the problem."""

    needed: int
    available: int

    @property
    def refutes(self) -> bool:
        """Whether there are too few edges."""
        return self.needed > self.available


def count_degrees(graph: ProblemGraph, needing: Iterable[int], giving: Iterable[int]) -> Shortage:
    """Count the edges that nodes need, and those that they can get. Linear in nodes and edges.

    >>> from ktsolve.problem.problem import TourProblem
    >>> from ktsolve.proof.problem_graph import read_problem
    >>> small = read_problem(TourProblem(board="2x3", closed=True))
    >>> count_degrees(small, [1], [])  # no knight's move leads from b2
    Shortage(needed=2, available=0)
    """
    if graph.nodes < 3:
        return Shortage(0, 0)
    needs, gives = frozenset(needing), frozenset(giving)
    lacking, spare = _open_degrees(graph)
    available = sum(spare[v] for v in gives)
    available += sum(1 for u, v in _choices(graph) if u in needs and v not in gives)
    return Shortage(sum(lacking[v] for v in needs), available)


def find_degrees(graph: ProblemGraph) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return nodes that need and nodes that give too few edges, or None if none exist.

    Complexity: that of a maximum flow through twice the nodes and edges.

    >>> from ktsolve.problem.problem import TourProblem
    >>> from ktsolve.proof.problem_graph import read_problem
    >>> find_degrees(read_problem(TourProblem(board="3x3", closed=True)))
    ((4,), ())
    """
    if graph.nodes < 3 or len(graph.edges) > _MOST_EDGES:
        return None
    lacking, spare = _open_degrees(graph)
    for v in range(graph.nodes):
        if spare[v] < 0:
            return (), (v,)
        if lacking[v] < 0:
            return tuple(other for other in range(graph.nodes) if other != v), tuple(range(graph.nodes))
    from ortools.graph.python import max_flow

    n = graph.nodes
    source, sink = 2 * n, 2 * n + 1
    flow = max_flow.SimpleMaxFlow()
    for v in range(n):
        flow.add_arc_with_capacity(source, v, lacking[v])
        flow.add_arc_with_capacity(n + v, sink, spare[v])
    for u, v in _choices(graph):
        flow.add_arc_with_capacity(u, n + v, 1)
    flow.solve(source, sink)
    if flow.optimal_flow() == sum(lacking):
        return None
    reached = set(flow.get_source_side_min_cut())
    needing, giving = (tuple(v for v in range(n) if v + shift in reached) for shift in (0, n))
    return needing, giving


def _open_degrees(graph: ProblemGraph) -> tuple[list[int], list[int]]:
    """For each node the number of edges that it needs, and that it gives, besides needed edges."""
    each = 1 if graph.directed else 2
    lacking, spare = [each] * graph.nodes, [each] * graph.nodes
    for u, v in graph.needed:
        lacking[u] -= 1
        spare[v] -= 1
        if not graph.directed:
            lacking[v] -= 1
            spare[u] -= 1
    return lacking, spare


def _choices(graph: ProblemGraph) -> Iterator[Edge]:
    """The edges that are not needed: in both directions, or as arcs."""
    for u, v in graph.edges:
        if (u, v) not in graph.needed:
            yield u, v
            if not graph.directed:
                yield v, u
