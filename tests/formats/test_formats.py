"""Reading tours: every format back and forth, damaged tours, and anything else that a file may hold."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from strategies import (
    answer_or_refusal,
    boards,
    examples,
    hostile_text,
    json_values,
    real_tours,
    refusal,
    walks,
)

from ktsolve.base.errors import BadInput, NotATour
from ktsolve.formats.tours.files import read_tour, read_tours
from ktsolve.graphs.board import Board
from ktsolve.graphs.tour import Tour

BASE_BOARDS = Path(__file__).parents[2] / "instances" / "base" / "nine-boards.txt"

OPEN_3X4 = "1 4 7 10\n8 11 2 5\n3 6 9 12"


def knights_board(tour: Tour) -> bool:
    """Would the board be guessed from a grid? A knight's, not wrapped."""
    return tour.board.leaper == (1, 2) and tour.board.wrap == "none"


@pytest.mark.parametrize("between", ["# the second\n", "\n", "# a note\n\n"])
def test_a_statement_holds_for_all_lists_of_cells_below_it(between: str) -> None:
    """Open tours whose ends are a move apart: read without the statement, the second would be closed."""
    said = (
        '# ktsolve {"rows": 1, "columns": 4, "without": [], "leaper": [0, 1], "wrap": "x", "closed": false}\n'
    )
    text = f"{said}a1 b1 c1 d1\n{between}d1 c1 b1 a1\n"
    assert [tour.closed for tour in read_tours(text)] == [False, False]


# -- there and back -----------------------------------------------------------------------------------------


@given(real_tours(), st.data())
@examples(200)
def test_a_grid_is_read_back(tour: Tour, data: st.DataObject) -> None:
    hole = data.draw(st.sampled_from([".", "-", "0", "00"]))
    edge = data.draw(st.sampled_from(["", "  ", "|", "| "]))
    gap = data.draw(st.sampled_from([" ", "  ", "\t", "|", " | "]))
    width = data.draw(st.integers(0, 4))
    lines = [
        edge + gap.join(hole if mark == "." else mark.zfill(width) for mark in line.split()) + edge
        for line in tour.grid().splitlines()
    ]
    if data.draw(st.booleans()):
        lines = ["# a comment, with a1, 2 3", "", *lines, "# another"]
    text = data.draw(st.sampled_from(["", "\ufeff", "\n\n"])) + data.draw(
        st.sampled_from(["\n", "\r\n", "\n\n"])
    ).join(lines)
    assert read_tour(text, tour.board, tour.closed) == tour
    if knights_board(tour):
        assert read_tour(text, closed=tour.closed) == tour
        # Without a word about it, a tour that closes is meant to be closed.
        assert read_tour(text) == tour.as_closed(tour.closes)


@given(walks(), st.data())
@examples(200)
def test_a_list_of_cells_is_read_back(walk: Tour, data: st.DataObject) -> None:
    assume(walk.squares)
    glue = data.draw(st.sampled_from([" ", ", ", "; ", "\n", "-", " - ", " -> ", "–", "\r\n\t"]))
    written = data.draw(st.sampled_from(["name", "NAME", "pair", "bracket", "wide"]))
    words = []
    for r, c in walk.squares:
        name = walk.board.name((r, c))
        ways = {"name": name, "NAME": name.upper(), "pair": f"{r},{c}", "bracket": f"({r},{c})"}
        words.append(ways.get(written, f"( {r} ,{' ' * 12}{c})"))
    text = glue.join(words)
    assert read_tour(text, walk.board, walk.closed) == walk
    assert read_tour(f"# comment\n{text}\n", walk.board) == walk.as_closed(walk.closes)


@given(walks(), st.data())
@examples(200)
def test_json_is_read_back(walk: Tour, data: st.DataObject) -> None:
    assume(walk.squares)
    indent = data.draw(st.sampled_from([None, 1]))
    whole = walk.to_json()
    assert read_tour(json.dumps(whole, indent=indent)) == walk
    # What is said in the call goes before what the text says.
    assert read_tour(json.dumps(whole), closed=not walk.closed) == walk.as_closed(not walk.closed)
    named = {"board": whole["board"], "squares": walk.names().split(), "schema": "ktsolve/1"}
    assert read_tour(json.dumps(named)) == walk.as_closed(walk.closes)
    bare = json.dumps(whole["squares"], indent=indent)
    assert read_tour(bare, walk.board, walk.closed) == walk
    if not walk.board.removed and knights_board(walk):
        sized = {**whole, "board": walk.board.size}
        assert read_tour(json.dumps(sized)) == walk


@given(walks())
@examples(100)
def test_cells_alone_give_the_smallest_board(walk: Tour) -> None:
    assume(walk.squares)
    rows, columns = max(r for r, _ in walk.squares) + 1, max(c for _, c in walk.squares) + 1
    for text in (
        json.dumps([list(cell) for cell in walk.squares]),
        " ".join(f"({r},{c})" for r, c in walk.squares),
    ):
        found = read_tour(text)
        assert found.board == Board(rows, columns)
        assert found.squares == walk.squares
    # Names count ranks from the bottom, so it is the rows above that are guessed away.
    found = read_tour(walk.names())
    above = min(r for r, _ in walk.squares)
    assert found.board == Board(walk.board.rows - above, columns)
    assert found.squares == tuple((r - above, c) for r, c in walk.squares)


def test_names_on_high_and_wide_boards() -> None:
    assert read_tour("a1 a20000").board.size == "20000x1"
    assert read_tour("aaaa1 a2").board.size == f"2x{26 + 26**2 + 26**3 + 1}"


def test_a_grid_tells_its_board() -> None:
    tour = read_tour("1 6 3\n4 . 8\n7 2 5")
    assert tour.board == Board.parse("3x3", without="b2")
    assert tour.closed
    assert tour.valid
    assert read_tour("1 6 3\n4 . 8\n7 2 5", closed=False) == tour.as_closed(False)
    assert read_tour(OPEN_3X4) == read_tour(OPEN_3X4, closed=False)
    assert read_tour(OPEN_3X4, closed=True).violation is not None


def test_a_grid_with_cells_left_out_of_a_given_board_is_no_tour() -> None:
    tour = read_tour(OPEN_3X4.replace("12", "."), Board(3, 4))
    assert tour.violation is not None
    assert str(tour.violation) == "d1 never visited"


# -- damaged tours ------------------------------------------------------------------------------------------


@given(real_tours(), st.data())
@examples(150)
def test_two_numbers_exchanged_are_judged_with_the_step(tour: Tour, data: st.DataObject) -> None:
    assume(len(tour) > 3)
    first, second = sorted(data.draw(st.sets(st.integers(1, len(tour)), min_size=2, max_size=2)))
    exchange = {str(first): str(second), str(second): str(first)}
    text = re.sub(r"\d+", lambda match: exchange.get(match[0], match[0]), tour.grid())
    damaged = read_tour(text, tour.board, tour.closed)
    assert damaged.squares[first - 1] == tour.squares[second - 1]
    assert damaged.squares[second - 1] == tour.squares[first - 1]
    if damaged.violation is not None:
        step = damaged.violation.step
        assert step >= first
        assert str(damaged.violation).startswith(f"step {step}: ")
    else:
        assert damaged.moves != tour.moves or len(tour) == 4


@given(real_tours(), st.data())
@examples(150)
def test_a_repeated_number_is_refused_with_both_places(tour: Tour, data: st.DataObject) -> None:
    assume(len(tour) > 1)
    first, second = data.draw(st.sets(st.integers(1, len(tour)), min_size=2, max_size=2))
    text = re.sub(r"\d+", lambda match: str(first) if match[0] == str(second) else match[0], tour.grid())
    with pytest.raises(NotATour) as caught:
        read_tour(text, tour.board)
    places = sorted([tour.squares[first - 1], tour.squares[second - 1]])
    assert str(caught.value) == (
        f"line {places[1][0] + 1}, entry {places[1][1] + 1}: step {first} occurs twice "
        f"(also in line {places[0][0] + 1}, entry {places[0][1] + 1}), and step {second} is missing"
    )


@given(real_tours(), st.data())
@examples(100)
def test_a_cut_row_is_refused_with_its_number(tour: Tour, data: st.DataObject) -> None:
    lines = tour.grid().splitlines()
    assume(len(lines) > 1 and tour.board.columns > 1)
    cut = data.draw(st.integers(0, len(lines) - 1))
    lines[cut] = " ".join(lines[cut].split()[:-1])
    with pytest.raises(NotATour) as caught:
        read_tour("\n".join(lines), tour.board)
    here, width = (cut + 1, tour.board.columns - 1) if cut else (2, tour.board.columns)
    first = tour.board.columns - (cut == 0)
    assert str(caught.value) == f"line {here} of the grid has {width} entries where line 1 has {first}"


@given(real_tours(), st.data())
@examples(100)
def test_a_missing_number_is_refused_by_name(tour: Tour, data: st.DataObject) -> None:
    assume(len(tour) > 1)
    lost = data.draw(st.integers(1, len(tour) - 1))
    text = re.sub(r"\d+", lambda match: "." if match[0] == str(lost) else match[0], tour.grid())
    with pytest.raises(
        NotATour,
        match=rf"^step {lost} is missing from the grid, of {len(tour) - 1} steps .*is {len(tour)}\)$",
    ):
        read_tour(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is empty"),
        (" \n\ufeff", "it is empty"),
        ("\ufeff \n", "it is empty"),
        ("# nothing\n# at all", "comments only"),
        (". .\n. .", "no step numbers"),
        ("1 2\n3 ?", "line 2, entry 2: '?' is not a step number"),
        ("1 2\n3 -4", "line 2, entry 2: '-4' is not a step number"),
        ("1 2\n3 1.5", "line 2, entry 2: '1.5' is not a step number"),
        ("1 2\n3 ²", "line 2, entry 2: '²' is not a step number"),
        ("1 " + "9" * 5000, "line 1, entry 2: '9999"),
        ("1 ||| 2\n3", "line 2 of the grid has 1 entries"),
        (
            "hello, world",
            "neither a grid of numbers, nor a list of cells, nor JSON (not a cell: 'hello, world')",
        ),
        ("a1 b3 c", "(not a cell: 'c')"),
        ("a1 b3 5", "(not a cell: '5')"),
        ("(-1,2) a1", "(not a cell: '(-1,2) a1')"),
        ("(1,2 a1", "(not a cell: '(1,2 a1')"),
        (",;", "there are no cells"),
        ("a0", "'a0' is on no board"),
        ("a20001", "'a20001' is on no board"),
        ("zzzz1", "'zzzz1' is on no board"),
        ("20000,0", "'20000,0' is on no board"),
        ("1," + "9" * 5000, "is on no board"),
        ("[", "looks like JSON but is not"),
        ('{"squares": [[0, 0]', "looks like JSON but is not"),
        ("[" * 100_000, "looks like JSON but is not"),
        ("[[0," + "9" * 5000 + "]]", "looks like JSON but is not"),
        ("{}", "a tour in JSON is a list"),
        ("[]", "a tour in JSON is a list"),
        ('{"squares": 7}', "a tour in JSON is a list"),
        ("[[0, 0], [1]]", "step 2: [1] is not a cell: write [row, column]"),
        ("[[0, 0], [1, true]]", "step 2: [1, True] is not a cell"),
        ("[[true, 0], [1, 2]]", "step 1: [True, 0] is not a cell"),
        ("[[0, 0], [1.0, 2]]", "step 2: [1.0, 2] is not a cell"),
        ("[[0, -1]]", "step 1: [0, -1] is on no board"),
        ("[[0, 20000]]", "1 to 20000 rows and columns"),
        ('{"board": null, "squares": [[0, 0]]}', "a board in JSON is an object"),
        ('{"board": "3y4", "squares": [[0, 0]]}', "write ROWSxCOLUMNS"),
        ('{"board": "3x4", "squares": [[3, 0]]}', "step 1: cell 3,0 is off the board 3x4"),
        ('{"board": "3x4", "squares": ["e1"]}', "'e1' is off the 3x4 board"),
        (
            '{"board": {"rows": 3, "columns": 4, "leaper": [1e999, 1]}, "squares": [[0, 0]]}',
            "leaper (inf, 1)",
        ),
    ],
    ids=lambda text: repr(text[:25]),
)
def test_what_is_no_tour_is_refused_with_the_place(text: str, said: str) -> None:
    assert said in refusal(read_tour, text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# only a comment", "comments only"),
        (OPEN_3X4, "the grid has 3x4 entries, the board is 4x3"),
        ("a5", "'a5' is off the 4x3 board"),
        ("[[4, 0]]", "step 1: cell 4,0 is off the board 4x3"),
        ("1 2 3\n4 5 6\n7 8 9\n10 11 12", "step 5: cell 1,1 is removed from the board"),
        ("a1 b3", "cell 1,1 is removed from the board"),
    ],
)
def test_a_tour_of_another_board_is_refused(text: str, said: str) -> None:
    board = Board.parse("4x3", without="b3")
    assert said in refusal(read_tour, text, board)
    assert read_tour("a4 c4", board).squares == ((0, 0), (0, 2))


# -- the base boards ----------------------------------------------------------------------------------------


def base_boards() -> list[tuple[str, str]]:
    """Sizes and grids of the nine boards."""
    found = re.findall(r"# (\d+) rows, (\d+) columns\n((?:[\d ]+\n)+)", BASE_BOARDS.read_text() + "\n")
    return [(f"{rows}x{columns}", grid) for rows, columns, grid in found]


def test_there_are_nine_base_boards() -> None:
    sizes = [size for size, _ in base_boards()]
    assert sizes == ["6x6", "6x8", "8x6", "8x8", "8x10", "10x8", "10x10", "10x12", "12x10"]


@pytest.mark.parametrize(("size", "grid"), base_boards(), ids=[size for size, _ in base_boards()])
def test_base_boards_are_closed_tours(size: str, grid: str) -> None:
    tour = read_tour(grid)
    assert tour.board == Board.parse(size)
    assert tour.squares[0] == (0, 0)
    assert tour.closed
    assert tour.violation is None
    assert [line.split() for line in tour.grid().splitlines()] == [line.split() for line in grid.splitlines()]
    # Two neighbours in a line exchanged break it.
    numbers = grid.split()
    numbers[7], numbers[8] = numbers[8], numbers[7]
    columns = tour.board.columns
    lines = [" ".join(numbers[i : i + columns]) for i in range(0, len(numbers), columns)]
    assert read_tour("\n".join(lines), tour.board, closed=True).violation is not None


# -- anything -----------------------------------------------------------------------------------------------


@given(hostile_text(), st.one_of(st.none(), boards(largest=4)), st.sampled_from([None, True, False]))
@examples(500)
@example(text="\x93NUMPY", board=None, closed=None)
def test_no_text_makes_the_reader_fall_over(text: str, board: Board | None, closed: bool | None) -> None:
    tour = answer_or_refusal(read_tour, text, board, closed)
    if tour is not None:
        assert board is None or tour.board == board
        assert closed is None or tour.closed == closed
        assert tour.squares
        assert all(cell in tour.board for cell in tour.squares)


@given(st.text(alphabet="0123456789 .-|\n", max_size=60), st.booleans())
@examples(300)
def test_no_grid_makes_the_reader_fall_over(text: str, known: bool) -> None:
    tour = answer_or_refusal(read_tour, text, Board(3, 3) if known else None)
    assert tour is None or sorted(tour.step_of.values()) == list(range(1, len(tour) + 1))


@given(json_values(), json_values(), st.one_of(st.none(), boards(largest=4)))
@examples(300)
def test_no_json_makes_the_reader_fall_over(value: Any, part: Any, board: Board | None) -> None:
    for data in (
        value,
        [value, part],
        {"squares": value, "board": part},
        {"squares": [[0, 0]], "board": value},
    ):
        answer_or_refusal(read_tour, json.dumps(data), board)
    answer_or_refusal(read_tour, json.dumps({"squares": [[0, 0]], "board": "2x2", "closed": value}))


@pytest.mark.parametrize(
    "text",
    [
        # Short enough for a reader that takes exponential time to fail in seconds, not to hang.
        "0,0 " * 17 + "!",
        "11,11," * 12 + "!",
        "1 , 1   ," * 14 + "?",
        "a1" * 5000 + "!",
        "a1" + " " * 50_000 + "!",
        "(" * 50_000,
        "1" + " " * 50_000 + ",!",
        "[" * 50_000 + "]" * 50_000,
        "-" * 50_000,
        "1 " * 50_000 + "x",
    ],
    ids=lambda text: repr(text[:10]),
)
def test_hostile_text_is_refused_at_once(text: str) -> None:
    started = time.process_time()
    with pytest.raises(BadInput):
        read_tour(text)
    assert time.process_time() - started < 2
