"""A walk by Warnsdorff's rule, asked for by name of its rule, judged, and recorded."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ktsolve.engines.registry import engine_named
from ktsolve.engines.walk.rules import RULES
from ktsolve.engines.walk.walk import RepairedWalk, Walk, repaired_walk, walk
from ktsolve.errors import BadInput, Refused, WrongAnswer
from ktsolve.ground.notation import Cell
from ktsolve.ground.tour import Tour
from ktsolve.problem.problem import FEATURES, TourProblem
from ktsolve.settings import Clock, Settings

__all__ = ["RULES", "WalkAnswer", "search"]

_ARGUED = 250_000
"""Cells up to which arithmetic is asked first; on larger boards a walk is over sooner."""


@dataclass(frozen=True)
class WalkAnswer:
    """What a walk found, and what it cost.

    Attributes
    ----------
    status:
        ``found``, ``impossible`` or ``unknown``.
    tour:
        The tour, judged.
    rule, begin:
        By what rule ties were broken, and where the walk began; None if arithmetic answered.
    seconds:
        Wall-clock time.
    reason:
        Why there is no tour, or what stopped the walk.
    figures:
        ``nodes``, ``backtracks``, ``first_stuck`` and ``longest`` of a walk with backtracking (see
        :class:`~ktsolve.engines.walk.walk.Walk`), ``attempts``, ``walks``, ``first_stuck`` and
        ``reversals`` of a repaired one (:class:`~ktsolve.engines.walk.walk.RepairedWalk`).
    events, recorded:
        Numbers of the cells gone to, -1 where the last one is taken back; and whether these are all.
    """

    status: str
    tour: Tour | None
    rule: str
    begin: Cell | None
    seconds: float
    reason: str = ""
    figures: Mapping[str, int] = field(default_factory=dict)
    events: Sequence[int] = ()
    recorded: bool = True

    def trace(self, problem: TourProblem) -> dict[str, Any]:
        """The record in terms of JSON: board, ``closed``, ``rule``, ``start``, ``events``, ``complete``."""
        return {
            "board": problem.board.to_json(),
            "closed": problem.closed,
            "rule": self.rule,
            "start": None if self.begin is None else list(self.begin),
            "events": list(self.events),
            "complete": self.recorded,
        }


def search(
    problem: TourProblem,
    rule: str = "home",
    *,
    begin: Cell | str | None = None,
    repair: bool = False,
    settings: Settings | None = None,
    most_events: int = 0,
) -> WalkAnswer:
    """One tour by Warnsdorff's rule with backtracking, or, with ``repair``, by joining what it leaves.

    Parameters
    ----------
    problem:
        An open or closed tour, perhaps with a start, forbidden moves, and any board.
    rule:
        What breaks ties, a name in :data:`RULES`.
    begin:
        Where the walk begins, and an open tour with it. By default where an open tour starts, else the middle
        of the board; a closed tour is renumbered to begin where the problem says.
    most_events:
        Record so many steps of a walk with backtracking.

    Raises
    ------
    BadInput
        For a rule that is unknown or not for this board, or a walk that cannot begin where it is told to.
    Refused
        If the problem asks for something that a walk does not look at.

    Examples
    --------
    >>> answer = search(TourProblem(board="8x8", closed=True), "roth")
    >>> answer.status, answer.tour.valid, answer.begin
    ('found', True, (3, 3))
    >>> search(TourProblem(board="3x4", closed=False), most_events=4).events
    [5, 3, 10, 4]
    """
    settings = settings or Settings()
    started, clock = time.perf_counter(), Clock(settings.timeout)
    first = _first(problem, begin)
    if first is not None and not problem.closed:
        problem = problem.replace(start=first)
    lacking = engine_named("walk").lacks("construct", problem)
    if lacking is not None:
        raise Refused(f"a walk does not look at {FEATURES[lacking]} ({lacking}): use ktsolve tour")
    if rule not in RULES:
        raise BadInput(f"rule {rule!r} is unknown: use {', '.join(RULES)}")
    obstruction = problem.obstruction() if len(problem.board) <= _ARGUED else None
    if obstruction is not None:
        seconds = time.perf_counter() - started
        return WalkAnswer("impossible", None, rule, None, seconds, str(obstruction))
    if repair:
        repaired = repaired_walk(problem, rule, begin=first, settings=settings, clock=clock)
        tour, stopped, start = repaired.tour, repaired.stopped, repaired.begin
        figures = {
            name: getattr(repaired, name) for name in ("attempts", "walks", "first_stuck", "reversals")
        }
        events: Sequence[int] = ()
        recorded = True
    else:
        walked = walk(problem, rule, begin=first, settings=settings, clock=clock, most_events=most_events)
        tour, stopped, start = walked.tour, walked.stopped, walked.begin
        figures = _figures(walked, ("nodes", "backtracks", "first_stuck", "longest"))
        events, recorded = walked.events, walked.recorded
    if tour is not None and (fault := problem.check(tour)) is not None:
        raise WrongAnswer(f"a walk by the rule {rule} gave a wrong tour for {problem}: {fault}")
    status = "found" if tour is not None else "unknown" if stopped else "impossible"
    reason = stopped or ("" if tour is not None else "every walk was tried")
    seconds = time.perf_counter() - started
    return WalkAnswer(status, tour, rule, start, seconds, reason, figures, events, recorded)


def _figures(walked: Walk | RepairedWalk, names: Sequence[str]) -> dict[str, int]:
    return {name: getattr(walked, name) for name in names}


def _first(problem: TourProblem, begin: Cell | str | None) -> Cell | None:
    if begin is None:
        return None
    cell = problem.board.cell(begin)
    if not problem.closed and problem.start not in (None, cell):
        raise BadInput(
            f"an open tour from {problem.board.name(problem.start or cell)} is walked from there, "
            f"not from {problem.board.name(cell)}: give one of the two"
        )
    return cell
