"""Tours of whole rectangles of any size, as arrays of step numbers: found and checked.

A :class:`~ktsolve.graphs.tour.Tour` takes some hundred bytes a cell, and the sides of its board have a limit.
Here a question is a size, and an answer an array of four bytes a cell.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Settings
from ktsolve.engines.divide.construct import NoTour, tour_steps, why_none
from ktsolve.engines.divide.engine import DivideEngine, built_by_divide
from ktsolve.engines.interface import refuse_wrong
from ktsolve.graphs.notation import LARGEST_SIDE, LONGEST_SIDE, Cell, parse_cell, parse_size
from ktsolve.graphs.step_arrays import ArrayTour, Rectangle, steps_violation
from ktsolve.graphs.tour import Violation
from ktsolve.tasks.answer import BaseAnswer

__all__ = ["ArrayAnswer", "RectangleProblem", "find_array", "takes_array"]


@dataclass(frozen=True)
class RectangleProblem:
    """A knight's tour of a whole rectangle of any size, with at most its ends given.

    Examples
    --------
    >>> print(RectangleProblem.parse("3x1000000", closed=True, start="a1"))
    closed 3x1000000 start a1
    """

    board: Rectangle
    closed: bool
    start: Cell | None = None
    end: Cell | None = None

    def __post_init__(self) -> None:
        if self.start is not None and self.start == self.end and self.board.cells > 1:
            raise BadInput(f"start and end are the same cell, {self.board.name(self.start)}")

    @classmethod
    def parse(
        cls, size: str, *, closed: bool, start: str | None = None, end: str | None = None
    ) -> RectangleProblem:
        """The problem of a size and the names of cells. Raises BadInput if they are none."""
        rows, columns = parse_size(size, LONGEST_SIDE)
        first, last = (None if cell is None else parse_cell(cell, rows, columns) for cell in (start, end))
        return cls(Rectangle(rows, columns), closed, first, last)

    def __str__(self) -> str:
        text = f"{'closed' if self.closed else 'open'} {self.board}"
        for name, cell in (("start", self.start), ("end", self.end)):
            text += "" if cell is None else f" {name} {self.board.name(cell)}"
        return text

    def check(self, tour: ArrayTour, settings: Settings) -> Violation | None:
        """The first violation of this question in a tour of its board, or None.

        Raises
        ------
        LimitReached
            If time ran out.
        """
        fault = steps_violation(
            tour.steps, closed=self.closed, threads=settings.thread_budget, timeout=settings.timeout
        )
        if fault is not None:
            return fault
        for cell, step in ((self.start, 1), (self.end, self.board.cells)):
            if cell is not None and tour.steps[cell] != step:
                found = divmod(int((tour.steps == step).argmax()), self.board.columns)
                names = f"{self.board.name(found)}, not {self.board.name(cell)}"
                return Violation(step, f"step {step} is {names}")
        return None


@dataclass(frozen=True)
class ArrayAnswer(BaseAnswer):
    """A tour as an array, or the proof that none exists.

    Attributes
    ----------
    tour:
        The tour, None if none exists.
    checked:
        Wall-clock time of the check, which is not part of ``seconds``.
    """

    tour: ArrayTour | None
    checked: float = 0.0

    @property
    def found(self) -> bool:
        """Whether there is a tour."""
        return self.tour is not None


def takes_array(problem: RectangleProblem, engine: str) -> bool:
    """Whether an engine, or ``auto``, answers the problem with an array.

    Parameters
    ----------
    problem:
        The problem.
    engine:
        Name of the engine, or ``auto``.

    Returns
    -------
    bool
        True if :func:`find_array` is the way.

    Examples
    --------
    >>> [takes_array(RectangleProblem.parse(size, closed=True), "auto") for size in ("8x8", "100x100")]
    [False, True]
    """
    rows, columns = problem.board.rows, problem.board.columns
    ends = problem.start is not None or problem.end is not None
    built = built_by_divide(rows, columns, ends=ends) or max(rows, columns) > LARGEST_SIDE
    return engine == DivideEngine.name or (engine == "auto" and built)


def find_array(problem: RectangleProblem, settings: Settings | None = None) -> ArrayAnswer:
    """A tour of a rectangle of any size by the engine ``divide``, checked; or the proof that none exists.

    Parameters
    ----------
    problem:
        The problem.
    settings:
        Limits and threads; the defaults if None.

    Returns
    -------
    ArrayAnswer
        The tour, or the reason why none exists.

    Raises
    ------
    Refused
        If only a thicker board takes these ends.
    LimitReached
        If time or memory ran out first.

    Examples
    --------
    >>> answer = find_array(RectangleProblem.parse("100x101", closed=True, start="c3"))
    >>> int(answer.tour.steps[97, 2]), answer.status
    (1, 'found')
    >>> find_array(RectangleProblem.parse("4x10000", closed=True)).reason
    'no closed tour exists on a rectangle with a side of 1, 2 or 4 (Schwenk 1991)'
    """
    settings = settings or Settings()
    started = time.perf_counter()
    rows, columns = problem.board.rows, problem.board.columns
    closed, start, end = problem.closed, problem.start, problem.end
    reason = why_none(rows, columns, closed=closed, start=start, end=end)
    if reason is not None:
        return ArrayAnswer(None, engine="arithmetic", reason=reason)
    try:
        steps = tour_steps(rows, columns, closed=closed, start=start, end=end, settings=settings)
    except NoTour as none:
        return ArrayAnswer(
            None, engine=DivideEngine.name, seconds=time.perf_counter() - started, reason=str(none)
        )
    built = time.perf_counter()
    tour = ArrayTour(steps, closed)
    refuse_wrong(DivideEngine.name, "tour for", problem, problem.check(tour, settings))
    return ArrayAnswer(tour, time.perf_counter() - built, engine=DivideEngine.name, seconds=built - started)
