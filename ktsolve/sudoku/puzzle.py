"""Puzzles: read, solve, count solutions up to a limit, prove that there is only one."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

import numpy as np

from ktsolve.errors import BadInput
from ktsolve.ground.box import Box, Grid
from ktsolve.settings import Clock, Settings
from ktsolve.sudoku.watched import finished, reporter, time_left

__all__ = ["Puzzle", "Solutions", "count_solutions", "is_unique", "solve"]


@dataclass(frozen=True)
class Puzzle:
    """A grid with empty cells.

    Attributes
    ----------
    box:
        Its shape.
    clues:
        Its digits row by row, 0 for an empty cell. Those given do not clash.

    Raises
    ------
    BadInput
        If there are too few or too many cells, or a digit stands twice in a row, column or box.

    Examples
    --------
    >>> puzzle = Puzzle.read("1... ..2. .3.. ...4")
    >>> str(puzzle.box), puzzle.given
    ('2x2', 4)
    >>> print(puzzle)
    1.|..
    ..|2.
    --+--
    .3|..
    ..|.4
    """

    box: Box
    clues: Grid

    def __post_init__(self) -> None:
        if len(self.clues) != self.box.cells:
            raise BadInput(
                f"a grid of {self.box} boxes has {self.box.cells} cells, not {len(self.clues)}: "
                "give one digit, or 0, for each"
            )
        if not all(0 <= digit <= self.box.side for digit in self.clues):
            raise BadInput(f"digits of {self.box} boxes are 1 to {self.box.side}, and 0 for an empty cell")
        if clash := self.box.clash(self.clues):
            raise BadInput(f"{clash}: give each digit once in every row, column and box")

    @classmethod
    def read(cls, text: str, box: Box | None = None) -> Puzzle:
        """The puzzle of a text; without a box that of a square box with as many cells.

        Raises
        ------
        BadInput
            As said above, or if no square box has as many cells.
        """
        if box is None:
            cells = sum(not character.isspace() and character not in "|+-" for character in text)
            side = isqrt(isqrt(cells))
            if side**4 != cells or side < 2:
                raise BadInput(
                    f"a grid has 81 cells, or 16 or 256, not {cells}: write 1 to 9, and . for an empty cell; "
                    "for other boxes say which, such as 2x3"
                )
            box = Box(side, side)
        return cls(box, box.read(text))

    @property
    def given(self) -> int:
        """Number of clues."""
        return sum(digit != 0 for digit in self.clues)

    @property
    def complete(self) -> bool:
        """Is no cell empty?"""
        return 0 not in self.clues

    def __str__(self) -> str:
        return self.box.draw(self.clues)

    def fault(self, grid: Grid) -> str:
        """Why a grid is no solution, empty if it is one; shares nothing with those who find solutions.

        >>> Puzzle.read("1... ..2. .3.. ...4").fault((1, 2, 3, 4) * 4)
        'cell 7 is 3, not 2 as given'
        """
        for cell, (digit, clue) in enumerate(zip(grid, self.clues, strict=True)):
            if clue not in (0, digit):
                return f"cell {cell + 1} is {digit}, not {clue} as given"
        if not all(grid):
            return "a cell is empty"
        return self.box.clash(grid)


@dataclass(frozen=True)
class Solutions:
    """Solutions of a puzzle.

    Attributes
    ----------
    count:
        How many were found.
    all_found:
        Whether these are all; false if the count stopped at its limit.
    grids:
        Those kept.
    """

    count: int
    all_found: bool
    grids: tuple[Grid, ...] = ()


def as_array(grid: Grid) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """A grid for the native core."""
    return np.array(grid, np.uint8)


def count_solutions(
    puzzle: Puzzle, most: int, settings: Settings | None = None, *, keep: int = 0, seed: int = 0
) -> Solutions:
    """Solutions of a puzzle, by the native search, up to a limit.

    Parameters
    ----------
    most:
        Where to stop.
    keep:
        How many solutions to return.
    seed:
        Other than 0: try digits in random order.

    Raises
    ------
    BadInput
        For a limit below 1.
    LimitReached
        At the time limit.

    Examples
    --------
    >>> count_solutions(Puzzle(Box(2, 2), (0,) * 16), 1000)
    Solutions(count=288, all_found=True, grids=())
    """
    from ktsolve import _native

    settings = settings or Settings()
    if not 1 <= most < 2**63:
        raise BadInput(f"the number of solutions to look for must be from 1 to 2^63 - 1, not {most}")
    box = puzzle.box
    # One more is looked for, to tell whether the limit cut anything off.
    status, count, digits = _native.sudoku_solve(
        (box.rows, box.columns),
        as_array(puzzle.clues),
        most + 1,
        min(keep, most),
        seed,
        settings.timeout,
        reporter(settings, "search"),
    )
    finished(status, settings, f"{count:,} solutions found")
    grids = tuple(tuple(int(digit) for digit in grid) for grid in digits.reshape(-1, box.cells))
    return Solutions(min(count, most), count <= most, grids)


def solve(puzzle: Puzzle, engine: str = "auto", settings: Settings | None = None) -> Grid | None:
    """A solution, or None if there is none, by a solver of models.

    Raises
    ------
    LimitReached
        At a limit.

    Examples
    --------
    >>> puzzle = Puzzle.read("1... ..2. .3.. ...4")
    >>> puzzle.fault(solve(puzzle))
    ''
    """
    from ktsolve.models.sudoku_grid import GridModel
    from ktsolve.tasks.solve import solve_model

    compiled = GridModel(puzzle.box, puzzle.clues)
    assignment = solve_model(compiled.model, engine, settings).assignment
    return None if assignment is None else compiled.grid(assignment)


def is_unique(puzzle: Puzzle, engine: str = "auto", settings: Settings | None = None) -> bool:
    """Has a puzzle exactly one solution? A solver of models proves that there is no second one.

    >>> is_unique(Puzzle.read("1... ..2. .3.. ...4")), is_unique(Puzzle.read("1... ..2. .3.. ...."))
    (True, False)
    """
    from ktsolve.models.sudoku_grid import GridModel
    from ktsolve.tasks.solve import solve_model

    settings = settings or Settings()
    clock = Clock(settings.timeout)
    first = solve(puzzle, engine, settings)
    if first is None:
        return False
    compiled = GridModel(puzzle.box, puzzle.clues)
    compiled.rule_out(first)
    with time_left(settings, clock) as left:
        return solve_model(compiled.model, engine, left).assignment is None
