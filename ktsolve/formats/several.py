"""Several tours in one text: grids with blank lines or comments between them, and all other formats."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from ktsolve.formats.csv import is_csv
from ktsolve.formats.tsplib import MARK, is_tsplib

__all__ = ["Part", "split_tours"]

_MARK = re.compile(r"[|\s]*(?:\d+|[.-])(?:[|\s]+(?:\d+|[.-]))*[|\s]*")


@dataclass(frozen=True)
class Part:
    """One tour of several.

    Attributes
    ----------
    line:
        Its first line in the whole text, from 1.
    title:
        The comment lines right before it, without their ``#``.
    text:
        The tour, to be read by :func:`ktsolve.formats.reading.read_tour`.
    """

    line: int
    title: str
    text: str


def split_tours(text: str) -> list[Part]:
    r"""The tours of a text, none of them read yet. Linear.

    A line that holds no grid row (a list of cells, an object of JSON) is a tour by itself, except where the
    whole text is one object of JSON; ``"tours"`` in one are as many tours. A header of CSV begins a tour that
    ends with its lines of values, one of TSPLIB a tour that ends at ``EOF``.

    >>> [(part.line, part.title) for part in split_tours("# small\n1 4 7 10\n8 11 2 5\n3 6 9 12\n\na1 b3")]
    [(2, 'small'), (6, '')]
    """
    stripped = text.strip("\ufeff \t\r\n")
    if stripped[:1] in ("{", "[") and (several := _from_json(stripped)) is not None:
        return several
    parts: list[Part] = []
    title: list[str] = []
    rows: list[str] = []
    first = 0

    def finish() -> None:
        if rows:
            parts.append(Part(first, " ".join(title), "\n".join(rows)))
            title.clear()
            rows.clear()

    lines = text.lstrip("\ufeff").splitlines()
    whole = 0  # lines up to here belong to a part already
    for number, line in enumerate(lines, 1):
        if number <= whole:
            continue
        if (csv := is_csv(line)) or is_tsplib(line):
            finish()
            whole = (_end_of_csv if csv else _end_of_tsplib)(lines, number)
            marks = [said for said in title if said.startswith(f"{MARK} {{")]  # they tell the board
            said = " ".join(said for said in title if said not in marks)
            text_of = [*(f"# {mark}" for mark in marks), *lines[number - 1 : whole]]
            parts.append(Part(number, said, "\n".join(text_of)))
            title.clear()
        elif line.startswith("# ") or line.strip() == "#":
            finish()
            title.append(line[1:].strip())
        elif not line.strip():
            finish()
        elif _MARK.fullmatch(line):
            first = first if rows else number
            rows.append(line)
        else:
            if rows:  # a spoilt row of the grid before it: whoever reads the grid says so
                rows.append(line)
                continue
            parts.append(Part(number, " ".join(title), line))
            title.clear()
    finish()
    return parts


def _end_of_csv(lines: list[str], after: int) -> int:
    """How many lines there are up to the last of the CSV whose header is line ``after``."""
    for number in range(after, len(lines)):
        line = lines[number]
        if not any(mark in line for mark in ",;\t") or line.startswith("#") or is_csv(line):
            return number
    return len(lines)


def _end_of_tsplib(lines: list[str], after: int) -> int:
    """How many lines there are up to the EOF of the TSPLIB file that begins in line ``after``.

    Without one it ends where the next begins, or at a blank line after its -1.
    """
    ended = False
    for number in range(after, len(lines)):
        word = lines[number].strip()
        if word == "EOF":
            return number + 1
        if ended and (not word or is_tsplib(word)):
            return number
        ended = ended or word == "-1"
    return len(lines)


def _from_json(text: str) -> list[Part] | None:
    """The parts of one object or list; None if the text is not one."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(data, dict) and isinstance(data.get("tours"), list):
        common = {key: data[key] for key in ("board", "closed") if key in data}
        return [
            Part(1, "", json.dumps(tour if isinstance(tour, dict) else {**common, "squares": tour}))
            for tour in data["tours"]
        ]
    return [Part(1, "", text)]
