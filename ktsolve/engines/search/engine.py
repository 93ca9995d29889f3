"""Engine ``search``: exhaustive native backtracking (see ktsolve/search/search.hpp).

Forced moves, no early closing, no cut vertices; every undirected tour is visited exactly once. The listing
takes the conditions on moves, single ends and given steps; the checker filters by the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ktsolve import _native
from ktsolve.base.limits import Clock, Settings, check_status, native_progress
from ktsolve.engines.cycle_rows import rows_of_cycles
from ktsolve.engines.interface import ALL_FEATURES, PLAIN_FEATURES, Counted, Engine, Estimate, Trial
from ktsolve.engines.search.tree import LISTED_FIRST, SECONDS_LISTED, start_search, tree_of
from ktsolve.graphs.tour import Tour
from ktsolve.graphs.tour_rows import TourRows
from ktsolve.problem.conditions import Condition, End, Start
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.problem import CONDITIONS, TourProblem
from ktsolve.problem.statistics import TourObjective

__all__ = ["SearchEngine"]

_CELLS = 1 << 20  # cells of numbered tours that are checked together

Rows = NDArray[np.int32]


class TourFilter:
    """The part of a problem that a native listing takes (``listed``), and the check of the rest.

    Listed tours are rows of cell numbers without direction and, if closed, without a first cell. The checker
    tries every labeling that the problem leaves open, in whole arrays (:meth:`TourProblem.check_rows`).

    >>> problem = TourProblem(board="3x4", closed=False, starts=["a1", "a3"], ends=["d1", "d2"])
    >>> chosen = TourFilter(problem)
    >>> str(chosen.listed)
    'open 3x4'
    >>> row = [8, 2, 4, 10, 3, 9, 7, 1, 11, 5, 6, 0]
    >>> rows, directions = chosen.fitting(np.array([row], dtype=np.int32))
    >>> len(rows), TourFilter(chosen.listed).fitting(np.array([row]))[1].tolist()
    (0, [2])
    """

    def __init__(self, problem: TourProblem) -> None:
        self.problem = problem

        def part(conditions: Iterable[Condition]) -> TourProblem:
            return TourProblem(board=problem.ground, closed=problem.closed, conditions=conditions)

        every = problem.listed_conditions
        numbered = [each for each in every if each.step_indexed or isinstance(each, Start | End)]
        self.listed = part(each for each in every if each.feature in PLAIN_FEATURES)
        self._unnumbered = part(problem.conditions.difference(numbered, self.listed.conditions))
        self._numbered = part(numbered)

    def fitting(
        self, rows: Rows, worth: Callable[[Rows], NDArray[np.bool_]] | None = None
    ) -> tuple[Rows, NDArray[np.int64]]:
        """Of listed tours those that answer the problem, each in such a labeling, and their directions.

        A further condition on moves, ``worth``, is tested before any labeling. Each tour has 1 or 2
        directions with such a labeling.
        """
        if self._unnumbered.conditions:
            rows = rows[self._unnumbered.check_rows(rows)]
        if worth is not None and len(rows):
            rows = rows[worth(rows)]
        one_way = self.problem.ground.directed or rows.shape[1] == 1
        if not self._numbered.conditions:
            return rows, np.full(len(rows), 1 if one_way else 2, dtype=np.int64)
        labelings = self._labelings
        at_once = max(1, _CELLS // max(1, rows.shape[1] * labelings))
        found, directions = [rows[:0]], [np.zeros(0, dtype=np.int64)]
        for first in range(0, len(rows), at_once):
            some = rows[first : first + at_once]
            number = np.zeros(len(some), dtype=np.int64)
            chosen = some.copy()
            for direction in (some,) if one_way else (some[:, ::-1], some):  # the given one is preferred
                candidates = self._numbered_from(direction)
                fits = self._numbered.check_rows(candidates.reshape(-1, rows.shape[1]))
                fits = fits.reshape(len(some), -1)
                which = np.flatnonzero(fits.any(axis=1))
                chosen[which] = candidates[which, fits[which].argmax(axis=1)]
                number[which] += 1
            found.append(chosen[number > 0])
            directions.append(number[number > 0])
        return np.concatenate(found), np.concatenate(directions)

    @property
    def _labelings(self) -> int:
        """How many labelings of each direction are tried."""
        if not self.problem.closed or self.problem.known_steps:
            return 1
        return len(self.problem.starts or self.problem.ground)

    def _numbered_from(self, rows: Rows) -> Rows:
        """For each tour in a direction its labelings that the question leaves open: one axis more."""
        problem, n = self.problem, rows.shape[1]
        if not problem.closed:
            return rows[:, None, :]
        index = problem.ground.index
        if problem.known_steps:
            step, cell = problem.known_steps[0]
            first = (rows == index[cell]).argmax(axis=1)[:, None] - (step - 1)
        elif problem.starts:
            cells = np.array(sorted(index[cell] for cell in problem.starts))
            first = (rows[:, None, :] == cells[None, :, None]).argmax(axis=2)
        else:
            first = np.broadcast_to(np.arange(n), (len(rows), n))
        places = (first[:, :, None] + np.arange(n)) % n
        numbered: Rows = rows[np.arange(len(rows))[:, None, None], places]
        return numbered


_BATCH = 1 << 14  # most tours in one slice
_SLICE = 0.1  # seconds in one slice
_SECONDS_FILTERED = 2e-5  # seconds for each tour that is checked in whole arrays


class SearchEngine(Engine):
    """Exhaustive backtracking over moves, in C++.

    Conditions that need a model are checked on each tour that the others leave (:class:`TourFilter`): on
    boards with few tours that is faster than solving the model.
    """

    name = "search"
    summary = "exhaustive backtracking with forced moves, native; the checker filters by other conditions"
    capabilities: ClassVar = dict.fromkeys(
        ("construct", "enumerate", "count", "optimise", "tally"), ALL_FEATURES
    )
    rough_milliseconds = 0.3
    trials = (
        Trial(task="construct", ground="graph", place=0, early=True, seconds=0.1, cells=(0, 20)),
        Trial(task="count", ground="graph", place=0, early=True, seconds=0.1, cells=(0, 10)),
        # On boards it often meets a tour at once, and it needs no modules that take long to import.
        Trial(task="construct", ground="board", place=0, early=True, seconds=0.2),
        Trial(task="construct", ground="board", place=0, seconds=0.2),
        # Most graphs without much structure have a cycle at once. Each step checks connectivity.
        Trial(
            task="construct", ground="graph", place=3, seconds=0.1, seconds_per_cell=1e-4, cells=(0, 10_000)
        ),
        Trial(task="construct", ground="graph", place=10, seconds=math.inf),
        Trial(task="count", ground="graph", place=10, seconds=math.inf),
    )

    def estimate(self, problem: TourProblem, settings: Settings, task: str = "count") -> Estimate | None:
        """Nodes and time, predicted by a short search and by random dives into the tree."""
        tree = tree_of(problem, settings.seed)
        if tree is None:
            return None
        nodes, tours = tree.nodes, tree.tours
        factor = 1.5 if tree.exact else 5.0 if tree.seen else 1e3
        filtered = bool(problem.features & CONDITIONS) or task == "optimise"
        if filtered:
            # Nothing is known about the tours that the checker leaves: all are listed.
            per_tour = _SECONDS_FILTERED
        elif task == "construct" and (tree.first is not None or not tree.exact):
            # Without a first tour at hand the search may be caught in a part that has none.
            unseen = max(1e5, nodes / max(tours, 1))
            nodes, factor = (unseen, 1e3) if tree.first is None else (tree.first, 1.5)
            tours, per_tour = 1, SECONDS_LISTED
        elif task == "enumerate":
            if tours > LISTED_FIRST:
                nodes, tours = nodes * LISTED_FIRST / tours, LISTED_FIRST
                factor = 1.5 if tree.first is not None else factor
            per_tour = SECONDS_LISTED
        else:
            per_tour = 0.0 if task == "count" and not problem.step_indexed else _SECONDS_FILTERED
        seconds = nodes * tree.node_seconds + tours * per_tour
        if math.isnan(seconds):  # the dives met more than a float holds
            return None
        kind = "" if tree.exact else "about "
        return Estimate(
            f"{kind}{nodes:,.0f} nodes of the search tree" if nodes < 1e7 else f"{kind}{nodes:.0e} nodes",
            states=0.0,
            bytes=1 << 20,
            seconds=1e-3 + seconds,
            factor=factor,
        )

    def enumerate(self, problem: TourProblem, settings: Settings) -> Iterator[Tour]:
        """Yield all tours, in the order of the search."""
        for rows, _ in self._listed(problem, settings):
            for row in rows.tolist():
                yield Tour.from_indices(problem.ground, row, problem.closed)

    def count(self, problem: TourProblem, settings: Settings) -> Counted:
        """Number of tours, each of which is visited; none is stored if no condition needs the checker."""
        if problem.at or problem.features - PLAIN_FEATURES or len(problem.ground) == 1:
            # The number of directions that answer the problem differs from tour to tour.
            count = directed = 0
            for rows, directions in self._listed(problem, settings):
                count += len(rows)
                directed += int(directions.sum())
            return Counted(count, directed)
        _, search = start_search(problem, settings.seed)
        return Counted(0, 0) if search is None else _all(search, problem, settings)

    def improving(self, problem: TourProblem, objective: TourObjective, settings: Settings) -> Iterator[Tour]:
        """Tours, each better than those before; the last is the best of all. Every tour is visited."""
        sign = -1 if objective.sense == "minimise" else 1
        best: list[int] = []

        def values(rows: NDArray[np.int32]) -> NDArray[np.int64]:
            return sign * objective.statistic.values(TourRows(problem.ground, rows, closed=problem.closed))

        def better(rows: NDArray[np.int32]) -> NDArray[np.bool_]:
            worth: NDArray[np.bool_] = values(rows) > best[0] if best else np.ones(len(rows), dtype=np.bool_)
            return worth

        for rows, _ in self._listed(problem, settings, better):
            if len(rows):
                reached = values(rows)
                best[:] = [int(reached.max())]
                yield Tour.from_indices(problem.ground, rows[reached.argmax()].tolist(), problem.closed)

    def _listed(
        self,
        problem: TourProblem,
        settings: Settings,
        worth: Callable[[NDArray[np.int32]], NDArray[np.bool_]] | None = None,
    ) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int64]]]:
        """Arrays of tours, each in a numbering that answers the problem, and the number of its directions."""
        chosen = TourFilter(problem)
        if len(problem.ground) == 1:
            if not problem.closed:
                yield chosen.fitting(np.zeros((1, 1), dtype=np.int32), worth)
            return
        graph, search = start_search(chosen.listed, settings.seed)
        if search is None:
            return
        clock = Clock(settings)
        # The order of moves alone would leave the cells at which the search begins the same.
        seed = settings.seed or 0
        image = problem.automorphisms[seed % len(problem.automorphisms)] if seed else None
        batch = 1
        while not search.exhausted:
            # In slices, so that tours are yielded soon and Ctrl-C between two of them loses none.
            left = _SLICE if clock.left is None else min(_SLICE, clock.left)
            _, cycles = search.run(batch, True, left, None)
            batch = min(2 * batch, _BATCH)
            if len(cycles):
                rows = rows_of_cycles(chosen.listed, graph, cycles)
                if image is not None:
                    rows = np.array(image.images, dtype=np.int32)[rows]
                yield chosen.fitting(rows, worth)
            if not search.exhausted:
                clock.check(_reached(search))
            if settings.progress is not None:
                settings.progress(None, _reached(search))

    def count_invariant(self, problem: TourProblem, images: Sequence[int], settings: Settings) -> Counted:
        """Number of tours that are invariant under a symmetry, given by the image of each cell."""
        whole = CycleGraph.of(problem)
        if whole.doubled:
            images = [2 * image + i for image in images for i in range(2)]
        graph, links = whole.linked_by(images)
        if graph.impossible:
            return Counted(0, 0)
        return _all(_native.Search(*graph.arrays(), links, [], settings.seed or 0), problem, settings)


def _all(search: _native.Search, problem: TourProblem, settings: Settings) -> Counted:
    """Visit all tours of a search. Raises LimitReached."""

    def describe(nodes: int, _total: int, found: int) -> tuple[None, str]:
        return None, f"{found:,} tours, {nodes:,} nodes"

    status, _ = search.run(2**64 - 1, False, settings.timeout, native_progress(settings, describe))
    check_status(status, settings, _reached(search))
    return Counted(search.found, search.found * problem.directions, search.bytes, {"nodes": search.nodes})


def _reached(search: _native.Search) -> str:
    return f"{search.found:,} tours found in {search.nodes:,} nodes"
