"""Refutation by counting: more pigeons than holes.

Clauses alone take exponentially many steps for it (Haken, The intractability of resolution, 1985).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ktsolve.model import constraints
from ktsolve.model.expressions import Comparison, Disjunction
from ktsolve.model.model import Model
from ktsolve.model.variables import Literal, all_literals

__all__ = ["counts_refute"]

_MOST_ROWS = 2000  # constraints of a model that is looked at

_CLAUSES = (Disjunction, constraints.Clause)

_Row = tuple[Sequence[Literal], int | None, int | None]


def counts_refute(model: Model) -> bool:
    """Return whether rows without a common literal need more true literals than rows that cover them allow.

    >>> model = Model()
    >>> sits = model.booleans((5, 4))
    >>> model.add(sits.any(axis=1), sits.sum(axis=0) <= 1)
    >>> counts_refute(model)
    True
    """
    if len(model.constraints) > _MOST_ROWS:
        return False
    # Clauses hold no upper bounds: those that share no literal with bounded rows do not count.
    others = [each for each in model.constraints if not isinstance(each, _CLAUSES)]
    rows = [row for row in map(_row, others) if row is not None]
    bounded = [(members, most) for members, _, most in rows if most is not None and most < len(members)]
    if not bounded:
        return False
    within = set().union(*(members for members, _ in bounded))
    clauses = (
        each
        for each in model.constraints
        if isinstance(each, _CLAUSES) and not within.isdisjoint(each.members)
    )
    rows += [row for row in map(_row, clauses) if row is not None]
    open_literals: set[Literal] = set()
    needed = 0
    for members, least, _ in sorted(rows, key=lambda row: len(row[0])):
        if least is not None and least > 0 and open_literals.isdisjoint(members):
            open_literals.update(members)
            needed += least
    allowed = 0
    for members, most in sorted(bounded, key=lambda row: row[1] - len(row[0])):
        covered = open_literals.intersection(members)
        if len(covered) > most:
            open_literals -= covered
            allowed += most
    return needed > allowed + len(open_literals)


def _row(constraint: Any) -> _Row | None:
    """Return different literals, and how many of them are true at least and at most."""
    members: Sequence[Any]
    least: int | None
    most: int | None
    match constraint:
        case Disjunction() | constraints.Clause():
            members, least, most = constraint.members, 1, None
        case constraints.Cardinality():
            members, least, most = constraint.members, constraint.least, constraint.most
        case Comparison(sign="!="):
            return None
        case Comparison() if not all_literals(each for _, each in constraint.left.terms):
            return None
        case Comparison():
            terms, least, most, excluded = constraint.normal()
            if excluded is not None or any(weight != 1 for weight, _ in terms):
                return None
            members = [atom for _, atom in terms]
        case _:
            return None
    plain = all_literals(members) and len(set(members)) == len(members)
    return (members, least, most) if plain else None
