"""Slitherlink, also called Fences or Loop the Loop."""

from __future__ import annotations

import random
from collections.abc import Iterable

from ktsolve.graphs.notation import Cell
from ktsolve.grids.puzzle import GridPuzzle, GridSolution, edge
from ktsolve.models._grid import GridModel
from ktsolve.models.slitherlink import SlitherlinkModel
from ktsolve.wings.puzzles import pzpr
from ktsolve.wings.puzzles.drawing import Pen
from ktsolve.wings.puzzles.kind import Design, Kind, one_loop
from ktsolve.wings.puzzles.local import corner_clauses
from ktsolve.wings.puzzles.loops import border, improve, random_region

__all__ = ["Slitherlink"]


class Slitherlink(Kind):
    """One loop along the sides of cells; a number counts the sides of its cell that the loop has."""

    name = "slitherlink"
    title = "Slitherlink"
    rules = "Draw one loop along the sides of cells. A number says how many sides of its cell it has."
    model = SlitherlinkModel
    address = pzpr.Address("slither", pzpr.read_few, pzpr.write_few)

    def violation(self, puzzle: GridPuzzle, solution: GridSolution) -> str:
        """The first reason why this is no solution; empty if it is one."""
        for cell, clue in puzzle.clues:
            if (number := _sides(cell, solution)) != int(clue):
                return f"{puzzle.where(cell)} has {number} lines around it, not {clue}"
        return one_loop(solution)

    def design(self, rows: int, columns: int, chooser: random.Random) -> Design:
        """A loop, and the number of lines around each cell."""
        region = random_region(rows, columns, chooser)
        cells = [(r, c) for r in range(rows) for c in range(columns)]
        improve(region, cells, rows * columns, chooser)
        solution = GridSolution(frozenset(border(region)))
        return Design(
            GridPuzzle.of(rows, columns, {cell: str(_sides(cell, solution)) for cell in cells}), solution
        )

    def local_clauses(self, model: GridModel) -> Iterable[list[int]]:
        """What follows from a number and the lines at the four corners of its cell."""
        assert isinstance(model, SlitherlinkModel)
        return corner_clauses(model)

    def draw(self, pen: Pen, puzzle: GridPuzzle, solution: GridSolution | None) -> None:
        """Draw a puzzle, with its solution if that is given."""
        for cell, clue in puzzle.clues:
            pen.text(cell, clue, size=0.55)
        if solution is not None:
            pen.lines(solution, corners=True)
        pen.dots()


def _sides(cell: Cell, solution: GridSolution) -> int:
    r, c = cell
    corners = [(r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c)]
    return sum(edge(corners[i - 1], corners[i]) in solution.lines for i in range(4))
