"""Tours as CSV: a line for each step."""

from __future__ import annotations

import csv
import io
import re

from ktsolve.errors import BadInput, NotATour
from ktsolve.formats.tsplib import board_mark, read_mark
from ktsolve.ground.board import Board
from ktsolve.ground.notation import LARGEST_SIDE, Cell, shown
from ktsolve.ground.tour import Tour

__all__ = ["as_csv", "is_csv", "read_csv"]

_COLUMNS = ("step", "row", "column")
_HEADER = re.compile(r"\ufeff?(?:#.*\r?\n)*\s*\"?step\"?[,;\t]", re.IGNORECASE)


def as_csv(tour: Tour) -> str:
    r"""The tour as CSV: ``step,row,column,cell``, rows and columns from 0, the top row first.

    Where the cells by themselves do not tell the board and the kind of tour, a first line ``# ktsolve {...}``
    does, which readers of CSV know to leave out as a comment.

    >>> print(as_csv(Tour.from_names(Board.parse("1x3", leaper=(0, 1)), "a1 b1")).replace("\r", ""), end="")
    # ktsolve {"rows": 1, "columns": 3, "without": [], "leaper": [0, 1], "wrap": "none", "closed": false}
    step,row,column,cell
    1,0,0,a1
    2,0,1,b1
    """
    file = io.StringIO()
    if not _tells_itself(tour):
        file.write(f"# {board_mark(tour.board, tour.closed)}\n")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*_COLUMNS, "cell"])
    name = tour.board.name
    writer.writerows([step, *cell, name(cell)] for step, cell in enumerate(tour.squares, 1))
    return file.getvalue()


def _tells_itself(tour: Tour) -> bool:
    if not tour.squares:
        return False
    board = _smallest(list(tour.squares))
    return tour.board == board and tour.closed == Tour(board, tour.squares).closes


def _smallest(cells: list[Cell]) -> Board:
    return Board(max(r for r, _ in cells) + 1, max(c for _, c in cells) + 1)


def is_csv(text: str) -> bool:
    """Does a text begin with the header of such a file?"""
    return _HEADER.match(text) is not None


def read_csv(
    text: str, board: Board | None = None, closed: bool | None = None
) -> tuple[Board, list[Cell], bool | None]:
    """Read what :func:`as_csv` or a spreadsheet wrote: columns ``step``, ``row``, ``column`` in any order.

    Further columns are left out; lines may come in any order. Separators are commas, semicolons or tabs.

    Raises
    ------
    NotATour
        If a step is missing or stands twice.
    BadInput
        If a column is missing, or a value is no number.
    """
    marked, told = read_mark("\n".join(line for line in text.splitlines()[:20] if line.startswith("#")))
    lines = [line for line in text.lstrip("\ufeff").splitlines() if line.strip() and not line.startswith("#")]
    separator = next(mark for mark in ",;\t" if mark in lines[0])
    rows = csv.reader(lines, delimiter=separator)
    header = [name.strip().lower() for name in next(rows)]
    for name in _COLUMNS:
        if header.count(name) != 1:
            raise BadInput(f"the CSV has {header.count(name)} columns {name}: write step,row,column")
    places = [header.index(name) for name in _COLUMNS]
    at: dict[int, Cell] = {}
    for number, row in enumerate(rows, 2):
        step, r, c = (_whole(row, place, number, name) for place, name in zip(places, _COLUMNS, strict=True))
        if step in at:
            raise NotATour(f"line {number} of the CSV: step {step} stands twice")
        at[step] = (r, c)
    for expected, step in enumerate(sorted(at), 1):
        if step != expected:
            raise NotATour(f"step {expected} is missing from the CSV")
    if not at:
        raise BadInput("the CSV has no steps")
    cells = [at[step] for step in sorted(at)]
    board = board or marked or _smallest(cells)
    return board, cells, told if closed is None else closed


def _whole(row: list[str], place: int, number: int, name: str) -> int:
    text = row[place].strip() if place < len(row) else ""
    if not (text.isascii() and text.isdigit()) or len(text) > 12:
        raise BadInput(f"line {number} of the CSV: {shown(text, 20)} is no {name}")
    value = int(text)
    if name != "step" and value >= LARGEST_SIDE:
        raise BadInput(f"line {number} of the CSV: {name} {value} is on no board")
    return value
