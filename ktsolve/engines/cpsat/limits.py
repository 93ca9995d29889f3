"""Numbers that CP-SAT computes with: integers, sums and objectives of at most 62 bits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.model import constraints
from ktsolve.model.expressions import Comparison, Conjunction, Disjunction, Logic, Sum
from ktsolve.model.model import Model
from ktsolve.model.variables import Literal, all_literals

__all__ = ["LARGEST", "check_weights", "is_small"]

LARGEST = 2**62  # CP-SAT computes in 64 bits, and refuses sums that may come near


def is_small(model: Model) -> bool:
    """Whether CP-SAT can compute with the integers, the sums and the objectives of a model.

    >>> from ktsolve import Model
    >>> model = Model()
    >>> a, b = model.booleans("ab")
    >>> model.add(2**50 * a >= b)
    >>> is_small(model)
    True
    >>> model.add(10**20 * a >= b)
    >>> is_small(model)
    False
    """
    sums = (each.total for each in model.objectives)
    return (
        all(max(map(abs, each.bounds)) < LARGEST for each in model.integers_by_number.values())
        and all(_fits(each.terms, each.constant) for each in sums)
        and all(map(_is_small, model.constraints))
    )


def _is_small(constraint: Any) -> bool:
    match constraint:
        case Conjunction() | Disjunction():
            return all_literals(constraint.members) or all(map(_is_small, constraint.members))
        case constraints.Clause() | constraints.Cardinality() | constraints.Implication() | Literal():
            return True
        case constraints.Linear():
            return _fits(constraint.terms, constraint.least, constraint.most)
        case Comparison():
            left, right = constraint.left, constraint.right
            # A negated Boolean counts twice, in the merged sum and in its constant.
            if 2 * _largest(left) + 2 * _largest(right) < LARGEST:
                return True
            terms, *bounds = constraint.normal()
            return _fits(terms, *bounds)
        case constraints.When():
            return _is_small(constraint.constraint)
    return True


def _largest(total: Sum) -> int:
    """Return a bound on all numbers in a sum."""
    sizes = 0
    for weight, atom in total.terms:
        if isinstance(atom, Logic):
            sizes += abs(weight)
        else:
            low, high = atom.bounds
            sizes += abs(weight) * max(abs(low), abs(high))
    return abs(total.constant) + sizes


def _fits(terms: Iterable[tuple[int, Any]], *bounds: int | None) -> bool:
    given = [abs(bound) for bound in bounds if bound is not None]
    total: int = sum(abs(weight) * max(map(abs, atom.bounds)) for weight, atom in terms)
    return total + max(given, default=0) < LARGEST


def check_weights(terms: Iterable[tuple[int, Any]], *bounds: int | None) -> None:
    """Raise BadInput if a sum is too large."""
    if not _fits(terms, *bounds):
        raise BadInput("engine cpsat cannot take sums of more than 62 bits: use sat, or smaller weights")
