"""Expressions, conditions, and constraints on lists of integers as clauses."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.model.constraints import AllDifferent, Literal, Table
from ktsolve.model.expressions import (
    Absolute,
    Comparison,
    Condition,
    Conjunction,
    Disjunction,
    Product,
    Sum,
    Term,
)
from ktsolve.model.functions import Element, Extreme
from ktsolve.model.order import TRUE, OrderClauses, Ordered, weights_of
from ktsolve.model.variables import Integer

__all__ = ["Expressions", "number", "numbers"]


class Expressions(OrderClauses):
    """Clauses of expressions. Equal expressions share their literals."""

    def __init__(self, variables: int, cardinality: str = "seqcounter") -> None:
        super().__init__(variables, cardinality)
        self._conditions: dict[Hashable, int] = {}
        self._functions: dict[Hashable, Ordered] = {}

    # -- conditions --------------------------------------------------------------------------------------

    def require(self, condition: Any, unless: Sequence[int] = ()) -> None:
        """Add that a condition is true."""
        match condition:
            case Comparison():
                self._compared(condition, unless)
            case Conjunction():
                for member in condition.members:
                    self.require(member, unless)
            case Disjunction():
                self.emit(*unless, *(self.literal(member) for member in condition.members))
            case _:
                self.emit(*unless, self.literal(condition))

    def literal(self, condition: Any) -> int:
        """Return a literal that is true exactly if a condition is. It may be TRUE or its negation."""
        if isinstance(condition, Literal):
            return number(condition)
        key = condition.key
        if key not in self._conditions:
            self._conditions[key] = self._literal(condition)
        return self._conditions[key]

    def _literal(self, condition: Any) -> int:
        if isinstance(condition, Conjunction):
            return self.all_of([self.literal(member) for member in condition.members])
        if isinstance(condition, Disjunction):
            return self.any_of([self.literal(member) for member in condition.members])
        negation = (~condition).key
        if negation in self._conditions:
            return -self._conditions[negation]
        terms, least, most, excluded = condition.normal()
        low, high = Sum(terms).bounds
        if excluded is not None:
            return -self._equal(terms, excluded, low, high)
        if least is not None and least == most:
            return self._equal(terms, least, low, high)
        if least is not None:
            if not low < least <= high:
                return TRUE if least <= low else -TRUE
            if len(terms) == 1:
                return self.scaled(terms[0]).at_least(least)
        if most is not None:
            if not low <= most < high:
                return TRUE if most >= high else -TRUE
            if len(terms) == 1:
                return self.scaled(terms[0]).at_most(most)
        return self._defined(Comparison(Sum(terms), "<=", Sum([], most)) if most is not None else condition)

    def _equal(self, terms: list[Term], value: int, low: int, high: int) -> int:
        if not low <= value <= high:
            return -TRUE
        if not terms:
            return TRUE
        if len(terms) == 1:
            return self.equals(self.scaled(terms[0]), value)
        key = ("equal", value, *((weight, atom.key) for weight, atom in terms))
        if key not in self._conditions:
            self._conditions[key] = self._defined(Comparison(Sum(terms), "==", Sum([], value)))
        return self._conditions[key]

    def _defined(self, comparison: Comparison) -> int:
        """Return a new variable that is true exactly if a comparison is."""
        result = self.fresh()
        self._compared(comparison, [-result])
        self._compared(~comparison, [result])
        return result

    def false_literals(self, condition: Any) -> list[int]:
        """Return literals of which one is true exactly if a condition is false."""
        members = condition.members if isinstance(condition, Conjunction) else (condition,)
        return [-literal for member in members if (literal := self.literal(member)) != TRUE]

    def _compared(self, comparison: Comparison, unless: Sequence[int]) -> None:
        terms, least, most, excluded = comparison.normal()
        if excluded is None and not unless and _plain(terms):
            members = [weight * number(atom) for weight, atom in terms]  # type: ignore[arg-type]
            negative = sum(weight < 0 for weight, _ in terms)
            if least is not None:
                self.at_least(least + negative, members)
            if most is not None:
                self.at_least(len(members) - most - negative, [-member for member in members])
            return
        parts = [self.scaled(term) for term in terms]
        if excluded is None:
            self.bounded(parts, least, most, unless)
        else:
            self.excluded(parts, excluded, unless)

    # -- expressions -------------------------------------------------------------------------------------

    def scaled(self, term: Term) -> Ordered:
        """Return a term in the order encoding."""
        weight, atom = term
        return self.ordered(atom).scaled(weight)

    def ordered(self, expression: Any) -> Ordered:
        """Return an expression in the order encoding."""
        match expression:
            case Integer():
                return self.integers[expression.number]
            case Literal() | Condition():
                return _of_literal(self.literal(expression))
            case Sum():
                merged = expression.merged()
                parts = [self.scaled(term) for term in merged.terms]
                return self.total([*parts, Ordered([merged.constant], [])])
        key = expression.key
        if key not in self._functions:
            self._functions[key] = self._function(expression)
        return self._functions[key]

    def _function(self, expression: Any) -> Ordered:
        match expression:
            case Absolute():
                inner = self.ordered(expression.inner)
                return self._made(
                    {abs(value) for value in inner.values},
                    lambda bound: self.any_of([inner.at_least(bound), inner.at_most(-bound)]),
                )
            case Product():
                inner, given = self.ordered(expression.inner), self.literal(expression.condition)
                return self._made(
                    {0, *inner.values},
                    lambda bound: (
                        self.all_of([given, inner.at_least(bound)])
                        if bound > 0
                        else self.any_of([-given, inner.at_least(bound)])
                    ),
                )
            case Extreme():
                members = [self.ordered(member) for member in expression.members]
                low, high = expression.bounds
                values = {value for member in members for value in member.values if low <= value <= high}
                join = self.any_of if expression.greatest else self.all_of
                return self._made(values, lambda bound: join([member.at_least(bound) for member in members]))
            case Element():
                return self._element(expression)
        raise BadInput(f"{expression} has no encoding as clauses")

    def _made(self, values: Iterable[int], literal: Any) -> Ordered:
        least, *greater = sorted(values)
        kept: list[int] = [least]
        literals: list[int] = []
        for value in greater:
            reached = literal(value)
            if reached == TRUE:
                kept, literals = [value], []
            elif reached != -TRUE:
                kept.append(value)
                literals.append(reached)
        return Ordered(kept, literals)

    def _element(self, expression: Element) -> Ordered:
        index = self.ordered(expression.index)
        chosen = {i: self.ordered(expression.members[i]) for i in index.values}
        values = sorted({value for member in chosen.values() for value in member.values})
        literals = [self.fresh() for _ in values[1:]]
        for place, i in enumerate(index.values):
            other = -self.is_value(index, place)
            for value, literal in zip(values[1:], literals, strict=True):
                reached = chosen[i].at_least(value)
                self.emit(other, -literal, reached)
                self.emit(other, literal, -reached)
        return Ordered(values, literals)

    def weights(self, total: Any) -> tuple[list[tuple[int, int]], int]:
        """Return literals with weights, and a constant, whose sum is an expression, as for an objective.

        Parameters
        ----------
        total:
            Anything with ``terms`` and a ``constant``.
        """
        if all(isinstance(atom, Literal) for _, atom in total.terms):
            return [(weight, number(atom)) for weight, atom in total.terms], total.constant
        merged = Sum(list(total.terms), total.constant).merged()
        weights, constant = weights_of([self.scaled(term) for term in merged.terms])
        return weights, constant + merged.constant

    # -- lists of integers -------------------------------------------------------------------------------

    def all_different(self, constraint: AllDifferent, unless: Sequence[int]) -> None:
        """Add that each value occurs at most once; exactly once if there are as many values as members."""
        members = [self.ordered(member) for member in constraint.members]
        takers: dict[int, list[tuple[Ordered, int]]] = {}
        for member in members:
            for place, value in enumerate(member.values):
                takers.setdefault(value, []).append((member, place))
        if len(takers) < len(members):
            self.emit(*unless)
            return
        for who in takers.values():
            if len(who) == 1 and len(takers) > len(members):
                continue
            taken = [self.is_value(member, place) for member, place in who]
            if len(takers) == len(members):
                self.emit(*unless, *taken)
            if unless:
                self.bounded([_of_literal(literal) for literal in taken], None, 1, unless)
            else:
                self._at_most_one(taken)

    def _at_most_one(self, literals: list[int]) -> None:
        true = literals.count(TRUE)
        rest = [literal for literal in literals if abs(literal) != TRUE]
        if true:
            for literal in rest:
                self.clauses.append([-literal])
        if true > 1:
            self.clauses.append([])
        elif not true:
            self.at_least(len(rest) - 1, [-literal for literal in rest])

    def table(self, constraint: Table, unless: Sequence[int]) -> None:
        """Add that the values are a row, or that they are none of the forbidden rows."""
        members = [self.ordered(member) for member in constraint.members]
        if not constraint.allowed:
            for row in constraint.rows:
                apart = [self.differs(member, value) for member, value in zip(members, row, strict=True)]
                self.emit(*unless, *(literal for each in apart for literal in each))
            return
        # For each value of a member one of its rows is taken; a row is taken exactly if its values are.
        rows: list[int] = []
        supports: list[dict[int, list[int]]] = [{} for _ in members]
        for row in constraint.rows:
            taken = self.all_of([self.equals(m, value) for m, value in zip(members, row, strict=True)])
            if taken == -TRUE:
                continue
            rows.append(taken)
            for support, value in zip(supports, row, strict=True):
                support.setdefault(value, []).append(taken)
        self.emit(*unless, *rows)
        for member, support in zip(members, supports, strict=True):
            for place, value in enumerate(member.values):
                self.emit(*unless, -self.is_value(member, place), *support.get(value, ()))


def _of_literal(literal: int) -> Ordered:
    if abs(literal) == TRUE:
        return Ordered([int(literal == TRUE)], [])
    return Ordered([0, 1], [literal])


def _plain(terms: list[Term]) -> bool:
    return all(abs(weight) == 1 and isinstance(atom, Literal) for weight, atom in terms)


def number(literal: Literal) -> int:
    """Return a literal in DIMACS numbering."""
    return literal.number + 1 if literal.positive else -literal.number - 1


def numbers(literals: Iterable[Literal]) -> list[int]:
    """Return literals in DIMACS numbering."""
    return [number(literal) for literal in literals]
