"""Texts of sizes in bytes and of times, read and written."""

from __future__ import annotations

import re

from ktsolve.base.errors import BadInput
from ktsolve.base.text import unknown

__all__ = ["parse_bytes", "parse_length", "parse_paper", "parse_seconds", "shown_bytes", "shown_seconds"]

_NUMBER = r"(\d{1,9}(?:\.\d*)?|\.\d+)"
_TIME = re.compile(rf"(?:{_NUMBER}\s*h)?\s*(?:{_NUMBER}\s*m)?\s*(?:{_NUMBER}\s*s)?|{_NUMBER}", re.ASCII)


def parse_seconds(text: str) -> float:
    """Seconds of a text such as ``30``, ``30s``, ``5m``, ``2h`` or ``1h20m``.

    Raises BadInput for anything else.

    >>> parse_seconds("5m"), parse_seconds("0.5"), parse_seconds("1m30s")
    (300.0, 0.5, 90.0)
    """
    match = _TIME.fullmatch(text.strip())
    if match is None or not any(match.groups()):
        raise BadInput(
            f"{text[:40]!r} is not a time: write seconds such as 30 or 0.5, or 5m, or 2h, or 1m30s"
        )
    parts = zip(match.groups(), (3600, 60, 1, 1), strict=True)
    return sum(float(number) * seconds for number, seconds in parts if number)


def parse_bytes(text: str) -> int:
    """Bytes of a text such as ``500M``, ``4G`` or ``2GiB``; the units are powers of 1024.

    Raises BadInput for anything else.

    >>> parse_bytes("2G") == 2 * 2**30
    True
    """
    match = re.fullmatch(r"\s*(\d{1,9}(?:\.\d*)?)\s*([KMGT])(?:i?B)?\s*", text, re.ASCII | re.IGNORECASE)
    if match is None:
        raise BadInput(f"{text[:40]!r} is not a size: write 500M or 4G")
    return int(float(match[1]) * 1024 ** ("KMGT".index(match[2].upper()) + 1))


_LENGTHS = {"mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}  # pixels of a screen, 96 to an inch

_PAPERS = {
    "a3": "297x420mm",
    "a4": "210x297mm",
    "a5": "148x210mm",
    "b5": "176x250mm",
    "letter": "8.5x11in",
    "legal": "8.5x14in",
}


def parse_length(text: str) -> float:
    """Pixels of a length such as ``12cm``, ``120mm`` or ``4.5in``, 96 to an inch. Raises BadInput.

    >>> parse_length("2in")
    192.0
    """
    match = re.fullmatch(r"\s*(\d{1,4}(?:\.\d*)?|\.\d+)\s*(mm|cm|in)\s*", text, re.ASCII | re.IGNORECASE)
    if match is None or not 1 <= (length := float(match[1]) * _LENGTHS[match[2].lower()]) < 20_000:
        raise BadInput(f"{text[:40]!r} is not a length: write 12cm, 120mm or 4.5in, 5 m at most")
    return length


def parse_paper(text: str) -> tuple[float, float]:
    """Width and height of paper in pixels: ``a4``, ``letter`` and others, or ``15x20cm``. Raises BadInput.

    >>> parse_paper("Letter"), parse_paper("6x9in")
    ((816.0, 1056.0), (576.0, 864.0))
    """
    given = _PAPERS.get(text.strip().lower(), text)
    match = re.fullmatch(r"\s*([\d.]+)\s*[x*×]\s*([\d.]+)\s*([a-z]+)\s*", given, re.IGNORECASE | re.ASCII)
    if match is None:
        raise unknown("paper", text, _PAPERS, " or a size such as 15x20cm or 6x9in")
    return parse_length(match[1] + match[3]), parse_length(match[2] + match[3])


def shown_bytes(number: float) -> str:
    """A number of bytes as text, rounded.

    >>> shown_bytes(5 << 20), shown_bytes(3 << 34), shown_bytes(1e30)
    ('5 MiB', '48 GiB', '9e+17 TiB')
    """
    for unit, name in ((2**40, "TiB"), (2**30, "GiB"), (2**20, "MiB")):
        if number >= unit or unit == 2**20:
            size = number / unit
            return f"{size:.0e} {name}" if size >= 1e4 else f"{size:.3g} {name}"
    raise AssertionError


def shown_seconds(seconds: float) -> str:
    """A time as text, rounded.

    >>> [shown_seconds(s) for s in (0.0421, 7, 184, 7300, 400_000, 1e9, 1e18)]
    ['0.042 s', '7.0 s', '3 min 4 s', '2 h 1 min', '4 d 15 h', '32 years', '3e+10 years']
    """
    years = seconds / 31557600
    if years >= 2:
        return f"{years:.0f} years" if years < 1e5 else f"{years:.0e} years"
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds:.3f} s"
    whole = round(seconds)
    units = ((86400, "d", 3600, "h"), (3600, "h", 60, "min"), (60, "min", 1, "s"))
    for unit, name, smaller, its_name in units:
        if whole >= unit:
            return f"{whole // unit} {name} {whole % unit // smaller} {its_name}"
    raise AssertionError
