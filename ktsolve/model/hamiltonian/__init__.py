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

from ktsolve.errors import BadInput
from ktsolve.model.clauses import Clauses
from ktsolve.model.hamiltonian.binary import binary
from ktsolve.model.hamiltonian.elimination import elimination
from ktsolve.model.hamiltonian.one_hot import one_hot
from ktsolve.model.hamiltonian.remainder import remainder

__all__ = ["ENCODINGS", "encoding_named"]

ENCODINGS: Mapping[str, Callable[[Clauses, int, Sequence[tuple[int, int, int]]], None]] = {
    "one-hot": one_hot,
    "binary": binary,
    "remainder": remainder,
    "elimination": elimination,
}
"""The encodings by name. Each takes the clauses to extend, the number of nodes, and the arcs as
(from node, to node, DIMACS variable)."""


def encoding_named(name: str) -> str:
    """Return the key of an encoding in :data:`ENCODINGS`; ``onehot`` is a former name of ``one-hot``.

    Raises
    ------
    BadInput
        If the encoding is unknown.

    Examples
    --------
    >>> encoding_named("onehot")
    'one-hot'
    """
    present = {each.replace("-", ""): each for each in ENCODINGS}.get(name, name)
    if present not in ENCODINGS:
        raise BadInput(f"circuit encoding {name!r} is unknown: use {', '.join(ENCODINGS)}")
    return present
