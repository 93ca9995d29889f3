"""The methods of a model that state cycles, paths, connected nodes and trees."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

from ktsolve.base.errors import BadInput
from ktsolve.model.constraints import (
    Arc,
    Circuit,
    Connected,
    Constraint,
    Deferred,
    Edge,
    Literal,
    Mark,
    Path,
    Subpath,
    Tree,
    subcircuit,
)

__all__ = ["LoopStatements"]

T = TypeVar("T", bound=Hashable)


class LoopStatements:
    """Methods for constraints on a graph: its nodes are 0 .. nodes - 1, its arcs ``(u, v, literal)``."""

    def boolean(self, name: str) -> Literal:
        """Add a Boolean and return its literal."""
        raise NotImplementedError

    def _state(self, constraint: Constraint) -> None:
        raise NotImplementedError

    def circuit(
        self, nodes: int, arcs: Iterable[Arc], *, directed: bool = False, labels: Sequence[str] = ()
    ) -> None:
        """Add that the true arcs form one cycle through all nodes; see :class:`Circuit`."""
        self._state(Circuit(nodes, _kept(arcs), directed, _kept(labels)))

    def subcircuit(
        self,
        nodes: int,
        arcs: Iterable[Arc],
        present: Sequence[Mark] | None = None,
        *,
        directed: bool = False,
        empty: bool = False,
        labels: Sequence[str] = (),
    ) -> None:
        """Add that the true arcs form one cycle through some of the nodes; see :class:`Subcircuit`.

        The nodes that are not visited can be given in two ways: by ``present``, or by loops ``(v, v, x)``
        among the arcs, where x is true exactly if node v is not visited. Nodes without a loop are then
        visited.
        """
        self._state(subcircuit(nodes, arcs, present, directed=directed, empty=empty, labels=labels))

    def path(
        self,
        nodes: int,
        arcs: Iterable[Arc],
        ends: Sequence[Mark] | None = None,
        *,
        start: int | Sequence[Mark] | None = None,
        end: int | Sequence[Mark] | None = None,
        directed: bool = False,
        labels: Sequence[str] = (),
    ) -> None:
        """Add that the true arcs form one path through all nodes; see :class:`Path`.

        The ends are given by ``ends``, literals of an undirected path; or by ``start`` and ``end``, which are
        nodes, or literals for each node of a directed path. For an end that is not given the model gets new
        Booleans ``end[label]``, or ``start[label]``.
        """
        starts, marked = self._ends(nodes, ends, start, end, directed, labels)
        self._state(Path(nodes, _kept(arcs), marked, _kept(labels), starts))

    def subpath(
        self,
        nodes: int,
        arcs: Iterable[Arc],
        ends: Sequence[Mark] | None = None,
        *,
        start: int | Sequence[Mark] | None = None,
        end: int | Sequence[Mark] | None = None,
        present: Sequence[Mark] | None = None,
        directed: bool = False,
        labels: Sequence[str] = (),
    ) -> None:
        """Add that the true arcs form one path through some of the nodes; see :class:`Subpath`.

        The ends are given as for :meth:`path`, the visited nodes by ``present`` as for :meth:`subcircuit`.
        """
        starts, marked = self._ends(nodes, ends, start, end, directed, labels)
        visited = None if present is None else tuple(present)
        self._state(Subpath(nodes, tuple(arcs), marked, visited, starts, tuple(labels)))

    def connected(
        self,
        nodes: int,
        edges: Iterable[tuple[int, int] | Edge],
        present: Sequence[Mark] | None = None,
        *,
        labels: Sequence[str] = (),
    ) -> None:
        """Add that the present nodes are connected by edges between them; see :class:`Connected`.

        An edge ``(u, v)`` can always be used, and ``(u, v, x)`` if the literal x is true.
        """
        self._state(
            Connected(nodes, _edges(edges), None if present is None else tuple(present), tuple(labels))
        )

    def tree(
        self,
        nodes: int,
        edges: Iterable[tuple[int, int] | Edge],
        present: Sequence[Mark] | None = None,
        *,
        labels: Sequence[str] = (),
    ) -> None:
        """Add that the true edges form a tree of the present nodes, by default all; see :class:`Tree`."""
        chosen = None if present is None else tuple(present)
        self._state(Tree(nodes, _edges(edges), chosen, tuple(labels)))

    def _ends(
        self,
        nodes: int,
        ends: Sequence[Mark] | None,
        start: int | Sequence[Mark] | None,
        end: int | Sequence[Mark] | None,
        directed: bool,
        labels: Sequence[str],
    ) -> tuple[Sequence[Mark] | None, Sequence[Mark]]:
        """Return the marks of the starts, if the path is directed, and those of the ends."""
        if ends is not None and (directed or start is not None or end is not None):
            what = "a directed path has start= and end=" if directed else "give ends=, or start= and end="
            raise BadInput(f"ends= marks both ends of an undirected path: {what}")
        shown = tuple(labels) or tuple(str(v) for v in range(nodes))
        for node in (start, end):
            if isinstance(node, int) and (isinstance(node, bool) or not 0 <= node < nodes):
                raise BadInput(f"{node!r} is no end of a path: give a node from 0 to {nodes - 1}")
        if directed:
            return self._marked("start", start, shown), self._marked("end", end, shown)
        if ends is not None:
            return None, _kept(ends)
        for marks in (start, end):
            if marks is not None and not isinstance(marks, int):
                raise BadInput("the ends of an undirected path are marked together: use ends=")
        known = [node for node in (start, end) if isinstance(node, int)]
        if len(known) == 2:
            if start == end and nodes > 1:
                raise BadInput(f"the path starts and ends at node {start}: give two different nodes")
            return None, tuple(v in known for v in range(nodes))
        if nodes == 1 and known:
            return None, (True,)
        return None, tuple(True if v in known else self.boolean(f"end[{shown[v]}]") for v in range(nodes))

    def _marked(
        self, name: str, given: int | Sequence[Mark] | None, labels: Sequence[str]
    ) -> tuple[Mark, ...]:
        if given is None:
            return tuple(self.boolean(f"{name}[{label}]") for label in labels)
        if isinstance(given, int):
            return tuple(v == given for v in range(len(labels)))
        return tuple(given)


def _kept(members: Iterable[T]) -> Sequence[T]:
    """Return a tuple of the members, and a deferred one as it is."""
    return members if isinstance(members, Deferred) else tuple(members)


def _edges(edges: Iterable[tuple[int, int] | Edge]) -> tuple[Edge, ...]:
    return tuple((each[0], each[1], each[2] if len(each) == 3 else True) for each in edges)
