"""Figures on a board: the moves that cut a corner off, and the lines whose sums make a tour magic."""

from __future__ import annotations

from ktsolve.base.errors import BadInput
from ktsolve.graphs.board import Board, Move
from ktsolve.graphs.notation import Cell

__all__ = ["CORNERS", "LINES", "corner_moves", "magic_lines"]

CORNERS = ("tl", "tr", "bl", "br")
"""Corners of a board: top-left, top-right, bottom-left, bottom-right."""

LINES = ("rows", "columns", "diagonals")
"""Kinds of lines whose sums of step numbers can be required to be equal."""


def magic_lines(board: Board, kind: str) -> list[list[Cell]]:
    """The lines of a kind (see :data:`LINES`), each as its cells.

    >>> magic_lines(Board.parse("2x2"), "diagonals")
    [[(0, 0), (1, 1)], [(0, 1), (1, 0)]]
    """
    rows, columns = range(board.rows), range(board.columns)
    if kind == "rows":
        return [[(r, c) for c in columns] for r in rows]
    if kind == "columns":
        return [[(r, c) for r in rows] for c in columns]
    return [[(i, i) for i in rows], [(i, board.rows - 1 - i) for i in rows]]


def corner_moves(board: Board, corner: str) -> frozenset[Move]:
    """The two moves that cut a corner off, as four boards need them that are merged into one.

    At the top-left these are (0,1)-(2,0) and (0,2)-(1,0); at the other corners their mirror images.
    Divide-and-conquer merges four boards along them (Parberry 1997).

    >>> board = Board.parse("6x6")
    >>> sorted(board.move_name(m) for m in corner_moves(board, "bl"))
    ['a2-c1', 'a3-b1']
    """
    if board.rows < 3 or board.columns < 3:
        raise BadInput(f"structured corners need at least 3 rows and 3 columns, not {board.size}")

    def place(r: int, c: int) -> Cell:
        row = r if corner[0] == "t" else board.rows - 1 - r
        column = c if corner[1] == "l" else board.columns - 1 - c
        return row, column

    pairs = [(place(0, 1), place(2, 0)), (place(0, 2), place(1, 0))]
    return frozenset(board.move(pair) for pair in pairs)
