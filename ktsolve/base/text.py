"""Texts of values, counts and names, as messages and files have them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import log10
from typing import Any

from ktsolve.base.errors import BadInput

__all__ = [
    "as_tuple",
    "check_kind",
    "csv_text",
    "entries",
    "first_paragraph",
    "number_of",
    "plural",
    "quoted",
    "separated",
    "shown",
    "shown_count",
    "small_number",
    "split_outside_quotes",
    "text_of_name",
    "unknown",
    "unquoted",
]

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_SPECIAL = re.compile(r'[\s,;\-=><:"]')


def csv_text(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    r"""Return a table as CSV.

    >>> csv_text(["move", "tours"], [["a1-b3", 8]])
    'move,tours\na1-b3,8\n'
    """
    import csv
    from io import StringIO

    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows([heads, *rows])
    return text.getvalue()


def entries(text: str, what: str, *, characters: bool = False) -> list[list[str]]:
    r"""The entries of a grid, row by row, separated by spaces or ``|``; without empty lines.

    With ``characters``, each character is an entry if no line has a separator. Raises BadInput, which says
    ``what`` is read, for rows of different lengths.

    >>> entries("| 1 | 12 |\n| . |  3 |", "puzzle")
    [['1', '12'], ['.', '3']]
    """
    lines = {n: line.strip() for n, line in enumerate(text.strip("\ufeff \r\n").splitlines(), 1)}
    lines = {n: line for n, line in lines.items() if line.strip("| \t")}
    whole = characters and not any(re.search(r"[\s|]", line) for line in lines.values())
    rows = {n: [*line] if whole else line.replace("|", " ").split() for n, line in lines.items()}
    width = len(next(iter(rows.values()), []))
    for n, row in rows.items():
        if re.search(r"\|\s*\|", lines[n]):
            raise BadInput(f"line {n} of the {what} has an empty entry: write . for a cell to be found")
        if len(row) != width:
            raise BadInput(
                f"line {n} of the {what} has {len(row)} entries where line {min(rows)} has {width}"
            )
    return [*rows.values()]


def as_tuple(value: Any) -> tuple[Any, ...]:
    """The values in a tuple, a list or the like; of anything else the value alone."""
    return tuple(value) if isinstance(value, Iterable) else (value,)


def check_kind(value: object, kind: type | tuple[type, ...], right: str) -> None:
    """Raise BadInput for a value of another type; ``right`` says what is wanted, as "a board"."""
    if not isinstance(value, kind):
        raise BadInput(f"{shown(value)} is not {right}")


def first_paragraph(text: str | None) -> str:
    """Return the first paragraph of a docstring in one line, without its full stop."""
    return " ".join((text or "").strip().partition("\n\n")[0].split()).rstrip(".")


def small_number(digits: str) -> int:
    """The number, or 10**9 for any that is larger."""
    # int() refuses very long strings of digits; every number past the largest side is equally wrong.
    digits = digits.lstrip("0") or "0"
    return int(digits) if len(digits) <= 9 else 10**9


def shown(value: object, length: int = 40) -> str:
    """A value in an error message: one line, shortened, unprintable characters escaped.

    >>> print(shown("b3"), shown([1] * 100, 20))
    'b3' [1, 1, 1, 1, 1, ...
    """
    if isinstance(value, str):
        return repr(value if len(value) <= length else value[: length - 3] + "...")
    try:
        text = " ".join(repr(value).split())
    except (ValueError, RecursionError):  # Python does not write out numbers of thousands of digits
        return f"a {type(value).__name__} of enormous length"
    return text if len(text) <= length else text[: length - 3] + "..."


def unknown(
    what: str, given: object, names: Iterable[str], others: str = "", wrong: str = "is unknown"
) -> BadInput:
    """The error for a name that is not among ``names``: those like it come first, ``others`` last.

    >>> print(unknown("theme", "drak", ["light", "dark"]))
    theme 'drak' is unknown: did you mean dark? use light, dark
    """
    listed = [*names]
    meant = near(shown(given).strip("'\"").lower(), listed)
    return BadInput(f"{what} {shown(given)} {wrong}: {meant}use {', '.join(listed)}{others}".lstrip())


def near(given: str, names: Iterable[str], likeness: float = 0.6) -> str:
    """A question with the two names most like ``given``, and a space after it; empty where none is like it.

    >>> near("petersn", ["petersen", "coxeter"])
    'did you mean petersen? '
    """
    from difflib import get_close_matches

    found = get_close_matches(given, [*names], 2, likeness)
    return f"did you mean {' or '.join(found)}? " if found else ""


def separated(number: int) -> str:
    """A number for readers, with separated thousands; of a very long one, about the power of ten.

    >>> separated(13267364410532), separated(10**400)
    ('13,267,364,410,532', 'about 10^400')
    """
    if abs(number) < 10**60:
        return f"{number:,}"
    return f"about 10^{round(number.bit_length() * log10(2))}"


def shown_count(number: int) -> str:
    """A whole number in full, or as an approximate power of two where Python does not print all digits.

    >>> shown_count(9862), shown_count(3**10000)
    ('9862', 'about 2^15849')
    """
    try:
        return str(number)
    except ValueError:
        return f"about 2^{number.bit_length() - 1}"


def plural(number: int, one: str, several: str = "") -> str:
    """The noun for a number of things, ``several`` unless there is exactly one; ends in s by default.

    >>> f"1 {plural(1, 'move')}, 0 {plural(0, 'move')}, 2 {plural(2, 'vertex')}"
    '1 move, 0 moves, 2 vertices'
    """
    if number == 1:
        return one
    return several or ("vertices" if one == "vertex" else f"{one}{'e' if one.endswith('s') else ''}s")


def number_of(number: int, one: str, several: str = "") -> str:
    """A number of things: the number and its noun.

    >>> number_of(1, "edge"), number_of(1200, "edge")
    ('1 edge', '1,200 edges')
    """
    try:
        digits = f"{number:,}"
    except ValueError:  # more digits than Python prints
        digits = shown_count(number)
    return f"{digits} {plural(number, one, several)}"


def quoted(name: str) -> str:
    r"""A name in double quotes, with a backslash before each quote and each backslash in it.

    >>> print(quoted("New York"), quoted('5"'))
    "New York" "5\""
    """
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def unquoted(text: str) -> str | None:
    r"""The name that a text in double quotes stands for; None for any other text.

    >>> print(unquoted('"New York"'), unquoted("New York"))
    New York None
    """
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if _QUOTED.fullmatch(text) else None


def text_of_name(name: str) -> str:
    """A name as texts have it: in double quotes if it holds a space or one of ``, ; - = > < : "``.

    So is a name that begins with ``#``, as comments in files do.

    >>> print(text_of_name("b3"), text_of_name("San Jose"))
    b3 "San Jose"
    """
    return quoted(name) if _SPECIAL.search(name) or name.startswith("#") else name


def split_outside_quotes(text: str, separator: str) -> list[str]:
    """The parts of a text between the matches of a pattern that lie outside of double quotes.

    The parts have no spaces around them. For the pattern a quoted name looks like letters.

    >>> split_outside_quotes('"New York"-"San Jose"', "->|-")
    ['"New York"', '"San Jose"']
    """
    plain = _QUOTED.sub(lambda match: "a" * len(match[0]), text)
    parts, position = [], 0
    for match in re.finditer(separator, plain):
        parts.append(text[position : match.start()].strip())
        position = match.end()
    return [*parts, text[position:].strip()]
