"""Sudoku grids and puzzles: every row, column and box holds every digit once.

One Boolean ``r1c2=5`` for each cell and digit. Parameters of an instance: ``box`` (default ``3x3``);
``clues``, a text of the grid with ``.`` for empty cells; ``digits``, such as ``0-F``, where their signs may
be meant in two ways; ``ordered_box`` (default false): box 1 holds the digits in order, which divides the
number of grids by N!.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ktsolve.models import Built

from ktsolve.base.errors import BadInput
from ktsolve.grids.box import DIGITS, Box, Grid
from ktsolve.grids.sudoku_text import read_grid
from ktsolve.model.constraints import Assignment, Literal
from ktsolve.model.model import Model
from ktsolve.problem.parameters import check_keys

__all__ = ["SudokuGridModel", "build", "digits_of", "place_digits"]


def place_digits(model: Model, box: Box, rows: int) -> list[list[Literal]]:
    """Booleans for the first rows of a grid: one digit in each cell, every digit once in each group.

    For each cell, row by row, there is a list of its Booleans by digit.
    """
    places = [
        [
            model.boolean(f"r{cell // box.side + 1}c{cell % box.side + 1}={digit}")
            for digit in DIGITS[: box.side]
        ]
        for cell in range(rows * box.side)
    ]
    for cell in places:
        model.exactly(1, cell)
    for group in box.groups(rows if rows < box.side else None):
        for digit in range(box.side):
            model.exactly(1, [places[cell][digit] for cell in group])
    return places


def digits_of(places: Iterable[list[Literal]], assignment: Assignment) -> Grid:
    """The digits of the cells in a solution."""
    return tuple(
        # Asked for each of many solutions: the literals are plain Booleans.
        next(digit for digit, literal in enumerate(cell, 1) if assignment[literal.number])
        for cell in places
    )


class SudokuGridModel:
    """All grids of a shape that hold given digits.

    >>> compiled = SudokuGridModel(Box(2, 2), read_grid("12.. .... .... ....", Box(2, 2)).grid)
    >>> compiled.model
    <Model sudoku 2x2: 64 Booleans, 66 constraints>
    """

    def __init__(self, box: Box, clues: Grid | None = None, *, ordered_box: bool = False) -> None:
        self.box = box
        self.clues = clues or (0,) * box.cells
        self.model = Model(f"sudoku {box}")
        self._places = place_digits(self.model, box, box.side)
        for cell, digit in zip(self._places, self.clues, strict=True):
            if digit:
                self.model.fix(cell[digit - 1])
        if ordered_box:
            first = [row * box.side + column for row in range(box.rows) for column in range(box.columns)]
            for digit, cell_number in enumerate(first):
                self.model.fix(self._places[cell_number][digit])

    def holds(self, cell: int, digit: int) -> Literal:
        """The Boolean that a cell has a digit."""
        return self._places[cell][digit - 1]

    def grid(self, assignment: Assignment) -> Grid:
        """The grid of a solution."""
        return digits_of(self._places, assignment)


def build(parameters: Mapping[str, Any]) -> Built:
    """The model of an instance."""
    check_keys(parameters, {"box": str, "clues": str, "digits": str, "ordered_box": bool}, "parameters")
    box = Box.parse(parameters.get("box", "3x3"))
    signs, clues = DIGITS, None
    if "clues" in parameters:
        read = read_grid(parameters["clues"], box, parameters.get("digits"))
        signs, clues = read.digits, read.grid
    if clues is not None and (conflict := box.conflict(clues, signs)):
        raise BadInput(f"parameters.clues: {conflict}: give each digit once in every row, column and box")
    compiled = SudokuGridModel(box, clues, ordered_box=parameters.get("ordered_box", False))
    return Built(compiled.model, lambda assignment: box.draw(compiled.grid(assignment), signs))
