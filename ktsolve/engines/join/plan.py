"""How to cut a graph for the two-sided join, and what that will cost.

A *plan* names the vertices that are eliminated from the top, those from the bottom, and those in the middle
that separate them; the order of each; on which side each middle edge counts; which symmetries may be used.
Plans are made for every cut between consecutive rows and columns and, for what has no rows (wraps, odd
shapes), for every place along a good elimination order; the one that looks cheapest is taken.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

import networkx as nx

from ktsolve.engines.cycle_graph import CycleGraph
from ktsolve.engines.frontier_order import best_order
from ktsolve.errors import Refused
from ktsolve.ground.symmetry import symmetry_group

if TYPE_CHECKING:
    from ktsolve import _native
    from ktsolve.engines.base import Clock
    from ktsolve.problem.problem import TourProblem

__all__ = ["MOST_MIDDLE", "JoinPlan", "best_plan", "line_plans", "plans_for"]

MOST_MIDDLE = 19
"""Most middle vertices that the native join takes (20 ends in the middle would need 5 GB a group)."""

_MOST_PULLED = 8
"""Most middle edges a side that are added while joining: each doubles the look-ups per pattern."""

Edge = tuple[int, int]
Cut = tuple[list[int], list[int], list[int], str]
"""Top, bottom, middle, and a few words."""


@dataclass(frozen=True)
class JoinPlan:
    """A cut of a graph into top, middle and bottom.

    Attributes
    ----------
    graph:
        The graph, without edges that no cycle can use.
    top, bottom, middle:
        Vertices, in order.
    top_pulled, bottom_pulled:
        Middle edges added while joining.
    top_absorbed, bottom_absorbed:
        Middle edges added to the tables, in groups of edges at one vertex.
    top_mirror, bottom_mirror:
        Symmetries of a half under which its table is folded: images of the vertices, or empty.
    flip:
        A symmetry that exchanges the sides, so that one table serves both, or empty.
    mirror_joins:
        Whether there is one mirror that keeps the sides of the middle edges as well.
    split, colour:
        The vertex that stands for one end of either colour, or -1, and the colours.
    classes:
        Sets of middle cells whose degrees tell the classes of states that are joined one pair at a time.
    name:
        A few words, such as ``rows 3+2+3``.
    bits:
        Binary logarithm of the estimated number of states.
    """

    graph: CycleGraph
    top: tuple[int, ...]
    bottom: tuple[int, ...]
    middle: tuple[int, ...]
    name: str
    top_pulled: tuple[Edge, ...] = ()
    bottom_pulled: tuple[Edge, ...] = ()
    top_absorbed: tuple[tuple[Edge, ...], ...] = ()
    bottom_absorbed: tuple[tuple[Edge, ...], ...] = ()
    top_mirror: tuple[int, ...] = ()
    bottom_mirror: tuple[int, ...] = ()
    flip: tuple[int, ...] = ()
    mirror_joins: bool = False
    split: int = -1
    colour: tuple[int, ...] = ()
    classes: tuple[tuple[int, ...], ...] = ()
    bits: float = field(default=math.inf, compare=False)

    def native(self) -> _native.JoinPlan:
        """The plan as the native core takes it."""
        from ktsolve import _native

        number = {edge: i for i, edge in enumerate(self.graph.edges)}
        plan = _native.JoinPlan()
        plan.top, plan.bottom, plan.middle = list(self.top), list(self.bottom), list(self.middle)
        plan.top_pulled = [number[edge] for edge in self.top_pulled]
        plan.bottom_pulled = [number[edge] for edge in self.bottom_pulled]
        plan.top_absorbed = [[number[edge] for edge in group] for group in self.top_absorbed]
        plan.bottom_absorbed = [[number[edge] for edge in group] for group in self.bottom_absorbed]
        plan.top_mirror, plan.bottom_mirror = list(self.top_mirror), list(self.bottom_mirror)
        plan.flip, plan.mirror_joins = list(self.flip), self.mirror_joins
        plan.split, plan.colour = self.split, list(self.colour)
        plan.classes = [list(cells) for cells in self.classes]
        return plan

    def __str__(self) -> str:
        """In words: where the cut is, which symmetries are used, how the middle edges are shared out.

        >>> from ktsolve import TourProblem
        >>> problem = TourProblem(board="8x8", closed=True)
        >>> print(best_plan(problem, CycleGraph.of(problem)))
        rows 3+2+3: 24 + 16 + 24 cells, one table for both sides, mirrored, middle moves 6 + 6
        """
        absorbed = [
            sum(len(group) for group in groups) for groups in (self.top_absorbed, self.bottom_absorbed)
        ]
        words = [f"{self.name}: {len(self.top)} + {len(self.middle)} + {len(self.bottom)} cells"]
        words.append("one table for both sides" if self.flip else "two tables")
        if self.mirror_joins:
            words.append("mirrored")
        elif self.top_mirror and self.bottom_mirror:
            words.append("mirrored halves")
        elif self.top_mirror or self.bottom_mirror:
            words.append(f"{'top' if self.top_mirror else 'bottom'} mirrored")
        words.append(f"middle moves {len(self.top_pulled)} + {len(self.bottom_pulled)}")
        if any(absorbed):
            words.append(f"ends in the middle {absorbed[0]} + {absorbed[1]}")
        return ", ".join(words)


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
    plans = line_plans(problem, graph)
    if plans:
        return plans
    trimmed, split, colour = _coloured(graph)
    plans = _plans(problem, trimmed, split, colour, _order_cuts(problem, trimmed, clock))
    return plans or _plans(problem, trimmed, split, colour, _pair_cuts(trimmed))


def line_plans(problem: TourProblem, graph: CycleGraph) -> list[JoinPlan]:
    """Plans that cut between rows or between columns, cheapest first."""
    trimmed, split, colour = _coloured(graph)
    return _plans(problem, trimmed, split, colour, _line_cuts(problem, trimmed))


def _plans(
    problem: TourProblem, trimmed: CycleGraph, split: int, colour: tuple[int, ...], cuts: Iterable[Cut]
) -> list[JoinPlan]:
    involutions = _involutions(problem, trimmed)
    edges = dict(zip(trimmed.edges, trimmed.required, strict=True))
    symmetries = [
        images
        for images in involutions
        if all(edges.get(_image(images, edge)) == needed for edge, needed in edges.items())
    ]
    plans = []
    seen = set()
    for top, bottom, middle, name in cuts:
        key = (frozenset(top), frozenset(bottom))
        if not (top and bottom and middle) or len(middle) > MOST_MIDDLE or key in seen:
            continue
        seen.add(key)
        plan = JoinPlan(trimmed, tuple(top), tuple(bottom), tuple(middle), name, split=split, colour=colour)
        shared = _shared_out(plan, symmetries, involutions)
        if shared is not None:
            plans.append(replace(shared, bits=_cost(shared)))
    return sorted(plans, key=lambda plan: (round(plan.bits, 6), plan.name[0] != "r"))


# -- the graph ------------------------------------------------------------------------------------------


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


def _image(images: Sequence[int], edge: Edge) -> Edge:
    u, v = images[edge[0]], images[edge[1]]
    return (u, v) if u < v else (v, u)


# -- cuts -----------------------------------------------------------------------------------------------


def _line_cuts(problem: TourProblem, graph: CycleGraph) -> Iterator[Cut]:
    """Cuts along rows and along columns, cells of a row from the outside inwards.

    That order leaves the least open ends, and the processed cells are symmetric after every second one.
    """
    cells = problem.board.cells
    for axis, name in ((0, "rows"), (1, "columns")):
        lines: dict[int, list[int]] = {}
        for v, cell in enumerate(cells):
            lines.setdefault(cell[axis], []).append(v)
        numbers = sorted(lines)
        width = 1 + max(cell[1 - axis] for cell in cells)

        def outside_in(v: int, axis: int = axis, width: int = width) -> tuple[int, int]:
            across = cells[v][1 - axis]
            return min(across, width - 1 - across), across

        for first in range(1, len(numbers) - 1):
            for last in range(first, len(numbers) - 1):
                middle = [v for n in numbers[first : last + 1] for v in sorted(lines[n])]
                if len(middle) > MOST_MIDDLE:
                    break
                top = [v for n in numbers[:first] for v in sorted(lines[n], key=outside_in)]
                bottom = [v for n in reversed(numbers[last + 1 :]) for v in sorted(lines[n], key=outside_in)]
                sizes = f"{name} {first}+{last - first + 1}+{len(numbers) - last - 1}"
                cuts = list(_with_extra(graph, top, bottom, middle, sizes))
                yield from cuts
                if cuts:  # more lines in the middle would only be more to carry
                    break


def _order_cuts(problem: TourProblem, graph: CycleGraph, clock: Clock | None) -> Iterator[Cut]:
    """Cuts along a good elimination order: what is done, its neighbours, and the rest backwards."""
    order = [v for v in best_order(problem, graph, clock) if v != graph.extra]
    around = [{u for u in others if u != graph.extra} for others in graph.around]
    for done in range(1, len(order)):
        top = order[:done]
        inside = set(top)
        middle = sorted({u for v in top for u in around[v]} - inside)
        if len(middle) > MOST_MIDDLE:
            continue
        separating = set(middle)
        bottom = [v for v in reversed(order[done:]) if v not in separating]
        yield from _with_extra(graph, top, bottom, middle, f"order {done}+{len(middle)}+{len(bottom)}")


def _pair_cuts(graph: CycleGraph) -> Iterator[Cut]:
    for u, v in itertools.combinations(range(graph.vertices), 2):
        if v not in graph.around[u] and (graph.extra is None or len(graph.around[graph.extra]) <= 2):
            middle = [w for w in range(graph.vertices) if w not in (u, v)]
            yield [u], [v], middle, "two vertices"


def _with_extra(
    graph: CycleGraph, top: list[int], bottom: list[int], middle: list[int], name: str
) -> Iterator[Cut]:
    """The cut, if it is one, with the extra vertex put where its neighbours are."""
    upper, lower = set(top), set(bottom)
    if any((u in upper and v in lower) or (u in lower and v in upper) for u, v in graph.edges):
        return
    extra = graph.extra
    if extra is None:
        yield top, bottom, middle, name
        return
    ends = graph.around[extra]
    if len(ends) > 2 or ({v in upper for v in ends} == {True, False} and any(v in lower for v in ends)):
        yield top, bottom, [*middle, extra], name
        return
    # Two given ends: the extra vertex goes right behind the first of them, so that it is soon done with.
    side = bottom if any(v in lower for v in ends) else top
    place = min((side.index(v) + 1 for v in ends if v in side), default=len(side))
    placed = [*side[:place], extra, *side[place:]]
    yield (top, placed, middle, name) if side is bottom else (placed, bottom, middle, name)


# -- middle edges ---------------------------------------------------------------------------------------


def _shared_out(
    plan: JoinPlan, symmetries: Iterable[tuple[int, ...]], mirrors_of_halves: Iterable[tuple[int, ...]]
) -> JoinPlan | None:
    """The plan with its middle edges shared out, so that as many symmetries hold as can."""
    graph, middle = plan.graph, set(plan.middle)
    edges = [edge for edge in graph.edges if edge[0] in middle and edge[1] in middle]
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
    best: tuple[tuple[bool, bool, bool], JoinPlan] | None = None
    for flip, mirror in itertools.product(flips, mirrors):
        if flip and mirror and any(mirror[flip[v]] != flip[mirror[v]] for v in range(graph.vertices)):
            continue
        for joins in (True, False):
            if joins and not mirror:
                continue
            worth = (bool(flip), bool(mirror), joins)
            if best is not None and worth <= best[0]:
                continue
            shares = _shares(moves, ends, plan, flip, mirror, joins)
            if shares is not None:
                (top_pulled, top_absorbed), (bottom_pulled, bottom_absorbed) = shares
                best = (
                    worth,
                    replace(
                        plan,
                        top_pulled=top_pulled,
                        top_absorbed=top_absorbed,
                        bottom_pulled=bottom_pulled,
                        bottom_absorbed=bottom_absorbed,
                        flip=flip,
                        top_mirror=mirror,
                        bottom_mirror=mirror,
                        mirror_joins=joins,
                    ),
                )
    return None if best is None else _half_mirrored(best[1], mirrors_of_halves)


def _half_mirrored(plan: JoinPlan, candidates: Iterable[tuple[int, ...]]) -> JoinPlan:
    """The plan with a mirror for each half that has one, if the whole has none.

    Given ends spoil the symmetry of the half that holds them, not that of the other.
    """
    if plan.top_mirror or plan.flip:
        return plan
    for name, half, absorbed in (
        ("top_mirror", set(plan.top), plan.top_absorbed),
        ("bottom_mirror", set(plan.bottom), plan.bottom_absorbed),
    ):
        edges = {
            edge: needed
            for edge, needed in zip(plan.graph.edges, plan.graph.required, strict=True)
            if edge[0] in half or edge[1] in half or any(edge in group for group in absorbed)
        }
        for images in candidates:
            if (
                {images[v] for v in half} == half
                and {images[v] for v in plan.middle} == set(plan.middle)
                and all(edges.get(_image(images, edge)) == needed for edge, needed in edges.items())
                and all({_image(images, edge) for edge in group} == set(group) for group in absorbed)
                and (plan.split < 0 or _fits_colours(plan, images))
            ):
                plan = (
                    replace(plan, top_mirror=images)
                    if name == "top_mirror"
                    else replace(plan, bottom_mirror=images)
                )
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
) -> list[tuple[tuple[Edge, ...], tuple[tuple[Edge, ...], ...]]] | None:
    """Pulled and absorbed edges of top and bottom, or None if the symmetries leave no choice.

    Whole paths of moves go to one side if that can be: runs of chosen moves are then single look-ups.
    """
    graph = nx.Graph(moves)
    pieces = [[edge for edge in moves if edge[0] in part] for part in nx.connected_components(graph)]
    keep = mirror if joins else ()
    sides = _assigned(pieces, flip, keep)
    if sides is None and len(moves) > len(pieces):
        sides = _assigned([[edge] for edge in moves], flip, keep)
    # The mirror must keep absorbed edges in any case: the tables are folded.
    end_sides = _assigned([[edge] for edge in ends], flip, mirror, halves=plan.middle)
    if sides is None or end_sides is None:
        return None
    shares = []
    for side in (0, 1):
        pulled = sorted(edge for edge, s in sides.items() if s == side)
        absorbed = [tuple(sorted(edge for edge, s in end_sides.items() if s == side))]
        if len(pulled) > _MOST_PULLED:
            # What is more goes into the table beforehand, edge by edge, which no symmetry survives.
            if mirror or flip:
                return None
            absorbed += [(edge,) for edge in pulled[_MOST_PULLED:]]
            pulled = pulled[:_MOST_PULLED]
        shares.append((tuple(pulled), tuple(group for group in absorbed if group)))
    return shares


def _assigned(
    pieces: list[list[Edge]], flip: tuple[int, ...], mirror: tuple[int, ...], halves: Sequence[int] = ()
) -> dict[Edge, int] | None:
    """A side for every edge: pieces stay whole, the flip changes sides, the mirror does not.

    As even as possible. ``halves`` gives an order of vertices, of which the first half prefers the top.
    """
    piece_of = {edge: i for i, piece in enumerate(pieces) for edge in piece}
    # Links between pieces: +1 same side, -1 other side.
    links = nx.Graph()
    links.add_nodes_from(range(len(pieces)))
    for images, change in ((mirror, 0), (flip, 1)):
        if not images:
            continue
        for edge, piece in piece_of.items():
            other = piece_of[_image(images, edge)]
            if other == piece:
                if change:
                    return None
            elif links.has_edge(piece, other):
                if links[piece][other]["change"] != change:
                    return None
            else:
                links.add_edge(piece, other, change=change)
    place = {v: i for i, v in enumerate(halves)}
    side: dict[int, int] = {}
    load = [0, 0]
    parts = sorted(
        nx.connected_components(links), key=lambda part: (-sum(len(pieces[p]) for p in part), min(part))
    )
    for part in parts:
        root = min(part)
        relative = {root: 0}
        for a, b in nx.bfs_edges(links, root):
            relative[b] = relative[a] ^ links[a][b]["change"]
        if any(
            relative[a] ^ relative[b] != change for a, b, change in links.subgraph(part).edges(data="change")
        ):
            return None
        weights = [sum(len(pieces[p]) for p in part if relative[p] == s) for s in (0, 1)]
        # Turned round or not: even loads first, then ends where their cells are.
        if halves:
            # The end of an edge other than the last vertex of the middle, which is the extra one.
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


# -- cost -----------------------------------------------------------------------------------------------


@cache
def _capacity(cells: int) -> float:
    """Binary logarithm of the number of states that so many frontier cells could have at all."""
    total, matchings = 0, 1
    for k in range(cells // 2 + 1):
        total += math.comb(cells, 2 * k) * 2 ** (cells - 2 * k) * matchings
        matchings *= 2 * k + 1
    return math.log2(total) - 1


def _half_bits(plan: JoinPlan, order: Sequence[int]) -> float:
    """Binary logarithm of the states of a half, about.

    Fitted to tables counted for widths 6 to 9 and 2 to 4 rows; right within a factor of three or so.
    """
    around = plan.graph.around
    gone: set[int] = set()
    live: set[int] = set()
    total = 0.0
    for done, v in enumerate(order, 1):
        gone.add(v)
        live.discard(v)
        live |= {u for u in around[v] if u not in gone}
        cells = len(live)
        if cells:
            share = 0.40 + 0.23 * done / cells + 0.012 * (cells - 16)
            total += 2 ** (_capacity(cells) * min(0.95, max(0.3, share)))
    return math.log2(max(total, 1))


def _cost(plan: JoinPlan) -> float:
    extra = plan.graph.extra
    middle = set(plan.middle)
    # Two given ends in one half are soon joined; apart, each is one more end to carry (three times the states
    # on 8x8, measured).
    apart = 0.0
    if extra is not None:
        ends = plan.graph.around[extra]
        if len(ends) > 2:
            apart = 2.8  # any ends at all: seven times the states, on 6x6, 7x7 and 8x8 alike
        elif extra in middle or any(v in middle for v in ends):
            apart = 1.6
    halves = [_half_bits(plan, plan.top) - bool(plan.top_mirror)]
    if not plan.flip:
        halves.append(_half_bits(plan, plan.bottom) - bool(plan.bottom_mirror))
    pulled = max(len(plan.top_pulled), len(plan.bottom_pulled))
    # Joining costs a few look-ups for each state and subset of pulled edges; the mirror halves it.
    joins = max(halves) + pulled / 2 - 1 - plan.mirror_joins - bool(plan.flip)
    return apart + math.log2(sum(2**bits for bits in (*halves, joins)))
