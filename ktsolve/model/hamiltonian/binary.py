"""Binary adder encoding: each node has a position, written as a binary number.

The size is proportional to arcs x log(nodes). The method follows the outline of N.-F. Zhou and H. Hjort, In
pursuit of an efficient SAT encoding for the Hamiltonian cycle problem (2020).
"""

from __future__ import annotations

from collections.abc import Sequence

from ktsolve.model.clauses import Clauses

__all__ = ["binary"]


def binary(out: Clauses, nodes: int, arcs: Sequence[tuple[int, int, int]]) -> None:
    """Add that position(v) = position(u) + 1 for each used arc u -> v, with a half adder per bit and node."""
    bits = max(1, (nodes - 1).bit_length())
    place = [[out.fresh() for _ in range(bits)] for _ in range(nodes)]
    out.clauses.extend([-bit] for bit in place[0])
    plus_one: list[list[int]] = []
    overflow: list[int] = []
    for row in place:
        carry, total = out.true(), []
        for bit in row:
            total.append(out.either(bit, carry))
            carry = out.both(bit, carry)
        plus_one.append(total)
        overflow.append(carry)
    for u, v, arc in arcs:
        if v == 0:
            continue
        out.clauses.append([-arc, -overflow[u]])
        for mine, theirs in zip(plus_one[u], place[v], strict=True):
            out.clauses += [[-arc, -mine, theirs], [-arc, mine, -theirs]]
