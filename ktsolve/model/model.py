"""Models: named Booleans and integers, constraints over them, and an optional objective.

A :class:`Model` states a question. It does not depend on any engine, nor on boards or tours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ktsolve.base.errors import BadInput
from ktsolve.model import statements
from ktsolve.model.arrays import Array, array_of, element_names, is_shape, shape_of
from ktsolve.model.constraint_methods import ConstraintMethods
from ktsolve.model.constraints import (
    Assignment,
    Cardinalities,
    Constraint,
    Deferred,
    Literals,
    When,
    variables_of,
)
from ktsolve.model.constraints.deferred import Names
from ktsolve.model.expression_methods import ExpressionMethods
from ktsolve.model.expressions import (
    Comparison,
    Conjunction,
    Expression,
    Formula,
    Logic,
    Sum,
    WithVariables,
)
from ktsolve.model.statements import Objective
from ktsolve.model.variables import Integer, Literal, check_known, check_numbers, domain

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Model", "Objective"]


class Model(ConstraintMethods, ExpressionMethods):
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
        self.name = name
        self._names = Names()
        self.integers_by_number: dict[int, Integer] = {}
        self.constraints: list[Constraint] = []
        self._shown: Sequence[Literal | Integer] | None = None
        # What is shown by default, with the numbers of all variables and of hidden ones: each solution asks.
        self._shown_by_default: tuple[tuple[int, int], tuple[Literal | Integer, ...]] = ((0, 0), ())
        self._premises: list[Any] = []
        self._objectives: list[Objective] = []
        self._soft: list[tuple[int, Literal]] = []
        self._hidden: set[int] = set()
        self._open_groups: list[str] = []
        self._group_of: dict[int, str] = {}
        self.suggested: dict[Literal | Integer, int] = {}

    # -- variables --------------------------------------------------------------------------------------

    @property
    def names(self) -> list[str]:
        """The names of all variables, by their numbers."""
        return self._names.listed()

    def boolean(self, name: str) -> Literal:
        """Add a Boolean and return its literal. Names are unique.

        Parameters
        ----------
        name:
            The name.

        Returns
        -------
        Literal
            The literal that is true if the Boolean is.

        Raises
        ------
        BadInput
            If the name exists.
        """
        return Literal(self._added(name))

    def integer(self, name: str, low: int, high: int) -> Integer:
        """Add an integer variable with values ``low`` to ``high`` and return it. Names are unique.

        Parameters
        ----------
        name, low, high:
            The name, and the least and the greatest value.

        Returns
        -------
        Integer
            The variable.

        Raises
        ------
        BadInput
            If the name exists, or the bounds do not fit.

        Examples
        --------
        >>> Model().integer("x", 1, 9) <= 5
        x <= 5
        """
        least, greatest = domain(name, low, high)
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
        """Return whether the model has a variable of that name.

        Parameters
        ----------
        name:
            The name.

        Returns
        -------
        bool
            True if the variable exists.
        """
        return self._names.number(name) is not None

    @overload
    def booleans(self, names: int | tuple[int, ...], name: str = "b") -> Array: ...

    @overload
    def booleans(self, names: Iterable[str]) -> list[Literal]: ...

    def booleans(self, names: Any, name: str = "b") -> list[Literal] | Array:
        """Add Booleans and return their literals: a list for a list of names, an array for a shape.

        Parameters
        ----------
        names, name:
            The names; or a shape, a whole number or a tuple of them, and how the names of an array begin.

        Returns
        -------
        list[Literal] or Array
            The literals.

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
        if is_shape(names):
            shape = shape_of(names)
            return array_of(self.booleans(element_names(name, shape)), shape)
        added = list(names)
        first = len(self._names)
        if self._names.add(added) is not None:
            return [self.boolean(name) for name in added]
        return [Literal(number) for number in range(first, len(self._names))]

    def integers(self, shape: int | tuple[int, ...], low: int, high: int, name: str = "x") -> Array:
        """Add integers with values ``low`` to ``high`` and return them as an array.

        Parameters
        ----------
        shape, name:
            A whole number or a tuple of them, and how the names of the integers begin.
        low, high:
            The least and the greatest value.

        Returns
        -------
        Array
            The integers.

        Examples
        --------
        >>> x = Model().integers((2, 3), 0, 9)
        >>> x[0], x[:, 1].sum()
        (Array([x[0,0], x[0,1], x[0,2]], dtype=object), x[0,1] + x[1,1])
        """
        sides = shape_of(shape)
        names = element_names(name, sides)
        least, greatest = domain(names[0] if names else name, low, high)
        first = len(self._names)
        if self._names.add(names) is not None:
            return array_of([self.integer(each, low, high) for each in names], sides)
        made = [Integer(number, each, least, greatest) for number, each in enumerate(names, first)]
        self.integers_by_number.update(enumerate(made, first))
        return array_of(made, sides)

    def add_booleans(self, count: int | Sequence[str], name: str = "x") -> NDArray[np.int64]:
        """Add many Booleans, and return the numbers of their literals, for :meth:`add_clauses`.

        Parameters
        ----------
        count:
            How many, or their names. Without names they are ``x1``, ``x2`` and so on, by their numbers.
            Names that are :class:`~ktsolve.model.constraints.Deferred` are made when one is needed.
        name:
            Another text than ``x``.

        Returns
        -------
        NDArray[np.int64]
            The numbers.

        Raises
        ------
        BadInput
            If a name exists.

        Examples
        --------
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

        Examples
        --------
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
        """Return the variable of a number.

        Parameters
        ----------
        number:
            The number of a variable.

        Returns
        -------
        Literal or Integer
            The variable.
        """
        integer = self.integers_by_number.get(number)
        return Literal(number) if integer is None else integer

    def name_of(self, variable: Literal | Integer) -> str:
        """Return the name of a variable; ``not`` precedes the name of a negated Boolean.

        Parameters
        ----------
        variable:
            A literal or an integer of the model.

        Returns
        -------
        str
            The name.
        """
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
        """Distinguish solutions by these variables only.

        Parameters
        ----------
        variables:
            Literals and integers; their signs do not matter.

        Raises
        ------
        BadInput
            If the argument is not a list of variables of the model.
        """
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

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            british = name.replace("ize", "ise")
            if british != name and hasattr(Model, british):
                raise AttributeError(f"{name} is written {british}: call model.{british}(...)")
            raise AttributeError(f"'Model' object has no attribute {name!r}", name=name, obj=self)

    def add(self, *constraints: Any, name: str | None = None) -> None:
        """Add constraints: comparisons and other conditions, literals, constraint objects, arrays of these.

        With a ``name`` they form a group of that name, by which :func:`ktsolve.unsat_core` lists them.

        Parameters
        ----------
        *constraints, name:
            The constraints, and the name of the group.

        Raises
        ------
        BadInput
            For a value that is not a constraint, or variables of another model.

        Examples
        --------
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
            if isinstance(constraint, Formula):
                self._state(constraint)
            elif isinstance(constraint, Literal):
                self.clause(constraint)
            elif hasattr(constraint, "kind") and hasattr(constraint, "holds"):
                self._state(constraint)
            elif isinstance(constraint, Iterable) and not isinstance(constraint, str | Sum):
                try:
                    self.add(*constraint)
                except RecursionError:
                    raise BadInput("add(): a list of constraints contains itself") from None
            else:
                raise statements.no_constraint(constraint)

    def when(self, condition: Any, *constraints: Any) -> Any:
        r"""Add constraints that must hold only where the condition is true.

        Without constraints the result is a context: the constraints that are added in it are conditional.

        Parameters
        ----------
        condition:
            A literal, or a condition such as ``x <= 3``.
        *constraints:
            Anything that :meth:`add` takes.

        Returns
        -------
        Any
            A context without constraints, else None.

        Raises
        ------
        BadInput
            If the condition is neither a literal nor a condition.

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
        context = _pushed(self._premises, condition)
        if not constraints:
            return context
        with context:
            self.add(*constraints)
        return None

    def _state(self, constraint: Constraint) -> None:
        if isinstance(constraint, WithVariables):
            size, integers = self._names.length, self.integers_by_number
            check_known(constraint.kind, constraint.variables(), size, integers, of_booleans=False)
        elif (numbers := getattr(constraint, "numbers", None)) is not None:
            self._check_numbers("rows" if isinstance(constraint, Cardinalities) else "arcs", numbers)
        else:
            of_booleans = not hasattr(constraint, "variables")
            self._check_known(constraint.kind, variables_of(constraint), of_booleans=of_booleans)
        if self._premises:
            premises = self._premises
            constraint = When(premises[0] if len(premises) == 1 else Conjunction(premises), constraint)
        if self._open_groups:
            self._group_of[len(self.constraints)] = self._open_groups[-1]
        self.constraints.append(constraint)

    def _check_numbers(self, what: str, numbers: NDArray[np.integer]) -> None:
        check_numbers(what, numbers, len(self), self.integers_by_number)

    def _check_known(self, what: str, variables: Iterable[Any], *, of_booleans: bool = False) -> None:
        check_known(what, variables, self._names.length, self.integers_by_number, of_booleans=of_booleans)

    # -- objectives --------------------------------------------------------------------------------------

    @property
    def objective(self) -> Objective | None:
        """The first objective, with the weights of violated soft constraints; None if there is neither."""
        return self.objectives[0] if self._objectives or self._soft else None

    @property
    def objectives(self) -> tuple[Objective, ...]:
        """All objectives, the most important one first."""
        if not self._soft:
            return tuple(self._objectives)
        first, *others = self._objectives or [statements.NO_OBJECTIVE]
        sign = 1 if first.sense == "minimise" else -1
        terms = [*first.total.terms, *((sign * weight, ~kept) for weight, kept in self._soft)]
        return Objective(first.sense, Sum(terms, first.total.constant)), *others

    def minimise(self, total: Any) -> None:
        """Minimise a sum of weights of literals, ``{literal: weight}``, or an expression.

        It replaces the objectives stated before.

        Parameters
        ----------
        total:
            The objective.
        """
        self._objectives = [self._objective("minimise", total)]

    def maximise(self, total: Any) -> None:
        """Maximise a sum of weights of literals, ``{literal: weight}``, or an expression.

        It replaces the objectives stated before.

        Parameters
        ----------
        total:
            The objective.
        """
        self._objectives = [self._objective("maximise", total)]

    def forget_objectives(self) -> None:
        """Drop all objectives, and the weights of soft constraints."""
        self._objectives.clear()
        self._soft.clear()

    def keep_only(self, objective: Objective) -> None:
        """Drop all objectives and the weights of soft constraints except this one.

        Parameters
        ----------
        objective:
            The objective that stays.
        """
        self.forget_objectives()
        self._objectives.append(objective)

    def then_minimise(self, total: Any) -> None:
        """Minimise a further sum, among the solutions that are best by all objectives before.

        The objectives are lexicographic: each decides between solutions that are equal by those before.

        Parameters
        ----------
        total:
            As for :meth:`minimise`.

        Examples
        --------
        >>> from ktsolve import solve
        >>> model = Model()
        >>> x, y = model.integers(2, 0, 9)
        >>> model.add(x + y >= 7)
        >>> model.minimise(x + y); model.then_maximise(x)
        >>> solve(model)[x, y]
        (7, 0)
        """
        self._then("minimise", total)

    def then_maximise(self, total: Any) -> None:
        """Maximise a further sum, among the solutions that are best by all objectives before.

        Parameters
        ----------
        total:
            As for :meth:`minimise`.
        """
        self._then("maximise", total)

    def _then(self, sense: str, total: Any) -> None:
        if not self._objectives and not self._soft:
            raise BadInput(f"then_{sense} follows another objective: call minimise or maximise first")
        if not self._objectives:
            self._objectives = [statements.NO_OBJECTIVE]
        self._objectives.append(self._objective(sense, total))

    def _objective(self, sense: str, given: Any) -> Objective:
        found = statements.objective_of(sense, given)
        self._check_known("objective", found.total.variables())
        return found

    def soft(self, constraint: Any, weight: int = 1) -> Literal:
        """Add a constraint that may be violated, at the cost of a weight.

        The weights of the violated ones are added to the first objective, or subtracted if that is maximised.
        Without an objective their sum is minimised.

        Parameters
        ----------
        constraint, weight:
            Anything that :meth:`Model.add` takes, and a whole number from 1.

        Returns
        -------
        Literal
            It is true where the constraint is kept.

        Raises
        ------
        BadInput
            For a weight that is not a whole number from 1.

        Examples
        --------
        >>> from ktsolve import solve
        >>> model = Model()
        >>> a, b = model.booleans("ab")
        >>> model.exactly(1, [a, b])
        >>> kept = [model.soft(a), model.soft(b, 3)]
        >>> answer = solve(model)
        >>> answer.value, answer[kept]
        (1, [False, True])
        """
        if isinstance(weight, bool) or not hasattr(weight, "__index__") or int(weight) < 1:
            raise BadInput(
                f"the weight of a soft constraint is {weight!r:.40}, but must be a whole number from 1"
            )
        if isinstance(constraint, Literal):
            self._check_known("soft constraint", [constraint])
            kept = constraint
        else:
            number = len(self._soft) + 1
            while self.has(f"soft {number}"):
                number += 1
            kept = self.boolean(f"soft {number}")
            self._hidden.add(kept.number)
            self.when(kept, constraint)
            if isinstance(constraint, Logic):
                self.when(~kept, ~constraint)  # type: ignore[operator]
        self._soft.append((int(weight), kept))
        return kept

    def suggest(self, values: Mapping[Any, int]) -> None:
        """Suggest values to engines that optimise. They may be incomplete, and need not satisfy the model.

        Parameters
        ----------
        values:
            The value of each variable.
        """
        self._check_known("suggestion", values)
        self.suggested |= statements.suggestion(values)

    # -- names -------------------------------------------------------------------------------------------

    def named(self, name: str) -> AbstractContextManager[None]:
        """Return a context: the constraints that are added in it get a name, by which cores list them.

        Several constraints may have one name; they form a group. Names may be nested: the inner one counts.

        Parameters
        ----------
        name:
            The name of the group.

        Returns
        -------
        AbstractContextManager[None]
            The context.

        Raises
        ------
        BadInput
            If the name is not a text.

        Examples
        --------
        >>> from ktsolve import unsat_core
        >>> model = Model()
        >>> x = model.integer("x", 0, 9)
        >>> for bound in 7, 3, 5:
        ...     with model.named(f"at most {bound}"):
        ...         model.add(x <= bound)
        >>> model.add(x >= 4)
        >>> unsat_core(model).names
        ('at most 3',)
        """
        if not isinstance(name, str):
            raise BadInput(f"the name of a constraint is a text, not {name!r:.40}")
        return _pushed(self._open_groups, name)

    @property
    def groups(self) -> dict[str, list[Constraint]]:
        """The named constraints, by their names, in the order in which they were added."""
        found: dict[str, list[Constraint]] = {}
        for number, name in self._group_of.items():
            found.setdefault(name, []).append(self.constraints[number])
        return found

    # -- exchange with CPMpy ----------------------------------------------------------------------------

    @classmethod
    def from_cpmpy(cls, source: Any, name: str = "model") -> Model:
        """Return the model that a model of CPMpy states; its variables keep their names.

        Circuits get Booleans for their arcs, which do not distinguish solutions. Needs the extra ``cpmpy``.

        Parameters
        ----------
        source, name:
            A model of CPMpy, and the name of the new model.

        Returns
        -------
        Model
            The model.

        Raises
        ------
        BadInput
            If the model has an expression that ktsolve has nothing for.
        """
        from ktsolve.model.io.cpmpy import state_cpmpy

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
        from ktsolve.model.io.cpmpy import cpmpy_model

        return cpmpy_model(self)

    # -- checking ----------------------------------------------------------------------------------------

    def broken(self, assignment: Assignment) -> Constraint | None:
        """Return the first constraint that an assignment violates, or None.

        A value outside of its integer's domain violates a comparison with the bound.

        Parameters
        ----------
        assignment:
            A value for each variable, by number.

        Returns
        -------
        Constraint or None
            The constraint; None if all hold.

        Raises
        ------
        BadInput
            If the number of values is wrong.
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
        """Return whether an assignment satisfies every constraint.

        Parameters
        ----------
        assignment:
            A value for each variable, by number.

        Returns
        -------
        bool
            True if all constraints hold.
        """
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


@contextmanager
def _pushed(stack: list[Any], item: Any) -> Iterator[None]:
    """Return a context in which the item is on top of the stack."""
    stack.append(item)
    try:
        yield
    finally:
        stack.pop()


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
