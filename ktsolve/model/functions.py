"""Functions of several expressions: minimum, maximum, and the element of a list at a variable index."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.model.expressions import Assignment, Expression, FunctionOf, Namer, Sum, sum_of

__all__ = ["Element", "Extreme", "extreme", "sums_of"]


def sums_of(given: Iterable[Any], what: str) -> tuple[Sum, ...]:
    """Return numbers and expressions as sums, for the constraint ``what``; arrays are flattened."""
    if isinstance(given, str) or not hasattr(given, "__iter__") or isinstance(given, Expression):
        raise BadInput(f"{what} takes a list of expressions, not {given!r:.40}")
    sums = []
    for each in given.ravel().tolist() if hasattr(given, "ravel") else given:
        total = sum_of(each)
        if total is None:
            raise BadInput(f"{what} takes whole numbers and expressions, not {each!r:.40}")
        sums.append(total)
    return tuple(sums)


class Extreme(FunctionOf):
    """The least or the greatest of several sums."""

    __slots__ = ("members", "name")

    def __init__(self, name: str, members: tuple[Sum, ...]) -> None:
        super().__init__(*members)
        self.name, self.members = name, members
        if not members:
            raise BadInput(f"the {name} of nothing is undefined: give at least one expression")

    @property
    def greatest(self) -> bool:
        """Whether it is the maximum."""
        return self.name == "max"

    @property
    def bounds(self) -> tuple[int, int]:
        choose = max if self.greatest else min
        lows, highs = zip(*(member.bounds for member in self.members), strict=True)
        return choose(lows), choose(highs)

    def value(self, assignment: Assignment) -> int:
        values = [member.value(assignment) for member in self.members]
        return max(values) if self.greatest else min(values)


class Element(FunctionOf):
    """The member of a list at an index, which is an expression; members are numbered from 0."""

    __slots__ = ("index", "members")
    name = "element"

    def __init__(self, members: tuple[Sum, ...], index: Sum) -> None:
        super().__init__(*members, index)
        self.members, self.index = members, index
        low, high = index.merged().bounds
        if not members or low < 0 or high >= len(members):
            raise BadInput(
                f"the index {index} has values {low} to {high}, but the list has {len(members)} members, "
                f"numbered from 0: bound the index by 0 and {len(members) - 1}"
            )

    @property
    def bounds(self) -> tuple[int, int]:
        low, high = self.index.merged().bounds
        lows, highs = zip(*(member.bounds for member in self.members[low : high + 1]), strict=True)
        return min(lows), max(highs)

    def value(self, assignment: Assignment) -> int:
        return self.members[self.index.value(assignment)].value(assignment)

    def text(self, name: Namer, /) -> str:
        """``[2, 3, x][i]``."""
        members = ", ".join(member.text(name) for member in self.members)
        return f"[{members}][{self.index.text(name)}]"


def extreme(name: str, expressions: tuple[Any, ...]) -> Sum:
    """Return the ``max`` or ``min`` of expressions, or of one list of them, as a sum."""
    one_list = len(expressions) == 1 and not isinstance(expressions[0], Expression)
    return Extreme(name, sums_of(expressions[0] if one_list else expressions, name)).sum()
