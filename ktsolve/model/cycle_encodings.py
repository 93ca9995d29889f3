"""Eager encodings of Hamiltonian cycles: complete sets of clauses, without lazily added subtour cuts.

The caller states that each node has one used arc in and one used arc out, so that the used arcs form disjoint
cycles. An encoding adds clauses that leave a single cycle. Positions start at node 0, and the encoding does
not get the arcs into node 0.

- ``one-hot``: a Boolean for each node and position.
- ``binary``: positions as binary numbers.
- ``remainder``: positions modulo a few small numbers.
- ``elimination``: no cycle remains when the nodes are eliminated one after the other.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from math import gcd, prod

from ktsolve.base.text import unknown
from ktsolve.model.clauses import ClauseWriter

__all__ = ["ENCODINGS", "encoding_named", "moduli"]

Encoding = Callable[[ClauseWriter, int, Sequence[tuple[int, int, int]]], None]
"""Adds clauses, given the number of nodes and the arcs, none into node 0, as (from, to, DIMACS variable)."""


def one_hot(out: ClauseWriter, nodes: int, arcs: Sequence[tuple[int, int, int]]) -> None:
    """Add that position(v) = position(u) + 1 for each used arc u -> v; node 0 has position 0.

    The size is proportional to nodes x arcs. Source: the successor constraint of S. Prestwich, SAT problems
    with chains of dependent variables (2003).
    """
    place = one_hot_positions(out, nodes, nodes)
    for u, v, arc in arcs:
        out.clauses.append([-arc, -place[u][nodes - 1]])
        for t in range(nodes - 1):
            out.clauses.append([-arc, -place[u][t], place[v][t + 1]])


def one_hot_positions(out: ClauseWriter, nodes: int, positions: int) -> list[list[int]]:
    """Return a variable for each node and position; each node has one position, and node 0 has position 0."""
    place = [[out.fresh() for _ in range(positions)] for _ in range(nodes)]
    out.clauses.append([place[0][0]])
    for row in place:
        out.exactly_one(row)
    return place


def binary(out: ClauseWriter, nodes: int, arcs: Sequence[tuple[int, int, int]]) -> None:
    """Add that position(v) = position(u) + 1 for each used arc u -> v, with a half adder per bit and node.

    The size is proportional to arcs x log(nodes). The method follows the outline of N.-F. Zhou and H. Hjort,
    In pursuit of an efficient SAT encoding for the Hamiltonian cycle problem (2020).
    """
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
        out.clauses.append([-arc, -overflow[u]])
        for mine, theirs in zip(plus_one[u], place[v], strict=True):
            out.clauses += [[-arc, -mine, theirs], [-arc, mine, -theirs]]


def remainder(out: ClauseWriter, nodes: int, arcs: Sequence[tuple[int, int, int]]) -> None:
    """Add that position(v) = position(u) + 1 modulo each modulus for each used arc u -> v.

    The size is proportional to arcs x the sum of the moduli. Every modulus divides the length of a cycle that
    avoids node 0. The moduli are pairwise coprime, so that their product divides it too, and the product is
    larger than any such cycle.

    Source: M. Heule, Chinese remainder encoding for Hamiltonian cycles (2021). Heule starts with fewer moduli
    and adds some when a solution has several cycles. Here the moduli always suffice, because exported clauses
    must be complete.
    """
    # A cycle without node 0 has at most nodes - 2 nodes, since node 0 lies on a cycle with another node.
    for modulus in moduli(nodes - 1):
        place = one_hot_positions(out, nodes, modulus)
        for u, v, arc in arcs:
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


def elimination(out: ClauseWriter, nodes: int, arcs: Sequence[tuple[int, int, int]]) -> None:
    """Add that the used arcs have no cycle.

    The size is proportional to nodes x width squared. Nodes are eliminated one after the other. A path u -> v
    -> w through the eliminated node v becomes an arc u -> w. Two used arcs u -> v and v -> u show a cycle.
    The elimination order is greedy: the node with the fewest neighbours comes first, which keeps new arcs
    few. The number of a node's neighbours is updated when the node reaches the head of the queue.

    Source: M. F. Rankooh and J. Rintanen, Propositional encodings of acyclicity and reachability by using
    vertex elimination (2022). For Hamiltonian cycles see N.-F. Zhou (2020).
    """
    # successors[u][v] is the variable of the arc u -> v
    successors: list[dict[int, int]] = [{} for _ in range(nodes)]
    predecessors: list[set[int]] = [set() for _ in range(nodes)]
    for u, v, arc in arcs:
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


ENCODINGS: Mapping[str, Encoding] = {
    "one-hot": one_hot,
    "binary": binary,
    "remainder": remainder,
    "elimination": elimination,
}
"""The encodings by name."""


def encoding_named(name: str) -> Encoding:
    """Return the encoding of a name in :data:`ENCODINGS`. Raises BadInput for any other name."""
    if name not in ENCODINGS:
        raise unknown("circuit encoding", name, ENCODINGS)
    return ENCODINGS[name]
