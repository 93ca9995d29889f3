"""Orbits of items under a group."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

__all__ = ["orbits"]

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
