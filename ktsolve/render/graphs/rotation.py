"""Positions of a symmetric graph on rings that a rotation maps to themselves, as of Petersen's graph."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import permutations
from math import gcd
from typing import TYPE_CHECKING

from ktsolve.graphs.groups import Permutation, automorphism_group

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["rotated_positions"]

_RINGS = 4
_TRIES = 400
"""Products of generators that are tried."""

_KEPT = 6
"""Rotations of each order that are compared."""

Ring = list[int]


def rotated_positions(number: int, pairs: NDArray[np.int64]) -> NDArray[np.float64] | None:
    """Return positions with a rotation of the largest order, or None if no automorphism gives one.

    The cycles of an automorphism are all of one length, at least 3, but for one fixed vertex in the centre.
    They become at most four rings; the order of rings, their starts and the angle of the rotation are those
    with the least sum of lengths of edges.

    >>> import numpy as np
    >>> square = np.array([[0, 1], [1, 2], [2, 3], [0, 3]])
    >>> np.linalg.norm(rotated_positions(4, square), axis=1).round(6).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    generators = automorphism_group(number, [(int(u), int(v)) for u, v in pairs]).generators
    rotations = _rotations(number, generators)
    found = [
        placed
        for rings in rotations
        for step in range(1, len(rings[0]) // 2 + 1)
        if gcd(step, len(rings[0])) == 1
        for placed in _placed(number, pairs, rings, step)
    ]
    return min(found, key=lambda each: each[0])[1] if found else None


def _rotations(number: int, generators: Sequence[Permutation]) -> list[list[Ring]]:
    """The cycles of some automorphisms that are rotations, of the largest order that is found."""
    dice = random.Random(1)
    element = tuple(range(number))
    found: dict[int, list[list[Ring]]] = {}
    for _ in range(_TRIES if generators else 0):
        generator = dice.choice(generators)
        element = tuple(generator[image] for image in element)
        rings = _cycles(element)
        fixed = [ring for ring in rings if len(ring) == 1]
        rings = [ring for ring in rings if len(ring) > 1]
        order = len(rings[0]) if rings else 1
        if order < 3 or len(fixed) > 1 or len(rings) > _RINGS or any(len(ring) != order for ring in rings):
            continue
        kept = found.setdefault(order, [])
        if len(kept) < _KEPT:
            kept.append(rings)
    return found[max(found)] if found else []


def _cycles(element: Permutation) -> list[Ring]:
    seen: set[int] = set()
    cycles = []
    for first in range(len(element)):
        cycle, here = [], first
        while here not in seen:
            seen.add(here)
            cycle.append(here)
            here = element[here]
        if cycle:
            cycles.append(cycle)
    return cycles


def _placed(
    number: int, pairs: NDArray[np.int64], rings: Sequence[Ring], step: int
) -> list[tuple[float, NDArray[np.float64]]]:
    """The sum of lengths of edges, and the positions, for each order of the rings from outside to inside."""
    import numpy as np

    order = len(rings[0])
    # The angle of the i-th image: the rotation turns by this number of steps.
    turns = np.arange(order) * step % order * (2 * np.pi / order)
    found = []
    for chosen in permutations(rings):
        points = np.zeros((number, 2))
        there = np.zeros(number, dtype=bool)
        for place, ring in enumerate(chosen):
            radius = 1 - place / len(rings) * (0.96 if len(rings) > 2 else 1.0)
            inside = np.isin(pairs, ring)
            joined = pairs[inside.any(axis=1) & there[pairs].any(axis=1)]
            best = None
            for shift in range(order if place else 1):
                trial = points.copy()
                angles = turns + turns[1] * shift
                trial[ring] = radius * np.stack([np.sin(angles), -np.cos(angles)], axis=1)
                long = float(np.linalg.norm(trial[joined[:, 0]] - trial[joined[:, 1]], axis=1).sum())
                if best is None or long < best[0] - 1e-9:
                    best = long, trial
            assert best is not None
            points = best[1]
            there[ring] = True
        ends = points[pairs[:, 0]] - points[pairs[:, 1]]
        found.append((round(float(np.linalg.norm(ends, axis=1).sum()), 6), points))
    return found
