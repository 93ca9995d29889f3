"""Operations on bands that keep the number of completions, as data.

An operation is a list of *moves*. A move exchanges the digits of pairs of cells, either always or only if the
first cells of all pairs together hold the same digits as the second cells. After a move the digits are
renamed and the columns and boxes sorted; the result is a reduced band.

Cells have the numbers of the native core: (box, row, column) is ``(box * R + row) * C + column``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, product

from ktsolve.ground.box import Box

__all__ = ["BOXES", "COLUMNS", "COLUMN_SUBSETS", "RECTANGLES", "ROWS", "ROW_SUBSETS", "Move", "Operation"]


@dataclass(frozen=True)
class Move:
    """Exchange the digits of pairs of cells.

    Attributes
    ----------
    swaps:
        The pairs.
    if_same_digits:
        Only if the first cells of all pairs hold the same set of digits as the second cells.
    """

    swaps: tuple[tuple[int, int], ...]
    if_same_digits: bool = False


@dataclass(frozen=True)
class Operation:
    """A kind of change that keeps the number of completions.

    Attributes
    ----------
    name:
        Its name.
    does:
        The things that it exchanges.
    why:
        Why the changed band has equally many completions.
    moves:
        A function that gives all its moves for a shape.
    """

    name: str
    does: str
    why: str
    moves: Callable[[Box], tuple[Move, ...]]


def _cell(box: Box, number: int, row: int, column: int) -> int:
    return (number * box.rows + row) * box.columns + column


def _columns(box: Box) -> Iterator[tuple[int, int]]:
    """All columns of a band, as (box, column in it)."""
    return product(range(box.stacks), range(box.columns))


def _swap_boxes(box: Box) -> tuple[Move, ...]:
    return tuple(
        Move(tuple((one * box.side + i, other * box.side + i) for i in range(box.side)))
        for one, other in combinations(range(box.stacks), 2)
    )


def _swap_rows(box: Box) -> tuple[Move, ...]:
    return tuple(
        Move(tuple((_cell(box, b, one, c), _cell(box, b, other, c)) for b, c in _columns(box)))
        for one, other in combinations(range(box.rows), 2)
    )


def _swap_columns(box: Box) -> tuple[Move, ...]:
    return tuple(
        Move(tuple((_cell(box, b, r, one), _cell(box, b, r, other)) for r in range(box.rows)))
        for b in range(box.stacks)
        for one, other in combinations(range(box.columns), 2)
    )


def _swap_rectangles(box: Box) -> tuple[Move, ...]:
    return tuple(
        Move(tuple((_cell(box, b, one, c), _cell(box, b, other, c)) for b, c in pair), if_same_digits=True)
        for one, other in combinations(range(box.rows), 2)
        for pair in combinations(_columns(box), 2)
        if pair[0][0] != pair[1][0]
    )


def _swap_in_rows(box: Box) -> tuple[Move, ...]:
    columns = list(_columns(box))
    return tuple(
        Move(tuple((_cell(box, b, one, c), _cell(box, b, other, c)) for b, c in some), if_same_digits=True)
        for one, other in combinations(range(box.rows), 2)
        for size in range(2, len(columns) + 1)
        for some in combinations(columns, size)
    )


def _swap_in_columns(box: Box) -> tuple[Move, ...]:
    return tuple(
        Move(tuple((_cell(box, a, r, c), _cell(box, b, r, d)) for r in rows), if_same_digits=True)
        for (a, c), (b, d) in combinations(_columns(box), 2)
        if a != b
        for size in range(2, box.rows + 1)
        for rows in combinations(range(box.rows), size)
    )


BOXES = Operation(
    "boxes",
    "two boxes of the band",
    "a grid stays a grid when the stacks below them change places too",
    _swap_boxes,
)
ROWS = Operation("rows", "two rows of the band", "columns and boxes keep their digits", _swap_rows)
COLUMNS = Operation(
    "columns",
    "two columns of a box",
    "a grid stays a grid when the columns below them change places too",
    _swap_columns,
)
RECTANGLES = Operation(
    "rectangles",
    "the digits of two columns in two rows, where they are a, b in one column and b, a in the other",
    "every row, box and column of the band keeps its set of digits",
    _swap_rectangles,
)
ROW_SUBSETS = Operation(
    "row subsets",
    "two rows in some columns, where both hold the same digits there",
    "every row keeps its digits, and every column and box has both cells",
    _swap_in_rows,
)
COLUMN_SUBSETS = Operation(
    "column subsets",
    "two columns of different boxes in some rows, where both hold the same digits there",
    "every column and box keeps its digits, and every row has both cells",
    _swap_in_columns,
)
