"""The methods of models that make expressions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.model import statements
from ktsolve.model.constraints import truth
from ktsolve.model.expressions import Comparison, Sum, sum_of
from ktsolve.model.functions import Element, extreme, sums_of

__all__ = ["ExpressionMethods"]


class ExpressionMethods:
    """Methods of :class:`~ktsolve.model.model.Model`: one for each kind of expression. They add nothing."""

    @staticmethod
    def element(members: Iterable[Any], index: Any) -> Sum:
        """Return the member at an index, for use in a comparison; members are numbered from 0.

        Parameters
        ----------
        members, index:
            Numbers or expressions.

        Returns
        -------
        Sum
            The member.

        Raises
        ------
        BadInput
            For an index that is not an expression.

        Examples
        --------
        >>> from ktsolve import Model
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
    def quotient(dividend: Any, divisor: Any) -> Sum:
        """Return the quotient of a division, rounded towards 0, for use in a comparison.

        Parameters
        ----------
        dividend, divisor:
            Whole numbers or expressions; the bounds of the divisor exclude 0.

        Returns
        -------
        Sum
            The quotient.

        Raises
        ------
        BadInput
            If the divisor may be 0.

        Examples
        --------
        >>> from ktsolve import Model
        >>> model = Model()
        >>> x, y = model.integer("x", 1, 9), model.integer("y", 2, 4)
        >>> model.add(model.quotient(x, y) * model.remainder(x, y) == 3)
        >>> model.holds([7, 4]), model.holds([9, 4])
        (True, False)
        """
        return statements.divided("div", dividend, divisor)

    @staticmethod
    def remainder(dividend: Any, divisor: Any) -> Sum:
        """Return the remainder of a division, with the sign of the dividend, for use in a comparison.

        Parameters
        ----------
        dividend, divisor:
            As for :meth:`quotient`.

        Returns
        -------
        Sum
            The remainder.
        """
        return statements.divided("mod", dividend, divisor)

    @staticmethod
    def count(expressions: Iterable[Any], value: Any) -> Sum:
        """Return how many of the expressions have that value, for use in a comparison.

        Parameters
        ----------
        expressions, value:
            Integers or sums; the value is a number or an expression.

        Returns
        -------
        Sum
            The number of those expressions.

        Raises
        ------
        BadInput
            For a value that is not an expression.

        Examples
        --------
        >>> from ktsolve import Model
        >>> model = Model()
        >>> model.count(model.integers(3, 0, 9), 5) <= 1
        (x[0] = 5) + (x[1] = 5) + (x[2] = 5) <= 1
        """
        wanted = sum_of(value)
        if wanted is None:
            raise BadInput(f"count takes a whole number or an expression, not {value!r:.40}")
        return Sum([(1, Comparison(each, "==", wanted)) for each in sums_of(expressions, "count")])

    @staticmethod
    def max(*expressions: Any) -> Sum:
        """Return the greatest of the expressions, or of one list of them, for use in a comparison.

        Parameters
        ----------
        *expressions:
            The expressions, or one list.

        Returns
        -------
        Sum
            The maximum.
        """
        return extreme("max", expressions)

    @staticmethod
    def min(*expressions: Any) -> Sum:
        """Return the least of the expressions, or of one list of them, for use in a comparison.

        Parameters
        ----------
        *expressions:
            The expressions, or one list.

        Returns
        -------
        Sum
            The minimum.

        Examples
        --------
        >>> from ktsolve import Model
        >>> model = Model()
        >>> x, y = model.integers(2, 0, 9)
        >>> model.min(x, y + 1) >= 3
        min(x[0], x[1] + 1) >= 3
        """
        return extreme("min", expressions)

    @staticmethod
    def truth(constraint: Any) -> Any:
        """Return the condition that a constraint holds, for use in other conditions and in sums.

        Automata and constraints on graphs have none; :meth:`when` takes them.

        Parameters
        ----------
        constraint:
            A constraint object, such as :class:`~ktsolve.model.constraints.Precedence`.

        Returns
        -------
        Literal or Formula
            It is true exactly if the constraint holds.

        Raises
        ------
        BadInput
            For a constraint without such a condition.

        Examples
        --------
        >>> from ktsolve import Model
        >>> from ktsolve.model.constraints import AllDifferent, Precedence
        >>> model = Model()
        >>> b, x = model.boolean("b"), model.integers(3, 1, 3)
        >>> model.equal(b, model.truth(Precedence(x, [1, 2])))
        >>> model.add(~model.truth(AllDifferent(x)))
        >>> model.holds([True, 1, 2, 2]), model.holds([True, 2, 1, 2]), model.holds([False, 2, 1, 2])
        (True, False, True)
        """
        return truth(constraint)
