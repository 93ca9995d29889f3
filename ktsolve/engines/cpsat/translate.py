"""What each constraint means on CP-SAT.

A circuit becomes ``AddCircuit``. An undirected edge becomes two arcs; the successor of node 0 must have a
smaller number than its predecessor, so that each undirected cycle is one solution. A path becomes the circuit
through an extra node.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ktsolve.errors import BadInput
from ktsolve.model.constraints import (
    Cardinalities,
    Cardinality,
    Circuit,
    Clause,
    Implication,
    Linear,
    Literal,
    Path,
    Subcircuit,
)
from ktsolve.model.encode import as_circuit
from ktsolve.model.model import Model

__all__ = ["Compiled"]


_BOOLEAN_KINDS = {
    (1, None): "bool_or",
    (1, 1): "exactly_one",
    (None, 1): "at_most_one",
}
"""Constraints of CP-SAT over literals alone, by the bounds of a row."""


class Compiled:
    """A model compiled for CP-SAT.

    Parameters
    ----------
    objective:
        Whether to include the model's objective.

    Attributes
    ----------
    cp:
        The model of OR-Tools.
    variables:
        Its variable for each Boolean of the model.
    """

    def __init__(self, model: Model, *, objective: bool = True) -> None:
        from ortools.sat.python import cp_model

        self.model = model
        self.cp = cp_model.CpModel()
        self.variables = [self.cp.new_bool_var(name) for name in model.names]
        for constraint in model.constraints:
            self._add(constraint)
        for literal, value in model.suggested.items():
            self.cp.add_hint(self.literal(literal), value)
        if objective and model.objective is not None:
            _check_weights(model.objective.total)
            total = sum(weight * self.literal(lit) for weight, lit in model.objective.total.terms)
            if model.objective.sense == "minimise":
                self.cp.minimize(total)
            else:
                self.cp.maximize(total)

    def literal(self, literal: Literal) -> Any:
        """Return the literal of CP-SAT."""
        variable = self.variables[literal.number]
        return variable if literal.positive else variable.negated()

    def _add(self, constraint: Any) -> None:
        cp, lit = self.cp, self.literal
        match constraint:
            case Clause():
                cp.add_bool_or([lit(x) for x in constraint.members])
            case Implication():
                cp.add_bool_or([*(lit(~p) for p in constraint.premises), lit(constraint.conclusion)])
            case Cardinality() if constraint.least == constraint.most == 1:
                cp.add_exactly_one(lit(x) for x in constraint.members)
            case Cardinality():
                self._bounded(sum(lit(x) for x in constraint.members), constraint.least, constraint.most)
            case Cardinalities():
                self._rows(constraint)
            case Linear():
                _check_weights(constraint)
                total = sum(weight * lit(x) for weight, x in constraint.terms)
                self._bounded(total, constraint.least, constraint.most)
            case Circuit():
                arcs = [(u, v, lit(x)) for u, v, x in constraint.arcs]
                self._circuit(constraint.nodes, arcs, constraint.directed)
            case Path(nodes=1):
                cp.add_bool_or([lit(constraint.ends[0])])
            case Path():
                self._add(as_circuit(constraint))
            case Subcircuit():
                self._subcircuit(constraint)

    def _rows(self, block: Cardinalities) -> None:
        """Add the rows of a block, without an object for each literal."""
        index = np.array([variable.index for variable in self.variables], dtype=np.int64)
        variables, positive = index[np.abs(block.numbers) - 1], block.numbers > 0
        bounds, constraints = block.offsets.tolist(), self.cp.proto.constraints
        rows = list(pairwise(bounds))
        kind = _BOOLEAN_KINDS.get((block.least, block.most))
        if kind is not None:
            # A literal of CP-SAT is the index of its variable, or -index - 1 for its negation.
            literals = np.where(positive, variables, -variables - 1).tolist()
            for start, end in rows:
                getattr(constraints.add(), kind).literals.extend(literals[start:end])
            return
        # w * (1 - x) = w - w * x: a negated literal shifts the bounds.
        signs, shifts = (
            np.where(positive, 1, -1).tolist(),
            np.concatenate(([0], np.cumsum(~positive))).tolist(),
        )
        numbers = variables.tolist()
        for start, end in rows:
            shift = shifts[end] - shifts[start]
            low = start - end if block.least is None else block.least - shift
            high = end - start if block.most is None else block.most - shift
            if low > high:  # OR-Tools takes no empty domain
                self.cp.add_bool_or([])
                continue
            linear = constraints.add().linear
            linear.vars.extend(numbers[start:end])
            linear.coeffs.extend(signs[start:end])
            linear.domain.extend([low, high])

    def _bounded(self, total: Any, least: int | None, most: int | None) -> None:
        if isinstance(total, int):  # no terms at all
            if (least is not None and total < least) or (most is not None and total > most):
                self.cp.add_bool_or([])
            return
        if least is not None and least == most:
            self.cp.add(total == least)
            return
        if least is not None:
            self.cp.add(total >= least)
        if most is not None:
            self.cp.add(total <= most)

    def _circuit(self, nodes: int, arcs: list[tuple[int, int, Any]], directed: bool) -> None:
        cp = self.cp
        if nodes < (2 if directed else 3):
            cp.add_bool_or([])
            return
        if directed:
            self._closed_circuit(nodes, arcs)
            return
        both = self._both_ways(arcs)
        out = {v: arc for u, v, arc in both if u == 0}
        into = {u: arc for u, v, arc in both if v == 0}
        self._closed_circuit(nodes, both)
        for successor, literal in out.items():
            larger = [arc for predecessor, arc in into.items() if predecessor > successor]
            cp.add_bool_or([literal.negated(), *larger])

    def _both_ways(self, edges: list[tuple[int, int, Any]]) -> list[tuple[int, int, Any]]:
        """Return two arcs for each edge, of which a used edge uses one."""
        arcs = []
        for u, v, edge in edges:
            there, back = self.cp.new_bool_var(""), self.cp.new_bool_var("")
            self.cp.add(there + back == edge)
            arcs += [(u, v, there), (v, u, back)]
        return arcs

    def _subcircuit(self, wanted: Subcircuit) -> None:
        cp = self.cp
        edges = [(u, v, self.literal(x)) for u, v, x in wanted.arcs]
        arcs = list(edges) if wanted.directed else self._both_ways(edges)
        # AddCircuit marks an absent node by a loop. All nodes may be absent.
        for v in range(wanted.nodes):
            mark = None if wanted.present is None else wanted.present[v]
            if mark is None:
                arcs.append((v, v, cp.new_bool_var("")))
            elif isinstance(mark, bool):
                arcs.append((v, v, cp.new_constant(not mark)))
            else:
                arcs.append((v, v, self.literal(~mark)))
        cp.add_circuit(arcs)
        if not wanted.empty:
            cp.add_bool_or([edge for _, _, edge in edges])

    def _closed_circuit(self, nodes: int, arcs: list[tuple[int, int, Any]]) -> None:
        touched = {u for u, _, _ in arcs} | {v for _, v, _ in arcs}
        if len(touched) < nodes:  # AddCircuit ignores nodes without arcs
            self.cp.add_bool_or([])
            return
        self.cp.add_circuit(arcs)


def _check_weights(total: Linear) -> None:
    bounds = [bound for bound in (total.least, total.most) if bound is not None]
    if max(sum(abs(weight) for weight, _ in total.terms), *map(abs, bounds), 0) >= 2**62:
        raise BadInput("engine cpsat cannot take sums of more than 62 bits: use sat, or smaller weights")
