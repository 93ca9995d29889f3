"""Chinese remainder encoding: positions modulo a few small numbers.

The size is proportional to arcs x the sum of the moduli. Every modulus divides the length of a cycle that
avoids node 0. The moduli are pairwise coprime, so that their product divides it too, and the product is
larger than any such cycle.

Source: M. Heule, Chinese remainder encoding for Hamiltonian cycles (2021). Heule starts with fewer moduli and
adds some when a solution has several cycles. Here the moduli always suffice, because exported clauses must be
complete.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, prod

from ktsolve.model.clauses import Clauses
from ktsolve.model.hamiltonian.one_hot import one_hot_positions

__all__ = ["moduli", "remainder"]


def remainder(out: Clauses, nodes: int, arcs: Sequence[tuple[int, int, int]]) -> None:
    """Add that position(v) = position(u) + 1 modulo each modulus for each used arc u -> v."""
    # A cycle without node 0 has at most nodes - 2 nodes, since node 0 lies on a cycle with another node.
    for modulus in moduli(nodes - 1):
        place = one_hot_positions(out, nodes, modulus)
        for u, v, arc in arcs:
            if v == 0:
                continue
            for t in range(modulus):
                out.clauses.append([-arc, -place[u][t], place[v][(t + 1) % modulus]])


def moduli(product: int) -> list[int]:
    """Return pairwise coprime numbers from 2 on with at least this product and the smallest possible sum.

    >>> moduli(60), moduli(900), moduli(1)
    ([3, 4, 5], [3, 4, 7, 11], [])
    """
    best: list[int] = []
    best_sum = product + 2

    def extend(chosen: list[int], total: int) -> None:
        nonlocal best, best_sum
        if prod(chosen) >= product:
            if total < best_sum:
                best, best_sum = list(chosen), total
            return
        for each in range((chosen[-1] if chosen else 1) + 1, best_sum - total):
            if all(gcd(each, other) == 1 for other in chosen):
                extend([*chosen, each], total + each)

    extend([], 0)
    return best
