"""The size of the search tree of a problem, by a short search and by random dives.

The work is bounded by a number of nodes, not by a time, so that the result does not depend on the machine.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ktsolve import _native
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.problem import CONDITIONS, TourProblem

__all__ = ["LISTED_FIRST", "SECONDS_LISTED", "SearchTree", "guessed_tours", "start_search", "tree_of"]

LISTED_FIRST = 10_000.0
"""Number of first tours by whose time lists are compared."""

SECONDS_LISTED = 1e-4
"""Seconds for each tour that is listed and checked, by any engine."""

_WORK = 300_000  # nodes times vertices and edges that a tree costs at most: a hundredth of a second

_MOST_NODES = 3_000

_SECONDS = 1.0e-8  # seconds of a node for each vertex and edge, measured on 6x6, 5x8 and open 4x10

_DEEPEST = 16_000_000
"""Vertices times vertices and edges up to which dives are made, in some tenths of a second. Beyond, the sums
of a dive overflow in any case: each of two choices doubles them."""

_LARGEST = 20_000  # vertices and edges up to which a tree is looked at


@dataclass(frozen=True)
class SearchTree:
    """The size of the search tree of a problem, and the seconds of a node.

    - ``exact``: Whether the whole tree was searched. Otherwise both numbers are estimates.
    - ``first``: Nodes before the first tour, if the search reached it.
    - ``seen``: Whether any tour was met; if not, and unless ``exact``, their number is a guess from the
      degrees.
    """

    nodes: float
    tours: float
    node_seconds: float
    exact: bool = False
    first: int | None = None
    seen: bool = False


def start_search(problem: TourProblem, seed: int | None = None) -> tuple[CycleGraph, _native.Search | None]:
    """The cycle graph of a problem, and the native search; None if a required edge does not exist."""
    graph, links = CycleGraph.of(problem).linked(problem)
    if graph.impossible:
        return graph, None
    index = problem.ground.index
    anchors = [(index[cell], step) for step, cell in problem.known_steps] if problem.at else []
    if graph.doubled:
        # Two vertices of each cell at two steps of the cycle exclude the opposite direction.
        anchors = [(2 * v + i, 2 * step - 1 + i) for v, step in anchors for i in range(2)]
    # The extra vertex of an open tour is at step 0, so that cells keep their step numbers.
    if anchors and graph.extra is not None:
        anchors.append((graph.extra, 0))
    vertices, edges, required = graph.arrays()
    return graph, _native.Search(vertices, edges, required, links, anchors, seed or 0)


@lru_cache(maxsize=64)
def tree_of(problem: TourProblem, seed: int | None = None) -> SearchTree | None:
    """The tree of a problem without its conditions that need a model; None if the graph is too large.

    The seed varies the order of the search, and so what comes first.

    >>> tree = tree_of(TourProblem(board="5x6", closed=True))
    >>> tree.exact, tree.nodes, tree.tours
    (True, 81, 8)
    """
    if problem.features & CONDITIONS:
        plain = [each for each in problem.conditions if each.feature not in CONDITIONS]
        return tree_of(TourProblem(board=problem.ground, closed=problem.closed, conditions=plain), seed)
    size = len(problem.ground) + len(problem.ground.edges)
    if size > _LARGEST:
        return None
    if len(problem.ground) == 1:
        return SearchTree(1, int(not problem.closed), 1e-6, exact=True, first=1, seen=True)
    graph, search = start_search(problem, seed)
    if search is None:
        return SearchTree(0, 0, 1e-6, exact=True)
    node_seconds = _SECONDS * (graph.vertices + len(graph.edges))
    budget = max(100, min(_MOST_NODES, _WORK // size))
    search.run(1, False, None, None, budget)
    first = search.nodes if search.found else None
    search.run(2**64 - 1, False, None, None, max(0, budget - search.nodes))
    if search.exhausted:
        return SearchTree(search.nodes, search.found, node_seconds, exact=True, first=first, seen=True)
    _, again = start_search(problem, seed)
    assert again is not None
    deep = len(problem.ground) * size > _DEEPEST
    nodes, tours, _ = (math.inf, 0.0, 0) if deep else again.dive(budget)
    return SearchTree(
        max(nodes, search.nodes),
        tours or max(float(search.found), _guessed(problem, graph)),
        node_seconds,
        first=first,
        seen=bool(tours or search.found),
    )


def guessed_tours(problem: TourProblem) -> float:
    """A guess of the number of tours from the mean degree, for graphs that are too large for a tree.

    >>> guessed_tours(TourProblem(board="300x300", closed=True)) > 1e100
    True
    """
    vertices = len(problem.ground)
    degree = max(2.0, 2 * len(problem.ground.edges) / vertices)
    return math.exp(min(700.0, max(0.0, vertices * math.log(degree / math.e))))


def _guessed(problem: TourProblem, graph: CycleGraph) -> float:
    """A guess of the number of tours from the degrees: right for dense random graphs, too high for boards.

    A Hamiltonian cycle of a random graph chooses a neighbour at each vertex; a share of 1/e at each makes one
    cycle. A given step is met by one tour of n.
    """
    degrees = np.bincount(graph.edges.reshape(-1), minlength=graph.vertices)
    bits = float(np.log(np.maximum(degrees, 2) / math.e).sum())
    bits -= float(np.log(np.maximum(degrees, 2)[graph.edges[graph.required]]).sum()) / 2
    bits -= max(0, len(problem.known_steps) - 1) * math.log(max(2, len(problem.ground)))
    return math.exp(min(700.0, max(bits, 0.0)))
