"""Automorphisms of graphs: generators, by refinement and backtracking.

Vertices get colours, and are told apart by the colours of their neighbours until nothing changes
(*refinement*). To find an automorphism that maps v to w, v gets a new colour in one copy of the graph and w
in another; both are refined alike and compared; if vertices with equal colours remain, the search branches.
One vertex after the other is fixed in this way. The generators found for the stabilizer of the first i
vertices, for every i, generate the group, and its order is the product of the lengths of their orbits.

This is the method of B. D. McKay (Practical graph isomorphism, 1981) in its simplest form, for graphs of some
hundred vertices. For larger ones install nauty itself (the extra ``nauty``, package pynauty).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ktsolve.base.limits import Clock
from ktsolve.graphs.groups import Permutation

__all__ = ["AutomorphismGroup", "automorphism_group"]

_LARGE = 400
"""Number of vertices from which nauty is used, if it is installed."""

Colours = tuple[int, ...]


@dataclass(frozen=True)
class AutomorphismGroup:
    """Generators of a group of automorphisms, and the number of its elements."""

    generators: tuple[Permutation, ...]
    order: int


def automorphism_group(
    vertices: int, edges: Sequence[tuple[int, int]], *, directed: bool = False, clock: Clock | None = None
) -> AutomorphismGroup:
    """The automorphisms of a graph, by generators; the trivial group has none.

    Raises LimitReached when the clock runs out.

    >>> automorphism_group(5, [(0, 1), (1, 2), (2, 3), (3, 4)])
    AutomorphismGroup(generators=((4, 3, 2, 1, 0),), order=2)
    >>> automorphism_group(3, [(0, 1), (1, 2), (2, 0)], directed=True).order
    3

    Complexity: some refinements for each pair of vertices that no automorphism found before joins; each costs
    about the number of edges times the number of rounds. Exponential for graphs in which refinement tells
    little apart, such as incidence graphs of designs.
    """
    if vertices >= _LARGE:
        found = _by_nauty(vertices, edges, directed)
        if found is not None:
            return found
    return _AutomorphismSearch(vertices, edges, directed, clock or Clock(None)).group()


def _by_nauty(vertices: int, edges: Sequence[tuple[int, int]], directed: bool) -> AutomorphismGroup | None:
    try:
        import pynauty
    except ImportError:
        return None
    around: dict[int, list[int]] = {v: [] for v in range(vertices)}
    for u, v in edges:
        around[u].append(v)
    graph = pynauty.Graph(vertices, directed=directed, adjacency_dict=around)
    generators, mantissa, exponent, _, _ = pynauty.autgrp(graph)
    return AutomorphismGroup(tuple(map(tuple, generators)), round(mantissa * 10**exponent))


class _AutomorphismSearch:
    def __init__(self, vertices: int, edges: Sequence[tuple[int, int]], directed: bool, clock: Clock) -> None:
        self._after: list[list[int]] = [[] for _ in range(vertices)]
        self._before: list[list[int]] = [[] for _ in range(vertices)]
        for u, v in edges:
            self._after[u].append(v)
            self._before[v].append(u)
            if not directed:
                self._after[v].append(u)
        self._arcs = {(u, v) for u, others in enumerate(self._after) for v in others}
        if not directed:
            self._before = [[] for _ in range(vertices)]
        self._n = vertices
        self._clock = clock

    def group(self) -> AutomorphismGroup:
        """The group, from the stabilizer of most vertices to that of none."""
        levels: list[tuple[Colours, int]] = []
        colours, _ = self._refined((0,) * self._n)
        while (cell := _cell(colours)) is not None:
            levels.append((colours, cell[0]))
            colours, _ = self._refined(_marked(colours, cell[0]))
        generators: list[Permutation] = []
        order = 1
        for colours, fixed in reversed(levels):
            orbit = _orbit(fixed, generators)
            tried = set(orbit)
            first, kinds = self._refined(_marked(colours, fixed))
            for other in range(self._n):
                if colours[other] != colours[fixed] or other in tried:
                    continue
                found = self._mapping(first, kinds, _marked(colours, other))
                if found is None:
                    # What the generators join to this vertex is out of reach as well.
                    tried |= _orbit(other, generators)
                else:
                    generators.append(found)
                    orbit = _orbit(fixed, generators)
                    tried |= orbit
            order *= len(orbit)
        return AutomorphismGroup(tuple(generators), order)

    def _refined(
        self, colours: Colours, expected: list[object] | None = None
    ) -> tuple[Colours, list[object]]:
        """The colours after refinement, and a record of the refinement, which is equal for equal graphs.

        Stops where the record differs from the expected one.
        """
        seen: list[object] = []
        number = len(set(colours))
        while True:
            self._clock.check("looking for automorphisms")
            kinds = [
                (
                    colours[v],
                    tuple(sorted([colours[w] for w in self._after[v]])),
                    tuple(sorted([colours[w] for w in self._before[v]])),
                )
                for v in range(self._n)
            ]
            ranks = {kind: rank for rank, kind in enumerate(sorted(set(kinds)))}
            seen.append(sorted(kinds))
            if expected is not None and seen[-1:] != expected[len(seen) - 1 : len(seen)]:
                return colours, seen
            colours = tuple([ranks[kind] for kind in kinds])
            if len(ranks) == number:
                return colours, seen
            number = len(ranks)

    def _mapping(self, first: Colours, kinds: list[object], marked: Colours) -> Permutation | None:
        """An automorphism that maps vertices of refined colours to those of the same colours, or None.

        ``marked`` are the colours of the images before refinement.
        """
        second, others = self._refined(marked, kinds)
        if kinds != others:
            return None
        cell = _cell(first)
        if cell is None:
            place = {colour: v for v, colour in enumerate(second)}
            found = tuple([place[colour] for colour in first])
            return found if all((found[u], found[v]) in self._arcs for u, v in self._arcs) else None
        next_first, next_kinds = self._refined(_marked(first, cell[0]))
        for other in range(self._n):
            if second[other] == first[cell[0]]:
                found_deeper = self._mapping(next_first, next_kinds, _marked(second, other))
                if found_deeper is not None:
                    return found_deeper
        return None


def _cell(colours: Colours) -> list[int] | None:
    """The vertices of a smallest colour that several have; None if all colours differ."""
    cells: dict[int, list[int]] = {}
    for v, colour in enumerate(colours):
        cells.setdefault(colour, []).append(v)
    several = [(len(cell), colour) for colour, cell in cells.items() if len(cell) > 1]
    return cells[min(several)[1]] if several else None


def _marked(colours: Colours, vertex: int) -> Colours:
    return tuple([2 * colour + (v != vertex) for v, colour in enumerate(colours)])


def _orbit(vertex: int, generators: Sequence[Permutation]) -> set[int]:
    orbit, waiting = {vertex}, [vertex]
    while waiting:
        here = waiting.pop()
        for generator in generators:
            if generator[here] not in orbit:
                orbit.add(generator[here])
                waiting.append(generator[here])
    return orbit
