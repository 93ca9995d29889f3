"""A constraint that must hold only where a condition is true."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from ktsolve.model.constraints.interface import Assignment, Constraint, Namer, variables_of
from ktsolve.model.variables import Literal

__all__ = ["When"]


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
