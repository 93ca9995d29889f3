"""Nodes are taken away one after the other, and no cycle may be left: of size nodes x width squared.

The cycle is cut open at node 0: without the arcs into it, what is used must have no cycle. When a node is
taken away, a way through it becomes an arc of its own; a cycle shows in the end as two arcs there and back.
The order is greedy, fewest neighbours first, which keeps the arcs that arise few; how many neighbours a node
has is looked at again when its turn comes.

Source: Rankooh & Rintanen (2022), Propositional encodings of acyclicity and reachability by using vertex
elimination; for Hamiltonian cycles see Zhou (2020).
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ktsolve.model.encode import Encoder

__all__ = ["elimination"]


def elimination(encoder: Encoder, nodes: int, arcs: Sequence[tuple[int, int, int]]) -> None:
    """The used arcs, those into node 0 aside, have no cycle."""
    way: list[dict[int, int]] = [{} for _ in range(nodes)]  # out of each node: where to, and its variable
    into: list[set[int]] = [set() for _ in range(nodes)]
    for u, v, arc in arcs:
        if v == 0:
            continue
        way[u][v] = arc
        into[v].add(u)
    given = {arc for _, _, arc in arcs}
    waiting = [(len(way[v].keys() | into[v]), v) for v in range(nodes)]
    heapq.heapify(waiting)
    gone = [False] * nodes
    while waiting:
        neighbours, v = heapq.heappop(waiting)
        if gone[v]:
            continue
        if (now := len(way[v].keys() | into[v])) != neighbours:
            heapq.heappush(waiting, (now, v))
            continue
        gone[v] = True
        for u in sorted(into[v]):
            first = way[u].pop(v)
            for w, second in way[v].items():
                if u == w:
                    encoder.clauses.append([-first, -second])
                    continue
                direct = way[u].get(w)
                if direct is None or direct in given:
                    # That there is a way does not make the arc a used one.
                    way[u][w] = encoder.fresh()
                    into[w].add(u)
                    if direct is not None:
                        encoder.clauses.append([-direct, way[u][w]])
                encoder.clauses.append([-first, -second, way[u][w]])
        for w in way[v]:
            into[w].discard(v)
