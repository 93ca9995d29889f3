"""Lists of tours filtered by the checker: conditions that a native listing does not take come after it.

The listing takes the conditions on moves, single ends and given steps. Its tours come as rows of cell
numbers, each without direction and, if closed, without a first cell. The checker tries every labeling that
the question leaves open, in whole arrays (:meth:`TourProblem.check_rows`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from ktsolve.engines.interface import PLAIN_FEATURES
from ktsolve.problem.conditions import Condition, End, Start
from ktsolve.problem.problem import TourProblem

__all__ = ["TourFilter"]

_CELLS = 1 << 20
"""Cells of numbered tours that are checked together."""

Rows = NDArray[np.int32]


class TourFilter:
    """The part of a question that a native listing takes, and the check of the rest.

    Attributes
    ----------
    problem:
        The question.
    listed:
        The question with only the conditions that the listing takes.

    Examples
    --------
    >>> problem = TourProblem(board="3x4", closed=False, starts=["a1", "a3"], ends=["d1", "d2"])
    >>> chosen = TourFilter(problem)
    >>> str(chosen.listed)
    'open 3x4'
    >>> row = [8, 2, 4, 10, 3, 9, 7, 1, 11, 5, 6, 0]
    >>> rows, directions = chosen.fitting(np.array([row], dtype=np.int32))
    >>> len(rows), TourFilter(chosen.listed).fitting(np.array([row]))[1].tolist()
    (0, [2])
    """

    def __init__(self, problem: TourProblem) -> None:
        self.problem = problem

        def part(conditions: Iterable[Condition]) -> TourProblem:
            return TourProblem(board=problem.ground, closed=problem.closed, conditions=conditions)

        every = problem.listed_conditions
        numbered = [each for each in every if each.step_indexed or isinstance(each, Start | End)]
        self.listed = part(each for each in every if each.feature in PLAIN_FEATURES)
        self._unnumbered = part(problem.conditions.difference(numbered, self.listed.conditions))
        self._numbered = part(numbered)

    def fitting(
        self, rows: Rows, worth: Callable[[Rows], NDArray[np.bool_]] | None = None
    ) -> tuple[Rows, NDArray[np.int64]]:
        """Of listed tours those that answer the question, each in such a labeling, and their directions.

        Parameters
        ----------
        rows:
            Tours that the listing found.
        worth:
            A further condition on moves, tested before any labeling.

        Returns
        -------
        tuple
            The tours, and for each the number of its directions, 1 or 2, with such a labeling.
        """
        if self._unnumbered.conditions:
            rows = rows[self._unnumbered.check_rows(rows)]
        if worth is not None and len(rows):
            rows = rows[worth(rows)]
        one_way = self.problem.ground.directed or rows.shape[1] == 1
        if not self._numbered.conditions:
            return rows, np.full(len(rows), 1 if one_way else 2, dtype=np.int64)
        labelings = self._labelings
        at_once = max(1, _CELLS // max(1, rows.shape[1] * labelings))
        found, directions = [rows[:0]], [np.zeros(0, dtype=np.int64)]
        for first in range(0, len(rows), at_once):
            some = rows[first : first + at_once]
            number = np.zeros(len(some), dtype=np.int64)
            chosen = some.copy()
            for direction in (some,) if one_way else (some[:, ::-1], some):  # the given one is preferred
                candidates = self._numbered_from(direction)
                fits = self._numbered.check_rows(candidates.reshape(-1, rows.shape[1]))
                fits = fits.reshape(len(some), -1)
                which = np.flatnonzero(fits.any(axis=1))
                chosen[which] = candidates[which, fits[which].argmax(axis=1)]
                number[which] += 1
            found.append(chosen[number > 0])
            directions.append(number[number > 0])
        return np.concatenate(found), np.concatenate(directions)

    @property
    def _labelings(self) -> int:
        """How many labelings of each direction are tried."""
        if not self.problem.closed or self.problem.known_steps:
            return 1
        return len(self.problem.starts or self.problem.ground)

    def _numbered_from(self, rows: Rows) -> Rows:
        """For each tour in a direction its labelings that the question leaves open: one axis more."""
        problem, n = self.problem, rows.shape[1]
        if not problem.closed:
            return rows[:, None, :]
        index = problem.ground.index
        if problem.known_steps:
            step, cell = problem.known_steps[0]
            first = (rows == index[cell]).argmax(axis=1)[:, None] - (step - 1)
        elif problem.starts:
            cells = np.array([index[cell] for cell in sorted(problem.starts)])
            first = (rows[:, None, :] == cells[None, :, None]).argmax(axis=2)
        else:
            first = np.broadcast_to(np.arange(n), (len(rows), n))
        places = (first[:, :, None] + np.arange(n)) % n
        numbered: Rows = rows[np.arange(len(rows))[:, None, None], places]
        return numbered
