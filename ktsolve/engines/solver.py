"""The interface of model solvers: a Model in, assignments out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ktsolve.base.errors import LimitReached, Refused
from ktsolve.base.limits import Settings

if TYPE_CHECKING:
    from ktsolve.model.constraints import Assignment, Literal
    from ktsolve.model.model import Model

__all__ = ["ModelSolver", "Solved", "Unsolved"]


@dataclass(frozen=True)
class Solved:
    """The answer of a solver to a model.

    - ``assignment``: A solution, or None if it is proved that none exists.
    - ``value``, ``bound``: With an objective: the value of the solution and the best bound proved. They are
      equal if the solution is proved to be best.
    - ``core``: Without a solution: those of the assumptions that no solution satisfies together; empty if
      there is no solution without assumptions either. It need not be minimal.
    """

    assignment: Assignment | None
    value: int | None = None
    bound: int | None = None
    core: tuple[Literal, ...] = ()


class Unsolved(LimitReached):
    """Stopped before a solution was found.

    - ``bound``: With an objective: no solution is better than this; None if nothing is proved.
    """

    def __init__(self, message: str, bound: int | None = None) -> None:
        super().__init__(message)
        self.bound = bound


class ModelSolver(ABC):
    """Solves models.

    - ``kinds``: The kinds of constraints it takes (:attr:`Model.kinds`).
    - ``adds``: Whether it computes with sums, rather than with clauses for them.
    - ``lists_shown``: Whether it lists the values of the shown variables alone, rather than those of all
      variables.
    """

    name: ClassVar[str]
    kinds: ClassVar[frozenset[str]]
    adds: ClassVar[bool] = False
    lists_shown: ClassVar[bool] = False

    def unsupported_kind(self, model: Model) -> str | None:
        """A kind of constraint in the model that this solver does not take; None if it takes all."""
        return min(model.kinds - self.kinds, default=None)

    def within_limits(self, model: Model) -> bool:
        """Whether the numbers of the model are small enough for this solver."""
        return True

    def require(self, model: Model) -> None:
        """Raise Refused if this solver does not take the model (see also :func:`.auto.model_solver`)."""
        unsupported = self.unsupported_kind(model)
        if unsupported is not None:
            raise Refused(f"engine {self.name} takes no {unsupported}")

    def solve(self, model: Model, settings: Settings, assumptions: Sequence[Literal] = ()) -> Solved:
        """One solution that makes the assumptions true, the best if the model has an objective.

        Raises LimitReached.
        """
        if model.objective is None:
            return self.satisfy(model, settings, assumptions)
        *_, last = self.improving(model, settings, assumptions)
        return last

    @abstractmethod
    def satisfy(self, model: Model, settings: Settings, assumptions: Sequence[Literal] = ()) -> Solved:
        """One solution that makes the assumptions true, whatever the objective. Raises LimitReached."""

    @abstractmethod
    def improving(
        self, model: Model, settings: Settings, assumptions: Sequence[Literal] = ()
    ) -> Iterator[Solved]:
        """Better and better solutions of a model with an objective, each with the best bound known then.

        The last one is proved best, or there is no solution, or time or memory ran out. Raises LimitReached
        if this happens before a solution is found.
        """

    @abstractmethod
    def solutions(
        self, model: Model, settings: Settings, assumptions: Sequence[Literal] = ()
    ) -> Iterator[Assignment]:
        """All solutions that make the assumptions true and differ in the model's shown Booleans.

        Raises LimitReached.
        """
