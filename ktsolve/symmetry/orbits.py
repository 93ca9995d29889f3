"""Orbits: classes of items that operations carry into each other, their sizes, and sums over classes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from ktsolve.errors import BadInput

if TYPE_CHECKING:
    import networkx

__all__ = ["UnionFind", "least_image", "orbit_graph", "orbits", "orbits_under", "weighted_sum"]

Item = TypeVar("Item", bound=Hashable)
Image = TypeVar("Image")


class UnionFind:
    """Classes of the numbers 0 .. n - 1 that grow together; the least member stands for a class.

    Source: Tarjan (1975), with path halving. Cost: practically constant per call.

    Examples
    --------
    >>> classes = UnionFind(4)
    >>> classes.join(3, 1)
    True
    >>> classes.join(1, 3), classes.first(3), classes.labels()
    (False, 1, [0, 1, 2, 1])
    """

    def __init__(self, size: int) -> None:
        self._above = list(range(size))

    def first(self, number: int) -> int:
        """The least member of the class of a number."""
        above = self._above
        while above[number] != number:
            above[number] = above[above[number]]
            number = above[number]
        return number

    def join(self, one: int, other: int) -> bool:
        """Make one class of two; False if they are one already."""
        one, other = sorted((self.first(one), self.first(other)))
        self._above[other] = one
        return one != other

    def labels(self) -> list[int]:
        """For every number the least member of its class."""
        return [self.first(number) for number in range(len(self._above))]


def orbits(items: Iterable[Item], images: Callable[[Item], Iterable[Item]]) -> list[list[Item]]:
    """Split items into orbits; ``images(item)`` gives all its images under the group.

    Each orbit is sorted in the order of ``items``, and so are the orbits by their first members. Images that
    are no items are passed over.

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


def orbits_under(items: Iterable[Item], generators: Iterable[Callable[[Item], Item]]) -> list[list[Item]]:
    """Split items into orbits under the operations that some operations generate.

    Unlike :func:`orbits` this needs no list of the whole group, and the operations need form no group at all:
    two items are in one orbit if a chain of operations, forwards or backwards, leads between them.

    Parameters
    ----------
    items:
        All items, closed under the generators.
    generators:
        Each maps an item to an item.

    Returns
    -------
    list
        Orbits, each in the order of ``items`` and sorted by first members.

    Raises
    ------
    BadInput
        If an operation leads out of the items.

    Examples
    --------
    >>> orbits_under(range(6), [lambda i: (i + 4) % 6])
    [[0, 2, 4], [1, 3, 5]]

    Cost: items x generators calls.
    """
    listed = list(dict.fromkeys(items))
    order = {item: i for i, item in enumerate(listed)}
    classes = UnionFind(len(listed))
    operations = tuple(generators)
    for i, item in enumerate(listed):
        for operation in operations:
            image = operation(item)
            if image not in order:
                raise BadInput(f"an operation leads from {item!r:.60} to {image!r:.60}, which is not listed")
            classes.join(i, order[image])
    return grouped(listed, classes.labels())


def grouped(items: Sequence[Item], labels: Iterable[int]) -> list[list[Item]]:
    """Items by label, the groups in the order of their first members.

    >>> grouped("abcd", [0, 1, 0, 1])
    [['a', 'c'], ['b', 'd']]
    """
    groups: dict[int, list[Item]] = {}
    for item, label in zip(items, labels, strict=True):
        groups.setdefault(label, []).append(item)
    return list(groups.values())


def orbit_graph(items: Iterable[Item], generators: Iterable[Callable[[Item], Item]]) -> networkx.Graph:
    """The graph whose vertices are items and whose edges join each to its images; orbits are its components.

    >>> import networkx
    >>> graph = orbit_graph(range(6), [lambda i: (i + 4) % 6])
    >>> sorted(map(sorted, networkx.connected_components(graph)))
    [[0, 2, 4], [1, 3, 5]]
    """
    import networkx

    graph = networkx.Graph()
    operations = tuple(generators)
    for item in items:
        graph.add_node(item)
        graph.add_edges_from((item, image) for operation in operations if (image := operation(item)) != item)
    return graph


def least_image(images: Iterable[Image]) -> Image:
    """The canonical representative of an orbit that is listed: its least member.

    >>> least_image("abc"[i:] + "abc"[:i] for i in (2, 0, 1))
    'abc'
    """
    return min(images)  # type: ignore[type-var]


def weighted_sum(classes: Iterable[Sequence[Item]], weight: Callable[[Item], int]) -> int:
    """Sum over all items of a weight that is the same throughout each class, asked once per class.

    >>> weighted_sum([[0, 5], [1, 4], [2, 3]], lambda i: i * (5 - i))
    20
    """
    return sum(len(members) * weight(members[0]) for members in classes)
