"""The two-sided join: against the frontier sweep, published values, and itself with other separators."""

from __future__ import annotations

import itertools
import json
import math
import random
import re
import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import networkx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from marks import full, quick
from strategies import examples, small_problems

from ktsolve import Board, Graph, TourProblem
from ktsolve.base.errors import LimitReached, Refused
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.auto import choose
from ktsolve.engines.frontier.order import frontier_widths
from ktsolve.engines.join import run
from ktsolve.engines.join.engine import JoinEngine
from ktsolve.engines.join.passes import WHOLE, PassSums, block_pairs, blocks_of, shelves, with_blocks
from ktsolve.engines.join.plan import half_cost
from ktsolve.engines.join.planning import best_plan, plans_for
from ktsolve.engines.join.run import count_along
from ktsolve.engines.join.separators import WIDEST_SEPARATOR, narrow_lines
from ktsolve.engines.registry import engine_named
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.verify.published import endpoint_table, published

QUICK = Settings(timeout=60, threads=2)


def join(problem: TourProblem) -> int:
    return engine_named("join").count(problem, QUICK).count


def frontier(problem: TourProblem) -> int:
    return engine_named("frontier").count(problem, QUICK).count


@examples(250)
@given(small_problems())
def test_join_and_frontier_agree(problem: TourProblem) -> None:
    assert join(problem) == frontier(problem)


RECTANGLES = [(r, c) for r in range(3, 7) for c in range(r, 9)]


@pytest.mark.parametrize(("rows", "columns"), quick(RECTANGLES, lambda size: size != (6, 8)))
def test_all_rectangles_closed(rows: int, columns: int) -> None:
    problem = TourProblem(board=f"{rows}x{columns}", closed=True)
    assert join(problem) == frontier(problem)


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        *quick(RECTANGLES[:-1], lambda size: size[0] * size[1] < 40),
        pytest.param(*RECTANGLES[-1], marks=pytest.mark.slow),
    ],
)
def test_all_rectangles_open(rows: int, columns: int) -> None:
    problem = TourProblem(board=f"{rows}x{columns}", closed=False)
    assert join(problem) == frontier(problem)


@pytest.mark.parametrize(
    ("size", "closed"),
    [
        ("7x8", True),
        full("8x8", True),
        ("6x10", True),
        ("5x12", True),
        full("7x7", False),
        pytest.param("7x8", False, marks=pytest.mark.slow),
        pytest.param("7x10", True, marks=pytest.mark.slow),
        pytest.param("8x9", True, marks=pytest.mark.slow),
        pytest.param("8x10", True, marks=pytest.mark.slow),
        pytest.param("8x8", False, marks=pytest.mark.slow),
    ],
)
def test_published_values(size: str, closed: bool) -> None:
    problem = TourProblem(board=size, closed=closed)
    known = next(entry.count for entry in published() if entry.problem == problem)
    assert join(problem) == known


@pytest.mark.full
def test_endpoint_classes_of_6x6() -> None:
    for row in endpoint_table("6x6"):
        start, end = row.cells
        assert join(TourProblem(board="6x6", closed=False, start=start, end=end)) == row.count


@pytest.mark.full
def test_some_endpoint_classes_of_7x7() -> None:
    for row in endpoint_table("7x7")[::10]:
        start, end = row.cells
        assert join(TourProblem(board="7x7", closed=False, start=start, end=end)) == row.count


@pytest.mark.parametrize(
    "problem",
    [
        full(TourProblem(board="6x7", closed=True)),
        TourProblem(board="5x6", closed=False),
        full(TourProblem(board="6x6", closed=False, start="b2")),
        TourProblem(board="6x6", closed=False, start="b2", end="e3"),
        full(TourProblem(board=Board.parse("6x6", wrap="x"), closed=True, forbid=["a1-b3", "c3-d5"])),
    ],
    ids=str,
)
def test_every_plan_gives_the_same(problem: TourProblem) -> None:
    graph = CycleGraph.of(problem)
    plans = plans_for(problem, graph) + plans_for(problem, graph, outside_in=True)
    assert len({(plan.top, plan.bottom) for plan in plans}) > len(plans) / 2
    expected = frontier(problem)
    for plan in plans:
        if plan.cost.bits < 24:
            assert count_along(problem, plan, QUICK, Clock(60)).count == expected, plan


@given(small_problems(), st.randoms(use_true_random=False))
def test_the_order_of_a_line_is_the_narrowest(problem: TourProblem, randoms: random.Random) -> None:
    graph = CycleGraph.of(problem)
    vertices = list(range(graph.vertices))
    randoms.shuffle(vertices)
    first, line = vertices[:2], [vertices[2:4], vertices[4:5], vertices[5:7], vertices[7:8]]
    line = [cells for cells in line if cells]

    def weight(order: Iterable[Sequence[int]]) -> int:
        widths = frontier_widths(graph, [*first, *(v for cells in order for v in cells)])
        return sum(3**width >> width for width in widths[len(first) :].tolist())

    before, found = narrow_lines(graph, [[first], line])
    assert before == first
    assert weight([found]) == min(map(weight, itertools.permutations(line)))
    for cells in line:
        assert found[found.index(cells[0]) :][: len(cells)] == cells


def test_every_use_of_symmetry_gives_the_same() -> None:
    """A plan stays right when symmetries are left unused, one after the other."""
    for problem in (TourProblem(board="6x6", closed=True), TourProblem(board="6x6", closed=False)):
        plan = best_plan(problem, CycleGraph.of(problem))
        assert plan.flip
        assert plan.mirror_joins
        expected = frontier(problem)
        for poorer in (
            replace(plan, mirror_joins=False),
            replace(plan, top_mirror=(), bottom_mirror=(), mirror_joins=False),
            replace(plan, flip=()),
            replace(plan, flip=(), mirror_joins=False),
            replace(plan, flip=(), top_mirror=(), bottom_mirror=(), mirror_joins=False),
            replace(plan, flip=(), top_mirror=(), mirror_joins=False),
        ):
            assert count_along(problem, poorer, QUICK, Clock(60)).count == expected, poorer


@pytest.mark.parametrize("parts", [2, 7])
def test_parts_add_up(parts: int) -> None:
    engine = engine_named("join")
    assert isinstance(engine, JoinEngine)
    for problem in (TourProblem(board="6x7", closed=True), TourProblem(board="5x6", closed=False)):
        each = [engine.count_part(problem, QUICK, (i, parts)).count for i in range(parts)]
        assert sum(each) == frontier(problem)
        assert max(each) < sum(each)


def test_one_thread_and_many_agree() -> None:
    problem = TourProblem(board="6x8", closed=True)
    for threads in (1, 2, 5):
        assert engine_named("join").count(problem, Settings(threads=threads)).count == 55488142


@pytest.mark.full
def test_counts_beyond_64_bits_are_exact() -> None:
    """A long strip overflows the counts of a half board; then it is counted modulo primes."""
    problem = TourProblem(board="5x60", closed=True)
    counted = engine_named("join").count(problem, Settings(timeout=120))
    assert counted.count == frontier(problem)
    assert counted.count > 2**128
    assert counted.details["runs"] > 1


@pytest.mark.full
def test_limits() -> None:
    engine = engine_named("join")
    with pytest.raises(LimitReached, match=r"time limit of 0.05 s, \d+ of \d+ cells of the halves done"):
        engine.count(TourProblem(board="8x9", closed=True), Settings(timeout=0.05))
    with pytest.raises(LimitReached, match=r"memory limit of 12 MiB, \d+ of \d+ cells"):
        engine.count(TourProblem(board="8x8", closed=True), Settings(memory=12 << 20))


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
    assert len(list(blocks_of(plan, upper=True))) > 2
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
    report = run._run(run._Work(problem, plan, QUICK, Clock(60), (0, 1)), 0, WHOLE, str(tmp_path))
    (file,) = tmp_path.iterdir()
    assert file.stat().st_size < 2 * report.top[-1].kept
    assert report.top[-1].kept == 168709


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
    with patch.object(run, "_room", lambda plan, settings: room):
        assert count_along(problem, plan, QUICK, Clock(60)).count == frontier(problem)


@pytest.mark.parametrize("sets", [1, 2])
@pytest.mark.parametrize(
    "problem",
    [
        full(TourProblem(board="6x9", closed=True)),
        full(TourProblem(board="6x14", closed=True)),
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
    with patch.object(run, "_room", lambda plan, settings: 0):
        assert count_along(problem, plan, kept, Clock(60)).count == expected


def test_where_halves_have_stages() -> None:
    """Where the layers that no block divides would take more than is allowed, at the end of a line."""
    problem = TourProblem(board="9x14", closed=True)
    plan = best_plan(problem, CycleGraph.of(problem))

    def stages(most: float) -> list[tuple[int, int]]:
        blocks = with_blocks(plan, 2, most)
        assert blocks is not None
        return [(stage.steps, len(stage.sums)) for stage in blocks.top_stages]

    assert len(plan.top) == 54
    assert stages(math.inf) == []
    assert stages(1e10) == [(36, 25), (45, 25)]
    for stage in with_blocks(plan, 2, 1e10).top_stages:  # type: ignore[union-attr]
        assert {plan.top_mirror[v] for v in stage.cells[0]} == set(stage.cells[0])


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


def test_a_stopped_count_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sums of passes lie beside the tables; a damaged line is counted again."""
    problem = TourProblem(board="6x6", closed=True)
    plan = with_blocks(best_plan(problem, CycleGraph.of(problem)), 1)
    assert plan is not None
    kept = replace(QUICK, spill=str(tmp_path))
    monkeypatch.setattr(run, "_room", lambda plan, settings: 0)
    native, left = run._run, [2]

    def stopped(*args: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise LimitReached("stopped")
        return native(*args)

    monkeypatch.setattr(run, "_run", stopped)
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


def test_little_memory_means_passes() -> None:
    problem = TourProblem(board="7x8", closed=True)
    counted = engine_named("join").count(problem, Settings(memory=16 << 20))
    assert counted.count == 34524432316
    assert counted.details["runs"] > 1


def test_damaged_half_tables_are_noticed(tmp_path: Path) -> None:
    problem = TourProblem(board="6x6", closed=True)
    plan = with_blocks(best_plan(problem, CycleGraph.of(problem)), 1)
    assert plan is not None
    kept = replace(QUICK, spill=str(tmp_path))
    count_along(problem, plan, kept, Clock(60))
    file = max(tmp_path.iterdir(), key=lambda path: path.stat().st_size)
    (sums,) = tmp_path.glob("*.sums")
    sums.unlink()
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


def test_hopeless_boards_are_refused_at_once() -> None:
    with pytest.raises(LimitReached, match=r"counting closed 12x12 by halves .* needs about .* in passes"):
        engine_named("join").count(TourProblem(board="12x12", closed=True), Settings(memory=8 << 30))


def test_what_auto_takes() -> None:
    for size, name in (("4x5", "search"), ("6x7", "join"), ("8x8", "join"), ("3x100", "strip")):
        assert choose("auto", "count", TourProblem(board=size, closed=True)).name == name
    symmetric = TourProblem(board="8x8", closed=True, symmetry="rot180")
    assert choose("auto", "count", symmetric).name == "quotient"


def test_auto_refuses_a_hopeless_board_at_once() -> None:
    """None could count it: whichever is taken says so before it starts."""
    problem = TourProblem(board="12x12", closed=True)
    with pytest.raises(LimitReached, match=r"counting closed 12x12 .*needs .* the memory limit is 8 GiB"):
        choose("auto", "count", problem).count(problem, Settings(memory=8 << 30))


def test_plans_in_words() -> None:
    def words(problem: TourProblem) -> str:
        return str(best_plan(problem, CycleGraph.of(problem)))

    assert words(TourProblem(board="8x9", closed=True)).startswith(
        "columns 3+2+4: 24 + 16 + 32 cells, two tables"
    )
    assert "ends in the separator 8 + 8" in words(TourProblem(board="8x8", closed=False))
    assert words(TourProblem(board=Board.parse("5x5", wrap="xy"), closed=True)).startswith("order ")


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


def _rank_of_no_matching(groups: list[_Group]) -> None:
    groups[0].entries[-1] = 1 << 40, 1


def _sum_too_large(groups: list[_Group]) -> None:
    groups[-1].sum_bits = 0


def _same_pattern_twice(groups: list[_Group]) -> None:
    groups[1].step = 0


def _odd_number_of_ends(groups: list[_Group]) -> None:
    groups[-1].step += 1 << 40


def _entries_of_nine_bytes(groups: list[_Group]) -> None:
    groups[0].width = 9


@pytest.mark.parametrize(
    "change",
    [_rank_of_no_matching, _sum_too_large, _same_pattern_twice, _odd_number_of_ends, _entries_of_nine_bytes],
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


@pytest.mark.parametrize(
    "size",
    [
        "5x12",
        "6x8",
        "6x12",
        "7x8",
        full("7x10"),
        full("8x8"),
    ],
)
def test_states_are_estimated_within_a_factor_of_about_two(size: str) -> None:
    problem = TourProblem(board=size, closed=True)
    plan = best_plan(problem, CycleGraph.of(problem))
    # One part of very many: the halves are made, and next to nothing is joined.
    layers = run._run(run._Work(problem, plan, QUICK, Clock(60), (0, 10**6)), 0, WHOLE, "").top
    expected = half_cost(plan.graph, plan.top) * (0.5 if plan.top_mirror else 1.0)
    for estimate, states in (
        (expected.last, layers[-1].kept),
        (expected.at_once, max(layer.states for layer in layers)),
        (expected.made, sum(layer.states for layer in layers)),
    ):
        assert 0.5 < estimate / states < 2.1


@pytest.mark.parametrize("modulus", [2, 3, 97, 2**31 - 1, 2**37 - 25, 2**40 - 1])
def test_counts_modulo_a_number(modulus: int) -> None:
    problem = TourProblem(board="6x8", closed=True)
    plan = best_plan(problem, CycleGraph.of(problem))
    report = run._run(run._Work(problem, plan, QUICK, Clock(60), (0, 1)), modulus, WHOLE, "")
    assert report.count == 55488142 * report.divisor % modulus


@pytest.mark.parametrize("most", [1 << 37, 1 << 31])
def test_where_the_first_moduli_are_too_large_the_second_are_taken(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = []
    native = run._run

    def overflowing(work: Any, modulus: int, *rest: Any) -> Any:
        report: Any = native(work, modulus, *rest)
        given.append(modulus)
        if modulus == 0 or modulus > most:
            report = SimpleNamespace(overflow=True)
        return report

    monkeypatch.setattr(run, "_run", overflowing)
    problem = TourProblem(board="6x8", closed=True)
    assert engine_named("join").count(problem, QUICK).count == 55488142
    assert given[0] == 0
    assert given[-1] < most


@examples(100)
@given(small_problems())
def test_no_more_cycles_than_the_bound(problem: TourProblem) -> None:
    assert frontier(problem) <= CycleGraph.of(problem).most_cycles


def test_the_bound_of_a_complete_graph() -> None:
    """(n - 1)! / 2 cycles; the bound is ((n - 1)!)^(n / (n - 1)) / 2, rounded up to a power of two."""
    for n in range(3, 30):
        problem = TourProblem(board=Graph.from_networkx(networkx.complete_graph(n)), closed=True)
        cycles, most = math.factorial(n - 1) // 2, CycleGraph.of(problem).most_cycles
        assert cycles <= most <= 8 * n * cycles


def test_a_long_strip_goes_in_one() -> None:
    """From some eight columns on a strip of width eight has no more states."""
    join = engine_named("join")
    long, longer = (
        join.estimate(TourProblem(board=board, closed=True), Settings(memory=16 << 30, threads=2))
        for board in ("8x16", "8x20")
    )
    assert long is not None
    assert longer is not None
    assert long.states == longer.states < 1e9
    assert long.bytes < 8 << 30
    assert "passes" not in long.plan + longer.plan
    assert "modulo" not in long.plan
    assert "modulo 7 primes" in longer.plan


@pytest.mark.parametrize("words", ["1x1", "2x2", "1x30", "3x3", "4x4"])
def test_estimates_of_odd_boards(words: str) -> None:
    for closed in (True, False):
        problem = TourProblem(board=words, closed=closed)
        expected = engine_named("join").estimate(problem, QUICK)
        assert expected is None or expected.bytes > 0
    torus = TourProblem(board=Board.parse("1x3", wrap="x", leaper=(0, 1)), closed=False)
    assert engine_named("join").estimate(torus, QUICK) is None
    assert join(torus) == frontier(torus)


def test_an_estimate_says_what_would_be_refused() -> None:
    expected = engine_named("join").estimate(
        TourProblem(board="12x12", closed=True), Settings(memory=2 << 30)
    )
    assert expected is not None
    assert expected.plan.endswith(", refused: too large even in passes")


def test_the_core_and_the_planner_agree_on_the_widest_separator() -> None:
    from ktsolve import _native

    assert _native.WIDEST_SEPARATOR == WIDEST_SEPARATOR


def test_joins_of_bare_graphs_agree_with_the_sweep() -> None:
    chance = random.Random(20)
    graphs = [
        networkx.gnp_random_graph(chance.randint(1, 9), chance.choice((0.5, 0.8, 1.0)), seed=i)
        for i in range(40)
    ]
    graphs += [
        networkx.random_regular_graph(3, 40, 1),
        networkx.random_regular_graph(4, 30, 1),
        networkx.grid_2d_graph(6, 12),
        networkx.hypercube_graph(4),
    ]
    for graph in graphs:
        problem = TourProblem(board=Graph.of(graph), closed=chance.random() < 0.6)
        assert join(problem) == frontier(problem)
    cube = TourProblem(board=Graph.of(networkx.hypercube_graph(5)), closed=True)
    assert join(cube) == 906545760


def test_texts_about_bare_graphs_speak_of_vertices() -> None:
    cube = TourProblem(board="graph:hypercube:4", closed=True)
    plan = str(plans_for(cube, CycleGraph.of(cube))[0])
    assert re.search(r": \d+ \+ \d+ \+ \d+ vertices, .*, separator edges \d+ \+ \d+$", plan), plan
    dense = TourProblem(board="graph:complete:30,30", closed=True)
    with pytest.raises(Refused, match=r"separator of closed graph .* with at most 19 vertices: use another"):
        engine_named("join").count(dense, QUICK)


# The first two were made when lines were eliminated from the outside inwards.
@pytest.mark.parametrize(
    ("name", "sets", "outside_in"),
    [("closed-9x12", 2, True), ("closed-9x12-45-blocks", 3, True), ("closed-9x12-25-blocks", 2, False)],
)
def test_the_partial_sums_of_9x12_add_up(name: str, sets: int, outside_in: bool) -> None:
    """docs/counts has the sum of each pass of the counts in docs/counting.md, with their checksums."""
    folder = Path(__file__).parents[3] / "docs"
    sums = PassSums(str(folder / "counts"), name)
    problem = TourProblem(board="9x12", closed=True)
    plan = with_blocks(best_plan(problem, CycleGraph.of(problem), outside_in=outside_in), sets, 8e9)
    assert plan is not None
    lines = (folder / "counts" / f"{name}.sums").read_text("utf-8").splitlines()
    groups = list(dict.fromkeys(tuple(map(tuple, json.loads(line)["top"])) for line in lines))
    assert sorted(block for group in groups for block in group) == sorted(blocks_of(plan, upper=True))
    total = 0
    for each in block_pairs(plan, groups, []):
        found = sums.get(each)
        assert found is not None
        assert found.divisor == 4
        total += each.weight * found.numbers[0]
    count, rest = divmod(total, 4)
    assert rest == 0
    assert f"**{count:,}**" in (folder / "counting.md").read_text("utf-8")
    # Another run, with two tables: each pass counts once.
    other = folder / "counts" / "closed-9x12-modulo-262139.sums"
    residues = [json.loads(line) for line in other.read_text("utf-8").splitlines()]
    assert all(each["divisor"] == 4 for each in residues)
    assert sum(int(each["numbers"][0]) for each in residues) % 262139 == 4 * count % 262139
