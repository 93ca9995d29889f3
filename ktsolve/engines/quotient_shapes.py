"""Symmetric tours as Hamiltonian cycles of the quotient, for the engine ``quotient``.

A symmetry g of order k acts on the tour it leaves as it is, and a cycle has two kinds of symmetries, a path
one:

- *turned*: g moves every cell of a closed tour on by the same part of it, n/k or an odd multiple. The tour's
  image in the quotient is a cycle through all orbits, of odd voltage (k is a power of 2).
- *reversed*: g has order 2 and exchanges the two directions of a closed tour. Two places stay: a fixed cell,
  or a move that g turns round. Between them lies a path through all orbits.
- *halved*: g has order 2 and exchanges the ends of an open tour, whose middle stays, a cell or a move. From
  the middle to an end lies a path through all orbits.

Each path is made a cycle by one or two further vertices, so that all are counted and searched alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from ktsolve.engines.cycle_graph import CycleGraph
from ktsolve.errors import Refused
from ktsolve.problem.problem import TourProblem
from ktsolve.symmetry.groups import cycle_lengths, order_of
from ktsolve.symmetry.voltage import VoltageGraph

__all__ = ["Shape", "shapes_of", "short_tours"]

_Edge = tuple[int, int]


@dataclass(frozen=True)
class Shape:
    """Tours on which the symmetry acts in one way: Hamiltonian cycles of a graph with parallel edges.

    Attributes
    ----------
    kind:
        ``turned``, ``reversed`` or ``halved``; ``whole`` where the symmetry moves no cell.
    quotient:
        The orbits of cells, which are the first vertices of the graph.
    graph:
        Orbits, and one or two vertices that make a path a cycle. One edge stands for all parallel ones.
    voltages:
        For each edge those of the edges that it stands for, one of which a cycle uses.
    """

    kind: str
    quotient: VoltageGraph
    graph: CycleGraph
    voltages: tuple[tuple[int, ...], ...]

    @property
    def parallel(self) -> NDArray[np.uint8]:
        """For each edge the number of parallel edges of even voltage and of odd voltage."""
        odd = [sum(voltage % 2 for voltage in each) for each in self.voltages]
        both = [(len(each) - number, number) for each, number in zip(self.voltages, odd, strict=True)]
        return np.array(both, dtype=np.uint8).reshape(-1, 2)

    @property
    def orbit_of(self) -> list[int]:
        """The vertex of each cell."""
        places = {cell: x for x, orbit in enumerate(self.quotient.orbits) for cell in orbit}
        return [places[cell] for cell in range(len(places))]

    @cached_property
    def _voltages_of(self) -> dict[_Edge, tuple[int, ...]]:
        return dict(zip(self.graph.edges, self.voltages, strict=True))

    def tours(self, cycle: Sequence[int]) -> Iterator[list[int]]:
        """The tours, as cells by index, above a Hamiltonian cycle of the graph.

        One for each choice of parallel edges or, where the symmetry turns the tours, for each odd choice.
        """
        if self.kind == "turned":
            for voltages in self._choices(cycle, [*cycle[1:], cycle[0]]):
                if sum(voltages) % 2:
                    yield self.quotient.unwound(cycle, voltages)
            return
        path = self._path(cycle)
        if self.kind == "whole":
            yield path
            return
        for voltages in self._choices(path, path[1:]):
            yield self.quotient.unfolded(path, voltages)

    def _choices(self, walk: Sequence[int], then: Sequence[int]) -> Iterator[tuple[int, ...]]:
        voltages = self._voltages_of
        return product(
            *(
                voltages[x, y] if x < y else [-voltage for voltage in voltages[y, x]]
                for x, y in zip(walk, then, strict=False)
            )
        )

    def _path(self, cycle: Sequence[int]) -> list[int]:
        """The orbits of a cycle from the middle of the tour to its end, or from one middle to the other."""
        size = len(self.quotient.orbits)
        at = cycle.index(self.graph.vertices - 1)
        path = [*cycle[at + 1 :], *cycle[: at + 1]]
        if path[-1] >= size:
            path.pop()
        if path[-1] >= size or path[-1] in self.quotient.fixed:
            path.reverse()
        return [x for x in path if x < size]


def shapes_of(problem: TourProblem, images: Sequence[int]) -> list[Shape]:
    """The shapes that tours of a problem may have which a symmetry leaves as they are.

    Tours of at most two orbits that the symmetry turns are left to :func:`short_tours`: their images are no
    cycles of a simple graph. Linear in cells and moves.

    Parameters
    ----------
    images:
        Where the symmetry moves each cell, by index. Its order must be a power of 2.

    Examples
    --------
    >>> def half_turned(size):
    ...     problem = TourProblem(board=size, closed=True)
    ...     return [shape.kind for shape in shapes_of(problem, range(len(problem.board))[::-1])]
    >>> half_turned("5x6"), half_turned("6x6")
    (['turned', 'reversed'], ['turned'])
    """
    graph, quotient = _folded(problem, images)
    if graph.impossible or quotient is None or (problem.closed and len(problem.board) < 3):
        return []
    if quotient.order == 1:
        return [Shape("whole", quotient, graph, ((0,),) * len(graph.edges))]
    found = [_turned(quotient), _reversed(quotient)] if problem.closed else [_halved(quotient, graph)]
    return [shape for shape in found if shape is not None]


def short_tours(problem: TourProblem, images: Sequence[int]) -> list[list[int]]:
    """The closed tours, as cells by index, of one or two orbits that the symmetry turns.

    >>> from ktsolve.ground.board import Board
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
    """The graph with the edges whose images are there, and the quotient of what joins cells.

    There is no quotient if some orbits are neither full nor single points: a symmetry that turns a tour does
    so with all cells alike, and one that reverses it has order 2.
    """
    order = order_of(tuple(images))
    if order & (order - 1):
        raise Refused(f"symmetries of order {order} are not counted: only those of order 2, 4, 8, ...")
    graph, _ = CycleGraph.of(problem).linked_by(images)
    if not set(cycle_lengths(tuple(images))) <= {1, order}:
        return graph, None
    flags = zip(graph.edges, graph.required, strict=True)
    inner = {edge: required for edge, required in flags if edge[1] != graph.extra}
    return graph, VoltageGraph.of(images, inner, [edge for edge, required in inner.items() if required])


class _Builder:
    """Edges of a shape, as they are found."""

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
        """The links between orbits; False if those required leave no tour."""
        single = set(self.quotient.fixed)
        for (x, y), voltages in self.quotient.links.items():
            required = tuple(v for v in voltages if (x, y, v) in self.quotient.required)
            # A second edge between two orbits would close a cycle, a move between fixed cells stand alone.
            if len(required) > 1 or (required and {x, y} <= single):
                return False
            if not {x, y} <= single:
                self.add(x, y, required or voltages, required=bool(required))
        return True

    def add_reversed(self, to: int) -> None:
        """The moves that the symmetry turns round."""
        for x in self.quotient.loops:
            self.add(x, to, required=(x, x, 1) in self.quotient.required)

    def shape(self, kind: str, further: int, extra: int | None) -> Shape:
        vertices = len(self.quotient.orbits) + further
        graph = CycleGraph(vertices, tuple(self.edges), tuple(self.required), extra, False)
        return Shape(kind, self.quotient, graph, tuple(self.voltages))


def _turned(quotient: VoltageGraph) -> Shape | None:
    # A move from a cell to its own image is turned round, or makes up a tour of one orbit.
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
    flags = zip(graph.edges, graph.required, strict=True)
    ends = {cell: required for (cell, extra), required in flags if extra == graph.extra}
    outside = size if quotient.fixed else size + 1
    if quotient.fixed:
        # The middle is the fixed cell: no move is turned round.
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
            return None  # the fixed cell is to be an end
    return builder.shape("halved", outside - size + 1, outside)
