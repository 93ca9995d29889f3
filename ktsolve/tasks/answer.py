"""The frame of tasks: answers, simplified problems, refutations by arithmetic, parts of graphs."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial, wraps
from typing import ParamSpec, TypedDict, TypeVar

from ktsolve.base.limits import Clock, Settings
from ktsolve.base.units import shown_seconds
from ktsolve.engines.auto import check_taken, choose
from ktsolve.engines.interface import PLAIN_FEATURES, Counted
from ktsolve.engines.registry import engine_named, takes
from ktsolve.graphs.board import Board
from ktsolve.graphs.card import Card, Carded
from ktsolve.graphs.tour import Tour
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.reduction import GraphPart, Reduction, reduce
from ktsolve.problem.simplification import simplified

__all__ = ["Answer", "BaseAnswer"]

EXHAUSTED = "the engine searched everything"
"""The reason when an engine proves that there is no solution."""


@dataclass(frozen=True, kw_only=True)
class BaseAnswer:
    """The part that all answers share.

    Attributes
    ----------
    engine:
        Name of the engine that answered, or ``arithmetic``.
    seconds:
        Wall-clock time.
    reason:
        Why there is no solution; empty if there is one.
    """

    engine: str
    seconds: float = 0.0
    reason: str = ""

    @property
    def found(self) -> bool:
        """Whether there is a solution."""
        raise NotImplementedError

    @property
    def status(self) -> str:
        """``found`` or ``impossible``; some tasks have more."""
        return "found" if self.found else "impossible"

    @property
    def work(self) -> dict[str, str | float]:
        """Engine and seconds in the JSON of answers."""
        return {"engine": self.engine, "seconds": round(self.seconds, 6)}

    @property
    def work_text(self) -> str:
        """Engine and seconds in a remark."""
        return f"{self.engine}, {self.seconds:.3f} s"

    @property
    def _facts(self) -> tuple[tuple[str, str], ...]:
        """What the cards of answers have in common."""
        reason = (("reason", self.reason),) if self.reason else ()
        return (*reason, ("engine", self.engine), ("time", shown_seconds(self.seconds)))


@dataclass(frozen=True)
class Answer(Carded, BaseAnswer):
    """A tour, or the proof that none exists.

    Attributes
    ----------
    tour:
        The tour, None if none exists.
    """

    tour: Tour | None

    @property
    def found(self) -> bool:
        """Whether there is a tour."""
        return self.tour is not None

    def _card(self) -> Card:
        if self.tour is None:
            return Card("No tour" if self.status == "impossible" else "No tour found", self._facts)
        kind = "Closed" if self.tour.closed else "Open"
        ground = self.tour.ground
        name = str(ground) if isinstance(ground, Board) else f"a {ground}"
        return Card(f"{kind} tour of {name}", self._facts, (self.tour,))


_P = ParamSpec("_P")
_A = TypeVar("_A", bound=BaseAnswer)


def timed(task: Callable[_P, _A]) -> Callable[_P, _A]:
    """Wrap a task so that its answer has its wall-clock time."""

    @wraps(task)
    def measured(*args: _P.args, **kwargs: _P.kwargs) -> _A:
        started = time.perf_counter()
        answer = task(*args, **kwargs)
        return replace(answer, seconds=time.perf_counter() - started)

    return measured


class Refutation(TypedDict):
    """Arguments of an answer that arithmetic gives."""

    engine: str
    reason: str


def refutation_of(problem: TourProblem) -> Refutation | None:
    """Engine and reason of the answer if arithmetic proves that no tour exists; None if it does not decide.

    >>> refutation_of(TourProblem(board="5x5", closed=True))["engine"]
    'arithmetic'
    """
    obstruction = problem.obstruction()
    return None if obstruction is None else Refutation(engine="arithmetic", reason=str(obstruction))


# -- the problem that engines get ----------------------------------------------------------------------------

PROPAGATION = "propagation"
"""The engine named in an answer that propagation gives without any engine."""


def simplified_for(
    task: str, problem: TourProblem, engine: str, settings: Settings
) -> tuple[TourProblem, Refutation | None]:
    """The problem without redundant conditions, with what propagation finds; and the refutation, if known.

    A named engine gets the problem as it is stated, unless it takes only the simplified one; Refused if it
    takes neither. Remarks on dropped and added conditions go to ``settings``.

    >>> problem = TourProblem(board="6x6", closed=True, conditions=[])
    >>> simplified_for("count", problem, "auto", Settings())[0] == problem
    True
    """
    if engine != "auto" and takes(engine, task, problem):
        return problem, refutation_of(problem)
    simple = simplified(problem)
    if engine == "auto":
        check_taken(task, simple.problem)
    elif not takes(engine, task, simple.problem):
        choose(engine, task, problem)  # refused
    for what, found in (("redundant", simple.dropped), ("propagation", simple.added)):
        for each in found:
            settings.say(f"{what}: {each}")
    refutation = refutation_of(problem)
    if refutation is None and simple.refutation is not None:
        refutation = Refutation(engine=PROPAGATION, reason=simple.refutation)
    return simple.problem, refutation


REDUCTION = "reduction"
"""The engine named in an answer that the reduction gives without any engine."""

_REDUCED = PLAIN_FEATURES - {"steps", "symmetry"}


def joined_names(engines: Iterable[str]) -> str:
    """The names of the engines that answered about the parts, each once, separated by commas.

    >>> joined_names(["search", "sat", "search"]), joined_names([])
    ('search, sat', 'reduction')
    """
    return ", ".join(dict.fromkeys(engines)) or REDUCTION


_REQUIRED_SHARE = 1 / 2
"""Share of required moves from which a board is reduced: the reduced graph has far fewer vertices."""


class Parts:
    """A question about tours, as questions about the parts of its graph.

    The reduction takes bare graphs without conditions on steps, and boards with many required moves that
    ``auto`` counts. Another problem is its own only part, and so is one that is not reduced, or whose parts
    the named engine does not take.

    - ``task``: What the engine is to do (see :data:`ktsolve.engines.interface.TASKS`).
    - ``engine``: Its name, or ``auto``.

    - ``questions``: The different questions, those about smaller graphs first.
    - ``refutation``: Engine and reason, if the reduction shows that there is no tour.

    >>> from ktsolve.graphs.graph import Graph
    >>> cube = Graph("abcdefgh", ["ab", "bc", "cd", "da", "ae", "bf", "cg", "dh", "ef", "fg", "gh", "he"])
    >>> parts = Parts(TourProblem(board=cube, closed=False, start="a", end="b"), "count", "auto", Settings())
    >>> parts.refutation, [str(each) for each in parts.questions]
    (None, ['closed graph of 8 vertices and 12 edges require 0-1'])
    """

    def __init__(self, problem: TourProblem, task: str, engine: str, settings: Settings) -> None:
        self.problem = problem
        self.refutation: Refutation | None = None
        self.questions: tuple[TourProblem, ...] = (problem,)
        self._reduction: Reduction | None = None
        if problem.features - _REDUCED or len(problem.ground) < 2:
            return
        many = len(problem.required_moves) >= _REQUIRED_SHARE * len(problem.ground)
        if "graph" not in problem.features and not (many and task == "count" and engine == "auto"):
            return
        self._graph = CycleGraph.of(problem)
        if self._graph.impossible:
            return
        reduction = reduce(self._graph, Clock(settings), counting=task == "count")
        for step in reduction.steps:
            settings.say(f"reduction: {step}")
        if reduction.refutation is not None:
            reason = reduction.refutation.reason(partial(self._graph.vertex_name, problem))
            settings.say(f"reduction: {reason}")
            self.questions = ()
            self.refutation = Refutation(engine=REDUCTION, reason=reason)
        elif reduction.steps:
            self._take(reduction, task, engine)

    def _take(self, reduction: Reduction, task: str, engine: str) -> None:
        different: dict[tuple[int, bytes, bytes], GraphPart] = {}
        keys = []
        for part in reduction.parts:
            graph = part.graph
            keys.append((graph.vertices, graph.edges.tobytes(), graph.required.tobytes()))
            different.setdefault(keys[-1], part)
        ordered = sorted(different, key=lambda key: (key[0], len(key[1])))
        questions = tuple(different[key].graph.problem() for key in ordered)
        named = None if engine == "auto" else engine_named(engine)
        if named is None or all(named.unsupported_feature(task, each) is None for each in questions):
            place = {key: i for i, key in enumerate(ordered)}
            self._reduction, self.questions = reduction, questions
            self._question_of = [place[key] for key in keys]

    # -- answers --------------------------------------------------------------------------------------------

    def tour(self, tours: Sequence[Tour]) -> Tour:
        """The tour made of one tour for each question."""
        if self._reduction is None:
            return tours[0]
        return next(self._lifted([tours[i].indices for i in self._question_of]))

    def _lifted(self, cycles: Sequence[Sequence[int]]) -> Iterator[Tour]:
        assert self._reduction is not None
        for cycle in self._reduction.lifts(cycles):
            yield self.problem.labeled_to_fit(self._graph.tour(self.problem, cycle))

    def counted(self, counts: Sequence[Counted]) -> Counted:
        """The number of tours, from the numbers for each question."""
        if self._reduction is None:
            return counts[0]
        number = self._reduction.factor * math.prod(counts[i].count for i in self._question_of)
        peak = max((each.peak_bytes for each in counts if each.peak_bytes is not None), default=None)
        details = dict(counts[0].details) if len(counts) == 1 else {}
        return Counted(number, number * self.problem.directions, peak, details)

    def listed(self, lists: Callable[[TourProblem], Iterator[Tour]]) -> Iterator[Tour]:
        """All tours, each once, from a function that lists the tours of a question.

        The tours of all questions but the largest are kept in memory as they come.
        """
        if self._reduction is None:
            yield from (tour for question in self.questions for tour in lists(question))
            return
        kept = [_Kept(tour.indices for tour in lists(question)) for question in self.questions]
        if not all(each.has(0) for each in kept):
            return
        # The largest part comes first, so that the lists of the others are read again and again.
        order = sorted(range(len(self._question_of)), key=lambda i: -self._question_of[i])
        lists_of_cycles: list[Iterable[Sequence[int]]] = [kept[self._question_of[i]] for i in order]
        if order and self._question_of.count(len(kept) - 1) == 1:
            lists_of_cycles[0] = kept[-1].read_once()
        for chosen in _product(lists_of_cycles):
            cycles: list[Sequence[int]] = [()] * len(order)
            for i, cycle in zip(order, chosen, strict=True):
                cycles[i] = cycle
            yield from self._lifted(cycles)


class _Kept:
    """The cycles of an iterator, kept as they come."""

    def __init__(self, cycles: Iterator[Sequence[int]]) -> None:
        self._rest = cycles
        self._seen: list[Sequence[int]] = []

    def has(self, place: int) -> bool:
        """Whether there is a cycle at this place."""
        while len(self._seen) <= place:
            cycle = next(self._rest, None)
            if cycle is None:
                return False
            self._seen.append(cycle)
        return True

    def __iter__(self) -> Iterator[Sequence[int]]:
        place = 0
        while self.has(place):
            yield self._seen[place]
            place += 1

    def read_once(self) -> Iterator[Sequence[int]]:
        """The cycles; further ones are not kept."""
        yield from self._seen
        yield from self._rest


def _product(lists: Sequence[Iterable[Sequence[int]]]) -> Iterator[tuple[Sequence[int], ...]]:
    """As :func:`itertools.product`, but no list is read further than needed."""
    if not lists:
        yield ()
        return
    # No recursion: a graph may have thousands of parts.
    readers = [iter(lists[0])]
    chosen: list[Sequence[int]] = []
    while readers:
        cycle = next(readers[-1], None)
        if cycle is None:
            readers.pop()
            if chosen:
                chosen.pop()
        elif len(readers) == len(lists):
            yield (*chosen, cycle)
        else:
            chosen.append(cycle)
            readers.append(iter(lists[len(readers)]))
