"""One cycle through some of the nodes: the normal form of subcircuits, and its clauses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ktsolve.model.clauses import Clauses
from ktsolve.model.constraints import Literal, Subcircuit
from ktsolve.model.hamiltonian import ENCODINGS, encoding_named

__all__ = ["CycleForm", "add_degrees", "add_single_cycle", "cycle_form"]


@dataclass(frozen=True)
class CycleForm:
    """At most one cycle, or exactly one, through some nodes of a graph, in DIMACS numbering.

    Attributes
    ----------
    nodes, directed:
        The graph.
    arcs:
        Tail, head and literal of each arc.
    present:
        For each node a literal that is true exactly if the cycle visits the node; None for a node without
        such a literal.
    empty:
        Whether no cycle is allowed too.
    """

    nodes: int
    arcs: Sequence[tuple[int, int, int]]
    directed: bool
    present: Sequence[int | None]
    empty: bool = False

    def arcs_at(self) -> tuple[list[list[int]], list[list[int]]]:
        """Return the literals of the arcs out of each node, and into it: the same if undirected."""
        out: list[list[int]] = [[] for _ in range(self.nodes)]
        into: list[list[int]] = [[] for _ in range(self.nodes)] if self.directed else out
        for u, v, literal in self.arcs:
            out[u].append(literal)
            into[v].append(literal)
        return out, into


def cycle_form(constraint: Subcircuit, out: Clauses) -> CycleForm:
    """Return the normal form of a subcircuit. Nodes with a fixed presence need a literal that is always true.

    Examples
    --------
    >>> a, b, c, d = (Literal(i) for i in range(4))
    >>> form = cycle_form(Subcircuit(3, ((0, 1, a), (1, 2, b), (0, 2, ~c)), (True, False, d)), Clauses(4))
    >>> form.arcs, form.present
    ([(0, 1, 1), (1, 2, 2), (0, 2, -3)], [5, -5, 4])
    """
    arcs = [(u, v, _number(literal)) for u, v, literal in constraint.arcs]
    present: list[int | None] = [None] * constraint.nodes
    if constraint.present is not None:
        present = [mark_number(mark, out) for mark in constraint.present]
    return CycleForm(constraint.nodes, arcs, constraint.directed, present, constraint.empty)


def mark_number(mark: Literal | bool, out: Clauses) -> int:
    """Return the DIMACS literal of a literal or a truth value."""
    if isinstance(mark, bool):
        return out.true() if mark else -out.true()
    return _number(mark)


def _number(literal: Literal) -> int:
    return literal.number + 1 if literal.positive else -literal.number - 1


def add_degrees(out: Clauses, form: CycleForm) -> None:
    """Add that the true arcs form disjoint cycles through exactly the present nodes, one or more.

    The clauses for a node of degree d have some d + 1 literals each; there are d to d^3 / 6 of them, or
    fewer with auxiliary variables.
    """
    leaving, entering = form.arcs_at()
    for v, present in enumerate(form.present):
        for arcs in (leaving[v], entering[v]) if form.directed else (leaving[v],):
            allowed = 1 if form.directed else 2
            out.at_least(len(arcs) - allowed, [-arc for arc in arcs])
            if present is not None:
                out.clauses.append([-present, *arcs])
                out.clauses.extend([-arc, present] for arc in arcs)
        if form.directed:
            # One arc enters where one leaves.
            if present is None:
                out.clauses.extend([-arc, *entering[v]] for arc in leaving[v])
                out.clauses.extend([-arc, *leaving[v]] for arc in entering[v])
        else:
            edges = leaving[v]
            out.clauses.extend([-edge, *edges[:i], *edges[i + 1 :]] for i, edge in enumerate(edges))
    if not form.empty:
        out.clauses.append([arc for _, _, arc in form.arcs])


def add_single_cycle(out: Clauses, form: CycleForm, encoding: str) -> None:
    """Add the clauses of a form completely, by an eager encoding of :data:`ENCODINGS`.

    The root is the present node of smallest number. The used arcs without those into the root have no cycle:
    so each cycle visits the root, and there is only one.
    """
    add_order = ENCODINGS[encoding_named(encoding)]
    add_degrees(out, form)
    arcs = list(form.arcs) if form.directed else _both_ways(out, form)
    present = _visited(out, form)
    roots = first_true(out, present)
    # The encodings leave arcs into node 0 unconstrained: it is an extra node here, which has no arcs.
    order = []
    for u, v, arc in arcs:
        inner = out.fresh()
        out.clauses += [[-inner, arc], [-inner, -roots[v]], [inner, -arc, roots[v]]]
        order.append((u + 1, v + 1, inner))
    add_order(out, form.nodes + 1, order)


def _visited(out: Clauses, form: CycleForm) -> list[int]:
    """Return a literal for each node that is true exactly if the cycle visits it."""
    leaving, _ = form.arcs_at()
    visited = []
    for present, arcs in zip(form.present, leaving, strict=True):
        if present is None:
            present = out.fresh()
            out.clauses.append([-present, *arcs])
            out.clauses.extend([-arc, present] for arc in arcs)
        visited.append(present)
    return visited


def first_true(out: Clauses, literals: Sequence[int]) -> list[int]:
    """Return a variable for each literal that is true exactly if it is the first true one."""
    first, earlier = [], None
    for literal in literals:
        if earlier is None:
            first.append(literal)
            earlier = literal
            continue
        here, some = out.fresh(), out.fresh()
        out.clauses += [[-here, literal], [-here, -earlier], [here, -literal, earlier]]
        out.clauses += [[-some, earlier, literal], [some, -earlier], [some, -literal]]
        first.append(here)
        earlier = some
    return first


def _both_ways(out: Clauses, form: CycleForm) -> list[tuple[int, int, int]]:
    """Return two arcs for each edge, of which a used edge uses one; one arc enters and leaves each node."""
    arcs = []
    leaving: list[list[int]] = [[] for _ in range(form.nodes)]
    entering: list[list[int]] = [[] for _ in range(form.nodes)]
    for u, v, edge in form.arcs:
        there, back = out.fresh(), out.fresh()
        out.clauses += [[-edge, there, back], [-there, edge], [-back, edge], [-there, -back]]
        arcs += [(u, v, there), (v, u, back)]
        for tail, head, arc in arcs[-2:]:
            leaving[tail].append(arc)
            entering[head].append(arc)
    for group in (*leaving, *entering):
        out.at_least(len(group) - 1, [-arc for arc in group])
    return arcs
