"""Cuts for one cycle through some of the nodes.

The degree clauses allow several disjoint cycles. Let S be a set of nodes that contains one of them and
avoids another. Every solution that visits both S and its complement uses an edge that leaves S. The cut says
so: no node r of S is visited, or no node t of the complement is, or some edge leaves S. Two things make it
stronger:

- *Small boundaries.* The nodes of a cycle divide the others into components. For each component T that
  another cycle visits, S is the complement of T: only edges between the cycle and T leave it.
- *Anchors.* An anchor is a clause of the model that makes at least one of some edges or nodes used. If all
  of them belong to S or leave it, S is visited for sure, and r is not needed; likewise for t.

All cycles of an assignment are cut at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ktsolve.model.loops.cycle import CycleForm

__all__ = ["Anchors", "LazyCycle"]


class Anchors:
    """Sets of arcs of a form of which every solution uses at least one.

    Parameters
    ----------
    form:
        The cycle.
    clauses:
        The clauses of the model, in DIMACS numbering.
    """

    def __init__(self, form: CycleForm, clauses: Iterable[Sequence[int]]) -> None:
        index: dict[int, list[int]] = {}
        for i, (_, _, literal) in enumerate(form.arcs):
            index.setdefault(literal, []).append(i)
        # A node is represented by the arcs at it.
        leaving: list[list[int]] = [[] for _ in range(form.nodes)]
        for i, (u, v, _) in enumerate(form.arcs):
            leaving[u].append(i)
            leaving[v].append(i)
        for v, present in enumerate(form.present):
            if present is not None:
                index.setdefault(present, []).extend(leaving[v])
        members: list[int] = []
        first: list[int] = []
        for clause in clauses:
            if clause and all(literal in index for literal in clause):
                arcs = {i for literal in clause for i in index[literal]}
                if arcs and len(arcs) < len(form.arcs):
                    first.append(len(members))
                    members += arcs
        self._members = np.array(members, dtype=np.int64)
        self._first = np.array(first, dtype=np.int64)

    def within(self, allowed: NDArray[np.bool_]) -> bool:
        """Return whether all arcs of some anchor are among those allowed."""
        if not len(self._first):
            return False
        return bool(np.logical_and.reduceat(allowed[self._members], self._first).any())


class LazyCycle:
    """Finds the cuts of a cycle through some nodes that a solution of its degree clauses violates.

    Parameters
    ----------
    form:
        The constraint.
    clauses:
        Clauses of the model that may be anchors.
    """

    def __init__(self, form: CycleForm, clauses: Iterable[Sequence[int]] = ()) -> None:
        self._nodes = form.nodes
        self._directed = form.directed
        self._present = form.present
        self._arcs = np.array([(u, v) for u, v, _ in form.arcs], dtype=np.int64).reshape(-1, 2)
        self._literals = np.array([literal for _, _, literal in form.arcs], dtype=np.int64)
        self._variables = np.abs(self._literals)
        self._around: list[list[int]] = [[] for _ in range(form.nodes)]
        for u, v, _ in form.arcs:
            self._around[u].append(v)
            self._around[v].append(u)
        self._anchors = Anchors(form, clauses)

    def violated(self, true: NDArray[np.bool_]) -> list[list[int]]:
        """Return the cuts that an assignment violates; none if the arcs form one cycle or none.

        The time is linear in the arcs for each cycle.
        """
        used = np.flatnonzero(true[self._variables] == (self._literals > 0))
        cycles = self._cycles(used)
        if len(cycles) < 2:
            return []
        cycle_of = np.full(self._nodes, -1, dtype=np.int64)
        for number, cycle in enumerate(cycles):
            cycle_of[cycle] = number
        arc_of = {int(self._arcs[i, 0]): int(i) for i in used}
        if not self._directed:
            arc_of |= {int(self._arcs[i, 1]): int(i) for i in used}
        cuts: dict[tuple[int, ...], None] = {}
        for number, cycle in enumerate(cycles):
            for component, other in self._components(cycle, cycle_of, number):
                far = np.zeros(self._nodes, dtype=np.bool_)
                far[component] = True
                for cut in self._cuts(far, arc_of, cycle[0], other):
                    cuts[tuple(cut)] = None
        return [list(cut) for cut in cuts]

    def _cycles(self, used: NDArray[np.int64]) -> list[list[int]]:
        """Return the nodes of each cycle of used arcs."""
        around: dict[int, list[int]] = {}
        for u, v in self._arcs[used].tolist():
            around.setdefault(u, []).append(v)
            around.setdefault(v, []).append(u)
        cycles, seen = [], set()
        for start in around:
            if start in seen:
                continue
            seen.add(start)
            cycle = [start]
            for v in cycle:
                for w in around[v]:
                    if w not in seen:
                        seen.add(w)
                        cycle.append(w)
            cycles.append(cycle)
        return cycles

    def _components(
        self, cycle: list[int], cycle_of: NDArray[np.int64], number: int
    ) -> list[tuple[list[int], int]]:
        """Return the components without a cycle that another cycle visits, and a node of that one."""
        seen = [False] * self._nodes
        for v in cycle:
            seen[v] = True
        found = []
        for start in np.flatnonzero((cycle_of >= 0) & (cycle_of != number)).tolist():
            if seen[start]:
                continue
            seen[start] = True
            component = [start]
            for v in component:
                for w in self._around[v]:
                    if not seen[w]:
                        seen[w] = True
                        component.append(w)
            found.append((component, start))
        return found

    def _cuts(
        self, far: NDArray[np.bool_], arc_of: dict[int, int], near_node: int, far_node: int
    ) -> list[list[int]]:
        """Return the cuts that say: an edge leaves the nodes that are not far, unless all are on one side."""
        ends = far[self._arcs]
        tail_far, head_far = ends[:, 0], ends[:, 1]
        conditions = []
        if not self._anchors.within(~(tail_far & head_far)):
            conditions.append(-self._visit(near_node, arc_of))
        if not self._anchors.within(tail_far | head_far):
            conditions.append(-self._visit(far_node, arc_of))
        if not self._directed:
            return [[*conditions, *self._literals[tail_far != head_far].tolist()]]
        # A cycle that crosses the boundary does so in both directions.
        return [
            [*conditions, *self._literals[~tail_far & head_far].tolist()],
            [*conditions, *self._literals[tail_far & ~head_far].tolist()],
        ]

    def _visit(self, node: int, arc_of: dict[int, int]) -> int:
        """Return a literal that is true and implies that the node is visited."""
        present = self._present[node]
        return int(self._literals[arc_of[node]]) if present is None else present
