"""The difficulty of sudokus, hints, and several puzzles at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from command import answered, refused
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples
from svg_reading import SVG, parsed

from ktsolve.grids.box import Box
from ktsolve.wings.sudoku.hints import SudokuHint, Unsolvable, hints, named_groups
from ktsolve.wings.sudoku.puzzle import Puzzle, count_solutions, random_puzzle, solutions
from ktsolve.wings.sudoku.rating import LEVELS, level_of


@pytest.mark.parametrize("level", LEVELS)
def test_a_puzzle_of_a_difficulty_is_made(level: str) -> None:
    data = answered("sudoku", "random", "--puzzle", "--difficulty", level, "--seed", "1", "--json").json
    assert data["difficulty"] == level
    puzzle = Puzzle.read(data["puzzle"])
    assert level_of(puzzle) == level
    assert count_solutions(puzzle, 2).count == 1


def test_several_puzzles_in_one_file() -> None:
    said = answered("sudoku", "random", "--puzzle", "--box", "2x2", "--seed", "3", "--number", "3")
    lines = said.out.splitlines()
    assert len(lines) == len(set(lines)) == 3
    assert said.err.startswith("3 of seeds 3 to 5: ")
    solved = answered("sudoku", "unique", "-", given=said.out.encode()).out.splitlines()
    assert len(solved) == 3
    assert all("the only solution" in line for line in solved)
    data = answered("sudoku", "random", "--puzzle", "--box", "2x2", "--seed", "3", "-n", "3", "--json").json
    assert [each["puzzle"] for each in data["puzzles"]] == lines
    # The first is that of the seed alone.
    alone = answered("sudoku", "random", "--puzzle", "--box", "2x2", "--seed", "3", "--json").json
    assert alone["grid"] == lines[0]
    grids = answered("sudoku", "random", "--box", "2x2", "--seed", "3", "-n", "2").out.splitlines()
    assert [len(line) for line in grids] == [16, 16]


def test_what_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ktsolve.wings.sudoku.commands._SEEDS", 5)
    told = "difficulty 'esy' is unknown: did you mean easy? use easy, medium, hard"
    assert refused("sudoku", "random", "--puzzle", "--difficulty", "esy") == told
    assert refused("sudoku", "random", "--difficulty", "easy") == (
        "--difficulty easy is for puzzles: give --puzzle as well"
    )
    assert refused("sudoku", "random", "--puzzle", "-n", "1001").startswith("--number 1001: give up to 1,000")
    hard = refused("sudoku", "random", "--puzzle", "--box", "2x2", "--difficulty", "hard", "--seed", "1")
    assert hard == "no hard sudoku of 2x2 in 5 seeds: give another one"


def completions(cells: list[int], given: Mapping[int, int], hint: SudokuHint) -> Iterator[dict[int, int]]:
    """All digits of cells in which no group of the hint has a digit twice."""
    groups = [set(named_groups(hint.puzzle.box)[name]) for name in hint.groups]
    free = [cell for cell in cells if cell not in given]
    if not free:
        yield dict(given)
        return
    for digit in range(1, hint.puzzle.box.side + 1):
        beside = {other for group in groups if free[0] in group for other in group}
        if all(given.get(other) != digit for other in beside):
            yield from completions(cells, {**given, free[0]: digit}, hint)


@examples(8)
@given(st.integers(0, 10**6), st.sampled_from([Box(2, 2), Box(2, 3)]))
def test_hints_follow_from_their_groups_and_lead_to_the_solution(seed: int, box: Box) -> None:
    puzzle = random_puzzle(box, seed)
    (grid,) = solutions(puzzle, 2)
    known = {cell: digit for cell, digit in enumerate(puzzle.clues) if digit}
    for hint in hints(puzzle):
        assert known == {cell: digit for cell, digit in enumerate(hint.puzzle.clues) if digit}
        assert hint.given.items() <= known.items()
        cells = sorted({cell for name in hint.groups for cell in named_groups(box)[name]} | hint.found.keys())
        if len(cells) - len(hint.given) <= 12:
            possible = list(completions(cells, hint.given, hint))
            assert possible
            assert all(hint.found.items() <= each.items() for each in possible)
        known |= hint.found
    assert known == dict(enumerate(grid))


def test_hints_are_printed_and_drawn(tmp_path: Path) -> None:
    puzzle, drawn = "1... ..2. .3.. ...4", tmp_path / "hint.svg"
    said = answered("sudoku", "hint", puzzle, "-n", "20")
    assert said.out.splitlines()[0] == "r1c2 is 2, r2c4 is 1: row 1, box 2, as r2c3 is 2, r1c1 is 1"
    assert said.out.splitlines()[-1] == "nothing more follows"
    (first,) = answered("sudoku", "hint", puzzle, "--json").json["hints"]
    assert first["digits"] == [[[0, 1], "2"], [[1, 3], "1"]]
    assert first["groups"] == ["row 1", "box 2"]
    answered("sudoku", "hint", puzzle, "-o", str(drawn))
    bold = [each.text for each in parsed(drawn.read_text()).iter(f"{SVG}text") if "bold" in str(each.attrib)]
    assert bold[-2:] == ["2", "1"]
    assert answered("sudoku", "hint", "12.. ..3. .... 3..3".replace("3..3", "...3"), status=1).out
    with pytest.raises(Unsolvable):
        next(hints(Puzzle.read("12.. ..34 ...3 ....")))
