"""Names of the vertices of a graph."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

__all__ = ["is_printable", "names_of"]


def names_of(labels: Iterable[Hashable]) -> tuple[str, ...]:
    """A name for each label, all different: its text; its ``repr`` if that is not printable or not unique.

    >>> names_of([1, "1", (2, 3)])
    ('1', "'1'", '(2, 3)')
    """
    names: dict[str, None] = {}
    for label in labels:
        text = str(label)
        if not is_printable(text) or text in names:
            text = repr(label) if is_printable(repr(label)) else repr(repr(label))
        name, number = text, 1
        while name in names:
            number += 1
            name = f"{text}#{number}"
        names[name] = None
    return tuple(names)


def is_printable(name: str) -> bool:
    """Whether a text can be a name: printable, on one line, and not empty."""
    return bool(name) and name.isprintable()
