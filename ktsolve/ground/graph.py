"""The ground of every tour question: a graph with named vertices and undirected simple edges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ktsolve.errors import BadInput
from ktsolve.ground.notation import shown

if TYPE_CHECKING:
    import networkx
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Graph", "Move", "Vertex", "components"]

Vertex = Any
"""A vertex as users give and get it: its number in a bare graph, ``(row, column)`` on a board."""

Move = tuple[Vertex, Vertex]
"""An undirected edge: two vertices, the one that comes first in :attr:`Graph.cells` first."""


class Graph:
    """Named vertices and undirected simple edges, nothing else. Frozen and hashable.

    A vertex of a bare graph is its number, its place among ``names``. The vertices of a
    :class:`~ktsolve.ground.board.Board` are its cells. Angles, rows and named symmetries need a board.

    Parameters
    ----------
    names:
        A name for each vertex, all different, without spaces, commas or hyphens.
    edges:
        Pairs of names or of numbers of vertices; both directions of a pair are one edge.

    Raises
    ------
    BadInput
        For a name that is given twice or cannot be read back, an edge at an unknown vertex, or a loop.

    Examples
    --------
    >>> graph = Graph("abcd", ["ab", "bc", "cd", "da"])
    >>> len(graph), graph.moves, graph.neighbours[0]
    (4, ((0, 1), (0, 3), (1, 2), (2, 3)), (1, 3))
    >>> graph.move_name((0, 3)), graph.move("d-a"), graph.colouring
    ('a-d', (0, 3), {0: 0, 1: 1, 3: 1, 2: 0})
    """

    def __init__(self, names: Iterable[str], edges: Iterable[Sequence[str | int]] = ()) -> None:
        listed = tuple(names)
        number: dict[str, int] = {}
        for name in listed:
            if not isinstance(name, str) or not name or set(name) & set(" \t\n,;-=>:"):
                raise BadInput(f"{shown(name)} cannot name a vertex: use text without spaces and , ; - = > :")
            if name in number:
                raise BadInput(f"vertex {shown(name)} is named twice")
            number[name] = len(number)
        if not listed:
            raise BadInput("a graph needs at least one vertex")

        def vertex(end: str | int) -> int:
            found = number.get(end, -1) if isinstance(end, str) else end
            if isinstance(found, bool) or not isinstance(found, int) or not 0 <= found < len(listed):
                raise BadInput(f"{shown(end)} is no vertex of the graph")
            return found

        pairs = set()
        for edge in edges:
            if len(edge) != 2:
                raise BadInput(f"{shown(edge)} is not an edge: give two vertices")
            u, v = sorted((vertex(edge[0]), vertex(edge[1])))
            if u == v:
                raise BadInput(f"an edge joins two vertices, not {listed[u]} to itself")
            pairs.add((u, v))
        self._names, self._pairs = listed, tuple(sorted(pairs))

    @classmethod
    def from_json(cls, data: Any) -> Graph:
        """Read what :meth:`to_json` wrote.

        >>> graph = Graph("abc", ["ab", "bc"])
        >>> Graph.from_json(graph.to_json()) == graph
        True
        """
        parts = [data.get(key) for key in ("vertices", "edges")] if isinstance(data, dict) else [None]
        if not all(isinstance(part, list) for part in parts):
            raise BadInput("a graph in JSON is an object with lists of vertices and edges")
        return cls(data["vertices"], data["edges"])

    def to_json(self) -> dict[str, Any]:
        """The graph in terms of JSON: ``vertices`` by name and ``edges`` as pairs of names."""
        return {
            "vertices": list(self.names),
            "edges": [[self.name(a), self.name(b)] for a, b in self.moves],
        }

    def __eq__(self, other: object) -> bool:
        return type(other) is Graph and (self._names, self._pairs) == (other._names, other._pairs)

    def __hash__(self) -> int:
        return hash((self._names, self._pairs))

    def __repr__(self) -> str:
        return f"Graph({list(self._names)!r}, {[list(pair) for pair in self._pairs]!r})"

    def __str__(self) -> str:
        return f"graph of {len(self)} vertices and {len(self.edges)} edges"

    # -- what a board replaces ----------------------------------------------------------------------------

    @property
    def features(self) -> frozenset[str]:
        """Features that engines must support, as names in :data:`ktsolve.problem.problem.FEATURES`."""
        return frozenset({"graph"})

    @cached_property
    def cells(self) -> tuple[Vertex, ...]:
        """The vertices in order."""
        return tuple(range(len(self._names)))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the vertices, in the order of :attr:`cells`."""
        return tuple(map(self.name, self.cells))

    @cached_property
    def edges(self) -> NDArray[np.int32]:
        """The edges: array of shape (edges, 2) of places in :attr:`cells`, ``u < v``, sorted."""
        import numpy as np

        return np.array(self._pairs, dtype=np.int32).reshape(-1, 2)

    def name(self, cell: Vertex) -> str:
        """Name of a vertex."""
        return self._names[cell]

    def move_name(self, move: Move) -> str:
        """Name of an edge, such as ``u-v``."""
        return f"{self.name(move[0])}-{self.name(move[1])}"

    def cell(self, text: str | Vertex) -> Vertex:
        """Read a vertex, given by name or by number. Raises BadInput."""
        found = self._number.get(text, -1) if isinstance(text, str) else text
        if isinstance(found, bool) or found not in self:
            raise BadInput(f"{shown(text)} is no vertex of the {self}")
        return found

    def read_cells(self, text: str) -> frozenset[Vertex]:
        """Read several vertices, separated by spaces, commas or semicolons. Raises BadInput."""
        return frozenset(self.cell(name) for name in text.replace(",", " ").replace(";", " ").split())

    def move(self, text: str | Move) -> Move:
        """Read an edge, such as ``u-v``, and make sure that it is there. Raises BadInput."""
        ends = text.split("-") if isinstance(text, str) else tuple(text)
        if len(ends) != 2:
            example = self.move_name(self.moves[0]) if self.moves else "u-v"
            raise BadInput(f"{shown(text)} is not an edge: write two vertices, such as {example}")
        pair = tuple(sorted((self.cell(ends[0]), self.cell(ends[1]))))
        if not self.adjacent(*pair):
            raise BadInput(f"{self.move_name((pair[0], pair[1]))} is no edge of the {self}")
        return pair[0], pair[1]

    def adjacent(self, first: Vertex, second: Vertex) -> bool:
        """Whether an edge joins two vertices."""
        return second in self._around[first]

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, cell: object) -> bool:
        return isinstance(cell, int) and not isinstance(cell, bool) and 0 <= cell < len(self._names)

    # -- what follows -------------------------------------------------------------------------------------

    @cached_property
    def _number(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self._names)}

    @cached_property
    def _around(self) -> dict[Vertex, frozenset[Vertex]]:
        return {cell: frozenset(others) for cell, others in self.neighbours.items()}

    @cached_property
    def index(self) -> dict[Vertex, int]:
        """Place of each vertex in :attr:`cells`."""
        return {cell: i for i, cell in enumerate(self.cells)}

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """All edges as pairs of vertices, in the order of :attr:`edges`."""
        cells = self.cells
        return tuple([(cells[u], cells[v]) for u, v in self.edges.tolist()])

    @cached_property
    def move_names(self) -> tuple[str, ...]:
        """Names of all edges (see :meth:`move_name`), in the order of :attr:`edges`."""
        return tuple([self.move_name(move) for move in self.moves])

    @cached_property
    def neighbours(self) -> dict[Vertex, tuple[Vertex, ...]]:
        """The vertices that an edge joins to each vertex, in order."""
        # Edges are sorted: around each vertex the smaller others come first, and both in order.
        around: dict[Vertex, list[Vertex]] = {cell: [] for cell in self.cells}
        for first, second in self.moves:
            around[first].append(second)
            around[second].append(first)
        return {cell: tuple(others) for cell, others in around.items()}

    @cached_property
    def colouring(self) -> dict[Vertex, int] | None:
        """Colours 0 and 1 such that every edge joins different colours; None with an odd cycle.

        Each component is coloured by itself: colours of different components are not comparable.
        """
        colour: dict[Vertex, int] = {}
        neighbours = self.neighbours
        for root in self.cells:
            if root in colour:
                continue
            colour[root] = 0
            waiting = [root]
            while waiting:
                cell = waiting.pop()
                for other in neighbours[cell]:
                    if other not in colour:
                        colour[other] = 1 - colour[cell]
                        waiting.append(other)
                    elif colour[other] == colour[cell]:
                        return None
        return colour

    @cached_property
    def graph(self) -> networkx.Graph[Vertex]:
        """The graph as a :class:`networkx.Graph` whose nodes are :attr:`cells`."""
        import networkx

        graph: networkx.Graph[Vertex] = networkx.Graph()
        graph.add_nodes_from(self.cells)
        graph.add_edges_from(self.moves)
        return graph


def components(neighbours: Mapping[Vertex, Iterable[Vertex]]) -> Iterator[set[Vertex]]:
    """The connected components of a graph given by the neighbours of each vertex.

    >>> list(components({"a": "b", "b": "a", "c": ""})) == [{"a", "b"}, {"c"}]
    True
    """
    seen: set[Vertex] = set()
    for root in neighbours:
        if root in seen:
            continue
        component, waiting = {root}, [root]
        while waiting:
            found = set(neighbours[waiting.pop()]) - component
            component |= found
            waiting += found
        seen |= component
        yield component
