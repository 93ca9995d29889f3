"""All symmetric tours of a problem in a fixed order: the ranking of the engine ``quotient``.

First the tours of one or two orbits, then shape by shape (:mod:`ktsolve.engines.quotient.shapes`) the cycles
of the quotient with their parallel edges, in the order of the sweep
(ktsolve/frontier/diagram.hpp).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.cycle_rows import rows_to_fit
from ktsolve.engines.frontier.diagram import VERSION, Diagram, order_name
from ktsolve.engines.prepared import damaged, read_prepared, write_prepared
from ktsolve.engines.quotient.rows import ShapeRows, kinds_of_rows
from ktsolve.engines.quotient.shapes import Shape, images_of, order_of_orbits, shapes_of, short_tours
from ktsolve.engines.ranking import Ranking
from ktsolve.problem.problem import TourProblem

__all__ = ["QuotientRanking"]

_ENGINE = "quotient"


class QuotientRanking(Ranking):
    """The symmetric tours of a problem.

    Parameters
    ----------
    problem:
        A problem with a symmetry.
    diagrams:
        The diagram of each shape, by its kind, in the order of the shapes.

    Examples
    --------
    >>> problem = TourProblem(board="6x6", closed=True, symmetry="rot90")
    >>> ranking = QuotientRanking.built(problem, Settings())
    >>> ranking.count, ranking.rank(ranking.unrank([3, 1], Settings()), Settings())
    (10, [3, 1])
    """

    def __init__(self, problem: TourProblem, diagrams: Mapping[str, Diagram]) -> None:
        self.problem, self._diagrams = problem, dict(diagrams)
        self._images = images_of(problem)
        shapes = {shape.kind: shape for shape in _shapes(problem)}
        self._shapes = {kind: ShapeRows(shapes[kind], self._images) for kind in self._diagrams}
        self._short = np.array(_short(problem), dtype=np.int32).reshape(-1, len(problem.ground))
        counts = [len(self._short), *(diagram.count for diagram in self._diagrams.values())]
        self._firsts = [0, *accumulate(counts)]
        self.count = self._firsts[-1]
        orders = [diagram.vertices for diagram in self._diagrams.values()]
        self.order = order_name(_ENGINE, "+".join(self._diagrams) or "listed", problem, orders)
        self.peak_bytes = sum(diagram.peak_bytes for diagram in self._diagrams.values())

    @classmethod
    def built(cls, problem: TourProblem, settings: Settings) -> QuotientRanking:
        """The ranking, whose diagrams are made here. Raises LimitReached."""
        clock = Clock(settings)
        diagrams: dict[str, Diagram] = {}
        left = settings.memory_budget
        for shape in _shapes(problem):
            order = order_of_orbits(problem, shape, clock)
            diagram = Diagram(shape.graph, order.vertices, shape.voltages, odd=shape.kind == "turned")
            diagram.build(problem, order, settings.within_memory(left), clock)
            left -= diagram.peak_bytes
            diagrams[shape.kind] = diagram
        return cls(problem, diagrams)

    @classmethod
    def restored(cls, problem: TourProblem, path: Path) -> QuotientRanking:
        """The ranking in a prepared file. Raises BadInput if it is damaged or not of this problem."""
        file = read_prepared(path, _ENGINE, VERSION, problem)
        try:
            counts = {kind: int(count, 0) for kind, count in file.header["counts"].items()}
            peaks = {kind: int(peak) for kind, peak in file.header["peaks"].items()}
            order = file.header["order"]
            diagrams = {
                shape.kind: Diagram.restored(
                    file,
                    shape.graph,
                    shape.voltages,
                    odd=shape.kind == "turned",
                    prefix=f"{shape.kind} ",
                    count=counts[shape.kind],
                    peak_bytes=peaks[shape.kind],
                )
                for shape in _shapes(problem)
            }
        except (KeyError, TypeError, ValueError, AttributeError):
            raise damaged(path) from None
        found = cls(problem, diagrams)
        if found.order != order:
            raise damaged(path)
        return found

    def unrank(self, indices: Sequence[int], settings: Settings) -> NDArray[np.int32]:
        """The tours with these indices. Time in proportion to cells times tours. Raises LimitReached."""
        clock = Clock(settings)
        rows = np.empty((len(indices), len(self.problem.ground)), dtype=np.int32)
        for part, (first, end) in enumerate(zip(self._firsts, self._firsts[1:], strict=False)):
            places = [place for place, index in enumerate(indices) if first <= index < end]
            if not places:
                continue
            within = [indices[place] - first for place in places]
            if part == 0:
                rows[places] = self._short[within]
                continue
            kind = list(self._diagrams)[part - 1]
            cycles, parallel = self._diagrams[kind].unrank(within, clock.within(settings))
            assert parallel is not None
            rows[places] = self._shapes[kind].rows(cycles, parallel)
        return rows_to_fit(self.problem, rows)

    def rank(self, tours: NDArray[np.int32], settings: Settings) -> list[int]:
        """The indices of tours. Time in proportion to cells times tours. Raises LimitReached."""
        clock = Clock(settings)
        found = [0] * len(tours)
        if not len(tours):
            return found
        if len(self._short):
            short = {_moves(row, self.problem.closed): i for i, row in enumerate(self._short.tolist())}
            listed = [short.get(_moves(row, self.problem.closed)) for row in tours.tolist()]
        else:
            listed = [None] * len(tours)
        kinds = kinds_of_rows(self.problem, self._images, tours)
        for place, number in enumerate(listed):
            if number is not None:
                found[place], kinds[place] = number, ""
        for first, (kind, diagram) in zip(self._firsts[1:], self._diagrams.items(), strict=False):
            places = np.flatnonzero(kinds == kind)
            if not len(places):
                continue
            cycles, parallel = self._shapes[kind].cycles(tours[places])
            ranks = diagram.rank(cycles, parallel, clock.within(settings))
            for place, rank in zip(places.tolist(), ranks, strict=True):
                found[place] = first + rank
        return found

    def save(self, path: Path) -> None:
        """Write a prepared file. Raises BadInput if that fails."""
        header = {
            "order": self.order,
            "count": hex(self.count),
            "counts": {kind: hex(diagram.count) for kind, diagram in self._diagrams.items()},
            "peaks": {kind: diagram.peak_bytes for kind, diagram in self._diagrams.items()},
        }
        blobs = (each for kind, diagram in self._diagrams.items() for each in diagram.blobs(f"{kind} "))
        write_prepared(path, _ENGINE, VERSION, self.problem, header, blobs)

    def move_counts(self, settings: Settings) -> list[int]:
        """The number of tours that use each move of the ground. Raises LimitReached."""
        clock = Clock(settings)
        counts = [0] * len(self.problem.ground.edges)
        for row in self._short.tolist():
            for place in self._places(row):
                counts[place] += 1
        for kind, diagram in self._diagrams.items():
            uses = diagram.uses(clock.within(settings))
            for numbers, moves in zip(uses, self._shapes[kind].moves(self.problem), strict=True):
                for number, places in zip(numbers, moves, strict=True):
                    for place in places:
                        counts[place] += number
        return counts

    def tally(self, moves: Sequence[int], settings: Settings) -> list[int]:
        """Entry j: the number of tours that use exactly j of some moves. Raises LimitReached."""
        clock = Clock(settings)
        chosen = set(moves)
        lists = [[0] * len(chosen & set(self._places(row))) + [1] for row in self._short.tolist()]
        for kind, diagram in self._diagrams.items():
            weights = [
                [len(chosen.intersection(places)) for places in each]
                for each in self._shapes[kind].moves(self.problem)
            ]
            lists.append(diagram.tally(weights, clock.within(settings)))
        most = max(map(len, lists), default=0)
        return [sum(each[j] for each in lists if j < len(each)) for j in range(most)]

    def _places(self, row: list[int]) -> list[int]:
        """The moves of a tour, as places of edges."""
        places: list[int] = self.problem.ground.places_of(
            [sorted(move) for move in _moves(row, self.problem.closed)]
        ).tolist()
        return places


def _shapes(problem: TourProblem) -> list[Shape]:
    return shapes_of(problem, images_of(problem)) if len(problem.ground) > 1 else []


def _short(problem: TourProblem) -> list[list[int]]:
    """The tours that no shape has."""
    if len(problem.ground) == 1:
        return [] if problem.closed else [[0]]
    return short_tours(problem, images_of(problem))


def _moves(row: Sequence[int], closed: bool) -> frozenset[frozenset[int]]:
    after = [*row[1:], row[0]] if closed else row[1:]
    return frozenset(map(frozenset, zip(row, after, strict=False)))
