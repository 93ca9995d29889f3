"""Canonical forms of grids and puzzles, and their automorphisms.

The canonical form is the least image, read row by row with 0 for empty cells, under permutations of rows in
bands, of bands, of columns in stacks, of stacks, transposition (for square boxes) and renaming of digits. Two
grids are the same up to these exactly if their canonical forms are equal.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ktsolve.base.errors import Refused
from ktsolve.base.limits import Settings, check_status, native_progress
from ktsolve.graphs.groups import Permutation, compose, inverse
from ktsolve.grids.box import Box, Grid
from ktsolve.wings.sudoku.puzzle import Puzzle

__all__ = ["Canonical", "automorphisms", "canonical", "same"]

_MOST_LISTED = 10_000


@dataclass(frozen=True)
class Canonical:
    """The canonical form of a grid or puzzle, and the number of its automorphisms."""

    box: Box
    grid: Grid
    automorphisms: int


def _least(puzzle: Puzzle, images: int, settings: Settings) -> tuple[Canonical, list[list[int]]]:
    from ktsolve import _native

    box = puzzle.box
    try:
        status, grid, number, found = _native.sudoku_least(
            (box.rows, box.columns),
            np.array(puzzle.clues, np.uint8),
            images,
            settings.timeout,
            settings.memory_budget,
            native_progress(settings, "canonical form"),
        )
    except ValueError as error:
        raise Refused(f"canonical forms for {box} boxes: {error}") from None
    check_status(status, settings)
    return Canonical(box, tuple(int(digit) for digit in grid), number), found


def canonical(puzzle: Puzzle, settings: Settings | None = None) -> Canonical:
    """The canonical form of a grid or puzzle.

    >>> grid = Puzzle.read("3412 1234 4321 2143")
    >>> print(canonical(grid).grid, canonical(grid).automorphisms)
    (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1) 32

    Cost: some milliseconds for 3x3 grids (23328 first rows); up to a second for puzzles with few clues.
    """
    return _least(puzzle, 0, settings or Settings())[0]


def same(one: Puzzle, other: Puzzle, settings: Settings | None = None) -> bool:
    """Whether two grids or puzzles are the same up to symmetry and names of digits.

    >>> same(Puzzle.read("1234 3412 2143 4321"), Puzzle.read("3412 1234 4321 2143"))
    True
    """
    if one.box != other.box or one.given != other.given:
        return False
    return canonical(one, settings).grid == canonical(other, settings).grid


def automorphisms(puzzle: Puzzle, settings: Settings | None = None) -> list[Permutation]:
    """The permutations of cells that map a grid to itself, up to the names of digits, the identity first.

    >>> len(automorphisms(Puzzle.read("1234 3412 2143 4321")))
    32
    """
    found, maps = _least(puzzle, _MOST_LISTED, settings or Settings())
    if found.automorphisms > len(maps):
        raise Refused(f"there are {found.automorphisms:,} automorphisms: up to {_MOST_LISTED:,} are listed")
    # Each map leads from the form to the grid: an automorphism is the inverse of the first, then another.
    to_form = inverse(tuple(maps[0]))
    return sorted(compose(to_form, tuple(each)) for each in maps)
