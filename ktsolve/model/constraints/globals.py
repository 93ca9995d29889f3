"""Constraints on lists of integers: all different, tables, inverse lists and lexicographic order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, ClassVar

from ktsolve.base.errors import BadInput
from ktsolve.model.expressions import Assignment, Comparison, Disjunction, Namer, Sum, WithVariables
from ktsolve.model.functions import sums_of

__all__ = ["AllDifferent", "Inverse", "LexLess", "Table"]


class _OnLists(WithVariables):
    """A constraint on lists of sums."""

    kind: ClassVar[str]

    def __init__(self, *lists: Iterable[Any]) -> None:
        self.lists = tuple(sums_of(each, self.kind) for each in lists)

    def variables(self) -> Iterator[Any]:
        return (variable for each in chain(*self.lists) for variable in each.variables())

    def _values(self, assignment: Assignment) -> list[tuple[int, ...]]:
        return [tuple([member.value(assignment) for member in each]) for each in self.lists]

    def _texts(self, name: Namer) -> list[str]:
        return [", ".join(member.text(name) for member in each) for each in self.lists]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {', '.join(map(str, chain(*self.lists))):.60}>"


class AllDifferent(_OnLists):
    """No two of the expressions have the same value.

    >>> from ktsolve.model.variables import Integer
    >>> pair = AllDifferent([Integer(0, "x", 1, 9), Integer(1, "y", 1, 9)])
    >>> pair.holds([1, 2]), pair.holds([2, 2])
    (True, False)
    """

    kind: ClassVar[str] = "all_different"

    def __init__(self, members: Iterable[Any]) -> None:
        super().__init__(members)
        [self.members] = self.lists

    def holds(self, assignment: Assignment) -> bool:
        [values] = self._values(assignment)
        return len(set(values)) == len(values)

    def text(self, name: Namer, /) -> str:
        """``all different: x, y, z``."""
        return f"all different: {self._texts(name)[0]}"


class Table(_OnLists):
    """The values of the expressions are one of the rows, or with ``allowed=False`` none of them."""

    kind: ClassVar[str] = "table"

    def __init__(
        self, members: Iterable[Any], rows: Iterable[Iterable[int]], *, allowed: bool = True
    ) -> None:
        super().__init__(members)
        [self.members] = self.lists
        self.allowed = allowed
        checked: dict[tuple[int, ...], None] = {}
        if not isinstance(rows, Iterable):
            raise BadInput(f"the rows of a table are a list of lists, not {rows!r:.40}")
        for row in rows.tolist() if hasattr(rows, "tolist") else rows:
            values = tuple(row) if isinstance(row, Iterable) else (row,)
            if len(values) != len(self.members) or not all(isinstance(value, int) for value in values):
                raise BadInput(
                    f"row {row!r:.40} of a table is invalid: give {len(self.members)} whole numbers, "
                    "one for each expression"
                )
            checked[values] = None
        self.rows = tuple(checked)
        self._set = frozenset(self.rows)

    def holds(self, assignment: Assignment) -> bool:
        return (self._values(assignment)[0] in self._set) is self.allowed

    def text(self, name: Namer, /) -> str:
        """``(x, y) in {(1, 2), (2, 4)}``."""
        rows = ", ".join(f"({', '.join(map(str, row))})" for row in self.rows)
        return f"({self._texts(name)[0]}) {'' if self.allowed else 'not '}in {{{rows}}}"


class Inverse(_OnLists):
    """Two lists are inverse permutations of 0 to n - 1: ``forward[i] == j`` just if ``backward[j] == i``."""

    kind: ClassVar[str] = "inverse"

    def __init__(self, forward: Iterable[Any], backward: Iterable[Any]) -> None:
        super().__init__(forward, backward)
        self.forward, self.backward = self.lists
        if len(self.forward) != len(self.backward):
            raise BadInput(
                f"inverse lists have equal lengths, not {len(self.forward)} and {len(self.backward)}"
            )

    def holds(self, assignment: Assignment) -> bool:
        forward, backward = self._values(assignment)
        # Then forward has n different values, and backward no others.
        return all(0 <= j < len(backward) and backward[j] == i for i, j in enumerate(forward))

    def decomposed(self) -> Iterator[Comparison]:
        """Yield the bounds of all members, and an equivalence for each i and j."""
        n = len(self.forward)
        for each in self.forward + self.backward:
            low, high = each.bounds
            if low < 0:
                yield Comparison(each, ">=", Sum([], 0))
            if high >= n:
                yield Comparison(each, "<", Sum([], n))
        for i, there in enumerate(self.forward):
            for j, back in enumerate(self.backward):
                one, other = Comparison(there, "==", Sum([], j)), Comparison(back, "==", Sum([], i))
                yield Comparison(one.sum(), "==", other.sum())

    def text(self, name: Namer, /) -> str:
        """``(f, g) inverse of (h, i)``."""
        forward, backward = self._texts(name)
        return f"({forward}) inverse of ({backward})"


class LexLess(_OnLists):
    """One list comes before another in lexicographic order, or with ``strict=False`` may be equal."""

    kind: ClassVar[str] = "lex_less"

    def __init__(self, first: Iterable[Any], second: Iterable[Any], *, strict: bool = True) -> None:
        super().__init__(first, second)
        self.first, self.second = self.lists
        self.strict = strict
        if len(self.first) != len(self.second):
            raise BadInput(
                f"lex_less compares lists of equal lengths, not {len(self.first)} and {len(self.second)}"
            )

    def holds(self, assignment: Assignment) -> bool:
        first, second = self._values(assignment)
        return first < second or (not self.strict and first == second)

    def decomposed(self) -> Iterator[Disjunction | Comparison]:
        """Yield for each place that a member is not greater where all members before it are equal.

        A member that is not less than its counterpart is equal to it here, so that the places before are
        named by ``>=``, of which an earlier place has made ``==``.
        """
        if not self.first and self.strict:
            yield Disjunction(())
        before: list[Comparison] = []
        last = len(self.first) - 1
        for place, (one, other) in enumerate(zip(self.first, self.second, strict=True)):
            here = Comparison(one, "<" if self.strict and place == last else "<=", other)
            yield Disjunction([*before, here])
            before.append(Comparison(one, "<", other))

    def text(self, name: Namer, /) -> str:
        """``(a, b) < (c, d) lexicographically``."""
        first, second = self._texts(name)
        return f"({first}) {'<' if self.strict else '<='} ({second}) lexicographically"
