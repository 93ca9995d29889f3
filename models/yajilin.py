"""Yajilin: some cells are shaded, and one loop goes through all other cells that have no clue.

No two shaded cells are neighbours. A clue ``2>`` says that there are two shaded cells to its right; ``<``,
``^`` and ``v`` are the other directions. A clue ``?`` says nothing; its cell is neither shaded nor visited.
One Boolean for each pair of neighbouring cells, and one for each cell that is shaded. Parameter of an
instance: ``clues``, a grid of clues and ``.``.
"""

from __future__ import annotations

from ktsolve.models._grid import GridModel

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.graphs.notation import Cell
from ktsolve.grids.puzzle import GridPuzzle
from ktsolve.model.constraints import Cardinality

__all__ = ["ARROWS", "UNKNOWN", "YajilinModel", "build", "cells_ahead", "read_clue"]

ARROWS = {">": (0, 1), "v": (1, 0), "<": (0, -1), "^": (-1, 0)}
UNKNOWN = "?"


class YajilinModel(GridModel):
    r"""The rules of Yajilin.

    >>> YajilinModel(GridPuzzle.read(". . .\n. 1> .\n. . .")).model
    <Model yajilin 3x3: 16 Booleans, 10 constraints>
    """

    kind = "yajilin"

    def __init__(self, puzzle: GridPuzzle, *, optional: bool = False) -> None:
        super().__init__(puzzle, optional=optional)
        free = [cell for cell in puzzle.cells if cell not in puzzle.clue]
        shaded = self.shaded = {cell: self.model.boolean(f"shaded[{cell[0]},{cell[1]}]") for cell in free}
        # The loop visits every cell that is neither shaded nor a clue.
        visits = {cell: ~shaded[cell] for cell in free}
        self.line = self.loop(puzzle.rows, puzzle.columns, without=puzzle.clue, visits=visits)
        self.mark("shaded", shaded)
        # No two shaded cells are neighbours.
        for a, b in self.line:
            self.model.at_most(1, [shaded[a], shaded[b]])
        # As many cells ahead are shaded as a clue says.
        for cell, clue in puzzle.clues:
            if clue != UNKNOWN:
                number, arrow = read_clue(puzzle, cell, clue)
                ahead = [shaded[each] for each in cells_ahead(puzzle, cell, arrow) if each in shaded]
                self.rule(cell, Cardinality(tuple(ahead), number, number))

    @staticmethod
    def check(puzzle: GridPuzzle) -> None:
        for cell, clue in puzzle.clues:
            if clue != UNKNOWN:
                read_clue(puzzle, cell, clue)


def read_clue(puzzle: GridPuzzle, cell: Cell, clue: str) -> tuple[int, str]:
    """Number and arrow of a clue."""
    number, arrow = clue[:-1], clue[-1]
    if not (number.isascii() and number.isdigit() and len(number) < 4 and arrow in ARROWS):
        raise BadInput(
            f"{puzzle.where(cell)} of the puzzle: {shown(clue, 20)} is not a clue: write a number and an "
            "arrow such as 2> or 0^ (one of < > ^ v), ? for a cell with an unknown clue, and . for an empty "
            "cell"
        )
    return int(number), arrow


def cells_ahead(puzzle: GridPuzzle, cell: Cell, arrow: str) -> list[Cell]:
    """The cells in the direction of an arrow, up to the edge of the grid."""
    (r, c), (dr, dc) = cell, ARROWS[arrow]
    ahead = []
    while 0 <= (r := r + dr) < puzzle.rows and 0 <= (c := c + dc) < puzzle.columns:
        ahead.append((r, c))
    return ahead


build = YajilinModel.build
