"""Named ways to break the ties of Warnsdorff's rule, as the native core takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ktsolve.engines.walk.squirrel_cull import CLOCK, move_orders
from ktsolve.errors import BadInput
from ktsolve.ground.notation import Cell, shown
from ktsolve.problem.problem import TourProblem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ktsolve import _native
    from ktsolve.ground.board import Board

__all__ = ["RULES", "check_rule", "majority", "middle", "native_walker"]

RULES: Mapping[str, str] = {
    "centre": "the cell with more rows and columns between it and the middle (seeds/001)",
    "first": "the first cell, row by row",
    "home": "the cell at the greater distance from where the walk began (docs/warnsdorff.md)",
    "pohl": "the cell whose own neighbours have the fewest ways on (I. Pohl 1967)",
    "random": "any, by the seed",
    "roth": "the cell at the greater distance from the centre (A. Roth)",
    "squirrel-cull": "fixed orders of the moves (D. Squirrel and P. Cull 1996)",
}
"""What decides between cells with equally many ways on, by name.

What a rule leaves open too goes to the first cell row by row, or to chance where a seed is given.
"""


def check_rule(rule: str, board: Board) -> None:
    """Raise BadInput for a rule that is unknown, or not for this board."""
    if rule not in RULES:
        raise BadInput(f"rule {shown(rule)} is unknown: use {', '.join(RULES)}")
    if rule == "squirrel-cull" and not (board.plain and board.rows == board.columns):
        raise BadInput(
            f"rule squirrel-cull is for knights on square boards, not for {board}: use centre, roth or pohl"
        )


def middle(board: Board) -> Cell:
    """Where a walk begins if nothing else is said, as in seeds/001: the cell at or up and left of the centre.

    >>> from ktsolve.ground.board import Board
    >>> middle(Board.parse("8x8")), middle(Board.parse("5x7"))
    ((3, 3), (2, 3))
    """
    return (board.rows - 1) // 2, (board.columns - 1) // 2


def places(board: Board) -> NDArray[np.int64]:
    """Row and column of each cell: array of shape (cells, 2). Linear in the number of cells."""
    here = np.ones((board.rows, board.columns), dtype=bool)
    for cell in board.removed:
        here[cell] = False
    return np.argwhere(here)


def majority(board: Board) -> NDArray[np.bool_] | None:
    """The cells at which an open tour can begin, if rows and columns tell.

    On a board that is coloured like a chessboard and has one cell more of one colour, tours begin and end
    there. None where either colour will do, or where moves keep the colour.
    """
    colour = places(board).sum(axis=1) % 2
    edges = board.edges
    if not len(edges) or np.any(colour[edges[:, 0]] == colour[edges[:, 1]]):
        return None
    ones = int(colour.sum())
    if 2 * ones == len(colour):
        return None
    return np.asarray(colour == (1 if 2 * ones > len(colour) else 0))


def native_walker(problem: TourProblem, rule: str, begin: Cell) -> _native.Walker:
    """The board without its forbidden moves, and the rule for walks that begin at a cell.

    Linear in cells and moves. Raises BadInput.
    """
    from ktsolve import _native

    board = problem.board
    check_rule(rule, board)
    edges = _allowed(problem)
    keys = np.zeros(0, dtype=np.int64)
    directions = np.zeros(0, dtype=np.uint8)
    orders: list[tuple[list[int], int]] = []
    kind = {"random": "random", "pohl": "lookahead", "squirrel-cull": "orders"}.get(rule, "keys")
    if kind == "keys":
        keys = _keys(board, rule, begin)
    elif kind == "orders":
        place = places(board)
        down, right = (place[edges[:, 1]] - place[edges[:, 0]]).T
        clock = np.zeros((5, 5), dtype=np.uint8)
        for number, (d, r) in enumerate(CLOCK):
            clock[d + 2, r + 2] = number
        directions = np.ascontiguousarray(clock[down + 2, right + 2])
        orders = [
            (ranks, -1 if until is None else board.index.get(until, -1))
            for ranks, until in move_orders(board.rows)
        ]
    return _native.Walker(len(board), edges, kind, keys, directions, orders)


def _keys(board: Board, rule: str, begin: Cell) -> NDArray[np.int64]:
    """A number for each cell; the least is preferred."""
    if rule == "first":
        return np.zeros(len(board), dtype=np.int64)
    row, column = places(board).T
    if rule == "centre":
        middle_row, middle_column = middle(board)
        away = np.abs(row - middle_row) + np.abs(column - middle_column)
    else:
        # Twice the coordinates: the centre of the board may lie between cells.
        aim = (board.rows - 1, board.columns - 1) if rule == "roth" else (2 * begin[0], 2 * begin[1])
        away = (2 * row - aim[0]) ** 2 + (2 * column - aim[1]) ** 2
    return np.asarray(-away)


def _allowed(problem: TourProblem) -> NDArray[np.int32]:
    board = problem.board
    if not problem.forbid:
        return board.edges
    index = board.index
    forbidden = {tuple(sorted((index[a], index[b]))) for a, b in problem.forbid}
    kept = [edge for edge in board.edges.tolist() if tuple(edge) not in forbidden]
    return np.array(kept, dtype=np.int32).reshape(-1, 2)
