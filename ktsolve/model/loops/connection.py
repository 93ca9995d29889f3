"""Connected nodes and trees: their normal form and its clauses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ktsolve.model.clauses import ClauseWriter
from ktsolve.model.constraints import Connected, Tree
from ktsolve.model.cycle_encodings import encoding_named
from ktsolve.model.loops.cycle import ALWAYS, IntArc, first_true, mark_number

__all__ = ["ConnectionForm", "connection_form"]


@dataclass(frozen=True, eq=False)
class ConnectionForm:
    """Nodes that edges connect, in DIMACS numbering.

    Attributes
    ----------
    nodes, edges:
        The graph; each edge with its literal, or :data:`ALWAYS`.
    present:
        A literal for each node, or :data:`ALWAYS`.
    tree:
        Whether the true edges form a tree of the present nodes. Otherwise they connect the present nodes.
    unless:
        Literals, each of which lifts the constraint.
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
            # The encodings place node 0 first and leave arcs into it unconstrained: it is an extra node here.
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


def connection_form(
    constraint: Connected | Tree, out: ClauseWriter, unless: Sequence[int] = ()
) -> ConnectionForm:
    """Return the normal form of connected nodes or of a tree."""
    edges = [
        (u, v, ALWAYS if mark is True else mark_number(mark, out))
        for u, v, mark in constraint.edges
        if mark is not False
    ]
    present = [ALWAYS] * constraint.nodes
    if constraint.present is not None:
        present = [ALWAYS if mark is True else mark_number(mark, out) for mark in constraint.present]
    return ConnectionForm(constraint.nodes, edges, present, isinstance(constraint, Tree), unless)
