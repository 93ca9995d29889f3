"""Indices as typed: whole numbers, ranges, or ``-`` to read them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Annotated

import typer

from ktsolve.base.errors import BadInput, IndexOutOfRange
from ktsolve.base.limits import Settings
from ktsolve.base.text import shown
from ktsolve.cli.input import read_text

__all__ = ["NEGATIVE_NUMBERS", "Bounds", "IndicesArgument", "range_of", "read_bounds"]

_AN_INDEX = "an index is a whole number such as 5, or a range such as 0:10"

IndicesArgument = Annotated[
    list[str],
    typer.Argument(metavar="INDEX...|-", help="Numbers from 0, ranges such as 0:10, or - to read them."),
]

NEGATIVE_NUMBERS = {"ignore_unknown_options": True}
"""Context settings of a command that takes indices: -1 is an index out of range and not an option."""

Bounds = tuple[str, str | None]
"""Digits of an index; or of the first of a range, and of the one after its last."""


def read_bounds(given: Sequence[str], settings: Settings, *, input_taken: bool = False) -> list[Bounds]:
    """The indices and ranges as typed, or those of standard input.

    Parameters
    ----------
    settings:
        Whose memory limit holds for standard input.
    input_taken:
        Whether standard input has something else already.

    Raises
    ------
    BadInput
        For anything but an index, or an input without indices.
    """
    return list(map(_bounds, _texts(given, settings, input_taken=input_taken)))


def _texts(given: Sequence[str], settings: Settings, *, input_taken: bool) -> Iterator[str]:
    for text in given:
        if re.match(r"--?[^\W\d]", text):
            raise BadInput(f"No such option: {text}")
    if "-" not in given:
        yield from given
        return
    if len(given) > 1:
        raise BadInput("- reads all indices from standard input: leave out the others")
    if input_taken:
        raise BadInput("standard input (-) can be read once: name a file for the graph")
    read = read_text("-", _AN_INDEX, settings).split()
    if not read:
        raise BadInput(f"there is no index in the input: it is empty; {_AN_INDEX}")
    yield from read


def _bounds(text: str) -> Bounds:
    match = re.fullmatch(r"(-?[0-9]+)(?::([0-9]+))?", text)
    if match is None:
        raise BadInput(f"{shown(text)} is not a whole number: {_AN_INDEX}")
    return match[1], match[2]


def range_of(bounds: Bounds, count: int, what: str) -> range:
    """The indices between bounds, among ``count`` indices of ``what``.

    Raises
    ------
    IndexOutOfRange
        If one is not below the count.
    BadInput
        If a range ends before it begins.
    """
    first, end = bounds
    start = _number(first, count - 1, first, count, what)
    if end is None:
        return range(start, start + 1)
    stop = _number(end, count, f"{first}:{end}", count, what)
    if stop < start:
        raise BadInput(f"{shown(f'{first}:{end}')} is no range: its first index is past its last")
    return range(start, stop)


def _number(digits: str, most: int, text: str, count: int, what: str) -> int:
    plain = digits.lstrip("0") or "0"
    # A number with more digits is not converted: that takes time quadratic in their number.
    number = most + 1 if len(plain) > len(str(most)) else int(plain)
    if not 0 <= number <= most:
        raise IndexOutOfRange(f"index {shown(text)} is out of range: {what} has 0 to {count - 1}")
    return number
