"""Orbits of items under a group, and canonical representatives."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

__all__ = ["least_image", "orbits"]

Item = TypeVar("Item", bound=Hashable)
Image = TypeVar("Image")


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


def least_image(images: Iterable[Image]) -> Image:
    """The canonical representative of a listed orbit: its least member.

    >>> least_image("abc"[i:] + "abc"[:i] for i in (2, 0, 1))
    'abc'
    """
    return min(images)  # type: ignore[type-var]
