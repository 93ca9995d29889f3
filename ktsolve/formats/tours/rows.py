"""Rows of step numbers, from grids, CSV of spreadsheets and nested lists, and the tour that they are.

A row has a mark for each cell: a step number, or ``.``, ``-``, ``0``, ``-1``, nothing, ``nan`` or ``null``
where no cell is. Entries are separated by blanks, ``|``, commas, semicolons or tabs, and may be in quotes.
Numbers count from 1, or from 0: a single 0 is a step if a move leads from it to 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ktsolve.base.errors import BadInput, NotATour
from ktsolve.base.text import shown
from ktsolve.formats.tours.common import tour_read
from ktsolve.graphs.board import Board
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.tour import Tour

_HOLES = frozenset({".", "-", "", "-1", "nan", "none", "null"})

_FLOAT = re.compile(r"\d{1,12}(?:\.\d*)?(?:e[+-]?\d{1,2})?", re.IGNORECASE | re.ASCII)

_DIGITS = 12  # most digits of a step number

_NAME = re.compile(r"[a-z]{1,4}\d+", re.IGNORECASE | re.ASCII)

_PAIR = re.compile(r"\d+,\d+,?", re.ASCII)

_MISREAD = str.maketrans("OoQlI|", "000111")  # letters that stand for digits in texts typed or scanned

_BLANKS = re.compile(r"[\s|]+")


class Row(NamedTuple):
    """The entries of a row, and the line of the text in which they are."""

    line: int
    marks: list[str]


def rows_of_text(text: str) -> list[Row]:
    r"""The rows of a text without its comments, blank lines and separators at the ends of all lines.

    >>> rows_of_text("1;4;;\n# b\n\"3\";;2;\n")
    [Row(line=1, marks=['1', '4', '']), Row(line=3, marks=['3', '', '2'])]
    """
    rows = [
        Row(number, _split(line))
        for number, line in enumerate(text.split("\n"), 1)
        if not is_blank(line) and not is_comment(line)
    ]
    for end in (-1, 0):
        while rows and all(len(row.marks) > 1 and not row.marks[end] for row in rows):
            for row in rows:
                del row.marks[end]
    return rows


def is_blank(line: str) -> bool:
    """Whether a line has no entries, only separators."""
    return not line.strip(" \t\r;,|\"'\ufeff")


def is_comment(line: str) -> bool:
    """Whether a line is a comment of a grid."""
    return line.startswith("# ") or line.strip() == "#"


def _split(line: str) -> list[str]:
    line = line.strip("\ufeff\r\n")
    for separator in ";,\t":
        if separator in line:
            fields = [field.strip(" \t\r\"'") for field in line.split(separator)]
            if separator != "\t" or not any(_BLANKS.search(field) for field in fields):
                return fields
    return _BLANKS.split(line.strip(" \t\r|"))


def is_row(line: str) -> bool:
    """Whether a line has nothing but step numbers and holes."""
    marks = _split(line)
    return any(marks) and all(_is_entry(mark) for mark in marks)


def _is_entry(mark: str) -> bool:
    return mark.lower() in _HOLES or _step(mark) is not None


def _step(mark: str) -> int | None:
    """Parse an integer, also written ``12.0`` or ``1.2e+01``; None for anything else."""
    if mark.isascii() and mark.isdigit():
        return int(mark) if len(mark) <= _DIGITS else None
    value = float(mark) if _FLOAT.fullmatch(mark) else 0.5
    return int(value) if value.is_integer() and value < 10**_DIGITS else None


def looks_like_rows(text: str) -> bool:
    r"""Whether a text, or its beginning, is meant as rows of numbers, and not as a list of cells.

    >>> looks_like_rows("1 4 7 1O\n8 11 2 5"), looks_like_rows("1,4,7\n8,3,2"), looks_like_rows("0,1 2,3")
    (True, True, False)
    """
    lines = [line.strip("\ufeff \t\r") for line in text.split("\n") if not is_comment(line)]
    body = "\n".join(line for line in lines if line)
    if re.search(r"[(\[{]", body):
        return False
    if re.search(r"[^\W\d_]", body):
        words = [word for word in re.split(r"[\s,;|\"']+", body) if word]
        numbers = sum(1 for word in words if _is_entry(word))
        return 2 * numbers > len(words) and numbers > sum(1 for word in words if _NAME.fullmatch(word))
    if "," not in body:
        return True
    # Pairs of numbers are cells: no tour of a knight has two columns.
    joined = re.sub(r"[ \t]*,[ \t]*", ",", body).strip("; \n")
    return not any(all(map(_PAIR.fullmatch, re.split(r"[\s;>–-]+", each.strip()))) for each in (joined, body))


def tour_of_rows(rows: Sequence[Row], board: Board | None = None, closed: bool | None = None) -> Tour:
    """The tour in rows of step numbers.

    Raises NotATour if a step is missing or given twice, or rows have unequal lengths; BadInput if an entry is
    not a step number, or the board has another size.
    """
    columns = len(rows[0].marks)
    for row in rows:
        if len(row.marks) != columns:
            raise NotATour(
                f"line {row.line} of the grid has {len(row.marks)} entries where line {rows[0].line} has "
                f"{columns}{_joined(rows, min(row, rows[0], key=lambda each: len(each.marks)))}"
            )
    if board is not None and (len(rows), columns) != (board.rows, board.columns):
        raise BadInput(f"the grid has {len(rows)}x{columns} entries, the board is {board.size}")
    at, zeros, holes = _entries(rows)
    if zeros:
        if _counts_from_zero(at, zeros, holes, board or Board(len(rows), columns)):
            at = {step + 1: cell for step, cell in at.items()} | {1: zeros[0]}
        else:
            holes |= set(zeros)
    for expected, step in enumerate(sorted(at), 1):
        if step != expected:
            # One is missing and none occurs twice: another is too large, and its place helps to find it.
            (r, c), large = min((cell, s) for s, cell in at.items() if s > len(at))
            raise NotATour(
                f"step {expected} is missing from the grid, of {len(at)} steps "
                f"(line {rows[r].line}, entry {c + 1} is {large})"
            )
    if not at:
        raise BadInput("the grid holds no step numbers")
    board = board or Board(len(rows), columns, frozenset(holes))
    return tour_read(board, [at[step] for step in sorted(at)], closed)


def _joined(rows: Sequence[Row], short: Row) -> str:
    """A hint at two numbers without a blank between them, empty if none exist in the short row."""
    digits = len(str(len(rows) * max(len(row.marks) for row in rows)))
    found = next((mark for mark in short.marks if mark.isdigit() and len(mark) > digits), None)
    return "" if found is None else f": are two numbers joined in {shown(found, 20)}?"


def _entries(rows: Iterable[Row]) -> tuple[dict[int, Cell], list[Cell], set[Cell]]:
    """The cell of each step, the cells marked 0, and the holes."""
    at: dict[int, Cell] = {}
    zeros: list[Cell] = []
    holes: set[Cell] = set()
    twice: list[tuple[int, str]] = []
    lines = []
    for r, row in enumerate(rows):
        lines.append(row.line)
        for c, mark in enumerate(row.marks):
            number = _step(mark)
            if number is None and mark.lower() not in _HOLES:
                raise BadInput(
                    f"line {row.line}, entry {c + 1}: {shown(mark, 20)} is not a step number{_misread(mark)}"
                )
            step = -1 if number is None else number
            if step < 0:
                holes.add((r, c))
            elif step == 0:
                zeros.append((r, c))
            elif step in at:
                twice.append((step, f"line {row.line}, entry {c + 1}"))
            else:
                at[step] = (r, c)
    if twice:
        step, where = twice[0]
        r, c = at[step]
        missing = [each for each in range(1, len(at) + len(twice) + 1) if each not in at]
        also = f"line {lines[r]}, entry {c + 1}"
        why = f", and step {missing[0]} is missing" if len(missing) == 1 else ""
        if len(missing) > 1 and any(step == 1 for step, _ in twice):
            why = "; between several grids a blank line is needed"
        raise NotATour(f"{where}: step {step} occurs twice (also in {also}){why}")
    return at, zeros, holes


def _misread(mark: str) -> str:
    """A hint at letters that look like digits, empty if none exist."""
    letters = [letter for letter in "OoQlI" if letter in mark]
    if not letters or not mark.translate(_MISREAD).isdigit():
        return ""
    digit = letters[0].translate(_MISREAD)
    return f": is the letter {letters[0]} there for the digit {digit}?"


def _counts_from_zero(at: dict[int, Cell], zeros: list[Cell], holes: set[Cell], board: Board) -> bool:
    """Whether the one 0 is the first step: no hole is marked otherwise, and a move leads from it to 1."""
    if len(zeros) != 1 or 1 not in at or holes - board.removed or len(at) != max(at):
        return False
    first, second = zeros[0], at[1]
    return first in board and second in board and board.adjacent(first, second)


def begins_at_zero(rows: Sequence[Row], tour: Tour) -> bool:
    """Whether the tour that was read from these rows has its first step at the number 0."""
    if not tour.squares or not isinstance(tour.ground, Board):
        return False
    row, column = tour.squares[0]
    return row < len(rows) and column < len(rows[row].marks) and _step(rows[row].marks[column]) == 0
