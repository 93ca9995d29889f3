"""Find the longest path or cycle that does not cross itself, by native search or by CP-SAT.

The two methods share no code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ktsolve.base.errors import BadInput, WrongAnswer
from ktsolve.base.limits import Clock, Settings, check_status, native_progress
from ktsolve.engines.auto import model_solver
from ktsolve.engines.interface import checked
from ktsolve.engines.search.engine import SearchEngine
from ktsolve.engines.through_model import CpSatEngine
from ktsolve.graphs.geometry import crossing_pairs
from ktsolve.graphs.symmetry import cell_orbits, symmetry_group
from ktsolve.graphs.tour import Tour
from ktsolve.problem.non_crossing import NonCrossingProblem
from ktsolve.tasks.answer import BaseAnswer, timed

__all__ = ["METHODS", "NonCrossing", "longest_non_crossing"]


@dataclass(frozen=True)
class NonCrossing(BaseAnswer):
    """The longest non-crossing walk found.

    Attributes
    ----------
    walk:
        The walk, over some of the cells; None if there is none at all.
    length:
        Number of its moves.
    bound:
        No walk has more moves. Before anything is proved, this follows from the number of cells.
    nodes:
        Walks tried, if the method counts them.
    """

    walk: Tour | None
    length: int
    bound: int
    nodes: int | None = None

    @property
    def found(self) -> bool:
        """Whether there is a walk."""
        return self.walk is not None

    @property
    def optimal(self) -> bool:
        """Whether it is proved that no walk is longer."""
        return self.bound == self.length

    @property
    def status(self) -> str:
        """``optimal``, ``found`` or ``impossible``."""
        return "optimal" if self.found and self.optimal else super().status


@timed
def longest_non_crossing(
    problem: NonCrossingProblem, engine: str = "auto", settings: Settings | None = None
) -> NonCrossing:
    """The longest non-crossing walk of a board; when time runs out, the longest found.

    Parameters
    ----------
    problem:
        The problem.
    engine:
        Name of the engine, or ``auto``.
    settings:
        Limits and threads; the defaults if None.

    Returns
    -------
    NonCrossing
        The walk, its length and the best bound known.

    Raises
    ------
    LimitReached
        If time ran out before any walk was found.
    BadInput
        If the engine finds no such walks.
    WrongAnswer
        If the engine gave a walk that does not answer the problem.

    Examples
    --------
    >>> from ktsolve.graphs.board import Board
    >>> found = longest_non_crossing(NonCrossingProblem(Board.parse("5x5"), closed=False))
    >>> found.length, found.optimal
    (10, True)
    """
    if engine not in ("auto", *METHODS):
        raise BadInput(f"engine {engine!r:.40} finds no non-crossing walks: use auto, {', '.join(METHODS)}")
    found = METHODS[next(iter(METHODS)) if engine == "auto" else engine](problem, settings or Settings())
    if found.walk is not None:
        checked(found.engine, problem, found.walk)
        if (length := problem.length(found.walk)) != found.length:
            raise WrongAnswer(
                f"engine {found.engine} gave length {found.length} for a walk of {length} moves"
            )
    return found


def _by_search(problem: NonCrossingProblem, settings: Settings) -> NonCrossing:
    from ktsolve._native import NonCrossingTask
    from ktsolve._native import longest_non_crossing as search

    board = problem.board
    task = NonCrossingTask()
    task.vertices = len(board)
    task.edges = [(board.index[a], board.index[b]) for a, b in board.moves]
    number = {move: at for at, move in enumerate(board.moves)}
    task.crossings = [(number[a], number[b]) for a, b in crossing_pairs(board.moves)]
    orbits = cell_orbits(board, symmetry_group(board))
    task.starts = [board.index[orbit.representative[0]] for orbit in orbits]
    task.closed = problem.closed

    def describe(nodes: int, _total: int, longest: int) -> tuple[None, str]:
        return None, f"{nodes:,} walks, longest {longest}"

    report = search(task, settings.timeout, native_progress(settings, describe))
    walk = Tour.from_indices(board, report.walk, problem.closed) if report.walk else None
    if report.status == "done":
        return NonCrossing(walk, report.length, report.length, report.nodes, engine=SearchEngine.name)
    if walk is None:
        check_status(report.status, settings, f"{report.nodes:,} walks tried")
    return NonCrossing(walk, report.length, problem.most_moves, report.nodes, engine=SearchEngine.name)


def _by_cpsat(problem: NonCrossingProblem, settings: Settings) -> NonCrossing:
    from ktsolve.models.non_crossing import NonCrossingModel

    clock = Clock(settings)
    compiled = NonCrossingModel(problem)
    solver = model_solver(CpSatEngine.name, compiled.model)
    solved = solver.solve(compiled.model, clock.within(settings))
    if solved.assignment is None:
        return NonCrossing(None, 0, 0, engine=solver.name)
    assert solved.value is not None
    bound = problem.most_moves if solved.bound is None else min(solved.bound, problem.most_moves)
    return NonCrossing(compiled.decode(solved.assignment), solved.value, bound, engine=solver.name)


METHODS: dict[str, Callable[[NonCrossingProblem, Settings], NonCrossing]] = {
    SearchEngine.name: _by_search,
    CpSatEngine.name: _by_cpsat,
}
"""The methods by name of the engine; ``auto`` takes the first."""
