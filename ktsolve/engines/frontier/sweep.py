"""A native frontier sweep: its cost estimate, its limits and its progress."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate
from typing import TypeVar

import numpy as np

from ktsolve import _native
from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Clock, Settings, check_status, native_progress
from ktsolve.base.units import shown_bytes
from ktsolve.engines.frontier.order import EliminationOrder, best_order
from ktsolve.engines.interface import Estimate
from ktsolve.graphs.board import Board
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.problem import TourProblem

__all__ = ["check_width", "count_invariant", "expected_cost", "order_of_orbits", "probed_cost", "sweep"]

_HOPELESS = 1000
"""A count is refused at once when its estimate exceeds the memory limit by this factor. The estimate is
rough; anything less is tried."""

_BYTES_PER_STATE = 50
"""A table half to three quarters full, and what is left of another: 49 bytes on 7x8 where memory is short.
Where it is not, tables begin with room for a layer: 47 to 69 bytes."""

_SECONDS_PER_STEP = 7e-8  # seconds for a transition of a state, as long as the tables lie in caches

_STEPS_PER_STATE = 1.6  # transitions of a state; 1.4 to 4 on sparse graphs, more on dense ones

_IN_CACHES = 3e5
_SLOWER = 1.7  # times as long where they do not: measured on boards, grids, king's graphs and cubic graphs

_IN_PARTS = 3e4
_SHARED = 0.75
"""A layer of more states is in parts, which threads share: two take 0.6 to 0.75 of the time of one."""

_PROBED = 32 << 20
"""Bytes of the beginning of a sweep, some tenths of a second, by which predictions are corrected."""

_FEW = 0.1
_TOP_OF_FEW = 1.5
"""Of the predicted states of a directed graph. If fewer come up, paths do not cross, as on one-way tori: they
wind around more often from line to line, so that the share of the prediction grows like the steps. The
largest layer has a larger one: 0.7 to 2.3 times the mean on tori of 10 and 11 columns."""

_Report = TypeVar("_Report", bound="_native.FrontierReport")


def expected_cost(
    problem: TourProblem, order: EliminationOrder, ratio: float = 1.0, steps: float = 0, threads: int = 1
) -> Estimate:
    """States, memory and time, as predicted for an order.

    The prediction of the states is right within a factor of four on most graphs. ``ratio`` corrects it, and
    ``steps`` is the number of transitions where it is known.
    """
    states = order.states * ratio
    seconds = _SECONDS_PER_STEP * (1 if states < _IN_CACHES else _SLOWER)
    # Counts take as many words as they need; the bound on their bits is nearly twice the number.
    words = max(1.0, CycleGraph.of(problem).most_cycles.bit_length() / 110)
    steps = steps or order.total * ratio * _STEPS_PER_STATE
    if states > _IN_PARTS:
        seconds /= threads**_SHARED
    return Estimate(
        plan=f"{_swept(problem, len(order.vertices))} {problem.ground.nouns.cells} one after the other, "
        f"frontier of {order.width}",
        states=states,
        bytes=states * _BYTES_PER_STATE * (1 + words) / 2,
        seconds=0.01 + steps * seconds * (3 + words) / 4,
    )


def _swept(problem: TourProblem, steps: int) -> int:
    """Vertices done after a number of steps; two of them decide the arcs of a vertex of a directed graph."""
    return steps // 2 if problem.ground.directed else steps


def probed_cost(
    problem: TourProblem, graph: CycleGraph, order: EliminationOrder, clock: Clock, threads: int
) -> Estimate:
    """States, memory and time, corrected by the beginning of the sweep; exact states where it ends there.

    For planar graphs the prediction is left as it is: it is closer than the first lines of a grid are.
    """
    predicted = partial(expected_cost, problem, order, threads=threads)
    if order.planar or order.width > _native.WIDEST_FRONTIER:
        return predicted()
    try:
        report = _native.frontier_count(*graph.arrays(order.vertices), clock.left, _PROBED, None)
    except ValueError:  # one slot too many
        return predicted()
    done, steps = report.eliminated, len(order.vertices)
    if not done or not report.total_states:
        return predicted()
    begun = EliminationOrder(order.vertices[:done], order.widths[:done], order.bits[:done])
    widest, sum_of_all = report.peak_states / begun.states, report.total_states / begun.total
    if done == steps:
        return predicted(widest, report.transitions)
    if problem.ground.directed and sum_of_all < _FEW:
        turns = min(_FEW / sum_of_all, steps / done)
        return predicted(
            _TOP_OF_FEW * sum_of_all * turns, report.transitions * order.total / begun.total * turns
        )
    # On boards a hundredth of the predicted states come up in the first layers, and all in the middle.
    ratio = widest ** (done / steps) ** 2 if widest < 1 else widest
    return predicted(ratio, report.transitions * max(1.0, order.total * ratio / report.total_states))


def check_width(doing: str, problem: TourProblem, order: EliminationOrder, settings: Settings) -> None:
    """Raise LimitReached if the frontier is wider than a state can hold; ``doing`` is in the message."""
    if order.width > _native.WIDEST_FRONTIER:
        raise _too_wide(doing, problem, order, settings)


def _too_wide(doing: str, problem: TourProblem, order: EliminationOrder, settings: Settings) -> LimitReached:
    expected = expected_cost(problem, order)
    return LimitReached(
        f"{doing} {problem} needs a frontier of {order.width} {problem.ground.nouns.cells}, "
        f"about {expected.states:.0e} states and {shown_bytes(expected.bytes)}; "
        f"the memory limit is {shown_bytes(settings.memory_limit)}"
    )


def sweep(
    doing: str,
    problem: TourProblem,
    order: EliminationOrder,
    settings: Settings,
    clock: Clock,
    run: Callable[[float | None, int, object | None], _Report],
    *,
    passes: int = 1,
) -> _Report:
    """The report of ``run(seconds, bytes, progress)``, a native sweep.

    Raises LimitReached, with what it was ``doing`` and how far it got; at once, when the frontier is too
    wide. A sweep of two ``passes`` goes back through the vertices after it has passed them.
    """
    budget = settings.memory_budget
    check_width(doing, problem, order, settings)
    if expected_cost(problem, order).bytes > budget * _HOPELESS:
        raise _too_wide(doing, problem, order, settings)
    steps, nouns = len(order.vertices), problem.ground.nouns
    swept = partial(_swept, problem)
    # The share of each vertex in the work, as predicted.
    top = order.bits.max(initial=0)
    done = [0.0, *accumulate((2.0 ** (order.bits - top)).tolist())]

    def describe(step: int, _total: int, states: int) -> tuple[float, str]:
        share = done[step] if step < steps else 2 * done[-1] - done[2 * steps - step]
        at = f"{nouns.cell} {swept(step % steps) + 1} of {swept(steps)}"
        back = " on the way back" if step >= steps else ""
        return share / (passes * done[-1]), f"{at}{back}, {states:,} states"

    try:
        report = run(clock.left, budget, native_progress(settings, describe))
    except ValueError as error:  # one slot too many
        raise LimitReached(f"{doing} {problem}: {error}") from None
    reached = (
        f"{swept(report.eliminated)} of {swept(steps)} {nouns.cells} done, {report.peak_states:,} states "
        f"in {shown_bytes(report.peak_bytes)}"
    )
    check_status(report.status, settings, reached)
    return report


def count_invariant(
    problem: TourProblem, images: Sequence[int], settings: Settings, clock: Clock
) -> _native.FrontierReport:
    """The report of a sweep that counts the tours which a symmetry maps to themselves.

    The moves that the symmetry maps to each other are made together or not at all. The sweep eliminates the
    cells orbit by orbit. The order of the orbits is searched on the graph in which each orbit is one vertex;
    it decides the cost and not the count. The symmetry, given by the image of each cell, may have any order.
    Raises LimitReached as :func:`sweep`.
    """
    graph = CycleGraph.of(problem)
    moved = _all_images(graph, images)
    order, members = _ordered(problem, graph, moved, clock)
    vertices = [vertex for orbit in order.vertices.tolist() for vertex in members[orbit]]
    place = np.empty(graph.vertices, dtype=np.int32)
    place[vertices] = np.arange(graph.vertices)
    new_images = place[np.asarray(moved)[vertices]].tolist()
    run = partial(
        _native.invariant_count, *graph.arrays(vertices), new_images, threads=settings.thread_budget
    )
    return sweep("counting", problem, order, settings, clock, run)


def order_of_orbits(
    problem: TourProblem, graph: CycleGraph, images: Sequence[int], clock: Clock
) -> EliminationOrder:
    """The order in which :func:`count_invariant` eliminates the orbits."""
    return _ordered(problem, graph, _all_images(graph, images), clock)[0]


def _all_images(graph: CycleGraph, images: Sequence[int]) -> list[int]:
    """The images of the vertices; the extra vertex of open tours stays."""
    return [*images, *([] if graph.extra is None else [graph.extra])]


def _ordered(
    problem: TourProblem, graph: CycleGraph, images: list[int], clock: Clock
) -> tuple[EliminationOrder, list[list[int]]]:
    """The order of the orbits, and the vertices of each, every one the image of that before."""
    members: list[list[int]] = []
    orbit_of = np.full(len(images), -1, dtype=np.int32)
    for vertex in range(len(images)):
        if orbit_of[vertex] < 0:
            members.append([])
        while orbit_of[vertex] < 0:
            orbit_of[vertex] = len(members) - 1
            members[-1].append(vertex)
            vertex = images[vertex]
    pairs = np.sort(orbit_of[graph.edges], axis=1)
    pairs = np.unique(pairs[pairs[:, 0] < pairs[:, 1]], axis=0)
    extra = None if graph.extra is None else int(orbit_of[graph.extra])
    folded = CycleGraph(len(members), pairs, np.zeros(len(pairs), dtype=np.bool_), extra)
    cells = orbit_of[: len(problem.ground)].tolist() if isinstance(problem.ground, Board) else None
    return best_order(problem, folded, clock, cells), members
