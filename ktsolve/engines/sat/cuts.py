"""Subtour cuts, subtour joining, and initial unions of cycles for circuits that are encoded lazily.

The degree clauses alone allow several disjoint cycles (*subtours*). A *subtour cut* for a proper subset S of
the nodes is the clause "some edge leaves S". It excludes every solution with a cycle inside S.
Source: the subtour elimination of Dantzig, Fulkerson & Johnson (1954), added lazily as clauses.

Three techniques speed up the search for a single tour. Joining replaces two edges, one of each of two
subtours, by two edges that link them (ktsolve/sat/subtours.hpp). The initial phases of the solver
come from a union of cycles that is found without a solver (ktsolve/sat/two_factor.hpp) and then
joined. If this is not one cycle, local search (:mod:`ktsolve.engines.walk.engine`) looks for one, at the
beginning and after some rounds. docs/cuts.md has measurements and the rejected alternatives.

Cycles through some of the nodes, connected nodes, and trees have cuts too. Let S be a set of nodes that
contains one cycle or component and avoids another. Every solution that uses both S and its complement has an
edge that leaves S. The cut says so: no node r of S is used, or no node t of the complement is, or some edge
leaves S. Two things make it stronger:

- *Small boundaries.* The nodes of a cycle, or of a component and its neighbours, divide the others into
  parts. For each part T that another cycle or component touches, only the boundary of T counts.
- *Anchors.* An anchor is a clause of the model that makes at least one of some edges or nodes used. If all
  of them belong to S or to the boundary, S is used for sure, and r is not needed; likewise for t.

All cycles or components of an assignment are cut at once. The cuts of a tree are those of connected nodes,
and for each cycle the clause that one of its edges is false.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Settings
from ktsolve.engines.sat.short_cycles import short_cycles
from ktsolve.graphs.edge_arrays import two_colours
from ktsolve.model.loop_forms import ALWAYS, ConnectionForm, CycleForm, Form, IntArc
from ktsolve.problem.cycle_graph import CycleGraph

__all__ = ["Anchors", "LazyCircuit", "LazyConnection", "LazyConstraint", "LazyCycle", "lazy_constraint"]


_PATIENCE = 20_000
"""Exchanges of local search without progress, besides four for each node: some hundredths of a second."""

_LISTED = 4096  # literals, or nodes with theirs, that are Python objects at the same time

_NO_COST = np.zeros(0, dtype=np.int32)


class LazyCircuit:
    """Finds the subtour cuts of a circuit through all nodes that a solution of its degree clauses violates.

    An assignment is an array: ``true[i]`` is the value of DIMACS variable i. Joining may exchange the edges
    of the variables that are ``free``: no other constraint contains them. None allows no joining.
    """

    def __init__(self, circuit: CycleForm, free: NDArray[np.bool_] | None = None) -> None:
        self.nodes = circuit.nodes
        self.directed = circuit.directed
        self._arcs = np.ascontiguousarray(circuit.ends)
        self._literals = circuit.literals
        self._variables = np.abs(self._literals)
        # A variable with several edges cannot exchange one of them alone.
        single = np.bincount(self._variables, minlength=1)[self._variables] == 1
        exchanged = False if free is None else free[self._variables]
        self._alone: NDArray[np.bool_] = single & (self._literals > 0) & exchanged
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
    ) -> bool:
        """Write a union of cycles through all nodes of an undirected circuit; return False if there is none.

        On a graph whose nodes have two colours it is found if there is one. Elsewhere the result may be True
        where none was found.

        A variable must be true if it is ``fixed`` to 1, and false if to -1. The seed varies the edges; 0 is
        the default order. Edges whose variables have smaller costs are preferred.
        """
        from ktsolve import _native

        wanted = fixed[self._variables] * np.sign(self._literals)
        use = np.where(wanted > 0, 1, np.where(wanted < 0, 2, 0)).astype(np.uint8)
        costs = _NO_COST if cost is None else cost[self._variables]
        flags, missing = _native.find_two_factor(self.nodes, self._arcs, use, costs, seed)
        true[self._variables] = (flags != 0) == (self._literals > 0)
        return missing == 0 or two_colours(self.nodes, self._arcs) is None

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
        """Return the subtour cuts that an assignment violates, one or two clauses per subtour.

        The list is empty if the arcs form one cycle through all nodes. The time is linear in the arcs.
        """
        subtour, _ = self._subtours(true)
        number_of_subtours = int(subtour.max()) + 1
        if number_of_subtours == 1:
            return []
        several = 1 + int(self._kinds.max())
        cuts: list[list[int]] = [[] for _ in range(number_of_subtours * several)]
        ends = subtour[self._arcs]
        leaving = ends[:, 0] != ends[:, 1]
        places = several * ends[leaving] + self._kinds[leaving]
        for (p, q), literal in zip(places.tolist(), self._literals[leaving].tolist(), strict=True):
            cuts[p].append(literal)
            cuts[q].append(literal)
        # Two subtours have the same cuts.
        return cuts[:several] if number_of_subtours == 2 else cuts

    def short_cuts(self, fixed: NDArray[np.int8]) -> list[list[int]]:
        """Return the cuts of short cycles, and of each the clause that one of its edges is not used.

        A variable must be true if it is ``fixed`` to 1, and false if to -1.
        """
        wanted = fixed[self._variables] * np.sign(self._literals)
        kept = wanted >= 0
        # For each node: the other end of an arc, its literal, and the cut that has it.
        around: list[list[tuple[int, int, int]]] = [[] for _ in range(self.nodes)]
        literal_of: dict[tuple[int, int], int] = {}
        arcs, kinds = self._arcs.tolist(), self._kinds.tolist()
        for (u, v), literal, (at_u, at_v) in zip(arcs, self._literals.tolist(), kinds, strict=True):
            around[u].append((v, literal, at_u))
            around[v].append((u, literal, at_v))
            literal_of[u, v] = literal
            if not self.directed:
                literal_of[v, u] = literal
        cuts = []
        for cycle in short_cycles(self.nodes, self._arcs[kept], wanted[kept] > 0, directed=self.directed):
            cuts.append([-literal_of[pair] for pair in pairwise((*cycle, cycle[0]))])
            inside = set(cycle)
            leaving = [each for v in cycle for each in around[v] if each[0] not in inside]
            several = range(1 + int(self._kinds.max()))
            cuts += [[literal for _, literal, at in leaving if at == kind] for kind in several]
        return cuts

    @cached_property
    def _kinds(self) -> NDArray[np.int64]:
        """For both ends of each arc the cut of a subtour there that has the arc, the only one or one of two.

        As many arcs enter the nodes of a subtour as leave them, so each direction has a cut. In an undirected
        graph of two colours a subtour has as many nodes of each, two edges at every node, and so as many
        edges that leave it from nodes of one colour as from those of the other: each colour has a cut.
        """
        if self.directed:
            return np.tile(np.arange(2), (len(self._arcs), 1))
        colours = two_colours(self.nodes, self._arcs)
        return np.zeros(self._arcs.shape, dtype=np.int64) if colours is None else colours[self._arcs]

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

    A literal stands for some of the ``number`` items: one of them is used if it is true. The clauses of the
    model are in DIMACS numbering.
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

    def __init__(self, form: Form, arcs: Sequence[IntArc]) -> None:
        self._nodes, self._unless = form.nodes, form.unless
        self._arcs = np.array([(u, v) for u, v, _ in arcs], dtype=np.int64).reshape(-1, 2)
        self._literals = np.array([literal for _, _, literal in arcs], dtype=np.int64)
        self._around: list[list[int]] = [[] for _ in range(form.nodes)]
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
        seen = bytearray(self._nodes)
        return [_reached(v, around, seen) for v in around if not seen[v]]

    def _parts(self, removed: Iterable[int], starts: Iterable[int]) -> list[list[int]]:
        """Return the parts of the graph without some nodes that contain a start; each begins with one."""
        seen = bytearray(self._nodes)
        for v in removed:
            seen[v] = True
        return [_reached(v, self._around, seen) for v in starts if not seen[v]]


def _reached(
    start: int, around: Mapping[int, Sequence[int]] | Sequence[Sequence[int]], seen: bytearray
) -> list[int]:
    """Return the nodes that a node reaches through nodes not seen before, in linear time; mark them."""
    seen[start] = True
    found = [start]
    for v in found:
        for w in around[v]:
            if not seen[w]:
                seen[w] = True
                found.append(w)
    return found


class LazyCycle(_Graph):
    """Finds the cuts of a cycle through some nodes that a solution of its degree clauses violates."""

    def __init__(self, form: CycleForm, clauses: Iterable[Sequence[int]] = ()) -> None:
        super().__init__(form, form.arcs)
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
    """Finds the cuts of connected nodes or of a tree that an assignment violates."""

    def __init__(self, form: ConnectionForm, clauses: Iterable[Sequence[int]] = ()) -> None:
        super().__init__(form, form.edges)
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
