"""All sudoku grids in a fixed order: bijections, uniform samples, and the commands."""

from __future__ import annotations

from collections import Counter

import pytest
from chi_square import likely
from command import ktsolve
from hypothesis import given
from hypothesis import strategies as st
from marks import full
from strategies import examples

from ktsolve.base.errors import BadInput, IndexOutOfRange, LimitReached, Refused
from ktsolve.base.limits import Settings
from ktsolve.grids.box import Box
from ktsolve.wings.sudoku.bands import complete
from ktsolve.wings.sudoku.grid_order import Grids
from ktsolve.wings.sudoku.grids import count_grids
from ktsolve.wings.sudoku.puzzle import Puzzle, count_solutions, random_grid
from ktsolve.wings.sudoku.stages import Classification

SHAPES = ["1x1", "1x4", "4x1", "2x2", "2x3", "3x2", "2x4", "4x2", "1x6", "3x3"]
NINE = Grids("3x3")


@pytest.mark.parametrize("box", ["1x1", "1x2", "1x3", "1x4", "2x2", "4x1"])
def test_the_order_is_a_bijection_of_all_grids(box: str) -> None:
    """The grids of all indices are those that the native search lists, and each has its own index."""
    shape, grids = Box.parse(box), Grids(box)
    listed = list(grids)
    searched = count_solutions(Puzzle(shape, (0,) * shape.cells), 10**4, keep=10**4)
    assert len(listed) == grids.count == searched.count
    assert set(listed) == set(searched.grids)
    assert grids.indices(listed) == list(range(grids.count))


@pytest.mark.full
def test_latin_squares_of_order_five() -> None:
    grids = Grids("1x5")
    listed = list(grids)
    assert len(set(listed)) == grids.count == 161280
    assert all(not grids.box.conflict(grid) for grid in listed[::997])


@pytest.mark.parametrize("box", SHAPES)
def test_round_trips_of_samples(box: str) -> None:
    grids = Grids(box)
    assert grids.count == count_grids(Box.parse(box)).total == sum(grids.classes)
    places = [*grids.sample_places(200, seed=1), 0, grids.count - 1]
    made = grids.at(places)
    for grid in made:
        assert len(grid) == grids.box.cells
        assert all(grid)
        assert not grids.box.conflict(grid)
    assert grids.indices(made) == places


@examples(40)
@given(st.integers(0, NINE.count - 1))
def test_round_trips_of_indices(index: int) -> None:
    grid = NINE[index]
    assert NINE.index(grid) == index
    assert grid in NINE
    assert NINE.index(NINE.box.line(grid)) == index


@pytest.mark.parametrize("box", ["2x3", "3x3"])
def test_neighbours_differ_and_first_and_last_of_a_class_are_next_to_others(box: str) -> None:
    """Around the ends of the classes, where a cumulative sum that is off by one would show."""
    grids = Grids(box)
    first, places = 0, []
    for size in grids.classes:
        places += [first, first + 1, first + size - 1]
        first += size
    made = grids.at(places)
    assert len(set(made)) == len(set(places))
    assert grids.indices(made) == places


@examples(40)
@given(st.integers(0, 2**31 - 1), st.permutations(range(1, 10)))
def test_other_random_grids_and_renamed_ones_have_indices(seed: int, names: list[int]) -> None:
    grid = random_grid(Box(3, 3), seed)
    renamed = tuple(names[digit - 1] for digit in grid)
    one, other = NINE.indices([grid, renamed])
    assert NINE.at([one, other]) == [grid, renamed]


def test_transposed_shapes_have_the_transposed_order() -> None:
    wide, tall = Grids("2x3"), Grids("3x2")
    for place in wide.sample_places(50, seed=2):
        grid = wide[place]
        assert tall[place] == tuple(grid[column * 6 + row] for row in range(6) for column in range(6))


# -- uniform samples ----------------------------------------------------------------------------------------


def test_all_288_grids_are_equally_likely() -> None:
    grids = Grids("2x2")
    counts: Counter[object] = Counter(grids.sample(14400, seed=4))
    assert likely(counts, dict.fromkeys(grids, 1 / 288))


def test_bands_of_two_by_three() -> None:
    """Top bands up to names, against the completions of each by the classification's own way."""
    shape, number = Box(3, 2), 10000
    found = Classification(shape)
    found.run("column-sets")
    weights: Counter[object] = Counter()
    for each in found.classes:
        weights[each.completions] += each.bands * (each.completions or 0)
    shares = {key: weight / weights.total() for key, weight in weights.items()}
    bands = [grid[: 3 * 6] for grid in Grids(shape).sample(number, seed=5)]
    names = [{digit: place for place, digit in enumerate(_first_box(band), 1)} for band in bands]
    renamed = [tuple(name[digit] for digit in band) for band, name in zip(bands, names, strict=True)]
    counts: Counter[object] = Counter(complete(shape, renamed))
    assert likely(counts, shares)


def _first_box(band: tuple[int, ...]) -> list[int]:
    return [band[row * 6 + column] for row in range(3) for column in range(2)]


@pytest.mark.parametrize("number", [full(1200), pytest.param(20000, marks=pytest.mark.slow)])
def test_classes_of_bands_of_nine_by_nine(number: int) -> None:
    """Column sets of the top, middle and bottom band and of the stacks: each has the same distribution."""
    shares: dict[object, float] = {k: size / NINE.count for k, size in enumerate(NINE.classes)}
    places = NINE.sample_places(number, seed=6)
    grids = NINE.at(places)
    turned = [tuple(grid[c * 9 + r] for r in range(9) for c in range(9)) for grid in grids]
    upside_down = [grid[54:] + grid[27:54] + grid[:27] for grid in grids]
    for image in (places, NINE.indices(turned), NINE.indices(upside_down)):
        counts: Counter[object] = Counter(_class_of(place) for place in image)
        assert likely(counts, shares)


def _class_of(place: int) -> int:
    which = 0
    while place >= NINE.classes[which]:
        place -= NINE.classes[which]
        which += 1
    return which


def test_seeds() -> None:
    assert NINE.sample(3, seed=1) == NINE.sample(5, seed=1)[:3] == NINE.at(NINE.sample_places(3, seed=1))
    assert NINE.sample(1, seed=1) != NINE.sample(1, seed=2)
    assert NINE.sample_places(2) != NINE.sample_places(2)


# -- bad input, limits, commands ----------------------------------------------------------------------------


def test_bad_indices_and_grids() -> None:
    grids = Grids("2x2")
    for index in (-1, 288, 10**50):
        with pytest.raises(IndexOutOfRange, match="sudoku 2x2 has 0 to 287"):
            grids[index]
    for none in (1.5, True, "3"):
        with pytest.raises(BadInput, match="not a whole number"):
            grids[none]  # type: ignore[index]
    assert (1, 2, 3) not in grids
    assert (1,) * 16 not in grids
    assert None not in grids
    assert grids[7] in grids
    with pytest.raises(BadInput, match="2 empty cells"):
        grids.index((0, 0, *grids[3][2:]))
    with pytest.raises(Refused, match="3x4"):
        Grids("3x4")
    with pytest.raises(LimitReached, match="time limit"):
        Grids("2x5", Settings(timeout=0.2))


def test_commands() -> None:
    line = ktsolve("sudoku", "random", "--uniform", "--seed", "3", "--number", "2", "-q").out.split()
    refused = ktsolve("sudoku", "random", "--uniform", "--number", str(10**20))
    assert (refused.status, refused.complaint) == (2, f"--number {10**20}: give up to 1000000 grids at once")
    data = ktsolve("sudoku", "random", "--uniform", "--seed", "3", "--json").json
    assert data["grid"] == line[0] == NINE.box.line(NINE.sample(1, seed=3)[0])
    assert (data["seed"], data["uniform"], data["count"]) == (3, True, str(NINE.count))
    said = ktsolve("sudoku", "rank", *line, "-q").out.split()
    assert said[0] == data["indices"][0]
    assert ktsolve("sudoku", "rank", "-", "-q", given="\n".join(line).encode()).out.split() == said
    assert ktsolve("sudoku", "unrank", *said, "-q").out.split() == line
    drawn = ktsolve("sudoku", "unrank", said[1], "-q").out
    assert ktsolve("sudoku", "rank", "-", "-q", given=drawn.encode()).out.split() == said[1:]
    listed = ktsolve("sudoku", "unrank", "0:288", "--box", "2x2", "--json").json
    assert len(set(listed["grids"])) == 288
    assert listed["order"] == "sudoku:1:2x2"
    unseeded = ktsolve("sudoku", "random", "--uniform", "--json").json
    assert unseeded["seed"] is None
    assert str(NINE.index(unseeded["grid"])) == unseeded["indices"][0]


BAD = {
    "unrank 288 --box 2x2": ("'288'", "0 to 287"),
    "unrank -1 --box 2x2": ("'-1'", "0 to 287"),
    "unrank 1e3": ("'1e3'", "whole number"),
    f"unrank {'9' * 5000}": ("out of range", "0 to 6670903752021072936959"),
    "unrank 0:2000000": ("2000000 grids", "1000000"),
    "rank 123434122143432.": ("1 empty cell",),
    "rank 1134341221434321": ("digit 1", "twice"),
    f"rank 1234341221434321 {'1' * 81}": ("digit 1", "twice"),
    "random --difficulty easy": ("--difficulty easy", "--puzzle"),
    "random --uniform --puzzle": ("--uniform", "--puzzle"),
    "random --uniform --box 4x4": ("4x4", "3x3"),
}


@pytest.mark.parametrize("arguments", BAD)
def test_bad_input_is_one_line(arguments: str) -> None:
    said = ktsolve("sudoku", *arguments.split())
    assert (said.status, said.out) == (2, "")
    for named in BAD[arguments]:
        assert named in said.complaint


def test_two_shapes_have_no_common_order() -> None:
    said = ktsolve("sudoku", "rank", "1234341221434321", NINE.box.line(NINE[5]))
    assert said.status == 2
    assert "2x2 and of 3x3" in said.complaint
