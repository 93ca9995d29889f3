"""Constraints on the edges of a graph: connected nodes, and trees."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from ktsolve.base.errors import BadInput
from ktsolve.model.constraints.basic import Assignment, Namer
from ktsolve.model.constraints.loops import Mark, marks_text, true_nodes
from ktsolve.model.variables import Literal

__all__ = ["Connected", "Edge", "Tree"]

Edge = tuple[int, int, Mark]
"""Two nodes, and whether the edge is used: exactly if a literal is true, or always."""


class _OverEdges:
    """A constraint on a graph of the present nodes and the true edges."""

    kind: ClassVar[str]
    nodes: int
    edges: tuple[Edge, ...]
    present: tuple[Mark, ...] | None
    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        nodes = self.nodes
        if isinstance(nodes, bool) or not isinstance(nodes, int) or nodes < 1:
            raise BadInput(f"the number of nodes must be a whole number from 1, not {nodes!r:.40}")
        seen: set[frozenset[int]] = set()
        for u, v, _ in self.edges:
            if not (0 <= u < nodes and 0 <= v < nodes) or u == v:
                raise BadInput(
                    f"edge {u}-{v} is invalid: it must join two different nodes among 0 .. {nodes - 1}"
                )
            if frozenset((u, v)) in seen:
                raise BadInput(f"edge {u}-{v} is given twice: give each edge once")
            seen.add(frozenset((u, v)))
        if self.labels and len(self.labels) != nodes:
            raise BadInput(f"{nodes} nodes need as many labels or none, not {len(self.labels)}")
        if self.present is not None and len(self.present) != nodes:
            raise BadInput(
                f"a constraint {self.kind} of {nodes} nodes needs one literal for each node, "
                f"not {len(self.present)}"
            )

    def literals(self) -> Iterable[Literal]:
        """Return the literals of all edges, then those of the nodes."""
        marks = (*(mark for _, _, mark in self.edges), *(self.present or ()))
        return [mark for mark in marks if not isinstance(mark, bool)]

    def _graph(self, assignment: Assignment) -> tuple[set[int], list[tuple[int, int]]]:
        """Return the present nodes and the true edges."""
        everywhere = set(range(self.nodes))
        present = everywhere if self.present is None else true_nodes(self.present, assignment)
        used = [
            (u, v)
            for u, v, mark in self.edges
            if (mark if isinstance(mark, bool) else mark.holds(assignment))
        ]
        return present, used

    def text(self, name: Namer) -> str:
        """``connected: nodes a if p, b if q; edges a-b, ...``."""
        labels = self.labels or tuple(str(v) for v in range(self.nodes))
        nodes = ", ".join(labels) if self.present is None else marks_text(self.present, labels, name)
        names = [f"{labels[u]}-{labels[v]}" for u, v, _ in self.edges]
        edges = marks_text([mark for _, _, mark in self.edges], names, name)
        return f"{self.kind}: nodes {nodes}; edges {edges}"


@dataclass(frozen=True)
class Connected(_OverEdges):
    """The present nodes are connected by the true edges between them.

    An edge with an absent end does not count. No present node, and one, are connected.

    Attributes
    ----------
    edges:
        The edges (u, v, x), where the edge is used exactly if the literal x is true, or always if x is True.
    present:
        For each node whether it is present; None for all nodes.
    """

    kind: ClassVar[str] = "connected"
    nodes: int
    edges: tuple[Edge, ...]
    present: tuple[Mark, ...] | None = None
    labels: tuple[str, ...] = ()

    def holds(self, assignment: Assignment) -> bool:
        """Return whether each present node is reached from any other, in time linear in the edges."""
        present, used = self._graph(assignment)
        return _parts(present, [(u, v) for u, v in used if u in present and v in present]) <= 1


@dataclass(frozen=True)
class Tree(_OverEdges):
    """The true edges form a tree whose nodes are exactly the present ones, of at least one node.

    Attributes
    ----------
    edges, present:
        As for :class:`Connected`; an edge with an absent end must be false.
    """

    kind: ClassVar[str] = "tree"
    nodes: int
    edges: tuple[Edge, ...]
    present: tuple[Mark, ...] | None = None
    labels: tuple[str, ...] = ()

    def holds(self, assignment: Assignment) -> bool:
        """Return whether the true edges join the present nodes without a cycle, in linear time."""
        present, used = self._graph(assignment)
        if len(used) != len(present) - 1 or any(u not in present or v not in present for u, v in used):
            return False
        return _parts(present, used) == 1


def _parts(nodes: set[int], edges: Iterable[tuple[int, int]]) -> int:
    """Return the number of connected components."""
    parent = {v: v for v in nodes}

    def find(v: int) -> int:
        while parent[v] != v:
            parent[v] = v = parent[parent[v]]
        return v

    parts = len(nodes)
    for u, v in edges:
        a, b = find(u), find(v)
        if a != b:
            parent[a] = b
            parts -= 1
    return parts
