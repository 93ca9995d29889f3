"""Cuts for one cycle through some of the nodes, for connected nodes, and for trees.

The clauses that a loop constraint starts with allow several disjoint cycles, or several components. Let S be
a set of nodes that contains one of them and avoids another. Every solution that uses both S and its
complement has an edge that leaves S. The cut says so: no node r of S is used, or no node t of the complement
is, or some edge leaves S. Two things make it stronger:

- *Small boundaries.* The nodes of a cycle, or of a component and its neighbours, divide the others into
  parts. For each part T that another cycle or component touches, only the boundary of T counts.
- *Anchors.* An anchor is a clause of the model that makes at least one of some edges or nodes used. If all
  of them belong to S or to the boundary, S is used for sure, and r is not needed; likewise for t.

All cycles or components of an assignment are cut at once. The cuts of a tree are those of connected nodes,
and for each cycle the clause that one of its edges is false.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ktsolve.model.loop_forms import ALWAYS, ConnectionForm, CycleForm, Form

__all__ = ["Anchors", "LazyConnection", "LazyConstraint", "LazyCycle", "lazy_constraint"]


class LazyConstraint(Protocol):
    """A constraint whose clauses are added when a solution violates them."""

    def violated(self, true: NDArray[np.bool_]) -> list[list[int]]:
        """Return clauses that follow from the constraint and that an assignment violates, none if it holds.

        ``true[i]`` is the value of DIMACS variable i.
        """


def lazy_constraint(form: Form, clauses: Iterable[Sequence[int]] = ()) -> LazyConstraint:
    """Return the lazy constraint of a form; clauses of the model may be anchors."""
    return LazyCycle(form, clauses) if isinstance(form, CycleForm) else LazyConnection(form, clauses)


class Anchors:
    """Sets of items (arcs or nodes) of which every solution uses at least one.

    Parameters
    ----------
    items:
        Which items a literal stands for: one of them is used if it is true.
    number:
        Number of items.
    clauses:
        The clauses of the model, in DIMACS numbering.
    """

    def __init__(
        self, items: Mapping[int, Sequence[int]], number: int, clauses: Iterable[Sequence[int]]
    ) -> None:
        members: list[int] = []
        first: list[int] = []
        for clause in clauses:
            if clause and all(literal in items for literal in clause):
                used = {i for literal in clause for i in items[literal]}
                if used and len(used) < number:
                    first.append(len(members))
                    members += used
        self._members = np.array(members, dtype=np.int64)
        self._first = np.array(first, dtype=np.int64)

    def within(self, allowed: NDArray[np.bool_]) -> bool:
        """Return whether all items of some anchor are among those allowed."""
        if not len(self._first):
            return False
        return bool(np.logical_and.reduceat(allowed[self._members], self._first).any())


class _Graph:
    """The graph of a form, and the values of its literals."""

    def __init__(self, nodes: int, arcs: Sequence[tuple[int, int, int]], unless: Sequence[int]) -> None:
        self._nodes = nodes
        self._unless = unless
        self._arcs = np.array([(u, v) for u, v, _ in arcs], dtype=np.int64).reshape(-1, 2)
        self._literals = np.array([literal for _, _, literal in arcs], dtype=np.int64)
        self._around: list[list[int]] = [[] for _ in range(nodes)]
        for u, v, _ in arcs:
            self._around[u].append(v)
            self._around[v].append(u)

    def _applies(self, true: NDArray[np.bool_]) -> bool:
        return not any(bool(true[abs(each)]) == (each > 0) for each in self._unless)

    def _conditional(self, cuts: Iterable[tuple[int, ...]]) -> list[list[int]]:
        """Return distinct cuts that hold where the constraint is not lifted."""
        return [[*self._unless, *cut] for cut in dict.fromkeys(cuts)]

    def _holding(self, literals: NDArray[np.int64], true: NDArray[np.bool_]) -> NDArray[np.bool_]:
        values: NDArray[np.bool_] = (true[np.abs(literals)] == (literals > 0)) | (literals == ALWAYS)
        return values

    def _components(self, arcs: NDArray[np.int64], alone: Iterable[int] = ()) -> list[list[int]]:
        """Return the components of arcs, by number, and of further nodes."""
        around: dict[int, list[int]] = {v: [] for v in alone}
        for u, v in self._arcs[arcs].tolist():
            around.setdefault(u, []).append(v)
            around.setdefault(v, []).append(u)
        found: list[list[int]] = []
        seen: set[int] = set()
        for start in around:
            if start not in seen:
                seen.add(start)
                found.append([start])
                for v in found[-1]:
                    for w in around[v]:
                        if w not in seen:
                            seen.add(w)
                            found[-1].append(w)
        return found

    def _parts(self, removed: Iterable[int], starts: Iterable[int]) -> list[list[int]]:
        """Return the parts of the graph without some nodes that contain a start; each begins with one."""
        seen = [False] * self._nodes
        for v in removed:
            seen[v] = True
        found = []
        for start in starts:
            if seen[start]:
                continue
            seen[start] = True
            part = [start]
            for v in part:
                for w in self._around[v]:
                    if not seen[w]:
                        seen[w] = True
                        part.append(w)
            found.append(part)
        return found


class LazyCycle(_Graph):
    """Finds the cuts of a cycle through some nodes that a solution of its degree clauses violates.

    Parameters
    ----------
    form:
        The constraint.
    clauses:
        Clauses of the model that may be anchors.
    """

    def __init__(self, form: CycleForm, clauses: Iterable[Sequence[int]] = ()) -> None:
        super().__init__(form.nodes, form.arcs, form.unless)
        self._directed = form.directed
        self._present = form.present
        items: dict[int, list[int]] = {}
        at_node: list[list[int]] = [[] for _ in range(form.nodes)]
        for i, (u, v, literal) in enumerate(form.arcs):
            items.setdefault(literal, []).append(i)
            at_node[u].append(i)
            at_node[v].append(i)
        for v, present in enumerate(form.present):
            if present is not None:
                # A node is represented by the arcs at it.
                items.setdefault(present, []).extend(at_node[v])
        self._anchors = Anchors(items, len(form.arcs), clauses)

    def violated(self, true: NDArray[np.bool_]) -> list[list[int]]:
        """Return the cuts that an assignment violates; none if the arcs form one cycle or none.

        The time is linear in the arcs for each cycle.
        """
        if not self._applies(true):
            return []
        used = np.flatnonzero(self._holding(self._literals, true))
        cycles = self._components(used)
        if len(cycles) < 2:
            return []
        arc_of = {int(self._arcs[i, 0]): int(i) for i in used}
        if not self._directed:
            arc_of |= {int(self._arcs[i, 1]): int(i) for i in used}
        on_cycles = list(arc_of)
        cuts = []
        for cycle in cycles:
            for part in self._parts(cycle, on_cycles):
                far = np.zeros(self._nodes, dtype=np.bool_)
                far[part] = True
                cuts += self._cuts(far, arc_of, cycle, part[0])
        return self._conditional(cuts)

    def _cuts(
        self, far: NDArray[np.bool_], arc_of: dict[int, int], cycle: list[int], far_node: int
    ) -> list[tuple[int, ...]]:
        """Return the cuts that say: an edge leaves the nodes that are not far, unless all are on one side."""
        ends = far[self._arcs]
        tail_far, head_far = ends[:, 0], ends[:, 1]
        conditions = []
        always = next((v for v in cycle if self._present[v] == ALWAYS), None)
        if always is None and not self._anchors.within(~(tail_far & head_far)):
            conditions.append(-self._visit(cycle[0], arc_of))
        if not self._anchors.within(tail_far | head_far):
            present = self._visit(far_node, arc_of)
            if present != ALWAYS:
                conditions.append(-present)
        if not self._directed:
            return [(*conditions, *self._literals[tail_far != head_far].tolist())]
        # A cycle that crosses the boundary does so in both directions.
        return [
            (*conditions, *self._literals[~tail_far & head_far].tolist()),
            (*conditions, *self._literals[tail_far & ~head_far].tolist()),
        ]

    def _visit(self, node: int, arc_of: dict[int, int]) -> int:
        """Return a literal that is true and implies that the node is visited."""
        present = self._present[node]
        return int(self._literals[arc_of[node]]) if present is None else present


class LazyConnection(_Graph):
    """Finds the cuts of connected nodes or of a tree that an assignment violates.

    Parameters
    ----------
    form:
        The constraint.
    clauses:
        Clauses of the model that may be anchors.
    """

    def __init__(self, form: ConnectionForm, clauses: Iterable[Sequence[int]] = ()) -> None:
        super().__init__(form.nodes, form.edges, form.unless)
        self._tree = form.tree
        self._present = np.array(form.present, dtype=np.int64)
        items: dict[int, list[int]] = {}
        for v, present in enumerate(form.present):
            items.setdefault(present, []).append(v)
        self._anchors = Anchors(items, form.nodes, clauses)

    def violated(self, true: NDArray[np.bool_]) -> list[list[int]]:
        """Return the cuts that an assignment violates; the time is linear in the edges for each component."""
        if not self._applies(true):
            return []
        present = self._holding(self._present, true)
        usable = present[self._arcs].all(axis=1)
        used = np.flatnonzero(usable & self._holding(self._literals, true))
        nodes = np.flatnonzero(present).tolist()
        components = self._components(used, nodes)
        cuts: list[tuple[int, ...]] = []
        if len(components) > 1:
            for component in components:
                cuts += self._separations(component, present, nodes)
        if self._tree:
            cuts += self._cycles(used)
        return self._conditional(cuts)

    def _separations(
        self, component: list[int], present: NDArray[np.bool_], nodes: list[int]
    ) -> list[tuple[int, ...]]:
        """Return the cuts between a component and other present nodes."""
        near = np.zeros(self._nodes, dtype=np.bool_)
        near[component] = True
        beside = np.zeros(self._nodes, dtype=np.bool_)
        if not self._tree:
            # A path to another component passes an absent neighbour, or uses a false edge.
            touched = self._arcs[near[self._arcs].any(axis=1)]
            beside[touched.ravel()] = True
            beside &= ~present
        cuts = []
        for part in self._parts([*component, *np.flatnonzero(beside).tolist()], nodes):
            far = np.zeros(self._nodes, dtype=np.bool_)
            far[part] = True
            ends_far, ends_beside = far[self._arcs], beside[self._arcs]
            border = np.unique(self._arcs[ends_beside & ends_far[:, ::-1]])
            closed = ends_far.any(axis=1) & near[self._arcs].any(axis=1)
            cut = [*self._literals[closed].tolist(), *self._present[border].tolist()]
            on_border = np.zeros(self._nodes, dtype=np.bool_)
            on_border[border] = True
            for node, side in ((component[0], ~far), (part[0], far | on_border)):
                members = np.flatnonzero(side & (self._present == ALWAYS) & ~on_border)
                if not len(members) and not self._anchors.within(side):
                    cut.append(-int(self._present[node]))
            cuts.append(tuple(cut))
        return cuts

    def _cycles(self, used: NDArray[np.int64]) -> list[tuple[int, ...]]:
        """Return for each true edge outside a breadth-first forest the clause against its cycle."""
        around: dict[int, list[tuple[int, int]]] = {}
        for i in used.tolist():
            u, v = self._arcs[i].tolist()
            around.setdefault(u, []).append((v, i))
            around.setdefault(v, []).append((u, i))
        above: dict[int, tuple[int, int]] = {}
        depth: dict[int, int] = {}
        forest = set()
        for root in around:
            if root in depth:
                continue
            depth[root] = 0
            queue = [root]
            for v in queue:
                for w, i in around[v]:
                    if w not in depth:
                        depth[w], above[w] = depth[v] + 1, (v, i)
                        forest.add(i)
                        queue.append(w)
        closing = [(*self._arcs[i].tolist(), i) for i in used.tolist() if i not in forest]
        cuts = []
        for v, w, i in closing:
            edges = [i]
            while v != w:
                if depth[v] >= depth[w]:
                    v, edge = above[v]
                else:
                    w, edge = above[w]
                edges.append(edge)
            cuts.append(tuple(-int(self._literals[e]) for e in sorted(edges) if self._literals[e] != ALWAYS))
        return cuts
