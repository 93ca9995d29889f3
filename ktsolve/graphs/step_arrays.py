"""Tours as NumPy arrays of step numbers: checked and walked without an object for each cell.

``steps[row, column]`` is the step number of a cell, from 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ktsolve import _native
from ktsolve.base.errors import BadInput
from ktsolve.base.limits import check_status
from ktsolve.graphs.board import Board
from ktsolve.graphs.notation import Cell, cell_name
from ktsolve.graphs.tour import Tour, Violation

__all__ = [
    "ArrayTour",
    "Rectangle",
    "Steps",
    "array_of_tour",
    "as_steps",
    "closes",
    "order_chunks",
    "steps_violation",
    "tour_of_steps",
]

Steps = NDArray[np.int32]


@dataclass(frozen=True)
class Rectangle:
    """A whole rectangle of any size and the knight: the sides of a :class:`Board` have a limit."""

    rows: int
    columns: int

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}"

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.rows * self.columns

    def name(self, cell: Cell) -> str:
        """Algebraic name of a cell."""
        return cell_name(cell, self.rows)

    def to_json(self) -> dict[str, Any]:
        """As :meth:`Board.to_json`."""
        return Board(1, 1).to_json() | {"rows": self.rows, "columns": self.columns}


@dataclass(frozen=True, eq=False)
class ArrayTour:
    """A knight's tour of a whole rectangle as an array: 4 bytes a cell; a :class:`Tour` takes about 200.

    Attributes
    ----------
    steps:
        Its step numbers.
    closed:
        Whether it is meant to be closed; None where its source does not say so.
    """

    steps: Steps
    closed: bool | None = None

    @property
    def board(self) -> Rectangle:
        """Its board."""
        return Rectangle(*self.steps.shape)

    @property
    def is_closed(self) -> bool:
        """Whether it is meant to be closed; where that is not stated, whether its ends are a move apart."""
        return closes(self.steps) if self.closed is None else self.closed

    def as_closed(self, closed: bool | None) -> ArrayTour:
        """The same steps, meant to be closed or open; None leaves that to :attr:`is_closed`."""
        return replace(self, closed=self.is_closed if closed is None else closed)

    def tour(self, board: Board | None = None) -> Tour:
        """The tour as an object. Raises as :func:`tour_of_steps`."""
        return tour_of_steps(self.steps, closed=self.is_closed, board=board)


def array_of_tour(tour: Tour) -> ArrayTour:
    """The array of a tour, with 0 for cells that it does not visit.

    >>> array_of_tour(Tour.from_names(Board.parse("3x4"), "a3 c2")).steps.tolist()
    [[1, 0, 0, 0], [0, 0, 2, 0], [0, 0, 0, 0]]
    """
    steps = np.zeros((tour.board.rows, tour.board.columns), dtype=np.int32)
    if tour.squares:
        rows, columns = np.array(tour.squares).T
        steps[rows, columns] = np.arange(1, len(tour.squares) + 1)
    return ArrayTour(steps, tour.closed)


def tour_of_steps(steps: Steps, *, closed: bool, board: Board | None = None) -> Tour:
    """The tour as an object; about 200 bytes a cell.

    Raises
    ------
    BadInput
        If the numbers are not a permutation of 1, 2, ..., or the board has holes.

    >>> tour_of_steps(np.array([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]]), closed=False).valid
    True
    """
    steps = as_steps(steps)
    if board is not None and (steps.shape != (board.rows, board.columns) or board.removed):
        raise BadInput(f"the step numbers are those of {Rectangle(*steps.shape)}, the board is {board}")
    order = _native.cells_in_order(steps)
    if not len(order):
        raise BadInput(f"the numbers are not 1 to {steps.size}, each once")
    return Tour.from_indices(board or Board(*steps.shape), np.asarray(order).tolist(), closed)


def order_chunks(steps: Steps, cells: int) -> Iterator[Steps]:
    """Numbers of the cells, row by row from 0, in the order of the tour; so many at a time."""
    order = np.asarray(_native.cells_in_order(as_steps(steps)))
    for first in range(0, len(order), cells):
        yield order[first : first + cells]


def as_steps(array: ArrayLike) -> Steps:
    """The array itself if it has the type of the native core, else a copy with it; also of lists of rows.

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


def steps_violation(
    steps: ArrayLike, *, closed: bool, threads: int = 1, timeout: float | None = None
) -> Violation | None:
    """The first violation in a knight's tour given as step numbers, or None; 10^8 cells take seconds.

    The check shares no code with the engines: every number has to be there once, and a knight's move from
    each cell has to lead to one with the next number. Linear.

    Parameters
    ----------
    steps:
        Rows of step numbers from 1.
    closed:
        Whether the last step must be a move from the first.
    threads:
        Number of threads.
    timeout:
        Seconds after which the check stops; None for no limit.

    Returns
    -------
    Violation or None
        The first violation; None for a tour.

    Raises
    ------
    BadInput
        If it is not an array of whole numbers in rows and columns.
    LimitReached
        If time ran out.

    Examples
    --------
    >>> steps = np.array([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]], dtype=np.int32)
    >>> print(steps_violation(steps, closed=False), steps_violation(steps, closed=True), sep="; ")
    None; step 12: the last cell d1 is no move from the first a3
    >>> steps[0, 0] = 12
    >>> print(steps_violation(steps, closed=False))
    line 3, entry 4: step 12 occurs twice (also in line 1, entry 1)
    """
    steps = as_steps(steps)
    report = _native.check_steps(steps, closed, threads, timeout, None)
    check_status(report.status, timeout, "not all cells are checked")
    if not report.fault:
        return None
    rows, columns = steps.shape
    cell, other = divmod(report.cell, columns), divmod(report.other, columns)
    step, last = report.step, steps.size
    line = f"line {cell[0] + 1}, entry {cell[1] + 1}"
    if report.fault == "not a step":
        return Violation(0, f"{line}: {step} is not one of the steps 1 to {last}")
    if report.fault == "twice":
        also = f"line {other[0] + 1}, entry {other[1] + 1}"
        return Violation(0, f"{line}: step {step} occurs twice (also in {also})")
    here, before = cell_name(cell, rows), cell_name(other, rows)
    if step == 1:
        return Violation(last, f"step {last}: the last cell {before} is no move from the first {here}")
    return Violation(step, f"step {step}: {before} to {here} is no move of the piece")


def closes(steps: Steps) -> bool:
    """Whether the last cell is a knight's move from the first."""
    first, last = (np.argwhere(steps == step)[:1] for step in (1, steps.size))
    return bool(len(first) and len(last)) and sorted(np.abs(first - last).ravel().tolist()) == [1, 2]
