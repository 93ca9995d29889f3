"""Boards: cells, moves and words, against definitions written here by themselves."""

from __future__ import annotations

import json
from typing import Any

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import answer_or_refusal, boards, examples, hostile_text, json_values, refusal

from ktsolve.graphs.board import WRAPS, Board
from ktsolve.graphs.notation import LARGEST_SIDE, LISTED_SIDE, Cell


def leaps(board: Board, first: Cell, second: Cell) -> bool:
    """Is one cell a leap from the other, on the unrolled plane where wrapped sides repeat for ever?"""
    r, s = board.leaper

    def distances(difference: int, side: int, wrapped: bool) -> set[int]:
        copies = range(-s - 1, s + 2) if wrapped else range(1)
        return {abs(difference + copy * side) for copy in copies}

    down = distances(second[0] - first[0], board.rows, board.wrap in ("y", "xy"))
    right = distances(second[1] - first[1], board.columns, board.wrap in ("x", "xy"))
    return first != second and ((r in down and s in right) or (s in down and r in right))


# -- cells and moves ----------------------------------------------------------------------------------------


@given(boards())
@examples(150)
def test_moves_are_those_of_the_definition(board: Board) -> None:
    cells = [(r, c) for r in range(board.rows) for c in range(board.columns) if (r, c) not in board.removed]
    expected = {frozenset((a, b)) for a in cells for b in cells if leaps(board, a, b)}
    assert list(board.cells) == cells
    assert board.index == {cell: i for i, cell in enumerate(cells)}
    assert len(board) == len(cells)
    # No move twice, none onto its own cell, each with its smaller cell first, all in order.
    assert list(board.moves) == sorted(set(board.moves))
    assert all(a < b for a, b in board.moves)
    assert {frozenset(move) for move in board.moves} == expected
    assert [(cells[u], cells[v]) for u, v in board.edges.tolist()] == list(board.moves)
    assert board.edges.shape == (len(expected), 2)
    assert board.edges.dtype == np.int32
    for cell in cells:
        assert list(board.neighbours[cell]) == sorted(other for other in cells if leaps(board, cell, other))
    assert set(board.neighbours) == set(cells)


@given(boards(largest=5))
@examples(60)
def test_adjacent_is_the_definition_for_every_pair(board: Board) -> None:
    for first in board.cells:
        for second in board.cells:
            assert (
                board.adjacent(first, second)
                == board.all_adjacent([first, second])
                == leaps(board, first, second)
            )


@given(boards(), st.data())
@examples(60)
def test_cells_in_a_row_are_adjacent_if_each_is_to_the_next(board: Board, data: st.DataObject) -> None:
    walk = [data.draw(st.sampled_from(board.cells))] if board.cells else []
    for _ in range(data.draw(st.integers(0, 8))):
        if walk and board.neighbours[walk[-1]]:
            walk.append(data.draw(st.sampled_from(board.neighbours[walk[-1]])))
    assert board.all_adjacent(walk)
    if walk:
        place = data.draw(st.integers(0, len(walk)))
        wrong = [*walk[:place], data.draw(st.sampled_from(board.cells)), *walk[place:]]
        assert board.all_adjacent(wrong) == all(map(board.adjacent, wrong, wrong[1:]))


@given(boards())
@examples(60)
def test_the_graph_has_the_cells_and_the_moves(board: Board) -> None:
    graph = board.graph
    assert isinstance(graph, networkx.Graph)
    assert not graph.is_multigraph()
    assert not graph.is_directed()
    assert list(graph.nodes) == list(board.cells)
    assert {frozenset(edge) for edge in graph.edges} == {frozenset(move) for move in board.moves}
    assert networkx.number_of_selfloops(graph) == 0


@given(st.integers(2, 40), st.integers(2, 40))
@examples(40)
def test_a_knight_has_the_known_number_of_moves(rows: int, columns: int) -> None:
    assert len(Board(rows, columns).edges) == 4 * rows * columns - 6 * (rows + columns) + 8


@pytest.mark.parametrize(
    ("board", "moves"),
    [
        (Board(8, 8), 168),
        (Board(8, 8, wrap="xy"), 256),
        (Board(8, 8, wrap="x"), 8 * 26),
        (Board(4, 4, wrap="xy"), 32),  # leaps of 2 and -2 coincide: every cell has four moves
        (Board(3, 3, wrap="xy"), 18),
        (Board(2, 2, wrap="xy"), 4),  # two cells on is back at the start: a wazir
        (Board(1, 1, wrap="xy"), 0),
        (Board(1, 2, leaper=(0, 1), wrap="x"), 1),
        (Board(1, 3, leaper=(0, 1), wrap="x"), 3),
        (Board(8, 8, leaper=(0, 1)), 112),
        (Board(8, 8, leaper=(1, 1)), 98),
        (Board(8, 8, leaper=(0, 9)), 0),
        (Board(8, 8, leaper=(0, 9), wrap="xy"), 128),  # once round and one further: a wazir
        (Board(8, 8, leaper=(7, 7)), 2),
        (Board(1, LISTED_SIDE, leaper=(0, 1)), LISTED_SIDE - 1),
        (Board(300, 300), 4 * 300 * 300 - 12 * 300 + 8),
    ],
    ids=str,
)
def test_known_numbers_of_moves(board: Board, moves: int) -> None:
    assert len(board.edges) == moves


def test_a_board_contains_its_cells_and_nothing_else() -> None:
    board = Board.parse("3x4", without="b2")
    assert [cell for cell in [(0, 0), (2, 3), (1, 1), (3, 0), (0, 4), (-1, 0)] if cell in board] == [
        (0, 0),
        (2, 3),
    ]
    strangers: list[object] = [
        "a1",
        None,
        3,
        (1,),
        (0, 0, 0),
        ("a", 1),
        (0.5, 1),
        (None, None),
        [0, 0],
        (True, 0),
    ]
    assert [stranger for stranger in strangers if stranger in board] == []


# -- reading cells and moves --------------------------------------------------------------------------------


@given(boards(largest=5))
@examples(60)
def test_cells_and_moves_are_read_by_name_if_they_are_there(board: Board) -> None:
    every = [(r, c) for r in range(board.rows) for c in range(board.columns)]
    for cell in every:
        name = board.name(cell)
        if cell in board:
            assert board.cell(name) == board.cell(cell) == board.cell(f"{cell[0]},{cell[1]}") == cell
        else:
            assert f"cell {name} is removed from the board" == refusal(board.cell, name)
            assert f"cell {name} is removed from the board" == refusal(board.cell, cell)
    for first in board.cells:
        for second in board.cells:
            text = f"{board.name(first)}-{board.name(second)}"
            if leaps(board, first, second):
                move = board.move(text)
                assert move == tuple(sorted((first, second))) == board.move((first, second))
                assert board.move(board.move_name(move)) == move
            else:
                message = refusal(board.move, text)
                assert message.startswith(
                    f"{text} is not a move of a {board.leaper[0]},{board.leaper[1]} leaper"
                )


def test_a_move_is_named_from_the_left_then_from_below() -> None:
    board = Board(8, 8)
    assert board.move_name(((5, 1), (7, 0))) == board.move_name(((7, 0), (5, 1))) == "a1-b3"
    assert Board(8, 8, leaper=(0, 1)).move_name(((3, 2), (4, 2))) == "c4-c5"


def test_cells_may_be_numbers_of_numpy_or_lists() -> None:
    board = Board(3, 4)
    found = board.cell((np.int64(2), np.int64(1)))  # type: ignore[arg-type]
    assert found == board.cell([2, 1]) == (2, 1)  # type: ignore[arg-type]
    assert [type(number) for number in found] == [int, int]


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ((3, 0), "cell 3,0 is off the 3x4 board"),
        ((0, -1), "cell 0,-1 is off the 3x4 board"),
        ("e1", "cell 'e1' is off the 3x4 board"),
        ((1,), "(1,) is not a cell"),
        ((1, 2, 3), "(1, 2, 3) is not a cell"),
        ((True, 0), "(True, 0) is not a cell"),
        ((0.0, 1.0), "(0.0, 1.0) is not a cell"),
        (("a", 1), "('a', 1) is not a cell"),
    ],
)
def test_what_is_no_cell_of_the_board_is_refused(cell: Any, said: str) -> None:
    assert said in refusal(Board(3, 4).cell, cell)


@pytest.mark.parametrize("move", [((0, 0),), ((0, 0), (1, 2), (2, 0)), ()])
def test_a_move_has_two_cells(move: Any) -> None:
    assert "is not a move: write two cells" in refusal(Board(3, 4).move, move)


def test_a_refused_move_is_named_however_it_was_given() -> None:
    given_as: Any = ("a1", "a2")
    assert refusal(Board(3, 4).move, given_as) == "a1-a2 is not a move of a 1,2 leaper on 3x4"


# -- words --------------------------------------------------------------------------------------------------


@given(boards())
@examples(150)
def test_words_lead_back_to_the_board(board: Board) -> None:
    assert eval(repr(board), {"Board": Board}) == board
    assert Board.from_json(json.loads(json.dumps(board.to_json()))) == board
    assert board.size == f"{board.rows}x{board.columns}"
    assert str(board).isprintable()
    picture = [
        "".join("#" if (r, c) in board.removed else "." for c in range(board.columns))
        for r in range(board.rows)
    ]
    assert Board.from_picture(picture, leaper=board.leaper, wrap=board.wrap) == board
    assert Board.from_picture("\n".join(picture), leaper=board.leaper, wrap=board.wrap) == board


def test_a_board_says_what_it_is() -> None:
    assert str(Board(3, 10)) == "3x10"
    assert repr(Board(3, 10)) == "Board.parse('3x10')"
    odd = Board.parse("3x4", without="a1 d3", leaper="3,1", wrap="x")
    assert str(odd) == "3x4 without d3 a1 leaper 1,3 wrap x"
    assert str(Board.parse("5x5", without="a1:c3")) == "5x5 without 9 cells"


def test_json_names_every_part() -> None:
    board = Board.parse("3x4", without="a1", leaper=(1, 3), wrap="y")
    assert board.to_json() == {"rows": 3, "columns": 4, "without": [[2, 0]], "leaper": [1, 3], "wrap": "y"}
    assert Board.from_json({"rows": 3, "columns": 4}) == Board(3, 4)


@given(boards(largest=3), boards(largest=3))
@examples(150)
def test_boards_are_equal_exactly_if_all_their_parts_are(one: Board, other: Board) -> None:
    same = one.to_json() == other.to_json()
    assert (one == other) == same
    assert len({one, other}) == (1 if same else 2)
    again = Board(one.rows, one.columns, set(one.removed), one.leaper[::-1], one.wrap)  # type: ignore[arg-type]
    assert again == one
    assert hash(again) == hash(one)


def test_a_leaper_has_no_order() -> None:
    assert Board(4, 4, leaper=(2, 1)) == Board(4, 4) == Board.parse("4x4", leaper=" 2 , 1 ")
    assert Board(4, 4, leaper=(3, 0)).leaper == (0, 3)


@pytest.mark.parametrize(
    ("board", "plain"),
    [
        (Board(3, 4), True),
        (Board.parse("3x4", without="a1"), False),
        (Board(3, 4, leaper=(1, 3)), False),
        (Board(3, 4, wrap="x"), False),
    ],
    ids=str,
)
def test_plain_boards_are_those_of_the_theorems(board: Board, plain: bool) -> None:
    assert board.plain is plain


# -- bad input ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "side", [0, -1, True, False, 1.0, "3", None, LARGEST_SIDE + 1, 10**400, [3], float("nan")]
)
def test_sides_are_whole_numbers_in_range(side: Any) -> None:
    for make in (lambda: Board(side, 3), lambda: Board(3, side)):
        assert f"1 to {LARGEST_SIDE} rows and columns, not" in refusal(make)


@pytest.mark.parametrize(
    ("leaper", "said"),
    [
        ((0, 0), "does not move"),
        ((-1, 2), "two whole numbers from 0"),
        ((1, LARGEST_SIDE + 1), f"to {LARGEST_SIDE}"),
        ((1.0, 2), "two whole numbers from 0"),
        ((True, 2), "two whole numbers from 0"),
        ((1,), "two whole numbers from 0"),
        ((1, 2, 3), "two whole numbers from 0"),
        ("12", "two whole numbers from 0"),
    ],
)
def test_leapers_are_two_numbers_that_move(leaper: Any, said: str) -> None:
    assert said in refusal(Board, 3, 3, leaper=leaper)


@pytest.mark.parametrize(
    ("leaper", "said"),
    [
        ("1", "write R,S such as 1,2"),
        ("1,2,3", "write R,S such as 1,2"),
        ("a,b", "write R,S such as 1,2"),
        ("-1,2", "write R,S such as 1,2"),
        ("1,²", "write R,S such as 1,2"),
        ("0,0", "does not move"),
        ("1," + "9" * 9000, f"to {LARGEST_SIDE}"),
        ("", "write R,S such as 1,2"),
    ],
)
def test_written_leapers_are_read_or_refused(leaper: str, said: str) -> None:
    assert said in refusal(Board.parse, "3x3", leaper=leaper)
    assert Board.parse("3x3", leaper="0000000001,2") == Board(3, 3)


@pytest.mark.parametrize("wrap", ["z", "", "yx", "X", None, 1, ["x"]])
def test_wraps_are_named(wrap: Any) -> None:
    assert f"use {', '.join(WRAPS)}" in refusal(Board, 3, 3, wrap=wrap)


@pytest.mark.parametrize(
    ("removed", "said"),
    [
        ({(3, 0)}, "removed cell 3,0 is off the 3x3 board"),
        ({(0, -1)}, "removed cell 0,-1 is off the 3x3 board"),
        ({5}, "removed cell 5 is not a cell"),
        ({(0, 1, 2)}, "is not a cell"),
        ({("0", 1)}, "is not a cell"),
        ({(r, c) for r in range(3) for c in range(3)}, "leave at least one"),
    ],
)
def test_removed_cells_were_there(removed: Any, said: str) -> None:
    assert said in refusal(Board, 3, 3, frozenset(removed))


@pytest.mark.parametrize(
    ("picture", "said"),
    [
        ([], "lines of one length"),
        ([""], "lines of one length"),
        (["..", "."], "lines of one length"),
        (["..", "", ".."], "lines of one length"),
        (["..", ".o"], "not 'o'"),
        (["##", "##"], "leave at least one"),
        ("", "lines of one length"),
    ],
)
def test_pictures_are_rectangles_of_points_and_holes(picture: Any, said: str) -> None:
    assert said in refusal(Board.from_picture, picture)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "3x4",
        {},
        {"rows": 3},
        {"rows": "3", "columns": 4},
        {"rows": 3.0, "columns": 4},
        {"rows": True, "columns": 4},
        {"rows": 3, "columns": 4, "without": ["00"]},
        {"rows": 3, "columns": 4, "without": [[0.5, 0]]},
        {"rows": 3, "columns": 4, "without": 7},
        {"rows": 3, "columns": 4, "without": [[[], 0]]},
        {"rows": 3, "columns": 4, "leaper": [1]},
        {"rows": 3, "columns": 4, "leaper": None},
        {"rows": 3, "columns": 4, "leaper": [float("inf"), 1]},
        {"rows": 3, "columns": 4, "leaper": [float("nan"), 1]},
        {"rows": 3, "columns": 4, "wrap": []},
        {"rows": [[[[3]]]] * 100, "columns": 4},
    ],
    ids=lambda data: f"{data!s:.50}",
)
def test_json_that_is_no_board_is_refused(data: Any) -> None:
    refusal(Board.from_json, data)


@given(json_values(), json_values(), json_values(), json_values(), json_values())
@examples(250)
def test_no_json_makes_the_reader_fall_over(
    whole: Any, side: Any, holes: Any, leaper: Any, wrap: Any
) -> None:
    answer_or_refusal(Board.from_json, whole)
    for data in (
        {"rows": side, "columns": 3},
        {"rows": 3, "columns": 3, "without": holes},
        {"rows": 3, "columns": 3, "leaper": leaper},
        {"rows": 3, "columns": 3, "wrap": wrap},
    ):
        board = answer_or_refusal(Board.from_json, data)
        assert board is None or Board.from_json(board.to_json()) == board


@given(hostile_text(), hostile_text(), hostile_text(), hostile_text())
@examples(200)
def test_no_text_makes_a_board_fall_over(size: str, without: str, leaper: str, wrap: str) -> None:
    answer_or_refusal(Board.parse, size)
    answer_or_refusal(Board.parse, "5x6", without=without)
    answer_or_refusal(Board.parse, "5x6", leaper=leaper)
    answer_or_refusal(Board.parse, "5x6", wrap=wrap)
    answer_or_refusal(Board.from_picture, size.splitlines())
    answer_or_refusal(Board(5, 6).cell, without)
    answer_or_refusal(Board(5, 6).move, without)


def test_leapers_and_wraps_have_names() -> None:
    for name, leaper in (("knight", (1, 2)), ("Zebra", (2, 3)), ("wazir", (0, 1)), ("giraffe", (1, 4))):
        assert Board.parse("6x6", leaper=name) == Board(6, 6, leaper=leaper)
    for name, wrap in (("torus", "xy"), ("cylinder", "x"), ("none", "none")):
        assert Board.parse("6x6", wrap=name) == Board(6, 6, wrap=wrap)
    assert Board.parse("5*6") == Board.parse("5x6") == Board(5, 6)
    told = refusal(Board.parse, "6x6", leaper="camell")
    assert told.startswith("leaper 'camell' is unknown: did you mean camel?")
