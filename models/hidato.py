"""Hidato, Numbrix and their relatives: a piece walks from 1 to the last number, through every cell once.

The piece is a king in Hidato, a wazir (one step along a row or a column) in Numbrix, and a knight in a maze
that only a knight's tour solves. One Boolean for each cell and number. Parameters of an instance: ``clues``,
a grid of numbers, ``.``, and ``#`` for cells that do not belong to the puzzle; ``piece``, ``"king"``
(default), ``"wazir"`` or ``"knight"``.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from ktsolve.models import Built
from ktsolve.models._grid import GridModel, puzzle_of

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.graphs.notation import Cell
from ktsolve.grids.puzzle import GridPuzzle, GridSolution, numbers_text
from ktsolve.model.constraints import Clause

__all__ = ["HOLE", "PIECES", "HidatoModel", "build", "neighbours_of", "numbers_of"]

HOLE = "#"

PIECES = {
    "king": [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)],
    "wazir": [(1, 0), (0, 1), (-1, 0), (0, -1)],
    "knight": [(2, 1), (2, -1), (-2, 1), (-2, -1), (1, 2), (1, -2), (-1, 2), (-1, -2)],
}
"""The steps of each piece."""


class HidatoModel(GridModel):
    r"""The rules of Hidato for a piece.

    >>> HidatoModel(GridPuzzle.read("1 .\n. .")).model
    <Model hidato 2x2: 16 Booleans, 33 constraints>
    """

    fixed = frozenset({HOLE})

    def __init__(self, puzzle: GridPuzzle, piece: str = "king", *, optional: bool = False) -> None:
        super().__init__("hidato", puzzle, optional=optional)
        around = neighbours_of(puzzle, piece)
        clues, last = numbers_of(puzzle), len(around)
        numbers = range(1, last + 1)
        at = self.at = {
            (cell, n): self.model.boolean(f"{cell[0]},{cell[1]}={n}") for cell, n in product(around, numbers)
        }
        self.mark("number", at)
        # Every cell has one number, and every number is in one cell.
        for cell in around:
            self.model.exactly(1, [at[cell, n] for n in numbers])
        for n in numbers:
            self.model.exactly(1, [at[cell, n] for cell in around])
        # The numbers before and after a number are in neighbouring cells.
        for cell, n in at:
            for other in (n - 1, n + 1):
                if other in numbers:
                    self.model.clause(~at[cell, n], *(at[each, other] for each in around[cell]))
        for cell, n in clues.items():
            self.rule(cell, Clause((at[cell, n],)))

    @staticmethod
    def check(puzzle: GridPuzzle) -> None:
        """Raise BadInput for a clue that is none of this kind."""
        numbers_of(puzzle)

    @staticmethod
    def drawing(puzzle: GridPuzzle, solution: GridSolution) -> str:
        """A puzzle with a solution as text."""
        holes = {cell: HOLE for cell, mark in puzzle.clues if mark == HOLE}
        return numbers_text(puzzle, {**holes, **solution.number})


def neighbours_of(puzzle: GridPuzzle, piece: str) -> dict[Cell, list[Cell]]:
    """The cells that a piece reaches in one step, for each cell of the puzzle."""
    if piece not in PIECES:
        raise BadInput(f"piece {shown(piece, 20)} is unknown: use {', '.join(PIECES)}")
    cells = {cell for cell in puzzle.cells if puzzle.clue.get(cell) != HOLE}
    return {
        (r, c): [near for dr, dc in PIECES[piece] if (near := (r + dr, c + dc)) in cells]
        for r, c in sorted(cells)
    }


def numbers_of(puzzle: GridPuzzle) -> dict[Cell, int]:
    """The given numbers. Raises BadInput if one is no number of the puzzle, or is given twice."""
    last = puzzle.rows * puzzle.columns - sum(mark == HOLE for _, mark in puzzle.clues)
    if not last:
        raise BadInput("the puzzle has holes only: write . for an empty cell")
    numbers: dict[Cell, int] = {}
    places: dict[int, Cell] = {}
    for cell, mark in puzzle.clues:
        if mark == HOLE:
            continue
        if not (mark.isascii() and mark.isdigit() and len(mark) < 10 and 1 <= int(mark) <= last):
            raise BadInput(
                f"{puzzle.where(cell)} of the puzzle: {shown(mark, 20)} is no clue: write a number from 1 to "
                f"{last}, . for an empty cell, and # for a cell that does not belong to the puzzle"
            )
        number = int(mark)
        if number in places:
            raise BadInput(f"{number} is given in {puzzle.where(places[number])} and in {puzzle.where(cell)}")
        numbers[cell], places[number] = number, cell
    return numbers


def build(parameters: Mapping[str, Any]) -> Built:
    """The model of an instance."""
    return HidatoModel(puzzle_of(parameters, piece=str), parameters.get("piece", "king")).built()
