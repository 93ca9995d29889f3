"""A Boolean for each node and position: the plain encoding, of size nodes x arcs.

Source: the successor constraint of Prestwich (2003), SAT problems with chains of dependent variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ktsolve.model.encode import Encoder

__all__ = ["one_hot"]


def one_hot(encoder: Encoder, nodes: int, arcs: Sequence[tuple[int, int, int]]) -> None:
    """A used arc carries position t of its tail to t + 1 of its head; node 0 has position 0."""
    place = [[encoder.fresh() for _ in range(nodes)] for _ in range(nodes)]
    encoder.clauses.append([place[0][0]])
    for row in place:
        encoder.clauses.append(list(row))
        encoder.at_least(nodes - 1, [-p for p in row])
    for u, v, arc in arcs:
        if v == 0:
            continue
        encoder.clauses.append([-arc, -place[u][nodes - 1]])
        for t in range(nodes - 1):
            encoder.clauses.append([-arc, -place[u][t], place[v][t + 1]])
