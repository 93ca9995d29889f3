"""The constraints that a model has methods for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.model.constraints import (
    AllDifferent,
    Cardinalities,
    Cardinality,
    Clause,
    Constraint,
    Implication,
    Inverse,
    LexLess,
    Linear,
    Table,
    When,
)
from ktsolve.model.constraints.block import Rows, as_rows
from ktsolve.model.expressions import Comparison, Conjunction, Disjunction, Expression, Logic, Sum, sum_of
from ktsolve.model.functions import Element, Extreme, sums_of
from ktsolve.model.loop_statements import LoopStatements
from ktsolve.model.variables import Literal

__all__ = ["Statements", "weighted"]

_LITERAL = frozenset({Literal})


class Statements(LoopStatements):
    """The methods of a model that state constraints, and those that make expressions for constraints."""

    def boolean(self, name: str) -> Literal:
        """Add a Boolean and return its literal."""
        raise NotImplementedError

    def add(self, *constraints: Any, name: str | None = None) -> None:
        """Add constraints."""
        raise NotImplementedError

    def _state(self, constraint: Constraint) -> None:
        raise NotImplementedError

    # -- Booleans ---------------------------------------------------------------------------------------

    def clause(self, *literals: Any) -> None:
        """Add that at least one of the literals or conditions is true."""
        members, plain = _conditions(literals, "clause", "*literals")
        self._state(Clause(members) if plain else Disjunction(members))

    def fix(self, literal: Any) -> None:
        """Add that the literal is true."""
        self.clause(literal)

    def implies(self, premises: Any, conclusion: Any) -> None:
        """Add that the conclusion is true if all premises are true: literals, or conditions."""
        alone = type(premises) is Literal or not isinstance(premises, Iterable)
        given = (premises,) if alone else tuple(premises)
        members, plain = _conditions((*given, conclusion), "implication")
        if plain:
            self._state(Implication(members[:-1], members[-1]))
        else:
            self._state(When(Conjunction(members[:-1]), _as_constraint(conclusion)))

    def equal(self, first: Any, second: Any) -> None:
        """Add that both literals or conditions have the same value."""
        self.implies(first, second)
        self.implies(second, first)

    def exactly(self, number: int, literals: Iterable[Any]) -> None:
        """Add that exactly ``number`` of the literals or conditions are true."""
        self._counted(literals, number, number)

    def at_least(self, number: int, literals: Iterable[Any]) -> None:
        """Add that at least ``number`` of the literals or conditions are true."""
        self._counted(literals, number, None)

    def at_most(self, number: int, literals: Iterable[Any]) -> None:
        """Add that at most ``number`` of the literals or conditions are true."""
        self._counted(literals, None, number)

    def exactly_one(self, literals: Iterable[Any]) -> None:
        """Add that exactly one of the literals or conditions is true."""
        self._counted(literals, 1, 1)

    def at_most_one(self, literals: Iterable[Any]) -> None:
        """Add that at most one of the literals or conditions is true."""
        self._counted(literals, None, 1)

    def _counted(self, literals: Iterable[Any], least: int | None, most: int | None) -> None:
        for bound in (least, most):
            if type(bound) is not int and bound is not None and not hasattr(bound, "__index__"):
                raise BadInput(f"a number of literals is a whole number, not {bound!r:.40}")
        if isinstance(literals, Literal) or not isinstance(literals, Iterable):
            raise BadInput(f"a cardinality takes a list of literals, not {literals!r:.40}")
        members, plain = _conditions(_flat(literals), "cardinality")
        if plain:
            self._state(Cardinality(members, least, most))
            return
        total = _total(members)
        if least is not None:
            self._state(Comparison(total, "==" if least == most else ">=", Sum([], least)))
        if most is not None and least != most:
            self._state(Comparison(total, "<=", Sum([], most)))

    def add_clauses(self, rows: Rows) -> None:
        """Add many clauses, given as arrays of numbers: Boolean i is i + 1, its negation -(i + 1).

        Parameters
        ----------
        rows:
            A matrix in which 0 is no literal, one array in which 0 ends each clause, a pair of arrays
            ``(numbers, offsets)``, or lists; see :func:`~ktsolve.model.constraints.block.as_rows`.

        Examples
        --------
        >>> import numpy as np
        >>> from ktsolve.model.model import Model
        >>> model = Model()
        >>> x = model.add_booleans(4)
        >>> model.add_clauses(np.column_stack([-x[:-1], x[1:]]))
        >>> print(model)
        model model: 4 Booleans, 1 constraint
          3 clauses: not x1 or x2; not x2 or x3; not x3 or x4
        """
        self.add_cardinalities(rows, least=1)

    def add_cardinalities(self, rows: Rows, *, least: int | None = None, most: int | None = None) -> None:
        """Add that in each row the number of true literals lies between ``least`` and ``most``.

        Parameters
        ----------
        rows:
            As for :meth:`add_clauses`.

        Examples
        --------
        >>> from ktsolve.model.model import Model
        >>> model = Model()
        >>> square = model.add_booleans(9).reshape(3, 3)
        >>> model.add_cardinalities(square, least=1, most=1)
        >>> model.add_cardinalities(square.T, least=1, most=1)
        >>> model.constraints[1].text(model.name_of)
        '3 rows: exactly 1 of {x1, x4, x7}; exactly 1 of {x2, x5, x8}; exactly 1 of {x3, x6, x9}'
        """
        for bound in (least, most):
            if bound is not None and (isinstance(bound, bool) or not isinstance(bound, int)):
                raise BadInput(f"the bounds are whole numbers or None, not {bound!r:.40}")
        if least is not None and most is not None and least > most:
            raise BadInput(f"at least {least} and at most {most} of the literals cannot be: exchange them")
        numbers, offsets = as_rows(rows)
        self._state(Cardinalities(numbers, offsets, least, most))

    # -- integers ---------------------------------------------------------------------------------------

    def linear(self, terms: Mapping[Any, int], *, least: int | None = None, most: int | None = None) -> None:
        """Add that the sum of the weights of true literals lies between ``least`` and ``most``."""
        self._state(weighted(terms, least, most))

    def all_different(self, expressions: Iterable[Any]) -> None:
        """Add that no two of the expressions have the same value; see :class:`AllDifferent`.

        >>> from ktsolve.model.model import Model
        >>> model = Model()
        >>> model.all_different(model.integers(3, 1, 3))
        >>> model.holds([1, 2, 3]), model.holds([1, 2, 1])
        (True, False)
        """
        self._state(AllDifferent(expressions))

    def table(
        self,
        expressions: Iterable[Any],
        allowed: Iterable[Iterable[int]] | None = None,
        *,
        forbidden: Iterable[Iterable[int]] | None = None,
    ) -> None:
        """Add that the values of the expressions are an allowed row, or no forbidden one; see :class:`Table`.

        >>> from ktsolve.model.model import Model
        >>> model = Model()
        >>> x, y = model.integers(2, 0, 9)
        >>> model.table([x, y], [(1, 2), (2, 4)])
        >>> model.table([x, y], forbidden=[(1, 2)])
        >>> model.holds([2, 4]), model.holds([1, 2])
        (True, False)
        """
        if (allowed is None) is (forbidden is None):
            raise BadInput("a table takes its allowed rows or its forbidden rows: give one of the two")
        rows = allowed if forbidden is None else forbidden
        assert rows is not None
        self._state(Table(expressions, rows, allowed=forbidden is None))

    def inverse(self, forward: Iterable[Any], backward: Iterable[Any]) -> None:
        """Add that two lists of integers are inverse permutations of 0 to n - 1; see :class:`Inverse`."""
        self._state(Inverse(forward, backward))

    def lex_less(self, first: Iterable[Any], second: Iterable[Any], *, strict: bool = True) -> None:
        """Add that the first list comes before the second in lexicographic order; see :class:`LexLess`.

        With ``strict=False`` the lists may be equal.
        """
        self._state(LexLess(first, second, strict=strict))

    # -- expressions ------------------------------------------------------------------------------------

    @staticmethod
    def element(members: Iterable[Any], index: Any) -> Sum:
        """Return the member at an index, for use in a comparison; members are numbered from 0.

        >>> from ktsolve.model.model import Model
        >>> model = Model()
        >>> i = model.integer("i", 0, 2)
        >>> model.add(model.element([5, 7, 9], i) >= 8)
        >>> print(model)
        model model: 0 Booleans, 1 integer, 1 constraint
          0 <= i <= 2
          [5, 7, 9][i] >= 8
        """
        place = sum_of(index)
        if place is None:
            raise BadInput(f"an index is a whole number or an expression, not {index!r:.40}")
        return Element(sums_of(members, "element"), place).sum()

    @staticmethod
    def count(expressions: Iterable[Any], value: Any) -> Sum:
        """Return how many of the expressions have that value, for use in a comparison.

        >>> from ktsolve.model.model import Model
        >>> model = Model()
        >>> model.count(model.integers(3, 0, 9), 5) <= 1
        (x[0] = 5) + (x[1] = 5) + (x[2] = 5) <= 1
        """
        wanted = sum_of(value)
        if wanted is None:
            raise BadInput(f"count takes a whole number or an expression, not {value!r:.40}")
        return _total(Comparison(each, "==", wanted) for each in sums_of(expressions, "count"))

    @staticmethod
    def max(*expressions: Any) -> Sum:
        """Return the greatest of the expressions, or of one list of them, for use in a comparison."""
        return _extreme("max", expressions)

    @staticmethod
    def min(*expressions: Any) -> Sum:
        """Return the least of the expressions, or of one list of them, for use in a comparison.

        >>> from ktsolve.model.model import Model
        >>> model = Model()
        >>> x, y = model.integers(2, 0, 9)
        >>> model.min(x, y + 1) >= 3
        min(x[0], x[1] + 1) >= 3
        """
        return _extreme("min", expressions)


def _flat(given: Iterable[Any]) -> Iterable[Any]:
    """Return the elements of an array of any shape, and other iterables unchanged."""
    return given.ravel().tolist() if hasattr(given, "ravel") else given


def _conditions(given: Iterable[Any], what: str, how: str = "") -> tuple[tuple[Any, ...], bool]:
    """Return literals and conditions as a tuple, and whether all are literals."""
    members = tuple(given)
    if _LITERAL.issuperset(map(type, members)):
        return members, True
    for member in members:
        if not isinstance(member, Logic):
            advice = (
                f"write {what}({how})" if how and isinstance(member, list | tuple) else "compare integers"
            )
            if isinstance(member, bool):
                advice = "two Booleans are compared by equal(a, b)"
            article = "an" if what[0] in "aeiou" else "a"
            raise BadInput(f"{article} {what} takes Booleans and comparisons, not {member!r:.40}: {advice}")
    return members, False


def _as_constraint(given: Any) -> Constraint:
    """Return a literal as a clause, and constraints unchanged."""
    return Clause((given,)) if isinstance(given, Literal) else given


def _total(members: Iterable[Any]) -> Sum:
    return Sum([(1, member) for member in members])


def _extreme(name: str, expressions: tuple[Any, ...]) -> Sum:
    one_list = len(expressions) == 1 and not isinstance(expressions[0], Expression)
    return Extreme(name, sums_of(expressions[0] if one_list else expressions, name)).sum()


def weighted(terms: Mapping[Any, int], least: int | None, most: int | None) -> Linear:
    """Return a weighted sum of literals, and its bounds, as a constraint. Raises BadInput for other terms."""
    if not isinstance(terms, Mapping):
        raise BadInput(f"linear takes {{literal: weight}}, not {terms!r:.40}")
    for weight in (*terms.values(), *(bound for bound in (least, most) if bound is not None)):
        if not isinstance(weight, int):
            raise BadInput(f"a weight is {weight!r:.40}, but must be a whole number: scale all weights")
    for literal in terms:
        if type(literal) is not Literal:
            raise BadInput(
                f"{{literal: weight}} has weights of literals, not of {literal!r:.40}: write a sum, 2*x + y"
            )
    return Linear(tuple((weight, literal) for literal, weight in terms.items()), least, most)
