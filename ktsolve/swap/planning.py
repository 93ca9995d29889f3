"""Swap puzzles by bounded planning: a Boolean model for each number of steps, until one has a solution."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ktsolve.engines.solver import ModelSolver
from ktsolve.errors import LimitReached
from ktsolve.models.knight_swap import SwapModel
from ktsolve.problem.swap import SwapPuzzle
from ktsolve.problem.swap_bounds import lower_bound, obstruction, parity
from ktsolve.problem.swap_solution import SwapSolution
from ktsolve.settings import Clock, Settings, out_of_time

__all__ = ["Planned", "plan", "planned_solutions"]

_SOON = 0.1
"""Seconds left at which a solver that stopped stopped for lack of time."""


@dataclass(frozen=True)
class Planned:
    """What planning found.

    Attributes
    ----------
    solution:
        A shortest one; None if there is none.
    refuted:
        The largest number of steps for which the solver proved that there is no solution of so many or fewer.
    bound:
        Steps below which arithmetic knows that there is none.
    reason:
        Why there is no solution.
    """

    solution: SwapSolution | None
    refuted: int | None
    bound: int
    reason: str = ""


def plan(puzzle: SwapPuzzle, solver: ModelSolver, settings: Settings | None = None) -> Planned:
    """A shortest solution: no model with fewer steps has one.

    Without ``most`` it does not end where the goal is out of reach and no simple argument tells so.

    Raises
    ------
    LimitReached
        Telling how many steps are refuted.

    Examples
    --------
    >>> from ktsolve.engines.sat.solver import SatSolver
    >>> puzzle = SwapPuzzle(start="W.W/.x./B.B", goal="B.B/.x./W.W", objective="moves")
    >>> planned = plan(puzzle, SatSolver())
    >>> len(planned.solution), planned.refuted
    (7, 6)
    """
    settings = settings or Settings()
    clock = Clock(settings.timeout)
    bound = lower_bound(puzzle)
    because = obstruction(puzzle)
    if bound is None or because is not None:
        return Planned(None, None, 0, because or "some piece cannot reach its place, even on an empty board")
    every = 1 if parity(puzzle) is None else 2
    refuted, steps = None, bound
    while puzzle.most is None or steps <= puzzle.most:
        if settings.progress is not None:
            settings.progress(None, f"{solver.name}, {steps} {puzzle.objective}")
        compiled = SwapModel(puzzle, steps)
        reached = f"no solution of fewer than {steps} {puzzle.objective}"
        try:
            found = solver.solve(compiled.model, clock.within(settings)).assignment
        except LimitReached as limit:
            if clock.left is not None and clock.left < _SOON:
                raise out_of_time(settings.timeout, reached) from None
            raise LimitReached(f"{limit}, {reached}") from None
        if found is not None:
            return Planned(compiled.decode(found), refuted, bound)
        refuted = steps
        steps += every
    return Planned(None, refuted, bound, f"no solution of at most {puzzle.most} {puzzle.objective}")


def planned_solutions(
    puzzle: SwapPuzzle, steps: int, solver: ModelSolver, settings: Settings | None = None
) -> Iterator[SwapSolution]:
    """All solutions of exactly so many steps, where there are none of fewer."""
    compiled = SwapModel(puzzle, steps)
    for found in solver.solutions(compiled.model, settings or Settings()):
        yield compiled.decode(found)
