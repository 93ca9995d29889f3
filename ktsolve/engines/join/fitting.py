"""How a plan fits into memory and disk: in one go or in passes, with how many threads, and what that costs.

All estimates of the engine are made here, from the numbers of states that :mod:`ktsolve.engines.join.plan`
predicts and from :data:`RATES`, which ``benchmarks/join.py rates`` prints as they are measured.
"""

from __future__ import annotations

import itertools
import math
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ktsolve.base.errors import LimitReached, OutOfMemory
from ktsolve.base.limits import Settings
from ktsolve.base.units import shown_bytes, shown_seconds
from ktsolve.engines.interface import Estimate
from ktsolve.engines.join.passes import blocks_of, last_touched, singles_of, with_blocks
from ktsolve.engines.join.plan import JoinPlan, entry_bytes, half_costs, layer_bytes
from ktsolve.problem.problem import TourProblem

__all__ = [
    "BYTES_IN_FILES",
    "EXACT_CELLS",
    "LARGEST_BLOCK",
    "MODULI",
    "RATES",
    "SHARE_OF_CORE",
    "Fit",
    "check_ranking_memory",
    "disk_budget",
    "disk_left",
    "estimate",
    "fits",
    "fixed_bytes",
    "moduli_for",
    "most_of",
    "refusal",
    "room_of_pass",
    "seconds_of_blocks",
    "share_in_file",
]

_HOPELESS = 5.0
"""Numbering is refused at once when it needs more than this multiple of the memory limit by estimate."""

_PATTERNS_OF_PASS = 0.3  # patterns joined in a pass, as a share of all: 0.1 to 0.6 on 8x8
_LAYERS_HELD = (2, 4, 12)
"""Layers that memory is to hold before a half is divided: a step holds two, of which the second is larger."""

_MOST_SETS = 6  # most sets of cells for blocks: more would give too many passes

LARGEST_BLOCK = 0.42
"""The largest block as a share of all, for each set of cells: 0.39 to 0.5 on 7x8 and 8x8."""

_UNEVEN = 1.2  # what the two largest blocks take as a multiple of that: 0.48 of all by one set on 8x10

SHARE_OF_CORE = 0.9
"""The share of the memory that the core may hold: the rest is for pages in part, stacks, and Python."""

_BLOCKS_OF_GROUP = 100  # least number of blocks by a group: their tables are parts of a long count
_PARTED = 300.0  # seconds of a count by a group whose parts are kept, if there is a folder

_ANEW = 4.0
"""How many times longer the blocks of a half take by a group, as each begins anew: on the 6-cube."""

_BYTES_OF_MATCHING = 56  # of the pattern with most ends, whose states are added up and joined as lists

_SINGLE_PAIRS = 9
"""Least pairs of ends of patterns that are made one by one: the matchings of fewer fit into any memory."""
_MOST_SINGLE_PAIRS = 10
_BYTES_OF_SINGLE = 140  # for each matching of the least pairs, while a single pattern is made
_SECONDS_OF_SINGLE = 3e-6  # for each of these, while it is made and joined

_USES = 3  # numbers of uses that occur for a state, on average: 2.9 with the moves of one slope of 8x8

EXACT_CELLS = 66
"""Cells of a half beyond which counts of states pass 63 bits, about: 64 of 8x18 fit, 72 of 8x20 do not. In a
tally and with a group sums of them have to fit too, and some six cells fewer do."""

MODULI = (1 << 37, 1 << 31)
"""Bounds of the moduli. In a tally and with a group sums over groups of residues have to fit 63 bits: groups
of eight pairs, from which a step makes one in up to sixteen ways, always fit with the first bound. Larger
groups are mostly thin; where they are not, the second is taken."""

_LARGEST_MODULUS = 1 << 40  # where sums may have more bits: 8x24 takes seven counts instead of eight

_MOST_PARTS = 400_000  # files at a time of what leads from a block of a stage to one of the next

_WORTH_A_TRY = 4.0
"""A way whose blocks may be too uneven is tried if what surely fits takes so many times longer."""

_LESS = 0.95
"""What is tried after a plan that met its limit takes at most this share of its memory, by estimate."""

_MOST_THREADS = 16  # threads up to which the work is divided evenly, by assumption
_FOREVER = 3e7  # a count that would take longer, in seconds, is refused


class Rates(NamedTuple):
    """What the work of a count takes; seconds are those of one thread.

    - ``made``: Seconds for each state that is made, and joined.
    - ``pattern``: Seconds for each pattern of the separator that is joined.
    - ``number``: Seconds for each number that a pattern of the separator could have, in each pass.
    - ``read``: Seconds for each byte of a table that is read from a file.
    - ``staged``: Seconds for each byte in memory of the states that a half with stages divides, and puts
      together again.
    - ``part``: Seconds for each file of such a part.
    - ``set``: The part of the states that is made again for each set of cells by which a half is divided.
    - ``start``: Seconds before the first state, and after the last.
    """

    made: float
    pattern: float
    number: float
    read: float
    staged: float
    part: float
    set: float
    start: float


RATES = Rates(
    made=1.5e-8,
    pattern=3e-6,
    number=3e-9,
    read=2.5e-9,
    staged=7e-9,
    part=7e-4,
    set=0.05,
    start=0.05,
)
"""Measured on 6x8 to 8x32 in one go, and on 8x8 to 9x12 in passes; ``staged`` by hand on 8x12,
``part`` on 8x10 and 8x12."""


@dataclass(frozen=True)
class Fit:
    """A plan as it is run.

    - ``plan``: With blocks if it goes in passes.
    - ``threads``: Fewer than there are where memory is short.
    - ``bytes``, ``disk``: Estimated memory, and bytes of files if all tables are kept.
    - ``least``: Estimated memory if blocks are even and the core may hold all.
    - ``seconds``: Estimated time, with the tables that the disk has no room for made again.
    - ``passes``: Estimated number of passes; 1 without blocks.
    - ``kept``: Share of the tables for which the disk has room.
    """

    plan: JoinPlan
    threads: int
    bytes: float
    disk: float
    seconds: float
    passes: int
    kept: float
    least: float

    def __str__(self) -> str:
        text = str(self.plan)
        if not self.plan.blocks:
            return text
        text += f", in {self.passes} passes"
        return text if self.kept >= 1 else f"{text}, {1 - self.kept:.0%} of the tables made again in each"


def fixed_bytes(slots: int, split: bool, threads: int, tables: int) -> float:
    """Bytes that joining a number of tables takes beside their states: indices, maps, arrays of each thread.

    The patterns have a number of slots, of which the last may be that of a split vertex.
    """
    # An index has 16 bytes for 64 numbers, and each side a bit for each number that it reaches.
    indices = tables * _numbers(slots, split) * (16 / 64 + 1 / 8)
    # Arrays over the matchings of six pairs, in lanes: those for more are made where there is room.
    arrays = 4e6 if slots >= 12 else 1e6
    maps = 7e6 if slots >= 14 else 1e6  # of edges, rank to rank
    return indices + threads * arrays + maps


def _matchings(pairs: int) -> int:
    """The number of ways in which so many paths can join their ends."""
    return math.prod(range(1, 2 * pairs, 2))


def _numbers(slots: int, split: bool) -> float:
    """The number of patterns that the separator could have."""
    return 3.0**slots * (4 / 3 if split else 1)


def _fixed(plan: JoinPlan, threads: int, tables: int) -> float:
    if plan.group:  # no index of all patterns
        return fixed_bytes(0, False, threads, tables) + threads * 4e6
    return fixed_bytes(len(plan.separator), plan.split >= 0, threads, tables)


def _uses(plan: JoinPlan) -> int:
    return _USES if plan.tallied else 1


def room_of_pass(plan: JoinPlan, settings: Settings, threads: int) -> float:
    """Bytes of files whose tables one pass may join.

    Of long halves a file has a larger share, but with 0.61 in the place of 0.42 a pass of 9x14 within 16 GiB
    met the limit, and 21 passes were left to do instead of 15.
    """
    left = settings.memory_budget * 7 / 8 - _fixed(plan, threads, 1 if plan.flip else 2)
    return left * BYTES_IN_FILES


BYTES_IN_FILES = 0.42
"""Bytes in a file for each byte in memory, at least: of halves of up to 32 cells."""


def share_in_file(done: int) -> float:
    """Bytes in a file for each byte in memory, of the states after so many vertices.

    A file saves some three bytes of a state: it has the steps between ranks (docs/counting.md).
    """
    return max(BYTES_IN_FILES, 1 - 2.9 / entry_bytes(done))


def disk_budget(settings: Settings, folder: str | None) -> int:
    """Bytes that files of tables may take: ``settings.disk``, else what is free less a reserve.

    Raises LimitReached if the folder cannot be used.
    """
    if settings.disk is not None:
        return settings.disk
    place = folder or tempfile.gettempdir()
    try:
        usage = shutil.disk_usage(place)
    except OSError as error:
        raise LimitReached(f"{place}: {error.strerror or error}") from None
    return max(0, usage.free - max(1 << 30, usage.total // 20))


def disk_left(settings: Settings, folder: str, key: str) -> int:
    """Bytes that more files may take in a folder that has files of tables with this key."""
    left = disk_budget(settings, folder)
    if settings.disk is not None:
        left -= sum(entry.stat().st_size for entry in os.scandir(folder) if entry.name.startswith(key))
    return max(0, left)


def fits(plan: JoinPlan, settings: Settings) -> Iterator[Fit]:
    """The ways in which the plan is run within the limits, the fastest first, then those with less memory.

    A plan that has blocks already is run with these.
    """
    if plan.blocks:
        disk = disk_budget(settings, settings.spill)
        yield _fit(plan, settings.memory_budget, settings.thread_budget, disk)
        return
    left = float(settings.memory_budget)
    if not plan.group:  # in one go with all threads nothing is faster: the others are looked for if it fails
        whole = _fit(plan, settings.memory_budget, settings.thread_budget, 0)
        if whole.bytes <= left and whole.seconds < _FOREVER:
            yield whole
            left = _LESS * whole.bytes
    ways = sorted(_ways(plan, settings), key=lambda each: each.seconds)
    sure = next((each.seconds for each in ways if each.bytes <= settings.memory_budget), math.inf)
    for each in ways:
        needed = each.least if each.seconds * _WORTH_A_TRY < sure else each.bytes
        if needed <= left and each.seconds < _FOREVER:
            left = _LESS * needed
            yield each


def _ways(plan: JoinPlan, settings: Settings) -> list[Fit]:
    """The plan in one go and in passes, with all threads and with fewer."""
    budget, disk = settings.memory_budget, disk_budget(settings, settings.spill)
    most = settings.thread_budget
    found: list[Fit] = []
    for threads in sorted({most, (most + 1) // 2, 1}, reverse=True):
        least = math.inf
        for passing in _divided(plan, budget, settings.spill):
            each = _fit(passing, budget, threads, disk)
            if each.bytes <= _LESS * least:  # else more blocks only take more time
                found.append(each)
                least = each.bytes
    return found


def _divided(plan: JoinPlan, budget: int, spill: str | None) -> Iterator[JoinPlan]:
    """The plan without blocks, and with more and more of them."""
    if plan.group:
        yield from _divided_by_group(plan, spill)
        return
    yield plan
    # Where the halves differ, blocks that are apart early take the least work.
    for sets, early, layers in itertools.product(
        range(1, _MOST_SETS + 1),
        (False, True) if plan.flip else (True, False),
        _LAYERS_HELD if plan.flip else _LAYERS_HELD[:1],
    ):
        passing = with_blocks(plan, sets, budget / (1.5 * layers if early else layers), early=early)
        if passing is not None and max(_parts(passing), default=0) <= _MOST_PARTS:
            yield passing


def _divided_by_group(plan: JoinPlan, spill: str | None) -> Iterator[JoinPlan]:
    """The plan without blocks, unless parts of a long count are kept in a folder, and in blocks.

    The core divides the states by itself where memory is short: blocks are for tables that do not fit, and
    for patterns of so many ends that they are made one by one.
    """
    parted = _parted(plan)
    if parted is None or spill is None or plan.cost.made * RATES.made < _PARTED:
        yield plan
    if parted is not None:
        yield parted
    if plan.split < 0 and _SINGLE_PAIRS <= len(plan.separator) // 2 <= _MOST_SINGLE_PAIRS:
        singles = _parted(plan, _SINGLE_PAIRS)
        if singles is not None:
            yield singles


def _parted(plan: JoinPlan, single_pairs: int = -1) -> JoinPlan | None:
    """The plan in blocks by as few sets of vertices as make enough of them, or None."""
    for sets in range(1, len(plan.separator)):
        passing = with_blocks(plan, sets, single_pairs=single_pairs)
        if passing is not None and sum(1 for _ in blocks_of(passing, upper=True)) >= _BLOCKS_OF_GROUP:
            return passing
    return None


def _fit(plan: JoinPlan, budget: int, threads: int, disk: int) -> Fit:
    cost, uses = plan.cost, _uses(plan)
    held = most = max(cost.bytes, 1.15 * cost.kept) * uses
    if plan.blocks and not plan.group:
        held, most = (_held_by_block(plan, each) * uses for each in (1.0, _UNEVEN / SHARE_OF_CORE))
    if plan.group:  # the core divides what does not fit, but no pattern
        tables = cost.kept * (2 if plan.flip and plan.blocks else 1)
        held = min(max(cost.bytes, 1.15 * tables), budget / 4) + (0 if plan.blocks else tables)
        if plan.single_pairs < 0:
            held += _BYTES_OF_MATCHING * _matchings(len(plan.separator) // 2)
        else:
            fewer = _matchings(len(plan.separator) // 2 - 1)
            held = max(held, _BYTES_OF_SINGLE * _matchings(plan.single_pairs), 20 * threads * fewer)
        most = held
    fixed = _fixed(plan, threads, 1 if plan.flip and not plan.blocks else 2)
    least, needed = fixed + held, fixed + most
    shared, runs = min(threads, _MOST_THREADS), _runs(plan)
    made = cost.made * uses * RATES.made
    numbers = 0.0 if plan.group else _numbers(len(plan.separator), plan.split >= 0) * RATES.number
    patterns = 2.0 ** len(plan.separator) * (4 if plan.flip else 8) * RATES.pattern / plan.elements
    if not plan.blocks:
        seconds = RATES.start + runs * (made + numbers + patterns) / shared
        return Fit(plan, threads, needed, 0.0, seconds, 1, 1.0, least)
    room = budget * 7 / 8 - _fixed(plan, threads, 2)
    in_file = share_in_file(max(len(plan.top), len(plan.bottom)))
    sides = 1 if plan.flip else 2
    staged, stage_files = _staged(plan)
    layer = 0.0 if staged or plan.group else _shared_layer(cost.kept, sides * budget)
    files = uses * (in_file * (cost.kept + layer) + stage_files)
    if not plan.flip and not plan.group:
        files -= in_file * max(0.0, _larger(plan) - room)
    all_blocks = list(blocks_of(plan, upper=True))
    blocks = len(all_blocks)
    groups, passes = _passes(plan, room, blocks)
    kept = min(1.0, disk / max(1.0, files))
    if plan.group:
        making = _ANEW * made
    elif plan.top_stages or plan.bottom_stages:
        making = made + (staged + cost.kept) * uses * RATES.staged + sum(_parts(plan)) * RATES.part
    else:
        making = made + sides * seconds_of_blocks(made / sides, len(plan.blocks), blocks, cost.kept, budget)
    again = (1 - kept) * groups * making
    if staged:  # a block has its own steps from each stage, and to it if the stage is not kept
        again *= blocks if disk < uses * stage_files else math.sqrt(blocks)
    reading = 2 * passes * cost.kept * uses / groups * RATES.read
    joining = passes * (numbers + patterns * (1 if passes < 3 else _PATTERNS_OF_PASS))
    seconds = RATES.start + runs * (making + again + reading + joining) / shared
    if singles := len(singles_of(plan, all_blocks)):  # each is a pass
        seconds += runs * singles * _SECONDS_OF_SINGLE * _matchings(plan.single_pairs) / shared
    return Fit(plan, threads, needed, files, seconds, passes + singles, kept, least)


def seconds_of_blocks(made: float, sets: int, blocks: int, table: float, budget: float) -> float:
    """Seconds that a half takes longer in blocks than in one go, which takes ``made``.

    Blocks read the layer that they share with some others.
    """
    shared = _shared_layer(table, budget)
    return made * RATES.set * sets + 2 * blocks * shared * BYTES_IN_FILES * RATES.read


def _shared_layer(table: float, budget: float) -> float:
    """Bytes of the layer from which several blocks go on: nearly the table, if a third of memory holds it."""
    return min(table, budget / 3)


def _staged(plan: JoinPlan) -> tuple[float, float]:
    """The bytes of the states where the halves are divided before the separator: in memory, and in files."""
    held = files = 0.0
    sides = (
        (plan.top, plan.top_mirror, plan.top_stages),
        (plan.bottom, plan.bottom_mirror, plan.bottom_stages),
    )
    for order, mirror, stages in sides:
        sizes = layer_bytes(plan, order, mirror) if stages else []
        for stage in stages:
            held += sizes[stage.steps - 1]
            files += sizes[stage.steps - 1] * share_in_file(stage.steps)
    return held, files


def _parts(plan: JoinPlan) -> list[int]:
    """For each stage the number of pairs of one of its blocks and one of the next stage, or of the half."""
    counts = [
        [*(len(stage.sums) for stage in stages), sum(1 for _ in blocks_of(plan, upper=upper))]
        for upper, stages in ((True, plan.top_stages), (False, plan.bottom_stages))
        if stages
    ]
    return [one * other for each in counts for one, other in itertools.pairwise(each)]


def _held_by_block(plan: JoinPlan, uneven: float) -> float:
    """Estimated bytes while the largest block is made: two layers, and while two of the tables are joined.

    The largest part of all that some sets divide is so many times larger than :data:`LARGEST_BLOCK`. Where
    the halves differ, a block that does not fit is divided by the spare sets of the plan.
    """
    share = uneven * LARGEST_BLOCK ** len(plan.blocks)
    if not plan.flip:
        return share * max(plan.cost.bytes, 1.15 * plan.cost.kept)
    layers = [0.0, *_layers_of_block(plan, uneven)]
    most = max(map(sum, itertools.pairwise(layers)), default=0.0)
    return max(most, 2.3 * share * plan.cost.kept)


def _layers_of_block(plan: JoinPlan, uneven: float) -> Iterator[float]:
    """The estimated bytes of the largest block of each layer of the top.

    With stages these are the blocks of the stage before. Else the states of several blocks are together until
    the last edge comes to the cells by whose degrees they are divided; the ends of an open tour divide at
    once.
    """
    sizes = layer_bytes(plan, plan.top, plan.top_mirror)
    if plan.top_stages:
        last = [plan.top_stages[0].steps] * len(plan.blocks)
    else:
        ends = plan.graph.extra
        last = [0 if ends in each else last_touched(plan.graph, plan.top, each) for each in plan.blocks]
    for step in range(len(plan.top)):
        divided = sum(step >= each for each in last)
        yield sizes[step] * (min(1.0, uneven * LARGEST_BLOCK**divided) if divided else 1.0)


def _larger(plan: JoinPlan) -> float:
    """Estimated bytes of the states of the larger half in the end."""
    halves = [half.kept for half in half_costs(plan)]
    return plan.cost.kept * _uses(plan) * max(halves) / max(1.0, sum(halves))


def _passes(plan: JoinPlan, room: float, blocks: int) -> tuple[int, int]:
    """The numbers of groups of blocks of a side, the larger one, and of passes."""
    bytes_kept = plan.cost.kept * _uses(plan)
    room = max(1.0, room)
    if plan.flip:
        groups = 1 if bytes_kept <= room else min(math.ceil(2 * bytes_kept / room), blocks)
        return groups, groups * (groups + 1) // 2
    if plan.group:
        groups = min(max(2, math.ceil(bytes_kept / room)), blocks)
        return groups, groups**2
    larger = _larger(plan)
    groups = max(1, min(math.ceil(2 * larger / room), blocks))
    # A block of the smaller half meets some two shelves.
    return groups, groups * math.ceil(4 * (bytes_kept - larger) / (groups * room))


def most_of(plan: JoinPlan) -> int:
    """A bound on the numbers of a count; folding multiplies by at most 4."""
    return 4 * plan.graph.most_cycles


def _runs(plan: JoinPlan) -> int:
    """The number of counts: one, or one that overflows and one for each prime."""
    exact = EXACT_CELLS - (6 if plan.tallied or plan.group else 0)
    if max(len(plan.top), len(plan.bottom)) <= exact:
        return 1
    return 1 + math.ceil(math.log2(most_of(plan)) / math.log2(moduli_for(plan)[0]))


def moduli_for(plan: JoinPlan) -> tuple[int, ...]:
    """Bounds of the moduli of a count, from the one that takes the fewest counts."""
    return MODULI if plan.tallied or plan.group else (_LARGEST_MODULUS, *MODULI)


def estimate(plan: JoinPlan, settings: Settings) -> Estimate:
    """Estimate for a plan: states, memory, disk if it goes in passes, and time.

    A plan that is refused has the estimate of a count in one go.
    """
    fit = next(fits(plan, settings), None)
    found = fit or _ways(plan, settings)[0]
    text = str(found)
    if (runs := _runs(plan)) > 1:
        text += f", modulo {runs - 1} primes"
    if fit is None:
        text += ", refused: too large even in passes"
    states = plan.cost.at_once * _uses(plan)
    return Estimate(text, states, found.bytes, found.seconds, found.disk, refused=fit is None)


def refusal(problem: TourProblem, plan: JoinPlan, settings: Settings, *, tried: bool = False) -> LimitReached:
    """The error for a plan that does not fit, with what it needs; or that met its limit in all ways."""
    ways = _ways(plan, settings)
    held = settings.memory_limit - settings.memory_budget
    least = min(ways, key=lambda each: each.bytes)
    limit = shown_bytes(settings.memory_limit)
    begin = f"counting {problem} by halves ({plan.name}) needs about {shown_bytes(held + ways[0].bytes)}"
    if tried:
        return OutOfMemory(f"{begin}, and more than there is in passes; the memory limit is {limit}")
    passing = [each for each in ways if each.bytes <= settings.memory_budget]
    if not passing:
        return LimitReached(
            f"{begin}, and {shown_bytes(held + least.bytes)} in passes; the memory limit is {limit}"
        )
    fastest = min(passing, key=lambda each: each.seconds)
    there = shown_bytes(disk_budget(settings, settings.spill))
    return LimitReached(
        f"{begin}, or {shown_bytes(fastest.disk)} of disk in passes; the memory limit is {limit}, of disk "
        f"{there} (--disk): it would take {shown_seconds(fastest.seconds)}"
    )


def check_ranking_memory(problem: TourProblem, plan: JoinPlan, settings: Settings) -> None:
    """Raise LimitReached if numbering the tours needs far more memory than there is, by estimate.

    The tables are not folded, and a fourth of their layers is kept at least.
    """
    needed = _fixed(plan, settings.thread_budget, 2) + 2 * plan.cost.made
    if settings.spill is None and needed > _HOPELESS * settings.memory_budget:
        raise LimitReached(
            f"numbering the tours of {problem} by halves ({plan.name}) needs about {shown_bytes(needed)}; "
            f"the memory limit is {shown_bytes(settings.memory_limit)}: give more, or a folder by --spill"
        )
