"""The addresses of pzpr, the program of puzz.link and pzv: how clues are written in them.

An address ends with ``?KIND/COLUMNS/ROWS/BODY``. The body has the clues row by row. The encodings, one for
each sort of clue, are those of the file ``Encode.js`` of pzprjs (https://github.com/robx/pzprjs).
"""

from __future__ import annotations

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
    "write_arrows",
    "write_circles",
    "write_few",
    "write_numbers",
]

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

UNKNOWN = "?"
"""A clue whose value is not said; pzpr writes a dot."""


class Address(NamedTuple):
    """How a kind is written in addresses: its letters, such as ``slither``, and the encoding of its clues."""

    letters: str
    read: Callable[[int, int, str], GridPuzzle]
    write: Callable[[GridPuzzle], str]


def _place(rows: int, columns: int, found: Iterator[tuple[int, str]]) -> GridPuzzle:
    """The puzzle with clues at numbers of cells."""
    clues: dict[Cell, str] = {}
    for index, mark in found:
        if index >= rows * columns:
            raise BadInput(f"the address has more clues than {rows}x{columns} has cells")
        clues[divmod(index, columns)] = mark
    return GridPuzzle.of(rows, columns, clues)


def _value(text: str, base: int) -> int:
    try:
        return int(text, base)
    except ValueError:
        raise BadInput(f"the address has {shown(text, 20)} in the place of a number") from None


def _by_cells(puzzle: GridPuzzle) -> list[str | None]:
    return [puzzle.clue.get(cell) for cell in puzzle.cells]


def _runs(marks: list[str | None], encode: Callable[[int], tuple[str, int]], first: int, longest: int) -> str:
    """Clues in turn, letters for runs of empty cells; ``encode`` returns a clue and the cells it takes."""
    text, run, i = "", 0, 0
    while i < len(marks):
        if marks[i] is None:
            run += 1
            i += 1
            if run == longest:
                text += _DIGITS[first + run - 1]
                run = 0
            continue
        if run:
            text += _DIGITS[first + run - 1]
            run = 0
        clue, taken = encode(i)
        text += clue
        i += taken
    return text + (_DIGITS[first + run - 1] if run else "")


def read_few(rows: int, columns: int, body: str) -> GridPuzzle:
    """Clues from 0 to 4, which carry up to two empty cells after them.

    >>> print(read_few(5, 5, "cbcbcddad"))
    2 . . 1 .
    . 2 . . 1
    . . 2 . .
    3 . . 3 .
    . 0 . . 3
    """

    def found() -> Iterator[tuple[int, str]]:
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

    return _place(rows, columns, found())


def write_few(puzzle: GridPuzzle) -> str:
    """The body that :func:`read_few` reads."""
    marks = _by_cells(puzzle)

    def encode(i: int) -> tuple[str, int]:
        mark = marks[i]
        assert mark is not None
        # Two empty cells are written after the last clue, too.
        empty = next((j for j in (0, 1) if i + j + 1 < len(marks) and marks[i + j + 1] is not None), 2)
        return _DIGITS[int(mark) + 5 * empty], empty + 1

    return _runs(marks, encode, 16, 20)


def read_circles(rows: int, columns: int, body: str, marks: str) -> GridPuzzle:
    """Clues of two sorts, three cells in a letter; ``marks`` has the two.

    >>> print(read_circles(2, 3, "1i", "o*"))
    . . o
    * . .
    """

    def found() -> Iterator[tuple[int, str]]:
        for i, letter in enumerate(body):
            code = _value(letter, 27)
            for j, value in enumerate((code // 9, code // 3 % 3, code % 3)):
                if value:
                    yield 3 * i + j, marks[value - 1]

    return _place(rows, columns, found())


def write_circles(puzzle: GridPuzzle, marks: str) -> str:
    """The body that :func:`read_circles` reads."""
    values = [0 if mark is None else marks.index(mark) + 1 for mark in _by_cells(puzzle)]
    values += [0] * (-len(values) % 3)
    return "".join(
        _DIGITS[9 * a + 3 * b + c] for a, b, c in zip(*(values[i::3] for i in range(3)), strict=True)
    )


_LONG = {"-": (2, 0), "+": (3, 0), "=": (3, 4096), "%": (3, 8192)}
"""Hexadecimal digits of larger numbers, and the number added to them."""


def read_numbers(rows: int, columns: int, body: str) -> GridPuzzle:
    """Numbers of any size.

    >>> print(read_numbers(2, 3, "1i-10"))
     1  .  .
     . 16  .
    """

    def found() -> Iterator[tuple[int, str]]:
        at = i = 0
        while i < len(body):
            letter = body[i]
            i += 1
            if letter in _LONG:
                digits, more = _LONG[letter]
                yield at, str(_value(body[i : i + digits], 16) + more)
                i += digits
            elif letter == ".":
                yield at, UNKNOWN
            elif (code := _value(letter, 36)) < 16:
                yield at, str(code)
            else:
                at += code - 16
            at += 1

    return _place(rows, columns, found())


def write_numbers(puzzle: GridPuzzle) -> str:
    """The body that :func:`read_numbers` reads. Raises BadInput for other clues than numbers up to 12287."""
    marks = _by_cells(puzzle)

    def encode(i: int) -> tuple[str, int]:
        mark = marks[i]
        assert mark is not None
        if mark == UNKNOWN:
            return ".", 1
        if not (mark.isascii() and mark.isdigit() and len(mark) < 6 and int(mark) < 8192 + 4096):
            raise BadInput(f"clue {shown(mark, 20)} has no place in an address: it is no number up to 12287")
        number = int(mark)
        if number < 16:
            return f"{number:x}", 1
        for sign, (digits, more) in _LONG.items():
            if number - more < 16**digits:
                return f"{sign}{number - more:0{digits}x}", 1
        raise AssertionError

    return _runs(marks, encode, 16, 20)


_ARROWS = ".^v<>"
"""The directions by their numbers; 0 stands for a clue without an arrow."""


def read_arrows(rows: int, columns: int, body: str) -> GridPuzzle:
    """Numbers with arrows.

    >>> print(read_arrows(5, 5, "m32j10"))
     .  .  .  .  .
     .  .  .  .  .
     .  .  . 2<  .
     .  .  .  .  .
     .  .  .  . 0^
    """

    def found() -> Iterator[tuple[int, str]]:
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
            # A clue without number or without arrow says nothing about other cells.
            yield at, UNKNOWN if text == "." or not code else f"{_value(text, 16)}{_ARROWS[code]}"
            at += 1

    return _place(rows, columns, found())


def write_arrows(puzzle: GridPuzzle) -> str:
    """The body that :func:`read_arrows` reads."""
    marks = _by_cells(puzzle)

    def encode(i: int) -> tuple[str, int]:
        mark = marks[i]
        assert mark is not None
        if mark == UNKNOWN:
            return "0.", 1
        number, direction = int(mark[:-1]), _ARROWS.index(mark[-1])
        if number < 16:
            return f"{direction}{number:x}", 1
        return (f"{direction + 5}{number:02x}" if number < 256 else f"-{direction}{number:03x}"), 1

    return _runs(marks, encode, 10, 26)
