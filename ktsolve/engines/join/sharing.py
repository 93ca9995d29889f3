"""The side of each separator edge, chosen so that as many symmetries as possible hold."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ktsolve.engines.join.plan import JoinPlan, image_of, keeps, neighbours
from ktsolve.graphs.graph import components
from ktsolve.problem.cycle_graph import Edge

__all__ = ["shared_out"]

_MOST_DEFERRED = 8
"""Most deferred edges of a side: each doubles the look-ups per pattern."""


def shared_out(
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
