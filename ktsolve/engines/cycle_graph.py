"""Tour problems as Hamiltonian cycle problems on numbered graphs, for the native engines.

An open tour is a cycle through one extra vertex, joined to every cell where the tour may end. A given start
or end is a required edge to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ktsolve.ground.symmetry import named_symmetry
from ktsolve.problem.problem import TourProblem

__all__ = ["CycleGraph", "Edge"]

Edge = tuple[int, int]


@dataclass(frozen=True)
class CycleGraph:
    """The graph whose Hamiltonian cycles are the tours.

    Attributes
    ----------
    vertices:
        Number of vertices: cells by index and, for open tours, the extra one last.
    edges:
        Pairs u < v, required ones marked in ``required``.
    impossible:
        True when some required edge is none, so that there is no tour.
    """

    vertices: int
    edges: tuple[Edge, ...]
    required: tuple[bool, ...]
    extra: int | None
    impossible: bool

    @classmethod
    def of(cls, problem: TourProblem) -> CycleGraph:
        """The graph of a problem. Linear in cells and moves."""
        board, index = problem.ground, problem.ground.index
        n = len(board)
        needed = {_pair(index[a], index[b]) for a, b in problem.required_moves}
        edges = [
            (u, v)
            for (u, v), move in zip(board.edges.tolist(), board.moves, strict=True)
            if move not in problem.forbid
        ]
        extra = None
        if problem.closed:
            if problem.start is not None and problem.end is not None:
                needed.add(_pair(index[problem.start], index[problem.end]))
        else:
            extra = n
            ends = [index[cell] for cell in (problem.start, problem.end) if cell is not None]
            edges.extend((u, n) for u in (ends if len(ends) == 2 else range(n)))
            needed |= {(u, n) for u in ends}
        present = set(edges)
        return cls(
            vertices=n + (extra is not None),
            edges=tuple(edges),
            required=tuple(edge in needed for edge in edges),
            extra=extra,
            impossible=bool(needed - present),
        )

    @cached_property
    def around(self) -> tuple[tuple[int, ...], ...]:
        """Neighbours of each vertex."""
        lists: list[list[int]] = [[] for _ in range(self.vertices)]
        for u, v in self.edges:
            lists[u].append(v)
            lists[v].append(u)
        return tuple(tuple(others) for others in lists)

    def keeping(self, kept: Callable[[Edge], bool]) -> CycleGraph:
        """The same vertices with those edges only that pass a test."""
        edges = {edge: needed for edge, needed in self.needed.items() if kept(edge)}
        return replace(self, edges=tuple(edges), required=tuple(edges.values()))

    @cached_property
    def needed(self) -> dict[Edge, bool]:
        """For each edge whether it is required."""
        return dict(zip(self.edges, self.required, strict=True))

    def arrays(self, order: Sequence[int] | None = None) -> tuple[int, NDArray[np.int32], NDArray[np.uint8]]:
        """Vertices, edges and required flags as the native core takes them.

        With ``order``, vertex ``order[i]`` gets number i.
        """
        edges = np.array(self.edges, dtype=np.int32).reshape(-1, 2)
        if order is not None:
            place = np.empty(self.vertices, dtype=np.int32)
            place[np.asarray(order)] = np.arange(self.vertices, dtype=np.int32)
            edges = np.sort(place[edges], axis=1).astype(np.int32)
        return self.vertices, np.ascontiguousarray(edges), np.array(self.required, dtype=np.uint8)

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
        number = {edge: i for i, edge in enumerate(self.edges)}
        kept: dict[tuple[int, int], bool] = {}
        orbits: list[list[tuple[int, int]]] = []
        seen: set[tuple[int, int]] = set()
        missing_required = False
        for edge in self.edges:
            if edge in seen:
                continue
            orbit, image = [edge], _pair(images[edge[0]], images[edge[1]])
            while image != edge:
                orbit.append(image)
                image = _pair(images[image[0]], images[image[1]])
            seen.update(orbit)
            required = any(self.required[number[e]] for e in orbit if e in number)
            if all(e in number for e in orbit):
                kept.update((e, required) for e in orbit)
                orbits.append(orbit)
            else:
                missing_required = missing_required or required
        place = {edge: i for i, edge in enumerate(kept)}
        graph = CycleGraph(
            self.vertices, tuple(kept), tuple(kept.values()), self.extra, self.impossible or missing_required
        )
        return graph, [[place[e] for e in orbit] for orbit in orbits if len(orbit) > 1]


def _pair(u: int, v: int) -> tuple[int, int]:
    return (u, v) if u < v else (v, u)
