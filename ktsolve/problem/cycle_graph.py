"""Tour problems as Hamiltonian cycle problems on numbered undirected graphs, for engines that search graphs.

An open tour is a cycle through one extra vertex, joined to every vertex where the tour may end. A given start
or end is a required edge to it. In a directed graph each vertex becomes two, joined by a required edge: arcs
enter the first and leave the second.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ktsolve.graphs.edge_arrays import neighbours_of
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.symmetry import named_symmetry
from ktsolve.graphs.tour import Tour
from ktsolve.problem.conditions import Require
from ktsolve.problem.problem import TourProblem

__all__ = ["CycleGraph", "Edge"]

Edge = tuple[int, int]


_MOST_PLANAR = 5000  # vertices of a graph whose planarity is looked at


@dataclass(frozen=True, eq=False)
class CycleGraph:
    """The graph whose Hamiltonian cycles are the tours.

    - ``vertices``: Number of vertices: those of the problem by index (each twice if it is directed) and,
      for open tours, the extra one last.
    - ``edges``: Pairs u < v, as an array of two columns.
    - ``required``: For each edge whether every cycle has to use it.
    - ``extra``: The extra vertex, None for closed tours.
    - ``impossible``: True when some required edge does not exist, so that no tour exists.
    - ``doubled``: Whether the vertices 2 v and 2 v + 1 stand for vertex v of a directed graph: where arcs
      enter, and where they leave.

    >>> problem = TourProblem(board=Graph("abc", ["ab", "bc", "ca"], directed=True), closed=True)
    >>> graph = CycleGraph.of(problem)
    >>> graph.vertices, int(graph.required.sum()), graph.pairs[-3:]
    (6, 3, ((1, 2), (3, 4), (0, 5)))
    >>> graph.tour(problem, [5, 4, 3, 2, 1, 0]).names()
    'a b c'
    """

    vertices: int
    edges: NDArray[np.int32]
    required: NDArray[np.bool_]
    extra: int | None = None
    impossible: bool = False
    doubled: bool = False

    def __post_init__(self) -> None:
        edges = np.ascontiguousarray(self.edges, dtype=np.int32).reshape(-1, 2)
        object.__setattr__(self, "edges", edges)
        object.__setattr__(self, "required", np.ascontiguousarray(self.required, dtype=np.bool_))

    @classmethod
    def of(cls, problem: TourProblem) -> CycleGraph:
        """The graph of a problem. O(m log m) in whole arrays."""
        ground, place, closed = problem.ground, problem.ground.place, problem.closed
        n, directed = len(ground), ground.directed

        def places(moves: frozenset[tuple[object, object]]) -> NDArray[np.int64]:
            return ground.places_of([(place(a), place(b)) for a, b in moves])

        required_moves = problem.required_moves
        if closed and problem.start is not None and problem.end is not None:
            required_moves |= {(problem.end, problem.start)}
        needed = places(required_moves)
        kept = np.ones(len(ground.edges), dtype=np.bool_)
        kept[places(problem.forbid)] = False
        required = np.zeros(len(ground.edges), dtype=np.bool_)
        required[needed[needed >= 0]] = True
        impossible = bool(np.any(needed < 0) or np.any(required & ~kept) or (closed and n < 3))
        edges, required = ground.edges[kept], required[kept]
        if directed:
            edges, required = _doubled(n, edges, required)
        vertices = 2 * n if directed else n
        if closed:
            return cls(vertices, edges, required, None, impossible, directed)
        first, last = ([] if cell is None else [place(cell)] for cell in (problem.start, problem.end))
        if directed:
            ends = [2 * v for v in first or range(n)] + [2 * v + 1 for v in last or range(n)]
            given = [2 * v for v in first] + [2 * v + 1 for v in last]
        else:
            # One vertex that is both ends has one edge: the graph stays simple.
            given = list(dict.fromkeys(first + last))
            ends = given if first and last else list(range(n))
        outer = np.array([(v, vertices) for v in ends], dtype=np.int32)
        return cls(
            vertices + 1,
            np.concatenate([edges, outer]),
            np.append(required, np.isin(ends, given)),
            vertices,
            impossible,
            directed,
        )

    @property
    def most_cycles(self) -> int:
        """A bound on the number of Hamiltonian cycles, a power of two.

        With two copies of each vertex and four of each edge a cycle becomes 2^n perfect matchings, as its two
        edges at a vertex may take the copies in either order. A graph has at most as many of these as the
        product of (d!)^(1/(2d)) over its degrees, which are twice those here. Source: N. Alon, S. Friedland,
        The maximum number of perfect matchings in graphs with a given degree sequence (2008).

        >>> CycleGraph.of(TourProblem(board="8x8", closed=True)).most_cycles.bit_length()
        76
        """
        degrees = np.bincount(self.edges.ravel(), minlength=self.vertices)
        numbers = enumerate(np.bincount(degrees).tolist())
        bits = math.fsum(
            number * (math.lgamma(2 * d + 1) / max(1, 2 * d) / math.log(2) - 1) for d, number in numbers
        )
        # Room for the rounding of the logarithms.
        return 1 << max(0, math.ceil(bits + 0.01))

    @classmethod
    def of_arcs(
        cls, nodes: int, arcs: NDArray[np.int32], required: NDArray[np.bool_], *, directed: bool
    ) -> CycleGraph:
        """The graph of a circuit through all nodes, given by its arcs.

        >>> arcs = np.array([(0, 1), (1, 2), (2, 0), (1, 0)], dtype=np.int32)
        >>> graph = CycleGraph.of_arcs(3, arcs, np.zeros(4, dtype=np.bool_), directed=True)
        >>> graph.vertices, len(graph.edges), graph.order([0, 1, 2, 3, 4, 5])
        (6, 7, [0, 1, 2])
        """
        if directed:
            return cls(2 * nodes, *_doubled(nodes, arcs, required), doubled=True)
        return cls(nodes, np.sort(arcs, axis=1), required)

    def tour(self, problem: TourProblem, cycle: Sequence[int]) -> Tour:
        """The tour of a Hamiltonian cycle, which is given as its vertices in order."""
        return Tour.from_indices(problem.ground, self.order(cycle), problem.closed)

    def vertex_name(self, problem: TourProblem, vertex: int) -> str:
        """The name of a vertex in reasons."""
        if vertex == self.extra:
            return "the extra vertex that closes an open tour"
        names = problem.ground.names
        if not self.doubled:
            return names[vertex]
        return ("the entry of ", "the exit of ")[vertex % 2] + names[vertex // 2]

    def order(self, cycle: Sequence[int]) -> list[int]:
        """The vertices of the problem in the order of a Hamiltonian cycle, from the extra vertex on."""
        walk = list(cycle)
        if self.extra is not None:
            at = walk.index(self.extra)
            walk = walk[at + 1 :] + walk[:at]
        if self.doubled:
            at = walk.index(0)
            forwards = walk[(at + 1) % len(walk)] == 1
            walk = [v // 2 for v in (walk if forwards else reversed(walk)) if v % 2 == 0]
        return walk

    def problem(self) -> TourProblem:
        """The problem of a closed tour through the required edges, on a bare graph, for engines of models.

        A graph that is :attr:`impossible` has no such problem.
        """
        graph = Graph.from_arrays(self.vertices, self.edges)
        required = [Require((u, v)) for u, v in self.edges[self.required].tolist()]
        return TourProblem(board=graph, closed=True, conditions=required)

    def moves(self, problem: TourProblem) -> NDArray[np.int64]:
        """For each edge the place in ``problem.ground.edges`` of the move it stands for; -1 for none.

        >>> problem = TourProblem(board=Graph("abc", ["ab", "bc", "ca"], directed=True), closed=True)
        >>> CycleGraph.of(problem).moves(problem).tolist()
        [-1, -1, -1, 0, 1, 2]
        """
        u, v = self.edges[:, 0].astype(np.int64), self.edges[:, 1].astype(np.int64)
        inner = np.ones(len(u), dtype=bool) if self.extra is None else (u != self.extra) & (v != self.extra)
        if self.doubled:
            inner &= u // 2 != v // 2
            # An arc leaves the second vertex of its tail and enters the first one of its head.
            leaves = u % 2 == 1
            u, v = np.where(leaves, u, v) // 2, np.where(leaves, v, u) // 2
        places = np.full(len(u), -1, dtype=np.int64)
        places[inner] = problem.ground.places_of(np.stack([u[inner], v[inner]], axis=1))
        return places

    @cached_property
    def planar(self) -> bool:
        """Whether the graph without its extra vertex is planar. False for graphs of many vertices.

        >>> CycleGraph.of(TourProblem(board="4x4", leaper="wazir", closed=True)).planar
        True
        """
        inner = [pair for pair in self.pairs if self.extra not in pair]
        if self.vertices > _MOST_PLANAR or len(inner) > 3 * self.vertices - 6:
            return False
        around = [set(others) - {self.extra} for others in self.around]
        if len(inner) > 2 * self.vertices - 4 and not any(around[u] & around[v] for u, v in inner):
            return False  # without triangles: knights of 4 rows and more
        import networkx  # a tenth of a second, and 25 MB

        return bool(networkx.check_planarity(networkx.Graph(inner))[0])

    @cached_property
    def pairs(self) -> tuple[Edge, ...]:
        """The edges as pairs of numbers, in the same order."""
        return tuple([(u, v) for u, v in self.edges.tolist()])

    @cached_property
    def around(self) -> tuple[tuple[int, ...], ...]:
        """Neighbours of each vertex, in order."""
        lists = neighbours_of(self.vertices, self.edges)
        starts, others = lists.starts.tolist(), lists.others.tolist()
        return tuple([tuple(others[starts[v] : starts[v + 1]]) for v in range(self.vertices)])

    def keeping(self, kept: Callable[[Edge], bool]) -> CycleGraph:
        """The same vertices with those edges only that pass a test."""
        chosen = np.fromiter(map(kept, self.pairs), dtype=np.bool_, count=len(self.edges))
        return replace(self, edges=self.edges[chosen], required=self.required[chosen])

    @cached_property
    def needed(self) -> dict[Edge, bool]:
        """For each edge whether it is required."""
        return dict(zip(self.pairs, self.required.tolist(), strict=True))

    def arrays(
        self, order: Sequence[int] | NDArray[np.int32] | None = None
    ) -> tuple[int, NDArray[np.int32], NDArray[np.uint8]]:
        """Vertices, edges and required flags as the native core takes them.

        With ``order``, vertex ``order[i]`` gets number i.
        """
        edges = self.edges
        if order is not None:
            place = np.empty(self.vertices, dtype=np.int32)
            place[np.asarray(order)] = np.arange(self.vertices, dtype=np.int32)
            edges = np.sort(place[edges], axis=1).astype(np.int32)
        return self.vertices, np.ascontiguousarray(edges), self.required.astype(np.uint8)

    def linked(self, problem: TourProblem) -> tuple[CycleGraph, list[list[int]]]:
        """The graph without edges whose images are missing, and the orbits of edges: for a symmetric tour.

        A tour uses all edges of an orbit or none. Without a symmetry asked for there are no orbits.
        """
        if problem.symmetry is None:
            return self, []
        return self.linked_by(named_symmetry(problem.board, problem.symmetry).images)

    def linked_by(self, symmetry: Sequence[int]) -> tuple[CycleGraph, list[list[int]]]:
        """As :meth:`linked`, under the symmetry that moves each cell to ``symmetry[cell]``."""
        images = list(symmetry)
        if self.extra is not None:
            images.append(self.extra)
        needed = self.needed
        kept: dict[Edge, bool] = {}
        orbits: list[list[Edge]] = []
        seen: set[Edge] = set()
        missing_required = False
        for edge in self.pairs:
            if edge in seen:
                continue
            orbit, image = [edge], _pair(images[edge[0]], images[edge[1]])
            while image != edge:
                orbit.append(image)
                image = _pair(images[image[0]], images[image[1]])
            seen.update(orbit)
            required = any(needed.get(e, False) for e in orbit)
            if all(e in needed for e in orbit):
                kept.update((e, required) for e in orbit)
                orbits.append(orbit)
            else:
                missing_required = missing_required or required
        place = {edge: i for i, edge in enumerate(kept)}
        graph = CycleGraph(
            self.vertices,
            np.array(list(kept), dtype=np.int32),
            np.array(list(kept.values()), dtype=np.bool_),
            self.extra,
            self.impossible or missing_required,
        )
        return graph, [[place[e] for e in orbit] for orbit in orbits if len(orbit) > 1]


def _pair(u: int, v: int) -> Edge:
    return (u, v) if u < v else (v, u)


def _doubled(
    n: int, arcs: NDArray[np.int32], required: NDArray[np.bool_]
) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """The edges of a directed graph whose vertices become two each, and whether they are required."""
    edges = np.sort(arcs * 2 + np.array([1, 0], dtype=np.int32), axis=1)
    inner = np.arange(2 * n, dtype=np.int32).reshape(-1, 2)
    return np.concatenate([inner, edges]), np.append(np.ones(n, np.bool_), required)
