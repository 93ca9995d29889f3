"""Hidato, Numbrix and their relatives: a piece walks from 1 to the last number, through every cell once.

The piece is a king in Hidato, a wazir (one step along a row or a column) in Numbrix, and a knight in a maze
that only a knight's tour solves. One Boolean for each cell and number, on the graph of the piece's steps.
Parameters of an instance: ``clues``, a grid of numbers, ``.``, and ``#`` for cells that do not belong to the
puzzle; ``piece``, ``"king"`` (default), ``"wazir"`` or ``"knight"``.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any, ClassVar

from ktsolve.models._grid import GridModel

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.graphs.board import Board, without_vertices
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.named_graphs import named_graph
from ktsolve.graphs.notation import Cell
from ktsolve.grids.puzzle import GridPuzzle, GridSolution, numbers_text
from ktsolve.model.constraints import Clause

__all__ = ["HOLE", "PIECES", "HidatoModel", "build", "cells_of", "numbers_of", "steps_of"]

HOLE = "#"

PIECES = ("king", "wazir", "knight")


class HidatoModel(GridModel):
    r"""The rules of Hidato for a piece, or for any graph of steps.

    Other steps have a vertex for each cell of the puzzle, row by row. If closed, the first number follows the
    last.

    >>> HidatoModel(GridPuzzle.read("1 .\n. .")).model
    <Model hidato 2x2: 16 Booleans, 33 constraints>
    """

    kind = "hidato"
    fixed = frozenset({HOLE})
    options: ClassVar[Mapping[str, Any]] = {"piece": str}

    def __init__(
        self,
        puzzle: GridPuzzle,
        piece: str = "king",
        *,
        steps: Graph | None = None,
        closed: bool = False,
        optional: bool = False,
    ) -> None:
        super().__init__(puzzle, optional=optional)
        ground = steps_of(puzzle, piece) if steps is None else steps
        cells, last = cells_of(puzzle), len(ground)
        numbers, cell_of = range(1, last + 1), dict(zip(ground.cells, cells, strict=True))
        around = {cell_of[v]: [cell_of[w] for w in near] for v, near in ground.neighbours.items()}
        at = {
            (cell, n): self.model.boolean(f"{cell[0]},{cell[1]}={n}") for cell, n in product(cells, numbers)
        }
        self.mark("number", at)
        # Every cell has one number, and every number is in one cell.
        for cell in cells:
            self.model.exactly(1, [at[cell, n] for n in numbers])
        for n in numbers:
            self.model.exactly(1, [at[cell, n] for cell in cells])
        # The numbers before and after a number are in neighbouring cells.
        for cell, n in at:
            for other in (n - 1, n + 1):
                if closed or other in numbers:
                    number = (other - 1) % last + 1
                    self.model.clause(~at[cell, n], *(at[each, number] for each in around[cell]))
        for cell, n in numbers_of(puzzle).items():
            self.rule(cell, Clause((at[cell, n],)))

    @staticmethod
    def check(puzzle: GridPuzzle) -> None:
        numbers_of(puzzle)

    @staticmethod
    def drawing(puzzle: GridPuzzle, solution: GridSolution) -> str:
        holes = {cell: HOLE for cell, mark in puzzle.clues if mark == HOLE}
        return numbers_text(puzzle, {**holes, **solution.number})


def cells_of(puzzle: GridPuzzle) -> list[Cell]:
    """The cells of a puzzle that are not holes, row by row."""
    return [cell for cell in puzzle.cells if puzzle.clue.get(cell) != HOLE]


def steps_of(puzzle: GridPuzzle, piece: str) -> Graph:
    """The graph of the steps of a piece on a puzzle: its vertices are the cells, row by row.

    >>> steps_of(GridPuzzle.read("1 . #"), "king")
    Graph(['a1', 'b1'], [[0, 1]])
    """
    if piece not in PIECES:
        raise BadInput(f"piece {shown(piece, 20)} is unknown: use {', '.join(PIECES)}")
    holes = [i for i, cell in enumerate(puzzle.cells) if puzzle.clue.get(cell) == HOLE]
    if piece == "king":
        king = named_graph(f"king:{puzzle.size}")
        return without_vertices(king, king.cells_of(holes))
    removed = frozenset(puzzle.cells[i] for i in holes)
    return Board(puzzle.rows, puzzle.columns, removed, (0, 1) if piece == "wazir" else (1, 2))


def numbers_of(puzzle: GridPuzzle) -> dict[Cell, int]:
    """The given numbers. Raises BadInput for one that is too large, not a number, or given twice."""
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
                f"{puzzle.where(cell)} of the puzzle: {shown(mark, 20)} is not a clue: write a number from 1 "
                f"to {last}, . for an empty cell, and # for a cell that does not belong to the puzzle"
            )
        number = int(mark)
        if number in places:
            raise BadInput(f"{number} is given in {puzzle.where(places[number])} and in {puzzle.where(cell)}")
        numbers[cell], places[number] = number, cell
    return numbers


build = HidatoModel.build
