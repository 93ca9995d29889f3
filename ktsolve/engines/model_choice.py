"""Which kind of solver suits a model: one that adds, or one that works with clauses.

Sums of several integers, large weights, long counts, tasks in time and automata are long as clauses. Small
integers that are different or neighbours, counts of few literals, and clauses are not: there a solver that
works with clauses is two to ten times as fast (golfers, colourings, all-interval rows). The shape of each
constraint decides; nothing is merged or simplified.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

from ktsolve.model import constraints
from ktsolve.model.expressions import Absolute, Comparison, Conjunction, Disjunction, Formula, Sum, Term
from ktsolve.model.functions import Extreme
from ktsolve.model.model import Model
from ktsolve.model.variables import Integer, Literal, all_literals

__all__ = ["adds"]

_HEAVY = 1000
"""Least total of the weights of a sum that goes to a solver that adds. A subset of 30 numbers of five digits
with a given sum takes 0.32 CPU seconds as clauses, and 0.13 by CP-SAT."""

_LONG = 50  # members of a count from which its clauses are long, unless it is about 0 or 1 of them
_VALUES = 10_000  # values of all integers of a model from which their literals take longer than a solution
_FEW_VALUES = 16  # of an objective up to which it is counted upwards value by value

_ADDED = ("regular", "no_overlap", "cumulative")


def adds(model: Model) -> bool:
    """Return whether the model is mostly about sums.

    >>> model = Model()
    >>> x, b = model.integers(3, 0, 9), model.booleans(9)
    >>> model.all_different(x); model.exactly(3, b)
    >>> adds(model)
    False
    >>> model.add(x.sum() == 12)
    >>> adds(model)
    True
    """
    if model.objective is not None and not _objective_of_clauses(model):
        return True
    if model.kinds - constraints.PLAIN_KINDS - {"objective"}:
        return False
    values = sum(high - low for low, high in (each.bounds for each in model.integers_by_number.values()))
    return values > _VALUES or any(map(_adds, model.constraints))


def _objective_of_clauses(model: Model) -> bool:
    """Return whether the objective suits a solver that works with clauses.

    It is the only one, and a number of literals; or a sum of weights where all constraints are clauses; or an
    integer with few values. A largest set of vertices of a graph without edges between them, with more edges
    than vertices, is sooner found by a solver that adds, which sees cliques.
    """
    (objective, *more) = model.objectives
    terms = objective.total.terms
    if more:
        return False
    if any(not isinstance(atom, Literal) for _, atom in terms):
        (first, *others) = terms
        low, high = first[1].bounds
        return not others and high - low < _FEW_VALUES and isinstance(first[1], Integer | Extreme)
    if len({abs(weight) for weight, _ in terms}) > 1:
        return all(_width(each) > 0 for each in model.constraints)
    return len(model.constraints) <= len(model) or any(_width(each) != 2 for each in model.constraints)


def _width(constraint: Any) -> int:
    """Return the most literals of clauses; 0 for another constraint."""
    match constraint:
        case constraints.Clause() | Disjunction():
            plain = all(isinstance(each, Literal) for each in constraint.members)
            return len(constraint.members) if plain else 0
        case constraints.Implication():
            return len(constraint.premises) + 1
        case constraints.Cardinalities() if constraint.are_clauses:
            return max((len(row) for row in constraint.lists()), default=0)
    return 0


def _adds(constraint: Any) -> bool:
    match constraint:
        case Comparison():
            return _sums(constraint)
        case Disjunction() | Conjunction() if all_literals(constraint.members):
            return False
        case Disjunction() | Conjunction():
            return any(_sums(each) or _orders(each) for each in constraint.members)
        case constraints.When():
            return _adds(constraint.constraint) or _orders(constraint.constraint)
        case constraints.Linear():
            weights = [weight for weight, _ in constraint.terms]
            return _heavy(weights) or _long(weights, constraint.least, constraint.most)
        case constraints.Cardinality():
            return _long([1] * len(constraint.members), constraint.least, constraint.most)
        case constraints.GlobalCardinality():
            return any(count.terms for count in constraint.counts)
        case constraints.AllDifferent():
            return any(_many(member.terms) for member in constraint.members)
    return constraint.kind in _ADDED


def _sums(condition: Any) -> bool:
    if not isinstance(condition, Comparison):
        return isinstance(condition, Disjunction | Conjunction) and _adds(condition)
    terms = [*condition.left.terms, *condition.right.terms]
    weights = [weight for weight, _ in terms]
    bound = condition.right.constant - condition.left.constant
    return _many(terms) or _heavy(weights) or _long(weights, bound, bound)


def _orders(condition: Any) -> bool:
    """Return whether a condition says which of two integers is greater, as for tasks in time."""
    if not isinstance(condition, Comparison) or condition.sign in ("==", "!="):
        return isinstance(condition, Disjunction | Conjunction) and any(map(_orders, condition.members))
    return sum(isinstance(atom, Integer) for _, atom in _terms(condition.left, condition.right)) > 1


def _terms(*sums: Sum) -> Iterable[Term]:
    return chain(*(each.terms for each in sums))


def _many(terms: Iterable[Term]) -> bool:
    """Return whether a sum has three integers or more, a product, a quotient or an element of a list."""
    integers = 0
    for _, atom in terms:
        if isinstance(atom, Literal):
            continue
        if isinstance(atom, Formula):
            if _adds(atom):
                return True
        elif isinstance(atom, Integer | Absolute | Extreme):
            integers += 1
        else:
            return True
    return integers > 2


def _heavy(weights: list[int]) -> bool:
    return sum(map(abs, weights)) > _HEAVY and max(map(abs, weights)) > 1


def _long(weights: list[int], least: int | None, most: int | None) -> bool:
    """Return whether the weights count many members."""
    n = len(weights)
    return n >= _LONG and any(bound is not None and 1 < abs(bound) < n - 1 for bound in (least, most))
