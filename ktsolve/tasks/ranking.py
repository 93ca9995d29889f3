"""Rankings of problems: the engine's, sums over pairs of ends, and the empty one; prepared files.

A problem with sets of starts or ends is a sum of problems with both ends given, as in
:mod:`ktsolve.tasks.count`. The tours of the first come first.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ktsolve.engines.interface import Engine
from ktsolve.engines.protocols import RanksTours
from ktsolve.engines.ranking import Ranking
from ktsolve.engines.registry import choose, engine_named, engines_for
from ktsolve.errors import BadInput, LimitReached, OutOfMemory, Refused
from ktsolve.ground.graph import Vertex
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Clock, Settings, shown_bytes
from ktsolve.tasks.answer import refutation_of
from ktsolve.tasks.count import pairs_of_ends
from ktsolve.tasks.parts import joined_names

__all__ = ["NoTours", "Ranked", "SumRanking", "prepare"]

_Ends = tuple[Vertex | None, Vertex | None]


class NoTours(Ranking):
    """The ranking of a problem that arithmetic refutes.

    Attributes
    ----------
    reason:
        The refutation.
    """

    count = 0
    order = "none"
    peak_bytes = 0

    def __init__(self, problem: TourProblem, reason: str) -> None:
        self.problem = problem
        self.reason = reason

    def unrank(self, indices: Sequence[int], settings: Settings) -> NDArray[np.int32]:
        """No rows."""
        assert not len(indices)
        return np.empty((0, len(self.problem.ground)), dtype=np.int32)

    def rank(self, tours: NDArray[np.int32], settings: Settings) -> list[int]:
        """No indices."""
        assert not len(tours)
        return []

    def save(self, path: Path) -> None:
        """Nothing: there are no tables."""


class SumRanking(Ranking):
    """The tours of several problems without common tours, one after the other.

    Parameters
    ----------
    problem:
        The problem that they make up.
    parts:
        A ranking of each.
    """

    def __init__(self, problem: TourProblem, parts: Sequence[Ranking]) -> None:
        self.problem = problem
        self._parts = list(parts)
        self._firsts = [0, *accumulate(part.count for part in parts)]
        self.count = self._firsts[-1]
        self.peak_bytes = sum(part.peak_bytes for part in parts)
        digest = hashlib.sha256("\n".join(part.order for part in parts).encode()).hexdigest()[:8]
        self.order = f"ends:1:{len(self._parts)}-pairs:{digest}"
        self._part_of: dict[_Ends, tuple[int, bool]] = {}
        for number, part in enumerate(self._parts):
            start, end = part.problem.start, part.problem.end
            self._part_of[start, end] = number, False
            if not problem.ground.directed:
                self._part_of[end, start] = number, True

    def unrank(self, indices: Sequence[int], settings: Settings) -> NDArray[np.int32]:
        """The tours, each from the part in which its index falls. Raises LimitReached."""
        clock = Clock(settings.timeout)
        rows = np.empty((len(indices), len(self.problem.ground)), dtype=np.int32)
        places: dict[int, list[int]] = {}
        for place, index in enumerate(indices):
            places.setdefault(bisect_right(self._firsts, index) - 1, []).append(place)
        for number, wanted in sorted(places.items()):
            within = [indices[place] - self._firsts[number] for place in wanted]
            rows[wanted] = self._parts[number].unrank(within, clock.within(settings))
        return rows

    def rank(self, tours: NDArray[np.int32], settings: Settings) -> list[int]:
        """The indices of tours, each in the part of its two ends. Raises LimitReached."""
        clock = Clock(settings.timeout)
        places: dict[tuple[int, bool], list[int]] = {}
        for place, (first, last) in enumerate(tours[:, [0, -1]].tolist()):
            places.setdefault(self._part_with(first, last), []).append(place)
        found = [0] * len(tours)
        for (number, backwards), given in sorted(places.items()):
            rows = tours[given]
            rows = np.ascontiguousarray(rows[:, ::-1] if backwards else rows)
            ranks = self._parts[number].rank(rows, clock.within(settings))
            for place, rank in zip(given, ranks, strict=True):
                found[place] = self._firsts[number] + rank
        return found

    def _part_with(self, first: int, last: int) -> tuple[int, bool]:
        """The number of the part with these ends, and whether it has them the other way round."""
        cells = self.problem.ground.cells
        for ends in product((cells[first], None), (cells[last], None)):
            if ends in self._part_of:
                return self._part_of[ends]
        raise AssertionError(f"no part has a tour from {cells[first]} to {cells[last]}")

    def save(self, path: Path) -> None:
        """Refuse. Raises Refused."""
        raise Refused(
            f"a prepared file holds one pair of ends, and {self.problem} has {len(self._parts)}: give one "
            "start and one end"
        )


@dataclass(frozen=True)
class Ranked:
    """A ranking, and where it comes from.

    Attributes
    ----------
    ranking:
        The ranking.
    engine:
        Name of the engine, or ``arithmetic``.
    restored:
        Whether it was read from a prepared file.
    """

    ranking: Ranking
    engine: str
    restored: bool = False


def prepare(problem: TourProblem, engine: str, settings: Settings, prepared: Path | None = None) -> Ranked:
    """The ranking of a problem.

    The choice of the engine depends on the problem alone, since the order of the tours does.

    Parameters
    ----------
    engine:
        Name of an engine, or ``auto``.
    prepared:
        A file of tables: it is read if it exists, and made if not.

    Raises
    ------
    Refused
        If the engine cannot rank the tours of the problem.
    BadInput
        If the prepared file is damaged, or belongs to another problem, plan or version.
    LimitReached
        If time or memory runs out.
    """
    summed = (problem.starts or problem.ends) and not problem.closed and not problem.step_indexed
    if summed:
        return _prepare_sum(problem, engine, settings, prepared)
    chosen = choose(engine, "rank", problem)  # refuses what no engine takes
    if (refutation := refutation_of(problem)) is not None:
        return Ranked(NoTours(problem, refutation["reason"]), refutation["engine"])
    if prepared is not None and prepared.exists():
        return _restored(problem, chosen, engine, settings, prepared)
    assert isinstance(chosen, RanksTours)
    ranking = chosen.ranking(problem, settings)
    if prepared is not None:
        ranking.save(prepared)
    return Ranked(ranking, chosen.name)


def _restored(problem: TourProblem, chosen: Engine, engine: str, settings: Settings, path: Path) -> Ranked:
    """The ranking in a file of the chosen engine; where none was named, of any that ranks the problem."""
    names = [chosen.name]
    if engine == "auto":
        names += [name for name in engines_for("rank", problem) if name != chosen.name]
    refusal: BadInput | None = None
    for name in names:
        each = engine_named(name)
        assert isinstance(each, RanksTours)
        try:
            return Ranked(each.restored(problem, path, settings), name, restored=True)
        except BadInput as error:
            refusal = refusal or error
    assert refusal is not None
    raise refusal


def _prepare_sum(problem: TourProblem, engine: str, settings: Settings, prepared: Path | None) -> Ranked:
    clock = Clock(settings.timeout)
    questions = [question for question, _ in pairs_of_ends(problem)]
    if not questions:
        return Ranked(NoTours(problem, "no two of the cells given are ends of one tour"), "arithmetic")
    for question in questions[:1]:
        choose(engine, "rank", question)
    if prepared is not None:
        raise Refused(
            f"a prepared file holds one pair of ends, and {problem} has {len(questions)}: give one start and "
            "one end"
        )
    parts: list[Ranking] = []
    names: list[str] = []
    held = 0
    for number, question in enumerate(questions):
        reached = f"{number} of {len(questions)} pairs of ends prepared"
        within = clock.within(settings, reached)
        left = settings.memory_budget - held
        if left < 1 << 20:
            raise OutOfMemory(
                f"stopped at the memory limit of {shown_bytes(settings.memory_budget)}, {reached}"
            )
        try:
            ranked = prepare(question, engine, replace(within, memory=left))
        except LimitReached as stop:
            raise type(stop)(f"{stop} ({reached})") from None
        if ranked.ranking.count:
            parts.append(ranked.ranking)
            names.append(ranked.engine)
            held += ranked.ranking.peak_bytes
        if settings.progress is not None:
            settings.progress((number + 1) / len(questions), reached)
    if not parts:
        return Ranked(NoTours(problem, "no two of the cells given are ends of one tour"), "arithmetic")
    return Ranked(SumRanking(problem, parts), joined_names(names))
