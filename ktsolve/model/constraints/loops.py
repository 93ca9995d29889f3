"""Constraints on the arcs of a graph: circuits, paths and subcircuits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from ktsolve.errors import BadInput
from ktsolve.model.constraints.literal import Assignment, Literal, Namer

__all__ = ["Arc", "Circuit", "Path", "Subcircuit"]

Arc = tuple[int, int, Literal]
"""From node, to node, and the literal that is true exactly if the arc is used."""


class _OverArcs:
    """A constraint on the arcs (u, v) whose literals are true; undirected arcs are edges."""

    kind: ClassVar[str]
    directed: bool
    nodes: int
    arcs: tuple[Arc, ...]
    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        nodes, labels = self.nodes, self.labels
        if isinstance(nodes, bool) or not isinstance(nodes, int) or nodes < 1:
            raise BadInput(f"the number of nodes must be a whole number from 1, not {nodes!r:.40}")
        seen: set[int] = set()
        for u, v, _ in self.arcs:
            if not (0 <= u < nodes and 0 <= v < nodes) or u == v:
                raise BadInput(
                    f"arc {u}-{v} is invalid: it must join two different nodes among 0 .. {nodes - 1}"
                )
            key = u * nodes + v if self.directed or u < v else v * nodes + u
            if key in seen:
                raise BadInput(f"arc {u}-{v} is given twice: give each arc once")
            seen.add(key)
        if labels and len(labels) != nodes:
            raise BadInput(f"{nodes} nodes need as many labels or none, not {len(labels)}")
        if self.at_nodes is not None and len(self.at_nodes) != nodes:
            raise BadInput(
                f"a {self.kind} of {nodes} nodes needs one literal for each node, not {len(self.at_nodes)}"
            )

    @property
    def at_nodes(self) -> tuple[Literal, ...] | None:
        """A literal for each node, if the constraint has such literals."""
        return None

    def used(self, assignment: Assignment) -> list[tuple[int, int]]:
        """Return the arcs whose literals are true."""
        return [(u, v) for u, v, literal in self.arcs if literal.holds(assignment)]

    def literals(self) -> Iterable[Literal]:
        """Return the literals of all arcs, then those of the nodes."""
        return (*(literal for _, _, literal in self.arcs), *(self.at_nodes or ()))

    def text(self, name: Namer) -> str:
        """``circuit through 12 nodes: a-b if x, ...``."""
        labels = self.labels or tuple(str(v) for v in range(self.nodes))
        sign = ">" if self.directed else "-"
        arcs = ", ".join(f"{labels[u]}{sign}{labels[v]} if {name(literal)}" for u, v, literal in self.arcs)
        return f"{self.kind} {'of' if self.kind == 'subcircuit' else 'through'} {self.nodes} nodes: {arcs}"


@dataclass(frozen=True)
class Circuit(_OverArcs):
    """The arcs whose literals are true form one cycle through all nodes 0 .. nodes - 1.

    With ``directed`` an arc (u, v) leads from u to v; otherwise it is an undirected edge. A cycle has at
    least three nodes, or two if it is directed.
    """

    kind: ClassVar[str] = "circuit"
    nodes: int
    arcs: tuple[Arc, ...]
    directed: bool = False
    labels: tuple[str, ...] = ()

    def holds(self, assignment: Assignment) -> bool:
        """Return whether the true arcs form one cycle through all nodes, in time linear in the arcs."""
        used = self.used(assignment)
        if len(used) != self.nodes or self.nodes < (2 if self.directed else 3):
            return False
        if not self.directed:
            return _is_cycle(self.nodes, used)
        after = dict(used)
        here, length = after.get(0), 1
        while here not in (None, 0) and length <= len(after):
            here, length = after.get(here), length + 1
        return here == 0 and length == self.nodes


@dataclass(frozen=True)
class Path(_OverArcs):
    """The edges whose literals are true form one path through all nodes.

    ``ends[v]`` is true exactly if the path ends at node v. A path through one node has both ends there.
    """

    kind: ClassVar[str] = "path"
    nodes: int
    arcs: tuple[Arc, ...]
    ends: tuple[Literal, ...]
    directed: bool = field(default=False, init=False, repr=False)
    labels: tuple[str, ...] = ()

    @property
    def at_nodes(self) -> tuple[Literal, ...]:
        """The literals of the ends."""
        return self.ends

    def holds(self, assignment: Assignment) -> bool:
        """Return whether the true edges form one path through all nodes with the given ends."""
        used, n = self.used(assignment), self.nodes
        ends = [v for v, end in enumerate(self.ends) if end.holds(assignment)]
        if n == 1:
            return not used and ends == [0]
        # A path is a cycle through one more node, which is joined to both ends.
        return _is_cycle(n + 1, [*used, *((v, n) for v in ends)])


@dataclass(frozen=True)
class Subcircuit(_OverArcs):
    """The edges whose literals are true form one cycle that visits exactly the present nodes.

    Node v is present exactly if ``present[v]`` is true. A cycle has at least three nodes.
    """

    kind: ClassVar[str] = "subcircuit"
    nodes: int
    arcs: tuple[Arc, ...]
    present: tuple[Literal, ...]
    directed: bool = field(default=False, init=False, repr=False)
    labels: tuple[str, ...] = ()

    @property
    def at_nodes(self) -> tuple[Literal, ...]:
        """The literals of the present nodes."""
        return self.present

    def holds(self, assignment: Assignment) -> bool:
        """Return whether the true edges form one cycle that visits exactly the present nodes."""
        visited = [v for v, literal in enumerate(self.present) if literal.holds(assignment)]
        place = {v: at for at, v in enumerate(visited)}
        used = self.used(assignment)
        if len(visited) < 3 or any(u not in place or v not in place for u, v in used):
            return False
        return _is_cycle(len(visited), [(place[u], place[v]) for u, v in used])


def _is_cycle(nodes: int, edges: Sequence[tuple[int, int]]) -> bool:
    """Return whether edges form one cycle through all nodes."""
    around: list[list[int]] = [[] for _ in range(nodes)]
    for u, v in edges:
        around[u].append(v)
        around[v].append(u)
    if any(len(others) != 2 for others in around):
        return False
    before, here, length = 0, around[0][0], 1
    while here != 0:
        first, second = around[here]
        before, here, length = here, second if first == before else first, length + 1
    return length == nodes
