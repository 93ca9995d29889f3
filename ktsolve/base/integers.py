"""Whole numbers of a text as arrays: a million lines take no Python object each."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.errors import BadInput
from ktsolve.base.text import number_of, shown

__all__ = ["Numbers", "as_bytes", "is_numbers", "read_numbers"]

_BLANKS = b" \t\r\n"

_DIGITS = b"0123456789"

_LONGEST = 18  # digits of a number that fits into 64 bits


class Numbers(NamedTuple):
    """The whole numbers of a text in order, and the line of each, from 0."""

    values: NDArray[np.int64]
    lines: NDArray[np.int64]

    def columns(self) -> int | None:
        """The number of numbers in every line that has some; None if lines differ. 0 without any."""
        if not len(self.values):
            return 0
        ends = np.flatnonzero(np.diff(self.lines)) + 1
        lengths = np.diff(np.concatenate(([0], ends, [len(self.lines)])))
        return int(lengths[0]) if bool((lengths == lengths[0]).all()) else None

    def rows(self, columns: int, what: str) -> NDArray[np.int64]:
        """The numbers as lines of equal length.

        Raises BadInput with the first line that has another length, and ``what`` it should be.
        """
        size = len(self.values)
        if not size:
            return np.empty((0, columns), dtype=np.int64)
        starts = np.flatnonzero(np.diff(self.lines, prepend=-1))
        lengths = np.diff(starts, append=size)
        if (wrong := lengths != columns).any():
            at = int(starts[int(np.argmax(wrong))])
            line, given = int(self.lines[at]) + 1, int(lengths[int(np.argmax(wrong))])
            raise BadInput(f"line {line} has {number_of(given, 'number')}, not {what}")
        return self.values.reshape(-1, columns)


def as_bytes(text: str) -> bytes:
    """The text in UTF-8; bytes that are not text become question marks, which no reader of numbers takes."""
    return text.encode("utf-8", "replace")


def is_numbers(text: bytes, besides: bytes = b"") -> bool:
    """Whether a text has digits and white space only, and these other characters."""
    return not text.translate(None, _DIGITS + _BLANKS + besides)


def read_numbers(text: bytes, what: str, *, signed: bool = False, first_line: int = 0) -> Numbers:
    """The whole numbers of a text of digits and white space; ``signed`` ones may have a minus.

    Raises BadInput for anything else, or a number of more than 18 digits, with its line, counted from
    ``first_line``, and ``what`` a line should be: ``two vertices, such as 1 2``.
    """
    if not is_numbers(text, b"-" if signed else b""):
        _refuse(text, what, signed, first_line)
    array = np.frombuffer(text, dtype=np.uint8)
    inside = array > 32
    edge = np.diff(inside, prepend=False, append=False)
    bounds = np.flatnonzero(edge)
    starts, ends = bounds[::2], bounds[1::2]
    if len(starts) and int((ends - starts).max()) > _LONGEST:
        _refuse(text, what, signed, first_line)
    if signed:  # a minus alone, or within a number
        minus = np.flatnonzero(array == ord("-"))
        alone = np.append(array[1:], 10)[minus] <= ord("-")
        if alone.any() or (np.concatenate(([10], array[:-1]))[minus] > 32).any():
            _refuse(text, what, signed, first_line)
    newlines = np.flatnonzero(array == 10)
    lines = np.searchsorted(newlines, starts) + first_line
    values = np.fromstring(text, dtype=np.int64, sep=" ") if len(starts) else np.empty(0, dtype=np.int64)
    return Numbers(values, lines)


def _refuse(text: bytes, what: str, signed: bool, first_line: int) -> None:
    for number, line in enumerate(text.split(b"\n"), first_line + 1):
        for word in line.split():
            digits = word.removeprefix(b"-") if signed else word
            if not digits or digits.translate(None, _DIGITS) or len(digits) > _LONGEST - 1:
                raise BadInput(f"line {number}: {shown(word.decode('utf-8', 'replace'), 24)} is not {what}")
    raise BadInput(f"a line is not {what}")
