"""Voltage graphs: the quotient of a graph by a symmetry, with a voltage on each edge.

Each orbit of vertices becomes a vertex, each orbit of edges an edge. The *voltage* of an edge is the power of
the symmetry by which its other end is moved. The voltages determine the graph, and the lifts of every path
and cycle of the quotient.

Source: J. L. Gross and T. W. Tucker, Topological Graph Theory, 1987, chapter 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ktsolve.graphs.groups import order_of

__all__ = ["VoltageGraph"]


@dataclass(frozen=True)
class VoltageGraph:
    """The quotient of a graph by a symmetry g whose orbits have full size or are single points.

    Attributes
    ----------
    order:
        Order of g.
    orbits:
        Each orbit as ``x, g x, g g x, ...`` from its least vertex x.
    links:
        For orbits X < Y by number, the voltages v such that ``X[0]`` and ``Y[v]`` are joined, hence
        ``X[i]`` and ``Y[i + v]`` for all i. At a fixed point all voltages are the same: 0 stands for them.
    loops:
        For an orbit X, the v from 1 to half the order such that ``X[0]`` and ``X[v]`` are joined. Where v is
        half the order, a power of the symmetry reverses these edges.
    required:
        The links (X, Y, v) and loops (X, X, v) of required edges.

    Examples
    --------
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
        cls,
        images: Sequence[int],
        edges: Iterable[tuple[int, int]],
        required: Iterable[tuple[int, int]] = (),
    ) -> VoltageGraph:
        """The quotient of a graph. Linear in vertices and edges, times the order.

        Parameters
        ----------
        images:
            The image of each vertex; the images of edges must be edges.
        edges, required:
            Pairs of vertices; an orbit of edges is required if one of its edges is.

        Raises
        ------
        ValueError
            If an orbit is neither of full size nor a single point.
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

        Parameters
        ----------
        walk:
            Orbits in the order of the cycle.
        voltages:
            The voltage of the edge from each orbit to the next, and from the last to the first. Their sum
            must generate the integers modulo the order; otherwise the lift has several cycles, of which one
            is returned.
        """
        path = self.path_above(walk, voltages[:-1])
        turn = sum(voltages)
        found: list[int] = []
        for lap in range(self.order):
            for orbit, level in path:
                found.append(self.orbits[orbit][(level + lap * turn) % self.order])
        return found

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
        level = 0
        path = [(walk[0], level)]
        for orbit, voltage in zip(walk[1:], voltages, strict=True):
            level = (level + voltage) % self.order
            path.append((orbit, level))
        return path
