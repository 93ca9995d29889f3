"""Canonical forms where the group is too big to list: colour refinement of a graph, and a search below it.

Two structures written as coloured graphs are the same up to the names of the vertices exactly if their
canonical forms are equal. Vertices are told apart by their colours and by how many neighbours of each
colour they have, again and again (*refinement*). Where that leaves several vertices alike, each in turn is
singled out, and those are followed up that then refine to the least pattern; the least graph that comes out
is the form. After McKay (1981), without his pruning by automorphisms: a graph with many of them takes as
many leaves.
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
    """The coarsest colouring, finer than ``colours``, in which vertices of a colour see the same colours.

    New colours are numbers from 0 that depend on the graph but not on the numbers of its vertices.

    >>> path = [[1], [0, 2], [1, 3], [2]]
    >>> refine(path, [0, 0, 0, 0])
    [0, 1, 1, 0]

    Cost: at most as many rounds as vertices, each linear in the edges but for sorting.
    """
    return _refined(neighbours, colours)[0]


_Key = tuple[int, ...]


def _refined(neighbours: Sequence[Sequence[int]], colours: Sequence[int]) -> tuple[list[int], list[_Key]]:
    """The refined colouring, and what the vertices of all colours then see, whatever their numbers."""
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
        If the graph is so symmetric that the search would not end.

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
    """Singles out vertices until all are told apart, and keeps the least graph."""

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
            # Vertices with the same neighbours can be exchanged: one of them is enough.
            twins = tuple(self._around[vertex])
            if twins in tried:
                continue
            tried.add(twins)
            singled = [2 * colour + 1 for colour in colouring]
            singled[vertex] -= 1
            finer, pattern = _refined(self._around, singled)
            found.append((pattern, finer))
        least = min(pattern for pattern, _ in found)
        for pattern, finer in found:
            if pattern == least:
                self.descend(finer)

    def _leaf(self, place: list[int]) -> None:
        self._leaves += 1
        if self._leaves > _MOST_LEAVES:
            raise BadInput("the structure is too symmetric for a canonical form by refinement")
        edges = sorted((min(place[u], place[v]), max(place[u], place[v])) for u, v in self._edges)
        colours = [0] * len(place)
        for vertex, at in enumerate(place):
            colours[at] = self._colours[vertex]
        found = CanonicalForm(tuple(colours), tuple(edges))
        if self.best is None or (found.colours, found.edges) < (self.best.colours, self.best.edges):
            self.best = found
