"""Parts of bare graphs: the graph is reduced, and each remaining part is a problem of its own.

A tour of the graph is made of one tour of each part, so numbers multiply and lists combine as products
(:mod:`ktsolve.problem.reduction`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.interface import PLAIN_FEATURES, Counted
from ktsolve.engines.registry import engine_named
from ktsolve.graphs.tour import Tour
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.reduction import GraphPart, Reduction, reduce
from ktsolve.tasks.answer import Refutation

__all__ = ["REDUCTION", "Parts", "joined_names"]

REDUCTION = "reduction"
"""The engine named in an answer that the reduction gives without any engine."""

_REDUCED = PLAIN_FEATURES - {"steps", "symmetry"}


def joined_names(engines: Iterable[str]) -> str:
    """The names of the engines that answered about the parts, each once.

    Parameters
    ----------
    engines:
        The names, with repetitions.

    Returns
    -------
    str
        The names, separated by commas.

    Examples
    --------
    >>> joined_names(["search", "sat", "search"]), joined_names([])
    ('search, sat', 'reduction')
    """
    return ", ".join(dict.fromkeys(engines)) or REDUCTION


_REQUIRED_SHARE = 1 / 2
"""Share of required moves from which a board is reduced: the reduced graph has far fewer vertices."""


def _worth_reducing(problem: TourProblem, task: str, engine: str) -> bool:
    """Whether a board is counted as the bare graph that its required moves leave."""
    many = len(problem.required_moves) >= _REQUIRED_SHARE * len(problem.ground)
    return task == "count" and engine == "auto" and many


class Parts:
    """A question about tours, as questions about the parts of its graph.

    The reduction takes bare graphs without conditions on steps, and boards with many required moves that
    ``auto`` counts. Another problem is its own only part, and so
    is one that is not reduced, or whose parts the named engine does not take.

    Parameters
    ----------
    task:
        What the engine is to do (see :data:`ktsolve.engines.interface.TASKS`).
    engine:
        Its name, or ``auto``.

    Attributes
    ----------
    questions:
        The different questions, those about smaller graphs first.
    refutation:
        Engine and reason, if the reduction shows that there is no tour.

    Examples
    --------
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
        if "graph" not in problem.features and not _worth_reducing(problem, task, engine):
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
