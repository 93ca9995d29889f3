"""Pictures of partly numbered boards: the board with its clues, and with its solution."""

from __future__ import annotations

from dataclasses import replace

from ktsolve.base.errors import BadInput
from ktsolve.base.text import number_of
from ktsolve.problem.problem import TourProblem
from ktsolve.render.picture import ground_scene, tour_scene
from ktsolve.render.scene.shapes import Scene
from ktsolve.render.scene.style import Style
from ktsolve.wings.puzzles.clues import CluePuzzle

__all__ = ["clue_scene", "clue_solution_scene"]


def clue_scene(puzzle: CluePuzzle, style: Style | None = None) -> Scene:
    """Return the picture of a puzzle: the board with its clues.

    >>> puzzle = CluePuzzle(TourProblem(board="3x4", closed=False, at={1: "a3", 12: "d3"}))
    >>> clue_scene(puzzle).title
    'Knight puzzle on 3x4: open tour, 2 clues'
    """
    style = replace(style or Style(), problem=_clues(puzzle), numbers=True)
    scene = ground_scene(puzzle.problem.board, style)
    return replace(scene, title=_title(puzzle))


def clue_solution_scene(puzzle: CluePuzzle, style: Style | None = None) -> Scene:
    """Return the picture of the solution: all steps, the clues on coloured cells.

    Raises
    ------
    BadInput
        If the solution is not known.
    """
    if puzzle.solution is None:
        raise BadInput("the solution of the puzzle is not known: ktsolve clues solve finds it")
    style = replace(style or Style(), problem=_clues(puzzle), numbers=True)
    scene = tour_scene(puzzle.solution, style)
    return replace(scene, title=f"{_title(puzzle)}: solution")


def _clues(puzzle: CluePuzzle) -> TourProblem:
    """The clues alone: other conditions are not drawn."""
    problem = puzzle.problem
    return TourProblem(board=problem.board, closed=problem.closed, at=puzzle.clues)


def _title(puzzle: CluePuzzle) -> str:
    board, kind = puzzle.problem.board, "closed" if puzzle.problem.closed else "open"
    piece = "Knight" if board.leaper == (1, 2) else "Leaper"
    return f"{piece} puzzle on {board}: {kind} tour, {number_of(len(puzzle.clues), 'clue')}"
