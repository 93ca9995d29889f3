"""Parameters of instance files as tour problems."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import (
    answer_or_refusal,
    examples,
    hostile_text,
    json_values,
    refusal,
)

from ktsolve.graphs.board import Board
from ktsolve.problem.conditions import KEYS as CONDITION_KEYS
from ktsolve.problem.parameters import check_keys, tour_problem
from ktsolve.problem.problem import TourProblem


def test_parameters_state_a_problem() -> None:
    found = tour_problem(
        {
            "board": "6x6",
            "without": ["f6", "e6"],
            "leaper": [2, 1],
            "wrap": "x",
            "closed": False,
            "start": "a1",
            "end": "c3",
            "require": ["a1-b3"],
            "forbid": ["b1-c3"],
            "at": {"5": "d4", "06": "e2"},
            "corners": ["bl"],
        }
    )
    assert found == TourProblem(
        board=Board.parse("6x6", without="e6 f6", wrap="x"),
        closed=False,
        start="a1",
        end="c3",
        require=["a1-b3"],
        forbid=["b1-c3"],
        at={5: "d4", 6: "e2"},
        corners=["bl"],
    )
    drawn = tour_problem({"shape": "\n...\n.#.\n...\n", "closed": True, "symmetry": "rot90"})
    assert drawn == TourProblem(board=Board.parse("3x3", without="b2"), closed=True, symmetry="rot90")
    whole = tour_problem({"board": "8x8", "closed": True, "structured": True, "magic": ["rows"]})
    assert whole == TourProblem(board="8x8", closed=True, structured=True, magic=["rows"])
    assert tour_problem({"board": "8x8", "closed": True, "structured": False}).corners == frozenset()
    assert len(tour_problem({"board": "8x8", "without": "a1 b1", "closed": False}).board) == 62


FIRST_KEYS = f"expected one of {', '.join(sorted({*CONDITION_KEYS, 'board', 'closed'})[:3])}"


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"closed": None}, "parameters.closed must be true or false"),
        ({"closed": 1}, "parameters.closed must be true or false, not 1"),
        ({"board": 8}, "parameters.board must be text or a table, not 8"),
        ({"board": "8"}, "parameters.board: '8' is not a board"),
        ({"without": 7}, "parameters.without must be text or a list, not 7"),
        ({"without": [7]}, "parameters.without must be a list of texts"),
        ({"without": ["z9"]}, "parameters.without: cell 'z9' is off the 6x6 board"),
        ({"leaper": [1]}, "leaper must be two whole numbers, such as [1, 2], not [1]"),
        ({"leaper": [1, True]}, "leaper must be two whole numbers"),
        ({"leaper": [1.0, 2]}, "leaper must be two whole numbers"),
        ({"leaper": "1,2"}, "parameters.leaper must be a list"),
        ({"wrap": "z"}, "wrap 'z' is unknown"),
        ({"start": "a7"}, "parameters.start: cell 'a7' is off the 6x6 board"),
        ({"require": "a1-b3"}, "parameters.require must be a list"),
        ({"forbid": [1]}, "parameters.forbid must be a list of texts"),
        ({"at": ["a1"]}, "parameters.at must be a table"),
        ({"at": {"x": "a1"}}, "parameters.at: "),
        ({"at": {"5": 3}}, "parameters.at: "),
        ({"at": {"²": "a1"}}, "parameters.at: "),
        ({"at": {"9" * 5000: "a1"}}, "parameters.at: "),
        ({"at": {"line\nbreak": "a1"}}, "parameters.at: "),
        ({"at": {"5": "a1", "05": "a2"}}, "step 5 cannot be both"),
        ({"corners": ["xx"]}, "parameters.corners: corner 'xx' is unknown"),
        ({"corners": True}, "parameters.corners must be a list"),
        ({"structured": ["tl"]}, "parameters.structured must be true or false"),
        ({"magic": ["files"]}, "parameters.magic: lines 'files' cannot be magic"),
        ({"shape": "..."}, "leave out board, without"),
        ({"colour": "white"}, f"parameters.colour is unknown: {FIRST_KEYS}"),
        ({"line\nbreak": 1}, f"is unknown: {FIRST_KEYS}"),
        ({"x" * 1000: 1}, f"is unknown: {FIRST_KEYS}"),
    ],
    ids=lambda value: f"{value!r:.50}" if isinstance(value, str) else "",
)
def test_wrong_parameters_are_refused_by_name(parameters: dict[str, Any], said: str) -> None:
    assert said in refusal(tour_problem, {"board": "6x6", "closed": True, **parameters})


def test_missing_parameters_are_named() -> None:
    assert "parameters.closed is missing" in refusal(tour_problem, {"board": "6x6"})
    assert "board is missing" in refusal(tour_problem, {"closed": True})
    assert "not 'o'" in refusal(tour_problem, {"closed": True, "shape": "..o"})


def test_keys_are_checked_with_their_table() -> None:
    check_keys({"a": 1, "b": "x"}, {"a": int, "b": (str, int)}, "")
    assert refusal(check_keys, {"c": 1}, {"a": int, "b": int}, "") == "c is unknown: expected one of a, b"
    assert refusal(check_keys, {"a": True}, {"a": (int, str)}, "part") == (
        "part.a must be a whole number or text, not True"
    )


KEYS = (
    *("board", "shape", "without", "leaper", "wrap", "closed", "start", "end", "require", "forbid", "at"),
    *("symmetry", "corners", "structured", "magic"),
)


@given(st.dictionaries(st.sampled_from(KEYS), st.one_of(json_values(), hostile_text()), max_size=4))
@examples(300)
def test_no_parameters_make_the_reader_fall_over(parameters: dict[str, Any]) -> None:
    answer_or_refusal(tour_problem, parameters)
    answer_or_refusal(tour_problem, {"board": "3x4", "closed": False, **parameters})


@given(st.sampled_from(KEYS), hostile_text())
@examples(200)
def test_no_words_make_a_problem_fall_over(key: str, text: str) -> None:
    value: Any = text
    if key in ("without", "require", "forbid", "corners", "magic"):
        value = [text]
    elif key == "at":
        value = {"3": text, text: "a1"}
    answer_or_refusal(tour_problem, {"board": "3x4", "closed": False, key: value})
