"""Counting open tours for many pairs of ends at once: half tables are made once and meet one another."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from ktsolve.engines.cycle_graph import CycleGraph
from ktsolve.engines.interface import Estimate
from ktsolve.engines.join.cost import arrays_needed
from ktsolve.engines.join.routes import EndsCut, Pass, Route
from ktsolve.errors import LimitReached
from ktsolve.settings import Clock, Progress, Settings, out_of_time

__all__ = ["Gauge", "Tables", "TooMuch", "estimate_passes"]

Table = tuple[bool, tuple[int, ...]]
"""A half table: is it the top's, and the ends in its half."""


_SECONDS = 2.2e-8
"""Of one thread, for a state made: 70 s with two for 8x8."""


class TooMuch(LimitReached):
    """Not even two tables fit into memory, or counts do not fit into 128 bits."""


@dataclass
class Gauge:
    """How much of the work is done, in states made.

    Attributes
    ----------
    report:
        Called with the fraction and a few words; None for nobody.
    total:
        All the work.
    done:
        What is done of it.
    """

    report: Progress | None
    total: float
    done: float = 0.0

    def during(self, work: float, words: str) -> Callable[[int, int, int], None] | None:
        """What the native core is to call during so much work."""
        start, self.done = self.done, self.done + work
        if self.report is None:
            return None
        tell, total = self.report, max(self.total, 1.0)

        def called(step: int, of: int, states: int) -> None:
            held = f", {states:,} states" if states else ""
            tell(min(1.0, (start + work * step / max(1, of)) / total), words + held)

        return called


@dataclass
class Tables:
    """The half tables of a cut, kept as long as memory lasts.

    Attributes
    ----------
    moves:
        Cells and moves, without an extra vertex.
    cut:
        Where the board is cut.
    settings, clock:
        Limits.
    gauge:
        Hears of the progress.
    """

    moves: CycleGraph
    cut: EndsCut
    settings: Settings
    clock: Clock
    gauge: Gauge
    _kept: dict[Table, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        from ktsolve import _native

        self._native = _native.JoinTables(
            len(self.cut.middle), self.settings.thread_budget, self.settings.memory_budget
        )

    @property
    def peak_bytes(self) -> int:
        """Most memory used so far."""
        return self._native.peak_bytes

    def count(self, each: Pass) -> Iterator[tuple[Route, int]]:
        """The number of tours of each route of a pass, in batches that fit into memory.

        Raises
        ------
        TooMuch
            If not even one top fits beside the bottom.
        LimitReached
            At the time limit.
        """
        below: Table = (False, each.bottom)
        todo = each.routes
        most = len(todo)
        while todo:
            batch = self._batch(below, todo[:most])
            numbers = self._meet(below, batch) if batch else None
            if numbers is None:
                if most == 1:
                    raise TooMuch(f"the tables of {self.cut.name} do not fit into memory")
                most = max(1, len(batch) // 2)
                self._forget({below})
                continue
            yield from zip(batch, numbers, strict=True)
            todo = todo[len(batch) :]

    def _batch(self, below: Table, routes: Sequence[Route]) -> list[Route]:
        """As many of the routes as there is memory for their tables, made."""
        wanted = {below}
        if not self._have(below, wanted):
            return []
        for number, route in enumerate(routes):
            above: Table = (True, route.top)
            wanted.add(above)
            if not self._have(above, wanted):
                return list(routes[:number])
        return list(routes)

    def _have(self, table: Table, wanted: Collection[Table]) -> bool:
        """Make a table if it is not there; False if there is no memory for it beside those wanted."""
        while table not in self._kept:
            if self._make(table):
                break
            if not self._forget(wanted):
                return False
        return True

    def _forget(self, wanted: Collection[Table]) -> bool:
        """Drop the tables that are not wanted; False if there are none."""
        dropped = [table for table in self._kept if table not in wanted]
        for table in dropped:
            self._native.drop(self._kept.pop(table))
        return bool(dropped)

    def _make(self, table: Table) -> bool:
        from ktsolve import _native

        upper, ends = table
        cut, extra = self.cut, self.moves.vertices
        cells = cut.top if upper else cut.bottom
        half = set(cells)
        edges = [
            (edge, needed)
            for edge, needed in zip(self.moves.edges, self.moves.required, strict=True)
            if edge[0] in half or edge[1] in half
        ] + [((v, extra), True) for v in ends]
        plan = _native.HalfPlan()
        plan.eliminate, plan.middle = list(cells), [*cut.middle, extra]
        if cut.mirror and {cut.mirror[v] for v in ends} == set(ends):
            plan.mirror = [*cut.mirror, extra]
        work = cut.table_cost(len(ends)) if upper else 2**cut.bottom_bits
        side = "top" if upper else "bottom"
        report = self._native.make(
            extra + 1,
            np.array([edge for edge, _ in edges], dtype=np.int32).reshape(-1, 2),
            np.array([needed for _, needed in edges], dtype=np.uint8),
            plan,
            self.clock.left,
            self.gauge.during(work, f"{cut.name}: {side} with {_ends(len(ends))}"),
        )
        if not self._ended(report.status, report.overflow):
            return False
        self._kept[table] = report.table
        return True

    def _meet(self, below: Table, batch: Sequence[Route]) -> list[int] | None:
        """The number of tours of each route; None if there is no memory for that."""
        cut, extra = self.cut, len(self.cut.middle)
        slot = {v: i for i, v in enumerate(cut.middle)}
        needed = dict(zip(self.moves.edges, self.moves.required, strict=True))
        above, under = (
            [(slot[u], slot[v], needed[u, v]) for u, v in edges] for edges in (cut.above, cut.below)
        )
        tops = [
            (self._kept[True, route.top], above + [(slot[v], extra, True) for v in route.middle])
            for route in batch
        ]
        report = self._native.meet(
            tops,
            (self._kept[below], under),
            self.clock.left,
            self.gauge.during(
                cut.base_cost + len(batch) * cut.pair_cost, f"{cut.name}: {len(batch)} pairs of ends"
            ),
        )
        if not self._ended(report.status, report.overflow):
            return None
        numbers = []
        for count, divisor in zip(report.counts, report.divisors, strict=True):
            number, rest = divmod(count, divisor)
            if rest:
                raise AssertionError(f"a folded count, {count}, is not a multiple of {divisor}")
            numbers.append(number)
        return numbers

    def _ended(self, status: str, overflow: bool) -> bool:
        """Did it end well? False when memory ran out."""
        if overflow:
            raise TooMuch("the counts do not fit into 128 bits")
        if status == "time":
            raise out_of_time(self.settings.timeout, f"{len(self._kept)} half tables made")
        if status == "interrupted":
            raise LimitReached("stopped at request")
        return status == "done"


def _ends(number: int) -> str:
    return ("no ends", "one end", "two ends")[number]


def estimate_passes(passes: Sequence[Pass], settings: Settings) -> Estimate:
    """What passes will take, with rates measured on 8x8."""
    made = sum(each.cost for each in passes)
    words = []
    memory = 0.0
    widest = max((len(each.cut.middle) for each in passes), default=0)
    for cut, at_cut in itertools.groupby(passes, key=lambda each: each.cut):
        routes = [(each, route) for each in at_cut for route in each.routes]
        tops = {route.top for _, route in routes}
        bottoms = {each.bottom for each, _ in routes}
        words.append(f"{cut.name}: {len(routes)} pairs of ends, {len(tops)} tops, {len(bottoms)} bottoms")
        kept = sum(cut.table_cost(len(ends)) for ends in tops)
        memory = max(memory, 5 * 2**cut.bottom_bits + 0.6 * kept)
    return Estimate(
        plan="; ".join(words),
        states=made / 30,
        bytes=min(arrays_needed(widest + 1) + memory, settings.memory_budget),
        seconds=0.2 + made * _SECONDS / min(settings.thread_budget, 16),
    )
