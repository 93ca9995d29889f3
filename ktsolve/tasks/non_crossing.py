"""The longest uncrossed path or cycle, by native search or by CP-SAT: two ways with no code in common."""

from __future__ import annotations

import time
from dataclasses import dataclass

from ktsolve.errors import BadInput, WrongAnswer
from ktsolve.ground.geometry import crossing_pairs
from ktsolve.ground.symmetry import cell_orbits, symmetry_group
from ktsolve.ground.tour import Tour
from ktsolve.problem.non_crossing import UncrossedProblem
from ktsolve.settings import Clock, Settings, out_of_time

__all__ = ["ENGINES", "Uncrossed", "longest_uncrossed"]

ENGINES = ("search", "cpsat")


@dataclass(frozen=True)
class Uncrossed:
    """The longest uncrossed walk found.

    Attributes
    ----------
    walk:
        The walk, over some of the cells; None if there is none at all.
    length:
        Its moves.
    bound:
        No walk has more. Before anything is proved, what the number of cells tells.
    engine, seconds:
        Who found it, and how long it took.
    nodes:
        Walks tried, if the engine counts them.
    """

    walk: Tour | None
    length: int
    bound: int
    engine: str
    seconds: float
    nodes: int | None = None

    @property
    def optimal(self) -> bool:
        """Is it proved that none is longer?"""
        return self.bound == self.length


def longest_uncrossed(
    problem: UncrossedProblem, engine: str = "auto", settings: Settings | None = None
) -> Uncrossed:
    """The longest uncrossed walk of a board; when time runs out, the longest found.

    Raises
    ------
    LimitReached
        If time ran out before any walk was found.

    Examples
    --------
    >>> from ktsolve.ground.board import Board
    >>> found = longest_uncrossed(UncrossedProblem(Board.parse("5x5"), closed=False))
    >>> found.length, found.optimal
    (10, True)
    """
    if engine not in ("auto", *ENGINES):
        raise BadInput(f"engine {engine!r:.40} finds no uncrossed walks: use auto, {', '.join(ENGINES)}")
    started = time.perf_counter()
    solve = _by_cpsat if engine == "cpsat" else _by_search
    found = solve(problem, settings or Settings())
    if found.walk is not None:
        fault = problem.check(found.walk)
        if fault is not None or problem.length(found.walk) != found.length:
            raise WrongAnswer(
                f"engine {found.engine} gave a wrong walk for {problem}: {fault or 'its length'}"
            )
    return Uncrossed(
        found.walk, found.length, found.bound, found.engine, time.perf_counter() - started, found.nodes
    )


def _by_search(problem: UncrossedProblem, settings: Settings) -> Uncrossed:
    from ktsolve._native import UncrossedQuestion
    from ktsolve._native import longest_uncrossed as search

    board = problem.board
    question = UncrossedQuestion()
    question.vertices = len(board)
    question.edges = [(board.index[a], board.index[b]) for a, b in board.moves]
    number = {move: at for at, move in enumerate(board.moves)}
    question.crossings = [(number[a], number[b]) for a, b in crossing_pairs(board.moves)]
    orbits = cell_orbits(board, symmetry_group(board))
    question.starts = [board.index[orbit.representative[0]] for orbit in orbits]
    question.closed = problem.closed

    def progress(nodes: int, _total: int, longest: int) -> None:
        if settings.progress is not None:
            settings.progress(None, f"{nodes:,} walks, longest {longest}")

    report = search(question, settings.timeout, progress)
    walk = Tour.from_indices(board, report.walk, problem.closed) if report.walk else None
    if report.status == "done":
        return Uncrossed(walk, report.length, report.length, "search", 0.0, report.nodes)
    if walk is None:
        raise out_of_time(settings.timeout, f"{report.nodes:,} walks tried")
    return Uncrossed(walk, report.length, _most_moves(problem), "search", 0.0, report.nodes)


def _most_moves(problem: UncrossedProblem) -> int:
    return len(problem.board) - (not problem.closed)


def _by_cpsat(problem: UncrossedProblem, settings: Settings) -> Uncrossed:
    from ktsolve.models.uncrossed import UncrossedModel
    from ktsolve.tasks.solve import solve_model

    clock = Clock(settings.timeout)
    compiled = UncrossedModel(problem)
    solved = solve_model(compiled.model, "cpsat", clock.within(settings))
    if solved.assignment is None:
        return Uncrossed(None, 0, 0, "cpsat", 0.0)
    assert solved.value is not None
    most = _most_moves(problem)
    bound = most if solved.bound is None else min(solved.bound, most)
    return Uncrossed(compiled.decode(solved.assignment), solved.value, bound, "cpsat", 0.0)
