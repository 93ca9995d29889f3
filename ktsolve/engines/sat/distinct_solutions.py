"""Several solutions: distinct ones, or ones that are far apart.

The search for each solution starts from other edges, which are found without the solver (see
:mod:`ktsolve.engines.sat.cuts`). Blocking clauses exclude the earlier solutions.

The distance of two solutions is the number of moves of one that the other does not make. The first solution
is arbitrary. Each next solution maximises the least distance to all earlier ones: the search allows fewer and
fewer common moves, each time within a conflict budget. The method is greedy, and may miss a distance that
takes too long to find. Its result does not depend on the speed of the machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import count

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.limits import Clock
from ktsolve.engines.sat.lazy import LazySolver
from ktsolve.engines.sat.python_sat import (
    FIRST_STEP,
    LISTING_SOLVER,
    MAIN_SOLVER,
    TRIAL_SOLVER,
    BudgetExhausted,
    ConflictBudget,
    SolverProgress,
    Statistics,
    no_progress,
)
from ktsolve.model.constraints import Circuit, Literal, Path
from ktsolve.model.encode import number
from ktsolve.model.model import Model

__all__ = ["different", "far_apart", "first", "has_initial_edges"]

_TRIAL_BUDGET = 5000  # conflict budget of a trial. A trial that succeeds needs hardly any conflicts
_STEP_BUDGET = 2000  # conflict budget for one bound on common moves
_AT_ONCE = 100  # conflicts of a step of a budget

_FIRST_TURN = 50_000  # conflicts of the first turn of each solver; the next ones are twice as long

Moves = Sequence[tuple[Literal, ...]]
"""The literals of each move. At most one of them is true; then the move is made."""


def has_initial_edges(model: Model) -> bool:
    """Return whether joining finds a first solution soonest: all circuits and paths are undirected."""
    loops = [each for each in model.constraints if isinstance(each, Circuit | Path)]
    return bool(loops) and not any(each.directed for each in loops)


def first(model: Model, seed: int | None, clock: Clock) -> list[int] | None:
    """Return a solution near edges that are found without the solver, or None if none exists.

    Raises BudgetExhausted: then the caller should use another solver.
    """
    with closing(LazySolver(model, TRIAL_SOLVER, seed, join=True)) as solver:
        budget = ConflictBudget(_TRIAL_BUDGET, lambda _conflicts: clock.check("no solution found"), _AT_ONCE)
        return solver.next_solution(budget)


def different(
    model: Model,
    seed: int | None,
    most: int,
    progress: SolverProgress = no_progress,
    *,
    skip_trial: bool = False,
) -> Iterator[list[int]]:
    """Yield up to ``most`` solutions that differ in the shown Booleans; fewer if no more exist.

    The trial is skipped where :func:`first` has exhausted its conflict budget on this model.
    """
    if most == 1 and skip_trial:
        yield from _in_turns(model, seed, progress)
        return
    found: list[list[int]] = []
    for name in (MAIN_SOLVER,) if skip_trial else (TRIAL_SOLVER, MAIN_SOLVER):
        solver = LazySolver(model, name, _seed(seed, len(found)), join=True, progress=progress)
        # The main solver continues where the trial solver exhausts its budget.
        with closing(solver), suppress(BudgetExhausted):
            for each in found:
                solver.block(each)
            while True:
                budget = ConflictBudget(_TRIAL_BUDGET, at_once=_AT_ONCE) if name == TRIAL_SOLVER else None
                solution = solver.next_solution(budget)
                if solution is None:
                    return
                yield solution
                found.append(solution)
                if len(found) == most:
                    return
                solver.block(solution)
                solver.restart(_seed(seed, len(found)))


def _in_turns(model: Model, seed: int | None, progress: SolverProgress) -> Iterator[list[int]]:
    """Yield one solution, if there is one, by two solvers in turns that grow.

    The time of one solver varies by factors of hundreds between graphs of a kind: after a first turn the
    other may be lucky.
    """
    solvers = [partial(LazySolver, model, name, seed, join=True) for name in (MAIN_SOLVER, LISTING_SOLVER)]
    started: dict[int, LazySolver] = {}
    try:
        for which, conflicts in _turns():
            solver = started.get(which) or started.setdefault(which, solvers[which]())
            cuts = solver.cuts

            def report(conflicts: int, cuts: int = cuts) -> None:
                progress(Statistics(conflicts, cuts))

            with suppress(BudgetExhausted):
                solution = solver.next_solution(ConflictBudget(conflicts, report))
                if solution is not None:
                    yield solution
                return
    finally:
        for solver in started.values():
            solver.close()


def _turns() -> Iterator[tuple[int, int]]:
    """Yield whose turn it is, 0 or 1, and for how many conflicts."""
    # A short one first, as without turns: the length of the steps matters.
    yield 0, FIRST_STEP
    for doubled in count():
        yield 0, _FIRST_TURN << doubled
        yield 1, _FIRST_TURN << doubled


def far_apart(
    model: Model, seed: int | None, most: int, moves: Moves, progress: SolverProgress = no_progress
) -> Iterator[list[int]]:
    """Yield up to ``most`` solutions, each with few moves in common with any earlier one."""
    start = next(different(model, seed, 1, progress), None)
    found: list[list[int]] = []
    while start is not None:
        yield start
        found.append(start)
        if len(found) == most:
            return
        start = _farthest(model, _seed(seed, len(found)), [_made(moves, each) for each in found], moves)


def _seed(seed: int | None, turn: int) -> int | None:
    """Return the seed of the solution that follows ``turn`` others."""
    return seed if turn == 0 else ((seed or 0) << 32) + turn


def _made(moves: Moves, solution: Sequence[int]) -> frozenset[int]:
    """Return the numbers of the moves that a solution makes."""
    return frozenset(i for i, move in enumerate(moves) if any(literal.holds(solution) for literal in move))


def _farthest(
    model: Model, seed: int | None, earlier: list[frozenset[int]], moves: Moves
) -> list[int] | None:
    """Return a solution with few moves in common with each earlier one; None if there is no other."""
    in_common = min(map(len, earlier)) - 1
    best = _apart(model, seed, earlier, moves, in_common, budget=None)
    if best is None:
        return None
    reached = _most_in_common(earlier, _made(moves, best))
    infeasible, step = -1, 1
    while reached - infeasible > 1:
        # Doubling steps, then bisection: bounds that are far too small exhaust the budget.
        wanted = max(reached - step, (reached + infeasible) // 2)
        try:
            found = _apart(
                model, seed, earlier, moves, wanted, ConflictBudget(_STEP_BUDGET, at_once=_AT_ONCE)
            )
        except BudgetExhausted:
            found = None
        if found is None:
            infeasible = wanted
        else:
            best, reached, step = found, _most_in_common(earlier, _made(moves, found)), 2 * step
    return best


def _apart(
    model: Model,
    seed: int | None,
    earlier: list[frozenset[int]],
    moves: Moves,
    in_common: int,
    budget: ConflictBudget | None,
) -> list[int] | None:
    """Return a solution with at most ``in_common`` moves of each earlier one. Raises BudgetExhausted."""
    with closing(LazySolver(model, TRIAL_SOLVER, join=True)) as solver:
        for made in earlier:
            solver.limit([number(literal) for i in made for literal in moves[i]], in_common)
        solver.restart(seed, _cost(model, earlier, moves))
        return solver.next_solution(budget)


def _cost(model: Model, earlier: list[frozenset[int]], moves: Moves) -> NDArray[np.int32]:
    """Return for each DIMACS variable the number of earlier solutions that make its move."""
    cost = np.zeros(len(model) + 1, dtype=np.int32)
    for made in earlier:
        cost[[number(literal) for i in made for literal in moves[i]]] += 1
    return cost


def _most_in_common(earlier: list[frozenset[int]], made: frozenset[int]) -> int:
    return max(len(made & other) for other in earlier)
