"""Formats of output: the name of the file decides, ``--format`` overrides it.

Every command of the core states here, in one table, in which formats it writes its answer; a wing does so
beside its commands. What is not among them is refused before the work, with those that are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.formats.table import FORMATS, Format, format_named, format_of_suffix, formats_of, listed


@dataclass(frozen=True)
class Writes:
    """What a command writes."""

    what: str  # a phrase for errors: ``a count``
    formats: tuple[Format, ...]
    """Its formats. The first is the default, for standard output and for names without a suffix."""
    suffixed: bool = False  # whether a name without a suffix is refused, because no format is the usual one
    pictures_beside: bool = False  # whether another option names a picture, which has the options of pictures

    @property
    def drawn(self) -> bool:
        """Whether pictures are among the formats, and not only pages of the player."""
        return not set(self.formats).isdisjoint(_STILLS)

    def form(self, output: str | None, named: str | None = None, option: str = "-o") -> Format:
        """The format of a file: the named one, else the one of its suffix, else the default.

        >>> ANSWER.form("count.json").name, ANSWER.form("-").name, ANSWER.form("a.csv", "json").name
        ('json', 'text', 'json')
        >>> ANSWER.form("count.svg")
        Traceback (most recent call last):
        ...
        ktsolve.base.errors.BadInput: -o count.svg: an answer is written as .txt or .json, not .svg
        """
        if named is not None:
            if named in names_of(FORMATS) - names_of(self.formats):
                raise BadInput(f"--format {named}: {self.what} is written as {listed(self.formats)}")
            return format_named(named, self.formats)
        suffix = PurePath(output or "").suffix
        if output in (None, "-") or (suffix in ("", ".") and not self.suffixed):
            return self.formats[0]
        found = format_of_suffix(output, self.formats)
        if found is None:
            given = f", not {shown(suffix, 20)[1:-1]}" if suffix else ""
            raise BadInput(f"{option} {output}: {self.what} is written as {self.suffixes}{given}")
        return found

    @property
    def suffixes(self) -> str:
        """The suffixes of all formats, for errors and help texts."""
        *others, last = dict.fromkeys(f".{suffix}" for each in self.formats for suffix in each.suffixes)
        return f"{', '.join(others)} or {last}" if others else last


def names_of(formats: Iterable[Format]) -> set[str]:
    """The names and aliases of formats."""
    return {name for each in formats for name in (each.name, *each.aliases)}


def holds_several(form: Format) -> bool:
    """Whether a file of this format may hold several tours: lists, sheets, the player, but no animation."""
    return form.several or (form.holds == "picture" and "frames" not in form.options)


def some_formats(holds: str, *names: str) -> tuple[Format, ...]:
    """Return the formats of these names that hold something: ``answer``, ``picture``, ``tour`` ..."""
    return tuple(format_named(name, formats_of(holds)) for name in names)


_STILLS = some_formats("picture", "svg", "pdf", "tikz", "png")
_DRAWN = (*_STILLS, *some_formats("picture", "gif", "apng", "html"))
_OTHER_TOURS = tuple(each for each in formats_of("tour") if each.name != "grid")

ANSWER = Writes("an answer", some_formats("answer", "text", "json"))
TABLE = Writes("a table", some_formats("answer", "text", "json", "csv"))
COUNT = Writes("a count", (*TABLE.formats, *_STILLS))
SURVEY = Writes("a survey", (*TABLE.formats, *_STILLS))
SEQUENCE = Writes("a sequence", some_formats("answer", "text", "bfile", "csv", "json"))
TOURS = Writes("a tour", (*some_formats("tour", "grid"), *_OTHER_TOURS, *_DRAWN))
WALK = Writes(
    "a non-crossing walk",
    tuple(each for each in TOURS.formats if each.holds == "picture" or each.bare or each.name == "grid"),
)
LONGEST = Writes("a longest walk", (*ANSWER.formats, *_STILLS))
PICTURE = Writes("a picture", (*some_formats("picture", "text"), *_DRAWN), suffixed=True)
STILL = Writes("this picture", _STILLS, suffixed=True)
PLAYER = Writes("the player", some_formats("picture", "html"))
GRAPHS = Writes("a list of graphs", (*TABLE.formats, *some_formats("graph", "g6")))
SOLUTION = Writes(
    "a solution, its model or its steps",
    (*some_formats("answer", "text", "json", "sol"), *formats_of("model", can="write"), *_STILLS),
)
CLAUSES = Writes("a formula", some_formats("model", "cnf"), suffixed=True)
CERTIFICATE = Writes("a certificate", some_formats("answer", "json"))
TRACE = Writes("a recorded walk", some_formats("answer", "json"))
