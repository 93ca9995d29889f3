"""Count tours by the step at which they visit a cell."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ktsolve.base.errors import BadInput, Refused
from ktsolve.base.limits import Clock, Settings
from ktsolve.graphs.graph import Graph, Vertex
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.answer import BaseAnswer, timed
from ktsolve.tasks.count import count
from ktsolve.tasks.list import find_all

__all__ = ["MOST_LISTED", "StepCounts", "step_counts"]

MOST_LISTED = 2_000_000
"""Most undirected tours that are listed to count them by steps; they take about a minute."""


@dataclass(frozen=True)
class StepCounts(BaseAnswer):
    """Directed tours by the step at which they visit a cell.

    Attributes
    ----------
    cell:
        The cell.
    counts:
        Entry k - 1: the number of directed tours that visit the cell at step k.
    """

    cell: Vertex
    counts: tuple[int, ...]

    def records(self) -> list[dict[str, int]]:
        """A row for each step, for tables such as ``pandas.DataFrame``.

        >>> step_counts("5x5", "c3", closed=False, start="a1").records()[-1]
        {'step': 25, 'count': 16}
        """
        return [{"step": step, "count": number} for step, number in enumerate(self.counts, 1)]

    @property
    def found(self) -> bool:
        """Whether there are tours."""
        return self.count > 0

    @property
    def count(self) -> int:
        """The number of directed tours."""
        return sum(self.counts)

    @property
    def mean(self) -> Fraction:
        """The mean step of the visit; 0 if there is no tour."""
        return Fraction(sum(k * count for k, count in enumerate(self.counts, 1)), max(1, self.count))


@timed
def step_counts(
    problem: TourProblem | Graph | str | Any,
    cell: str | Vertex,
    engine: str = "auto",
    settings: Settings | None = None,
    **conditions: Any,
) -> StepCounts:
    """The number of tours that visit a cell at each step, exactly; each direction of a tour counts.

    The tours are listed. The states of sweeps hold which cells are joined and not how many lie between them,
    so that no engine counts steps without a list.

    Parameters
    ----------
    problem:
        Open tours, or closed ones with a given start.
    **conditions:
        Where no problem is given, ``closed`` and conditions, as for :class:`TourProblem`.

    Raises
    ------
    BadInput
        For a closed tour without a start, whose steps have no first one, or a cell that is not there.
    Refused
        If there are more than :data:`MOST_LISTED` tours. Uniform samples answer then
        (``ktsolve survey --of visit:CELL``).
    LimitReached
        If time or memory ran out first.

    Examples
    --------
    >>> step_counts(TourProblem(board="5x5", closed=False, start="a1"), "c3").counts[20:]
    (24, 0, 16, 0, 16)
    """
    problem = TourProblem.of(problem, **conditions)
    settings = Settings.of(settings)
    ground = problem.ground
    place = ground.index[ground.cell(cell)]
    if problem.closed and not problem.known_steps:
        raise BadInput(f"closed tours have no first step: give a start, such as --start {ground.names[0]}")
    clock = Clock(settings.timeout)
    # One number is counted without a list, so that long lists are refused at once.
    counted = count(problem, settings=settings)
    if counted.count > MOST_LISTED:
        raise Refused(
            f"tours by the step of a visit are listed, at most {MOST_LISTED:,}, and there are "
            f"{counted.count:,}: use ktsolve survey --of visit:{ground.names[place]}"
        )
    counts = [0] * len(ground)
    name = counted.engine
    if counted.found:
        tours = find_all(problem, engine, clock.within(settings))
        name = tours.engine
        for tour in tours:
            for numbered in problem.numberings(tour):
                counts[numbered.indices.index(place)] += 1
    return StepCounts(ground.cells[place], tuple(counts), engine=name, reason=counted.reason)
