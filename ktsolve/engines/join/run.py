"""Counts by a plan: in one go or in passes, directly or modulo primes."""

from __future__ import annotations

import itertools
import math
import shutil
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from ktsolve import _native
from ktsolve.base.errors import LimitReached, OutOfMemory, WrongAnswer
from ktsolve.base.files import temporary_folder
from ktsolve.base.limits import Clock, Settings, check_status, native_progress
from ktsolve.base.units import shown_bytes
from ktsolve.engines.integer_sequences import from_residues, unfolded
from ktsolve.engines.interface import Counted, Estimate
from ktsolve.engines.join.passes import (
    WHOLE,
    Block,
    BlockPair,
    PassSum,
    PassSums,
    block_pairs,
    blocks_of,
    pass_key,
    plan_key,
    shelves,
    with_blocks,
)
from ktsolve.engines.join.plan import JoinPlan, arrays_needed, image_of
from ktsolve.problem.cycle_graph import Edge
from ktsolve.problem.problem import TourProblem

__all__ = [
    "check_ranking_memory",
    "count_along",
    "estimate",
    "moves_along",
    "reached_by",
    "step_of",
    "tally_along",
]

_Numbers = tuple[list[int], list[_native.JoinReport]]  # numbers, with the reports of the calls that gave them

_HOPELESS = 5.0
"""A count is refused at once when its passes need more than this multiple of the memory limit by estimate.
The estimate is rough; anything less is tried."""

_MOST_SETS = 4  # most sets of cells for blocks: more would give too many passes

_USES = 3  # numbers of uses that occur for a state, on average: 2.9 with the moves of one slope of 8x8

_EXACT_CELLS = 60  # cells of a half beyond which counts pass 63 bits, about: 56 cells of 8x16 fit

_MODULI = (1 << 37, 1 << 31)
"""Bounds of the moduli. Sums over groups of residues have to fit 63 bits: groups of eight pairs, from which a
step makes one in up to sixteen ways, always fit with the first bound. Larger groups are mostly thin; where
they are not, the second is taken."""

_SMALLEST_MODULI = _MODULI[-1]


_SECONDS_PER_PATTERN = 3e-6  # seconds in which the groups of one pattern of the separator are joined


def _memory(plan: JoinPlan) -> float:
    """Estimated bytes in one go: within a factor of about two on the boards measured."""
    return arrays_needed(len(plan.separator)) + plan.cost.bytes * (_USES if plan.tallied else 1)


def check_ranking_memory(problem: TourProblem, plan: JoinPlan, settings: Settings) -> None:
    """Raise LimitReached if numbering the tours needs far more memory than there is, by estimate.

    The tables are not folded, and a fourth of their layers is kept at least.
    """
    needed = arrays_needed(len(plan.separator)) + 2 * plan.cost.made
    if settings.spill is None and needed > _HOPELESS * settings.memory_budget:
        raise LimitReached(
            f"numbering the tours of {problem} by halves ({plan.name}) needs about {shown_bytes(needed)}; "
            f"the memory limit is {shown_bytes(settings.memory_limit)}: give more, or a folder by --spill"
        )


def _disk(plan: JoinPlan) -> float:
    """Estimated bytes of disk for the tables of all blocks, which take .2 to .6 of those in memory there."""
    return 0.6 * plan.cost.kept * (1 + max(len(plan.top_stages), len(plan.bottom_stages)))


def _fitted(plan: JoinPlan, budget: int, more: int = 0) -> tuple[JoinPlan | None, float]:
    """The plan with enough blocks for a pass to fit, or None; and the estimated memory of a pass.

    ``more`` is the number of sets of cells beyond those that the estimate asks for.
    """
    passing: JoinPlan | None = plan
    needed, sets = _memory(plan), 0
    while passing is not None and sets < _MOST_SETS and (needed > budget or more > 0):
        more -= needed <= budget
        sets += 1
        passing = with_blocks(plan, sets, budget / 2)
        # By estimate each set halves the largest block.
        needed = _memory(plan) / 2**sets
        if passing is not None and (passing.top_stages or passing.bottom_stages):
            # What is continued is divided, too; the table that is added up is held besides.
            needed = (needed + 2 * plan.cost.kept) / 2**sets
    return (None if needed > _HOPELESS * budget else passing), needed


def estimate(plan: JoinPlan, settings: Settings) -> Estimate:
    """Estimate for a plan: states, memory, disk if it goes in passes, and time.

    From the estimated numbers of states that are made and of patterns of the separator, with rates measured
    on 6x8 to 8x32, in passes on 9x10 and 9x12.
    """
    passing, needed = _fitted(plan, settings.memory_budget)
    text = str(plan)
    if passing is None:
        text += ", refused: too large even in passes"
    elif passing.blocks:
        text += f", in {_passes(passing, settings)} passes"
    in_one_go = passing is plan
    runs, rate = 1, 1.5e-8 if in_one_go else 2.7e-8
    if len(plan.top) > _EXACT_CELLS:
        runs += math.ceil(math.log2(_most(plan)) / math.log2(_MODULI[0]))
        text += f", modulo {runs - 1} primes"
    patterns = 2.0 ** len(plan.separator) * (4 if plan.flip else 8)
    adding = arrays_needed(len(plan.separator)) * 2e-9
    made = plan.cost.made * rate + patterns * _SECONDS_PER_PATTERN
    seconds = runs * (adding + made / min(settings.thread_budget, 16))
    disk = 0.0 if in_one_go else _disk(passing or plan)
    return Estimate(text, states=plan.cost.at_once, bytes=needed, disk=disk, seconds=seconds)


def _passes(plan: JoinPlan, settings: Settings) -> int:
    """The number of passes, by estimate."""
    tables = plan.cost.kept / max(1.0, _room(plan, settings))
    if plan.flip:
        groups = 1 if tables <= 1 else min(math.ceil(2 * tables), len(list(blocks_of(plan, upper=True))))
        return groups * (groups + 1) // 2
    return max(2, math.ceil(tables)) ** 2


def count_along(
    problem: TourProblem, plan: JoinPlan, settings: Settings, clock: Clock, part: tuple[int, int] = (0, 1)
) -> Counted:
    """The count by a given plan, or its summand i of n for ``part`` = (i, n). Raises as the tally."""
    numbers, reports = _numbers_along(problem, plan, settings, clock, part)
    return _counted(problem, numbers[0], reports)


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
    budget = settings.memory_budget
    # Taken once: while the tables of a pass are held, the settings have less left.
    settings = settings.within_memory(budget)
    more = 0
    while True:
        passing, needed = (plan, 0.0) if plan.blocks else _fitted(plan, budget, more)
        if passing is None:
            raise LimitReached(
                f"counting {problem} by halves ({plan.name}) needs about {shown_bytes(_memory(plan))}, "
                f"and {shown_bytes(needed)} in passes; "
                f"the memory limit is {shown_bytes(settings.memory_limit)}"
            )
        if settings.progress is not None:
            settings.progress(0.0, str(passing))
        try:
            return _exact(_Work(problem, passing, settings, clock, part))
        except OutOfMemory:
            if plan.blocks or len(passing.blocks) >= _MOST_SETS:
                raise
            more += 1


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
    reports: list[_native.JoinReport]
    overflow: bool = False


def _sum(work: _Work, modulus: int) -> _Sum:
    plan, settings = work.plan, work.settings
    if plan.blocks:
        with ExitStack() as stack:
            folder = settings.spill or stack.enter_context(temporary_folder())
            return _sum_of_passes(work, modulus, folder)
    report = _run(work, modulus, WHOLE, settings.spill or "")
    if report.overflow:
        return _Sum([], 1, [report], overflow=True)
    return _Sum(_numbers_of(report, plan), report.divisor, [report])


def _numbers_of(report: _native.JoinReport, plan: JoinPlan) -> list[int]:
    return report.tally if plan.tallied else [report.count]


def _sum_of_passes(work: _Work, modulus: int, folder: str) -> _Sum:
    problem, plan, settings, clock, _ = work
    # Parts are sets of patterns, not of passes: the passes depend on the memory limit, and the parts of one
    # count may be counted on different machines.
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        raise LimitReached(f"{folder}: {error.strerror or error}") from None
    if settings.spill is None and _disk(plan) > free:
        raise LimitReached(
            f"counting {problem} in passes needs about {shown_bytes(_disk(plan))} of disk; "
            f"{folder} has {shown_bytes(free)}"
        )
    tops = list(blocks_of(plan, upper=True))
    bottoms = [] if plan.flip else list(blocks_of(plan, upper=False))
    made = _make_tables(plan, _share(settings, 0, 2), clock, modulus, (tops, bottoms), folder)
    if made.overflow:
        return _Sum([], 1, [made], overflow=True)
    sizes = dict(zip(tops, made.file_bytes, strict=False))
    others = dict(zip(bottoms, made.file_bytes[len(tops) :], strict=True))
    room = _room(plan, settings)
    if not plan.flip or sum(made.file_bytes) > room:
        room /= 2
    while True:
        groups = shelves(sizes, room), shelves(others, room)
        passes = list(block_pairs(plan, *groups))
        joining = work._replace(settings=_share(settings, 1, 2))
        try:
            found = _join_passes(joining, modulus, passes, folder)
            return found._replace(reports=[made, *found.reports])
        except OutOfMemory:
            if len(groups[0]) == len(tops) and len(groups[1]) == len(bottoms):
                raise
            room /= 2


def _room(plan: JoinPlan, settings: Settings) -> float:
    """Bytes of tables that one pass may join: what the core's chunks get, less its arrays and some waste."""
    numbers = 3.0 ** len(plan.separator) * (4 / 3 if plan.split >= 0 else 1)
    # An index of either side, 16 bytes for 64 numbers, and bits of those reached.
    arrays = arrays_needed(len(plan.separator)) + numbers * 0.75
    return settings.memory_budget * 3 / 4 - arrays


def _join_passes(work: _Work, modulus: int, passes: Sequence[BlockPair], folder: str) -> _Sum:
    """The sum over these passes; those that the folder has the sums of are not done again."""
    plan, settings = work.plan, work.settings
    known = PassSums(folder, pass_key(plan, modulus, work.part))
    total = [] if plan.tallied else [0]
    divisors = set()
    reports: list[_native.JoinReport] = []
    for number, each in enumerate(passes):
        found = known.get(each)
        if found is None:
            own = _share(settings, number, len(passes), f"pass {number + 1} of {len(passes)}, ")
            report = _run(work._replace(settings=own), modulus, each, folder)
            reports.append(report)
            if report.overflow:
                return _Sum([], 1, reports, overflow=True)
            found = PassSum(_numbers_of(report, plan), report.divisor)
            try:
                known.add(each, found)
            except OSError as error:
                raise LimitReached(f"{known.path}: {error.strerror or error}") from None
        divisors.add(found.divisor)
        pairs = itertools.zip_longest(total, found.numbers, fillvalue=0)
        total = [sum_so_far + each.weight * summand for sum_so_far, summand in pairs]
    if modulus:
        total = [number % modulus for number in total]
    if len(divisors) > 1:
        raise WrongAnswer(f"engine join: tables of one plan are folded in different ways: {divisors}")
    return _Sum(total, divisors.pop() if divisors else 1, reports)


def _share(settings: Settings, number: int, of: int, text: str = "") -> Settings:
    """The settings of one of several steps of equal length, for their progress."""
    if settings.progress is None:
        return settings
    progress = settings.progress

    def report(fraction: float | None, details: str) -> None:
        progress(None if fraction is None else (number + fraction) / of, text + details)

    return replace(settings, progress=report)


def _counted(problem: TourProblem, total: int, reports: list[_native.JoinReport]) -> Counted:
    def largest(tables: Callable[[_native.LayerReport], int]) -> int:
        """The largest sum over the tables that one call joined."""
        return max((sum(tables(half[-1]) for half in (r.top, r.bottom) if half) for r in reports), default=0)

    layers = [layer for r in reports for layer in (*r.top, *r.bottom)]
    details = {
        "peak_states": max((layer.states for layer in layers), default=0),
        "states": largest(lambda table: table.kept),
        "groups": largest(lambda table: table.groups),
        "table_bytes": largest(lambda table: table.bytes),
        "transitions": sum(r.transitions for r in reports),
        "patterns": sum(r.patterns for r in reports),
        "extended": sum(r.extended for r in reports),
        "runs": len(reports),
        "halves_ms": round(1000 * sum(r.seconds_top + r.seconds_bottom for r in reports)),
        "join_ms": round(1000 * sum(r.seconds_join for r in reports)),
    }
    peak = max((report.peak_bytes for report in reports), default=0)
    return Counted(total, total * problem.directions, peak, details)


class _TooWide(Exception):
    """Sums over groups of residues do not fit 63 bits."""


def _most(plan: JoinPlan) -> int:
    """A bound on the numbers of a count; folding multiplies by at most 4."""
    return 4 * plan.graph.most_cycles


def _exact(work: _Work) -> _Numbers:
    """The numbers as whole ones: directly if they fit, else from their residues."""
    plan = work.plan
    found = _sum(work, 0)
    if not found.overflow:
        return [unfolded(number, found.divisor) for number in found.numbers], found.reports
    reports: list[_native.JoinReport] = []
    divisor = 1

    def residues_of(prime: int) -> list[int]:
        nonlocal divisor
        found = _sum(work, prime)
        if found.overflow:
            raise _TooWide(f"counting modulo {prime} does not fit either")
        reports.extend(found.reports)
        divisor = found.divisor
        return found.numbers

    for most in _MODULI:
        try:
            numbers = from_residues(residues_of, _most(plan), most)
            break
        except _TooWide as error:
            if most == _MODULI[-1]:
                raise LimitReached(f"{error}: the groups are too large") from None
            reports.clear()
    while plan.tallied and numbers and numbers[-1] == 0:
        numbers.pop()
    return [unfolded(number, divisor) for number in numbers], reports


def _limits(
    settings: Settings, clock: Clock, modulus: int, describe: Callable[[int, int, int], tuple[float, str]]
) -> dict[str, Any]:
    """The arguments of native calls that all of them take."""
    return {
        "threads": settings.thread_budget,
        "modulus": modulus,
        "seconds": clock.left,
        "bytes": settings.memory_budget,
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
    """Have the tables of all blocks on disk."""
    stages = (*plan.top_stages, *plan.bottom_stages)
    tables = len(blocks[0]) + len(blocks[1]) + sum(len(stage.sums) for stage in stages)

    def describe(step: int, total: int, states: int) -> tuple[float, str]:
        done = step / max(1, total)
        return done, f"table {min(tables, int(done * tables) + 1)} of {tables}, {states:,} states"

    limits = _limits(settings, clock, modulus, describe)
    return _reported(
        settings,
        lambda: _native.join_files(
            *plan.graph.arrays(), plan.native(), blocks, folder, plan_key(plan, modulus), **limits
        ),
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
