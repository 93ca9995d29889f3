"""Which rectangles have knight's tours: theorems on the two sides, for boards of any size."""

from __future__ import annotations

from ktsolve.base.text import plural
from ktsolve.graphs.notation import Cell, cell_name

__all__ = ["closed_reason", "schwenk", "why_none"]


def schwenk(rows: int, columns: int) -> str | None:
    """Why a rectangle with an even side has no closed tour; None if it has one.

    Source: A. J. Schwenk, Which rectangular chessboards have a knight's tour?, Math. Magazine 64 (1991).
    """
    short, long = sorted((rows, columns))
    if short in (1, 2, 4):
        return "no closed tour exists on a rectangle with a side of 1, 2 or 4"
    if short == 3 and long in (4, 6, 8):
        return "no closed tour exists on 3x4, 3x6 and 3x8"
    return None


def closed_reason(rows: int, columns: int) -> str | None:
    """Why a rectangle has no closed tour, with the theorem; None if it has one.

    >>> closed_reason(4, 1000)
    'no closed tour exists on a rectangle with a side of 1, 2 or 4 (Schwenk 1991)'
    >>> closed_reason(10**4, 10**4) is None
    True
    """
    if rows % 2 and columns % 2:
        more = (rows * columns + 1) // 2
        return (
            f"a closed tour alternates between the two colours, but the board has {more} "
            f"{plural(more, 'cell')} of one and {more - 1} of the other (colours)"
        )
    reason = schwenk(rows, columns)
    return None if reason is None else f"{reason} (Schwenk 1991)"


def _open_reason(rows: int, columns: int) -> str | None:
    """Why a rectangle has no open tour, with the theorem; None if it has one.

    Source: P. Cull and J. De Curtins, Knight's tour revisited, Fibonacci Quarterly 16 (1978), for sides of at
    least 5; G. L. Chia and S.-H. Ong, Generalized knight's tours on rectangular chessboards, Discrete Applied
    Mathematics 150 (2005), for all.

    >>> _open_reason(3, 5)
    'no open tour exists on 3x3, 3x5, 3x6 and 4x4 (Chia and Ong 2005)'
    >>> _open_reason(3, 7) is None, _open_reason(1, 1) is None
    (True, True)
    """
    short, long = sorted((rows, columns))
    if short <= 2 and long > 1:
        return "no open tour exists on a rectangle with a side of 1 or 2, one cell aside (Chia and Ong 2005)"
    if (short, long) in ((3, 3), (3, 5), (3, 6), (4, 4)):
        return "no open tour exists on 3x3, 3x5, 3x6 and 4x4 (Chia and Ong 2005)"
    return None


def _ends_reason(rows: int, columns: int, start: Cell | None, end: Cell | None) -> str | None:
    """Why colours alone allow no open tour of a rectangle with these ends; None if they do.

    >>> _ends_reason(6, 6, (5, 0), (0, 5))
    'an open tour of 36 cells ends on the other colour, but a1 and f6 have the same (colours)'
    >>> _ends_reason(7, 7, (0, 1), None)
    'an open tour of 49 cells begins and ends on the colour of the corners, which b7 has not (colours)'
    """
    cells = rows * columns
    given = [cell for cell in (start, end) if cell is not None]
    if cells % 2:
        for cell in given:
            if sum(cell) % 2:
                return (
                    f"an open tour of {cells} cells begins and ends on the colour of the corners, "
                    f"which {cell_name(cell, rows)} has not (colours)"
                )
    elif len(given) == 2 and sum(map(sum, given)) % 2 == 0:
        first, last = (cell_name(cell, rows) for cell in given)
        return (
            f"an open tour of {cells} cells ends on the other colour, "
            f"but {first} and {last} have the same (colours)"
        )
    return None


def why_none(
    rows: int, columns: int, *, closed: bool, start: Cell | None = None, end: Cell | None = None
) -> str | None:
    """Return the theorem by which a rectangle has no such tour; None if no theorem applies.

    >>> why_none(3, 8, closed=True)
    'no closed tour exists on 3x4, 3x6 and 3x8 (Schwenk 1991)'
    """
    if closed:
        return closed_reason(rows, columns)
    return _open_reason(rows, columns) or _ends_reason(rows, columns, start, end)
