"""The interface of model solvers: a Model in, assignments out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from ktsolve.errors import LimitReached, Refused
from ktsolve.model.constraints import Assignment
from ktsolve.model.model import Model
from ktsolve.settings import Settings

__all__ = ["ModelSolver", "Solved", "Unsolved"]


@dataclass(frozen=True)
class Solved:
    """The answer of a solver to a model.

    Attributes
    ----------
    assignment:
        A solution, or None if it is proved that there is none.
    value, bound:
        With an objective: the value of the solution and the best bound proved. They are equal if the
        solution is proved to be best.
    """

    assignment: Assignment | None
    value: int | None = None
    bound: int | None = None


class Unsolved(LimitReached):
    """Stopped before a solution was found.

    Attributes
    ----------
    bound:
        With an objective: no solution is better than this; None if nothing is proved.
    """

    def __init__(self, message: str, bound: int | None = None) -> None:
        super().__init__(message)
        self.bound = bound


class ModelSolver(ABC):
    """Solves models.

    Attributes
    ----------
    kinds:
        The kinds of constraints it takes (:attr:`Model.kinds`).
    """

    name: ClassVar[str]
    kinds: ClassVar[frozenset[str]]

    def unsupported_kind(self, model: Model) -> str | None:
        """A kind of constraint in the model that this solver does not take; None if it takes all."""
        return min(model.kinds - self.kinds, default=None)

    def require(self, model: Model) -> None:
        """Raise Refused if this solver does not take the model (see also ``registry.model_solver``)."""
        unsupported = self.unsupported_kind(model)
        if unsupported is not None:
            raise Refused(f"engine {self.name} takes no {unsupported}")

    @abstractmethod
    def solve(self, model: Model, settings: Settings) -> Solved:
        """One solution, the best if the model has an objective. Raises LimitReached."""

    @abstractmethod
    def solutions(self, model: Model, settings: Settings) -> Iterator[Assignment]:
        """All solutions that differ in the model's shown Booleans. Raises LimitReached."""
