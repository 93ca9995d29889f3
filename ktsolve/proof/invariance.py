"""The argument by symmetry: a cycle or a path cannot be carried into itself as the problem asks.

A symmetry that is not the identity carries a path into itself only by *reversing* it: it has order 2 and
fixes the middle cell or the middle move, and nothing else. It carries a cycle into itself by *reflecting* it
(order 2; it fixes two cells, or two moves, or one of either) or by *turning* it, fixing no cell. A turn of
order m takes every cell k n / m steps further, k prime to m; where moves alternate between two colours it
exchanges them if and only if that number of steps is odd. The quarter turn of squares of side 4k is after
G. P. Jelliss, Symmetry in knight's tours.
"""

from __future__ import annotations

from ktsolve.proof.colours import colours_of
from ktsolve.proof.reading import Reading

__all__ = ["why_not_invariant"]


def why_not_invariant(reading: Reading) -> str | None:
    """Why no tour is invariant as asked, or None if this argument does not tell. Linear in nodes and edges.

    >>> from ktsolve.problem.problem import TourProblem
    >>> from ktsolve.proof.reading import read_problem
    >>> why_not_invariant(read_problem(TourProblem(board="8x8", closed=True, symmetry="rot90")))
    'the symmetry turns a tour by 16 or 48 steps, an even number, but it exchanges the colours'
    >>> why_not_invariant(read_problem(TourProblem(board="6x6", closed=True, symmetry="rot90")))
    """
    n = len(reading.cells)
    if reading.images is None or reading.images[:n] == tuple(range(n)):
        return None
    images = reading.images[:n]
    lengths = _orbits(images)
    order, fixed = max(lengths), lengths.count(1)
    # Moves that the symmetry takes to themselves, their ends exchanged.
    turned = sum(1 for u, v in reading.edges if v < n and images[u] == v and images[v] == u)
    what = f"the symmetry fixes {fixed} {'cell' if fixed == 1 else 'cells'} and {turned} moves"
    if not reading.closed:
        if order > 2:
            return f"a path is carried into itself only by reversing it, not by a symmetry of order {order}"
        if fixed == 1 if n % 2 else (fixed == 0 and turned > 0):
            return None
        middle = "cell" if n % 2 else "move"
        return f"the reversal of a path of {n} cells fixes its middle {middle} alone; {what}"
    if order == 2:
        if (fixed == 1 and turned > 0) if n % 2 else (fixed == 2 or (fixed == 0 and turned > 1)):
            return None  # it may reflect the tour
        if fixed or n % 2:
            return f"a cycle of {n} cells is neither reflected nor turned: {what}"
    elif set(lengths) != {order}:
        return f"a symmetry of order {order} turns a cycle, and so has no orbit of {min(lengths)}"
    return _why_not_turned(reading, order, images)


def _why_not_turned(reading: Reading, order: int, images: tuple[int, ...]) -> str | None:
    """Why a symmetry of this order, all of whose orbits are that long, does not turn a cycle."""
    step = len(reading.cells) // order
    colour = colours_of(reading)
    if order % 2 or colour is None:
        return None
    # All k prime to an even order are odd, so that k n / m has one parity.
    if (step % 2 == 1) == (colour[0] != colour[images[0]]):
        return None
    turns = f"{step}" if order == 2 else f"{step} or {(order - 1) * step}"
    return (
        f"the symmetry turns a tour by {turns} steps, an {'odd' if step % 2 else 'even'} number, "
        f"but it {'keeps' if step % 2 else 'exchanges'} the colours"
    )


def _orbits(images: tuple[int, ...]) -> list[int]:
    """The lengths of the orbits of a permutation."""
    lengths = []
    seen = [False] * len(images)
    for root in range(len(images)):
        here, length = root, 0
        while not seen[here]:
            seen[here] = True
            here, length = images[here], length + 1
        if length:
            lengths.append(length)
    return lengths
