"""Random grids and puzzles, the same for the same seed."""

from __future__ import annotations

import random

from ktsolve.errors import BadInput
from ktsolve.ground.box import Box, Grid
from ktsolve.settings import Clock, Settings
from ktsolve.sudoku.puzzle import Puzzle, count_solutions
from ktsolve.sudoku.watched import time_left

__all__ = ["random_grid", "random_puzzle"]


def random_grid(box: Box, seed: int = 0, settings: Settings | None = None) -> Grid:
    """A grid found by search with digits tried in random order.

    Every grid can come out; not all are equally likely.

    Raises
    ------
    LimitReached
        At the time limit.

    Examples
    --------
    >>> box = Box(3, 3)
    >>> random_grid(box, 1) == random_grid(box, 1), random_grid(box, 1) == random_grid(box, 2)
    (True, False)
    """
    return count_solutions(Puzzle(box, (0,) * box.cells), 1, settings, keep=1, seed=seed + 1).grids[0]


def random_puzzle(
    box: Box, seed: int = 0, settings: Settings | None = None, *, clues: int | None = None
) -> Puzzle:
    """A puzzle with exactly one solution.

    Clues are taken from a random grid in random order as long as the solution stays the only one.

    Parameters
    ----------
    clues:
        How many to keep at least; without it none can be taken away from what comes out.

    Raises
    ------
    BadInput
        For a number of clues that is more than there are cells, or less than this seed leaves.
    LimitReached
        At the time limit.

    Examples
    --------
    >>> puzzle = random_puzzle(Box(3, 3), 1, clues=30)
    >>> puzzle.given, count_solutions(puzzle, 2).count
    (30, 1)
    """
    settings = settings or Settings()
    if clues is not None and not 0 <= clues <= box.cells:
        raise BadInput(f"the number of clues must be from 0 to {box.cells}, not {clues}")
    clock = Clock(settings.timeout)
    puzzle = Puzzle(box, random_grid(box, seed, settings))
    order = list(range(box.cells))
    random.Random(seed).shuffle(order)
    for cell in order:
        if puzzle.given == clues:
            break
        clock.check(f"{puzzle.given} clues left")
        fewer = Puzzle(box, tuple(0 if i == cell else digit for i, digit in enumerate(puzzle.clues)))
        with time_left(settings, clock) as left:
            if count_solutions(fewer, 1, left).all_found:
                puzzle = fewer
    if clues is not None and puzzle.given > clues:
        raise BadInput(
            f"seed {seed} leads to no puzzle of {clues} clues: at {puzzle.given} each is needed; "
            "try another seed, or more clues"
        )
    return puzzle
