"""Vertex elimination encoding: the used arcs without those into node 0 are acyclic.

The size is proportional to nodes x width squared. Nodes are eliminated one after the other. A path
u -> v -> w through the eliminated node v becomes an arc u -> w. Two used arcs u -> v and v -> u show a cycle.
The elimination order is greedy: the node with the fewest neighbours comes first, which keeps new arcs few.
The number of a node's neighbours is updated when the node reaches the head of the queue.

Source: M. F. Rankooh and J. Rintanen, Propositional encodings of acyclicity and reachability by using vertex
elimination (2022). For Hamiltonian cycles see N.-F. Zhou (2020).
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from ktsolve.model.clauses import Clauses

__all__ = ["elimination"]


def elimination(out: Clauses, nodes: int, arcs: Sequence[tuple[int, int, int]]) -> None:
    """Add that the used arcs without those into node 0 have no cycle."""
    # successors[u][v] is the variable of the arc u -> v
    successors: list[dict[int, int]] = [{} for _ in range(nodes)]
    predecessors: list[set[int]] = [set() for _ in range(nodes)]
    for u, v, arc in arcs:
        if v == 0:
            continue
        successors[u][v] = arc
        predecessors[v].add(u)
    given = {arc for _, _, arc in arcs}
    order = [(len(successors[v].keys() | predecessors[v]), v) for v in range(nodes)]
    heapq.heapify(order)
    eliminated = [False] * nodes
    while order:
        neighbours, v = heapq.heappop(order)
        if eliminated[v]:
            continue
        if (now := len(successors[v].keys() | predecessors[v])) != neighbours:
            heapq.heappush(order, (now, v))
            continue
        eliminated[v] = True
        for u in sorted(predecessors[v]):
            first = successors[u].pop(v)
            for w, second in successors[v].items():
                if u == w:
                    out.clauses.append([-first, -second])
                    continue
                direct = successors[u].get(w)
                if direct is None or direct in given:
                    # A path from u to w does not make the given arc u -> w used.
                    successors[u][w] = out.fresh()
                    predecessors[w].add(u)
                    if direct is not None:
                        out.clauses.append([-direct, successors[u][w]])
                out.clauses.append([-first, -second, successors[u][w]])
        for w in successors[v]:
            predecessors[w].discard(v)
