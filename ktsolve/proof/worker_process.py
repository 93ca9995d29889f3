"""Refuting within limits: the SAT solvers hear neither of time nor of memory, so they run by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ktsolve.engines.sat.conflict_budget import SHORT, STEPPED, Effort, Report
from ktsolve.engines.sat.names import check_solver_name
from ktsolve.engines.sat.own_process import in_own_process
from ktsolve.errors import BadInput
from ktsolve.proof.loop import PROVERS, Question, Refuted, refute
from ktsolve.settings import Clock, Settings

__all__ = ["refute_within"]


def refute_within(question: Question, settings: Settings, clock: Clock) -> Refuted:
    """Refute, or find a solution, within the time and the memory of the settings.

    Raises
    ------
    LimitReached
        When either runs out.
    BadInput
        For a solver that there is not, or that writes no proofs.
    """
    name = settings.solver or PROVERS[0]
    check_solver_name(name)
    if name not in PROVERS:
        raise BadInput(f"SAT solver {name!r} writes no proof that can be followed: use {', '.join(PROVERS)}")
    limited = settings.timeout is not None or settings.memory is not None
    if not limited and name in STEPPED and len(question.clauses) <= SHORT:
        return refute(question, name)
    found = in_own_process(partial(_refuted, question, name), settings.memory, clock, _unfinished)
    try:
        return next(found)
    finally:
        found.close()


def _refuted(question: Question, name: str, report: Report) -> Iterator[Refuted]:
    yield refute(question, name, report)


def _unfinished(_found: int, effort: Effort) -> str:
    return f"the refutation is not complete{effort.after}"
