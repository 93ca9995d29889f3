"""Operations on bands that keep the number of completions, as data.

An operation is a list of *moves*. A move exchanges the digits of pairs of cells, either always or only if the
first cells of all pairs together hold the same digits as the second cells. After a move the digits are
renamed and the columns and boxes sorted; the result is a reduced band.

Cells have the numbers of the native core: (box, row, column) is ``(box * R + row) * C + column``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from ktsolve.grids.box import Box

__all__ = ["Move", "Operation", "boxes", "column_subsets", "columns", "rectangles", "row_subsets", "rows"]


@dataclass(frozen=True)
class Move:
    """Exchange the digits of pairs of cells; perhaps only if both sides hold the same set of digits."""

    swaps: tuple[tuple[int, int], ...]
    if_same_digits: bool = False


Operation = Callable[[Box], tuple[Move, ...]]
"""A kind of change that keeps the number of completions: a function that gives its moves for a shape."""


def _cell(box: Box, number: int, row: int, column: int) -> int:
    return (number * box.rows + row) * box.columns + column


def _columns(box: Box) -> list[tuple[int, int]]:
    """All columns of a band, as (box, column in it)."""
    return list(product(range(box.stacks), range(box.columns)))


def _in_two_rows(box: Box, columns: Iterable[Sequence[tuple[int, int]]], condition: bool) -> tuple[Move, ...]:
    """Exchanges of two rows in each of some sets of columns."""
    return tuple(
        Move(tuple((_cell(box, b, one, c), _cell(box, b, other, c)) for b, c in some), condition)
        for some in columns
        for one, other in combinations(range(box.rows), 2)
    )


def boxes(box: Box) -> tuple[Move, ...]:
    """Two boxes of the band change places; so do the stacks below them."""
    return tuple(
        Move(tuple((one * box.side + i, other * box.side + i) for i in range(box.side)))
        for one, other in combinations(range(box.stacks), 2)
    )


def rows(box: Box) -> tuple[Move, ...]:
    """Two rows of the band change places; columns and boxes keep their digits."""
    return _in_two_rows(box, [_columns(box)], condition=False)


def columns(box: Box) -> tuple[Move, ...]:
    """Two columns of a box change places; so do the columns below them."""
    return tuple(
        Move(tuple((_cell(box, b, r, one), _cell(box, b, r, other)) for r in range(box.rows)))
        for b in range(box.stacks)
        for one, other in combinations(range(box.columns), 2)
    )


def rectangles(box: Box) -> tuple[Move, ...]:
    """Rectangles: two rows change places in two columns, which hold a, b and b, a there.

    Every row, box and column of the band keeps its set of digits.
    """
    pairs = (pair for pair in combinations(_columns(box), 2) if pair[0][0] != pair[1][0])
    return _in_two_rows(box, pairs, condition=True)


def row_subsets(box: Box) -> tuple[Move, ...]:
    """Two rows change places in some columns, where both hold the same digits.

    Every row keeps its digits, and every column and box has both cells.
    """
    columns = _columns(box)
    sizes = range(2, len(columns) + 1)
    return _in_two_rows(box, (some for size in sizes for some in combinations(columns, size)), condition=True)


def column_subsets(box: Box) -> tuple[Move, ...]:
    """Two columns of different boxes change places in some rows, where both hold the same digits.

    Every column and box keeps its digits, and every row has both cells.
    """
    return tuple(
        Move(tuple((_cell(box, a, r, c), _cell(box, b, r, d)) for r in rows), if_same_digits=True)
        for (a, c), (b, d) in combinations(_columns(box), 2)
        if a != b
        for size in range(2, box.rows + 1)
        for rows in combinations(range(box.rows), size)
    )
