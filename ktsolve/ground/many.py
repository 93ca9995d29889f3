"""Several tours in one text: grids with blank lines or comments between them, lines of cells, or JSON."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

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
        The tour, to be read by :func:`ktsolve.ground.formats.read_tour`.
    """

    line: int
    title: str
    text: str


def split_tours(text: str) -> list[Part]:
    r"""The tours of a text, none of them read yet. Linear.

    A line that holds no grid row (a list of cells, an object of JSON) is a tour by itself, except where the
    whole text is one object of JSON; ``"tours"`` in one are as many tours.

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

    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        if line.startswith("# ") or line.strip() == "#":
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
