"""One-hot encoding: a Boolean for each node and position.

The size is proportional to nodes x arcs. Source: the successor constraint of S. Prestwich, SAT problems with
chains of dependent variables (2003).
"""

from __future__ import annotations

from collections.abc import Sequence

from ktsolve.model.clauses import Clauses

__all__ = ["one_hot", "one_hot_positions"]


def one_hot(out: Clauses, nodes: int, arcs: Sequence[tuple[int, int, int]]) -> None:
    """Add that position(v) = position(u) + 1 for each used arc u -> v; node 0 has position 0."""
    place = one_hot_positions(out, nodes, nodes)
    for u, v, arc in arcs:
        if v == 0:
            continue
        out.clauses.append([-arc, -place[u][nodes - 1]])
        for t in range(nodes - 1):
            out.clauses.append([-arc, -place[u][t], place[v][t + 1]])


def one_hot_positions(out: Clauses, nodes: int, positions: int) -> list[list[int]]:
    """Return a variable for each node and position; each node has one position, and node 0 has position 0."""
    place = [[out.fresh() for _ in range(positions)] for _ in range(nodes)]
    out.clauses.append([place[0][0]])
    for row in place:
        out.exactly_one(row)
    return place
