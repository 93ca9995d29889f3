"""Fixed cells and colours under a symmetry: reasons why there is no symmetric tour.

A symmetry of a closed tour turns it, moving every cell on by the same number of steps, or reverses it; then
two places stay, cells or moves that change direction. A symmetry of an open tour reverses it, and its middle
stays. So much is known of moves along any cycle or path. On boards that have colours it is known as well
which symmetries can turn: a step changes the colour.

Source: G. P. Jelliss, Symmetry in knight's tours, for the knight on rectangles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ktsolve.graphs.groups import order_of
from ktsolve.graphs.symmetry import Symmetry

if TYPE_CHECKING:
    from ktsolve.problem.problem import TourProblem

__all__ = ["why_not_symmetric"]


def why_not_symmetric(problem: TourProblem, symmetry: Symmetry) -> str | None:
    """Why no tour of the problem is symmetric, or None if this argument does not apply. Linear in the moves.

    >>> from ktsolve import TourProblem
    >>> from ktsolve.graphs.symmetry import named_symmetry
    >>> def why(size, name, closed=True):
    ...     problem = TourProblem(board=size, closed=closed, symmetry=name)
    ...     return why_not_symmetric(problem, named_symmetry(problem.board, name))
    >>> print(why("6x6", "flip-h"))
    flip-h would move every cell by 18 steps of a closed tour, an even number, but exchanges the colours
    >>> print(why("6x6", "rot180", closed=False))
    the middle of an open tour stays in place, a cell or a move; rot180 leaves none
    """
    board = problem.board
    n, order = len(board), order_of(symmetry.images)
    if order == 1 or n < 3:
        return None
    cells = sum(1 for i in range(n) if symmetry(i) == i)
    stays = 0
    if order == 2:
        edges = zip(board.edges.tolist(), board.moves, strict=True)
        stays = cells + sum(symmetry(u) == v and move not in problem.forbid for (u, v), move in edges)
    if not problem.closed:
        if stays:
            return None
        return f"the middle of an open tour stays in place, a cell or a move; {symmetry.name} leaves none"
    if stays >= 2:
        return None
    if cells:
        but = "but leaves no other" if order == 2 else "but has order 4"
        return f"{symmetry.name} leaves a cell in place, so it would reverse a closed tour, {but}"
    colour, steps = board.colouring, n // order
    if colour is None:
        return None
    exchanged = colour[board.cells[0]] != colour[board.cells[symmetry(0)]]
    if exchanged == (steps % 2 == 1):
        return None
    multiple = "" if order == 2 else " or an odd multiple of that"
    return (
        f"{symmetry.name} would move every cell by {steps} steps{multiple} of a closed tour, "
        f"an {'odd' if steps % 2 else 'even'} number, but {'exchanges' if exchanged else 'keeps'} the colours"
    )
