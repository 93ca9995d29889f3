"""Accessibility of a cell: the number of free cells one move away from it.

Hui Yan and Pan Yu (2011) show these numbers during a walk. Warnsdorff's rule moves to a cell of
least accessibility.
"""

from __future__ import annotations

from collections.abc import Collection

from ktsolve.graphs.graph import Graph, Vertex
from ktsolve.graphs.tour import Tour

__all__ = ["accessibility", "accessibility_on_arrival"]


def accessibility(board: Graph, visited: Collection[Vertex] = ()) -> dict[Vertex, int]:
    """Return for each free cell the number of free cells one move away.

    The free cells row by row, with their numbers. Linear in the number of moves of the board.

    - ``visited``: the cells that are not free, including the current cell of the piece

    >>> from ktsolve.graphs.board import Board
    >>> board = Board.parse("8x8")
    >>> numbers = accessibility(board)
    >>> numbers[0, 0], numbers[3, 3]
    (2, 8)
    >>> accessibility(board, {(1, 2)})[0, 0]
    1
    """
    taken = visited if isinstance(visited, (set, frozenset)) else frozenset(visited)
    neighbours = board.neighbours
    return {
        cell: sum(other not in taken for other in neighbours[cell])
        for cell in board.cells
        if cell not in taken
    }


def accessibility_on_arrival(tour: Tour) -> tuple[int, ...]:
    """Return for each step of a walk the accessibility of its cell when the piece arrives there.

    A tour by Warnsdorff's rule has small numbers; the last step of a tour has 0. Linear in the number of
    moves of the board.

    >>> from ktsolve.graphs.board import Board
    >>> tour = Tour.from_names(Board.parse("3x4"), "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
    >>> accessibility_on_arrival(tour)
    (2, 1, 1, 2, 1, 1, 2, 1, 1, 1, 1, 0)
    """
    neighbours = tour.board.neighbours
    seen: set[Vertex] = set()
    numbers = []
    for cell in tour.squares:
        seen.add(cell)
        numbers.append(sum(other not in seen for other in neighbours[cell]))
    return tuple(numbers)
