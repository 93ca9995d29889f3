"""Random grids and puzzles, reproducible by their seed."""

from __future__ import annotations

import random

from ktsolve.errors import BadInput
from ktsolve.ground.box import Box, Grid
from ktsolve.settings import Clock, Settings
from ktsolve.sudoku.puzzle import Puzzle, count_solutions

__all__ = ["random_grid", "random_puzzle"]


def random_grid(box: Box, seed: int = 0, settings: Settings | None = None) -> Grid:
    """A random grid: search with the digits of each cell in random order.

    Grids are not equally likely.

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
    """A random puzzle with exactly one solution.

    Clues are removed from a random grid in random order; a clue whose removal allows a second solution stays.

    Parameters
    ----------
    clues:
        Number of clues at which to stop; without it the puzzle is minimal.

    Raises
    ------
    BadInput
        If the number of clues is more than there are cells, or less than this seed reaches.
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
        raise BadInput(f"clues {clues} is out of range: give a number from 0 to {box.cells}")
    clock = Clock(settings.timeout)
    puzzle = Puzzle(box, random_grid(box, seed, settings))
    order = list(range(box.cells))
    random.Random(seed).shuffle(order)
    for cell in order:
        if puzzle.given == clues:
            break
        fewer = Puzzle(box, tuple(0 if i == cell else digit for i, digit in enumerate(puzzle.clues)))
        if count_solutions(fewer, 1, clock.within(settings, f"{puzzle.given} clues left")).all_found:
            puzzle = fewer
    if clues is not None and puzzle.given > clues:
        raise BadInput(
            f"seed {seed} gives no puzzle of {clues} clues: with {puzzle.given} each clue is needed; "
            "give another seed, or more clues"
        )
    return puzzle
