"""How all pairs of ends of open tours are counted with few half tables.

A half table of an open tour depends only on which cells of its own half are ends. Seen from a cut into top,
middle and bottom, a pair of ends is one of these:

* both in the top or the middle: the top table with those ends meets the bottom table without any, which
  serves all such pairs at once. An end in the middle is an edge to the extra vertex, added while joining;
* one of them in the bottom: tops with the other end meet the bottom table with that one.

Of the images of a pair under the symmetries of the problem, and of all cuts, those are taken that need the
smallest tables.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import networkx as nx

from ktsolve.engines.cycle_graph import CycleGraph
from ktsolve.engines.join.cost import half_bits
from ktsolve.engines.join.plan import Edge, image_of
from ktsolve.engines.join.separators import MOST_MIDDLE, line_cuts
from ktsolve.problem.problem import TourProblem

__all__ = ["EndsCut", "Pair", "Pass", "Route", "cuts_for_ends", "passes_for"]

Pair = tuple[int, int]
"""Cells by index."""

_MOST_PULLED_BELOW = 8
_MOST_PULLED_ABOVE = 8
"""Middle moves added on either side while joining. The bottom's are added once for all tops that meet it."""

_ONE_END, _TWO_ENDS = 1.3, 2.4
"""Binary logarithm of how much larger a table with ends is than one without. Measured on 8x8: 0.4 to 2.7 for
one end, 0.1 to 2.9 for two, most in a corner; these stand for all."""

_MOST_CUTS = 2
"""Cuts used together; a third one would change nothing on 6x6, 7x7, 7x8, 8x8, 6x10 and 8x9."""

_SHARE_OF_A_PAIR = 0.2
"""What weighing the entries of a top is taken to cost, against making it."""


@dataclass(frozen=True)
class EndsCut:
    """A cut with ends in the top and the middle.

    Attributes
    ----------
    top, bottom, middle:
        Vertices, in order.
    above, below:
        Middle moves that belong to the top's side, and to the bottom's.
    mirror:
        A symmetry of order two that keeps top, middle and bottom, or empty.
    name:
        Such as ``rows 3+2+3``.
    top_bits, bottom_bits:
        Binary logarithm of the states of a table without ends, about.
    """

    top: tuple[int, ...]
    bottom: tuple[int, ...]
    middle: tuple[int, ...]
    above: tuple[Edge, ...]
    below: tuple[Edge, ...]
    mirror: tuple[int, ...]
    name: str
    top_bits: float = field(compare=False)
    bottom_bits: float = field(compare=False)

    @property
    def base_cost(self) -> float:
        """States made for what all pairs share: the bottom table and its contraction."""
        return 2**self.bottom_bits * (1 + 2 ** (len(self.below) / 2 - 2))

    def table_cost(self, ends: int) -> float:
        """States made for a top table with so many ends."""
        return float(2 ** (self.top_bits + (0, _ONE_END, _TWO_ENDS)[ends]))

    @property
    def pair_cost(self) -> float:
        """States made for weighing the entries of one more top."""
        return _SHARE_OF_A_PAIR * self.table_cost(1)


@dataclass(frozen=True)
class Route:
    """How one pair is counted.

    Attributes
    ----------
    pair:
        As it was asked for.
    top, middle, bottom:
        Where the ends of its image are.
    """

    pair: Pair
    top: tuple[int, ...]
    middle: tuple[int, ...]
    bottom: tuple[int, ...]


@dataclass(frozen=True)
class Pass:
    """Pairs whose tops meet the same bottom.

    Attributes
    ----------
    cut:
        Where.
    bottom:
        The ends in the bottom: none, or one.
    routes:
        The pairs.
    """

    cut: EndsCut
    bottom: tuple[int, ...]
    routes: tuple[Route, ...]

    @property
    def cost(self) -> float:
        """States made, about."""
        tables = {route.top for route in self.routes}
        pairs = len(self.routes) * self.cut.pair_cost
        return self.cut.base_cost + pairs + sum(self.cut.table_cost(len(ends)) for ends in tables)

    def details(self, route: Route) -> dict[str, int]:
        """How a pair was counted, in figures."""
        return {
            "top_cells": len(self.cut.top),
            "middle_cells": len(self.cut.middle),
            "bottom_cells": len(self.cut.bottom),
            "ends_in_top": len(route.top),
            "ends_in_middle": len(route.middle),
            "ends_in_bottom": len(route.bottom),
            "pairs_together": len(self.routes),
        }


def cuts_for_ends(
    problem: TourProblem, moves: CycleGraph, symmetries: Sequence[tuple[int, ...]]
) -> list[EndsCut]:
    """All cuts along lines of the board, from both sides, one of each class under the symmetries.

    ``moves`` is the graph of moves, without an extra vertex.
    """
    found: dict[tuple[tuple[int, ...], tuple[int, ...]], EndsCut] = {}
    for one, other, middle, name in line_cuts(problem, moves):
        if not (one and other) or len(middle) >= MOST_MIDDLE:
            continue
        for top, bottom in ((one, other), (other, one)):
            key = min(
                (
                    tuple(sorted(images[v] for v in top)),
                    tuple(sorted(images[v] for v in bottom)),
                )
                for images in symmetries
            )
            shares = _shares(moves, middle)
            if key in found or shares is None:
                continue
            mirror = next((images for images in symmetries if _keeps(images, top, middle)), ())
            found[key] = EndsCut(
                tuple(top),
                tuple(bottom),
                tuple(middle),
                shares[0],
                shares[1],
                mirror,
                name if top is one else f"{name} from behind",
                half_bits(moves, top),
                half_bits(moves, bottom) - bool(mirror),
            )
    return list(found.values())


def _keeps(images: Sequence[int], top: Iterable[int], middle: Iterable[int]) -> bool:
    """Is it a symmetry of order two, and none of order one, that keeps all three parts?"""
    return (
        any(image != v for v, image in enumerate(images))
        and all(images[image] == v for v, image in enumerate(images))
        and {images[v] for v in top} == set(top)
        and {images[v] for v in middle} == set(middle)
    )


def _shares(moves: CycleGraph, middle: Sequence[int]) -> tuple[tuple[Edge, ...], tuple[Edge, ...]] | None:
    """Middle moves of the top and of the bottom, which takes as many as it may; None if they are too many.

    Whole paths of moves go to one side: runs of chosen moves are then single look-ups.
    """
    inside = set(middle)
    graph = nx.Graph(edge for edge in moves.edges if edge[0] in inside and edge[1] in inside)
    above: list[Edge] = []
    below: list[Edge] = []
    for part in sorted(nx.connected_components(graph), key=lambda part: (-len(part), min(part))):
        edges = sorted((min(edge), max(edge)) for edge in graph.subgraph(part).edges)
        (below if len(below) + len(edges) <= _MOST_PULLED_BELOW else above).extend(edges)
    return (tuple(above), tuple(below)) if len(above) <= _MOST_PULLED_ABOVE else None


def passes_for(
    pairs: Iterable[Pair], cuts: Sequence[EndsCut], symmetries: Sequence[tuple[int, ...]]
) -> list[Pass]:
    """What has to meet what; pairs that no cut serves are left out.

    A pair is served without ends in the bottom if it can be, at the cuts that together cost least; of those
    left, each table with an end in the bottom serves as many as it can.
    """
    images = {pair: sorted({image_of(each, pair) for each in symmetries}) for pair in dict.fromkeys(pairs)}
    at_cut: dict[tuple[Pair, int], Route] = {}
    for pair, number in itertools.product(images, range(len(cuts))):
        above = [route for route in _routes(pair, images[pair], cuts[number]) if not route.bottom]
        if above:
            at_cut[pair, number] = min(above, key=lambda route: (len(route.top), route.top))
    best: tuple[float, tuple[int, ...]] = (math.inf, ())
    for size in range(1, min(len(cuts), _MOST_CUTS) + 1):
        for chosen in itertools.combinations(range(len(cuts)), size):
            best = min(best, (_cost_of(images, cuts, chosen, at_cut), chosen))
    routes: dict[tuple[int, tuple[int, ...]], list[Route]] = defaultdict(list)
    left = []
    for pair in images:
        here = _cheapest(pair, cuts, best[1], at_cut)
        if here is None:
            left.append(pair)
        else:
            routes[here, ()].append(at_cut[pair, here])
    _add_those_with_an_end_below(left, images, cuts, best[1], routes)
    return [
        Pass(cuts[number], bottom, tuple(sorted(found, key=lambda route: (len(route.top), route.top))))
        for (number, bottom), found in sorted(routes.items())
    ]


def _routes(pair: Pair, images: Iterable[Pair], cut: EndsCut) -> Iterator[Route]:
    top, middle, bottom = set(cut.top), set(cut.middle), set(cut.bottom)
    for image in images:
        yield Route(
            pair,
            tuple(v for v in image if v in top),
            tuple(v for v in image if v in middle),
            tuple(v for v in image if v in bottom),
        )


def _cheapest(
    pair: Pair, cuts: Sequence[EndsCut], chosen: Iterable[int], at_cut: dict[tuple[Pair, int], Route]
) -> int | None:
    """The chosen cut that needs the smallest table for the pair, None if there is none."""
    able = [number for number in chosen if (pair, number) in at_cut]
    return min(able, key=lambda n: cuts[n].table_cost(len(at_cut[pair, n].top)), default=None)


def _cost_of(
    pairs: Iterable[Pair],
    cuts: Sequence[EndsCut],
    chosen: Sequence[int],
    at_cut: dict[tuple[Pair, int], Route],
) -> float:
    """States made when these cuts are used, about; a pair that none serves costs a join of its own."""
    alone = min(2 ** (cuts[n].top_bits + _ONE_END) + 2 ** cuts[n].bottom_bits for n in range(len(cuts)))
    total, tables, used = 0.0, set(), set()
    for pair in pairs:
        number = _cheapest(pair, cuts, chosen, at_cut)
        if number is None:
            total += alone
            continue
        used.add(number)
        tables.add((number, at_cut[pair, number].top))
        total += cuts[number].pair_cost
    total += sum(cuts[number].base_cost for number in used)
    return total + sum(cuts[number].table_cost(len(ends)) for number, ends in tables)


def _add_those_with_an_end_below(
    left: list[Pair],
    images: dict[Pair, list[Pair]],
    cuts: Sequence[EndsCut],
    chosen: Iterable[int],
    routes: dict[tuple[int, tuple[int, ...]], list[Route]],
) -> None:
    """Adds routes for the pairs left, with an end in the bottom."""
    options: dict[tuple[int, tuple[int, ...]], dict[Pair, Route]] = defaultdict(dict)
    for pair, number in itertools.product(left, chosen):
        for route in _routes(pair, images[pair], cuts[number]):
            if len(route.bottom) == 1:
                options[number, route.bottom][pair] = route
    todo = dict.fromkeys(left)
    while todo and options:
        # The table that serves most of them; among equals the smallest.
        place = max(
            options,
            key=lambda at: (sum(pair in todo for pair in options[at]), -cuts[at[0]].bottom_bits, at),
        )
        served = [pair for pair in options[place] if pair in todo]
        if not served:
            return
        for pair in served:
            routes[place].append(options[place][pair])
            del todo[pair]
