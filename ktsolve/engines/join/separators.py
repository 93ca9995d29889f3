"""Separators of a graph: along lines of the board, or along a good elimination order."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ktsolve.engines.frontier.order import best_order
from ktsolve.graphs.board import Board
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.problem import TourProblem

if TYPE_CHECKING:
    from ktsolve.base.limits import Clock

__all__ = [
    "WIDEST_SEPARATOR",
    "Line",
    "Separation",
    "line_separators",
    "narrow_lines",
    "order_separators",
    "pair_separators",
    "with_extra",
]

WIDEST_SEPARATOR = 20
"""Most vertices of a separator that the native join takes of a count."""

Separation = tuple[list[int], list[int], list[int], str]
"""Top, bottom, separator, and a name such as ``rows 3+2+3``."""


def line_separators(
    problem: TourProblem, graph: CycleGraph, outside_in: bool = False
) -> Iterator[Separation]:
    """Separations by consecutive rows and by consecutive columns. A bare graph has no lines.

    A cell and its mirror image in the line are eliminated one after the other, so that what is left is
    symmetric after every second one: in the order of :func:`narrow_lines`, or from the outside inwards.
    """
    if not isinstance(problem.ground, Board):
        return
    cells = problem.board.cells
    for axis, name in ((0, "rows"), (1, "columns")):
        lines: dict[int, list[int]] = {}
        for v, cell in enumerate(cells):
            lines.setdefault(cell[axis], []).append(v)
        numbers = sorted(lines)
        width = 1 + max(cell[1 - axis] for cell in cells)

        sets = [_mirrored(lines[n], [cells[v][1 - axis] for v in lines[n]], width) for n in numbers]
        from_top, from_bottom = _Sweep(graph, sets, outside_in), _Sweep(graph, sets[::-1], outside_in)
        for first in range(1, len(numbers) - 1):
            for last in range(first, len(numbers) - 1):
                separator = [v for n in numbers[first : last + 1] for v in sorted(lines[n])]
                if len(separator) > WIDEST_SEPARATOR:
                    break
                top, bottom = from_top.cells(first), from_bottom.cells(len(numbers) - last - 1)
                sizes = f"{name} {first}+{last - first + 1}+{len(numbers) - last - 1}"
                separations = list(with_extra(graph, top, bottom, separator, sizes))
                yield from separations
                if separations:  # more lines would only widen the separator
                    break


def _mirrored(line: Sequence[int], across: Sequence[int], width: int) -> list[list[int]]:
    """The vertices of a line with their mirror images, from the outside inwards."""
    sets: dict[int, list[int]] = {}
    for v, place in sorted(zip(line, across, strict=True), key=lambda both: both[1]):
        sets.setdefault(min(place, width - 1 - place), []).append(v)
    return [sets[place] for place in sorted(sets)]


class _Sweep:
    """The vertices of the first lines in the order of their elimination, found as far as they are needed."""

    def __init__(self, graph: CycleGraph, lines: Sequence[Line], outside_in: bool) -> None:
        plain = ([v for cells in line for v in cells] for line in lines)
        self._more = plain if outside_in else narrow_lines(graph, lines)
        self._lines: list[list[int]] = []

    def cells(self, lines: int) -> list[int]:
        self._lines += itertools.islice(self._more, max(0, lines - len(self._lines)))
        return [v for line in self._lines[:lines] for v in line]


def order_separators(problem: TourProblem, graph: CycleGraph, clock: Clock | None) -> Iterator[Separation]:
    """Separations along a good elimination order: a beginning of it, its neighbours, the rest backwards."""
    order = [v for v in best_order(problem, graph, clock).vertices.tolist() if v != graph.extra]
    around = [{u for u in others if u != graph.extra} for others in graph.around]
    for done in range(1, len(order)):
        top = order[:done]
        inside = set(top)
        separator = sorted({u for v in top for u in around[v]} - inside)
        if len(separator) > WIDEST_SEPARATOR:
            continue
        separating = set(separator)
        bottom = [v for v in reversed(order[done:]) if v not in separating]
        yield from with_extra(graph, top, bottom, separator, f"order {done}+{len(separator)}+{len(bottom)}")


def pair_separators(graph: CycleGraph) -> Iterator[Separation]:
    """Separations of two vertices that are not neighbours by all the others."""
    for u, v in itertools.combinations(range(graph.vertices), 2):
        if v not in graph.around[u] and (graph.extra is None or len(graph.around[graph.extra]) <= 2):
            separator = [w for w in range(graph.vertices) if w not in (u, v)]
            yield [u], [v], separator, "two vertices"


def with_extra(
    graph: CycleGraph, top: list[int], bottom: list[int], separator: list[int], name: str
) -> Iterator[Separation]:
    """The separation, the extra vertex in the part of its neighbours; none if an edge joins the halves."""
    upper, lower = set(top), set(bottom)
    if any((u in upper and v in lower) or (u in lower and v in upper) for u, v in graph.pairs):
        return
    extra = graph.extra
    if extra is None:
        yield top, bottom, separator, name
        return
    ends = graph.around[extra]
    if len(ends) > 2 or ({v in upper for v in ends} == {True, False} and any(v in lower for v in ends)):
        yield top, bottom, [*separator, extra], name
        return
    # Two given ends: the extra vertex follows the first of them, so that it leaves the frontier soon.
    side = bottom if any(v in lower for v in ends) else top
    place = min((side.index(v) + 1 for v in ends if v in side), default=len(side))
    placed = [*side[:place], extra, *side[place:]]
    yield (top, placed, separator, name) if side is bottom else (placed, bottom, separator, name)


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
