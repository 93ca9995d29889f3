"""The argument by symmetry: no cycle or path of the board is invariant as the problem requires.

A symmetry other than the identity maps a path to itself only as its *reversal*: it has order 2 and fixes the
middle cell or the middle move, and no other. It maps a cycle to itself as a *reflection* (order 2; it fixes
two cells, or two moves, or one cell and one move) or as a *rotation*, which fixes no cell. A rotation of
order m takes every cell k n / m steps further, with k prime to m. If moves alternate between two colours, it
exchanges the colours if and only if that number of steps is odd. The case of the quarter turn on squares of
side 4k is due to G. P. Jelliss, Symmetry in knight's tours.
"""

from __future__ import annotations

from ktsolve.base.text import number_of
from ktsolve.proof.problem_graph import ProblemGraph

__all__ = ["symmetry_obstruction"]


def symmetry_obstruction(graph: ProblemGraph) -> str | None:
    """Return why no tour has the required symmetry, or None if this argument does not apply.

    Linear in nodes and edges.

    >>> from ktsolve.problem.problem import TourProblem
    >>> from ktsolve.proof.problem_graph import read_problem
    >>> symmetry_obstruction(read_problem(TourProblem(board="8x8", closed=True, symmetry="rot90")))
    'the symmetry rotates a tour by 16 or 48 steps, an even number, but it exchanges the colours'
    >>> symmetry_obstruction(read_problem(TourProblem(board="6x6", closed=True, symmetry="rot90")))
    """
    n = len(graph.cells)
    if graph.images is None or graph.images[:n] == tuple(range(n)):
        return None
    images = graph.images[:n]
    lengths = _orbits(images)
    order, fixed = max(lengths), lengths.count(1)
    # Moves whose ends the symmetry exchanges.
    swapped = sum(1 for u, v in graph.edges if v < n and images[u] == v and images[v] == u)
    what = f"the symmetry fixes {number_of(fixed, 'cell')} and {number_of(swapped, 'move')}"
    if not graph.closed:
        if order > 2:
            return f"the symmetry of a path is its reversal, of order 2, and this symmetry has order {order}"
        if fixed == 1 if n % 2 else (fixed == 0 and swapped > 0):
            return None
        middle = "cell" if n % 2 else "move"
        return f"the reversal of a path of {n} cells fixes only its middle {middle}; {what}"
    if order == 2:
        if (fixed == 1 and swapped > 0) if n % 2 else (fixed == 2 or (fixed == 0 and swapped > 1)):
            return None  # it may be a reflection of the tour
        if fixed or n % 2:
            return f"{what}, which no reflection or rotation of a cycle of {n} cells does"
    elif set(lengths) != {order}:
        return f"a rotation of order {order} has no orbit of length {min(lengths)}, as the symmetry has"
    return _rotation_obstruction(graph, order, images)


def _rotation_obstruction(graph: ProblemGraph, order: int, images: tuple[int, ...]) -> str | None:
    """Why a symmetry all of whose orbits have length ``order`` is not a rotation of a cycle, or None."""
    step = len(graph.cells) // order
    colour = graph.colours
    if order % 2 or colour is None:
        return None
    # All k prime to an even order m are odd: k n / m has the same parity for all of them.
    if (step % 2 == 1) == (colour[0] != colour[images[0]]):
        return None
    steps = f"{step}" if order == 2 else f"{step} or {(order - 1) * step}"
    return (
        f"the symmetry rotates a tour by {steps} steps, an {'odd' if step % 2 else 'even'} number, "
        f"but it {'preserves' if step % 2 else 'exchanges'} the colours"
    )


def _orbits(images: tuple[int, ...]) -> list[int]:
    """The lengths of the cycles of a permutation."""
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
