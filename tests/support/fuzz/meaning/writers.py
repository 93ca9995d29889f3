"""The parts of the table of written files: writers, kinds of objects, and changes that mean nothing."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["CHANGES", "Kind", "Writer", "changed"]

Written = tuple[str | bytes, Any]
"""A text, and the object in it: less than was given where a format does not hold all of it."""


@dataclass(frozen=True)
class Writer:
    """Something that writes an object in a format.

    Attributes
    ----------
    form:
        Name of the format in the table of its kind.
    by:
        The program, or the variant of the public description.
    write:
        Writes an object of the kind; None if the format does not hold this one.
    sure:
        Whether the unchanged text must be read under a name with the suffix of the format; otherwise a
        refusal is correct as well.
    """

    form: str
    by: str
    write: Callable[[random.Random, Any], Written | None]
    sure: bool = True


@dataclass(frozen=True)
class Kind:
    """A kind of objects.

    Attributes
    ----------
    name:
        Its name.
    formats:
        Names of the formats that are read; each has writers.
    draw:
        A random object, as a value of JSON.
    writers:
        All writers.
    ways:
        The ways in which files are read.
    read:
        Reads contents in a format and in one of these ways, under a name that ends with the given suffix.
    same:
        Whether the object that was read is the one that was meant.
    comments:
        Comments of the formats, with braces in the place of the text.
    variants:
        Other spellings: regular expressions and what stands in their place.
    """

    name: str
    formats: tuple[str, ...]
    draw: Callable[[random.Random], Any]
    writers: tuple[Writer, ...]
    ways: tuple[str, ...]
    read: Callable[[bytes, str, str, str, Any], Any]
    same: Callable[[Any, Any], bool]
    comments: dict[str, tuple[str, ...]]
    variants: dict[str, tuple[tuple[str, str], ...]]


_TEXTS = (
    *("note", "1 2", "3 2", "0 1 1", "p edge 3 2", "graph {", "graph [", "step,row,column", "TYPE : TOUR"),
    *("a1 b2", "1 4 7 10", "EOF", "-1", "*Vertices 2", "x1 + x2", "---", "slitherlink", '"', "[1, 2]", "é"),
)
"""Texts of comments: they look like something else."""


def _crlf(_: random.Random, text: str) -> str:
    return text.replace("\n", "\r\n")


def _mark(_: random.Random, text: str) -> str:
    return "\ufeff" + text


def _blank_lines(chance: random.Random, text: str) -> str:
    """Empty lines in front, behind, or between two lines."""
    lines = text.split("\n")
    for _ in range(chance.randint(1, 2)):
        lines.insert(chance.choice((0, len(lines), chance.randint(0, len(lines)))), chance.choice(("", "  ")))
    return "\n".join(lines)


def _tabs(chance: random.Random, text: str) -> str:
    """Tabs, or several blanks, between words; the caller has seen that no name has a blank in it."""
    return text.replace(" ", chance.choice(("\t", "  ", " \t"))) if '"' not in text else text


def _outer_blanks(chance: random.Random, text: str) -> str:
    """Blanks at the ends of lines, or in front of them."""
    before, after = chance.choice((("", " "), ("", "\t"), (" ", ""), ("  ", " ")))
    return "\n".join(f"{before}{line}{after}" if line else line for line in text.split("\n"))


def _last_line(chance: random.Random, text: str) -> str:
    """The last line without its end, or with more than one."""
    return text.rstrip("\n") + chance.choice(("", "\n\n", "\n\n\n"))


CHANGES: dict[str, Callable[[random.Random, str], str]] = {
    "crlf": _crlf,
    "byte order mark": _mark,
    "blank lines": _blank_lines,
    "tabs": _tabs,
    "outer blanks": _outer_blanks,
    "last line": _last_line,
}
"""Changes of any text that mean nothing. Comments, other spellings and compression are added to them."""

_PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": lambda data: gzip.compress(data, mtime=0),
    ".xz": lzma.compress,
    ".bz2": bz2.compress,
}


def changed(
    chance: random.Random, kind: Kind, writer: Writer, written: Written, number: int
) -> tuple[bytes, list[str], str]:
    """The bytes of a text after some changes, their names, and the suffix of compression."""
    text, meant = written
    names: list[str] = []
    if isinstance(text, str):
        blanks = " " in json.dumps(meant, separators=(",", ":"))
        others = ["comment", "comment"] if writer.form in kind.comments else []
        others += ["spelling"] if writer.form in kind.variants else []
        names = chance.sample([*CHANGES, *others], number)
        # What looks at lines comes before what changes their ends.
        names.sort(key=["spelling", "comment", *reversed(CHANGES)].index)
        for name in names:
            if name == "comment":
                text = _comment(chance, text, kind.comments[writer.form])
            elif name == "spelling":
                pattern, new = chance.choice(kind.variants[writer.form])
                text = re.sub(pattern, new, text)
            elif name != "tabs" or not blanks:
                text = CHANGES[name](chance, text)
        data = text.encode()
    else:
        data = text
    packed = chance.choice([*_PACKERS]) if number and chance.random() < 0.15 else ""
    return _PACKERS[packed](data) if packed else data, [*names, *([packed] if packed else [])], packed


def _comment(chance: random.Random, text: str, comments: Sequence[str]) -> str:
    lines = text.split("\n")
    at = chance.choice((0, 0, chance.randint(0, len(lines) - 1)))
    lines.insert(at, chance.choice(comments).format(chance.choice(_TEXTS)))
    return "\n".join(lines)
