"""Edges as NumPy arrays: read from networkx, matrices and lists; simple edges, neighbours, components."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import compress
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown

__all__ = [
    "GraphParts",
    "Neighbours",
    "SimpleEdges",
    "component_labels",
    "edge_keys",
    "from_edges",
    "from_matrix",
    "from_neighbours",
    "from_networkx",
    "is_graph",
    "is_matrix",
    "is_networkx",
    "neighbours_of",
    "parts_of",
    "places",
    "simple_edges",
    "strong_components",
    "two_colours",
    "whole_weights",
]


class SimpleEdges(NamedTuple):
    """Edges without loops and parallels, sorted, with their weights, and how many of each were dropped."""

    edges: NDArray[np.int32]
    weights: NDArray[np.int64] | None
    loops: int
    parallel: int


class Neighbours(NamedTuple):
    """The neighbours of vertex v, in order: ``others[starts[v]:starts[v + 1]]``."""

    starts: NDArray[np.int64]
    others: NDArray[np.int32]

    def of(self, vertex: int) -> list[int]:
        """The neighbours of a vertex."""
        found: list[int] = self.others[self.starts[vertex] : self.starts[vertex + 1]].tolist()
        return found


def edge_keys(vertices: int, edges: NDArray[np.integer]) -> NDArray[np.int64]:
    """One number for each pair, in the order of the pairs."""
    return edges[:, 0].astype(np.int64) * vertices + edges[:, 1]


def simple_edges(
    vertices: int, pairs: NDArray[np.int64], *, directed: bool, weights: NDArray[np.int64] | None = None
) -> SimpleEdges:
    """The simple edges among pairs of vertices; of parallel ones a lightest is kept. O(m log m).

    >>> found = simple_edges(3, np.array([[1, 0], [0, 1], [2, 2], [1, 2]]), directed=False)
    >>> found.edges.tolist(), found.loops, found.parallel
    ([[0, 1], [1, 2]], 1, 1)
    """
    inner = pairs[:, 0] != pairs[:, 1]
    loops = len(pairs) - int(np.count_nonzero(inner))
    if loops:
        pairs = pairs[inner]
        weights = None if weights is None else weights[inner]
    if not directed:
        pairs = np.sort(pairs, axis=1)
    keys = edge_keys(vertices, pairs)
    if weights is None:
        keys = np.sort(keys, kind="stable")
    else:
        order = np.lexsort((weights, keys))
        keys, weights = keys[order], weights[order]
    first = np.append(True, keys[1:] != keys[:-1])[: len(keys)]
    parallel = len(keys) - int(np.count_nonzero(first))
    if parallel:
        keys = keys[first]
        weights = None if weights is None else weights[first]
    edges = np.stack(np.divmod(keys, vertices), axis=1).astype(np.int32)
    return SimpleEdges(edges, weights, loops, parallel)


def neighbours_of(
    vertices: int, edges: NDArray[np.integer], *, directed: bool = False, backwards: bool = False
) -> Neighbours:
    """The neighbours of each vertex; of directed edges the successors, or ``backwards`` the predecessors.

    >>> found = neighbours_of(3, np.array([[0, 1], [1, 2]]))
    >>> found.of(1)
    [0, 2]
    """
    tails, heads = edges[:, 0], edges[:, 1]
    if not directed:
        tails, heads = np.concatenate([tails, heads]), np.concatenate([heads, tails])
    elif backwards:
        tails, heads = heads, tails
    keys = np.sort(tails.astype(np.int64) * vertices + heads, kind="stable")
    tails, heads = np.divmod(keys, vertices)
    starts = np.zeros(vertices + 1, dtype=np.int64)
    np.cumsum(np.bincount(tails, minlength=vertices), out=starts[1:])
    return Neighbours(starts, heads.astype(np.int32))


def component_labels(vertices: int, edges: NDArray[np.integer]) -> NDArray[np.int64]:
    """For each vertex the least vertex of its component, whatever the directions of the edges.

    By union and find, O((n + m) log n).

    >>> component_labels(5, np.array([[3, 4], [0, 2]])).tolist()
    [0, 1, 0, 3, 3]
    """
    from ktsolve import _native

    pairs = np.ascontiguousarray(edges[edges[:, 0] != edges[:, 1]], dtype=np.int32)
    part, _ = _native.find_subtours(vertices, pairs, np.ones(len(pairs), np.uint8), np.empty(0, np.uint8))
    # Components are numbered by their least vertices.
    new = np.diff(np.maximum.accumulate(part), prepend=-1) > 0
    least: NDArray[np.int64] = np.flatnonzero(new)[part]
    return least


def two_colours(vertices: int, edges: NDArray[np.integer]) -> NDArray[np.int64] | None:
    """Colours 0 and 1 such that every edge joins different colours; None with an odd cycle. O((n + m) log n).

    The least vertex of each component has colour 0.

    >>> two_colours(4, np.array([[0, 2], [2, 3]])).tolist()
    [0, 0, 1, 0]
    >>> two_colours(3, np.array([[0, 1], [1, 2], [0, 2]])) is None
    True
    """
    # In the double cover, v is 2 v and 2 v + 1, and an edge joins different colours.
    crossed = [np.stack([2 * edges[:, 0] + i, 2 * edges[:, 1] + 1 - i], axis=1) for i in (0, 1)]
    label = component_labels(2 * vertices, np.concatenate(crossed))
    if np.any(label[::2] == label[1::2]):
        return None
    return label[::2] % 2


def strong_components(vertices: int, arcs: NDArray[np.integer]) -> list[list[int]]:
    """The strong components of a directed graph; no arc leads from one to an earlier one.

    R. E. Tarjan's algorithm (1972) without recursion, O(n + m).

    >>> strong_components(4, np.array([[0, 1], [1, 0], [1, 2], [3, 2]]))
    [[3], [0, 1], [2]]
    """
    lists = neighbours_of(vertices, arcs, directed=True)
    found: list[list[int]] = []
    number, low = [-1] * vertices, [0] * vertices
    waiting: list[int] = []
    done = [False] * vertices
    count = 0
    for root in range(vertices):
        if number[root] >= 0:
            continue
        work = [(root, iter(lists.of(root)))]
        number[root] = low[root] = count
        count += 1
        waiting.append(root)
        while work:
            vertex, others = work[-1]
            for other in others:
                if number[other] < 0:
                    number[other] = low[other] = count
                    count += 1
                    waiting.append(other)
                    work.append((other, iter(lists.of(other))))
                    break
                if not done[other]:
                    low[vertex] = min(low[vertex], number[other])
            else:
                work.pop()
                if work:
                    before = work[-1][0]
                    low[before] = min(low[before], low[vertex])
                if low[vertex] == number[vertex]:
                    component = []
                    while not done[vertex]:
                        component.append(waiting.pop())
                        done[component[-1]] = True
                    found.append(sorted(component))
    return found[::-1]


# -- graphs in the forms in which users have them ----------------------------------------------------------

_LARGEST_SUM = 2**62  # sums of weights are computed in 64 bits


class GraphParts(NamedTuple):
    """A graph as its nodes, pairs of their places, a weight for each pair, a position for each node.

    ``unusable`` says why weights that were given are not those of a graph.
    """

    labels: Sequence[Hashable]
    pairs: NDArray[np.int64]
    directed: bool
    weights: NDArray[np.int64] | None = None
    positions: NDArray[np.float64] | None = None
    unusable: str = ""


def parts_of(given: Any) -> GraphParts:
    """The graph that a user has in Python. Raises BadInput for anything that may mean two graphs, or none.

    >>> parts_of({"a": ["b", "c"], "b": ["a"], "c": ["a"]}).pairs.tolist()
    [[0, 1], [0, 2]]
    """
    if is_networkx(given):
        return from_networkx(given)
    if hasattr(given, "get_edgelist") and hasattr(given, "to_networkx"):  # of igraph
        return from_networkx(given.to_networkx())
    if hasattr(given, "columns") and hasattr(given, "to_numpy"):  # of pandas
        if list(given.columns) != list(given.index):
            raise BadInput(
                "a table is an adjacency matrix: its rows and columns need the same nodes in the same order"
            )
        return from_matrix(given.to_numpy(), weighted=None)._replace(labels=tuple(given.columns))
    if is_matrix(given):
        return from_matrix(given, weighted=None)
    if isinstance(given, Mapping):
        if (
            given
            and all(isinstance(key, tuple) and len(key) == 2 for key in given)
            and all(isinstance(value, Real) for value in given.values())
        ):
            twice = next(
                (edge for edge, weight in given.items() if given.get(edge[::-1], weight) != weight), None
            )
            if twice is not None:
                raise BadInput(f"the edge {shown(twice)} has two weights: list arcs in a networkx.DiGraph")
            return from_edges([(*edge, weight) for edge, weight in given.items()])
        return from_neighbours(given)
    if not is_graph(given):
        forms = "one of networkx, a matrix, a dictionary of neighbours, or a list of edges"
        raise BadInput(f"a graph is {forms}, not {shown(given)}")
    return _from_rows(list(given))


def is_graph(given: object) -> bool:
    """Whether this may be a graph in one of the forms that :func:`parts_of` reads."""
    iterable = isinstance(given, Iterable) and not isinstance(given, str | bytes)
    return iterable or is_networkx(given) or is_matrix(given) or hasattr(given, "get_edgelist")


def is_networkx(given: object) -> bool:
    """Whether this is a graph of networkx, which is not imported for the question."""
    return all(hasattr(given, name) for name in ("is_directed", "is_multigraph", "nodes", "edges"))


def is_matrix(given: object) -> bool:
    """Whether this is an array of NumPy or a sparse matrix of SciPy."""
    return isinstance(given, np.ndarray) or hasattr(given, "tocoo")


def _from_rows(rows: list[Any]) -> GraphParts:
    """Edges, the rows of a matrix, or the neighbours of 0, 1, ...; refused if two of them make sense."""
    found: dict[str, GraphParts] = {}
    size = len(rows)
    edges = _are_edges(rows)
    if edges or not _are_lists(rows):
        found["edges"] = from_edges(rows)
    if size > 1 and all(isinstance(row, list) and len(row) == size for row in rows):
        matrix = np.array(rows, dtype=object)
        if all(isinstance(each, Real) for each in matrix.flat) and (
            not edges or (matrix == matrix.T).all() or not matrix.diagonal().any()
        ):
            found["a matrix"] = from_matrix(np.array(rows), weighted=None)
    first = next((first for first in (0, 1) if _are_neighbours(rows, first)), None)
    if first is not None:
        if first and not edges:
            raise BadInput(
                "lists of neighbours count the vertices from 0: give a dictionary, {1: [2, 3], ...}"
            )
        found["lists of neighbours"] = from_neighbours(dict(enumerate(rows, first)))
    if not found:
        inside = all(type(other) is int and 0 <= other < size for row in rows for other in row)
        return from_neighbours(dict(enumerate(rows))) if inside else from_edges(rows)
    (name, parts), *others = found.items()
    for other, meant in others:
        if _edge_set(parts) != _edge_set(meant):
            give = "a matrix as an array" if other == "a matrix" else "neighbours in a dictionary"
            raise BadInput(f"the rows may be {name} or {other}: use Graph.from_edges, or give {give}")
    return parts


def _are_lists(rows: list[Any]) -> bool:
    return bool(rows) and all(isinstance(row, list | tuple | set | frozenset) for row in rows)


def _are_edges(rows: list[Any]) -> bool:
    """Whether all are pairs, or all are triples with a weight or attributes."""
    if not _are_lists(rows) or len(length := set(map(len, rows))) != 1:
        return not rows
    return length == {2} or (
        length == {3}
        and all(isinstance(row, list | tuple) and isinstance(row[2], Real | Mapping) for row in rows)
    )


def _are_neighbours(rows: list[Any], first: int) -> bool:
    """Whether these can be the lists of neighbours of the vertices first, first + 1, ... of a graph."""
    last = first + len(rows) - 1
    return _are_lists(rows) and all(
        type(other) is int and first <= other <= last and other != here and here in rows[other - first]
        for here, row in enumerate(rows, first)
        for other in row
    )


def _edge_set(parts: GraphParts) -> set[object]:
    labels, weights = parts.labels, parts.weights if parts.weights is not None else np.ones(len(parts.pairs))
    kind = tuple if parts.directed else frozenset
    return {
        (kind((labels[u], labels[v])), w)
        for (u, v), w in zip(parts.pairs.tolist(), weights.tolist(), strict=True)
        if u != v
    }


def from_neighbours(given: Mapping[Hashable, Any], *, directed: bool | None = None) -> GraphParts:
    """The neighbours of each node, in a list or as keys of weights or attributes; nodes in the order of keys.

    Raises BadInput for neighbours that are text or are not among the keys, and unless ``directed`` says what
    is meant for a graph in which some edge is listed at one of its nodes only.
    """
    place = {node: i for i, node in enumerate(given)}
    pairs: list[tuple[int, int]] = []
    values: list[object] = []
    for node, others in given.items():
        if isinstance(others, str | bytes) or not isinstance(others, Iterable):
            raise BadInput(f"the neighbours of {shown(node)} are {shown(others)}: give them in a list")
        data = others if isinstance(others, Mapping) else {}
        for other in others:
            if not isinstance(other, Hashable) or other not in place:
                raise BadInput(
                    f"{shown(other)}, a neighbour of {shown(node)}, is not a node with neighbours of its own"
                )
            pairs.append((place[node], place[other]))
            values.append(_weight_in(data.get(other)))
    there = dict(zip(pairs, values, strict=True)) if directed is None else {}
    for (u, v), value in there.items():
        if (v, u) not in there or there[v, u] != value:
            one, other = (shown(list(given)[place]) for place in (u, v))
            what = "lacks" if (v, u) not in there else "gives another weight to"
            raise BadInput(
                f"{one} has the neighbour {other}, but the list of {other} {what} {one}: use "
                "Graph.from_adjacency(..., directed=True) for arcs, directed=False for edges listed once"
            )
    if directed is None:  # one of the two entries of each edge
        once = [pair[0] <= pair[1] for pair in pairs]
        pairs, values = list(compress(pairs, once)), list(compress(values, once))
    weights, unusable = _weights(values)
    return GraphParts(tuple(given), _pairs(pairs), bool(directed), weights, None, unusable)


def _weight_in(data: object) -> object:
    """The weight in the attributes of an edge, or the number that stands in their place; None without one."""
    return data.get("weight") if isinstance(data, Mapping) else data


def _weights(values: Sequence[object]) -> tuple[NDArray[np.int64] | None, str]:
    """Weights, 1 where they are missing as in networkx; None if all are, or with the reason against them."""
    if all(value is None for value in values):
        return None, ""
    try:
        return whole_weights([1 if value is None else value for value in values]), ""
    except BadInput as error:
        return None, str(error)


def from_networkx(given: Any, weight: str | None = None) -> GraphParts:
    """A graph, digraph or multigraph of networkx; an edge without the attribute ``weight`` has weight 1.

    Without a name of the attribute, ``weight`` is read where some edge has it and all are whole numbers.
    """
    labels = tuple(given.nodes)
    shown_at = places([at for _, at in given.nodes(data="pos")])
    place = {node: i for i, node in enumerate(labels)}
    pairs = _pairs([(place[u], place[v]) for u, v in given.edges()])
    unusable = ""
    if weight is not None:
        weights: NDArray[np.int64] | None = whole_weights(
            [value for *_, value in given.edges(data=weight, default=1)]
        )
    else:
        weights, unusable = _weights([value for *_, value in given.edges(data="weight")])
    return GraphParts(labels, pairs, given.is_directed(), weights, shown_at, unusable)


def places(given: Sequence[Any]) -> NDArray[np.float64] | None:
    """Positions as an array of shape (vertices, 2); None if one is not a pair of finite numbers.

    >>> places([(0, 1), (2.5, 3)]).tolist(), places([(0, 1), None])
    ([[0.0, 1.0], [2.5, 3.0]], None)
    """
    if not isinstance(given, list) or any(at is None for at in given):
        return None
    try:
        found = np.array([[float(value) for value in at] for at in given])
    except (TypeError, ValueError):
        return None
    return found if found.ndim == 2 and found.shape[1] == 2 and np.isfinite(found).all() else None


def from_edges(edges: Iterable[Any], nodes: Iterable[Hashable] = (), *, directed: bool = False) -> GraphParts:
    """Pairs of nodes, or triples with a weight; nodes are in the order given, the others as they occur.

    Raises BadInput for a node that is given twice or cannot be hashed, and an edge of another length.
    """
    try:
        place: dict[Hashable, int] = {}
        for node in nodes:
            if node in place:
                raise BadInput(f"node {shown(node)} is given twice")
            place[node] = len(place)
        pairs: list[tuple[int, int]] = []
        values: list[object] = []
        length = 0
        for edge in edges:
            ends = () if isinstance(edge, str) else tuple(edge)
            unordered = isinstance(edge, set | frozenset) and (directed or len(ends) == 3)
            if len(ends) not in (2, 3) or unordered or (length and length != len(ends)):
                raise BadInput(f"{shown(edge)} is not an edge: give pairs of nodes, or triples with a weight")
            length = len(ends)
            pairs.append((place.setdefault(ends[0], len(place)), place.setdefault(ends[1], len(place))))
            values.append(_weight_in(ends[2]) if length == 3 else None)
            if length == 3 and values[-1] is None and not isinstance(ends[2], Mapping):
                raise BadInput(f"the weight of {shown(edge)} is missing")
    except TypeError as error:  # not hashable, or no pair
        raise BadInput(f"edges are pairs of nodes that can be hashed: {error}") from None
    weights = (
        None
        if all(value is None for value in values)
        else whole_weights([1 if value is None else value for value in values])
    )
    return GraphParts(tuple(place), _pairs(pairs), directed, weights)


def from_matrix(matrix: Any, *, directed: bool | None = None, weighted: bool | None = False) -> GraphParts:
    """The graph of a matrix, as :meth:`~ktsolve.graphs.graph.Graph.from_adjacency` takes it.

    If ``weighted`` is None, entries are weights where one is neither 0 nor 1.

    Raises BadInput for one that is not square, and for an undirected graph unless it is symmetric.
    """
    shape = tuple(np.shape(matrix))
    if len(shape) != 2 or shape[0] != shape[1]:
        raise BadInput(
            f"an adjacency matrix is square, not of shape {shape}; Graph.from_arrays takes an array of edges"
        )
    if hasattr(matrix, "tocoo"):
        sparse = matrix.tocoo()
        rows, columns, values = (np.asarray(part) for part in (sparse.row, sparse.col, sparse.data))
        present = values != 0
        rows, columns, values = rows[present], columns[present], values[present]
    else:
        matrix = np.asarray(matrix)
        if matrix.dtype.kind not in "biuf":
            raise BadInput(f"an adjacency matrix holds numbers, not {matrix.dtype}")
        rows, columns = np.nonzero(matrix)
        values = matrix[rows, columns]
    if not np.isfinite(values).all():
        raise BadInput("an entry of an adjacency matrix is not a finite number: 0 stands for no edge")
    pairs = np.stack([rows, columns], axis=1).astype(np.int64)
    weights, unusable = (whole_weights(values) if weighted else None), ""
    if weighted is None and (values != 1).any():
        weights, unusable = _weights(values.tolist())
    symmetric = _is_symmetric(shape[0], pairs, weights)
    if directed is False and not symmetric:
        raise BadInput("the adjacency matrix of an undirected graph is symmetric: give directed=True")
    if directed is None:
        directed = not symmetric
    if not directed:  # one of the two entries of each edge
        upper = pairs[:, 0] <= pairs[:, 1]
        pairs, weights = pairs[upper], None if weights is None else weights[upper]
    return GraphParts(range(shape[0]), pairs, directed, weights, None, unusable)


def _is_symmetric(vertices: int, pairs: NDArray[np.int64], weights: NDArray[np.int64] | None) -> bool:
    keys, mirrored = (pairs[:, i] * vertices + pairs[:, 1 - i] for i in (0, 1))
    one, other = np.argsort(keys, kind="stable"), np.argsort(mirrored, kind="stable")
    same = np.array_equal(keys[one], mirrored[other])
    return same and (weights is None or np.array_equal(weights[one], weights[other]))


def whole_weights(values: Any) -> NDArray[np.int64]:
    """Weights as an array of 64 bits.

    Raises BadInput for weights that are not whole numbers, or so large that their sum may pass 64 bits.
    """
    try:
        given = np.asarray(values)
        if given.dtype.kind == "O":  # numbers past 64 bits, or no numbers
            given = given.astype(np.float64)
    except (TypeError, ValueError):
        raise BadInput(f"weights are whole numbers, not {shown(values)}") from None
    if given.ndim != 1 or (given.size and given.dtype.kind not in "biuf"):
        raise BadInput(f"weights are whole numbers, one for each edge, not {shown(values)}")
    if given.dtype.kind == "f":
        wrong = given[~(np.floor(given) == given)]
        if len(wrong):
            raise BadInput(f"weights are whole numbers, not {wrong[0]:g}: multiply and round them")
    largest = float(np.abs(given.astype(np.float64)).max(initial=0))
    if largest * max(1, len(given)) >= _LARGEST_SUM:
        raise BadInput(f"the weight {largest:g} is too large: the sum over all edges must stay below 2^62")
    return given.astype(np.int64)


def _pairs(listed: list[Any]) -> NDArray[np.int64]:
    return np.array(listed, dtype=np.int64).reshape(-1, 2)
