"""Statements of swap puzzles: pictures, conditions, errors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from ktsolve.models._swap_statement import SwapStatement

from ktsolve.base.errors import BadInput
from ktsolve.graphs.board import Board

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
        SwapStatement.of_parameters({**GUARINI, **changed})
    message = str(caught.value)
    assert message.startswith("parameters")
    assert message.isprintable()
    for part in named:
        assert part in message


@pytest.mark.parametrize("key", ["start", "goal"])
def test_both_pictures_are_required(key: str) -> None:
    with pytest.raises(BadInput, match=rf"parameters\.{key} is missing"):
        SwapStatement.of_parameters({name: text for name, text in GUARINI.items() if name != key})


def test_a_board_may_be_given() -> None:
    board = Board.parse("3x3", without="b2", leaper=(0, 1))
    puzzle = SwapStatement(**GUARINI, board=board)
    assert puzzle.board is board
    assert puzzle.jumps["W"][0] == (1, 3)
    with pytest.raises(BadInput, match="start, row 2, column 2: no cell where the board has one"):
        SwapStatement(**GUARINI, board=Board.parse("3x3"))


def test_pieces_have_leapers_of_their_own() -> None:
    puzzle = SwapStatement(start="NW./...", goal="WN./...", leapers={"W": (0, 1)})
    assert (puzzle.jumps["N"][0], puzzle.jumps["W"][0]) == ((5,), (1, 3))
    again = replace(puzzle, objective="moves")
    assert again.leapers == puzzle.leapers
    assert hash(again) != hash(puzzle)
    assert replace(again, objective="jumps") == puzzle


def test_text() -> None:
    puzzle = SwapStatement(**GUARINI, objective="moves", longest=2, most=9, alternate=True, peaceful=True)
    assert str(puzzle) == (
        "W.W/.x./B.B to B.B/.x./W.W in fewest moves, of at most 2 jumps, at most 9, alternate, peaceful"
    )
    assert puzzle.colour_of == {"B": "B", "W": "W"}
    grouped = SwapStatement(start="AB.C", goal="C.AB", colours=["AB"])
    assert grouped.colour_of == {"A": "AB", "B": "AB", "C": "C"}
