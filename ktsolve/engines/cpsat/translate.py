"""Translation of each constraint to CP-SAT; that of loops is in :mod:`ktsolve.engines.cpsat.loops`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from ktsolve.base.errors import BadInput
from ktsolve.engines.cpsat.limits import LARGEST, check_weights
from ktsolve.engines.cpsat.loops import add_loop, all_of
from ktsolve.engines.cpsat.or_tools import boolean_maker, domain, new_model
from ktsolve.model import constraints
from ktsolve.model.clauses import ClauseWriter
from ktsolve.model.differences import DifferenceBounds
from ktsolve.model.expressions import (
    Absolute,
    Comparison,
    Conjunction,
    Disjunction,
    Formula,
    Operation,
    Product,
    Sum,
)
from ktsolve.model.functions import Element, Extreme
from ktsolve.model.loop_forms import LoopConstraint, loop_form
from ktsolve.model.model import Model
from ktsolve.model.variables import Integer, Literal

__all__ = ["Compiled"]

_BOOLEAN_KINDS = {(1, None): "bool_or", (1, 1): "exactly_one", (None, 1): "at_most_one"}
"""Constraints of CP-SAT over literals alone, by the bounds of a row."""

_BITS = 62  # booleans that are read as the bits of one number: CP-SAT's sums stay below 2^63


class Compiled:
    """A model compiled for CP-SAT, with or without its objective, and perhaps for listing all solutions.

    - ``cp``, ``variables``: The model of OR-Tools, and its variable for each variable of the model.
    - ``repeats``: Whether CP-SAT may find a solution of the model several times.
    """

    def __init__(self, model: Model, *, objective: bool = True, listing: bool = False) -> None:
        from ortools.sat.python import cp_model

        self.model = model
        self.cp = new_model()
        self._weighted = cp_model.LinearExpr.weighted_sum
        self._new_boolean = boolean_maker(self.cp)
        self.repeats = False
        self._listing = listing
        self._conditions: dict[Hashable, Any] = {}
        self._functions: dict[Hashable, Any] = {}
        self._values: dict[int, dict[int, Any]] = {}
        self._differences: DifferenceBounds | None = None
        integers, made = model.integers_by_number, self._new_boolean
        self.variables = [
            self._integer(integers[number]) if number in integers else made() for number in range(len(model))
        ]
        for constraint in model.constraints:
            self._add(constraint)
        for variable, value in model.suggested.items():
            self.cp.add_hint(self._atom(variable), value)
        if objective and model.objective is not None:
            wanted, sense = model.objective.total, model.objective.sense
            check_weights(wanted.terms, wanted.constant)
            for weight, atom in wanted.terms:
                if isinstance(atom, Extreme) and atom.greatest is ((weight > 0) is (sense == "minimise")):
                    self._bound_by_objective(atom)
            total = self._sum(wanted.terms, wanted.constant)
            if sense == "minimise":
                self.cp.minimize(total)
            else:
                self.cp.maximize(total)
        self._define_values()

    def _bound_by_objective(self, atom: Extreme) -> None:
        """Define a maximum that is to be small, or a minimum that is to be great, by its bounds alone."""
        it, new = self._function(atom.key, atom.bounds)
        for member in map(self.expression, atom.members) if new else ():
            self.cp.add(it >= member if atom.greatest else it <= member)

    def _integer(self, integer: Integer) -> Any:
        if max(map(abs, integer.bounds)) >= LARGEST:
            raise BadInput(f"engine cpsat takes integers of at most 62 bits, not {integer.name}")
        return self.cp.new_int_var(integer.low, integer.high, "")

    def assignment(self, value: Callable[[Any], int]) -> list[int]:
        """Return the values of the model's variables, given a function from expressions of CP-SAT to values.

        Reading a variable takes as long as a sum of many: Booleans are read as the bits of numbers.
        """
        words = np.array([value(word) for word in self._words], dtype=np.int64)
        bits = (words[:, np.newaxis] >> np.arange(_BITS) & 1).astype(np.bool_)
        values: list[int] = bits.ravel()[: len(self.variables)].tolist()
        for number in self.model.integers_by_number:
            values[number] = value(self.variables[number])
        return values

    @cached_property
    def _words(self) -> list[Any]:
        """Sums whose bits are the Booleans among the variables."""
        from ortools.sat.python.cp_model import LinearExpr

        integers = self.model.integers_by_number
        weights = [0 if number in integers else 1 << number % _BITS for number in range(len(self.variables))]
        return [
            LinearExpr.weighted_sum(self.variables[at : at + _BITS], weights[at : at + _BITS])
            for at in range(0, len(self.variables), _BITS)
        ]

    # -- constraints -------------------------------------------------------------------------------------

    def _add(self, constraint: Any, when: Sequence[Any] = ()) -> None:
        """Add a constraint that must hold where all literals of ``when`` are true."""
        cp, lit = self.cp, self.literal
        match constraint:
            case constraints.Clause():
                self._clause([lit(x) for x in constraint.members], when)
            case constraints.Implication():
                self._clause([*(lit(~p) for p in constraint.premises), lit(constraint.conclusion)], when)
            case constraints.Cardinality() if constraint.least == constraint.most == 1 and not when:
                cp.add_exactly_one(lit(x) for x in constraint.members)
            case constraints.Cardinality():
                total = sum(lit(x) for x in constraint.members)
                self._bounded(total, constraint.least, constraint.most, when)
            case constraints.Cardinalities() if when:
                for row in constraint.rows():
                    self._add(row, when)
            case constraints.Cardinalities():
                self._rows(constraint)
            case constraints.Linear():
                check_weights(constraint.terms, constraint.least, constraint.most)
                total = sum(weight * lit(x) for weight, x in constraint.terms)
                self._bounded(total, constraint.least, constraint.most, when)
            case Formula():
                self._require(constraint, when)
            case constraints.When():
                condition = constraint.condition
                members = condition.members if isinstance(condition, Conjunction) else (condition,)
                self._add(constraint.constraint, [*when, *map(lit, members)])
            case constraints.AllDifferent():
                [different] = self._affine_lists(constraint)
                self._enforced(cp.add_all_different(different), when)
            case constraints.Table():
                self._table(constraint, when)
            case constraints.Inverse() if constraint.forward and not when:
                n = len(constraint.forward)
                cp.add_inverse(*([self._plain(each, n) for each in members] for members in constraint.lists))
            case constraints.NoOverlap() | constraints.Cumulative() if _is_native(constraint):
                self._tasks(constraint, when)
            case constraints.Regular():
                self._regular(constraint, when)
            case constraints.Xor():
                odd = [lit(each) for each in constraint.members]
                self._enforced(cp.add_bool_xor(odd), when) if odd else self._clause([], when)
            case constraints.Decomposed():
                if isinstance(constraint, constraints.GlobalCardinality):
                    # The literals of a member beside each other: CP-SAT takes a third less time.
                    for member in constraint.members:
                        for value in constraint.values:
                            lit(Comparison(member, "==", Sum([], value)))
                for each in constraint.decomposed():
                    self._require(each, when)
            case _ if isinstance(constraint, LoopConstraint):
                form = loop_form(constraint, ClauseWriter(len(self.model)))
                self.repeats |= not add_loop(cp, self._numbered, form, when, listing=self._listing)

    def _numbered(self, number: int) -> Any:
        """Return the literal for one in DIMACS numbering; a variable after those of the model is true."""
        at = abs(number) - 1
        variable = self.variables[at] if at < len(self.variables) else self.cp.new_constant(1)
        return variable if number > 0 else variable.negated()

    def _rows(self, block: constraints.Cardinalities) -> None:
        """Add the rows of a block, without an object for each literal."""
        index = np.array([variable.index for variable in self.variables], dtype=np.int64)
        variables, positive = index[np.abs(block.numbers) - 1], block.numbers > 0
        rows, added = list(pairwise(block.offsets.tolist())), self.cp.proto.constraints
        kind = _BOOLEAN_KINDS.get((block.least, block.most))
        if kind is not None:
            # A literal of CP-SAT is the index of its variable, or -index - 1 for its negation.
            literals = np.where(positive, variables, -variables - 1).tolist()
            for start, end in rows:
                getattr(added.add(), kind).literals.extend(literals[start:end])
            return
        # w * (1 - x) = w - w * x: a negated literal shifts the bounds.
        numbers, signs = variables.tolist(), np.where(positive, 1, -1).tolist()
        shifts = np.concatenate(([0], np.cumsum(~positive))).tolist()
        for start, end in rows:
            shift = shifts[end] - shifts[start]
            low = start - end if block.least is None else block.least - shift
            high = end - start if block.most is None else block.most - shift
            if low > high:  # OR-Tools takes no empty domain
                self.cp.add_bool_or([])
                continue
            linear = added.add().linear
            linear.vars.extend(numbers[start:end])
            linear.coeffs.extend(signs[start:end])
            linear.domain.extend([low, high])

    def _enforced(self, constraint: Any, when: Sequence[Any]) -> None:
        if when:
            constraint.only_enforce_if(*when)

    def _clause(self, literals: list[Any], when: Sequence[Any]) -> None:
        self._enforced(self.cp.add_bool_or(literals), when)

    def _bounded(self, total: Any, least: int | None, most: int | None, when: Sequence[Any] = ()) -> None:
        if isinstance(total, int):  # no terms at all
            if (least is not None and total < least) or (most is not None and total > most):
                self._clause([], when)
            return
        if least is not None and least == most:
            self._enforced(self.cp.add(total == least), when)
            return
        if least is not None:
            self._enforced(self.cp.add(total >= least), when)
        if most is not None:
            self._enforced(self.cp.add(total <= most), when)

    def _tasks(self, tasks: constraints.NoOverlap | constraints.Cumulative, when: Sequence[Any]) -> None:
        """Add tasks as intervals, which are present where the constraint must hold and they take time."""
        cp, intervals = self.cp, []
        for start, duration, end in zip(tasks.starts, tasks.durations, tasks.ends, strict=True):
            takes = [self.literal(Comparison(duration, ">", Sum([], 0)))] if duration.bounds[0] <= 0 else []
            given = self.affine(start), self.affine(duration), self.affine(end)
            present = all_of(cp, *when, *takes)
            if present is None:
                intervals.append(cp.new_interval_var(*given, ""))
            else:
                intervals.append(cp.new_optional_interval_var(*given, present, ""))
        if isinstance(tasks, constraints.NoOverlap):
            cp.add_no_overlap(intervals)
        else:
            cp.add_cumulative(intervals, list(map(self.affine, tasks.demands)), self.affine(tasks.capacity))

    def _regular(self, constraint: constraints.Regular, when: Sequence[Any]) -> None:
        transitions, accepting = constraint.numbered()
        if not constraint.members or not transitions or not accepting:
            if constraint.members or 0 not in accepting:
                self._clause([], when)
            return
        self.repeats |= bool(when)  # CP-SAT's own states are free where the constraint does not hold
        [members] = self._affine_lists(constraint)
        self._enforced(self.cp.add_automaton(members, 0, accepting, transitions), when)

    def _table(self, table: constraints.Table, when: Sequence[Any]) -> None:
        if not table.rows or not table.members:
            if table.allowed is not bool(table.rows):
                self._clause([], when)
            return
        [members] = self._affine_lists(table)
        add = self.cp.add_allowed_assignments if table.allowed else self.cp.add_forbidden_assignments
        self._enforced(add(members, table.rows), when)

    # -- conditions and expressions ----------------------------------------------------------------------

    def _require(self, condition: Any, when: Sequence[Any] = ()) -> None:
        match condition:
            case Comparison():
                terms, least, most, excluded = condition.normal()
                check_weights(terms, least, most, excluded)
                total = self._sum(terms)
                if excluded is None:
                    self._bounded(total, least, most, when)
                elif isinstance(total, int):
                    self._bounded(total, excluded + 1 if total == excluded else None, None, when)
                else:
                    self._enforced(self.cp.add(total != excluded), when)
            case Conjunction():
                for member in condition.members:
                    self._require(member, when)
            case Disjunction():
                self._clause([self._implying(member) for member in condition.members], when)
            case _:
                self._clause([self.literal(condition)], when)

    def literal(self, condition: Any) -> Any:
        """Return the literal of CP-SAT that is true exactly if a literal or condition is."""
        if isinstance(condition, Literal):
            variable = self.variables[condition.number]
            return variable if condition.positive else variable.negated()
        if (value := _value_of(condition)) is not None:
            literal = self._value(*value)
            return literal if condition.sign == "==" else literal.negated()
        key = condition.key
        if key not in self._conditions:
            negation = self._conditions.get((~condition).key)
            self._conditions[key] = self._defined(condition) if negation is None else negation.negated()
        return self._conditions[key]

    def _value(self, integer: Integer, value: int) -> Any:
        """Return the literal of a value of an integer, which is defined at the end."""
        known = self._values.setdefault(integer.number, {})
        if value not in known:
            known[value] = self._new_boolean()
        return known[value]

    def _define_values(self) -> None:
        """Define the literals of values: as a choice of one where there is one for each value.

        CP-SAT solves a magic sequence in 0.12 s so, and in 0.19 s with two conditions for each literal.
        """
        for number, known in self._values.items():
            integer, variable = self.model.integers_by_number[number], self.variables[number]
            if all(value in known for value in range(integer.low, integer.high + 1)):
                inside = {value: x for value, x in known.items() if integer.low <= value <= integer.high}
                self.cp.add_exactly_one(inside.values())
                self.cp.add(variable == self._weighted([*inside.values()], [*inside]))
                known = {value: x for value, x in known.items() if value not in inside}
            for value, x in known.items():
                self.cp.add(variable == value).only_enforce_if(x)
                self.cp.add(variable != value).only_enforce_if(x.negated())

    def _implying(self, condition: Any) -> Any:
        """Return a literal that implies a condition; where all solutions are wanted, one that equals it."""
        value = _value_of(condition)
        known = isinstance(condition, Literal) or condition.key in self._conditions
        known |= value is not None and value[1] in self._values.get(value[0].number, ())
        if known or self._listing or (~condition).key in self._conditions:
            return self.literal(condition)
        key = ("implying", condition.key)
        if key not in self._conditions:
            self._conditions[key] = self.cp.new_bool_var("")
            self._require(condition, [self._conditions[key]])
        return self._conditions[key]

    def _defined(self, condition: Any) -> Any:
        result = self.cp.new_bool_var("")
        self._require(condition, [result])
        self._require(~condition, [result.negated()])
        return result

    def _sum(self, terms: Iterable[tuple[int, Any]], constant: int = 0) -> Any:
        listed = list(terms)
        if not listed:
            return constant
        variables = [self._atom(atom) for _, atom in listed]
        total = self._weighted(variables, [weight for weight, _ in listed])
        return total + constant if constant else total

    def expression(self, total: Sum) -> Any:
        """Return a sum as an expression of CP-SAT, or a number."""
        merged = total.merged()
        terms = merged.terms
        if not terms:
            return merged.constant
        if merged.constant == 0 and len(terms) == 1 and terms[0][0] == 1:
            return self._atom(terms[0][1])
        check_weights(terms, merged.constant)
        return self._sum(terms, merged.constant)

    def affine(self, total: Sum) -> Any:
        """Return a sum as a multiple of one variable and a constant, as global constraints take it."""
        merged = total.merged()
        if len(merged.terms) <= 1:
            return self.expression(merged)
        if self._differences is None:
            self._differences = DifferenceBounds(self.model)
        it, new = self._function(("sum", merged.key), self._differences.bounds(merged))
        if new:
            self.cp.add(it == self.expression(merged))
        return it

    def _affine_lists(self, constraint: Any) -> list[list[Any]]:
        """Return the members of each list of a constraint, as global constraints take them."""
        return [
            list(map(self.affine, members)) if numbers is None else [self.variables[each] for each in numbers]
            for numbers, members in zip(constraint.variable_numbers, constraint.lists, strict=True)
        ]

    def _plain(self, total: Sum, values: int) -> Any:
        """Return a sum as a variable with values from 0 to ``values`` - 1, as AddInverse takes it."""
        merged = total.merged()
        only = merged.terms[0][1] if len(merged.terms) == 1 else None
        low, high = merged.bounds
        inside = low >= 0 and high < values
        if isinstance(only, Integer) and inside and (merged.constant, merged.terms[0][0]) == (0, 1):
            return self.variables[only.number]
        variable = self.cp.new_int_var(0, max(values - 1, 0), "")
        self.cp.add(variable == self.expression(merged))
        return variable

    def _function(self, key: Hashable, bounds: tuple[int, int]) -> tuple[Any, bool]:
        """Return the variable of an expression, and whether it is new."""
        new = key not in self._functions
        if new:
            self._functions[key] = self.cp.new_int_var(*bounds, "")
        return self._functions[key], new

    def _atom(self, atom: Any) -> Any:
        """Return a variable of CP-SAT with the value of an atom."""
        if isinstance(atom, Integer):
            return self.variables[atom.number]
        if isinstance(atom, Literal | Formula):
            return self.literal(atom)
        it, new = self._function(atom.key, atom.bounds)
        if new:
            self._define(it, atom)
        return it

    def _define(self, it: Any, atom: Any) -> None:
        cp = self.cp
        match atom:
            case Absolute():
                cp.add_abs_equality(it, self.expression(atom.inner))
            case Product():
                given = self.literal(atom.condition)
                cp.add(it == self.expression(atom.inner)).only_enforce_if(given)
                cp.add(it == 0).only_enforce_if(given.negated())
            case Extreme():
                equal = cp.add_max_equality if atom.greatest else cp.add_min_equality
                equal(it, [self.expression(member) for member in atom.members])
            case Element():
                members = [self.affine(member) for member in atom.members]
                cp.add_element(self.affine(atom.index), members, it)
            case Operation():
                self._operation(it, atom)
            case _:
                raise BadInput(f"engine cpsat does not take {atom}")

    def _operation(self, it: Any, atom: Operation) -> None:
        """Define the value of a product or of a division."""
        cp = self.cp
        left = self.affine(atom.left)
        if atom.name == "*":
            cp.add_multiplication_equality(it, [left, self.affine(atom.right)])
            return
        given, nonzero = atom.divisor()
        low, high = given.merged().bounds
        # CP-SAT takes no divisor whose domain has 0.
        intervals = [[low, -1]] * (low < 0) + [[max(low, 1), high]] * (high > 0)
        divisor = cp.new_int_var_from_domain(domain(intervals), "")
        cp.add(divisor == self.expression(given))
        quotient = cp.new_int_var(*Operation("div", atom.left, given).bounds, "")
        cp.add_division_equality(quotient, left, divisor)
        value = quotient
        if atom.name == "mod":
            product = cp.new_int_var(
                *Operation("*", Operation("div", atom.left, given).sum(), given).bounds, ""
            )
            cp.add_multiplication_equality(product, [quotient, divisor])
            value = left - product
        self._enforced(cp.add(it == value), [] if nonzero is None else [self.literal(nonzero)])
        if nonzero is not None:
            cp.add(it == 0).only_enforce_if(self.literal(~nonzero))


def _value_of(condition: Any) -> tuple[Integer, int] | None:
    """Return the integer and the number that a condition says are equal, or different."""
    if not isinstance(condition, Comparison) or condition.sign not in ("==", "!="):
        return None
    terms, value, _, excluded = condition.normal()
    if len(terms) != 1 or abs(terms[0][0]) != 1 or not isinstance(terms[0][1], Integer):
        return None
    number = value if excluded is None else excluded
    assert number is not None
    return terms[0][1], terms[0][0] * number


def _is_native(tasks: Any) -> bool:
    """Whether CP-SAT takes tasks as intervals: it has no negative durations, demands and capacities."""
    others = [tasks.capacity] if isinstance(tasks, constraints.Cumulative) else []
    given = [*(each for listed in tasks.lists[1:] for each in listed), *others]
    return all(each.merged().bounds[0] >= 0 for each in given)
