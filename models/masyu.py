"""Masyu: one loop through the centres of cells and through all pearls.

At a black pearl the loop turns, and goes straight through the cells before and after it. At a white pearl the
loop goes straight, and turns in the cell before or after it. One Boolean for each pair of neighbouring cells.
Parameter of an instance: ``clues``, a grid of ``*`` for a black pearl, ``o`` for a white one, and ``.``.
"""

from __future__ import annotations

from ktsolve.models._grid import GridModel

from ktsolve.grids.puzzle import GridPuzzle, edge
from ktsolve.model.constraints import Cardinality, Clause, Constraint, Implication, Literal

__all__ = ["BLACK", "WHITE", "MasyuModel", "build"]

BLACK, WHITE = "*", "o"


class MasyuModel(GridModel):
    r"""The rules of Masyu.

    >>> MasyuModel(GridPuzzle.read("* . .\n. . o\n. . .")).model
    <Model masyu 3x3: 13 Booleans, 14 constraints>
    """

    kind = "masyu"

    def __init__(self, puzzle: GridPuzzle, *, optional: bool = False) -> None:
        super().__init__(puzzle, optional=optional)
        self.line = self.loop(puzzle.rows, puzzle.columns)
        for (r, c), pearl in puzzle.clues:
            left, right = self.between(r, c, 0, -1), self.between(r, c, 0, 1)
            up, down = self.between(r, c, -1, 0), self.between(r, c, 1, 0)
            beyond_left, beyond_right = self.between(r, c - 1, 0, -1), self.between(r, c + 1, 0, 1)
            beyond_up, beyond_down = self.between(r - 1, c, -1, 0), self.between(r + 1, c, 1, 0)
            if pearl == BLACK:
                # The loop turns here, and goes straight on to both sides.
                rules: list[Constraint] = [Cardinality((left, right), 1, 1), Cardinality((up, down), 1, 1)]
                rules += [Implication((left,), beyond_left), Implication((right,), beyond_right)]
                rules += [Implication((up,), beyond_up), Implication((down,), beyond_down)]
            else:
                # The loop goes straight here, and does not go straight on to both sides.
                rules = [Cardinality((left, up), 1, 1), Cardinality((left, down), 1, 1)]
                rules += [Cardinality((right, up), 1, 1), Cardinality((right, down), 1, 1)]
                rules += [
                    Clause((~left, ~beyond_left, ~beyond_right)),
                    Clause((~up, ~beyond_up, ~beyond_down)),
                ]
            for rule in rules:
                self.rule((r, c), rule)

    def between(self, r: int, c: int, dr: int, dc: int) -> Literal:
        """Whether the loop leaves a cell in a direction."""
        return self.line.get(edge((r, c), (r + dr, c + dc)), self.never)

    @staticmethod
    def check(puzzle: GridPuzzle) -> None:
        puzzle.check_clues("write * for a black pearl, o for a white one, and . for an empty cell", "*o")


build = MasyuModel.build
