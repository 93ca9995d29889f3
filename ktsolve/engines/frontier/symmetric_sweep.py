"""Symmetric tours counted by a sweep of the whole board, without a quotient (src/frontier/invariant.cpp).

The moves that the symmetry maps to each other are made together or not at all. The sweep eliminates the cells
orbit by orbit. The order of the orbits is searched on the graph in which each orbit is one vertex; it decides
the cost and not the count.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ktsolve import _native
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.frontier.order import EliminationOrder, best_order
from ktsolve.engines.frontier.sweep import sweep
from ktsolve.graphs.board import Board
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.problem import TourProblem

__all__ = ["count_invariant", "order_of_orbits"]


def count_invariant(
    problem: TourProblem, images: Sequence[int], settings: Settings, clock: Clock
) -> _native.FrontierReport:
    """The report of a sweep that counts the tours which a symmetry maps to themselves.

    Parameters
    ----------
    images:
        The image of each cell, by index. The symmetry may have any order.

    Raises
    ------
    LimitReached
        At the time or memory limit; or at once, when the frontier is too wide.
    """
    graph = CycleGraph.of(problem)
    moved = _all_images(graph, images)
    order, members = _ordered(problem, graph, moved, clock)
    vertices = [vertex for orbit in order.vertices.tolist() for vertex in members[orbit]]
    place = np.empty(graph.vertices, dtype=np.int32)
    place[vertices] = np.arange(graph.vertices)
    new_images = place[np.asarray(moved)[vertices]].tolist()
    return sweep(
        "counting",
        problem,
        order,
        settings,
        clock,
        lambda *limits: _native.invariant_count(*graph.arrays(vertices), new_images, *limits),
    )


def order_of_orbits(
    problem: TourProblem, graph: CycleGraph, images: Sequence[int], clock: Clock
) -> EliminationOrder:
    """The order in which :func:`count_invariant` eliminates the orbits."""
    return _ordered(problem, graph, _all_images(graph, images), clock)[0]


def _all_images(graph: CycleGraph, images: Sequence[int]) -> list[int]:
    """The images of the vertices; the extra vertex of open tours stays."""
    return [*images, *([] if graph.extra is None else [graph.extra])]


def _ordered(
    problem: TourProblem, graph: CycleGraph, images: list[int], clock: Clock
) -> tuple[EliminationOrder, list[list[int]]]:
    """The order of the orbits, and the vertices of each, every one the image of that before."""
    members: list[list[int]] = []
    orbit_of = np.full(len(images), -1, dtype=np.int32)
    for vertex in range(len(images)):
        if orbit_of[vertex] < 0:
            members.append([])
        while orbit_of[vertex] < 0:
            orbit_of[vertex] = len(members) - 1
            members[-1].append(vertex)
            vertex = images[vertex]
    pairs = np.sort(orbit_of[graph.edges], axis=1)
    pairs = np.unique(pairs[pairs[:, 0] < pairs[:, 1]], axis=0)
    extra = None if graph.extra is None else int(orbit_of[graph.extra])
    folded = CycleGraph(len(members), pairs, np.zeros(len(pairs), dtype=np.bool_), extra)
    cells = orbit_of[: len(problem.ground)].tolist() if isinstance(problem.ground, Board) else None
    return best_order(problem, folded, clock, cells), members
