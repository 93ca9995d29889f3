"""Objectives, weights of soft constraints, and suggested values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.model.constraints import Linear
from ktsolve.model.expressions import Sum, plain_name, sum_of
from ktsolve.model.statements import linear
from ktsolve.model.variables import Integer, Literal

__all__ = ["NO_OBJECTIVE", "Objective", "check_weight", "objective_of", "suggestion"]


@dataclass(frozen=True)
class Objective:
    """A sum that is to be minimised or maximised.

    Attributes
    ----------
    total:
        A weighted sum of literals, or any expression: both have ``terms``, ``constant`` and ``value``.
    """

    sense: str
    total: Linear | Sum

    def with_soft(self, soft: Sequence[tuple[int, Literal]]) -> Objective:
        """Return the objective with the weights of soft constraints whose literals are false."""
        sign = 1 if self.sense == "minimise" else -1
        terms = [*self.total.terms, *((sign * weight, ~kept) for weight, kept in soft)]
        return Objective(self.sense, Sum(terms, self.total.constant))


NO_OBJECTIVE = Objective("minimise", Sum([]))
"""The objective of a model that has soft constraints only."""


def objective_of(sense: str, given: Any) -> Objective:
    """Return the objective of an expression, or of weights of literals. Raises BadInput for other values."""
    total = linear(given, None, None) if isinstance(given, Mapping) else sum_of(given)
    if total is None:
        raise BadInput(f"an objective is an expression or {{literal: weight}}, not {given!r:.40}")
    return Objective(sense, total)


def check_weight(weight: Any) -> None:
    """Raise BadInput unless the weight of a soft constraint is a whole number from 1."""
    if isinstance(weight, bool) or not hasattr(weight, "__index__") or int(weight) < 1:
        raise BadInput(
            f"the weight of a soft constraint is {weight!r:.40}, but must be a whole number from 1"
        )


def suggestion(values: Mapping[Any, int]) -> dict[Literal | Integer, int]:
    """Return suggested values by positive variables. Raises BadInput for a value out of the domain."""
    suggested: dict[Literal | Integer, int] = {}
    for variable, value in values.items():
        low, high = variable.bounds
        whole = hasattr(value, "__index__") or hasattr(value, "dtype")  # a truth value of numpy
        if not whole or not low <= value <= high:
            raise BadInput(
                f"the suggestion {value!r:.40} is no value of {plain_name(variable)}: "
                f"give a whole number from {low} to {high}"
            )
        positive = getattr(variable, "positive", True)
        suggested[variable if positive else ~variable] = int(value) if positive else int(not value)
    return suggested
