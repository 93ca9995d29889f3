"""Pictures of boards with pieces, as text: ``W`` a piece, ``.`` an empty cell, ``x`` a missing cell."""

from __future__ import annotations

from collections.abc import Sequence

from ktsolve.errors import BadInput
from ktsolve.ground.board import Board

__all__ = ["EMPTY", "MISSING", "fit_picture", "read_picture"]

EMPTY = "."
MISSING = "x"


def read_picture(text: str, where: str) -> tuple[str, ...]:
    r"""The rows of a picture; rows are lines, or separated by ``/``. Linear in the text.

    Parameters
    ----------
    text:
        Letters and digits are pieces, except ``x``, which marks a missing cell.
    where:
        The name of the picture (``start``, ``goal``), for errors.

    Raises
    ------
    BadInput
        Naming the row and column of the error.

    Examples
    --------
    >>> read_picture("W.W/.x.\nB.B", "start")
    ('W.W', '.x.', 'B.B')
    >>> read_picture("W.W/.?./B.B", "start")
    Traceback (most recent call last):
    ktsolve.errors.BadInput: start, row 2, column 2: '?' is no piece: write a letter or a digit, ...
    """
    rows = tuple(row.strip() for row in text.strip().replace("/", "\n").splitlines())
    if not rows or not rows[0]:
        raise BadInput(f"{where} is empty: draw the board, such as W.W/.x./B.B")
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise BadInput(
                f"{where}, row {number}: {len(row)} cells, but row 1 has {len(rows[0])}: "
                f"make rows equally long, with {MISSING} where there is no cell"
            )
        for column, mark in enumerate(row, 1):
            if mark not in (EMPTY, MISSING) and not (mark.isascii() and mark.isalnum()):
                raise BadInput(
                    f"{where}, row {number}, column {column}: {mark!r} is no piece: write a letter or a "
                    f"digit, {EMPTY} for an empty cell, {MISSING} for none"
                )
    return rows


def fit_picture(rows: Sequence[str], board: Board, where: str) -> str:
    """The rows joined by ``/``. Raises BadInput unless they show exactly the cells of the board."""
    if (len(rows), len(rows[0])) != (board.rows, board.columns):
        raise BadInput(f"{where} is a picture of {len(rows)}x{len(rows[0])} cells; the board is {board.size}")
    for r, row in enumerate(rows):
        for c, mark in enumerate(row):
            if (mark == MISSING) == ((r, c) in board):
                drawn = "no cell" if mark == MISSING else f"{mark!r}"
                has = "has one" if mark == MISSING else "has no cell"
                raise BadInput(f"{where}, row {r + 1}, column {c + 1}: {drawn} where the board {has}")
    return "/".join(rows)
