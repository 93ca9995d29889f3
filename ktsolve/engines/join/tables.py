"""Half tables that many pairs of ends share: in memory, or in files of blocks, joined in passes.

A table is kept as long as there is memory. Where a bottom and its tops do not fit together, their states are
divided into blocks (:mod:`ktsolve.engines.join.passes`), and the table of each block is kept in a file. As
many blocks of the bottom as fit are read, and joined with the tops' blocks that may complete them. The number
of each pair is the sum over these passes. Where not even blocks fit, tops are joined in batches.
"""

from __future__ import annotations

import glob
import itertools
import math
import os
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ktsolve import _native
from ktsolve.base.errors import LimitReached, OutOfMemory, WrongAnswer
from ktsolve.base.limits import Clock, NativeProgress, Settings, check_status, native_progress
from ktsolve.engines.integer_sequences import unfolded
from ktsolve.engines.interface import Estimate
from ktsolve.engines.join.fitting import (
    BYTES_IN_FILES,
    LARGEST_BLOCK,
    RATES,
    disk_budget,
    fixed_bytes,
    seconds_of_blocks,
    share_in_file,
)
from ktsolve.engines.join.pairs import EndsSeparation, Route, RouteGroup
from ktsolve.engines.join.passes import (
    WHOLE,
    Block,
    BlockPair,
    PassSum,
    PassSums,
    completes,
    digest,
    dividing_sets,
    shelves,
    sums_of,
)
from ktsolve.problem.cycle_graph import CycleGraph

__all__ = ["ProgressMeter", "Tables", "TablesTooLarge", "estimate_groups"]

Table = tuple[bool, tuple[int, ...], tuple[Block, ...]]
"""Key of a half table: whether it is the top's, the ends in its half, and its blocks; without, all states."""

_SECONDS = 1.05e-8  # seconds of one thread per state made: 53 s with two threads for 8x8

_ENDS = ("no ends", "one end", "two ends")

_SMALL = 0.1  # if blocks of this share of the memory cannot be joined, smaller ones cannot either

_LEAST_ROOM = 0.25
"""Share of the memory that tables may take. Where indices and the arrays of threads take the rest, pairs are
counted one by one, with fewer threads."""

_MOST_SETS = 4  # sets of cells for blocks; each table has some hundred files then

_BLOCKS = 5  # of each set, which mostly are two cells

_MET = 0.65
"""Share of the tops' states that a block of the bottom meets, for each set."""

_HOPELESS = 1.5  # tables that take so many times the memory by estimate are not tried

_FORMAT = 1  # version of the tables in files: changes with their meaning


_Number = tuple[int, int]
"""A number times a divisor, which folding multiplied it by, and the divisor."""


class TablesTooLarge(LimitReached):
    """Two tables do not fit into memory together, or counts of states do not fit into 63 bits."""


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


class _Division(NamedTuple):
    """How tables are divided: the folder of their files, the sets of cells, the blocks of top and bottom."""

    folder: str
    cells: tuple[tuple[int, ...], ...]
    tops: tuple[Block, ...]
    bottoms: tuple[Block, ...]


class _Piece(NamedTuple):
    """What is joined of a top in one pass: the ends in it, and some of its blocks."""

    ends: tuple[int, ...]
    blocks: tuple[Block, ...]


class _File(NamedTuple):
    """Bytes of the table of a block, 0 if it is empty, and of its file, 0 if the disk had no room for it."""

    in_memory: int
    on_disk: int


@dataclass
class Tables:
    """The half tables of a separation, kept while there is memory; the moves are without an extra vertex."""

    moves: CycleGraph
    separation: EndsSeparation
    settings: Settings
    clock: Clock
    meter: ProgressMeter
    _kept: dict[Table, int] = field(default_factory=dict)
    _files: dict[str, _File] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # Reports the memory used.
        self.native = _native.JoinTables(
            len(self.separation.separator), self.settings.thread_budget, self.settings.memory_budget
        )

    def count(self, each: RouteGroup, in_batches: bool = False) -> Iterator[tuple[Route, int]]:
        """The number of tours of each route of a group, by tables in memory.

        ``in_batches``: with as many tops as fit beside the bottom, and then with others. For each batch the
        bottom is contracted anew, which takes most of the time. Raises TablesTooLarge if not all tops fit, in
        batches if one does not, and LimitReached.
        """
        if not in_batches and _bytes_of(each) > _HOPELESS * self.settings.memory_budget:
            raise self._too_large()
        below: Table = (False, each.bottom, ())
        todo = each.routes
        most = len(todo)
        while todo:
            batch = self._batch(below, todo[:most])
            numbers = self._join_batch(each, batch) if batch and (in_batches or batch == todo) else None
            if numbers is None:
                if most == 1 or not in_batches:
                    raise self._too_large()
                most = max(1, len(batch) // 2)
                self._forget({below})
                continue
            yield from zip(batch, numbers, strict=True)
            todo = todo[len(batch) :]

    def count_in_passes(self, each: RouteGroup, folder: str) -> Iterator[tuple[Route, int]]:
        """The same with the tables in files of a folder, block by block, and the sums of passes beside them.

        Raises TablesTooLarge if the smallest blocks do not fit into memory, and LimitReached.
        """
        self._forget(())
        for division in self._divisions(each, folder):
            try:
                found = self._sums(each, division)
            except OutOfMemory:
                self._forget(())
                continue
            yield from ((route, unfolded(*found[route])) for route in each.routes)
            return
        raise self._too_large()

    def _too_large(self) -> TablesTooLarge:
        return TablesTooLarge(f"the tables of {self.separation.name} do not fit into memory")

    # -- tables in memory

    def _batch(self, below: Table, routes: tuple[Route, ...]) -> tuple[Route, ...]:
        """The first routes whose tables fit into memory together; makes these tables."""
        wanted: list[Table] = [below]
        if not self._have(below, wanted):
            return ()
        for number, route in enumerate(routes):
            wanted.append((True, route.top, ()))
            if not self._have(wanted[-1], wanted):
                return routes[:number]
        return routes

    def _have(self, table: Table, wanted: Collection[Table]) -> bool:
        """Make a table unless it is kept; False if there is no memory for it beside those wanted."""
        while table not in self._kept:
            try:
                self._make(table)
            except OutOfMemory:
                if not self._forget(wanted):
                    return False
        return True

    def _forget(self, wanted: Collection[Table]) -> bool:
        """Drop the tables that are not wanted; False if all are wanted."""
        dropped = [table for table in self._kept if table not in wanted]
        for table in dropped:
            self.native.drop(self._kept.pop(table))
        return bool(dropped)

    def _join_batch(self, each: RouteGroup, batch: Sequence[Route]) -> list[int] | None:
        """The number of tours of each route; None if there is not enough memory."""
        tops = [(route, (True, route.top, ())) for route in batch]
        try:
            found = self._join(each, tops, (False, each.bottom, ()))
        except OutOfMemory:
            return None
        return [unfolded(number, divisor) for number, divisor in found]

    # -- tables in files

    def _divisions(self, each: RouteGroup, folder: str) -> Iterator[_Division]:
        """Divisions into blocks that fit into memory by estimate, the fastest first, then those with more."""
        separation = self.separation
        sets = dividing_sets(
            self.moves,
            (separation.top, separation.bottom),
            separation.separator,
            {separation.mirror} - {()},
            {v for edge in each.division[0] for v in edge},
        )
        room = self._room()
        if room < self.settings.memory_budget * _LEAST_ROOM:
            return
        least = 0
        for way in _ways(each, room):
            if least < way.sets <= len(sets):
                least, cells = way.sets, tuple(sets[: way.sets])
                tops, bottoms = (
                    tuple(sums_of(self.moves, set(half), cells))
                    for half in (separation.top, separation.bottom)
                )
                yield _Division(folder, cells, tops, bottoms)

    def _sums(self, each: RouteGroup, division: _Division) -> dict[Route, _Number]:
        """For each route the sum over all passes. Raises OutOfMemory.

        The files of the bottom, which serves no other group, and of its shared layers are removed in the end.
        """
        files = {
            route: PassSums(division.folder, self._key_of_sums(each, route, division))
            for route in each.routes
        }
        if not all(file.get(WHOLE) for file in files.values()):
            self._count_passes(each, division, files)
        found = {}
        for route, file in files.items():
            done = file.get(WHOLE)
            assert done is not None
            found[route] = (done.numbers[0], done.divisor)
        for block in division.bottoms:
            path = self._path((False, each.bottom, (block,)), division)
            if path in self._files and self._files.pop(path).on_disk:
                os.remove(path)
        for shared in glob.glob(f"{glob.escape(self._files_of(False, each.bottom, division))}-first-*.layer"):
            os.remove(shared)
        return found

    def _count_passes(self, each: RouteGroup, division: _Division, files: Mapping[Route, PassSums]) -> None:
        """Count all passes whose sums are not known, and write the sum of all. Raises OutOfMemory."""
        by_top: dict[tuple[int, ...], list[Route]] = defaultdict(list)
        for route in each.routes:
            by_top[route.top].append(route)
        below = self._sizes((False, each.bottom), division)
        above = {ends: self._sizes((True, ends), division) for ends in by_top}
        largest = max((size for sizes in (below, *above.values()) for size in sizes.values()), default=0)
        room = self._room()
        smaller_may_fit = largest > room * _SMALL
        while True:
            passes = list(_passes(each, division, above, below, room))
            try:
                for route, sums in self._sums_of_passes(each, division, by_top, files, passes).items():
                    files[route].add(WHOLE, _added(sums))
                return
            except OutOfMemory:
                self._forget(())
                room /= 2
                if room < largest:
                    if smaller_may_fit:
                        raise
                    raise self._too_large() from None

    def _room(self) -> float:
        """Bytes for the tables of one pass; none are left where it is not positive."""
        slots, threads = len(self.separation.separator) + 1, self.settings.thread_budget
        return self.settings.memory_budget * 7 / 8 - fixed_bytes(slots, False, threads, 2)

    def _sizes(self, half: tuple[bool, tuple[int, ...]], division: _Division) -> dict[Block, int]:
        """Make the file of each block of a half; the bytes of their tables in memory, without empty ones."""
        upper, ends = half
        sizes = {}
        blocks = division.tops if upper else division.bottoms
        for block in blocks:
            table: Table = (upper, ends, (block,))
            path = self._path(table, division)
            if path not in self._files:
                size = self._make(table, division, len(blocks))
                self._forget(())
                on_disk = os.path.getsize(path) if os.path.exists(path) else 0
                # What a table takes depends on whether it was made or read; the passes should not.
                likely = math.ceil(on_disk / BYTES_IN_FILES) if on_disk else size
                self._files[path] = _File(likely if size else 0, on_disk)
            if self._files[path].in_memory:
                sizes[block] = self._files[path].in_memory
        return sizes

    def _sums_of_passes(
        self,
        each: RouteGroup,
        division: _Division,
        by_top: Mapping[tuple[int, ...], Sequence[Route]],
        files: Mapping[Route, PassSums],
        passes: Sequence[tuple[tuple[Block, ...], Sequence[_Piece]]],
    ) -> dict[Route, list[PassSum]]:
        """For each route the sums of its passes. Raises OutOfMemory."""
        found: dict[Route, list[PassSum]] = {route: [] for route in each.routes}
        for blocks, pieces in passes:
            below: Table = (False, each.bottom, blocks)
            joined = [
                (route, BlockPair(piece.blocks, blocks, 1))
                for piece in pieces
                for route in by_top[piece.ends]
            ]
            tops: list[tuple[Route, Table]] = [
                (route, (True, route.top, pair.top)) for route, pair in joined if not files[route].get(pair)
            ]
            if tops:
                wanted = {below, *(table for _, table in tops)}
                self._forget(wanted)
                for table in sorted(wanted - self._kept.keys()):
                    self._make(table, division, len(passes))
                numbers = self._join(each, tops, below, len(passes))
                for (route, table), (number, divisor) in zip(tops, numbers, strict=True):
                    files[route].add(BlockPair(table[2], blocks, 1), PassSum([number], divisor))
            for route, pair in joined:
                done = files[route].get(pair)
                assert done is not None
                found[route].append(done)
        return found

    def _key(self, upper: bool, ends: tuple[int, ...], division: _Division) -> str:
        """A key of everything that a half table depends on."""
        separation, moves = self.separation, self.moves
        half = separation.top if upper else separation.bottom
        graph = moves.vertices, moves.pairs, tuple(moves.required.tolist())
        return digest(_FORMAT, graph, half, separation.separator, self._mirror(ends), ends, division.cells)

    def _files_of(self, upper: bool, ends: tuple[int, ...], division: _Division) -> str:
        """The beginning of the names of all files of a half."""
        return os.path.join(division.folder, self._key(upper, ends, division))

    def _path(self, table: Table, division: _Division) -> str:
        """The file of a table of one block."""
        upper, ends, (block,) = table
        return "-".join([self._files_of(upper, ends, division), *map(str, block)]) + ".layer"

    def _bytes_written(self, folder: str) -> int:
        """Bytes of all tables in the folder, where the settings limit them; else the disk knows."""
        if self.settings.disk is None:
            return 0
        return sum(entry.stat().st_size for entry in os.scandir(folder) if entry.name.endswith(".layer"))

    def _key_of_sums(self, each: RouteGroup, route: Route, division: _Division) -> str:
        """A key of everything that the sums of a route depend on, beside the blocks."""
        tables = self._key(True, route.top, division), self._key(False, route.bottom, division)
        return digest(tables, each.division, route.separator)

    # -- both

    def _mirror(self, ends: tuple[int, ...]) -> tuple[int, ...]:
        """The mirror by which a table is folded, or none."""
        mirror = self.separation.mirror
        return mirror if mirror and {mirror[v] for v in ends} == set(ends) else ()

    def _make(self, table: Table, division: _Division | None = None, shares: int = 1) -> int:
        """Make a table, or read its files; the bytes that it takes. Raises OutOfMemory."""
        upper, ends, blocks = table
        separation, extra = self.separation, self.moves.vertices
        cells = separation.top if upper else separation.bottom
        half = set(cells)
        edges = [
            (edge, needed) for edge, needed in self.moves.needed.items() if edge[0] in half or edge[1] in half
        ] + [((v, extra), True) for v in ends]
        plan = _native.HalfPlan()
        plan.eliminate, plan.separator = list(cells), [*separation.separator, extra]
        if mirror := self._mirror(ends):
            plan.mirror = [*mirror, extra]
        if division is not None:
            plan.cells, plan.blocks = list(division.cells), list(blocks)
            plan.files = self._files_of(upper, ends, division)
            # What did not fit on the disk before the passes is made again in each.
            room = max(0, disk_budget(self.settings, division.folder) - self._bytes_written(division.folder))
            plan.disk = room if len(blocks) == 1 else 0
        work = separation.table_cost(len(ends)) if upper else 2**separation.bottom_bits
        side = "top" if upper else "bottom"
        try:
            report = self.native.make(
                extra + 1,
                np.array([edge for edge, _ in edges], dtype=np.int32).reshape(-1, 2),
                np.array([needed for _, needed in edges], dtype=np.uint8),
                plan,
                self.clock.left,
                self.meter.during(work / shares, f"{separation.name}: {side} with {_ENDS[len(ends)]}"),
            )
        except OSError as error:
            raise LimitReached(str(error)) from None
        self._check(report.status, report.overflow)
        self._kept[table] = report.table
        return report.bytes

    def _join(
        self, each: RouteGroup, tops: Sequence[tuple[Route, Table]], below: Table, shares: int = 1
    ) -> list[_Number]:
        """The numbers of tours of tables that are kept. Raises OutOfMemory."""
        separation, extra = self.separation, len(self.separation.separator)
        slot = {v: i for i, v in enumerate(separation.separator)}
        needed = self.moves.needed
        above, under = ([(slot[u], slot[v], needed[u, v]) for u, v in edges] for edges in each.division)
        work = (
            separation.base_cost(len(each.division[1])) / shares + len(tops) * separation.pair_cost / shares
        )
        report = self.native.join(
            [
                (self._kept[table], above + [(slot[v], extra, True) for v in route.separator])
                for route, table in tops
            ],
            (self._kept[below], under),
            self.clock.left,
            self.meter.during(work, f"{separation.name}: {len(tops)} pairs of ends"),
        )
        self._check(report.status, report.overflow)
        return list(zip(report.counts, report.divisors, strict=True))

    def _check(self, status: str, overflow: bool) -> None:
        """Raise OutOfMemory, LimitReached or TablesTooLarge unless the work of a native call was done."""
        if overflow:
            raise TablesTooLarge("counts of states do not fit into 63 bits")
        check_status(status, self.settings, f"{len(self._kept)} half tables made")


def _passes(
    each: RouteGroup,
    division: _Division,
    above: Mapping[tuple[int, ...], Mapping[Block, int]],
    below: Mapping[Block, int],
    room: float,
) -> Iterator[tuple[tuple[Block, ...], list[_Piece]]]:
    """Blocks of the bottom, and what is joined with them; together they take ``room`` bytes, if they can.

    All pairs of blocks that can have complementary patterns are in one pass. A bottom is contracted once for
    each pass that it is in, so all that a block of it meets comes in one pass, as long as that fits.
    """
    given = [v for edges in each.division for edge in edges for v in edge]
    ends = {v for route in each.routes for v in route.separator}
    fit = completes(division.cells, [*given, *ends])

    def met(blocks: tuple[Block, ...]) -> dict[tuple[int, ...], dict[Block, int]]:
        """The blocks of each top that those of the bottom can complete."""
        return {
            top: {a: size for a, size in sizes.items() if any(fit(a, b) for b in blocks)}
            for top, sizes in above.items()
        }

    def size(blocks: tuple[Block, ...]) -> int:
        tops = sum(sum(sizes.values()) for sizes in met(blocks).values())
        return sum(below[block] for block in blocks) + tops

    todo = sorted(below)  # neighbours meet the same blocks
    while todo:
        many = 1
        while many < len(todo) and size(tuple(todo[: many + 1])) <= room:
            many += 1
        blocks, todo = tuple(todo[:many]), todo[many:]
        beside = room - sum(below[block] for block in blocks)
        pieces: list[_Piece] = []
        left = beside
        for top, sizes in met(blocks).items():
            for group in shelves(sizes, beside):
                taken = sum(sizes[block] for block in group)
                if pieces and taken > left:
                    yield blocks, pieces
                    pieces, left = [], beside
                pieces.append(_Piece(top, group))
                left -= taken
        if pieces:
            yield blocks, pieces


def _added(sums: Sequence[PassSum]) -> PassSum:
    """The sum of the numbers of passes, which have one divisor."""
    divisors = {each.divisor for each in sums} or {1}
    if len(divisors) > 1:
        raise WrongAnswer(f"engine join: tables of one half are folded in different ways: {divisors}")
    return PassSum([sum(each.numbers[0] for each in sums)], divisors.pop())


def _bytes_of(each: RouteGroup) -> float:
    """Estimated bytes of the bottom of a group and of its tops."""
    separation = each.separation
    tops = sum(separation.table_bytes(ends, upper=True) for ends in {route.top for route in each.routes})
    return separation.table_bytes(each.bottom, upper=False) + tops


def estimate_groups(groups: Sequence[RouteGroup], settings: Settings) -> Estimate | None:
    """Estimate for groups of routes, with rates measured on 8x8; in passes where tables do not fit.

    None if the smallest blocks do not fit either.
    """
    made = sum(each.cost for each in groups)
    threads, budget = settings.thread_budget, settings.memory_budget
    texts = []
    memory = disk = more = 0.0
    widest = max((len(each.separation.separator) for each in groups), default=0)
    fixed = fixed_bytes(widest + 1, False, threads, 2)
    for separation, at_separation in itertools.groupby(groups, key=lambda each: each.separation):
        here = list(at_separation)
        tops = {route.top for each in here for route in each.routes}
        pairs = sum(len(each.routes) for each in here)
        text = f"{separation.name}: {pairs} pairs of ends, {len(tops)} tops, {len(here)} bottoms"
        least = max(_bytes_of(each) for each in here)
        if fixed + least > budget:
            ways = [next(iter(_ways(each, budget - fixed)), None) for each in here]
            found = [way for way in ways if way is not None]
            if len(found) < len(here):
                return None
            text += f", in {sum(way.passes for way in found)} passes"
            more += sum(way.seconds for way in found)
            kept = sum(separation.table_bytes(ends, upper=True) for ends in tops)
            kept += max(separation.table_bytes(each.bottom, upper=False) for each in here)
            disk = max(disk, share_in_file(max(len(separation.top), len(separation.bottom))) * kept)
            least = max(way.bytes for way in found)
        memory = max(memory, least)
        texts.append(text)
    return Estimate(
        plan="; ".join(texts),
        states=made / 30,
        bytes=min(fixed + memory, budget),
        seconds=0.2 + (made * _SECONDS + more) / min(threads, 16),
        disk=disk,
    )


class _Way(NamedTuple):
    """How a group may be counted in passes, by estimate.

    - ``bytes``: What is held at once, without indices and arrays of threads.
    - ``seconds``: Those of one thread that it takes more than with all tables in memory.
    """

    sets: int
    passes: int
    bytes: float
    seconds: float


def _ways(each: RouteGroup, room: float) -> list[_Way]:
    """The numbers of sets of cells with which blocks fit, the fastest first."""
    separation = each.separation
    bottom = separation.table_bytes(each.bottom, upper=False)
    tops = [separation.table_bytes(ends, upper=True) for ends in {route.top for route in each.routes}]
    contraction = separation.base_cost(len(each.division[1])) - 2**separation.bottom_bits
    found = []
    for sets in range(1, _MOST_SETS + 1):
        share, blocks = LARGEST_BLOCK**sets, _BLOCKS**sets
        least = share * (bottom + max(tops))
        if least > room:
            continue
        batches = math.ceil(sum(tops) * _MET**sets / (room - share * bottom))
        passes = batches * math.ceil(min(blocks, (bottom + sum(tops)) / room + 1))
        making = (each.cost - contraction) * _SECONDS
        seconds = (
            seconds_of_blocks(making, sets, blocks, bottom, room) + contraction * (batches - 1) * _SECONDS
        )
        seconds += passes * 3.0 ** len(separation.separator) * RATES.number
        seconds += passes * min(bottom + sum(tops), room) * BYTES_IN_FILES * RATES.read
        held = min(room, share * bottom + sum(tops) * _MET**sets)
        found.append(_Way(sets, passes, max(held, least), seconds))
    return sorted(found, key=lambda way: way.seconds)
