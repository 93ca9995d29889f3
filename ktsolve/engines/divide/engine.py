"""Engine ``divide``: tours of any size from base boards (see :mod:`ktsolve.engines.divide.construct`)."""

from __future__ import annotations

from typing import ClassVar

from ktsolve.base.limits import Settings
from ktsolve.engines.interface import Engine, Estimate
from ktsolve.graphs.notation import LARGEST_SIDE
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem

__all__ = ["DivideEngine"]

_BUILT = 900  # cells from which building a tour is faster than searching for one


class DivideEngine(Engine):
    """Builds one tour of a rectangle by divide and conquer, in time linear in its cells.

    This engine is not independent of the others: the engines ``search`` and ``sat`` make its base boards. It
    also checks the arithmetic obstructions, which other engines do not, since its constructions exist exactly
    where the theorems allow a tour.
    """

    name = "divide"
    summary = "divide and conquer from base boards, native; boards of any size"
    capabilities: ClassVar = {"construct": frozenset({"closed", "open", "start", "end", "structured"})}
    reads_sides = LARGEST_SIDE
    builds = True

    def unsupported_feature(self, task: str, problem: TourProblem) -> str | None:
        """As :meth:`Engine.unsupported_feature`; structured corners are those that the construction has.

        It has all four, unless an end is given, or open tours of odd sides of which one is 5 are asked for.
        """
        missing = super().unsupported_feature(task, problem)
        if missing is None and problem.corners:
            rows, columns = problem.board.rows, problem.board.columns
            odd = rows % 2 == 1 and columns % 2 == 1
            if problem.first or problem.last or (not problem.closed and odd and min(rows, columns) == 5):
                return "structured"
        return missing

    def estimate(self, problem: TourProblem, settings: Settings, task: str = "count") -> Estimate | None:
        """Return a time linear in the cells; None on small boards, which are searched, and for thin ends."""
        from ktsolve.problem.rectangles import closed_reason

        board, cells = problem.board, len(problem.board)
        side = min(board.rows, board.columns)
        both = problem.start is not None and problem.end is not None
        one = problem.start is not None or problem.end is not None
        if cells < _BUILT or (both and side < 6):
            return None
        if one and side < 5 and closed_reason(board.rows, board.columns) is not None:
            return None
        return Estimate(
            "blocks of base boards", states=0.0, bytes=5.0 * cells, seconds=2e-8 * cells, factor=1.5
        )

    def construct(self, problem: TourProblem, settings: Settings) -> Tour | None:
        """Return the tour; None if a theorem or an exhaustive search of a small board excludes it."""
        from ktsolve.engines.divide.construct import NoTour, tour_steps
        from ktsolve.problem.rectangles import why_none

        board, closed = problem.board, problem.closed
        ends = {"start": problem.start, "end": problem.end}
        if why_none(board.rows, board.columns, closed=closed, **ends) is not None:
            return None
        try:
            steps = tour_steps(board.rows, board.columns, closed=closed, **ends, settings=settings)
        except NoTour:
            return None
        return Tour.from_steps(steps, closed, board)
