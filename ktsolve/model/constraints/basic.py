"""Clauses, implications, cardinalities, weighted sums, and constraints under a condition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from ktsolve.model.expressions import Assignment, Namer
from ktsolve.model.variables import Literal

__all__ = [
    "Assignment",
    "Cardinality",
    "Clause",
    "Constraint",
    "Implication",
    "Linear",
    "Namer",
    "When",
    "variables_of",
]


@dataclass(frozen=True)
class Clause:
    """At least one of the literals is true."""

    kind: ClassVar[str] = "clause"
    members: tuple[Literal, ...]

    def holds(self, assignment: Assignment) -> bool:
        """Return whether some literal is true."""
        return any(literal.holds(assignment) for literal in self.members)

    def literals(self) -> Iterable[Literal]:
        """Return the members."""
        return self.members

    def text(self, name: Namer) -> str:
        """``a or not b``."""
        return " or ".join(name(literal) for literal in self.members) or "false"


@dataclass(frozen=True)
class Implication:
    """If all the premises are true, the conclusion is true."""

    kind: ClassVar[str] = "implication"
    premises: tuple[Literal, ...]
    conclusion: Literal

    def holds(self, assignment: Assignment) -> bool:
        """Return whether a premise is false or the conclusion true."""
        return self.conclusion.holds(assignment) or not all(p.holds(assignment) for p in self.premises)

    def literals(self) -> Iterable[Literal]:
        """Return the premises and the conclusion."""
        return (*self.premises, self.conclusion)

    def text(self, name: Namer) -> str:
        """``a and b => c``."""
        return f"{' and '.join(name(p) for p in self.premises) or 'true'} => {name(self.conclusion)}"


@dataclass(frozen=True)
class Cardinality:
    """The number of true literals lies between ``least`` and ``most``; None for no bound."""

    kind: ClassVar[str] = "cardinality"
    members: tuple[Literal, ...]
    least: int | None
    most: int | None

    def holds(self, assignment: Assignment) -> bool:
        """Return whether the number of true members is within the bounds."""
        true = sum(literal.holds(assignment) for literal in self.members)
        return (self.least is None or true >= self.least) and (self.most is None or true <= self.most)

    def literals(self) -> Iterable[Literal]:
        """Return the members."""
        return self.members

    def text(self, name: Namer) -> str:
        """``exactly 2 of {a, b, c}``."""
        if self.least is None and self.most is None:
            bound = "any number"
        elif self.least == self.most:
            bound = f"exactly {self.least}"
        elif self.most is None:
            bound = f"at least {self.least}"
        elif self.least is None:
            bound = f"at most {self.most}"
        else:
            bound = f"{self.least} to {self.most}"
        return f"{bound} of {{{', '.join(name(literal) for literal in self.members)}}}"


@dataclass(frozen=True)
class Linear:
    """A weighted sum of true literals lies between ``least`` and ``most``; None for no bound."""

    kind: ClassVar[str] = "linear"
    constant: ClassVar[int] = 0
    terms: tuple[tuple[int, Literal], ...]
    least: int | None
    most: int | None

    def value(self, assignment: Assignment) -> int:
        """Return the weighted sum."""
        return sum(weight for weight, literal in self.terms if literal.holds(assignment))

    def holds(self, assignment: Assignment) -> bool:
        """Return whether the sum is within the bounds."""
        value = self.value(assignment)
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def literals(self) -> Iterable[Literal]:
        """Return the literals of all terms."""
        return (literal for _, literal in self.terms)

    def text(self, name: Namer) -> str:
        """``3 <= 2*a - b <= 5``."""
        body = ""
        for weight, literal in self.terms:
            sign = ("-" if weight < 0 else "") if not body else (" - " if weight < 0 else " + ")
            body += f"{sign}{'' if abs(weight) == 1 else f'{abs(weight)}*'}{name(literal)}"
        body = body or "0"
        if self.least is not None and self.least == self.most:
            return f"{body} = {self.least}"
        low = "" if self.least is None else f"{self.least} <= "
        high = "" if self.most is None else f" <= {self.most}"
        return f"{low}{body}{high}"


class When:
    """If the condition is true, the constraint holds.

    Attributes
    ----------
    condition:
        A literal or a condition, such as a comparison.
    constraint:
        Any constraint, also another conditional one.
    """

    kind: ClassVar[str] = "when"

    def __init__(self, condition: Any, constraint: Constraint) -> None:
        self.condition, self.constraint = condition, constraint

    def holds(self, assignment: Assignment) -> bool:
        """Return whether the condition is false or the constraint holds."""
        return not self.condition.holds(assignment) or self.constraint.holds(assignment)

    def variables(self) -> Iterator[Any]:
        """Yield the literals and integer variables of both."""
        yield from self.condition.variables()
        yield from variables_of(self.constraint)

    def literals(self) -> Iterator[Literal]:
        """Yield the literals of both."""
        return (each for each in self.variables() if isinstance(each, Literal))

    def text(self, name: Namer, /) -> str:
        """``when b: x <= 3``."""
        return f"when {self.condition.text(name)}: {self.constraint.text(name)}"


class Constraint(Protocol):
    """The interface of all constraints. Those on integers have ``variables`` too."""

    kind: ClassVar[str]

    def holds(self, assignment: Assignment) -> bool:
        """Return whether an assignment satisfies the constraint."""

    def literals(self) -> Iterable[Literal]:
        """Return the literals of the constraint."""

    def text(self, name: Namer, /) -> str:
        """Return the constraint as text."""


def variables_of(constraint: Constraint) -> Iterable[Any]:
    """Return the literals and integer variables of a constraint."""
    variables = getattr(constraint, "variables", None)
    return constraint.literals() if variables is None else variables()
