"""Two colours of the cells between which all moves alternate."""

from __future__ import annotations

from ktsolve.proof.reading import Reading

__all__ = ["colours_of"]


def colours_of(reading: Reading) -> list[int] | None:
    """Colours 0 and 1 of the cells, or None if moves do not alternate. Linear in cells and moves.

    Where the board falls apart each part has its own first colour: there is no tour of it anyhow.
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
        colour[root], waiting = 0, [root]
        while waiting:
            here = waiting.pop()
            for other in around[here]:
                if colour[other] < 0:
                    colour[other] = 1 - colour[here]
                    waiting.append(other)
                elif colour[other] == colour[here]:
                    return None
    return colour
