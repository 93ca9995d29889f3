"""All symmetric tours of a problem in a fixed order: the ranking of the engine ``quotient``.

First the tours of one or two orbits, then shape by shape (:mod:`ktsolve.engines.quotient.shapes`) the cycles
of the quotient in the order of the sweep (ktsolve/frontier/diagram.hpp). Of a shape, a cycle with a choice of
parallel edges is one tour; tours are rows of cell numbers, many at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.cycle_rows import rows_to_fit
from ktsolve.engines.frontier.diagram import VERSION, Diagram, order_name
from ktsolve.engines.prepared import damaged, read_prepared, write_prepared
from ktsolve.engines.protocols import Ranking
from ktsolve.engines.quotient.shapes import Shape, images_of, order_of_orbits, shapes_of, short_tours
from ktsolve.problem.problem import TourProblem

__all__ = ["QuotientRanking", "ShapeRows"]

_Ints = NDArray[np.integer]


def _kinds_of_rows(problem: TourProblem, images: tuple[int, ...], rows: _Ints) -> NDArray[np.str_]:
    """The kind of shape of each invariant tour: how the symmetry acts on it. Linear.

    >>> from collections import Counter
    >>> from ktsolve.engines.quotient.shapes import images_of
    >>> from ktsolve.engines.search.engine import SearchEngine
    >>> from ktsolve.graphs.board import Board
    >>> from ktsolve.base.limits import Settings
    >>> torus = Board.parse("5x4", leaper="0,1", wrap="xy")
    >>> problem = TourProblem(board=torus, closed=True, symmetry="flip-h")
    >>> rows = np.array([tour.indices for tour in SearchEngine().enumerate(problem, Settings())])
    >>> sorted(Counter(_kinds_of_rows(problem, images_of(problem), rows).tolist()).items())
    [('reversed', 130)]
    """
    image = np.array(images)
    if np.array_equal(image, np.arange(len(image))):
        return np.full(len(rows), "whole")
    if not problem.closed:
        return np.full(len(rows), "halved")
    place = _places(rows)
    first, second = (place[np.arange(len(rows)), image[rows[:, i]]] for i in (0, 1))
    return np.where((second - first) % rows.shape[1] == 1, "turned", "reversed")


def _places(rows: _Ints) -> NDArray[np.int64]:
    """Of each tour the step of each cell, from 0."""
    place = np.empty(rows.shape, dtype=np.int64)
    np.put_along_axis(place, rows, np.arange(rows.shape[1])[None, :], axis=1)
    return place


@dataclass(frozen=True)
class ShapeRows:
    """The tours of a shape and the cycles of its graph; the images of cells are those of the symmetry."""

    shape: Shape
    images: tuple[int, ...]

    @property
    def _size(self) -> int:
        return len(self.shape.quotient.orbits)

    @cached_property
    def _cells(self) -> NDArray[np.int64]:
        """The cells of each orbit; a fixed cell is repeated."""
        order = self.shape.quotient.order
        return np.array([(orbit * order)[:order] for orbit in self.shape.quotient.orbits], dtype=np.int64)

    @cached_property
    def _orbit(self) -> NDArray[np.int64]:
        return np.array(self.shape.orbit_of, dtype=np.int64)

    @cached_property
    def _level(self) -> NDArray[np.int64]:
        """The place of each cell in its orbit."""
        level = np.zeros(len(self._orbit), dtype=np.int64)
        for orbit in self.shape.quotient.orbits:
            level[list(orbit)] = range(len(orbit))
        return level

    @cached_property
    def _voltages(self) -> NDArray[np.int64]:
        """The voltages of the parallel edges from one vertex to another; the rest is -order."""
        n, most = self.shape.graph.vertices, max(map(len, self.shape.voltages), default=1)
        table = np.full((n, n, most), -self.shape.quotient.order, dtype=np.int64)
        for (x, y), voltages in zip(self.shape.graph.pairs, self.shape.voltages, strict=True):
            table[x, y, : len(voltages)] = voltages
        return table

    def rows(self, cycles: NDArray[np.int32], parallel: NDArray[np.uint8]) -> NDArray[np.int64]:
        """The tours of cycles, with the number of the parallel edge from each vertex to the next. Linear."""
        if self.shape.kind == "turned":
            return self._unwound(cycles, parallel)
        path, between = self._paths(cycles, parallel)
        return path if self.shape.kind == "whole" else self._unfolded(path, between)

    def _signed(self, tails: _Ints, heads: _Ints, parallel: _Ints) -> NDArray[np.int64]:
        found = self._voltages[np.minimum(tails, heads), np.maximum(tails, heads), parallel]
        return np.where(tails < heads, found, -found)

    def _unwound(self, cycles: _Ints, parallel: _Ints) -> NDArray[np.int64]:
        order = self.shape.quotient.order
        voltages = self._signed(cycles, np.roll(cycles, -1, axis=1), parallel)
        sums = np.cumsum(voltages, axis=1)
        levels = np.concatenate([np.zeros((len(cycles), 1), np.int64), sums[:, :-1]], axis=1)
        turns = sums[:, -1:]
        laps = [self._cells[cycles, (levels + lap * turns) % order] for lap in range(order)]
        return np.concatenate(laps, axis=1)

    def _paths(self, cycles: _Ints, parallel: _Ints) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The orbits from the middle of a tour to its end, or between its fixed places, and their edges."""
        size, n = self._size, self.shape.graph.vertices
        at = np.argmax(cycles == n - 1, axis=1)
        places = (np.arange(n) + at[:, None] + 1) % n
        path = np.take_along_axis(cycles, places, axis=1).astype(np.int64)
        edges = np.take_along_axis(parallel, places, axis=1).astype(np.int64)
        inner = path[:, :-1] if n > size else path
        fixed = np.array(self.shape.quotient.fixed, dtype=np.int64)
        backwards = (inner[:, -1] >= size) | np.isin(inner[:, -1], fixed)
        # Edge i of the path is that from vertex i to the next: reversed, they begin one earlier.
        inner_edges = edges[:, : inner.shape[1] - 1]
        inner = np.where(backwards[:, None], inner[:, ::-1], inner)
        inner_edges = np.where(backwards[:, None], inner_edges[:, ::-1], inner_edges)
        further = inner.shape[1] - size  # a vertex of the middle comes first
        return inner[:, further:], inner_edges[:, further:]

    def _unfolded(self, path: _Ints, parallel: _Ints) -> NDArray[np.int64]:
        levels = np.zeros(path.shape, dtype=np.int64)
        np.cumsum(self._signed(path[:, :-1], path[:, 1:], parallel), axis=1, out=levels[:, 1:])
        there = self._cells[path, levels % 2]
        back = self._cells[path, (levels + 1) % 2][:, ::-1]
        fixed = len(self.shape.quotient.fixed)
        found = np.concatenate([back, there[:, 1:] if fixed else there], axis=1)
        return found[:, :-1] if fixed == 2 else found

    def cycles(self, rows: _Ints) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        """The cycles of tours of this shape, and the numbers of the parallel edges. The inverse of rows."""
        number, n = rows.shape
        size, kind = self._size, self.shape.kind
        walk: _Ints
        if kind == "whole":
            walk = rows
        elif kind == "halved":
            walk = rows[:, n // 2 :]
        elif kind == "turned":
            walk = rows[:, : size + 1]  # back to the first orbit
        else:
            image = np.array(self.images)[rows[:, 0]]
            mirror = _places(rows)[np.arange(number), image]  # step i goes to step mirror - i
            places = ((mirror + 1) // 2)[:, None] + np.arange(size)
            walk = np.take_along_axis(np.asarray(rows), places % n, axis=1)
        orbits = self._orbit[walk]
        tails, heads = orbits[:, :-1], orbits[:, 1:]
        rises = self._level[walk[:, 1:]] - self._level[walk[:, :-1]]
        order = self.shape.quotient.order
        voltages = np.where(tails < heads, rises, -rises) % order
        voltages = np.where(self._single[tails] | self._single[heads], 0, voltages)
        known = self._voltages[np.minimum(tails, heads), np.maximum(tails, heads)]
        parallel = np.argmax(known == voltages[:, :, None], axis=2)
        further = list(range(self.shape.graph.vertices - 1, size - 1, -1))
        ones = np.ones((number, 1), dtype=np.int64)
        cycle = np.concatenate([orbits[:, :size], *(ones * x for x in further)], axis=1)
        more = self.shape.graph.vertices - parallel.shape[1]
        parallel = np.concatenate([parallel, np.zeros((number, more), dtype=np.int64)], axis=1)
        return cycle.astype(np.int32), parallel.astype(np.uint8)

    @cached_property
    def _single(self) -> NDArray[np.bool_]:
        """Of each orbit whether it is a fixed cell."""
        order = self.shape.quotient.order
        return np.array([len(orbit) < order for orbit in self.shape.quotient.orbits], dtype=np.bool_)

    def moves(self, problem: TourProblem) -> list[list[list[int]]]:
        """For each edge and each parallel edge, the places in ``problem.ground.edges`` of its moves.

        A tour that uses the edge makes all of these moves.
        """
        edges = zip(self.shape.graph.pairs, self.shape.voltages, strict=True)
        return [[self._moves(problem, x, y, voltage) for voltage in voltages] for (x, y), voltages in edges]

    def _moves(self, problem: TourProblem, x: int, y: int, voltage: int) -> list[int]:
        quotient, size = self.shape.quotient, self._size
        if y < size:
            one, two = quotient.orbits[x], quotient.orbits[y]
            pairs = {(one[i % len(one)], two[(i + voltage) % len(two)]) for i in range(quotient.order)}
        elif self.shape.kind == "reversed" or (self.shape.kind == "halved" and not quotient.fixed):
            # The first further vertex stands for moves whose cells the symmetry exchanges.
            orbit = quotient.orbits[x] if x < size else ()
            pairs = {(orbit[0], orbit[1])} if len(orbit) == 2 and y == size else set()
        else:
            pairs = set()
        places: list[int] = problem.ground.places_of(sorted(pairs)).tolist() if pairs else []
        return places


_ENGINE = "quotient"


class QuotientRanking(Ranking):
    """The symmetric tours of a problem; the diagram of each shape by its kind, in the order of the shapes.

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
        kinds = _kinds_of_rows(self.problem, self._images, tours)
        short = {_moves(row, self.problem.closed): i for i, row in enumerate(self._short.tolist())}
        for place, row in enumerate(tours.tolist() if short else []):
            number = short.get(_moves(row, self.problem.closed))
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
