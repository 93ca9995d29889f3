"""Graphs without some of their vertices."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ktsolve.base.errors import BadInput
from ktsolve.base.text import number_of
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph, Vertex

__all__ = ["without_vertices"]


def without_vertices(graph: Graph, removed: Collection[Vertex]) -> Graph:
    """The graph, or the board, without some vertices and their edges. Linear.

    The other vertices keep their names and their order, edges their weights.

    >>> graph = Graph("abcd", ["ab", "bc", "cd", "da"])
    >>> rest = without_vertices(graph, {graph.cell("a")})
    >>> rest.names, rest.moves
    (('b', 'c', 'd'), ((0, 1), (1, 2)))
    """
    import numpy as np

    if not removed:
        return graph
    if isinstance(graph, Board):
        return replace(graph, removed=graph.removed | set(removed))
    kept = np.ones(len(graph), dtype=bool)
    kept[[graph.index[vertex] for vertex in removed]] = False
    if not kept.any():
        raise BadInput(f"all {number_of(len(graph), 'vertex')} are removed: a graph needs one or more")
    place = np.cumsum(kept) - 1
    edges = kept[graph.edges].all(axis=1)
    names = [name for name, stays in zip(graph.names, kept.tolist(), strict=True) if stays]
    weights = None if graph.weights is None else graph.weights[edges]
    return Graph.from_arrays(
        len(names), place[graph.edges[edges]], names, directed=graph.directed, weights=weights
    )
