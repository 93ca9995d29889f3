"""Tours as NumPy arrays: checked and walked without an object for each cell; and moves of many cells at once.

``steps[row, column]`` is the step number of a cell, from 1. :class:`~ktsolve.graphs.tour.Tour` holds such
arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ktsolve import _native
from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Settings, check_status
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.notation import cell_name

__all__ = [
    "TABLED",
    "IsMove",
    "Steps",
    "as_steps",
    "cells_in_order",
    "first_violation",
    "is_walk",
    "move_test",
    "order_chunks",
]

Steps = NDArray[np.int32]


def cells_in_order(steps: Steps) -> Steps:
    """Return the numbers of the cells, row by row from 0, in the order of the tour.

    Raises BadInput if the step numbers are not a permutation of 1, 2, ...
    """
    order = np.asarray(_native.cells_in_order(steps))
    if not len(order):
        raise BadInput(f"the numbers are not 1 to {steps.size}, each once")
    return order


def order_chunks(steps: Steps, cells: int) -> Iterator[Steps]:
    """Yield the numbers of :func:`cells_in_order` in pieces of ``cells`` numbers."""
    order = cells_in_order(steps)
    for first in range(0, len(order), cells):
        yield order[first : first + cells]


def as_steps(array: ArrayLike) -> Steps:
    """The array itself if it has the type of the native core, else a copy with it; also of lists of rows.

    Raises BadInput if it does not have two dimensions, or holds anything but whole numbers of 32 bits.
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
            raise BadInput(f"{int(array.max())} is not a step number: they end at {array.size}")
    return np.ascontiguousarray(array, dtype=np.int32)


def first_violation(steps: Steps, *, closed: bool, settings: Settings) -> tuple[int, str] | None:
    """Return the first violation in a knight's tour, as its step and the reason; None for a tour.

    The check shares no code with the engines: every number has to be there once, and a knight's move from
    each cell has to lead to one with the next number. Linear; 10^8 cells take seconds. The settings give
    threads and the time limit; raises LimitReached if time ran out.

    >>> steps = np.array([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]], dtype=np.int32)
    >>> first_violation(steps, closed=True, settings=Settings())
    (12, 'step 12: the last cell d1 is not a move from the first a3')
    >>> steps[0, 0] = 12
    >>> first_violation(steps, closed=False, settings=Settings())
    (0, 'line 3, entry 4: step 12 occurs twice (also in line 1, entry 1)')
    """
    report = _native.check_steps(steps, closed, settings.thread_budget, settings.timeout, None)
    check_status(report.status, settings, "not all cells are checked")
    if not report.fault:
        return None
    rows, columns = steps.shape
    cell, other = divmod(report.cell, columns), divmod(report.other, columns)
    step, last = report.step, steps.size
    line = f"line {cell[0] + 1}, entry {cell[1] + 1}"
    if report.fault == "not a step":
        return 0, f"{line}: {step} is not one of the steps 1 to {last}"
    if report.fault == "twice":
        also = f"line {other[0] + 1}, entry {other[1] + 1}"
        return 0, f"{line}: step {step} occurs twice (also in {also})"
    here, before = cell_name(cell, rows), cell_name(other, rows)
    if step == 1:
        return last, f"step {last}: the last cell {before} is not a move from the first {here}"
    return step, f"step {step}: {before} to {here} is not a move of the piece"


# -- tests of moves ------------------------------------------------------------------------------------------

IsMove = Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.bool_]]
"""Whether a move leads from each of some cells to each of others, all by number."""

TABLED = 1024
"""Cells up to which a table has an entry for each two of them."""


def move_test(ground: Graph) -> IsMove:
    """The test of moves of a ground: on a board by its geometry, on a bare graph by its edges.

    >>> board = Board.parse("3x4")
    >>> move_test(board)(np.array([0, 0]), np.array([6, 7])).tolist()
    [True, False]
    """
    n = len(ground)
    if n > TABLED:
        return partial(_are_moves, ground)
    tails, heads = np.divmod(np.arange(n * n, dtype=np.int64), n)
    table = _are_moves(ground, tails, heads)
    return partial(_in_table, table, n)


def _in_table(
    table: NDArray[np.bool_], n: int, tails: NDArray[np.int64], heads: NDArray[np.int64]
) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = table[tails * n + heads]
    return found


def _are_moves(ground: Graph, tails: NDArray[np.int64], heads: NDArray[np.int64]) -> NDArray[np.bool_]:
    if not isinstance(ground, Board):
        pairs = np.stack([tails.ravel(), heads.ravel()], axis=1)
        return (ground.places_of(pairs) >= 0).reshape(tails.shape)
    row, column = ground.coordinates
    down, right = row[heads] - row[tails], column[heads] - column[tails]
    found = np.zeros(down.shape, dtype=np.bool_)
    for d, r in ground.offsets:
        vertical = (down - d) % ground.rows == 0 if "y" in ground.wrap else down == d
        found |= vertical & ((right - r) % ground.columns == 0 if "x" in ground.wrap else right == r)
    found &= tails != heads
    return found


def is_walk(ground: Graph, places: NDArray[np.int64]) -> bool:
    """Whether cells, by number, are all cells of a ground, each once, and a move leads from each to the next.

    >>> is_walk(Board.parse("3x3", without="b2"), np.array([0, 4, 5, 1, 7, 3, 2, 6]))
    True
    """
    every = len(places) == len(ground) and bool(np.bincount(places, minlength=len(ground)).all())
    return every and bool(_are_moves(ground, places[:-1], places[1:]).all())
