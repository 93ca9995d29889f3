"""Slitherlink: one loop along the sides of cells; a number says how many sides of its cell the loop has.

One Boolean for each side of a cell. Parameter of an instance: ``clues``, a grid of 0, 1, 2, 3 and ``.``.
"""

from __future__ import annotations

from ktsolve.models._grid import GridModel

from ktsolve.graphs.notation import Cell
from ktsolve.grids.puzzle import GridPuzzle, GridSolution, sides_text
from ktsolve.model.constraints import Cardinality, Literal

__all__ = ["SlitherlinkModel", "build"]


class SlitherlinkModel(GridModel):
    r"""The rules of Slitherlink.

    >>> SlitherlinkModel(GridPuzzle.read("3 2\n. 0")).model
    <Model slitherlink 2x2: 12 Booleans, 4 constraints>
    """

    kind = "slitherlink"

    def __init__(self, puzzle: GridPuzzle, *, optional: bool = False) -> None:
        super().__init__(puzzle, optional=optional)
        # The loop runs along edges between dots, and visits some of the dots once.
        self.line = self.loop(puzzle.rows + 1, puzzle.columns + 1)
        # As many sides of a cell are drawn as its number says.
        for cell, clue in puzzle.clues:
            self.rule(cell, Cardinality(tuple(self.sides(cell)), int(clue), int(clue)))

    def sides(self, cell: Cell) -> list[Literal]:
        """The four sides of a cell."""
        (r, c), line = cell, self.line
        left, right = line[(r, c), (r + 1, c)], line[(r, c + 1), (r + 1, c + 1)]
        above, below = line[(r, c), (r, c + 1)], line[(r + 1, c), (r + 1, c + 1)]
        return [left, right, above, below]

    @staticmethod
    def check(puzzle: GridPuzzle) -> None:
        puzzle.check_clues("write 0, 1, 2 or 3, and . for an empty cell", "0123")

    @staticmethod
    def drawing(puzzle: GridPuzzle, solution: GridSolution) -> str:
        return sides_text(puzzle, solution)


build = SlitherlinkModel.build
