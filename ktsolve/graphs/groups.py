"""Groups of permutations: elements, orbits, classes, Burnside's lemma, and automorphisms of graphs.

A permutation of 0 .. n - 1 is the tuple of its images. Groups are small enough to list; automorphisms are
found as generators.

Vertices get colours, and are separated by the colours of their neighbours until nothing changes
(*refinement*). To find an automorphism that maps v to w, v gets a new colour in one copy of the graph and w
in another; both are refined alike and compared; if vertices with equal colours remain, the search branches.
One vertex after the other is fixed in this way. The generators found for the stabilizer of the first i
vertices, for every i, generate the group, and its order is the product of the lengths of their orbits.

This is the method of B. D. McKay (Practical graph isomorphism, 1981) in its simplest form, for graphs of some
hundred vertices. For larger ones install nauty itself (the extra ``nauty``, package pynauty).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import lcm
from typing import TypeVar

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Clock

__all__ = [
    "AutomorphismGroup",
    "ConjugacyClass",
    "Permutation",
    "automorphism_group",
    "burnside",
    "compose",
    "conjugacy_classes",
    "cycle_lengths",
    "exchange",
    "generate",
    "generators_of",
    "inverse",
    "orbits",
    "order_of",
]

Permutation = tuple[int, ...]


@dataclass(frozen=True)
class ConjugacyClass:
    """A conjugacy class of a group of permutations: its least element, and the number of its elements."""

    representative: Permutation
    size: int


def compose(first: Permutation, then: Permutation) -> Permutation:
    """The permutation that applies ``first``, then ``then``.

    >>> compose((1, 2, 0), (0, 2, 1))
    (2, 1, 0)
    """
    return tuple([then[i] for i in first])


def inverse(permutation: Permutation) -> Permutation:
    """The inverse permutation.

    >>> inverse((1, 2, 0))
    (2, 0, 1)
    """
    back = [0] * len(permutation)
    for i, image in enumerate(permutation):
        back[image] = i
    return tuple(back)


def exchange(size: int, pairs: Iterable[tuple[int, int]]) -> Permutation:
    """The permutation that exchanges the points of each pair.

    >>> exchange(4, [(0, 2)])
    (2, 1, 0, 3)
    """
    images = list(range(size))
    for one, other in pairs:
        images[one], images[other] = other, one
    return tuple(images)


def cycle_lengths(permutation: Permutation) -> tuple[int, ...]:
    """Lengths of the cycles, the longest first.

    >>> cycle_lengths((1, 0, 2, 4, 3))
    (2, 2, 1)
    """
    seen = [False] * len(permutation)
    lengths = []
    for start in range(len(permutation)):
        length, here = 0, start
        while not seen[here]:
            seen[here] = True
            here = permutation[here]
            length += 1
        if length:
            lengths.append(length)
    return tuple(sorted(lengths, reverse=True))


def order_of(permutation: Permutation) -> int:
    """The order of a permutation: the least positive power that is the identity.

    >>> order_of((1, 0, 3, 4, 2))
    6
    """
    return lcm(*cycle_lengths(permutation))


def generate(generators: Sequence[Permutation], *, most: int = 1_000_000) -> list[Permutation]:
    """All elements of the group that some permutations generate, the identity first.

    Raises BadInput if there are more than ``most``. Cost: elements x generators.

    >>> len(generate([(1, 0, 2), (0, 2, 1)]))
    6
    """
    if not generators:
        raise BadInput("a group needs at least one generator: give the identity for the trivial group")
    found = [tuple(range(len(generators[0])))]
    seen = set(found)
    for element in found:  # grows as it is read
        for generator in generators:
            product = compose(element, generator)
            if product not in seen:
                if len(found) >= most:
                    raise BadInput(f"the group has more than {most:,} elements")
                seen.add(product)
                found.append(product)
    return found


def generators_of(elements: Sequence[Permutation]) -> list[Permutation]:
    """Some elements of a group that generate it, given all: the identity and at most log2 others.

    >>> generators_of([(0, 1, 2), (1, 2, 0), (2, 0, 1)])
    [(0, 1, 2), (1, 2, 0)]
    """
    chosen = [tuple(range(len(elements[0])))]
    generated = set(chosen)
    for element in elements:
        if element not in generated:
            chosen.append(element)
            generated = set(generate(chosen, most=len(elements)))
    return chosen


def conjugacy_classes(generators: Sequence[Permutation]) -> list[ConjugacyClass]:
    """Conjugacy classes of the group that some permutations generate, sorted by representative.

    A class is the orbit of an element under conjugation by the generators.

    >>> [(c.representative, c.size) for c in conjugacy_classes([(1, 0, 2), (0, 2, 1)])]
    [((0, 1, 2), 1), ((0, 2, 1), 3), ((1, 2, 0), 2)]
    """
    by = [(inverse(generator), generator) for generator in generators]
    left = set(generate(generators))
    classes = []
    for element in sorted(left):
        if element not in left:
            continue
        left.discard(element)
        orbit = [element]
        for member in orbit:  # grows as it is read
            for back, generator in by:
                image = compose(compose(back, member), generator)
                if image in left:
                    left.discard(image)
                    orbit.append(image)
        classes.append(ConjugacyClass(element, len(orbit)))
    return classes


def burnside(classes: Iterable[ConjugacyClass], invariant: Callable[[Permutation], int]) -> int:
    """The number of orbits: the mean, over the group, of the number of invariant objects.

    All elements of a class have equally many invariant objects: ``invariant`` is called once per class.
    Raises BadInput if the mean is not a whole number; then some number is wrong.

    Necklaces of three beads in two colours, up to rotation and reflection:

    >>> dihedral = conjugacy_classes([(1, 2, 0), (0, 2, 1)])
    >>> burnside(dihedral, lambda element: 2 ** len(cycle_lengths(element)))
    4
    """
    total = order = 0
    for each in classes:
        total += each.size * invariant(each.representative)
        order += each.size
    if total % order:
        raise BadInput(f"{total} invariant objects are not a multiple of the order {order} of the group")
    return total // order


Item = TypeVar("Item", bound=Hashable)


def orbits(items: Iterable[Item], images: Callable[[Item], Iterable[Item]]) -> list[list[Item]]:
    """The orbits of items, where ``images(item)`` are the images of an item under the group.

    Each orbit is in the order of ``items``, and orbits are sorted by their first members. Images that are not
    items are ignored.

    >>> orbits(range(6), lambda i: [i, 5 - i])
    [[0, 5], [1, 4], [2, 3]]
    """
    order = {item: i for i, item in enumerate(items)}
    seen: set[Item] = set()
    found = []
    for item in order:
        if item in seen:
            continue
        orbit = {image for image in images(item) if image in order}
        seen |= orbit
        found.append(sorted(orbit, key=order.__getitem__))
    return found


# -- automorphisms of graphs --------------------------------------------------------------------------------

_LARGE = 400  # number of vertices from which nauty is used, if it is installed

Colours = tuple[int, ...]


@dataclass(frozen=True)
class AutomorphismGroup:
    """Generators of a group of automorphisms, and the number of its elements."""

    generators: tuple[Permutation, ...]
    order: int


def automorphism_group(
    vertices: int,
    edges: Sequence[tuple[int, int]],
    *,
    directed: bool = False,
    colours: Sequence[int] | None = None,
    clock: Clock | None = None,
) -> AutomorphismGroup:
    """The automorphisms of a graph, by generators; the trivial group has none.

    With ``colours`` only those that map each vertex to one of the same colour.

    Some refinements for each pair of vertices that no automorphism found before joins; each costs about the
    number of edges times the number of rounds. Exponential for graphs in which refinement tells little apart,
    such as incidence graphs of designs. Raises LimitReached when the clock runs out.

    >>> automorphism_group(5, [(0, 1), (1, 2), (2, 3), (3, 4)])
    AutomorphismGroup(generators=((4, 3, 2, 1, 0),), order=2)
    >>> automorphism_group(5, [(0, 1), (1, 2), (2, 3), (3, 4)], colours=[1, 0, 0, 0, 0]).order
    1
    >>> automorphism_group(3, [(0, 1), (1, 2), (2, 0)], directed=True).order
    3
    """
    if vertices >= _LARGE and colours is None and (found := _by_nauty(vertices, edges, directed)) is not None:
        return found
    given = (0,) * vertices if colours is None else tuple(colours)
    return _AutomorphismSearch(vertices, edges, directed, given, clock or Clock(None)).group()


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
    def __init__(
        self,
        vertices: int,
        edges: Sequence[tuple[int, int]],
        directed: bool,
        colours: Colours,
        clock: Clock,
    ) -> None:
        self._after: list[list[int]] = [[] for _ in range(vertices)]
        self._before: list[list[int]] = [[] for _ in range(vertices)]
        for u, v in edges:
            self._after[u].append(v)
            self._before[v].append(u)
            if not directed:
                self._after[v].append(u)
        self._arcs = {(u, v) for u, others in enumerate(self._after) for v in others}
        if not directed:  # the neighbours are all after
            self._before = [[] for _ in range(vertices)]
        self._n = vertices
        self._given = colours
        self._clock = clock

    def group(self) -> AutomorphismGroup:
        """The group, from the stabilizer of most vertices to that of none."""
        levels: list[tuple[Colours, int]] = []
        colours, _ = self._refined(self._given)
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
        images = (other for other in range(self._n) if second[other] == first[cell[0]])
        deeper = (self._mapping(next_first, next_kinds, _marked(second, other)) for other in images)
        return next((each for each in deeper if each is not None), None)


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
