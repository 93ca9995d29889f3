"""Cuts: what is wrong with a union of disjoint cycles, as clauses; and unions of few cycles to start from.

The degree clauses alone allow several disjoint cycles (*subtours*). Each cycle through a proper part S of
the nodes is ruled out, with everything else that does not leave S, by the clause "some edge leaves S".
Source: the subtour elimination of Dantzig, Fulkerson & Johnson (1954), added lazily as clauses.

One tour is wanted more often than all. Then subtours are first joined where that is easy: two edges, one of
either, are exchanged for two that link them (native/include/ktsolve/subtours.hpp). And the solver need not
begin with nothing: a union of cycles is quickly found without it (native/include/ktsolve/two_factor.hpp), is
joined in the same way, and tells it which edges to try first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ktsolve.model.constraints import Circuit
from ktsolve.model.encode import number

__all__ = ["LazyCircuit"]

_NO_COST = np.zeros(0, dtype=np.int32)


class LazyCircuit:
    """Finds the cuts that a solution of the degree clauses of a circuit violates.

    Assignments are arrays: ``true[i]`` is the value of DIMACS variable i.

    Parameters
    ----------
    circuit:
        The constraint.
    free:
        Flags of DIMACS variables that nothing else speaks of: edges that may be exchanged to join subtours.
    """

    def __init__(self, circuit: Circuit, free: NDArray[np.bool_] | None = None) -> None:
        self._nodes = circuit.nodes
        self.directed = circuit.directed
        self._arcs = np.array([(u, v) for u, v, _ in circuit.arcs], dtype=np.int32).reshape(-1, 2)
        self._literals = np.array([number(literal) for _, _, literal in circuit.arcs], dtype=np.int64)
        self._variables = np.abs(self._literals)
        # An edge that stands twice cannot be exchanged by itself.
        once = np.bincount(self._variables, minlength=1)[self._variables] == 1
        loose = once & (self._literals > 0) & (free is not None) & (not circuit.directed)
        if free is not None:
            loose &= free[self._variables]
        self._free: NDArray[np.uint8] = loose.astype(np.uint8)

    def around(self) -> list[list[int]]:
        """The literals of the edges at each node of an undirected circuit."""
        ends = self._arcs.ravel()
        order = np.argsort(ends, kind="stable")
        literals = np.repeat(self._literals, 2)[order].tolist()
        first = np.searchsorted(ends[order], np.arange(self._nodes + 1)).tolist()
        return [literals[first[v] : first[v + 1]] for v in range(self._nodes)]

    def start(
        self, true: NDArray[np.bool_], fixed: NDArray[np.int8], seed: int, cost: NDArray[np.int32] | None
    ) -> None:
        """Write edges that use every node of an undirected circuit twice, if there are, into an assignment.

        Parameters
        ----------
        fixed:
            For each variable 1 if it must be true, -1 if it must be false, else 0.
        seed:
            Another seed, other edges; 0 for those that come first.
        cost:
            For each variable: edges of smaller cost are taken first; None for no difference.
        """
        from ktsolve import _native

        wanted = fixed[self._variables] * np.sign(self._literals)
        use = np.where(wanted > 0, 1, np.where(wanted < 0, 2, 0)).astype(np.uint8)
        costs = _NO_COST if cost is None else cost[self._variables]
        flags, _ = _native.find_two_factor(self._nodes, self._arcs, use, costs, seed)
        true[self._variables] = (flags != 0) == (self._literals > 0)

    def phases(self, true: NDArray[np.bool_]) -> list[int]:
        """The edges of an assignment as literals that hold in it."""
        return list(np.where(true[self._variables], self._variables, -self._variables).tolist())

    def join(self, true: NDArray[np.bool_]) -> None:
        """Join subtours of an assignment, in place."""
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
            if not self.directed:
                clauses[q].append(literal)
        # Two parts share their one cut if edges are undirected.
        return clauses[:1] if parts == 2 and not self.directed else clauses

    def _subtours(
        self, true: NDArray[np.bool_], free: NDArray[np.uint8] | None = None
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Number of the subtour that each node lies on, and the arcs exchanged to join some."""
        from ktsolve import _native

        used = true[self._variables] == (self._literals > 0)
        nothing = np.zeros(0, dtype=np.uint8)
        return _native.find_subtours(
            self._nodes, self._arcs, used.astype(np.uint8), nothing if free is None else free
        )
