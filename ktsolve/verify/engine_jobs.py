"""The answer of one engine to one case, for the comparison with the other engines; and the fault injector."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ktsolve.engines.interface import Counted, Engine
from ktsolve.engines.registry import choose
from ktsolve.ground.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Settings
from ktsolve.verify.jobs import Context

__all__ = ["EngineAnswer", "FaultInjector", "answer", "engine_for"]


@dataclass(frozen=True)
class EngineAnswer:
    """The number of tours and, if the engine lists them, the tours.

    Attributes
    ----------
    tours:
        Each tour as a string of the cell numbers of its normal form; None if they were counted only.
    fault:
        An error in the list or in the tour that the engine constructs.
    """

    count: int
    tours: frozenset[str] | None
    fault: str = ""


class FaultInjector(Engine):
    """An engine with an injected fault: it loses one tour, or adds one where there are none."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.name = engine.name  # type: ignore[misc]
        self.capabilities = engine.capabilities  # type: ignore[misc]

    def construct(self, problem: TourProblem, settings: Settings) -> Tour | None:
        """An invalid tour if the engine finds none, else None."""
        found = self._engine.construct(problem, settings)
        return self._invalid(problem) if found is None else None

    def enumerate(self, problem: TourProblem, settings: Settings) -> Iterator[Tour]:
        """The tours of the engine without the first, or one invalid tour."""
        tours = self._engine.enumerate(problem, settings)
        return iter([self._invalid(problem)]) if next(tours, None) is None else tours

    @staticmethod
    def _invalid(problem: TourProblem) -> Tour:
        return Tour(problem.board, problem.board.cells, problem.closed)

    def count(self, problem: TourProblem, settings: Settings) -> Counted:
        """One tour too many."""
        counted = self._engine.count(problem, settings)
        return Counted(counted.count + 1, counted.directed + 2, counted.peak_bytes)


def engine_for(context: Context, name: str, task: str, problem: TourProblem) -> Engine:
    """The engine of that name, with a fault if the context says so."""
    engine = choose(name, task, problem)
    return FaultInjector(engine) if name == context.faulty else engine


def answer(context: Context, problem: TourProblem, engine: str, listing: bool = True) -> EngineAnswer:
    """The answer of an engine without the help of arithmetic. Raises LimitReached.

    It lists the tours, all of which are checked, and constructs one. Without ``listing``, or if the engine
    lists none, it counts.
    """
    if not listing or "enumerate" not in choose(engine, "count", problem).capabilities:
        counting = engine_for(context, engine, "count", problem)
        return EngineAnswer(counting.count(problem, context.settings).count, None)
    tours: set[str] = set()
    number, fault = 0, ""
    for tour in engine_for(context, engine, "enumerate", problem).enumerate(problem, context.settings):
        number += 1
        if not fault and (violation := problem.check(tour)) is not None:
            fault = f"an invalid tour: {violation}"
        tours.add("".join(map(chr, tour.normalised().indices)))
    if len(tours) != number and not fault:
        fault = f"{number - len(tours)} tours twice"
    if not fault:
        tour_found = engine_for(context, engine, "construct", problem).construct(problem, context.settings)
        if tour_found is None:
            fault = "tours, but constructs none" if number else ""
        elif (violation := problem.check(tour_found)) is not None:
            fault = f"valid tours, but constructs an invalid one: {violation}"
    return EngineAnswer(number, frozenset(tours), fault)
