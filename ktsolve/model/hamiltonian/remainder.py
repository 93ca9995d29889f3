"""Positions modulo a few small numbers: of size arcs x their sum.

A cycle that does not come through node 0 has a length that all of the numbers divide. They have no factor in
common, so their product divides it; and that is more than the nodes that such a cycle can have.

Source: Heule (2021), Chinese remainder encoding for Hamiltonian cycles. He uses fewer numbers than it takes,
and again if a solution has several cycles; here they always suffice, since clauses have to be complete.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ktsolve.model.encode import Encoder

__all__ = ["moduli", "remainder"]


def remainder(encoder: Encoder, nodes: int, arcs: Sequence[tuple[int, int, int]]) -> None:
    """A used arc makes remainder(v) = remainder(u) + 1 for each modulus; node 0 has remainder 0."""
    # A cycle without node 0 has at most nodes - 2: node 0 lies on a cycle, too.
    for modulus in moduli(nodes - 1):
        place = [[encoder.fresh() for _ in range(modulus)] for _ in range(nodes)]
        encoder.clauses.append([place[0][0]])
        for row in place:
            encoder.clauses.append(list(row))
            encoder.at_least(modulus - 1, [-p for p in row])
        for u, v, arc in arcs:
            if v == 0:
                continue
            for t in range(modulus):
                encoder.clauses.append([-arc, -place[u][t], place[v][(t + 1) % modulus]])


def moduli(product: int) -> list[int]:
    """Numbers from 2 on without a common factor whose product is at least this, of the least sum there is.

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
