"""Conditions that are true exactly if a constraint holds, for use in other conditions and in sums."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from functools import reduce
from itertools import combinations
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.model.constraints.basic import Cardinalities, Cardinality, Clause, Implication, Linear, When
from ktsolve.model.constraints.globals import AllDifferent, Decomposed, Table, Xor
from ktsolve.model.expressions import Comparison, Conjunction, Disjunction, Logic, Sum

__all__ = ["truth"]


def truth(constraint: Any) -> Any:
    """Return a literal or a condition that is true exactly if the constraint holds.

    >>> from ktsolve.model.variables import Integer
    >>> x, y = Integer(0, "x", 1, 9), Integer(1, "y", 1, 9)
    >>> truth(AllDifferent([x, y])), ~truth(Table([x, y], [(1, 2)]))
    (x != y, x != 1 or y != 2)
    """
    match constraint:
        case Logic():
            return constraint
        case Clause():
            return Disjunction(constraint.members)
        case Implication():
            return Disjunction([*(~each for each in constraint.premises), constraint.conclusion])
        case Cardinality() | Linear():
            total = Sum([*constraint.terms])
            return _all(Comparison(total, sign, Sum([], bound)) for sign, bound in constraint.comparisons())
        case Cardinalities():
            return _all(map(truth, constraint.rows()))
        case When():
            return Disjunction([~constraint.condition, truth(constraint.constraint)])
        case AllDifferent():
            return _all(Comparison(one, "!=", other) for one, other in combinations(constraint.members, 2))
        case Table():
            rows = [_all(map(_equal, constraint.members, row)) for row in constraint.rows]
            listed = rows[0] if len(rows) == 1 else Disjunction(rows)
            return listed if constraint.allowed else ~listed
        case Xor():
            return reduce(operator.xor, constraint.members, Disjunction(()))
        case Decomposed():
            return _all(constraint.decomposed())
    if not hasattr(constraint, "kind"):
        raise BadInput(f"truth takes a constraint, not {constraint!r:.40}")
    raise BadInput(
        f"no condition says whether the constraint {constraint.kind} holds: "
        "state that it must hold where a condition is true, by when(condition, constraint)"
    )


def _all(conditions: Iterable[Any]) -> Any:
    members = list(conditions)
    return members[0] if len(members) == 1 else Conjunction(members)


def _equal(member: Sum, value: int) -> Comparison:
    return Comparison(member, "==", Sum([], value))
