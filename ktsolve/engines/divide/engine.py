"""Engine ``divide``: tours of any size from base boards (see :mod:`ktsolve.engines.divide.construct`)."""

from __future__ import annotations

from typing import ClassVar

from ktsolve.engines.divide.construct import NoTour, tour_steps, why_none
from ktsolve.engines.interface import Engine
from ktsolve.ground.arrays import tour_of_steps
from ktsolve.ground.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Settings

__all__ = ["DivideEngine"]


class DivideEngine(Engine):
    """Builds one tour of a rectangle by divide and conquer, in time linear in its cells.

    This engine is not independent of the others: the engines ``search`` and ``sat`` make its base boards. It
    also checks the arithmetic obstructions, which other engines do not, since its constructions exist exactly
    where the theorems allow a tour.
    """

    name = "divide"
    summary = "divide and conquer from base boards, native; boards of any size"
    capabilities: ClassVar = {"construct": frozenset({"closed", "open", "start", "end"})}

    def construct(self, problem: TourProblem, settings: Settings) -> Tour | None:
        """Return the tour; None if a theorem or an exhaustive search of a small board excludes it."""
        board, closed = problem.board, problem.closed
        ends = {"start": problem.start, "end": problem.end}
        if why_none(board.rows, board.columns, closed=closed, **ends) is not None:
            return None
        try:
            steps = tour_steps(board.rows, board.columns, closed=closed, **ends, settings=settings)
        except NoTour:
            return None
        return tour_of_steps(steps, closed=closed, board=board)
