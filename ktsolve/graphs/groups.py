"""Groups of permutations that are small enough to list: elements, orbits, classes, Burnside's lemma.

A permutation of 0 .. n - 1 is the tuple of its images.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import lcm
from typing import TypeVar

from ktsolve.base.errors import BadInput

__all__ = [
    "ConjugacyClass",
    "Permutation",
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
    """A conjugacy class of a group of permutations.

    Attributes
    ----------
    representative:
        The least element.
    size:
        Number of elements.
    """

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

    Raises
    ------
    BadInput
        If there are more than ``most``.

    Examples
    --------
    >>> len(generate([(1, 0, 2), (0, 2, 1)]))
    6

    Cost: elements x generators.
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
    """Some elements of a group that generate it, given all its elements.

    >>> generators_of([(0, 1, 2), (1, 2, 0), (2, 0, 1)])
    [(0, 1, 2), (1, 2, 0)]

    Cost: elements x generators; at most log2 of the number of elements are needed besides the identity.
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

    Parameters
    ----------
    classes:
        Conjugacy classes of the group. All elements of a class have equally many invariant objects.
    invariant:
        The number of objects that are invariant under an element; called once per class.

    Raises
    ------
    BadInput
        If the mean is not a whole number; then some number is wrong.

    Examples
    --------
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
        raise BadInput(f"{total} invariant objects are no multiple of the order {order} of the group")
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
