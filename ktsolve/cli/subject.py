"""What ``draw``, ``convert`` and ``play`` read: text of any kind, and tours as arrays of any size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ktsolve.cli.arrays import Large, read_tour_file
from ktsolve.errors import BadInput

if TYPE_CHECKING:
    from ktsolve.ground.arrays import Steps
    from ktsolve.ground.board import Board
    from ktsolve.ground.tour import Tour

__all__ = ["large_tour", "read_file", "read_steps"]

_SMALL = 10_000
"""Cells up to which an array is read by way of its text, as any other tour."""


def read_file(file: str) -> str | Large:
    """The text of a file, or the array of one larger than some thousand cells.

    Raises
    ------
    BadInput
        If the file cannot be read, or is neither text nor an array.
    """
    return read_tour_file(file, _SMALL)


def read_steps(
    large: Large, file: str, board: Board | None = None, closed: bool | None = None
) -> tuple[Steps, bool]:
    """The steps of a large tour, found to be one, and whether it is closed.

    Raises
    ------
    BadInput
        If it is none, or the board is another, or one that is no plain rectangle.
    """
    from ktsolve.ground.arrays import closes, steps_fault
    from ktsolve.settings import Settings

    steps, fault = large.steps, large.fault
    if steps is None or fault is not None:
        raise BadInput(f"{file}: not a tour: {fault}")
    if board is not None and steps.shape != (board.rows, board.columns):
        raise BadInput(f"{file}: the tour has {steps.shape[0]}x{steps.shape[1]} cells, the board is {board}")
    if board is not None and not board.plain:
        raise BadInput(
            f"{file}: an array of {steps.size:,} cells is a knight's tour of a whole board, not of {board}"
        )
    if closed is None:
        closed = closes(steps) if large.closed is None else large.closed
    fault = steps_fault(steps, closed=closed, threads=Settings().thread_budget)
    if fault is not None:
        raise BadInput(f"{file}: not a tour: {fault}")
    return steps, closed


def large_tour(
    large: Large, file: str, board: Board | None, closed: bool | None, *, most: int, why: str
) -> Tour:
    """A large tour as an object.

    Parameters
    ----------
    most, why:
        So many cells at most, as is said with the reason.

    Raises
    ------
    BadInput
        As :func:`read_steps`, and for more cells.
    """
    from ktsolve.ground.arrays import tour_of_steps

    if large.steps is not None and large.steps.size > most:
        rows, columns = large.steps.shape
        raise BadInput(f"{file} is a tour of {rows}x{columns}: {why}")
    steps, closed = read_steps(large, file, board, closed)
    return tour_of_steps(steps, closed=closed)
