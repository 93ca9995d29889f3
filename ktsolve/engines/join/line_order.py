"""The order in which a half eliminates the cells of its lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ktsolve.problem.cycle_graph import CycleGraph

__all__ = ["Line", "narrow_lines"]

_MOST_SETS = 10
"""Lines of more sets of cells keep their order: all unions of sets are looked at, 1024 at most."""

Line = Sequence[Sequence[int]]
"""A line as sets of cells, such as a cell and its mirror image, that are eliminated one after the other."""


def narrow_lines(graph: CycleGraph, lines: Iterable[Line]) -> Iterator[list[int]]:
    """The cells of each line in the order that keeps the frontier narrow, the lines before it eliminated.

    The frontier depends on which cells of a line are gone, not on their order. So the best order is a
    shortest path through the unions of sets: least is the sum of 1.5^w over all eliminations, where w is the
    number of vertices then in the frontier. On 8x8 each of these has 1.4 times as many states (fitted to 32
    counted layers of the third row).

    >>> from ktsolve import TourProblem
    >>> graph = CycleGraph.of(TourProblem(board="8x8", closed=True))
    >>> lines = [[[8 * row + c, 8 * row + 7 - c] for c in range(4)] for row in range(3)]
    >>> list(narrow_lines(graph, lines))[2]
    [16, 23, 18, 21, 19, 20, 17, 22]
    """
    gone: set[int] = set()
    frontier: set[int] = set()
    for line in lines:
        order = [v for cells in _narrowest(line, graph, gone, frontier) for v in cells]
        gone.update(order)
        frontier.update(u for v in order for u in graph.around[v])
        frontier -= gone
        yield order


def _narrowest(line: Line, graph: CycleGraph, gone: set[int], frontier: set[int]) -> Line:
    """The sets in the order of least weight, among equals in the order nearest to their own."""
    if len(line) > _MOST_SETS:
        return line
    # Bit i stands for the i-th vertex that matters.
    touched = {v: {v, *graph.around[v]} - gone for cells in line for v in cells}
    bit = {v: 1 << i for i, v in enumerate(sorted(frontier.union(*touched.values())))}
    touches = {v: sum(bit[u] for u in near) for v, near in touched.items()}
    # For each union of sets: the least weight, its order, the vertices gone and those touched.
    best: dict[int, tuple[int, tuple[int, ...], int, int]] = {0: (0, (), 0, sum(bit[v] for v in frontier))}
    for union in range((1 << len(line)) - 1):
        for i, cells in enumerate(line):
            if union >> i & 1:
                continue
            weight, order, left, seen = best[union]
            for v in cells:
                left |= bit[v]
                seen |= touches[v]
                width = (seen & ~left).bit_count()
                weight += 3**width >> width
            found = (weight, (*order, i), left, seen)
            best[union | 1 << i] = min(found, best.get(union | 1 << i, found))
    return [line[i] for i in best[(1 << len(line)) - 1][1]]
