"""Named rules that break the ties of Warnsdorff's rule, in the form that the native core takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from ktsolve.base.errors import BadInput
from ktsolve.base.text import unknown
from ktsolve.graphs.notation import Cell
from ktsolve.problem.problem import TourProblem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ktsolve import _native
    from ktsolve.graphs.board import Board

__all__ = ["CLOCK", "RULES", "check_rule", "majority", "middle", "move_orders", "native_walker"]

RULES: Mapping[str, str] = {
    "centre": "the cell farther from the middle in rows plus columns",
    "first": "the first cell, row by row",
    "home": "the cell farther from the cell where the walk began (docs/warnsdorff.md)",
    "pohl": "the cell whose neighbours have the fewest onward moves in total (I. Pohl 1967)",
    "random": "a random cell, given by the seed",
    "roth": "the cell farther from the centre (A. Roth)",
    "squirrel-cull": "fixed orders of the moves (D. Squirrel and P. Cull 1996)",
}
"""How each rule chooses among cells with equally few onward moves, by the rule's name.

Remaining ties go to the first cell row by row, or to a random cell if a seed is given.
"""


def check_rule(rule: str, board: Board) -> None:
    """Raise BadInput if a rule is unknown or does not apply to a board."""
    if rule not in RULES:
        raise unknown("rule", rule, RULES)
    if rule == "squirrel-cull" and not (board.plain and board.rows == board.columns):
        raise BadInput(
            f"rule squirrel-cull is for knights on square boards, not for {board}: use centre, roth or pohl"
        )


def middle(board: Board) -> Cell:
    """Return the default start of a walk: the cell at the centre, or above and left of it.

    >>> from ktsolve.graphs.board import Board
    >>> middle(Board.parse("8x8")), middle(Board.parse("5x7"))
    ((3, 3), (2, 3))
    """
    return (board.rows - 1) // 2, (board.columns - 1) // 2


def majority(board: Board) -> NDArray[np.bool_] | None:
    """Return a mask of the cells of the more frequent colour, where every open tour begins and ends.

    None if both colours are equally frequent, or if some move joins two cells of one colour.
    """
    row, column = board.coordinates
    colour = (row + column) % 2
    edges = board.edges
    if not len(edges) or np.any(colour[edges[:, 0]] == colour[edges[:, 1]]):
        return None
    excess = 2 * int(colour.sum()) - len(colour)
    return None if excess == 0 else np.asarray(colour == (excess > 0))


def native_walker(problem: TourProblem, rule: str, begin: Cell) -> _native.Walker:
    """Return the native walker for a problem's allowed moves and a rule; walks begin at ``begin``.

    The time is linear in cells and moves. Raises BadInput.
    """
    from ktsolve import _native

    board = problem.board
    check_rule(rule, board)
    edges = problem.allowed_edges
    keys, nothing = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint8)
    directions = nothing
    orders: list[tuple[list[int], int]] = []
    kind = {"random": "random", "pohl": "lookahead", "squirrel-cull": "orders"}.get(rule, "keys")
    if kind == "keys":
        keys = _keys(board, rule, begin)
    elif kind == "orders":
        down, right = (each[edges[:, 1]] - each[edges[:, 0]] for each in board.coordinates)
        clock = np.zeros((5, 5), dtype=np.uint8)
        clock[tuple(np.array(CLOCK).T + 2)] = range(8)
        directions = np.ascontiguousarray(clock[down + 2, right + 2])
        orders = [
            (ranks, -1 if until is None else board.index.get(until, -1))
            for ranks, until in move_orders(board.rows)
        ]
    return _native.Walker(len(board), edges, kind, keys, directions, orders, nothing)


def _keys(board: Board, rule: str, begin: Cell) -> NDArray[np.int64]:
    """Return a number for each cell; ties go to the smallest."""
    if rule == "first":
        return np.zeros(len(board), dtype=np.int64)
    row, column = board.coordinates
    if rule == "centre":
        middle_row, middle_column = middle(board)
        away = np.abs(row - middle_row) + np.abs(column - middle_column)
    else:
        # Coordinates are doubled because the centre of the board may lie between cells.
        aim = (board.rows - 1, board.columns - 1) if rule == "roth" else (2 * begin[0], 2 * begin[1])
        away = (2 * row - aim[0]) ** 2 + (2 * column - aim[1]) ** 2
    return np.asarray(-away)


CLOCK = ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))
"""The eight moves, clockwise."""

# For each residue of the side m modulo 8: orders, each with the cell (row and column from 1) that ends it.
_TABLE: dict[int, list[tuple[str, Callable[[int], Cell] | None]]] = {
    0: [
        ("34261578", lambda m: (m - 1, m - 2)),
        ("87642135", lambda m: (2, 2)),
        ("51867342", lambda m: (m - 8, 1)),
        ("51342678", lambda m: (7, m - 3)),
        ("21435678", None),
    ],
    1: [
        ("34261578", lambda m: (m - 1, m - 2)),
        ("87642135", lambda m: (2, 2)),
        ("51324678", lambda m: (m - 6, (m + 9) // 2)),
        ("32481765", None),
    ],
    2: [
        ("34261578", lambda m: (6, 1)),
        ("87642135", lambda m: (3, 1)),
        ("54132678", lambda m: (m - 15, 4)),
        ("52431678", lambda m: (10, m - 2)),
        ("85647123", lambda m: (5, m // 2 - 3)),
        ("15746823", None),
    ],
    3: [
        ("34625718", lambda m: (m - 1, m - 2)),
        ("42681357", lambda m: (m - 6, m)),
        ("86512347", lambda m: (2, 5)),
        ("51867342", lambda m: (m - 10, 3)),
        ("61825437", lambda m: ((m + 1) // 2, m - 2)),
        ("71642538", None),
    ],
    4: [
        ("34261578", lambda m: (m - 1, m - 2)),
        ("87642135", lambda m: (2, 2)),
        ("51867342", lambda m: (m - 8, 1)),
        ("51342678", lambda m: (10, m - 5)),
        ("86753421", lambda m: (13, m // 2 + 1)),
        ("78563421", None),
    ],
    5: [
        ("34261578", lambda m: (m - 1, m - 2)),
        ("87642135", lambda m: (2, 2)),
        ("51324678", lambda m: (m - 2, (m - 5) // 2 if m % 16 == 5 else (m - 13) // 2)),
        ("15234678", None),
    ],
    6: [
        ("34261578", lambda m: (6, 1)),
        ("87642135", lambda m: (3, 1)),
        ("54132678", lambda m: (m - 10, 1)),
        ("52431678", lambda m: (10, m - 2)),
        ("85647123", lambda m: (3, m // 2 + 4)),
        ("12453678", None),
    ],
    7: [
        ("34625718", lambda m: (m - 1, m - 2)),
        ("42681357", lambda m: (m - 6, m)),
        ("86512347", lambda m: (2, 5)),
        ("51867342", lambda m: (m - 6, 3)),
        ("61825437", lambda m: ((m + 1) // 2, m - 2)),
        ("61357284", None),
    ],
}


def move_orders(side: int) -> list[tuple[list[int], Cell | None]]:
    """Return the orders for a square board: ranks of the moves of :data:`CLOCK`, and the cell that ends each.

    Source: D. Squirrel and P. Cull, A Warnsdorff-rule algorithm for knight's tours on square boards (1996).
    Walks begin in the top-left corner. According to the authors the rule succeeds on every square board from
    112x112 on, and on most smaller boards.

    Moves are numbered clockwise: 1 goes two rows up and one column to the right, 2 one row up and two columns
    to the right, and so on. Among the cells with the fewest onward moves, the walk takes the one that comes
    first in the current order. When the walk reaches a certain cell, the next order replaces the current one.

    The last order has no such cell. On small boards a cell may be off the board; then its order never ends.

    >>> ranks, until = move_orders(112)[0]
    >>> ranks.index(0), until  # move 3 is the first choice
    (2, (110, 109))
    """
    found: list[tuple[list[int], Cell | None]] = []
    for order, ends in _TABLE[side % 8]:
        row, column = (0, 0) if ends is None else ends(side)
        ranks = [order.index(move) for move in "12345678"]
        found.append((ranks, None if ends is None else (row - 1, column - 1)))
    return found
