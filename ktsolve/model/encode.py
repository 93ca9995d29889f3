"""Models as clauses: shared by the SAT engine and the CNF and OPB exports.

The SAT engine encodes only the degree constraints of a circuit and adds subtour cuts lazily, unless the
caller names an eager encoding. An export must be complete and always uses an eager encoding
(:mod:`ktsolve.model.hamiltonian`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ktsolve.errors import BadInput
from ktsolve.model.clauses import CARDINALITIES, Clauses
from ktsolve.model.constraints import (
    Cardinalities,
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
from ktsolve.model.hamiltonian import ENCODINGS, encoding_named
from ktsolve.model.loops.cycle import add_single_cycle, cycle_form
from ktsolve.model.model import Model

__all__ = ["CARDINALITIES", "EAGER", "Encoder", "as_circuit", "encode"]

EAGER = tuple(ENCODINGS)
"""Names of the eager circuit encodings."""


def as_circuit(constraint: Constraint) -> Circuit | None:
    """Return the circuit that a circuit or path states; None for other constraints and for paths of one node.

    A path becomes the circuit through one extra node, which is joined to the two ends of the path.
    """
    if isinstance(constraint, Circuit):
        return constraint
    if not isinstance(constraint, Path) or constraint.nodes == 1:
        return None
    n = constraint.nodes
    labels = (*constraint.labels, "outside") if constraint.labels else ()
    end_arcs = tuple((v, n, end) for v, end in enumerate(constraint.ends))
    return Circuit(n + 1, constraint.arcs + end_arcs, labels=labels)


class Encoder(Clauses):
    """The clauses of a model: Boolean i of the model is variable i + 1, auxiliary variables follow.

    Parameters
    ----------
    model:
        The model whose Booleans keep their numbers.
    cardinality:
        One of :data:`CARDINALITIES`.
    """

    def __init__(self, model: Model, cardinality: str = "seqcounter") -> None:
        super().__init__(len(model), cardinality)

    def add(self, constraint: Constraint) -> None:
        """Encode a constraint that needs no circuit encoding (:func:`as_circuit` returns None)."""
        match constraint:
            case Clause():
                self.clauses.append(numbers(constraint.members))
            case Implication():
                self.clauses.append(
                    [*(-number(p) for p in constraint.premises), number(constraint.conclusion)]
                )
            case Cardinality():
                self._bounded(numbers(constraint.members), constraint.least, constraint.most)
            case Cardinalities() if constraint.are_clauses:
                self.clauses.extend(constraint.lists())
            case Cardinalities():
                for members in constraint.lists():
                    self._bounded(members, constraint.least, constraint.most)
            case Linear():
                self._linear(constraint)
            case Path(nodes=1):
                self.clauses.append([number(constraint.ends[0])])
            case _:
                raise BadInput(f"a {constraint.kind} has no plain encoding as clauses")

    def _bounded(self, members: list[int], least: int | None, most: int | None) -> None:
        if least is not None:
            self.at_least(least, members)
        if most is not None:
            self.at_least(len(members) - most, [-m for m in members])

    def degrees(self, circuit: Circuit) -> None:
        """Add that each node has two edges, or one arc in and one out: the solutions are disjoint cycles."""
        if circuit.nodes < (2 if circuit.directed else 3):
            self.clauses.append([])
            return
        if circuit.directed:
            self._one_in_one_out(circuit.nodes, self._directed(circuit))
            return
        around: list[list[int]] = [[] for _ in range(circuit.nodes)]
        for u, v, literal in circuit.arcs:
            around[u].append(number(literal))
            around[v].append(number(literal))
        for edges in around:
            self.at_least(2, edges)
            self.at_least(len(edges) - 2, [-e for e in edges])

    def circuit(self, circuit: Circuit, encoding: str) -> None:
        """Encode a circuit completely, by an eager encoding."""
        add_single_cycle = ENCODINGS[encoding_named(encoding)]
        self.degrees(circuit)
        add_single_cycle(self, circuit.nodes, self._directed(circuit))

    def _directed(self, circuit: Circuit) -> list[tuple[int, int, int]]:
        """Return the arcs of a circuit. An edge becomes two new arcs, of which the cycle uses one."""
        if circuit.directed:
            return [(u, v, number(literal)) for u, v, literal in circuit.arcs]
        arcs = []
        for u, v, literal in circuit.arcs:
            there, back, edge = self.fresh(), self.fresh(), number(literal)
            self.clauses += [[-edge, there, back], [-there, edge], [-back, edge], [-there, -back]]
            arcs += [(u, v, there), (v, u, back)]
        self._one_in_one_out(circuit.nodes, arcs)
        return arcs

    def _one_in_one_out(self, nodes: int, arcs: Sequence[tuple[int, int, int]]) -> None:
        out: list[list[int]] = [[] for _ in range(nodes)]
        into: list[list[int]] = [[] for _ in range(nodes)]
        for u, v, arc in arcs:
            out[u].append(arc)
            into[v].append(arc)
        for group in (*out, *into):
            self.exactly_one(group)

    def _linear(self, constraint: Linear) -> None:
        """Encode a weighted sum by a network of adders and bitwise comparison (Eén & Sörensson 2006)."""
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
                    carry = self.majority(a, b, c)
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

    def _compare(self, digits: Sequence[int], bound: int, *, larger: bool) -> None:
        """Add that a binary number, least significant digit first, is at least or at most a bound."""
        bits = [bound >> i & 1 for i in range(len(digits))]
        for i, digit in enumerate(digits):
            wrong = 1 if larger else 0
            if bits[i] != wrong:
                continue
            above = [(-d if b else d) for d, b in zip(digits[i + 1 :], bits[i + 1 :], strict=True)]
            # If all higher digits equal those of the bound, this digit must not violate the bound.
            self.clauses.append([*above, digit if larger else -digit])


def number(literal: Literal) -> int:
    """Return a literal in DIMACS numbering."""
    return literal.number + 1 if literal.positive else -literal.number - 1


def numbers(literals: Iterable[Literal]) -> list[int]:
    """Return literals in DIMACS numbering."""
    return [number(literal) for literal in literals]


def encode(model: Model, *, circuits: str = "onehot", cardinality: str = "seqcounter") -> Encoder:
    """Encode all constraints of a model.

    The solutions of the clauses, restricted to the model's Booleans, are exactly the solutions of the model.

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
        circuit = as_circuit(constraint)
        if isinstance(constraint, Subcircuit):
            add_single_cycle(encoder, cycle_form(constraint, encoder), circuits)
        elif circuit is None:
            encoder.add(constraint)
        else:
            encoder.circuit(circuit, circuits)
    return encoder
