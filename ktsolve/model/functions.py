"""Functions of several expressions: minimum, maximum, and the element of a list at a variable index."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Any, ClassVar

from ktsolve.base.errors import BadInput
from ktsolve.model.expressions import (
    Assignment,
    Comparison,
    Equality,
    Expression,
    Namer,
    Sum,
    plain_name,
    sum_of,
)

__all__ = ["Element", "Extreme", "count_of", "element", "extreme", "sums_of"]


def sums_of(given: Iterable[Any], what: str) -> tuple[Sum, ...]:
    """Return numbers and expressions as sums; arrays are flattened.

    Parameters
    ----------
    what:
        The constraint that takes them, for the message.
    """
    if isinstance(given, str) or not hasattr(given, "__iter__") or isinstance(given, Expression):
        raise BadInput(f"{what} takes a list of expressions, not {given!r:.40}")
    sums = []
    for each in given.ravel().tolist() if hasattr(given, "ravel") else given:
        total = sum_of(each)
        if total is None:
            raise BadInput(f"{what} takes whole numbers and expressions, not {each!r:.40}")
        sums.append(total)
    return tuple(sums)


class _OfSeveral(Equality, Expression):
    """An atom that is a function of several sums."""

    __slots__ = ("members",)
    name: str

    def __init__(self, members: tuple[Sum, ...]) -> None:
        self.members = members

    @property
    def key(self) -> Hashable:
        """Plain data that is equal for equal expressions."""
        return (self.name, *(member.key for member in self.members))

    def variables(self) -> Iterator[Any]:
        """Yield the literals and integer variables."""
        for member in self.members:
            yield from member.variables()

    def _list(self, name: Namer) -> str:
        return ", ".join(member.text(name) for member in self.members)

    def text(self, name: Namer, /) -> str:
        """Return the expression as text."""
        return f"{self.name}({self._list(name)})"

    def __repr__(self) -> str:
        return self.text(plain_name)


class Extreme(_OfSeveral):
    """The least or the greatest of several sums."""

    __slots__ = ("name",)

    def __init__(self, name: str, members: tuple[Sum, ...]) -> None:
        super().__init__(members)
        self.name = name
        if not members:
            raise BadInput(f"the {name} of nothing is undefined: give at least one expression")

    @property
    def greatest(self) -> bool:
        """Whether it is the maximum."""
        return self.name == "max"

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the greatest value that the domains of the variables allow."""
        choose = max if self.greatest else min
        lows, highs = zip(*(member.bounds for member in self.members), strict=True)
        return choose(lows), choose(highs)

    def value(self, assignment: Assignment) -> int:
        """Return the value under an assignment."""
        values = [member.value(assignment) for member in self.members]
        return max(values) if self.greatest else min(values)


class Element(_OfSeveral):
    """The member of a list at an index, which is an expression; members are numbered from 0."""

    __slots__ = ("index",)
    name: ClassVar[str] = "element"  # type: ignore[misc]

    def __init__(self, members: tuple[Sum, ...], index: Sum) -> None:
        super().__init__(members)
        self.index = index
        low, high = index.merged().bounds
        if not members or low < 0 or high >= len(members):
            raise BadInput(
                f"the index {index} has values {low} to {high}, but the list has {len(members)} members, "
                f"numbered from 0: bound the index by 0 and {len(members) - 1}"
            )

    @property
    def key(self) -> Hashable:
        """Plain data that is equal for equal expressions."""
        return (super().key, self.index.key)

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the greatest value that the domains of the variables allow."""
        low, high = self.index.merged().bounds
        lows, highs = zip(*(member.bounds for member in self.members[low : high + 1]), strict=True)
        return min(lows), max(highs)

    def value(self, assignment: Assignment) -> int:
        """Return the value under an assignment."""
        return self.members[self.index.value(assignment)].value(assignment)

    def variables(self) -> Iterator[Any]:
        """Yield the literals and integer variables."""
        yield from super().variables()
        yield from self.index.variables()

    def text(self, name: Namer, /) -> str:
        """``[2, 3, x][i]``."""
        return f"[{self._list(name)}][{self.index.text(name)}]"


def element(members: Iterable[Any], index: Any) -> Sum:
    """Return the member at an index, as a sum. Raises BadInput for an index that is not an expression."""
    place = sum_of(index)
    if place is None:
        raise BadInput(f"an index is a whole number or an expression, not {index!r:.40}")
    return Element(sums_of(members, "element"), place).sum()


def count_of(expressions: Iterable[Any], value: Any) -> Sum:
    """Return how many of the expressions have a value, as a sum. Raises BadInput for other values."""
    wanted = sum_of(value)
    if wanted is None:
        raise BadInput(f"count takes a whole number or an expression, not {value!r:.40}")
    return Sum([(1, Comparison(each, "==", wanted)) for each in sums_of(expressions, "count")])


def extreme(name: str, expressions: tuple[Any, ...]) -> Sum:
    """Return the ``max`` or ``min`` of expressions, or of one list of them, as a sum."""
    one_list = len(expressions) == 1 and not isinstance(expressions[0], Expression)
    return Extreme(name, sums_of(expressions[0] if one_list else expressions, name)).sum()
