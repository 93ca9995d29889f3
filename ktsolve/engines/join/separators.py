"""Where to cut a graph in two: along lines of the board, or along a good order of its cells."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ktsolve.engines.cycle_graph import CycleGraph
from ktsolve.engines.frontier_order import best_order
from ktsolve.problem.problem import TourProblem

if TYPE_CHECKING:
    from ktsolve.settings import Clock

__all__ = ["MOST_MIDDLE", "Cut", "line_cuts", "order_cuts", "pair_cuts"]

MOST_MIDDLE = 19
"""Most middle vertices that the native join takes (20 ends in the middle would need 5 GB a group)."""

Cut = tuple[list[int], list[int], list[int], str]
"""Top, bottom, middle, and a few words."""


def line_cuts(problem: TourProblem, graph: CycleGraph) -> Iterator[Cut]:
    """Cuts along rows and along columns, cells of a row from the outside inwards.

    That order leaves the least open ends, and the processed cells are symmetric after every second one.
    """
    cells = problem.board.cells
    for axis, name in ((0, "rows"), (1, "columns")):
        lines: dict[int, list[int]] = {}
        for v, cell in enumerate(cells):
            lines.setdefault(cell[axis], []).append(v)
        numbers = sorted(lines)
        width = 1 + max(cell[1 - axis] for cell in cells)

        def outside_in(v: int, axis: int = axis, width: int = width) -> tuple[int, int]:
            across = cells[v][1 - axis]
            return min(across, width - 1 - across), across

        for first in range(1, len(numbers) - 1):
            for last in range(first, len(numbers) - 1):
                middle = [v for n in numbers[first : last + 1] for v in sorted(lines[n])]
                if len(middle) > MOST_MIDDLE:
                    break
                top = [v for n in numbers[:first] for v in sorted(lines[n], key=outside_in)]
                bottom = [v for n in reversed(numbers[last + 1 :]) for v in sorted(lines[n], key=outside_in)]
                sizes = f"{name} {first}+{last - first + 1}+{len(numbers) - last - 1}"
                cuts = list(_with_extra(graph, top, bottom, middle, sizes))
                yield from cuts
                if cuts:  # more lines in the middle would only be more to carry
                    break


def order_cuts(problem: TourProblem, graph: CycleGraph, clock: Clock | None) -> Iterator[Cut]:
    """Cuts along a good elimination order: what is done, its neighbours, and the rest backwards."""
    order = [v for v in best_order(problem, graph, clock) if v != graph.extra]
    around = [{u for u in others if u != graph.extra} for others in graph.around]
    for done in range(1, len(order)):
        top = order[:done]
        inside = set(top)
        middle = sorted({u for v in top for u in around[v]} - inside)
        if len(middle) > MOST_MIDDLE:
            continue
        separating = set(middle)
        bottom = [v for v in reversed(order[done:]) if v not in separating]
        yield from _with_extra(graph, top, bottom, middle, f"order {done}+{len(middle)}+{len(bottom)}")


def pair_cuts(graph: CycleGraph) -> Iterator[Cut]:
    """Two vertices that are not neighbours against all the rest."""
    for u, v in itertools.combinations(range(graph.vertices), 2):
        if v not in graph.around[u] and (graph.extra is None or len(graph.around[graph.extra]) <= 2):
            middle = [w for w in range(graph.vertices) if w not in (u, v)]
            yield [u], [v], middle, "two vertices"


def _with_extra(
    graph: CycleGraph, top: list[int], bottom: list[int], middle: list[int], name: str
) -> Iterator[Cut]:
    """The cut, if it is one, with the extra vertex put where its neighbours are."""
    upper, lower = set(top), set(bottom)
    if any((u in upper and v in lower) or (u in lower and v in upper) for u, v in graph.edges):
        return
    extra = graph.extra
    if extra is None:
        yield top, bottom, middle, name
        return
    ends = graph.around[extra]
    if len(ends) > 2 or ({v in upper for v in ends} == {True, False} and any(v in lower for v in ends)):
        yield top, bottom, [*middle, extra], name
        return
    # Two given ends: the extra vertex goes right behind the first of them, so that it is soon done with.
    side = bottom if any(v in lower for v in ends) else top
    place = min((side.index(v) + 1 for v in ends if v in side), default=len(side))
    placed = [*side[:place], extra, *side[place:]]
    yield (top, placed, middle, name) if side is bottom else (placed, bottom, middle, name)
