"""Counts by ends from shared half tables: against one count after the other, published tables, and limits."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import full
from strategies import examples, small_problems

from ktsolve import Board, TourProblem, count, estimate
from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Settings
from ktsolve.engines.join.engine import JoinEngine
from ktsolve.engines.join.pairs import (
    Division,
    EndsSeparation,
    Route,
    RouteGroup,
    route_groups,
    separators_for_ends,
)
from ktsolve.engines.join.plan import image_of
from ktsolve.engines.join.tables import Table, Tables, TablesTooLarge, _Way
from ktsolve.engines.registry import engine_named
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.symmetry import pair_orbits
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.verify.published import endpoint_table

Pair = tuple[Cell, Cell]
QUICK = Settings(timeout=120, threads=2)


def classes_of(problem: TourProblem) -> list[Pair]:
    return [
        (orbit.representative[0], orbit.representative[1])
        for orbit in pair_orbits(problem.board, problem.automorphisms)
    ]


def together(problem: TourProblem, pairs: list[Pair], settings: Settings = QUICK) -> dict[Pair, int]:
    found = [(pair, counted.count) for pair, counted in JoinEngine().count_pairs(problem, pairs, settings)]
    assert len(found) == len(dict(found)) == len(pairs)
    return dict(found)


def one_by_one(problem: TourProblem, pairs: list[Pair], engine: str = "frontier") -> dict[Pair, int]:
    return {
        (a, b): engine_named(engine).count(problem.replace(start=a, end=b), QUICK).count for a, b in pairs
    }


def only_in_passes(patch: pytest.MonkeyPatch, sets: int, room: float) -> list[int]:
    """From now on tables are divided by so many sets of cells, and take ``room`` bytes together in a pass.

    The list gets the number of tops of each join.
    """
    joined: list[int] = []
    join = Tables._join

    def refuse(tables: Tables, each: RouteGroup, in_batches: bool = False) -> NoReturn:
        raise TablesTooLarge("not in memory")

    def noted(tables: Tables, each: RouteGroup, tops: Sequence[Any], *rest: Any) -> list[tuple[int, int]]:
        joined.append(len(tops))
        return join(tables, each, tops, *rest)

    patch.setattr(Tables, "count", refuse)
    patch.setattr(Tables, "_join", noted)
    patch.setattr(Tables, "_room", lambda tables: room)
    patch.setattr("ktsolve.engines.join.tables._LEAST_ROOM", 0.0)
    ways = [_Way(sets, 1, 1.0, 1.0)]
    patch.setattr("ktsolve.engines.join.tables._ways", lambda each, room: ways)
    return joined


@examples(60)
@given(small_problems(free_ends=True), st.data())
def test_together_and_one_by_one_agree(problem: TourProblem, data: st.DataObject) -> None:
    # Any pairs, not only representatives, in either order.
    cells = problem.board.cells
    if len(cells) < 2:
        return
    some = st.tuples(st.sampled_from(cells), st.sampled_from(cells)).filter(lambda pair: pair[0] != pair[1])
    picked = data.draw(st.lists(some, max_size=12, unique_by=lambda pair: frozenset(pair)))
    expected = one_by_one(problem, picked)
    assert together(problem, picked) == expected
    with pytest.MonkeyPatch.context() as patch:
        only_in_passes(patch, data.draw(st.integers(1, 3)), data.draw(st.sampled_from([1.0, 1e4, 1e9])))
        assert together(problem, picked) == expected


@pytest.mark.parametrize(
    ("size", "sets", "least"), [("5x6", 1, 30), full("5x6", 3, 60), full("6x6", 2, 60), full("6x7", 1, 100)]
)
def test_passes_over_blocks_add_up(
    size: str, sets: int, least: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    problem = TourProblem(board=size, closed=False)
    pairs = classes_of(problem)
    expected = together(problem, pairs)
    joined = only_in_passes(monkeypatch, sets, 1e4)
    halves: dict[bool, set[str]] = {True: set(), False: set()}
    files_of = Tables._files_of

    def noted(tables: Tables, upper: bool, *given: Any) -> str:
        name = files_of(tables, upper, *given)
        halves[upper].add(Path(name).name)
        return name

    monkeypatch.setattr(Tables, "_files_of", noted)
    assert together(problem, pairs, replace(QUICK, spill=str(tmp_path))) == expected
    assert least < len(joined) < sum(joined)
    # What was made for bottoms is gone: their tables, and the layers that their blocks share.
    left = {file.name.partition("-")[0] for file in tmp_path.glob("*.layer")}
    assert left <= halves[True]
    assert left
    assert not left & halves[False]


def test_passes_without_disk_make_their_tables_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    problem = TourProblem(board="4x6", closed=False)
    pairs = classes_of(problem)
    expected = together(problem, pairs)
    joined = only_in_passes(monkeypatch, 1, 1e4)
    assert together(problem, pairs, replace(QUICK, disk=0, spill=str(tmp_path))) == expected
    assert joined
    assert all(file.stat().st_size < 100 for file in tmp_path.glob("*.layer"))  # those of empty tables


def test_stopped_passes_go_on_with_the_sums_and_tables_of_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = TourProblem(board="5x6", closed=False)
    pairs = classes_of(problem)
    expected = together(problem, pairs)
    settings = replace(QUICK, spill=str(tmp_path))
    joined = only_in_passes(monkeypatch, 1, 1e4)
    join = Tables._join

    def stopping(*given: Any) -> list[tuple[int, int]]:
        if len(joined) == 20:
            raise LimitReached("stopped")
        return join(*given)

    with monkeypatch.context() as patch:
        patch.setattr(Tables, "_join", stopping)
        with pytest.raises(LimitReached, match="stopped"):
            together(problem, pairs, settings)
    assert len(joined) == 20
    assert together(problem, pairs, settings) == expected
    in_all = len(joined)
    # No pass was joined twice, and with all sums none is.
    assert together(problem, pairs, settings) == expected
    assert len(joined) == in_all
    joined.clear()
    assert together(problem, pairs) == expected
    assert len(joined) == in_all


@pytest.mark.parametrize(
    "problem",
    [
        TourProblem(board="5x6", closed=False),
        TourProblem(board="4x7", closed=False),
        full(TourProblem(board="5x7", closed=False, require=["a1-b3"], forbid=["c3-d5", "e1-d3"])),
        full(TourProblem(board=Board(5, 7, removed=frozenset({(2, 2), (2, 4)})), closed=False)),
        full(TourProblem(board=Board(6, 5, removed=frozenset({(0, 0), (5, 4)})), closed=False)),
        TourProblem(board=Board.parse("4x6", wrap="x"), closed=False),
        TourProblem(board=Board.parse("5x5", leaper=(0, 1)), closed=False),
    ],
    ids=str,
)
def test_all_classes(problem: TourProblem) -> None:
    pairs = classes_of(problem)
    assert together(problem, pairs) == one_by_one(problem, pairs)


@pytest.mark.parametrize("size", ["6x6", full("7x7"), pytest.param("8x8", marks=pytest.mark.slow)])
def test_published_tables_line_by_line_and_progress_grows(size: str) -> None:
    """All classes; pairs without a line have no tours."""
    problem = TourProblem(board=size, closed=False)
    rows = endpoint_table(size)
    pairs = [(row.cells[0], row.cells[1]) for row in rows]
    alike = {
        frozenset(problem.board.cells[images[problem.board.index[cell]]] for cell in pair)
        for pair in pairs
        for images in (symmetry.images for symmetry in problem.automorphisms)
    }
    without = [pair for pair in classes_of(problem) if frozenset(pair) not in alike]
    told: list[float] = []
    settings = Settings(
        timeout=3600, threads=2, progress=lambda fraction, words: told.append(fraction or 0.0)
    )
    found = together(problem, [*pairs, *without], settings)
    assert found == {row.cells: row.count for row in rows} | dict.fromkeys(without, 0)
    assert len(found) == len(classes_of(problem))
    assert told == sorted(told)
    assert max(told, default=0.0) <= 1.0
    assert told or size == "6x6"  # counted before there is anything to show


def test_every_pair_is_served_once_by_tables_that_hold_its_ends() -> None:
    problem = TourProblem(board="7x8", closed=False)
    moves = CycleGraph.of(TourProblem(board="7x8", closed=True))
    symmetries = [symmetry.images for symmetry in problem.automorphisms]
    separations = separators_for_ends(problem, moves, symmetries)
    index = problem.board.index
    pairs = [(index[a], index[b]) for a, b in classes_of(problem)]
    passes = route_groups(pairs, separations, symmetries)
    served = [route.pair for each in passes for route in each.routes]
    assert sorted(served) == sorted(pairs)
    for each in passes:
        assert_fits(each, symmetries)
    # Most of them share a bottom without ends, which is made once.
    assert sum(len(each.routes) for each in passes if not each.bottom) > len(pairs) // 2


def assert_fits(each: RouteGroup, symmetries: list[tuple[int, ...]]) -> None:
    for route in each.routes:
        assert route.bottom == each.bottom
        assert set(route.top) <= set(each.separation.top)
        assert set(route.separator) <= set(each.separation.separator)
        assert set(route.bottom) <= set(each.separation.bottom)
        ends = sorted(route.top + route.separator + route.bottom)
        assert len(ends) == 2
        assert (ends[0], ends[1]) in {image_of(images, route.pair) for images in symmetries}


@pytest.mark.parametrize("size", [full("6x6"), "4x8"])
def test_separator_moves_divided_for_few_and_for_many_tops(
    size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = TourProblem(board=size, closed=False)
    pairs = classes_of(problem)
    expected = together(problem, pairs)
    division, found = EndsSeparation.division, set()
    for many in (0, 1, 10**9):

        def divide(separation: EndsSeparation, pairs: int, ends: int = 0, many: int = many) -> Division:
            above, below = division(separation, many, ends)
            assert sorted(above + below) == sorted(separation.moves)
            found.add((len(above), len(below)))
            return above, below

        monkeypatch.setattr(EndsSeparation, "division", divide)
        assert together(problem, pairs) == expected
    assert len(found) > 2


@pytest.mark.parametrize(
    ("size", "limits"),
    [("4x8", (4, 3, 2)), ("5x7", (5, 4)), full("6x7", (24, 18))],
)
def test_little_memory_means_more_batches_and_the_same_numbers(size: str, limits: tuple[int, ...]) -> None:
    problem = TourProblem(board=size, closed=False)
    pairs = classes_of(problem)
    counted = list(JoinEngine().count_pairs(problem, pairs, QUICK))
    expected = {pair: each.count for pair, each in counted}
    assert len(counted) == len(expected)
    peak = max(each.peak_bytes or 0 for _, each in counted)
    for mebibytes in limits:
        assert mebibytes << 20 < peak
        small = Settings(timeout=120, threads=2, memory=mebibytes << 20)
        assert together(problem, pairs, small) == expected


@pytest.mark.parametrize("fitting", ["at the second attempt", full("of other separators"), full("of none")])
def test_tables_that_do_not_fit_are_divided_or_passed_over(
    fitting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = TourProblem(board="4x6", closed=False)
    pairs = classes_of(problem)
    expected = together(problem, pairs)
    batch, asked = Tables._batch, []

    def scarce(tables: Tables, below: Table, routes: tuple[Route, ...]) -> tuple[Route, ...]:
        asked.append(tables.separation)
        refused = {
            "at the second attempt": len(asked) == 1,
            "of other separators": tables.separation is asked[0],
            "of none": True,
        }
        return () if refused[fitting] else batch(tables, below, routes)

    monkeypatch.setattr(Tables, "_batch", scarce)
    assert together(problem, pairs) == expected
    assert len(asked) > 1


def test_a_time_limit_is_kept() -> None:
    problem = TourProblem(board="8x8", closed=False)
    started = time.monotonic()
    with pytest.raises(LimitReached, match="time limit"):
        together(problem, classes_of(problem), Settings(timeout=0.5, threads=2))
    assert time.monotonic() - started < 15


@pytest.mark.full
def test_an_estimate_says_what_is_shared() -> None:
    problem = TourProblem(board="8x8", closed=False)
    engine, expected = estimate(problem, by="ends")
    assert engine == "join"
    assert expected is not None
    assert expected.plan == (
        "rows 2+2+4: 104 pairs of ends, 31 tops, 1 bottoms; rows 3+2+3: 32 pairs of ends, 12 tops, 3 bottoms"
    )
    assert 1e9 < expected.bytes < 4e9
    assert estimate(problem, by="start") == ("join", None)
    assert estimate(problem, "frontier", by="ends") == ("frontier", None)


def test_classes_by_ends_use_it() -> None:
    answer = count(TourProblem(board="6x6", closed=False), by="ends")
    assert (answer.engine, answer.count) == ("join", 3318960)
    assert {one.key: one.count for one in answer.rows if one.count} == {
        row.cells: row.count for row in endpoint_table("6x6") if row.count
    }
