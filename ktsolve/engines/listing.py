"""Counts of moves over a list of tours, for engines that list them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["listed_move_counts", "listed_tally"]

_BATCH = 4096
"""Tours looked at together."""


def listed_tally(problem: TourProblem, tours: Iterable[Tour], moves: Sequence[int]) -> list[int]:
    """Entry j: the number of these tours that use exactly j of the moves, places in ``ground.edges``."""
    import numpy as np

    chosen = np.zeros(len(problem.ground.edges), dtype=np.int64)
    chosen[np.asarray(moves, dtype=np.int64)] = 1
    total = np.zeros(len(problem.ground) + 1, dtype=np.int64)
    for places in _places(problem, tours):
        total += np.bincount(chosen[places].sum(axis=1), minlength=len(total))
    most = np.flatnonzero(total)
    return total[: most[-1] + 1].tolist() if len(most) else []


def listed_move_counts(problem: TourProblem, tours: Iterable[Tour]) -> list[int]:
    """The number of these tours that use each move, along ``ground.edges``."""
    import numpy as np

    total = np.zeros(len(problem.ground.edges), dtype=np.int64)
    for places in _places(problem, tours):
        total += np.bincount(places.ravel(), minlength=len(total))
    return total.tolist()


def _places(problem: TourProblem, tours: Iterable[Tour]) -> Iterator[NDArray[np.int64]]:
    """Rows of places of the moves of each tour, many tours at a time."""
    import numpy as np

    reader = iter(tours)
    while batch := list(islice(reader, _BATCH)):
        rows = np.array([tour.indices for tour in batch], dtype=np.int64)
        ends = np.roll(rows, -1, axis=1)
        if not problem.closed:
            rows, ends = rows[:, :-1], ends[:, :-1]
        yield problem.ground.places_of(np.stack([rows, ends], axis=2)).reshape(rows.shape)
