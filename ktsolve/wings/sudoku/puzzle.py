"""Puzzles: reading, solving, counting solutions up to a limit, proving uniqueness; random ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ktsolve.base.errors import BadInput, WrongAnswer
from ktsolve.base.limits import Clock, Settings, check_status, native_progress
from ktsolve.grids.box import DIGITS, Box, Grid
from ktsolve.grids.sudoku_text import read_grid

__all__ = [
    "Puzzle",
    "Solutions",
    "count_solutions",
    "random_grid",
    "random_puzzle",
    "random_puzzles",
    "solutions",
]


@dataclass(frozen=True)
class Puzzle:
    """A grid with empty cells.

    The clues are its digits row by row, 0 for an empty cell. No digit is given twice in a row, column or box.
    ``digits`` are the signs of the digits in its text.

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
    digits: str = field(default=DIGITS, compare=False)

    def __post_init__(self) -> None:
        if len(self.clues) != self.box.cells:
            raise BadInput(
                f"a grid of {self.box} boxes has {self.box.cells} cells, not {len(self.clues)}: "
                "give a digit or 0 for each"
            )
        if not all(0 <= digit <= self.box.side for digit in self.clues):
            raise BadInput(f"digits of {self.box} boxes are 1 to {self.box.side}, and 0 for an empty cell")
        if conflict := self.box.conflict(self.clues, self.digits):
            raise BadInput(f"{conflict}: give each digit once in every row, column and box")

    @classmethod
    def read(cls, text: str, box: Box | None = None, digits: str | None = None) -> Puzzle:
        """The puzzle of a text; see :func:`~ktsolve.grids.sudoku_text.read_grids`."""
        found = read_grid(text, box, digits)
        return cls(found.box, found.grid, found.digits)

    @property
    def given(self) -> int:
        """Number of clues."""
        return sum(digit != 0 for digit in self.clues)

    def __str__(self) -> str:
        return self.draw(self.clues)

    def line(self, grid: Grid) -> str:
        """A grid in one line, with the signs of the puzzle."""
        return self.box.line(grid, self.digits)

    def draw(self, grid: Grid) -> str:
        """A grid with lines between boxes, with the signs of the puzzle."""
        return self.box.draw(grid, self.digits)

    def violation(self, grid: Grid) -> str:
        """The first reason why a grid is not a solution; empty if it is one. Solvers do not use it.

        >>> Puzzle.read("1... ..2. .3.. ...4").violation((1, 2, 3, 4) * 4)
        'cell 7 is 3, not 2 as given'
        """
        for cell, (digit, clue) in enumerate(zip(grid, self.clues, strict=True)):
            if clue not in (0, digit):
                return f"cell {cell + 1} is {self.line((digit,))}, not {self.line((clue,))} as given"
        if not all(grid):
            return "a cell is empty"
        return self.box.conflict(grid, self.digits)


@dataclass(frozen=True)
class Solutions:
    """Solutions of a puzzle, counted up to a limit.

    ``all_found`` is false if the count stopped at its limit; ``grids`` are those that were kept.
    """

    count: int
    all_found: bool
    grids: tuple[Grid, ...] = ()

    def __str__(self) -> str:
        more = "" if self.all_found else " and more"
        return f"{self.count}{more} solution{'s' if self.count != 1 or more else ''}"

    def to_json(self) -> dict[str, Any]:
        """The number as a JSON object."""
        return {"count": str(self.count), "complete": self.all_found}


def count_solutions(
    puzzle: Puzzle, most: int, settings: Settings | None = None, *, keep: int = 0, seed: int = 0
) -> Solutions:
    """The number of solutions of a puzzle up to a limit, by the native search.

    ``keep`` of them are returned. With a seed, the search tries digits in random order.

    >>> count_solutions(Puzzle(Box(2, 2), (0,) * 16), 1000)
    Solutions(count=288, all_found=True, grids=())
    """
    from ktsolve import _native

    settings = settings or Settings()
    if not 1 <= most < 2**63:
        raise BadInput(f"a limit of {most} solutions is out of range: give a number from 1 to 2^63 - 1")
    box = puzzle.box
    # One more than the limit, to detect that there are more.
    status, count, digits = _native.sudoku_solve(
        (box.rows, box.columns),
        np.array(puzzle.clues, np.uint8),
        most + 1,
        min(keep, most),
        seed,
        settings.timeout,
        native_progress(settings, "search"),
    )
    check_status(status, settings, f"{count:,} solutions found")
    grids = tuple(tuple(int(digit) for digit in grid) for grid in digits.reshape(-1, box.cells))
    return Solutions(min(count, most), count <= most, grids)


def solutions(
    puzzle: Puzzle, most: int, engine: str = "auto", settings: Settings | None = None
) -> list[Grid]:
    """Up to ``most`` solutions by a solver of models, which proves that there are no more if there are fewer.

    >>> len(solutions(Puzzle.read("1... ..2. .3.. ...4"), 2))
    1
    """
    from ktsolve.models.sudoku_grid import SudokuGridModel
    from ktsolve.tasks.solve import solutions as model_solutions

    compiled = SudokuGridModel(puzzle.box, puzzle.clues)
    found = []
    for solution in model_solutions(compiled.model, engine, settings, number=most):
        found.append(compiled.grid(solution.assignment))
        if violation := puzzle.violation(found[-1]):
            raise WrongAnswer(f"engine {engine} gave a wrong solution: {violation}")
    return found


def random_grid(box: Box, seed: int = 0, settings: Settings | None = None) -> Grid:
    """A random grid: search with the digits of each cell in random order.

    Reproducible by its seed. Grids are not equally likely.

    >>> box = Box(3, 3)
    >>> random_grid(box, 1) == random_grid(box, 1), random_grid(box, 1) == random_grid(box, 2)
    (True, False)
    """
    return count_solutions(Puzzle(box, (0,) * box.cells), 1, settings, keep=1, seed=seed + 1).grids[0]


def random_puzzle(
    box: Box, seed: int = 0, settings: Settings | None = None, *, clues: int | None = None
) -> Puzzle:
    """A random puzzle with exactly one solution: the last one of :func:`random_puzzles`.

    >>> puzzle = random_puzzle(Box(3, 3), 1, clues=30)
    >>> puzzle.given, count_solutions(puzzle, 2).count
    (30, 1)
    """
    *_, puzzle = random_puzzles(box, seed, settings, clues=clues)
    return puzzle


def random_puzzles(
    box: Box, seed: int = 0, settings: Settings | None = None, *, clues: int | None = None
) -> Iterator[Puzzle]:
    """Random puzzles with the same solution, which is their only one, each with fewer clues.

    Clues are removed from a random grid in random order; a clue whose removal allows a second solution stays.
    With a number of clues it stops there, else at a minimal puzzle.
    """
    settings = settings or Settings()
    if clues is not None and not 0 <= clues <= box.cells:
        raise BadInput(f"clues {clues} is out of range: give a number from 0 to {box.cells}")
    clock = Clock(settings)
    grid = random_grid(box, seed, settings)
    order = list(range(box.cells))
    random.Random(seed).shuffle(order)
    kept, needed = set(order), _needed(box, grid)
    yield _with_last_sign(Puzzle(box, grid))
    for done, cell in enumerate(order):
        if len(kept) == clues:
            break
        if settings.progress is not None:
            settings.progress(done / len(order), f"{len(kept)} clues")
        if not needed(kept - {cell}, cell, clock.within(settings, f"{len(kept)} clues left")):
            kept.remove(cell)
            given = (digit if i in kept else 0 for i, digit in enumerate(grid))
            yield _with_last_sign(Puzzle(box, tuple(given)))
    if clues is not None and len(kept) > clues:
        raise BadInput(
            f"seed {seed} gives no puzzle of {clues} clues: with {len(kept)} each clue is needed; "
            "give another seed, or more clues"
        )


def _needed(box: Box, grid: Grid) -> Callable[[Collection[int], int, Settings], bool]:
    """Whether the clues of some cells allow another digit in one more cell of a grid."""
    if box.side <= 9:
        # Milliseconds by search; that of larger grids may take hours.
        def by_search(cells: Collection[int], _cell: int, settings: Settings) -> bool:
            fewer = Puzzle(box, tuple(digit if i in cells else 0 for i, digit in enumerate(grid)))
            return not count_solutions(fewer, 1, replace(settings, progress=None)).all_found

        return by_search
    from ktsolve.models.sudoku_grid import SudokuGridModel
    from ktsolve.tasks.questions import Solver

    compiled = SudokuGridModel(box)
    solver = Solver(compiled.model)

    def by_solver(cells: Collection[int], cell: int, settings: Settings) -> bool:
        solver.limit(settings)
        given = [compiled.holds(i, grid[i]) for i in sorted(cells)]
        return solver.solve([*given, ~compiled.holds(cell, grid[cell])]).found

    return by_solver


def _with_last_sign(puzzle: Puzzle) -> Puzzle:
    """The puzzle, after an exchange of two digits if the last sign does not occur in a grid of more than 9.

    Without it the signs might as well begin with 0. A puzzle with one solution lacks one digit at most.
    """
    last = puzzle.box.side
    if last <= 9 or last in puzzle.clues:
        return puzzle
    renamed = {1: last, last: 1}
    return Puzzle(puzzle.box, tuple(renamed.get(digit, digit) for digit in puzzle.clues))
