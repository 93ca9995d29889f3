"""Variables of models: literals (Booleans and their negations) and integers."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ktsolve.base.errors import BadInput
from ktsolve.model.expressions import Assignment, Equality, Expression, Logic, Namer, Sum, Variable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "Integer",
    "Literal",
    "all_literals",
    "check_known",
    "check_numbers",
    "domain",
    "number",
    "numbers",
]


class _Boolean(NamedTuple):
    number: int
    positive: bool = True


class Literal(Logic, Variable, _Boolean):
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
        number, positive = self
        return _made(Literal, (number, not positive))

    @property
    def key(self) -> Hashable:
        return self

    def holds(self, assignment: Assignment) -> bool:
        return bool(assignment[self.number]) == self.positive

    def text(self, name: Namer, /) -> str:
        """Return the name, preceded by ``not`` if the literal is negated."""
        return name(self)


_LITERAL = frozenset({Literal})
_made = tuple.__new__  # without the call of Python in which a named tuple makes its tuple


def all_literals(members: Iterable[Any]) -> bool:
    """Return whether all members are literals."""
    return _LITERAL.issuperset(map(type, members))


def number(literal: Literal) -> int:
    """Return a literal in DIMACS numbering."""
    return literal.number + 1 if literal.positive else -literal.number - 1


def numbers(literals: Iterable[Literal]) -> list[int]:
    """Return literals in DIMACS numbering."""
    return [at + 1 if positive else -at - 1 for at, positive in literals]


class Integer(Equality, Variable):
    """An integer variable, given by its number, its name, and its least and greatest value.

    >>> x = Integer(0, "x", 1, 9)
    >>> x, 2 * x + 1, x != 3, x.value([7])
    (x, 2*x + 1, x != 3, 7)
    """

    __slots__ = ("_sum", "high", "low", "name", "number")

    def __init__(self, number: int, name: str, low: int, high: int) -> None:
        self.number, self.name, self.low, self.high = number, name, low, high
        self._sum: Sum | None = None

    def sum(self) -> Sum:
        if self._sum is None:  # made once: it is in most constraints of the variable
            self._sum = Sum([(1, self)])
        return self._sum

    @property
    def key(self) -> Hashable:
        return ("integer", self.number, self.name, self.low, self.high)

    @property
    def bounds(self) -> tuple[int, int]:
        return self.low, self.high

    def value(self, assignment: Assignment) -> int:
        return assignment[self.number]

    def text(self, name: Namer, /) -> str:
        return name(self)

    def __invert__(self) -> Integer:
        raise BadInput(f"~{self.name}: only Booleans and comparisons have a negation")

    def __bool__(self) -> bool:
        raise BadInput(f"the integer {self.name} has no truth value: compare it, as in {self.name} != 0")

    def __repr__(self) -> str:
        return self.name


def check_numbers(
    what: str, numbers: NDArray[np.integer], size: int, integers: Mapping[int, Integer]
) -> None:
    """Raise BadInput unless all literals of an array, numbered as in DIMACS files, are Booleans of a model.

    The model has ``size`` variables, some of them integers, by their numbers.
    """
    if (largest := int(abs(numbers).max(initial=0))) > size:
        raise BadInput(
            f"the {what} have a literal of number {largest}, but the model has {size} Booleans, "
            f"with literals 1 to {size}"
        )
    for number, integer in integers.items():
        if bool((abs(numbers) == number + 1).any()):
            raise BadInput(
                f"the {what} have literals of variable number {number}, but it is the integer {integer.name}"
            )


def check_known(
    what: str, variables: Iterable[Any], size: int, integers: Mapping[int, Integer], *, of_booleans: bool
) -> None:
    """Raise BadInput for the first variable that is not of a model, or not a Boolean where they are due."""
    for variable in variables:
        kind = type(variable)
        if kind is Literal:
            if 0 <= variable[0] < size and variable[0] not in integers:
                continue
        elif kind is Integer and not of_booleans:
            known = integers.get(variable.number)
            if known is variable or (known is not None and known.key == variable.key):
                continue
        article = "an" if what[0] in "aeiou" else "a"
        raise BadInput(f"{article} {what} {_unknown(variable, size, integers, of_booleans)}")


def _unknown(variable: Any, size: int, integers: Mapping[int, Integer], of_booleans: bool) -> str:
    if isinstance(variable, Integer) and not of_booleans:
        return f"names the integer {variable.name!r}, which is not of this model"
    if not isinstance(variable, Literal):
        return f"takes Booleans, not {variable!r:.40}"
    if variable.number in integers:
        return f"takes variable number {variable.number} for a Boolean, but it is an integer of this model"
    return (
        f"names Boolean number {variable.number}, but the model has {size} "
        f"{'variables' if integers else 'Booleans'}, numbered from 0"
    )


def domain(name: str, low: Any, high: Any) -> tuple[int, int]:
    """Return the bounds of an integer as numbers. Raises BadInput for other values, and an empty domain."""
    for bound in (low, high):
        if isinstance(bound, Expression) or not hasattr(bound, "__index__"):
            raise BadInput(f"a bound of the integer {name!r} is {bound!r:.40}, but must be a whole number")
    least, greatest = int(low), int(high)
    if least > greatest:
        raise BadInput(f"the integer {name!r} has no value from {least} to {greatest}: exchange the bounds")
    return least, greatest
