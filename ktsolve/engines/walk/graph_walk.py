"""Tours of any graph: walks that cover it are joined into one cycle by exchanges of edges."""

from __future__ import annotations

from itertools import count

import numpy as np
from numpy.typing import NDArray

from ktsolve.engines.cycle_graph import CycleGraph
from ktsolve.errors import LimitReached
from ktsolve.native_status import limit_reached, native_progress
from ktsolve.settings import Clock, Settings

__all__ = ["hamiltonian_cycle"]

_ATTEMPTS = 10
"""Attempts without a time limit; with one, attempts go on until it is reached."""

_PATIENCE = 100_000
"""Exchanges without progress after which an attempt ends, besides four for each vertex. With 10,000, two attempts
in three on GP(1001,3) fail. Later attempts have more."""


def hamiltonian_cycle(
    graph: CycleGraph, settings: Settings | None = None, clock: Clock | None = None
) -> NDArray[np.int32] | None:
    """Return a Hamiltonian cycle with all required edges, found by local search.

    Walks by Warnsdorff's rule cover the graph. Exchanges of one edge at an end of a walk then lead the end to
    another walk, or to the other end of the last one (native/include/ktsolve/walk.hpp). The same seed gives the
    same cycle. One attempt on a sparse random graph takes about a microsecond for each vertex and each logarithm
    of their number; memory is about 100 bytes for each vertex and 24 for each edge.

    Parameters
    ----------
    graph:
        The graph; required edges are kept.
    settings:
        The search uses ``timeout``, ``seed`` and ``progress``.
    clock:
        The clock of a time limit that includes more than this search.

    Returns
    -------
    numpy.ndarray or None
        The vertices in the order of the cycle. None if there is evidently no cycle: a vertex has too few
        edges, or required edges contradict each other.

    Raises
    ------
    LimitReached
        If no cycle is found within the limits. This proves nothing.

    Examples
    --------
    >>> from ktsolve.problem.problem import TourProblem
    >>> len(hamiltonian_cycle(CycleGraph.of(TourProblem(board="6x6", closed=True))))
    36

    References
    ----------
    L. Posa, Hamiltonian circuits in random graphs (1976).
    """
    from ktsolve import _native

    settings = settings or Settings()
    clock = clock or Clock(settings.timeout)
    if graph.impossible:
        return None
    vertices, edges, required = graph.arrays()
    # A path between any two vertices needs no extra vertex, whose edges lead everywhere in two steps.
    ends = None if graph.extra is None else _free_ends(graph.extra, vertices, edges, required)
    extra: list[int] = []
    if ends is not None:
        assert graph.extra is not None
        kept = (edges != graph.extra).all(axis=1)
        edges, required = np.ascontiguousarray(edges[kept]), np.ascontiguousarray(required[kept])
        vertices, extra = vertices - 1, [graph.extra]
    nothing = np.zeros(0, dtype=np.int64)
    walker = _native.Walker(
        vertices,
        edges,
        "random",
        nothing,
        nothing.astype(np.uint8),
        [],
        required if required.any() else required[:0],
    )
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
            (_PATIENCE + 4 * vertices) * (1 + attempt // 2),
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
        if attempt + 1 >= _ATTEMPTS and clock.left is None:
            raise LimitReached(f"no tour found in {reached}")
    raise AssertionError


def _free_ends(
    extra: int, vertices: int, edges: NDArray[np.int32], required: NDArray[np.uint8]
) -> list[int] | None:
    """Return the vertices where a path must begin, at most one, if it may end at any other; else None.

    The extra vertex must be the last one, with an edge to every other.
    """
    at = (edges == extra).any(axis=1)
    if extra != vertices - 1 or np.count_nonzero(at) != vertices - 1:
        return None
    begins: list[int] = edges[at & (required != 0)].min(axis=1).tolist()
    return begins if len(begins) <= 1 else None
