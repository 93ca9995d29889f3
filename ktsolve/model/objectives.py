"""Objectives, soft constraints, suggested values, and names of constraints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.model.constraints import Constraint, Linear, variables_of
from ktsolve.model.expressions import Logic, Sum, plain_name, sum_of
from ktsolve.model.statements import Statements, weighted
from ktsolve.model.variables import Integer, Literal

__all__ = ["Objective", "Objectives"]


@dataclass(frozen=True)
class Objective:
    """A sum that is to be minimised or maximised.

    Attributes
    ----------
    total:
        A weighted sum of literals, or any expression: both have ``terms``, ``constant`` and ``value``.
    """

    sense: str
    total: Linear | Sum


class Objectives(Statements):
    """The methods of a model for objectives, soft constraints and names of constraints."""

    constraints: list[Constraint]

    def __init__(self) -> None:
        self._objectives: list[Objective] = []
        self._soft: list[tuple[int, Literal]] = []
        self._hidden: set[int] = set()
        self._open_groups: list[str] = []
        self._group_of: dict[int, str] = {}
        self.suggested: dict[Literal | Integer, int] = {}

    def when(self, condition: Any, *constraints: Any) -> Any:
        """Add constraints that must hold only where the condition is true."""
        raise NotImplementedError

    def has(self, name: str) -> bool:
        """Return whether the model has a variable of that name."""
        raise NotImplementedError

    def _check_known(self, what: str, variables: Iterable[Any]) -> None:
        raise NotImplementedError

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
        first, *others = self._objectives or [Objective("minimise", Sum([]))]
        sign = 1 if first.sense == "minimise" else -1
        terms = [*first.total.terms, *((sign * weight, ~kept) for weight, kept in self._soft)]
        return Objective(first.sense, Sum(terms, first.total.constant)), *others

    def minimise(self, total: Any) -> None:
        """Minimise a sum of weights of literals, ``{literal: weight}``, or an expression.

        It takes the place of all objectives before.
        """
        self._objectives = [self._objective("minimise", total)]

    def maximise(self, total: Any) -> None:
        """Maximise a sum of weights of literals, ``{literal: weight}``, or an expression.

        It takes the place of all objectives before.
        """
        self._objectives = [self._objective("maximise", total)]

    def forget_objectives(self) -> None:
        """Drop all objectives, and the weights of soft constraints."""
        self._objectives.clear()
        self._soft.clear()

    def keep_only(self, objective: Objective) -> None:
        """Drop all objectives and the weights of soft constraints, but this one."""
        self.forget_objectives()
        self._objectives.append(objective)

    def then_minimise(self, total: Any) -> None:
        """Minimise a further sum, among the solutions that are best by all objectives before.

        The objectives are lexicographic: each decides between solutions that are equal by those before.

        >>> from ktsolve import Model, solve
        >>> model = Model()
        >>> x, y = model.integers(2, 0, 9)
        >>> model.add(x + y >= 7)
        >>> model.minimise(x + y); model.then_maximise(x)
        >>> solve(model)[x, y]
        (7, 0)
        """
        self._then("minimise", total)

    def then_maximise(self, total: Any) -> None:
        """Maximise a further sum, among the solutions that are best by all objectives before."""
        self._then("maximise", total)

    def _then(self, sense: str, total: Any) -> None:
        if not self._objectives and not self._soft:
            raise BadInput(f"then_{sense} follows another objective: call minimise or maximise first")
        if not self._objectives:
            self._objectives = [Objective("minimise", Sum([]))]
        self._objectives.append(self._objective(sense, total))

    def _objective(self, sense: str, given: Any) -> Objective:
        total = weighted(given, None, None) if isinstance(given, Mapping) else sum_of(given)
        if total is None:
            raise BadInput(f"an objective is an expression or {{literal: weight}}, not {given!r:.40}")
        self._check_known("objective", variables_of(total))  # type: ignore[arg-type]
        return Objective(sense, total)

    def soft(self, constraint: Any, weight: int = 1) -> Literal:
        """Add a constraint that may be violated, at the cost of a weight.

        The weights of the violated ones are added to the first objective, or subtracted if that is maximised.
        Without an objective their sum is minimised.

        Parameters
        ----------
        constraint:
            Anything that :meth:`Model.add` takes.
        weight:
            A whole number from 1.

        Returns
        -------
        Literal
            It is true where the constraint is kept.

        Examples
        --------
        >>> from ktsolve import Model, solve
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
        """Suggest values to engines that optimise. They may be incomplete, and need not satisfy the model."""
        self._check_known("suggestion", values)
        for variable, value in values.items():
            low, high = variable.bounds
            whole = hasattr(value, "__index__") or hasattr(value, "dtype")  # a truth value of numpy
            if not whole or not low <= value <= high:
                raise BadInput(
                    f"the suggestion {value!r:.40} is no value of {plain_name(variable)}: "
                    f"give a whole number from {low} to {high}"
                )
        for variable, value in values.items():
            if getattr(variable, "positive", True):
                self.suggested[variable] = int(value)
            else:
                self.suggested[~variable] = int(not value)

    # -- names -------------------------------------------------------------------------------------------

    @contextmanager
    def named(self, name: str) -> Iterator[None]:
        """Return a context: the constraints that are added in it get a name, by which cores list them.

        Several constraints may have one name; they form a group. Names may be nested: the inner one counts.

        >>> from ktsolve import Model, unsat_core
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
        self._open_groups.append(name)
        try:
            yield
        finally:
            self._open_groups.pop()

    def _name_next(self) -> None:
        """Give the constraint that is added next the name of the open context."""
        if self._open_groups:
            self._group_of[len(self.constraints)] = self._open_groups[-1]

    @property
    def groups(self) -> dict[str, list[Constraint]]:
        """The named constraints, by their names, in the order in which they were added."""
        found: dict[str, list[Constraint]] = {}
        for number, name in self._group_of.items():
            found.setdefault(name, []).append(self.constraints[number])
        return found
