"""Constraints as clauses: what the SAT engine and the CNF and OPB exports share.

Circuits are special. The SAT engine states only their degrees here and adds cuts as it goes, unless told
otherwise; an export has to be complete at once and picks an *eager* encoding by name
(:mod:`ktsolve.model.hamiltonian`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from ktsolve.errors import BadInput
from ktsolve.model.constraints import (
    Cardinality,
    Circuit,
    Clause,
    Constraint,
    Implication,
    Linear,
    Literal,
    Path,
)
from ktsolve.model.hamiltonian import ENCODINGS, encoding_named
from ktsolve.model.model import Model
from ktsolve.model.python_sat import unheard

__all__ = ["CARDINALITIES", "EAGER", "Encoder", "as_circuit", "encode"]

EAGER = tuple(ENCODINGS)
"""Names of the eager circuit encodings."""

CARDINALITIES = ("seqcounter", "sortnetwrk", "cardnetwrk", "totalizer", "mtotalizer", "kmtotalizer")
"""Names of the cardinality encodings (of python-sat) for those too large to be written out."""

_WRITTEN_OUT = 100
_WRITTEN_OUT_LITERALS = 1000
"""Most clauses, and literals in them, for which a cardinality is written out plainly, without auxiliary
variables; a single clause is always written out."""


def as_circuit(constraint: Circuit | Path) -> Circuit:
    """A path as the circuit through one extra node, joined to its two ends."""
    if isinstance(constraint, Circuit):
        return constraint
    n = constraint.nodes
    labels = (*constraint.labels, "outside") if constraint.labels else ()
    loose = tuple((v, n, end) for v, end in enumerate(constraint.ends))
    return Circuit(n + 1, constraint.arcs + loose, labels=labels)


class Encoder:
    """Collects clauses in DIMACS numbering: variable i of the model is i + 1, auxiliary ones follow.

    Parameters
    ----------
    model:
        The model whose Booleans keep their numbers.
    cardinality:
        One of :data:`CARDINALITIES`.
    """

    def __init__(self, model: Model, cardinality: str = "seqcounter") -> None:
        if cardinality not in CARDINALITIES:
            raise BadInput(f"cardinality encoding {cardinality!r} is unknown: use {', '.join(CARDINALITIES)}")
        self.variables = len(model)
        self.clauses: list[list[int]] = []
        self._cardinality = cardinality
        self._true: int | None = None

    def fresh(self) -> int:
        """A new auxiliary variable."""
        self.variables += 1
        return self.variables

    def true(self) -> int:
        """A variable that is always true."""
        if self._true is None:
            self._true = self.fresh()
            self.clauses.append([self._true])
        return self._true

    def add(self, constraint: Constraint) -> None:
        """Encode any constraint but a circuit or path."""
        match constraint:
            case Clause():
                self.clauses.append(numbers(constraint.members))
            case Implication():
                self.clauses.append(
                    [*(-number(p) for p in constraint.premises), number(constraint.conclusion)]
                )
            case Cardinality():
                members = numbers(constraint.members)
                if constraint.least is not None:
                    self.at_least(constraint.least, members)
                if constraint.most is not None:
                    self.at_least(len(members) - constraint.most, [-m for m in members])
            case Linear():
                self._linear(constraint)
            case _:
                raise BadInput(f"a {constraint.kind} has no plain encoding as clauses")

    def at_least(self, bound: int, members: Sequence[int]) -> None:
        """At least ``bound`` of the members are true."""
        n = len(members)
        if bound <= 0:
            return
        if bound > n:
            self.clauses.append([])
            return
        # Of any n - bound + 1 members one is true.
        size = n - bound + 1
        number_of_clauses = 1
        for i in range(min(size, n - size)):  # grows all the way: C(n, i + 1) with i < n / 2
            number_of_clauses = number_of_clauses * (n - i) // (i + 1)
            if number_of_clauses > _WRITTEN_OUT:
                break
        if number_of_clauses == 1 or (
            number_of_clauses <= _WRITTEN_OUT and number_of_clauses * size <= _WRITTEN_OUT_LITERALS
        ):
            self.clauses.extend(map(list, combinations(members, size)))
            return
        from pysat.card import CardEnc, EncType

        with unheard():
            encoded = CardEnc.atleast(
                lits=list(members),
                bound=bound,
                top_id=self.variables,
                encoding=getattr(EncType, self._cardinality),
            )
        self.variables = max(self.variables, encoded.nv)
        self.clauses.extend(encoded.clauses)

    def degrees(self, circuit: Circuit) -> None:
        """Every node has two edges, or one arc in and one out: a union of disjoint cycles."""
        if circuit.nodes < (2 if circuit.directed else 3):
            self.clauses.append([])
            return
        if circuit.directed:
            out: list[list[int]] = [[] for _ in range(circuit.nodes)]
            into: list[list[int]] = [[] for _ in range(circuit.nodes)]
            for u, v, literal in circuit.arcs:
                out[u].append(number(literal))
                into[v].append(number(literal))
            for arcs in (*out, *into):
                self.clauses.append(arcs)
                self.at_least(len(arcs) - 1, [-a for a in arcs])
            return
        around: list[list[int]] = [[] for _ in range(circuit.nodes)]
        for u, v, literal in circuit.arcs:
            around[u].append(number(literal))
            around[v].append(number(literal))
        for edges in around:
            self.at_least(2, edges)
            self.at_least(len(edges) - 2, [-e for e in edges])

    def circuit(self, circuit: Circuit, encoding: str) -> None:
        """Encode a circuit completely, by the eager encoding of that name."""
        one_cycle = ENCODINGS[encoding_named(encoding)]
        self.degrees(circuit)
        one_cycle(self, circuit.nodes, self._directed(circuit))

    def _directed(self, circuit: Circuit) -> list[tuple[int, int, int]]:
        """Arcs of the circuit; an edge becomes two arcs, of which the cycle uses one."""
        if circuit.directed:
            return [(u, v, number(literal)) for u, v, literal in circuit.arcs]
        arcs = []
        out: list[list[int]] = [[] for _ in range(circuit.nodes)]
        into: list[list[int]] = [[] for _ in range(circuit.nodes)]
        for u, v, literal in circuit.arcs:
            there, back, edge = self.fresh(), self.fresh(), number(literal)
            self.clauses += [[-edge, there, back], [-there, edge], [-back, edge], [-there, -back]]
            arcs += [(u, v, there), (v, u, back)]
            out[u].append(there)
            into[v].append(there)
            out[v].append(back)
            into[u].append(back)
        for group in (*out, *into):
            self.clauses.append(group)
            self.at_least(len(group) - 1, [-a for a in group])
        return arcs

    def both(self, a: int, b: int) -> int:
        """A variable that is true exactly if both are."""
        c = self.fresh()
        self.clauses += [[-c, a], [-c, b], [c, -a, -b]]
        return c

    def either(self, a: int, b: int) -> int:
        """A variable that is true exactly if one of the two is, and not the other."""
        c = self.fresh()
        self.clauses += [[-c, a, b], [-c, -a, -b], [c, -a, b], [c, a, -b]]
        return c

    def _linear(self, constraint: Linear) -> None:
        """Weighted sums by a network of adders, compared bit by bit (Eén & Sörensson 2006)."""
        shift, by_weight = 0, []
        for weight, literal in constraint.terms:
            # w*x with w < 0 is w + |w| * (not x)
            if weight < 0:
                shift += weight
            if weight:
                by_weight.append((abs(weight), number(literal) if weight > 0 else -number(literal)))
        total = sum(weight for weight, _ in by_weight)
        least = None if constraint.least is None else constraint.least - shift
        most = None if constraint.most is None else constraint.most - shift
        if (least is not None and least > total) or (most is not None and most < 0):
            self.clauses.append([])
            return
        buckets: list[list[int]] = [[] for _ in range(total.bit_length() + 1)]
        for weight, literal_number in by_weight:
            for bit in range(weight.bit_length()):
                if weight >> bit & 1:
                    buckets[bit].append(literal_number)
        digits = []
        for i, bucket in enumerate(buckets):
            while len(bucket) > 1:
                a, b = bucket.pop(), bucket.pop()
                if bucket:
                    c = bucket.pop()
                    half = self.either(a, b)
                    digit = self.either(half, c)
                    carry = self._majority(a, b, c)
                else:
                    digit, carry = self.either(a, b), self.both(a, b)
                bucket.insert(0, digit)
                if i + 1 < len(buckets):
                    buckets[i + 1].append(carry)
            digits.append(bucket[0] if bucket else -self.true())
        if least is not None and least > 0:
            self._compare(digits, least, larger=True)
        if most is not None and most < total:
            self._compare(digits, most, larger=False)

    def _majority(self, a: int, b: int, c: int) -> int:
        m = self.fresh()
        self.clauses += [[-m, a, b], [-m, a, c], [-m, b, c], [m, -a, -b], [m, -a, -c], [m, -b, -c]]
        return m

    def _compare(self, digits: Sequence[int], bound: int, *, larger: bool) -> None:
        """Digits >= bound, or digits <= bound, as a binary number, least significant first.

        Where the number first differs from the bound, from the top, it must differ the right way.
        """
        bits = [bound >> i & 1 for i in range(len(digits))]
        for i, digit in enumerate(digits):
            wrong = 1 if larger else 0
            if bits[i] != wrong:
                continue
            above = [(-d if b else d) for d, b in zip(digits[i + 1 :], bits[i + 1 :], strict=True)]
            # If all higher digits agree with the bound, this one must not fall on the wrong side.
            self.clauses.append([*above, digit if larger else -digit])


def number(literal: Literal) -> int:
    """The literal in DIMACS numbering."""
    return literal.number + 1 if literal.positive else -literal.number - 1


def numbers(literals: Iterable[Literal]) -> list[int]:
    """Literals in DIMACS numbering."""
    return [number(literal) for literal in literals]


def encode(model: Model, *, circuits: str = "onehot", cardinality: str = "seqcounter") -> Encoder:
    """All constraints of a model as clauses.

    The solutions of the clauses, cut down to the model's own Booleans, are exactly those of the model.

    Parameters
    ----------
    circuits:
        Name of the eager encoding of circuits and paths, from :data:`EAGER`.
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
        if isinstance(constraint, Circuit | Path):
            if isinstance(constraint, Path) and constraint.nodes == 1:
                encoder.clauses.append([number(constraint.ends[0])])
            else:
                encoder.circuit(as_circuit(constraint), circuits)
        else:
            encoder.add(constraint)
    return encoder
