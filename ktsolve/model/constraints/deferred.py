"""Tuples whose members are made when they are first looked at: names, literals and arcs of large models.

A closed tour of 400x400 has 635,208 moves. Their literals and arcs are stated as arrays of numbers, and the
SAT engine reads the arrays. Everything else sees tuples of the same members.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from copy import copy
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ktsolve.model.expressions import Assignment
from ktsolve.model.variables import Literal

__all__ = ["Arcs", "Deferred", "Literals", "Names"]


T = TypeVar("T", bound=Hashable)


class Deferred(Sequence[T]):
    """A tuple that is made at the first look at a member. It equals the tuple, and has its hash.

    >>> names = Deferred(2, lambda: ["a", "b"])
    >>> len(names), names == ("a", "b"), names[1]
    (2, True, 'b')
    """

    def __init__(self, length: int, make: Callable[[], Iterable[T]]) -> None:
        self._length = length
        self._make = make
        self._members: tuple[T, ...] | None = None

    def _made(self) -> tuple[T, ...]:
        if self._members is None:
            self._members = tuple(self._make())
            if len(self._members) != self._length:
                raise AssertionError(f"{len(self._members)} members are made, not {self._length}")
        return self._members

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[T, ...]: ...
    def __getitem__(self, place: int | slice) -> T | tuple[T, ...]:
        return self._made()[place]

    def __iter__(self) -> Iterator[T]:
        return iter(self._made())

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, tuple | Deferred) and self._made() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._made())

    def __repr__(self) -> str:
        return repr(self._made())

    def __reduce__(self) -> Any:
        return tuple, (self._made(),)


class Literals(Deferred[Literal]):
    """Literals as an array of numbers: Boolean i is i + 1, its negation -(i + 1).

    >>> Literals([1, -3])[1], len(Literals([1, -3]))
    (Literal(number=2, positive=False), 2)
    """

    def __init__(self, numbers: ArrayLike) -> None:
        self.numbers: NDArray[np.int64] = np.asarray(numbers, dtype=np.int64).reshape(-1)
        super().__init__(len(self.numbers), self._literals)

    def hold(self, assignment: Assignment) -> NDArray[np.bool_]:
        """Return of each whether it is true under an assignment."""
        values = np.concatenate(([False], np.asarray(assignment, dtype=np.bool_)))
        true: NDArray[np.bool_] = values[np.abs(self.numbers)] == (self.numbers > 0)
        return true

    def _literals(self) -> Iterator[Literal]:
        return (Literal(abs(x) - 1, x > 0) for x in self.numbers.tolist())

    def __reduce__(self) -> Any:
        return Literals, (self.numbers,)


class Arcs(Deferred[tuple[int, int, Literal]]):
    """Arcs of a graph as arrays: their ends, in two columns, and their literals, numbered as above.

    >>> Arcs([(0, 1), (1, 2)], [1, 2])[0]
    (0, 1, Literal(number=0, positive=True))
    """

    def __init__(self, ends: ArrayLike, numbers: ArrayLike) -> None:
        self.ends: NDArray[np.int32] = np.asarray(ends, dtype=np.int32).reshape(-1, 2)
        self.literals = Literals(numbers)
        super().__init__(len(self.ends), self._arcs)

    def _arcs(self) -> Iterator[tuple[int, int, Literal]]:
        tails, heads = self.ends.T.tolist()
        return zip(tails, heads, self.literals, strict=True)

    def __reduce__(self) -> Any:
        return Arcs, (self.ends, self.literals.numbers)


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
        self.length = 0

    def __len__(self) -> int:
        return self.length

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
        self.length += len(names)
        return None

    def append(self, name: str) -> int | None:
        """Add one name; return its number, or None if it exists."""
        if self._waiting:
            self._make()
        if name in self._number:
            return None
        number = self._number[name] = self.length
        self._listed.append(name)
        self.length += 1
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
