"""The choice of a separator for the two-sided join: the plan of least estimated cost.

A *plan* names the vertices that are eliminated from the top, those that are eliminated from the bottom, and
the separator between them; the order of each; the side of each separator edge; and the symmetries to use.
Plans are made for separators of consecutive rows and of consecutive columns and, where there are none (wraps,
odd shapes), for every position along a good elimination order.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ktsolve.base.errors import Refused
from ktsolve.engines.join.orbits import group_plans
from ktsolve.engines.join.plan import JoinPlan, cost, free_ends, image_of, keeps, marks_of, neighbours
from ktsolve.engines.join.separators import (
    WIDEST_SEPARATOR,
    Separation,
    line_separators,
    order_separators,
    pair_separators,
)
from ktsolve.graphs.board import Board
from ktsolve.graphs.components import components
from ktsolve.graphs.edge_arrays import component_labels
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.groups import order_of
from ktsolve.graphs.symmetry import symmetry_group
from ktsolve.problem.cycle_graph import CycleGraph, Edge

if TYPE_CHECKING:
    from ktsolve.base.limits import Clock
    from ktsolve.problem.problem import TourProblem

__all__ = ["best_plan", "has_line_separator", "plans_for"]

_WIDEST_DENSE = 19
"""Most vertices of a separator for tallies and rankings, which use arrays of all matchings of a pattern: 5 GB
with 20 ends."""

_LONG = 3e6
"""States made from which symmetries are looked for, which takes some hundredths of a second."""

_MOST_DEFERRED = 8  # most deferred edges of a side: each doubles the look-ups per pattern


def _shared_out(
    plan: JoinPlan, symmetries: Iterable[tuple[int, ...]], mirrors_of_halves: Iterable[tuple[int, ...]]
) -> JoinPlan | None:
    """The plan with its separator edges divided so that as many symmetries as possible hold."""
    graph, separator = plan.graph, set(plan.separator)
    edges = [edge for edge in graph.pairs if edge[0] in separator and edge[1] in separator]
    extra = graph.extra
    ends = [edge for edge in edges if extra in edge]
    moves = [edge for edge in edges if extra not in edge]
    top, bottom = set(plan.top), set(plan.bottom)
    mirrors: list[tuple[int, ...]] = [()]
    flips: list[tuple[int, ...]] = [()]
    for images in symmetries:
        if plan.split >= 0 and not _fits_colours(plan, images):
            continue
        if {images[v] for v in top} == top and {images[v] for v in bottom} == bottom:
            mirrors.append(images)
        elif {images[v] for v in top} == bottom and {images[v] for v in bottom} == top:
            flips.append(images)
    options = itertools.product(flips, mirrors, (True, False))
    for flip, mirror, joins in sorted(options, key=lambda each: (*map(bool, each),), reverse=True):
        if joins and not mirror:
            continue
        if flip and mirror and any(mirror[flip[v]] != flip[mirror[v]] for v in range(graph.vertices)):
            continue
        shares = _shares(moves, ends, plan, flip, mirror, joins)
        if shares is not None:
            shared = replace(
                plan, flip=flip, top_mirror=mirror, bottom_mirror=mirror, mirror_joins=joins, **shares
            )
            return _half_mirrored(shared, mirrors_of_halves)
    return None


def _with_more_at_smaller(plan: JoinPlan) -> JoinPlan:
    """The plan with more edges deferred at the smaller half than at the larger one.

    Each multiplies the entries that are joined: a block of 9x9 took 84 instead of 131 seconds with 8 + 6 than
    with 6 + 8.
    """
    here, there = len(plan.top_deferred), len(plan.bottom_deferred)
    if plan.flip or here == there or (here > there) == (len(plan.top) < len(plan.bottom)):
        return plan
    return replace(plan, top_deferred=plan.bottom_deferred, bottom_deferred=plan.top_deferred)


def _turned(plan: JoinPlan, symmetries: Iterable[Sequence[int]]) -> JoinPlan:
    """The plan with ends turned, if a symmetry maps the bottom to all of the top and more.

    Of the two ends of an open tour one at most is in the bottom then. Whatever is fixed, such as a given end,
    is fixed by the symmetry, too.
    """
    extra, bottom = plan.graph.extra, set(plan.bottom)
    if extra not in plan.separator or plan.flip or free_ends(plan) is None:
        return plan
    sets = [*plan.top_preapplied, *plan.bottom_preapplied]
    ends = {edge for group in sets for edge in group if extra in edge}
    for images in symmetries:
        there = {images[v] for v in bottom}
        if images[extra] != extra or there & bottom or not there >= set(plan.top):
            continue
        near = tuple(sorted(edge for edge in ends if there.intersection(edge)))
        middle = tuple(sorted(ends.difference(near)))
        mirror = plan.top_mirror
        if mirror and {image_of(mirror, edge) for edge in near} != set(near):
            continue
        top, rest = (
            tuple(group for group in groups if not ends.issuperset(group))
            for groups in (plan.top_preapplied, plan.bottom_preapplied)
        )
        own = (*top, *((near,) if near else ()), middle)
        return replace(plan, turned=extra, top_preapplied=own, bottom_preapplied=rest)
    return plan


def _half_mirrored(plan: JoinPlan, candidates: Iterable[tuple[int, ...]]) -> JoinPlan:
    """The plan with a mirror for each half that has one, if the whole does not have one.

    Given ends spoil the symmetry of the half that holds them, not that of the other.
    """
    if plan.top_mirror or plan.flip:
        return plan
    for side in ("top", "bottom"):
        half, preapplied = set(getattr(plan, side)), getattr(plan, f"{side}_preapplied")
        edges = {
            edge: mark
            for edge, mark in plan.marks.items()
            if edge[0] in half or edge[1] in half or any(edge in group for group in preapplied)
        }
        for images in candidates:
            if (
                {images[v] for v in half} == half
                and {images[v] for v in plan.separator} == set(plan.separator)
                and keeps(images, edges)
                and all({image_of(images, edge) for edge in group} == set(group) for group in preapplied)
                and (plan.split < 0 or _fits_colours(plan, images))
            ):
                mirror: dict[str, Any] = {f"{side}_mirror": images}
                plan = replace(plan, **mirror)
                break
    return plan


def _fits_colours(plan: JoinPlan, images: Sequence[int]) -> bool:
    changed = {
        plan.colour[v] != plan.colour[images[v]] for v in range(plan.graph.vertices) if v != plan.split
    }
    return len(changed) == 1


def _shares(
    moves: list[Edge],
    ends: list[Edge],
    plan: JoinPlan,
    flip: tuple[int, ...],
    mirror: tuple[int, ...],
    joins: bool,
) -> dict[str, Any] | None:
    """Deferred and pre-applied edges of the plan, or None if the symmetries admit none.

    Whole paths of moves go to one side if that can be: runs of chosen moves are then single look-ups.
    """
    pieces = [[edge for edge in moves if edge[0] in part] for part in components(neighbours(moves))]
    keep = mirror if joins else ()
    sides = _assigned(pieces, flip, keep)
    if sides is None and len(moves) > len(pieces):
        sides = _assigned([[edge] for edge in moves], flip, keep)
    # The mirror must keep pre-applied edges in any case: the tables are folded.
    end_sides = _assigned([[edge] for edge in ends], flip, mirror, halves=plan.separator)
    if sides is None or end_sides is None:
        return None
    shares: dict[str, Any] = {}
    for number, side in enumerate(("top", "bottom")):
        deferred = sorted(edge for edge, s in sides.items() if s == number)
        preapplied = [tuple(sorted(edge for edge, s in end_sides.items() if s == number))]
        if len(deferred) > _MOST_DEFERRED:
            # What is more goes into the table beforehand, edge by edge, which no symmetry survives.
            if mirror or flip:
                return None
            preapplied += [(edge,) for edge in deferred[_MOST_DEFERRED:]]
            deferred = deferred[:_MOST_DEFERRED]
        shares[f"{side}_deferred"] = tuple(deferred)
        shares[f"{side}_preapplied"] = tuple(group for group in preapplied if group)
    return shares


def _assigned(
    pieces: list[list[Edge]], flip: tuple[int, ...], mirror: tuple[int, ...], halves: Sequence[int] = ()
) -> dict[Edge, int] | None:
    """A side for every edge: pieces stay whole, the flip changes sides, the mirror does not.

    As even as possible. ``halves`` gives an order of vertices, of which the first half prefers the top.
    """
    piece_of = {edge: i for i, piece in enumerate(pieces) for edge in piece}
    # Links between pieces: whether they change the side.
    links: dict[int, dict[int, int]] = {piece: {} for piece in range(len(pieces))}
    for images, change in ((mirror, 0), (flip, 1)):
        if not images:
            continue
        for edge, piece in piece_of.items():
            other = piece_of[image_of(images, edge)]
            if other == piece:
                if change:
                    return None
            elif links[piece].setdefault(other, change) != change:
                return None
            else:
                links[other][piece] = change
    place = {v: i for i, v in enumerate(halves)}
    side: dict[int, int] = {}
    load = [0, 0]
    parts = sorted(components(links), key=lambda part: (-sum(len(pieces[p]) for p in part), min(part)))
    for part in parts:
        root = min(part)
        relative = {root: 0}
        todo = [root]
        for piece in todo:
            for other, change in links[piece].items():
                if other not in relative:
                    relative[other] = relative[piece] ^ change
                    todo.append(other)
                elif relative[other] != relative[piece] ^ change:
                    return None
        weights = [sum(len(pieces[p]) for p in part if relative[p] == s) for s in (0, 1)]
        # Turned round or not: even loads first, then ends where their cells are.
        if halves:
            # The end of an edge other than the last vertex of the separator, which is the extra one.
            early = place[min(pieces[root][0], key=lambda v: place[v])] * 2 < len(halves) - 1
            turn = 0 if early else 1
        else:
            turn = int(
                abs(load[0] + weights[0] - load[1] - weights[1])
                > abs(load[0] + weights[1] - load[1] - weights[0])
            )
        for piece, s in relative.items():
            side[piece] = s ^ turn
        load[0] += weights[turn]
        load[1] += weights[1 - turn]
    return {edge: side[piece] for edge, piece in piece_of.items()}


def best_plan(
    problem: TourProblem,
    graph: CycleGraph,
    clock: Clock | None = None,
    tallied: Collection[Edge] = (),
    outside_in: bool = False,
) -> JoinPlan:
    """The plan of least estimated cost; its symmetries keep the set of ``tallied`` edges.

    With ``outside_in`` the cells of each line are eliminated from the outside inwards: a quarter more work,
    in the order on which the indices of tours depend. Raises Refused if no separator is narrow enough.
    """
    plans = plans_for(problem, graph, clock, tallied, outside_in)
    if not plans:
        raise Refused(
            f"engine join finds no separator of {problem} with at most {_widest(tallied, outside_in)} "
            f"{problem.ground.nouns.cells}: use another engine, or auto"
        )
    return plans[0]


def _widest(tallied: Collection[Edge], outside_in: bool) -> int:
    """Most vertices of a separator, where patterns are not folded by a group."""
    return _WIDEST_DENSE if tallied or outside_in else WIDEST_SEPARATOR


def plans_for(
    problem: TourProblem,
    graph: CycleGraph,
    clock: Clock | None = None,
    tallied: Collection[Edge] = (),
    outside_in: bool = False,
) -> list[JoinPlan]:
    """All plans tried, cheapest first.

    Separators along lines; else along an elimination order; else all vertices but two that are not
    neighbours. Where there are no lines and these take long, separators that many symmetries keep as well.
    """
    coloured = _coloured(graph)
    trimmed = coloured[0]
    widest = _widest(tallied, outside_in)
    for separations, narrow in (
        (line_separators(problem, trimmed, outside_in), not outside_in),
        (order_separators(problem, trimmed, clock), False),
        (pair_separators(trimmed), False),
    ):
        fitting = (each for each in separations if _is_narrow(each, widest))
        plans = _plans(problem, *coloured, fitting, tallied, narrow)
        if plans:
            break
    # Boards with lines have no more symmetries than their mirrors.
    if not narrow and not tallied and not outside_in and (not plans or plans[0].cost.made > _LONG):
        # The fit is to other orders than theirs, so that only the last layers are compared.
        grouped = _by_cost(group_plans(trimmed, problem.ground.nouns, *coloured[1:], clock))
        if grouped and (not plans or grouped[0].cost.last < plans[0].cost.last):
            plans = [*grouped, *plans]
    return plans


def has_line_separator(problem: TourProblem, graph: CycleGraph) -> bool:
    """Whether some separator consists of consecutive rows or columns."""
    separations = line_separators(problem, _coloured(graph)[0], True)
    return any(_is_narrow(separation, _WIDEST_DENSE) for separation in separations)


def _is_narrow(separation: Separation, widest: int) -> bool:
    top, bottom, separator, _ = separation
    return bool(top and bottom and separator) and len(separator) <= widest


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
    unique: dict[object, Separation] = {}
    for separation in separations:
        unique.setdefault((frozenset(separation[0]), frozenset(separation[1])), separation)
    for *parts, name in unique.values():
        top, bottom, separator = map(tuple, parts)
        nouns = problem.ground.nouns
        plan = JoinPlan(
            trimmed, top, bottom, separator, name, nouns, split=split, colour=colour, tallied=tallied
        )
        shared = _shared_out(plan, symmetries, involutions)
        if shared is None:
            continue
        if narrow:
            shared = _turned(_with_more_at_smaller(shared), symmetries)
        plans.append(replace(shared, cost=cost(shared, narrow)))
    return _by_cost(plans)


def _by_cost(plans: Iterable[JoinPlan]) -> list[JoinPlan]:
    return sorted(plans, key=lambda plan: (round(plan.cost.bits, 6), plan.name[0] != "r"))


def _coloured(graph: CycleGraph) -> tuple[CycleGraph, int, tuple[int, ...]]:
    """The graph without ends of impossible colour, the vertex to split by colour or -1, and the colours.

    The move graph of most boards is bipartite. With as many cells of one colour as of the other, an open tour
    has an end of either colour; with one cell more, both ends have that colour.
    """
    extra = graph.extra
    if extra is None:
        return graph, -1, ()
    moves = Graph.from_arrays(extra, graph.edges[(graph.edges != extra).all(axis=1)])
    if extra < 2 or moves.colours is None or component_labels(extra, moves.edges).any():
        return graph, -1, ()
    colour = (*(1 - moves.colours).tolist(), 0)
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


def _involutions(problem: TourProblem, graph: CycleGraph) -> list[tuple[int, ...]]:
    """Symmetries of the board of order two, as images of the vertices of the graph; none of a bare graph."""
    if not isinstance(problem.ground, Board):
        return []
    extra = () if graph.extra is None else (graph.extra,)
    groups = (tuple(symmetry.images) + extra for symmetry in symmetry_group(problem.board))
    return [images for images in dict.fromkeys(groups) if order_of(images) == 2]
