"""Models: named Booleans, constraints over them, and an optional objective.

A :class:`Model` states a question. It does not depend on any engine, nor on boards or tours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ktsolve.errors import BadInput
from ktsolve.model.constraints import (
    Assignment,
    Cardinalities,
    Cardinality,
    Circuit,
    Clause,
    Constraint,
    Implication,
    Linear,
    Literal,
    Path,
    subcircuit,
)
from ktsolve.model.constraints.block import Rows, as_rows

__all__ = ["Model", "Objective"]


@dataclass(frozen=True)
class Objective:
    """A weighted sum of literals that is to be minimised or maximised."""

    sense: str
    total: Linear


class Model:
    """Booleans, constraints and an optional objective.

    Examples
    --------
    Exactly two of a, b and c are true, and b implies c.

    >>> model = Model("pair")
    >>> a, b, c = (model.boolean(name) for name in "abc")
    >>> model.exactly(2, [a, b, c])
    >>> model.implies(b, c)
    >>> print(model)
    model pair: 3 Booleans, 2 constraints
      exactly 2 of {a, b, c}
      b => c
    >>> model.holds([False, True, True]), model.broken([True, True, False]).kind
    (True, 'implication')
    """

    def __init__(self, name: str = "model") -> None:
        self.name = name
        self.names: list[str] = []
        self.constraints: list[Constraint] = []
        self.objective: Objective | None = None
        self._numbers: dict[str, int] = {}
        self._shown: tuple[Literal, ...] | None = None
        self.suggested: dict[Literal, bool] = {}

    # -- variables --------------------------------------------------------------------------------------

    def boolean(self, name: str) -> Literal:
        """Add a Boolean and return its literal. Names are unique."""
        if name in self._numbers:
            raise BadInput(f"the model already has a Boolean named {name!r}: choose another name")
        self._numbers[name] = len(self.names)
        self.names.append(name)
        return Literal(self._numbers[name])

    def has(self, name: str) -> bool:
        """Return whether the model has a Boolean of that name."""
        return name in self._numbers

    def booleans(self, names: Iterable[str]) -> list[Literal]:
        """Add Booleans and return their literals, in order. Raises BadInput for the first name that exists.

        >>> Model().booleans(["a", "b"])
        [Literal(number=0, positive=True), Literal(number=1, positive=True)]
        """
        added = list(names)
        first = len(self.names)
        numbers = dict(zip(added, range(first, first + len(added)), strict=True))
        if len(numbers) < len(added) or not self._numbers.keys().isdisjoint(numbers):
            return [self.boolean(name) for name in added]
        self._numbers |= numbers
        self.names += added
        return [Literal(number) for number in numbers.values()]

    def add_booleans(self, count: int, name: str = "x") -> NDArray[np.int64]:
        """Add many Booleans, and return the numbers of their literals, for :meth:`add_clauses`.

        They are named ``x1``, ``x2`` and so on, by their numbers. Raises BadInput if a name exists.

        >>> Model().add_booleans(3).tolist()
        [1, 2, 3]
        """
        if count < 0:
            raise BadInput(f"{count} Booleans cannot be added: give their number, from 0")
        first = len(self.names)
        names = [f"{name}{number}" for number in range(first + 1, first + count + 1)]
        numbers = dict(zip(names, range(first, first + count), strict=True))
        if known := self._numbers.keys() & numbers.keys():
            raise BadInput(f"the model already has a Boolean named {min(known)!r}: choose another name")
        self._numbers |= numbers
        self.names += names
        return np.arange(first + 1, first + count + 1)

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, name: str) -> Literal:
        if name not in self._numbers:
            raise BadInput(f"the model has no Boolean named {name!r}: add it with boolean()")
        return Literal(self._numbers[name])

    def name_of(self, literal: Literal) -> str:
        """Return the name of a literal; ``not`` precedes the name of a negated one."""
        name = self.names[literal.number]
        return name if literal.positive else f"not {name}"

    @property
    def shown(self) -> tuple[Literal, ...]:
        """The Booleans that distinguish solutions in a list of solutions; by default all Booleans."""
        return tuple(Literal(i) for i in range(len(self.names))) if self._shown is None else self._shown

    def show(self, literals: Iterable[Literal]) -> None:
        """Distinguish solutions by these Booleans only."""
        chosen = tuple([x if x.positive else ~x for x in literals])
        self._check_known("list of shown Booleans", chosen)
        self._shown = chosen

    # -- constraints ------------------------------------------------------------------------------------

    def add(self, constraint: Constraint) -> None:
        """Add a constraint object."""
        if isinstance(constraint, Cardinalities):
            self._check_block(constraint)
        else:
            self._check_known(constraint.kind, constraint.literals())
        self.constraints.append(constraint)

    def _check_block(self, block: Cardinalities) -> None:
        known = len(self.names)
        if (largest := int(np.abs(block.numbers).max(initial=0))) > known:
            raise BadInput(
                f"the rows have a literal of number {largest}, but the model has {known} Booleans, "
                f"with literals 1 to {known}"
            )

    def _check_known(self, what: str, literals: Iterable[Literal]) -> None:
        number_of_booleans = len(self.names)
        for literal in literals:
            if not 0 <= literal[0] < number_of_booleans:
                article = "an" if what[0] in "aeiou" else "a"
                raise BadInput(
                    f"{article} {what} names Boolean number {literal.number}, but the model has "
                    f"{len(self.names)} Booleans, numbered from 0"
                )

    def clause(self, *literals: Literal) -> None:
        """Add that at least one of the literals is true."""
        self.add(Clause(literals))

    def fix(self, literal: Literal) -> None:
        """Add that the literal is true."""
        self.add(Clause((literal,)))

    def implies(self, premises: Literal | Sequence[Literal], conclusion: Literal) -> None:
        """Add that the conclusion is true if all premises are true."""
        given = (premises,) if isinstance(premises, Literal) else tuple(premises)
        self.add(Implication(given, conclusion))

    def equal(self, first: Literal, second: Literal) -> None:
        """Add that both literals have the same value."""
        self.implies(first, second)
        self.implies(second, first)

    def exactly(self, number: int, literals: Iterable[Literal]) -> None:
        """Add that exactly ``number`` of the literals are true."""
        self.add(Cardinality(tuple(literals), number, number))

    def at_least(self, number: int, literals: Iterable[Literal]) -> None:
        """Add that at least ``number`` of the literals are true."""
        self.add(Cardinality(tuple(literals), number, None))

    def at_most(self, number: int, literals: Iterable[Literal]) -> None:
        """Add that at most ``number`` of the literals are true."""
        self.add(Cardinality(tuple(literals), None, number))

    def linear(
        self, terms: Mapping[Literal, int], *, least: int | None = None, most: int | None = None
    ) -> None:
        """Add that the sum of the weights of true literals lies between ``least`` and ``most``."""
        self.add(_weighted(terms, least, most))

    def add_clauses(self, rows: Rows) -> None:
        """Add many clauses, given as arrays of numbers: Boolean i is i + 1, its negation -(i + 1).

        Parameters
        ----------
        rows:
            A matrix in which 0 is no literal, one array in which 0 ends each clause, a pair of arrays
            ``(numbers, offsets)``, or lists; see :func:`~ktsolve.model.constraints.block.as_rows`.

        Examples
        --------
        >>> model = Model()
        >>> x = model.add_booleans(4)
        >>> model.add_clauses(np.column_stack([-x[:-1], x[1:]]))
        >>> print(model)
        model model: 4 Booleans, 1 constraints
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
        self.add(Cardinalities(numbers, offsets, least, most))

    def circuit(
        self,
        nodes: int,
        arcs: Iterable[tuple[int, int, Literal]],
        *,
        directed: bool = False,
        labels: Sequence[str] = (),
    ) -> None:
        """Add that the true arcs form one cycle through all nodes; see :class:`Circuit`."""
        self.add(Circuit(nodes, tuple(arcs), directed, tuple(labels)))

    def path(
        self,
        nodes: int,
        arcs: Iterable[tuple[int, int, Literal]],
        ends: Sequence[Literal] | None = None,
        *,
        labels: Sequence[str] = (),
    ) -> None:
        """Add that the true edges form one path through all nodes; see :class:`Path`.

        Without ``ends`` the model gets new Booleans ``end[label]``.
        """
        if ends is None:
            shown = labels or [str(v) for v in range(nodes)]
            ends = [self.boolean(f"end[{label}]") for label in shown]
        self.add(Path(nodes, tuple(arcs), tuple(ends), tuple(labels)))

    def subcircuit(
        self,
        nodes: int,
        arcs: Iterable[tuple[int, int, Literal]],
        present: Sequence[Literal | bool] | None = None,
        *,
        directed: bool = False,
        empty: bool = False,
        labels: Sequence[str] = (),
    ) -> None:
        """Add that the true arcs form one cycle through some of the nodes; see :class:`Subcircuit`.

        The nodes that are not visited can be given in two ways: by ``present``, or by loops ``(v, v, x)``
        among the arcs, where x is true exactly if node v is not visited. Nodes without a loop are then
        visited.
        """
        self.add(subcircuit(nodes, arcs, present, directed=directed, empty=empty, labels=labels))

    def minimise(self, terms: Mapping[Literal, int]) -> None:
        """Minimise the sum of the weights of true literals."""
        self._set_objective("minimise", terms)

    def maximise(self, terms: Mapping[Literal, int]) -> None:
        """Maximise the sum of the weights of true literals."""
        self._set_objective("maximise", terms)

    def _set_objective(self, sense: str, terms: Mapping[Literal, int]) -> None:
        total = _weighted(terms, None, None)
        self._check_known("objective", total.literals())
        self.objective = Objective(sense, total)

    def suggest(self, values: Mapping[Literal, bool]) -> None:
        """Suggest values to engines that optimise. They may be incomplete, and need not satisfy the model."""
        self._check_known("suggestion", values)
        self.suggested.update(values)

    # -- checking ----------------------------------------------------------------------------------------

    def broken(self, assignment: Assignment) -> Constraint | None:
        """Return the first constraint that an assignment violates, or None."""
        if len(assignment) != len(self.names):
            raise BadInput(
                f"the assignment has {len(assignment)} values, but the model {len(self.names)} Booleans"
            )
        return next((c for c in self.constraints if not c.holds(assignment)), None)

    def holds(self, assignment: Assignment) -> bool:
        """Return whether an assignment satisfies every constraint."""
        return self.broken(assignment) is None

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of the constraints, and ``objective`` if the model has one."""
        kinds = {constraint.kind for constraint in self.constraints}
        return frozenset(kinds | ({"objective"} if self.objective else set()))

    # -- text -------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        lines = [f"model {self.name}: {len(self.names)} Booleans, {len(self.constraints)} constraints"]
        if self.objective is not None:
            lines.append(f"  {self.objective.sense} {self.objective.total.text(self.name_of)}")
        lines.extend(f"  {constraint.text(self.name_of)}" for constraint in self.constraints)
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Model {self.name}: {len(self.names)} Booleans, {len(self.constraints)} constraints>"


def _weighted(terms: Mapping[Literal, int], least: int | None, most: int | None) -> Linear:
    for weight in terms.values():
        if not isinstance(weight, int):
            raise BadInput(f"a weight is {weight!r:.40}, but must be a whole number: scale all weights")
    return Linear(tuple((weight, literal) for literal, weight in terms.items()), least, most)
