"""Names of cells, moves and boards, both ways.

A cell is ``(row, column)`` from 0, row 0 on top; its algebraic name is that of chess, files ``a``, ``b``,
..., ``z``, ``aa``, ... from the left and ranks from 1 at the *bottom*, so that ``a1`` is the bottom-left
cell. Wherever a cell can be given, ``b3``, ``2,1`` and ``(2,1)`` are all read.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import product

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown, small_number, unknown

__all__ = ["Cell", "cell_name", "file_name", "parse_cell", "parse_cells", "parse_move", "parse_size"]

Cell = tuple[int, int]

LARGEST_SIDE = 10**9 - 1
"""Longest side of a board; memory limits the number of cells earlier."""

LISTED_SIDE = 20_000
"""Longest side of a board that a list of cells determines: any word with digits is the name of some cell."""

_SIZE = re.compile(r"(\d+)\s*[xX×*]\s*(\d+)", re.ASCII)
_PAIR = r"\(?\s*(\d+)\s*,\s*(\d+)\s*\)?"
_NAME = r"([a-zA-Z]+)(\d+)"
_CELL = re.compile(rf"{_NAME}|{_PAIR}", re.ASCII)
_ARROW = re.compile(r"->|[-–]")
_ITEM = re.compile(rf"(?:first:(\d+)|{_NAME}(?::{_NAME})?|{_PAIR})[\s,;]*", re.ASCII)


@cache
def file_name(column: int) -> str:
    """Name of a column: ``a``, ..., ``z``, ``aa``, ``ab``, ...

    >>> file_name(0), file_name(25), file_name(26)
    ('a', 'z', 'aa')
    """
    letters = ""
    column += 1
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters


def cell_name(cell: Cell, rows: int) -> str:
    """Algebraic name of a cell on a board with ``rows`` rows.

    >>> cell_name((7, 0), 8), cell_name((0, 7), 8)
    ('a1', 'h8')
    """
    row, column = cell
    return f"{file_name(column)}{rows - row}"


def _column(letters: str) -> int:
    if len(letters) > 6:
        return 10**9
    value = 0
    for letter in letters.lower():
        value = value * 26 + ord(letter) - ord("a") + 1
    return value - 1


def _named(letters: str, digits: str, rows: int, columns: int, text: str) -> Cell:
    return _placed(rows - small_number(digits), _column(letters), rows, columns, text)


def _placed(row: int, column: int, rows: int, columns: int, text: str) -> Cell:
    if not (0 <= row < rows and 0 <= column < columns):
        raise BadInput(
            f"cell {shown(text)} is off the {rows}x{columns} board: "
            f"its cells are {cell_name((rows - 1, 0), rows)} to {cell_name((0, columns - 1), rows)}, "
            f"or 0,0 to {rows - 1},{columns - 1} as row,column"
        )
    return row, column


def is_size(text: str) -> bool:
    """Whether a text is the size of a board, such as ``6x6``."""
    return _SIZE.fullmatch(text.strip()) is not None


def parse_size(text: str) -> tuple[int, int]:
    """Rows and columns of ``ROWSxCOLS``, also with ``*``, each at most :data:`LARGEST_SIDE`.

    >>> parse_size("3x10")
    (3, 10)
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise BadInput(f"{shown(text)} is not a board: write ROWSxCOLUMNS, such as 3x10")
    rows, columns = small_number(match[1]), small_number(match[2])
    if rows < 1 or columns < 1:
        raise BadInput(f"a board needs at least one row and one column, not {shown(text)}")
    if max(rows, columns) > LARGEST_SIDE:
        raise BadInput(f"the board {shown(text)} is too large: a side is at most {LARGEST_SIDE}")
    return rows, columns


LEAPERS = {
    "wazir": (0, 1),
    "ferz": (1, 1),
    "dabbaba": (0, 2),
    "knight": (1, 2),
    "alfil": (2, 2),
    "threeleaper": (0, 3),
    "camel": (1, 3),
    "zebra": (2, 3),
    "tripper": (3, 3),
    "fourleaper": (0, 4),
    "giraffe": (1, 4),
    "stag": (2, 4),
    "antelope": (3, 4),
    "ibis": (1, 5),
    "corsair": (2, 5),
    "flamingo": (1, 6),
}
"""The names of leapers in problem chess."""


def parse_leaper(text: str) -> tuple[int, int]:
    """Read a leaper: ``R,S``, or a name of :data:`LEAPERS`.

    >>> parse_leaper("1,3"), parse_leaper("zebra")
    ((1, 3), (2, 3))
    """
    parts = [part.strip() for part in text.split(",")]
    if len(parts) == 2 and all(part.isascii() and part.isdigit() for part in parts):
        return small_number(parts[0]), small_number(parts[1])
    if len(parts) > 1 or not text.strip().isalpha():
        raise BadInput(f"leaper {shown(text)} is not understood: write R,S such as 1,2, or a name: zebra")
    name = text.strip().lower()
    if name not in LEAPERS:
        raise unknown("leaper", text, LEAPERS, ", or R,S such as 1,2")
    return LEAPERS[name]


def parse_cell(text: str, rows: int, columns: int) -> Cell:
    """Read one cell, algebraic or ``row,column``.

    >>> parse_cell("b3", 8, 8), parse_cell("(5, 1)", 8, 8)
    ((5, 1), (5, 1))
    """
    match = _CELL.fullmatch(text.strip())
    if match is None:
        raise BadInput(f"{shown(text)} is not a cell: write b3, or row,column such as 2,1")
    if match[1] is not None:
        return _named(match[1], match[2], rows, columns, text.strip())
    return _placed(small_number(match[3]), small_number(match[4]), rows, columns, text.strip())


def parse_move(text: str, rows: int, columns: int) -> tuple[Cell, Cell]:
    """Read a move ``CELL-CELL``.

    >>> parse_move("a1-b3", 8, 8)
    ((7, 0), (5, 1))
    """
    ends = _ARROW.split(text)
    if len(ends) != 2 or not (ends[0].strip() and ends[1].strip()):
        raise BadInput(f"{shown(text)} is not a move: write two cells, such as a1-b3 or 7,0-5,1")
    return parse_cell(ends[0], rows, columns), parse_cell(ends[1], rows, columns)


def parse_cells(text: str, rows: int, columns: int) -> frozenset[Cell]:
    """Read a set of cells: cells, blocks ``a1:b2``, and ``first:N``, separated by spaces, ``,`` or ``;``.

    ``first:N`` means the first N cells column by column, each column from the top.

    >>> sorted(parse_cells("a1:b1 c3", 3, 3))
    [(0, 2), (2, 0), (2, 1)]
    >>> sorted(parse_cells("first:4", 3, 3))
    [(0, 0), (0, 1), (1, 0), (2, 0)]
    """
    cells: set[Cell] = set()
    text = text.strip()
    position = 0
    while position < len(text):
        match = _ITEM.match(text, position)
        if match is None:
            raise BadInput(
                f"{shown(text[position:])} is not a list of cells: "
                "write cells (b3 or 2,1), blocks (a1:b2) or first:N, separated by spaces"
            )
        item = match[0].strip(" ,;")
        if match[1] is not None:
            number = small_number(match[1])
            if number > rows * columns:
                raise BadInput(f"{shown(item)} exceeds the {rows * columns} cells of the board")
            cells.update((i % rows, i // rows) for i in range(number))
        elif match[2] is not None:
            a, b = _named(match[2], match[3], rows, columns, item)
            c, d = (a, b) if match[4] is None else _named(match[4], match[5], rows, columns, item)
            cells.update(product(range(min(a, c), max(a, c) + 1), range(min(b, d), max(b, d) + 1)))
        else:
            cells.add(_placed(small_number(match[6]), small_number(match[7]), rows, columns, item))
        position = match.end()
    return frozenset(cells)
