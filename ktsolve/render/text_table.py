"""Text tables with aligned columns, as wide as they have to be or as wide as the terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

__all__ = ["Column", "cut", "cut_left", "drawing_in", "fitted", "shortened", "wrapped", "wrapped_lines"]

_GAP = "  "

_READABLE = 16  # characters to which a text is cut before a column is dropped
_WRAPPED = 40  # characters to which a wrapped text is narrowed before a column is dropped
_LONG = 24  # characters to which a number is shortened where nothing is left to drop


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    head: str  # the title
    side: str = "l"  # ``l`` or ``r``: where the cells are aligned
    text: bool = False
    """Whether cells may be cut, as texts may. Numbers are shown whole, or shortened with their length."""
    dropped: int = 0
    """Columns with greater numbers are dropped first where the table is too wide; with 0 never."""
    wraps: bool = False  # whether a text goes on in the next line instead of being cut


def fitted(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int | None = None) -> list[str]:
    """Return the lines of a table of at most ``width`` characters, one for each row unless a text wraps.

    If the table is too wide, texts are cut to a readable length. If that is not enough, columns are dropped,
    then long numbers are shortened, then texts are cut further. Without a width nothing is left out.

    >>> columns = [Column("problem", text=True), Column("tours", "r"), Column("source", dropped=1)]
    >>> fitted(columns, [("closed 6x6 symmetry rot180", "78", "OEIS A227301")], 30)
    ['problem                  tours', 'closed 6x6 sym...rot180     78']
    >>> fitted([Column("cell"), Column("tours", "r")], [("a1", "304")])
    ['cell  tours', 'a1      304']
    """
    widths = [max(map(len, (column.head, *(row[i] for row in rows)))) for i, column in enumerate(columns)]
    kept = list(range(len(columns)))
    if width is not None:
        shortest = [_WRAPPED if column.wraps else _READABLE for column in columns]
        least = [min(widths[i], shortest[i]) if columns[i].text else widths[i] for i in kept]
        while _line(least, kept) > width and any(columns[i].dropped for i in kept):
            kept.remove(max(kept, key=lambda i: columns[i].dropped))
        texts = [i for i in kept if columns[i].text]
        numbers = [i for i in kept if columns[i].side == "r" and not columns[i].text]
        for these, most in ((texts, _READABLE), (numbers, _LONG), (texts, 1)):
            _shrink(widths, these, most, kept, width)
    lines = []
    for row in ([column.head for column in columns], *rows):
        cells = [_cell(columns[i], row[i], widths[i]) for i in kept]
        sides = [str.rjust if columns[i].side == "r" else str.ljust for i in kept]
        for parts in zip_longest(*cells, fillvalue=""):
            padded = (side(part, widths[i]) for i, side, part in zip(kept, sides, parts, strict=True))
            lines.append(_GAP.join(padded).rstrip())
    return lines


def _cell(column: Column, text: str, width: int) -> list[str]:
    """The lines of a cell: one, except where the text wraps."""
    if column.wraps:
        return textwrap.wrap(text, width, break_on_hyphens=False) or [""]
    return [(cut if column.text else shortened)(text, width)]


def _shrink(widths: list[int], these: Iterable[int], most: int, kept: Sequence[int], room: int) -> None:
    """Make the widest of some columns narrower, down to ``most`` characters, until the lines fit."""
    while (excess := _line(widths, kept) - room) > 0 and (wide := [i for i in these if widths[i] > most]):
        widest = max(wide, key=widths.__getitem__)
        others = (widths[i] for i in wide if i != widest)
        widths[widest] -= min(excess, max(1, widths[widest] - max(most, *others, most)))


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


def cut_left(text: str, width: int) -> str:
    """Return the text, or three dots and its end, in at most ``width`` characters.

    >>> cut_left("joining, 81,784 states", 16)
    '...81,784 states'
    """
    return text if len(text) <= width else "..."[:width] + text[len(text) - max(0, width - 3) :]


def shortened(number: str, width: int) -> str:
    """Return a whole number, or its beginning, its end and its length, in at most ``width`` characters.

    Other texts stay as they are, and so do numbers that would not become shorter.

    >>> shortened("13267364410532", 24), shortened("7" * 56, 24)
    ('13267364410532', '777777...777 (56 digits)')
    """
    if len(number) <= width or not number.isdecimal():
        return number
    length = f" ({len(number):,} digits)"
    room = width - len(length) - 3
    end = room // 3
    return f"{number[: room - end]}...{number[len(number) - end :]}{length}" if end > 0 else number


def drawing_in(width: int | None, text: str) -> str:
    """Return a drawing of characters, or what to do where it has more than ``width`` columns.

    >>> print(drawing_in(30, "1 " * 20))
    39 columns wide: -o FILE
    writes it, and a pipe such as
    | less -S shows it
    """
    wide = max(len(line.rstrip()) for line in text.split("\n"))
    if width is None or wide <= width or "\033" in text:
        return text
    advice = f"{wide} columns wide: -o FILE writes it, and a pipe such as | less -S shows it"
    return "\n".join(wrapped(advice, width))


def wrapped(text: str, width: int | None = None, indent: str = "") -> list[str]:
    """Return the lines of a sentence, broken between words; without a width it is one line.

    All lines but the first are indented.

    >>> wrapped("closed 6x6: 9862 undirected tours", 20)
    ['closed 6x6: 9862', 'undirected tours']
    """
    if width is None or len(text) <= width:
        return [text]
    return textwrap.wrap(
        text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def wrapped_lines(text: str, width: int | None) -> str:
    r"""Return a text whose long lines are broken between words; lines in colours stay.

    >>> wrapped_lines("no tour: the board has 25\nin rows", 16)
    'no tour: the\nboard has 25\nin rows'
    """
    lines = text.split("\n")
    return "\n".join(part for line in lines for part in ([line] if "\033" in line else wrapped(line, width)))
