"""Partly numbered boards: read, solved, counted, reduced, made."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from command import answered, refused
from hypothesis import given
from hypothesis import strategies as st
from marks import full
from strategies import all_tours, boards, examples, refusal
from svg_reading import SVG, parsed

from ktsolve.base.limits import Settings
from ktsolve.graphs.board import Board
from ktsolve.graphs.tour import Tour
from ktsolve.problem.parameters import clue_grid, read_clues
from ktsolve.problem.problem import TourProblem
from ktsolve.render.scene.style import Style
from ktsolve.wings.puzzles.clue_tasks import make_puzzle, reduce_clues, solutions
from ktsolve.wings.puzzles.hints import clue_hints


@given(boards(6), st.integers(0, 2**32))
@examples(100)
def test_grids_are_read_as_written(board: Board, seed: int) -> None:
    chance = random.Random(seed)
    some = chance.sample(board.cells, chance.randint(0, len(board)))
    clues = dict(zip(chance.sample(range(1, len(board) + 1), len(some)), some, strict=True))
    again, found = read_clues(clue_grid(board, clues), leaper=board.leaper, wrap=board.wrap)
    assert (again, found) == (board, clues)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there are no clues in the input: it is empty"),
        ("1 . .\n. .", "line 2 of the clues has 2 entries where line 1 has 3"),
        ("1 x .", "line 1, entry 2 of the clues: 'x' is neither a step number, nor . for a cell"),
        ("1 . 1", "line 1, entry 3 of the clues: step 1 occurs twice"),
        ("# #", "every cell of the board is removed"),
        ("1|.|3\n7||6", "line 2 of the clues has an empty entry: write . for a cell to be found"),
    ],
)
def test_faults_are_named_with_their_place(text: str, said: str) -> None:
    assert said in refusal(read_clues, text)


@pytest.mark.parametrize(
    ("size", "closed", "without"), [("5x6", True, ""), ("3x4", False, ""), ("3x5", False, "a1")]
)
def test_hints_are_drawn_and_complete_the_board(size: str, closed: bool, without: str) -> None:
    board = Board.parse(size, without=without)
    tour = random.Random(size).choice(all_tours(board, closed))
    given = {step: tour.squares[step - 1] for step in range(1, len(tour) + 1, 2)}
    problem = TourProblem(board=board, closed=closed, at=given)
    found = dict(given)
    for each in clue_hints(problem):
        drawn = each.drawn(problem)
        (((_, cell, step), made),) = drawn.marks.items()
        assert made
        assert drawn.earlier == {("number", place, known): True for known, place in found.items()}
        assert {place for place, _ in drawn.places} <= set(found.values())
        assert {cell: mark for cell, mark in drawn.puzzle.clues if mark != "#"} == {
            place: str(known) for known, place in given.items()
        }
        scene = drawn.scene(Style())
        assert scene.title == f"Knight puzzle on {board}: a hint"
        found[step] = cell
    assert Tour(board, tuple(found[step] for step in range(1, len(tour) + 1)), closed=closed).valid


def test_hints_are_written_as_pictures(tmp_path: Path) -> None:
    name, drawn = tmp_path / "clues.txt", tmp_path / "hints.svg"
    name.write_text("# open\n1 . . 10\n. . . .\n3 . 9 .\n")
    answered("clues", "hint", str(name), "-n", "4", "-o", str(drawn))
    texts = ["".join(each.itertext()) for each in parsed(drawn.read_text()).iter(f"{SVG}text")]
    assert [text[:7] for text in texts if text[2:6] == " is "] == ["c2 is 2", "b3 is 4", "d2 is 5", "b1 is 6"]
    name.write_text("# open\n1 8 5 10\n4 11 2 7\n9 6 3 12\n")
    drawn.unlink()
    said = answered("clues", "hint", str(name), "-o", str(drawn))
    assert (said.out, drawn.exists()) == ("every cell has its step\n", False)


def test_zeros_in_front_and_bars_between_entries_mean_nothing() -> None:
    assert read_clues("|01|00|03|\n|00|12| .|") == read_clues("1 . 3\n0 12 .")


@pytest.mark.parametrize("engine", ["search", "sat"])
@pytest.mark.parametrize(
    ("size", "closed"), [("3x4", False), ("5x6", True), full("3x10", True), ("4x5", False)]
)
def test_solutions_are_the_numberings_that_fit(size: str, closed: bool, engine: str) -> None:
    chance = random.Random(size)
    tours = all_tours(Board.parse(size), closed)
    for number in (1, 2, 3):
        model = chance.choice(tours)
        steps = {step: model.squares[step - 1] for step in chance.sample(range(1, len(model) + 1), number)}
        problem = TourProblem(board=size, closed=closed, at=steps)
        expected = {each.squares for tour in tours for each in problem.labelings(tour)}
        found = [each.squares for each in solutions(problem, engine)]
        assert set(found) == expected
        assert len(found) == len(expected)


@pytest.mark.parametrize(("size", "closed"), [("5x5", False), full("6x6", True), full("5x6", False)])
def test_made_puzzles_have_one_solution_and_no_clue_to_spare(size: str, closed: bool) -> None:
    empty = TourProblem(board=size, closed=closed)
    made = make_puzzle(empty, seed=5)
    assert made.minimal
    assert made.solution is not None
    problem = made.problem
    for engine in ("search", "sat"):
        assert [tour.squares for tour in solutions(problem, engine)] == [made.solution.squares]
    for step in dict(problem.at):
        fewer = problem.replace(at={s: cell for s, cell in problem.at if s != step})
        assert sum(1 for _ in solutions(fewer, "search")) > 1
    assert make_puzzle(empty, seed=5) == made
    assert make_puzzle(empty, seed=6).problem != problem


def test_reducing_keeps_what_is_asked() -> None:
    tour = all_tours(Board.parse("3x4"), False)[3]
    whole = TourProblem(board="3x4", closed=False, at=dict(enumerate(tour.squares, 1)))
    kept = reduce_clues(whole, keep=lambda cell: cell[0] == 0)
    assert {cell for _, cell in kept.problem.at} >= {cell for cell in tour.squares if cell[0] == 0}
    hurried = reduce_clues(whole, settings=Settings(timeout=30))
    assert hurried.solution == tour
    assert "several solutions" in refusal(reduce_clues, TourProblem(board="3x4", closed=False, at={1: "a1"}))
    assert "no solution" in refusal(reduce_clues, TourProblem(board="3x4", closed=False, at={2: "a1"}))
    assert "may begin anywhere" in refusal(lambda: list(solutions(TourProblem(board="6x6", closed=True))))


@pytest.mark.full
def test_the_commands(tmp_path: Path) -> None:
    file = tmp_path / "clues"
    made = answered("clues", "make", "6x6", "--seed", "3", "-o", str(file))
    assert "one solution, none can be left out" in made.err
    solved = answered("clues", "solve", str(file), "--json").json
    assert solved["status"] == "found"
    assert answered("clues", "count", str(file)).out == "1 solution\n"
    assert answered("clues", "unique", str(file)).out.endswith("the only solution\n")
    assert answered("clues", "reduce", str(file)).out == file.read_text()
    told = answered("clues", "make", "6x6", "--seed", "3", "--json").json
    assert told["solution"] == solved["squares"]
    assert told["minimal"] is True
    fewer = file.read_text().replace("28", " .")
    several = answered("clues", "unique", "-", given=fewer.encode(), status=1)
    assert several.out.endswith("not the only solution\n")
    assert (
        answered("clues", "count", "-", "--number", "2", given=fewer.encode()).out == "2 or more solutions\n"
    )
    assert answered("tour", "6x6", "--clues", str(file), "--json").json["squares"] == solved["squares"]
    assert "the clues are a grid of 6x6, the board is 5x6" in refused("tour", "5x6", "--clues", str(file))
    nothing = answered("clues", "solve", "-", given=b"1 2 .\n. . .\n. . .", status=1)
    assert nothing.out == "no solution: b2 has no move left (degrees)\n"
    stopped = answered("clues", "make", "30x30", "--timeout", "0.001", "--json", status=3).json
    assert stopped["status"] == "unknown"
    assert "there is no puzzle: no closed tour exists" in refused("clues", "make", "4x4")
