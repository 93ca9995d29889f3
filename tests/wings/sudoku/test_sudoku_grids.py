"""All grids of a shape, and grids up to symmetry, against lists, published values and other counters."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from ktsolve.models.sudoku_grid import SudokuGridModel
from marks import full, slow

from ktsolve import _native
from ktsolve.base.errors import KtsolveError, LimitReached, Refused
from ktsolve.base.limits import Settings
from ktsolve.graphs.groups import Permutation, compose, exchange, generate, orbits, order_of
from ktsolve.grids.box import Box, Grid
from ktsolve.model.encode import encode
from ktsolve.wings.sudoku.checks import sudoku_values
from ktsolve.wings.sudoku.grids import count_grids, estimate_grids
from ktsolve.wings.sudoku.puzzle import Puzzle, count_solutions
from ktsolve.wings.sudoku.symmetries import (
    CellClass,
    cell_classes,
    centralisers,
    essentially_different,
    line_generators,
)


@pytest.mark.parametrize("box", ["2x2", "2x3", "2x4", "3x3"])
def test_published_totals(box: str) -> None:
    found = count_grids(Box.parse(box))
    assert found.total == sudoku_values(box).grids
    assert count_grids(Box(found.box.columns, found.box.rows)).total == found.total


@pytest.mark.parametrize(("order", "squares"), list(enumerate([1, 2, 12, 576, 161280, 812851200], 1)))
def test_boxes_of_one_row_give_latin_squares(order: int, squares: int) -> None:
    assert count_grids(Box(1, order)).total == squares  # OEIS A002860


def test_three_by_three_takes_a_fraction_of_a_second() -> None:
    assert min(count_grids(Box(3, 3)).seconds for _ in range(3)) < 1


@pytest.mark.slow
def test_two_by_five() -> None:
    assert count_grids(Box(2, 5)).total == sudoku_values("2x5").grids


@pytest.mark.parametrize("box", ["2x3", "3x2"])
def test_unnamed_grids_counted_one_by_one(box: str) -> None:
    """Box 1 in order, every grid visited: 28200960 / 6! of them."""
    shape = Box.parse(box)
    clues = [0] * shape.cells
    for digit in range(shape.side):
        row, column = divmod(digit, shape.columns)
        clues[row * shape.side + column] = digit + 1
    assert count_solutions(Puzzle(shape, tuple(clues)), 10**6).count == 28200960 // 720


@pytest.mark.slow
def test_exact_model_counter_agrees() -> None:
    """#SAT, where it is installed: grids of 2x3 with box 1 in order."""
    pyganak = pytest.importorskip("pyganak")
    clauses = encode(SudokuGridModel(Box(2, 3), ordered_box=True).model)
    counter = pyganak.Counter()
    for clause in clauses.clauses:
        counter.add_clause(clause)
    assert counter.count() == 28200960 // 720


# -- estimates ----------------------------------------------------------------------------------------------


def test_estimates_tell_seconds_from_years() -> None:
    assert estimate_grids(Box(3, 3)).seconds < 1
    assert 10 < estimate_grids(Box(2, 5)).seconds < 3600
    for box in ("3x4", "2x6", "4x4", "2x8", "1x9"):
        assert estimate_grids(Box.parse(box)).seconds > 10**6


@pytest.mark.parametrize(
    ("call", "error", "named"),
    [
        (lambda: count_grids(Box(3, 4)), Refused, "3x4 boxes would take about 120 days and 4e+09 tables"),
        (lambda: count_grids(Box(4, 4)), Refused, "4x4 boxes would take about"),
        (lambda: count_grids(Box(1, 9)), Refused, "boxes of up to 3x3, 2x5 or 1x7"),
        (lambda: essentially_different(Box(3, 4)), Refused, "classes of the grids of 3x4 boxes would take"),
        (lambda: cell_classes(Box(1, 9)), Refused, "more than 50,000 permutations"),
        (lambda: count_grids(Box(2, 5), Settings(timeout=0.2)), LimitReached, "stopped at the time limit"),
        full(
            lambda: essentially_different(Box(2, 5), Settings(timeout=0.5)),
            LimitReached,
            "stopped at the time limit",
        ),
    ],
)
def test_errors_and_limits(call: Callable[[], object], error: type[KtsolveError], named: str) -> None:
    with pytest.raises(error) as caught:
        call()
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)


# -- up to symmetry -----------------------------------------------------------------------------------------


def all_symmetries(box: Box, *, transposition: bool) -> set[Permutation]:
    """Every permutation of cells, written out as products of rows, columns and transposition."""
    rows = generate(line_generators(box.bands, box.rows))
    columns = generate(line_generators(box.stacks, box.columns))
    turns = [False, True] if transposition else [False]
    return {CellClass(r, c, t, 1).images for r, c, t in product(rows, columns, turns)}


@pytest.mark.parametrize("box", ["2x2", "2x3", "3x2", "1x3"])
def test_conjugacy_classes_are_those_of_the_whole_group(box: str) -> None:
    shape = Box.parse(box)
    square = shape.rows == shape.columns
    classes = cell_classes(shape)
    group = all_symmetries(shape, transposition=square)
    assert sum(each.size for each in classes) == len(group)
    images = {each.images for each in classes}
    assert len(images) == len(classes)
    assert images <= group
    if shape.side < 6:
        listed = orbits(sorted(group), lambda g: [conjugate(g, h) for h in group])
        assert sorted(map(len, listed)) == sorted(each.size for each in classes)
        for orbit in listed:
            assert len(images & set(orbit)) == 1


def conjugate(element: Permutation, by: Permutation) -> Permutation:
    image = [0] * len(by)
    for cell, to in enumerate(element):
        image[by[cell]] = by[to]
    return tuple(image)


def unnamed(grid: Grid) -> Grid:
    name: dict[int, int] = {}
    return tuple(name.setdefault(digit, len(name) + 1) for digit in grid)


@pytest.mark.parametrize("transposition", [True, False])
def test_small_grids_by_listing_orbits(transposition: bool) -> None:
    shape = Box(2, 2)
    everything = count_solutions(Puzzle(shape, (0,) * 16), 1000, keep=1000).grids
    grids = sorted({unnamed(grid) for grid in everything})
    group = all_symmetries(shape, transposition=transposition)
    listed = orbits(grids, lambda grid: [unnamed(tuple(grid[i] for i in g)) for g in group])
    found = essentially_different(shape)
    assert len(listed) == (found.count if transposition else found.without_transposition)
    for each in found.classes:
        kept = sum(unnamed(tuple(grid[i] for i in each.images)) == grid for grid in grids)
        assert kept == each.invariant


def test_published_classes() -> None:
    for box in ("2x2", "2x3", "2x4"):
        assert essentially_different(Box.parse(box)).count == sudoku_values(box).different
    assert essentially_different(Box(2, 2)).without_transposition == 3
    assert len(cell_classes(Box(3, 3))) == 275


@pytest.mark.full
def test_essentially_different_grids_of_three() -> None:
    found, published = essentially_different(Box(3, 3)), sudoku_values("3x3")
    assert found.count == published.different
    assert found.without_transposition == published.without_transposition
    assert len(found.classes) == 275
    assert sum(bool(each.invariant) for each in found.classes) == 27


@pytest.mark.parametrize("box", ["2x2", "2x3", "3x2", "1x4", slow("3x3")])
def test_symmetries_only_save_work(box: str) -> None:
    shape = Box.parse(box)
    grids = _native.SudokuInvariantGrids((shape.rows, shape.columns))
    classes = [each for each in cell_classes(shape) if each.images != tuple(range(shape.cells))]
    for each, symmetries in zip(classes, centralisers(shape, classes), strict=True):
        if box == "3x3" and order_of(each.images) < 5:  # takes minutes without symmetries
            continue
        for symmetry in symmetries:
            assert compose(symmetry, each.images) == compose(each.images, symmetry)
        status, alone = grids.count(each.images, [])
        assert (status, alone) == grids.count(each.images, symmetries) == ("done", alone)


@pytest.mark.parametrize("box", ["2x2", "2x3"])
def test_centralisers_are_whole(box: str) -> None:
    shape = Box.parse(box)
    classes = cell_classes(shape)
    order = sum(each.size for each in classes)
    for each, symmetries in zip(classes, centralisers(shape, classes), strict=True):
        # What commutes is as many as the group has elements for each of the class.
        assert len(generate([*symmetries, each.images])) == order // each.size


def test_a_count_of_invariant_grids_stops() -> None:
    grids = _native.SudokuInvariantGrids((3, 3))
    half_turn = tuple(range(80, -1, -1))
    # Without symmetries its 155,492,352 grids take some seconds.
    assert grids.count(half_turn, [], 0.05)[0] == "time"

    def stop(*_: object) -> None:
        raise LimitReached("enough")

    with pytest.raises(LimitReached, match="enough"):
        grids.count(half_turn, [], None, stop)


@pytest.mark.full
def test_the_time_limit_holds_for_each_class(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = tuple(range(9, -1, -1))
    half_turn = CellClass(lines, lines, False, 1)
    counted = count_grids(Box(2, 2))
    monkeypatch.setattr("ktsolve.wings.sudoku.symmetries.count_grids", lambda *_: counted)
    monkeypatch.setattr("ktsolve.wings.sudoku.symmetries.cell_classes", lambda _: [half_turn])
    with pytest.raises(
        LimitReached, match="stopped at the time limit of 1 s, 0 of 1 classes of symmetries done"
    ):
        essentially_different(Box(2, 5), Settings(timeout=1))


def test_wrong_symmetries_are_refused() -> None:
    grids = _native.SudokuInvariantGrids((2, 2))
    half_turn = tuple(range(15, -1, -1))
    first_two = exchange(16, [(0, 1)])
    for images, symmetries, said in (
        (half_turn, [first_two], "does not commute"),
        (half_turn, [exchange(16, [(0, 1), (14, 15)])], "does not keep the rules"),
        (first_two, [], "the permutation does not keep the rules"),
        ((0,) * 16, [], "no permutation of the cells"),
        (half_turn, [(0,) * 16], "no permutation of the cells"),
        (half_turn, [half_turn[1:]], "no permutation of the cells"),
    ):
        with pytest.raises(ValueError, match=said):
            grids.count(images, symmetries)
