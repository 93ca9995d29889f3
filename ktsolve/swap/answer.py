"""Ask a swap puzzle, get a judged answer."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from ktsolve.engines.solver import ModelSolver
from ktsolve.errors import BadInput, WrongAnswer
from ktsolve.problem.swap import Position, SwapMove, SwapPuzzle
from ktsolve.problem.swap_solution import SwapSolution
from ktsolve.settings import Clock, Settings
from ktsolve.swap.moves import State, starts, steps
from ktsolve.swap.planning import Planned, plan, planned_solutions
from ktsolve.swap.search import Searched, search

__all__ = ["SWAP_ENGINES", "SwapAnswer", "all_shortest", "solve_swap"]

SWAP_ENGINES = ("bfs", "sat", "cpsat")
"""Breadth-first search, and bounded planning by two kinds of solver."""


@dataclass(frozen=True)
class SwapAnswer:
    """The answer to a swap puzzle.

    Attributes
    ----------
    status:
        ``found`` or ``impossible``.
    solution:
        A shortest solution, checked by the judge; None if there is none.
    count:
        Number of shortest solutions, where it was asked.
    proof:
        Why nothing shorter is a solution, or nothing at all.
    engine, seconds:
        Who found out, and how long it took.
    reached, states:
        Positions reached, and positions there are, where they were searched.
    """

    status: str
    solution: SwapSolution | None
    count: int | None
    proof: str
    engine: str
    seconds: float
    reached: int | None = None
    states: int | None = None

    @property
    def length(self) -> int | None:
        """Jumps (moves) of the shortest solutions."""
        return None if self.solution is None else len(self.solution)


def solve_swap(
    puzzle: SwapPuzzle, engine: str = "bfs", settings: Settings | None = None, *, count: bool = False
) -> SwapAnswer:
    """A shortest solution with the proof that none is shorter, and their number.

    What is counted are sequences: of jumps, or of moves, where two moves are the same only if they go through
    the same cells. The planning engines count by listing.

    Raises
    ------
    BadInput
        For an engine that there is not.
    LimitReached
        At a limit, telling how far it got.

    Examples
    --------
    >>> puzzle = SwapPuzzle(start="W.B/.x./B.W", goal="B.W/.x./W.B")
    >>> answer = solve_swap(puzzle, count=True)
    >>> answer.length, answer.count, answer.proof
    (8, 2176, 'searched: none of the 131 positions within 7 jumps is the goal')
    """
    settings = settings or Settings()
    clock, started = Clock(settings.timeout), time.perf_counter()
    number: int | None
    reached = states = None
    if engine == "bfs":
        searched = search(puzzle, settings, count=count)
        solution, number, proof = searched.solution, searched.count, _searched(puzzle, searched)
        reached, states = searched.reached, searched.states
    else:
        solver = _solver(engine)
        planned = plan(puzzle, solver, settings)
        solution, number, proof = planned.solution, None, _planned(puzzle, solver, planned)
        if count and solution is not None:
            left = clock.within(settings)
            number = sum(1 for _ in planned_solutions(puzzle, len(solution), solver, left))
    if count and solution is None:
        number = 0
    if solution is not None:
        _judged(solution, engine)
    status = "impossible" if solution is None else "found"
    seconds = time.perf_counter() - started
    return SwapAnswer(status, solution, number, proof, engine, seconds, reached, states)


def all_shortest(
    puzzle: SwapPuzzle,
    engine: str = "bfs",
    settings: Settings | None = None,
    *,
    length: int | None = None,
) -> Iterator[SwapSolution]:
    """Every shortest solution once, each checked by the judge; raises as :func:`solve_swap` does.

    Where ``length`` is given, that of the shortest solutions, planning engines need not find it.

    >>> puzzle = SwapPuzzle(start="W.B/.x./B.W", goal="B.W/.x./W.B", objective="moves")
    >>> [len(set(all_shortest(puzzle, engine))) for engine in SWAP_ENGINES]
    [8, 8, 8]
    """
    settings = settings or Settings()
    clock = Clock(settings.timeout)
    if engine == "bfs":
        searched = search(puzzle, settings, keep=True)
        found = _lines(puzzle, searched.on_shortest, clock) if searched.solution is not None else iter(())
    else:
        solver = _solver(engine)
        if length is None:
            planned = plan(puzzle, solver, settings)
            if planned.solution is None:
                return
            length = len(planned.solution)
        found = planned_solutions(puzzle, length, solver, clock.within(settings))
    for solution in found:
        yield _judged(solution, engine)


def _lines(
    puzzle: SwapPuzzle, layers: tuple[frozenset[Position], ...], clock: Clock
) -> Iterator[SwapSolution]:
    """All ways through the positions on shortest solutions, by depth first."""

    def further(moves: tuple[SwapMove, ...], state: State) -> Iterator[SwapSolution]:
        if len(moves) == len(layers) - 1:
            yield SwapSolution(puzzle, moves)
            return
        clock.check()
        for move, reached in steps(puzzle, state):
            if reached[0] in layers[len(moves) + 1]:
                yield from further((*moves, move), reached)

    for state in starts(puzzle) if len(layers) > 1 else starts(puzzle)[:1]:
        yield from further((), state)


def _judged(solution: SwapSolution, engine: str) -> SwapSolution:
    fault = solution.fault()
    if fault is not None:
        raise WrongAnswer(f"engine {engine} gave a wrong solution of {solution.puzzle}: {fault}")
    return solution


def _solver(engine: str) -> ModelSolver:
    if engine == "sat":
        from ktsolve.engines.sat.solver import SatSolver

        return SatSolver()
    if engine == "cpsat":
        from ktsolve.engines.cpsat import CpSatSolver

        return CpSatSolver()
    raise BadInput(f"engine {engine!r:.40} is unknown here: use {', '.join(SWAP_ENGINES)}")


def _searched(puzzle: SwapPuzzle, found: Searched) -> str:
    if found.solution is None:
        if found.exhausted:
            return (
                f"searched: {found.reached:,} of {found.states:,} positions can be reached, the goal is none"
            )
        return (
            f"searched: none of the {found.reached:,} positions within {puzzle.most} {puzzle.objective} "
            "is the goal"
        )
    nearer = sum(found.layers[: len(found.solution)])
    if not nearer:
        return "nothing is shorter than nothing"
    within = len(found.solution) - 1
    return f"searched: none of the {nearer:,} positions within {within} {puzzle.objective} is the goal"


def _planned(puzzle: SwapPuzzle, solver: ModelSolver, found: Planned) -> str:
    if found.solution is None and found.refuted is None:
        return f"arithmetic: {found.reason}"
    if found.refuted is None:
        return f"arithmetic: the pieces need {found.bound} {puzzle.objective}, even on an empty board"
    parts = [f"{solver.name} refuted solutions of at most {found.refuted} {puzzle.objective}"]
    if found.solution is not None and found.refuted < len(found.solution) - 1:
        parts.append(f"{len(found.solution) - 1} has the wrong parity")
    return "; ".join(parts)
