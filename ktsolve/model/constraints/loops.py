"""Constraints on the arcs of a graph: circuits, paths and subcircuits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from ktsolve.errors import BadInput
from ktsolve.model.constraints.interface import Assignment, Namer
from ktsolve.model.variables import Literal

__all__ = ["Arc", "Circuit", "Path", "Subcircuit", "subcircuit"]

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
    def at_nodes(self) -> tuple[Literal | bool, ...] | None:
        """A literal or a value for each node, if the constraint has them."""
        return None

    def used(self, assignment: Assignment) -> list[tuple[int, int]]:
        """Return the arcs whose literals are true."""
        return [(u, v) for u, v, literal in self.arcs if literal.holds(assignment)]

    def literals(self) -> Iterable[Literal]:
        """Return the literals of all arcs, then those of the nodes."""
        at_nodes = (mark for mark in self.at_nodes or () if not isinstance(mark, bool))
        return (*(literal for _, _, literal in self.arcs), *at_nodes)

    def text(self, name: Namer) -> str:
        """``circuit through 12 nodes: a-b if x, ...``."""
        labels = self.labels or tuple(str(v) for v in range(self.nodes))
        sign = ">" if self.directed else "-"
        arcs = ", ".join(f"{labels[u]}{sign}{labels[v]} if {name(literal)}" for u, v, literal in self.arcs)
        return f"{self.kind} through {self.nodes} nodes: {arcs}"


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
    """The arcs whose literals are true form one cycle through some of the nodes.

    A cycle has at least three nodes, or two if it is directed.

    Attributes
    ----------
    present:
        For each node a literal that is true exactly if the cycle visits the node; or True for a node that it
        visits in any case, and False for one that it never visits. None places no condition on the nodes.
    empty:
        Whether the constraint holds too if no arc is true and no node present.
    """

    kind: ClassVar[str] = "subcircuit"
    nodes: int
    arcs: tuple[Arc, ...]
    present: tuple[Literal | bool, ...] | None = None
    directed: bool = False
    labels: tuple[str, ...] = ()
    empty: bool = False

    @property
    def at_nodes(self) -> tuple[Literal | bool, ...] | None:
        """The literals of the present nodes."""
        return self.present

    def holds(self, assignment: Assignment) -> bool:
        """Return whether the true arcs form one cycle that visits exactly the present nodes."""
        used = self.used(assignment)
        visited = {v for arc in used for v in arc}
        if self.present is not None and visited != _true_nodes(self.present, assignment):
            return False
        return self.empty if not used else _is_one_cycle(used, self.directed)

    def text(self, name: Namer) -> str:
        """``subcircuit through some of 12 nodes: a-b if x, ...; visits a if p, ...``."""
        text = super().text(name).replace("through", "through some of", 1)
        if self.present is not None:
            labels = self.labels or tuple(str(v) for v in range(self.nodes))
            text += f"; visits {marks_text(self.present, labels, name)}"
        return text + ("; or empty" if self.empty else "")


def marks_text(marks: Sequence[Literal | bool], labels: Sequence[str], name: Namer) -> str:
    """``a if x, b``: the nodes that are marked, and under which condition."""
    texts = [
        label if mark is True else f"{label} if {name(mark)}"
        for label, mark in zip(labels, marks, strict=True)
        if not isinstance(mark, bool) or mark
    ]
    return ", ".join(texts) or "none"


def subcircuit(
    nodes: int,
    arcs: Iterable[Arc],
    present: Sequence[Literal | bool] | None = None,
    *,
    directed: bool = False,
    empty: bool = False,
    labels: Sequence[str] = (),
) -> Subcircuit:
    """Return a subcircuit; loops (v, v, x) among the arcs may say which nodes are not visited.

    >>> x = [Literal(i) for i in range(4)]
    >>> subcircuit(3, [(0, 1, x[0]), (1, 2, x[1]), (0, 2, x[2]), (0, 0, x[3])]).present
    (Literal(number=3, positive=False), True, True)
    """
    proper = tuple(arcs)
    loops = {u: literal for u, v, literal in proper if u == v}
    if loops:
        if present is not None:
            raise BadInput(f"loop {min(loops)}-{min(loops)} and present= are two ways of one thing: use one")
        if sum(u == v for u, v, _ in proper) > len(loops):
            raise BadInput("a loop of a node is given twice: give each loop once")
        proper = tuple(arc for arc in proper if arc[0] != arc[1])
        present = [~loops[v] if v in loops else True for v in range(max(nodes, max(loops) + 1))]
    chosen = None if present is None else tuple(present)
    return Subcircuit(nodes, proper, chosen, directed, tuple(labels), empty)


def _true_nodes(marks: Sequence[Literal | bool], assignment: Assignment) -> set[int]:
    """Return the nodes whose literal or value is true."""
    return {v for v, mark in enumerate(marks) if (mark if isinstance(mark, bool) else mark.holds(assignment))}


def _is_one_cycle(arcs: Sequence[tuple[int, int]], directed: bool) -> bool:
    """Return whether arcs form one cycle through the nodes that they touch."""
    place = {v: at for at, v in enumerate(dict.fromkeys(v for arc in arcs for v in arc))}
    placed = [(place[u], place[v]) for u, v in arcs]
    if len(placed) != len(place):
        return False
    if not directed:
        return len(place) >= 3 and _is_cycle(len(place), placed)
    after = dict(placed)
    here, length = after.get(0), 1
    while here not in (None, 0) and length < len(place):
        here, length = after.get(here), length + 1
    return here == 0 and length == len(place)


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
