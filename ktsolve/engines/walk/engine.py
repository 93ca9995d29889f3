"""Engine ``walk``: one tour by Warnsdorff's rule and exchanges (see ktsolve/walk/walk.hpp).

On any graph, walks that cover it are joined into one cycle by exchanges of edges.
"""

from __future__ import annotations

import math
from itertools import count
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Clock, Settings, limit_reached, native_progress
from ktsolve.engines.interface import PLAIN_FEATURES, Engine, Trial
from ktsolve.engines.walk.walk import FEATURES_WALKED, repaired_walk, walk
from ktsolve.graphs.tour import Tour
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.problem import TourProblem

__all__ = ["WalkEngine", "hamiltonian_cycle"]

_LARGE = 10_000  # edges of a graph from which a prediction takes some tenths of a second


class WalkEngine(Engine):
    """Repairs walks by Warnsdorff's rule; on boards it uses backtracking if the repair fails."""

    name = "walk"
    summary = "Warnsdorff's rule, repaired by exchanges, native"
    capabilities: ClassVar = {"construct": PLAIN_FEATURES - {"steps", "symmetry"}}
    trials = (
        # The walk of a board takes a fifth of that time for each cell.
        Trial(task="construct", ground="board", place=0, early=True, seconds=0.2, seconds_per_cell=2e-5),
        Trial(task="construct", ground="graph", place=0, early=True, seconds=0.2, size=(_LARGE, math.inf)),
        Trial(task="construct", ground="graph", place=2, seconds=0.2, size=(0, _LARGE - 1)),
        Trial(task="construct", ground="graph", place=9, seconds=math.inf),
    )

    def construct(self, problem: TourProblem, settings: Settings) -> Tour | None:
        """Return a tour; None if there is evidently none, or backtracking has tried every walk.

        Local search on graphs, and on boards with conditions, does not backtrack. Raises LimitReached.
        """
        clock = Clock(settings)
        if not problem.features <= FEATURES_WALKED:
            if len(problem.ground) == 1:
                return None if problem.closed else Tour.from_indices(problem.ground, [0])
            graph = CycleGraph.of(problem)
            cycle = hamiltonian_cycle(graph, settings, clock)
            if cycle is None:
                return None
            return problem.labeled_to_fit(graph.tour(problem, cycle.tolist()))
        # The best rule first. It may fail in the same way each time; random ties vary the walk.
        for rule in ("home", "random"):
            repaired = repaired_walk(problem, rule, settings=settings, clock=clock)
            if repaired.tour is not None:
                return repaired.tour
            clock.check(f"{repaired.attempts} walks repaired without success")
        tried = walk(problem, settings=settings, clock=clock)
        if tried.tour is None and not tried.exhausted:
            raise LimitReached(tried.stopped)
        return tried.tour


_ATTEMPTS = 10

_PATIENCE = 100_000  # with 10,000, two attempts in three on GP(1001,3) fail. Later attempts have more
_PATIENCE_EACH = 500  # for each vertex of a smaller graph, on which more is in vain


def hamiltonian_cycle(
    graph: CycleGraph,
    settings: Settings | None = None,
    clock: Clock | None = None,
    *,
    attempts: int = _ATTEMPTS,
    patience: int | None = None,
) -> NDArray[np.int32] | None:
    """Return a Hamiltonian cycle with all required edges, found by local search.

    None if there is evidently no cycle: a vertex has too few edges, or required edges contradict each other.
    Raises LimitReached if no cycle is found, which proves nothing.

    Walks by Warnsdorff's rule cover the graph. Exchanges of one edge at an end of a walk then lead the end to
    another walk, or to the other end of the last one (ktsolve/walk/walk.hpp). The same seed gives the same
    cycle. Random graphs take some microseconds for each vertex; memory is about 100 bytes for each vertex and
    24 for each edge.

    Without a time limit there are ``attempts`` attempts, each with another seed; with one, they go on until
    it is reached. The first ends after ``patience`` exchanges without progress, besides four for each vertex;
    the default is 500 for each vertex, at most 100,000.

    Source: L. Posa, Hamiltonian circuits in random graphs (1976).

    >>> from ktsolve.problem.problem import TourProblem
    >>> len(hamiltonian_cycle(CycleGraph.of(TourProblem(board="6x6", closed=True))))
    36
    """
    from ktsolve import _native

    settings = settings or Settings()
    clock = clock or Clock(settings)
    vertices, edges, required = graph.arrays()
    if graph.impossible or vertices < 2:
        return None
    if patience is None:
        patience = min(_PATIENCE, _PATIENCE_EACH * vertices)
    # A vertex with edges to all others is left out, and a path between any two vertices is looked for: over
    # such a vertex everything is two steps away, so that distances mean nothing.
    last = vertices - 1
    ends = _free_ends(last, edges, required) if vertices > 2 or graph.extra is not None else None
    extra: list[int] = []
    if ends is not None:
        kept = (edges != last).all(axis=1)
        edges, required = np.ascontiguousarray(edges[kept]), np.ascontiguousarray(required[kept])
        vertices, extra = last, [last]
    keys, directions = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint8)
    needed = required if required.any() else required[:0]
    walker = _native.Walker(vertices, edges, "random", keys, directions, [], needed)
    reversals = 0
    for attempt in count():
        report = walker.repair(
            (ends or [0])[0],
            ends is None,
            bool(ends),
            (settings.seed or 0) + attempt,
            None,
            clock.left,
            native_progress(settings, lambda steps, _, left: (None, f"{steps:,} exchanges, {left:,} walks")),
            (patience + 4 * vertices) * (1 + attempt // 2),
        )
        reversals += report.reversals
        if report.refuted:
            return None
        if report.found:
            return np.append(report.path, np.array(extra, dtype=np.int32))
        tries = f"{attempt + 1} {'attempt' if attempt == 0 else 'attempts'}"
        reached = f"{tries} of local search with {reversals:,} exchanges; a tour may exist"
        if (error := limit_reached(report.status, settings, reached)) is not None:
            raise error
        clock.check(reached)
        if attempt + 1 >= attempts and clock.left is None:
            raise LimitReached(f"no tour found in {reached}")
    raise AssertionError


def _free_ends(last: int, edges: NDArray[np.int32], required: NDArray[np.uint8]) -> list[int] | None:
    """Return the vertices that the last one must be next to, at most one, if it is joined to all; or None."""
    at = (edges == last).any(axis=1)
    if np.count_nonzero(at) != last:
        return None
    begins: list[int] = edges[at & (required != 0)].min(axis=1).tolist()
    return begins if len(begins) <= 1 else None
