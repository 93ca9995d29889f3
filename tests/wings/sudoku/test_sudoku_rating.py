"""The difficulty of sudokus, and several puzzles at once."""

from __future__ import annotations

import pytest
from command import answered, refused

from ktsolve.wings.sudoku.puzzle import Puzzle, count_solutions
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
