"""Which integers of a model are used by their values alone: different, equal to numbers, read by automata.

As clauses such an integer is a choice of one among its values. 60 queens take half the time of an encoding
by order, which a comparison such as x <= 5, a sum or an absolute value needs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ktsolve.model import constraints
from ktsolve.model.constraints import variables_of
from ktsolve.model.expressions import Comparison, Conjunction, Disjunction, Formula, Sum, variables_in
from ktsolve.model.functions import Element
from ktsolve.model.model import Model
from ktsolve.model.variables import Integer, Literal

__all__ = ["integers_by_value"]


def integers_by_value(model: Model) -> set[int]:
    """Return the numbers of the integers that are used by their values alone.

    >>> model = Model()
    >>> x, y = model.integers(3, 0, 9), model.integer("y", 0, 9)
    >>> model.all_different(x + 1); model.add((x[0] == 3) | (x[1] == y), y <= 5)
    >>> sorted(integers_by_value(model))
    [0, 1, 2]
    """
    if not model.integers_by_number:
        return set()
    ordered = {each.number for objective in model.objectives for each in objective.total.variables()}
    for constraint in model.constraints:
        _order(constraint, ordered)
    return model.integers_by_number.keys() - ordered


def _order(constraint: Any, ordered: set[int]) -> None:
    """Add the integers that a constraint or a condition uses by their order."""
    match constraint:
        case Literal() | constraints.Clause() | constraints.Implication() | constraints.Cardinality():
            pass
        case Comparison():
            _order_compared(constraint, ordered)
        case Conjunction() | Disjunction():
            for member in constraint.members:
                _order(member, ordered)
        case constraints.When():
            _order(constraint.condition, ordered)
            _order(constraint.constraint, ordered)
        case constraints.AllDifferent() | constraints.Table() | constraints.Regular():
            _order_members(constraint.members, ordered)
        case constraints.GlobalCardinality():
            _order_members(constraint.members, ordered)
            _order_all(variables_in(constraint.counts), ordered)
        case constraints.Precedence():
            _order_members(constraint.members, ordered)
        case constraints.Cardinalities() | constraints.Linear():
            pass
        case _:
            _order_all(variables_of(constraint), ordered)


def _order_all(variables: Iterable[Any], ordered: set[int]) -> None:
    ordered.update(each.number for each in variables if isinstance(each, Integer))


def _order_members(members: Iterable[Sum], ordered: set[int]) -> None:
    """Members that are one integer, and perhaps a number, are used by their values."""
    for member in members:
        terms = member.terms
        if len(terms) != 1 or abs(terms[0][0]) != 1 or not isinstance(terms[0][1], Integer):
            _order_all(member.variables(), ordered)


def _order_compared(comparison: Comparison, ordered: set[int]) -> None:
    terms = comparison.left.terms + comparison.right.terms
    integers = [atom for _, atom in terms if isinstance(atom, Integer)]
    if comparison.sign not in ("==", "!=") or (
        integers
        and (
            len(integers) != len(terms)
            or len({each.number for each in integers}) != len(terms)
            or len(terms) > 2
            or any(abs(weight) != 1 for weight, _ in terms)
        )
    ):
        _order_all(integers, ordered)
    for _, atom in terms:
        if isinstance(atom, Element):
            _order_members([atom.index], ordered)
            _order_all(variables_in(atom.members), ordered)
        elif isinstance(atom, Formula):
            _order(atom, ordered)
        elif not isinstance(atom, Integer | Literal):
            _order_all(atom.variables(), ordered)
