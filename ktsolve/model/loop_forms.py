"""Loop constraints as clauses: normal forms in DIMACS numbering, degree clauses, complete encodings.

A *loop constraint* is a circuit, subcircuit, path or subpath, or says that nodes are connected or that edges
form a tree. Its form has two encodings: ``relax`` adds clauses that every solution satisfies and that the SAT
engine completes by cuts; ``complete`` adds all clauses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ktsolve.model import constraints
from ktsolve.model.clauses import ClauseWriter
from ktsolve.model.constraints import Arc, Arcs, Literals, Mark
from ktsolve.model.cycle_encodings import encoding_named
from ktsolve.model.variables import number

__all__ = ["ALWAYS", "ConnectionForm", "CycleForm", "Form", "LoopConstraint", "loop_form"]

ALWAYS = 0
"""The presence of a node that is visited in any case; 0 is not a literal in DIMACS numbering."""

_Cycle: TypeAlias = constraints.Circuit | constraints.Path | constraints.Subcircuit | constraints.Subpath

_Net: TypeAlias = constraints.Connected | constraints.Tree

LoopConstraint: TypeAlias = _Cycle | _Net

IntArc = tuple[int, int, int]
"""Tail, head, and literal in DIMACS numbering."""


@dataclass(frozen=True, eq=False)
class CycleForm:
    """One cycle through some nodes of a graph, in DIMACS numbering.

    ``ends`` has the tail and head of each arc in two columns. For each node ``present`` has a literal that is
    true exactly if the cycle visits the node, :data:`ALWAYS`, or None for a node without such a literal. If
    ``empty``, no cycle is allowed too. Each literal of ``unless`` lifts the constraint; of each pair in
    ``apart`` one is false.
    """

    nodes: int
    ends: NDArray[np.int32]
    literals: NDArray[np.int64]
    directed: bool
    present: Sequence[int | None]
    empty: bool = False
    unless: Sequence[int] = ()
    apart: Sequence[tuple[int, int]] = ()

    @property
    def everywhere(self) -> bool:
        """Whether the cycle visits all nodes, without a condition."""
        return not self.unless and list(self.present).count(ALWAYS) == len(self.present)

    @cached_property
    def arcs(self) -> list[IntArc]:
        """Tail, head and literal of each arc."""
        tails, heads = self.ends.T.tolist()
        return list(zip(tails, heads, self.literals.tolist(), strict=True))

    def arcs_at(self) -> tuple[list[list[int]], list[list[int]]]:
        """Return the literals of the arcs out of each node, and into it: the same if undirected."""
        out: list[list[int]] = [[] for _ in range(self.nodes)]
        into: list[list[int]] = [[] for _ in range(self.nodes)] if self.directed else out
        for u, v, literal in self.arcs:
            out[u].append(literal)
            into[v].append(literal)
        return out, into

    def relax(self, out: ClauseWriter) -> None:
        """Add that the true arcs form disjoint cycles through exactly the present nodes, one or more.

        There are d to d^3 / 6 clauses for a node of degree d, or fewer with auxiliary variables.
        """
        with out.lifted_by(self.unless):
            self._add_degrees(out)

    def complete(self, out: ClauseWriter, encoding: str) -> None:
        """Add all clauses, by an eager encoding of :data:`ENCODINGS`.

        The root is a node that is always visited, or the present node of smallest number. The used arcs
        without those into the root have no cycle: so each cycle visits the root, and there is only one.
        """
        add_order = encoding_named(encoding)
        with out.lifted_by(self.unless):
            self._add_degrees(out)
            arcs = self.arcs if self.directed else self._both_ways(out)
            if ALWAYS in self.present:
                # The encodings begin at node 0, and get no arcs into it.
                root = list(self.present).index(ALWAYS)
                swap = {root: 0, 0: root}
                inner = [(swap.get(u, u), swap.get(v, v), arc) for u, v, arc in arcs if v != root]
                add_order(out, self.nodes, inner)
                return
            roots = first_true(out, self._visited(out))
            order = []
            for u, v, arc in arcs:
                used = out.fresh()
                out.clauses += [[-used, arc], [-used, -roots[v]], [used, -arc, roots[v]]]
                order.append((u + 1, v + 1, used))
            # Node 0 is an extra node without arcs.
            add_order(out, self.nodes + 1, order)

    def _add_degrees(self, out: ClauseWriter) -> None:
        leaving, entering = self.arcs_at()
        for v, present in enumerate(self.present):
            groups = (leaving[v], entering[v]) if self.directed else (leaving[v],)
            allowed = 1 if self.directed else 2
            for arcs in groups:
                out.at_least(len(arcs) - allowed, [-arc for arc in arcs])
                if present == ALWAYS:
                    out.at_least(allowed, arcs)
                elif present is not None:
                    out.clauses.append([-present, *arcs])
                    out.clauses.extend([-arc, present] for arc in arcs)
            if present == ALWAYS:
                continue
            if self.directed:
                # One arc enters where one leaves.
                if present is None:
                    out.clauses.extend([-arc, *entering[v]] for arc in leaving[v])
                    out.clauses.extend([-arc, *leaving[v]] for arc in entering[v])
            else:
                edges = leaving[v]
                out.clauses.extend([-edge, *edges[:i], *edges[i + 1 :]] for i, edge in enumerate(edges))
        out.clauses.extend([-a, -b] for a, b in self.apart)
        if not self.empty and ALWAYS not in self.present:
            out.clauses.append(self.literals.tolist())

    def _visited(self, out: ClauseWriter) -> list[int]:
        """Return a literal for each node that is true exactly if the cycle visits it."""
        leaving, _ = self.arcs_at()
        visited = []
        for present, arcs in zip(self.present, leaving, strict=True):
            if present is None:
                present = out.fresh()
                out.clauses.append([-present, *arcs])
                out.clauses.extend([-arc, present] for arc in arcs)
            visited.append(present)
        return visited

    def _both_ways(self, out: ClauseWriter) -> list[IntArc]:
        """Return two arcs for each edge, of which a used edge uses one; each node has one in and one out."""
        arcs = []
        leaving: list[list[int]] = [[] for _ in range(self.nodes)]
        entering: list[list[int]] = [[] for _ in range(self.nodes)]
        for u, v, edge in self.arcs:
            there, back = out.fresh(), out.fresh()
            out.clauses += [[-edge, there, back], [-there, edge], [-back, edge], [-there, -back]]
            arcs += [(u, v, there), (v, u, back)]
            for tail, head, arc in arcs[-2:]:
                leaving[tail].append(arc)
                entering[head].append(arc)
        for v, present in enumerate(self.present):
            for group in (leaving[v], entering[v]):
                if present == ALWAYS:
                    out.exactly_one(group)
                else:
                    out.at_least(len(group) - 1, [-arc for arc in group])
        return arcs


def cycle_form(constraint: _Cycle, out: ClauseWriter, unless: Sequence[int] = ()) -> CycleForm:
    """Return the normal form of a circuit, path, subcircuit or subpath.

    A path becomes a cycle through one extra node, which is joined to the ends. A node with a fixed mark may
    need a literal that is always true.

    >>> from ktsolve.model.constraints import Literal, Path, Subcircuit
    >>> (a, b, c, d), out = map(Literal, range(4)), ClauseWriter(4)
    >>> form = cycle_form(Subcircuit(3, ((0, 1, a), (1, 2, b), (0, 2, ~c)), (True, False, d)), out)
    >>> form.arcs, form.present
    ([(0, 1, 1), (1, 2, 2), (0, 2, -3)], [0, -5, 4])
    >>> cycle_form(Path(2, ((0, 1, a),), (b, c)), ClauseWriter(4)).arcs
    [(0, 1, 1), (0, 2, 2), (1, 2, 3)]
    """
    nodes = constraint.nodes
    ends, literals = _arrays(constraint.arcs)
    match constraint:
        case constraints.Circuit():
            return CycleForm(nodes, ends, literals, constraint.directed, [ALWAYS] * nodes, unless=unless)
        case constraints.Subcircuit():
            present = _presences(constraint.present, nodes, out)
            return CycleForm(nodes, ends, literals, constraint.directed, present, constraint.empty, unless)
        case constraints.Path(nodes=1):
            # A cycle of the node and the extra node has an arc back, which directed graphs allow.
            last = mark_number(constraint.ends[0], out)
            first = last if constraint.starts is None else mark_number(constraint.starts[0], out)
            there_and_back = np.array([(0, 1), (1, 0)], dtype=np.int32)
            return CycleForm(2, there_and_back, np.array([last, first]), True, [ALWAYS] * 2, unless=unless)
    starts, lasts = constraint.starts, constraint.ends
    outer, marks = _outer(lasts, nodes, out)
    ends, literals = np.concatenate([ends, outer]), np.concatenate([literals, marks])
    apart = []
    if starts is not None:
        outer, marks = _outer(starts, nodes, out)
        ends, literals = np.concatenate([ends, outer[:, ::-1]]), np.concatenate([literals, marks])
        # A path of one node would start where it ends.
        possible = [pair for pair in zip(starts, lasts, strict=True) if False not in pair]
        apart = [(mark_number(first, out), mark_number(last, out)) for first, last in possible]
    visited = constraint.present if isinstance(constraint, constraints.Subpath) else (True,) * nodes
    present = [*_presences(visited, nodes, out), ALWAYS]
    return CycleForm(nodes + 1, ends, literals, constraint.directed, present, unless=unless, apart=apart)


def _arrays(arcs: Sequence[Arc]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the ends and the literals of arcs."""
    if isinstance(arcs, Arcs):
        return arcs.ends, arcs.literals.numbers
    ends = np.array([(u, v) for u, v, _ in arcs], dtype=np.int32).reshape(-1, 2)
    return ends, np.array([number(literal) for _, _, literal in arcs], dtype=np.int64)


def _outer(
    marks: Sequence[Mark], nodes: int, out: ClauseWriter
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the arcs from the marked nodes to one more node, and their literals."""
    if isinstance(marks, Literals):
        tails, numbers = np.arange(nodes), marks.numbers
    else:
        given = [(v, mark_number(mark, out)) for v, mark in enumerate(marks) if mark is not False]
        tails, numbers = np.array(given, dtype=np.int64).reshape(-1, 2).T
    ends = np.column_stack([tails, np.full(len(tails), nodes)]).astype(np.int32)
    return ends, numbers


def _presences(marks: Sequence[Mark] | None, nodes: int, out: ClauseWriter) -> Sequence[int | None]:
    return [None] * nodes if marks is None else [_presence(mark, out) for mark in marks]


def _presence(mark: Mark, out: ClauseWriter) -> int:
    return ALWAYS if mark is True else mark_number(mark, out)


def mark_number(mark: Mark, out: ClauseWriter) -> int:
    """Return the DIMACS literal of a literal or a truth value."""
    if isinstance(mark, bool):
        return out.true() if mark else -out.true()
    return number(mark)


def first_true(out: ClauseWriter, literals: Sequence[int]) -> list[int]:
    """Return a variable for each literal that is true exactly if it is the first true one."""
    first = list(literals[:1])
    earlier = literals[0]
    for literal in literals[1:]:
        here, some = out.fresh(), out.fresh()
        out.clauses += [[-here, literal], [-here, -earlier], [here, -literal, earlier]]
        out.clauses += [[-some, earlier, literal], [some, -earlier], [some, -literal]]
        first.append(here)
        earlier = some
    return first


@dataclass(frozen=True, eq=False)
class ConnectionForm:
    """Nodes that edges connect, in DIMACS numbering.

    Each edge and each node has a literal, or :data:`ALWAYS`. The true edges form a tree of the present nodes,
    or else connect these. Each of the literals ``unless`` lifts the constraint.
    """

    nodes: int
    edges: Sequence[IntArc]
    present: Sequence[int]
    tree: bool
    unless: Sequence[int] = ()

    def relax(self, out: ClauseWriter) -> None:
        """Add that a tree has a node, and that the ends of its edges are present."""
        with out.lifted_by(self.unless):
            self._add_ends(out)

    def complete(self, out: ClauseWriter, encoding: str) -> None:
        """Add all clauses: each present node but the first has a parent, and parents are in an order.

        The order is that of an eager encoding of :data:`ENCODINGS`. The edges to the parents of connected
        nodes are some of the true edges; those of a tree are all.
        """
        add_order = encoding_named(encoding)
        with out.lifted_by(self.unless):
            self._add_ends(out)
            if ALWAYS in self.present:
                root = list(self.present).index(ALWAYS)
                roots = [0] * self.nodes
            else:
                root = -1
                roots = first_true(out, self.present)
            parents: list[list[int]] = [[] for _ in range(self.nodes)]
            arcs = []
            for u, v, edge in self.edges:
                both = [out.fresh(), out.fresh()]
                for tail, head, arc in ((u, v, both[0]), (v, u, both[1])):
                    needed = [each for each in (edge, self.present[u], self.present[v]) if each != ALWAYS]
                    out.clauses.extend([-arc, each] for each in needed)
                    parents[head].append(arc)
                    arcs.append((tail + 1, head + 1, arc))
                out.clauses.append([-both[0], -both[1]])
                if self.tree:
                    out.clauses.append([*_negated(edge), *both])
            for v, (present, group) in enumerate(zip(self.present, parents, strict=True)):
                out.at_least(len(group) - 1, [-arc for arc in group])
                if v == root:
                    out.clauses.extend([-arc] for arc in group)
                elif root >= 0:
                    out.clauses.append([*_negated(present), *group])
                else:
                    out.clauses.append([-present, roots[v], *group])
                    out.clauses.extend([-arc, -roots[v]] for arc in group)
            # Node 0, where the encodings begin, is an extra node.
            add_order(out, self.nodes + 1, arcs)

    def _add_ends(self, out: ClauseWriter) -> None:
        if not self.tree:
            return
        for u, v, edge in self.edges:
            out.clauses.extend(
                [*_negated(edge), self.present[node]] for node in (u, v) if self.present[node] != ALWAYS
            )
        if ALWAYS not in self.present:
            out.clauses.append(list(self.present))


def _negated(literal: int) -> list[int]:
    """Return the negation of a literal as the part of a clause: nothing for a literal that is always true."""
    return [] if literal == ALWAYS else [-literal]


Form: TypeAlias = CycleForm | ConnectionForm


def loop_form(constraint: LoopConstraint, out: ClauseWriter, unless: Sequence[int] = ()) -> Form:
    """Return the normal form of a loop constraint, which each of the literals ``unless`` lifts.

    A form may need a variable of the clauses that is always true.
    """
    if not isinstance(constraint, _Net):
        return cycle_form(constraint, out, unless)
    edges = [(u, v, _presence(mark, out)) for u, v, mark in constraint.edges if mark is not False]
    present = [_presence(mark, out) for mark in constraint.present or (True,) * constraint.nodes]
    return ConnectionForm(constraint.nodes, edges, present, isinstance(constraint, constraints.Tree), unless)
