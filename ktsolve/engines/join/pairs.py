"""Which pairs of ends share half tables: each table is made once and joined with many.

A half table of an open tour depends only on which cells of its own half are ends. For a given separator there
are two kinds of pairs of ends:

* no end is in the bottom: the top table with the ends that are in the top is joined with the bottom table
  without ends, which serves all such pairs. An end in the separator is a deferred edge to the extra vertex;
* one end is in the bottom: the top table with the other end is joined with the bottom table with that end.

Of the images of a pair under the symmetries of the problem, and of all separators, those are taken that need
the smallest tables.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ktsolve.engines.join.plan import half_cost, image_of, neighbours
from ktsolve.engines.join.separators import WIDEST_SEPARATOR, line_separators
from ktsolve.graphs.components import components
from ktsolve.graphs.groups import order_of
from ktsolve.problem.cycle_graph import CycleGraph, Edge
from ktsolve.problem.problem import TourProblem

__all__ = [
    "ONE_END",
    "EndsSeparation",
    "Pair",
    "Route",
    "RouteGroup",
    "route_groups",
    "separators_for_ends",
]

Pair = tuple[int, int]
"""Cells by index."""

Division = tuple[tuple[Edge, ...], tuple[Edge, ...]]
"""Separator moves of the top's side, and of the bottom's."""

_MOST_DEFERRED = 12
"""Most deferred moves of either side. The bottom's are added once for all tops that are joined with it."""

_MOST_TOGETHER = 16  # most deferred moves of both sides

_GROWTH, _BOTTOM = 1.6, 4.0
"""Factor by which a deferred move multiplies the entries read of a table; and the part of a bottom that is
read, as a multiple of its states. Fitted to joins of 22 pairs of 8x8 with 0 + 12, 3 + 9 and 6 + 6 moves."""

ONE_END, _TWO_ENDS = 1.3, 2.4
"""Binary logarithm of the factor by which ends enlarge a table. Measured on 8x8: 0.4 to 2.7 for one end, 0.1
to 2.9 for two, most in a corner; one value each is used for all."""

_MOST_SEPARATORS = 2
"""Most separators used together; a third one changes nothing on 6x6, 7x7, 7x8, 8x8, 6x10 and 8x9."""

_SHARE_OF_A_PAIR = 0.2  # assumed cost of joining one more top, as a share of the cost of making it


@dataclass(frozen=True)
class EndsSeparation:
    """A separation of the board for tours with ends in the top and the separator.

    - ``moves``: Those within the separator.
    - ``mirror``: A symmetry of order two that keeps top, separator and bottom, or empty.
    - ``top_bits``, ``bottom_bits``: Binary logarithm of the estimated number of states that are made for a
      table without ends.
    - ``top_bytes``, ``bottom_bytes``: Estimated bytes of such a table, folded by the mirror if there is one.
    """

    top: tuple[int, ...]
    bottom: tuple[int, ...]
    separator: tuple[int, ...] = field(compare=False)
    moves: tuple[Edge, ...]
    mirror: tuple[int, ...]
    name: str
    top_bits: float = field(compare=False)
    bottom_bits: float = field(compare=False)
    top_bytes: float = field(compare=False)
    bottom_bytes: float = field(compare=False)

    def base_cost(self, below: float) -> float:
        """States made once for all pairs: those of the bottom table and of its contraction.

        ``below`` is the number of separator moves of the bottom.
        """
        return 2**self.bottom_bits * (1 + 2 ** (below / 2 - 2))

    def table_cost(self, ends: int) -> float:
        """States made for a top table with that many ends."""
        return float(2 ** (self.top_bits + (0, ONE_END, _TWO_ENDS)[ends]))

    def table_bytes(self, ends: tuple[int, ...], upper: bool) -> float:
        """Bytes of a table with these ends; unless the mirror keeps them it is not folded."""
        folded = not self.mirror or {self.mirror[v] for v in ends} == set(ends)
        bits = (0, ONE_END, _TWO_ENDS)[len(ends)] + (not folded)
        return (self.top_bytes if upper else self.bottom_bytes) * 2.0**bits

    @property
    def pair_cost(self) -> float:
        """States made for joining one more top."""
        return _SHARE_OF_A_PAIR * self.table_cost(1)

    def division(self, pairs: int, ends: int = 0) -> Division:
        """The separator moves divided so that the fewest entries are read for this number of tops.

        ``ends`` is the number of ends in the bottom.
        """

        def entries(division: Division) -> float:
            above, below = division
            bottom = 2 ** (self.bottom_bits + ends * ONE_END)
            tops = pairs * self.table_cost(1)
            return tops * _GROWTH ** len(above) + _BOTTOM * bottom * _GROWTH ** len(below)

        return min(_divisions(self.moves), key=entries)

    def serving(self, pairs: int) -> EndsSeparation:
        """The same with the cells of the tops' moves, if there are enough tops, first in the separator.

        Patterns that differ there are then near each other in the tops, the larger part of what is read: 44
        instead of 53 s for the joins of all classes of 8x8.
        """
        moved = set(itertools.chain.from_iterable(self.division(pairs)[0]))
        order = sorted(self.separator, key=lambda v: (v not in moved, v))
        return replace(self, separator=tuple(order))


@dataclass(frozen=True)
class Route:
    """The image of a pair by which the pair is counted: the ends of the image in each part."""

    pair: Pair
    top: tuple[int, ...]
    separator: tuple[int, ...]
    bottom: tuple[int, ...]


@dataclass(frozen=True)
class RouteGroup:
    """Pairs whose tops are joined with the same bottom, which has no end or one."""

    separation: EndsSeparation
    bottom: tuple[int, ...]
    routes: tuple[Route, ...]

    @property
    def division(self) -> Division:
        """The separator moves of both sides."""
        return self.separation.division(len(self.routes), len(self.bottom))

    @property
    def cost(self) -> float:
        """Estimated number of states made."""
        separation, tables = self.separation, {route.top for route in self.routes}
        pairs = len(self.routes) * separation.pair_cost
        made = sum(separation.table_cost(len(ends)) for ends in tables)
        return separation.base_cost(len(self.division[1])) + pairs + made

    def details(self, route: Route) -> dict[str, int]:
        """Numbers for the details of a count: how the pair was counted."""
        return {
            "top_cells": len(self.separation.top),
            "middle_cells": len(self.separation.separator),
            "bottom_cells": len(self.separation.bottom),
            "ends_in_top": len(route.top),
            "ends_in_middle": len(route.separator),
            "ends_in_bottom": len(route.bottom),
            "pairs_together": len(self.routes),
        }


def separators_for_ends(
    problem: TourProblem, moves: CycleGraph, symmetries: Sequence[tuple[int, ...]]
) -> list[EndsSeparation]:
    """All separations along lines of the board, in both directions, one of each symmetry class.

    ``moves`` is the graph of moves, without an extra vertex.
    """
    found: list[EndsSeparation] = []
    keys = []
    for one, other, separator, name in line_separators(problem, moves):
        if not (one and other) or len(separator) >= WIDEST_SEPARATOR:
            continue
        for top, bottom in ((one, other), (other, one)):
            key = min(
                (sorted(images[v] for v in top), sorted(images[v] for v in bottom)) for images in symmetries
            )
            inside = set(separator)
            within = tuple(edge for edge in moves.pairs if edge[0] in inside and edge[1] in inside)
            if key in keys or not _divisions(within):
                continue
            keys.append(key)
            mirror = next(
                (
                    images
                    for images in symmetries
                    if order_of(images) == 2
                    and {images[v] for v in top} == set(top)
                    and {images[v] for v in separator} == set(separator)
                ),
                (),
            )
            side = name if top is one else f"{name} from behind"
            above, below = half_cost(moves, top), half_cost(moves, bottom)
            bits = (above.bits, below.bits - bool(mirror))
            sizes = (above.kept / (1 + bool(mirror)), below.kept / (1 + bool(mirror)))
            parts = tuple(top), tuple(bottom), tuple(separator)
            found.append(EndsSeparation(*parts, within, mirror, side, *bits, *sizes))
    return found


def _divisions(edges: Iterable[Edge]) -> list[Division]:
    """Separator moves of the top and of the bottom, in several ways; none if they are too many.

    Whole paths of moves go to one side: runs of chosen moves are then single look-ups. The longest go to the
    bottom first.
    """
    found = []
    above, below = sorted(edges), list[Edge]()
    paths = sorted(components(neighbours(above)), key=lambda part: (-len(part), min(part)))
    for path in (set[int](), *paths):
        below += [edge for edge in above if edge[0] in path]
        above = [edge for edge in above if edge[0] not in path]
        if max(len(above), len(below)) <= _MOST_DEFERRED and len(above) + len(below) <= _MOST_TOGETHER:
            found.append((tuple(above), tuple(below)))
    return found


_Place = tuple[int, tuple[int, ...]]  # the number of a separation, and the ends in its bottom

_Options = dict[_Place, dict[Pair, Route]]


def route_groups(
    pairs: Iterable[Pair], separations: Sequence[EndsSeparation], symmetries: Sequence[tuple[int, ...]]
) -> list[RouteGroup]:
    """The pairs in groups that share a bottom; pairs that no separation serves are left out.

    Pairs that can be counted without an end in the bottom are, at the separations of least total cost. For
    the others, the bottoms with an end that serve most pairs are taken one after the other.
    """
    images = {pair: sorted({image_of(each, pair) for each in symmetries}) for pair in dict.fromkeys(pairs)}
    above = {  # for each separation the route with the smallest table, if no end has to be in the bottom
        pair: {
            n: min(found, key=_top_order)
            for n, separation in enumerate(separations)
            if (found := [each for each in _routes(pair, images, separation) if not each.bottom])
        }
        for pair in images
    }

    def cheapest(pair: Pair, chosen: Iterable[int]) -> int | None:
        """The chosen separation with the smallest table for the pair, None if none serves it."""
        able = [n for n in chosen if n in above[pair]]
        return min(able, key=lambda n: separations[n].table_cost(len(above[pair][n].top)), default=None)

    def cost(chosen: Iterable[int]) -> float:
        """Estimated states made with these separations; a pair that none serves costs a join of its own."""
        alone = min(2 ** (each.top_bits + ONE_END) + 2**each.bottom_bits for each in separations)
        served = {pair: cheapest(pair, chosen) for pair in above}
        used = [(n, above[pair][n].top) for pair, n in served.items() if n is not None]
        return (
            (len(served) - len(used)) * alone
            + sum(separations[n].pair_cost for n, _ in used)
            + sum(separations[n].base_cost(len(separations[n].moves) / 2) for n in {n for n, _ in used})
            + sum(separations[n].table_cost(len(ends)) for n, ends in set(used))
        )

    sizes = range(1, _MOST_SEPARATORS + 1)
    subsets = [each for size in sizes for each in itertools.combinations(range(len(separations)), size)]
    chosen = min(subsets, key=lambda each: (cost(each), each), default=())
    groups: dict[_Place, list[Route]] = defaultdict(list)
    left: dict[Pair, None] = {}
    for pair in images:
        number = cheapest(pair, chosen)
        if number is None:
            left[pair] = None
        else:
            groups[number, ()].append(above[pair][number])

    options: _Options = defaultdict(dict)
    for pair, number in itertools.product(left, chosen):
        for route in _routes(pair, images, separations[number]):
            if len(route.bottom) == 1:
                options[number, route.bottom][pair] = route
    for place, routes in _sharing_bottoms(left, options, separations):
        groups[place] += routes
    most: dict[int, int] = {}
    for (number, _), found in groups.items():
        most[number] = max(most.get(number, 0), len(found))
    served_by = {number: separations[number].serving(many) for number, many in most.items()}
    return [
        RouteGroup(served_by[number], bottom, tuple(sorted(found, key=_top_order)))
        for (number, bottom), found in sorted(groups.items())
    ]


def _sharing_bottoms(
    left: dict[Pair, None], options: _Options, separations: Sequence[EndsSeparation]
) -> Iterator[tuple[_Place, list[Route]]]:
    """Routes for the pairs that are left: again and again those of the bottom that serves most of them."""
    while left and options:
        # Among equals the smallest.
        place = max(
            options,
            key=lambda at: (len(options[at].keys() & left.keys()), -separations[at[0]].bottom_bits, at),
        )
        served = [pair for pair in options[place] if pair in left]
        if not served:
            return
        yield place, [options[place][pair] for pair in served]
        for pair in served:
            del left[pair]


def _top_order(route: Route) -> tuple[int, tuple[int, ...]]:
    return len(route.top), route.top


def _routes(pair: Pair, images: Mapping[Pair, Iterable[Pair]], separation: EndsSeparation) -> Iterator[Route]:
    """One route for each image of a pair."""
    parts = [set(part) for part in (separation.top, separation.separator, separation.bottom)]
    for image in images[pair]:
        yield Route(pair, *(tuple(v for v in image if v in part) for part in parts))
