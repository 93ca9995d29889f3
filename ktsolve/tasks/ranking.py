"""Rankings of problems: the engine's, sums over pairs of ends, and the empty one; prepared files.

A problem with sets of starts or ends is a sum of problems with both ends given, as in
:mod:`ktsolve.tasks.count`. The tours of the first come first.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from bisect import bisect_right
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate, product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.errors import BadInput, LimitReached, OutOfMemory
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.units import shown_bytes
from ktsolve.engines.auto import choose
from ktsolve.engines.interface import Engine
from ktsolve.engines.prepared import damaged, prepared_by, read_prepared, write_prepared
from ktsolve.engines.protocols import Ranking, RanksTours
from ktsolve.engines.registry import engine_named, engines_for
from ktsolve.graphs.graph import Vertex
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.answer import joined_names, refutation_of
from ktsolve.tasks.count_total import has_sets_of_ends, pairs_of_ends

_SUM = "ends"  # the first part of the name of the order of a sum, and the maker of its prepared file

_SUM_VERSION = 1

_NO_ENDS = "no two of the cells given are ends of one tour"

_HOPELESS = 5.0
"""Tables are refused at once if they take more than this multiple of the memory limit by estimate."""

_Ends = tuple[Vertex | None, Vertex | None]


class SumRanking(Ranking):
    """The tours of several problems without common tours, one after the other, given a ranking of each."""

    def __init__(self, problem: TourProblem, parts: Sequence[Ranking]) -> None:
        self.problem = problem
        self._parts = list(parts)
        self._firsts = [0, *accumulate(part.count for part in parts)]
        self.count = self._firsts[-1]
        self.peak_bytes = sum(part.peak_bytes for part in parts)
        digest = hashlib.sha256("\n".join(part.order for part in parts).encode()).hexdigest()[:8]
        self.order = f"{_SUM}:{_SUM_VERSION}:{len(self._parts)}-pairs:{digest}"
        self._part_of: dict[_Ends, tuple[int, bool]] = {}
        for number, part in enumerate(self._parts):
            start, end = part.problem.start, part.problem.end
            self._part_of[start, end] = number, False
            if not problem.ground.directed:
                self._part_of[end, start] = number, True

    def unrank(self, indices: Sequence[int], settings: Settings) -> NDArray[np.int32]:
        """The tours, each from the part in which its index falls. Raises LimitReached."""
        clock = Clock(settings)
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
        clock = Clock(settings)
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
        """Write a file that lists the parts, and beside it one for each part: ``FILE.1``, ``FILE.2`` ...

        Raises BadInput if a file cannot be written, or one for a part is there already.
        """
        files = _free_files(path, len(self._parts))
        for file, part in zip(files, self._parts, strict=True):
            part.save(file)
        header = {"parts": [[part.problem.to_json(), part.order] for part in self._parts]}
        write_prepared(path, _SUM, _SUM_VERSION, self.problem, header, ())


class NoTours(SumRanking):
    """The ranking of a problem that arithmetic refutes, with the refutation; it has no tables to save."""

    def __init__(self, problem: TourProblem, reason: str) -> None:
        super().__init__(problem, ())
        self.order = "none"
        self.reason = reason

    def save(self, path: Path) -> None:
        """Write nothing."""


def _file_of_part(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name}.{number + 1}")


def _free_files(path: Path, parts: int) -> list[Path]:
    """The files of a given number of parts. Raises BadInput if one is there already."""
    files = [_file_of_part(path, number) for number in range(parts)]
    for file in files:
        if file.exists():
            raise BadInput(f"{file} is there already: remove it, or give another name than {path}")
    return files


@dataclass(frozen=True)
class Ranked:
    """A ranking, the engine that made it (or ``arithmetic``), and the prepared file that it was read from."""

    ranking: Ranking
    engine: str
    file: Path | None = None


def prepare(problem: TourProblem, engine: str, settings: Settings, prepared: Path | None = None) -> Ranked:
    """The ranking of a problem, by an engine that is chosen by the problem alone: the order depends on it.

    ``prepared`` is a file of tables: it is read if it exists, and made if not; BadInput if it is damaged, or
    belongs to another problem, plan or version. Raises Refused if the engine cannot rank the tours.
    """
    if has_sets_of_ends(problem):
        return _prepare_sum(problem, engine, settings, prepared)
    chosen = choose(engine, "rank", problem)  # refuses what no engine takes
    if (refutation := refutation_of(problem)) is not None:
        return Ranked(NoTours(problem, refutation["reason"]), refutation["engine"])
    if prepared is not None and prepared.exists():
        return _restored(problem, chosen, engine, settings, prepared)
    assert isinstance(chosen, RanksTours)
    if prepared is not None and (expected := chosen.estimate(problem, settings)) is not None:
        free = shutil.disk_usage(prepared.absolute().parent).free
        if expected.bytes > free:
            needed = shown_bytes(expected.bytes)
            raise LimitReached(f"{prepared} takes {needed} or more, and {shown_bytes(free)} of disk are free")
    ranking = chosen.ranking(problem, settings)
    if prepared is not None:
        ranking.save(prepared)
    return Ranked(ranking, chosen.name)


def _restored(problem: TourProblem, chosen: Engine, engine: str, settings: Settings, path: Path) -> Ranked:
    """The ranking in a file of the chosen engine; where none was named, of any that ranks the problem."""
    with suppress(BadInput):  # the engine says what is wrong with the file
        if engine == "auto" and (made_by := prepared_by(path)) in engines_for("rank", problem):
            chosen = engine_named(made_by)
    assert isinstance(chosen, RanksTours)
    return Ranked(chosen.restored(problem, path, settings), chosen.name, path)


def _restored_sum(
    problem: TourProblem, questions: Sequence[TourProblem], engine: str, settings: Settings, path: Path
) -> Ranked:
    header = read_prepared(path, _SUM, _SUM_VERSION, problem).header
    found = {json.dumps(question.to_json()): question for question in questions}
    parts, names = [], []
    try:
        listed = [(found[json.dumps(data)], str(order)) for data, order in header["parts"]]
    except (KeyError, TypeError, ValueError):
        raise damaged(path) from None
    for number, (question, order) in enumerate(listed):
        file = _file_of_part(path, number)
        ranked = _restored(question, choose(engine, "rank", question), engine, settings, file)
        if ranked.ranking.order != order:
            raise BadInput(f"{file} has the order {ranked.ranking.order}, and {path} was made for {order}")
        parts.append(ranked.ranking)
        names.append(ranked.engine)
    return Ranked(SumRanking(problem, parts), joined_names(names), path)


def _prepare_sum(problem: TourProblem, engine: str, settings: Settings, prepared: Path | None) -> Ranked:
    clock = Clock(settings)
    questions = [question for question, _ in pairs_of_ends(problem)]
    if not questions:
        return Ranked(NoTours(problem, _NO_ENDS), "arithmetic")
    chosen = choose(engine, "rank", questions[0])
    questions = [question for question in questions if question.obstruction() is None]
    if prepared is not None and prepared.exists():
        return _restored_sum(problem, questions, engine, settings, prepared)
    if prepared is not None:
        _free_files(prepared, len(questions))  # before the work
    if len(questions) > 1 and (expected := chosen.estimate(questions[0], settings)) is not None:
        needed = expected.bytes * len(questions)
        if needed > _HOPELESS * settings.memory_budget:
            raise OutOfMemory(
                f"the tables of {len(questions)} pairs of ends take about {shown_bytes(needed)}; the memory "
                f"limit is {shown_bytes(settings.memory_limit)}: give fewer starts or ends"
            )
    parts: list[Ranking] = []
    names: list[str] = []
    budget, held = settings.memory_budget, 0
    for number, question in enumerate(questions):
        reached = f"{number} of {len(questions)} pairs of ends prepared"
        within = clock.within(settings, reached)
        left = budget - held
        if left < 1 << 20:
            raise OutOfMemory(
                f"stopped at the memory limit of {shown_bytes(settings.memory_limit)}, {reached}"
            )
        try:
            ranked = prepare(question, engine, within.within_memory(left))
        except LimitReached as stop:
            raise type(stop)(f"{stop} ({reached})") from None
        if ranked.ranking.count:
            parts.append(ranked.ranking)
            names.append(ranked.engine)
            held += ranked.ranking.peak_bytes
        if settings.progress is not None:
            settings.progress((number + 1) / len(questions), reached)
    if not parts:
        return Ranked(NoTours(problem, _NO_ENDS), "arithmetic")
    ranking = SumRanking(problem, parts)
    if prepared is not None:
        ranking.save(prepared)
    return Ranked(ranking, joined_names(names))
