"""Counts of the join in passes, stages and shelves: sums, resuming, memory and disk that are short."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
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
    block_pairs,
    blocks_meet,
    blocks_of,
    plan_key,
    shelves,
    table_file,
    with_blocks,
)
from ktsolve.engines.join.planning import best_plan, plans_for
from ktsolve.engines.join.run import count_along
from ktsolve.engines.registry import engine_named
from ktsolve.problem.cycle_graph import CycleGraph

QUICK = Settings(timeout=60, threads=2)


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
