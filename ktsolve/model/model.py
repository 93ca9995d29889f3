"""The language: Booleans with names, constraints over them, an objective.

A :class:`Model` says what is wanted and nothing about how to find it. It knows no engine and no chess.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ktsolve.errors import BadInput
from ktsolve.model.constraints import (
    Assignment,
    Cardinality,
    Circuit,
    Clause,
    Constraint,
    Implication,
    Linear,
    Literal,
    Path,
    Subcircuit,
)

__all__ = ["Model", "Objective"]


@dataclass(frozen=True)
class Objective:
    """A weighted sum of literals, to be made as small or as large as possible."""

    sense: str
    total: Linear


class Model:
    """Booleans, constraints and an objective.

    Examples
    --------
    Two of three friends come, and b comes only with c.

    >>> model = Model("friends")
    >>> a, b, c = (model.boolean(name) for name in "abc")
    >>> model.exactly(2, [a, b, c])
    >>> model.implies(b, c)
    >>> print(model)
    model friends: 3 Booleans, 2 constraints
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
        """A new Boolean. Names are unique."""
        if name in self._numbers:
            raise BadInput(f"the model has a Boolean named {name!r} already")
        self._numbers[name] = len(self.names)
        self.names.append(name)
        return Literal(self._numbers[name])

    def has(self, name: str) -> bool:
        """Is there a Boolean of that name?"""
        return name in self._numbers

    def booleans(self, names: Iterable[str]) -> list[Literal]:
        """New Booleans with these names, in order. Raises BadInput at the first name that there is already.

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

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, name: str) -> Literal:
        if name not in self._numbers:
            raise BadInput(f"the model has no Boolean named {name!r}")
        return Literal(self._numbers[name])

    def name_of(self, literal: Literal) -> str:
        """Name of a literal, with ``not`` in front of a negated one."""
        name = self.names[literal.number]
        return name if literal.positive else f"not {name}"

    @property
    def shown(self) -> tuple[Literal, ...]:
        """The Booleans by which solutions are told apart when they are listed; all, unless said otherwise."""
        return tuple(Literal(i) for i in range(len(self.names))) if self._shown is None else self._shown

    def show(self, literals: Iterable[Literal]) -> None:
        """Tell solutions apart by these Booleans only."""
        shown = tuple([x if x.positive else ~x for x in literals])
        self._check_known("list of shown Booleans", shown)
        self._shown = shown

    # -- constraints ------------------------------------------------------------------------------------

    def add(self, constraint: Constraint) -> None:
        """Add a constraint made elsewhere."""
        self._check_known(constraint.kind, constraint.literals())
        self.constraints.append(constraint)

    def _check_known(self, what: str, literals: Iterable[Literal]) -> None:
        number_of_booleans = len(self.names)
        for literal in literals:
            if not 0 <= literal[0] < number_of_booleans:
                article = "an" if what[0] in "aeiou" else "a"
                raise BadInput(
                    f"{article} {what} speaks of Boolean number {literal.number}, which there is not: "
                    f"the model has {len(self.names)}"
                )

    def clause(self, *literals: Literal) -> None:
        """At least one of the literals is true."""
        self.add(Clause(literals))

    def fix(self, literal: Literal) -> None:
        """The literal is true."""
        self.add(Clause((literal,)))

    def implies(self, premises: Literal | Sequence[Literal], conclusion: Literal) -> None:
        """If all premises are true, so is the conclusion."""
        given = (premises,) if isinstance(premises, Literal) else tuple(premises)
        self.add(Implication(given, conclusion))

    def equal(self, first: Literal, second: Literal) -> None:
        """Both literals have the same value."""
        self.implies(first, second)
        self.implies(second, first)

    def exactly(self, number: int, literals: Iterable[Literal]) -> None:
        """Exactly ``number`` of the literals are true."""
        self.add(Cardinality(tuple(literals), number, number))

    def at_least(self, number: int, literals: Iterable[Literal]) -> None:
        """At least ``number`` of the literals are true."""
        self.add(Cardinality(tuple(literals), number, None))

    def at_most(self, number: int, literals: Iterable[Literal]) -> None:
        """At most ``number`` of the literals are true."""
        self.add(Cardinality(tuple(literals), None, number))

    def linear(
        self, terms: Mapping[Literal, int], *, least: int | None = None, most: int | None = None
    ) -> None:
        """The sum of the weights of true literals lies between ``least`` and ``most``."""
        self.add(_weighted(terms, least, most))

    def circuit(
        self,
        nodes: int,
        arcs: Iterable[tuple[int, int, Literal]],
        *,
        directed: bool = False,
        labels: Sequence[str] = (),
    ) -> None:
        """The true arcs form one cycle through all nodes; see :class:`Circuit`."""
        self.add(Circuit(nodes, tuple(arcs), directed, tuple(labels)))

    def path(
        self,
        nodes: int,
        arcs: Iterable[tuple[int, int, Literal]],
        ends: Sequence[Literal] | None = None,
        *,
        labels: Sequence[str] = (),
    ) -> None:
        """The true edges form one path through all nodes; see :class:`Path`.

        Without ``ends`` new Booleans ``end[label]`` are made for them.
        """
        if ends is None:
            shown = labels or [str(v) for v in range(nodes)]
            ends = [self.boolean(f"end[{label}]") for label in shown]
        self.add(Path(nodes, tuple(arcs), tuple(ends), tuple(labels)))

    def subcircuit(
        self,
        nodes: int,
        arcs: Iterable[tuple[int, int, Literal]],
        present: Sequence[Literal],
        *,
        labels: Sequence[str] = (),
    ) -> None:
        """The true edges form one cycle through the present nodes; see :class:`Subcircuit`."""
        self.add(Subcircuit(nodes, tuple(arcs), tuple(present), tuple(labels)))

    def minimise(self, terms: Mapping[Literal, int]) -> None:
        """Make the sum of the weights of true literals as small as possible."""
        self._set_objective("minimise", terms)

    def maximise(self, terms: Mapping[Literal, int]) -> None:
        """Make the sum of the weights of true literals as large as possible."""
        self._set_objective("maximise", terms)

    def _set_objective(self, sense: str, terms: Mapping[Literal, int]) -> None:
        total = _weighted(terms, None, None)
        self._check_known("objective", total.literals())
        self.objective = Objective(sense, total)

    def suggest(self, values: Mapping[Literal, bool]) -> None:
        """Values to begin with, for engines that optimise; they need be neither complete nor right."""
        self._check_known("suggestion", values)
        self.suggested.update(values)

    # -- judging ----------------------------------------------------------------------------------------

    def broken(self, assignment: Assignment) -> Constraint | None:
        """The first constraint that an assignment breaks, or None."""
        if len(assignment) != len(self.names):
            raise BadInput(f"the model has {len(self.names)} Booleans, the assignment {len(assignment)}")
        return next((c for c in self.constraints if not c.holds(assignment)), None)

    def holds(self, assignment: Assignment) -> bool:
        """Does an assignment satisfy every constraint?"""
        return self.broken(assignment) is None

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of constraints used, ``objective`` among them if there is one."""
        kinds = {constraint.kind for constraint in self.constraints}
        return frozenset(kinds | ({"objective"} if self.objective else set()))

    # -- words ------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        lines = [f"model {self.name}: {len(self.names)} Booleans, {len(self.constraints)} constraints"]
        if self.objective is not None:
            lines.append(f"  {self.objective.sense} {self.objective.total.say(self.name_of)}")
        lines.extend(f"  {constraint.say(self.name_of)}" for constraint in self.constraints)
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Model {self.name}: {len(self.names)} Booleans, {len(self.constraints)} constraints>"


def _weighted(terms: Mapping[Literal, int], least: int | None, most: int | None) -> Linear:
    for weight in terms.values():
        if not isinstance(weight, int):
            raise BadInput(f"weights are whole numbers, not {weight!r:.40}: multiply all of them")
    return Linear(tuple((weight, literal) for literal, weight in terms.items()), least, most)
