"""Count tours by how many moves of a set they use."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from ktsolve.base.errors import WrongAnswer
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.auto import engine_for_all
from ktsolve.engines.interface import Engine
from ktsolve.graphs.graph import Graph, Move
from ktsolve.problem.move_sets import MoveSet, read_move_sets
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.answer import BaseAnswer, refutation_of, timed
from ktsolve.tasks.count import count, pairs_of_ends
from ktsolve.tasks.question import asked

__all__ = ["Uses", "UsesAnswer", "check_total", "count_by_uses", "questions_of"]


@dataclass(frozen=True)
class Uses:
    """Tours by how many moves of a set they use.

    Attributes
    ----------
    moves:
        The set.
    counts:
        Entry j: the number of undirected tours that use exactly j of the moves; on a directed graph, of
        directed ones. The last entry is not 0.
    """

    moves: MoveSet
    counts: tuple[int, ...]

    @property
    def total(self) -> int:
        """The number of tours."""
        return sum(self.counts)

    @property
    def mean(self) -> Fraction:
        """The mean number of moves of the set that a tour uses; 0 if there is no tour."""
        return Fraction(sum(j * count for j, count in enumerate(self.counts)), max(1, self.total))


@dataclass(frozen=True)
class UsesAnswer(BaseAnswer):
    """Tours by how many moves of some sets they use.

    Attributes
    ----------
    count:
        The number of undirected tours; on a directed graph, of directed ones.
    sets:
        For each set the tours by uses.
    """

    count: int
    sets: tuple[Uses, ...]

    def records(self) -> list[dict[str, Any]]:
        """A row for each set and number of uses, for tables such as ``pandas.DataFrame``.

        >>> count_by_uses("6x6", "c3-d5").records()
        [{'moves': 'c3-d5', 'uses': 0, 'count': 9242}, {'moves': 'c3-d5', 'uses': 1, 'count': 620}]
        """
        return [
            {"moves": each.moves.name, "uses": uses, "count": number}
            for each in self.sets
            for uses, number in enumerate(each.counts)
        ]

    @property
    def found(self) -> bool:
        """Whether there are tours."""
        return self.count > 0


@timed
def count_by_uses(
    problem: TourProblem | Graph | str | Any,
    moves: str | Iterable[str | Move],
    engine: str = "auto",
    settings: Settings | None = None,
    **conditions: Any,
) -> UsesAnswer:
    """The number of tours by how many moves of a set they use, exactly.

    Sets that are images of each other under a symmetry of the problem have the same numbers and are counted
    once. The numbers add up to the number of tours, which is counted for itself and compared, unless the
    engine lists the tours.

    Parameters
    ----------
    problem:
        A problem; or a board, its size such as ``"8x8"``, a graph, or its name: see :meth:`TourProblem.of`.
    moves:
        A name of :data:`ktsolve.problem.move_sets.MOVE_SETS`, a list of moves such as ``a1-b3,c2-d4``, or the
        moves themselves. ``slopes`` and ``black-to-white`` are several sets.
    **conditions:
        Where no problem is given, ``closed`` and conditions, as for :class:`TourProblem`.

    Raises
    ------
    BadInput
        If the moves name no set.
    Refused
        If the engine cannot take the problem.
    LimitReached
        If time or memory ran out first.

    Notes
    -----
    The number of moves used so far becomes a part of each state of the sweeps (engines ``join`` and
    ``frontier``), so the cost is that of a count times the number of uses that occur for a state: one slope
    of closed 8x8 takes 4.3 times the states of the count without symmetries, and 10 s on two cores.

    Examples
    --------
    >>> answer = count_by_uses(TourProblem(board="6x6", closed=True), "corners c3-d5")
    >>> answer.count, answer.sets[0].counts
    (9862, (0, 0, 0, 0, 0, 0, 0, 0, 9242, 620))
    >>> float(round(answer.sets[0].mean, 3))
    8.063
    """
    problem = TourProblem.of(problem, **conditions)
    settings = Settings.of(settings)
    sets = read_move_sets(problem.ground, moves)
    questions = questions_of(problem, engine)
    chosen = engine_for_all(engine, "tally", questions)
    if (refutation := refutation_of(problem)) is not None:
        return UsesAnswer(0, tuple(Uses(each, ()) for each in sets), **refutation)
    clock = Clock(settings.timeout)
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    answers = []
    for number, each in enumerate(sets):
        key = _class_of(problem, each)
        if key not in found:
            here = clock.within(_with_title(settings, each.name, number, len(sets)))
            counts = _tally(questions, each.places(problem.ground), chosen, here)
            check_total(problem, sum(counts), chosen, clock.within(settings), f"uses of {each.name}")
            found[key] = counts
        answers.append(Uses(each, found[key]))
    return UsesAnswer(answers[0].total, tuple(answers), engine=chosen.name)


def _with_title(settings: Settings, name: str, number: int, sets: int) -> Settings:
    if settings.progress is None or sets == 1:
        return settings
    from dataclasses import replace

    report: Callable[[float | None, str], None] = settings.progress
    return replace(
        settings, progress=lambda done, text: report(done, f"{name} ({number + 1} of {sets}): {text}")
    )


def _class_of(problem: TourProblem, moves: MoveSet) -> tuple[int, ...]:
    """A key that sets have in common which a symmetry of the problem maps to each other."""
    ground = problem.ground
    edges = ground.edges[moves.places(ground)]
    images = (
        tuple(sorted(ground.places_of([[symmetry(u), symmetry(v)] for u, v in edges.tolist()]).tolist()))
        for symmetry in problem.automorphisms
    )
    return min(images)


def _tally(
    questions: Iterable[TourProblem], moves: list[int], engine: Engine, settings: Settings
) -> tuple[int, ...]:
    clock = Clock(settings.timeout)
    total: list[int] = []
    for question in questions:
        counts = engine.tally(question, moves, clock.within(settings))
        total = [a + b for a, b in zip_longest(total, counts, fillvalue=0)]
    return tuple(total)


def questions_of(problem: TourProblem, engine: str) -> list[TourProblem]:
    """Problems whose undirected tours are those of the problem: one for each pair of ends of given sets.

    They are simplified for ``auto``, as in :func:`ktsolve.tasks.question.asked`.

    Pairs that arithmetic refutes are left out, but for one if there are no others.
    """
    if (problem.starts or problem.ends) and not problem.closed and not problem.step_indexed:
        parts = [part for part, _ in pairs_of_ends(problem)]
        parts = [part for part in parts if part.obstruction() is None] or parts[:1] or [problem]
    else:
        parts = [problem]
    return [asked("tally", part, engine, Settings())[0] for part in parts]


def check_total(problem: TourProblem, total: int, engine: Engine, settings: Settings, what: str) -> None:
    """Compare a sum with the number of tours, which is counted for itself unless the engine lists the tours.

    Raises
    ------
    WrongAnswer
        If they differ.
    """
    if type(engine).tally is Engine.tally:
        return
    counted = count(problem, engine.name, settings)
    if counted.count != total:
        raise WrongAnswer(
            f"engine {engine.name}: the {what} for {problem} sum to {total}, and the count is {counted.count}"
        )
