"""The choice of a separator for the two-sided join: the plan of least estimated cost.

A *plan* names the vertices that are eliminated from the top, those that are eliminated from the bottom, and
the separator between them; the order of each; the side of each separator edge; and the symmetries to use.
Plans are made for separators of consecutive rows and of consecutive columns and, where there are none (wraps,
odd shapes), for every position along a good elimination order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from ktsolve.base.errors import Refused
from ktsolve.engines.join.cost import cost
from ktsolve.engines.join.plan import JoinPlan, has_order_two, keeps, marks_of
from ktsolve.engines.join.separators import (
    WIDEST_SEPARATOR,
    Separation,
    line_separators,
    order_separators,
    pair_separators,
)
from ktsolve.engines.join.sharing import shared_out
from ktsolve.graphs.board import Board
from ktsolve.graphs.symmetry import symmetry_group
from ktsolve.problem.cycle_graph import CycleGraph, Edge

if TYPE_CHECKING:
    from ktsolve.base.limits import Clock
    from ktsolve.problem.problem import TourProblem

__all__ = ["best_plan", "has_line_separator", "plans_for"]


def best_plan(
    problem: TourProblem,
    graph: CycleGraph,
    clock: Clock | None = None,
    tallied: Collection[Edge] = (),
    outside_in: bool = False,
) -> JoinPlan:
    """The plan of least estimated cost; its symmetries keep the set of ``tallied`` edges.

    With ``outside_in`` the cells of each line are eliminated from the outside inwards: a quarter more work,
    in the order on which the indices of tours depend.

    Raises
    ------
    Refused
        If no separator has at most :data:`WIDEST_SEPARATOR` vertices.
    """
    plans = plans_for(problem, graph, clock, tallied, outside_in)
    if not plans:
        raise Refused(
            f"engine join finds no separator of {problem} with at most {WIDEST_SEPARATOR} "
            f"{problem.ground.nouns.cells}: use another engine, or auto"
        )
    return plans[0]


def plans_for(
    problem: TourProblem,
    graph: CycleGraph,
    clock: Clock | None = None,
    tallied: Collection[Edge] = (),
    outside_in: bool = False,
) -> list[JoinPlan]:
    """All plans tried, cheapest first.

    Separators along lines; if there is none, along an elimination order; and if there is none, all vertices
    but two that are not neighbours.
    """
    coloured = _coloured(graph)
    trimmed = coloured[0]
    for separations, narrow in (
        (line_separators(problem, trimmed, outside_in), not outside_in),
        (order_separators(problem, trimmed, clock), False),
        (pair_separators(trimmed), False),
    ):
        plans = _plans(problem, *coloured, separations, tallied, narrow)
        if plans:
            return plans
    return []


def has_line_separator(problem: TourProblem, graph: CycleGraph) -> bool:
    """Whether some separator consists of consecutive rows or columns."""
    return any(_is_narrow(separation) for separation in line_separators(problem, _coloured(graph)[0], True))


def _is_narrow(separation: Separation) -> bool:
    top, bottom, separator, _ = separation
    return bool(top and bottom and separator) and len(separator) <= WIDEST_SEPARATOR


def _plans(
    problem: TourProblem,
    trimmed: CycleGraph,
    split: int,
    colour: tuple[int, ...],
    separations: Iterable[Separation],
    given: Collection[Edge],
    narrow: bool,
) -> list[JoinPlan]:
    involutions = _involutions(problem, trimmed)
    tallied = tuple(edge for edge in trimmed.pairs if edge in given)
    marks = marks_of(trimmed, tallied)
    symmetries = [images for images in involutions if keeps(images, marks)]
    plans = []
    seen = set()
    for separation in filter(_is_narrow, separations):
        top, bottom, separator, name = separation
        key = (frozenset(top), frozenset(bottom))
        if key in seen:
            continue
        seen.add(key)
        parts = (tuple(top), tuple(bottom), tuple(separator))
        plan = JoinPlan(
            trimmed, *parts, name, problem.ground.nouns, split=split, colour=colour, tallied=tallied
        )
        shared = shared_out(plan, symmetries, involutions)
        if shared is not None:
            plans.append(replace(shared, cost=cost(shared, narrow)))
    return sorted(plans, key=lambda plan: (round(plan.cost.bits, 6), plan.name[0] != "r"))


def _coloured(graph: CycleGraph) -> tuple[CycleGraph, int, tuple[int, ...]]:
    """The graph without ends of impossible colour, the vertex to split by colour or -1, and the colours.

    The move graph of most boards is bipartite. With as many cells of one colour as of the other, an open tour
    has an end of either colour; with one cell more, both ends have that colour.
    """
    extra = graph.extra
    if extra is None:
        return graph, -1, ()
    sides = _sides(graph.keeping(lambda edge: extra not in edge), graph.vertices - 1)
    if sides is None:
        return graph, -1, ()
    colour = tuple(sides.get(v, 0) for v in range(graph.vertices))
    second = sum(colour)
    excess = (graph.vertices - 1 - second) - second
    if excess == 0 and len(graph.around[extra]) > 2:
        return graph, extra, colour
    if abs(excess) == 1:
        major = 0 if excess == 1 else 1
        graph = graph.keeping(
            lambda edge: extra not in edge or graph.needed[edge] or colour[edge[0]] == major
        )
    return graph, -1, ()


def _sides(moves: CycleGraph, vertices: int) -> dict[int, int] | None:
    """The colours of the first vertices, 1 for vertex 0; None unless these are connected and bipartite."""
    side = {0: 1}
    todo = [0]
    for v in todo:
        for u in moves.around[v]:
            if u not in side:
                side[u] = 1 - side[v]
                todo.append(u)
            elif side[u] == side[v]:
                return None
    return side if len(side) == vertices > 1 else None


def _involutions(problem: TourProblem, graph: CycleGraph) -> list[tuple[int, ...]]:
    """Symmetries of the board of order two, as images of the vertices of the graph; none of a bare graph."""
    if not isinstance(problem.ground, Board):
        return []
    extra = () if graph.extra is None else (graph.extra,)
    groups = (tuple(symmetry.images) + extra for symmetry in symmetry_group(problem.board))
    return [images for images in dict.fromkeys(groups) if has_order_two(images)]
