"""Tours as NumPy arrays of step numbers: checked, written and read without an object per cell.

``steps[row, column]`` is the step number of a cell, from 1. Beside the grid of numbers there are two forms on
disk: ``.npy``, NumPy's own, and the *move string*, one line of text such as ::

    moves 3x4 open 0,0 25025052052

that names the board, whether the tour is closed, the first cell as row,column, and then the moves, one digit
each: 0 to 7 clockwise, from one right and two up; a closed tour has the move back to its first cell as well.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ktsolve.errors import BadInput
from ktsolve.ground.board import Board
from ktsolve.ground.notation import LONGEST_SIDE, cell_name, parse_cell, parse_size, shown
from ktsolve.ground.tour import Fault, Tour
from ktsolve.native_status import check_status

if TYPE_CHECKING:
    from ktsolve import _native

__all__ = [
    "MOVES_HEADER",
    "NPY_MAGIC",
    "Steps",
    "as_steps",
    "closes",
    "grid_chunks",
    "moves_line",
    "name_chunks",
    "read_grid",
    "read_moves",
    "read_npy",
    "steps_fault",
    "steps_of_tour",
    "tour_of_steps",
]

Steps = NDArray[np.int32]

NPY_MAGIC = b"\x93NUMPY"

MOVES_HEADER = b"moves "

_CHUNK = 1 << 22
"""Cells written at once."""

_MANY = 10**6
"""Cells from which a move string is counted before anything is made of it."""


def steps_of_tour(tour: Tour) -> Steps:
    """Step numbers of the cells a tour visits; 0 where it does not go.

    >>> steps_of_tour(Tour.from_names(Board.parse("3x4"), "a3 c2")).tolist()
    [[1, 0, 0, 0], [0, 0, 2, 0], [0, 0, 0, 0]]
    """
    steps = np.zeros((tour.board.rows, tour.board.columns), dtype=np.int32)
    if tour.squares:
        rows, columns = np.array(tour.squares).T
        steps[rows, columns] = np.arange(1, len(tour.squares) + 1)
    return steps


def tour_of_steps(steps: Steps, *, closed: bool, board: Board | None = None) -> Tour:
    """The tour as an object; about 200 bytes a cell.

    Raises
    ------
    BadInput
        If the numbers are no permutation of 1, 2, ...

    >>> tour_of_steps(np.array([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]]), closed=False).valid
    True
    """
    from ktsolve import _native

    steps = as_steps(steps)
    order = _native.cells_in_order(steps)
    if not len(order):
        raise BadInput(f"the numbers are not 1 to {steps.size}, each once")
    board = board or Board(*steps.shape)
    return Tour.from_indices(board, np.asarray(order).tolist(), closed)


def as_steps(array: ArrayLike) -> Steps:
    """The array itself if it is one of step numbers, or a copy with the type that the core takes.

    Lists of rows are taken as well.

    Raises
    ------
    BadInput
        If it has not two dimensions, or holds no whole numbers, or numbers past 32 bits.
    """
    try:
        array = np.asarray(array)
    except ValueError:  # rows of different lengths
        raise BadInput("a tour is an array of rows of equal length") from None
    if array.ndim != 2 or not array.size:
        raise BadInput(f"a tour is an array of rows and columns, not of shape {array.shape}")
    if array.dtype.kind not in "iu":
        raise BadInput(f"a tour is an array of whole numbers, not of {array.dtype}")
    if array.dtype.itemsize > 4 or array.dtype == np.uint32:
        largest = np.iinfo(np.int32).max
        if int(array.max()) > largest or int(array.min()) < -largest:
            raise BadInput(f"{int(array.max())} is no step number: they end at {array.size}")
    return np.ascontiguousarray(array, dtype=np.int32)


def steps_fault(
    steps: ArrayLike, *, closed: bool, threads: int = 1, timeout: float | None = None
) -> Fault | None:
    """What is wrong with a knight's tour given as step numbers, or None. Linear; 10^8 cells take seconds.

    Shares nothing with the engines: every number has to be there once, and beside each cell there has to be
    one with the next number.

    Raises
    ------
    BadInput
        If it is no array of whole numbers in rows and columns.
    LimitReached
        If time ran out.

    Examples
    --------
    >>> steps = np.array([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]], dtype=np.int32)
    >>> print(steps_fault(steps, closed=False), steps_fault(steps, closed=True), sep="; ")
    None; step 12: the last cell d1 is no move from the first a3
    >>> steps[0, 0] = 12
    >>> print(steps_fault(steps, closed=False))
    line 3, entry 4: step 12 stands twice (also in line 1, entry 1)
    """
    from ktsolve import _native

    steps = as_steps(steps)
    report = _native.check_steps(steps, closed, threads, timeout, None)
    check_status(report.status, timeout, "not all cells are checked")
    return _fault(report, steps) if report.fault else None


def _fault(report: _native.StepsReport, steps: Steps) -> Fault:
    columns = steps.shape[1]
    cell, other = divmod(report.cell, columns), divmod(report.other, columns)
    if report.fault == "not a step":
        what = f"{report.step} is not one of the steps 1 to {steps.size}"
        return Fault(0, f"line {cell[0] + 1}, entry {cell[1] + 1}: {what}")
    if report.fault == "twice":
        where = f"(also in line {other[0] + 1}, entry {other[1] + 1})"
        return Fault(0, f"line {cell[0] + 1}, entry {cell[1] + 1}: step {report.step} stands twice {where}")
    here, before = cell_name(cell, steps.shape[0]), cell_name(other, steps.shape[0])
    if report.step == 1:
        last = steps.size
        return Fault(last, f"step {last}: the last cell {before} is no move from the first {here}")
    return Fault(report.step, f"step {report.step}: {before} to {here} is no move of the piece")


def closes(steps: Steps) -> bool:
    """Is the last cell a knight's move from the first?"""
    (first, last) = (np.argwhere(steps == step) for step in (1, steps.size))
    if not len(first) or not len(last):
        return False
    return sorted(np.abs(first[0] - last[0]).tolist()) == [1, 2]


def grid_chunks(steps: Steps) -> Iterator[bytes]:
    """The grid of :meth:`Tour.grid` in pieces of some megabytes, each of whole lines.

    >>> print(b"".join(grid_chunks(np.array([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]]))).decode(), end="")
     1  4  7 10
     8 11  2  5
     3  6  9 12
    """
    from ktsolve import _native

    steps = as_steps(steps)
    width = len(str(steps.size))
    rows = max(1, _CHUNK // steps.shape[1])
    for first in range(0, len(steps), rows):
        yield _native.steps_as_text(steps[first : first + rows], width)


def name_chunks(steps: Steps) -> Iterator[bytes]:
    """The cells by name in the order of the tour, as :meth:`Tour.names`, in pieces; one line in all."""
    from ktsolve import _native

    rows, columns = steps.shape
    order = np.asarray(_native.cells_in_order(as_steps(steps)))
    for first in range(0, len(order), _CHUNK):
        cells = order[first : first + _CHUNK].tolist()
        text = " ".join(cell_name(divmod(cell, columns), rows) for cell in cells)
        yield (text + ("\n" if first + _CHUNK >= len(order) else " ")).encode()


def moves_line(steps: Steps, *, closed: bool) -> bytes:
    """A tour as a move string, without the end of the line.

    >>> moves_line(np.array([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]]), closed=False)
    b'moves 3x4 open 0,0 25025052052'
    """
    from ktsolve import _native

    steps = as_steps(steps)
    row, column = divmod(int(np.argmax(steps == 1)), steps.shape[1])
    kind = "closed" if closed else "open"
    head = f"moves {steps.shape[0]}x{steps.shape[1]} {kind} {row},{column} "
    return head.encode() + _native.moves_of_steps(steps, closed)


def read_moves(data: bytes) -> tuple[Steps, bool, Fault | None]:
    """Steps of a move string, whether it says that the tour is closed, and what is wrong with it.

    Steps that were not reached are 0.

    Raises
    ------
    BadInput
        If it is no move string at all.

    Examples
    --------
    >>> steps, closed, fault = read_moves(b"moves 3x4 open 0,0 25025052052")
    >>> steps.tolist(), closed, fault
    ([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]], False, None)
    >>> print(read_moves(b"moves 3x4 open 0,0 2506")[2])
    move 4: 6 leads off the board or to a cell visited before
    """
    from ktsolve import _native

    match = re.match(rb"moves +(\S{1,40}) +(closed|open) +(\S{1,40})[ \t]*\r?\n?", data)
    if match is None:
        raise BadInput(
            f"{shown(data[:40].decode('ascii', 'replace'))} is no move string: "
            "write moves ROWSxCOLUMNS closed|open ROW,COLUMN and a digit 0 to 7 for each move"
        )
    rows, columns = parse_size(match[1].decode("ascii", "replace"), LONGEST_SIDE)
    if rows * columns >= 2**31:
        raise BadInput(f"a board of {rows}x{columns} has more cells than 32 bits can number")
    row, column = parse_cell(match[3].decode("ascii", "replace"), rows, columns)
    closed = match[2] == b"closed"
    moves = data[match.end() :].strip()
    wanted = rows * columns - (0 if closed else 1)
    number = f"moves where {'a closed' if closed else 'an open'} tour makes {wanted:,}"
    if len(moves) < wanted and rows * columns > _MANY:
        # A few letters must not ask for gigabytes: an array of zeros that takes no room.
        nothing = np.broadcast_to(np.int32(0), (rows, columns))
        return nothing, closed, Fault(0, f"{len(moves):,} {number}")
    steps, made = _native.steps_of_moves(moves, rows, columns, row * columns + column)
    fault = None
    if made < len(moves):
        mark = shown(chr(moves[made]))[1:-1]
        leads = mark in "01234567"
        why = "leads off the board or to a cell visited before" if leads else "is no digit 0 to 7"
        fault = Fault(made + 1, f"move {made + 1}: {mark} {why}")
    elif made != wanted:
        fault = Fault(0, f"{made:,} {number}")
    return np.asarray(steps), closed, fault


def read_grid(data: bytes) -> tuple[Steps | None, Fault | None]:
    r"""Steps of a grid of numbers without holes and comments, or None and what is wrong with its rows.

    Raises
    ------
    BadInput
        For what is no number.

    Examples
    --------
    >>> read_grid(b"1 2\n3 4\n")[0].tolist()
    [[1, 2], [3, 4]]
    >>> print(read_grid(b"1 2\n3\n")[1])
    line 2 of the grid has not as many entries as the first
    """
    from ktsolve import _native

    numbers, columns, (line, entry) = _native.parse_grid(data)
    if entry:
        raise BadInput(
            f"line {line}, entry {entry}: not a step number (large grids have no holes or comments)"
        )
    if line:
        return None, Fault(0, f"line {line} of the grid has not as many entries as the first")
    if not columns:
        raise BadInput("the grid holds no step numbers")
    return np.asarray(numbers).reshape(-1, columns), None


def read_npy(source: str | BinaryIO) -> Steps:
    """Steps of a ``.npy`` file, which stays on disk where that is possible.

    Raises
    ------
    BadInput
        If it is not one, or not one of whole numbers in rows and columns.
    """
    try:
        if isinstance(source, str):
            array = np.load(source, mmap_mode="r", allow_pickle=False)
        else:
            array = np.load(io.BytesIO(source.read()), allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise BadInput(f"not an array in NumPy's format: {' '.join(str(error).split())[:100]}") from None
    if not isinstance(array, np.ndarray):
        raise BadInput("not an array in NumPy's format, but a collection of several")
    return as_steps(array)
