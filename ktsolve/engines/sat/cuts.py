"""Cuts: what is wrong with a union of disjoint cycles, as clauses.

The degree clauses alone allow several disjoint cycles (*subtours*). Each cycle through a proper part S of
the nodes is ruled out, with everything else that does not leave S, by the clause "some edge leaves S".
Source: the subtour elimination of Dantzig, Fulkerson & Johnson (1954), added lazily as clauses.
"""

from __future__ import annotations

from collections.abc import Sequence

from ktsolve.model.constraints import Circuit
from ktsolve.model.encode import number

__all__ = ["LazyCircuit"]


class LazyCircuit:
    """Finds the cuts that a solution of the degree clauses of a circuit violates."""

    def __init__(self, circuit: Circuit) -> None:
        self._nodes = circuit.nodes
        self._directed = circuit.directed
        # (node, literal in DIMACS numbering) for every arc out of a node; an edge counts both ways.
        self._out: list[list[tuple[int, int]]] = [[] for _ in range(circuit.nodes)]
        for u, v, literal in circuit.arcs:
            self._out[u].append((v, number(literal)))
            if not circuit.directed:
                self._out[v].append((u, number(literal)))

    def violated(self, true: Sequence[bool]) -> list[list[int]]:
        """Cut clauses violated by an assignment (``true[i]`` is the value of DIMACS variable i).

        One clause per subtour, none if the arcs form one cycle through all nodes. Linear in the arcs.
        """
        part = self._parts(true)
        parts = max(part) + 1
        if parts == 1:
            return []
        clauses: list[list[int]] = [[] for _ in range(parts)]
        for u, arcs in enumerate(self._out):
            clause, own = clauses[part[u]], part[u]
            clause.extend(literal for v, literal in arcs if part[v] != own)
        # Two parts share their one cut if edges are undirected.
        return clauses[:1] if parts == 2 and not self._directed else clauses

    def _parts(self, true: Sequence[bool]) -> list[int]:
        """Number of the subtour that each node lies on."""
        part = [-1] * self._nodes
        parts = 0
        for root in range(self._nodes):
            if part[root] >= 0:
                continue
            part[root] = parts
            waiting = [root]
            while waiting:
                for v, literal in self._out[waiting.pop()]:
                    if part[v] < 0 and (true[literal] if literal > 0 else not true[-literal]):
                        part[v] = parts
                        waiting.append(v)
            parts += 1
        return part
