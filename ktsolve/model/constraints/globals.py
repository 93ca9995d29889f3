"""Constraints on lists of integers: all different, tables, inverse lists and lexicographic order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any, ClassVar

from ktsolve.base.errors import BadInput
from ktsolve.model.constraints.basic import Assignment, Namer
from ktsolve.model.expressions import Comparison, Conjunction, Disjunction, Sum
from ktsolve.model.functions import sums_of
from ktsolve.model.variables import Literal

__all__ = ["AllDifferent", "Inverse", "LexLess", "Table"]


class _OnSums:
    """A constraint on sums."""

    kind: ClassVar[str]

    def sums(self) -> Iterable[Sum]:
        """Return all sums."""
        raise NotImplementedError

    def variables(self) -> Iterator[Any]:
        """Yield the literals and integer variables."""
        for each in self.sums():
            yield from each.variables()

    def literals(self) -> Iterator[Literal]:
        """Yield the literals."""
        return (each for each in self.variables() if isinstance(each, Literal))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {', '.join(map(str, self.sums())):.60}>"


def _texts(sums: Iterable[Sum], name: Namer) -> str:
    return ", ".join(each.text(name) for each in sums)


class AllDifferent(_OnSums):
    """No two of the expressions have the same value.

    >>> from ktsolve.model.variables import Integer
    >>> pair = AllDifferent([Integer(0, "x", 1, 9), Integer(1, "y", 1, 9)])
    >>> pair.holds([1, 2]), pair.holds([2, 2])
    (True, False)
    """

    kind: ClassVar[str] = "all_different"

    def __init__(self, members: Iterable[Any]) -> None:
        self.members = sums_of(members, "all_different")

    def sums(self) -> Iterable[Sum]:
        """Return the members."""
        return self.members

    def holds(self, assignment: Assignment) -> bool:
        """Return whether all values are different."""
        return len({member.value(assignment) for member in self.members}) == len(self.members)

    def decomposed(self) -> Iterator[Comparison]:
        """Yield a comparison for each two members."""
        return (Comparison(a, "!=", b) for a, b in combinations(self.members, 2))

    def text(self, name: Namer, /) -> str:
        """``all different: x, y, z``."""
        return f"all different: {_texts(self.members, name)}"


class Table(_OnSums):
    """The values of the expressions are one of the rows, or with ``allowed=False`` none of them."""

    kind: ClassVar[str] = "table"

    def __init__(
        self, members: Iterable[Any], rows: Iterable[Iterable[int]], *, allowed: bool = True
    ) -> None:
        self.members = sums_of(members, "table")
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

    def sums(self) -> Iterable[Sum]:
        """Return the members."""
        return self.members

    def holds(self, assignment: Assignment) -> bool:
        """Return whether the values are an allowed row, or no forbidden one."""
        return (tuple([member.value(assignment) for member in self.members]) in self._set) is self.allowed

    def decomposed(self) -> Iterator[Disjunction]:
        """Yield a disjunction over the rows, or one for each forbidden row."""
        sign = "==" if self.allowed else "!="
        rows = [
            [
                Comparison(member, sign, Sum([], value))
                for member, value in zip(self.members, row, strict=True)
            ]
            for row in self.rows
        ]
        if self.allowed:
            yield Disjunction(Conjunction(row) for row in rows)
        else:
            yield from map(Disjunction, rows)

    def text(self, name: Namer, /) -> str:
        """``(x, y) in {(1, 2), (2, 4)}``."""
        rows = ", ".join(f"({', '.join(map(str, row))})" for row in self.rows)
        return f"({_texts(self.members, name)}) {'' if self.allowed else 'not '}in {{{rows}}}"


class Inverse(_OnSums):
    """Two lists are inverse permutations of 0 to n - 1: ``forward[i] == j`` just if ``backward[j] == i``."""

    kind: ClassVar[str] = "inverse"

    def __init__(self, forward: Iterable[Any], backward: Iterable[Any]) -> None:
        self.forward, self.backward = sums_of(forward, "inverse"), sums_of(backward, "inverse")
        if len(self.forward) != len(self.backward):
            raise BadInput(
                f"inverse lists have equal lengths, not {len(self.forward)} and {len(self.backward)}"
            )

    def sums(self) -> Iterable[Sum]:
        """Return the members of both lists."""
        return self.forward + self.backward

    def holds(self, assignment: Assignment) -> bool:
        """Return whether each list is the inverse permutation of the other."""
        forward = [each.value(assignment) for each in self.forward]
        backward = [each.value(assignment) for each in self.backward]
        if any(not 0 <= value < len(forward) for value in forward + backward):
            return False
        return all(backward[j] == i for i, j in enumerate(forward)) and all(
            forward[i] == j for j, i in enumerate(backward)
        )

    def decomposed(self) -> Iterator[Comparison]:
        """Yield the bounds of all members, and an equivalence for each i and j."""
        n = len(self.forward)
        for each in self.sums():
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
        return f"({_texts(self.forward, name)}) inverse of ({_texts(self.backward, name)})"


class LexLess(_OnSums):
    """One list comes before another in lexicographic order, or with ``strict=False`` may be equal."""

    kind: ClassVar[str] = "lex_less"

    def __init__(self, first: Iterable[Any], second: Iterable[Any], *, strict: bool = True) -> None:
        self.first, self.second = sums_of(first, "lex_less"), sums_of(second, "lex_less")
        self.strict = strict
        if len(self.first) != len(self.second):
            raise BadInput(
                f"lex_less compares lists of equal lengths, not {len(self.first)} and {len(self.second)}"
            )

    def sums(self) -> Iterable[Sum]:
        """Return the members of both lists."""
        return self.first + self.second

    def holds(self, assignment: Assignment) -> bool:
        """Return whether the first list of values is less, or not greater."""
        first = [each.value(assignment) for each in self.first]
        second = [each.value(assignment) for each in self.second]
        return first < second or (not self.strict and first == second)

    def decomposed(self) -> Iterator[Disjunction | Comparison]:
        """Yield for each place that a member is not greater where all members before it are equal.

        A member that is not less than its counterpart is equal to it here, so that the places before are
        named by ``>=``, of which an earlier place has made ``==``.
        """
        if not self.first:
            if self.strict:
                yield Disjunction(())
            return
        before: list[Comparison] = []
        last = len(self.first) - 1
        for place, (one, other) in enumerate(zip(self.first, self.second, strict=True)):
            here = Comparison(one, "<" if self.strict and place == last else "<=", other)
            yield Disjunction([*before, here])
            before.append(Comparison(one, "<", other))

    def text(self, name: Namer, /) -> str:
        """``(a, b) < (c, d) lexicographically``."""
        sign = "<" if self.strict else "<="
        return f"({_texts(self.first, name)}) {sign} ({_texts(self.second, name)}) lexicographically"
