"""Statements of swap puzzles: pictures, conditions, errors, the checker, arithmetic."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from ktsolve.base.errors import BadInput
from ktsolve.graphs.board import Board
from ktsolve.wings.swap.bounds import lower_bound, obstruction, parity
from ktsolve.wings.swap.puzzle import SwapPuzzle
from ktsolve.wings.swap.solution import SwapSolution, violation

GUARINI: dict[str, Any] = {"start": "W.W/.x./B.B", "goal": "B.B/.x./W.W"}

BAD: list[tuple[dict[str, Any], tuple[str, ...]]] = [
    ({"start": ""}, ("start", "empty")),
    ({"start": "W.W/..\nB.B"}, ("start, row 2", "2 cells", "3")),
    ({"start": "W.W/.#./B.B"}, ("start, row 2, column 2", "'#'")),
    ({"goal": "B.B/.x./W é"}, ("goal, row 3, column 2", "' '")),
    ({"goal": "B.B/.x./W.é"}, ("goal, row 3, column 3", "'é'")),
    ({"goal": "B.B/.x."}, ("goal", "2x3", "3x3")),
    ({"goal": "B.B/.../W.W"}, ("goal, row 2, column 2", "'.'", "no cell")),
    ({"goal": "B.B/xx./W.W"}, ("goal, row 2, column 1", "no cell")),
    ({"goal": "B.B/.x./W.Q"}, ("goal, row 3, column 3", "Q", "B, W")),
    ({"goal": "B.B/.x./W.B"}, ("start has 2 B", "goal 3")),
    ({"start": "xxx", "goal": "xxx"}, ("every cell", "removed")),
    ({"start": "...", "goal": "..."}, ("start", "no pieces")),
    ({"different": True}, ("start, row 3, column 3", "second B", "different")),
    ({"leapers": {"Q": [1, 2]}}, ("leapers", "'Q'", "B, W")),
    ({"leapers": {"B": [1, 2, 3]}}, ("leapers.B", "[1, 2, 3]")),
    ({"leapers": {"B": [0, 0]}}, ("leapers, B", "0,0")),
    ({"leaper": "knight"}, ("leaper", "list", "'knight'")),
    ({"wrap": "z"}, ("wrap", "'z'", "none, x, y, xy")),
    ({"objective": "turns"}, ("objective", "'turns'", "jumps or moves")),
    ({"longest": 2}, ("longest 2", "objective moves")),
    ({"objective": "moves", "longest": 0}, ("longest 0", "any")),
    ({"objective": "moves", "longest": "all"}, ("longest", "'all'", "any")),
    ({"most": -1}, ("most -1", "64000")),
    ({"colours": ["WB"], "alternate": True}, ("alternate", "two colours", "1", "colours =")),
    ({"colours": ["WW"]}, ("colours", "W", "twice")),
    ({"colours": ["WX"]}, ("colours", "'X'", "B, W")),
    ({"colours": [1]}, ("colours", "[1]")),
    ({"start": "WB./...", "goal": "...", "leaper": [0, 1]}, ("goal", "1x3", "2x3")),
    (
        {"start": "WB.", "goal": ".BW", "leaper": [0, 1], "peaceful": True},
        ("start", "W on a1", "B on b1", "peaceful"),
    ),
    ({"pieces": 4}, ("pieces", "alternate, colours, different")),
]


@pytest.mark.parametrize(("changed", "named"), BAD, ids=[str(changed) for changed, _ in BAD])
def test_an_error_names_the_key_the_place_and_the_value(
    changed: dict[str, Any], named: tuple[str, ...]
) -> None:
    with pytest.raises(BadInput) as caught:
        SwapPuzzle.of_parameters({**GUARINI, **changed})
    message = str(caught.value)
    assert message.startswith("parameters")
    assert message.isprintable()
    for part in named:
        assert part in message


@pytest.mark.parametrize("key", ["start", "goal"])
def test_both_pictures_are_required(key: str) -> None:
    with pytest.raises(BadInput, match=rf"parameters\.{key} is missing"):
        SwapPuzzle.of_parameters({name: text for name, text in GUARINI.items() if name != key})


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
    puzzle = SwapPuzzle.of_parameters({"start": "A...", "goal": "...A", "leaper": [0, 1], "wrap": "x"})
    assert violation(puzzle, [(0, 3)]) is None
    assert violation(replace(puzzle, board=Board.parse("1x4", leaper=(0, 1))), [(0, 3)]) is not None


def test_text() -> None:
    puzzle = SwapPuzzle(**GUARINI, objective="moves", longest=2, most=9, alternate=True, peaceful=True)
    assert str(puzzle) == (
        "W.W/.x./B.B to B.B/.x./W.W in fewest moves, of at most 2 jumps, at most 9, alternate, peaceful"
    )
    assert puzzle.colour_of == {"B": "B", "W": "W"}
    grouped = SwapPuzzle(start="AB.C", goal="C.AB", colours=["AB"])
    assert grouped.colour_of == {"A": "AB", "B": "AB", "C": "C"}


# -- the checker ---------------------------------------------------------------------------------------------

CORRIDOR = SwapPuzzle(start="A..B/....", goal="..AB/....", board=Board.parse("2x4", leaper=(0, 1)))


@pytest.mark.parametrize(
    ("changed", "moves", "expected"),
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
            "jump 2: A on c2 attacks a piece of another colour",
        ),
    ],
)
def test_the_checker(changed: dict[str, Any], moves: list[tuple[int, ...]], expected: str | None) -> None:
    assert violation(replace(CORRIDOR, **changed), moves) == expected


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
    why = "no jump leaves the 2 cells a2, c1: they have 1 W at the start, 0 at the goal"
    assert obstruction(parts) == why
    assert lower_bound(parts) is None
    # Two components: the second has too many B, the first too few.
    apart = SwapPuzzle.of_parameters({"start": "A.xBC", "goal": "ABx.C", "leaper": [0, 1]})
    why = "no jump leaves the 2 cells d1, e1: they have 1 B at the start, 0 at the goal"
    assert obstruction(apart) == why
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
    # A ring of three cells has no colouring, hence no parity.
    assert (
        parity(SwapPuzzle.of_parameters({"start": "A..", "goal": ".A.", "leaper": [0, 1], "wrap": "x"}))
        is None
    )
