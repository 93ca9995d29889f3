"""Clauses, implications, cardinalities, blocks of these, weighted sums, and constraints under a condition.

A model of a large board has millions of clauses. A block keeps their literals as numbers in one array, and
has no Python object for a literal or a row. Literals are numbered as in DIMACS files: Boolean i is i + 1,
its negation -(i + 1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.errors import BadInput
from ktsolve.model.constraints.deferred import Literals
from ktsolve.model.expressions import Assignment, Namer, Sum, WithVariables
from ktsolve.model.variables import Literal, number

__all__ = ["Cardinalities", "Cardinality", "Clause", "Constraint", "Implication", "Linear", "When"]


class Constraint(Protocol):
    """The interface of all constraints. Those on integers have ``variables`` too."""

    kind: ClassVar[str]

    def holds(self, assignment: Assignment) -> bool:
        """Return whether an assignment satisfies the constraint."""

    def literals(self) -> Iterable[Literal]:
        """Return the literals of the constraint."""

    def text(self, name: Namer, /) -> str:
        """Return the constraint as text."""


def variables_of(constraint: Constraint) -> Iterable[Any]:
    """Return the literals and integer variables of a constraint."""
    variables = getattr(constraint, "variables", None)
    return constraint.literals() if variables is None else variables()


@dataclass(frozen=True)
class Clause:
    """At least one of the literals is true."""

    kind: ClassVar[str] = "clause"
    members: tuple[Literal, ...]

    def holds(self, assignment: Assignment) -> bool:
        return any(literal.holds(assignment) for literal in self.members)

    def literals(self) -> Iterable[Literal]:
        return self.members

    def text(self, name: Namer) -> str:
        """``a or not b``."""
        return " or ".join(map(name, self.members)) or "false"


@dataclass(frozen=True)
class Implication:
    """If all the premises are true, the conclusion is true."""

    kind: ClassVar[str] = "implication"
    premises: tuple[Literal, ...]
    conclusion: Literal

    def holds(self, assignment: Assignment) -> bool:
        return self.conclusion.holds(assignment) or not all(p.holds(assignment) for p in self.premises)

    def literals(self) -> Iterable[Literal]:
        return (*self.premises, self.conclusion)

    def text(self, name: Namer) -> str:
        """``a and b => c``."""
        return f"{' and '.join(map(name, self.premises)) or 'true'} => {name(self.conclusion)}"


class _Bounded:
    """A weighted sum of true literals lies between two bounds."""

    constant: ClassVar[int] = 0
    terms: Sequence[tuple[int, Literal]]
    least: int | None
    most: int | None

    def value(self, assignment: Assignment) -> int:
        """Return the weighted sum."""
        return sum(weight for weight, literal in self.terms if literal.holds(assignment))

    def holds(self, assignment: Assignment) -> bool:
        value = self.value(assignment)
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def literals(self) -> Iterable[Literal]:
        return (literal for _, literal in self.terms)

    def comparisons(self) -> list[tuple[str, int]]:
        """Return the signs and bounds that the sum is compared with."""
        if self.least is not None and self.least == self.most:
            return [("==", self.least)]
        return [(sign, x) for sign, x in ((">=", self.least), ("<=", self.most)) if x is not None]


@dataclass(frozen=True)
class Cardinality(_Bounded):
    """The number of true literals lies between ``least`` and ``most``; None for no bound."""

    kind: ClassVar[str] = "cardinality"
    members: tuple[Literal, ...]
    least: int | None
    most: int | None

    @property
    def terms(self) -> list[tuple[int, Literal]]:  # type: ignore[override]
        """The members with weight 1."""
        return [(1, literal) for literal in self.members]

    def text(self, name: Namer) -> str:
        """``exactly 2 of {a, b, c}``."""
        match self.least, self.most:
            case None, None:
                bound = "any number"
            case least, None:
                bound = f"at least {least}"
            case None, most:
                bound = f"at most {most}"
            case least, most:
                bound = f"exactly {least}" if least == most else f"{least} to {most}"
        return f"{bound} of {{{', '.join(map(name, self.members))}}}"


@dataclass(frozen=True)
class Linear(_Bounded):
    """A weighted sum of true literals lies between ``least`` and ``most``; None for no bound."""

    kind: ClassVar[str] = "linear"
    terms: tuple[tuple[int, Literal], ...]
    least: int | None
    most: int | None

    def text(self, name: Namer) -> str:
        """``3 <= 2*a - b <= 5``."""
        body = Sum([*self.terms]).text(name)
        if self.least is not None and self.least == self.most:
            return f"{body} = {self.least}"
        low = "" if self.least is None else f"{self.least} <= "
        high = "" if self.most is None else f" <= {self.most}"
        return f"{low}{body}{high}"


class When(WithVariables):
    """If the condition, a literal or such as a comparison, is true, the constraint holds.

    Constraints may be conditional themselves.
    """

    kind: ClassVar[str] = "when"

    def __init__(self, condition: Any, constraint: Constraint) -> None:
        self.condition, self.constraint = condition, constraint

    def holds(self, assignment: Assignment) -> bool:
        return not self.condition.holds(assignment) or self.constraint.holds(assignment)

    def variables(self) -> Iterator[Any]:
        return chain(self.condition.variables(), variables_of(self.constraint))

    def text(self, name: Namer, /) -> str:
        """``when b: x <= 3``."""
        return f"when {self.condition.text(name)}: {self.constraint.text(name)}"


Rows = Any
"""Rows of literals, as :func:`as_rows` takes them."""

_FORMS = (
    "give a matrix of whole numbers, one array with 0 after each row, a pair (numbers, offsets), or lists "
    "of literals"
)


@dataclass(frozen=True, eq=False)
class Cardinalities:
    """In each row, the number of true literals lies between ``least`` and ``most``; None for no bound.

    The numbers are the literals of all rows, one row after the other, as in DIMACS files; the offsets are the
    places where rows begin, and the length of the numbers.

    >>> import numpy as np
    >>> block = Cardinalities(np.array([1, -2, 2]), np.array([0, 2, 3]), 1, None)
    >>> len(block), block.holds([False, True]), block.holds([False, False])
    (2, False, False)
    >>> block.text(lambda literal: f"{'' if literal.positive else 'not '}{'ab'[literal.number]}")
    '2 clauses: a or not b; b'
    """

    kind: ClassVar[str] = "cardinalities"
    numbers: NDArray[np.int32]
    offsets: NDArray[np.int64]
    least: int | None
    most: int | None

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def are_clauses(self) -> bool:
        """Whether each row is a clause: at least one literal is true."""
        return self.least == 1 and self.most is None

    def holds(self, assignment: Assignment) -> bool:
        # Row sums as differences: np.add.reduceat takes no empty rows.
        true = Literals(self.numbers).hold(assignment)
        counts = np.diff(np.concatenate(([0], np.cumsum(true)))[self.offsets])
        within = (self.least is None or counts >= self.least) & (self.most is None or counts <= self.most)
        return bool(np.all(within))

    def booleans(self) -> NDArray[np.int64]:
        """Return the Booleans of the block, sorted, each once."""
        return np.unique(np.abs(self.numbers)).astype(np.int64) - 1

    def literals(self) -> Iterable[Literal]:
        """Return the literals of all rows. Slow for large blocks: prefer :meth:`booleans`."""
        return Literals(self.numbers)

    def lists(self) -> Iterator[list[int]]:
        """Yield the rows as lists of numbers."""
        numbers, bounds = self.numbers.tolist(), self.offsets.tolist()
        return (numbers[a:b] for a, b in pairwise(bounds))

    def rows(self) -> Iterator[Clause | Cardinality]:
        """Yield each row as a constraint of its own."""
        for row in self.lists():
            members = tuple([Literal(abs(x) - 1, x > 0) for x in row])
            yield Clause(members) if self.are_clauses else Cardinality(members, self.least, self.most)

    def text(self, name: Namer) -> str:
        """``2 clauses: a or not b; b``."""
        what = "clause" if self.are_clauses else "row"
        body = "; ".join(row.text(name) for row in self.rows())
        return f"{len(self)} {what}{'' if len(self) == 1 else 's'}{': ' if body else ''}{body}"


def as_rows(rows: Rows) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the literals of all rows, and the place where each row begins, with the end of the last one.

    Rows are a matrix of numbers, in which 0 is not a literal; or one array in which 0 ends each row, as in
    DIMACS files; or a pair of arrays ``(numbers, offsets)``, the second with the place where each row begins
    and the end; or an iterable of sequences of numbers or of :class:`Literal`. Raises BadInput for others.

    >>> import numpy as np
    >>> [array.tolist() for array in as_rows(np.array([[1, -2], [3, 0]]))]
    [[1, -2, 3], [0, 2, 3]]
    >>> [array.tolist() for array in as_rows([[Literal(0), ~Literal(1)], [Literal(2)]])]
    [[1, -2, 3], [0, 2, 3]]
    """
    if isinstance(rows, tuple) and len(rows) == 2 and all(isinstance(x, np.ndarray) for x in rows):
        numbers, offsets = _whole(rows[0]), _whole(rows[1])
        ends = offsets[[0, -1]].tolist() if len(offsets) else None
        rising = numbers.ndim == offsets.ndim == 1 and bool((np.diff(offsets) >= 0).all())
        if not rising or ends != [0, len(numbers)]:
            raise BadInput(
                f"the offsets of {len(numbers)} numbers must rise from 0 to {len(numbers)}: "
                "where each row begins, and the end"
            )
    elif isinstance(rows, np.ndarray) and rows.ndim == 2:
        matrix = _whole(rows)
        offsets = np.concatenate(([0], np.cumsum(np.count_nonzero(matrix, axis=1))))
        numbers = matrix[matrix != 0]
    elif isinstance(rows, np.ndarray):
        flat = _whole(rows)
        if flat.ndim != 1 or (len(flat) and flat[-1] != 0):
            raise BadInput(f"an array of {rows.ndim} dimensions must end each row in 0: {_FORMS}")
        at = np.flatnonzero(flat == 0)
        offsets = np.concatenate(([0], at - np.arange(len(at))))
        numbers = flat[flat != 0]
    else:
        numbers, offsets = _listed(rows)
    if len(numbers) and (not numbers.all() or int(np.abs(numbers).max()) >= 1 << 31):
        wrong = numbers[(numbers == 0) | (np.abs(numbers) >= 1 << 31)][0]
        raise BadInput(f"{wrong} is not a literal: Boolean i is the number i + 1, its negation -(i + 1)")
    return numbers.astype(np.int32), offsets.astype(np.int64)


def _whole(array: NDArray[Any]) -> NDArray[np.int64]:
    """The numbers of an array of whole numbers or of literals."""
    if array.dtype == object:
        found = np.array(list(map(_number, array.ravel().tolist())), dtype=np.int64)
        return found.reshape(array.shape)
    if array.dtype.kind not in "iu":
        raise BadInput(f"an array of {array.dtype} holds no literals: {_FORMS}")
    return array.astype(np.int64)


def _listed(rows: Iterable[Sequence[Any]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    try:
        lists = [list(row) for row in rows]
    except TypeError:
        raise BadInput(f"{rows!s:.40} is not rows of literals: {_FORMS}") from None
    offsets = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    numbers = np.array(list(map(_number, chain.from_iterable(lists))), dtype=np.int64)
    return numbers, offsets


def _number(value: object) -> int:
    """The number of a literal, or a number as it is."""
    if isinstance(value, Literal):
        return number(value)
    if isinstance(value, int | np.integer) and not isinstance(value, bool) and -(1 << 62) < value < 1 << 62:
        return int(value)
    raise BadInput(f"{value!r:.40} is not a literal: {_FORMS}")
