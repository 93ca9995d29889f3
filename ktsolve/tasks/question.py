"""The question that engines get: a problem without conditions that say nothing, with what propagation finds.

A named engine gets the problem as it is stated, unless it takes only the simplified one.
"""

from __future__ import annotations

from ktsolve.base.limits import Settings
from ktsolve.engines.auto import check_taken, choose
from ktsolve.engines.registry import takes
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.simplify.conditions import simplified
from ktsolve.tasks.answer import Refutation, refutation_of

__all__ = ["PROPAGATION", "asked"]

PROPAGATION = "propagation"
"""The engine named in an answer that propagation gives without any engine."""


def asked(
    task: str, problem: TourProblem, engine: str, settings: Settings
) -> tuple[TourProblem, Refutation | None]:
    """The question for the engines, and why there is no tour where that is known before any runs.

    Raises
    ------
    Refused
        If the engine does not take the problem, nor the simplified one.

    Examples
    --------
    >>> problem = TourProblem(board="6x6", closed=True, conditions=[])
    >>> asked("count", problem, "auto", Settings())[0] == problem
    True
    """
    if engine != "auto" and takes(engine, task, problem):
        return problem, refutation_of(problem)
    simple = simplified(problem)
    if engine == "auto":
        check_taken(engine, task, simple.problem)
    elif not takes(engine, task, simple.problem):
        choose(engine, task, problem)  # refused
    for what, found in (("says nothing", simple.dropped), ("propagation", simple.added)):
        for each in found:
            settings.say(f"{what}: {each}")
    refutation = refutation_of(problem)
    if refutation is None and simple.refutation is not None:
        refutation = Refutation(engine=PROPAGATION, reason=simple.refutation)
    return simple.problem, refutation
