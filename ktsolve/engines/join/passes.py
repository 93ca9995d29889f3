"""Joining in passes, when the tables of two halves would not fit into memory.

The states of a half are divided into *blocks* by the degrees that the half gives to some cells of the
separator. The table of each block is made and kept on disk: making it takes more memory than it has in the
end. Then as many blocks as fit are joined with as many others in one pass. The count is the sum over the
passes. Most steps of a sweep are taken once for many blocks: for all of them as long as a layer and the next
leave memory for the steps of a block, then for all with the same sum of the first set, and so on. The layers
from which several blocks go on are kept on disk until the next ones are.

Where that layer would not fit into memory either, because the half is long, the sweep has *stages*: after
some steps its states are divided into blocks, too, by cells that get no edge before the next stage. Each
block is continued by itself up to there and divided among the blocks of the next stage, or of the half;
these are put together from all such parts, and no state is made twice.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple

from ktsolve import _native
from ktsolve.base.errors import LimitReached
from ktsolve.engines.join.plan import JoinPlan, JoinStage, larger_half, layer_bytes
from ktsolve.problem.cycle_graph import CycleGraph, Edge

__all__ = [
    "WHOLE",
    "Block",
    "BlockPair",
    "PassSum",
    "PassSums",
    "block_pairs",
    "blocks_meet",
    "blocks_of",
    "completes",
    "digest",
    "dividing_sets",
    "last_touched",
    "leading_blocks",
    "parts_of",
    "pass_key",
    "plan_key",
    "shelves",
    "singles_of",
    "sums_of",
    "table_file",
    "with_blocks",
]

Block = tuple[int, ...]
"""For each set of cells of a plan the sum of the degrees that a half gives to its cells."""


@dataclass(frozen=True)
class BlockPair:
    """What is joined in one pass: blocks of either half, or all states if there are none.

    The weight is 2 if the pair stands also for the one with sides exchanged, else 1.
    """

    top: tuple[Block, ...]
    bottom: tuple[Block, ...]
    weight: int


_FORMAT = 3  # version of half tables on disk: changes with their meaning, so that older files are not used
_FORMAT_BY_GROUP = 1  # the same for those of counts by a group

_SPARE = 2  # sets by which blocks are divided that turn out too large

WHOLE = BlockPair((), (), 1)
"""The only pass of a plan without blocks."""


def with_blocks(
    plan: JoinPlan, sets: int, most: float = math.inf, single_pairs: int = -1, early: bool = False
) -> JoinPlan | None:
    """The plan with blocks by that many sets of separator cells; None if there are fewer sets.

    A set is a cell and its mirror images. The extra vertex of an open tour comes first, as the halves have
    none, one or two of the ends. Preferred are then, in this order: cells that both halves touch; cells
    that get their last edge early in both sweeps, because states of other blocks are then dropped earlier and
    the largest layers are smaller; cells without deferred edges of the top, because then no pattern is joined
    in two passes; cells that get their first edge late, because the layers before it are made once for all
    blocks. Where these layers take more than ``most`` bytes by estimate, the half is divided before, in
    stages; with ``early`` cells are chosen that make this needless, which get their last edge early in the
    larger half, those with the earliest first edge first. Where the halves differ some sets are spared.

    With a group the sets are the cells that get their last edge first. Unless ``single_pairs`` is negative
    patterns of so many pairs of ends or more are blocks by themselves.
    """
    if plan.group:
        plan = replace(plan, single_pairs=single_pairs, divided=sets)
        own = [leading_blocks(plan, upper=upper)[0] for upper in (True, False)]
        if len(own[0]) < sets:
            return None
        upper_sets, lower_sets = (tuple((v,) for v in cells) for cells in own)
        return replace(plan, blocks=upper_sets, bottom_blocks=() if plan.flip else lower_sets)
    mirrors = {plan.top_mirror, plan.bottom_mirror} - {()}
    deferred = {v for edge in plan.top_deferred for v in edge}
    separator = [v for v in plan.separator if v != plan.graph.extra]
    orders = (plan.top,) if plan.flip else (plan.top, plan.bottom)
    ends = [(plan.graph.extra,)] if plan.graph.extra in plan.separator and plan.split < 0 else []
    found = dividing_sets(plan.graph, orders, separator, mirrors, deferred)
    chosen = [*ends, *(_early_sets(plan, found, sets - len(ends), most) if early else found)][:sets]
    if len(chosen) < sets:
        return None
    top = _stages(plan, chosen, most, upper=True)
    bottom = () if plan.flip else _stages(plan, chosen, most, upper=False)
    others = [] if plan.flip else [cells for cells in found if cells not in chosen]
    spare = _early_sets(plan, others, _SPARE, most)
    return replace(plan, blocks=tuple(chosen), spare=tuple(spare), top_stages=top, bottom_stages=bottom)


def dividing_sets(
    graph: CycleGraph,
    orders: Sequence[Sequence[int]],
    frontier: Iterable[int],
    mirrors: Collection[Sequence[int]],
    deferred: Collection[int],
) -> list[tuple[int, ...]]:
    """Sets of vertices of the frontier after sweeps in these orders, the best first."""
    # Steps are counted back from the end, where the sweeps meet.
    places = [{v: i - len(order) for i, v in enumerate(order)} for order in orders]
    candidates: dict[tuple[int, ...], tuple[bool, int, bool, int]] = {}
    for v in frontier:
        cells = _closed({v}, mirrors)
        around = {u for w in cells for u in graph.around[w]}
        touched = [[place[u] for u in around if u in place] for place in places]
        reached = [each for each in touched if each]
        if reached:
            last, first = max(map(max, reached)), min(map(min, reached))
            one_sided = len(reached) < len(orders)
            candidates[cells] = (one_sided, last, any(w in deferred for w in cells), -first)
    return sorted(candidates, key=lambda cells: (*candidates[cells], cells))


def _early_sets(
    plan: JoinPlan, sets: Iterable[tuple[int, ...]], number: int, most: float
) -> list[tuple[int, ...]]:
    """The sets that get their last edge first in the larger half, of those that no layer is too large for."""
    halves = [(plan.top, plan.top_mirror)]
    if not plan.flip:
        halves.append((plan.bottom, plan.bottom_mirror))
    sizes = [layer_bytes(plan, order, mirror) for order, mirror in halves]
    order = halves[larger_half(plan)][0]

    def fits(cells: tuple[int, ...]) -> bool:
        touched = [_first_touched(plan.graph, each, cells) for each, _ in halves]
        return all(max(of[:first], default=0) <= most for of, first in zip(sizes, touched, strict=True))

    found = sorted(filter(fits, sets), key=partial(last_touched, plan.graph, order))[:number]
    return sorted(found, key=lambda cells: _first_touched(plan.graph, order, cells))


def _stages(
    plan: JoinPlan, blocks: Sequence[tuple[int, ...]], most: float, *, upper: bool
) -> tuple[JoinStage, ...]:
    """Stages such that no layer takes more than ``most`` bytes before its states are divided.

    From each stage to the next no edge comes to the cells by which it divides the states, so that no state is
    made in two of its blocks. Of all such chains of stages the one whose files have the fewest bytes.
    """
    order, mirror = (plan.top, plan.top_mirror) if upper else (plan.bottom, plan.bottom_mirror)
    sizes = layer_bytes(plan, order, mirror)
    divided = max((_first_touched(plan.graph, order, group) for group in blocks), default=len(order))
    if max(sizes[:divided], default=0) <= most:
        return ()
    first = max(1, next(i for i, size in enumerate(sizes) if size > most))
    best: dict[int, tuple[float, tuple[JoinStage, ...]]] = {len(order): (0.0, ())}
    for begin in range(len(order) - 1, 0, -1):
        stages = _stages_after(plan, begin, sorted(best), len(blocks), upper=upper)
        ways = [(sizes[begin - 1] + best[end][0], (stage, *best[end][1])) for end, stage in stages]
        if ways:
            best[begin] = min(ways, key=itemgetter(0))
    early = [chain for begin, chain in best.items() if begin <= first] or [best[min(best)]]
    return min(early, key=itemgetter(0))[1]


def _stages_after(
    plan: JoinPlan, begin: int, ends: Iterable[int], sets: int, *, upper: bool
) -> Iterator[tuple[int, JoinStage]]:
    """Stages after ``begin`` steps by as many sets of cells that get no edge before the end, for these ends.

    They end where there are too few sets. Those with the most edges to what is gone divide best.
    """
    order, mirror = (plan.top, plan.top_mirror) if upper else (plan.bottom, plan.bottom_mirror)
    graph, gone = plan.graph, set(order[:begin])
    known = {u for v in gone for u in graph.around[v]} - gone
    edges: dict[tuple[int, ...], int] = {}
    for cells in {_closed({v}, {tuple(mirror)} - {()}) for v in known - {graph.extra, plan.split}}:
        found = sum(min(3, len(gone.intersection(graph.around[v]))) for v in cells)
        if known.issuperset(cells) and found > len(cells):
            edges[cells] = found
    preapplied = plan.top_preapplied if upper else plan.bottom_preapplied
    late = {v for group in preapplied for edge in group for v in edge}
    for end in ends:
        touched = {u for v in order[begin:end] for u in (v, *graph.around[v])}
        edges = {cells: found for cells, found in edges.items() if touched.isdisjoint(cells)}
        if len(edges) < sets:
            return
        later = late if end == len(order) else set()
        rank = {cells: (not later.isdisjoint(cells), -found, cells) for cells, found in edges.items()}
        chosen = tuple(sorted(rank, key=lambda cells: rank[cells])[:sets])
        yield end, JoinStage(begin, chosen, tuple(sums_of(graph, gone, chosen)))


def _first_touched(graph: CycleGraph, order: Sequence[int], cells: Iterable[int]) -> int:
    """The number of steps before the first that gives an edge to one of these cells."""
    around = {u for v in cells for u in graph.around[v]}
    return next((i for i, v in enumerate(order) if v in around), len(order))


def last_touched(graph: CycleGraph, order: Sequence[int], cells: Iterable[int]) -> int:
    """The number of steps before the last that gives an edge to one of these cells, or -1."""
    around = {u for v in cells for u in graph.around[v]}
    return max((i for i, v in enumerate(order) if v in around), default=-1)


def _closed(cells: set[int], mirrors: Collection[Sequence[int]]) -> tuple[int, ...]:
    """The cells with all their images, and the images of those."""
    while more := {mirror[v] for v in cells for mirror in mirrors} - cells:
        cells |= more
    return tuple(sorted(cells))


def shelves(sizes: Mapping[Block, int], room: float) -> list[tuple[Block, ...]]:
    """The blocks in few groups of at most that size together, or of one block each that is larger.

    >>> shelves({(0,): 3, (1,): 9, (2,): 5, (3,): 1}, 8)
    [((1,),), ((2,), (0,)), ((3,),)]
    """
    found: list[list[Block]] = []
    free: list[float] = []
    for block, size in sorted(sizes.items(), key=lambda item: (-item[1], item[0])):
        place = next((i for i, left in enumerate(free) if size <= left), len(free))
        if place == len(free):
            found.append([])
            free.append(room)
        found[place].append(block)
        free[place] -= size
    return [tuple(group) for group in found]


def block_pairs(
    plan: JoinPlan, tops: Sequence[tuple[Block, ...]], bottoms: Sequence[tuple[Block, ...]]
) -> Iterator[BlockPair]:
    """The passes over groups of blocks: all pairs that can have complementary patterns.

    If the plan has a flip the groups of the bottom are those of the top. Single patterns of the top are
    joined one by one with all of the bottom.
    """
    above, below = (singles_of(plan, itertools.chain(*groups)) for groups in (tops, bottoms))
    if plan.flip:
        below = above
    if below:
        yield from (BlockPair((block,), below, 1) for block in above)
    alone = frozenset((*above, *below))
    tops, bottoms = ([g for g in groups if alone.isdisjoint(g)] for groups in (tops, bottoms))
    if plan.flip:
        for i, a in enumerate(tops):
            for b in tops[i:]:
                yield BlockPair(a, b, 1 if a == b else 2)
        return
    if plan.group:  # the image of a complement may be in any block
        yield from (BlockPair(a, b, 1) for a in tops for b in bottoms)
        return
    meet = blocks_meet(plan)
    for top, bottom in itertools.product(tops, bottoms):
        if any(meet(a, b) for a in top for b in bottom):
            yield BlockPair(top, bottom, 1)


def blocks_meet(plan: JoinPlan) -> Callable[[Block, Block], bool]:
    """Whether two blocks can have complementary patterns, where there is no group."""
    return completes((*plan.blocks, *plan.spare), _ends([plan.top_deferred, plan.bottom_deferred]))


def completes(sets: Sequence[tuple[int, ...]], added: Collection[int]) -> Callable[[Block, Block], bool]:
    """Whether each cell can have degree 2 in the end, where up to so many ends of edges are ``added``.

    Blocks that are divided by more sets than the other are compared by the first.

    >>> meet = completes([(3, 4)], [3])
    >>> [meet((1,), (other,)) for other in range(5)]
    [False, False, True, True, False]
    """
    ends = Counter(added)
    most = [sum(min(2, ends[v]) for v in cells) for cells in sets]

    def meet(a: Block, b: Block) -> bool:
        missing = (2 * len(cells) - s - t for cells, s, t in zip(sets, a, b, strict=False))
        return all(0 <= m <= limit for m, limit in zip(missing, most, strict=False))

    return meet


def _ends(groups: Iterable[Iterable[Edge]]) -> list[int]:
    return [v for group in groups for edge in group for v in edge]


def blocks_of(plan: JoinPlan, *, upper: bool) -> Iterator[Block]:
    """All sums of degrees that a half, with its pre-applied edges, can give to the sets of cells.

    With a group those of patterns that may lead their orbits.
    """
    if plan.group:
        yield from leading_blocks(plan, upper=upper)[1]
        return
    never = (0 if upper else 2,) if plan.turned >= 0 and plan.blocks[0] == (plan.turned,) else None
    for block in _sums_of_half(plan, plan.blocks, upper=upper):
        if block[:1] != never:
            yield block


def parts_of(plan: JoinPlan, block: Block, *, upper: bool) -> list[Block]:
    """The blocks into which one is divided by the next of the spare sets; none if there are no more."""
    more = plan.spare[len(block) - len(plan.blocks) :][:1]
    return [block + sums for sums in _sums_of_half(plan, more, upper=upper)] if more else []


def _sums_of_half(plan: JoinPlan, sets: Iterable[tuple[int, ...]], *, upper: bool) -> Iterator[Block]:
    preapplied = _ends(plan.top_preapplied if upper else plan.bottom_preapplied)
    return sums_of(plan.graph, set(plan.top if upper else plan.bottom), sets, preapplied)


def leading_blocks(plan: JoinPlan, *, upper: bool) -> tuple[list[int], list[Block]]:
    """The separator cells whose degrees are final first, and the degrees of patterns that may lead."""
    first, degrees = _native.join_blocks(*plan.graph.arrays(), plan.native(), upper, plan.divided)
    return first, [tuple(block) for block in degrees]


def singles_of(plan: JoinPlan, blocks: Iterable[Block]) -> tuple[Block, ...]:
    """The blocks that are one pattern each."""
    return tuple(block for block in blocks if plan.single_pairs >= 0 and len(block) == len(plan.separator))


def sums_of(
    graph: CycleGraph, half: Collection[int], sets: Iterable[Iterable[int]], preapplied: Sequence[int] = ()
) -> Iterator[Block]:
    """All sums of degrees that a half, and more ends of edges, can give to sets of cells."""

    def degree(v: int) -> int:
        return min(2, sum(u in half for u in graph.around[v]) + preapplied.count(v))

    return itertools.product(*(range(sum(degree(v) for v in cells) + 1) for cells in sets))


def digest(*parts: object) -> str:
    """A key of 16 letters of these parts, as their text is in Python."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def plan_key(plan: JoinPlan, modulus: int) -> str:
    """A key of everything that a half table depends on.

    >>> from ktsolve import TourProblem
    >>> from ktsolve.problem.cycle_graph import CycleGraph
    >>> from ktsolve.engines.join.planning import best_plan
    >>> problem = TourProblem(board="6x6", closed=True)
    >>> plan = best_plan(problem, CycleGraph.of(problem))
    >>> len(plan_key(plan, 0)), plan_key(plan, 0) == plan_key(plan, 7)
    (16, False)
    """
    depends_on = (
        *(_FORMAT, plan.graph.vertices, plan.graph.pairs, tuple(plan.graph.required.tolist())),
        *((plan.tallied,) if plan.tallied else ()),
        *(("turned",) if plan.turned >= 0 else ()),
        *(plan.top, plan.bottom, plan.separator, plan.top_preapplied, plan.bottom_preapplied),
        *(plan.top_mirror, plan.bottom_mirror, plan.split, plan.colour, plan.blocks),
        *((plan.spare,) if plan.spare else ()),
        *((plan.top_stages, plan.bottom_stages) if plan.top_stages or plan.bottom_stages else ()),
        *((_FORMAT_BY_GROUP, plan.group, plan.bottom_blocks, plan.single_pairs) if plan.group else ()),
        modulus,
    )
    return digest(*depends_on)


def pass_key(plan: JoinPlan, modulus: int, part: tuple[int, int]) -> str:
    """A key of everything that the sum of a pass depends on, beside its blocks."""
    sides = (plan.top_deferred, plan.bottom_deferred, plan.flip, plan.mirror_joins)
    depends_on = (plan_key(plan, modulus), plan_key(plan.turned_over(), modulus), sides, part)
    return digest(*depends_on)


def table_file(folder: str, key: str, block: Block, *, upper: bool) -> str:
    """The file in which the native core keeps the table of a block of a half."""
    return os.path.join(folder, "-".join([key, "top" if upper else "bottom", *map(str, block)]) + ".layer")


class PassSum(NamedTuple):
    """The sum of a pass: the number, or those of a tally, times ``divisor``, or the residues of these."""

    numbers: list[int]
    divisor: int


class PassSums:
    """A text file with a line for each pass, in JSON; lines with a wrong checksum are passed over.

    >>> import tempfile
    >>> from ktsolve.engines.join.passes import WHOLE
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     PassSums(folder, "9x10").add(WHOLE, PassSum([12], 4))
    ...     PassSums(folder, "9x10").get(WHOLE)
    PassSum(numbers=[12], divisor=4)
    """

    def __init__(self, folder: str, key: str) -> None:
        self.path = os.path.join(folder, f"{key}.sums")
        self._sums: dict[tuple[_Blocks, _Blocks], PassSum] = {}
        try:
            with open(self.path, "rb") as file:
                lines = file.read().splitlines()
        except FileNotFoundError:
            return
        for line in lines:
            try:
                read = json.loads(line)
                numbers = [int(number) for number in read["numbers"]]
                if read.pop("checksum") == _checksum(read):
                    self._sums[_tuples(read["top"]), _tuples(read["bottom"])] = PassSum(
                        numbers, read["divisor"]
                    )
            except (ValueError, TypeError, KeyError, AttributeError):
                continue  # cut short when the run before was killed

    def get(self, joined: BlockPair) -> PassSum | None:
        """The sum of a pass that was done before."""
        return self._sums.get((joined.top, joined.bottom))

    def shelf(self, first: Block, *, upper: bool) -> _Blocks:
        """The blocks from this one on, or from parts of it, that were joined with all of the other half."""
        for sides in self._sums:
            own, other = sides if upper else sides[::-1]
            if not other and own and own[0][: len(first)] == first:
                return own
        return ()

    def add(self, joined: BlockPair, found: PassSum) -> None:
        """Write the sum of a pass to the disk. Raises LimitReached where that fails."""
        written = {
            "top": [list(block) for block in joined.top],
            "bottom": [list(block) for block in joined.bottom],
            "numbers": [str(number) for number in found.numbers],
            "divisor": found.divisor,
        }
        line = json.dumps({**written, "checksum": _checksum(written)}).encode()
        try:
            with open(self.path, "ab") as file:
                file.write(b"\n" * (file.tell() > 0) + line)  # an incomplete line ends there
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise LimitReached(f"{self.path}: {error.strerror or error}") from None
        self._sums[joined.top, joined.bottom] = found


_Blocks = tuple[Block, ...]


def _tuples(blocks: list[list[int]]) -> _Blocks:
    return tuple(tuple(int(degree) for degree in block) for block in blocks)


def _checksum(written: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(written, sort_keys=True).encode()).hexdigest()[:16]
