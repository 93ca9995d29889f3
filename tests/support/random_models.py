"""Random small models, and what constraints mean said a second time, by brute force and no code of theirs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise, permutations, product
from typing import Any, ClassVar

from hypothesis import strategies as st
from pysat.solvers import Solver

from ktsolve.model.constraints import (
    Arc,
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
)
from ktsolve.model.constraints.basic import as_rows
from ktsolve.model.expressions import Namer
from ktsolve.model.model import Model

KINDS = ("clause", "implication", "cardinality", "cardinalities", "linear", "circuit", "path")
PLAIN = ("clause", "implication", "cardinality", "cardinalities", "linear")


# -- what constraints mean --------------------------------------------------------------------------------


def assignments(number: int) -> Iterator[tuple[bool, ...]]:
    """All assignments to that many Booleans."""
    return product((False, True), repeat=number)


def true(literal: Literal, assignment: Sequence[bool]) -> bool:
    return assignment[literal.number] if literal.positive else not assignment[literal.number]


@cache
def cycles(nodes: int, directed: bool) -> frozenset[frozenset[tuple[int, int]]]:
    """Every cycle through all nodes as its set of arcs, or of edges, the smaller node first."""
    if nodes < (2 if directed else 3):
        return frozenset()
    found = set()
    for rest in permutations(range(1, nodes)):
        walk = (0, *rest, 0)
        steps = list(pairwise(walk))
        found.add(frozenset(steps if directed else [(min(s), max(s)) for s in steps]))
    return frozenset(found)


@cache
def paths(nodes: int) -> frozenset[tuple[frozenset[tuple[int, int]], frozenset[int]]]:
    """Every path through all nodes as its set of edges and its set of ends."""
    found = set()
    for walk in permutations(range(nodes)):
        edges = frozenset((min(s), max(s)) for s in pairwise(walk))
        found.add((edges, frozenset((walk[0], walk[-1]))))
    return frozenset(found)


def meaning(constraint: Constraint, assignment: Sequence[bool]) -> bool:
    """Does the constraint hold, by the words of its definition?"""
    match constraint:
        case Clause():
            return not all(not true(literal, assignment) for literal in constraint.members)
        case Implication():
            for premise in constraint.premises:
                if not true(premise, assignment):
                    return True
            return true(constraint.conclusion, assignment)
        case Cardinality():
            total = [true(literal, assignment) for literal in constraint.members].count(True)
            return _between(total, constraint.least, constraint.most)
        case Cardinalities():
            rows = [
                [true(Literal(abs(x) - 1, x > 0), assignment) for x in row].count(True)
                for row in constraint.lists()
            ]
            return all(_between(total, constraint.least, constraint.most) for total in rows)
        case Linear():
            total = 0
            for weight, literal in constraint.terms:
                total += weight * int(true(literal, assignment))
            return _between(total, constraint.least, constraint.most)
        case Circuit():
            return _used(constraint.arcs, assignment, constraint.directed) in cycles(
                constraint.nodes, constraint.directed
            )
        case Path():
            ends = frozenset(
                v for v, end in enumerate(constraint.ends) if end is True or (end and true(end, assignment))
            )
            return (_used(constraint.arcs, assignment, False), ends) in paths(constraint.nodes)
    raise AssertionError(constraint)


def _between(total: int, least: int | None, most: int | None) -> bool:
    return not (least is not None and total < least) and not (most is not None and total > most)


def _used(arcs: Iterable[Arc], assignment: Sequence[bool], directed: bool) -> frozenset[tuple[int, int]]:
    used = [(u, v) for u, v, literal in arcs if true(literal, assignment)]
    return frozenset(used if directed else [(min(pair), max(pair)) for pair in used])


def solutions(model: Model) -> set[tuple[bool, ...]]:
    """Every assignment that keeps every constraint, by the definitions here."""
    return {
        assignment
        for assignment in assignments(len(model))
        if all(meaning(constraint, assignment) for constraint in model.constraints)
    }


# -- random ones ------------------------------------------------------------------------------------------


def literals(booleans: int) -> st.SearchStrategy[Literal]:
    return st.builds(Literal, st.integers(0, booleans - 1), st.booleans())


@st.composite
def _bounds(draw: st.DrawFn, low: int, high: int) -> tuple[int | None, int | None]:
    """Two bounds, one, or none; often equal, sometimes out of reach."""
    if draw(st.booleans()):
        both = draw(st.integers(low, high))
        return both, both
    bound = st.one_of(st.none(), st.integers(low, high))
    return draw(bound), draw(bound)


@st.composite
def _arcs(draw: st.DrawFn, nodes: int, booleans: int, directed: bool) -> tuple[Arc, ...]:
    """Arcs that often have Booleans of their own, so that there often is a solution."""
    pairs = list(permutations(range(nodes), 2) if directed else combinations(range(nodes), 2))
    chosen = draw(st.permutations(pairs)) if pairs else []
    if draw(st.booleans()):
        kept = chosen[:booleans]
        own = draw(st.permutations(range(booleans)))
        used = [Literal(number, draw(st.integers(0, 4)) > 0) for number in own[: len(kept)]]
    else:
        kept = chosen[: draw(st.integers(0, len(chosen)))]
        used = [draw(literals(booleans)) for _ in kept]
    flipped = [(v, u) if not directed and draw(st.booleans()) else (u, v) for u, v in kept]
    return tuple((u, v, literal) for (u, v), literal in zip(flipped, used, strict=True))


@st.composite
def constraints(draw: st.DrawFn, kind: str, booleans: int) -> Constraint:
    """A constraint of that kind."""
    several = st.lists(literals(booleans), max_size=6).map(tuple)
    if kind == "clause":
        return Clause(draw(several))
    if kind == "implication":
        return Implication(draw(several), draw(literals(booleans)))
    if kind == "cardinality":
        members = draw(several)
        return Cardinality(members, *draw(_bounds(-1, len(members) + 1)))
    if kind == "cardinalities":
        number = st.integers(1, booleans).flatmap(lambda i: st.sampled_from((i, -i)))
        numbers, offsets = as_rows(draw(st.lists(st.lists(number, max_size=4), max_size=3)))
        return Cardinalities(numbers, offsets, *draw(st.one_of(st.just((1, None)), _bounds(-1, 3))))
    if kind == "linear":
        terms = draw(st.lists(st.tuples(st.integers(-9, 9), literals(booleans)), max_size=6).map(tuple))
        low = sum(min(0, weight) for weight, _ in terms)
        high = sum(max(0, weight) for weight, _ in terms)
        return Linear(terms, *draw(_bounds(low - 2, high + 2)))
    if kind == "circuit":
        directed = draw(st.booleans())
        nodes = draw(st.integers(1, 4 if directed else 5))
        return Circuit(nodes, draw(_arcs(nodes, booleans, directed)), directed)
    nodes = draw(st.integers(1, 4))
    ends = tuple(draw(literals(booleans)) for _ in range(nodes))
    return Path(nodes, draw(_arcs(nodes, booleans, directed=False)), ends)


def empty_model(booleans: int) -> Model:
    model = Model("random")
    for i in range(booleans):
        model.boolean(f"x{i}")
    return model


@st.composite
def models(
    draw: st.DrawFn, kinds: Sequence[str] = KINDS, *, most: int = 4, booleans: int | None = None
) -> Model:
    """A model of up to ``most`` constraints over 1 to 8 Booleans, or as many as told."""
    number = draw(st.integers(1, 8)) if booleans is None else booleans
    model = empty_model(number)
    for kind in draw(st.lists(st.sampled_from(list(kinds)), max_size=most)):
        model.add(draw(constraints(kind, number)))
    return model


class Parity:
    """A constraint that nobody has taught the solvers."""

    kind: ClassVar[str] = "parity"

    def __init__(self, members: tuple[Literal, ...]) -> None:
        self.members = members

    def holds(self, assignment: Assignment) -> bool:
        return sum(literal.holds(assignment) for literal in self.members) % 2 == 1

    def literals(self) -> tuple[Literal, ...]:
        return self.members

    def text(self, name: Namer) -> str:
        return f"an odd number of {{{', '.join(name(literal) for literal in self.members)}}}"


# -- clauses ----------------------------------------------------------------------------------------------


class Clauses:
    """A set of clauses, asked whether an assignment to the first Booleans can be extended to the others."""

    def __init__(self, clauses: Sequence[Sequence[int]]) -> None:
        self._never = any(not clause for clause in clauses)
        self._solver: Any = Solver(name="glucose4", bootstrap_with=[c for c in clauses if c])

    def __enter__(self) -> Clauses:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    def allow(self, assignment: Sequence[bool]) -> bool:
        """Is there a solution that begins like this?"""
        given = [i if value else -i for i, value in enumerate(assignment, 1)]
        return not self._never and bool(self._solver.solve(assumptions=given))

    def enumerate(self, number: int, told_apart_by: Sequence[int] = ()) -> Iterator[list[bool]]:
        """Solutions cut down to the first ``number`` variables, each once, by blocking those found.

        By default all of these variables tell them apart.
        """
        apart = told_apart_by or range(1, number + 1)
        while not self._never and self._solver.solve():
            values = {abs(x): x > 0 for x in self._solver.get_model()}
            yield [values.get(i, False) for i in range(1, number + 1)]
            blocking = [-i if values.get(i, False) else i for i in apart]
            if not blocking:
                return
            self._solver.add_clause(blocking)

    def solutions(self, number: int) -> set[tuple[bool, ...]]:
        """The solutions cut down to the first ``number`` variables."""
        return {assignment for assignment in assignments(number) if self.allow(assignment)}
