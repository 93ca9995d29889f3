"""Refutation in a worker process, within limits of time and memory that SAT solvers do not keep."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ktsolve.engines.sat.conflict_budget import MOST_CLAUSES_IN_STEPS, RESUMABLE, SolverProgress, Statistics
from ktsolve.engines.sat.names import check_solver_name
from ktsolve.errors import BadInput
from ktsolve.proof.loop import PROVERS, Question, Refuted, refute
from ktsolve.settings import Clock, Settings
from ktsolve.workers import run_in_worker

__all__ = ["refute_within"]


def refute_within(question: Question, settings: Settings, clock: Clock) -> Refuted:
    """A refutation or a solution, found within the time and the memory of the settings.

    Raises
    ------
    LimitReached
        When either runs out.
    BadInput
        If the solver is unknown, or writes no proofs.
    """
    name = settings.solver or PROVERS[0]
    check_solver_name(name)
    if name not in PROVERS:
        raise BadInput(f"SAT solver {name!r} writes no proof that can be followed: use {', '.join(PROVERS)}")
    limited = settings.timeout is not None or settings.memory is not None
    if not limited and name in RESUMABLE and len(question.clauses) <= MOST_CLAUSES_IN_STEPS:
        return refute(question, name)
    work = partial(_refuted, question, name)
    found = run_in_worker(work, settings.memory, clock, _unfinished, "the SAT solver")
    try:
        return next(found)
    finally:
        found.close()


def _refuted(question: Question, name: str, progress: SolverProgress) -> Iterator[Refuted]:
    yield refute(question, name, progress)


def _unfinished(_found: int, statistics: Statistics | None) -> str:
    return f"the refutation is not complete{(statistics.after if statistics else '')}"
