"""Grids of step numbers: a line for each row, with a comment where the numbers do not determine the tour."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from ktsolve import _native
from ktsolve.base.errors import BadInput, NotATour
from ktsolve.formats.tours.common import board_comment, read_board_comment
from ktsolve.formats.tours.rows import rows_of_text, tour_of_rows
from ktsolve.graphs.board import Board
from ktsolve.graphs.tour import Tour

_LARGE = 10_000  # entries from which a grid is written by the native core, and read by it first


def write(tour: Tour) -> str:
    """The grid of a tour; ``comment`` states what it does not hold."""
    if len(tour) == tour.board.rows * tour.board.columns >= _LARGE and tour.steps.all():
        return b"".join(write_array(tour)).decode()
    return tour.grid() + "\n"


def write_array(tour: Tour, cells: int = 1 << 22) -> Iterator[bytes]:
    """The grid in pieces of whole lines, each of about ``cells`` cells.

    >>> tour = Tour.from_steps([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]])
    >>> print(b"".join(write_array(tour)).decode(), end="")
     1  4  7 10
     8 11  2  5
     3  6  9 12
    """
    steps = tour.steps
    width = len(str(steps.size))
    rows = max(1, cells // steps.shape[1])
    for first in range(0, len(steps), rows):
        yield _native.steps_as_text(steps[first : first + rows], width)


def read_array(data: bytes, closed: bool | None = None) -> Tour:
    r"""The tour of a grid without holes and comments; by default closed if its ends are a move apart.

    Raises NotATour if a row has more or fewer entries than the first; BadInput for an entry that is not a
    number.

    >>> read_array(b"1 2\n3 4\n").steps.tolist()
    [[1, 2], [3, 4]]
    """
    numbers, columns, (line, entry) = _native.parse_grid(data)
    if entry:
        raise BadInput(
            f"line {line}, entry {entry}: not a step number (large grids have no holes or comments)"
        )
    if line:
        raise NotATour(f"line {line} of the grid has not as many entries as the first")
    if not columns:
        raise BadInput("the grid holds no step numbers")
    return Tour.from_steps(np.asarray(numbers).reshape(-1, columns), closed)


def read(text: str, board: Board | None = None, closed: bool | None = None) -> Tour:
    """Read a grid; lines that begin with ``#`` and a space are comments, and may state board and kind.

    Raises NotATour if a step is missing or given twice, or rows have unequal lengths; BadInput if an entry is
    not a step number, there are several grids, or the board has another size.
    """
    parts = re.split(r"\n[ \t]*\r?\n", re.sub(r"^# .*$", "", text, flags=re.MULTILINE))
    if sum(1 for part in parts if re.search(r"(?<!\d)1(?!\d)", part)) > 1:
        raise BadInput("the input holds several grids, with blank lines between them: give one at a time")
    stated, stated_closed = read_board_comment(text) if "#" in text else (None, None)
    board, closed = board or stated, stated_closed if closed is None else closed
    rows = rows_of_text(text)
    if not rows:
        if "#" in text:
            raise BadInput("there is no tour in the input: it has comments only")
        raise BadInput("there are no cells in the input: write their names, such as a1 b3, or step numbers")
    size = len(rows), len(rows[0].marks)
    if size[0] * size[1] >= _LARGE and (board is None or size == (board.rows, board.columns)):
        with suppress(BadInput):  # comments, holes and violations are left to the code below
            tour = Tour.from_steps(read_array(text.encode("ascii", "replace")).steps, closed, board)
            return Tour.from_indices(tour.ground, tour.places, tour.closed)
    return tour_of_rows(rows, board, closed)


def comment(tour: Tour) -> str:
    """The comment that states what the grid of a tour does not: leaper, wrap, cells left out, and its kind.

    >>> comment(Tour.from_names(Board.parse("2x2", leaper=(0, 1)), "a1 a2 b2 b1", closed=True))[:60]
    'ktsolve {"rows": 2, "columns": 2, "without": [], "leaper": ['
    >>> comment(Tour.from_names(Board(3, 4), "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1"))
    ''
    """
    board = tour.board
    plain = Board(board.rows, board.columns, board.removed)
    if board == plain and tour.closed == tour.closes and np.count_nonzero(tour.array()) == len(board):
        return ""
    return board_comment(board, tour.closed)
