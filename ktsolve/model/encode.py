"""Models as clauses: shared by the SAT engine and the CNF and OPB exports.

The SAT engine encodes only the degree constraints of a circuit and adds subtour cuts lazily, unless the
caller names an eager encoding. An export must be complete and always uses an eager encoding
(:mod:`ktsolve.model.hamiltonian`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ktsolve.base.errors import BadInput
from ktsolve.model.clauses import CARDINALITIES
from ktsolve.model.constraints import (
    AllDifferent,
    Cardinalities,
    Cardinality,
    Clause,
    Implication,
    Integer,
    Inverse,
    LexLess,
    Linear,
    Literal,
    Table,
    When,
)
from ktsolve.model.encode_expressions import Expressions, number, numbers
from ktsolve.model.expressions import Condition
from ktsolve.model.hamiltonian import ENCODINGS
from ktsolve.model.loops.forms import LOOPS, Form, loop_form
from ktsolve.model.model import Model
from ktsolve.model.order import TRUE, Ordered

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["CARDINALITIES", "EAGER", "Encoder", "encode", "number", "numbers"]

EAGER = tuple(ENCODINGS)
"""Names of the eager circuit encodings."""


class Encoder(Expressions):
    """The clauses of a model: variable i of the model is variable i + 1, auxiliary variables follow.

    The variable of an integer is its first order literal (:mod:`ktsolve.model.order`).

    Parameters
    ----------
    model:
        The model whose variables keep their numbers.
    cardinality:
        One of :data:`CARDINALITIES`.

    Attributes
    ----------
    loops:
        The loops that were added and are not encoded yet.
    """

    def __init__(self, model: Model, cardinality: str = "seqcounter") -> None:
        super().__init__(len(model), cardinality)
        self._model = model
        self.loops: list[Form] = []
        self.add_integers()

    def add_integers(self) -> None:
        """Give the integers of the model that are new their literals."""
        for number_of_integer, integer in self._model.integers_by_number.items():
            if number_of_integer not in self.integers:
                self.add_integer(integer)

    def assignment(self, true: NDArray[np.bool_]) -> list[int]:
        """Return the values of the model's variables.

        Parameters
        ----------
        true:
            For each DIMACS variable whether it is true; the first entry is unused.
        """
        values: list[int] = true[1 : len(self._model) + 1].tolist()
        for integer, ordered in self.integers.items():
            values[integer] = ordered.values[int(true[ordered.literals].sum()) if ordered.literals else 0]
        return values

    def truth(self, assignment: Sequence[int]) -> NDArray[np.bool_]:
        """Return the truth of each DIMACS variable of the model's variables; the others are false."""
        import numpy as np

        true = np.zeros(self.variables + 1, dtype=np.bool_)
        true[1 : len(assignment) + 1] = assignment
        for integer, ordered in self.integers.items():
            true[integer + 1] = False
            true[ordered.literals[: assignment[integer] - ordered.values[0]]] = True
        return true

    def other_value(self, variable: Literal | Integer, value: int) -> list[int]:
        """Return literals of which one is true exactly if the variable has another value."""
        if isinstance(variable, Literal):
            return [-number(variable) if bool(value) == variable.positive else number(variable)]
        differs = self.differs(self.integers[variable.number], value)
        return [literal for literal in differs if literal != -TRUE]

    def add(self, constraint: Any, unless: Sequence[int] = ()) -> None:
        """Encode a constraint. Loops become forms (:attr:`loops`), for the caller to encode.

        Parameters
        ----------
        unless:
            Literals, each of which lifts the constraint.
        """
        match constraint:
            case Clause():
                clause = numbers(constraint.members)
                self.clauses.append([*unless, *clause] if unless else clause)
            case Implication():
                self.clauses.append(
                    [*unless, *(-number(p) for p in constraint.premises), number(constraint.conclusion)]
                )
            case Cardinality():
                self._counted(numbers(constraint.members), constraint.least, constraint.most, unless)
            case Cardinalities() if constraint.are_clauses and not unless:
                self.clauses.extend(constraint.lists())
            case Cardinalities():
                for members in constraint.lists():
                    self._counted(members, constraint.least, constraint.most, unless)
            case Linear():
                terms = [(weight, number(literal)) for weight, literal in constraint.terms]
                self.weighted(terms, constraint.least, constraint.most, unless)
            case Condition():
                self.require(constraint, unless)
            case When():
                lifted = [*unless, *self.false_literals(constraint.condition)]
                if TRUE not in lifted:
                    self.add(constraint.constraint, lifted)
            case AllDifferent():
                self.all_different(constraint, unless)
            case Table():
                self.table(constraint, unless)
            case Inverse() | LexLess():
                for each in constraint.decomposed():
                    self.require(each, unless)
            case _ if isinstance(constraint, LOOPS):
                lifting = [literal for literal in unless if literal != -TRUE]
                self.loops.append(loop_form(constraint, self, lifting))
            case _:
                raise BadInput(f"a {constraint.kind} has no plain encoding as clauses")

    def complete_loops(self, encoding: str) -> None:
        """Encode the loops that were added, completely, by an eager encoding."""
        for form in self.loops:
            form.complete(self, encoding)
        self.loops = []

    def _counted(
        self, members: list[int], least: int | None, most: int | None, unless: Sequence[int]
    ) -> None:
        if unless:
            self.bounded([Ordered((0, 1), [member]) for member in members], least, most, unless)
            return
        if least is not None:
            self.at_least(least, members)
        if most is not None:
            self.at_least(len(members) - most, [-m for m in members])


def encode(model: Model, *, circuits: str = "one-hot", cardinality: str = "seqcounter") -> Encoder:
    """Encode all constraints of a model.

    The solutions of the clauses, restricted to the model's Booleans, are exactly the solutions of the model.

    Parameters
    ----------
    circuits:
        Name of the eager encoding of loops, from :data:`EAGER`.
    cardinality:
        Name of the cardinality encoding, from :data:`CARDINALITIES`.

    Examples
    --------
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
