"""The interface of constraints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Protocol

from ktsolve.model.expressions import Assignment, Namer
from ktsolve.model.variables import Literal

__all__ = ["Assignment", "Constraint", "Namer", "variables_of"]


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
