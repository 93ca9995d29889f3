"""Find one tour, or prove that none exists."""

from __future__ import annotations

from typing import Any

from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.auto import fitting
from ktsolve.engines.interface import checked
from ktsolve.engines.race import answer_to
from ktsolve.graphs.graph import Graph
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.answer import EXHAUSTED, Answer, simplified_for, timed
from ktsolve.tasks.graph_parts import Parts, joined_names

__all__ = ["Answer", "find"]


@timed
def find(
    problem: TourProblem | Graph | str | Any,
    engine: str = "auto",
    settings: Settings | None = None,
    **conditions: Any,
) -> Answer:
    """Find one tour, or prove that none exists.

    Parameters
    ----------
    problem:
        A problem; or a board, its size such as ``"8x8"``, a graph, or its name: see :meth:`TourProblem.of`.
    engine:
        Name of the engine, or ``auto``.
    settings:
        Limits and threads; the defaults if None.
    **conditions:
        Where no problem is given, ``closed`` and conditions, as for :class:`TourProblem`.

    Returns
    -------
    Answer
        The tour, or the reason why none exists.

    Raises
    ------
    Refused
        If the engine cannot take the problem.
    LimitReached
        If time or memory ran out first.
    WrongAnswer
        If the engine gave a tour that does not answer the problem.

    Examples
    --------
    >>> find(TourProblem(board="5x6", closed=True)).tour.valid
    True
    >>> find("4x4", closed=True).reason
    'no closed tour exists on a rectangle with a side of 1, 2 or 4 (Schwenk 1991)'
    >>> find("1000x1001", start="c3").tour[0]
    (997, 2)
    """
    problem = TourProblem.of(problem, **conditions)
    settings = Settings.of(settings)
    clock = Clock(settings)
    engine = fitting(engine, "construct", problem, settings)
    question, refutation = simplified_for("construct", problem, engine, settings)
    if refutation is not None:
        return Answer(None, **refutation)
    parts = Parts(question, "construct", engine, settings)
    if parts.refutation is not None:
        return Answer(None, **parts.refutation)
    tours, names = [], []
    for part in parts.questions:
        name, tour = answer_to("construct", part, engine, clock.within(settings))
        if tour is None:
            return Answer(None, engine=name, reason=EXHAUSTED)
        tours.append(tour)
        names.append(name)
    name = joined_names(names)
    return Answer(checked(name, problem, parts.tour(tours)), engine=name)
