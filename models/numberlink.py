"""Numberlink: lines join the two cells of each number; lines do not branch, cross or meet.

Cells may stay empty. One Boolean for each pair of neighbouring cells, and one for each cell and number that
says whether the line of that number goes through the cell. Parameter of an instance: ``clues``, a grid of
numbers or letters, each in two cells, and ``.``.
"""

from __future__ import annotations

from ktsolve.models._grid import GridModel

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.graphs.notation import Cell
from ktsolve.grids.puzzle import GridPuzzle

__all__ = ["NumberlinkModel", "build", "pairs_of"]


class NumberlinkModel(GridModel):
    r"""The rules of Numberlink.

    >>> NumberlinkModel(GridPuzzle.read("1 . 2\n1 . 2")).model
    <Model numberlink 2x3: 26 Booleans, 58 constraints>
    """

    kind = "numberlink"

    def __init__(self, puzzle: GridPuzzle, *, optional: bool = False) -> None:
        super().__init__(puzzle, optional=optional)
        model, pairs = self.model, pairs_of(puzzle)
        number = {
            (cell, mark): model.boolean(f"{cell[0]},{cell[1]}={mark}")
            for cell in puzzle.cells
            for mark in pairs
        }
        self.notes = {("number", *where): literal for where, literal in number.items()}
        used = {cell: model.boolean(f"used[{cell[0]},{cell[1]}]") for cell in puzzle.cells}
        line = self.edges(puzzle.rows, puzzle.columns)
        # A cell that is used has one number, and both ends of a line have the same.
        for cell in puzzle.cells:
            model.at_most(1, [number[cell, mark] for mark in pairs])
            for mark in pairs:
                model.implies(number[cell, mark], used[cell])
            model.clause(~used[cell], *(number[cell, mark] for mark in pairs))
        for (a, b), drawn in line.items():
            for mark in pairs:
                model.implies([drawn, number[a, mark]], number[b, mark])
                model.implies([drawn, number[b, mark]], number[a, mark])
        for cell, mark in puzzle.clues:
            model.fix(number[cell, mark])
        # The lines and a bridge from the end of each to the start of the next are one loop.
        yes = ~self.never
        index = {cell: i for i, cell in enumerate(puzzle.cells)}
        arcs = [(index[a], index[b], drawn) for (a, b), drawn in line.items()]
        ends = list(pairs.values())
        for bridge, ((_, end), (start, _)) in enumerate(
            zip(ends, ends[1:] + ends[:1], strict=True), len(index)
        ):
            arcs += [(index[end], bridge, yes), (bridge, index[start], yes)]
        model.subcircuit(len(index) + len(pairs), arcs, [*used.values(), *[True] * len(pairs)])

    @staticmethod
    def check(puzzle: GridPuzzle) -> None:
        pairs_of(puzzle)


def pairs_of(puzzle: GridPuzzle) -> dict[str, tuple[Cell, Cell]]:
    """The two cells of each number. Raises BadInput if a number does not have two."""
    cells: dict[str, list[Cell]] = {}
    for cell, mark in puzzle.clues:
        if not mark.isalnum():
            raise BadInput(
                f"{puzzle.where(cell)} of the puzzle: {shown(mark, 20)} is not a clue: write a number or a "
                "letter, and . for an empty cell"
            )
        cells.setdefault(mark, []).append(cell)
    for mark, found in cells.items():
        if len(found) != 2:
            raise BadInput(
                f"{shown(mark, 20)} is in {len(found)} cells of the puzzle: write each number in two"
            )
    if not cells:
        raise BadInput("the puzzle has no numbers: write at least one, in two cells")
    return {mark: (first, last) for mark, (first, last) in cells.items()}


build = NumberlinkModel.build
