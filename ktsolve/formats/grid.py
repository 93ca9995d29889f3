"""Grids of step numbers: a line for each row, with ``.``, ``-`` or ``0`` where no cell is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from ktsolve import _native
from ktsolve.errors import BadInput, NotATour
from ktsolve.formats.common import tour_read
from ktsolve.ground.arrays import ArrayTour, as_steps, tour_of_steps
from ktsolve.ground.board import Board
from ktsolve.ground.notation import Cell, shown
from ktsolve.ground.tour import Tour

__all__ = ["read", "read_array", "write", "write_array"]

_LARGE = 10_000
"""Entries from which a grid is read by the native core first."""

_HOLES = frozenset({".", "-"})


def write(tour: Tour) -> str:
    """The grid of a tour; it states neither leaper nor wrap."""
    return tour.grid() + "\n"


def write_array(tour: ArrayTour, cells: int = 1 << 22) -> Iterator[bytes]:
    """The grid in pieces of whole lines, each of about so many cells.

    >>> tour = ArrayTour(np.array([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]]))
    >>> print(b"".join(write_array(tour)).decode(), end="")
     1  4  7 10
     8 11  2  5
     3  6  9 12
    """
    steps = as_steps(tour.steps)
    width = len(str(steps.size))
    rows = max(1, cells // steps.shape[1])
    for first in range(0, len(steps), rows):
        yield _native.steps_as_text(steps[first : first + rows], width)


def read_array(data: bytes) -> ArrayTour:
    r"""The tour of a grid without holes and comments.

    Raises
    ------
    NotATour
        If a row has more or fewer entries than the first.
    BadInput
        For an entry that is no number.

    Examples
    --------
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
    return ArrayTour(np.asarray(numbers).reshape(-1, columns))


def read(text: str, board: Board | None = None, closed: bool | None = None) -> Tour:
    """Read a grid; lines that begin with ``#`` and a space are comments.

    Raises
    ------
    NotATour
        If a step is missing or given twice, or rows have unequal lengths.
    BadInput
        If an entry is no step number, there are several grids, or the board has another size.
    """
    parts = re.split(r"\n[ \t]*\r?\n", re.sub(r"^# .*$", "", text, flags=re.MULTILINE))
    if sum(1 for part in parts if re.search(r"(?<!\d)1(?!\d)", part)) > 1:
        raise BadInput("the input holds several grids, with blank lines between them: give one at a time")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("# ")]
    if not lines:
        raise BadInput("there is no tour in the input: it has comments only")
    rows = [re.split(r"[\s|]+", line.strip(" \t|")) for line in lines]
    columns = len(rows[0])
    for number, row in enumerate(rows, 1):
        if len(row) != columns:
            raise NotATour(f"line {number} of the grid has {len(row)} entries where line 1 has {columns}")
    if board is not None and (len(rows), columns) != (board.rows, board.columns):
        raise BadInput(f"the grid has {len(rows)}x{columns} entries, the board is {board.size}")
    if len(rows) * columns >= _LARGE:
        with suppress(BadInput):  # comments, holes and violations are left to the code below
            tour = tour_of_steps(
                read_array(text.encode("ascii", "replace")).steps, closed=bool(closed), board=board
            )
            return tour.as_closed(True) if closed is None and tour.closes else tour
    at, holes = _entries(rows)
    for expected, step in enumerate(sorted(at), 1):
        if step != expected:
            # One is missing and none occurs twice: another is too large, and its place helps to find it.
            (r, c), large = min((cell, s) for s, cell in at.items() if s > len(at))
            raise NotATour(
                f"step {expected} is missing from the grid, of {len(at)} steps "
                f"(line {r + 1}, entry {c + 1} is {large})"
            )
    board = board or Board(len(rows), columns, frozenset(holes))
    return tour_read(board, [at[step] for step in sorted(at)], closed)


def _entries(rows: list[list[str]]) -> tuple[dict[int, Cell], set[Cell]]:
    """The cell of each step, and the holes."""
    at: dict[int, Cell] = {}
    holes = set()
    for r, row in enumerate(rows):
        for c, mark in enumerate(row):
            if mark not in _HOLES and (not (mark.isascii() and mark.isdigit()) or len(mark) > 12):
                raise BadInput(f"line {r + 1}, entry {c + 1}: {shown(mark, 20)} is not a step number")
            step = 0 if mark in _HOLES else int(mark)
            if step == 0:
                holes.add((r, c))
            elif step in at:
                raise NotATour(
                    f"line {r + 1}, entry {c + 1}: step {step} occurs twice (also in line {at[step][0] + 1}, "
                    f"entry {at[step][1] + 1})"
                )
            else:
                at[step] = (r, c)
    if not at:
        raise BadInput("the grid holds no step numbers")
    return at, holes
