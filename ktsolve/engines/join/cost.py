"""Predicted cost of a plan, from fits to counted tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache

from ktsolve.engines.join.plan import JoinPlan, SweepCost
from ktsolve.problem.cycle_graph import CycleGraph

__all__ = ["arrays_needed", "cost", "half_cost", "layer_bytes", "windows"]


@cache
def _capacity(cells: int) -> float:
    """Binary logarithm of the number of states possible on a frontier of that size."""
    total, matchings = 0, 1
    for k in range(cells // 2 + 1):
        total += math.comb(cells, 2 * k) * 2 ** (cells - 2 * k) * matchings
        matchings *= 2 * k + 1
    return math.log2(total) - 1


def half_cost(graph: CycleGraph, order: Sequence[int], narrow: bool = True) -> SweepCost:
    """The estimated cost of sweeping a half in that order, without folding.

    Fitted to tables counted for widths 5 to 8, within a factor of about two there; of width 9 only to those
    of three and four lines. The number of states
    grows over the first two windows of cells. After that all states that can be reached are there, however
    long the half is. In the midst of a line the window is wider by a cell or two, which few states use; in
    a ``narrow`` order it may not be. The choice of a plan for rankings depends on the figures without.
    """
    total = last = most = held = kept = 0.0
    for last, kept in _layers(graph, order, narrow):
        total += last
        most = max(most, last)
        held = max(held, 1.6 * kept)
    return SweepCost(total, last, most, held, kept)


def layer_bytes(graph: CycleGraph, order: Sequence[int]) -> list[float]:
    """The estimated bytes of the states after each vertex, without folding."""
    return [size for _, size in _layers(graph, order, True)]


def _layers(graph: CycleGraph, order: Sequence[int], narrow: bool) -> Iterator[tuple[float, float]]:
    """After each vertex the estimated number of states and their bytes."""
    cells_after = windows(graph, order)
    width = max(cells_after, default=0) - 2
    if narrow:
        width = max(width, *cells_after[-1:])
    for done, cells in enumerate(cells_after, 1):
        if not cells:
            yield 0.0, 0.0
            continue
        beyond = max(0, min(2, cells - width))
        growing = 0.47 - 0.035 * beyond + 0.23 * done / cells + 0.012 * (cells - 16)
        grown = 0.95 - beyond * (0.045 + 0.012 * (8 - width / 2))
        states = 2 ** (_capacity(cells) * max(0.3, min(growing, grown)))
        # An entry is a rank and a count; counts of more than 63 bits are taken modulo primes.
        yield states, states * min(8.5, 3 + 0.09 * done)


def windows(graph: CycleGraph, order: Sequence[int]) -> list[int]:
    """After each vertex the number of those left that are neighbours of the vertices so far."""
    gone: set[int] = set()
    live: set[int] = set()
    found = []
    for v in order:
        gone.add(v)
        live.discard(v)
        live |= {u for u in graph.around[v] if u not in gone}
        found.append(len(live))
    return found


def cost(plan: JoinPlan, narrow: bool) -> SweepCost:
    """The estimated cost of a plan, with its lines in a ``narrow`` order or not.

    What is made counts the work of joining, too.
    """
    extra = plan.graph.extra
    separator = set(plan.separator)
    # Two given ends in one half are soon joined; in different halves each adds an end to the states (three
    # times as many on 8x8, measured).
    apart = 1.0
    if extra is not None:
        ends = plan.graph.around[extra]
        if len(ends) > 2:
            apart = 7.0  # any ends: measured on 6x6, 7x7 and 8x8
        elif extra in separator or any(v in separator for v in ends):
            apart = 3.0
    halves = [half_cost(plan.graph, plan.top, narrow) * (0.5 if plan.top_mirror else 1)]
    if not plan.flip:
        halves.append(half_cost(plan.graph, plan.bottom, narrow) * (0.5 if plan.bottom_mirror else 1))
    deferred = max(len(plan.top_deferred), len(plan.bottom_deferred))
    # Joining costs a few look-ups for each state and subset of deferred edges; the mirror halves it.
    joins = max(half.last for half in halves) * 2.0 ** (
        deferred / 2 - 1 - plan.mirror_joins - bool(plan.flip)
    )
    return sum(halves, SweepCost(made=joins)) * apart


def arrays_needed(separator: int) -> float:
    """Bytes in which groups are added up, for a separator of a given number of vertices."""
    # Groups of eight pairs take arrays of 2027025 counts, several of them.
    return 1.6e8 if separator >= 16 else 2e7
