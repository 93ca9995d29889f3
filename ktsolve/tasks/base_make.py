"""Base boards made on demand: by one solver of models, and confirmed by the other."""

from __future__ import annotations

import time
from dataclasses import dataclass

from ktsolve.engines.divide.bases import JOINTS
from ktsolve.engines.divide.joining import LEFT, UP, corner_move
from ktsolve.engines.registry import engine_named
from ktsolve.errors import BadInput, LimitReached, WrongAnswer
from ktsolve.ground.figures import CORNERS
from ktsolve.ground.notation import parse_size
from ktsolve.ground.tour import Tour
from ktsolve.models.structured import structured_problem
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Clock, Settings, out_of_time

__all__ = ["MAKERS", "Made", "base_problem", "make_base"]

MAKERS = ("sat", "cpsat")
"""Engines that make bases; each confirms what the other made."""


@dataclass(frozen=True)
class Made:
    """A base, or the proof that there is none.

    Attributes
    ----------
    problem:
        What was asked.
    tour:
        The base, None if there is none.
    by, confirmed:
        The engine that answered, and the other, which agrees; ``arithmetic`` twice where a theorem told.
    seconds:
        Time of both.
    reason:
        Why there is none.
    """

    problem: TourProblem
    tour: Tour | None
    by: str
    confirmed: str
    seconds: float
    reason: str = ""


def base_problem(
    size: str,
    corners: tuple[str, ...] = CORNERS,
    *,
    symmetric: bool = False,
    joints: bool = False,
    closed: bool = True,
) -> TourProblem:
    """The question for a base.

    Parameters
    ----------
    size:
        ``ROWSxCOLUMNS``.
    corners:
        Corners to be structured; none for an open base, whose ends lie anywhere.
    symmetric:
        Invariant under the half turn.
    joints:
        With the moves by which the engine ``divide`` joins it to others: a closed base those by which it
        joins the blocks to its left and above; an open base those at its corners by which the blocks to its
        right and below join it.
    closed:
        Closed or open.

    Raises
    ------
    BadInput
        If the board is too small for what is asked of it.

    Examples
    --------
    >>> sorted(base_problem("6x7", joints=True).require)
    [((0, 3), (1, 1)), ((1, 1), (3, 0))]
    >>> sorted(base_problem("5x5", closed=False, joints=True).require)
    [((0, 4), (2, 3)), ((3, 2), (4, 0))]
    """
    rows, columns = parse_size(size)
    if joints and min(rows, columns) < (thinnest := 4 if closed else 3):
        raise BadInput(f"the moves of --joints need at least {thinnest} rows and columns, not {size}")
    if closed:
        problem = structured_problem(size, corners, symmetric=symmetric)
        return problem.replace(require=JOINTS) if joints else problem
    moves = [corner_move(joint, rows, columns) for joint in (LEFT, UP)] if joints else []
    return TourProblem(board=size, closed=False, require=moves, symmetry="rot180" if symmetric else None)


def make_base(problem: TourProblem, engine: str = "sat", settings: Settings | None = None) -> Made:
    """Make a base by one engine and have the other confirm it.

    A base is confirmed by the other engine solving the model with the base's moves given; that there is none
    by the other engine finding none either. What arithmetic refutes no engine is asked.

    Raises
    ------
    BadInput
        For an engine that makes no bases.
    LimitReached
        If time or memory ran out.

    Examples
    --------
    >>> made = make_base(base_problem("6x6"))
    >>> made.tour.valid, made.by, made.confirmed
    (True, 'sat', 'cpsat')
    >>> make_base(base_problem("5x5")).tour is None
    True
    """
    if engine not in MAKERS:
        raise BadInput(f"engine {engine!r} makes no bases: use {' or '.join(MAKERS)}")
    settings = settings or Settings()
    clock, started = Clock(settings.timeout), time.perf_counter()
    obstruction = problem.obstruction()
    if obstruction is not None:
        return Made(problem, None, "arithmetic", "arithmetic", 0.0, str(obstruction))
    other = next(name for name in MAKERS if name != engine)
    tour = engine_named(engine).construct(problem, settings)
    asked = problem if tour is None else problem.replace(require=tour.moves)
    reached = f"{engine} {'made a base' if tour else 'says that there is none'}, {other} did not confirm it"
    try:
        again = engine_named(other).construct(asked, clock.within(settings, reached))
    except LimitReached:
        if clock.left == 0:  # the other knows only the time that was left to it
            raise out_of_time(settings.timeout, reached) from None
        raise
    if tour is not None and (fault := problem.check(tour)) is not None:
        raise WrongAnswer(f"engine {engine} made a wrong base for {problem}: {fault}")
    if (again is None) != (tour is None) or (tour and again and tour.moves != again.moves):
        raise WrongAnswer(f"engines {engine} and {other} do not agree about {problem}")
    reason = "" if tour is not None else f"{engine} and {other} searched everything"
    return Made(problem, tour, engine, other, time.perf_counter() - started, reason)
