"""Counts by a plan: in one go or in passes, directly or modulo primes."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

from ktsolve import _native
from ktsolve.base.errors import LimitReached, OutOfMemory, WrongAnswer
from ktsolve.base.files import temporary_folder
from ktsolve.base.limits import Clock, Settings, check_status, native_progress
from ktsolve.base.units import shown_bytes
from ktsolve.engines.integer_sequences import from_residues, unfolded
from ktsolve.engines.interface import Counted
from ktsolve.engines.join.fitting import (
    MODULI,
    SHARE_OF_CORE,
    disk_budget,
    disk_left,
    fits,
    most_of,
    refusal,
    room_of_pass,
)
from ktsolve.engines.join.passes import (
    WHOLE,
    Block,
    BlockPair,
    PassSum,
    PassSums,
    block_pairs,
    blocks_meet,
    blocks_of,
    parts_of,
    pass_key,
    plan_key,
    shelves,
    singles_of,
    table_file,
)
from ktsolve.engines.join.plan import JoinPlan, image_of, larger_half
from ktsolve.problem.cycle_graph import Edge
from ktsolve.problem.problem import TourProblem

__all__ = [
    "count_along",
    "moves_along",
    "reached_by",
    "residue_along",
    "step_of",
    "tally_along",
]


class _Cost(NamedTuple):
    """What native calls cost: the most of any for what is held, the sum for what is done."""

    peak_bytes: int = 0
    peak_states: int = 0
    states: int = 0
    groups: int = 0
    table_bytes: int = 0
    transitions: int = 0
    patterns: int = 0
    extended: int = 0
    runs: int = 0
    halves_seconds: float = 0.0
    join_seconds: float = 0.0

    @classmethod
    def of(cls, report: _native.JoinReport) -> _Cost:
        """The cost of one call."""
        tables = [half[-1] for half in (report.top, report.bottom) if half]  # those that were joined
        return cls(
            report.peak_bytes,
            max((layer.states for layer in (*report.top, *report.bottom)), default=0),
            sum(table.kept for table in tables),
            sum(table.groups for table in tables),
            sum(table.bytes for table in tables),
            report.transitions,
            report.patterns,
            report.extended,
            1,
            report.seconds_top + report.seconds_bottom,
            report.seconds_join,
        )

    def with_more(self, other: _Cost) -> _Cost:
        """The cost of these calls and others."""
        held = self._fields.index("transitions")
        return _Cost._make(
            max(pair) if place < held else sum(pair)
            for place, pair in enumerate(zip(self, other, strict=True))
        )


_Numbers = tuple[list[int], _Cost]

_SMALLEST_MODULI = MODULI[-1]


def count_along(
    problem: TourProblem, plan: JoinPlan, settings: Settings, clock: Clock, part: tuple[int, int] = (0, 1)
) -> Counted:
    """The count by a given plan, or its summand i of n for ``part`` = (i, n). Raises as the tally."""
    numbers, cost = _numbers_along(problem, plan, settings, clock, part)
    return _counted(problem, numbers[0], cost)


def tally_along(problem: TourProblem, plan: JoinPlan, settings: Settings, clock: Clock) -> list[int]:
    """Entry j: the number of tours that use j of the plan's tallied edges, up to the last that is not 0.

    When the tables would not fit into the memory limit the join goes in passes over blocks of states, with
    the half tables on disk (``settings.spill``, or a temporary folder). Raises LimitReached; at once, if the
    estimate far exceeds memory or disk.
    """
    return _numbers_along(problem, plan, settings, clock, (0, 1))[0]


def moves_along(plan: JoinPlan, cycles: int, settings: Settings, clock: Clock) -> dict[Edge, int]:
    """The number of cycles that use each edge of the plan's graph; there are ``cycles``.

    All layers of one half are kept in memory, or of each half in turn if the plan has no flip. Raises
    LimitReached.
    """
    counts: dict[Edge, int] = {}
    plan = replace(plan, turned=-1)  # each tour by itself
    settings = settings.within_memory(settings.memory_budget)
    for side in (plan,) if plan.flip else (plan, plan.turned_over()):
        numbers = _moves_of_top(side, cycles, settings, clock)
        counts.update((edge, numbers[edge]) for edge in side.edges_of_top())
    if plan.flip:
        counts.update((image_of(plan.flip, edge), count) for edge, count in list(counts.items()))
    return counts


def _moves_of_top(plan: JoinPlan, cycles: int, settings: Settings, clock: Clock) -> dict[Edge, int]:
    """The number of cycles that use each edge; 0 for edges that are not given to the top."""

    def describe(step: int, of: int, states: int) -> tuple[float, str]:
        return step / max(1, of), f"forwards and backwards, {states:,} states"

    def residues_of(modulus: int) -> list[int]:
        report = _reported(
            settings,
            lambda: _native.join_moves(
                *plan.graph.arrays(), plan.native(), **_limits(settings, clock, modulus, describe)
            ),
            # The report may begin with the state before the first cell.
            lambda report: f"{min(len(report.top), len(plan.top))} of {len(plan.top)} cells of the half done",
        )
        if report.overflow:
            raise LimitReached("the numbers of tours through moves do not fit: the groups are too large")
        return [*report.counts, report.total]

    # No number is greater than that of all cycles.
    *numbers, total = (
        residues_of(0) if cycles >> 62 == 0 else from_residues(residues_of, cycles, _SMALLEST_MODULI)
    )
    if total != cycles:
        raise WrongAnswer(
            f"engine join: a sweep forwards and backwards has {total} tours, the count {cycles}"
        )
    return dict(zip(plan.graph.pairs, numbers, strict=True))


def _numbers_along(
    problem: TourProblem, plan: JoinPlan, settings: Settings, clock: Clock, part: tuple[int, int]
) -> _Numbers:
    """The count as a list of one number, or the numbers of a tally."""
    if not 0 <= part[0] < part[1]:
        raise ValueError(f"part {part[0]} of {part[1]}: parts are numbered from 0")
    return _in_memory(_Work(problem, plan, settings, clock, part), _exact)


def residue_along(
    problem: TourProblem, plan: JoinPlan, settings: Settings, clock: Clock, modulus: int
) -> int:
    """The remainder of the number of tours by an odd modulus below 2^40, by a given plan.

    With another separator than that of :func:`count_along` it shares no table with it. Raises as the count.
    """
    found = _in_memory(_Work(problem, plan, settings, clock, (0, 1)), partial(_sum, modulus=modulus))
    if found.overflow:
        raise LimitReached(f"sums modulo {modulus} do not fit: give a smaller modulus")
    return found.numbers[0] * pow(found.divisor, -1, modulus) % modulus


def _in_memory(work: _Work, count: Callable[[_Work], _Found]) -> _Found:
    """Count in the fastest way that is estimated to fit into memory; if it does not, in the next one."""
    plan = work.plan
    # Taken once: while the tables of a pass are held, the settings have less left.
    settings = work.settings.within_memory(work.settings.memory_budget)
    short: OutOfMemory | None = None
    for fit in fits(plan, settings):
        if settings.progress is not None:
            settings.progress(0.0, str(fit))
        own = replace(settings, threads=fit.threads)
        try:
            return count(work._replace(plan=fit.plan, settings=own))
        except OutOfMemory as error:
            short = error  # the next has smaller blocks, or fewer threads
    raise refusal(work.problem, plan, settings, tried=short is not None) from short


_Found = TypeVar("_Found")


class _Work(NamedTuple):
    """A count by a plan, with or without blocks, or one of its summands."""

    problem: TourProblem
    plan: JoinPlan
    settings: Settings
    clock: Clock
    part: tuple[int, int]


class _Sum(NamedTuple):
    """What a count in one go or in passes found: numbers times ``divisor``, or the residues of these."""

    numbers: list[int]
    divisor: int
    cost: _Cost
    overflow: bool = False


_OVERFLOW = _Sum([], 1, _Cost(), overflow=True)


def _sum(work: _Work, modulus: int) -> _Sum:
    plan, settings = work.plan, work.settings
    if plan.blocks:
        with ExitStack() as stack:
            folder = settings.spill or stack.enter_context(temporary_folder())
            return _sum_of_passes(work, modulus, folder)
    report = _run(work, modulus, WHOLE, settings.spill or "")
    if report.overflow:
        return _OVERFLOW
    return _Sum(_numbers_of(report, plan), report.divisor, _Cost.of(report))


def _numbers_of(report: _native.JoinReport, plan: JoinPlan) -> list[int]:
    return report.tally if plan.tallied else [report.count]


def _sum_of_passes(work: _Work, modulus: int, folder: str) -> _Sum:
    if not work.plan.flip and not work.plan.group:
        try:
            return _Shelves(work, modulus, folder).sum()
        except _Overflow:
            return _OVERFLOW
    _, plan, settings, clock, _ = work
    # Parts are sets of patterns, not of passes: the passes depend on the memory limit, and the parts of one
    # count may be counted on different machines.
    tops = list(blocks_of(plan, upper=True))
    bottoms = [] if plan.flip else list(blocks_of(plan, upper=False))
    made = _make_tables(plan, _share(settings, 0, 2), clock, modulus, (tops, bottoms), folder)
    if made.overflow:
        return _OVERFLOW
    sizes = dict(zip(tops, made.file_bytes, strict=False))
    others = dict(zip(bottoms, made.file_bytes[len(tops) :], strict=True))
    room = room_of_pass(plan, settings, settings.thread_budget)
    if not plan.flip or sum(made.file_bytes) > room:
        room /= 2
    while True:
        groups = _shelved(plan, sizes, room), _shelved(plan, others, room)
        passes = list(block_pairs(plan, *groups))
        joining = work._replace(settings=_share(settings, 1, 2))
        try:
            found = _join_passes(joining, modulus, passes, folder)
            return found._replace(cost=_Cost.of(made).with_more(found.cost))
        except OutOfMemory:
            if len(groups[0]) == len(tops) and len(groups[1]) == len(bottoms):
                raise
            room /= 2


class _Overflow(Exception):
    """Sums do not fit 63 bits."""


class _Shelves:
    """The larger half shelf after shelf: as many of its blocks as memory holds beside what they meet.

    Each shelf is made and joined with all blocks of the smaller half that can complete it. What was joined is
    removed when the disk has no room for more, so that it holds the smaller half and one shelf at least.
    """

    def __init__(self, work: _Work, modulus: int, folder: str) -> None:
        self._work, self._modulus, self._folder = work, modulus, folder
        plan = work.plan
        self._key = plan_key(plan, modulus)
        self._upper = larger_half(plan) == 0
        self._meet = blocks_meet(plan)
        smaller = list(blocks_of(plan, upper=not self._upper))
        larger = blocks_of(plan, upper=self._upper)
        self._todo = [block for block in larger if any(self._meet(block, each) for each in smaller)]
        self._done = 0  # blocks that are joined
        self._joined: list[Block] = []
        self._bytes: dict[Block, int] = {}
        self._room = room_of_pass(plan, work.settings, work.settings.thread_budget)
        self._cost = _Cost()
        self._smaller = self._made(smaller, not self._upper, self._share(0))

    def sum(self) -> _Sum:
        """The sum over all shelves; those that the folder has the sums of are not made again."""
        work, upper = self._work, self._upper
        known = PassSums(self._folder, pass_key(work.plan, self._modulus, work.part))
        sums: list[PassSum] = []
        while self._todo:
            shelf = known.shelf(self._todo[0], upper=upper)
            if shelf and shelf[0] != self._todo[0]:
                self._todo[:1] = parts_of(work.plan, self._todo[0], upper=upper)
                continue
            if not shelf:
                shelf = self._next_shelf()
                found = self._join(shelf)
                if found is None:
                    continue
                known.add(self._pair(shelf, ()), found)
            done = known.get(self._pair(shelf, ()))
            assert done is not None
            sums.append(done)
            self._joined += shelf
            self._done += len(shelf)
            for block in shelf:
                while self._todo[0] != block:
                    self._todo[:1] = parts_of(work.plan, self._todo[0], upper=upper)
                del self._todo[0]
        numbers, divisor = _added(sums, self._modulus)
        return _Sum(numbers or ([] if work.plan.tallied else [0]), divisor, self._cost)

    def _next_shelf(self) -> tuple[Block, ...]:
        """The next blocks, which are made."""
        shelf: list[Block] = []
        left = self._room / 2
        while len(shelf) < len(self._todo):
            block = self._todo[len(shelf)]
            if block not in self._bytes:
                self._make_room()
                made = self._made([block], self._upper, self._share(len(shelf)))
                self._bytes |= made
                self._todo[len(shelf) : len(shelf) + 1] = made
                block = self._todo[len(shelf)]
            left -= self._bytes[block]
            if shelf and left < 0:
                break
            shelf.append(block)
        return tuple(shelf)

    def _join(self, shelf: tuple[Block, ...]) -> PassSum | None:
        """The sum of a shelf; None if it must be smaller. Raises OutOfMemory if it cannot be."""
        met = {
            block: size
            for block, size in self._smaller.items()
            if any(self._meet(block, each) for each in shelf)
        }
        groups = shelves(met, self._room - sum(self._bytes[block] for block in shelf))
        pairs = [self._pair(shelf, group) for group in groups]
        work = self._work._replace(settings=self._share(len(shelf)))
        try:
            found = _join_passes(work, self._modulus, pairs, self._folder)
        except OutOfMemory:
            if len(shelf) == 1 and len(groups) == len(met):
                raise
            self._room /= 2
            return None
        if found.overflow:
            raise _Overflow
        self._cost = self._cost.with_more(found.cost)
        return PassSum(found.numbers, found.divisor)

    def _pair(self, shelf: tuple[Block, ...], others: tuple[Block, ...]) -> BlockPair:
        return BlockPair(shelf, others, 1) if self._upper else BlockPair(others, shelf, 1)

    def _made(self, blocks: list[Block], upper: bool, settings: Settings) -> dict[Block, int]:
        """Make the tables of these blocks, on disk as far as there is room; the bytes of each.

        Those that do not fit into memory are divided; so are those of which the folder has parts.
        """
        plan, clock = self._work.plan, self._work.clock
        blocks = [part for block in blocks for part in self._as_found(block, upper)]
        sides = (blocks, []) if upper else ([], blocks)
        try:
            report = _make_tables(plan, settings, clock, self._modulus, sides, self._folder)
        except OutOfMemory:
            less = [[block] for block in blocks]
            if len(less) == 1:
                less = [parts_of(plan, blocks[0], upper=upper)]
            if not less[0]:
                raise
            made: dict[Block, int] = {}
            for each in less:
                made |= self._made(each, upper, settings)
            return made
        if report.overflow:
            raise _Overflow
        self._cost = self._cost.with_more(_Cost.of(report))
        return dict(zip(blocks, report.file_bytes, strict=True))

    def _as_found(self, block: Block, upper: bool) -> list[Block]:
        """The parts of a block of which the folder has some, or the block itself."""
        parts = parts_of(self._work.plan, block, upper=upper)
        if not any(os.path.exists(table_file(self._folder, self._key, each, upper=upper)) for each in parts):
            return [block]
        return [found for part in parts for found in self._as_found(part, upper)]

    def _make_room(self) -> None:
        """Remove the tables that were joined, if the disk may have no room for more of them."""
        if self._joined and disk_left(self._work.settings, self._folder, self._key) < self._room:
            for block in self._joined:
                with contextlib.suppress(FileNotFoundError):
                    os.remove(table_file(self._folder, self._key, block, upper=self._upper))
            self._joined = []

    def _share(self, beyond: int) -> Settings:
        """The settings of the next step, so many blocks beyond those that are done."""
        steps = 1 + 2 * (self._done + len(self._todo))
        return _share(self._work.settings, 1 + 2 * self._done + beyond if self._bytes else 0, steps)


def _shelved(plan: JoinPlan, sizes: dict[Block, int], room: float) -> list[tuple[Block, ...]]:
    """The blocks in groups that are joined together; single patterns each by itself."""
    alone = singles_of(plan, sizes)
    return [(block,) for block in alone] + shelves({b: sizes[b] for b in sizes if b not in alone}, room)


def _join_passes(work: _Work, modulus: int, passes: Sequence[BlockPair], folder: str) -> _Sum:
    """The sum over these passes; those that the folder has the sums of are not done again."""
    plan, settings = work.plan, work.settings
    known = PassSums(folder, pass_key(plan, modulus, work.part))
    sums: list[PassSum] = []
    cost = _Cost()
    for number, each in enumerate(passes):
        found = known.get(each)
        if found is None:
            own = _share(settings, number, len(passes), f"pass {number + 1} of {len(passes)}, ")
            report = _run(work._replace(settings=own), modulus, each, folder)
            if report.overflow:
                return _OVERFLOW
            cost = cost.with_more(_Cost.of(report))
            found = PassSum(_numbers_of(report, plan), report.divisor)
            known.add(each, found)
        sums.append(PassSum([each.weight * number for number in found.numbers], found.divisor))
    numbers, divisor = _added(sums, modulus)
    return _Sum(numbers or ([] if plan.tallied else [0]), divisor, cost)


def _added(sums: Sequence[PassSum], modulus: int) -> PassSum:
    """The sum of the numbers of passes, which have one divisor; no numbers if there are no passes."""
    divisors = {each.divisor for each in sums} or {1}
    if len(divisors) > 1:
        raise WrongAnswer(f"engine join: tables of one plan are folded in different ways: {divisors}")
    total = [sum(column) for column in itertools.zip_longest(*(each.numbers for each in sums), fillvalue=0)]
    return PassSum([number % modulus for number in total] if modulus else total, divisors.pop())


def _share(settings: Settings, number: int, of: int, text: str = "") -> Settings:
    """The settings of one of several steps of equal length, for their progress."""
    if settings.progress is None:
        return settings
    progress = settings.progress

    def report(fraction: float | None, details: str) -> None:
        progress(None if fraction is None else (number + fraction) / of, text + details)

    return replace(settings, progress=report)


def _counted(problem: TourProblem, total: int, cost: _Cost) -> Counted:
    details = cost._asdict()
    peak = details.pop("peak_bytes")
    for name in ("halves", "join"):
        details[f"{name}_ms"] = round(1000 * details.pop(f"{name}_seconds"))
    return Counted(total, total * problem.directions, peak, details)


class _TooWide(Exception):
    """Sums over groups of residues do not fit 63 bits."""


def _exact(work: _Work) -> _Numbers:
    """The numbers as whole ones: directly if they fit, else from their residues."""
    plan = work.plan
    found = _sum(work, 0)
    if not found.overflow:
        return [unfolded(number, found.divisor) for number in found.numbers], found.cost
    cost = _Cost()
    divisor = 1

    def residues_of(prime: int) -> list[int]:
        nonlocal divisor, cost
        found = _sum(work, prime)
        if found.overflow:
            raise _TooWide(f"counting modulo {prime} does not fit either")
        cost = cost.with_more(found.cost)
        divisor = found.divisor
        return found.numbers

    for most in MODULI:
        try:
            numbers = from_residues(residues_of, most_of(plan), most)
            break
        except _TooWide as error:
            if most == MODULI[-1]:
                raise LimitReached(f"{error}: the groups are too large") from None
            cost = _Cost()
    while plan.tallied and numbers and numbers[-1] == 0:
        numbers.pop()
    return [unfolded(number, divisor) for number in numbers], cost


def _limits(
    settings: Settings, clock: Clock, modulus: int, describe: Callable[[int, int, int], tuple[float, str]]
) -> dict[str, Any]:
    """The arguments of native calls that all of them take."""
    return {
        "threads": settings.thread_budget,
        "modulus": modulus,
        "seconds": clock.left,
        "bytes": int(settings.memory_budget * SHARE_OF_CORE),
        "progress": native_progress(settings, describe),
    }


def _run(work: _Work, modulus: int, each: BlockPair, spill: str) -> _native.JoinReport:
    _, plan, settings, clock, part = work
    return _reported(
        settings,
        lambda: _native.join_count(
            *plan.graph.arrays(),
            plan.native(),
            part=part,
            blocks=(each.top, each.bottom),
            spill=spill,
            key=plan_key(plan, modulus) if spill else "",
            # Tables that did not fit on the disk before the passes are made again in each.
            disk=0 if each.top else disk_budget(settings, spill) if spill else None,
            **_limits(settings, clock, modulus, step_of(plan)),
        ),
        lambda report: reached_by(report, plan),
    )


def _make_tables(
    plan: JoinPlan,
    settings: Settings,
    clock: Clock,
    modulus: int,
    blocks: tuple[list[Block], list[Block]],
    folder: str,
) -> _native.JoinReport:
    """Have the tables of all blocks on disk, as far as there is room."""
    stages = (*plan.top_stages, *plan.bottom_stages)
    tables = len(blocks[0]) + len(blocks[1]) + sum(len(stage.sums) for stage in stages)

    def describe(step: int, total: int, states: int) -> tuple[float, str]:
        done = step / max(1, total)
        return done, f"table {min(tables, int(done * tables) + 1)} of {tables}, {states:,} states"

    key = plan_key(plan, modulus)
    limits = {**_limits(settings, clock, modulus, describe), "disk": disk_left(settings, folder, key)}
    return _reported(
        settings,
        lambda: _native.join_files(*plan.graph.arrays(), plan.native(), blocks, folder, key, **limits),
        lambda report: reached_by(report, plan),
    )


_Report = TypeVar("_Report", "_native.JoinReport", "_native.MovesReport")


def _reported(settings: Settings, call: Callable[[], _Report], reached: Callable[[_Report], str]) -> _Report:
    """The report of a native call that has done its work. Raises LimitReached."""
    try:
        report = call()
    except OverflowError as error:  # std::length_error: more slots than the core has
        raise LimitReached(f"the board is too large for engine join: {error}") from None
    except OSError as error:  # a file could not be written or read
        raise LimitReached(f"half table on disk: {error}") from None
    check_status(report.status, settings, reached(report))
    return report


def reached_by(report: _native.JoinReport | _native.RankingReport, plan: JoinPlan) -> str:
    """How far a native call got, as text for an error message."""
    done = len(report.top) + len(report.bottom)
    steps = len(plan.top) + (0 if plan.flip else len(plan.bottom))
    states = max((layer.states for layer in [*report.top, *report.bottom]), default=0)
    return (
        f"{min(done, steps)} of {steps} {plan.nouns.cells} of the halves done, {states:,} states "
        f"in {shown_bytes(report.peak_bytes)}"
    )


def step_of(plan: JoinPlan) -> Callable[[int, int, int], tuple[float, str]]:
    """The progress of a native call that makes the halves of a plan and joins them."""
    joining = 1000  # steps that the core gives to joining
    # Work at a cell grows geometrically along a half; joining takes about as long as both halves.
    halves = (len(plan.top), 0 if plan.flip else len(plan.bottom))
    done = [0.0, *itertools.accumulate(1.35**i for cells in halves for i in range(cells))]

    def describe(step: int, total: int, states: int) -> tuple[float, str]:
        if step < sum(halves) and step < total - joining:
            half = "top" if step < halves[0] else "bottom"
            place = f"{plan.nouns.cell} {step + 1} of {sum(halves)}"
            return done[step] / done[-1] / 2, f"{half}: {place}, {states:,} states"
        share = max(0, step - (total - joining)) / joining
        return 0.5 + 0.5 * share, f"joining, {states:,} states a side"

    return describe
