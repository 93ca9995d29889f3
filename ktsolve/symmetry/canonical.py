"""Canonical forms of coloured graphs by colour refinement and search, for groups too large to list.

Two coloured graphs are the same up to the names of the vertices exactly if their canonical forms are equal.
*Refinement* splits the vertices of a colour by the numbers of their neighbours of each colour, until nothing
changes. If vertices of equal colour remain, the search individualises each of them in turn and follows those
whose refinement has the least pattern. The least graph at a leaf is the form. After McKay (1981), without his
pruning by automorphisms: a graph with many automorphisms has as many leaves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ktsolve.errors import BadInput

__all__ = ["CanonicalForm", "canonical_form", "refine"]

_MOST_LEAVES = 5_000


@dataclass(frozen=True)
class CanonicalForm:
    """A graph with its vertices in canonical order.

    Attributes
    ----------
    colours:
        Colours in that order.
    edges:
        Edges between positions, sorted.
    """

    colours: tuple[int, ...]
    edges: tuple[tuple[int, int], ...]


def refine(neighbours: Sequence[Sequence[int]], colours: Sequence[int]) -> list[int]:
    """The coarsest refinement of ``colours`` in which vertices of a colour have equally coloured neighbours.

    New colours are numbers from 0, which do not depend on the numbers of the vertices.

    >>> path = [[1], [0, 2], [1, 3], [2]]
    >>> refine(path, [0, 0, 0, 0])
    [0, 1, 1, 0]

    Cost: at most as many rounds as vertices; each is linear in the edges, plus sorting.
    """
    return _refined(neighbours, colours)[0]


_Key = tuple[int, ...]


def _refined(neighbours: Sequence[Sequence[int]], colours: Sequence[int]) -> tuple[list[int], list[_Key]]:
    """The refined colouring, and its pattern: the sorted colours of all vertices and their neighbours."""
    current = _renumbered([(colour,) for colour in colours])
    while True:
        seen = [
            (current[v], *sorted(current[other] for other in around)) for v, around in enumerate(neighbours)
        ]
        finer = _renumbered(seen)
        if max(finer, default=0) == max(current, default=0):
            return finer, sorted(seen)
        current = finer


def _renumbered(keys: Sequence[_Key]) -> list[int]:
    number = {key: i for i, key in enumerate(sorted(set(keys)))}
    return [number[key] for key in keys]


def canonical_form(
    vertices: int, edges: Iterable[tuple[int, int]], colours: Sequence[int] | None = None
) -> CanonicalForm:
    """The canonical form of a coloured graph.

    Raises
    ------
    BadInput
        If the search has more than 5000 leaves, because the graph is very symmetric.

    Examples
    --------
    >>> one = canonical_form(4, [(0, 1), (1, 2), (2, 3)])
    >>> one == canonical_form(4, [(2, 0), (0, 3), (3, 1)])
    True
    >>> one == canonical_form(4, [(0, 1), (0, 2), (0, 3)])
    False
    """
    around: list[list[int]] = [[] for _ in range(vertices)]
    joined = sorted({(min(edge), max(edge)) for edge in edges})
    for u, v in joined:
        around[u].append(v)
        around[v].append(u)
    given = [0] * vertices if colours is None else list(colours)
    if len(given) != vertices:
        raise BadInput(f"{vertices} vertices need as many colours, not {len(given)}")
    search = _Search(around, joined, given)
    search.descend(refine(around, given))
    assert search.best is not None
    return search.best


class _Search:
    """The search: individualises vertices until all colours differ, and keeps the least graph."""

    def __init__(self, around: list[list[int]], edges: list[tuple[int, int]], colours: list[int]) -> None:
        self._around, self._edges, self._colours = around, edges, colours
        self._leaves = 0
        self.best: CanonicalForm | None = None

    def descend(self, colouring: list[int]) -> None:
        cells: dict[int, list[int]] = {}
        for vertex, colour in enumerate(colouring):
            cells.setdefault(colour, []).append(vertex)
        open_cells = [colour for colour, members in cells.items() if len(members) > 1]
        if not open_cells:
            self._leaf(colouring)
            return
        chosen = max(open_cells, key=lambda colour: (len(cells[colour]), -colour))
        tried: set[_Key] = set()
        found: list[tuple[list[_Key], list[int]]] = []
        for vertex in cells[chosen]:
            # An automorphism exchanges vertices with the same neighbours: one of them is enough.
            twins = tuple(self._around[vertex])
            if twins in tried:
                continue
            tried.add(twins)
            split = [2 * colour + 1 for colour in colouring]
            split[vertex] -= 1
            finer, pattern = _refined(self._around, split)
            found.append((pattern, finer))
        least = min(pattern for pattern, _ in found)
        for pattern, finer in found:
            if pattern == least:
                self.descend(finer)

    def _leaf(self, place: list[int]) -> None:
        self._leaves += 1
        if self._leaves > _MOST_LEAVES:
            raise BadInput(
                f"the graph is too symmetric for a canonical form: the search has over {_MOST_LEAVES} leaves"
            )
        edges = sorted((min(place[u], place[v]), max(place[u], place[v])) for u, v in self._edges)
        colours = [0] * len(place)
        for vertex, at in enumerate(place):
            colours[at] = self._colours[vertex]
        found = CanonicalForm(tuple(colours), tuple(edges))
        if self.best is None or (found.colours, found.edges) < (self.best.colours, self.best.edges):
            self.best = found
