"""Orbits: classes of items under operations, their sizes, and sums over classes."""

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
    """Disjoint classes of the numbers 0 .. n - 1 that can be joined; the least member represents a class.

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
        """Join two classes; False if they are the same class."""
        one, other = sorted((self.first(one), self.first(other)))
        self._above[other] = one
        return one != other

    def labels(self) -> list[int]:
        """For every number the least member of its class."""
        return [self.first(number) for number in range(len(self._above))]


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


def orbits_under(items: Iterable[Item], generators: Iterable[Callable[[Item], Item]]) -> list[list[Item]]:
    """The orbits of items under the group that some operations generate.

    Unlike :func:`orbits` it does not need a list of the whole group. The operations need not be invertible:
    two items are in one orbit if a chain of operations, forwards or backwards, leads from one to the other.

    Parameters
    ----------
    items:
        All items, closed under the generators.
    generators:
        Each maps an item to an item.

    Returns
    -------
    list
        The orbits, each in the order of ``items``, sorted by their first members.

    Raises
    ------
    BadInput
        If the image of an item is not an item.

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
                raise BadInput(
                    f"an operation maps {item!r:.60} to {image!r:.60}, which is not one of the items"
                )
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
    """The graph that joins each item to its images; its components are the orbits.

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
    """The canonical representative of a listed orbit: its least member.

    >>> least_image("abc"[i:] + "abc"[:i] for i in (2, 0, 1))
    'abc'
    """
    return min(images)  # type: ignore[type-var]


def weighted_sum(classes: Iterable[Sequence[Item]], weight: Callable[[Item], int]) -> int:
    """The sum over all items of a weight that is constant on each class; ``weight`` is called once per class.

    >>> weighted_sum([[0, 5], [1, 4], [2, 3]], lambda i: i * (5 - i))
    20
    """
    return sum(len(members) * weight(members[0]) for members in classes)
