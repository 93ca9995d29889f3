"""Puzzles and grids: reading, solving, canonical forms, automorphisms, random ones."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import answer_or_refusal, examples

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.limits import Settings
from ktsolve.graphs.groups import compose, cycle_lengths, generate
from ktsolve.grids.box import DIGITS, Box, Grid
from ktsolve.wings.sudoku.canonical import automorphisms, canonical, same
from ktsolve.wings.sudoku.puzzle import (
    Puzzle,
    count_solutions,
    random_grid,
    random_puzzle,
    random_puzzles,
    solutions,
)
from ktsolve.wings.sudoku.symmetries import line_generators

THREE = Box(3, 3)
EXAMPLE = "3..2.1... 74.....19 .2..6.5.. .3.74...1 ..8...9.. 6...92.5. ..2.8..4. 15.....97 ...9.3..2"
SOLVED = "395271486 746835219 821469573 539748621 278516934 614392758 962187345 153624897 487953162"
BOXES = st.sampled_from([Box(2, 2), Box(2, 3), Box(3, 2), THREE])


def moved(puzzle: Puzzle, chance: random.Random) -> Puzzle:
    """A random symmetric image, with new names."""
    box, n = puzzle.box, puzzle.box.side

    def lines(groups: int, size: int) -> list[int]:
        order = [[g * size + i for i in range(size)] for g in range(groups)]
        for group in order:
            chance.shuffle(group)
        chance.shuffle(order)
        return [line for group in order for line in group]

    rows, columns = lines(box.bands, box.rows), lines(box.stacks, box.columns)
    names = list(range(1, n + 1))
    chance.shuffle(names)
    turned = box.rows == box.columns and chance.random() < 0.5
    cells = [(c, r) if turned else (r, c) for r in rows for c in columns]
    clues = puzzle.clues
    return Puzzle(box, tuple(names[clues[r * n + c] - 1] if clues[r * n + c] else 0 for r, c in cells))


# -- reading ------------------------------------------------------------------------------------------------


@given(BOXES, st.integers(0, 10**6), st.randoms())
@examples(40)
def test_what_is_written_is_read(box: Box, seed: int, chance: random.Random) -> None:
    puzzle = Puzzle(box, tuple(d if chance.random() < 0.6 else 0 for d in random_grid(box, seed)))
    for text in (str(puzzle), box.line(puzzle.clues), str(puzzle).replace(".", "0")):
        assert Puzzle.read(text, box) == puzzle
    if box.rows == box.columns:
        assert Puzzle.read(str(puzzle)) == puzzle


@given(st.text(max_size=100), st.one_of(st.none(), BOXES))
@examples(100)
def test_any_text_is_a_puzzle_or_one_line(text: str, box: Box | None) -> None:
    answer_or_refusal(lambda: Puzzle.read(text, box))


@pytest.mark.parametrize(
    ("text", "box", "named"),
    [
        ("1234", None, ("81", "not 4")),
        ("", None, ("81", "not 0")),
        ("." * 80, THREE, ("3x3", "81 cells", "80")),
        ("." * 80 + "x", None, ("'x'", "row 9, column 9", "1 to 9")),
        ("55" + "." * 79, None, ("digit 5", "row 1")),
        ("5" + "." * 8 + "5" + "." * 71, None, ("digit 5", "column 1")),
        ("5" + "." * 9 + "5" + "." * 70, None, ("digit 5", "box 1")),
    ],
)
def test_errors_name_place_and_value(text: str, box: Box | None, named: tuple[str, ...]) -> None:
    with pytest.raises(BadInput) as caught:
        Puzzle.read(text, box)
    message = str(caught.value)
    assert "\n" not in message
    for part in named:
        assert part in message


def test_letters_for_large_digits() -> None:
    box = Box(4, 4)
    grid = random_grid(box, 1)
    assert set(box.line(grid)) == set(DIGITS)
    assert Puzzle.read(box.line(grid).lower(), box).clues == grid


def test_random_puzzles_of_large_boxes_are_minimal_and_have_the_last_sign() -> None:
    box = Box(2, 5)
    # Of this seed no clue is the last digit, so that its signs might as well be 0 to 9: two digits change.
    puzzle = random_puzzle(box, 153)
    assert set(puzzle.clues) == {0, *range(2, 11)}
    assert Puzzle.read(str(puzzle)) == puzzle
    assert count_solutions(puzzle, 2).count == 1
    for cell in range(0, box.cells, 7):
        fewer = Puzzle(box, (*puzzle.clues[:cell], 0, *puzzle.clues[cell + 1 :]))
        assert count_solutions(fewer, 1).all_found == (fewer == puzzle)
    *_, before, last = random_puzzles(box, 153, clues=60)
    assert (before.given, last.given) == (61, 60)


# -- solving ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["auto", "sat", "cpsat"])
def test_the_example(engine: str) -> None:
    puzzle = Puzzle.read(EXAMPLE)
    assert solutions(puzzle, 2, engine) == [Puzzle.read(SOLVED).clues]
    assert count_solutions(puzzle, 5, keep=5).grids == (Puzzle.read(SOLVED).clues,)


@given(BOXES, st.integers(0, 10**6), st.randoms())
@examples(25)
def test_native_search_and_models_agree(box: Box, seed: int, chance: random.Random) -> None:
    kept = chance.choice([0.3, 0.5, 0.7])
    clues = [d if chance.random() < kept else 0 for d in random_grid(box, seed)]
    if chance.random() < 0.5:
        clues[chance.randrange(box.cells)] = chance.randrange(1, box.side + 1)
    if box.conflict(clues):
        return
    puzzle = Puzzle(box, tuple(clues))
    found = count_solutions(puzzle, 3, keep=3)
    grids = solutions(puzzle, 2)
    assert len(grids) == min(found.count, 2)
    for each in (*found.grids, *grids):
        assert puzzle.violation(each) == ""
    assert len(set(found.grids)) == found.count


def test_the_checker_names_the_first_violation() -> None:
    puzzle, grid = Puzzle.read(EXAMPLE), Puzzle.read(SOLVED).clues
    assert puzzle.violation(grid) == ""
    assert puzzle.violation((4, *grid[1:])) == "cell 1 is 4, not 3 as given"
    assert puzzle.violation((grid[0], 0, *grid[2:])) == "a cell is empty"
    assert puzzle.violation((grid[0], 5, *grid[2:])) == "digit 5 occurs twice in row 1"


def test_counts_stop_at_the_limit() -> None:
    empty = Puzzle(Box(2, 2), (0,) * 16)
    assert count_solutions(empty, 287).all_found is False
    assert count_solutions(empty, 288).all_found is True
    with pytest.raises(BadInput, match="limit of 0 solutions"):
        count_solutions(empty, 0)
    with pytest.raises(LimitReached, match="stopped at the time limit"):
        count_solutions(Puzzle(THREE, (0,) * 81), 2**62, Settings(timeout=0.1))


# -- canonical forms ----------------------------------------------------------------------------------------


@cache
def small_forms() -> set[Grid]:
    empty = Puzzle(Box(2, 2), (0,) * 16)
    grids = count_solutions(empty, 288, keep=288).grids
    return {canonical(Puzzle(Box(2, 2), grid)).grid for grid in grids}


def test_two_forms_of_small_grids() -> None:
    assert len(small_forms()) == 2
    orders = [canonical(Puzzle(Box(2, 2), form)).automorphisms for form in small_forms()]
    # Each form stands for 4! * 128 / automorphisms grids.
    assert sum(24 * 128 // order for order in orders) == 288


@given(BOXES, st.integers(0, 10**6), st.randoms(), st.sampled_from([1.0, 0.8, 0.4]))
@examples(40)
def test_forms_are_invariant(box: Box, seed: int, chance: random.Random, kept: float) -> None:
    puzzle = Puzzle(box, tuple(d if chance.random() < kept else 0 for d in random_grid(box, seed)))
    image = moved(puzzle, chance)
    form = canonical(puzzle)
    assert canonical(image) == form
    assert same(puzzle, image)
    assert form.grid <= puzzle.clues or puzzle.clues[0] != 1
    again = canonical(Puzzle(box, form.grid))
    assert again == form


def images(puzzle: Puzzle) -> set[Grid]:
    """All images of a grid, by the definition, with digits renamed in the order in which they occur."""
    box, n = puzzle.box, puzzle.box.side
    found = set()
    for rows in generate(line_generators(box.bands, box.rows)):
        for columns in generate(line_generators(box.stacks, box.columns)):
            moved_grid = [puzzle.clues[r * n + c] for r in rows for c in columns]
            transposed = [moved_grid[r * n + c] for c in range(n) for r in range(n)]
            for grid in (moved_grid, transposed) if box.rows == box.columns else (moved_grid,):
                names = {digit: name for name, digit in enumerate(dict.fromkeys(grid), 1)}
                found.add(tuple(names[digit] for digit in grid))
    return found


@given(st.sampled_from([Box(2, 2), Box(2, 3)]), st.integers(0, 40), st.integers(0, 40), st.randoms())
@examples(30)
def test_forms_are_equal_exactly_for_images(box: Box, one: int, other: int, chance: random.Random) -> None:
    first, second = (Puzzle(box, random_grid(box, seed)) for seed in (one, other))
    second = moved(second, chance)
    assert same(first, second) == (canonical(second).grid in images(first))


def line_cycles(puzzle: Puzzle) -> list[tuple[int, ...]]:
    """Cycle lengths of the permutations of digits between lines of a band or stack: equal for images."""
    n, size = puzzle.box.side, puzzle.box.rows
    rows = [puzzle.clues[r * n : r * n + n] for r in range(n)]
    found = []
    for lines in (rows, list(zip(*rows, strict=True))):
        for a, b in ((a, b) for a in range(n) for b in range(n) if a != b and a // size == b // size):
            to = dict(zip(lines[a], lines[b], strict=True))
            found.append(cycle_lengths(tuple(to[digit] - 1 for digit in range(1, n + 1))))
    return sorted(found)


@pytest.mark.parametrize("seed", range(3))
def test_forms_of_large_grids_differ(seed: int) -> None:
    grid, other = (Puzzle(THREE, random_grid(THREE, s)) for s in (seed, seed + 100))
    assert line_cycles(grid) == line_cycles(moved(grid, random.Random(seed))) != line_cycles(other)
    assert not same(grid, other)


def cyclic(box: Box) -> Puzzle:
    """The grid whose rows are shifts of the first: very symmetric."""
    shifts = [(row % box.rows) * box.columns + row // box.rows for row in range(box.side)]
    return Puzzle(box, tuple((c + shift) % box.side + 1 for shift in shifts for c in range(box.side)))


@pytest.mark.parametrize("box", [Box(2, 2), Box(2, 3), THREE], ids=str)
def test_automorphisms_are_those_of_the_definition(box: Box) -> None:
    puzzle = cyclic(box)
    found = automorphisms(puzzle)
    assert len(found) == canonical(puzzle).automorphisms > 1
    assert found[0] == tuple(range(box.cells))
    assert len(set(found)) == len(found)
    for images in found:
        renamed: dict[int, int] = {}
        for cell, to in enumerate(images):
            digit = puzzle.clues[cell]
            assert renamed.setdefault(digit, puzzle.clues[to]) == puzzle.clues[to]
    known = set(found)
    chance = random.Random(1)
    for _ in range(50):
        assert compose(chance.choice(found), chance.choice(found)) in known
    if box.side < 9:
        rows = generate(line_generators(box.bands, box.rows))
        columns = generate(line_generators(box.stacks, box.columns))
        number = sum(
            keeps(puzzle, [r[cell // box.side] * box.side + c[cell % box.side] for cell in range(box.cells)])
            for r in rows
            for c in columns
        )
        assert number == len(found) or box.rows == box.columns


def keeps(puzzle: Puzzle, images: list[int]) -> bool:
    renamed: dict[int, int] = {}
    return all(
        renamed.setdefault(digit, puzzle.clues[to]) == puzzle.clues[to]
        for digit, to in zip(puzzle.clues, images, strict=True)
    )


def test_the_most_symmetric_grid() -> None:
    """Shifts by boxes in a band and inside boxes from band to band: 648 is the known maximum."""
    digits = [(c // 3 + r % 3) % 3 * 3 + (c % 3 + r // 3) % 3 + 1 for r in range(9) for c in range(9)]
    assert canonical(Puzzle(THREE, tuple(digits))).automorphisms == 648


# -- random -------------------------------------------------------------------------------------------------


def test_random_grids_reach_all_small_ones() -> None:
    box = Box(2, 2)
    assert len({random_grid(box, seed) for seed in range(4000)}) == 288


@given(BOXES, st.integers(0, 2**31 - 1))
@examples(15)
def test_random_puzzles_are_minimal(box: Box, seed: int) -> None:
    puzzle = random_puzzle(box, seed)
    assert random_puzzle(box, seed) == puzzle
    assert count_solutions(puzzle, 2).count == 1
    for cell, digit in enumerate(puzzle.clues):
        if digit:
            fewer = Puzzle(box, (*puzzle.clues[:cell], 0, *puzzle.clues[cell + 1 :]))
            assert count_solutions(fewer, 2).count == 2


def test_numbers_of_clues() -> None:
    assert random_puzzle(THREE, 3, clues=40).given == 40
    assert random_puzzle(THREE, 3, clues=81).given == 81
    with pytest.raises(BadInput, match=r"seed 3 .* 10 clues.* 2[0-9] "):
        random_puzzle(THREE, 3, clues=10)
    with pytest.raises(BadInput, match=r"clues 82 .* 81"):
        random_puzzle(THREE, 3, clues=82)
