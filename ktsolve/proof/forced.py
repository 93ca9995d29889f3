"""Edges that every cycle has, because a node has no others, and edges that none has.

A node with two edges needs both. A node with two needed edges has no others. In a directed graph the same
holds for the one arc to a node and the one from it. These rules are repeated until nothing changes.
"""

from __future__ import annotations

from dataclasses import replace

from ktsolve.proof.problem_graph import Edge, ProblemGraph

__all__ = ["with_forced_edges"]


def with_forced_edges(graph: ProblemGraph) -> ProblemGraph:
    """Return the graph with more needed edges and fewer other ones; it has the same cycles.

    Complexity: linear in nodes and edges, times the largest degree.

    >>> from ktsolve.graphs.graph import Graph
    >>> from ktsolve.problem.problem import TourProblem
    >>> from ktsolve.proof.problem_graph import read_problem
    >>> square = Graph("abcd", ["ab", "bc", "cd", "da", "ac"])
    >>> forced = with_forced_edges(read_problem(TourProblem(board=square, closed=True)))
    >>> sorted(forced.needed), forced.edges
    ([(0, 1), (0, 3), (1, 2), (2, 3)], ((0, 1), (0, 3), (1, 2), (2, 3)))
    """
    if graph.nodes < 3:
        return graph
    each = 1 if graph.directed else 2
    # The edges of a node; in a directed graph those to it and those from it.
    groups: list[list[Edge]] = [[] for _ in range(graph.nodes * (2 if graph.directed else 1))]
    shift = graph.nodes if graph.directed else 0
    for edge in graph.edges:
        groups[edge[0]].append(edge)
        groups[edge[1] + shift].append(edge)
    left, needed = set(graph.edges), set(graph.needed)
    waiting = list(range(len(groups)))
    while waiting:
        here = [edge for edge in groups[waiting.pop()] if edge in left]
        must = [edge for edge in here if edge in needed]
        changed: list[Edge] = []
        if len(here) <= each:
            changed = [edge for edge in here if edge not in needed]
            needed.update(changed)
        elif len(must) >= each:
            changed = [edge for edge in here if edge not in needed]
            left.difference_update(changed)
        for u, v in changed:
            waiting += [u, v + shift]
    if left == set(graph.edges) and needed == graph.needed:
        return graph
    edges = tuple(edge for edge in graph.edges if edge in left)
    return replace(graph, edges=edges, needed=frozenset(needed))
