"""The table of the kinds of puzzles. A new kind is a model in ``models/``, a file here, and a row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from ktsolve.base.text import unknown

if TYPE_CHECKING:
    from ktsolve.wings.puzzles.kind import Kind

__all__ = ["KINDS", "kind_named"]

_CLASSES = {
    "slitherlink": "slitherlink:Slitherlink",
    "masyu": "masyu:Masyu",
    "yajilin": "yajilin:Yajilin",
    "numberlink": "numberlink:Numberlink",
    "hidato": "hidato:Hidato",
    "numbrix": "hidato:Numbrix",
    "knight": "hidato:Knights",
    "knight-maze": "hidato:KnightMaze",
}
"""The file and the class of each kind, by its name."""


class _Kinds(Mapping[str, "Kind"]):
    """The kinds by name, each imported when it is used: help and completion need the names alone."""

    def __getitem__(self, name: str) -> Kind:
        return _kind(_CLASSES[name])

    def __iter__(self) -> Iterator[str]:
        return iter(_CLASSES)

    def __len__(self) -> int:
        return len(_CLASSES)


@cache
def _kind(place: str) -> Kind:
    file, _, name = place.partition(":")
    kind: Kind = getattr(import_module(f"{__name__}.{file}"), name)()
    return kind


KINDS: Mapping[str, Kind] = _Kinds()
"""All kinds by name."""


def kind_named(name: str) -> Kind:
    """The kind of that name. Raises BadInput for an unknown name.

    >>> kind_named("masyu").title
    'Masyu'
    """
    if name not in KINDS:
        raise unknown("kind", name, KINDS)
    return KINDS[name]
