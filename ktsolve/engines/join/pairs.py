"""Open tours counted for many pairs of ends together: each half table is made once and joined with many."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from ktsolve import _native
from ktsolve.base.errors import LimitReached, OutOfMemory
from ktsolve.base.limits import Clock, NativeProgress, Settings, check_status, native_progress
from ktsolve.engines.integer_sequences import unfolded
from ktsolve.engines.interface import Estimate
from ktsolve.engines.join.plan import arrays_needed
from ktsolve.engines.join.routes import EndsSeparation, Route, RouteGroup
from ktsolve.problem.cycle_graph import CycleGraph

__all__ = ["ProgressMeter", "Tables", "TablesTooLarge", "estimate_groups"]

Table = tuple[bool, tuple[int, ...]]
"""Key of a half table: whether it is the top's, and the ends in its half."""


_SECONDS = 1.05e-8
"""Seconds of one thread per state made: 53 s with two threads for 8x8."""

_ENDS = ("no ends", "one end", "two ends")


class TablesTooLarge(LimitReached):
    """Two tables do not fit into memory together, or counts do not fit into 128 bits."""


@dataclass
class ProgressMeter:
    """Progress of the work, in states made: of ``total`` the part that is ``done``."""

    settings: Settings
    total: float
    done: float = 0.0

    def during(self, work: float, text: str) -> NativeProgress | None:
        """The progress callback of a native call that does this part of the work."""
        start, self.done = self.done, self.done + work

        def describe(step: int, of: int, states: int) -> tuple[float, str]:
            done = (start + work * step / max(1, of)) / max(self.total, 1.0)
            return min(1.0, done), text + (f", {states:,} states" if states else "")

        return native_progress(self.settings, describe)


@dataclass
class Tables:
    """The half tables of a separation, kept while there is memory; the moves are without an extra vertex."""

    moves: CycleGraph
    separation: EndsSeparation
    settings: Settings
    clock: Clock
    meter: ProgressMeter
    _kept: dict[Table, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # Reports the memory used.
        self.native = _native.JoinTables(
            len(self.separation.separator), self.settings.thread_budget, self.settings.memory_budget
        )

    def count(self, each: RouteGroup) -> Iterator[tuple[Route, int]]:
        """The number of tours of each route of a group, in batches that fit into memory.

        Raises TablesTooLarge if one top does not fit beside the bottom, and LimitReached.
        """
        below: Table = (False, each.bottom)
        todo = each.routes
        most = len(todo)
        while todo:
            batch = self._batch(below, todo[:most])
            numbers = self._join(each, batch) if batch else None
            if numbers is None:
                if most == 1:
                    raise TablesTooLarge(f"the tables of {self.separation.name} do not fit into memory")
                most = max(1, len(batch) // 2)
                self._forget({below})
                continue
            yield from zip(batch, numbers, strict=True)
            todo = todo[len(batch) :]

    def _batch(self, below: Table, routes: Sequence[Route]) -> list[Route]:
        """The first routes whose tables fit into memory together; makes these tables."""
        wanted: list[Table] = [below]
        if not self._have(below, wanted):
            return []
        for number, route in enumerate(routes):
            wanted.append((True, route.top))
            if not self._have(wanted[-1], wanted):
                return list(routes[:number])
        return list(routes)

    def _have(self, table: Table, wanted: Collection[Table]) -> bool:
        """Make a table unless it is kept; False if there is no memory for it beside those wanted."""
        while table not in self._kept and not self._make(table):
            if not self._forget(wanted):
                return False
        return True

    def _forget(self, wanted: Collection[Table]) -> bool:
        """Drop the tables that are not wanted; False if all are wanted."""
        dropped = [table for table in self._kept if table not in wanted]
        for table in dropped:
            self.native.drop(self._kept.pop(table))
        return bool(dropped)

    def _make(self, table: Table) -> bool:
        upper, ends = table
        separation, extra = self.separation, self.moves.vertices
        cells = separation.top if upper else separation.bottom
        half = set(cells)
        edges = [
            (edge, needed) for edge, needed in self.moves.needed.items() if edge[0] in half or edge[1] in half
        ] + [((v, extra), True) for v in ends]
        plan = _native.HalfPlan()
        plan.eliminate, plan.separator = list(cells), [*separation.separator, extra]
        if separation.mirror and {separation.mirror[v] for v in ends} == set(ends):
            plan.mirror = [*separation.mirror, extra]
        work = separation.table_cost(len(ends)) if upper else 2**separation.bottom_bits
        side = "top" if upper else "bottom"
        report = self.native.make(
            extra + 1,
            np.array([edge for edge, _ in edges], dtype=np.int32).reshape(-1, 2),
            np.array([needed for _, needed in edges], dtype=np.uint8),
            plan,
            self.clock.left,
            self.meter.during(work, f"{separation.name}: {side} with {_ENDS[len(ends)]}"),
        )
        if not self._is_done(report.status, report.overflow):
            return False
        self._kept[table] = report.table
        return True

    def _join(self, each: RouteGroup, batch: Sequence[Route]) -> list[int] | None:
        """The number of tours of each route; None if there is not enough memory."""
        separation, extra = self.separation, len(self.separation.separator)
        slot = {v: i for i, v in enumerate(separation.separator)}
        needed = self.moves.needed
        above, under = ([(slot[u], slot[v], needed[u, v]) for u, v in edges] for edges in each.division)
        tops = [
            (self._kept[True, route.top], above + [(slot[v], extra, True) for v in route.separator])
            for route in batch
        ]
        report = self.native.join(
            tops,
            (self._kept[False, each.bottom], under),
            self.clock.left,
            self.meter.during(
                separation.base_cost(len(each.division[1])) + len(batch) * separation.pair_cost,
                f"{separation.name}: {len(batch)} pairs of ends",
            ),
        )
        if not self._is_done(report.status, report.overflow):
            return None
        return list(map(unfolded, report.counts, report.divisors))

    def _is_done(self, status: str, overflow: bool) -> bool:
        """Whether a native call ended with its work done; False when memory ran out."""
        if overflow:
            raise TablesTooLarge("the counts do not fit into 128 bits")
        try:
            check_status(status, self.settings, f"{len(self._kept)} half tables made")
        except OutOfMemory:
            return False
        return True


def estimate_groups(passes: Sequence[RouteGroup], settings: Settings) -> Estimate:
    """Estimate for groups of routes, with rates measured on 8x8."""
    made = sum(each.cost for each in passes)
    texts = []
    memory = 0.0
    widest = max((len(each.separation.separator) for each in passes), default=0)
    for separation, at_separation in itertools.groupby(passes, key=lambda each: each.separation):
        routes = [(each, route) for each in at_separation for route in each.routes]
        tops = {route.top for _, route in routes}
        bottoms = {each.bottom for each, _ in routes}
        texts.append(
            f"{separation.name}: {len(routes)} pairs of ends, {len(tops)} tops, {len(bottoms)} bottoms"
        )
        kept = sum(separation.table_cost(len(ends)) for ends in tops)
        memory = max(memory, 5 * 2**separation.bottom_bits + 0.6 * kept)
    return Estimate(
        plan="; ".join(texts),
        states=made / 30,
        bytes=min(arrays_needed(widest + 1) + memory, settings.memory_budget),
        seconds=0.2 + made * _SECONDS / min(settings.thread_budget, 16),
    )
