"""The addresses of pzpr, the program of puzz.link and pzv: how clues are written in them.

An address ends with ``?KIND/COLUMNS/ROWS/BODY``. The body has the clues row by row. The encodings, one for
each sort of clue, are those of the file ``Encode.js`` of pzprjs (https://github.com/robx/pzprjs).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.graphs.notation import Cell
from ktsolve.grids.puzzle import GridPuzzle

__all__ = [
    "Address",
    "read_arrows",
    "read_circles",
    "read_few",
    "read_numbers",
    "runs",
    "write_arrows",
    "write_circles",
    "write_few",
    "write_numbers",
]

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

UNKNOWN = "?"
"""A clue whose value is not said; pzpr writes a dot."""


class Address(NamedTuple):
    """How a kind is written in addresses: its letters, such as ``slither``, and the encoding of its clues.

    ``clues`` yields the clues of a body with the numbers of their cells, and at the end the number of cells
    that the body describes, with an empty text; ``write`` returns the body. The encoding may describe
    ``beyond`` empty cells after the last one.
    """

    letters: str
    clues: Callable[[str], Iterator[tuple[int, str]]]
    write: Callable[[GridPuzzle], str]
    beyond: int = 0

    def read(self, rows: int, columns: int, body: str) -> GridPuzzle:
        """The puzzle of an address.

        >>> print(Address("slither", read_few, write_few, 2).read(5, 5, "cbcbcddad"))
        2 . . 1 .
        . 2 . . 1
        . . 2 . .
        3 . . 3 .
        . 0 . . 3
        """
        clues: dict[Cell, str] = {}
        cells = rows * columns
        for index, mark in self.clues(body):
            if mark and index >= cells:
                raise BadInput(f"the address has more clues than {rows}x{columns} has cells")
            if mark:
                clues[divmod(index, columns)] = mark
            elif not cells <= index <= cells + self.beyond:
                raise BadInput(
                    f"the address describes {index} cells, and {rows}x{columns} has {cells}: copy all of it"
                )
        return GridPuzzle.of(rows, columns, clues)


def _value(text: str, base: int, digits: int = 1) -> int:
    try:
        return int(text if text.isalnum() and len(text) == digits else "", base)
    except ValueError:
        raise BadInput(f"the address has {shown(text, 20)} in the place of a number") from None


def runs(
    puzzle: GridPuzzle, encode: Callable[[str, list[str | None]], tuple[str, int]], first: int, longest: int
) -> str:
    """Clues in turn, letters for runs of empty cells.

    ``encode`` gets a clue and what the next two cells have; it returns the clue and the cells it takes.
    """
    marks = [puzzle.clue.get(cell) for cell in puzzle.cells]
    text, run, i = "", 0, 0
    while i < len(marks):
        mark, taken = marks[i], 1
        if mark is None:
            run += 1
        if run and (mark is not None or run == longest):
            text += _DIGITS[first + run - 1]
            run = 0
        if mark is not None:
            clue, taken = encode(mark, marks[i + 1 : i + 3])
            text += clue
        i += taken
    return text + (_DIGITS[first + run - 1] if run else "")


def read_few(body: str) -> Iterator[tuple[int, str]]:
    """Clues from 0 to 4, which carry up to two empty cells after them.

    >>> list(read_few("cbcd"))
    [(0, '2'), (3, '1'), (6, '2'), (9, '3'), (12, '')]
    """
    at = 0
    for letter in body:
        code = _value(letter, 36) if letter != "." else -1
        if letter == ".":
            raise BadInput("the address has a clue without a number, which this kind does not have")
        if code < 15:
            yield at, str(code % 5)
            at += 1 + code // 5
        elif code > 15:
            at += code - 15
        else:
            raise BadInput(f"the address has {shown(letter)} in the place of a clue")
    yield at, ""


def write_few(puzzle: GridPuzzle) -> str:
    """The body that :func:`read_few` reads."""

    def encode(mark: str, following: list[str | None]) -> tuple[str, int]:
        # Two empty cells are written after the last clue, too.
        empty = next((j for j, each in enumerate(following) if each is not None), 2)
        return _DIGITS[int(mark) + 5 * empty], empty + 1

    return runs(puzzle, encode, 16, 20)


def read_circles(body: str, marks: str) -> Iterator[tuple[int, str]]:
    """Clues of two sorts, three cells in a letter; ``marks`` has the two.

    >>> list(read_circles("1i", "o*"))
    [(2, 'o'), (3, '*'), (6, '')]
    """
    for i, letter in enumerate(body):
        code = _value(letter, 27)
        for j, value in enumerate((code // 9, code // 3 % 3, code % 3)):
            if value:
                yield 3 * i + j, marks[value - 1]
    yield 3 * len(body), ""


def write_circles(puzzle: GridPuzzle, marks: str) -> str:
    """The body that :func:`read_circles` reads."""
    values = [marks.index(puzzle.clue[cell]) + 1 if cell in puzzle.clue else 0 for cell in puzzle.cells]
    values += [0] * (-len(values) % 3)
    return "".join(
        _DIGITS[9 * a + 3 * b + c] for a, b, c in zip(*(values[i::3] for i in range(3)), strict=True)
    )


_LONG = {"-": (2, 0), "+": (3, 0), "=": (3, 4096), "%": (3, 8192)}
"""Hexadecimal digits of larger numbers, and the number added to them."""


def read_numbers(body: str) -> Iterator[tuple[int, str]]:
    """Numbers of any size.

    >>> list(read_numbers("1i-10"))
    [(0, '1'), (4, '16'), (5, '')]
    """
    at = i = 0
    while i < len(body):
        letter = body[i]
        i += 1
        if letter in _LONG:
            digits, more = _LONG[letter]
            yield at, str(_value(body[i : i + digits], 16, digits) + more)
            i += digits
        elif letter == ".":
            yield at, UNKNOWN
        elif (code := _value(letter, 36)) < 16:
            yield at, str(code)
        else:
            at += code - 16
        at += 1
    yield at, ""


def write_numbers(puzzle: GridPuzzle) -> str:
    """The body that :func:`read_numbers` reads. Raises BadInput for other clues than numbers up to 12287."""

    def encode(mark: str, _following: list[str | None]) -> tuple[str, int]:
        if mark == UNKNOWN:
            return ".", 1
        if not (re.fullmatch("0|[1-9][0-9]{0,4}", mark) and int(mark) < 8192 + 4096):
            raise BadInput(
                f"clue {shown(mark, 20)} has no place in an address: only numbers up to 12287 have one"
            )
        number = int(mark)
        if number < 16:
            return f"{number:x}", 1
        for sign, (digits, more) in _LONG.items():
            if number - more < 16**digits:
                return f"{sign}{number - more:0{digits}x}", 1
        raise AssertionError

    return runs(puzzle, encode, 16, 20)


_ARROWS = ".^v<>"  # the directions by their numbers; 0 stands for a clue without an arrow


def read_arrows(body: str) -> Iterator[tuple[int, str]]:
    """Numbers with arrows.

    >>> list(read_arrows("m32j10"))
    [(13, '2<'), (24, '0^'), (25, '')]
    """
    at = i = 0
    while i < len(body):
        letter, digits = body[i], 1
        i += 1
        code = 0 if letter == "-" else _value(letter, 36)
        if code >= 10:
            at += code - 9
            continue
        if letter == "-":
            code, digits = _value(body[i : i + 1], 16), 3
            i += 1
        elif code >= 5:
            code, digits = code - 5, 2
        text = body[i : i + digits]
        i += digits
        if code >= len(_ARROWS):
            raise BadInput(f"the address has the direction {code}, and there are 0 to 4")
        number = text if text == "." else str(_value(text, 16, digits))
        # A clue without number or without arrow says nothing about other cells.
        yield at, number + _ARROWS[code] if code and number != "." else UNKNOWN
        at += 1
    yield at, ""


def write_arrows(puzzle: GridPuzzle) -> str:
    """The body that :func:`read_arrows` reads."""

    def encode(mark: str, _following: list[str | None]) -> tuple[str, int]:
        if mark == UNKNOWN:
            return "0.", 1
        number, direction = int(mark[:-1]), _ARROWS.index(mark[-1])
        if number < 16:
            return f"{direction}{number:x}", 1
        return (f"{direction + 5}{number:02x}" if number < 256 else f"-{direction}{number:03x}"), 1

    return runs(puzzle, encode, 10, 26)
