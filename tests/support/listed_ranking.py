"""An engine of tests that ranks by listing: the definition of a ranking, and faults to be noticed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Settings
from ktsolve.engines.interface import PLAIN_FEATURES, Engine
from ktsolve.engines.protocols import Ranking
from ktsolve.engines.search.engine import SearchEngine
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem


class ListedRanking(Ranking):
    """All tours in a list, sorted by their normal forms."""

    def __init__(self, problem: TourProblem, fault: str = "") -> None:
        self.problem, self.fault = problem, fault
        listed = SearchEngine().enumerate(problem, Settings())
        self.normal = sorted(tour.normalised().indices for tour in listed)
        self.place = {each: place for place, each in enumerate(self.normal)}
        self.count = len(self.normal)
        self.order = f"listed:1:{sha256(repr(problem).encode()).hexdigest()[:8]}"
        self.peak_bytes = self.count

    def unrank(self, indices: Sequence[int], settings: Settings) -> NDArray[np.int32]:
        if self.fault == "off by one":
            indices = [(index + 1) % self.count for index in indices]
        fitting = (self._tour(self.normal[index]) for index in indices)
        rows = np.array([tour.indices for tour in fitting], dtype=np.int32)
        rows = rows.reshape(len(indices), len(self.problem.ground))
        if self.fault == "no tour":
            rows[:, [0, 1]] = rows[:, [1, 0]]
        return rows

    def _tour(self, indices: Sequence[int]) -> Tour:
        problem = self.problem
        return problem.labeled_to_fit(Tour.from_indices(problem.ground, indices, problem.closed))

    def rank(self, tours: NDArray[np.int32], settings: Settings) -> list[int]:
        problem = self.problem
        if self.fault == "other place":
            return [0] * len(tours)
        return [
            self.place[Tour.from_indices(problem.ground, row, problem.closed).normalised().indices]
            for row in tours.tolist()
        ]

    def save(self, path: Path) -> None:
        path.write_text(json.dumps({"listed": self.order}), encoding="utf-8")


class ListedEngine(Engine):
    name = "listed"
    summary = "lists and sorts"
    capabilities: ClassVar = {"rank": PLAIN_FEATURES - {"steps"}}
    fault: ClassVar[str] = ""

    def ranking(self, problem: TourProblem, settings: Settings) -> Ranking:
        return ListedRanking(problem, self.fault)

    def ranks_at(self, problem: TourProblem) -> int:
        return -1

    def restored(self, problem: TourProblem, path: Path, settings: Settings) -> Ranking:
        ranking = ListedRanking(problem, self.fault)
        try:
            saved = json.loads(path.read_text(encoding="utf-8"))["listed"]
        except OSError as error:
            raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
        except (ValueError, KeyError, TypeError):
            raise BadInput(f"{path}: not a prepared file of engine listed") from None
        if saved != ranking.order:
            raise BadInput(f"{path}: prepared for another problem")
        return ranking
