"""Swap puzzles as statements: pictures, conditions, what makes no sense, the judge, arithmetic."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from ktsolve.errors import BadInput
from ktsolve.ground.board import Board
from ktsolve.problem.swap import SwapPuzzle
from ktsolve.problem.swap_bounds import lower_bound, obstruction, parity
from ktsolve.problem.swap_parameters import swap_puzzle
from ktsolve.problem.swap_solution import SwapSolution

GUARINI: dict[str, Any] = {"start": "W.W/.x./B.B", "goal": "B.B/.x./W.W"}

BAD: list[tuple[dict[str, Any], str]] = [
    ({"start": ""}, "parameters: start is empty: draw the board, such as W.W/.x./B.B"),
    ({"start": "W.W/..\nB.B"}, "parameters: start, row 2: 2 cells, but row 1 has 3: make rows equally long"),
    ({"start": "W.W/.#./B.B"}, "parameters: start, row 2, column 2: '#' is no piece: write a letter or a "),
    ({"goal": "B.B/.x./W é"}, "parameters: goal, row 3, column 2: ' ' is no piece"),
    ({"goal": "B.B/.x./W.é"}, "parameters: goal, row 3, column 3: 'é' is no piece"),
    ({"goal": "B.B/.x."}, "parameters: goal is a picture of 2x3 cells; the board is 3x3"),
    ({"goal": "B.B/.../W.W"}, "parameters: goal, row 2, column 2: '.' where the board has no cell"),
    ({"goal": "B.B/xx./W.W"}, "parameters: goal, row 2, column 1: no cell where the board has one"),
    ({"goal": "B.B/.x./W.Q"}, "parameters: goal, row 3, column 3: the start has no piece Q, only B, W"),
    (
        {"goal": "B.B/.x./W.B"},
        "parameters: the start has 2 B, the goal 3: the same pieces must stand in both",
    ),
    ({"start": "xxx", "goal": "xxx"}, "parameters: every cell of the board is removed: leave at least one"),
    ({"start": "...", "goal": "..."}, "parameters: the start has no pieces: draw some"),
    ({"different": True}, "parameters: start, row 3, column 3: a second B; pieces that are all different"),
    ({"leapers": {"Q": [1, 2]}}, "parameters: leapers: there is no piece 'Q', only B, W"),
    ({"leapers": {"B": [1, 2, 3]}}, "parameters.leapers.B must be two whole numbers, such as [1, 2], not"),
    ({"leapers": {"B": [0, 0]}}, "parameters: leapers, B: leaper 0,0 does not move"),
    ({"leaper": "knight"}, "parameters.leaper must be a list, not 'knight'"),
    ({"wrap": "z"}, "parameters: wrap 'z' is unknown: use none, x, y, xy"),
    ({"objective": "turns"}, "parameters: objective 'turns' is unknown: use jumps or moves"),
    ({"longest": 2}, "parameters: the longest move goes with the objective moves"),
    ({"objective": "moves", "longest": 0}, "parameters: the longest move has 1, 2, 3, ... or any number"),
    ({"objective": "moves", "longest": "all"}, "parameters: the longest move has 1, 2, 3, ... or any number"),
    ({"most": -1}, "parameters: most is a number of jumps, 0 to 64000, not -1"),
    (
        {"colours": ["WB"], "alternate": True},
        "parameters: two colours move by turns, but here is 1: say which",
    ),
    ({"colours": ["WW"]}, "parameters: colours: W is named twice; a piece has one colour"),
    ({"colours": ["WX"]}, "parameters: colours: there is no piece 'X', only B, W"),
    ({"colours": [1]}, "parameters: colours must be a list of texts"),
    ({"start": "WB./...", "goal": "...", "leaper": [0, 1]}, "parameters: goal is a picture of 1x3 cells"),
    (
        {"start": "WB.", "goal": ".BW", "leaper": [0, 1], "peaceful": True},
        "parameters: start: W on a1 and B on b1 attack each other, which peaceful forbids",
    ),
    ({"pieces": 4}, "parameters.pieces is unknown: expected one of alternate, colours, different"),
]


@pytest.mark.parametrize(("changed", "message"), BAD, ids=[message[:60] for _, message in BAD])
def test_what_makes_no_sense_is_told_with_its_place(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        swap_puzzle({**GUARINI, **changed})
    assert str(caught.value).startswith(message)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("key", ["start", "goal"])
def test_both_pictures_must_be_there(key: str) -> None:
    with pytest.raises(BadInput, match=rf"parameters\.{key} is missing"):
        swap_puzzle({name: text for name, text in GUARINI.items() if name != key})


def test_a_board_may_be_given() -> None:
    board = Board.parse("3x3", without="b2", leaper=(0, 1))
    puzzle = SwapPuzzle(**GUARINI, board=board)
    assert puzzle.board is board
    assert puzzle.jumps["W"][0] == (1, 3)
    with pytest.raises(BadInput, match="start, row 2, column 2: no cell where the board has one"):
        SwapPuzzle(**GUARINI, board=Board.parse("3x3"))


def test_pieces_have_leapers_of_their_own() -> None:
    puzzle = SwapPuzzle(start="NW./...", goal="WN./...", leapers={"W": (0, 1)})
    assert (puzzle.jumps["N"][0], puzzle.jumps["W"][0]) == ((5,), (1, 3))
    again = replace(puzzle, objective="moves")
    assert again.leapers == puzzle.leapers
    assert hash(again) != hash(puzzle)
    assert replace(again, objective="jumps") == puzzle


def test_a_wrapped_board() -> None:
    puzzle = swap_puzzle({"start": "A...", "goal": "...A", "leaper": [0, 1], "wrap": "x"})
    assert puzzle.check([(0, 3)]) is None
    assert replace(puzzle, board=Board.parse("1x4", leaper=(0, 1))).check([(0, 3)]) is not None


def test_words() -> None:
    puzzle = SwapPuzzle(**GUARINI, objective="moves", longest=2, most=9, alternate=True, peaceful=True)
    assert str(puzzle) == (
        "W.W/.x./B.B to B.B/.x./W.W in fewest moves, of at most 2 jumps, at most 9, alternate, peaceful"
    )
    assert puzzle.picture(puzzle.last) == puzzle.goal
    assert puzzle.colour_of == {"B": "B", "W": "W"}
    grouped = SwapPuzzle(start="AB.C", goal="C.AB", colours=["AB"])
    assert grouped.colour_of == {"A": "AB", "B": "AB", "C": "C"}


# -- the judge -----------------------------------------------------------------------------------------------

CORRIDOR = SwapPuzzle(start="A..B/....", goal="..AB/....", board=Board.parse("2x4", leaper=(0, 1)))


@pytest.mark.parametrize(
    ("words", "moves", "fault"),
    [
        ({}, [(0, 1), (1, 2)], None),
        ({}, [(0, 1)], "in the end A stands on b2, not nothing"),
        ({}, [(0, 1), (1, 2), (2, 3)], "jump 3: B stands on d2"),
        ({}, [(0, 2)], "jump 1: a2-c2 is no jump of A"),
        ({}, [(1, 2)], "jump 1: nothing stands on b2"),
        ({}, [(0,)], "jump 1: [0] is no walk over the 8 cells"),
        ({}, [(0, 8)], "jump 1: [0, 8] is no walk over the 8 cells"),
        ({}, [(0, 1, 2)], "jump 1: 2 jumps are too many"),
        ({"most": 1}, [(0, 1), (1, 2)], "2 jumps are more than 1"),
        ({"objective": "moves"}, [(0, 1, 2)], None),
        ({"objective": "moves"}, [(0, 4, 0, 1)], "move 1: a2-a1-a2-b2 visits a cell twice"),
        ({"objective": "moves", "longest": 1}, [(0, 1, 2)], "move 1: 2 jumps are too many"),
        ({"alternate": True}, [(0, 1), (1, 2)], "jump 2: A moves, but it is not its turn"),
        ({"alternate": True}, [(0, 1), (3, 7), (1, 2), (7, 3)], None),
        (
            {"peaceful": True, "goal": "A..B/...."},
            [(0, 1), (1, 2), (2, 1), (1, 0)],
            "jump 2: A on c2 faces an enemy",
        ),
    ],
)
def test_the_judge(words: dict[str, Any], moves: list[tuple[int, ...]], fault: str | None) -> None:
    assert replace(CORRIDOR, **words).check(moves) == fault


def test_a_solution_writes_itself() -> None:
    puzzle = replace(CORRIDOR, objective="moves")
    solution = SwapSolution(puzzle, ((0, 1, 2),))
    assert (str(solution), solution.line(), solution.jumps) == ("1. A a2-b2-c2", "a2-b2-c2", 2)
    assert solution.to_json() == [{"piece": "A", "path": [[0, 0], [0, 1], [0, 2]]}]
    assert solution.positions == ("A..B....", "..AB....")


# -- arithmetic ----------------------------------------------------------------------------------------------


def test_obstructions_say_why() -> None:
    ring = SwapPuzzle(start="W.W/.x./B.B", goal="W.B/.x./B.W")
    assert re.fullmatch(
        r"pieces on the ring [a-c1-3-]+ keep their order: WWBB cannot .*", str(obstruction(ring))
    )
    parts = SwapPuzzle(start="WB../....", goal="BW../....")
    assert obstruction(parts) == "no jump leaves the 2 cells a2, c1: 1 W stand there, and the goal wants 0"
    assert lower_bound(parts) is None
    # Two wazirs and their cells apart: what is missing in the first part is told by the second.
    apart = swap_puzzle({"start": "A.xBC", "goal": "ABx.C", "leaper": [0, 1]})
    assert obstruction(apart) == "no jump leaves the 2 cells d1, e1: 1 B stand there, and the goal wants 0"
    odd = SwapPuzzle(start="ABC/DEF/GH.", goal="ABC/DEF/HG.", board=Board.parse("3x3", leaper=(0, 1)))
    assert str(obstruction(odd)).startswith(
        "the pieces form an odd permutation, but the empty cell makes an even"
    )
    assert obstruction(replace(odd, goal="ABC/DEF/G.H")) is None
    assert obstruction(SwapPuzzle(**GUARINI)) is None


def test_bounds_and_parity() -> None:
    assert (lower_bound(SwapPuzzle(**GUARINI)), parity(SwapPuzzle(**GUARINI))) == (8, 0)
    assert parity(SwapPuzzle(**GUARINI, objective="moves")) is None
    eight = SwapPuzzle(start="..BB/.xBB/xCCx/xCCx", goal="..CC/.xCC/xBBx/xBBx", objective="moves", longest=2)
    assert lower_bound(eight) == 8
    # A knight that stays a knight but goes an odd way round a triangle has no parity.
    assert parity(swap_puzzle({"start": "A..", "goal": ".A.", "leaper": [0, 1], "wrap": "x"})) is None
