"""Models as clauses: shared by the SAT engine and the CNF and OPB exports.

The SAT engine encodes only the degree constraints of a circuit and adds subtour cuts lazily, unless the
caller names an eager encoding. An export must be complete and always uses an eager encoding
(:mod:`ktsolve.model.cycle_encodings`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import reduce
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

from ktsolve.base.errors import BadInput, Refused
from ktsolve.model import constraints
from ktsolve.model.by_value import integers_by_value
from ktsolve.model.clauses import CARDINALITIES, TRUE, ClauseWriter
from ktsolve.model.cycle_encodings import ENCODINGS
from ktsolve.model.expressions import (
    Absolute,
    Comparison,
    Conjunction,
    Disjunction,
    Formula,
    Logic,
    Operation,
    Product,
    Sum,
    Term,
)
from ktsolve.model.functions import Element, Extreme
from ktsolve.model.loop_forms import Form, LoopConstraint, loop_form
from ktsolve.model.model import Model
from ktsolve.model.order import MOST_VALUES, Chosen, Ordered, OrderEncoding, weights_of
from ktsolve.model.variables import Integer, Literal, all_literals, number, numbers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["CARDINALITIES", "EAGER", "Encoder", "encode", "number", "numbers"]

EAGER = tuple(ENCODINGS)
"""Names of the eager circuit encodings."""

_IMPLIES, _IMPLIED, _BOTH = 1, 2, 3
"""Whether a literal implies its condition, is implied by it, or both."""

_MOST_CHOICES = 1000  # values of an integer up to which it is a choice of one


class Encoder(ClauseWriter):
    """The clauses of a model: variable i of the model is variable i + 1, auxiliary variables follow.

    The variable of an integer is its first order literal (:mod:`ktsolve.model.order`). Loops that were added
    and are not encoded yet are in ``loops``.

    For ``solving`` the clauses may have several solutions for one of the model: conditions imply their
    literals, or are implied by them, only where a constraint needs it. Integers that are used by their values
    alone get a literal for each value.
    """

    def __init__(self, model: Model, cardinality: str = "seqcounter", *, solving: bool = False) -> None:
        super().__init__(len(model), cardinality)
        self._model = model
        self._solving = solving
        self.order = OrderEncoding(self)
        self._conditions: dict[Hashable, int] = {}
        self._missing: dict[int, tuple[Comparison, int]] = {}
        self._functions: dict[Hashable, Ordered] = {}
        self.loops: list[Form] = []
        self.add_integers()

    def add_integers(self) -> None:
        """Give the integers of the model that are new their literals."""
        # Constraints that are added later may need the order.
        chosen = integers_by_value(self._model) if self._solving and not self.order.integers else ()
        for number_of_integer, integer in self._model.integers_by_number.items():
            if number_of_integer in chosen and 1 < integer.high - integer.low < _MOST_CHOICES:
                self.order.add_choice(integer)
            elif number_of_integer not in self.order.integers:
                self.order.add_integer(integer)
        for number_of_integer in chosen:
            if isinstance(choice := self.order.integers[number_of_integer], Chosen):
                self.exactly_one(choice.taken)

    def assignment(self, true: NDArray[np.bool_]) -> list[int]:
        """Return the values of the model's variables, given the truth of each DIMACS variable from 1."""
        values: list[int] = true[1 : len(self._model) + 1].tolist()
        for integer, ordered in self.order.integers.items():
            if isinstance(ordered, Chosen):
                values[integer] = ordered.values[int(true[ordered.taken].argmax())]
            else:
                values[integer] = ordered.values[int(true[ordered.literals].sum()) if ordered.literals else 0]
        return values

    def truth(self, assignment: Sequence[int]) -> NDArray[np.bool_]:
        """Return the truth of each DIMACS variable of the model's variables; the others are false."""
        import numpy as np

        true = np.zeros(self.variables + 1, dtype=np.bool_)
        true[1 : len(assignment) + 1] = assignment
        for integer, ordered in self.order.integers.items():
            true[integer + 1] = False
            place = assignment[integer] - ordered.values[0]
            if isinstance(ordered, Chosen):
                true[ordered.taken[place]] = True
                true[self.order.orders.get(integer, [])[:place]] = True
            else:
                true[ordered.literals[:place]] = True
        return true

    def literals_of_integers(self) -> list[int]:
        """Return the literals that say which values the integers have."""
        integers = self.order.integers.values()
        return [*chain(*(x.taken if isinstance(x, Chosen) else x.literals for x in integers))]

    def other_value(self, variable: Literal | Integer, value: int) -> list[int]:
        """Return literals of which one is true exactly if the variable has another value."""
        if isinstance(variable, Literal):
            return [-number(variable) if bool(value) == variable.positive else number(variable)]
        differs = self.order.differs(self.order.integers[variable.number], value)
        return [literal for literal in differs if literal != -TRUE]

    def add(self, constraint: Any, unless: Sequence[int] = ()) -> None:
        """Encode a constraint, which each literal of ``unless`` lifts. Loops become forms in ``loops``."""
        match constraint:
            case constraints.Clause():
                clause = numbers(constraint.members)
                self.clauses.append([*unless, *clause] if unless else clause)
            case Disjunction() if not unless and all_literals(constraint.members):
                self.clauses.append(numbers(constraint.members))
            case constraints.Implication():
                self.clauses.append(
                    [*unless, *(-number(p) for p in constraint.premises), number(constraint.conclusion)]
                )
            case constraints.Cardinality():
                self.between(numbers(constraint.members), constraint.least, constraint.most, unless)
            case constraints.Cardinalities() if constraint.are_clauses and not unless:
                self.clauses.extend(constraint.lists())
            case constraints.Cardinalities():
                for members in constraint.lists():
                    self.between(members, constraint.least, constraint.most, unless)
            case constraints.Linear():
                terms = [(weight, number(literal)) for weight, literal in constraint.terms]
                self.weighted(terms, constraint.least, constraint.most, unless)
            case Formula():
                self.require(constraint, unless)
            case constraints.When():
                condition = constraint.condition
                parts = condition.members if isinstance(condition, Conjunction) else (condition,)
                false = [-literal for part in parts if (literal := self.literal(part, _IMPLIED)) != TRUE]
                lifted = [*unless, *false]
                if TRUE not in lifted:
                    self.add(constraint.constraint, lifted)
            case constraints.AllDifferent():
                self.all_different(constraint, unless)
            case constraints.Table():
                self.table(constraint, unless)
            case constraints.Decomposed():
                for each in constraint.decomposed():
                    self.require(each, unless)
            case constraints.Regular():
                self.regular(constraint, unless)
            case constraints.Xor():
                self.emit(*unless, reduce(self._odd, map(self.literal, constraint.members), -TRUE))
            case _ if isinstance(constraint, LoopConstraint):
                lifting = [literal for literal in unless if literal != -TRUE]
                self.loops.append(loop_form(constraint, self, lifting))
            case _:
                raise BadInput(f"a {constraint.kind} has no plain encoding as clauses")

    def complete_loops(self, encoding: str) -> None:
        """Encode the loops that were added, completely, by an eager encoding."""
        for form in self.loops:
            form.complete(self, encoding)
        self.loops = []

    # -- conditions --------------------------------------------------------------------------------------

    def require(self, condition: Any, unless: Sequence[int] = ()) -> None:
        """Add that a condition is true."""
        match condition:
            case Comparison():
                self._compared(condition, unless)
            case Conjunction():
                for member in condition.members:
                    self.require(member, unless)
            case Disjunction() if all_literals(condition.members) and TRUE not in unless:
                self.clauses.append([*(x for x in unless if x != -TRUE), *numbers(condition.members)])
            case Disjunction():
                self.emit(*unless, *[self.literal(member, _IMPLIES) for member in condition.members])
            case _:
                self.emit(*unless, self.literal(condition, _IMPLIES))

    def literal(self, condition: Any, needed: int = _BOTH) -> int:
        """Return a literal that is true exactly if a condition is. It may be TRUE or its negation.

        For solving it is enough that it implies a comparison, or is implied by it, as ``needed``; golfers
        take two thirds of the time.
        """
        if isinstance(condition, Literal):
            return number(condition)
        key = condition.key
        if key not in self._conditions:
            self._conditions[key] = self._literal(condition, key)
        found = self._conditions[key]
        if self._missing and abs(found) in self._missing:
            self._complete(abs(found), needed if found > 0 else _BOTH & (needed << 1 | needed >> 1))
        return found

    def _complete(self, literal: int, needed: int) -> None:
        """Add the clauses that are missing by which a literal implies its condition, or is implied by it."""
        condition, missing = self._missing[literal]
        halves = missing & needed if self._solving else missing
        if halves == missing:
            del self._missing[literal]
        else:
            self._missing[literal] = condition, missing - halves
        if halves & _IMPLIES:
            self._compared(condition, [-literal])
        if halves & _IMPLIED:
            self._compared(~condition, [literal])

    def _literal(self, condition: Any, key: Any) -> int:
        if isinstance(condition, Conjunction | Disjunction):
            members = condition.members
            plain = all_literals(members)
            literals = numbers(members) if plain else [self.literal(member) for member in members]
            return self.all_of(literals) if isinstance(condition, Conjunction) else self.any_of(literals)
        negation = Comparison.negated(key)
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
            return self.order.equals(self.scaled(terms[0]), value)
        key = ("equal", value, *((weight, atom.key) for weight, atom in terms))
        if key not in self._conditions:
            self._conditions[key] = self._defined(Comparison(Sum(terms), "==", Sum([], value)))
        return self._conditions[key]

    def _defined(self, condition: Comparison) -> int:
        """Return a new variable for a comparison, whose clauses follow as they are needed."""
        result = self.fresh()
        self._missing[result] = condition, _BOTH
        return result

    def _compared(self, comparison: Comparison, unless: Sequence[int]) -> None:
        terms, least, most, excluded = comparison.normal()
        if excluded is None and all(weight in (1, -1) and isinstance(atom, Logic) for weight, atom in terms):
            # An upper bound needs that a condition implies its literal, or its negation that of the literal.
            upper, lower = (0 if most is None else _IMPLIED), (0 if least is None else _IMPLIES)
            needed = {1: upper | lower, -1: (upper and _IMPLIES) | (lower and _IMPLIED)}
            members = [weight * self.literal(atom, needed[weight]) for weight, atom in terms]
            negative = sum(weight < 0 for weight, _ in terms)
            least, most = (None if bound is None else bound + negative for bound in (least, most))
            self.between(members, least, most, unless)
            return
        parts = [self.scaled(term) for term in terms]
        if excluded is None:
            self.order.bounded(parts, least, most, unless)
        else:
            self.order.excluded(parts, excluded, unless)

    # -- expressions -------------------------------------------------------------------------------------

    def scaled(self, term: Term) -> Ordered:
        """Return a term in the order encoding."""
        weight, atom = term
        return self.ordered(atom).scaled(weight)

    def ordered(self, expression: Any) -> Ordered:
        """Return an expression in the order encoding."""
        match expression:
            case Integer():
                return self.order.integers[expression.number]
            case Literal() | Formula():
                return _of_literal(self.literal(expression))
            case Sum():
                merged = expression.merged()
                if len(merged.terms) == 1:
                    return self.scaled(merged.terms[0]).shifted(merged.constant)
                parts = [self.scaled(term) for term in merged.terms]
                return self.order.total([*parts, Ordered([merged.constant], [])])
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
            case Operation():
                return self._operation(expression)
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
            other = -self.order.is_value(index, place)
            for value, literal in zip(values[1:], literals, strict=True):
                reached = chosen[i].at_least(value)
                self.emit(other, -literal, reached)
                self.emit(other, literal, -reached)
        return Ordered(values, literals)

    def _operation(self, expression: Operation) -> Ordered:
        """Return the value of a product or of a division, by clauses for each pair of values."""
        left, right = self.ordered(expression.left), self.ordered(expression.right)
        if len(left.values) * len(right.values) > MOST_VALUES:
            raise Refused(
                f"engine sat takes products and divisions of {MOST_VALUES:,} pairs of values, not of "
                f"{len(left.values):,} values and {len(right.values):,}: use closer bounds, or cpsat for "
                "numbers and sums of at most 62 bits"
            )
        table = [[expression.computed(a, b) for b in right.values] for a in left.values]
        values = sorted(set(chain(*table)))
        place_of = {value: place for place, value in enumerate(values)}
        result = Ordered(values, [self.fresh() for _ in values[1:]])
        self.clauses.extend([-b, a] for a, b in pairwise(result.literals))
        for i, row in enumerate(table):
            for j, value in enumerate(row):
                other = [-left.place(i), left.place(i + 1), -right.place(j), right.place(j + 1)]
                self.emit(*other, result.place(place_of[value]))
                self.emit(*other, -result.place(place_of[value] + 1))
        return result

    def weights(self, total: Any) -> tuple[list[tuple[int, int]], int]:
        """Return literals with weights, and a constant, whose sum is an objective or an expression."""
        if all(isinstance(atom, Literal) for _, atom in total.terms):
            return [(weight, number(atom)) for weight, atom in total.terms], total.constant
        merged = total.merged()
        weights, constant = weights_of([self.scaled(term) for term in merged.terms])
        return weights, constant + merged.constant

    # -- lists of integers -------------------------------------------------------------------------------

    def all_different(self, constraint: constraints.AllDifferent, unless: Sequence[int]) -> None:
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
            taken = [self.order.is_value(member, place) for member, place in who]
            if len(takers) == len(members):
                self.emit(*unless, *taken)
            self.between(taken, None, 1, unless)

    def regular(self, constraint: constraints.Regular, unless: Sequence[int]) -> None:
        """Add that an automaton accepts the values: a literal for each state after each value.

        Without ``unless`` there are only the states from which the automaton may still accept.
        """
        transitions, accepting = constraint.numbered()
        next_state = {(state, value): after for state, value, after in transitions}
        members = [
            [(value, self.order.is_value(member, place)) for place, value in enumerate(member.values)]
            for member in map(self.ordered, constraint.members)
        ]
        layers = [{0}]
        for member in members:
            following = {next_state.get((q, value)) for q in layers[-1] for value, _ in member}
            layers.append({q for q in following if q is not None})
        if not unless:
            layers[-1] &= {*accepting}
            for i in range(len(members) - 1, -1, -1):
                layers[i] = {
                    q
                    for q in layers[i]
                    if any(next_state.get((q, v)) in layers[i + 1] for v, _ in members[i])
                }
        states = dict.fromkeys(layers[0], TRUE)
        for member, layer in zip(members, layers[1:], strict=True):
            before, states = states, {q: self.fresh() for q in sorted(layer)}
            # A state is reached from a state before it by the value, and from no other.
            into: dict[int, dict[int, list[int]]] = {q: {} for q in layer}
            for q, known in before.items():
                for value, taken in member:
                    after = next_state.get((q, value))
                    if after is not None and after in states:
                        self.emit(-known, -taken, states[after])
                        into[after].setdefault(taken, []).append(known)
                    elif not unless:
                        self.emit(-known, -taken)
            for q, ways in into.items():
                self.emit(-states[q], *ways)
                for taken, sources in ways.items():
                    self.emit(-states[q], -taken, *sources)
        self.emit(*unless, *(states[q] for q in accepting if q in states))

    def _odd(self, one: int, other: int) -> int:
        """Return a literal that is true exactly if one of two is."""
        for given, rest in ((one, other), (other, one)):
            if abs(given) == TRUE:
                return rest if given == -TRUE else -rest
        both, either = self.all_of([one, other]), self.any_of([one, other])
        return self.all_of([-both, either])

    def table(self, constraint: constraints.Table, unless: Sequence[int]) -> None:
        """Add that the values are an allowed row, or that they differ from all forbidden rows."""
        members = [self.ordered(member) for member in constraint.members]
        if not constraint.allowed:
            for row in constraint.rows:
                self.emit(*unless, *chain(*map(self.order.differs, members, row)))
            return
        # For each value of a member one of its rows is taken; a row is taken exactly if its values are.
        rows: list[int] = []
        supports: list[dict[int, list[int]]] = [{} for _ in members]
        for row in constraint.rows:
            taken = self.all_of(map(self.order.equals, members, row))
            if taken == -TRUE:
                continue
            rows.append(taken)
            for support, value in zip(supports, row, strict=True):
                support.setdefault(value, []).append(taken)
        self.emit(*unless, *rows)
        for member, support in zip(members, supports, strict=True):
            for place, value in enumerate(member.values):
                self.emit(*unless, -self.order.is_value(member, place), *support.get(value, ()))


def encode(model: Model, *, circuits: str = "one-hot", cardinality: str = "seqcounter") -> Encoder:
    """Encode all constraints of a model.

    The solutions of the clauses, restricted to the model's Booleans, are exactly the solutions of the model.
    The encodings are named in :data:`EAGER` and :data:`CARDINALITIES`.

    >>> model = Model()
    >>> a, b = model.boolean("a"), model.boolean("b")
    >>> model.exactly(1, [a, b])
    >>> encode(model).clauses
    [[1, 2], [-1, -2]]
    """
    encoder = Encoder(model, cardinality)
    for constraint in model.constraints:
        encoder.add(constraint)
    encoder.complete_loops(circuits)
    return encoder


def _of_literal(literal: int) -> Ordered:
    if abs(literal) == TRUE:
        return Ordered([int(literal == TRUE)], [])
    return Ordered([0, 1], [literal])
