"""Symmetric tours as Hamiltonian cycles of the quotient, for the engine ``quotient``.

A symmetry g of order k acts on each invariant tour in one of three ways, called shapes:

- *turned*: g rotates a closed tour of n cells: it shifts every cell along the tour by the same odd multiple
  of n/k. The tour's image in the quotient is a cycle through all orbits, of odd voltage (k is a power of 2).
- *reversed*: g has order 2 and reverses the direction of a closed tour. It fixes two places of the tour, each
  a cell or a move whose cells it exchanges. Between the places lies a path through all orbits.
- *halved*: g has order 2 and exchanges the ends of an open tour. It fixes the middle, a cell or a move. From
  the middle to an end lies a path through all orbits.

One or two further vertices turn each path into a cycle, so that all shapes are counted and searched alike.

The quotient is a *voltage graph*: each orbit of vertices becomes a vertex, each orbit of edges an edge. The
*voltage* of an edge is the power of the symmetry by which its other end is moved. The voltages determine the
graph, and the lifts of every path and cycle of the quotient.

Source: J. L. Gross and T. W. Tucker, Topological Graph Theory, 1987, chapter 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, combinations, pairwise, product

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.errors import Refused
from ktsolve.base.limits import Clock
from ktsolve.engines.frontier.order import EliminationOrder, best_order
from ktsolve.graphs.board import Board
from ktsolve.graphs.groups import cycle_lengths, order_of
from ktsolve.graphs.symmetry import named_symmetry
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.problem import TourProblem

__all__ = ["Shape", "VoltageGraph", "images_of", "order_of_orbits", "shapes_of", "short_tours"]


@dataclass(frozen=True)
class VoltageGraph:
    """The quotient of a graph by a symmetry g whose orbits have full size or are single points.

    - ``order``: Order of g.
    - ``orbits``: Each orbit as ``x, g x, g g x, ...`` from its least vertex x.
    - ``links``: For orbits X < Y by number, the voltages v such that ``X[0]`` and ``Y[v]`` are joined, hence
      ``X[i]`` and ``Y[i + v]`` for all i. At a fixed point all voltages are the same: 0 stands for them.
    - ``loops``: For an orbit X, the v from 1 to half the order such that ``X[0]`` and ``X[v]`` are joined.
      Where v is half the order, a power of the symmetry reverses these edges.
    - ``required``: The links (X, Y, v) and loops (X, X, v) of required edges.

    The quotient of the hexagon 0, 1, ..., 5 by its half turn is a triangle with odd voltage:

    >>> hexagon = [(i, (i + 1) % 6) for i in range(6)]
    >>> quotient = VoltageGraph.of((3, 4, 5, 0, 1, 2), hexagon)
    >>> quotient.orbits, quotient.links
    (((0, 3), (1, 4), (2, 5)), {(0, 1): (0,), (1, 2): (0,), (0, 2): (1,)})
    >>> quotient.unwound([0, 1, 2], [0, 0, -1])
    [0, 1, 2, 3, 4, 5]
    """

    order: int
    orbits: tuple[tuple[int, ...], ...]
    links: Mapping[tuple[int, int], tuple[int, ...]]
    loops: Mapping[int, tuple[int, ...]]
    required: frozenset[tuple[int, int, int]]

    @classmethod
    def of(
        cls, images: Sequence[int], edges: Iterable[tuple[int, int]], required: Iterable[tuple[int, int]] = ()
    ) -> VoltageGraph:
        """The quotient of a graph by the images of its vertices. Linear in its size, times the order.

        An orbit of edges is required if one of its edges is. Raises ValueError if an orbit is neither of full
        size nor a single point.
        """
        order = order_of(tuple(images))
        place: dict[int, tuple[int, int]] = {}
        orbits: list[tuple[int, ...]] = []
        for vertex in range(len(images)):
            if vertex in place:
                continue
            orbit = [vertex]
            while images[orbit[-1]] != vertex:
                orbit.append(images[orbit[-1]])
            if len(orbit) not in (1, order):
                raise ValueError(f"an orbit of {len(orbit)} vertices under a symmetry of order {order}")
            place.update((member, (len(orbits), i)) for i, member in enumerate(orbit))
            orbits.append(tuple(orbit))

        def labelled(u: int, v: int) -> tuple[int, int, int]:
            (x, i), (y, j) = sorted((place[u], place[v]))
            if x == y:
                return x, x, min((j - i) % order, (i - j) % order)
            return x, y, 0 if len(orbits[x]) == 1 or len(orbits[y]) == 1 else (j - i) % order

        links: dict[tuple[int, int], set[int]] = {}
        loops: dict[int, set[int]] = {}
        for u, v in edges:
            x, y, voltage = labelled(u, v)
            (loops.setdefault(x, set()) if x == y else links.setdefault((x, y), set())).add(voltage)
        return cls(
            order,
            tuple(orbits),
            {pair: tuple(sorted(voltages)) for pair, voltages in links.items()},
            {orbit: tuple(sorted(voltages)) for orbit, voltages in loops.items()},
            frozenset(labelled(u, v) for u, v in required),
        )

    @property
    def fixed(self) -> tuple[int, ...]:
        """The orbits that are single points under a symmetry other than the identity."""
        return tuple(x for x, orbit in enumerate(self.orbits) if len(orbit) < self.order)

    def unwound(self, walk: Sequence[int], voltages: Sequence[int]) -> list[int]:
        """The lift of a cycle of orbits of full size: a closed walk in the graph.

        The sum of the voltages, the last of which leads back to the first orbit, must generate the integers
        modulo the order; otherwise the lift has several cycles, of which one is returned.
        """
        path = self.path_above(walk, voltages[:-1])
        turns = [lap * sum(voltages) for lap in range(self.order)]
        return [self.orbits[orbit][(level + turn) % self.order] for turn in turns for orbit, level in path]

    def unfolded(self, walk: Sequence[int], voltages: Sequence[int]) -> list[int]:
        """The walk of a path and its mirror image, from the image of its last vertex to its last vertex.

        The symmetry must be of order 2. A fixed point at an end of the path occurs once, not twice.

        >>> mirrored = VoltageGraph.of((0, 2, 1, 4, 3), [(0, 1), (0, 2), (1, 3), (2, 4)])
        >>> mirrored.unfolded([0, 1, 2], [0, 0])
        [4, 2, 0, 1, 3]
        """
        path = self.path_above(walk, voltages)
        there = [self.orbits[orbit][level % len(self.orbits[orbit])] for orbit, level in path]
        back = [self.orbits[orbit][(level + 1) % len(self.orbits[orbit])] for orbit, level in path]
        found = back[::-1] + (there if there[0] != back[0] else there[1:])
        return found if found[0] != found[-1] or len(found) == 1 else found[:-1]

    def path_above(self, walk: Sequence[int], voltages: Sequence[int]) -> list[tuple[int, int]]:
        """The lift of a path of orbits, as pairs (orbit, level), from level 0 of the first."""
        levels = accumulate(voltages, initial=0)
        return [(orbit, level % self.order) for orbit, level in zip(walk, levels, strict=True)]


_Edge = tuple[int, int]


@dataclass(frozen=True)
class Shape:
    """Tours on which the symmetry acts in one way, as Hamiltonian cycles of a graph with parallel edges.

    - ``kind``: ``turned``, ``reversed`` or ``halved``; ``whole`` if the symmetry is the identity.
    - ``graph``: The orbits of cells, and one or two vertices that turn a path into a cycle.
    - ``voltages``: The voltages of the parallel edges that each edge represents; a cycle uses one of these.
    """

    kind: str
    quotient: VoltageGraph
    graph: CycleGraph
    voltages: tuple[tuple[int, ...], ...]

    @property
    def parallel(self) -> NDArray[np.uint8]:
        """The number of parallel edges of even and of odd voltage, for each edge."""
        odd = [sum(voltage % 2 for voltage in each) for each in self.voltages]
        both = [(len(each) - number, number) for each, number in zip(self.voltages, odd, strict=True)]
        return np.array(both, dtype=np.uint8).reshape(-1, 2)

    @property
    def orbit_of(self) -> list[int]:
        """The orbit of each cell, as a vertex."""
        places = {cell: x for x, orbit in enumerate(self.quotient.orbits) for cell in orbit}
        return [places[cell] for cell in range(len(places))]

    @cached_property
    def _voltages_of(self) -> dict[_Edge, tuple[int, ...]]:
        return dict(zip(self.graph.pairs, self.voltages, strict=True))

    def tours(self, cycle: Sequence[int]) -> Iterator[list[int]]:
        """Yield the tours, as cells by index, of a Hamiltonian cycle of the graph.

        There is one tour for each choice of parallel edges; for turned tours, for each choice of odd voltage.
        """
        if self.kind == "turned":
            for voltages in self._choices([*cycle, cycle[0]]):
                if sum(voltages) % 2:
                    yield self.quotient.unwound(cycle, voltages)
            return
        path = self._path(cycle)
        if self.kind == "whole":
            yield path
            return
        for voltages in self._choices(path):
            yield self.quotient.unfolded(path, voltages)

    def _choices(self, walk: Sequence[int]) -> Iterator[tuple[int, ...]]:
        of = self._voltages_of
        return product(*(of[x, y] if x < y else [-v for v in of[y, x]] for x, y in pairwise(walk)))

    def _path(self, cycle: Sequence[int]) -> list[int]:
        """Return the orbits of a cycle from the middle of a tour to its end, or between two fixed places."""
        size = len(self.quotient.orbits)
        at = cycle.index(self.graph.vertices - 1)
        path = [*cycle[at + 1 :], *cycle[: at + 1]]
        if path[-1] >= size:
            path.pop()
        if path[-1] >= size or path[-1] in self.quotient.fixed:
            path.reverse()
        return [x for x in path if x < size]


def images_of(problem: TourProblem) -> tuple[int, ...]:
    """Return the image of each cell under the symmetry of a problem, by index."""
    assert problem.symmetry is not None
    return named_symmetry(problem.board, problem.symmetry).images


def order_of_orbits(problem: TourProblem, shape: Shape, clock: Clock) -> EliminationOrder:
    """Return the order of the orbits in a sweep."""
    # On a bare graph the order is that of the quotient itself.
    vertex_of = shape.orbit_of if isinstance(problem.ground, Board) else None
    return best_order(problem, shape.graph, clock, vertex_of)


def shapes_of(problem: TourProblem, images: Sequence[int]) -> list[Shape]:
    """Return the shapes of the tours of a problem that are invariant under a symmetry.

    Turned tours of at most two orbits are excluded: their images are not cycles of a simple graph.
    :func:`short_tours` lists them. The time is linear in cells and moves. The order of the symmetry, given by
    the image of each cell, must be a power of 2.

    >>> def half_turned(size):
    ...     problem = TourProblem(board=size, closed=True)
    ...     return [shape.kind for shape in shapes_of(problem, range(len(problem.ground))[::-1])]
    >>> half_turned("5x6"), half_turned("6x6")
    (['turned', 'reversed'], ['turned'])
    """
    graph, quotient = _folded(problem, images)
    if graph.impossible or quotient is None or (problem.closed and len(problem.ground) < 3):
        return []
    if quotient.order == 1:
        return [Shape("whole", quotient, graph, ((0,),) * len(graph.edges))]
    found = [_turned(quotient), _reversed(quotient)] if problem.closed else [_halved(quotient, graph)]
    return [shape for shape in found if shape is not None]


def short_tours(problem: TourProblem, images: Sequence[int]) -> list[list[int]]:
    """Return the turned closed tours of one or two orbits, as cells by index.

    >>> from ktsolve.graphs.board import Board
    >>> octagon = TourProblem(board=Board.parse("3x3", without="b2"), closed=True)
    >>> short_tours(octagon, (2, 4, 7, 1, 6, 0, 3, 5))
    [[0, 4, 5, 1, 7, 3, 2, 6]]
    """
    graph, quotient = _folded(problem, images)
    if graph.impossible or quotient is None or not problem.closed or quotient.fixed:
        return []
    cycles: list[tuple[list[int], tuple[int, ...]]] = []
    if len(quotient.orbits) == 1 and quotient.order > 2:
        cycles += [([0], (v,)) for v in quotient.loops.get(0, ()) if v % 2]
    if len(quotient.orbits) == 2:
        cycles += [([0, 1], (v, -w)) for v, w in combinations(quotient.links.get((0, 1), ()), 2)]
    return [
        quotient.unwound(walk, voltages)
        for walk, voltages in cycles
        if sum(voltages) % 2
        and quotient.required <= {(walk[0], walk[-1], abs(voltage)) for voltage in voltages}
    ]


def _folded(problem: TourProblem, images: Sequence[int]) -> tuple[CycleGraph, VoltageGraph | None]:
    """Return the graph without edges whose image is missing, and its quotient; None if no tour exists.

    In an invariant tour each orbit has full length or is a single cell: a symmetry that turns a tour moves
    all its cells alike, and one that reverses a tour has order 2.
    """
    order = order_of(tuple(images))
    if order & (order - 1):
        raise Refused(f"symmetries of order {order} are not counted: only those of order 2, 4, 8, ...")
    graph, _ = CycleGraph.of(problem).linked_by(images)
    if not set(cycle_lengths(tuple(images))) <= {1, order}:
        return graph, None
    inner = {edge: required for edge, required in graph.needed.items() if edge[1] != graph.extra}
    return graph, VoltageGraph.of(images, inner, [edge for edge, required in inner.items() if required])


class _Builder:
    """Collects the edges of a shape."""

    def __init__(self, quotient: VoltageGraph) -> None:
        self.quotient = quotient
        self.edges: list[_Edge] = []
        self.required: list[bool] = []
        self.voltages: list[tuple[int, ...]] = []

    def add(self, x: int, y: int, voltages: tuple[int, ...] = (0,), *, required: bool = False) -> None:
        self.edges.append((x, y))
        self.required.append(required)
        self.voltages.append(voltages)

    def add_links(self) -> bool:
        """Add the links between orbits. Return False if the required links exclude every tour."""
        single = set(self.quotient.fixed)
        for (x, y), voltages in self.quotient.links.items():
            required = tuple(v for v in voltages if (x, y, v) in self.quotient.required)
            # Two required edges between two orbits close a cycle; a move between fixed cells is isolated.
            if len(required) > 1 or (required and {x, y} <= single):
                return False
            if not {x, y} <= single:
                self.add(x, y, required or voltages, required=bool(required))
        return True

    def add_reversed(self, to: int) -> None:
        """Add the moves whose cells the symmetry exchanges, as edges to a further vertex."""
        for x in self.quotient.loops:
            self.add(x, to, required=(x, x, 1) in self.quotient.required)

    def shape(self, kind: str, further: int, extra: int | None) -> Shape:
        vertices = len(self.quotient.orbits) + further
        graph = CycleGraph(vertices, np.array(self.edges), np.array(self.required), extra)
        return Shape(kind, self.quotient, graph, tuple(self.voltages))


def _turned(quotient: VoltageGraph) -> Shape | None:
    # A move from a cell to its image has its cells exchanged, or belongs to a tour of one orbit.
    if quotient.fixed or len(quotient.orbits) < 3 or any(x == y for x, y, _ in quotient.required):
        return None
    builder = _Builder(quotient)
    return builder.shape("turned", 0, None) if builder.add_links() else None


def _reversed(quotient: VoltageGraph) -> Shape | None:
    if quotient.order != 2 or len(quotient.fixed) > 2 or len(quotient.fixed) + len(quotient.loops) < 2:
        return None
    builder, outside = _Builder(quotient), len(quotient.orbits)
    if not builder.add_links():
        return None
    builder.add_reversed(outside)
    for x in quotient.fixed:
        builder.add(x, outside, required=True)
    return builder.shape("reversed", 1, outside)


def _halved(quotient: VoltageGraph, graph: CycleGraph) -> Shape | None:
    if quotient.order != 2 or len(quotient.fixed) > 1 or len(quotient.fixed) + len(quotient.loops) < 1:
        return None
    builder, size = _Builder(quotient), len(quotient.orbits)
    if not builder.add_links():
        return None
    ends = {cell: required for (cell, extra), required in graph.needed.items() if extra == graph.extra}
    outside = size if quotient.fixed else size + 1
    if quotient.fixed:
        # The middle is the fixed cell, so that no move has its cells exchanged.
        if any(x == y for x, y, _ in quotient.required):
            return None
        builder.add(quotient.fixed[0], outside, required=True)
    else:
        builder.add_reversed(size)
        builder.add(size, outside, required=True)
    for x, orbit in enumerate(quotient.orbits):
        if len(orbit) > 1 and orbit[0] in ends:
            builder.add(x, outside, required=ends[orbit[0]])
        elif ends.get(orbit[0], False):
            return None  # the fixed cell would have to be an end
    return builder.shape("halved", outside - size + 1, outside)
