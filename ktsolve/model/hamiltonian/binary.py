"""Positions as binary numbers: of size arcs x logarithm of nodes.

Source: the binary adder encoding of Zhou & Hjort (2020), In pursuit of an efficient SAT encoding for the
Hamiltonian cycle problem, in outline.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ktsolve.model.encode import Encoder

__all__ = ["binary"]


def binary(encoder: Encoder, nodes: int, arcs: Sequence[tuple[int, int, int]]) -> None:
    """A used arc u -> v makes position(v) = position(u) + 1, by a half adder per bit and node."""
    bits = max(1, (nodes - 1).bit_length())
    place = [[encoder.fresh() for _ in range(bits)] for _ in range(nodes)]
    encoder.clauses.extend([-bit] for bit in place[0])
    plus_one: list[list[int]] = []
    overflow: list[int] = []
    for row in place:
        carry, total = encoder.true(), []
        for bit in row:
            total.append(encoder.either(bit, carry))
            carry = encoder.both(bit, carry)
        plus_one.append(total)
        overflow.append(carry)
    for u, v, arc in arcs:
        if v == 0:
            continue
        encoder.clauses.append([-arc, -overflow[u]])
        for mine, theirs in zip(plus_one[u], place[v], strict=True):
            encoder.clauses += [[-arc, -mine, theirs], [-arc, mine, -theirs]]
