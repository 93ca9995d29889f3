"""Tour problems: what they accept, what they say of themselves, and their symmetries."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from strategies import (
    examples,
    problems,
    refusal,
)

from ktsolve.graphs.board import Board
from ktsolve.graphs.geometry import CORNERS, LINES, corner_moves, magic_lines
from ktsolve.graphs.symmetry import symmetry_group
from ktsolve.problem.conditions import Bound, CellSum, Order, StepRange, parse_value
from ktsolve.problem.conditions.figure import Figure
from ktsolve.problem.conditions.moves import Run
from ktsolve.problem.problem import FEATURES, TourProblem
from ktsolve.problem.statistics import Statistic

# -- what a problem accepts ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("conditions", "said"),
    [
        ({"board": "3y4"}, "write ROWSxCOLUMNS"),
        ({"start": "z9"}, "'z9' is off the 6x6 board"),
        ({"start": (6, 0)}, "cell 6,0 is off the 6x6 board"),
        ({"end": "a"}, "'a' is not a cell"),
        ({"board": Board.parse("6x6", without="a1"), "start": "a1"}, "cell a1 is removed from the board"),
        ({"start": "a1", "end": "a1"}, "start and end are the same cell, a1"),
        ({"require": ["a1-a2"]}, "a1-a2 is not a move of a 1,2 leaper on 6x6"),
        ({"forbid": ["a1-b9"]}, "'b9' is off the 6x6 board"),
        ({"forbid": ["a1"]}, "'a1' is not a move"),
        ({"require": "a1-b3"}, "require must be a list of moves, such as ['a1-b3']"),
        ({"require": ["a1-b3"], "forbid": ["b3-a1"]}, "move a1-b3 is both required and forbidden"),
        ({"corners": ["bl"], "forbid": ["a2-c1"]}, "move a2-c1 is both required and forbidden"),
        ({"at": {0: "a1"}}, "step 0 is not among the 36 steps of the tour (1 to 36)"),
        ({"at": {37: "a1"}}, "step 37 is not among the 36 steps"),
        ({"at": {-1: "a1"}}, "step -1 is not among the 36 steps"),
        ({"at": {10**5000: "a1"}}, "is not among the 36 steps"),
        ({"at": {"5": "a1"}}, "'5' is not a step number"),
        ({"at": {1.5: "a1"}}, "1.5 is not a step number"),
        ({"at": {True: "a1"}}, "True is not a step number"),
        ({"at": {5: "g1"}}, "'g1' is off the 6x6 board"),
        ({"at": [(5, "a1"), (5, "a2")]}, "step 5 cannot be both"),
        ({"at": {5: "a1", 7: "a1"}}, "a1 cannot be at both step 5 and step 7"),
        ({"start": "a1", "at": {1: "a2"}}, "step 1 cannot be both "),
        ({"end": "a1", "at": {36: "a2"}}, "step 36 cannot be both "),
        ({"start": "a1", "at": {5: "a1"}}, "a1 cannot be at both step 1 and step 5"),
        ({"symmetry": "rot45"}, "use rot180, rot90, flip-h, flip-v"),
        ({"board": "6x7", "symmetry": "rot90"}, "rot90 needs a square board"),
        ({"board": Board.parse("6x6", without="a1"), "symmetry": "rot180"}, "a cell falls into a hole"),
        ({"corners": ["xx"]}, "corner 'xx' is unknown: use tl, tr, bl, br"),
        ({"corners": "tl"}, "corners must be a list of corners, such as ['tl']"),
        ({"board": "2x9", "structured": True}, "at least 3 rows and 3 columns, not 2x9"),
        ({"board": Board.parse("6x6", without="a2"), "corners": ["bl"]}, "cell a2 is removed from the board"),
        ({"board": Board(6, 6, leaper=(1, 3)), "corners": ["tl"]}, "is not a move of a 1,3 leaper"),
        ({"magic": ["files"]}, "'files' cannot be magic: use rows, columns, diagonals"),
        ({"magic": "rows"}, "magic must be a list of lines, such as ['rows']"),
        ({"board": "6x7", "magic": ["diagonals"]}, "need a square board, not 6x7"),
        ({"board": Board.parse("6x6", without="a1"), "magic": ["rows"]}, "a board without holes"),
    ],
    ids=lambda value: value if isinstance(value, str) else ",".join(value),
)
def test_what_makes_no_sense_is_refused_in_one_line(conditions: dict[str, Any], said: str) -> None:
    for closed in (True, False):
        assert said in refusal(TourProblem, **{"board": "6x6", "closed": closed, **conditions})


def test_conditions_may_be_said_twice_if_they_agree() -> None:
    problem = TourProblem(board="6x6", closed=False, start="a1", at={1: "a1", 2: "b3"}, end="a2")
    assert problem.known_steps == ((1, (5, 0)), (2, (3, 1)), (36, (4, 0)))
    assert TourProblem(board="1x1", closed=False, start="a1", end="a1").known_steps == ((1, (0, 0)),)
    corners = TourProblem(board="6x6", closed=True, corners=["bl"], require=["a2-c1", "b3-a1"])
    assert {corners.board.move_name(move) for move in corners.required_moves} == {"a2-c1", "a3-b1", "a1-b3"}
    assert {corners.board.move_name(move) for move in corners.require} == {"a2-c1", "a1-b3"}


def test_words_and_cells_state_the_same_problem() -> None:
    words = TourProblem(
        board="6x6",
        closed=True,
        start="a1",
        end="b3",
        require=["a1-b3", "c1->d3"],
        forbid=["3,4 - 1,5"],
        at={5: "c3"},
        symmetry="rot180",
        structured=True,
        magic=["rows", "columns"],
    )
    cells = TourProblem(
        board=Board(6, 6),
        closed=True,
        start=(5, 0),
        end=(3, 1),
        require=iter([((3, 1), (5, 0)), ((5, 2), (3, 3)), ((5, 0), (3, 1))]),
        forbid={((1, 5), (3, 4))},
        at=[(5, (3, 2)), (5, "c3")],
        symmetry="rot180",
        corners=["br", "bl", "tr", "tl", "tl"],
        magic=("columns", "rows"),
    )
    assert words == cells
    assert hash(words) == hash(cells)
    changes: list[dict[str, Any]] = [
        {"board": "8x8"},
        {"closed": False},
        {"start": None},
        {"end": None},
        {"require": ()},
        {"forbid": ()},
        {"at": ()},
        {"symmetry": None},
        {"corners": ["tl"]},
        {"magic": ["rows"]},
    ]
    base = TourProblem(
        board="6x6",
        closed=True,
        start="a1",
        end="b3",
        require=["c1-d3"],
        forbid=["b1-c3"],
        at={5: "c5"},
        symmetry="rot180",
        structured=True,
        magic=["columns"],
    )
    others = [base.replace(**change) for change in changes]
    assert len({base, *others}) == len(changes) + 1
    assert all(
        base.features - other.features <= {"steps" if "at" in change else next(iter(change)), "closed"}
        for change, other in zip(changes, others, strict=True)
    )


@given(problems())
@examples(250)
def test_words_lead_back_to_the_problem(problem: TourProblem) -> None:
    known = [Board, TourProblem, StepRange, Order, CellSum, Bound, Figure, Statistic, Run]
    again = eval(repr(problem), {each.__name__: each for each in known})
    assert again == problem
    assert hash(again) == hash(problem)
    assert again.replace() == problem
    assert "\n" not in repr(problem)
    assert str(problem).isprintable()
    data = json.loads(json.dumps(problem.to_json()))
    assert data.pop("closed") is problem.closed
    assert Board.from_json(data.pop("board")) == problem.board
    assert data.keys() == {each.key for each in problem.conditions}
    stated = [each for key, value in data.items() for each in parse_value(key, value, problem.board)]
    assert TourProblem(board=problem.board, closed=problem.closed, conditions=stated) == problem


def test_a_problem_says_what_it_is() -> None:
    problem = TourProblem(board="6x6", closed=True, start="a1", at={5: "c3"}, structured=True, magic=["rows"])
    assert problem.at == ((5, (3, 2)),)
    assert str(problem) == "closed 6x6 start a1 at 5=c3 structured magic rows"
    assert repr(problem) == (
        "TourProblem(board=Board.parse('6x6'), closed=True, start='a1', at={5: 'c3'}, "
        "structured=True, magic=['rows'])"
    )
    board = Board(6, 6)
    many = TourProblem(board=board, closed=False, forbid=board.moves[:6], corners=["br"])
    assert str(many) == "open 6x6 forbid a6-c5,a6-b4,b6-d5,a4-b6,... (6) structured br"


@pytest.mark.parametrize(
    ("conditions", "features"),
    [
        ({}, set()),
        ({"start": "a1"}, {"start"}),
        ({"end": "a1"}, {"end"}),
        ({"require": ["a1-b3"]}, {"require"}),
        ({"forbid": ["a1-b3"]}, {"forbid"}),
        ({"board": Board.parse("6x6", without="a1")}, {"holes"}),
        ({"board": Board(6, 6, leaper=(0, 1))}, {"leaper"}),
        ({"board": Board(6, 6, wrap="y")}, {"wrap"}),
        ({"at": {1: "a1"}}, {"steps"}),
        ({"symmetry": "rot180"}, {"symmetry"}),
        ({"corners": ["tl"]}, {"structured"}),
        ({"magic": ["rows"]}, {"magic"}),
    ],
)
def test_features_are_what_is_asked(conditions: dict[str, Any], features: set[str]) -> None:
    for closed in (True, False):
        problem = TourProblem(**{"board": "6x6", "closed": closed, **conditions})
        assert problem.features == features | {"closed" if closed else "open"}
        assert problem.features <= set(FEATURES)


def test_corner_moves_are_mirror_images() -> None:
    board = Board(5, 7)
    named = {corner: {board.move_name(move) for move in corner_moves(board, corner)} for corner in CORNERS}
    assert named == {
        "tl": {"a3-b5", "a4-c5"},
        "tr": {"f5-g3", "e5-g4"},
        "bl": {"a3-b1", "a2-c1"},
        "br": {"f1-g3", "e1-g2"},
    }


def test_magic_lines_are_the_lines_of_the_board() -> None:
    board = Board(3, 3)
    for kind, lines in {
        "rows": ["abc", "def", "ghi"],
        "columns": ["adg", "beh", "cfi"],
        "diagonals": ["aei", "ceg"],
    }.items():
        words = [
            "".join("abcdefghi"[board.index[cell]] for cell in line) for line in magic_lines(board, kind)
        ]
        assert words == lines
    assert [len(magic_lines(Board(2, 5), kind)) for kind in LINES[:2]] == [2, 5]


# -- symmetries of a problem ---------------------------------------------------------------------------------


@given(problems())
@examples(150)
def test_automorphisms_are_a_subgroup(problem: TourProblem) -> None:
    whole = symmetry_group(problem.board)
    kept = problem.automorphisms
    images = {symmetry.images for symmetry in kept}
    assert kept[0].images == tuple(range(len(problem.board)))
    assert set(kept) <= set(whole)
    assert {a.after(b).images for a in kept for b in kept} == images
    assert {a.inverse().images for a in kept} == images
    bare = TourProblem(board=problem.board, closed=problem.closed)
    assert bare.automorphisms == whole


@pytest.mark.parametrize(
    ("conditions", "names"),
    [
        ({}, "identity rot90 rot180 rot270 flip-h flip-v transpose anti-transpose"),
        ({"start": "a1"}, "identity anti-transpose"),
        ({"start": "a1", "end": "a6"}, "identity"),
        ({"at": {7: "a1", 9: "f6"}}, "identity anti-transpose"),
        ({"require": ["c3-d5"]}, "identity"),
        ({"require": ["c3-d5", "d4-c2"]}, "identity rot180"),
        ({"forbid": ["a1-b3", "a1-c2"]}, "identity anti-transpose"),
        ({"require": ["a1-b3"], "forbid": ["a1-c2"]}, "identity"),
        ({"structured": True}, "identity rot90 rot180 rot270 flip-h flip-v transpose anti-transpose"),
        ({"corners": ["tl"]}, "identity transpose"),
        ({"corners": ["tl", "br"]}, "identity rot180 transpose anti-transpose"),
        ({"symmetry": "rot90"}, "identity rot90 rot180 rot270 flip-h flip-v transpose anti-transpose"),
        ({"symmetry": "flip-h"}, "identity rot180 flip-h flip-v"),
        ({"magic": ["rows"]}, "identity rot180 flip-h flip-v"),
        ({"magic": ["columns"]}, "identity rot180 flip-h flip-v"),
        (
            {"magic": ["rows", "columns", "diagonals"]},
            "identity rot90 rot180 rot270 flip-h flip-v transpose anti-transpose",
        ),
        ({"magic": ["diagonals"]}, "identity rot90 rot180 rot270 flip-h flip-v transpose anti-transpose"),
    ],
    ids=lambda value: f"{value!s:.50}",
)
def test_automorphisms_of_a_square(conditions: dict[str, Any], names: str) -> None:
    problem = TourProblem(board="6x6", closed=True, **conditions)
    assert [symmetry.name for symmetry in problem.automorphisms] == names.split()


def test_automorphisms_of_sums_on_a_torus_do_not_depend_on_names() -> None:
    # Two columns on: a flip is a shift as well, and a shift of whole columns keeps the sums of rows.
    board = Board(4, 4, wrap="xy")
    for magic, order in (
        (["rows"], 64),
        (["rows", "columns"], 128),
        (["rows", "diagonals"], 8),
        (["diagonals"], 16),
    ):
        problem = TourProblem(board=board, closed=True, magic=magic)
        images = {symmetry.images for symmetry in problem.automorphisms}
        assert len(images) == order
        assert {a.after(b).images for a in problem.automorphisms for b in problem.automorphisms} == images
