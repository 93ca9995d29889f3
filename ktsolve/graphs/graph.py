"""The ground of every tour question: a graph with named vertices and simple edges or arcs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from math import isfinite
from numbers import Integral, Real
from operator import index
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from ktsolve.base.errors import BadInput
from ktsolve.base.text import (
    as_tuple,
    check_kind,
    number_of,
    plural,
    shown,
    split_outside_quotes,
    text_of_name,
    unquoted,
)
from ktsolve.graphs.drawing import Drawn

if TYPE_CHECKING:
    import networkx
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from ktsolve.graphs.edge_arrays import GraphParts, Neighbours

__all__ = ["Graph", "Move", "Nouns", "Vertex", "names_of"]

Vertex = Any
"""A vertex as users give and get it: their node object in a bare graph, ``(row, column)`` on a board."""

Move = tuple[Vertex, Vertex]
"""An edge: two vertices, the one that comes first in :attr:`Graph.cells` first; an arc: tail and head."""


class Nouns(NamedTuple):
    """What reasons call a ground, its cells and its moves."""

    ground: str
    cell: str
    cells: str
    move: str
    moves: str


class Graph(Drawn):
    """Named vertices and simple edges, or arcs if the graph is directed. Frozen and hashable.

    A vertex of a bare graph is the user's node: its label, by default its name, or its number where there are
    no names. The vertices of a :class:`~ktsolve.graphs.board.Board` are its cells. Numbers of vertices occur
    as *places* only. Angles, rows and named symmetries need a board. Two graphs are equal if their vertices,
    names, edges and weights are; positions do not count.

    Parameters
    ----------
    names:
        A name for each vertex, all different: any printable text on one line.
    edges:
        Pairs of names or of places among ``names``. Loops and parallel edges are dropped, also the second
        direction of an undirected edge; :attr:`dropped` says how many.
    directed:
        Whether a pair is an arc from its first vertex to its second.
    labels:
        The vertices: an object for each name, all different; by default the names.
    weights:
        A whole number for each of ``edges``; of parallel edges the least counts.

    Raises
    ------
    BadInput
        For a name that is given twice, is not printable or is the label of another vertex, and for an edge at
        an unknown vertex.

    Examples
    --------
    >>> graph = Graph("abcd", ["ab", "bc", "cd", "da"])
    >>> len(graph), graph.moves, graph.neighbours["a"]
    (4, (('a', 'b'), ('a', 'd'), ('b', 'c'), ('c', 'd')), ('b', 'd'))
    >>> graph.move("d-a"), graph.colouring, graph.edges.tolist()
    (('a', 'd'), {'a': 0, 'b': 1, 'c': 0, 'd': 1}, [[0, 1], [0, 3], [1, 2], [2, 3]])
    >>> one_way = Graph(["New York", "Rome"], [(0, 1)], directed=True)
    >>> print(one_way.move_name(("New York", "Rome")), one_way.neighbours)
    "New York"->Rome {'New York': ('Rome',), 'Rome': ()}
    """

    directed: bool = False
    weights: NDArray[np.int64] | None = None
    positions: NDArray[np.float64] | None = None
    """Places of the vertices in pictures, an array of shape (vertices, 2), y upwards; None for a layout."""
    dropped: Mapping[str, int] = MappingProxyType({"loops": 0, "parallel": 0})
    _names: tuple[str, ...] | None = ()  # those given; a board makes its own
    _labels: tuple[Hashable, ...] | None = None
    known_as: str = ""
    """The name that :func:`~ktsolve.named_graph` made it from, such as ``hypercube:4``; else empty."""
    unusable: str = ""
    """Why weights that were given are not :attr:`weights`, such as fractions."""

    def __init__(
        self,
        names: Iterable[str],
        edges: Iterable[Sequence[str | int]] = (),
        *,
        directed: bool = False,
        labels: Iterable[Hashable] | None = None,
        weights: ArrayLike | None = None,
    ) -> None:
        import numpy as np

        check_kind(names, Iterable, "a list of names of vertices, such as 'abc'")
        listed = tuple(names)
        number: dict[str, int] = {}
        for name in listed:
            if not isinstance(name, str) or not _is_printable(name):
                raise BadInput(f"{shown(name)} cannot name a vertex: use printable text on one line")
            if name in number:
                raise BadInput(f"vertex {shown(name)} is named twice")
            number[name] = len(number)

        def vertex(end: str | int) -> int:
            found = number.get(end, -1) if isinstance(end, str) else end
            if isinstance(found, bool) or not isinstance(found, Integral) or not 0 <= found < len(listed):
                raise BadInput(f"{shown(end)} is not a vertex of the graph")
            return int(found)

        pairs = []
        for edge in edges:
            if len(edge) != 2:
                raise BadInput(f"{shown(edge)} is not an edge: give two vertices")
            pairs.append((vertex(edge[0]), vertex(edge[1])))
        array = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        self._fill(len(listed), array, listed, directed, labels, weights)

    def _fill(
        self,
        vertices: int,
        pairs: NDArray[np.int64],
        names: tuple[str, ...] | None,
        directed: bool,
        labels: Iterable[Hashable] | None,
        weights: ArrayLike | None,
    ) -> None:
        """Set the attributes from pairs of places; ``names`` are those given, all different."""
        from ktsolve.graphs.edge_arrays import simple_edges, whole_weights

        if vertices < 1:
            raise BadInput("a graph needs at least one vertex")
        checked = None if weights is None else whole_weights(weights)
        if checked is not None and len(checked) != len(pairs):
            edges = number_of(len(pairs), "edge")
            raise BadInput(f"the graph has {edges}, but {len(checked)} weights are given")
        simple = simple_edges(vertices, pairs, directed=directed, weights=checked)
        for array in (simple.edges, simple.weights):
            if array is not None:
                array.flags.writeable = False
        self._vertices, self._names = vertices, names
        self._labels = None if labels is None else tuple(labels)
        if self._labels is not None:
            try:
                distinct = len(self._labels) == len(self.index) == vertices
            except TypeError:  # one cannot be hashed
                distinct = False
            if not distinct:
                number = number_of(vertices, "vertex")
                raise BadInput(f"the graph has {number}: give as many labels, hashable and all different")
            for place, name in enumerate(names or ()):
                if self.index.get(name, place) != place:
                    raise BadInput(f"{shown(name)} is the name of one vertex and the label of another")
        self.directed, self.weights = bool(directed), simple.weights
        self.dropped = MappingProxyType({"loops": simple.loops, "parallel": simple.parallel})
        self.__dict__["edges"] = simple.edges

    # -- from and to other forms --------------------------------------------------------------------------

    @classmethod
    def of(cls, given: Any) -> Graph:
        """A graph from what the user has.

        Parameters
        ----------
        given:
            - A graph; a ``Graph``, ``DiGraph`` or multigraph of networkx, or a graph of igraph.
            - An adjacency matrix: an array of NumPy, a sparse one with a method ``tocoo``, a table of pandas
              whose rows and columns are the nodes, or nested lists.
            - A dictionary with the neighbours of each node in a list, or as keys of weights or of attributes;
              lists of the neighbours of 0, 1, ...; a dictionary of edges with their weights.
            - An iterable of edges (see :meth:`from_edges`).

            The attribute ``weight`` of networkx, and entries that are neither 0 nor 1, are weights.

        Returns
        -------
        Graph
            The graph.

        Raises
        ------
        BadInput
            For anything else, and for what may mean two graphs.

        Examples
        --------
        >>> Graph.of([("Rome", "Oslo"), ("Oslo", "Bonn")]).cells
        ('Rome', 'Oslo', 'Bonn')
        >>> Graph.of({3: [1, 2], 1: [3, 2], 2: [1, 3]}).moves
        ((3, 1), (3, 2), (1, 2))
        """
        if isinstance(given, Graph):
            return given
        from ktsolve.graphs.edge_arrays import parts_of

        return cls._of_parts(parts_of(given))

    @classmethod
    def from_networkx(cls, given: Any, weight: str | None = None) -> Graph:
        """A graph, digraph or multigraph of networkx; its nodes are the vertices.

        If all nodes have the attribute ``pos``, two numbers, these are the :attr:`positions`.

        Parameters
        ----------
        given:
            The graph.
        weight:
            The attribute of edges that is their weight, 1 where it is missing. By default it is ``weight``,
            where an edge has it and all are whole numbers.

        Returns
        -------
        Graph
            The graph.

        Examples
        --------
        >>> import networkx
        >>> graph = Graph.from_networkx(networkx.grid_2d_graph(2, 2))
        >>> graph.cells[0], graph.names[0], graph.moves[0]
        ((0, 0), '(0, 0)', ((0, 0), (0, 1)))
        """
        from ktsolve.graphs import edge_arrays

        return cls._of_parts(edge_arrays.from_networkx(given, weight))

    @classmethod
    def from_edges(
        cls, edges: Iterable[Any], nodes: Iterable[Hashable] = (), *, directed: bool = False
    ) -> Graph:
        """A graph from pairs of nodes, which may be any hashable objects; triples have a weight.

        Vertices are in the order of ``nodes``, then in that in which edges name them.

        Parameters
        ----------
        edges:
            Pairs of nodes, or triples of two nodes and a weight, or a dictionary with the key ``weight``.
        nodes:
            Nodes that come first; those without an edge must be here.
        directed:
            Whether the pairs are arcs.

        Returns
        -------
        Graph
            The graph.

        Examples
        --------
        >>> graph = Graph.from_edges([("b", "a", 5), ("b", "c", 7)], nodes="abc")
        >>> graph.moves, graph.weights.tolist()
        ((('a', 'b'), ('b', 'c')), [5, 7])
        """
        from ktsolve.graphs import edge_arrays

        return cls._of_parts(edge_arrays.from_edges(edges, nodes, directed=directed))

    @classmethod
    def from_adjacency(cls, matrix: Any, *, directed: bool | None = None, weighted: bool = False) -> Graph:
        """A graph from a square matrix: an entry that is not 0 is an edge from its row to its column.

        Parameters
        ----------
        matrix:
            An array of NumPy, or a sparse matrix with a method ``tocoo``, as SciPy's have; or a dictionary
            with the neighbours of each node, in a list or as keys of weights or attributes.
        directed:
            By default the graph is undirected if the matrix is symmetric. The neighbours in a dictionary need
            it unless each edge is listed at both of its nodes.
        weighted:
            Whether the entries are weights.

        Returns
        -------
        Graph
            The graph.

        Examples
        --------
        >>> import numpy
        >>> Graph.from_adjacency(numpy.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]])).moves
        ((0, 1), (0, 2))
        """
        from ktsolve.graphs import edge_arrays

        if isinstance(matrix, Mapping):
            return cls._of_parts(edge_arrays.from_neighbours(matrix, directed=directed))
        return cls._of_parts(edge_arrays.from_matrix(matrix, directed=directed, weighted=weighted))

    @classmethod
    def from_arrays(
        cls,
        n: int,
        edges: ArrayLike,
        names: Iterable[str] | None = None,
        *,
        directed: bool = False,
        weights: ArrayLike | None = None,
    ) -> Graph:
        """A graph of n vertices from an array of pairs of numbers; no Python object is made for an edge.

        The vertices are the names, or numbers from 0 where no names are given. O(m log m).

        Parameters
        ----------
        n:
            Number of vertices.
        edges:
            An array of integers with two columns.
        names:
            A name for each vertex.
        directed:
            Whether the rows are arcs.
        weights:
            A whole number for each edge.

        Returns
        -------
        Graph
            The graph.

        Raises
        ------
        BadInput
            If an edge, a name or a weight does not fit.

        Examples
        --------
        >>> graph = Graph.from_arrays(4, [[0, 1], [1, 2], [2, 3], [0, 3]])
        >>> graph.names, graph.cells, graph.edges.dtype.name
        (('0', '1', '2', '3'), (0, 1, 2, 3), 'int32')
        """
        import numpy as np

        array = np.asarray(edges)
        array = array.reshape(-1, 2) if array.size == 0 else array
        if array.ndim != 2 or array.shape[1] != 2 or (array.size and array.dtype.kind not in "iu"):
            raise BadInput("edges are an array of whole numbers with two columns")
        if isinstance(n, bool) or not isinstance(n, Integral) or n >= 2**31:
            raise BadInput(f"a graph has 1 to 2147483647 vertices, not {shown(n)}")
        outside = array[(array < 0) | (array >= n)]
        if outside.size:
            raise BadInput(f"{outside[0]} is not a vertex of the graph: they are 0 to {n - 1}")
        graph = cls.__new__(cls)
        named = None if names is None else Graph(names)._names
        if named is not None and len(named) != n:
            raise BadInput(f"the graph has {number_of(n, 'vertex')}, but {len(named)} names are given")
        graph._fill(int(n), array.astype(np.int64), named, directed, None, weights)
        return graph

    @classmethod
    def _of_parts(cls, parts: GraphParts) -> Graph:
        graph, labels = cls.__new__(cls), parts.labels
        if isinstance(labels, range) or all(
            type(label) is int and label == i for i, label in enumerate(labels)
        ):
            graph._fill(len(labels), parts.pairs, None, parts.directed, None, parts.weights)
        else:
            names = names_of(labels)
            graph._fill(len(names), parts.pairs, names, parts.directed, labels, parts.weights)
        graph.positions, graph.unusable = parts.positions, parts.unusable
        return graph

    def to_networkx(self) -> networkx.Graph[Any]:
        """The graph as one of networkx, whose nodes are :attr:`cells`.

        Weights are the attribute ``weight`` of edges, positions the attribute ``pos`` of nodes.

        Examples
        --------
        >>> sorted(Graph("abc", ["ab", "bc"]).to_networkx().edges)
        [('a', 'b'), ('b', 'c')]
        """
        import networkx

        graph = networkx.DiGraph() if self.directed else networkx.Graph()
        labels = self.labels
        graph.add_nodes_from(labels)
        if self.positions is not None:
            for node, place in zip(labels, self.positions.tolist(), strict=True):
                graph.nodes[node]["pos"] = tuple(place)
        named = ((labels[u], labels[v]) for u, v in self.edges.tolist())
        if self.weights is None:
            graph.add_edges_from(named)
        else:
            weighed = zip(named, self.weights.tolist(), strict=True)
            graph.add_weighted_edges_from((u, v, weight) for (u, v), weight in weighed)
        return graph

    @classmethod
    def from_json(cls, data: Any) -> Graph:
        """Read what :meth:`to_json` wrote.

        Parameters
        ----------
        data:
            The object.

        Returns
        -------
        Graph
            The graph.

        Raises
        ------
        BadInput
            If the object does not describe a graph, or a board.

        Examples
        --------
        >>> graph = Graph("abc", ["ab", "bc"], directed=True, weights=[5, 7])
        >>> Graph.from_json(graph.to_json()) == graph
        True
        """
        parts = [data.get(key) for key in ("vertices", "edges")] if isinstance(data, dict) else [None]
        if not all(isinstance(part, list) for part in parts):
            raise BadInput("a graph in JSON is an object with lists of vertices and edges")
        from ktsolve.graphs.edge_arrays import places

        directed, weights = data.get("directed", False), data.get("weights")
        if not isinstance(directed, bool) or not isinstance(weights, list | None):
            raise BadInput("in a graph in JSON, directed is true or false, and weights is a list")
        if not all(isinstance(edge, list) for edge in data["edges"]):
            raise BadInput("in a graph in JSON, an edge is a list of two vertices")
        labels = data.get("labels")
        if not isinstance(labels, list | None):
            raise BadInput("in a graph in JSON, labels is a list")
        labels = None if labels is None else [_label_from_json(label) for label in labels]
        graph = cls(data["vertices"], data["edges"], directed=directed, labels=labels, weights=weights)
        if "positions" in data:
            graph.positions = places(data["positions"])
            if graph.positions is None or len(graph.positions) != len(graph):
                raise BadInput("in a graph in JSON, positions is a list of [x, y] for each vertex")
        known_as = data.get("name")
        if isinstance(known_as, str) and _is_printable(known_as):
            graph.known_as = known_as[:100]
        return graph

    def to_json(self) -> dict[str, Any]:
        """The graph in terms of JSON: ``vertices`` by name and ``edges`` as pairs of names.

        A directed graph has ``directed``, one with weights or positions ``weights`` or ``positions``, and one
        made from a name ``name``. Where vertices are not their names, ``labels`` has them, tuples as lists.
        If JSON cannot hold one, there is no such key, and the graph is read with its names as vertices.
        """
        names = self.names
        data: dict[str, Any] = {
            **({"name": self.known_as} if self.known_as else {}),
            "vertices": list(names),
            "edges": [[names[u], names[v]] for u, v in self.edges.tolist()],
        }
        if self._labels is not None or self._names is None:
            with suppress(TypeError):
                data["labels"] = [_label_to_json(label) for label in self.cells]
        if self.directed:
            data["directed"] = True
        if self.weights is not None:
            data["weights"] = self.weights.tolist()
        if self.positions is not None:
            data["positions"] = self.positions.tolist()
        return data

    def __eq__(self, other: object) -> bool:
        import numpy as np

        if type(other) is not Graph:
            return False
        if self is other:
            return True
        no_edges = not len(self.edges)
        return (
            (self._vertices, self.directed) == (other._vertices, other.directed)
            and np.array_equal(self.edges, other.edges)
            and (no_edges or _same(self.weights, other.weights))
            and (self._names is other._names or self.names == other.names)
            and (self._labels is other._labels or self.cells == other.cells)
        )

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> Any:
        if type(self) is not Graph:
            return super().__reduce__()
        # The given data without the results computed from it: worker processes get graphs of a million edges.
        given = ("_vertices", "_names", "_labels", "directed", "weights", "positions", "known_as", "edges")
        return _restored, ({name: getattr(self, name) for name in given}, dict(self.dropped))

    @cached_property
    def _hash(self) -> int:
        return hash((self._vertices, self.directed, self.edges.tobytes()))

    def __repr__(self) -> str:
        options = "" if self.cells == self.names else f", labels={list(self.cells)!r}"
        options += ", directed=True" if self.directed else ""
        options += "" if self.weights is None else f", weights={self.weights.tolist()}"
        return f"Graph({list(self.names)!r}, {self.edges.tolist()!r}{options})"

    def __str__(self) -> str:
        vertices, edges = len(self), len(self.edges)
        text = f"graph of {vertices} {plural(vertices, 'vertex')} and {edges}"
        if self.directed:
            return f"directed {text} {plural(edges, 'arc')}"
        return f"{text} {plural(edges, 'edge')}"

    # -- what a board replaces ----------------------------------------------------------------------------

    @property
    def features(self) -> frozenset[str]:
        """Features that engines must support, as names in :data:`ktsolve.problem.problem.FEATURES`."""
        return frozenset({"graph", "digraph"} if self.directed else {"graph"})

    @property
    def nouns(self) -> Nouns:
        """What reasons call the ground, its vertices and its edges."""
        edge = "arc" if self.directed else "edge"
        return Nouns("graph", "vertex", "vertices", edge, f"{edge}s")

    @cached_property
    def cells(self) -> tuple[Vertex, ...]:
        """The vertices in order."""
        return tuple(self.each_cell())

    def each_cell(self) -> Iterator[Vertex]:
        """The vertices one after the other, in the order of :attr:`cells`, without a list of all."""
        return iter(self._nodes)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the vertices, in the order of :attr:`cells`."""
        return tuple(map(str, self._nodes)) if self._names is None else self._names

    @property
    def labels(self) -> tuple[Vertex, ...]:
        """The same as :attr:`cells`: the user's objects for the vertices."""
        return self.cells

    @property
    def _nodes(self) -> Sequence[Vertex]:
        """The vertices as given: labels, names, or the range of their numbers."""
        if self._labels is not None:
            return self._labels
        return range(self._vertices) if self._names is None else self._names

    @property
    def is_ascending(self) -> bool:
        """Whether :attr:`cells` are in the order of ``<``, as those of boards and numbered vertices are."""
        return self._labels is None and self._names is None

    @cached_property
    def edges(self) -> NDArray[np.int32]:
        """The edges: array of shape (edges, 2) of places in :attr:`cells`, ``u < v``, sorted.

        Of a directed graph: tail and head of each arc, sorted.
        """
        raise NotImplementedError  # set with the graph

    def name(self, cell: Vertex) -> str:
        """Name of a vertex as texts have it: in quotes if it holds a space or one of ``, ; - = > < : "``.

        Of a board the algebraic name of the cell, such as ``b3``.

        Parameters
        ----------
        cell:
            The vertex.

        Returns
        -------
        str
            The name.

        Examples
        --------
        >>> Graph(["New York", "Rome"]).name("New York")
        '"New York"'
        """
        return text_of_name(self.names[self.place(cell)])

    def title(self, cell: Vertex) -> str:
        """A vertex as reasons name it, such as ``vertex 3``; of a board the name alone.

        Parameters
        ----------
        cell:
            The vertex.

        Returns
        -------
        str
            The text.
        """
        return f"vertex {self.name(cell)}"

    def move_name(self, move: Move) -> str:
        """Name of an edge, such as ``u-v``, or of an arc, ``u->v``; of a move ``a1-b3``, left cell first.

        Parameters
        ----------
        move:
            Two vertices.

        Returns
        -------
        str
            The name.
        """
        return f"{self.name(move[0])}{'->' if self.directed else '-'}{self.name(move[1])}"

    def cell(self, given: str | Vertex) -> Vertex:
        """Read a vertex: the node itself, or a text that names one.

        A text that equals a node is that node; another one is a name, also in quotes as texts have it. A cell
        of a board is ``b3``, ``2,1`` or the pair itself.

        Parameters
        ----------
        given:
            The node, or its name.

        Returns
        -------
        Vertex
            The vertex, as the graph has it.

        Raises
        ------
        BadInput
            If the text is not understood, or the graph does not have that vertex.

        Examples
        --------
        >>> graph = Graph.from_edges([(3, "3"), (3, (0, 1))])
        >>> graph.cell(3), graph.cell("3"), graph.cell("(0, 1)")
        (3, '3', (0, 1))
        """
        if isinstance(given, str) and (place := self._place_of_text.get(given)) is not None:
            return self._nodes[place]
        place = self._find(given)
        if isinstance(given, str):
            name = unquoted(given)
            named = -1 if name is None else self._place_of_name.get(name, -1)
            if min(place, named) >= 0:
                raise BadInput(f"{shown(given)} is one vertex, and the name of another in quotes")
            place = max(place, named)
            place = self._place_of_name.get(given, -1) if place < 0 else place
        if place < 0:
            raise BadInput(f"{shown(given)} is not a vertex of the {self}")
        if isinstance(given, str):
            self._place_of_text[given] = place
        return self._nodes[place]

    def _find(self, node: Any) -> int:
        """The place of the vertex that equals an object, or -1; True is not 1 here, as it is in Python."""
        if self.is_ascending:
            if type(node) is int:
                return node if 0 <= node < self._vertices else -1
            if isinstance(node, bool) or not isinstance(node, Real):
                return -1
            number: Any = node
            return int(number) if 0 <= number < self._vertices and number == int(number) else -1
        try:
            place = self.index.get(node, -1)
        except TypeError:  # not hashable
            return -1
        return place if isinstance(node, bool) is isinstance(self._nodes[place], bool) else -1

    def split_list(self, text: str, also: str = "") -> list[str]:
        """The parts of a list of vertices or edges, separated by spaces, commas, semicolons or ``also``.

        On a board, a comma within ``row,column`` does not separate.

        Parameters
        ----------
        text:
            The list.
        also:
            Further signs that separate.

        Returns
        -------
        list[str]
            The parts.

        Examples
        --------
        >>> Graph(["New York", "Rome"]).split_list('Rome, "New York"')
        ['Rome', '"New York"']
        """
        return [part for part in split_outside_quotes(text, rf"[\s,;{also}]+") if part]

    def read_cells(self, text: str) -> frozenset[Vertex]:
        """Read several vertices, separated by spaces, commas or semicolons.

        On a board also rectangles of cells, such as ``b2-c3`` (:func:`ktsolve.graphs.notation.parse_cells`).

        Parameters
        ----------
        text:
            The list.

        Returns
        -------
        frozenset[Vertex]
            The vertices.

        Raises
        ------
        BadInput
            If the graph does not have one of them.
        """
        return frozenset(map(self.cell, self.split_list(text)))

    def move(self, text: str | Move) -> Move:
        """Read an edge, such as ``u-v`` (an arc also as ``u->v``), and make sure that it is there.

        Parameters
        ----------
        text:
            A text, or the two vertices.

        Returns
        -------
        Move
            The two vertices as :attr:`moves` has them.

        Raises
        ------
        BadInput
            If the text is not understood, or the graph does not have that edge.

        Examples
        --------
        >>> Graph("abc", ["ab", "bc"]).move("c-b")
        ('b', 'c')
        """
        ends = split_outside_quotes(text, "->|-") if isinstance(text, str) else as_tuple(text)
        if len(ends) != 2:
            example = self.move_name(self.cells_of(self.edges[0])) if len(self.edges) else "u-v"
            raise BadInput(f"{shown(text)} is not an edge: write two vertices, such as {example}")
        move = self.edge(self.cell(ends[0]), self.cell(ends[1]))
        if not self.adjacent(*move):
            raise BadInput(f"{self.move_name(move)} is not an {self.nouns.move} of the {self}")
        return move

    def adjacent(self, first: Vertex, second: Vertex) -> bool:
        """Whether an edge joins two vertices; in a directed graph, an arc from the first to the second.

        Parameters
        ----------
        first, second:
            Two vertices.

        Returns
        -------
        bool
            True if the edge exists.
        """
        place = self.place(first)
        if place not in self._around:
            self._around[place] = frozenset(self.successors.of(place))
        return self.place(second) in self._around[place]

    def all_adjacent(self, cells: Sequence[Vertex]) -> bool:
        """Whether an edge leads from each of some vertices to the next. Linear in their number.

        Parameters
        ----------
        cells:
            Vertices.

        Returns
        -------
        bool
            True if each pair of neighbours in the sequence is an edge.

        Examples
        --------
        >>> graph = Graph("abc", ["ab", "bc"])
        >>> graph.all_adjacent("abcb"), graph.all_adjacent("ac")
        (True, False)
        """
        return all(map(self.adjacent, cells, cells[1:]))

    def __len__(self) -> int:
        return self._vertices

    def __contains__(self, cell: object) -> bool:
        return self._find(cell) >= 0

    # -- what follows -------------------------------------------------------------------------------------

    @cached_property
    def _place_of_text(self) -> dict[str, int]:
        """The places of texts that were read, of which lists of tours have the same ones many times."""
        return {}

    @cached_property
    def _place_of_name(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def _around(self) -> dict[int, frozenset[int]]:
        return {}

    @cached_property
    def index(self) -> dict[Vertex, int]:
        """Place of each vertex in :attr:`cells`."""
        return {cell: i for i, cell in enumerate(self.cells)}

    def place(self, cell: Vertex) -> int:
        """Place of a vertex in :attr:`cells`.

        Parameters
        ----------
        cell:
            The vertex.

        Returns
        -------
        int
            The place, from 0.
        """
        place: int = cell if self.is_ascending else self.index[cell]
        return place

    def in_order(self, cells: Iterable[Vertex]) -> list[Vertex]:
        """Some vertices in the order of :attr:`cells`.

        Parameters
        ----------
        cells:
            Vertices.

        Returns
        -------
        list[Vertex]
            The vertices.

        Examples
        --------
        >>> Graph.from_edges([(7, "x"), ("x", None)]).in_order({None, 7})
        [7, None]
        """
        return sorted(cells, key=None if self.is_ascending else self.place)

    def moves_in_order(self, moves: Iterable[Move]) -> list[Move]:
        """Some edges in the order of :attr:`moves`.

        Parameters
        ----------
        moves:
            Edges.

        Returns
        -------
        list[Move]
            The edges.
        """
        place = self.place
        return sorted(moves, key=None if self.is_ascending else lambda move: (place(move[0]), place(move[1])))

    def edge(self, first: Vertex, second: Vertex) -> Move:
        """Two vertices in the order in which :attr:`moves` has them; those of an arc stay as they are.

        Parameters
        ----------
        first, second:
            Two vertices.

        Returns
        -------
        Move
            The pair.
        """
        if self.directed or (first < second if self.is_ascending else self.place(first) < self.place(second)):
            return first, second
        return second, first

    def cells_of(self, places: Iterable[int]) -> tuple[Vertex, ...]:
        """The vertices at some places of :attr:`cells`, which need not be made for this.

        Parameters
        ----------
        places:
            Places from 0.

        Returns
        -------
        tuple[Vertex, ...]
            The vertices, in the order of the places.
        """
        if "cells" not in self.__dict__:
            return tuple(self._found_at(places))
        cells = self.cells
        return tuple([cells[place] for place in places])

    def _found_at(self, places: Iterable[int]) -> list[Vertex]:
        nodes = self._nodes
        return [nodes[place] for place in places]

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
    def edge_keys(self) -> NDArray[np.int64]:
        """The edges as ascending numbers ``u * len(self) + v``: for look-ups of many edges at once."""
        from ktsolve.graphs.edge_arrays import edge_keys

        return edge_keys(len(self), self.edges)

    def places_of(self, pairs: ArrayLike) -> NDArray[np.int64]:
        """For each pair of places of vertices its row in :attr:`edges`, or -1 where no edge joins them.

        Parameters
        ----------
        pairs:
            An array of integers with two columns.

        Returns
        -------
        NDArray[np.int64]
            A row number for each pair.

        Examples
        --------
        >>> Graph("abc", ["ab", "bc"]).places_of([[2, 1], [0, 2]]).tolist()
        [1, -1]
        """
        import numpy as np

        from ktsolve.graphs.edge_arrays import edge_keys

        array = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
        keys = edge_keys(len(self), array if self.directed else np.sort(array, axis=1))
        if not len(self.edges):
            return np.full(len(keys), -1, dtype=np.int64)
        places = np.minimum(np.searchsorted(self.edge_keys, keys), len(self.edges) - 1)
        return np.where(self.edge_keys[places] == keys, places, -1)

    @cached_property
    def successors(self) -> Neighbours:
        """The neighbours of each vertex as arrays of places; in a directed graph those that arcs lead to."""
        from ktsolve.graphs.edge_arrays import neighbours_of

        return neighbours_of(len(self), self.edges, directed=self.directed)

    @cached_property
    def neighbours(self) -> Mapping[Vertex, tuple[Vertex, ...]]:
        """The vertices to which an edge leads from each vertex, in order."""
        return self._by_vertex(self.successors)

    @cached_property
    def predecessors(self) -> Mapping[Vertex, tuple[Vertex, ...]]:
        """The vertices from which an arc leads to each vertex, in order; if undirected, its neighbours."""
        from ktsolve.graphs.edge_arrays import neighbours_of

        if not self.directed:
            return self.neighbours
        return self._by_vertex(neighbours_of(len(self), self.edges, directed=True, backwards=True))

    def _by_vertex(self, lists: Neighbours) -> dict[Vertex, tuple[Vertex, ...]]:
        cells, starts = self.cells, lists.starts.tolist()
        others = [cells[place] for place in lists.others.tolist()]
        return {cell: tuple(others[starts[i] : starts[i + 1]]) for i, cell in enumerate(cells)}

    @cached_property
    def colouring(self) -> dict[Vertex, int] | None:
        """Colours 0 and 1 such that every edge joins different colours; None with an odd cycle.

        Each component is coloured by itself: colours of different components are not comparable. The first
        vertex of each has colour 0. Directions do not matter.
        """
        colours = self.colours
        return None if colours is None else dict(zip(self.cells, colours.tolist(), strict=True))

    @cached_property
    def colours(self) -> NDArray[np.int64] | None:
        """The colours of :attr:`colouring`, in the order of :attr:`cells`. O((n + m) log n)."""
        from ktsolve.graphs.edge_arrays import two_colours

        return two_colours(len(self), self.edges)

    @cached_property
    def graph(self) -> networkx.Graph[Vertex]:
        """The graph as one of networkx whose nodes are :attr:`cells`, a ``DiGraph`` if it is directed."""
        import networkx

        graph = networkx.DiGraph() if self.directed else networkx.Graph()
        graph.add_nodes_from(self.cells)
        graph.add_edges_from(self.moves)
        return graph


def _restored(given: dict[str, Any], dropped: dict[str, int]) -> Graph:
    """The graph with these attributes, for :mod:`pickle`."""
    graph = Graph.__new__(Graph)
    graph.__dict__.update(given, dropped=MappingProxyType(dropped))
    return graph


def _same(one: NDArray[np.int64] | None, other: NDArray[np.int64] | None) -> bool:
    """Whether two graphs have equal weights, or both have none."""
    if one is None or other is None:
        return one is other
    return one.tobytes() == other.tobytes()


def names_of(labels: Iterable[Hashable]) -> tuple[str, ...]:
    """A name for each label, all different: its text; its ``repr`` if that is not printable or not unique.

    A label that is text has that name, whatever others are called. Numbers tell apart what is left.

    >>> names_of([1, "1", (2, 3)])
    ('1#1', '1', '(2, 3)')
    """
    listed = list(labels)
    taken = {label for label in listed if isinstance(label, str) and _is_printable(label)}
    texts = [str(label) for label in listed]
    often = Counter(texts)
    names: list[str] = []
    for label, text in zip(listed, texts, strict=True):
        if isinstance(label, str) and label in taken:
            names.append(label)
            continue
        if often[text] > 1 or not _is_printable(text) or text in taken:
            text = repr(label) if _is_printable(repr(label)) else repr(repr(label))
            name, number = text, 0
            while name in taken or often.get(name, 0) > 0:
                number += 1
                name = f"{text}#{number}"
            text = name
        taken.add(text)
        names.append(text)
    return tuple(names)


def _label_to_json(label: Hashable) -> Any:
    """A label as JSON has it: a tuple as a list, a frozenset with its name. Raises TypeError for others."""
    if isinstance(label, frozenset):
        return {"frozenset": sorted(map(_label_to_json, label), key=repr)}
    if isinstance(label, tuple):
        return [_label_to_json(part) for part in label]
    if isinstance(label, str | bool | None) or (isinstance(label, float) and isfinite(label)):
        return label
    return index(label)  # type: ignore[arg-type]


def _label_from_json(label: Any) -> Hashable:
    if isinstance(label, dict) and isinstance(members := label.get("frozenset"), list):
        return frozenset(map(_label_from_json, members))
    return tuple(map(_label_from_json, label)) if isinstance(label, list) else label


def _is_printable(name: str) -> bool:
    """Whether a text can be a name: printable, on one line, and not empty."""
    return bool(name) and name.isprintable()
