"""Predicted cost of a plan, from fits to counted tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

from ktsolve.engines.join.plan import JoinPlan
from ktsolve.problem.cycle_graph import CycleGraph

__all__ = ["arrays_needed", "cost", "half_bits"]


@cache
def _capacity(cells: int) -> float:
    """Binary logarithm of the number of states possible on so many frontier cells."""
    total, matchings = 0, 1
    for k in range(cells // 2 + 1):
        total += math.comb(cells, 2 * k) * 2 ** (cells - 2 * k) * matchings
        matchings *= 2 * k + 1
    return math.log2(total) - 1


def half_bits(graph: CycleGraph, order: Sequence[int]) -> float:
    """Binary logarithm of the estimated number of states made by sweeping a half in that order.

    Fitted to tables counted for widths 6 to 9 and 2 to 4 rows; within a factor of about three there.
    """
    around = graph.around
    gone: set[int] = set()
    live: set[int] = set()
    total = 0.0
    for done, v in enumerate(order, 1):
        gone.add(v)
        live.discard(v)
        live |= {u for u in around[v] if u not in gone}
        cells = len(live)
        if cells:
            share = 0.40 + 0.23 * done / cells + 0.012 * (cells - 16)
            total += 2 ** (_capacity(cells) * min(0.95, max(0.3, share)))
    return math.log2(max(total, 1))


def cost(plan: JoinPlan) -> float:
    """Binary logarithm of the estimated number of states that a plan makes."""
    extra = plan.graph.extra
    separator = set(plan.separator)
    # Two given ends in one half are soon joined; in different halves each adds an end to the states (three
    # times as many on 8x8, measured).
    apart = 0.0
    if extra is not None:
        ends = plan.graph.around[extra]
        if len(ends) > 2:
            apart = 2.8  # any ends: seven times the states, measured on 6x6, 7x7 and 8x8
        elif extra in separator or any(v in separator for v in ends):
            apart = 1.6
    halves = [half_bits(plan.graph, plan.top) - bool(plan.top_mirror)]
    if not plan.flip:
        halves.append(half_bits(plan.graph, plan.bottom) - bool(plan.bottom_mirror))
    deferred = max(len(plan.top_deferred), len(plan.bottom_deferred))
    # Joining costs a few look-ups for each state and subset of deferred edges; the mirror halves it.
    joins = max(halves) + deferred / 2 - 1 - plan.mirror_joins - bool(plan.flip)
    return apart + math.log2(sum(2**bits for bits in (*halves, joins)))


def arrays_needed(separator: int) -> float:
    """Bytes in which groups are added up, for a separator of so many vertices."""
    # Groups of eight pairs take arrays of 2027025 counts, several of them.
    return 1.6e8 if separator >= 16 else 2e7
