"""Symmetric tours as rows of cell numbers, and the cycles of the quotient that they are, many at once.

Of a shape (:mod:`ktsolve.engines.quotient.shapes`), a cycle with a choice of parallel edges is one tour.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ktsolve.engines.quotient.shapes import Shape
from ktsolve.problem.problem import TourProblem

__all__ = ["ShapeRows", "kinds_of_rows"]

_Ints = NDArray[np.integer]


def kinds_of_rows(problem: TourProblem, images: tuple[int, ...], rows: _Ints) -> NDArray[np.str_]:
    """The kind of shape of each invariant tour: how the symmetry acts on it. Linear.

    >>> from collections import Counter
    >>> from ktsolve.engines.quotient.shapes import images_of
    >>> from ktsolve.engines.search.engine import SearchEngine
    >>> from ktsolve.graphs.board import Board
    >>> from ktsolve.base.limits import Settings
    >>> torus = Board.parse("5x4", leaper="0,1", wrap="xy")
    >>> problem = TourProblem(board=torus, closed=True, symmetry="flip-h")
    >>> rows = np.array([tour.indices for tour in SearchEngine().enumerate(problem, Settings())])
    >>> sorted(Counter(kinds_of_rows(problem, images_of(problem), rows).tolist()).items())
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
    """The tours of a shape and the cycles of its graph.

    Attributes
    ----------
    shape:
        The shape.
    images:
        The image of each cell under the symmetry.
    """

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
        """The voltages of the parallel edges from one vertex to another; -order where there is none."""
        n, most = self.shape.graph.vertices, max(map(len, self.shape.voltages), default=1)
        table = np.full((n, n, most), -self.shape.quotient.order, dtype=np.int64)
        for (x, y), voltages in zip(self.shape.graph.pairs, self.shape.voltages, strict=True):
            table[x, y, : len(voltages)] = voltages
        return table

    # -- from cycles to tours -------------------------------------------------------------------------------

    def rows(self, cycles: NDArray[np.int32], parallel: NDArray[np.uint8]) -> NDArray[np.int64]:
        """The tours of cycles, with the number of the parallel edge from each vertex to the next. Linear."""
        if self.shape.kind == "turned":
            return self._unwound(cycles, parallel)
        path, between = self._paths(cycles, parallel)
        if self.shape.kind == "whole":
            return path
        return self._unfolded(path, between)

    def _signed(self, tails: _Ints, heads: _Ints, parallel: _Ints) -> NDArray[np.int64]:
        forwards = tails < heads
        low, high = np.minimum(tails, heads), np.maximum(tails, heads)
        found = self._voltages[low, high, parallel]
        return np.where(forwards, found, -found)

    def _unwound(self, cycles: _Ints, parallel: _Ints) -> NDArray[np.int64]:
        order = self.shape.quotient.order
        voltages = self._signed(cycles, np.roll(cycles, -1, axis=1), parallel)
        sums = np.cumsum(voltages, axis=1)
        levels = np.concatenate([np.zeros((len(cycles), 1), np.int64), sums[:, :-1]], axis=1)
        turns = sums[:, -1:]
        laps = [self._cells[cycles, (levels + lap * turns) % order] for lap in range(order)]
        return np.concatenate(laps, axis=1)

    def _paths(self, cycles: _Ints, parallel: _Ints) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The orbits from the middle of a tour to its end, or between its fixed places.

        Also the numbers of the parallel edges between them.
        """
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

    # -- from tours to cycles -------------------------------------------------------------------------------

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

    # -- moves ----------------------------------------------------------------------------------------------

    def moves(self, problem: TourProblem) -> list[list[list[int]]]:
        """For each edge and each parallel edge, the places in ``problem.ground.edges`` of its moves.

        A tour that uses the edge makes all of these moves.
        """
        found = []
        for (x, y), voltages in zip(self.shape.graph.pairs, self.shape.voltages, strict=True):
            found.append([self._moves(problem, x, y, voltage) for voltage in voltages])
        return found

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
