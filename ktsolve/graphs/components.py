"""The connected components of a graph that is given by neighbours; needs no NumPy."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

__all__ = ["components"]

_Node = TypeVar("_Node", bound=Hashable)


def components(neighbours: Mapping[_Node, Iterable[_Node]]) -> Iterator[set[_Node]]:
    """The connected components of a graph given by the neighbours of each vertex.

    >>> list(components({"a": "b", "b": "a", "c": ""})) == [{"a", "b"}, {"c"}]
    True
    """
    seen: set[_Node] = set()
    for root in neighbours:
        if root in seen:
            continue
        component, waiting = {root}, [root]
        while waiting:
            found = set(neighbours[waiting.pop()]) - component
            component |= found
            waiting += found
        seen |= component
        yield component
