"""Random Hamiltonian paths: changes at the ends of a given one.

The move is the "backbite" of Mansfield (1982): an end is joined to a neighbour inside the path, and the edge
behind that neighbour is removed, which turns a part of the path around.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from ktsolve.graphs.notation import Cell

__all__ = ["random_walk"]

_MOVES = 12
"""Moves for each cell of the path."""


def random_walk(
    walk: Sequence[Cell], around: Mapping[Cell, Sequence[Cell]], chooser: random.Random
) -> list[Cell]:
    """A random walk through the same cells; its time is quadratic in their number.

    Parameters
    ----------
    around:
        The cells one step from each.

    Examples
    --------
    >>> around = {(0, 0): [(0, 1)], (0, 1): [(0, 0), (0, 2)], (0, 2): [(0, 1)]}
    >>> sorted(random_walk([(0, c) for c in range(3)], around, random.Random(1)))
    [(0, 0), (0, 1), (0, 2)]
    """
    path = list(walk)
    if len(path) < 3:
        return path
    for _ in range(_MOVES * len(path)):
        if chooser.random() < 0.5:
            path.reverse()
        near = [cell for cell in around[path[-1]] if cell != path[-2]]
        if near:
            at = path.index(chooser.choice(near))
            path[at + 1 :] = path[:at:-1]
    return path
