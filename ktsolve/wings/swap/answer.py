"""Solve a swap puzzle with a chosen engine; every solution is checked before it is returned."""

from __future__ import annotations

from collections.abc import Iterator

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Clock, Settings, takes_settings
from ktsolve.base.text import check_kind
from ktsolve.engines.interface import refuse_wrong
from ktsolve.engines.registry import MODEL_ENGINES, solver_named
from ktsolve.engines.solver import ModelSolver
from ktsolve.tasks.answer import timed
from ktsolve.wings.swap.planning import plan, planned_solutions
from ktsolve.wings.swap.puzzle import Position, State, SwapMove, SwapPuzzle, starts, steps
from ktsolve.wings.swap.search import search
from ktsolve.wings.swap.solution import SwapAnswer, SwapSolution, violation

__all__ = ["SWAP_ENGINES", "SwapAnswer", "all_shortest", "solve_swap"]

SWAP_ENGINES = ("bfs", *MODEL_ENGINES)
"""Breadth-first search, and bounded planning with each solver of models."""


@takes_settings
@timed
def solve_swap(
    puzzle: SwapPuzzle, engine: str = "bfs", settings: Settings | None = None, *, count: bool = False
) -> SwapAnswer:
    """Find a shortest solution, prove that no solution is shorter, and count the shortest ones.

    Parameters
    ----------
    puzzle:
        The puzzle.
    engine:
        One of :data:`SWAP_ENGINES`.
    settings:
        Limits, and the solver of the planning engines.
    count:
        Count the sequences of jumps, or of moves; two moves are equal only if they go through the same cells.
        The planning engines count by listing.

    Returns
    -------
    SwapAnswer
        The solution, its proof and the number of solutions.

    Raises
    ------
    BadInput
        If the engine is unknown.
    LimitReached
        At a limit, with the bounds reached.
    WrongAnswer
        If the engine's solution breaks a rule.

    Examples
    --------
    >>> puzzle = SwapPuzzle(start="W.B/.x./B.W", goal="B.W/.x./W.B")
    >>> answer = solve_swap(puzzle, count=True)
    >>> answer.length, answer.count, answer.proof
    (8, 2176, 'searched: none of the 131 positions within 7 jumps is the goal')
    """
    check_kind(puzzle, SwapPuzzle, "a SwapPuzzle")
    if engine == "bfs":
        answer = search(puzzle, settings, count=count)
    else:
        answer = plan(puzzle, _solver(engine), settings, count=count)
    if answer.solution is not None:
        _checked(answer.solution, engine)
    return answer


def all_shortest(
    puzzle: SwapPuzzle, engine: str = "bfs", settings: Settings | None = None, *, length: int | None = None
) -> Iterator[SwapSolution]:
    """Every shortest solution once, each checked; raises as :func:`solve_swap` does.

    With ``length``, the length of the shortest solutions, planning engines skip the search for it.

    >>> puzzle = SwapPuzzle(start="W.B/.x./B.W", goal="B.W/.x./W.B", objective="moves")
    >>> [len(set(all_shortest(puzzle, engine))) for engine in SWAP_ENGINES]
    [8, 8, 8]
    """
    settings = Settings.of(settings)
    clock = Clock(settings)
    if engine == "bfs":
        searched = search(puzzle, settings, keep=True)
        found = _paths(puzzle, searched.on_shortest, clock) if searched.solution is not None else iter(())
    else:
        solver = _solver(engine)
        if length is None:
            length = plan(puzzle, solver, settings).length
            if length is None:
                return
        found = planned_solutions(puzzle, length, solver, clock.within(settings))
    for solution in found:
        yield _checked(solution, engine)


def _paths(
    puzzle: SwapPuzzle, layers: tuple[frozenset[Position], ...], clock: Clock
) -> Iterator[SwapSolution]:
    """All sequences of moves through the positions on shortest solutions, depth first."""

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


def _checked(solution: SwapSolution, engine: str) -> SwapSolution:
    refuse_wrong(engine, "solution of", solution.puzzle, violation(solution.puzzle, solution.moves))
    return solution


def _solver(engine: str) -> ModelSolver:
    if engine not in SWAP_ENGINES:
        raise BadInput(f"engine {engine!r:.40} solves no swap puzzles: use {', '.join(SWAP_ENGINES)}")
    return solver_named(engine)
