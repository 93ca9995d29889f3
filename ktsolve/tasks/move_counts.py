"""Count for each move the tours that use it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ktsolve.base.errors import WrongAnswer
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.auto import engine_for_all
from ktsolve.graphs.graph import Graph, Move
from ktsolve.graphs.symmetry import move_orbits
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.answer import BaseAnswer, refutation_of, timed
from ktsolve.tasks.uses import check_total, questions_of

__all__ = ["MoveClass", "MoveCounts", "move_counts"]


@dataclass(frozen=True)
class MoveClass:
    """The moves that symmetries of the problem map to each other.

    Attributes
    ----------
    moves:
        All of them, the smallest first.
    count:
        The number of tours that use each of them.
    """

    moves: tuple[Move, ...]
    count: int


@dataclass(frozen=True)
class MoveCounts(BaseAnswer):
    """The number of tours that use each move.

    Attributes
    ----------
    count:
        The number of undirected tours; on a directed graph, of directed ones.
    moves:
        For each move of the ground, in its order, how many of them use it.
    classes:
        The same by class of moves under the symmetries of the problem.
    problem:
        The question.
    """

    count: int
    moves: Mapping[Move, int]
    classes: tuple[MoveClass, ...]
    problem: TourProblem | None = field(default=None, repr=False, compare=False)

    def records(self) -> list[dict[str, Any]]:
        """A row for each move, for tables such as ``pandas.DataFrame``.

        >>> move_counts("6x6").records()[0]
        {'move': 'a6-c5', 'count': 9862}
        """
        name = str if self.problem is None else self.problem.ground.move_name
        return [{"move": name(move), "count": number} for move, number in self.moves.items()]

    @property
    def found(self) -> bool:
        """Whether there are tours."""
        return self.count > 0

    def share(self, move: Move) -> Fraction:
        """The share of tours that use a move; 0 if there is no tour."""
        return Fraction(self.moves[move], max(1, self.count))


@timed
def move_counts(
    problem: TourProblem | Graph | str | Any,
    engine: str = "auto",
    settings: Settings | None = None,
    **conditions: Any,
) -> MoveCounts:
    """The number of tours that use each move, for all moves at once, exactly.

    The numbers are checked: their sum is the number of tours times the moves of a tour; at each cell they add
    up to twice the number of closed tours, or lack at most the tours that end there; moves that a symmetry of
    the problem maps to each other have equal numbers. The number of tours is counted for itself, unless the
    engine lists the tours.

    Parameters
    ----------
    problem:
        A problem; or a board, its size such as ``"8x8"``, a graph, or its name: see :meth:`TourProblem.of`.
    **conditions:
        Where no problem is given, ``closed`` and conditions, as for :class:`TourProblem`.

    Raises
    ------
    Refused
        If the engine cannot take the problem.
    LimitReached
        If time or memory ran out first.
    WrongAnswer
        If a check fails.

    Notes
    -----
    One pass forwards and one backwards over the states of a sweep: a move's number is the sum, over all
    states and all edge choices that use it, of the ways to reach the state times the ways to complete the
    state that the choice leads to.

    Examples
    --------
    >>> answer = move_counts(TourProblem(board="6x6", closed=True))
    >>> answer.count, answer.moves[(2, 2), (3, 4)]
    (9862, 620)
    >>> [(len(each.moves), each.count) for each in answer.classes][:3]
    [(8, 9862), (8, 6195), (8, 8611)]
    """
    problem = TourProblem.of(problem, **conditions)
    settings = Settings.of(settings)
    ground = problem.ground
    questions = questions_of(problem, engine)
    chosen = engine_for_all(engine, "tally", questions)
    if (refutation := refutation_of(problem)) is not None:
        none = dict.fromkeys(ground.moves, 0)
        return MoveCounts(0, none, _classes(problem, none), problem, **refutation)
    clock = Clock(settings.timeout)
    total = [0] * len(ground.edges)
    for question in questions:
        counts = chosen.move_counts(question, clock.within(settings))
        total = [a + b for a, b in zip(total, counts, strict=True)]
    moves = dict(zip(ground.moves, total, strict=True))
    in_tour = len(ground) if problem.closed else len(ground) - 1
    number, rest = divmod(sum(total), max(1, in_tour))
    if len(ground) == 1:
        number = int(not problem.closed)
    classes = _classes(problem, moves)
    _check(problem, chosen.name, number, rest, moves)
    check_total(problem, number, chosen, clock.within(settings), "numbers of tours through moves")
    return MoveCounts(number, moves, classes, problem, engine=chosen.name)


def _classes(problem: TourProblem, moves: Mapping[Move, int]) -> tuple[MoveClass, ...]:
    orbits = move_orbits(problem.ground, problem.automorphisms)
    return tuple(
        MoveClass(tuple((a, b) for a, b in each.members), moves[_pair(each.representative)])
        for each in orbits
    )


def _pair(cells: Iterable[object]) -> Move:
    a, b = cells
    return a, b


def _check(problem: TourProblem, engine: str, number: int, rest: int, moves: Mapping[Move, int]) -> None:
    """Raise WrongAnswer if the numbers cannot be those of tours."""
    ground = problem.ground

    def wrong(what: str) -> WrongAnswer:
        return WrongAnswer(f"engine {engine}: in the numbers of tours of {problem} through each move, {what}")

    if rest:
        raise wrong("the sum is no multiple of the moves of a tour")
    for each in _classes(problem, moves):
        for move in each.moves:
            if moves[move] != each.count:
                raise wrong(f"{ground.move_name(move)} differs from its mirror image")
    lacking = 0
    for cell, sides in _at_each_cell(ground, moves).items():
        for side in sides:
            missing = (1 if ground.directed else 2) * number - side
            if missing < 0 or (problem.closed and missing):
                raise wrong(f"those at {ground.name(cell)} sum to {side}")
            lacking += missing
    if not problem.closed and len(ground) > 1 and lacking != 2 * number:
        raise wrong(f"{lacking} are missing at the ends, and {number} tours have two ends each")


def _at_each_cell(ground: Graph, moves: Mapping[Move, int]) -> dict[object, tuple[int, ...]]:
    """For each cell the sum over its moves; of a directed graph over arcs that leave it and that enter."""
    leaving, entering = Counter[object](), Counter[object]()
    for (a, b), count in moves.items():
        leaving[a] += count
        entering[b] += count
    if ground.directed:
        return {cell: (leaving[cell], entering[cell]) for cell in ground.cells}
    return {cell: (leaving[cell] + entering[cell],) for cell in ground.cells}
