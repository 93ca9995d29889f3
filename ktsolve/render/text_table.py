"""Text tables with aligned columns, as wide as they have to be or as wide as the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Column", "aligned", "cut", "fitted"]

_GAP = "  "

_READABLE = 16
"""Characters to which a text is cut before a column is dropped."""


@dataclass(frozen=True)
class Column:
    """A column of a table that has to fit.

    Attributes
    ----------
    head:
        The title.
    side:
        ``l`` or ``r``: where the cells are aligned.
    text:
        Whether cells may be cut, as texts may; numbers are shown whole or not at all.
    dropped:
        Columns with greater numbers are dropped first where the table is too wide; with 0 never.
    """

    head: str
    side: str = "l"
    text: bool = False
    dropped: int = 0


def aligned(head: Sequence[str], rows: Sequence[Sequence[str]], sides: str) -> list[str]:
    """Return the lines of a table with columns aligned left (``l``) or right (``r``), two spaces apart.

    >>> aligned(("cell", "tours"), [("a1", "304")], "lr")
    ['cell  tours', 'a1      304']
    """
    return fitted([Column(title, side) for title, side in zip(head, sides, strict=True)], rows)


def fitted(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int | None = None) -> list[str]:
    """Return the lines of a table of at most ``width`` characters, with one line for each row.

    Columns are dropped if the table is too wide with all texts cut to a readable length; then texts are cut.

    >>> columns = [Column("problem", text=True), Column("tours", "r"), Column("source", dropped=1)]
    >>> fitted(columns, [("closed 6x6 symmetry rot180", "78", "OEIS A227301")], 30)
    ['problem                  tours', 'closed 6x6 sym...rot180     78']
    """
    widths = [
        max(len(row[i]) for row in ([column.head for column in columns], *rows)) for i in range(len(columns))
    ]
    least = [
        min(width, _READABLE) if column.text else width for column, width in zip(columns, widths, strict=True)
    ]
    kept = list(range(len(columns)))
    room = float("inf") if width is None else width
    while _line(least, kept) > room and any(columns[i].dropped for i in kept):
        kept.remove(max(kept, key=lambda i: columns[i].dropped))
    while _line(widths, kept) > room and (texts := [i for i in kept if columns[i].text and widths[i] > 1]):
        widths[max(texts, key=widths.__getitem__)] -= 1
    return [
        _GAP.join(
            cell.ljust(widths[i]) if columns[i].side == "l" else cell.rjust(widths[i])
            for i, cell in ((i, cut(row[i], widths[i])) for i in kept)
        ).rstrip()
        for row in ([column.head for column in columns], *rows)
    ]


def _line(widths: Sequence[int], kept: Sequence[int]) -> int:
    """Characters of a line."""
    return sum(widths[i] + len(_GAP) for i in kept) - len(_GAP)


def cut(text: str, width: int) -> str:
    """Return the text, or its beginning, three dots and its end, in at most ``width`` characters.

    >>> cut("closed 6x6", 10), cut("closed 6x6 start a1", 15)
    ('closed 6x6', 'closed 6...t a1')
    """
    if len(text) <= width:
        return text
    end = max(0, width - 3) // 3
    return text[: max(0, width - 3 - end)] + "..."[:width] + text[len(text) - end :]
