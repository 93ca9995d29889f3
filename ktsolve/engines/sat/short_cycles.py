"""Short cycles that a union of cycles through all nodes of a sparse graph may contain.

Their cuts, added before the first call of a solver, exclude the many solutions that differ in such cycles
only (docs/cuts.md).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["short_cycles"]

_LENGTHS = range(2, 9)
"""Numbers of edges that are not required, in the order in which cycles are looked for."""

_STEPS = 300_000
"""Steps of the walks that look for cycles: some tenths of a second."""


def short_cycles(
    nodes: int, arcs: NDArray[np.int32], required: NDArray[np.bool_], *, directed: bool
) -> list[tuple[int, ...]]:
    """Return short cycles as nodes in order, one for each set of nodes, those of few edges first.

    A cycle uses all required edges at its nodes, as a union of cycles does. It has up to eight other edges;
    if there are too many walks, the longer cycles are left out.

    >>> prism = np.array([(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (0, 3), (1, 4), (2, 5)])
    >>> short_cycles(6, prism, np.zeros(9, dtype=bool), directed=False)[:3]
    [(0, 2, 1), (3, 5, 4), (0, 3, 5, 2)]
    >>> short_cycles(6, prism, np.arange(9) == 6, directed=False)[:2]
    [(0, 3, 5, 2), (0, 3, 4, 1)]
    """
    out: list[list[tuple[int, bool]]] = [[] for _ in range(nodes)]
    needed = [0] * nodes  # required edges at each node of an undirected graph
    if directed:
        # An arc beside a required one is in no cycle.
        rivals = [np.isin(arcs[:, end], arcs[required, end]) for end in (0, 1)]
        usable = required | ~(rivals[0] | rivals[1])
        arcs, required = arcs[usable], np.zeros(int(usable.sum()), dtype=np.bool_)
    else:
        needed = np.bincount(arcs[required].ravel(), minlength=nodes).tolist()
    for (u, v), is_required in zip(arcs.tolist(), required.tolist(), strict=True):
        out[u].append((v, is_required))
        if not directed:
            out[v].append((u, is_required))
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    steps = 0
    for length in _LENGTHS:
        for first in range(nodes):  # the least node of a cycle
            walks: list[tuple[tuple[int, ...], int, int, bool]] = [((first,), 0, 0, True)]
            while walks:
                walk, free, used, by_required = walks.pop()
                before = walk[-2] if len(walk) > 1 and not directed else -1
                only_required = needed[walk[-1]] and not by_required
                for node, is_required in out[walk[-1]]:
                    steps += 1
                    if node < first or node == before or (only_required and not is_required):
                        continue
                    edges, met = free + (not is_required), used + is_required
                    if node == first:
                        if edges == length and len(walk) < nodes and 2 * met == sum(needed[v] for v in walk):
                            found.setdefault(tuple(sorted(walk)), walk)
                    elif edges <= length and node not in walk:
                        walks.append(((*walk, node), edges, met, is_required))
            if steps > _STEPS:
                return list(found.values())
    return list(found.values())
