"""Constraints on the arcs or edges of a graph: one cycle or one path, connected nodes, and trees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ktsolve.base.errors import BadInput
from ktsolve.model.constraints.basic import Assignment, Namer
from ktsolve.model.constraints.deferred import Arcs, Literals
from ktsolve.model.variables import Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "Arc",
    "Circuit",
    "Connected",
    "Edge",
    "Mark",
    "Path",
    "Subcircuit",
    "Subpath",
    "Tree",
    "marks_text",
    "subcircuit",
    "true_nodes",
]


Arc = tuple[int, int, Literal]
"""From node, to node, and the literal that is true exactly if the arc is used."""

Mark = Literal | bool
"""Whether something holds of a node: exactly if a literal is true; always; or never."""


class _OverArcs:
    """A constraint on the arcs (u, v) whose literals are true; undirected arcs are edges."""

    kind: ClassVar[str]
    directed: bool
    nodes: int
    arcs: Sequence[Arc]
    labels: Sequence[str]

    def __post_init__(self) -> None:
        nodes, labels = self.nodes, self.labels
        if isinstance(nodes, bool) or not isinstance(nodes, int) or nodes < 1:
            raise BadInput(f"the number of nodes must be a whole number from 1, not {nodes!r:.40}")
        in_arrays = isinstance(self.arcs, Arcs) and _are_simple(self.arcs.ends, nodes, self.directed)
        seen: set[int] = set()
        for u, v, _ in () if in_arrays else self.arcs:
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
        for marks in self.marks():
            if len(marks) != nodes:
                raise BadInput(
                    f"a {self.kind} of {nodes} nodes needs one literal for each node, not {len(marks)}"
                )

    def marks(self) -> tuple[Sequence[Mark], ...]:
        """Return the literals or values of the nodes, those of each kind."""
        return ()

    @property
    def numbers(self) -> NDArray[np.int64] | None:
        """The literals of all arcs and nodes by number, if all are given as arrays."""
        import numpy as np

        if not isinstance(self.arcs, Arcs):
            return None
        at_nodes = [marks.numbers for marks in self.marks() if isinstance(marks, Literals)]
        if len(at_nodes) < len(self.marks()):
            return None
        return np.concatenate([self.arcs.literals.numbers, *at_nodes])

    def used(self, assignment: Assignment) -> list[tuple[int, int]]:
        """Return the arcs whose literals are true."""
        if isinstance(self.arcs, Arcs):
            return list(map(tuple, self.arcs.ends[self.arcs.literals.hold(assignment)].tolist()))
        return [(u, v) for u, v, literal in self.arcs if literal.holds(assignment)]

    def literals(self) -> Iterable[Literal]:
        """Return the literals of all arcs, then those of the nodes."""
        at_nodes = (mark for marks in self.marks() for mark in marks if not isinstance(mark, bool))
        return (*(literal for _, _, literal in self.arcs), *at_nodes)

    def text(self, name: Namer) -> str:
        """``circuit through 12 nodes: a-b if x, ...``."""
        labels = self._labels()
        sign = ">" if self.directed else "-"
        arcs = ", ".join(f"{labels[u]}{sign}{labels[v]} if {name(literal)}" for u, v, literal in self.arcs)
        return f"{self.kind} through {self.nodes} nodes: {arcs}"

    def _labels(self) -> Sequence[str]:
        return self.labels or tuple(str(v) for v in range(self.nodes))


@dataclass(frozen=True)
class Circuit(_OverArcs):
    """The arcs whose literals are true form one cycle through all nodes 0 .. nodes - 1.

    With ``directed`` an arc (u, v) leads from u to v; otherwise it is an undirected edge. A cycle has at
    least three nodes, or two if it is directed.
    """

    kind: ClassVar[str] = "circuit"
    nodes: int
    arcs: Sequence[Arc]
    directed: bool = False
    labels: Sequence[str] = ()

    def holds(self, assignment: Assignment) -> bool:
        """Return whether the true arcs form one cycle through all nodes, in time linear in the arcs."""
        used = self.used(assignment)
        if len(used) != self.nodes or self.nodes < (2 if self.directed else 3):
            return False
        return len({v for arc in used for v in arc}) == self.nodes and _is_one_cycle(used, self.directed)


class _PathOverArcs(_OverArcs):
    """A path; as a cycle it goes on through one more node, which is joined to both ends."""

    ends: Sequence[Mark]
    starts: Sequence[Mark] | None

    @property
    def directed(self) -> bool:  # type: ignore[override]
        """Whether the path follows the direction of the arcs."""
        return self.starts is not None

    def _visited(self, assignment: Assignment) -> set[int] | None:
        """Return the nodes of the path; None if the true arcs do not form one path with the given ends."""
        used, outside = self.used(assignment), self.nodes
        back = [(v, outside) for v in sorted(true_nodes(self.ends, assignment))]
        if self.starts is not None:
            back += [(outside, v) for v in sorted(true_nodes(self.starts, assignment))]
        visited = {v for arc in used for v in arc}
        if not used or {v for arc in back for v in arc} - visited != {outside}:
            return None
        return visited if _is_one_cycle([*used, *back], self.directed) else None

    def text(self, name: Namer) -> str:
        """``path through 3 nodes: a-b if x, b-c if y; ends a if p, ...``."""
        text = super().text(name)
        if self.starts is not None:
            text += f"; starts at {marks_text(self.starts, self._labels(), name)}"
        return f"{text}; ends at {marks_text(self.ends, self._labels(), name)}"


@dataclass(frozen=True)
class Path(_PathOverArcs):
    """The arcs whose literals are true form one path through all nodes.

    Attributes
    ----------
    ends:
        For each node whether it is an end of the path; if the path is directed, whether it is the last node.
        A path through one node has both ends there.
    starts:
        If the path is directed, for each node whether it is the first node.
    """

    kind: ClassVar[str] = "path"
    nodes: int
    arcs: Sequence[Arc]
    ends: Sequence[Mark]
    labels: Sequence[str] = ()
    starts: Sequence[Mark] | None = None

    def marks(self) -> tuple[Sequence[Mark], ...]:
        """Return the literals of the ends."""
        return (self.ends,) if self.starts is None else (self.ends, self.starts)

    def holds(self, assignment: Assignment) -> bool:
        """Return whether the true arcs form one path through all nodes with the given ends."""
        if self.nodes == 1:
            return not self.used(assignment) and all(true_nodes(m, assignment) == {0} for m in self.marks())
        visited = self._visited(assignment)
        return visited is not None and len(visited) == self.nodes


@dataclass(frozen=True)
class Subpath(_PathOverArcs):
    """The arcs whose literals are true form one path through some of the nodes, of at least two nodes.

    Attributes
    ----------
    ends, starts:
        As for :class:`Path`.
    present:
        As for :class:`Subcircuit`: for each node whether the path visits it. None places no condition.
    """

    kind: ClassVar[str] = "subpath"
    nodes: int
    arcs: Sequence[Arc]
    ends: Sequence[Mark]
    present: Sequence[Mark] | None = None
    starts: Sequence[Mark] | None = None
    labels: Sequence[str] = ()

    def marks(self) -> tuple[Sequence[Mark], ...]:
        """Return the literals of the ends and of the present nodes."""
        return tuple(marks for marks in (self.ends, self.starts, self.present) if marks is not None)

    def holds(self, assignment: Assignment) -> bool:
        """Return whether the true arcs form one path with these ends through exactly the present nodes."""
        visited = self._visited(assignment)
        if visited is None:
            return False
        return self.present is None or visited == true_nodes(self.present, assignment)

    def text(self, name: Namer) -> str:
        """``subpath through some of 3 nodes: a-b if x, b-c if y; ends at a if p, ...``."""
        text = super().text(name).replace("through", "through some of", 1)
        if self.present is not None:
            text += f"; visits {marks_text(self.present, self._labels(), name)}"
        return text


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
    arcs: Sequence[Arc]
    present: Sequence[Mark] | None = None
    labels: Sequence[str] = ()
    directed: bool = False
    empty: bool = False

    def marks(self) -> tuple[Sequence[Mark], ...]:
        """Return the literals of the present nodes."""
        return () if self.present is None else (self.present,)

    def holds(self, assignment: Assignment) -> bool:
        """Return whether the true arcs form one cycle that visits exactly the present nodes."""
        used = self.used(assignment)
        visited = {v for arc in used for v in arc}
        if self.present is not None and visited != true_nodes(self.present, assignment):
            return False
        return self.empty if not used else _is_one_cycle(used, self.directed)

    def text(self, name: Namer) -> str:
        """``subcircuit through some of 12 nodes: a-b if x, ...; visits a if p, ...``."""
        text = super().text(name).replace("through", "through some of", 1)
        if self.present is not None:
            text += f"; visits {marks_text(self.present, self._labels(), name)}"
        return text + ("; or empty" if self.empty else "")


def subcircuit(
    nodes: int,
    arcs: Iterable[Arc],
    present: Sequence[Mark] | None = None,
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
    return Subcircuit(nodes, proper, chosen, tuple(labels), directed, empty)


def marks_text(marks: Sequence[Mark], labels: Sequence[str], name: Namer) -> str:
    """``a if x, b``: the nodes that are marked, and under which condition."""
    texts = [
        label if mark is True else f"{label} if {name(mark)}"
        for label, mark in zip(labels, marks, strict=True)
        if not isinstance(mark, bool) or mark
    ]
    return ", ".join(texts) or "none"


def true_nodes(marks: Sequence[Mark], assignment: Assignment) -> set[int]:
    """Return the nodes whose literal or value is true."""
    if isinstance(marks, Literals):
        return set(marks.hold(assignment).nonzero()[0].tolist())
    return {v for v, mark in enumerate(marks) if (mark if isinstance(mark, bool) else mark.holds(assignment))}


def _are_simple(ends: NDArray[np.int32], nodes: int, directed: bool) -> bool:
    """Return whether arcs join two different nodes each, and none is given twice."""
    import numpy as np

    tails, heads = ends.astype(np.int64).T
    if not len(ends):
        return True
    if int(ends.min()) < 0 or int(ends.max()) >= nodes or bool((tails == heads).any()):
        return False
    if not directed:
        tails, heads = np.minimum(tails, heads), np.maximum(tails, heads)
    keys = np.sort(tails * nodes + heads, kind="stable")
    return not bool((keys[1:] == keys[:-1]).any())


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
