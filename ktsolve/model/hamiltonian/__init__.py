"""Eager encodings of Hamiltonian cycles: complete sets of clauses, without lazily added subtour cuts.

The caller states that each node has one used arc in and one used arc out, so that the used arcs form disjoint
cycles. An encoding adds clauses that leave a single cycle. Positions start at node 0; arcs into node 0 are
not constrained.

- ``one-hot``: a Boolean for each node and position.
- ``binary``: positions as binary numbers.
- ``remainder``: positions modulo a few small numbers.
- ``elimination``: no cycle remains when the nodes are eliminated one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ktsolve.base.errors import BadInput
from ktsolve.model.clauses import Clauses
from ktsolve.model.hamiltonian.binary import binary
from ktsolve.model.hamiltonian.elimination import elimination
from ktsolve.model.hamiltonian.one_hot import one_hot
from ktsolve.model.hamiltonian.remainder import remainder

__all__ = ["ENCODINGS", "encoding_named"]

Encoding = Callable[[Clauses, int, Sequence[tuple[int, int, int]]], None]
"""A function that adds clauses, given the number of nodes and the arcs as (from, to, DIMACS variable)."""

ENCODINGS: Mapping[str, Encoding] = {
    "one-hot": one_hot,
    "binary": binary,
    "remainder": remainder,
    "elimination": elimination,
}
"""The encodings by name."""


def encoding_named(name: str) -> Encoding:
    """Return the encoding of a name in :data:`ENCODINGS`.

    Parameters
    ----------
    name:
        Such as ``one-hot``.

    Returns
    -------
    Encoding
        The function that adds its clauses.

    Raises
    ------
    BadInput
        If the encoding is unknown.

    Examples
    --------
    >>> encoding_named("one-hot").__name__
    'one_hot'
    """
    if name not in ENCODINGS:
        raise BadInput(f"circuit encoding {name!r} is unknown: use {', '.join(ENCODINGS)}")
    return ENCODINGS[name]
