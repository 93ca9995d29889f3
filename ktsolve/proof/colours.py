"""Two-colouring of the cells: every move joins cells of different colours."""

from __future__ import annotations

from ktsolve.proof.reading import Reading

__all__ = ["two_colouring"]


def two_colouring(reading: Reading) -> list[int] | None:
    """Return the colours 0 and 1 of the cells, or None if there is no two-colouring.

    In each component of the board the first cell has colour 0. Linear in cells and moves.
    """
    n = len(reading.cells)
    around: list[list[int]] = [[] for _ in range(n)]
    for u, v in reading.edges:
        if v < n:
            around[u].append(v)
            around[v].append(u)
    colour = [-1] * n
    for root in range(n):
        if colour[root] >= 0:
            continue
        colour[root], stack = 0, [root]
        while stack:
            here = stack.pop()
            for other in around[here]:
                if colour[other] < 0:
                    colour[other] = 1 - colour[here]
                    stack.append(other)
                elif colour[other] == colour[here]:
                    return None
    return colour
