"""Solve puzzles, and prove that a solution is the only one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ktsolve.base.errors import WrongAnswer
from ktsolve.base.limits import Settings
from ktsolve.engines.registry import other_solver
from ktsolve.grids.puzzle import GridPuzzle, GridSolution
from ktsolve.models._grid import GridModel
from ktsolve.tasks.questions import Solver
from ktsolve.tasks.solve import solutions as model_solutions
from ktsolve.tasks.solve import solve
from ktsolve.wings.puzzles.kind import Kind

__all__ = ["checked", "confirmed_by", "differences", "solutions"]


def solutions(
    kind: Kind,
    puzzle: GridPuzzle,
    number: int | None = None,
    engine: str = "auto",
    settings: Settings | None = None,
) -> Iterator[GridSolution]:
    r"""The solutions of a puzzle, all or up to ``number``, each checked from the definition of the kind.

    Raises BadInput for a clue that this kind does not have, and LimitReached while iterating.

    >>> from ktsolve.wings.puzzles.kinds import KINDS
    >>> slitherlink = KINDS["slitherlink"]
    >>> len(list(solutions(slitherlink, GridPuzzle.read("3 .\n. ."))))
    4
    """
    compiled = kind.compile(puzzle)
    for found in model_solutions(compiled.model, engine, settings, number=number):
        yield checked(kind, puzzle, compiled.solution(found.assignment), engine)


def checked(kind: Kind, puzzle: GridPuzzle, solution: GridSolution, engine: str) -> GridSolution:
    """The solution, if it is correct. Raises WrongAnswer, which names the engine, for another one."""
    if violation := kind.violation(puzzle, solution):
        raise WrongAnswer(f"engine {engine} gave a wrong solution of a {kind.title}: {violation}")
    return solution


def confirmed_by(compiled: GridModel, solution: GridSolution, title: str, settings: Settings | None) -> str:
    """The engine, another than that of the making, that proves that a puzzle has no other solution.

    The model excludes the solution from then on. Raises WrongAnswer for a second solution, and LimitReached.
    """
    engine = other_solver(Solver.engine)
    compiled.model.clause(*(~literal for literal in compiled.literals(solution)))
    answer = solve(compiled.model, engine, settings)
    if answer.assignment is not None:
        other = compiled.solution(answer.assignment)
        raise WrongAnswer(f"engine {engine} found a second solution of a {title}: {other}")
    return engine


@dataclass(frozen=True)
class Differences:
    """What one solution has and the other has not."""

    only_first: GridSolution
    only_second: GridSolution

    def __str__(self) -> str:
        marks = self.only_first.marks | self.only_second.marks
        # The first place of a mark is its second member.
        rows, columns = ([mark[1][axis] + 1 for mark in marks] for axis in (0, 1))
        place = f"rows {min(rows)} to {max(rows)}, columns {min(columns)} to {max(columns)}"
        return f"another differs in {len(marks)} marks, in {place}"

    def to_json(self) -> dict[str, Any]:
        """The marks of each solution that the other does not have, as JSON."""
        return {"only_first": self.only_first.to_json(), "only_second": self.only_second.to_json()}


def differences(first: GridSolution, second: GridSolution) -> Differences:
    """The marks of two solutions that are in one of them only.

    >>> one, two = GridSolution(numbers=(((0, 0), 1),)), GridSolution(numbers=(((0, 0), 2),))
    >>> differences(one, two).only_second.number
    {(0, 0): 2}
    """
    return Differences(
        GridSolution.of(first.marks - second.marks), GridSolution.of(second.marks - first.marks)
    )
