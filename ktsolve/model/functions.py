"""Functions of several expressions: minimum, maximum, and the element of a list at a variable index."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.model.expressions import (
    Assignment,
    Comparison,
    Disjunction,
    Expression,
    FunctionOf,
    Namer,
    Operation,
    Sum,
    sum_of,
)

__all__ = [
    "Element",
    "Extreme",
    "division",
    "extreme",
    "guarded_element",
    "guarded_power",
    "successor_arcs",
    "sums_of",
]

_MOST_POWERS = 10_000
"""Most pairs of values of a base and an exponent."""

_MOST_BITS = 4096  # of a power

_MOST_OUTSIDE = 1000  # most indices that are not in a list, and get a member of their own


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


def division(name: str, dividend: Sum, divisor: Sum) -> tuple[Sum, list[Any]]:
    """Return a quotient (``div``) or a remainder (``mod``), and under which conditions it is defined."""
    _, nonzero = (made := Operation(name, dividend, divisor)).divisor()
    if not dividend.terms and not divisor.terms:
        value = Sum([], made.computed(dividend.constant, divisor.constant))
    else:
        value = made.sum()
    return value, [] if nonzero is None else [nonzero]


def guarded_element(members: list[Sum], index: Sum) -> tuple[Sum, list[Any]]:
    """Return the member at an index, 0 if it is not in the list, and under which conditions it is there."""
    low, high = index.merged().bounds
    guards = [Comparison(index, ">=", Sum([], 0)), Comparison(index, "<", Sum([], len(members)))]
    if high - low >= len(members) + _MOST_OUTSIDE and members:
        index = Extreme("max", (Sum([], 0), index)).sum()
        index = Extreme("min", (Sum([], len(members) - 1), index)).sum()
        return Element(tuple(members), index).sum(), guards
    inside = [members[i] if 0 <= i < len(members) else Sum([], 0) for i in range(low, high + 1)]
    within = low >= 0 and high < len(members)
    return Element(tuple(inside), index.plus(Sum([], -low))).sum(), [] if within else guards


def guarded_power(base: Sum, exponent: Sum) -> tuple[Sum, list[Any]]:
    """Return a power, rounded towards 0, and under which conditions it is defined."""
    (low, high), (least, most) = base.merged().bounds, exponent.merged().bounds
    bits = (max(abs(low), abs(high)).bit_length() - 1) * most
    if bits > _MOST_BITS:
        raise BadInput(f"a power of up to {bits:,} bits: bound the base and the exponent")
    if (high - low + 1) * (most - least + 1) > _MOST_POWERS:
        if least == most and least >= 0:
            return base**least, []
        raise BadInput(f"a power of more than {_MOST_POWERS:,} pairs of base and exponent: bound one")
    values = [
        Sum([], int(value**number) if value or number >= 0 else 0)
        for value in range(low, high + 1)
        for number in range(least, most + 1)
    ]
    place = base.plus(Sum([], -low)).times(most - least + 1).plus(exponent.plus(Sum([], -least)))
    nonzero, positive = Comparison(base, "!=", Sum([], 0)), Comparison(exponent, ">=", Sum([], 0))
    undefined = low <= 0 <= high and least < 0
    return Element(tuple(values), place).sum(), [Disjunction([nonzero, positive])] if undefined else []


def successor_arcs(
    model: Any, name: str, after: list[Sum], *, loops: bool = False
) -> list[tuple[int, int, Any]]:
    """Return arcs with new Booleans, each true exactly where a node, from 0, has that successor."""
    arcs = []
    for u, successor in enumerate(after):
        low, high = successor.bounds
        for v in range(max(0, low), min(len(after) - 1, high) + 1):
            if u != v or loops:
                arc = model.boolean(f"{name}: {u}>{v}")
                model.equal(arc, Comparison(successor, "==", Sum([], v)))
                arcs.append((u, v, arc))
    return arcs
