"""Joining in passes, when the tables of two halves would not fit into memory.

The states of a half are sorted into *classes*: by the degrees that the half gives to some cells of the
middle, far from where the sweep begins. Tables of one class after the other are made and kept on disk; then
they are joined pair by pair. The count is the sum over the pairs. Each pass needs the memory of two classes,
and nothing is made twice: the beginning of the sweep, which all classes share, is kept on disk as well.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ktsolve.engines.join.plan import JoinPlan

__all__ = ["WHOLE", "Pass", "in_passes", "passes_of", "plan_key", "sets_needed"]

_SHARE = 0.5
"""About how much of a table its largest class is, for each set of cells that tells classes."""


@dataclass(frozen=True)
class Pass:
    """One pair of classes to be joined.

    Attributes
    ----------
    top, bottom:
        For each set of cells of the plan, the sum of the degrees that the half gives to it.
    weight:
        2 when the pair stands for itself and for the one with sides exchanged, else 1.
    """

    top: tuple[int, ...]
    bottom: tuple[int, ...]
    weight: int


_FORMAT = 1
"""Changes with what half tables mean; those of another format are not found on disk."""

WHOLE = Pass((), (), 1)
"""The only pass of a plan without classes."""


def in_passes(plan: JoinPlan, sets: int) -> JoinPlan | None:
    """The plan with classes told by so many sets of middle cells; None if there are not so many.

    A set is a cell and its mirror image. Cells that the sweep is done with early come first: the sooner a
    class is known, the smaller the layers that are largest. Among those, cells that the top's pulled edges do
    not touch: their degrees tell patterns apart for good, so that no pattern is met in two passes. Last, the
    cells that get their edges late: what is before them is made once for all classes.
    """
    place = {v: i for i, v in enumerate(plan.top)}
    mirrors = {plan.top_mirror, plan.bottom_mirror} - {()}
    pulled = {v for edge in plan.top_pulled for v in edge}
    candidates: dict[tuple[int, ...], tuple[int, bool, int]] = {}
    for v in plan.middle:
        if v == plan.graph.extra:
            continue
        cells = _closed({v}, mirrors)
        done = [place[u] for w in cells for u in plan.graph.around[w] if u in place]
        if done:
            candidates[cells] = (max(done), any(w in pulled for w in cells), -min(done))
    chosen = sorted(candidates, key=lambda cells: (*candidates[cells], cells))[:sets]
    return replace(plan, classes=tuple(chosen)) if len(chosen) == sets else None


def _closed(cells: set[int], mirrors: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """The cells with all their images, and the images of those."""
    found, todo = set(cells), list(cells)
    while todo:
        v = todo.pop()
        for mirror in mirrors:
            if mirror[v] not in found:
                found.add(mirror[v])
                todo.append(mirror[v])
    return tuple(sorted(found))


def passes_of(plan: JoinPlan) -> Iterator[Pass]:
    """All pairs of classes of a plan, those that cannot go together left out."""
    top = list(_classes(plan, upper=True))
    if plan.flip:
        for i, a in enumerate(top):
            for b in top[i:]:
                yield Pass(a, b, 1 if a == b else 2)
        return
    pulled = [v for edge in (*plan.top_pulled, *plan.bottom_pulled) for v in edge]
    pulled += [
        v for groups in (plan.top_absorbed, plan.bottom_absorbed) for g in groups for e in g for v in e
    ]
    for a, b in itertools.product(top, _classes(plan, upper=False)):
        # In the end every cell has degree 2: what the halves do not give, pulled edges must.
        missing = [2 * len(cells) - s - t for cells, s, t in zip(plan.classes, a, b, strict=True)]
        most = [sum(min(2, pulled.count(v)) for v in cells) for cells in plan.classes]
        if all(0 <= m <= limit for m, limit in zip(missing, most, strict=True)):
            yield Pass(a, b, 1)


def _classes(plan: JoinPlan, *, upper: bool) -> Iterator[tuple[int, ...]]:
    """All sums that the degrees given by a half, absorbed edges included, can have."""
    half = set(plan.top if upper else plan.bottom)
    absorbed = [
        v for group in (plan.top_absorbed if upper else plan.bottom_absorbed) for e in group for v in e
    ]

    def degree(v: int) -> int:
        return min(2, sum(u in half for u in plan.graph.around[v]) + absorbed.count(v))

    most = [sum(degree(v) for v in cells) for cells in plan.classes]
    return itertools.product(*(range(limit + 1) for limit in most))


def sets_needed(bytes_needed: float, budget: int) -> int:
    """How many sets of cells must tell classes so that a pass fits, about."""
    if bytes_needed <= budget:
        return 0
    return math.ceil(math.log(bytes_needed / budget) / math.log(1 / _SHARE))


def plan_key(plan: JoinPlan, modulus: int) -> str:
    """A name for everything that a half table depends on.

    >>> from ktsolve import TourProblem
    >>> from ktsolve.engines.cycle_graph import CycleGraph
    >>> from ktsolve.engines.join.planning import best_plan
    >>> problem = TourProblem(board="6x6", closed=True)
    >>> plan = best_plan(problem, CycleGraph.of(problem))
    >>> len(plan_key(plan, 0)), plan_key(plan, 0) == plan_key(plan, 7)
    (16, False)
    """
    told = (
        _FORMAT,
        plan.graph.vertices,
        plan.graph.edges,
        plan.graph.required,
        plan.top,
        plan.bottom,
        plan.middle,
        plan.top_absorbed,
        plan.bottom_absorbed,
        plan.top_mirror,
        plan.bottom_mirror,
        plan.split,
        plan.colour,
        plan.classes,
        modulus,
    )
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]
