"""Count tours exactly.

A count with sets of starts or ends is a sum of counts with both ends given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, overload

from ktsolve.base.limits import Clock, Settings
from ktsolve.base.text import separated
from ktsolve.base.units import shown_bytes
from ktsolve.engines.auto import answer_to, engine_for_pairs
from ktsolve.engines.interface import Counted
from ktsolve.engines.protocols import CountsPairs
from ktsolve.graphs.board import Board
from ktsolve.graphs.card import Card, Carded
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.notation import Cell
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.answer import BaseAnswer, timed
from ktsolve.tasks.parts import REDUCTION, Parts, joined_names
from ktsolve.tasks.question import PROPAGATION, asked

if TYPE_CHECKING:
    from ktsolve.model.model import Model
    from ktsolve.tasks.model_count import ModelCount

__all__ = [
    "ClassCount",
    "CountAnswer",
    "Ends",
    "count",
    "count_each",
    "ends_to_count",
    "pairs_of_ends",
    "summary",
]

_CLASSES_SHOWN = 12
"""Classes in the table that a notebook shows."""

Ends = tuple[Cell, ...]
"""One end of open tours, or both."""


@dataclass(frozen=True)
class ClassCount:
    """Tours of one class of ends.

    Attributes
    ----------
    cells:
        Representative start, or pair of ends.
    multiplicity:
        Number of starts or pairs in the class.
    count:
        Undirected tours with exactly this start or these ends.
    """

    cells: Ends
    multiplicity: int
    count: int


@dataclass(frozen=True)
class CountAnswer(Carded, BaseAnswer):
    """An exact number of tours.

    Attributes
    ----------
    count:
        Undirected tours; on a directed graph, directed ones.
    directed:
        Directed ones.
    peak_bytes:
        Most memory held for states, None if unknown.
    details:
        Statistics of the engine.
    classes:
        By start or by ends, from :func:`ktsolve.tasks.endpoint_classes.count_classes`.
    problem:
        The question.
    """

    count: int
    directed: int
    peak_bytes: int | None = None
    details: dict[str, int] = field(default_factory=dict)
    classes: tuple[ClassCount, ...] = ()
    problem: TourProblem | None = field(default=None, repr=False, compare=False)

    @property
    def found(self) -> bool:
        """Whether there are tours."""
        return self.count > 0

    def records(self) -> list[dict[str, Any]]:
        """A row for each class, or one of the whole count, for tables such as ``pandas.DataFrame``.

        >>> from ktsolve.tasks.endpoint_classes import count_classes
        >>> count_classes("5x5", by="start", closed=False).records()[0]
        {'start': 'a5', 'multiplicity': 4, 'count': 304}
        >>> count("6x6").records()
        [{'problem': 'closed 6x6', 'count': 9862, 'directed': 19724}]
        """
        problem = self.problem
        if problem is None or not self.classes:
            whole = {"count": self.count, "directed": self.directed}
            return [whole if problem is None else {"problem": str(problem), **whole}]
        name = problem.ground.name
        return [
            {
                **dict(zip(("start", "end"), map(name, each.cells), strict=False)),
                "multiplicity": each.multiplicity,
                "count": each.count,
            }
            for each in self.classes
        ]

    def _card(self) -> Card:
        problem = self.problem
        where = "" if problem is None else f": {problem}"
        title = f"{separated(self.count)} {'tour' if self.count == 1 else 'tours'}{where}"
        facts = [*self._facts]
        if self.directed != self.count:
            facts.insert(0, ("directed", separated(self.directed)))
        if self.peak_bytes:
            facts.append(("memory", shown_bytes(self.peak_bytes)))
        if not self.classes or problem is None:
            return Card(title, tuple(facts))
        facts.append(("classes", f"{len(self.classes):,}"))
        name = problem.ground.name
        rows = tuple(
            (", ".join(map(name, one.cells)), f"{one.multiplicity:,}", separated(one.count))
            for one in self.classes[:_CLASSES_SHOWN]
        )
        head = ("start" if len(self.classes[0].cells) == 1 else "ends", "in the class", "tours of each")
        more = len(self.classes) - len(rows)
        return Card(title, tuple(facts), self._heat_map(problem), head, rows, more)

    def _heat_map(self, problem: TourProblem) -> tuple[object, ...]:
        """The tours by their ends on the board."""
        from ktsolve.render.boards.heat import counted_heat
        from ktsolve.render.subjects import Counts

        board = problem.ground
        if not isinstance(board, Board):
            return ()
        classes = ((one.cells, one.count) for one in self.classes)
        heat = counted_heat(board, classes, problem.automorphisms)
        return (Counts(board, heat, f"Open tours of {board} by their ends"),)


@overload
def count(problem: Model, engine: str = "auto", settings: Settings | None = None) -> ModelCount: ...


@overload
def count(
    problem: TourProblem | Graph | str | Any,
    engine: str = "auto",
    settings: Settings | None = None,
    **conditions: Any,
) -> CountAnswer: ...


def count(
    problem: Any, engine: str = "auto", settings: Settings | None = None, **conditions: Any
) -> CountAnswer | ModelCount:
    """The exact number of tours, or of the solutions of a model.

    Parameters
    ----------
    problem:
        A problem; or a board, its size such as ``"8x8"``, a graph, or its name: see :meth:`TourProblem.of`.
        Or a :class:`ktsolve.Model`, whose solutions ``tasks.model_count.count_solutions`` counts.
    **conditions:
        Where no problem is given, ``closed`` and conditions, as for :class:`TourProblem`.

    Raises
    ------
    Refused
        If the engine cannot take the problem.
    LimitReached
        If time or memory ran out first.

    Examples
    --------
    >>> answer = count(TourProblem(board="6x6", closed=True))
    >>> answer.count, answer.directed
    (9862, 19724)
    """
    if not isinstance(problem, TourProblem | Graph | str):
        from ktsolve.model.model import Model

        if isinstance(problem, Model):
            from ktsolve.tasks.model_count import count_solutions

            return count_solutions(problem, engine, settings, **conditions)
    return _count_tours(TourProblem.of(problem, **conditions), engine, Settings.of(settings))


@timed
def _count_tours(problem: TourProblem, engine: str, settings: Settings) -> CountAnswer:
    return replace(_counted(problem, engine, settings), problem=problem)


def _counted(problem: TourProblem, engine: str, settings: Settings) -> CountAnswer:
    # Undirected tours are counted by their two ends where the condition does not fix the direction.
    if _has_sets_of_ends(problem):
        return _count_by_ends(problem, engine, settings)
    clock = Clock(settings.timeout)
    question, refutation = asked("count", problem, engine, settings)
    if refutation is not None:
        return CountAnswer(0, 0, **refutation)
    if engine == "auto" and _has_sets_of_ends(question):
        return _count_by_ends(question, engine, clock.within(settings))
    parts = Parts(question, "count", engine, settings)
    if parts.refutation is not None:
        return CountAnswer(0, 0, **parts.refutation)
    counts, names = [], []
    for part in parts.questions:
        name, counted = answer_to("count", part, engine, clock.within(settings))
        if not counted.count:
            return _answer(counted, name)
        counts.append(counted)
        names.append(name)
    return _answer(parts.counted(counts), joined_names(names))


def _answer(found: Counted, engine: str) -> CountAnswer:
    return CountAnswer(found.count, found.directed, found.peak_bytes, dict(found.details), engine=engine)


# -- many pairs of ends --------------------------------------------------------------------------------------


def ends_to_count(questions: Mapping[Ends, TourProblem]) -> list[tuple[Cell, Cell]]:
    """The pairs of ends among the questions that arithmetic does not refute."""
    pairs = ((ends, each) for ends, each in questions.items() if len(ends) == 2)
    return [(ends[0], ends[1]) for ends, each in pairs if each.obstruction() is None]


def count_each(
    problem: TourProblem, questions: Mapping[Ends, TourProblem], engine: str, settings: Settings
) -> Iterator[tuple[Ends, CountAnswer]]:
    """The questions about the problem with some ends given, each with its answer.

    Pairs of ends are counted together by engines that can share work between them
    (:class:`~ktsolve.engines.protocols.CountsPairs`), others one by one.
    """
    clock = Clock(settings.timeout)
    rest = dict(questions)
    if pairs := ends_to_count(questions):
        chosen = engine_for_pairs(engine, problem, questions[pairs[0]], pairs, settings)
        if isinstance(chosen, CountsPairs):
            for pair, counted in chosen.count_pairs(problem, pairs, settings):
                del rest[pair]
                yield pair, _answer(counted, chosen.name)
    for number, (ends, each) in enumerate(rest.items()):
        yield ends, count(each, engine, clock.within(settings, f"{number} classes counted"))


_NO_ENGINE = ("arithmetic", PROPAGATION, REDUCTION)
"""What answers without an engine."""


def summary(answers: Iterable[CountAnswer]) -> tuple[str, int | None]:
    """The engine of several counts, and the most memory that one of them held."""
    listed = list(answers)
    name = next((answer.engine for answer in listed if answer.engine not in _NO_ENGINE), "arithmetic")
    return name, max((a.peak_bytes for a in listed if a.peak_bytes is not None), default=None)


# -- sets of starts and ends ---------------------------------------------------------------------------------


def _has_sets_of_ends(problem: TourProblem) -> bool:
    """Whether the count is a sum of counts with both ends given."""
    return bool(problem.starts or problem.ends) and not problem.closed and not problem.step_indexed


def _count_by_ends(problem: TourProblem, engine: str, settings: Settings) -> CountAnswer:
    questions, directions = {}, {}
    for part, ways in pairs_of_ends(problem):
        ends = tuple(cell for cell in (part.start, part.end) if cell is not None)
        questions[ends], directions[ends] = part, ways
    free = problem.replace(start=None, end=None, starts=(), ends=())
    found = dict(count_each(free, questions, engine, settings))
    name, peak = summary(found.values())
    total = sum(each.count for each in found.values())
    directed = sum(each.count * directions[ends] for ends, each in found.items())
    return CountAnswer(total, directed, peak, engine=name)


def pairs_of_ends(problem: TourProblem) -> Iterator[tuple[TourProblem, int]]:
    """Problems with both ends given whose counts add up to the undirected count, each with its directions.

    Every undirected tour has one unordered pair of ends; it counts if one of them is a start and the other an
    end, and twice as a directed tour if that holds both ways.

    >>> problem = TourProblem(board="3x4", closed=False, starts=["a1", "d3"], ends=["d3", "a2"])
    >>> [(str(part), directions) for part, directions in pairs_of_ends(problem)]
    [('open 3x4 start d3 end a2', 1), ('open 3x4 start a1 end d3', 1), ('open 3x4 start a1 end a2', 1)]
    """
    everywhere = frozenset(problem.ground.cells)
    starts, ends = problem.first or everywhere, problem.last or everywhere
    free = problem.replace(start=None, end=None, starts=(), ends=())
    if len(problem.ground) == 1:
        if starts & ends:
            yield free, 1
        return
    if problem.ground.directed:
        pairs = product(sorted(problem.starts) or [problem.start], sorted(problem.ends) or [problem.end])
        for first, last in pairs:
            if first != last or first is None:
                yield free.replace(start=first, end=last), 1
        return
    for a, b in combinations(sorted(starts | ends), 2):
        directions = (a in starts and b in ends) + (b in starts and a in ends)
        if directions:
            first, second = (a, b) if a in starts and b in ends else (b, a)
            yield free.replace(start=first, end=second), directions
