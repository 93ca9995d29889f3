"""Subtour cuts, subtour joining, and initial unions of cycles for circuits that are encoded lazily.

The degree clauses alone allow several disjoint cycles (*subtours*). A *subtour cut* for a proper subset S of
the nodes is the clause "some edge leaves S". It excludes every solution with a cycle inside S.
Source: the subtour elimination of Dantzig, Fulkerson & Johnson (1954), added lazily as clauses.

Three techniques speed up the search for a single tour. Joining replaces two edges, one of each of two
subtours, by two edges that link them (native/include/ktsolve/subtours.hpp). The initial phases of the solver
come from a union of cycles that is found without a solver (native/include/ktsolve/two_factor.hpp) and then
joined. If this is not one cycle, local search (:mod:`ktsolve.engines.walk.graph_walk`) looks for one, at the
beginning and after some rounds. docs/cuts.md has measurements, and what was tried and rejected.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ktsolve.errors import LimitReached
from ktsolve.model.loops.cycle import CycleForm
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.settings import Settings

__all__ = ["LazyCircuit"]

_PATIENCE = 20_000
"""Exchanges of local search without progress, besides four for each node: some hundredths of a second."""

_NO_COST = np.zeros(0, dtype=np.int32)


class LazyCircuit:
    """Finds the subtour cuts of a circuit that a solution of its degree clauses violates.

    An assignment is an array: ``true[i]`` is the value of DIMACS variable i.

    Parameters
    ----------
    circuit:
        The constraint: a cycle through all nodes.
    free:
        For each DIMACS variable whether no other constraint contains it. Joining may exchange the edges of
        such variables. None allows no joining.
    """

    def __init__(self, circuit: CycleForm, free: NDArray[np.bool_] | None = None) -> None:
        self._nodes = circuit.nodes
        self.directed = circuit.directed
        self._arcs = np.array([(u, v) for u, v, _ in circuit.arcs], dtype=np.int32).reshape(-1, 2)
        self._literals = np.array([literal for _, _, literal in circuit.arcs], dtype=np.int64)
        self._variables = np.abs(self._literals)
        # A variable with several edges cannot exchange one of them alone.
        single = np.bincount(self._variables, minlength=1)[self._variables] == 1
        self._alone: NDArray[np.bool_] = single & (self._literals > 0) & (free is not None)
        if free is not None:
            self._alone &= free[self._variables]
        self._free: NDArray[np.uint8] = (self._alone & (not circuit.directed)).astype(np.uint8)

    def around(self) -> list[list[int]]:
        """Return the literals of the edges at each node of an undirected circuit."""
        ends = self._arcs.ravel()
        order = np.argsort(ends, kind="stable")
        literals = np.repeat(self._literals, 2)[order].tolist()
        first = np.searchsorted(ends[order], np.arange(self._nodes + 1)).tolist()
        return [literals[first[v] : first[v + 1]] for v in range(self._nodes)]

    def start(
        self, true: NDArray[np.bool_], fixed: NDArray[np.int8], seed: int, cost: NDArray[np.int32] | None
    ) -> None:
        """Write a union of cycles through all nodes, if there is one, into an assignment.

        The circuit must be undirected.

        Parameters
        ----------
        fixed:
            For each variable 1 if it must be true, -1 if it must be false, 0 otherwise.
        seed:
            Varies the edges; 0 is the default order.
        cost:
            Cost of each variable; edges of smaller cost are preferred. None for equal costs.
        """
        from ktsolve import _native

        wanted = fixed[self._variables] * np.sign(self._literals)
        use = np.where(wanted > 0, 1, np.where(wanted < 0, 2, 0)).astype(np.uint8)
        costs = _NO_COST if cost is None else cost[self._variables]
        flags, _ = _native.find_two_factor(self._nodes, self._arcs, use, costs, seed)
        true[self._variables] = (flags != 0) == (self._literals > 0)

    def search(self, true: NDArray[np.bool_], fixed: NDArray[np.int8], seed: int) -> bool:
        """Write a cycle that local search finds into an assignment; return whether it found one.

        Nothing is searched for if another constraint than unit clauses contains a variable of the circuit: a
        cycle found without that constraint is no better than a union of cycles.
        """
        settled = fixed[self._variables] != 0
        if not bool(np.all(self._alone | settled)):
            return False
        from ktsolve.engines.walk.graph_walk import hamiltonian_cycle

        wanted = fixed[self._variables] * np.sign(self._literals)
        kept = wanted >= 0
        graph = CycleGraph.of_arcs(self._nodes, self._arcs[kept], wanted[kept] > 0, directed=self.directed)
        try:
            cycle = hamiltonian_cycle(graph, Settings(seed=seed % 2**31), attempts=1, patience=_PATIENCE)
        except LimitReached:
            return False
        if cycle is None:
            return False
        order = graph.order(cycle.tolist())
        after = np.empty(self._nodes, dtype=np.int64)
        after[order] = np.roll(order, -1)
        used = after[self._arcs[:, 0]] == self._arcs[:, 1]
        if not self.directed:
            used |= after[self._arcs[:, 1]] == self._arcs[:, 0]
        true[self._variables] = used == (self._literals > 0)
        return True

    def connected(self, true: NDArray[np.bool_]) -> bool:
        """Return whether the arcs of an assignment join all nodes."""
        return int(self._subtours(true)[0].max()) == 0

    def phases(self, true: NDArray[np.bool_]) -> list[int]:
        """Return for each edge variable the literal that is true in an assignment."""
        return list(np.where(true[self._variables], self._variables, -self._variables).tolist())

    def join(self, true: NDArray[np.bool_]) -> None:
        """Join subtours of an assignment in place."""
        if self._free.any():
            toggled = self._subtours(true, self._free)[1]
            true[self._literals[toggled]] ^= True

    def violated(self, true: NDArray[np.bool_]) -> list[list[int]]:
        """Return the subtour cuts that an assignment violates, one clause per subtour.

        The list is empty if the arcs form one cycle through all nodes. The time is linear in the arcs.
        """
        subtour, _ = self._subtours(true)
        number_of_subtours = int(subtour.max()) + 1
        if number_of_subtours == 1:
            return []
        clauses: list[list[int]] = [[] for _ in range(number_of_subtours)]
        ends = subtour[self._arcs]
        leaving = ends[:, 0] != ends[:, 1]
        for (p, q), literal in zip(ends[leaving].tolist(), self._literals[leaving].tolist(), strict=True):
            clauses[p].append(literal)
            if not self.directed:
                clauses[q].append(literal)
        # Two subtours of undirected edges have the same cut.
        return clauses[:1] if number_of_subtours == 2 and not self.directed else clauses

    def _subtours(
        self, true: NDArray[np.bool_], free: NDArray[np.uint8] | None = None
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the number of each node's subtour, and the arcs that joining exchanges."""
        from ktsolve import _native

        used = true[self._variables] == (self._literals > 0)
        nothing = np.zeros(0, dtype=np.uint8)
        return _native.find_subtours(
            self._nodes, self._arcs, used.astype(np.uint8), nothing if free is None else free
        )
