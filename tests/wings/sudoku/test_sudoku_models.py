"""Bands and grids as models: the solvers list what the native core lists, as sets."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from ktsolve.models.sudoku_band import LEXICOGRAPHIC, REDUCTIONS, BandModel
from ktsolve.models.sudoku_band import build as build_band
from ktsolve.models.sudoku_grid import SudokuGridModel
from ktsolve.models.sudoku_grid import build as build_grid
from marks import full

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.limits import Settings
from ktsolve.engines.auto import model_solver
from ktsolve.grids.box import Box, Grid
from ktsolve.tasks.solve import solve
from ktsolve.wings.sudoku.bands import complete, count_bands, reduced_bands
from ktsolve.wings.sudoku.puzzle import Puzzle, count_solutions
from ktsolve.wings.sudoku.stages import STAGES, bands_by_model, representatives, run_stage

ENGINES = ("sat", "cpsat")


def native_bands(box: Box) -> set[Grid]:
    bands = reduced_bands(box)
    return {bands[number] for number in range(len(bands))}


# -- grids --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_all_288_grids(engine: str) -> None:
    compiled = SudokuGridModel(Box(2, 2))
    found = [
        compiled.grid(each)
        for each in model_solver(engine, compiled.model).solutions(compiled.model, Settings())
    ]
    native = count_solutions(Puzzle(Box(2, 2), (0,) * 16), 1000, keep=1000)
    assert len(found) == 288
    assert set(found) == set(native.grids)


@pytest.mark.parametrize("box", [Box(2, 2), full(Box(2, 3))], ids=str)
@pytest.mark.parametrize("engine", ENGINES)
def test_completions_of_bands_listed_and_counted(box: Box, engine: str) -> None:
    bands = reduced_bands(box)
    numbers = []
    for band in (bands[number] for number in range(len(bands))):
        compiled = SudokuGridModel(box, clues=band + (0,) * (box.cells - len(band)))
        solver = model_solver(engine, compiled.model)
        found = {compiled.grid(each) for each in solver.solutions(compiled.model, Settings())}
        assert all(grid[: len(band)] == band and not box.conflict(grid) for grid in found)
        numbers.append(len(found))
    assert numbers == complete(box, bands)


def test_rules_are_those_of_sudoku() -> None:
    """Every grid of two digits by the definition, and no other assignment, holds."""
    for shape in (Box(1, 2), Box(2, 1)):
        compiled = SudokuGridModel(shape)
        for number in range(2 ** len(compiled.model)):
            values = [bool(number >> i & 1) for i in range(len(compiled.model))]
            # Cell c holds 1 or 2 by its Booleans 2c and 2c + 1.
            digits = [[d for d in (0, 1) if values[2 * cell + d]] for cell in range(4)]
            valid = digits in ([[0], [1], [1], [0]], [[1], [0], [0], [1]])
            assert compiled.model.holds(values) == valid


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_unnamed_grids_of_2x3(engine: str) -> None:
    compiled = SudokuGridModel(Box(2, 3), ordered_box=True)
    solver = model_solver(engine, compiled.model)
    assert len({compiled.grid(each) for each in solver.solutions(compiled.model, Settings())}) == 39168


@pytest.mark.parametrize(
    ("parameters", "named"),
    [
        ({"box": "2x2", "clues": "11.............."}, "parameters.clues: digit 1 occurs twice in row 1"),
        ({"box": "2x2", "clues": "1"}, "a grid of 2x2 boxes has 16 cells, this text 1"),
        ({"box": "2x2", "clues": "5..............."}, "'5' in row 1, column 1 is not a digit"),
        ({"box": "5x5"}, "a box has 1 to 16 cells, not 5 x 5"),
        ({"box": "three"}, "box 'three' is not understood: write ROWSxCOLUMNS"),
        ({"side": 9}, "side"),
    ],
)
def test_bad_parameters_of_grids(parameters: dict[str, object], named: str) -> None:
    with pytest.raises(BadInput) as caught:
        build_grid(parameters)
    assert named in str(caught.value)


# -- bands --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("box", [Box(2, 2), Box(2, 3), Box(3, 2), Box(2, 4)], ids=str)
def test_reduced_bands(box: Box, engine: str) -> None:
    assert bands_by_model(box, engine) == native_bands(box)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_all_36288(engine: str) -> None:
    found = bands_by_model(Box(3, 3), engine)
    assert len(found) == 36288
    assert found == native_bands(Box(3, 3))


@pytest.mark.parametrize("engine", ENGINES)
def test_each_reduction_divides_as_it_should(engine: str) -> None:
    box = Box(3, 2)
    everything = bands_by_model(box, engine, LEXICOGRAPHIC[:1])
    assert len(everything) == count_bands(box) == 640
    columns = bands_by_model(box, engine, ("names", "columns"))
    assert columns == {band for band in everything if band[2] < band[3] and band[4] < band[5]}
    boxes = bands_by_model(box, engine, ("names", "boxes"))
    assert boxes == {band for band in everything if band[2] < band[4]}


def in_order(box: Box, band: Grid, size: int) -> bool:
    """Do columns outside box 1 with a cycle of equal digits in two lower rows have the smaller one on top?"""
    rows = [band[row * box.side : (row + 1) * box.side] for row in range(1, box.rows)]
    columns = sorted(range(box.columns, box.side))
    for upper, lower in combinations(rows, 2):
        for some in combinations(columns, size):
            for rest in permutations(some[1:]):
                order = (some[0], *rest)
                cycle = all(lower[c] == upper[d] for c, d in zip(order, (*order[1:], order[0]), strict=True))
                if cycle and upper[some[0]] > lower[some[0]]:
                    return False
    return True


@pytest.mark.parametrize(("size", "name"), [(2, "rectangles"), (3, "triples")])
@pytest.mark.parametrize("box", [Box(3, 2), full(Box(2, 3))], ids=str)
def test_exchanges_in_place_are_broken(box: Box, size: int, name: str) -> None:
    wanted = {band for band in native_bands(box) if in_order(box, band, size)}
    for engine in ENGINES:
        assert bands_by_model(box, engine, (*LEXICOGRAPHIC, name)) == wanted


@pytest.mark.slow
def test_exchanges_in_place_of_three_by_three() -> None:
    box = Box(3, 3)
    wanted = {band for band in native_bands(box) if in_order(box, band, 2) and in_order(box, band, 3)}
    assert bands_by_model(box, "sat", REDUCTIONS) == wanted
    # Exchanges keep the class: every class still has a band.
    result = run_stage(box, "subsets")
    assert result.labels is not None
    number = {band: i for i, band in enumerate(map(tuple, reduced_bands(box).rows.tolist()))}
    assert len({int(result.labels[number[band]]) for band in wanted}) == 71


@pytest.mark.parametrize("stage", [stage.name for stage in STAGES[2:]])
def test_one_band_of_each_class(stage: str) -> None:
    for box in (Box(3, 2), Box(2, 3)):
        result = run_stage(box, stage)
        assert result.labels is not None
        assert result.bands is not None
        number = {result.bands[i]: i for i in range(len(result.bands))}
        labels = [int(result.labels[number[band]]) for band in representatives(result)]
        assert sorted(labels) == result.firsts


@pytest.mark.slow
@pytest.mark.parametrize(("stage", "classes"), [("permutations", 416), ("subsets", 71), ("column-sets", 44)])
def test_one_band_of_each_class_of_three_by_three(stage: str, classes: int) -> None:
    assert len(list(representatives(run_stage(Box(3, 3), stage)))) == classes


def test_a_split_class_has_two_representatives() -> None:
    """A class that is split has two representatives."""
    result = run_stage(Box(3, 2), "column-sets")
    assert result.labels is not None
    members = (result.labels == result.firsts[result.sizes.index(max(result.sizes))]).nonzero()[0]
    result.labels[members] = members
    assert len(list(representatives(result))) > result.count


def test_assignments_and_ruling_out() -> None:
    compiled = BandModel(Box(2, 3))
    band = reduced_bands(Box(2, 3))[3]
    assert compiled.model.holds(compiled.assignment(band))
    assert compiled.band(compiled.assignment(band)) == band
    for each in native_bands(Box(2, 3)):
        places = (number for number, true in enumerate(compiled.assignment(each)) if true)
        compiled.model.clause(*(~compiled.model.variable(number) for number in places))
    assert solve(compiled.model).assignment is None


def test_bad_requests_for_bands() -> None:
    with pytest.raises(BadInput, match="reduction 'rows' is unknown: use names, columns, boxes, rectangles"):
        build_band({"reductions": ["rows"]})
    with pytest.raises(BadInput, match="stage bands has no classes of bands"):
        list(representatives(run_stage(Box(2, 3), "bands")))
    with pytest.raises(LimitReached):
        bands_by_model(Box(3, 3), "sat", settings=Settings(timeout=0.5))
    assert str(
        build_band({"box": "2x2"}).decode(BandModel(Box(2, 2)).assignment((1, 2, 3, 4, 3, 4, 1, 2)))
    ) == ("12|34\n34|12")
