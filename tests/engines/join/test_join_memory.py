"""Counts within limits of memory and disk: they answer, or say at once what they need."""

from __future__ import annotations

import itertools
import re
import shutil
from pathlib import Path

import pytest
from marks import full, slow
from measured_command import KTSOLVE, measured

from ktsolve import Board, TourProblem
from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.join import fitting
from ktsolve.engines.join.fitting import _held_by_block, disk_budget, fits
from ktsolve.engines.join.passes import with_blocks
from ktsolve.engines.join.plan import layer_bytes
from ktsolve.engines.join.planning import best_plan
from ktsolve.engines.join.run import count_along
from ktsolve.engines.registry import engine_named
from ktsolve.problem.cycle_graph import CycleGraph

NUMBERS = {
    "6x8": 55488142,
    "7x8": 34524432316,
    "7x10": 1250063279938854,
    "8x8": 13267364410532,
    "8x10": 4235482818156697040,
    "7x7 --open": 82787609160,
    "8x8 --open": 9795914085489952,
}
"""Published: OEIS A001230, A193054, A165134 and the sources of ktsolve/data/published.toml."""

LEAST = {
    "6x8": 60,
    "7x8": 70,
    "7x10": 80,
    "8x8": 120,
    "8x10": 400,
    "7x7 --open": 100,
    "8x8 --open": 500,
}
"""MiB with which a count must answer."""


def grid() -> list[object]:
    """Questions and limits around those of LEAST; of each question a few are not slow."""
    cases: list[object] = []
    for question, least in LEAST.items():
        for share in (0.6, 0.7, 0.8, 0.9, 1.0, 1.25, 1.5, 2.0, 3.0):
            if question == "8x8 --open" and share < 0.7:
                continue  # it answers after some 20 minutes, in 171 passes
            case = question, max(56, round(least * share))
            large = question in {"8x10", "8x8 --open"} or (question == "8x8" and share < 1.25)
            mark = slow if large or share not in {0.6, 1.0, 1.5} else full
            cases.append(case if case == ("6x8", 60) else mark(*case))
    return cases


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs the /proc of Linux")
@pytest.mark.parametrize(("question", "limit"), grid())
def test_a_count_answers_or_says_what_it_needs(question: str, limit: int) -> None:
    command = [*KTSOLVE, "count", *question.split(), "--memory", f"{limit}M", "--quiet"]
    ran = measured(command, timeout=1200)
    # The guard of the process samples its memory: what is taken between two samples comes on top.
    assert ran.mebibytes <= 1.05 * limit + 2
    if ran.status == 0:
        assert re.findall(rb": (\d+) undirected", ran.out) == [b"%d" % NUMBERS[question]]
        return
    assert ran.status == 3
    # Below the least the process itself may take more than what is left for it.
    said = r"counting .* needs about .* the memory limit is|stopped at the memory limit of"
    assert re.search(said, ran.complaint), ran.complaint
    assert limit < LEAST[question], ran.complaint


def test_long_halves_are_divided_before_their_layers_are_too_large() -> None:
    """Where no block of the separator divides the layers after the fourth of five columns."""
    problem = TourProblem(board="8x12", closed=True)
    plan = best_plan(problem, CycleGraph.of(problem))
    [*ways] = fits(plan, Settings(memory="800M", threads=2))
    assert ways
    for each in ways:
        assert each.plan.top_stages
        assert each.plan.top_stages[-1].steps >= 26
    whole = layer_bytes(plan, plan.top, plan.top_mirror)
    undivided = with_blocks(plan, 6)
    assert undivided is not None
    # Two layers before the first edge to the cells that divide: more blocks take no less.
    assert _held_by_block(undivided, 1.0) >= whole[30] + whole[31]


@pytest.mark.slow
def test_long_halves_answer_within_little_memory() -> None:
    ran = measured([*KTSOLVE, "count", "8x12", "--memory", "800M", "--quiet"], timeout=1200)
    assert ran.status == 0
    assert b"1105420672289849239070962 undirected" in ran.out
    assert ran.mebibytes <= 1.05 * 800


@pytest.mark.parametrize("memory", ["24M", "9M", "7M"])
def test_less_memory_takes_more_passes(memory: str) -> None:
    problem = TourProblem(board="6x12", closed=True)
    settings = Settings(memory=memory, threads=2)
    expected = next(fits(best_plan(problem, CycleGraph.of(problem)), settings))
    counted = engine_named("join").count(problem, settings)
    assert counted.count == 964730606632516
    assert counted.peak_bytes is not None
    assert settings.memory_budget is not None
    assert counted.peak_bytes <= settings.memory_budget
    assert (counted.details["runs"] > 1) == (expected.passes > 1) == (memory == "7M")


def test_what_is_tried_after_a_plan_needs_less() -> None:
    problem = TourProblem(board="9x12", closed=True)
    tried = list(fits(best_plan(problem, CycleGraph.of(problem)), Settings(memory="16G", threads=4)))
    assert len(tried) > 2
    for one, other in itertools.pairwise(tried):
        assert other.bytes < 0.91 * one.bytes
        assert other.seconds >= one.seconds


def test_tables_without_room_on_the_disk_are_made_again(tmp_path: Path) -> None:
    """The disk has room for all tables, for some, for none."""
    problem = TourProblem(board="6x12", closed=True)

    def counted(disk: int | None) -> tuple[int, int]:
        folder = tmp_path / str(disk)
        folder.mkdir()
        settings = Settings(memory=7 << 20, threads=2, spill=str(folder), disk=disk)
        found = engine_named("join").count(problem, settings)
        size = sum(file.stat().st_size for file in folder.glob("*.layer"))
        assert disk is None or size <= disk
        assert found.count == 964730606632516
        return size, found.details["transitions"]

    whole, made = counted(None)
    some, more = counted(whole // 2)
    none, most = counted(0)
    assert 0 == none < some < whole
    assert made < more < most
    # Those that are there from a run before count, too.
    settings = Settings(memory=7 << 20, threads=2, spill=str(tmp_path / "None"), disk=whole // 2)
    assert engine_named("join").count(problem, settings).count == 964730606632516


@pytest.mark.parametrize(("board", "sets"), [("6x10", 1), ("6x18", 1), full("8x8", 2)])
def test_files_have_about_the_bytes_of_the_estimate(board: str, sets: int, tmp_path: Path) -> None:
    """With the layer that several blocks share. Counts of more cells have more bytes, also in files."""
    problem = TourProblem(board, closed=True)
    plan = with_blocks(best_plan(problem, CycleGraph.of(problem)), sets)
    assert plan is not None
    settings = Settings(threads=2, spill=str(tmp_path))
    (said,) = fits(plan, settings)
    count_along(problem, plan, settings, Clock(60))
    files = sum(path.stat().st_size for path in tmp_path.glob("*.layer"))
    assert files / 2 < said.disk < 2 * files


@pytest.mark.parametrize("columns", [12, 14])
def test_states_of_planar_boards(columns: int) -> None:
    """Paths do not cross: on 14x14 there are 2^16 states, and 2^23 by the fit to knights."""
    problem = TourProblem(Board.parse(f"{columns}x{columns}", leaper=(0, 1)), closed=True)
    join, settings = engine_named("join"), Settings(threads=2)
    said, found = join.estimate(problem, settings), join.count(problem, settings)
    assert found.count == {12: 1076226888605605706, 14: 56126499620491437281263608}[columns]  # A003763
    assert said is not None
    assert found.details is not None
    assert found.details["peak_states"] / 2 < said.states < 2 * found.details["peak_states"]


def test_disk_that_does_not_suffice_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where making the tables again would take too long."""
    problem = TourProblem(board="9x12", closed=True)
    settings = Settings(memory="2G", threads=2, disk=0)
    monkeypatch.setattr(fitting, "_FOREVER", 3600)
    with pytest.raises(LimitReached, match=r"or .* of disk in passes; .*, of disk 0 .* would take"):
        engine_named("join").count(problem, settings)


def test_disk_by_default_is_what_is_free_less_a_reserve(tmp_path: Path) -> None:
    free = shutil.disk_usage(tmp_path).free
    assert 0 <= disk_budget(Settings(), str(tmp_path)) < max(1, free)
    assert disk_budget(Settings(disk="3G"), str(tmp_path)) == 3 << 30
    with pytest.raises(LimitReached, match="No such file or directory"):
        disk_budget(Settings(), str(tmp_path / "absent"))
