"""The names of a model's variables."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from ktsolve.model.constraints import Deferred

__all__ = ["Names"]


class Names:
    """Different names, numbered from 0. Deferred ones are made when a name is first needed.

    >>> names = Names()
    >>> names.add(["a", "b"]), names.add(Deferred(2, lambda: ["c", "d"])), len(names)
    (None, None, 4)
    >>> names.number("d"), names.number("e"), names.listed()
    (3, None, ['a', 'b', 'c', 'd'])
    >>> names.add(["x", "b"])
    'b'
    """

    def __init__(self) -> None:
        self._listed: list[str] = []
        self._number: dict[str, int] = {}
        self._waiting: list[Deferred[str]] = []
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def copy(self) -> Names:
        """Return other names that are equal."""
        made = copy(self)
        made._listed, made._number, made._waiting = self._listed[:], dict(self._number), self._waiting[:]
        return made

    def add(self, names: Sequence[str]) -> str | None:
        """Add names; return one that exists or comes twice, if there is one, and then add none.

        Whether deferred names differ from each other is found out when they are made.
        """
        if isinstance(names, Deferred):
            self._waiting.append(names)
        else:
            self._make()
            if (repeated := self._listing(names)) is not None:
                return repeated
        self._length += len(names)
        return None

    def append(self, name: str) -> int | None:
        """Add one name; return its number, or None if it exists."""
        if self._waiting:
            self._make()
        if name in self._number:
            return None
        number = self._number[name] = self._length
        self._listed.append(name)
        self._length += 1
        return number

    def listed(self) -> list[str]:
        """Return all names, by their numbers."""
        self._make()
        return self._listed

    def number(self, name: str) -> int | None:
        """Return the number of a name, or None."""
        self._make()
        return self._number.get(name)

    def _make(self) -> None:
        waiting, self._waiting = self._waiting, []
        for names in waiting:
            if (repeated := self._listing(names)) is not None:
                raise AssertionError(f"two variables are named {repeated!r}")

    def _listing(self, names: Sequence[str]) -> str | None:
        first = len(self._listed)
        numbers = dict(zip(names, range(first, first + len(names)), strict=True))
        if known := self._number.keys() & numbers.keys():
            return min(known)
        if len(numbers) < len(names):
            return next(name for i, name in enumerate(names, first) if numbers[name] != i)
        self._number |= numbers
        self._listed += names
        return None
