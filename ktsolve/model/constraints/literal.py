"""Literals, and the interface of constraints.

A *literal* is a Boolean or its negation. An *assignment* is any sequence of truth values, indexed by Boolean.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, NamedTuple, Protocol

__all__ = ["Assignment", "Constraint", "Literal", "Namer"]

Assignment = Sequence[bool]


class Literal(NamedTuple):
    """A Boolean variable, given by its number, or its negation.

    It is a named tuple because a model of a large board has a million literals, and tuples are compared and
    hashed in C.

    >>> x = Literal(3)
    >>> ~x, ~~x == x, (~x).holds([True] * 4)
    (Literal(number=3, positive=False), True, False)
    """

    number: int
    positive: bool = True

    def __invert__(self) -> Literal:
        return Literal(self.number, not self.positive)

    def holds(self, assignment: Assignment) -> bool:
        """Return whether the literal is true under an assignment."""
        return bool(assignment[self.number]) == self.positive


class Namer(Protocol):
    """A function that returns the name of a literal, for the text of a constraint."""

    def __call__(self, literal: Literal, /) -> str:
        """Return the name."""


class Constraint(Protocol):
    """The interface of all constraints."""

    kind: ClassVar[str]

    def holds(self, assignment: Assignment) -> bool:
        """Return whether an assignment satisfies the constraint."""

    def literals(self) -> Iterable[Literal]:
        """Return the literals of the constraint."""

    def text(self, name: Namer) -> str:
        """Return the constraint as text."""
