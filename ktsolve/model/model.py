"""Models: named Booleans and integers, constraints over them, and an optional objective.

A :class:`Model` states a question. It does not depend on any engine, nor on boards or tours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ktsolve.base.errors import BadInput
from ktsolve.model.constraints import (
    Assignment,
    Cardinalities,
    Constraint,
    Deferred,
    Literals,
    When,
    variables_of,
)
from ktsolve.model.expressions import Comparison, Conjunction, Expression, Logic, Sum
from ktsolve.model.names import Names
from ktsolve.model.objectives import Objective, Objectives
from ktsolve.model.variables import Integer, Literal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ktsolve.model.arrays import Array

__all__ = ["Model", "Objective"]


class Model(Objectives):
    """Booleans, integers, constraints and an optional objective.

    Examples
    --------
    Exactly two of a, b and c are true, b implies c, and x is small where a is true.

    >>> model = Model("pair")
    >>> a, b, c = (model.boolean(name) for name in "abc")
    >>> x = model.integer("x", 1, 9)
    >>> model.exactly(2, [a, b, c])
    >>> model.implies(b, c)
    >>> model.when(a, x <= 3)
    >>> print(model)
    model pair: 3 Booleans, 1 integer, 3 constraints
      1 <= x <= 9
      exactly 2 of {a, b, c}
      b => c
      when a: x <= 3
    >>> model.holds([False, True, True, 7]), model.broken([True, True, False, 1]).kind
    (True, 'implication')
    """

    def __init__(self, name: str = "model") -> None:
        super().__init__()
        self.name = name
        self._names = Names()
        self.integers_by_number: dict[int, Integer] = {}
        self.constraints: list[Constraint] = []
        self._shown: Sequence[Literal | Integer] | None = None
        # What is shown by default, with the numbers of all variables and of hidden ones: each solution asks.
        self._shown_by_default: tuple[tuple[int, int], tuple[Literal | Integer, ...]] = ((0, 0), ())
        self._premises: list[Any] = []

    # -- variables --------------------------------------------------------------------------------------

    @property
    def names(self) -> list[str]:
        """The names of all variables, by their numbers."""
        return self._names.listed()

    def boolean(self, name: str) -> Literal:
        """Add a Boolean and return its literal. Names are unique."""
        return Literal(self._added(name))

    def integer(self, name: str, low: int, high: int) -> Integer:
        """Add an integer variable with values ``low`` to ``high`` and return it. Names are unique.

        >>> Model().integer("x", 1, 9) <= 5
        x <= 5
        """
        least, greatest = _whole(name, low), _whole(name, high)
        if least > greatest:
            raise BadInput(
                f"the integer {name!r} has no value from {least} to {greatest}: exchange the bounds"
            )
        number = self._added(name)
        self.integers_by_number[number] = Integer(number, name, least, greatest)
        return self.integers_by_number[number]

    def _added(self, name: str) -> int:
        if not isinstance(name, str):
            raise BadInput(f"the name of a variable is a text, not {name!r:.40}")
        number = self._names.append(name)
        if number is None:
            kind = "an integer" if self._names.number(name) in self.integers_by_number else "a Boolean"
            raise BadInput(f"the model already has {kind} named {name!r}: choose another name")
        return number

    def has(self, name: str) -> bool:
        """Return whether the model has a variable of that name."""
        return self._names.number(name) is not None

    @overload
    def booleans(self, names: int | tuple[int, ...], name: str = "b") -> Array: ...

    @overload
    def booleans(self, names: Iterable[str]) -> list[Literal]: ...

    def booleans(self, names: Any, name: str = "b") -> list[Literal] | Array:
        """Add Booleans and return their literals: a list for a list of names, an array for a shape.

        Parameters
        ----------
        names:
            The names, or a shape: a whole number or a tuple of them.
        name:
            Begins the names of the Booleans of an array.

        Raises
        ------
        BadInput
            For the first name that exists.

        Examples
        --------
        >>> Model().booleans(["a", "b"])
        [Literal(number=0, positive=True), Literal(number=1, positive=True)]
        >>> model = Model()
        >>> queen = model.booleans((2, 2), "queen")
        >>> model.exactly(1, queen[0])
        >>> print(model)
        model model: 4 Booleans, 1 constraint
          exactly 1 of {queen[0,0], queen[0,1]}
        """
        if _is_shape(names):
            from ktsolve.model.arrays import array_of, shape_of

            shape = shape_of(names)
            return array_of(self.booleans(_names(name, shape)), shape)
        added = list(names)
        first = len(self._names)
        if self._names.add(added) is not None:
            return [self.boolean(name) for name in added]
        return [Literal(number) for number in range(first, len(self._names))]

    def integers(self, shape: int | tuple[int, ...], low: int, high: int, name: str = "x") -> Array:
        """Add integers with values ``low`` to ``high`` and return them as an array.

        Parameters
        ----------
        shape:
            A whole number or a tuple of them.
        name:
            Begins the names of the integers.

        Examples
        --------
        >>> x = Model().integers((2, 3), 0, 9)
        >>> x[0], x[:, 1].sum()
        (Array([x[0,0], x[0,1], x[0,2]], dtype=object), x[0,1] + x[1,1])
        """
        from ktsolve.model.arrays import array_of, shape_of

        sides = shape_of(shape)
        return array_of([self.integer(each, low, high) for each in _names(name, sides)], sides)

    def add_booleans(self, count: int | Sequence[str], name: str = "x") -> NDArray[np.int64]:
        """Add many Booleans, and return the numbers of their literals, for :meth:`add_clauses`.

        Parameters
        ----------
        count:
            How many, or their names. Without names they are ``x1``, ``x2`` and so on, by their numbers.
            Names that are :class:`~ktsolve.model.constraints.Deferred` are made when one is needed.
        name:
            Another text than ``x``.

        Raises
        ------
        BadInput
            If a name exists.

        >>> Model().add_booleans(3).tolist()
        [1, 2, 3]
        """
        first = len(self._names)
        if isinstance(count, Deferred):
            names: Sequence[str] = count
        elif not isinstance(count, int):
            names = list(count)
        elif count < 0:
            raise BadInput(f"{count} Booleans cannot be added: give their number, from 0")
        else:
            names = [f"{name}{number}" for number in range(first + 1, first + count + 1)]
        if (repeated := self._names.add(names)) is not None:
            if self.has(repeated):
                raise BadInput(f"the model already has a Boolean named {repeated!r}: choose another name")
            raise BadInput(f"two Booleans are named {repeated!r}: choose another name for one of them")
        return np.arange(first + 1, len(self._names) + 1)

    def copy(self) -> Model:
        """Return a model with the same variables, constraints, objectives and names.

        >>> model = Model()
        >>> a = model.boolean("a")
        >>> other = model.copy()
        >>> other.fix(a)
        >>> len(model.constraints), len(other.constraints)
        (0, 1)
        """
        made = Model(self.name)
        for key, value in vars(self).items():
            setattr(made, key, value.copy() if isinstance(value, list | dict | set | Names) else value)
        return made

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, name: str) -> Any:
        number = self._names.number(name)
        if number is None:
            raise BadInput(f"the model has no variable named {name!r}: add it with boolean() or integer()")
        return self.variable(number)

    def variable(self, number: int) -> Literal | Integer:
        """Return the variable of a number."""
        integer = self.integers_by_number.get(number)
        return Literal(number) if integer is None else integer

    def name_of(self, variable: Literal | Integer) -> str:
        """Return the name of a variable; ``not`` precedes the name of a negated Boolean."""
        name = self.names[variable.number]
        return f"not {name}" if isinstance(variable, Literal) and not variable.positive else name

    @property
    def shown(self) -> Sequence[Any]:
        """The variables that distinguish solutions; by default all but those of soft constraints."""
        if self._shown is not None:
            return self._shown
        size = len(self), len(self._hidden)
        if self._shown_by_default[0] != size:
            numbers = (i for i in range(len(self)) if i not in self._hidden)
            self._shown_by_default = size, tuple(self.variable(i) for i in numbers)
        return self._shown_by_default[1]

    def show(self, variables: Iterable[Any]) -> None:
        """Distinguish solutions by these variables only."""
        if isinstance(variables, Literals) and bool((variables.numbers > 0).all()):
            self._check_numbers("literals", variables.numbers)
            self._shown = variables
            return
        given = variables.ravel().tolist() if hasattr(variables, "ravel") else variables
        if isinstance(given, Expression) or not isinstance(given, Iterable):
            raise BadInput(f"show takes a list of variables, not {given!r:.40}")
        chosen = tuple([~x if isinstance(x, Literal) and not x.positive else x for x in given])
        self._check_known("list of shown variables", chosen)
        self._shown = chosen

    # -- constraints ------------------------------------------------------------------------------------

    def add(self, *constraints: Any, name: str | None = None) -> None:
        """Add constraints: comparisons and other conditions, literals, constraint objects, arrays of these.

        With a ``name`` they form a group of that name, by which :func:`ktsolve.unsat_core` lists them.

        >>> model = Model()
        >>> x, y = model.integers(2, 0, 9)
        >>> model.add(x + 2 * y <= 7, (x == 3) | (y == 3))
        >>> print(model)
        model model: 0 Booleans, 2 integers, 2 constraints
          0 <= x[0], x[1] <= 9
          x[0] + 2*x[1] <= 7
          x[0] = 3 or x[1] = 3
        """
        if name is not None:
            with self.named(name):
                self.add(*constraints)
            return
        for constraint in constraints:
            if isinstance(constraint, Literal):
                self.clause(constraint)
            elif hasattr(constraint, "kind") and hasattr(constraint, "holds"):
                self._state(constraint)
            elif isinstance(constraint, Iterable) and not isinstance(constraint, str | Sum):
                self.add(*constraint)
            else:
                raise BadInput(_no_constraint(constraint))

    def when(self, condition: Any, *constraints: Any) -> Any:
        r"""Add constraints that must hold only where the condition is true.

        Without constraints the result is a context: the constraints that are added in it are conditional.

        Parameters
        ----------
        condition:
            A literal, or a condition such as ``x <= 3``.
        constraints:
            Anything that :meth:`add` takes.

        Examples
        --------
        >>> model = Model()
        >>> b, x = model.boolean("b"), model.integers(3, 1, 9)
        >>> model.when(b, x[0] < x[1])
        >>> with model.when(x[2] == 5):
        ...     model.all_different(x)
        >>> print("\n".join(str(model).splitlines()[2:]))
          when b: x[0] < x[1]
          when x[2] = 5: all different: x[0], x[1], x[2]
        """
        if not isinstance(condition, Logic):
            raise BadInput(f"when takes a Boolean or a comparison, not {condition!r:.40}")
        self._check_known("condition", condition.variables())  # type: ignore[attr-defined]
        context = self._under(condition)
        if not constraints:
            return context
        with context:
            self.add(*constraints)
        return None

    @contextmanager
    def _under(self, condition: Any) -> Iterator[None]:
        self._premises.append(condition)
        try:
            yield
        finally:
            self._premises.pop()

    def _state(self, constraint: Constraint) -> None:
        numbers: NDArray[np.integer] | None = getattr(constraint, "numbers", None)
        if numbers is not None:
            self._check_numbers("rows" if isinstance(constraint, Cardinalities) else "arcs", numbers)
        else:
            of_booleans = not hasattr(constraint, "variables")
            self._check_known(constraint.kind, variables_of(constraint), of_booleans=of_booleans)
        if self._premises:
            premises = self._premises
            constraint = When(premises[0] if len(premises) == 1 else Conjunction(premises), constraint)
        self._name_next()
        self.constraints.append(constraint)

    def _check_numbers(self, what: str, numbers: NDArray[np.integer]) -> None:
        known = len(self)
        if (largest := int(np.abs(numbers).max(initial=0))) > known:
            raise BadInput(
                f"the {what} have a literal of number {largest}, but the model has {known} Booleans, "
                f"with literals 1 to {known}"
            )
        for number in self.integers_by_number:
            if bool((np.abs(numbers) == number + 1).any()):
                raise BadInput(
                    f"the {what} have literals of variable number {number}, but it is the integer "
                    f"{self.names[number]}"
                )

    def _check_known(self, what: str, variables: Iterable[Any], *, of_booleans: bool = False) -> None:
        number_of_variables, integers = len(self), self.integers_by_number
        for variable in variables:
            if type(variable) is Literal:
                if 0 <= variable[0] < number_of_variables and variable[0] not in integers:
                    continue
            elif isinstance(variable, Integer) and not of_booleans:
                known = integers.get(variable.number)
                if known is variable or (known is not None and known.key == variable.key):
                    continue
            article = "an" if what[0] in "aeiou" else "a"
            raise BadInput(f"{article} {what} {self._unknown(variable, of_booleans)}")

    def _unknown(self, variable: Any, of_booleans: bool) -> str:
        if isinstance(variable, Integer) and not of_booleans:
            return f"names the integer {variable.name!r}, which is not of this model"
        if not isinstance(variable, Literal):
            return f"takes Booleans, not {variable!r:.40}"
        if variable.number in self.integers_by_number:
            return (
                f"takes variable number {variable.number} for a Boolean, but it is an integer of this model"
            )
        return (
            f"names Boolean number {variable.number}, but the model has {len(self)} "
            f"{'variables' if self.integers_by_number else 'Booleans'}, numbered from 0"
        )

    # -- exchange with CPMpy ----------------------------------------------------------------------------

    @classmethod
    def from_cpmpy(cls, source: Any, name: str = "model") -> Model:
        """Return the model that a model of CPMpy states; its variables keep their names.

        Circuits get Booleans for their arcs, which do not distinguish solutions. Needs the extra ``cpmpy``.

        Raises
        ------
        BadInput
            If the model has an expression that ktsolve has nothing for.
        """
        from ktsolve.model.io.from_cpmpy import state_cpmpy

        model = cls(name)
        state_cpmpy(source, model)
        return model

    def to_cpmpy(self) -> Any:
        """Return the model as one of CPMpy, with variables of the same names. Needs the extra ``cpmpy``.

        Raises
        ------
        BadInput
            If CPMpy has no such constraint: loops other than circuits and undirected paths.
        """
        from ktsolve.model.io.to_cpmpy import cpmpy_model

        return cpmpy_model(self)

    # -- checking ----------------------------------------------------------------------------------------

    def broken(self, assignment: Assignment) -> Constraint | None:
        """Return the first constraint that an assignment violates, or None.

        A value outside of its integer's domain violates a comparison with the bound.
        """
        if len(assignment) != len(self):
            noun = "variables" if self.integers_by_number else "Booleans"
            raise BadInput(f"the assignment has {len(assignment)} values, but the model {len(self)} {noun}")
        for number, integer in self.integers_by_number.items():
            if not integer.low <= assignment[number] <= integer.high:
                below = assignment[number] < integer.low
                bound = integer >= integer.low if below else integer <= integer.high
                assert isinstance(bound, Comparison)
                return bound
        return next((c for c in self.constraints if not c.holds(assignment)), None)

    def holds(self, assignment: Assignment) -> bool:
        """Return whether an assignment satisfies every constraint."""
        return self.broken(assignment) is None

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of all constraints, those under conditions too, and ``objective`` if there is one."""
        kinds = {constraint.kind for constraint in self.constraints}
        if "when" in kinds:
            for constraint in self.constraints:
                while isinstance(constraint, When):
                    constraint = constraint.constraint
                    kinds.add(constraint.kind)
        return frozenset(kinds | ({"objective"} if self.objective else set()))

    # -- text -------------------------------------------------------------------------------------------

    def _size(self) -> str:
        integers = len(self.integers_by_number)
        parts = [_number(len(self) - integers, "Boolean")]
        parts += [_number(integers, "integer")] if integers else []
        return ", ".join([*parts, _number(len(self.constraints), "constraint")])

    def __str__(self) -> str:
        lines = [f"model {self.name}: {self._size()}"]
        for place, objective in enumerate(self.objectives):
            first = "then " if place else ""
            lines.append(f"  {first}{objective.sense} {objective.total.text(self.name_of)}")
        domains: dict[tuple[int, int], list[str]] = {}
        for integer in self.integers_by_number.values():
            domains.setdefault((integer.low, integer.high), []).append(integer.name)
        lines.extend(f"  {low} <= {', '.join(names)} <= {high}" for (low, high), names in domains.items())
        lines.extend(f"  {constraint.text(self.name_of)}" for constraint in self.constraints)
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Model {self.name}: {self._size()}>"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _whole(name: str, bound: Any) -> int:
    if isinstance(bound, Expression) or not hasattr(bound, "__index__"):
        raise BadInput(f"a bound of the integer {name!r} is {bound!r:.40}, but must be a whole number")
    return int(bound)


def _is_shape(given: Any) -> bool:
    if isinstance(given, tuple) and given:
        return all(hasattr(side, "__index__") for side in given)
    return hasattr(given, "__index__")


def _names(name: str, shape: tuple[int, ...]) -> list[str]:
    """Return a name for each element of an array, row by row.

    >>> _names("x", (2, 2))
    ['x[0,0]', 'x[0,1]', 'x[1,0]', 'x[1,1]']
    """
    return [f"{name}[{','.join(map(str, place))}]" for place in product(*map(range, shape))]


def _no_constraint(given: Any) -> str:
    if isinstance(given, bool | np.bool_):
        return (
            f"add(): the constraint is {given}, without variables: comparing two Booleans with == only tells "
            "whether they are the same: use model.equal(a, b), or a ^ b for different values"
        )
    if isinstance(given, Expression):
        return f"add(): {given!r:.40} is an expression: compare it, as in {given!r:.40} >= 1"
    return f"add() takes comparisons, literals and constraints, not {given!r:.40}"
