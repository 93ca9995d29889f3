"""Subtour cuts, subtour joining, and initial unions of cycles for circuits that are encoded lazily.

The degree clauses alone allow several disjoint cycles (*subtours*). A *subtour cut* for a proper subset S of
the nodes is the clause "some edge leaves S". It excludes every solution with a cycle inside S.
Source: the subtour elimination of Dantzig, Fulkerson & Johnson (1954), added lazily as clauses.

Three techniques speed up the search for a single tour. Joining replaces two edges, one of each of two
subtours, by two edges that link them (ktsolve/sat/subtours.hpp). The initial phases of the solver
come from a union of cycles that is found without a solver (ktsolve/sat/two_factor.hpp) and then
joined. If this is not one cycle, local search (:mod:`ktsolve.engines.walk.engine`) looks for one, at the
beginning and after some rounds. docs/cuts.md has measurements and the rejected alternatives.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Settings
from ktsolve.model.loop_forms import CycleForm
from ktsolve.problem.cycle_graph import CycleGraph

__all__ = ["LazyCircuit"]

_PATIENCE = 20_000
"""Exchanges of local search without progress, besides four for each node: some hundredths of a second."""

_LISTED = 4096
"""Literals, or nodes with theirs, that are Python objects at the same time."""

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
        self.nodes = circuit.nodes
        self.directed = circuit.directed
        self._arcs = np.ascontiguousarray(circuit.ends)
        self._literals = circuit.literals
        self._variables = np.abs(self._literals)
        # A variable with several edges cannot exchange one of them alone.
        single = np.bincount(self._variables, minlength=1)[self._variables] == 1
        self._alone: NDArray[np.bool_] = single & (self._literals > 0) & (free is not None)
        if free is not None:
            self._alone &= free[self._variables]
        self._free: NDArray[np.uint8] = (self._alone & (not circuit.directed)).astype(np.uint8)

    @property
    def least_degree(self) -> int:
        """The least number of edges at a node of an undirected circuit."""
        return int(np.bincount(self._arcs.ravel(), minlength=self.nodes).min())

    def degrees(self) -> Iterator[tuple[list[int], int]]:
        """Yield cardinality bounds, literals and how many are true at most: two edges at each node.

        There are two for each node of an undirected circuit. Its lists of literals are made for some thousand
        nodes at a time.
        """
        ends = self._arcs.ravel()
        order = np.argsort(ends, kind="stable")
        literals = self._literals[order >> 1]
        first = np.append(0, np.cumsum(np.bincount(ends, minlength=self.nodes)))
        for node in range(0, self.nodes, _LISTED):
            places = first[node : node + _LISTED + 1]
            piece = literals[places[0] : places[-1]]
            used, unused = piece.tolist(), (-piece).tolist()
            for i, j in pairwise((places - places[0]).tolist()):
                yield used[i:j], 2
                yield unused[i:j], j - i - 2

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
        flags, _ = _native.find_two_factor(self.nodes, self._arcs, use, costs, seed)
        true[self._variables] = (flags != 0) == (self._literals > 0)

    def search(self, true: NDArray[np.bool_], fixed: NDArray[np.int8], seed: int) -> bool:
        """Write a cycle that local search finds into an assignment; return whether it found one.

        Nothing is searched for if another constraint than unit clauses contains a variable of the circuit: a
        cycle found without that constraint is no better than a union of cycles.
        """
        settled = fixed[self._variables] != 0
        if not bool(np.all(self._alone | settled)):
            return False
        from ktsolve.engines.walk.engine import hamiltonian_cycle

        wanted = fixed[self._variables] * np.sign(self._literals)
        kept = wanted >= 0
        graph = CycleGraph.of_arcs(self.nodes, self._arcs[kept], wanted[kept] > 0, directed=self.directed)
        try:
            cycle = hamiltonian_cycle(graph, Settings(seed=seed % 2**31), attempts=1, patience=_PATIENCE)
        except LimitReached:
            return False
        if cycle is None:
            return False
        order = graph.order(cycle.tolist())
        after = np.empty(self.nodes, dtype=np.int64)
        after[order] = np.roll(order, -1)
        used = after[self._arcs[:, 0]] == self._arcs[:, 1]
        if not self.directed:
            used |= after[self._arcs[:, 1]] == self._arcs[:, 0]
        true[self._variables] = used == (self._literals > 0)
        return True

    def connected(self, true: NDArray[np.bool_]) -> bool:
        """Return whether the arcs of an assignment join all nodes."""
        return int(self._subtours(true)[0].max()) == 0

    def phases(self, true: NDArray[np.bool_]) -> Iterator[list[int]]:
        """Yield for each edge variable the literal that is true in an assignment; some thousand together."""
        for first in range(0, len(self._variables), _LISTED):
            piece = self._variables[first : first + _LISTED]
            yield np.where(true[piece], piece, -piece).tolist()

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
            self.nodes, self._arcs, used.astype(np.uint8), nothing if free is None else free
        )
