"""Names of cells, moves and boards: both ways, and only BadInput for what is none."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import LETTERS, answer_or_refusal, examples, hostile_text, refusal

from ktsolve.base.text import small_number
from ktsolve.graphs.notation import (
    LARGEST_SIDE,
    Cell,
    cell_name,
    file_name,
    parse_cell,
    parse_cells,
    parse_move,
    parse_size,
)


@st.composite
def placed_cells(draw: st.DrawFn) -> tuple[int, int, Cell]:
    """Rows, columns, and a cell that is there."""
    rows, columns = draw(st.integers(1, 900)), draw(st.integers(1, 900))
    return rows, columns, (draw(st.integers(0, rows - 1)), draw(st.integers(0, columns - 1)))


# -- names --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "name"),
    [
        (0, "a"),
        (7, "h"),
        (25, "z"),
        (26, "aa"),
        (27, "ab"),
        (51, "az"),
        (52, "ba"),
        (701, "zz"),
        (702, "aaa"),
        (18277, "zzz"),
        (18278, "aaaa"),
    ],
)
def test_files_are_named_like_spreadsheet_columns(column: int, name: str) -> None:
    assert file_name(column) == name
    assert parse_cell(f"{name}1", 1, column + 1) == (0, column)


def test_files_are_all_words_in_order_of_length_then_alphabet() -> None:
    words = list(LETTERS) + [a + b for a in LETTERS for b in LETTERS]
    assert [file_name(column) for column in range(len(words))] == words


def test_ranks_count_from_the_bottom() -> None:
    names = [[cell_name((r, c), 3) for c in range(4)] for r in range(3)]
    assert names == [["a3", "b3", "c3", "d3"], ["a2", "b2", "c2", "d2"], ["a1", "b1", "c1", "d1"]]


@given(placed_cells())
@examples(150)
def test_every_way_to_write_a_cell_is_read(placed: tuple[int, int, Cell]) -> None:
    rows, columns, cell = placed
    name, (r, c) = cell_name(cell, rows), cell
    for text in (
        name,
        name.upper(),
        f"  {name}\t",
        f"{r},{c}",
        f"({r},{c})",
        f" ( {r} , {c} ) ",
        f"0{r},00{c}",
    ):
        assert parse_cell(text, rows, columns) == cell


@given(placed_cells())
@examples(100)
def test_a_cell_off_the_board_is_refused_with_the_range(placed: tuple[int, int, Cell]) -> None:
    rows, columns, cell = placed
    for text in (f"{rows},{cell[1]}", f"{cell[0]},{columns}", f"a{rows + 1}", "a0", f"{file_name(columns)}1"):
        message = refusal(parse_cell, text, rows, columns)
        assert repr(text) in message
        assert f"{rows}x{columns}" in message
        assert f"a1 to {cell_name((0, columns - 1), rows)}" in message
        assert f"0,0 to {rows - 1},{columns - 1}" in message


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "b",
        "3",
        "3b",
        "b-3",
        "b 3",
        "1;2",
        "1,2,3",
        "-1,2",
        "a-1",
        "1.0,2",
        "b٣",
        "٣,1",
        "b²",
        "é1",
        "a1 b2",
    ],
)
def test_what_is_no_cell_is_refused_with_an_example(text: str) -> None:
    message = refusal(parse_cell, text, 8, 8)
    assert "is not a cell: write b3, or row,column such as 2,1" in message


# -- moves --------------------------------------------------------------------------------------------------


@given(st.integers(1, 60), st.integers(1, 60), st.data())
@examples(100)
def test_every_way_to_write_a_move_is_read(rows: int, columns: int, data: st.DataObject) -> None:
    cell = st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))
    first, second = data.draw(cell), data.draw(cell)
    for dash in ("-", " - ", "->", " -> ", "–", " – "):
        assert parse_move(cell_name(first, rows) + dash + cell_name(second, rows), rows, columns) == (
            first,
            second,
        )
        pairs = f"{first[0]},{first[1]}{dash}({second[0]}, {second[1]})"
        assert parse_move(pairs, rows, columns) == (first, second)


@pytest.mark.parametrize(
    "text",
    ["", "a1", "a1b3", "a1 b3", "a1-b3-c5", "a1--b3", "a1:b3", "a1,b3", "-", "a1-", "-a1", "a1-\nb3-c1"],
)
def test_what_is_no_move_is_refused_with_an_example(text: str) -> None:
    assert "is not a move: write two cells, such as a1-b3" in refusal(parse_move, text, 8, 8)


@pytest.mark.parametrize("text", ["a1-b", "3-a1", "a1-z9x", "a1>b3-c1"])
def test_a_move_between_what_are_no_cells_is_refused(text: str) -> None:
    assert "is not a cell" in refusal(parse_move, text, 8, 8)


# -- sets of cells ------------------------------------------------------------------------------------------


@st.composite
def cell_lists(draw: st.DrawFn) -> tuple[int, int, str, set[Cell]]:
    """A list of cells, blocks and first:N, and the cells it means."""
    rows, columns = draw(st.integers(1, 12)), draw(st.integers(1, 12))
    cell = st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))
    text, meant = "", set[Cell]()
    for _ in range(draw(st.integers(0, 5))):
        kind = draw(st.sampled_from(["name", "pair", "bracket", "block", "first"]))
        r, c = draw(cell)
        if kind == "name":
            item, cells = cell_name((r, c), rows), {(r, c)}
        elif kind in ("pair", "bracket"):
            item, cells = (f"{r},{c}" if kind == "pair" else f"( {r} , {c} )"), {(r, c)}
        elif kind == "block":
            other = draw(cell)
            item = f"{cell_name((r, c), rows)}:{cell_name(other, rows)}"
            low, high = (min(r, other[0]), min(c, other[1])), (max(r, other[0]), max(c, other[1]))
            cells = {(x, y) for x in range(rows) for y in range(columns) if low[0] <= x <= high[0]}
            cells = {(x, y) for x, y in cells if low[1] <= y <= high[1]}
        else:
            number = draw(st.integers(0, rows * columns))
            item = f"first:{number}"
            cells = set([(x, y) for y in range(columns) for x in range(rows)][:number])
        text += item + draw(st.sampled_from([" ", ",", ";", ", ", "\n", " ; "]))
        meant |= cells
    return rows, columns, text, meant


@given(cell_lists())
@examples(250)
def test_lists_of_cells_are_read(listed: tuple[int, int, str, set[Cell]]) -> None:
    rows, columns, text, meant = listed
    assert parse_cells(text, rows, columns) == meant


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a1 z9", "cell 'z9' is off the 3x4 board"),
        ("a1:e1", "cell 'a1:e1' is off the 3x4 board"),
        ("3,0", "cell '3,0' is off the 3x4 board"),
        ("first:13", "'first:13' exceeds the 12 cells"),
        ("first:" + "9" * 5000, "exceeds the 12 cells"),
        ("first:", "is not a list of cells"),
        ("a1 !", "'!' is not a list of cells"),
        ("a1:", "':' is not a list of cells"),
        ("1,2,3", "'3' is not a list of cells"),
        ("a1 b", "blocks (a1:b2) or first:N"),
        ("a²", "is not a list of cells"),
    ],
)
def test_what_is_no_list_of_cells_is_refused(text: str, said: str) -> None:
    assert said in refusal(parse_cells, text, 3, 4)


def test_an_empty_list_of_cells_is_none_at_all() -> None:
    assert parse_cells("", 3, 3) == parse_cells(" \n ", 3, 3) == parse_cells("first:0", 3, 3) == frozenset()


# -- sizes --------------------------------------------------------------------------------------------------


@given(
    st.integers(1, LARGEST_SIDE),
    st.integers(1, LARGEST_SIDE),
    st.sampled_from(["x", "X", "×", " x ", "  × "]),
)
@examples(60)
def test_rows_come_before_columns(rows: int, columns: int, times: str) -> None:
    assert parse_size(f" {rows}{times}{columns} ") == (rows, columns)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "write ROWSxCOLUMNS, such as 3x10"),
        ("8", "write ROWSxCOLUMNS"),
        ("8+8", "write ROWSxCOLUMNS"),
        ("-1x3", "write ROWSxCOLUMNS"),
        ("3x4x5", "write ROWSxCOLUMNS"),
        ("３x4", "write ROWSxCOLUMNS"),
        ("3x", "write ROWSxCOLUMNS"),
        ("0x3", "at least one row and one column"),
        ("3x00", "at least one row and one column"),
        (f"{LARGEST_SIDE + 1}x1", f"a side is at most {LARGEST_SIDE}"),
        ("1x" + "9" * 10_000, f"a side is at most {LARGEST_SIDE}"),
    ],
)
def test_what_is_no_size_is_refused(text: str, said: str) -> None:
    assert said in refusal(parse_size, text)


@given(st.integers(0, 10**12), st.integers(0, 40))
@examples(60)
def test_numbers_are_read_up_to_a_ceiling(number: int, zeros: int) -> None:
    assert small_number("0" * zeros + str(number)) == min(number, 10**9)


# -- anything -----------------------------------------------------------------------------------------------


@given(hostile_text(), st.integers(1, 40), st.integers(1, 40))
@examples(600)
def test_no_text_makes_a_parser_fall_over(text: str, rows: int, columns: int) -> None:
    cells: list[Cell] = []
    one = answer_or_refusal(parse_cell, text, rows, columns)
    cells += [one] if one is not None else []
    cells += answer_or_refusal(parse_move, text, rows, columns) or ()
    cells += answer_or_refusal(parse_cells, text, rows, columns) or ()
    assert all(0 <= r < rows and 0 <= c < columns for r, c in cells)
    size = answer_or_refusal(parse_size, text)
    assert size is None or all(1 <= side <= LARGEST_SIDE for side in size)


@pytest.mark.parametrize(
    "text",
    [
        " " * 50_000,
        "(" + " " * 50_000,
        "1" + " " * 50_000 + "!",
        "a" * 50_000 + "1",
        "9" * 50_000,
        "a1" + " " * 50_000 + "!",
    ],
    ids=["blanks", "bracket", "number", "letters", "digits", "cell"],
)
@pytest.mark.parametrize("parser", [parse_cell, parse_move, parse_cells, lambda text, *_: parse_size(text)])
def test_hostile_text_is_refused_at_once(parser: Callable[[str, int, int], object], text: str) -> None:
    started = time.process_time()
    answer_or_refusal(parser, text, 8, 8)
    assert time.process_time() - started < 2
