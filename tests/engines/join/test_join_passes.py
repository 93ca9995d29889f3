"""Counts of the join in passes and stages, and their half tables on disk: sums, resuming, damaged files."""

from __future__ import annotations

import json
import math
import re
import struct
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from marks import full, slow
from strategies import examples, small_problems

from ktsolve import Board, TourProblem
from ktsolve.base.errors import LimitReached, OutOfMemory
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.join import summing
from ktsolve.engines.join.calls import Work, make_tables, run_pass
from ktsolve.engines.join.fitting import fits
from ktsolve.engines.join.passes import (
    WHOLE,
    Block,
    BlockPair,
    PassSums,
    block_pairs,
    blocks_meet,
    blocks_of,
    parts_of,
    pass_key,
    plan_key,
    shelves,
    table_file,
    with_blocks,
)
from ktsolve.engines.join.plan import larger_half
from ktsolve.engines.join.planning import best_plan, plans_for
from ktsolve.engines.join.run import count_along
from ktsolve.engines.registry import engine_named
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.verify.published import known_value

QUICK = Settings(timeout=60, threads=2)
COUNTS = Path(__file__).parents[3] / "docs" / "counts"


def frontier(problem: TourProblem) -> int:
    return engine_named("frontier").count(problem, QUICK).count


@pytest.mark.parametrize("sets", [1, 2])
@pytest.mark.parametrize(
    "problem",
    [
        TourProblem(board="6x6", closed=True),
        full(TourProblem(board="6x7", closed=True)),
        TourProblem(board="5x5", closed=False),
        full(TourProblem(board="5x6", closed=False)),
        full(TourProblem(board="6x6", closed=False, start="a1")),
        TourProblem(board=Board.parse("3x8", leaper=(0, 1)), closed=False),
    ],
    ids=str,
)
def test_passes_add_up(problem: TourProblem, sets: int, tmp_path: Path) -> None:
    plan = with_blocks(best_plan(problem, CycleGraph.of(problem)), sets)
    assert plan is not None
    assert len(list(blocks_of(plan, upper=True))) > 1
    expected = frontier(problem)
    kept = replace(QUICK, spill=str(tmp_path))
    assert count_along(problem, plan, kept, Clock(60)).count == expected
    for sums in tmp_path.glob("*.sums"):
        sums.unlink()
    assert list(tmp_path.iterdir())
    again = count_along(problem, plan, kept, Clock(60))
    assert again.count == expected
    assert again.details["transitions"] == 0, "half tables were found on disk"
    parts = [count_along(problem, plan, kept, Clock(60), (i, 4)).count for i in range(4)]
    assert sum(parts) == expected
    # A part is the same number whatever the passes: parts of one count may have different memory limits.
    in_one_go = replace(plan, blocks=())
    assert parts == [count_along(problem, in_one_go, QUICK, Clock(60), (i, 4)).count for i in range(4)]


def test_tables_on_disk_have_two_bytes_a_state(tmp_path: Path) -> None:
    problem = TourProblem(board="6x10", closed=True)
    plan = best_plan(problem, CycleGraph.of(problem))
    report = run_pass(Work(problem, plan, QUICK, Clock(60), (0, 1)), 0, WHOLE, str(tmp_path))
    (file,) = tmp_path.iterdir()
    assert file.stat().st_size < 2 * report.top[-1].kept
    assert report.top[-1].kept == 167267


@examples(40)
@given(small_problems(), st.integers(1, 2), st.sampled_from([0, 1 << 20, 1 << 40]))
def test_passes_of_any_problem_add_up(problem: TourProblem, sets: int, room: int) -> None:
    """Each block by itself, some together, all at once."""
    graph = CycleGraph.of(problem)
    assume(not graph.impossible and len(problem.board) > 6)
    plans = plans_for(problem, graph)
    assume(bool(plans))
    plan = with_blocks(plans[0], sets)
    assume(plan is not None and len(list(blocks_of(plan, upper=True))) < 20)
    assert plan is not None
    with patch.object(summing, "room_of_pass", lambda plan, settings, threads: room):
        assert count_along(problem, plan, QUICK, Clock(60)).count == frontier(problem)


@pytest.mark.parametrize("sets", [1, 2])
@pytest.mark.parametrize(
    "problem",
    [
        full(TourProblem(board="6x9", closed=True)),
        slow(TourProblem(board="6x14", closed=True)),
        TourProblem(board="5x12", closed=True),
        full(TourProblem(board="5x10", closed=False)),
        full(TourProblem(board="4x12", closed=False, start="a1")),
    ],
    ids=str,
)
def test_stages_add_up(problem: TourProblem, sets: int, tmp_path: Path) -> None:
    """Long halves are divided before the separator, too: here at all ends of lines."""
    plan = with_blocks(best_plan(problem, CycleGraph.of(problem)), sets, 0)
    assert plan is not None
    assert plan.top_stages or plan.bottom_stages
    kept = replace(QUICK, spill=str(tmp_path))
    expected = frontier(problem)
    assert count_along(problem, plan, kept, Clock(60)).count == expected
    stages = [(side, stage) for side in ("top", "bottom") for stage in getattr(plan, f"{side}_stages")]
    for side, stage in stages:
        assert len(list(tmp_path.glob(f"*-{side}*-{stage.steps}-*.layer"))) >= len(stage.sums)
    for file in [*tmp_path.glob("*.sums"), *tmp_path.glob("*-top-1*.layer")]:
        file.unlink()
    # From what is still there, each block by itself: some have no states.
    with patch.object(summing, "room_of_pass", lambda plan, settings, threads: 0):
        assert count_along(problem, plan, kept, Clock(60)).count == expected


@pytest.mark.parametrize(("board", "sets"), [("6x9", 1), full("6x9", 2)])
def test_what_a_block_of_a_stage_leads_to_is_divided(board: str, sets: int, tmp_path: Path) -> None:
    """The tables of all blocks together, of each by itself, and where the disk has no room for all.

    Each table has one segment: those of larger ones may lie in any order.
    """
    problem = TourProblem(board=board, closed=True)
    plan = with_blocks(best_plan(problem, CycleGraph.of(problem)), sets, 0)
    assert plan is not None
    assert len(plan.top_stages) > 2
    tops = list(blocks_of(plan, upper=True))

    def made(name: str, blocks: list[Block], disk: int | None = None) -> tuple[Path, int]:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        report = make_tables(plan, replace(QUICK, disk=disk), Clock(60), 0, (blocks, []), str(folder))
        assert not list(folder.glob("*-of-*"))
        return folder, report.transitions

    together, work = made("together", tops)
    for block in tops:
        apart, _ = made("apart", [block])
    files = {file.name: file.read_bytes() for file in together.iterdir()}
    assert len(files) > len(tops)
    assert files == {file.name: file.read_bytes() for file in apart.iterdir()}
    short, more = made("short", tops, bytes_in(together) // 2)
    assert 0 < bytes_in(short) <= bytes_in(together) // 2
    assert more > work


def test_where_halves_have_stages() -> None:
    """Where the layers that no block divides would take more than is allowed."""
    problem = TourProblem(board="9x14", closed=True)
    plan = best_plan(problem, CycleGraph.of(problem))

    def stages(most: float) -> list[tuple[int, int]]:
        blocks = with_blocks(plan, 2, most)
        assert blocks is not None
        return [(stage.steps, len(stage.sums)) for stage in blocks.top_stages]

    assert len(plan.top) == 54
    assert stages(math.inf) == []
    assert stages(1e10) == [(32, 25), (41, 25), (50, 25)]
    found = with_blocks(plan, 2, 1e10)
    assert found is not None
    ends = [*(stage.steps for stage in found.top_stages[1:]), len(plan.top)]
    for stage, end in zip(found.top_stages, ends, strict=True):
        assert {plan.top_mirror[v] for v in stage.cells[0]} == set(stage.cells[0])
        # From one stage to the next no state comes to another block.
        between = plan.top[stage.steps : end]
        cells = {v for each in stage.cells for v in each}
        assert cells.isdisjoint(u for v in between for u in (v, *plan.graph.around[v]))


def test_sets_that_make_stages_needless() -> None:
    """Touched before layers are too large, and of these the ones that are final first in the larger half."""
    problem = TourProblem(board="9x9", closed=False)
    plan = best_plan(problem, CycleGraph.of(problem))
    late, early = (with_blocks(plan, 4, 7e9, early=early) for early in (False, True))
    assert late is not None
    assert early is not None
    assert late.bottom_stages
    assert (early.top_stages, early.bottom_stages) == ((), ())
    assert late.blocks[0] == early.blocks[0] == (plan.graph.extra,)

    def touched(cells: tuple[int, ...]) -> list[int]:
        return [step for step, v in enumerate(plan.bottom, 1) if set(plan.graph.around[v]) & set(cells)]

    first, last = ([touched(cells)[end] for cells in early.blocks[1:]] for end in (0, -1))
    assert first == sorted(first)
    assert max(last) <= len(plan.bottom) - 4
    assert with_blocks(plan, 4, 0, early=True) is None


def test_blocks_are_joined_together_where_they_fit() -> None:
    sizes: dict[tuple[int, ...], int] = {(0,): 40, (1,): 70, (2,): 30, (3,): 20}
    assert shelves(sizes, 100) == [((1,), (2,)), ((0,), (3,))]
    assert shelves(sizes, 0) == [((1,),), ((0,),), ((2,),), ((3,),)]
    problem = TourProblem(board="6x6", closed=True)
    plan = with_blocks(best_plan(problem, CycleGraph.of(problem)), 1)
    assert plan is not None
    assert plan.flip
    tops = list(blocks_of(plan, upper=True))
    groups = [tuple(tops[:2]), tuple(tops[2:])]
    pairs = {(a, b): p.weight for p in block_pairs(plan, groups, []) for a in p.top for b in p.bottom}
    # Each unordered pair of blocks once, where it stands for both orders, or both ways.
    assert all(pairs.get((a, b), 0) + pairs.get((b, a), 0) == 2 for a in tops for b in tops)


def stopped_after(passes: int, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Have counts stop after so many passes; the number of passes left, which may be changed."""
    native, left = run_pass, [passes]

    def stopped(*args: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise LimitReached("stopped")
        return native(*args)

    monkeypatch.setattr(summing, "run_pass", stopped)
    return left


def test_a_stopped_count_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sums of passes lie beside the tables; a damaged line is counted again."""
    problem = TourProblem(board="6x6", closed=True)
    plan = with_blocks(best_plan(problem, CycleGraph.of(problem)), 1)
    assert plan is not None
    kept = replace(QUICK, spill=str(tmp_path))
    monkeypatch.setattr(summing, "room_of_pass", lambda plan, settings, threads: 0)
    left = stopped_after(2, monkeypatch)
    with pytest.raises(LimitReached, match="stopped"):
        count_along(problem, plan, kept, Clock(60))
    (file,) = tmp_path.glob("*.sums")
    done = file.read_text("utf-8").splitlines()
    assert len(done) == 2
    left[0] = 100
    assert count_along(problem, plan, kept, Clock(60)).count == 9862
    all_passes = file.read_text("utf-8").splitlines()
    assert all_passes[:2] == done
    assert 100 - left[0] == len(all_passes) - 2
    # One line is cut short, and one has another number.
    read = json.loads(all_passes[1])
    read["numbers"] = ["1"]
    file.write_text("\n".join([all_passes[0][:-20], json.dumps(read), *all_passes[2:]]), "utf-8")
    left[0] = 2
    assert count_along(problem, plan, kept, Clock(60)).count == 9862
    assert left[0] == 0


@pytest.mark.parametrize("board", ["6x7", "5x5"])
def test_blocks_that_do_not_meet_have_no_tours(board: str, tmp_path: Path) -> None:
    """By the cells with most separator moves, which may add two to the degrees; and by the ends."""
    problem = TourProblem(board=board, closed=board == "6x7")
    plan = best_plan(problem, CycleGraph.of(problem))
    assert not plan.flip
    added = [v for edge in (*plan.top_deferred, *plan.bottom_deferred) for v in edge]
    cell = max(plan.separator, key=added.count)
    assert added.count(cell) == 2
    cells = tuple(sorted({cell, plan.top_mirror[cell]}))
    ends = [] if plan.graph.extra is None else [(plan.graph.extra,)]
    plan = replace(plan, blocks=(cells, *ends))
    work = Work(problem, plan, QUICK, Clock(60), (0, 1))
    meet, total, met, joined = blocks_meet(plan), 0, set(), set()
    for top in blocks_of(plan, upper=True):
        for bottom in blocks_of(plan, upper=False):
            report = run_pass(work, 0, BlockPair((top,), (bottom,), 1), str(tmp_path))
            total += report.count // report.divisor
            met |= {(top, bottom)} if meet(top, bottom) else set()
            joined |= {(top, bottom)} if report.count else set()
    assert total == frontier(problem)
    assert joined <= met
    assert len(met) < len(list(blocks_of(plan, upper=True))) * len(list(blocks_of(plan, upper=False)))


OPEN = TourProblem(board="5x9", closed=False)
OPEN_TOURS = 264895640


def test_of_many_tables_in_files_few_layers_are_reported(tmp_path: Path) -> None:
    """The layers of thousands of blocks would take more memory than the blocks."""
    problem = TourProblem(board="6x8", closed=True)
    plan = with_blocks(best_plan(problem, CycleGraph.of(problem)), 2)
    assert plan is not None

    def states(blocks: list[Block]) -> list[int]:
        folder = tmp_path / "-".join(str(b) for block in blocks for b in block)
        folder.mkdir()
        report = make_tables(plan, QUICK, Clock(60), 0, (blocks, []), str(folder))
        return [layer.states for layer in report.top]

    tops = list(blocks_of(plan, upper=True))
    each = [states([block]) for block in tops]
    with pytest.raises(LimitReached, match=rf"\d+ tables of {len(tops)} made"):
        make_tables(plan, QUICK, Clock(0), 0, (tops, []), str(tmp_path))
    together = states(tops)
    assert len(together) <= 2 < len(tops)
    assert max(together) == max(map(max, each))
    assert together[-1] == each[-1][-1]


def shelved(
    folder: Path, disk: int | None, rooms: list[int], native: Callable[..., Any] = make_tables
) -> tuple[int, list[tuple[int, ...]]]:
    """The count of OPEN in blocks, and the blocks of the larger half that were made; the rooms of passes."""
    plan = with_blocks(best_plan(OPEN, CycleGraph.of(OPEN)), 2)
    assert plan is not None
    assert not plan.flip
    assert plan.blocks[0] == (plan.graph.extra,)
    made: list[tuple[int, ...]] = []

    def recorded(plan: Any, settings: Any, clock: Any, modulus: int, blocks: Any, folder: str) -> Any:
        key = plan_key(plan, modulus)
        made.extend(b for b in blocks[1] if not Path(table_file(folder, key, b, upper=False)).exists())
        return native(plan, settings, clock, modulus, blocks, folder)

    settings = replace(QUICK, spill=str(folder), disk=disk)
    with (
        patch.object(summing, "room_of_pass", lambda plan, settings, threads: rooms[0]),
        patch.object(summing, "make_tables", recorded),
    ):
        return count_along(OPEN, plan, settings, Clock(60)).count, made


def bytes_in(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.glob("*.layer"))


def test_shelves_are_removed_where_the_disk_is_short(tmp_path: Path) -> None:
    """Each table of the larger half is made once, though they never are on the disk together."""
    (whole := tmp_path / "whole").mkdir()
    (short := tmp_path / "short").mkdir()
    room = 1 << 13
    count, made = shelved(whole, None, [room])
    assert (count, len(made), len(set(made))) == (OPEN_TOURS, 10, 10)
    files = {file.name for file in whole.glob("*-bottom-[0-9]*.layer")}
    assert len(files) == 10
    disk = bytes_in(whole) * 3 // 4
    assert disk > 4 * room
    assert shelved(short, disk, [room]) == (count, made)
    assert bytes_in(short) <= disk
    assert {file.name for file in short.glob("*-bottom-[0-9]*.layer")} < files
    # All sums are known: nothing is made again.
    assert shelved(short, disk, [room]) == (count, [])


def test_shelves_that_are_joined_are_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = stopped_after(3, monkeypatch)
    with pytest.raises(LimitReached, match="stopped"):
        shelved(tmp_path, None, [0])
    (file,) = tmp_path.glob("*.sums")
    joined = [json.loads(line)["bottom"] for line in file.read_text("utf-8").splitlines()]
    done = {tuple(block) for (block,) in joined if joined.count([block]) > 1}
    assert done
    for layer in tmp_path.glob("*.layer"):
        layer.unlink()
    left[0] = 1000
    count, made = shelved(tmp_path, None, [0])
    assert count == OPEN_TOURS
    assert done.isdisjoint(made)


def test_a_block_that_does_not_fit_is_divided(tmp_path: Path) -> None:
    """In either half, by the spare sets one after the other; later runs find the parts, or their sums."""
    tried = Counter[tuple[int, ...]]()

    def short(plan: Any, settings: Any, clock: Any, modulus: int, blocks: Any, folder: str) -> Any:
        tried.update(block for side in blocks for block in side)
        if any(block[1:] in ((1,), (1, 1)) for side in blocks for block in side):
            raise OutOfMemory("too large")
        return make_tables(plan, settings, clock, modulus, blocks, folder)

    count, made = shelved(tmp_path, None, [1 << 13], short)
    assert count == OPEN_TOURS
    assert {len(block) for block in made} == {2, 3, 4}
    assert tried[1, 1] > 0
    (file,) = tmp_path.glob("*.sums")
    sums = file.read_text("utf-8").splitlines(keepends=True)
    file.write_text("".join(sums[: len(sums) // 2]), "utf-8")
    tried.clear()
    assert shelved(tmp_path, None, [1 << 13], short) == (OPEN_TOURS, [])
    assert tried[1, 1] == 0, "parts of it were there"
    for layer in tmp_path.glob("*-bottom-[0-9]*.layer"):
        layer.unlink()
    assert shelved(tmp_path, None, [1 << 13], short) == (OPEN_TOURS, [])


def test_a_shelf_that_does_not_fit_is_divided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    native, joined = summing._join_passes, []

    def short(work: Any, modulus: int, passes: Any, folder: str) -> Any:
        shelf = passes[0].bottom
        if len(shelf) > 2:
            raise OutOfMemory("three are too many")
        joined.append(shelf)
        return native(work, modulus, passes, folder)

    monkeypatch.setattr(summing, "_join_passes", short)
    count, made = shelved(tmp_path, None, [1 << 40])
    assert (count, len(made)) == (OPEN_TOURS, 10)
    assert max(map(len, joined)) == 2
    assert sorted(block for shelf in joined for block in shelf) == sorted(made)

    def never(work: Any, modulus: int, passes: Any, folder: str) -> Any:
        raise OutOfMemory("even one")

    monkeypatch.setattr(summing, "_join_passes", never)
    (empty := tmp_path / "empty").mkdir()
    with pytest.raises(OutOfMemory, match="more than there is in passes"):
        shelved(empty, None, [1 << 40])


@pytest.mark.parametrize("shared", [False, True])
def test_damaged_half_tables_are_noticed(shared: bool, tmp_path: Path) -> None:
    problem = TourProblem(board="6x6", closed=True)
    plan = with_blocks(best_plan(problem, CycleGraph.of(problem)), 1)
    assert plan is not None
    kept = replace(QUICK, spill=str(tmp_path))
    count_along(problem, plan, kept, Clock(60))
    chosen = [path for path in tmp_path.glob("*.layer") if ("-first-" in path.name) == shared]
    file = max(chosen, key=lambda path: path.stat().st_size)
    (sums,) = tmp_path.glob("*.sums")
    for path in [sums, *(tmp_path.glob("*.layer") if shared else [])]:
        if path != file:
            path.unlink()
    whole = file.read_bytes()
    middle = len(whole) // 2
    file.write_bytes(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :])
    with pytest.raises(LimitReached, match=r"half table on disk: .*\.layer: is damaged; remove it"):
        count_along(problem, plan, kept, Clock(60))
    file.write_bytes(whole[:1000])
    with pytest.raises(LimitReached, match=r"is damaged; remove it"):
        count_along(problem, plan, kept, Clock(60))
    file.write_bytes(b"x" * 5000)
    with pytest.raises(LimitReached, match=r"is not a half table of this version of ktsolve; remove it"):
        count_along(problem, plan, kept, Clock(60))
    file.write_bytes(whole)
    assert count_along(problem, plan, kept, Clock(60)).count == 9862
    with pytest.raises(LimitReached, match="No such file or directory"):
        count_along(problem, plan, replace(QUICK, spill=str(tmp_path / "absent")), Clock(60))


def _mixed(total: int, data: bytes) -> int:
    """The checksum of native/src/join/spill.cpp."""
    full = (1 << 64) - 1

    def rotl(x: int, by: int) -> int:
        return ((x << by) | (x >> (64 - by))) & full

    lanes = [total, total ^ 1, total ^ 2, total ^ 3]
    whole = len(data) // 32 * 32
    for n, word in enumerate(struct.unpack(f"<{whole // 8}Q", data[:whole])):
        lanes[n % 4] = (rotl(lanes[n % 4], 23) ^ word) * 0x9E3779B97F4A7C15 & full
    for byte in data[whole:]:
        lanes[0] = (rotl(lanes[0], 23) ^ byte) * 0x9E3779B97F4A7C15 & full
    first = lanes[0] ^ rotl(lanes[1], 17)
    return (first + (lanes[2] ^ rotl(lanes[3], 41)) + len(data)) & full


@dataclass
class _Group:
    """A group of a half table: the step from the pattern before, bits of its sum, and its entries."""

    step: int
    width: int
    sum_bits: int
    entries: list[tuple[int, int]]


def _read_groups(data: bytes, groups: int) -> list[_Group]:
    """The groups of a segment, as native/src/join/compressed_groups.hpp describes them."""
    stream, at = int.from_bytes(data, "little"), 0

    def take(bits: int) -> int:
        nonlocal at
        at += bits
        return stream >> (at - bits) & ((1 << bits) - 1)

    read = []
    for _ in range(groups):
        step, many = take(take(6)), take(take(6))
        group = _Group(step, take(4), take(6), [])
        rank = -1
        for n in range(many):
            if n % 64 == 0:
                step_bits, count_bits = take(6), take(6)
            rank += 1 + take(step_bits)
            group.entries.append((rank, take(count_bits)))
        read.append(group)
    assert 0 <= 8 * len(data) - at < 8
    return read


def _written_groups(groups: list[_Group]) -> bytes:
    stream, at = 0, 0

    def put(value: int, bits: int) -> None:
        nonlocal stream, at
        stream |= value << at
        at += bits

    def put_number(value: int) -> None:
        put(value.bit_length(), 6)
        put(value, value.bit_length())

    for group in groups:
        put_number(group.step)
        put_number(len(group.entries))
        put(group.width, 4)
        put(group.sum_bits, 6)
        last = -1
        for first in range(0, len(group.entries), 64):
            block = []
            for rank, count in group.entries[first : first + 64]:
                block.append((rank - last - 1, count))
                last = rank
            bits = [max(value.bit_length() for value in column) for column in zip(*block, strict=True)]
            put(bits[0], 6)
            put(bits[1], 6)
            for entry in block:
                put(entry[0], bits[0])
                put(entry[1], bits[1])
    return stream.to_bytes((at + 7) // 8, "little")


def _rewritten(file: Path, change: Callable[[list[_Group]], None]) -> bytes:
    """A half table on disk, changed behind the engine's back with a checksum that fits."""
    data = file.read_bytes()
    magic, segments, folded, _ = struct.unpack_from("<4Q", data)
    assert segments == 1
    place, _, many, _ = struct.unpack_from("<4Q", data, 32)
    groups = _read_groups(data[place:], many)
    change(groups)
    stream = _written_groups(groups)
    described = struct.pack("<3Q", place, len(stream), len(groups))
    described += struct.pack("<Q", _mixed(_mixed(0, described), stream))
    changed = struct.pack("<4Q", magic, segments, folded, _mixed(0, described)) + described + stream
    file.write_bytes(changed)
    return changed


def _one_more(groups: list[_Group]) -> None:
    """Adds one to the first count of the largest group."""
    group = max(groups, key=lambda group: len(group.entries))
    rank, count = group.entries[0]
    group.entries[0] = rank, count + 1


def _one_group_less(groups: list[_Group]) -> None:
    """Loses the largest group."""
    lost = max(range(len(groups) - 1), key=lambda n: len(groups[n].entries))
    groups[lost + 1].step += groups[lost].step
    del groups[lost]


@pytest.mark.parametrize("change", [_one_more, _one_group_less])
def test_planted_faults_change_the_count(change: Callable[[list[_Group]], None], tmp_path: Path) -> None:
    """A wrong count in a table, or a lost group, shows in the result, which other engines then contradict."""
    problem = TourProblem(board="6x6", closed=True)
    plan = best_plan(problem, CycleGraph.of(problem))
    kept = replace(QUICK, spill=str(tmp_path))
    assert count_along(problem, plan, kept, Clock(60)).count == 9862
    (file,) = tmp_path.iterdir()
    made = file.read_bytes()
    assert _rewritten(file, lambda groups: None) == made
    assert count_along(problem, plan, kept, Clock(60)).count == 9862
    _rewritten(file, change)
    assert count_along(problem, plan, kept, Clock(60)).count != 9862


def test_tables_of_blocks_that_are_too_large_go_before_others_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next way needs the disk; without a next way they stay for a run with more memory."""
    problem = TourProblem(board="7x10", closed=True)
    settings = Settings(memory="150M", threads=2, spill=str(tmp_path))
    ways = fits(best_plan(problem, CycleGraph.of(problem)), settings)
    plans = {plan_key(each.plan, 0): each.plan for each in ways if each.plan.blocks}
    first, second, *_ = plans
    native = run_pass

    def short(work: Any, *rest: Any) -> Any:
        key = plan_key(work.plan, 0)
        assert any(each.name.startswith(key) for each in tmp_path.iterdir()) == bool(work.plan.blocks)
        if key != second:
            raise OutOfMemory("no memory is left")
        assert not any(each.name.startswith(first) for each in tmp_path.iterdir())
        return native(work, *rest)

    monkeypatch.setattr(summing, "run_pass", short)
    assert engine_named("join").count(problem, settings).count == 1250063279938854
    with pytest.raises(LimitReached):
        count_along(problem, plans[first], settings, Clock(60))
    assert any(each.name.startswith(first) for each in tmp_path.iterdir())


def _rank_of_no_matching(groups: list[_Group]) -> None:
    groups[0].entries[-1] = 1 << 40, 1


def _sum_too_large(groups: list[_Group]) -> None:
    groups[-1].sum_bits = 0


def _same_pattern_twice(groups: list[_Group]) -> None:
    groups[1].step = 0


def _odd_number_of_ends(groups: list[_Group]) -> None:
    groups[-1].step += 1 << 40


def _entries_of_no_bytes(groups: list[_Group]) -> None:
    groups[0].width = 0


def _entries_of_fifteen_bytes(groups: list[_Group]) -> None:
    groups[0].width = 15


@pytest.mark.parametrize(
    "change",
    [
        _rank_of_no_matching,
        _sum_too_large,
        _same_pattern_twice,
        _odd_number_of_ends,
        _entries_of_no_bytes,
        _entries_of_fifteen_bytes,
    ],
)
def test_tables_that_cannot_be_are_damaged(change: Callable[[list[_Group]], None], tmp_path: Path) -> None:
    """Whatever a file holds, with checksums that fit, is refused or is a table."""
    problem = TourProblem(board="6x6", closed=True)
    plan = best_plan(problem, CycleGraph.of(problem))
    kept = replace(QUICK, spill=str(tmp_path))
    assert count_along(problem, plan, kept, Clock(60)).count == 9862
    (file,) = tmp_path.iterdir()
    _rewritten(file, change)
    with pytest.raises(LimitReached, match="is damaged; remove it and it will be made again"):
        count_along(problem, plan, kept, Clock(60))


def _known(board: str, *, closed: bool) -> int:
    entry = known_value(TourProblem(board, closed=closed))
    assert entry is not None
    return entry.count


# The first two were made when lines were eliminated from the outside inwards.
@pytest.mark.parametrize(
    ("name", "sets", "outside_in", "modulus"),
    [
        ("closed-9x12", 2, True, 0),
        ("closed-9x12-45-blocks", 3, True, 0),
        ("closed-9x12-25-blocks", 2, False, 0),
        ("closed-9x14", 2, False, 0),
        ("closed-9x16", 2, False, 0),
        ("closed-9x16-modulo-262139", 3, False, 262139),
        ("closed-9x14-modulo-2147483647", 3, False, 2147483647),
    ],
)
def test_partial_sums_of_counts_add_up(name: str, sets: int, outside_in: bool, modulus: int) -> None:
    """docs/counts has the sum of each pass of the counts in docs/results.md, with their checksums."""
    board = name.split("-")[1]
    sums = PassSums(str(COUNTS), name)
    problem = TourProblem(board=board, closed=True)
    plan = with_blocks(best_plan(problem, CycleGraph.of(problem), outside_in=outside_in), sets, 8e9)
    assert plan is not None
    lines = (COUNTS / f"{name}.sums").read_text("utf-8").splitlines()
    groups = list(dict.fromkeys(tuple(map(tuple, json.loads(line)["top"])) for line in lines))
    assert sorted(block for group in groups for block in group) == sorted(blocks_of(plan, upper=True))
    total = 0
    for each in block_pairs(plan, groups, []):
        found = sums.get(each)
        assert found is not None
        assert found.divisor == 4
        total += each.weight * found.numbers[0]
    expected = 4 * _known(board, closed=True)
    assert total == expected if modulus == 0 else total % modulus == expected % modulus


def test_the_partial_sums_of_two_tables_add_up() -> None:
    """Each pass of 9x12 with other columns counts once."""
    lines = (COUNTS / "closed-9x12-modulo-262139.sums").read_text("utf-8").splitlines()
    residues = [json.loads(line) for line in lines]
    assert all(each["divisor"] == 4 for each in residues)
    found, expected = sum(int(each["numbers"][0]) for each in residues), 4 * _known("9x12", closed=True)
    assert found % 262139 == expected % 262139


@pytest.mark.parametrize(
    ("name", "place", "memory"), [("open-9x9", 0, "16G"), ("open-9x9-columns", 1, "10G")]
)
def test_the_shelves_of_open_9x9_add_up(name: str, place: int, memory: str) -> None:
    """They are of the plans by rows and by columns, each block or its parts once."""
    problem = TourProblem(board="9x9", closed=False)
    settings = Settings(memory=memory, threads=2, disk=40 << 30)
    plan = next(fits(plans_for(problem, CycleGraph.of(problem))[place], settings)).plan
    text = (COUNTS.parent / "counting.md").read_text("utf-8")
    assert f"`{pass_key(plan, 0, (0, 1))}.sums`" in text
    assert larger_half(plan) == 1
    sums, left, total = PassSums(str(COUNTS), name), list(blocks_of(plan, upper=False)), 0
    while left:
        shelf = sums.shelf(left[0], upper=False)
        assert shelf
        for block in shelf:
            while left[0] != block:
                left[:1] = parts_of(plan, left[0], upper=False)
            del left[0]
        found = sums.get(BlockPair((), shelf, 1))
        assert found is not None
        assert found.divisor == 4
        total += found.numbers[0]
    assert total == 4 * _known("9x9", closed=False)


def test_the_paths_of_the_hypercube_add_up_to_gray_codes() -> None:
    """The sums of all passes for distance 5, and the numbers in the docs."""
    text = (COUNTS.parent / "results.md").read_text("utf-8")

    def result(title: str) -> int:
        found = re.search(rf"\n### {title}\n\n\*[a-z ]+\* ([\d,]+)\n", text)
        assert found is not None
        return int(found[1].replace(",", ""))

    passes = (COUNTS / "hypercube-6-distance-5.sums").read_text("utf-8").splitlines()
    of_pass = [json.loads(line) for line in passes]
    assert all(each["divisor"] == 1 for each in of_pass)
    cube = "hypercube of 6 dimensions"
    three, five = (result(f"Paths of the {cube} at distance {distance}") for distance in (3, 5))
    assert sum(int(each["numbers"][0]) for each in of_pass) == 6 * five
    one, rest = divmod(result(f"Cycles of the {cube}"), 3)
    assert rest == 0
    assert result("Gray codes of 6 bits") == 64 * (6 * one + 20 * three + 6 * five)
    # Of the paths from one vertex none is kept by a permutation of the dimensions.
    assert [number % keep for number, keep in ((one, 120), (three, 36), (five, 120))] == [0, 0, 0]
