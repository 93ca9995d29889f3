"""The interface of a kind of puzzle: rules, checker, formats, a way to make puzzles, a picture."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from ktsolve.graphs.components import components as connected
from ktsolve.graphs.notation import Cell
from ktsolve.grids.puzzle import GridPuzzle, GridSolution
from ktsolve.models._grid import GridModel
from ktsolve.problem.problem import TourProblem
from ktsolve.wings.puzzles.drawing import Pen
from ktsolve.wings.puzzles.pzpr import Address

__all__ = ["LEVELS", "Design", "Kind", "components", "one_loop"]

LEVELS = ("easy", "medium", "hard")
"""The levels of difficulty; :mod:`.deduction` defines them, :mod:`.step_deduction` for numbered boards."""


@dataclass(frozen=True)
class Design:
    """A solution and the puzzle with all clues that it gives."""

    puzzle: GridPuzzle
    solution: GridSolution


class Kind(ABC):
    """A kind of puzzle. A new kind is a file in ``kinds/`` and a row of its table."""

    name: ClassVar[str]  # in commands and files
    title: ClassVar[str]  # in texts
    rules: ClassVar[str]  # in one sentence or two
    least: ClassVar[int] = 3  # rows and columns of the smallest puzzle that is made
    model: ClassVar[type[GridModel]]  # the statement, which also checks clues and draws solutions as text
    address: ClassVar[Address | None] = None  # how pzpr writes the kind; None if it does not have it
    reducible: ClassVar[bool] = True  # whether clues of a design can be left out one by one
    levels: ClassVar[tuple[str, ...]] = LEVELS  # of the puzzles that are made
    corners: ClassVar[bool] = False  # whether lines are between the corners of cells, not their centres

    def compile(self, puzzle: GridPuzzle, *, optional: bool = False) -> GridModel:
        """The model of a puzzle."""
        return self.model(puzzle, optional=optional)

    @abstractmethod
    def violation(self, puzzle: GridPuzzle, solution: GridSolution) -> str:
        """The first rule that a solution breaks, as text; empty if it is correct. No solver uses it."""

    def tours(self, puzzle: GridPuzzle) -> TourProblem | None:
        """The tours that solve a numbered board, on the cells row by row; None for other kinds."""
        return None

    def design(self, rows: int, columns: int, chooser: random.Random) -> Design:
        """A random solution with all clues that it gives; it need not be the only solution of them.

        Numbered boards whose clues can be left out need no design: they are made from tours.
        """
        raise NotImplementedError

    def refined(self, design: Design, others: list[GridSolution], chooser: random.Random) -> Design | None:
        """A design near this one that excludes the other solutions; None if a new one is needed."""
        return None

    def eased(self, design: Design, chooser: random.Random) -> Design | None:
        """A design near this one that is less difficult; for kinds whose clues cannot be left out."""
        return None

    def local_clauses(self, model: GridModel) -> Iterable[list[int]]:
        """Clauses that follow from one clue and the lines around it, in DIMACS numbering.

        Unit propagation on the clauses of the model alone may be weaker than what a person sees at a glance.
        """
        return ()

    @abstractmethod
    def draw(self, pen: Pen, puzzle: GridPuzzle, solution: GridSolution | None) -> None:
        """Draw a puzzle, with its solution if that is given."""


def one_loop(solution: GridSolution) -> str:
    """The reason why the lines of a solution are not one loop; empty if they are.

    >>> one_loop(GridSolution(frozenset({((0, 0), (0, 1))})))
    'the line has an end in row 1, column 1'
    """
    if not solution.lines:
        return "there is no line"
    for (r, c), degree in sorted(solution.degrees.items()):
        if degree == 1:
            return f"the line has an end in row {r + 1}, column {c + 1}"
        if degree > 2:
            return f"the line branches in row {r + 1}, column {c + 1}"
    number = len(components(solution))
    return "" if number == 1 else f"there are {number} loops instead of one"


def components(solution: GridSolution) -> list[set[Cell]]:
    """The places that lines connect."""
    near: dict[Cell, list[Cell]] = {}
    for a, b in solution.lines:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    return list(connected(near))
