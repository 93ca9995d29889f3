"""A plan for the two-sided join: the separator, the halves, and the side of each separator edge; its cost.

Costs are predicted from fits to counted tables.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import cache
from typing import NamedTuple

import numpy as np

from ktsolve import _native
from ktsolve.engines.frontier.order import frontier_widths, predicted
from ktsolve.graphs.graph import Nouns
from ktsolve.problem.cycle_graph import CycleGraph, Edge

__all__ = [
    "JoinPlan",
    "JoinStage",
    "Marks",
    "SweepCost",
    "capacity",
    "cost",
    "ends_factor",
    "entry_bytes",
    "free_ends",
    "half_cost",
    "half_costs",
    "image_of",
    "keeps",
    "larger_half",
    "layer_bytes",
    "layer_costs",
    "marks_of",
    "neighbours",
]


_WIDE = 12  # vertices of a frontier from which it matters whether a graph is planar


@dataclass(frozen=True)
class SweepCost:
    """Estimates for one sweep or several.

    - ``made``, ``last``, ``at_once``: Number of all states made, of those at the end, and the largest number
      after some step. What a plan makes counts the work of joining, too.
    - ``bytes``, ``kept``: Memory for the largest step and the one before, and for the states at the end.
    """

    made: float = 0.0
    last: float = 0.0
    at_once: float = 0.0
    bytes: float = 0.0
    kept: float = 0.0

    @property
    def bits(self) -> float:
        """Binary logarithm of the number of states made."""
        return math.log2(max(self.made, 1))

    def __add__(self, other: SweepCost) -> SweepCost:
        return SweepCost(*map(sum, zip(astuple(self), astuple(other), strict=True)))

    def __mul__(self, factor: float) -> SweepCost:
        return SweepCost(*(factor * each for each in astuple(self)))


class JoinStage(NamedTuple):
    """Where a half that is long is made in two parts: its states are divided there, too.

    - ``steps``: Number of vertices eliminated before.
    - ``cells``: Sets of vertices, next to those, by whose degrees the states are divided.
    - ``sums``: The blocks: for each set the sum of the degrees.
    """

    steps: int
    cells: tuple[tuple[int, ...], ...]
    sums: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class JoinPlan:
    """A graph divided into top, separator and bottom, with the symmetries to use.

    - ``graph``: The graph, without edges that no cycle can use. The parts are vertices in order.
    - ``top_deferred``, ``bottom_deferred``: Separator edges added while joining.
    - ``top_preapplied``, ``bottom_preapplied``: Separator edges added to the tables before the join, in
      groups of edges at one vertex.
    - ``top_mirror``, ``bottom_mirror``: Symmetries of a half under which its table is folded: images of the
      vertices, or empty.
    - ``flip``: A symmetry that exchanges the sides, so that one table serves both, or empty.
    - ``mirror_joins``: Whether one mirror serves both halves and keeps the side of each separator edge.
    - ``split``, ``colour``: The vertex that stands for one end of either colour, or -1, and the colours.
    - ``turned``: The vertex for the ends of an open tour, if tours with more of these in the bottom are
      counted as their images under a symmetry: the bottom has one end at most. Else -1.
    - ``tallied``: In a tally, the edges whose number in each cycle is counted.
    - ``blocks``: Sets of separator cells by whose degrees the states are divided into blocks, joined pair by
      pair.
    - ``spare``: Further sets, by which blocks are divided that do not fit into memory.
    - ``top_stages``, ``bottom_stages``: Where the halves are divided before, in order.
    - ``group``, ``elements``: Generators of a group that keeps the parts, as images of the vertices, and the
      number of its elements. Of each orbit of patterns one is counted; there are no mirrors then.
    - ``bottom_blocks``: The sets of the bottom, where it has its own.
    - ``single_pairs``, ``divided``: Patterns of so many pairs of ends or more are made and joined one by one;
      other states are divided by so many of the first sets. Without a group none is, and -1.
    - ``name``: Such as ``rows 3+2+3``.
    - ``nouns``: What texts call the vertices and edges.
    """

    graph: CycleGraph
    top: tuple[int, ...]
    bottom: tuple[int, ...]
    separator: tuple[int, ...]
    name: str
    nouns: Nouns = field(compare=False)
    top_deferred: tuple[Edge, ...] = ()
    bottom_deferred: tuple[Edge, ...] = ()
    top_preapplied: tuple[tuple[Edge, ...], ...] = ()
    bottom_preapplied: tuple[tuple[Edge, ...], ...] = ()
    top_mirror: tuple[int, ...] = ()
    bottom_mirror: tuple[int, ...] = ()
    flip: tuple[int, ...] = ()
    mirror_joins: bool = False
    split: int = -1
    colour: tuple[int, ...] = ()
    turned: int = -1
    tallied: tuple[Edge, ...] = ()
    blocks: tuple[tuple[int, ...], ...] = ()
    spare: tuple[tuple[int, ...], ...] = ()
    top_stages: tuple[JoinStage, ...] = ()
    bottom_stages: tuple[JoinStage, ...] = ()
    group: tuple[tuple[int, ...], ...] = ()
    elements: int = 1
    bottom_blocks: tuple[tuple[int, ...], ...] = ()
    single_pairs: int = -1
    divided: int = 0
    cost: SweepCost = field(default=SweepCost(), compare=False)

    @property
    def marks(self) -> Marks:
        """For each edge what a symmetry must keep: whether it is required, and whether it is tallied."""
        return marks_of(self.graph, self.tallied)

    def turned_over(self) -> JoinPlan:
        """The plan with top and bottom exchanged; without its flip."""
        sides = {
            f"{one}_{part}": getattr(self, f"{other}_{part}")
            for one, other in (("top", "bottom"), ("bottom", "top"))
            for part in ("deferred", "preapplied", "mirror", "stages")
        }
        return replace(self, top=self.bottom, bottom=self.top, flip=(), **sides)

    def edges_of_top(self) -> set[Edge]:
        """The edges at vertices of the top, and those of the separator that are given to it."""
        top = set(self.top)
        given = {*self.top_deferred, *(edge for group in self.top_preapplied for edge in group)}
        return given | {edge for edge in self.graph.pairs if edge[0] in top or edge[1] in top}

    def native(self) -> _native.JoinPlan:
        """The plan for the native core."""
        number = {edge: i for i, edge in enumerate(self.graph.pairs)}
        plan = _native.JoinPlan()
        for name in ("top", "bottom", "separator", "top_mirror", "bottom_mirror", "flip", "colour"):
            setattr(plan, name, getattr(self, name))
        for name in ("group", "bottom_blocks"):
            setattr(plan, name, getattr(self, name))
        plan.blocks = (*self.blocks, *self.spare)
        for name in ("top_deferred", "bottom_deferred", "tallied"):
            setattr(plan, name, [number[edge] for edge in getattr(self, name)])
        for name in ("top_preapplied", "bottom_preapplied"):
            setattr(plan, name, [[number[edge] for edge in group] for group in getattr(self, name)])
        for name in ("top_stages", "bottom_stages"):
            setattr(plan, name, [_native.JoinStage(*stage) for stage in getattr(self, name)])
        for name in ("mirror_joins", "split", "turned", "single_pairs"):
            setattr(plan, name, getattr(self, name))
        return plan

    def __str__(self) -> str:
        """The separator, the symmetries that are used, and how the separator edges are divided.

        >>> from ktsolve import TourProblem
        >>> from ktsolve.engines.join.planning import best_plan
        >>> problem = TourProblem(board="8x8", closed=True)
        >>> print(best_plan(problem, CycleGraph.of(problem)))
        rows 3+2+3: 24 + 16 + 24 cells, one table for both sides, mirrored, separator moves 6 + 6
        """
        preapplied = [len(sum(groups, ())) for groups in (self.top_preapplied, self.bottom_preapplied)]
        sizes = f"{len(self.top)} + {len(self.separator)} + {len(self.bottom)}"
        parts = [f"{self.name}: {sizes} {self.nouns.cells}"]
        parts.append("one table for both sides" if self.flip else "two tables")
        if self.group:
            parts.append(f"{self.elements} symmetries")
            if self.single_pairs >= 0:
                parts.append(f"patterns of {2 * self.single_pairs} ends or more one by one")
        elif self.mirror_joins:
            parts.append("mirrored")
        elif self.top_mirror and self.bottom_mirror:
            parts.append("mirrored halves")
        elif self.top_mirror or self.bottom_mirror:
            parts.append(f"{'top' if self.top_mirror else 'bottom'} mirrored")
        parts.append(f"separator {self.nouns.moves} {len(self.top_deferred)} + {len(self.bottom_deferred)}")
        if self.turned >= 0:
            parts.append("ends turned")
        if any(preapplied):
            parts.append(f"ends in the separator {preapplied[0]} + {preapplied[1]}")
        return ", ".join(parts)


def image_of(images: Sequence[int], edge: Edge) -> Edge:
    """The image of an edge, its ends in order."""
    u, v = images[edge[0]], images[edge[1]]
    return (u, v) if u < v else (v, u)


Marks = Mapping[Edge, tuple[bool, bool]]


def marks_of(graph: CycleGraph, tallied: Collection[Edge]) -> Marks:
    """For each edge whether it is required, and whether it is tallied."""
    chosen = frozenset(tallied)
    return {edge: (needed, edge in chosen) for edge, needed in graph.needed.items()}


def keeps(images: Sequence[int], marks: Marks) -> bool:
    """Whether a symmetry maps edges to edges with the same marks."""
    return all(marks.get(image_of(images, edge)) == each for edge, each in marks.items())


def neighbours(edges: Iterable[Edge]) -> dict[int, list[int]]:
    """The neighbours of each end of some edges."""
    around: dict[int, list[int]] = {}
    for u, v in edges:
        around.setdefault(u, []).append(v)
        around.setdefault(v, []).append(u)
    return around


@cache
def capacity(cells: int) -> float:
    """Binary logarithm of the number of states possible on a frontier of that size."""
    total, matchings = 0, 1
    for k in range(cells // 2 + 1):
        total += math.comb(cells, 2 * k) * 2 ** (cells - 2 * k) * matchings
        matchings *= 2 * k + 1
    return math.log2(total) - 1


def half_cost(
    graph: CycleGraph, order: Sequence[int], narrow: bool = True, aside: int | None = None
) -> SweepCost:
    """The estimated cost of sweeping a half in that order, without folding, and without a vertex ``aside``.

    Fitted to tables counted for widths 5 to 8, within a factor of about two there; of width 9 only to those
    of three and four lines. The number of states grows over the first two windows of cells. After that all
    states that can be reached are there, however long the half is. In the midst of a line the window is wider
    by a cell or two, which few states use; in a ``narrow`` order it may not be. The choice of a plan for
    rankings depends on the figures without.
    """
    total = last = most = held = kept = 0.0
    for last, kept in layer_costs(graph, order, narrow, aside):
        total += last
        most = max(most, last)
        held = max(held, 1.6 * kept)
    return SweepCost(total, last, most, held, kept)


def half_costs(plan: JoinPlan, narrow: bool = True) -> list[SweepCost]:
    """The estimated cost of each half as it is folded, or of the only one, as if there were no ends."""
    aside = free_ends(plan) if narrow else None
    halves = [_folded(half_cost(plan.graph, plan.top, narrow, aside), plan.top_mirror)]
    if not plan.flip:
        halves.append(_folded(half_cost(plan.graph, plan.bottom, narrow, aside), plan.bottom_mirror))
    return halves


def free_ends(plan: JoinPlan) -> int | None:
    """The vertex for the ends of an open tour, if these are not given."""
    extra = plan.graph.extra
    return None if extra is None or len(plan.graph.around[extra]) <= 2 else extra


def _folded(half: SweepCost, mirror: Sequence[int]) -> SweepCost:
    """The cost of a half that is folded under a mirror, if there is one: only when a layer is complete."""
    return replace(half * 0.5, bytes=0.72 * half.bytes) if mirror else half


def layer_bytes(plan: JoinPlan, order: Sequence[int], mirror: Sequence[int]) -> list[float]:
    """The estimated bytes of the states of a half after each vertex, as it is folded."""
    factor = ends_factor(plan) / (2 if mirror else 1)
    return [size * factor for _, size in layer_costs(plan.graph, order, aside=free_ends(plan))]


def layer_costs(
    graph: CycleGraph, order: Sequence[int], narrow: bool = True, aside: int | None = None
) -> Iterator[tuple[float, float]]:
    """After each vertex the estimated number of states and their bytes."""
    cells_after = frontier_widths(graph, order).tolist()
    if graph.extra is None and max(cells_after, default=0) >= _WIDE and graph.planar:
        for done, states in enumerate(_states_of_planar(graph, order), 1):
            yield states, states * entry_bytes(done)
        return
    if aside is not None:
        first = next((i for i, v in enumerate(order) if aside in graph.around[v]), len(order))
        cells_after[first:] = [cells - 1 for cells in cells_after[first:]]
    width = max(cells_after, default=0) - 2
    if narrow:
        width = max(width, *cells_after[-1:])
    for done, cells in enumerate(cells_after, 1):
        if not cells:
            yield 0.0, 0.0
            continue
        beyond = max(0, min(2, cells - width))
        growing = 0.47 - 0.035 * beyond + 0.23 * done / cells + 0.012 * (cells - 16)
        grown = 0.95 - beyond * (0.045 + 0.012 * (8 - width / 2))
        states = 2 ** (capacity(cells) * max(0.3, min(growing, grown)))
        yield states, states * entry_bytes(done)


def _states_of_planar(graph: CycleGraph, order: Sequence[int]) -> list[float]:
    """The predicted number of states after each vertex, where paths do not cross."""
    gone = set(order)
    rest = [v for v in range(graph.vertices) if v not in gone]
    bits = predicted(graph, [*order, *rest], planar=True).bits[: len(order)]
    states: list[float] = np.exp2(np.minimum(bits, 1000.0)).tolist()
    return states


def entry_bytes(done: int) -> float:
    """The estimated bytes of a state after so many vertices: a rank and a count.

    Measured on width 8: 4.1 after 24 and 32 cells, 5.5 after 40, 6.5 after 48 and 9.1 after 64. Where counts
    of states pass 63 bits they are taken modulo primes.
    """
    return min(9.4, max(2.5, 1 + 0.105 * done, 0.153 * done - 0.75))


def ends_factor(plan: JoinPlan, narrow: bool = True) -> float:
    """How many times more states the halves of an open tour have, by estimate, than without its ends."""
    extra = plan.graph.extra
    if extra is None:
        return 1.0
    if free_ends(plan) is not None:
        split = plan.split >= 0
        if not narrow:
            return 7.0 if split else 2.8
        if plan.turned >= 0:  # in the bottom: 9.6 on 6x7 and 8x9; of one colour 7.4 on 7x7, 5.9 on 7x9
            return 10.0 if split else 5.0
        return 18.0 if split else 12.0  # 17 to 20 on 6x6 to 8x8; of one colour 7 to 20 on 7x7 and 7x9
    # Two given ends in one half are soon joined; in different halves each adds an end to the states (three
    # times as many on 8x8, measured).
    separator, ends = set(plan.separator), plan.graph.around[extra]
    return 3.0 if extra in separator or any(v in separator for v in ends) else 1.0


def larger_half(plan: JoinPlan) -> int:
    """The half that has more states in the end, by estimate: 0 for the top, 1 for the bottom."""
    kept = [half.kept for half in half_costs(plan)]
    return kept.index(max(kept))


def cost(plan: JoinPlan, narrow: bool) -> SweepCost:
    """The estimated cost of a plan, with its lines in a ``narrow`` order or not, and of joining."""
    halves = half_costs(plan, narrow)
    deferred = max(len(plan.top_deferred), len(plan.bottom_deferred))
    # Joining costs a few look-ups for each state and subset of deferred edges; the mirror halves it.
    joins = max(half.last for half in halves) * 2.0 ** (
        deferred / 2 - 1 - plan.mirror_joins - bool(plan.flip)
    )
    return sum(halves, SweepCost(made=joins)) * ends_factor(plan, narrow)
