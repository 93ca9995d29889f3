"""Whether moves lead from cells to others, for many at once: on boards by geometry, on graphs by edges."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph

__all__ = ["TABLED", "IsMove", "is_walk", "move_test"]

IsMove = Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.bool_]]
"""Whether a move leads from each of some cells to each of others, all by number."""

TABLED = 1024
"""Cells up to which a table has an entry for each two of them."""


def move_test(ground: Graph) -> IsMove:
    """The test of moves of a ground: on a board by its geometry, on a bare graph by its edges.

    >>> board = Board.parse("3x4")
    >>> move_test(board)(np.array([0, 0]), np.array([6, 7])).tolist()
    [True, False]
    """
    n = len(ground)
    test = _untabled(ground)
    if n > TABLED:
        return test
    tails, heads = np.divmod(np.arange(n * n, dtype=np.int64), n)
    table = test(tails, heads)
    return lambda tails, heads: table[tails * n + heads]


def _untabled(ground: Graph) -> IsMove:
    return _by_geometry(ground) if isinstance(ground, Board) else _by_edges(ground)


def _by_geometry(board: Board) -> IsMove:
    row, column = board.coordinates

    def test(tails: NDArray[np.int64], heads: NDArray[np.int64]) -> NDArray[np.bool_]:
        down, right = row[heads] - row[tails], column[heads] - column[tails]
        found = np.zeros(down.shape, dtype=np.bool_)
        for d, r in board.offsets:
            vertical = (down - d) % board.rows == 0 if "y" in board.wrap else down == d
            found |= vertical & ((right - r) % board.columns == 0 if "x" in board.wrap else right == r)
        found &= tails != heads
        return found

    return test


def _by_edges(graph: Graph) -> IsMove:
    def test(tails: NDArray[np.int64], heads: NDArray[np.int64]) -> NDArray[np.bool_]:
        pairs = np.stack([tails.ravel(), heads.ravel()], axis=1)
        return (graph.places_of(pairs) >= 0).reshape(tails.shape)

    return test


def is_walk(ground: Graph, places: NDArray[np.int64]) -> bool:
    """Whether cells, by number, are all cells of a ground, each once, and a move leads from each to the next.

    >>> is_walk(Board.parse("3x3", without="b2"), np.array([0, 4, 5, 1, 7, 3, 2, 6]))
    True
    """
    every = len(places) == len(ground) and bool(np.bincount(places, minlength=len(ground)).all())
    return every and bool(_untabled(ground)(places[:-1], places[1:]).all())
