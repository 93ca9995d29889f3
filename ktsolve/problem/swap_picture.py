"""Pictures of boards with pieces, as text: ``W`` a piece, ``.`` an empty cell, ``x`` no cell at all."""

from __future__ import annotations

from ktsolve.errors import BadInput

__all__ = ["EMPTY", "MISSING", "read_picture"]

EMPTY = "."
MISSING = "x"


def read_picture(text: str, where: str) -> tuple[str, ...]:
    r"""The rows of a picture; rows are lines, or separated by ``/``. Linear in the text.

    Parameters
    ----------
    text:
        Letters and digits are pieces, except ``x``, which says that there is no cell.
    where:
        What the picture is of (``start``, ``goal``), for errors.

    Raises
    ------
    BadInput
        Naming row and column of what is not understood.

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
