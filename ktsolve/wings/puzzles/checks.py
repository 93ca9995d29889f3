"""Jobs of the cross-check about puzzles: made boards with clues have one solution."""

from __future__ import annotations

from collections.abc import Iterator

from ktsolve.engines.registry import engines_for
from ktsolve.problem.problem import TourProblem
from ktsolve.verify.jobs import Context, Job, Sides
from ktsolve.wings.puzzles.clue_tasks import make_puzzle, solutions

__all__ = ["clue_jobs"]


def _clues(context: Context, size: str, closed: bool) -> Sides:
    """The solutions of a made clue puzzle by each engine: the tour that it was made from, and no other."""
    made = make_puzzle(TourProblem(board=size, closed=closed), seed=1)
    solution = None if made.solution is None else made.solution.squares
    answers = set()
    for engine in engines_for("enumerate", made.problem):
        found = list(solutions(made.problem, engine, context.settings))
        found = found * 2 if engine == context.faulty else found
        same = [tour.squares for tour in found] == [solution]
        answers.add("its own solution" if same else f"{len(found)} solutions by {engine}")
    return Sides(" and ".join(sorted(answers)), "its own solution")


def clue_jobs(_level: str) -> Iterator[Job]:
    """Yield the jobs of clue puzzles."""
    yield Job("clues 5x6", _clues, ("5x6", True), seconds=3.0, limited=True)
