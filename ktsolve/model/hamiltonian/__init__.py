"""Eager encodings of Hamiltonian cycles: all that is to be said about a circuit, as clauses, at once.

Each takes arcs of which every node has one in and one out, so that they form disjoint cycles, and adds
clauses that leave one cycle only. Node 0 is where the cycle is cut open; arcs into it are free.

- ``onehot``: a Boolean for each node and position.
- ``binary``: positions as binary numbers, one more after each arc.
- ``remainder``: positions modulo a few small numbers.
- ``elimination``: no cycle is left when nodes are taken away one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ktsolve.errors import BadInput
from ktsolve.model.hamiltonian.binary import binary
from ktsolve.model.hamiltonian.elimination import elimination
from ktsolve.model.hamiltonian.one_hot import one_hot
from ktsolve.model.hamiltonian.remainder import remainder

if TYPE_CHECKING:
    from ktsolve.model.encode import Encoder

__all__ = ["ENCODINGS", "encoding_named"]

ENCODINGS: Mapping[str, Callable[[Encoder, int, Sequence[tuple[int, int, int]]], None]] = {
    "onehot": one_hot,
    "binary": binary,
    "remainder": remainder,
    "elimination": elimination,
}
"""The encodings by name. Each is called with the collector of clauses, the number of nodes, and the arcs:
from node, to node, DIMACS variable."""


def encoding_named(name: str) -> str:
    """The name under which an encoding stands in :data:`ENCODINGS`; ``one-hot`` may be written so.

    Raises
    ------
    BadInput
        If there is no such encoding.

    Examples
    --------
    >>> encoding_named("one-hot")
    'onehot'
    """
    plain = name.replace("-", "")
    if plain not in ENCODINGS:
        raise BadInput(f"circuit encoding {name!r} is unknown: use {', '.join(ENCODINGS)}")
    return plain
