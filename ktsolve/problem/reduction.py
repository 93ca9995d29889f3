"""Reduction of a cycle graph before any engine: smaller graphs with the same Hamiltonian cycles, or none.

Vertices of degree 2 force edges, chains of required edges are contracted, bridges and cut vertices refute,
separators of two vertices split the graph into parts, and the vertices behind a cut of three edges become
one (see ktsolve/graphs/reduction.hpp). A cycle of the given graph is one cycle of each part, so
numbers multiply and lists combine as products.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ktsolve import _native
from ktsolve.base.limits import Clock, check_status
from ktsolve.base.text import number_of, plural
from ktsolve.graphs.edge_arrays import component_labels, edge_keys, neighbours_of
from ktsolve.problem.cycle_graph import CycleGraph

__all__ = ["Bundle", "GraphPart", "GraphRefutation", "Reduction", "reduce"]

_WORK = 2_000_000
"""Edges visited in the search for separators, some 40 ms: enough for every pair of vertices of a cubic graph
of 500 vertices. Larger graphs get a few depth-first trees, which find most separators."""

_FEW = 20
"""Most vertices that a reason names, and a bundle whose paths a search lists."""


@dataclass(frozen=True)
class GraphRefutation:
    """Why a graph has no Hamiltonian cycle. All vertices are numbered as in the given graph.

    - ``theorem``: ``size``, ``degrees``, ``forced edges`` (three required edges meet), ``forced cycle``,
      ``connectivity``, ``bridge``, ``cut vertex``, ``separator``, ``cut of three edges`` or ``neighbours``
      (some vertices need more edges than their neighbours can take).
    - ``vertices``: The vertex of ``degrees`` and ``forced edges``; the vertices of the forced cycle, in order
      (of those that stand for a vertex of a directed graph the entry), or empty if it runs through parts
      that are cut off; the ends of the bridge; the one or two vertices that separate; those behind the cut of
      three edges; the neighbours, if their removal leaves more components than they are; empty else.
    - ``components``: What the removal of the separating vertices leaves; without separation empty. Edges that
      the reduction deleted before are not there.
    - ``direct``: Whether the argument holds in the given graph as it is, without the deductions before it.
    """

    theorem: str
    vertices: tuple[int, ...] = ()
    components: tuple[tuple[int, ...], ...] = field(default=(), repr=False)
    direct: bool = False

    def reason(self, name: Callable[[int], str] = str) -> str:
        """The argument in words, with a name for each vertex.

        >>> GraphRefutation("cut vertex", (3,), ((0, 1), (2, 4)), direct=True).reason()
        'without 3 the graph falls into 2 components; a cycle leaves one'
        """
        named = [name(vertex) for vertex in self.vertices]
        if self.theorem == "size":
            return "a cycle needs at least 3 vertices"
        first, several = next(iter(named), ""), " and ".join(named)
        parts = f"{len(self.components)} components"
        if self.theorem == "neighbours" and not self.components:
            said = "some vertices need more edges than their neighbours can take"
        elif self.theorem == "forced cycle":
            through = f" of {len(named)} vertices through {first}" if named else ""
            said = f"the required edges close a cycle{through} before all vertices are on it"
        else:
            most = "at most 2" if len(self.components) > 2 else "one, as the edge between them is required"
            said = {
                "degrees": f"{first} has fewer than two edges left; a cycle needs two",
                "forced edges": f"three or more required edges meet at {first}; a cycle has two",
                "connectivity": f"the graph is not connected: it has {parts}",
                "bridge": f"the edge between {several} is a bridge; a cycle crosses none",
                "neighbours": f"without {number_of(len(named), 'vertex')} the graph falls into {parts}",
                "cut of three edges": f"no path leads through {_listed(named)}, "
                "which three edges join to the rest",
                "cut vertex": f"without {first} the graph falls into {parts}; a cycle leaves one",
                "separator": f"without {several} the graph falls into {parts}; a cycle leaves {most}",
            }[self.theorem]
        return said if self.direct else f"with the edges that every cycle has, {said}"


@dataclass(frozen=True)
class GraphPart:
    """A smaller graph. One required edge in it may stand for a path or for a whole side of a separator.

    - ``graph``: The part.
    - ``vertices``: Its vertices, as numbered in the given graph.
    - ``original``: For each of its edges the number in the given graph; -1 for required ones.
    """

    graph: CycleGraph
    vertices: NDArray[np.int32]
    original: NDArray[np.int32]


@dataclass(frozen=True)
class Bundle:
    """Paths through the vertices behind a cut of three edges, which one vertex stands for in a part.

    - ``part``: The graph of these vertices, in an order of few states, and of one more for the rest.
    - ``cut``: The edges of the cut that a cycle may leave out, as numbered in the given graph: it leaves out
      one.
    - ``paths``: Number of paths for each edge that may be left out, if these are equal; else 0.
    """

    part: GraphPart
    cut: tuple[int, ...]
    paths: int

    def through(self, chosen: NDArray[np.bool_]) -> Iterator[NDArray[np.int32]]:
        """The paths that fit the chosen edges of the cut, as numbers of given edges; one by one."""
        (unused,) = (number for number in self.cut if not chosen[number])
        n, edges, required = self.part.graph.arrays()
        kept = self.part.original != unused
        # Of few vertices a search is faster; of many the vertices are in an order of few states.
        arrays = n, edges[kept], required[kept]
        listing = _native.Search(*arrays, [], []) if n <= _FEW else _native.FrontierList(*arrays)
        original = self.part.original[kept]
        while not listing.exhausted:
            _, cycles = listing.run(1)
            for cycle in cycles:
                numbers = original[_edge_numbers(n, edges[kept], cycle)]
                yield numbers[numbers >= 0]


@dataclass(frozen=True)
class Reduction:
    """What is left of a graph.

    - ``given``: The graph.
    - ``refutation``: Why it has no Hamiltonian cycle; None if the reduction does not show that.
    - ``parts``: Every cycle of the graph is one cycle of each part, and one path of each bundle that fits
      them. No part is left if there is only one cycle apart from bundles.
    - ``bundles``: The edges of the cut of each are in parts or in later bundles.
    - ``fixed``, ``deleted``: Flags of the given edges: those in every cycle and those in none, as far as is
      known.
    - ``steps``: What was done, as lines of text.
    """

    given: CycleGraph
    refutation: GraphRefutation | None
    parts: tuple[GraphPart, ...]
    bundles: tuple[Bundle, ...]
    fixed: NDArray[np.uint8] = field(repr=False)
    deleted: NDArray[np.uint8] = field(repr=False)
    steps: tuple[str, ...]

    @property
    def factor(self) -> int:
        """Number of cycles of the graph for one cycle of each part; of a reduction for counting."""
        return math.prod(bundle.paths for bundle in self.bundles)

    def lift(self, cycles: Sequence[Sequence[int]]) -> list[int]:
        """A cycle of the given graph made of one cycle of each part."""
        return next(self.lifts(cycles))

    def lifts(self, cycles: Sequence[Sequence[int]]) -> Iterator[list[int]]:
        """The cycles of the given graph made of one cycle of each part: one but for bundles."""
        chosen = self.fixed != 0
        for part, cycle in zip(self.parts, cycles, strict=True):
            numbers = part.original[_edge_numbers(part.graph.vertices, part.graph.edges, cycle)]
            chosen[numbers[numbers >= 0]] = True
        # The last bundle first. No recursion: there may be thousands.
        readers = [iter([chosen])]
        while readers:
            chosen = next(readers[-1], None)
            if chosen is None:
                readers.pop()
            elif len(readers) > len(self.bundles):
                yield self._in_order(chosen)
            else:
                readers.append(_with_paths(self.bundles[-len(readers)], chosen))

    def _in_order(self, chosen: NDArray[np.bool_]) -> list[int]:
        """The vertices of the cycle of these edges."""
        ends = self.given.edges[chosen]
        # The two neighbours of each vertex: the ends sorted by vertex, with the other ends beside them.
        order = np.argsort(ends.ravel(), kind="stable")
        beside = ends[:, ::-1].ravel()[order].reshape(-1, 2).tolist()
        cycle, before, here = [0], -1, 0
        while len(cycle) < self.given.vertices:
            first, second = beside[here]
            before, here = here, (second if first == before else first)
            cycle.append(here)
        return cycle


def _with_paths(bundle: Bundle, chosen: NDArray[np.bool_]) -> Iterator[NDArray[np.bool_]]:
    for numbers in bundle.through(chosen):
        more = chosen.copy()
        more[numbers] = True
        yield more


def reduce(
    graph: CycleGraph, clock: Clock | None = None, *, counting: bool = False, work: int = _WORK
) -> Reduction:
    """Reduce a cycle graph as far as forced edges and small separators go.

    Nearly linear; the search for separators ends at a budget of ``work`` edges visited, so that 100,000 edges
    take some 0.1 s. With ``counting`` the number of cycles is a product of those of the parts and
    :attr:`Reduction.factor`. Raises LimitReached when the clock runs out.

    >>> from ktsolve.graphs.graph import Graph
    >>> from ktsolve.problem.problem import TourProblem
    >>> ladder = Graph("abcdef", ["ab", "bc", "de", "ef", "ad", "be", "cf"])
    >>> found = reduce(CycleGraph.of(TourProblem(board=ladder, closed=True)))
    >>> found.parts, found.lift([]), found.steps[0]
    ((), [0, 1, 2, 5, 4, 3], 'required 6 edges at vertices of degree 2')
    """
    vertices, edges, required = graph.arrays()
    seconds = None if clock is None else clock.left
    report = _native.reduce_graph(vertices, edges, required, work, counting, seconds)
    check_status(report.status, clock, "in the reduction")
    fixed, deleted = report.fixed, report.deleted
    refutation = None
    if report.refuted:
        refutation = _refutation(report.refuted, report.evidence, graph, fixed != 0, deleted != 0)
    parts = tuple(map(_part, report.parts))
    bundles = tuple(Bundle(_part(each.part), tuple(each.cut), each.paths) for each in report.bundles)
    steps = tuple(_steps(report, refutation, parts))
    return Reduction(graph, refutation, parts, bundles, fixed, deleted, steps)


def _part(part: _native.ReducedPart) -> GraphPart:
    graph = CycleGraph(len(part.vertices), part.edges.reshape(-1, 2), part.required != 0)
    return GraphPart(graph, part.vertices, part.original)


def _edge_numbers(
    n: int, edges: NDArray[np.int32], cycle: Sequence[int] | NDArray[np.int32]
) -> NDArray[np.intp]:
    """The numbers of the edges of a cycle. The edges of parts are sorted."""
    here = np.asarray(cycle, dtype=np.int64)
    after = np.roll(here, -1)
    used = np.stack([np.minimum(here, after), np.maximum(here, after)], axis=1)
    return np.searchsorted(edge_keys(n, edges), edge_keys(n, used))


def _listed(names: Sequence[str]) -> str:
    """The names, or the number of many vertices."""
    return ", ".join(names) if len(names) <= _FEW else number_of(len(names), "vertex")


def _steps(
    report: _native.ReductionReport, refutation: GraphRefutation | None, parts: Sequence[GraphPart]
) -> Iterator[str]:
    counted = (
        (report.forced, "required {} at vertices of degree 2", "edge"),
        (report.surplus, "deleted {} at vertices with two required edges", "edge"),
        (report.closing, "deleted {} that would close a required path too early", "edge"),
        (report.contracted, "contracted {} between two required edges", "vertex"),
        (report.separators, "split at {} of vertices that separate the graph", "pair"),
        (report.needed, "required {} at cuts of three edges, which no path avoids", "edge"),
        (report.unused, "deleted {} at cuts of three edges, which no path uses", "edge"),
        (report.bundled, "contracted {} behind cuts of three edges", "vertex"),
        (report.between, "deleted {} between two vertices that separate the graph", "edge"),
    )
    for number, text, thing in counted:
        if number:
            yield text.format(number_of(number, thing))
    if refutation is not None:
        return
    if not parts and report.bundles:
        yield f"nothing is left but {number_of(len(report.bundles), 'bundle')} of paths"
    elif not parts:
        yield "nothing is left: there is one cycle"
    elif report.forced or report.separators or report.surplus or report.bundled:
        sizes = [part.graph.vertices for part in parts]
        edges = sum(len(part.graph.edges) for part in parts)
        least, most = min(sizes), max(sizes)
        of = f"of {most:,}" if least == most else f"of {least:,} to {most:,}"
        are_left = "one part is left," if len(parts) == 1 else f"{len(parts):,} parts are left,"
        yield f"{are_left} {of} {plural(most, 'vertex')}, with {number_of(edges, 'edge')}"


# -- refutations ---------------------------------------------------------------------------------------------


def _refutation(
    theorem: str,
    evidence: Sequence[int],
    graph: CycleGraph,
    fixed: NDArray[np.bool_],
    deleted: NDArray[np.bool_],
) -> GraphRefutation:
    n, edges, required = graph.arrays()
    if theorem == "size":
        return GraphRefutation(theorem, direct=True)
    if theorem == "degrees":
        return GraphRefutation(theorem, tuple(evidence), direct=bool((edges == evidence[0]).sum() < 2))
    if theorem == "forced edges":
        given = (edges[required != 0] == evidence[0]).sum()
        return GraphRefutation(theorem, tuple(evidence), direct=bool(given > 2))
    if theorem == "forced cycle":
        on = _forced_cycle(n, edges[fixed], evidence[1])
        direct = bool(on) and on == _forced_cycle(n, edges[required != 0], on[0])
        if graph.doubled:
            on = tuple(v for v in on if v % 2 == 0 and v != graph.extra)
        return GraphRefutation(theorem, on, direct=direct)
    if theorem == "cut of three edges":
        return GraphRefutation(theorem, tuple(evidence))
    kept = edges[~deleted]
    if theorem == "neighbours":
        ends = np.isin(kept, evidence)
        beside = np.unique(kept[ends.any(axis=1)][~ends[ends.any(axis=1)]])
        separator = tuple(beside.tolist())
    else:
        separator = {"connectivity": (), "separator": tuple(sorted(evidence))}.get(theorem, (evidence[0],))
    components = _components(n, kept, separator)
    # The entries and exits of a directed graph are not vertices that could be removed.
    few = theorem == "neighbours" and len(components) <= _most_components(separator, edges[fixed])
    if few or (theorem == "neighbours" and graph.doubled):
        return GraphRefutation(theorem)
    most = _most_components(separator, edges[required != 0])
    direct = len(_components(n, edges, separator)) > most
    return GraphRefutation(theorem, tuple(evidence) if theorem == "bridge" else separator, components, direct)


def _most_components(removed: Sequence[int], required: NDArray[np.int32]) -> int:
    """The most components that a cycle leaves without some vertices: one each, less required edges."""
    return max(1, len(removed) - int(np.isin(required, removed).all(axis=1).sum()))


def _forced_cycle(n: int, edges: NDArray[np.int32], start: int) -> tuple[int, ...]:
    """The cycle of these edges through a vertex; empty if none exists."""
    around = neighbours_of(n, edges)
    cycle, before, here = [start], -1, start
    while len(beside := around.of(here)) == 2:
        before, here = here, next(other for other in beside if other != before)
        if here == start:
            return tuple(cycle)
        cycle.append(here)
    return ()


def _components(n: int, edges: NDArray[np.int32], removed: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The components that the removal of some vertices leaves."""
    labels = component_labels(n, edges[~np.isin(edges, removed).any(axis=1)])
    order = np.argsort(labels, kind="stable")
    order = order[~np.isin(order, removed)]
    if not len(order):
        return ()
    begins = np.flatnonzero(np.diff(labels[order])) + 1
    return tuple(tuple(part.tolist()) for part in np.split(order, begins))
