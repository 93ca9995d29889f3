"""The answer of one engine to one case, with a fault injected if asked; the jobs of eager encodings."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.limits import Settings
from ktsolve.base.text import number_of
from ktsolve.engines.auto import choose
from ktsolve.engines.interface import Counted, Engine, rows_of
from ktsolve.engines.protocols import Ranking, RanksTours
from ktsolve.graphs.board import Board
from ktsolve.graphs.tour import Tour
from ktsolve.graphs.tour_rows import TourRows
from ktsolve.model.encode import EAGER
from ktsolve.problem.problem import TourProblem
from ktsolve.verify.jobs import Context, Job, Sides

LABEL = np.uint16  # of a cell in what :func:`labels_of` gives

_CHECKED_TWICE = 20  # every how many tours of a list one is checked in two ways


@dataclass(frozen=True)
class EngineAnswer:
    """The number of tours and, if the engine lists them, the tours."""

    count: int
    tours: frozenset[bytes] | None
    """Each tour as :func:`labels_of` gives it; None if they were counted only."""
    mistake: str = ""  # what is wrong with the list, or with the tour that the engine constructs


class FaultInjector(Engine):
    """An engine with an injected fault: it loses one tour, or adds one to an empty list.

    Where it ranks, half of the tours are lost.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.name = engine.name  # type: ignore[misc]
        self.capabilities = engine.capabilities  # type: ignore[misc]

    def construct(self, problem: TourProblem, settings: Settings) -> Tour | None:
        """An invalid tour if the engine finds none, else None."""
        found = self._engine.construct(problem, settings)
        return self._invalid(problem) if found is None else None

    def enumerate(self, problem: TourProblem, settings: Settings) -> Iterator[Tour]:
        """The tours of the engine without the first, or one invalid tour."""
        tours = self._engine.enumerate(problem, settings)
        return iter([self._invalid(problem)]) if next(tours, None) is None else tours

    @staticmethod
    def _invalid(problem: TourProblem) -> Tour:
        return Tour(problem.ground, problem.ground.cells, problem.closed)

    def count(self, problem: TourProblem, settings: Settings) -> Counted:
        """One tour too many."""
        counted = self._engine.count(problem, settings)
        return Counted(counted.count + 1, counted.directed + 2, counted.peak_bytes)

    def tally(self, problem: TourProblem, moves: Sequence[int], settings: Settings) -> list[int]:
        """One tour too many that uses none of the moves."""
        counts = self._engine.tally(problem, moves, settings) or [0]
        return [counts[0] + 1, *counts[1:]]

    def move_counts(self, problem: TourProblem, settings: Settings) -> list[int]:
        """One tour too many through the first move."""
        counts = self._engine.move_counts(problem, settings)
        return [counts[0] + 1, *counts[1:]]

    def ranks_at(self, problem: TourProblem) -> int:
        """The place of the engine."""
        assert isinstance(self._engine, RanksTours)
        return self._engine.ranks_at(problem)

    def ranking(self, problem: TourProblem, settings: Settings) -> Ranking:
        """An order in which the tours of the first half come twice and the others never."""
        assert isinstance(self._engine, RanksTours)
        return _FaultyRanking(self._engine.ranking(problem, settings))

    def restored(self, problem: TourProblem, path: Path, settings: Settings) -> Ranking:
        """The same from a prepared file."""
        assert isinstance(self._engine, RanksTours)
        return _FaultyRanking(self._engine.restored(problem, path, settings))


class _FaultyRanking(Ranking):
    """The tours of the first half twice, or one tour in place of an empty order."""

    def __init__(self, ranking: Ranking) -> None:
        self.problem, self.order, self.peak_bytes = ranking.problem, ranking.order, ranking.peak_bytes
        self.count = ranking.count or 1
        self._ranking = ranking

    def unrank(self, indices: Sequence[int], settings: Settings) -> NDArray[np.int32]:
        if not self._ranking.count:
            return np.zeros((len(indices), len(self.problem.ground)), dtype=np.int32)
        half = (self.count + 1) // 2
        return self._ranking.unrank([index % half for index in indices], settings)

    def rank(self, tours: NDArray[np.int32], settings: Settings) -> list[int]:
        return self._ranking.rank(tours, settings)

    def save(self, path: Path) -> None:
        self._ranking.save(path)


def engine_for(context: Context, name: str, task: str, problem: TourProblem) -> Engine:
    """The engine of that name, with a fault if the context says so."""
    engine = choose(name, task, problem)
    return FaultInjector(engine) if name == context.faulty else engine


def labels_of(problem: TourProblem, rows: NDArray[np.integer]) -> Iterator[bytes]:
    """For each tour, a row of places of cells, what stands for it whatever its numbering."""
    tours = TourRows(problem.ground, rows, closed=problem.closed)
    return (row.tobytes() for row in tours.normalised.astype(LABEL))


def answer(context: Context, problem: TourProblem, engine: str, listing: bool = True) -> EngineAnswer:
    """The answer of an engine without the help of arithmetic. Raises LimitReached.

    It lists the tours, all of which are checked, and constructs one. Without ``listing``, or if the engine
    lists none, it counts.
    """
    if not listing or "enumerate" not in choose(engine, "count", problem).capabilities:
        counting = engine_for(context, engine, "count", problem)
        return EngineAnswer(counting.count(problem, context.settings).count, None)
    tours: set[bytes] = set()
    number, mistake = 0, ""
    listed = engine_for(context, engine, "enumerate", problem).enumerate(problem, context.settings)
    for rows in rows_of(listed):
        number += len(rows)
        # Whole arrays are checked as the filter of search does it: some tours also by the other checker.
        wrong = rows[~problem.check_rows(rows)]
        for row in itertools.chain(wrong[:1], rows[::_CHECKED_TWICE]):
            violation = problem.check(Tour.from_indices(problem.ground, row, problem.closed))
            mistake = mistake or ("" if violation is None else f"an invalid tour: {violation}")
        if len(wrong):
            mistake = mistake or f"a tour that only one checker takes: {wrong[0].tolist()}"
        tours.update(labels_of(problem, rows))
    if len(tours) != number and not mistake:
        mistake = f"{number_of(number - len(tours), 'tour')} twice"
    if not mistake:
        tour_found = engine_for(context, engine, "construct", problem).construct(problem, context.settings)
        if tour_found is None:
            mistake = "tours, but constructs none" if number else ""
        elif (violation := problem.check(tour_found)) is not None:
            mistake = f"valid tours, but constructs an invalid one: {violation}"
    return EngineAnswer(number, frozenset(tours), mistake)


# -- eager encodings of the SAT engine -----------------------------------------------------------------------

_SMALL = (
    TourProblem(board="3x10", closed=True),
    TourProblem(board="5x6", closed=True),
    TourProblem(board="4x4", closed=True),
    TourProblem(board="3x8", closed=True),
    TourProblem(board="3x7", closed=False),
    TourProblem(board="4x5", closed=False, start="a1"),
    TourProblem(board=Board.parse("4x4", without="a1 a4 d1 d4"), closed=False),
    TourProblem(board=Board.parse("4x5", wrap="x"), closed=True, require=["a1-b3"]),
    TourProblem(board=Board.parse("4x4", leaper=(0, 1)), closed=True),
)
"""With and without tours, closed and open, whole, with holes, wrapped, for another piece."""

_LARGER = (TourProblem(board="6x6", closed=True), TourProblem(board="5x5", closed=False, start="a1"))


def listed_in_encoding(context: Context, encoding: str, problems: tuple[TourProblem, ...]) -> Sides:
    """The numbers of tours of each problem in an encoding and by search; the tours are compared as sets."""
    eager = replace(context, settings=replace(context.settings, encoding=encoding))
    left, right = [], []
    for problem in problems:
        here, there = answer(eager, problem, "sat"), answer(context, problem, "search")
        others = len((here.tours or frozenset()) - (there.tours or frozenset()))
        mistake = here.mistake or (f"of which {others} are not by search" if others else "")
        left.append(f"{here.count} {mistake}".rstrip())
        right.append(str(there.count))
    return Sides(", ".join(left) + " tours", ", ".join(right) + " tours")


def encoding_jobs(_level: str) -> Iterator[Job]:
    """Jobs of encodings."""
    for encoding in EAGER:
        yield Job(f"encoding {encoding}", listed_in_encoding, (encoding, _SMALL), seconds=2.0)
        name = f"encoding {encoding}, larger"
        yield Job(name, listed_in_encoding, (encoding, _LARGER), "standard", seconds=2.0)
