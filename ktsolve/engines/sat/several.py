"""Several solutions: different ones, or ones that lie far apart.

Each is looked for from another place, near edges that are found without the solver (see
:mod:`ktsolve.engines.sat.cuts`), and the ones before it are ruled out.

*Far apart* is measured in moves: two solutions differ by the moves of one that the other does not make. The
first is as it comes; each next one has the least difference to all before it as large as can be made, by
asking for fewer and fewer moves in common, each time within a number of conflicts. So it is greedy, and a
difference that takes long to find is missed; but what is found is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ktsolve.engines.sat.conflict_budget import Patience, Report, Undecided, unheeded
from ktsolve.engines.sat.lazy import LazySolver
from ktsolve.model.constraints import Literal
from ktsolve.model.encode import number
from ktsolve.model.model import Model
from ktsolve.settings import Clock

__all__ = ["TO_CONSTRUCT", "TO_TRY", "different", "far_apart", "first"]

TO_TRY = "minicard"
"""Takes "two of these" as it is, where others need 64 clauses for a cell with eight moves: a board of 100x100
is loaded in 0.06 s instead of 0.8. Gluecard does, too, but looks at its budget of conflicts at restarts only,
once in 100,000."""

TO_CONSTRUCT = "cadical153"
"""Asked when the first has run out of patience."""

_TRIED = 5000
"""Conflicts after which a trial ends. Where the edges that it starts from do there are next to none."""

_STEP_TRIED = 2000
"""The same for one demand of fewer moves in common."""

Moves = Sequence[tuple[Literal, ...]]
"""The literals of each move: it is made if one of them is true, and no two of them ever are."""


def first(model: Model, seed: int | None, clock: Clock) -> list[bool] | None:
    """A solution near the edges that are found without the solver, or None if there is none.

    Raises
    ------
    Undecided
        If that does not come to an end soon: then another solver is to be asked.
    """
    solver = LazySolver(model, TO_TRY, seed, join=True)
    try:
        return solver.next_solution(Patience(_TRIED, clock))
    finally:
        solver.close()


def different(
    model: Model, seed: int | None, most: int, report: Report = unheeded, *, tried: bool = False
) -> Iterator[list[bool]]:
    """Up to ``most`` solutions that differ in the shown Booleans; fewer if there are no more.

    Parameters
    ----------
    tried:
        :func:`first` has run out of patience with this model.
    """
    found: list[list[bool]] = []
    solver = LazySolver(model, TO_CONSTRUCT if tried else TO_TRY, seed, join=True, report=report)
    try:
        while True:
            try:
                solution = solver.next_solution(None if tried else Patience(_TRIED, Clock(None)))
            except Undecided:
                solver.close()
                solver = LazySolver(model, TO_CONSTRUCT, _seed(seed, len(found)), join=True, report=report)
                tried = True
                for each in found:
                    solver.block(each)
                continue
            if solution is None:
                return
            yield solution
            found.append(solution)
            if len(found) == most:
                return
            solver.block(solution)
            solver.restart(_seed(seed, len(found)))
    finally:
        solver.close()


def far_apart(
    model: Model, seed: int | None, most: int, moves: Moves, report: Report = unheeded
) -> Iterator[list[bool]]:
    """Up to ``most`` solutions, each of which has few moves in common with any before it."""
    start = next(different(model, seed, 1, report), None)
    found: list[list[bool]] = []
    while start is not None:
        yield start
        found.append(start)
        if len(found) == most:
            return
        start = _farthest(model, _seed(seed, len(found)), [_made(moves, each) for each in found], moves)


def _seed(seed: int | None, turn: int) -> int | None:
    """The seed of the solution that comes after ``turn`` others."""
    return seed if turn == 0 else ((seed or 0) << 32) + turn


def _made(moves: Moves, solution: Sequence[bool]) -> frozenset[int]:
    """The moves that a solution makes, by their numbers."""
    return frozenset(i for i, move in enumerate(moves) if any(literal.holds(solution) for literal in move))


def _farthest(
    model: Model, seed: int | None, earlier: list[frozenset[int]], moves: Moves
) -> list[bool] | None:
    """A solution with few moves in common with each earlier one; None if there is no other at all."""
    in_common = min(map(len, earlier)) - 1
    best = _apart(model, seed, earlier, moves, in_common, patience=None)
    if best is None:
        return None
    reached = _most_in_common(earlier, _made(moves, best))
    out_of_reach, step = -1, 1
    while reached - out_of_reach > 1:
        # First by steps that double, then by halves: what is far out of reach takes longest to give up.
        wanted = max(reached - step, (reached + out_of_reach) // 2)
        try:
            found = _apart(model, seed, earlier, moves, wanted, Patience(_STEP_TRIED, Clock(None)))
        except Undecided:
            found = None
        if found is None:
            out_of_reach = wanted
        else:
            best, reached, step = found, _most_in_common(earlier, _made(moves, found)), 2 * step
    return best


def _apart(
    model: Model,
    seed: int | None,
    earlier: list[frozenset[int]],
    moves: Moves,
    in_common: int,
    patience: Patience | None,
) -> list[bool] | None:
    """A solution with at most so many moves in common with each earlier one, or None. Raises Undecided."""
    solver = LazySolver(model, TO_TRY, None, join=True)
    try:
        for made in earlier:
            solver.limit([number(literal) for i in made for literal in moves[i]], in_common)
        solver.restart(seed, _cost(model, earlier, moves))
        return solver.next_solution(patience)
    finally:
        solver.close()


def _cost(model: Model, earlier: list[frozenset[int]], moves: Moves) -> NDArray[np.int32]:
    """For each DIMACS variable how many of the earlier solutions make its move."""
    cost = np.zeros(len(model) + 1, dtype=np.int32)
    for made in earlier:
        cost[[number(literal) for i in made for literal in moves[i]]] += 1
    return cost


def _most_in_common(earlier: list[frozenset[int]], made: frozenset[int]) -> int:
    return max(len(made & other) for other in earlier)
