"""How to cut a graph for the two-sided join: the plan that looks cheapest.

A *plan* names the vertices that are eliminated from the top, those from the bottom, and those in the middle
that separate them; the order of each; on which side each middle edge counts; which symmetries may be used.
Plans are made for every cut between consecutive rows and columns and, for what has no rows (wraps, odd
shapes), for every place along a good elimination order; the one that looks cheapest is taken.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import networkx as nx

from ktsolve.engines.cycle_graph import CycleGraph
from ktsolve.engines.join.cost import cost
from ktsolve.engines.join.plan import JoinPlan, image_of
from ktsolve.engines.join.separators import MOST_MIDDLE, Cut, line_cuts, order_cuts, pair_cuts
from ktsolve.engines.join.sharing import shared_out
from ktsolve.errors import Refused
from ktsolve.ground.symmetry import symmetry_group

if TYPE_CHECKING:
    from ktsolve.problem.problem import TourProblem
    from ktsolve.settings import Clock

__all__ = ["best_plan", "has_line_cut", "plans_for"]


def best_plan(problem: TourProblem, graph: CycleGraph, clock: Clock | None = None) -> JoinPlan:
    """The plan that looks cheapest.

    Raises
    ------
    Refused
        If no cut has at most :data:`MOST_MIDDLE` vertices in the middle.
    """
    plans = plans_for(problem, graph, clock)
    if not plans:
        raise Refused(
            f"engine join finds no cut of {problem} with at most {MOST_MIDDLE} cells in the middle: "
            "use frontier, search"
        )
    return plans[0]


def plans_for(problem: TourProblem, graph: CycleGraph, clock: Clock | None = None) -> list[JoinPlan]:
    """All plans tried, cheapest first.

    Cuts along lines; if there is none, along an elimination order; and if there is none, two vertices that
    are not neighbours against all the rest.
    """
    trimmed, split, colour = _coloured(graph)
    for cuts in (line_cuts(problem, trimmed), order_cuts(problem, trimmed, clock), pair_cuts(trimmed)):
        plans = _plans(problem, trimmed, split, colour, cuts)
        if plans:
            return plans
    return []


def has_line_cut(problem: TourProblem, graph: CycleGraph) -> bool:
    """Is there a cut between rows or between columns?"""
    return any(_is_narrow(cut) for cut in line_cuts(problem, _coloured(graph)[0]))


def _is_narrow(cut: Cut) -> bool:
    top, bottom, middle, _ = cut
    return bool(top and bottom and middle) and len(middle) <= MOST_MIDDLE


def _plans(
    problem: TourProblem, trimmed: CycleGraph, split: int, colour: tuple[int, ...], cuts: Iterable[Cut]
) -> list[JoinPlan]:
    involutions = _involutions(problem, trimmed)
    edges = dict(zip(trimmed.edges, trimmed.required, strict=True))
    symmetries = [
        images
        for images in involutions
        if all(edges.get(image_of(images, edge)) == needed for edge, needed in edges.items())
    ]
    plans = []
    seen = set()
    for cut in cuts:
        top, bottom, middle, name = cut
        key = (frozenset(top), frozenset(bottom))
        if not _is_narrow(cut) or key in seen:
            continue
        seen.add(key)
        plan = JoinPlan(trimmed, tuple(top), tuple(bottom), tuple(middle), name, split=split, colour=colour)
        shared = shared_out(plan, symmetries, involutions)
        if shared is not None:
            plans.append(replace(shared, bits=cost(shared)))
    return sorted(plans, key=lambda plan: (round(plan.bits, 6), plan.name[0] != "r"))


def _coloured(graph: CycleGraph) -> tuple[CycleGraph, int, tuple[int, ...]]:
    """The graph without ends that colours rule out; the extra vertex, if it takes one end of either colour.

    The move graph of most boards is bipartite. With as many cells of one colour as of the other, an open tour
    has an end of either colour; with one cell more, both ends have that colour.
    """
    extra = graph.extra
    if extra is None:
        return graph, -1, ()
    moves = nx.Graph()
    moves.add_nodes_from(v for v in range(graph.vertices) if v != extra)
    moves.add_edges_from(edge for edge in graph.edges if extra not in edge)
    if moves.number_of_nodes() < 2 or not nx.is_connected(moves) or not nx.is_bipartite(moves):
        return graph, -1, ()
    sides = nx.bipartite.color(moves)
    colour = tuple(sides.get(v, 0) for v in range(graph.vertices))
    second = sum(colour)
    excess = (graph.vertices - 1 - second) - second
    if excess == 0 and len(graph.around[extra]) > 2:
        return graph, extra, colour
    if abs(excess) == 1:
        major = 0 if excess == 1 else 1
        kept = [
            (edge, needed)
            for edge, needed in zip(graph.edges, graph.required, strict=True)
            if extra not in edge or needed or colour[edge[0]] == major
        ]
        return (
            CycleGraph(
                graph.vertices, tuple(e for e, _ in kept), tuple(n for _, n in kept), extra, graph.impossible
            ),
            -1,
            (),
        )
    return graph, -1, ()


def _involutions(problem: TourProblem, graph: CycleGraph) -> list[tuple[int, ...]]:
    """Symmetries of the board of order two, as images of the vertices of the graph."""
    found = []
    for symmetry in symmetry_group(problem.board):
        images = tuple(symmetry.images) + ((graph.extra,) if graph.extra is not None else ())
        if all(images[images[v]] == v for v in range(graph.vertices)):
            found.append(images)
    identity = tuple(range(graph.vertices))
    return [images for images in dict.fromkeys(found) if images != identity]
