"""The frame of tasks: simplified problems, refutations by arithmetic, and the common part of answers."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import ParamSpec, TypedDict, TypeVar

from ktsolve.base.limits import Settings
from ktsolve.base.units import shown_seconds
from ktsolve.engines.auto import check_taken, choose
from ktsolve.engines.registry import takes
from ktsolve.graphs.board import Board
from ktsolve.graphs.card import Card, Carded
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.simplification import simplified

__all__ = [
    "EXHAUSTED",
    "PROPAGATION",
    "Answer",
    "BaseAnswer",
    "Refutation",
    "refutation_of",
    "simplified_for",
    "timed",
]

EXHAUSTED = "the engine searched everything"
"""The reason when an engine proves that there is no solution."""


@dataclass(frozen=True, kw_only=True)
class BaseAnswer:
    """The part that all answers share.

    Attributes
    ----------
    engine:
        Name of the engine that answered, or ``arithmetic``.
    seconds:
        Wall-clock time.
    reason:
        Why there is no solution; empty if there is one.
    """

    engine: str
    seconds: float = 0.0
    reason: str = ""

    @property
    def found(self) -> bool:
        """Whether there is a solution."""
        raise NotImplementedError

    @property
    def status(self) -> str:
        """``found`` or ``impossible``; some tasks have more."""
        return "found" if self.found else "impossible"

    @property
    def work(self) -> dict[str, str | float]:
        """Engine and seconds in the JSON of answers."""
        return {"engine": self.engine, "seconds": round(self.seconds, 6)}

    @property
    def work_text(self) -> str:
        """Engine and seconds in a remark."""
        return f"{self.engine}, {self.seconds:.3f} s"

    @property
    def _facts(self) -> tuple[tuple[str, str], ...]:
        """What the cards of answers have in common."""
        reason = (("reason", self.reason),) if self.reason else ()
        return (*reason, ("engine", self.engine), ("time", shown_seconds(self.seconds)))


@dataclass(frozen=True)
class Answer(Carded, BaseAnswer):
    """A tour, or the proof that none exists.

    Attributes
    ----------
    tour:
        The tour, None if none exists.
    """

    tour: Tour | None

    @property
    def found(self) -> bool:
        """Whether there is a tour."""
        return self.tour is not None

    def _card(self) -> Card:
        if self.tour is None:
            return Card("No tour" if self.status == "impossible" else "No tour found", self._facts)
        kind = "Closed" if self.tour.closed else "Open"
        ground = self.tour.ground
        name = str(ground) if isinstance(ground, Board) else f"a {ground}"
        return Card(f"{kind} tour of {name}", self._facts, (self.tour,))


_P = ParamSpec("_P")
_A = TypeVar("_A", bound=BaseAnswer)


def timed(task: Callable[_P, _A]) -> Callable[_P, _A]:
    """Wrap a task so that its answer has its wall-clock time.

    Parameters
    ----------
    task:
        A function that returns an answer.

    Returns
    -------
    Callable[_P, _A]
        The wrapped function.
    """

    @wraps(task)
    def measured(*args: _P.args, **kwargs: _P.kwargs) -> _A:
        started = time.perf_counter()
        answer = task(*args, **kwargs)
        return replace(answer, seconds=time.perf_counter() - started)

    return measured


class Refutation(TypedDict):
    """Arguments of an answer that arithmetic gives."""

    engine: str
    reason: str


def refutation_of(problem: TourProblem) -> Refutation | None:
    """Engine and reason of the answer if arithmetic proves that no tour exists.

    Parameters
    ----------
    problem:
        The problem.

    Returns
    -------
    Refutation or None
        The refutation; None if arithmetic does not decide.

    Examples
    --------
    >>> refutation_of(TourProblem(board="5x5", closed=True))["engine"]
    'arithmetic'
    """
    obstruction = problem.obstruction()
    return None if obstruction is None else Refutation(engine="arithmetic", reason=str(obstruction))


# -- the problem that engines get ----------------------------------------------------------------------------

PROPAGATION = "propagation"
"""The engine named in an answer that propagation gives without any engine."""


def simplified_for(
    task: str, problem: TourProblem, engine: str, settings: Settings
) -> tuple[TourProblem, Refutation | None]:
    """Simplify a problem for the engines, and refute it where that needs no engine.

    Parameters
    ----------
    task:
        What the engine is to do (:data:`ktsolve.engines.interface.TASKS`).
    problem:
        The problem as it is stated.
    engine:
        Name of the engine, or ``auto``. A named engine gets the problem as it is stated, unless it takes only
        the simplified one.
    settings:
        Where remarks on dropped and added conditions go.

    Returns
    -------
    problem : TourProblem
        The problem without redundant conditions, with what propagation finds.
    refutation : Refutation or None
        Why there is no tour, if that is known.

    Raises
    ------
    Refused
        If the engine does not take the problem, nor the simplified one.

    Examples
    --------
    >>> problem = TourProblem(board="6x6", closed=True, conditions=[])
    >>> simplified_for("count", problem, "auto", Settings())[0] == problem
    True
    """
    if engine != "auto" and takes(engine, task, problem):
        return problem, refutation_of(problem)
    simple = simplified(problem)
    if engine == "auto":
        check_taken(task, simple.problem)
    elif not takes(engine, task, simple.problem):
        choose(engine, task, problem)  # refused
    for what, found in (("says nothing", simple.dropped), ("propagation", simple.added)):
        for each in found:
            settings.say(f"{what}: {each}")
    refutation = refutation_of(problem)
    if refutation is None and simple.refutation is not None:
        refutation = Refutation(engine=PROPAGATION, reason=simple.refutation)
    return simple.problem, refutation
