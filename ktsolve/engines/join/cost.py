"""What a plan will cost, from fits to tables that were counted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

from ktsolve.engines.cycle_graph import CycleGraph
from ktsolve.engines.join.plan import JoinPlan

__all__ = ["arrays_needed", "cost", "half_bits"]


@cache
def _capacity(cells: int) -> float:
    """Binary logarithm of the number of states that so many frontier cells could have at all."""
    total, matchings = 0, 1
    for k in range(cells // 2 + 1):
        total += math.comb(cells, 2 * k) * 2 ** (cells - 2 * k) * matchings
        matchings *= 2 * k + 1
    return math.log2(total) - 1


def half_bits(graph: CycleGraph, order: Sequence[int]) -> float:
    """Binary logarithm of the states that sweeping a half in that order makes, about.

    Fitted to tables counted for widths 6 to 9 and 2 to 4 rows; right within a factor of three or so.
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
    """Binary logarithm of the states that a plan makes, about."""
    extra = plan.graph.extra
    middle = set(plan.middle)
    # Two given ends in one half are soon joined; apart, each is one more end to carry (three times the states
    # on 8x8, measured).
    apart = 0.0
    if extra is not None:
        ends = plan.graph.around[extra]
        if len(ends) > 2:
            apart = 2.8  # any ends at all: seven times the states, on 6x6, 7x7 and 8x8 alike
        elif extra in middle or any(v in middle for v in ends):
            apart = 1.6
    halves = [half_bits(plan.graph, plan.top) - bool(plan.top_mirror)]
    if not plan.flip:
        halves.append(half_bits(plan.graph, plan.bottom) - bool(plan.bottom_mirror))
    pulled = max(len(plan.top_pulled), len(plan.bottom_pulled))
    # Joining costs a few look-ups for each state and subset of pulled edges; the mirror halves it.
    joins = max(halves) + pulled / 2 - 1 - plan.mirror_joins - bool(plan.flip)
    return apart + math.log2(sum(2**bits for bits in (*halves, joins)))


def arrays_needed(middle: int) -> float:
    """Bytes in which groups are added up, for a middle of so many vertices."""
    # Groups of eight pairs take arrays of 2027025 counts, several of them.
    return 1.6e8 if middle >= 16 else 2e7
