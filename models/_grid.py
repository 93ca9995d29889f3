"""What the models of puzzles on grids share: loops along a grid, and clues that can be optional."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Iterable, Mapping
from typing import Any, ClassVar

from ktsolve.models import Built

from ktsolve.base.errors import BadInput
from ktsolve.graphs.notation import Cell
from ktsolve.grids.puzzle import Edge, GridPuzzle, GridSolution, crossings_text, grid_edges
from ktsolve.model.constraints import Assignment, Constraint, Literal
from ktsolve.model.model import Model
from ktsolve.problem.parameters import check_keys

__all__ = ["GridModel"]


class GridModel(ABC):
    """The model of a puzzle on a grid.

    If ``optional``, a clue holds only where its Boolean in ``given``, by cell, is true: the same model then
    states every puzzle with some of the clues. ``rules`` are the constraints of each clue, by cell; ``marks``
    has the Boolean of each mark that a solution may have (:attr:`GridSolution.marks`), ``notes`` those of
    marks that explain it.
    """

    kind: ClassVar[str]
    fixed: ClassVar[frozenset[str]] = frozenset()
    """Clues that are not optional."""
    options: ClassVar[Mapping[str, Any]] = {}
    """The parameters of an instance besides its clues, with their types."""

    def __init__(self, puzzle: GridPuzzle, *, optional: bool = False) -> None:
        self.check(puzzle)
        self.puzzle = puzzle
        self.model = Model(f"{self.kind} {puzzle.size}")
        self.given: dict[Cell, Literal] = {}
        self.rules: dict[Cell, list[Constraint]] = {}
        self.marks: dict[tuple[Any, ...], Literal] = {}
        self.notes: dict[tuple[Any, ...], Literal] = {}
        self._outside: Literal | None = None
        if optional:
            self.given = {
                (r, c): self.model.boolean(f"given[{r},{c}]")
                for (r, c), mark in puzzle.clues
                if mark not in self.fixed
            }

    def rule(self, cell: Cell, constraint: Constraint) -> None:
        """State a constraint of the clue in a cell."""
        self.rules.setdefault(cell, []).append(constraint)
        if cell in self.given:
            self.model.when(self.given[cell], constraint)
        else:
            self.model.add(constraint)

    @property
    def never(self) -> Literal:
        """A Boolean that is false: an edge that leaves the grid."""
        if self._outside is None:
            self._outside = self.model.boolean("outside")
            self.model.fix(~self._outside)
        return self._outside

    def mark(self, kind: str, literals: Mapping[Any, Literal]) -> None:
        """Name the meaning of the Booleans of lines, shaded cells or numbers; they distinguish solutions."""
        self.marks |= {
            (kind, *(where if kind != "shaded" else (where,))): each for where, each in literals.items()
        }
        self.model.show(self.marks.values())

    def loop(
        self,
        rows: int,
        columns: int,
        *,
        without: Iterable[Cell] = (),
        visits: Mapping[Cell, Literal | bool] | None = None,
    ) -> dict[Edge, Literal]:
        """State one loop along the edges of a grid, and return the Boolean of each edge.

        It has no edges at places that it is kept from (``without``). ``visits`` says of each other place
        whether the loop goes there, if that matters to the model.
        """
        gone = set(without)
        places = [place for r in range(rows) for c in range(columns) if (place := (r, c)) not in gone]
        if not places:
            raise BadInput("no cell of the puzzle is left for the loop: leave some cells free")
        index = {place: i for i, place in enumerate(places)}
        line = self.edges(rows, columns, gone)
        arcs = [(index[a], index[b], literal) for (a, b), literal in line.items()]
        present = None if visits is None else [visits[place] for place in places]
        self.model.subcircuit(len(places), arcs, present)
        return line

    def edges(self, rows: int, columns: int, without: Container[Cell] = ()) -> dict[Edge, Literal]:
        """A Boolean for each edge of a grid that says whether a line is drawn there."""
        line = {
            (a, b): self.model.boolean(f"{a[0]},{a[1]}-{b[0]},{b[1]}")
            for a, b in grid_edges(rows, columns)
            if a not in without and b not in without
        }
        self.mark("line", line)
        return line

    def solution(self, assignment: Assignment) -> GridSolution:
        """The solution of an assignment."""
        return GridSolution.of(mark for mark, literal in self.marks.items() if literal.holds(assignment))

    def literals(self, solution: GridSolution) -> list[Literal]:
        """The literals that are true in a solution, of those that distinguish solutions."""
        drawn = solution.marks
        return [literal if mark in drawn else ~literal for mark, literal in self.marks.items()]

    @classmethod
    def build(cls, parameters: Mapping[str, Any]) -> Built:
        """The model of an instance: a grid of clues, and perhaps options. Solutions print as drawings."""
        check_keys(parameters, {"clues": str, **cls.options}, "parameters")
        if "clues" not in parameters:
            raise BadInput("parameters.clues is missing: write the grid, with . for cells without a clue")
        try:
            puzzle = GridPuzzle.read(parameters["clues"])
        except BadInput as error:
            raise BadInput(f"parameters.clues: {error}") from None
        made = cls(puzzle, **{key: parameters[key] for key in cls.options if key in parameters})
        return Built(made.model, lambda assignment: made.drawing(puzzle, made.solution(assignment)))

    @staticmethod
    @abstractmethod
    def check(puzzle: GridPuzzle) -> None:
        """Raise BadInput for a clue that this kind does not have."""

    @staticmethod
    def drawing(puzzle: GridPuzzle, solution: GridSolution) -> str:
        """A puzzle with a solution as text."""
        return crossings_text(puzzle, solution, puzzle.clue)
