"""Tables of tours by the step at which they visit a cell."""

from __future__ import annotations

from ktsolve.base.errors import BadInput, Refused
from ktsolve.base.limits import Clock, Settings
from ktsolve.graphs.graph import Vertex
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.answer import timed
from ktsolve.tasks.counting.answer import CountRow, CountTable
from ktsolve.tasks.counting.total import count_tours
from ktsolve.tasks.list import find_all

__all__ = ["MOST_LISTED", "count_by_steps"]

MOST_LISTED = 2_000_000
"""Most undirected tours that are listed to count them by steps; they take about a minute."""


@timed
def count_by_steps(problem: TourProblem, cell: str | Vertex, engine: str, settings: Settings) -> CountTable:
    """Count the tours that visit a cell at each step; each direction of a tour counts.

    The tours are listed. The states of sweeps hold which cells are joined and not how many lie between them,
    so that no engine counts steps without a list.

    Parameters
    ----------
    problem:
        Open tours, or closed ones with a given start.
    cell:
        The cell, or its name.
    engine:
        Name of the engine that lists the tours, or ``auto``.
    settings:
        Limits and threads.

    Returns
    -------
    CountTable
        A row for each step.

    Raises
    ------
    BadInput
        For a closed tour without a start, which has no first step, or a cell that is not there.
    Refused
        If there are more than :data:`MOST_LISTED` tours. Uniform samples answer then
        (``ktsolve survey --of visit:CELL``).
    LimitReached
        If time or memory runs out first.

    Examples
    --------
    >>> problem = TourProblem(board="5x5", closed=False, start="a1")
    >>> [row.count for row in count_by_steps(problem, "c3", "auto", Settings()).rows[20:]]
    [24, 0, 16, 0, 16]
    """
    ground = problem.ground
    place = ground.index[ground.cell(cell)]
    if problem.closed and not problem.known_steps:
        raise BadInput(f"closed tours have no first step: give a start, such as --start {ground.names[0]}")
    clock = Clock(settings)
    # One number is counted without a list, so that long lists are refused at once.
    counted = count_tours(problem, "auto", settings)
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
            for numbered in problem.labelings(tour):
                counts[numbered.indices.index(place)] += 1
    rows = tuple(CountRow((step,), number) for step, number in enumerate(counts, 1))
    return CountTable(
        counted.count,
        "steps",
        rows,
        problem,
        sum(counts),
        cell=ground.cells[place],
        engine=name,
        reason=counted.reason,
    )
