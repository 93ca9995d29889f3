"""Fixed orders of moves by which Warnsdorff's rule finds tours of square boards without backtracking.

Source: D. Squirrel and P. Cull, A Warnsdorff-rule algorithm for knight's tours on square boards (1996). Walks
begin in the top-left corner. According to the authors the rule succeeds on every square board from
112x112 on, and on most smaller boards.

Moves are numbered clockwise: 1 goes two rows up and one column to the right, 2 one row up and two columns to
the right, and so on. Among the cells with the fewest onward moves, the walk takes the one that comes first in
the current order. When the walk reaches a certain cell, the next order replaces the current one.
"""

from __future__ import annotations

from collections.abc import Callable

from ktsolve.graphs.notation import Cell

__all__ = ["CLOCK", "move_orders"]

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

    The last order has no such cell. On small boards a cell may be off the board; then its order never ends.

    >>> ranks, until = move_orders(112)[0]
    >>> ranks.index(0), until  # move 3 is the first choice
    (2, (110, 109))
    """
    found: list[tuple[list[int], Cell | None]] = []
    for order, ends in _TABLE[side % 8]:
        until = None
        if ends is not None:
            row, column = ends(side)
            until = (row - 1, column - 1)
        found.append(([order.index(str(move)) for move in range(1, 9)], until))
    return found
