"""The sum of a plan modulo a number or over whole numbers, in one go or in passes."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Sequence
from contextlib import ExitStack
from typing import NamedTuple

from ktsolve import _native
from ktsolve.base.errors import OutOfMemory, WrongAnswer
from ktsolve.base.files import temporary_folder
from ktsolve.base.limits import Settings
from ktsolve.engines.join.calls import Cost, Work, make_tables, run_pass, step_settings
from ktsolve.engines.join.fitting import disk_left, room_of_pass
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
from ktsolve.engines.join.plan import JoinPlan, larger_half

__all__ = ["BlocksTooLarge", "PlanSum", "sum_along"]


class PlanSum(NamedTuple):
    """What a count in one go or in passes found: numbers times ``divisor``, or the residues of these."""

    numbers: list[int]
    divisor: int
    cost: Cost
    overflow: bool = False


_OVERFLOW = PlanSum([], 1, Cost(), overflow=True)


class BlocksTooLarge(OutOfMemory):
    """Raised where blocks of a plan do not fit into memory; other blocks may."""

    def __init__(self, error: OutOfMemory, folder: str, key: str) -> None:
        super().__init__(*error.args)
        self._folder, self._key = folder, key

    def remove_tables(self) -> None:
        """Remove the files of the plan's tables, so that those of other blocks have the disk."""
        with contextlib.suppress(FileNotFoundError):
            for name in os.listdir(self._folder):
                if name.startswith(f"{self._key}-"):
                    os.remove(os.path.join(self._folder, name))


def sum_along(work: Work, modulus: int) -> PlanSum:
    """The sum over all pairs of patterns of a plan as it stands: exact for modulus 0, else the residue."""
    plan, settings = work.plan, work.settings
    if plan.blocks:
        with ExitStack() as stack:
            folder = settings.spill or stack.enter_context(temporary_folder())
            try:
                return _sum_of_passes(work, modulus, folder)
            except OutOfMemory as error:
                raise BlocksTooLarge(error, folder, plan_key(plan, modulus)) from error
    report = run_pass(work, modulus, WHOLE, settings.spill or "")
    if report.overflow:
        return _OVERFLOW
    return PlanSum(_numbers_of(report, plan), report.divisor, Cost.of(report))


def _numbers_of(report: _native.JoinReport, plan: JoinPlan) -> list[int]:
    return report.tally if plan.tallied else [report.count]


def _sum_of_passes(work: Work, modulus: int, folder: str) -> PlanSum:
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
    made = make_tables(plan, step_settings(settings, 0, 2), clock, modulus, (tops, bottoms), folder)
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
        joining = work._replace(settings=step_settings(settings, 1, 2))
        try:
            found = _join_passes(joining, modulus, passes, folder)
            return found._replace(cost=Cost.of(made).with_more(found.cost))
        except OutOfMemory:
            if len(groups[0]) == len(tops) and len(groups[1]) == len(bottoms):
                raise
            room /= 2


class _Overflow(Exception):
    """Raised where counts of states, or sums of them, do not fit."""


class _Shelves:
    """The larger half shelf after shelf: as many of its blocks as memory holds beside what they meet.

    Each shelf is made and joined with all blocks of the smaller half that can complete it. What was joined is
    removed when the disk has no room for more, so that it holds the smaller half and one shelf at least.
    """

    def __init__(self, work: Work, modulus: int, folder: str) -> None:
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
        self._cost = Cost()
        self._smaller = self._made(smaller, not self._upper, self.step_settings(0))

    def sum(self) -> PlanSum:
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
        return PlanSum(numbers or ([] if work.plan.tallied else [0]), divisor, self._cost)

    def _next_shelf(self) -> tuple[Block, ...]:
        """The next blocks, which are made."""
        shelf: list[Block] = []
        left = self._room / 2
        while len(shelf) < len(self._todo):
            block = self._todo[len(shelf)]
            if block not in self._bytes:
                self._make_room()
                made = self._made([block], self._upper, self.step_settings(len(shelf)))
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
        work = self._work._replace(settings=self.step_settings(len(shelf)))
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
            report = make_tables(plan, settings, clock, self._modulus, sides, self._folder)
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
        self._cost = self._cost.with_more(Cost.of(report))
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

    def step_settings(self, beyond: int) -> Settings:
        """The settings of the next step, so many blocks beyond those that are done."""
        steps = 1 + 2 * (self._done + len(self._todo))
        return step_settings(self._work.settings, 1 + 2 * self._done + beyond if self._bytes else 0, steps)


def _shelved(plan: JoinPlan, sizes: dict[Block, int], room: float) -> list[tuple[Block, ...]]:
    """The blocks in groups that are joined together; single patterns each by itself."""
    alone = singles_of(plan, sizes)
    return [(block,) for block in alone] + shelves({b: sizes[b] for b in sizes if b not in alone}, room)


def _join_passes(work: Work, modulus: int, passes: Sequence[BlockPair], folder: str) -> PlanSum:
    """The sum over these passes; those that the folder has the sums of are not done again."""
    plan, settings = work.plan, work.settings
    known = PassSums(folder, pass_key(plan, modulus, work.part))
    sums: list[PassSum] = []
    cost = Cost()
    for number, each in enumerate(passes):
        found = known.get(each)
        if found is None:
            own = step_settings(settings, number, len(passes), f"pass {number + 1} of {len(passes)}, ")
            report = run_pass(work._replace(settings=own), modulus, each, folder)
            if report.overflow:
                return _OVERFLOW
            cost = cost.with_more(Cost.of(report))
            found = PassSum(_numbers_of(report, plan), report.divisor)
            known.add(each, found)
        sums.append(PassSum([each.weight * number for number in found.numbers], found.divisor))
    numbers, divisor = _added(sums, modulus)
    return PlanSum(numbers or ([] if plan.tallied else [0]), divisor, cost)


def _added(sums: Sequence[PassSum], modulus: int) -> PassSum:
    """The sum of the numbers of passes, which have one divisor; no numbers if there are no passes."""
    divisors = {each.divisor for each in sums} or {1}
    if len(divisors) > 1:
        raise WrongAnswer(f"engine join: tables of one plan are folded in different ways: {divisors}")
    total = [sum(column) for column in itertools.zip_longest(*(each.numbers for each in sums), fillvalue=0)]
    return PassSum([number % modulus for number in total] if modulus else total, divisors.pop())
