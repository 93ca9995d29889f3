"""Constraints on the arcs or edges of a graph: one cycle or one path, connected nodes, and trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.errors import BadInput
from ktsolve.model.constraints.deferred import Arcs, Literals
from ktsolve.model.expressions import Assignment, Namer
from ktsolve.model.variables import Literal

__all__ = ["Arc", "Circuit", "Connected", "Edge", "Mark", "Path", "Subcircuit", "Subpath", "Tree"]

Arc = tuple[int, int, Literal]
"""From node, to node, and the literal that is true exactly if the arc is used."""

Mark = Literal | bool
"""Whether something holds of a node or an edge: exactly if a literal is true; always; or never."""

Edge = tuple[int, int, Mark]
"""Two nodes, and whether the edge is used."""


class _OnGraph:
    """A constraint on the arcs or edges (u, v) whose literals are true, and on nodes."""

    kind: ClassVar[str]
    noun: ClassVar[str] = "arc"
    nodes: int
    labels: Sequence[str]

    @property
    def directed(self) -> bool:
        """Whether the arcs have a direction."""
        return False

    def __post_init__(self) -> None:
        nodes, noun = self.nodes, self.noun
        if isinstance(nodes, bool) or not isinstance(nodes, int) or nodes < 1:
            raise BadInput(f"the number of nodes must be a whole number from 1, not {nodes!r:.40}")
        seen: set[int] = set()
        for u, v, _ in () if self._is_simple() else self.links():
            if not (0 <= u < nodes and 0 <= v < nodes) or u == v:
                raise BadInput(
                    f"{noun} {u}-{v} is invalid: it must join two different nodes among 0 .. {nodes - 1}"
                )
            key = u * nodes + v if self.directed or u < v else v * nodes + u
            if key in seen:
                raise BadInput(f"{noun} {u}-{v} is given twice: give each {noun} once")
            seen.add(key)
        if self.labels and len(self.labels) != nodes:
            raise BadInput(f"{nodes} nodes need as many labels or none, not {len(self.labels)}")
        for marks in self.marks():
            if len(marks) != nodes:
                raise BadInput(
                    f"a constraint {self.kind} of {nodes} nodes needs one literal for each node, "
                    f"not {len(marks)}"
                )

    def links(self) -> Sequence[Edge]:
        """Return the arcs or edges."""
        raise NotImplementedError

    def _is_simple(self) -> bool:
        """Return whether all arcs are known to join two different nodes each, and none to be given twice."""
        return False

    def marks(self) -> tuple[Sequence[Mark], ...]:
        """Return the literals or values of the nodes, those of each kind."""
        return ()

    def literals(self) -> Iterable[Literal]:
        """Return the literals of all arcs, then those of the nodes."""
        marks = (*(mark for _, _, mark in self.links()), *(mark for each in self.marks() for mark in each))
        return [mark for mark in marks if not isinstance(mark, bool)]

    def used(self, assignment: Assignment) -> list[tuple[int, int]]:
        """Return the arcs whose literals are true."""
        return [(u, v) for u, v, mark in self.links() if _is_true(mark, assignment)]

    def _marked(self, marks: Sequence[Mark], name: Namer) -> str:
        """``a if x, b``: the nodes that are marked, and under which condition."""
        return _marks_text(marks, self._labels(), name)

    def _links_text(self, name: Namer) -> str:
        labels, sign, links = self._labels(), ">" if self.directed else "-", self.links()
        names = [f"{labels[u]}{sign}{labels[v]}" for u, v, _ in links]
        return _marks_text([mark for _, _, mark in links], names, name)

    def _labels(self) -> Sequence[str]:
        return self.labels or tuple(map(str, range(self.nodes)))


@dataclass(frozen=True)
class _OverArcs(_OnGraph):
    """A constraint on arcs; undirected arcs are edges."""

    nodes: int
    arcs: Sequence[Arc]

    def links(self) -> Sequence[Edge]:
        return self.arcs

    def _is_simple(self) -> bool:
        if not isinstance(self.arcs, Arcs):
            return False
        ends = self.arcs.ends
        if not len(ends):
            return True
        tails, heads = ends.astype(np.int64).T
        if int(ends.min()) < 0 or int(ends.max()) >= self.nodes or bool((tails == heads).any()):
            return False
        if not self.directed:
            tails, heads = np.minimum(tails, heads), np.maximum(tails, heads)
        keys = np.sort(tails * self.nodes + heads, kind="stable")
        return not bool((keys[1:] == keys[:-1]).any())

    @property
    def numbers(self) -> NDArray[np.int64] | None:
        """The literals of all arcs and nodes by number, if all are given as arrays."""
        at_nodes = [marks.numbers for marks in self.marks() if isinstance(marks, Literals)]
        if not isinstance(self.arcs, Arcs) or len(at_nodes) < len(self.marks()):
            return None
        return np.concatenate([self.arcs.literals.numbers, *at_nodes])

    def used(self, assignment: Assignment) -> list[tuple[int, int]]:
        if isinstance(self.arcs, Arcs):
            return list(map(tuple, self.arcs.ends[self.arcs.literals.hold(assignment)].tolist()))
        return super().used(assignment)

    def text(self, name: Namer) -> str:
        """``circuit through 12 nodes: a-b if x, ...``."""
        return f"{self.kind} through {self.nodes} nodes: {self._links_text(name)}"


@dataclass(frozen=True)
class Circuit(_OverArcs):
    """The arcs whose literals are true form one cycle through all nodes 0 .. nodes - 1.

    With ``directed`` an arc (u, v) leads from u to v; otherwise it is an undirected edge. A cycle has at
    least three nodes, or two if it is directed.
    """

    kind: ClassVar[str] = "circuit"
    directed: bool = False
    labels: Sequence[str] = ()

    def holds(self, assignment: Assignment) -> bool:
        used = self.used(assignment)
        return len(used) == len(_touched(used)) == self.nodes and _is_one_cycle(used, self.directed)


class _PathOverArcs(_OverArcs):
    """A path; as a cycle it goes on through one more node, which is joined to both ends."""

    ends: Sequence[Mark]
    starts: Sequence[Mark] | None

    @property
    def directed(self) -> bool:
        """Whether the path follows the direction of the arcs."""
        return self.starts is not None

    def _visited(self, assignment: Assignment) -> set[int] | None:
        """Return the nodes of the path; None if the true arcs do not form one path with the given ends."""
        used, outside = self.used(assignment), self.nodes
        back = [(v, outside) for v in sorted(_true_nodes(self.ends, assignment))]
        if self.starts is not None:
            back += [(outside, v) for v in sorted(_true_nodes(self.starts, assignment))]
        visited = _touched(used)
        if not used or _touched(back) - visited != {outside}:
            return None
        return visited if _is_one_cycle([*used, *back], self.directed) else None

    def text(self, name: Namer) -> str:
        """``path through 3 nodes: a-b if x, b-c if y; ends at a if p, ...``."""
        starts = "" if self.starts is None else f"; starts at {self._marked(self.starts, name)}"
        return f"{super().text(name)}{starts}; ends at {self._marked(self.ends, name)}"


@dataclass(frozen=True)
class Path(_PathOverArcs):
    """The arcs whose literals are true form one path through all nodes.

    For each node ``ends`` says whether it is an end of the path; if the path is directed, ``starts`` says
    whether it is the first node, and ``ends`` whether it is the last. A path through one node has both there.
    """

    kind: ClassVar[str] = "path"
    ends: Sequence[Mark]
    labels: Sequence[str] = ()
    starts: Sequence[Mark] | None = None

    def marks(self) -> tuple[Sequence[Mark], ...]:
        return (self.ends,) if self.starts is None else (self.ends, self.starts)

    def holds(self, assignment: Assignment) -> bool:
        if self.nodes == 1:
            return not self.used(assignment) and all(_true_nodes(m, assignment) == {0} for m in self.marks())
        visited = self._visited(assignment)
        return visited is not None and len(visited) == self.nodes

    def closed(self) -> Circuit | None:
        """Return the cycle through one more node, which is joined to both ends; None if an end is fixed."""
        if self.directed or self.nodes == 1 or any(isinstance(end, bool) for end in self.ends):
            return None
        back = [(v, self.nodes, end) for v, end in enumerate(self.ends) if isinstance(end, Literal)]
        return Circuit(self.nodes + 1, [*self.arcs, *back])


@dataclass(frozen=True)
class Subpath(_PathOverArcs):
    """The arcs whose literals are true form one path through some of the nodes, of at least two nodes.

    The ends are given as for :class:`Path`, the present nodes as for :class:`Subcircuit`.
    """

    kind: ClassVar[str] = "subpath"
    ends: Sequence[Mark]
    present: Sequence[Mark] | None = None
    starts: Sequence[Mark] | None = None
    labels: Sequence[str] = ()

    def marks(self) -> tuple[Sequence[Mark], ...]:
        return tuple(marks for marks in (self.ends, self.starts, self.present) if marks is not None)

    def holds(self, assignment: Assignment) -> bool:
        visited = self._visited(assignment)
        if visited is None or self.present is None:
            return visited is not None
        return visited == _true_nodes(self.present, assignment)

    def text(self, name: Namer) -> str:
        """``subpath through some of 3 nodes: a-b if x, b-c if y; ends at a if p, ...``."""
        visits = "" if self.present is None else f"; visits {self._marked(self.present, name)}"
        return super().text(name).replace("through", "through some of", 1) + visits


@dataclass(frozen=True)
class Subcircuit(_OverArcs):
    """The arcs whose literals are true form one cycle through some of the nodes.

    A cycle has at least three nodes, or two if it is directed. For each node ``present`` has a literal that
    is true exactly if the cycle visits the node; or True for a node that it visits in any case, and False for
    one that it never visits. None places no condition on the nodes. If ``empty``, the constraint holds too if
    no arc is true and no node present.
    """

    kind: ClassVar[str] = "subcircuit"
    present: Sequence[Mark] | None = None
    labels: Sequence[str] = ()
    directed: bool = False
    empty: bool = False

    def marks(self) -> tuple[Sequence[Mark], ...]:
        return () if self.present is None else (self.present,)

    def holds(self, assignment: Assignment) -> bool:
        used = self.used(assignment)
        if self.present is not None and _touched(used) != _true_nodes(self.present, assignment):
            return False
        return self.empty if not used else _is_one_cycle(used, self.directed)

    def text(self, name: Namer) -> str:
        """``subcircuit through some of 12 nodes: a-b if x, ...; visits a if p, ...``."""
        text = super().text(name).replace("through", "through some of", 1)
        if self.present is not None:
            text += f"; visits {self._marked(self.present, name)}"
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


@dataclass(frozen=True)
class _OverEdges(_OnGraph):
    """A constraint on a graph of the present nodes and the true edges."""

    noun: ClassVar[str] = "edge"
    nodes: int
    edges: Sequence[Edge]
    present: Sequence[Mark] | None = None
    labels: Sequence[str] = ()

    def links(self) -> Sequence[Edge]:
        return self.edges

    def marks(self) -> tuple[Sequence[Mark], ...]:
        return () if self.present is None else (self.present,)

    def _present(self, assignment: Assignment) -> set[int]:
        return set(range(self.nodes)) if self.present is None else _true_nodes(self.present, assignment)

    def text(self, name: Namer) -> str:
        """``connected: nodes a if p, b if q; edges a-b, ...``."""
        nodes = self._marked((True,) * self.nodes if self.present is None else self.present, name)
        return f"{self.kind}: nodes {nodes}; edges {self._links_text(name)}"


class Connected(_OverEdges):
    """The present nodes are connected by the true edges between them.

    An edge (u, v, x) is used exactly if the literal x is true, or always if x is True. An edge with an absent
    end does not count. All nodes are present if ``present`` is None. No node, and one, are connected.
    """

    kind: ClassVar[str] = "connected"

    def holds(self, assignment: Assignment) -> bool:
        present = self._present(assignment)
        return _connected(present, [edge for edge in self.used(assignment) if present.issuperset(edge)])


class Tree(_OverEdges):
    """The true edges form a tree whose nodes are exactly the present ones, of at least one node.

    Edges and nodes are given as for :class:`Connected`. An edge with an absent end must be false.
    """

    kind: ClassVar[str] = "tree"

    def holds(self, assignment: Assignment) -> bool:
        present, used = self._present(assignment), self.used(assignment)
        return len(used) == len(present) - 1 and _touched(used) <= present and _connected(present, used)


def _marks_text(marks: Iterable[Mark], labels: Iterable[str], name: Namer) -> str:
    texts = [
        label if mark is True else f"{label} if {name(mark)}"
        for label, mark in zip(labels, marks, strict=True)
        if not isinstance(mark, bool) or mark
    ]
    return ", ".join(texts) or "none"


def _is_true(mark: Mark, assignment: Assignment) -> bool:
    return mark if isinstance(mark, bool) else mark.holds(assignment)


def _true_nodes(marks: Sequence[Mark], assignment: Assignment) -> set[int]:
    """Return the nodes whose literal or value is true."""
    if isinstance(marks, Literals):
        return set(marks.hold(assignment).nonzero()[0].tolist())
    return {v for v, mark in enumerate(marks) if _is_true(mark, assignment)}


def _touched(arcs: Iterable[tuple[int, int]]) -> set[int]:
    return {v for arc in arcs for v in arc}


def _is_one_cycle(arcs: Sequence[tuple[int, int]], directed: bool) -> bool:
    """Return whether arcs form one cycle through the nodes that they touch, in linear time."""
    nodes = Counter(v for arc in arcs for v in arc)
    if len(arcs) != len(nodes) or len(nodes) < (2 if directed else 3):
        return False
    if directed and not len({u for u, _ in arcs}) == len({v for _, v in arcs}) == len(nodes):
        return False
    return set(nodes.values()) == {2} and _connected(nodes, arcs)


def _connected(nodes: Iterable[int], edges: Iterable[tuple[int, int]]) -> bool:
    """Return whether edges connect all nodes, in linear time."""
    around: dict[int, list[int]] = {v: [] for v in nodes}
    for u, v in edges:
        around[u].append(v)
        around[v].append(u)
    reached = list(around)[:1]
    seen = set(reached)
    for v in reached:
        reached += (new := [w for w in around[v] if w not in seen])
        seen.update(new)
    return len(seen) == len(around)
