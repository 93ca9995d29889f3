"""Cuts: what is wrong with a union of disjoint cycles, as clauses.

The degree clauses alone allow several disjoint cycles (*subtours*). Each cycle through a proper part S of
the nodes is ruled out, with everything else that does not leave S, by the clause "some edge leaves S".
Source: the subtour elimination of Dantzig, Fulkerson & Johnson (1954), added lazily as clauses.

One tour is wanted more often than all. Then subtours are first joined where that is easy: two edges, one of
either, are exchanged for two that link them (native/include/ktsolve/subtours.hpp).
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from ktsolve.model.constraints import Circuit
from ktsolve.model.encode import number

__all__ = ["LazyCircuit"]


class LazyCircuit:
    """Finds the cuts that a solution of the degree clauses of a circuit violates.

    Parameters
    ----------
    circuit:
        The constraint.
    free:
        DIMACS variables that nothing else speaks of: edges that may be exchanged to join subtours.
    """

    def __init__(self, circuit: Circuit, free: Collection[int] = ()) -> None:
        self._nodes = circuit.nodes
        self._directed = circuit.directed
        self._arcs = np.array([(u, v) for u, v, _ in circuit.arcs], dtype=np.int32).reshape(-1, 2)
        self._literals = np.array([number(literal) for _, _, literal in circuit.arcs], dtype=np.int64)
        variables = np.abs(self._literals)
        # An edge that stands twice cannot be exchanged by itself.
        loose = np.isin(variables, list(free)) & (self._literals > 0) & (not circuit.directed)
        once = np.bincount(variables, minlength=1)[variables] == 1
        self._free: NDArray[np.uint8] = (loose & once).astype(np.uint8)

    def join(self, true: NDArray[np.bool_]) -> None:
        """Join subtours of an assignment (``true[i]`` is the value of DIMACS variable i), in place."""
        if self._free.any():
            toggled = self._subtours(true, self._free)[1]
            true[self._literals[toggled]] ^= True

    def violated(self, true: NDArray[np.bool_]) -> list[list[int]]:
        """Cut clauses violated by an assignment.

        One clause per subtour, none if the arcs form one cycle through all nodes. Linear in the arcs.
        """
        part, _ = self._subtours(true)
        parts = int(part.max()) + 1
        if parts == 1:
            return []
        clauses: list[list[int]] = [[] for _ in range(parts)]
        ends = part[self._arcs]
        leaving = ends[:, 0] != ends[:, 1]
        for (p, q), literal in zip(ends[leaving].tolist(), self._literals[leaving].tolist(), strict=True):
            clauses[p].append(literal)
            if not self._directed:
                clauses[q].append(literal)
        # Two parts share their one cut if edges are undirected.
        return clauses[:1] if parts == 2 and not self._directed else clauses

    def _subtours(
        self, true: NDArray[np.bool_], free: NDArray[np.uint8] | None = None
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Number of the subtour that each node lies on, and the arcs exchanged to join some."""
        from ktsolve import _native

        used = true[np.abs(self._literals)] == (self._literals > 0)
        nothing = np.zeros(0, dtype=np.uint8)
        return _native.find_subtours(
            self._nodes, self._arcs, used.astype(np.uint8), nothing if free is None else free
        )
