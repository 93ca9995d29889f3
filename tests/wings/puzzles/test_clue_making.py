"""Clue puzzles as people make them: uniqueness, wishes, hints, text, JSON, pictures."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

import pytest
from command import answered, refused
from hypothesis import given
from hypothesis import strategies as st
from marks import full
from strategies import all_tours, examples, refusal

from ktsolve.graphs.board import Board
from ktsolve.graphs.symmetry import named_symmetry
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.wings.puzzles.clue_tasks import FEWEST, ClueWishes, differences, hint, make_puzzle, two_solutions
from ktsolve.wings.puzzles.clues import CluePuzzle, read_puzzles
from ktsolve.wings.puzzles.step_deduction import StepDeduction
from ktsolve.wings.puzzles.uniqueness import other_tour

SMALL = [("3x4", False), ("5x6", True), ("3x10", True), ("4x5", False), ("5x5", False)]


def numbered(size: str, closed: bool) -> set[tuple[object, ...]]:
    """All numbered tours, as sequences of cells."""
    found: set[tuple[object, ...]] = set()
    for tour in all_tours(Board.parse(size), closed):
        for each in (tour, tour.reversed()):
            starts = each.squares if closed else each.squares[:1]
            found |= {(each.starting_at(cell) if closed else each).squares for cell in starts}
    return found


NUMBERED = {(size, closed): sorted(numbered(size, closed)) for size, closed in SMALL}


@given(st.sampled_from(SMALL), st.randoms(use_true_random=False))
@examples(60)
def test_questions_of_uniqueness_are_answered_as_by_definition(
    kind: tuple[str, bool], chance: random.Random
) -> None:
    size, closed = kind
    squares = chance.choice(NUMBERED[kind])
    steps = {t: squares[t - 1] for t in chance.sample(range(1, len(squares) + 1), chance.randint(1, 9))}
    problem = TourProblem(board=size, closed=closed, at=steps)
    fitting = [each for each in NUMBERED[kind] if all(each[t - 1] == cell for t, cell in steps.items())]
    tour = Tour(problem.board, squares, closed=closed)
    other = other_tour(problem, tour)
    assert (other is None) == (len(fitting) == 1)
    assert other is None or (other.squares in fitting and other.squares != squares)
    table = StepDeduction(problem)
    assert table.settle(moves=True)
    index = problem.board.index
    for each in fitting:  # no solution is lost
        assert all(table.steps[index[cell]] >> t & 1 for t, cell in enumerate(each))
    if StepDeduction(problem).rating().level != "hard":
        assert len(fitting) == 1
    found = two_solutions(problem)
    assert len(found) == min(2, len(fitting))
    assert {each.squares for each in found} <= set(fitting)


@given(st.sampled_from(SMALL), st.randoms(use_true_random=False))
@examples(12)
def test_hints_lead_to_the_solution(kind: tuple[str, bool], chance: random.Random) -> None:
    size, closed = kind
    squares = chance.choice(NUMBERED[kind])
    steps = {t: squares[t - 1] for t in chance.sample(range(1, len(squares) + 1), len(squares) // 2)}
    problem = TourProblem(board=size, closed=closed, at=steps)
    if len(two_solutions(problem)) == 2:
        return
    while (found := hint(problem)) is not None:
        assert squares[found.step - 1] == found.cell
        assert found.step not in dict(problem.known_steps)
        assert found.reason
        problem = problem.replace(at={**dict(problem.known_steps), found.step: found.cell})
    assert len(problem.known_steps) == len(squares)


def test_hints_say_what_is_wrong() -> None:
    nothing = TourProblem(board="3x4", closed=False, at={1: "a3", 3: "a2"})
    assert "no solution" in refusal(hint, nothing)
    assert "several solutions; two differ at" in refusal(hint, TourProblem(board="5x5", closed=False))


DIAGONALS = frozenset((i, j) for i in range(6) for j in (i, 5 - i))


@pytest.mark.parametrize(
    ("size", "closed", "wishes"),
    [
        full("6x6", True, ClueWishes(on=DIAGONALS)),
        full("6x6", True, ClueWishes(pattern=named_symmetry(Board.parse("6x6"), "rot90"))),
        ("5x6", True, ClueWishes(difficulty="easy", keep=frozenset({(0, 0), (4, 5)}))),
        ("5x5", False, ClueWishes(difficulty="medium")),
        ("5x6", True, ClueWishes(givens=9)),
        full("5x6", True, ClueWishes(difficulty="hard")),
    ],
)
def test_puzzles_are_as_wished(size: str, closed: bool, wishes: ClueWishes) -> None:
    problem = TourProblem(board=size, closed=closed)
    puzzle = make_puzzle(problem, 3, wishes)
    cells = frozenset(puzzle.clues.values())
    assert puzzle.confirmed == "cpsat"
    if puzzle.minimal:  # not claimed of clues that were kept, or left out together
        assert puzzle.solution is not None
        for step in puzzle.clues:
            fewer = {s: cell for s, cell in puzzle.clues.items() if s != step}
            assert other_tour(problem.replace(at=fewer), puzzle.solution) is not None
    assert bool(puzzle.minimal) <= (not wishes.keep and wishes.pattern is None)
    assert wishes.on is None or cells <= wishes.on
    assert wishes.keep <= cells
    assert wishes.givens in (None, len(cells))
    assert wishes.difficulty in (None, puzzle.rating.level)
    if wishes.pattern is not None:
        index = {cell: i for i, cell in enumerate(problem.board.cells)}
        assert {problem.board.cells[wishes.pattern(index[cell])] for cell in cells} == cells
    assert puzzle.solution is not None
    assert other_tour(puzzle.problem, puzzle.solution) is None
    assert make_puzzle(problem, 3, wishes) == puzzle
    assert CluePuzzle.from_json(puzzle.to_json()) == puzzle
    assert read_puzzles(str(puzzle))[0].problem == puzzle.problem


@pytest.mark.parametrize("seed", [full(1), full(2)])
def test_no_fewer_clues_than_the_fewest_determine_the_tour(seed: int) -> None:
    puzzle = make_puzzle(TourProblem(board="5x6", closed=True), seed, ClueWishes(givens=FEWEST))
    assert puzzle.fewest
    assert puzzle.solution is not None
    squares = puzzle.solution.squares
    tours = NUMBERED["5x6", True]
    for steps in combinations(range(len(squares)), len(puzzle.clues) - 1):
        assert sum(all(tour[t] == squares[t] for t in steps) for tour in tours) > 1


@pytest.mark.full
def test_wishes_that_cannot_be_met_are_refused() -> None:
    board = TourProblem(board="5x6", closed=True)
    assert "1 clue" in refusal(lambda: ClueWishes(givens=0))
    assert "easy, medium, hard" in refusal(lambda: ClueWishes(difficulty="evil"))
    assert "the fewest clues make no easy puzzle" in refusal(
        lambda: ClueWishes(givens=FEWEST, difficulty="easy")
    )
    said = refusal(make_puzzle, board, 1, ClueWishes(on=frozenset({(0, 0)})))
    assert said.startswith("no such puzzle was found: 60 tours tried, 60 not determined")
    half = named_symmetry(Board.parse("5x6"), "rot180")
    said = refusal(make_puzzle, board, 1, ClueWishes(on=frozenset(), keep=frozenset({(0, 0)}), pattern=half))
    assert said == "the images of a5 may have no clue: allow them as well"


def test_differences_are_the_steps_with_other_cells() -> None:
    one, other = (Tour(Board.parse("3x4"), each) for each in NUMBERED["3x4", False][:2])
    apart = differences(one, other)
    assert apart
    assert all(one.squares[t - 1] == a != b == other.squares[t - 1] for t, a, b in apart)


def test_open_boards_of_the_knight_are_read_by_both_commands(tmp_path: Path) -> None:
    text, data = tmp_path / "knight.txt", tmp_path / "knight.json"
    for file in (text, data):
        answered("puzzle", "make", "knight", "5x5", "--seed", "1", "-o", str(file))
    problem = read_puzzles(text.read_text())[0].problem
    assert read_puzzles(data.read_text())[0].problem == problem
    assert not problem.closed
    assert "the only solution" in answered("clues", "unique", str(text)).out
    clues = tmp_path / "clues.txt"
    clues.write_text(str(CluePuzzle(problem)))
    assert "the only solution" in answered("puzzle", "unique", str(clues)).out


# -- the commands --------------------------------------------------------------------------------------------


@pytest.mark.full
def test_from_idea_to_print(tmp_path: Path) -> None:
    name = tmp_path / "puzzle.json"
    made = answered("clues", "make", "5x6", "--number", "3", "--seed", "7", "-o", str(name))
    assert made.err == ""
    text = tmp_path / "puzzle.txt"
    said = answered("clues", "make", "5x6", "--number", "3", "--seed", "7", "-o", str(text))
    assert said.err.startswith("3 puzzles, ")
    puzzles = read_puzzles(name.read_text())
    assert [each.problem for each in read_puzzles(text.read_text())] == [each.problem for each in puzzles]
    assert "holds 3 puzzles: choose one, such as --puzzle 1" in refused("clues", "solve", str(name))
    for file in (name, text):
        solved = answered("clues", "solve", str(file), "--puzzle", "2", "--json").json["squares"]
        assert puzzles[1].solution is not None
        assert [tuple(cell) for cell in solved] == list(puzzles[1].solution.squares)
    assert "holds 3 puzzles" in refused("clues", "solve", str(name), "--puzzle", "4")
    hints = answered("clues", "hint", str(name), "--puzzle", "1", "-n", "40").out.splitlines()
    assert hints[-1] == "every cell has its step"
    assert len(hints) == 30 - len(puzzles[0].clues) + 1
    booklet, sheet, solutions = (tmp_path / each for each in ("b.pdf", "s.svg", "t.svg"))
    answered("draw", str(name), "-o", str(booklet))
    assert b"/Count 2" in booklet.read_bytes()  # three puzzles on a page, and their solutions
    answered("draw", str(text), "-o", str(sheet))
    answered("draw", str(name), "--solution", "-o", str(solutions))
    assert sheet.read_text().count("<text") < solutions.read_text().count("<text")
    assert all(f">{step}</text>" in sheet.read_text() for each in puzzles for step in each.clues)
    answered("draw", str(text), "--solution", "-o", str(sheet))  # found, where the file does not hold them
    assert sheet.read_text().count("<text") == solutions.read_text().count("<text")
    assert answered("draw", str(text)).out == text.read_text()


def test_unique_shows_where_two_solutions_differ(tmp_path: Path) -> None:
    grid = b"# open\n1 . . 10\n. . . .\n. . . ."
    said = answered("clues", "unique", "-", "--json", given=grid, status=1).json
    assert (said["status"], said["unique"]) == ("several", False)
    pairs = zip(said["squares"], said["other"], strict=True)
    apart = [{"step": t, "cells": [a, b]} for t, (a, b) in enumerate(pairs, 1) if a != b]
    assert said["differences"] == apart
    text = answered("clues", "unique", "-", given=grid, status=1).out
    assert f"{len(apart)} of 12 steps differ: step {apart[0]['step']}: " in text
    assert text.endswith("not the only solution\n")


def test_a_board_without_a_closed_tour_offers_open_ones() -> None:
    said = answered("clues", "solve", "-", given=b"1 . . .\n. . . .\n. . . .", status=1).out.splitlines()
    assert said[0].startswith("no solution: no closed tour exists on 3x4")
    assert said[1] == "open tours fit the clues: give --open"
    data = answered("clues", "solve", "-", "--json", given=b"1 . . .\n. . . .\n. . . .", status=1).json
    assert data["advice"] == said[1]
    grid = b"1 . . .\n. . . .\n. . . ."
    assert answered("clues", "hint", "-", given=grid, status=1).out.splitlines() == said
    assert answered("clues", "hint", "-", "--json", given=grid, status=1).json["advice"] == said[1]
    assert "there is no closed knight's tour of 3x4; open tours exist: give --open" in refused(
        "clues", "make", "3x4"
    )
    answered("clues", "solve", "-", "--open", given=b"1 . . .\n. . . .\n. . . .")
    for command in ("solve", "unique"):  # without a solution the answer is the same, though nothing is drawn
        assert (
            answered("clues", command, "-", "-o", "none.svg", given=grid, status=1).out.splitlines() == said
        )


@pytest.mark.full
def test_options_of_make(tmp_path: Path) -> None:
    mask = tmp_path / "mask"
    mask.write_text("X....X\nXXXXXX\nX....X\nXXXXXX\nX....X\n")
    made = answered("clues", "make", "5x6", "--on", str(mask), "--json").json
    assert {made["clues"][step][0] for step in made["clues"]} <= set(range(5))
    assert all(r % 2 == 1 or c in (0, 5) for r, c in made["clues"].values())
    open_one = answered("clues", "make", "5x5", "--open", "--start", "a1", "--seed", "2").out
    assert open_one.startswith("# open\n")
    assert open_one.splitlines()[-1].split()[0] == "1"
    wrapped = answered("clues", "make", "4x4", "--wrap", "xy", "--without", "a1,b1").out
    assert wrapped.startswith("# closed wrap xy\n")
    assert read_puzzles(wrapped)[0].problem.board == Board.parse("4x4", wrap="xy", without="a1,b1")
    mask.write_text("X.\n..")
    assert "the mask needs 5 lines of 6 characters" in refused("clues", "make", "5x6", "--on", str(mask))
    assert "names no cell" in refused("clues", "make", "5x6", "--without", "a1", "--on", "a1")
    assert "5x6 has no such symmetry; it has rot180, " in refused(
        "clues", "make", "5x6", "--pattern", "rot90"
    )
    assert "give 12, or fewest" in refused("clues", "make", "5x6", "--givens", "few")


# -- other puzzles -------------------------------------------------------------------------------------------


def test_swap_puzzles_and_sudoku_are_drawn(tmp_path: Path) -> None:
    picture = tmp_path / "p.svg"
    answered("draw", "guarini", "-o", str(picture))
    drawn = picture.read_text()
    assert "Goal: B.B/.x./W.W." in drawn
    assert drawn.count("#ffffff") > 3  # white pieces are white
    swap = tmp_path / "swap.json"
    answered("swap", "guarini", "-o", str(swap))
    answered("draw", str(swap), "-o", str(picture))
    assert picture.read_text() == drawn
    digits = b"1.|34\n..|..\n--+--\n21|..\n..|.."
    answered("draw", "-", "-o", str(picture), given=digits)
    assert "Sudoku 4x4" in picture.read_text()
    assert "has 16, 81 or 256 cells, not 4" in refused("draw", "-", "-o", str(picture), given=b"1.|34")
    answered("sudoku", "random", "--box", "2x2", "--puzzle", "--seed", "1", "-o", str(picture))
    assert "Sudoku 4x4" in picture.read_text()
    answered("sudoku", "solve", "1.3..........2..", "-o", str(picture))
    assert picture.read_text().count("</text>") >= 16
    impossible = tmp_path / "none.toml"
    impossible.write_text('title = "none"\n[parameters]\nstart = "W.B"\ngoal = "B.W"\n')
    said = refused("swap", str(impossible), "--draw", str(picture))
    assert said.startswith(f"--draw {picture}: there is no solution")
