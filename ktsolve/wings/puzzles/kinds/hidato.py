"""Hidato and its relatives: a piece walks from 1 to the last number through every cell once.

*Numbrix* is Hidato without diagonal steps. *Knight's Hidato* has the steps of the knight. A *knight maze*
gives no numbers but the first and the last: its walls leave one knight's tour from the one to the other.

These are numbered boards, as those of ``ktsolve clues``: tour problems with some steps known, which share
one deduction and one maker (:mod:`ktsolve.wings.puzzles.clue_tasks`). They are solved by the model of
``models/hidato.py``, because a tour problem without known steps does not distinguish the two directions.
"""

from __future__ import annotations

import random
from typing import ClassVar

from ktsolve.graphs.notation import Cell
from ktsolve.grids.puzzle import GridPuzzle, GridSolution
from ktsolve.models._grid import GridModel
from ktsolve.models.hidato import HOLE, HidatoModel, cells_of, numbers_of, steps_of
from ktsolve.problem.problem import TourProblem
from ktsolve.render.scene.theme import blend
from ktsolve.wings.puzzles.clue_tasks import random_tour
from ktsolve.wings.puzzles.drawing import Pen
from ktsolve.wings.puzzles.kind import Design, Kind

__all__ = ["Hidato", "KnightMaze", "Knights", "Numbrix"]

_RULES = "Fill in all numbers from 1 to the last one, so that each number is {} the one before it{}."

_COVERED = 0.55  # share of the cells of the board that the tour of a maze visits at first


class Hidato(Kind):
    """Consecutive numbers are neighbours, along a row, a column or a diagonal."""

    name = "hidato"
    title = "Hidato"
    rules = _RULES.format("beside", ", in a row, in a column or diagonally")
    model = HidatoModel
    piece: ClassVar[str] = "king"
    least = 2

    def compile(self, puzzle: GridPuzzle, *, optional: bool = False) -> GridModel:
        """The model of a puzzle."""
        return HidatoModel(puzzle, self.piece, optional=optional)

    def violation(self, puzzle: GridPuzzle, solution: GridSolution) -> str:
        for cell, number in numbers_of(puzzle).items():
            if solution.number.get(cell) != number:
                return f"{puzzle.where(cell)} has {solution.number.get(cell)}, not {number}"
        cells = [cell for cell in puzzle.cells if puzzle.clue.get(cell) != HOLE]
        places = {number: cell for cell, number in solution.numbers}
        if sorted(solution.number) != cells or sorted(places) != list(range(1, len(cells) + 1)):
            return f"the numbers are not those from 1 to {len(cells)}, one in each cell"
        for number in range(1, len(cells)):
            (a, b), (c, d) = places[number], places[number + 1]
            if not self._is_step(abs(a - c), abs(b - d)):
                return f"{number + 1} is not one step from {number}"
        return ""

    def _is_step(self, rows: int, columns: int) -> bool:
        return max(rows, columns) == 1

    def tours(self, puzzle: GridPuzzle) -> TourProblem:
        """The tours of the piece that have the given steps."""
        steps = steps_of(puzzle, self.piece)
        vertex = dict(zip(cells_of(puzzle), steps.cells, strict=True))
        given = {number: vertex[cell] for cell, number in numbers_of(puzzle).items()}
        return TourProblem(board=steps, closed=False, at=given)

    def draw(self, pen: Pen, puzzle: GridPuzzle, solution: GridSolution | None) -> None:
        holes = [cell for cell, mark in puzzle.clues if mark == HOLE]
        pen.fill(holes, blend((pen.theme.background, pen.theme.ink), 0.3))
        pen.grid(without=holes)
        given = {cell: mark for cell, mark in puzzle.clues if mark != HOLE}
        if solution is not None:
            places = {number: cell for cell, number in solution.numbers}
            for first in sorted(places):
                pen.way([places[n] for n in (first, first + 1) if n in places], width=0.06)
            for cell, number in solution.numbers:
                pen.disc(cell, 0.3, pen.theme.background)
                if cell not in given:
                    pen.text(cell, str(number), pen.theme.line, size=0.42)
        for cell, mark in given.items():
            if int(mark) in (1, puzzle.rows * puzzle.columns - len(holes)):
                pen.disc(cell, 0.4, pen.theme.background, pen.theme.ink)
            pen.text(cell, mark, size=0.42, bold=True)


class Numbrix(Hidato):
    """Consecutive numbers are neighbours, along a row or a column."""

    name = "numbrix"
    title = "Numbrix"
    rules = _RULES.format("beside", ", in a row or in a column")
    piece = "wazir"

    def _is_step(self, rows: int, columns: int) -> bool:
        return rows + columns == 1


class Knights(Hidato):
    """Consecutive numbers are a knight's move apart."""

    name = "knight"
    title = "Knight's Hidato"
    rules = _RULES.format("a knight's move from", "")
    piece = "knight"

    def _is_step(self, rows: int, columns: int) -> bool:
        return rows * columns == 2


class KnightMaze(Knights):
    """Walls leave one knight's tour of all other cells, from a start to a goal."""

    name = "knight-maze"
    title = "Knight maze"
    rules = (
        "Walk with a knight from the first cell to the last, through every cell of the maze once. Jumps over "
        "walls are allowed."
    )
    least = 4
    reducible = False

    def design(self, rows: int, columns: int, chooser: random.Random) -> Design:
        """A knight's walk through part of a board; all other cells are walls."""
        board = GridPuzzle(rows, columns)
        tour = random_tour(self.tours(board), chooser.randrange(2**31), chooser)
        walk = [board.cells[i] for i in tour.indices]
        length = max(5, round(_COVERED * len(walk)))
        first = chooser.randrange(len(walk) - length + 1)
        return _maze(rows, columns, walk[first : first + length])

    def refined(self, design: Design, others: list[GridSolution], chooser: random.Random) -> Design | None:
        """The maze without the first or the last cell of the walk."""
        return self.eased(design, chooser)

    def eased(self, design: Design, chooser: random.Random) -> Design | None:
        """The maze without the first or the last cell of the walk."""
        walk = [cell for cell, _ in sorted(design.solution.numbers, key=lambda each: each[1])]
        if len(walk) <= 5:
            return None
        shorter = walk[1:] if chooser.random() < 0.5 else walk[:-1]
        return _maze(design.puzzle.rows, design.puzzle.columns, shorter)


def _maze(rows: int, columns: int, walk: list[Cell]) -> Design:
    numbers = {cell: number for number, cell in enumerate(walk, 1)}
    clues = {cell: HOLE for cell in GridPuzzle(rows, columns).cells if cell not in numbers}
    clues |= {walk[0]: "1", walk[-1]: str(len(walk))}
    return Design(GridPuzzle.of(rows, columns, clues), GridSolution(numbers=tuple(sorted(numbers.items()))))
