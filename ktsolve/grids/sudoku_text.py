"""Sudoku grids and puzzles as text: the layouts that people have, and the digits that they use.

A text is read for each side N that it may have. A layout that fits two sides is refused, as is a grid whose
digits may be meant in two ways. The lines of a text are

- rows of N cells, together or with blanks, commas, bars or quotes between; or whole grids of N*N cells, with
  text behind, or beside a solution in a table;
- lines of a frame; comments (``#``, ``//``, ``%``); blank lines; headings of sections, of which only
  ``[Puzzle]`` is read; and titles between grids.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import isqrt
from typing import NamedTuple

from ktsolve.base.errors import BadInput
from ktsolve.base.text import number_of, shown
from ktsolve.grids.box import DIGITS, Box, Grid

__all__ = ["PUZZLE_NAMES", "SOLUTION_NAMES", "GridText", "read_grid", "read_grids"]

PUZZLE_NAMES = ("puzzle", "quiz", "quizzes", "question", "sudoku", "board", "grid", "value", "unsolved")
"""Names of puzzles in the heads of tables and in JSON."""

SOLUTION_NAMES = ("solution", "solutions", "answer", "solved")
"""Names of their solutions."""

_ALPHABETS = (DIGITS, "0" + DIGITS[:-1], "ABCDEFGHIJKLMNOP")
"""The signs of digits: 1 to G, 0 to F, A to P; of smaller grids the first ones."""

_NUMBERS = "0" + DIGITS  # the sign of each number
_BLANK = ("", ".", "_", "*", "-", "NULL", "NONE", "NAN")  # empty cells besides 0
_PLAIN = frozenset("0123456789._*-")  # more than half of the characters of a row or grid with a mistake

_SIGNS = str.maketrans(
    {
        **dict.fromkeys("│┃║", "|"),
        **dict.fromkeys("─━═", "-"),
        **dict.fromkeys("┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬┏┓┗┛┣┫┳┻╋╟╢╤╧╪╞╡╥╨╫╠", "+"),
        **dict.fromkeys("·•", "."),
        **dict.fromkeys("[](){}\"'`", " "),
    }
)
"""Lines and brackets in their plain forms, one character for each."""

_FRAME = frozenset("-+|=*:., ")
_SEPARATORS = (";", "\t", ",")
_SECTION = re.compile(r"\[\s*([A-Za-z][\w ]*)\]")
_PAIR = "give a puzzle, or a puzzle and its solution"

_REMARK = re.compile(r"(?:^|\s)(?:#|//|%)")
_NAME = re.compile(r"[^\W\d]+[\W_]*\d*\W*")
_NUMBER = re.compile(r"\W*\d{1,6}\W*")
_WHOLE = re.compile(r"(\d{1,2})(?:\.0+)?")


class _Signs(NamedTuple):
    """The signs of some cells in a row, and their places in the text."""

    signs: Sequence[str]
    line: int
    columns: Sequence[int]


@dataclass
class _Cells:
    """The cells of one grid so far, and where lines of a frame cross its rows."""

    runs: list[_Signs] = field(default_factory=list)
    solution: list[_Signs] = field(default_factory=list)
    groups: set[tuple[int, ...]] = field(default_factory=set)
    cuts: set[int] = field(default_factory=set)

    def __len__(self) -> int:
        return sum(len(run.signs) for run in self.runs)


@dataclass(frozen=True)
class GridText:
    """A grid that was read: its box, its digits and their signs, and the solution that the text gives."""

    box: Box
    grid: Grid
    digits: str
    solution: Grid | None = None


def read_grid(text: str, box: Box | None = None, digits: str | None = None) -> GridText:
    """The one grid or puzzle of a text; see :func:`read_grids`.

    >>> read_grid("1.|.. ..|.2 --+-- 3.|.. ..|..", Box(2, 2)).grid
    (1, 0, 0, 0, 0, 0, 0, 2, 3, 0, 0, 0, 0, 0, 0, 0)
    """
    found = read_grids([(text, "")], box, digits)
    if len(found) != 1:
        raise BadInput(f"the text has {len(found)} grids: give one")
    return found[0]


def read_grids(
    texts: Sequence[tuple[str, str]],
    box: Box | None = None,
    digits: str | None = None,
    *,
    places: bool = True,
) -> list[GridText]:
    r"""The grids or puzzles of texts, each with the text of its solution, or an empty one.

    Without a box it is the one that the frame shows, else the square box whose grid has as many cells.
    ``digits`` are the first and the last digit, such as ``0-F``, where the text may be meant in two ways.
    With ``places`` errors name lines of the text.

    >>> text = "Grid 01\n1...\n..2.\n.3..\n...4\nGrid 02\n.2..3......3..4."
    >>> [each.grid[:4] for each in read_grids([(text, "")])]
    [(1, 0, 0, 0), (0, 2, 0, 0)]
    """
    sides: Sequence[int] = (4, 9, 16) if box is None else (box.side,)
    if box is None and any("|" in text.translate(_SIGNS) for text, _ in texts):
        sides = (4, 6, 8, 9, 10, 12, 14, 15, 16)  # those of frames that show boxes
    read: list[list[GridText]] = []
    refusals: dict[int, BadInput] = {}
    for side in sides:
        try:
            read.append(_read(texts, side, box, digits, places))
        except BadInput as refusal:
            refusals[side] = refusal
    if len(read) == 1:
        return read[0]
    if read:
        shapes = " or ".join(f"{number_of(len(found), 'grid')} of {found[0].box} boxes" for found in read)
        raise BadInput(f"the text may be {shapes}: say which by --box {read[0][0].box} or {read[1][0].box}")
    lines = [line for text, _ in texts for line in text.splitlines() if line.strip()]
    # A single line is a whole grid, or not one at all.
    fits = {side: sum(_fits(line, side, len(lines) == 1) for line in lines) for side in sides}
    best = max(sides, key=lambda side: (fits[side], side == 9, side in (4, 16), side * (len(lines) >= side)))
    drawn_otherwise = len(sides) > 3 and 2 * fits[best] < len(lines)
    if drawn_otherwise or not (fits[best] or (box and len(lines) > 1)):
        raise _miscounted(texts, box)
    raise refusals[best]


def _fits(line: str, side: int, whole: bool) -> bool:
    """Whether a line may be meant as a row or as a whole grid."""
    words = [len(word) for word in re.split(r"[\s|,;]+", line.translate(_SIGNS)) if word]
    lengths = {len(words), sum(words), line.count(","), line.count(",") + 1}
    return side**2 in {*words, *lengths} or (side in lengths and not whole)


def _miscounted(texts: Sequence[tuple[str, str]], box: Box | None) -> BadInput:
    cells = sum(not sign.isspace() and sign not in "|+-" for text, _ in texts for sign in text)
    if box is not None:
        return BadInput(
            f"a grid of {box} boxes has {box.cells} cells, this text {cells}: "
            f"write 1 to {DIGITS[box.side - 1]}, and . for an empty cell"
        )
    return BadInput(
        f"a grid of square boxes has 16, 81 or 256 cells, not {cells}: write a digit or . for each, "
        "or give another box, such as 2x3"
    )


def _read(
    texts: Sequence[tuple[str, str]], side: int, box: Box | None, digits: str | None, places: bool
) -> list[GridText]:
    """The grids of the texts if they have this side."""
    grids: list[_Cells] = []
    for text, solution in texts:
        found = _GridLines(text, side, places).grids
        if solution:
            solved = _GridLines(solution, side, places).grids
            if len(found) != 1 or len(solved) != 1:
                raise BadInput(f"{len(found)} puzzles have {len(solved)} solutions: give one of each")
            found[0].solution = solved[0].runs
        grids += found
    if not grids:
        raise _miscounted(texts, box)
    digit_of, signs = _signs_of(grids, side, digits)
    read = []
    for each in grids:
        grid = _digits(each.runs, digit_of, signs)
        answer = _digits(each.solution, digit_of, signs) if each.solution else None
        read.append(GridText(_framed(each, side, box), grid, signs, answer))
    if len({each.box for each in read}) > 1:
        raise BadInput("the grids have different boxes: put them in files of their own")
    return read


class _GridLines:
    """The grids of this side in a text, as cells."""

    def __init__(self, text: str, side: int, places: bool) -> None:
        self.grids: list[_Cells] = []
        self.side, self.whole = side, side**2
        self._cells = _Cells()
        self._titles: tuple[int | None, int | None] | None = None  # columns of a table, by its head
        self._columns: list[int] = []  # columns of a table, by its first line
        self._first_full, self._last_dropped = False, 0
        lines = re.split(r"\r\n|\r|\n", text.lstrip("\ufeff"))
        plain = [line.translate(_SIGNS) for line in lines]
        # A minus is an empty cell where it is beside digits and other signs of empty cells are not.
        rows = [line for line in plain if self._seems_cells(line) and not _is_frame(line)]
        self._minus = any("-" in row for row in rows) and not any(set("._*") & set(row) for row in rows)
        skipping = False
        for number, (raw, line) in enumerate(zip(lines, plain, strict=True), 1):
            if section := _SECTION.fullmatch(raw.strip()):
                self._end()
                skipping = section[1].strip().lower() != "puzzle"
            elif not skipping:
                remark = _REMARK.search(line)
                kept = len(line[: remark.start()].rstrip() if remark else line)
                self._line(number if places else 0, raw[:kept], line[:kept])
        self._end()
        if self._last_dropped and not self._first_full:
            raise BadInput(
                f"{self._at(self._last_dropped)} has {side + 1} fields, the first and the last one empty: "
                f"give {side} fields"
            )

    def _seems_cells(self, line: str) -> bool:
        """Whether a line has mostly digits and empty cells: such a line is never a title."""
        signs = re.sub(r"[\s|,;+]", "", line)
        return bool(signs) and 2 * sum(sign in _PLAIN for sign in signs) >= len(signs)

    def _seems_grid(self, word: str) -> bool:
        return self._seems_cells(word) or set(word.upper()) <= {*_ALPHABETS[2][: self.side], *_BLANK, "0"}

    def _at(self, number: int) -> str:
        return f"line {number}" if number else f"grid {len(self.grids) + 1}"

    def _end(self) -> None:
        """The place after which a new grid begins."""
        if self._cells.runs:
            rows = number_of(len(self._cells) // self.side, "row")
            where = self._at(self._cells.runs[-1].line)
            raise BadInput(
                f"{where} ends a grid of {rows}: with {self.side} cells in a row "
                f"it has {self.side} rows, and . for an empty cell"
            )

    def _add(self, run: _Signs, *solution: _Signs) -> None:
        self._cells.runs.append(run)
        self._cells.solution += solution
        if len(self._cells) == self.whole:
            self.grids.append(self._cells)
            self._cells = _Cells()

    def _line(self, number: int, raw: str, line: str) -> None:
        stripped = line.strip()
        if not stripped.strip("|"):
            return
        minus_row = self._minus and stripped.count("-") in (self.side, self.whole) and "+" not in stripped
        if _is_frame(stripped) and not minus_row:
            if self._cells.runs:
                self._cells.cuts.add(len(self._cells) // self.side)
            return
        if self._table(number, raw, line):
            return
        row = self._row(number, line)
        cells = len(row.signs)
        fits = cells == self.side or (cells == self.whole and not self._cells.runs)
        if fits and (self._cells.runs or self._seems_grid("".join(row.signs)) or self._is_dense(stripped)):
            self._add(row)
        elif self._cells.runs or not self._is_title(stripped):
            message = f"{number_of(cells, 'cell')}: a row of this grid has {self.side}"
            for sign, column in zip(row.signs, row.columns, strict=True):
                if not (sign.upper() in (*_BLANK, *_NUMBERS[: self.side + 1]) or _WHOLE.fullmatch(sign)):
                    message += f", and {shown(sign)} in column {column} of the text is not one"
                    break
            raise BadInput(f"{self._at(number)} has {message}; write . for an empty cell, # before a remark")

    def _is_dense(self, line: str) -> bool:
        """Whether a line of the length of a row is not a title, even if most of its signs are wrong."""
        words = line.split()
        return max(map(len, words)) < 3 if len(words) > 1 else not _NAME.fullmatch(line)

    def _is_title(self, line: str) -> bool:
        """Whether a line between grids can not be cells with a mistake."""
        if _NUMBER.fullmatch(line) and len(line) < self.side:
            return True
        long = max(map(len, line.split())) >= max(13, self.whole / 2)
        return not (self._seems_cells(line) or long)

    def _table(self, number: int, raw: str, line: str) -> bool:
        """Read a line that has whole grids as words: one of a table, of a collection, or with text behind."""
        if "|" in line:
            return False
        separator = next((sign for sign in _SEPARATORS if sign in raw), None)
        if raw.startswith(":"):  # a line of HoDoKu's library; + is before digits that were placed
            words = raw.replace("+", "").split(":")
        elif separator is None:
            words = line.split()
        else:
            words = _fields(raw, separator)
        if separator is not None and not self.grids and not self._cells.runs and self._titles is None:
            names = [word.lower() for word in words]
            columns = [
                next((k for k, name in enumerate(names) if name in known), None)
                for known in (PUZZLE_NAMES, SOLUTION_NAMES)
            ]
            if columns[0] is not None:
                self._titles = (columns[0], columns[1])
                return True
        if self._titles is not None:
            return self._row_of_table(number, raw, words)
        whole = self._grids_in(words)
        if not whole:
            words, separator = line.split(), None
            whole = self._grids_in(words)
        if not whole:
            return self._words(number, line)
        if self._cells.runs:
            raise BadInput(f"{self._at(number)} begins a grid within another, which has {self.side} rows")
        if separator is not None:
            self._columns = self._columns or whole
        if len(whole) > 2 or (separator is not None and whole != self._columns):
            where = "" if len(whole) > 2 else " in other columns than the lines before"
            raise BadInput(f"{self._at(number)} has {number_of(len(whole), 'grid')}{where}: {_PAIR}")
        for k, word in enumerate(words):
            if k not in whole and 2 * len(word) >= self.whole and self._seems_cells(word):
                raise BadInput(
                    f"{self._at(number)} has a grid of {self.whole} cells and a word of {len(word)}: "
                    f"{shown(word)}; {_PAIR}"
                )
        grids = [self._run(number, raw, words[k]) for k in whole]
        if len(grids) == 2:
            # 0 is a digit of a solution where the empty cells of its puzzle have another sign.
            blanks = [[not set(empty).isdisjoint(run.signs) for run in grids] for empty in (_BLANK, "0")]
            first, second = blanks[0] if any(blanks[0]) else blanks[1]
            if first and second:
                raise BadInput(f"{self._at(number)} has two puzzles: {_PAIR}")
            if second:
                grids.reverse()
        self._add(*grids)
        return True

    def _grids_in(self, words: Sequence[str]) -> list[int]:
        return [k for k, word in enumerate(words) if len(word) == self.whole and self._seems_grid(word)]

    def _row_of_table(self, number: int, raw: str, words: list[str]) -> bool:
        """Read a line of a table whose head names the column of the puzzle."""
        assert self._titles is not None
        read = []
        for column in self._titles:
            if column is None:
                continue
            word = words[column] if column < len(words) else ""
            if len(word) != self.whole:
                raise BadInput(
                    f"{self._at(number)}, field {column + 1} has {number_of(len(word), 'cell')}: "
                    f"this grid has {self.whole}"
                )
            read.append(self._run(number, raw, word))
        self._add(*read)
        return True

    def _words(self, number: int, line: str) -> bool:
        """Read a whole grid whose rows are words, and leave out the text behind it."""
        signs, columns = "", list[int]()
        for word in re.finditer(r"\S+", line):
            if len(signs) == self.whole:
                if self._seems_grid(word[0]):
                    return False
                break
            if _is_frame(word[0]) and not self._minus:
                continue
            if len(signs) > self.whole or (not self._seems_grid(word[0]) and self.side < 10):
                return False
            signs += word[0]
            columns += range(word.start() + 1, word.end() + 1)
        if len(signs) != self.whole or self._cells.runs:
            return False
        self._add(_Signs(signs, number, columns))
        return True

    def _run(self, number: int, raw: str, word: str) -> _Signs:
        """The cells of a grid that is one word."""
        start = max(0, raw.find(word))  # not found where + was left out
        return _Signs(word, number, range(start + 1, start + len(word) + 1))

    def _row(self, number: int, line: str) -> _Signs:
        """The cells of a line: a row, or a whole grid."""
        separator = next((sign for sign in _SEPARATORS if sign in line.strip(" ")), None)
        bars = line.strip().count("|") >= self.side - 1
        if bars or separator is not None:
            # Fields, which may be empty.
            body = line.strip() if bars else line.strip(" ")
            at = line.index(body) + 1
            if bars:
                at += body.startswith("|")
                body = body.removeprefix("|").removesuffix("|")
            fields, columns = [], []
            for part in body.split("|" if bars else separator):
                fields.append(part.strip())
                columns.append(at + len(part) - len(part.lstrip()))
                at += len(part) + 1
            if len(fields) == self.side + 1 and not fields[-1]:
                self._last_dropped = number
                self._first_full |= bool(fields[0])
                fields.pop()
            elif len(fields) == self.side:
                self._first_full = True
            if len(fields) in (self.side, self.whole) and all(len(each) <= 4 for each in fields):
                if bars:
                    self._cells.groups.add((1,) * self.side)
                return _Signs(fields, number, columns[: len(fields)])
        words = [word for word in re.finditer(r"[^\s|,;]+", line) if self._minus or not _is_frame(word[0])]
        places = [k for word in words for k in range(*word.span()) if self._minus or line[k] not in "-+"]
        if len(places) == self.side or len(words) == self.side:
            self._groups(line)
        sizes = (self.side, self.whole)
        if len(words) in sizes and len(places) not in sizes:
            return _Signs([word[0] for word in words], number, [word.start() + 1 for word in words])
        return _Signs([line[k] for k in places], number, [k + 1 for k in places])

    def _groups(self, line: str) -> None:
        """Note the widths of the boxes that bars show in a line."""
        if "|" in line:
            parts = [part.split() for part in line.strip().strip("|").split("|")]
            spaced = sum(len(part) for part in parts) == self.side
            self._cells.groups.add(tuple(len(part) if spaced else sum(map(len, part)) for part in parts))


def _is_frame(line: str) -> bool:
    """Whether a line is one of a frame around boxes."""
    signs = set(line)
    return (signs <= _FRAME and ("--" in line or "==" in line)) or ("+" in signs and signs <= set("-+|= "))


def _fields(line: str, separator: str) -> list[str]:
    """The fields of a line of a table, without quotes."""
    try:
        fields = next(csv.reader([line], delimiter=separator)) if '"' in line else line.split(separator)
    except csv.Error:
        fields = line.split(separator)
    return [each.strip(" \t\"'") for each in fields]


def _sign(sign: str) -> str:
    """The sign of a cell: in upper case, numbers to 16 as one character, ``.`` for an empty cell."""
    sign = sign.upper()
    if sign in _BLANK:
        return "."
    if len(sign) > 1 and (number := _WHOLE.fullmatch(sign)) and int(number[1]) < len(_NUMBERS):
        return _NUMBERS[int(number[1])]
    return sign


def _signs_of(grids: Sequence[_Cells], side: int, digits: str | None) -> tuple[dict[str, int], str]:
    """The digit of each sign in the grids, 0 for an empty cell, and the signs of all digits."""
    found = {sign for each in grids for run in (*each.runs, *each.solution) for sign in set(run.signs)}
    signs = _alphabet(grids, side, digits, {_sign(sign) for sign in found})
    digit_of = {"0": 0, ".": 0, **{sign: digit for digit, sign in enumerate(signs, 1)}}
    return {sign: digit_of[_sign(sign)] for sign in found if _sign(sign) in digit_of}, signs


def _alphabet(grids: Sequence[_Cells], side: int, digits: str | None, used: set[str]) -> str:
    """The signs of the digits 1 to N; refuses grids whose signs may be meant in two ways."""
    choices = [signs[:side] for signs in _ALPHABETS]
    names = [f"{signs[0]}-{signs[-1]}" for signs in choices]
    if digits is not None:
        if digits.upper() not in names:
            raise BadInput(f"digits {shown(digits)} do not fit a side of {side}: give {', '.join(names)}")
        return choices[names.index(digits.upper())]
    blank = "." in used
    zero, clues = "0" in used, used - {"0", "."}
    fits = [clues <= set(signs) for signs in choices]
    one, from_zero, letters = fits[0], fits[1], fits[2] and bool(clues)
    if side <= 9:
        unclear = one and from_zero and zero and (blank or _once_a_row(grids, side))
    else:
        # Without 0 and the last digit the texts of two alphabets look alike.
        last_open = not zero and from_zero and (len(clues) == side - 1 or not clues <= set(DIGITS[:9]))
        unclear = one and (letters or last_open)
    if unclear:
        ways = [name for name, fit in zip(names, fits, strict=True) if fit]
        or_else = ", or write one sign for empty cells" if blank and side <= 9 else ""
        say = f"say which by --digits, such as --digits {ways[0]}"
        raise BadInput(f"the digits of the text may be {' or '.join(ways)}: {say}{or_else}")
    if zero and from_zero and side > 9 and (blank or _once_a_row(grids, side)):
        return choices[1]
    return choices[2] if letters and not one else choices[0]


def _once_a_row(grids: Sequence[_Cells], side: int) -> bool:
    """Whether every row of every grid has exactly one 0: grids without an empty cell."""
    listed = [[sign for run in each.runs for sign in run.signs] for each in grids]
    return all(
        signs[start : start + side].count("0") == 1 for signs in listed for start in range(0, side**2, side)
    )


def _digits(runs: Sequence[_Signs], digit_of: Mapping[str, int], signs: str) -> Grid:
    """The digits of cells, 0 for an empty one."""
    found: list[int] = []
    for run in runs:
        for sign, column in zip(run.signs, run.columns, strict=True):
            digit = digit_of.get(sign)
            if digit is None:
                row, place = divmod(len(found), len(signs))
                where = f" (line {run.line}, column {column} of the text)" if run.line else ""
                raise BadInput(
                    f"{shown(sign)} in row {row + 1}, column {place + 1} is not a digit of this grid{where}: "
                    f"write {signs[0]} to {signs[-1]}, and . for an empty cell"
                )
            found.append(digit)
    return tuple(found)


def _framed(cells: _Cells, side: int, box: Box | None) -> Box:
    """The box that a frame shows; refuses one that contradicts the given box."""
    columns = rows = None
    if len(cells.groups) > 1:
        raise BadInput("the bars of the frame are not below each other: draw them around equal boxes")
    for group in cells.groups:
        if len(group) > 1 and max(group) > 1:
            if len(set(group)) > 1:
                raise BadInput("the bars of the frame are not evenly spaced: draw them around equal boxes")
            columns = group[0]
    cuts = sorted({0, side, *cells.cuts})
    heights = {after - before for before, after in pairwise(cuts)}
    if len(cuts) > 2 and heights != {1}:
        if len(heights) > 1:
            raise BadInput("the lines of the frame are not evenly spaced: draw them around equal boxes")
        rows = heights.pop()
    if box is None and columns is rows is None:
        root = isqrt(side)
        lines_alone = (heights == {1}) != any(max(group) == 1 for group in cells.groups)
        if root**2 != side or lines_alone:
            raise BadInput(
                f"the grid of {side}x{side} cells does not show its boxes: give --box, such as 2x3"
            )
        box = Box(root, root)
    columns = columns or (side // rows if rows else None)
    rows = rows or (side // columns if columns else None)
    box = box or Box(rows or 1, columns or 1)
    if box.side != side or (columns and (rows, columns) != (box.rows, box.columns)):
        raise BadInput(f"the frame is around boxes of {rows}x{columns}, not {box}: give the box of the frame")
    return box
