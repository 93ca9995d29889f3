"""Walk by Warnsdorff's rule, with backtracking or repair, and record the walk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ktsolve.base.errors import BadInput, Refused
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.interface import checked
from ktsolve.engines.walk.engine import WalkEngine
from ktsolve.engines.walk.rules import RULES
from ktsolve.engines.walk.walk import FEATURES_WALKED, RepairedWalk, Walk, repaired_walk, walk
from ktsolve.graphs.notation import Cell
from ktsolve.problem.problem import FEATURES, TourProblem
from ktsolve.tasks.answer import Answer, refutation_of, timed

__all__ = ["RULES", "WalkAnswer", "recorded_walk"]

_ARGUED = 250_000
"""Cells up to which arithmetic is tried first; on larger boards a walk takes less time."""


@dataclass(frozen=True)
class WalkAnswer(Answer):
    """The result of a walk, and its statistics. ``reason`` may also say what stopped the walk.

    Attributes
    ----------
    rule, begin:
        The rule that broke ties, and the first cell of the walk; None if arithmetic answered.
    stopped:
        Whether the walk stopped before it had an answer.
    statistics:
        ``nodes``, ``backtracks``, ``first_stuck`` and ``longest`` of a walk with backtracking (see
        :class:`~ktsolve.engines.walk.walk.Walk`), ``attempts``, ``walks``, ``first_stuck`` and
        ``reversals`` of a repaired one (:class:`~ktsolve.engines.walk.walk.RepairedWalk`).
    events, recorded:
        Numbers of the cells visited, -1 where the last one is taken back; and whether these are all.
    """

    rule: str
    begin: Cell | None = None
    stopped: bool = False
    statistics: Mapping[str, int] = field(default_factory=dict)
    events: Sequence[int] = ()
    recorded: bool = True

    @property
    def status(self) -> str:
        """``found``, ``impossible`` or ``unknown``."""
        return "unknown" if self.stopped else super().status

    def trace(self, problem: TourProblem) -> dict[str, Any]:
        """The record as JSON data: board, ``closed``, ``rule``, ``start``, ``events``, ``complete``."""
        return {
            "board": problem.ground.to_json(),
            "closed": problem.closed,
            "rule": self.rule,
            "start": None if self.begin is None else list(self.begin),
            "events": list(self.events),
            "complete": self.recorded,
        }


@timed
def recorded_walk(
    problem: TourProblem,
    rule: str = "home",
    *,
    begin: Cell | str | None = None,
    repair: bool = False,
    settings: Settings | None = None,
    most_events: int = 0,
) -> WalkAnswer:
    """One tour by Warnsdorff's rule with backtracking, or, with ``repair``, by joining walks.

    Parameters
    ----------
    problem:
        An open or closed tour, perhaps with a start, forbidden moves, and any board.
    rule:
        The rule that breaks ties, a name in :data:`RULES`.
    begin:
        First cell of the walk, and of an open tour. Default: the start of an open tour, else the middle of
        the board. A closed tour is renumbered to begin at the start that the problem gives.
    repair:
        Whether walks are joined, in place of backtracking.
    settings:
        Limits.
    most_events:
        Number of steps of a walk with backtracking to record.

    Returns
    -------
    WalkAnswer
        The tour, or what stopped the walk.

    Raises
    ------
    BadInput
        For a rule that is unknown or not for this board, or a first cell that contradicts the start.
    Refused
        If the problem has a condition that a walk does not take.

    Examples
    --------
    >>> answer = recorded_walk(TourProblem(board="8x8", closed=True), "roth")
    >>> answer.status, answer.tour.valid, answer.begin
    ('found', True, (3, 3))
    >>> recorded_walk(TourProblem(board="3x4", closed=False), most_events=4).events
    [5, 3, 10, 4]
    """
    settings = Settings.of(settings)
    clock = Clock(settings)
    first = _first(problem, begin)
    if first is not None and not problem.closed:
        problem = problem.replace(start=first)
    if not problem.features <= FEATURES_WALKED:
        unsupported = min(problem.features - FEATURES_WALKED, key=list(FEATURES).index)
        raise Refused(f"a walk does not take {FEATURES[unsupported]} ({unsupported}): use ktsolve tour")
    if rule not in RULES:
        raise BadInput(f"rule {rule!r} is unknown: use {', '.join(RULES)}")
    refutation = refutation_of(problem) if len(problem.ground) <= _ARGUED else None
    if refutation is not None:
        return WalkAnswer(None, rule, **refutation)
    walked: Walk | RepairedWalk
    if repair:
        walked = repaired_walk(problem, rule, begin=first, settings=settings, clock=clock)
        names = ("attempts", "walks", "first_stuck", "reversals")
    else:
        walked = walk(problem, rule, begin=first, settings=settings, clock=clock, most_events=most_events)
        names = ("nodes", "backtracks", "first_stuck", "longest")
    tour = walked.tour
    if tour is not None:
        checked(WalkEngine.name, problem, tour)
    return WalkAnswer(
        tour,
        rule,
        walked.begin,
        tour is None and bool(walked.stopped),
        {name: getattr(walked, name) for name in names},
        getattr(walked, "events", ()),
        getattr(walked, "recorded", True),
        engine=WalkEngine.name,
        reason=walked.stopped or ("" if tour is not None else "every walk was tried"),
    )


def _first(problem: TourProblem, begin: Cell | str | None) -> Cell | None:
    if begin is None:
        return None
    cell: Cell = problem.ground.cell(begin)
    if not problem.closed and problem.start not in (None, cell):
        raise BadInput(
            f"the walk of an open tour begins at its start {problem.ground.name(problem.start or cell)}, "
            f"not at {problem.ground.name(cell)}: give one of the two"
        )
    return cell
