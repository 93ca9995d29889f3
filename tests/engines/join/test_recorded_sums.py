"""The sums of passes in docs/counts add up to the numbers of docs/results.md."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ktsolve import TourProblem
from ktsolve.base.limits import Settings
from ktsolve.engines.join.fitting import fits
from ktsolve.engines.join.passes import (
    BlockPair,
    PassSums,
    block_pairs,
    blocks_of,
    parts_of,
    pass_key,
    with_blocks,
)
from ktsolve.engines.join.plan import larger_half
from ktsolve.engines.join.planning import best_plan, plans_for
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.verify.published import known_value

COUNTS = Path(__file__).parents[3] / "docs" / "counts"


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
