"""Plans for graphs with much symmetry: of each orbit of patterns under a group one is counted.

Separators are the vertices at one distance from a vertex: all automorphisms that fix this vertex keep the
plan. These are found, not given; so is one that exchanges the halves. Others that they fix, such as one that
is joined to both ends of what is wanted, may lie between the halves as well. See
native/src/join/pattern_group.hpp.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import chain

from ktsolve import _native
from ktsolve.base.limits import Clock
from ktsolve.engines.join.plan import JoinPlan, SweepCost, capacity, layer_costs
from ktsolve.engines.join.separators import Separation, with_extra
from ktsolve.graphs.graph import Nouns
from ktsolve.graphs.groups import automorphism_group, cycle_lengths, generate, order_of
from ktsolve.problem.cycle_graph import CycleGraph, Edge

__all__ = ["group_plans"]

_Orbits = Callable[[tuple[int, ...]], float]
"""How many times more patterns there are on some vertices than orbits of them."""

_MOST_VERTICES = 150  # of graphs in which automorphisms are looked for
_MOST_ELEMENTS = 20_000  # of groups that are used
_STATE = 0.6
"""Bytes of a table for each possible state: 4 of one in seven, as colours often fix the sum of degrees."""


def group_plans(
    graph: CycleGraph, nouns: Nouns, split: int, colour: tuple[int, ...], clock: Clock | None
) -> Iterator[JoinPlan]:
    """Plans by the distance from a vertex, with the group that keeps it: the start, or one of each degree.

    Vertices at the distance of the separator without farther neighbours belong to the nearer half. Distances
    are those through all vertices, and those that avoid the others that the group fixes.
    """
    if graph.vertices > _MOST_VERTICES:
        return
    around = [[u for u in others if u != graph.extra] for others in graph.around]
    for root in _roots(graph):
        levels = list(_levels(graph, around, root))
        if not levels:
            continue
        marks = _marks(graph, split, colour, {root})
        found = automorphism_group(graph.vertices, graph.pairs, colours=marks, clock=clock)
        if not 1 < found.order <= _MOST_ELEMENTS:
            continue
        elements = generate(found.generators)
        fixed = {v for v in range(graph.vertices) if all(images[v] == v for images in elements)}
        orbits = cache(partial(_orbits, elements))
        seen = {(frozenset(top), frozenset(bottom)) for top, bottom, *_ in levels}
        avoiding = _levels(graph, around, root, fixed - {root, graph.extra})
        levels += [each for each in avoiding if (frozenset(each[0]), frozenset(each[1])) not in seen]
        for *parts, name in levels:
            top, bottom, separator = map(tuple, parts)
            plan = JoinPlan(graph, top, bottom, separator, name, nouns, split=split, colour=colour)
            plan = _with_inner_edges(replace(plan, group=found.generators, elements=found.order))
            plan = _with_fixed_moved(plan, fixed, orbits)
            if len(top) == len(bottom) and not plan.top_preapplied and not plan.bottom_preapplied:
                plan = replace(plan, flip=_flip(plan, clock))
            yield replace(plan, cost=_cost(plan, orbits))


def _levels(
    graph: CycleGraph, around: Sequence[Sequence[int]], root: int, apart: Collection[int] = ()
) -> Iterator[Separation]:
    """Separations by the distance from a root; vertices that are ``apart`` are placed by their neighbours."""
    distance = {root: 0}
    queue = [root]
    for v in queue:
        for u in around[v]:
            if u not in distance and u not in apart:
                distance[u] = distance[v] + 1
                queue.append(u)
    if len(distance) + len(apart) < graph.vertices - (graph.extra is not None):
        return  # not connected without them
    for level in range(1, distance[queue[-1]]):
        far = {v for v, steps in distance.items() if steps > level}
        near = {v for v, steps in distance.items() if steps <= level}
        middle = sorted(v for v in near if distance[v] == level and not far.isdisjoint(around[v]))
        near.difference_update(middle)
        placed: list[Sequence[int]] = []
        for joined in (False, True):
            *halves, between = _placed(around, (near, middle, far), apart, joined)
            if (
                between in placed
                or len(middle) + len(between) + (graph.extra is not None) > _native.WIDEST_WITH_GROUP
            ):
                continue
            placed.append(between)
            top, bottom = (_towards(around, half, middle) for half in halves)
            name = f"distances {len(top)}+{len(middle) + len(between)}+{len(bottom)}"
            yield from with_extra(graph, top, bottom, [*middle, *between], name)


def _placed(
    around: Sequence[Sequence[int]], parts: Sequence[Collection[int]], apart: Collection[int], joined: bool
) -> tuple[set[int], set[int], list[int]]:
    """Both halves with the vertices that are ``apart``, and those of them that belong to the separator.

    These are joined to both halves; if ``joined`` also those that are joined to the separator itself.
    """
    near, middle, far = map(set, parts)
    between = []
    for v in sorted(apart, key=lambda v: (-len(around[v]), v)):
        if joined and not middle.isdisjoint(around[v]):
            between.append(v)
        elif far.isdisjoint(around[v]):
            near.add(v)
        elif near.isdisjoint(around[v]):
            far.add(v)
        else:
            between.append(v)
    return near, far, between


def _roots(graph: CycleGraph) -> list[int]:
    """Vertices from which distances are taken."""
    extra = graph.extra
    if extra is not None:
        given = [v for v in graph.around[extra] if graph.needed[v, extra]]
        if given:
            return given
    of_degree: dict[int, int] = {}
    for v, others in enumerate(graph.around):
        if v != extra:
            of_degree.setdefault(len(others), v)
    return sorted(of_degree.values())


def _towards(around: Sequence[Sequence[int]], half: Iterable[int], separator: Sequence[int]) -> list[int]:
    """An order of a half that finishes the separator's vertices one after the other.

    Next is the vertex of the separator that needs the fewest others. A vertex comes after its neighbours that
    are farther from the separator.
    """
    inside = set(half)
    depth = dict.fromkeys(separator, 0)
    queue = list(separator)
    for v in queue:
        for u in around[v]:
            if u in inside and u not in depth:
                depth[u] = depth[v] + 1
                queue.append(u)
    order: dict[int, None] = {}

    def closure(v: int, found: dict[int, None]) -> dict[int, None]:
        for u in around[v]:
            if u in inside and u not in order and u not in found and depth[u] > depth[v]:
                closure(u, found)
                found[u] = None
        return found

    left = list(separator)
    while left:
        needed = {v: closure(v, {}) for v in left}
        chosen = min(left, key=lambda v: (len(needed[v]), v))
        order.update(needed[chosen])
        left.remove(chosen)
    return [*order, *(v for v in sorted(inside, key=lambda v: -depth.get(v, 0)) if v not in order)]


def _with_inner_edges(plan: JoinPlan) -> JoinPlan:
    """The plan with all edges of the separator given to the half that is cheaper to sweep."""
    stars: dict[int, list[Edge]] = {}
    for u, v in plan.graph.pairs:
        if u in plan.separator and v in plan.separator:
            stars.setdefault(u, []).append((u, v))
    sets = tuple(map(tuple, stars.values()))
    if len(plan.top) <= len(plan.bottom):
        return replace(plan, top_preapplied=sets)
    return replace(plan, bottom_preapplied=sets)


def _with_fixed_moved(plan: JoinPlan, fixed: Collection[int], orbits: _Orbits) -> JoinPlan:
    """The plan with vertices that the group fixes first or last in their half, if that is estimated cheaper.

    Such a vertex may be joined to many of the half: then it is best eliminated last. If it is joined to a
    vertex of the separator that has edges within it, it is best eliminated first.
    """
    for v in (v for v in (*plan.top, *plan.bottom) if v in fixed):
        upper = v in plan.top
        others = tuple(u for u in (plan.top if upper else plan.bottom) if u != v)
        orders = ((v, *others), (*others, v))
        moved = [replace(plan, top=order) if upper else replace(plan, bottom=order) for order in orders]
        plan = min(plan, *moved, key=lambda each: _half_cost(each, orbits, upper).made)
    return plan


def _marks(graph: CycleGraph, split: int, colour: Sequence[int], fixed: Collection[int]) -> list[int]:
    """A colour of each vertex: what keeps them fixes some vertices, required edges and the extra vertex.

    In a split plan the colours of the ends are kept, too.
    """
    needed = (edge for edge, is_needed in graph.needed.items() if is_needed)
    alone = {v for edge in needed for v in edge}.union(fixed, () if graph.extra is None else (graph.extra,))
    names = [(1, v) if v in alone else (0, colour[v] if split >= 0 else 0) for v in range(graph.vertices)]
    numbers = {name: number for number, name in enumerate(sorted(set(names)))}
    return [numbers[name] for name in names]


def _flip(plan: JoinPlan, clock: Clock | None) -> tuple[int, ...]:
    """An automorphism of order two that exchanges the halves, or none.

    It maps the group to itself, since that has all automorphisms that keep the parts.
    """
    upper, lower = set(plan.top), set(plan.bottom)
    halves = upper | lower
    marks = _marks(plan.graph, plan.split, plan.colour, ())
    parted = [2 * mark + (v in halves) for v, mark in enumerate(marks)]
    found = automorphism_group(plan.graph.vertices, plan.graph.pairs, colours=parted, clock=clock)
    if found.order != 2 * plan.elements:
        return ()
    for images in generate(found.generators):
        if {images[v] for v in plan.top} == lower and order_of(images) == 2:
            return images
    return ()


def _cost(plan: JoinPlan, orbits: _Orbits) -> SweepCost:
    """The estimated cost: that of both halves, each layer divided by the orbits of its final degrees."""
    halves = [_half_cost(plan, orbits, upper) for upper in ((True,) if plan.flip else (True, False))]
    total = halves[0] if plan.flip else halves[0] + halves[1]
    return replace(total, made=total.made + total.last)


def _half_cost(plan: JoinPlan, orbits: _Orbits, upper: bool) -> SweepCost:
    order = plan.top if upper else plan.bottom
    place = {v: step for step, v in enumerate(order, 1)}
    touched = {
        v: max((place[u] for u in plan.graph.around[v] if u in place), default=0) for v in plan.separator
    }
    last = dict(touched)
    for u, v in chain.from_iterable(plan.top_preapplied if upper else plan.bottom_preapplied):
        added = max(touched[u], touched[v])
        last[u], last[v] = max(last[u], added), max(last[v], added)
    made = states = most = kept = held = 0.0
    for step, (number, size) in enumerate(layer_costs(plan.graph, order), 1):
        folding = orbits(tuple(v for v in plan.separator if 0 < last[v] <= step))
        states, kept = number / folding, size / folding
        made, most, held = made + states, max(most, states), max(held, kept)
    # In the end most states that are possible are there.
    kept = max(kept, _STATE * 2.0 ** capacity(len(plan.separator)) / plan.elements)
    return SweepCost(made, states, most, held, kept)


def _orbits(elements: Sequence[Sequence[int]], cells: tuple[int, ...]) -> float:
    """How many times more patterns there are on some cells than orbits of them, by Burnside's lemma."""
    inside = set(cells)
    place = {v: i for i, v in enumerate(cells)}
    maps = {
        tuple(place[images[v]] for v in cells)
        for images in elements
        if all(images[v] in inside for v in cells)
    }
    return 1 if not cells else len(maps) / sum(3.0 ** (len(cycle_lengths(one)) - len(cells)) for one in maps)
