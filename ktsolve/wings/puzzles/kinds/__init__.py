"""The table of the kinds of puzzles."""

from __future__ import annotations

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.wings.puzzles.kind import Kind
from ktsolve.wings.puzzles.kinds.hidato import Hidato, KnightMaze, Knights, Numbrix
from ktsolve.wings.puzzles.kinds.masyu import Masyu
from ktsolve.wings.puzzles.kinds.numberlink import Numberlink
from ktsolve.wings.puzzles.kinds.slitherlink import Slitherlink
from ktsolve.wings.puzzles.kinds.yajilin import Yajilin

__all__ = ["KINDS", "kind_named"]

KINDS: dict[str, Kind] = {
    each.name: each
    for each in (
        Slitherlink(),
        Masyu(),
        Yajilin(),
        Numberlink(),
        Hidato(),
        Numbrix(),
        Knights(),
        KnightMaze(),
    )
}
"""All kinds by name."""


def kind_named(name: str) -> Kind:
    """The kind of that name. Raises BadInput for an unknown name.

    >>> kind_named("masyu").title
    'Masyu'
    """
    if name not in KINDS:
        raise BadInput(f"kind {shown(name)} is unknown: use {', '.join(KINDS)}")
    return KINDS[name]
