"""Edges as NumPy arrays: simple edges in order, neighbours of each vertex, connected components."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Neighbours",
    "SimpleEdges",
    "component_labels",
    "edge_keys",
    "neighbours_of",
    "simple_edges",
    "strong_components",
]


class SimpleEdges(NamedTuple):
    """Edges without loops and parallels, sorted, with their weights, and how many of each were dropped."""

    edges: NDArray[np.int32]
    weights: NDArray[np.int64] | None
    loops: int
    parallel: int


class Neighbours(NamedTuple):
    """The neighbours of vertex v, in order: ``others[starts[v]:starts[v + 1]]``."""

    starts: NDArray[np.int64]
    others: NDArray[np.int32]

    def of(self, vertex: int) -> list[int]:
        """The neighbours of a vertex."""
        found: list[int] = self.others[self.starts[vertex] : self.starts[vertex + 1]].tolist()
        return found


def edge_keys(vertices: int, edges: NDArray[np.integer]) -> NDArray[np.int64]:
    """One number for each pair, in the order of the pairs."""
    return edges[:, 0].astype(np.int64) * vertices + edges[:, 1]


def simple_edges(
    vertices: int, pairs: NDArray[np.int64], *, directed: bool, weights: NDArray[np.int64] | None = None
) -> SimpleEdges:
    """The simple edges among pairs of vertices; of parallel ones a lightest is kept. O(m log m).

    >>> found = simple_edges(3, np.array([[1, 0], [0, 1], [2, 2], [1, 2]]), directed=False)
    >>> found.edges.tolist(), found.loops, found.parallel
    ([[0, 1], [1, 2]], 1, 1)
    """
    inner = pairs[:, 0] != pairs[:, 1]
    loops = len(pairs) - int(np.count_nonzero(inner))
    if loops:
        pairs = pairs[inner]
        weights = None if weights is None else weights[inner]
    if not directed:
        pairs = np.sort(pairs, axis=1)
    keys = edge_keys(vertices, pairs)
    if weights is None:
        keys = np.sort(keys, kind="stable")
    else:
        order = np.lexsort((weights, keys))
        keys, weights = keys[order], weights[order]
    first = np.append(True, keys[1:] != keys[:-1])[: len(keys)]
    parallel = len(keys) - int(np.count_nonzero(first))
    if parallel:
        keys = keys[first]
        weights = None if weights is None else weights[first]
    edges = np.stack(np.divmod(keys, vertices), axis=1).astype(np.int32)
    return SimpleEdges(edges, weights, loops, parallel)


def neighbours_of(
    vertices: int, edges: NDArray[np.integer], *, directed: bool = False, backwards: bool = False
) -> Neighbours:
    """The neighbours of each vertex; of directed edges the successors, or ``backwards`` the predecessors.

    >>> found = neighbours_of(3, np.array([[0, 1], [1, 2]]))
    >>> found.of(1)
    [0, 2]
    """
    tails, heads = edges[:, 0], edges[:, 1]
    if not directed:
        tails, heads = np.concatenate([tails, heads]), np.concatenate([heads, tails])
    elif backwards:
        tails, heads = heads, tails
    keys = np.sort(tails.astype(np.int64) * vertices + heads, kind="stable")
    tails, heads = np.divmod(keys, vertices)
    starts = np.zeros(vertices + 1, dtype=np.int64)
    np.cumsum(np.bincount(tails, minlength=vertices), out=starts[1:])
    return Neighbours(starts, heads.astype(np.int32))


def component_labels(vertices: int, edges: NDArray[np.integer]) -> NDArray[np.int64]:
    """For each vertex the least vertex of its component, whatever the directions of the edges.

    By union and find, O((n + m) log n).

    >>> component_labels(5, np.array([[3, 4], [0, 2]])).tolist()
    [0, 1, 0, 3, 3]
    """
    from ktsolve import _native

    pairs = np.ascontiguousarray(edges[edges[:, 0] != edges[:, 1]], dtype=np.int32)
    part, _ = _native.find_subtours(vertices, pairs, np.ones(len(pairs), np.uint8), np.empty(0, np.uint8))
    # Components are numbered by their least vertices.
    new = np.diff(np.maximum.accumulate(part), prepend=-1) > 0
    least: NDArray[np.int64] = np.flatnonzero(new)[part]
    return least


def strong_components(vertices: int, arcs: NDArray[np.integer]) -> list[list[int]]:
    """The strong components of a directed graph; no arc leads from one to an earlier one.

    R. E. Tarjan's algorithm (1972) without recursion, O(n + m).

    >>> strong_components(4, np.array([[0, 1], [1, 0], [1, 2], [3, 2]]))
    [[3], [0, 1], [2]]
    """
    lists = neighbours_of(vertices, arcs, directed=True)
    found: list[list[int]] = []
    number, low = [-1] * vertices, [0] * vertices
    waiting: list[int] = []
    done = [False] * vertices
    count = 0
    for root in range(vertices):
        if number[root] >= 0:
            continue
        work = [(root, iter(lists.of(root)))]
        number[root] = low[root] = count
        count += 1
        waiting.append(root)
        while work:
            vertex, others = work[-1]
            for other in others:
                if number[other] < 0:
                    number[other] = low[other] = count
                    count += 1
                    waiting.append(other)
                    work.append((other, iter(lists.of(other))))
                    break
                if not done[other]:
                    low[vertex] = min(low[vertex], number[other])
            else:
                work.pop()
                if work:
                    before = work[-1][0]
                    low[before] = min(low[before], low[vertex])
                if low[vertex] == number[vertex]:
                    component = []
                    while not done[vertex]:
                        component.append(waiting.pop())
                        done[component[-1]] = True
                    found.append(sorted(component))
    return found[::-1]
