"""Variables of models: literals (Booleans and their negations) and integers."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from ktsolve.base.errors import BadInput
from ktsolve.model.expressions import Assignment, Equality, Expression, Logic, Namer

__all__ = ["Integer", "Literal"]


class _Boolean(NamedTuple):
    number: int
    positive: bool = True


class Literal(Logic, Expression, _Boolean):
    """A Boolean variable, given by its number, or its negation.

    It is a named tuple because a model of a large board has a million literals, and tuples are compared and
    hashed in C. Therefore ``a == b`` of two literals is True or False, and no comparison as for integers:
    ``model.equal(a, b)`` states that they have the same value.

    >>> x = Literal(3)
    >>> ~x, ~~x == x, (~x).holds([True] * 4)
    (Literal(number=3, positive=False), True, False)
    >>> x + 2 * Literal(4) <= 2, x | ~Literal(4)
    (#3 + 2*#4 <= 2, #3 or not #4)
    """

    __slots__ = ()

    def __invert__(self) -> Literal:
        return Literal(self.number, not self.positive)

    @property
    def key(self) -> Hashable:
        """Plain data that is equal for equal literals."""
        return (self.number, self.positive)

    @property
    def bounds(self) -> tuple[int, int]:
        """0 and 1."""
        return 0, 1

    def holds(self, assignment: Assignment) -> bool:
        """Return whether the literal is true under an assignment."""
        return bool(assignment[self.number]) == self.positive

    def value(self, assignment: Assignment) -> int:
        """Return 1 if the literal is true, else 0."""
        return int(self.holds(assignment))

    def variables(self) -> tuple[Literal]:
        """Return the literal."""
        return (self,)

    def text(self, name: Namer, /) -> str:
        """Return the name, preceded by ``not`` if the literal is negated."""
        return name(self)


class Integer(Equality, Expression):
    """An integer variable, given by its number, its name, and its least and greatest value.

    >>> x = Integer(0, "x", 1, 9)
    >>> x, 2 * x + 1, x != 3, x.value([7])
    (x, 2*x + 1, x != 3, 7)
    """

    __slots__ = ("high", "low", "name", "number")

    def __init__(self, number: int, name: str, low: int, high: int) -> None:
        self.number, self.name, self.low, self.high = number, name, low, high

    @property
    def key(self) -> Hashable:
        """Plain data that is equal for equal variables."""
        return ("integer", self.number, self.name, self.low, self.high)

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the greatest value."""
        return self.low, self.high

    def value(self, assignment: Assignment) -> int:
        """Return the value under an assignment."""
        return assignment[self.number]

    def variables(self) -> tuple[Integer]:
        """Return the variable."""
        return (self,)

    def text(self, name: Namer, /) -> str:
        """Return the name."""
        return name(self)

    def __invert__(self) -> Integer:
        raise BadInput(f"~{self.name}: only Booleans and comparisons have a negation")

    def __bool__(self) -> bool:
        raise BadInput(f"the integer {self.name} has no truth value: compare it, as in {self.name} != 0")

    def __repr__(self) -> str:
        return self.name
