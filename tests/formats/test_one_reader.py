"""Every command that reads tours reads every file of tours, or names the place and the likely mistake."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from command import answered, refused
from command import ktsolve as said
from hypothesis import given
from hypothesis import strategies as st
from marks import quick
from strategies import examples, real_tours, refusal

import ktsolve
from ktsolve.base.errors import BadInput
from ktsolve.formats.table import Format, format_named
from ktsolve.formats.tours.files import counts_from_zero, load, read_tour, read_tours, tour_file
from ktsolve.formats.tours.recognition import TOUR_FORMATS, split_tours
from ktsolve.graphs.board import Board
from ktsolve.graphs.tour import Tour

ROWS = [[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]]
TOUR = Tour.from_names(Board(3, 4), "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
NAMES = TOUR.names().split()
KIND = {"board": TOUR.board.to_json(), "closed": False}
SQUARES = [list(cell) for cell in TOUR.squares]


def lines(rows: list[list[object]], between: str, end: str = "") -> str:
    return "".join(between.join(map(str, row)) + end + "\r\n" for row in rows)


QUOTED: list[list[object]] = [[f'"{step}"' for step in row] for row in ROWS]
FROM_ZERO: list[list[object]] = [[step - 1 for step in row] for row in ROWS]
BARE: list[list[object]] = [list(row) for row in ROWS]

ONE = {
    "commas": lines(BARE, ","),
    "semicolons and their ends": "\ufeff" + lines(BARE, ";", ";;"),
    "tabs": lines(BARE, "\t"),
    "quotes": lines(QUOTED, ","),
    "commas and blanks": lines(BARE, ", "),
    "bars": "| " + lines(BARE, " | ", " |\n|").strip("|\r\n"),
    "floats": lines([[f"{step}.0" for step in row] for row in ROWS], ","),
    "np.savetxt": "".join(" ".join(f"{step:.18e}" for step in row) + "\n" for row in ROWS),
    "from zero": lines(FROM_ZERO, " "),
    "from zero in JSON": json.dumps(FROM_ZERO),
    "nested lists": json.dumps(ROWS),
    "NumPy": str(np.array(ROWS)),
    "NumPy's repr": repr(np.array(ROWS)),
    "NumPy's floats": str(np.array(ROWS, dtype=float)),
    "cells as Python lists them": str(list(TOUR.squares)),
    "names in JSON": json.dumps(NAMES),
    "step and cell": "step;cell\n" + "\n".join(f"{k};{name}" for k, name in enumerate(NAMES, 1)),
    "columns in another order": "row,column,step\n"
    + "\n".join(f"{r},{c},{k}" for k, (r, c) in enumerate(SQUARES, 1)),
    "clues make": json.dumps({**KIND, "clues": {"1": [0, 0]}, "solution": SQUARES}),
    "solve": json.dumps({"status": "found", "closed": False, "squares": SQUARES}),
    "sample": json.dumps({**KIND, "tours": [SQUARES]}),
    **{form.name: tour_file([TOUR], form).decode() for form in TOUR_FORMATS if not form.binary},
}
"""Texts of the one tour."""


@pytest.mark.parametrize("name", ONE)
def test_one_tour_in_many_texts(name: str) -> None:
    tour = read_tour(ONE[name])
    assert tour == TOUR
    assert counts_from_zero(ONE[name], tour) == name.startswith("from zero")
    assert read_tours(ONE[name]) == [TOUR]


SEVERAL = {
    "grids": f"{TOUR.grid()}\n\n{TOUR.reversed().grid()}\n",
    "CSV grids": f"{ONE['commas']}\n{ONE['semicolons and their ends'].lstrip(chr(0xFEFF))}",
    "cells": f"{TOUR.names()}\n{TOUR.reversed().names()}\n",
    "JSON lines": ONE["json"] * 2,
    "nested lists": json.dumps([ROWS, ROWS]),
    "a list of objects": json.dumps([json.loads(ONE["json"])] * 2),
    "mixed": f"{ONE['csv']}{TOUR.grid()}\n\n{ONE['tsplib']}",
}

COMMANDS = {
    "check -": "valid open tour",
    "draw -": "┌",
    "play -": "<!doctype html>",
    "convert - --format cells": "a3 c2 a1",
    "rank 3x4 - --open": "6",
    "base validate -": "3x4",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_reads_every_text(command: str) -> None:
    for name in ("semicolons and their ends", "from zero", "NumPy's repr", "clues make", "step and cell"):
        status = 1 if command.startswith("base") else 0
        said = answered(*command.split(), status=status, given=ONE[name].encode())
        if (command, name) != ("draw -", "clues make"):  # that draws the puzzle
            assert COMMANDS[command] in said.out, name
    for name, text in SEVERAL.items():
        status = 1 if command.startswith("base") else 0
        said = answered(*command.split(), status=status, given=text.encode())
        number = 3 if name == "mixed" else 2
        if command == "check -":
            assert said.out == f"{number} valid open tours of 3x4\n"
        if command.startswith(("convert", "rank")):
            assert len(said.out.splitlines()) == number, name


@pytest.mark.parametrize("name", ["grid", "moves"])
def test_many_small_tours_are_not_one_large_array(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = (tour_file([TOUR], format_named(name, TOUR_FORMATS)) + b"\n") * 20_001
    assert isinstance(load(data), str)
    monkeypatch.setattr("ktsolve.formats.tours.files._LARGEST_TEXT", 100)
    assert f"several tours as {name} are read up to 32 MiB" in refused("check", "-", given=data)


@pytest.mark.parametrize(
    ("form", "number"),
    quick(
        ((form, number) for form in TOUR_FORMATS for number in (1, 2)),
        lambda case: case[1] == 2 and case[0].name in ("grid", "moves", "csv"),
    ),
)
def test_files_of_one_tour_and_of_two(form: Format, number: int, tmp_path: Path) -> None:
    """Each format by each command, by name and by pipe; one after the other where the format holds one."""
    grids, file = str(tmp_path / "grids.txt"), tmp_path / f"tours.{form.suffixes[0]}"
    answered("tour", "6x6", "--number", str(number), "-q", "-o", grids)
    if number > 1 and not form.several:
        assert "holds one tour" in refused("convert", grids, "--format", form.name)
        if form.binary:
            return
        each = [answered("convert", grids, "--tour", k, "--format", form.name).out for k in ("1", "2")]
        file.write_text("".join(each), encoding="utf-8")
    else:
        answered("convert", grids, "-o", str(file))
    for source, data in ((str(file), b""), ("-", file.read_bytes())):
        valid = "valid closed tour of 6x6" if number == 1 else f"{number} valid closed tours of 6x6"
        assert answered("check", source, given=data).out == f"{valid}\n"
        assert answered("convert", source, "--format", "grid", given=data).out == Path(grids).read_text(
            "utf-8"
        )
        ranks = answered("rank", "6x6", source, "-q", given=data).out.split()
        assert len(set(ranks)) == number
        assert answered("draw", source, given=data).out.count("┌") == number
        assert len(said("base", "validate", source, "--json", given=data).json["boards"]) == number
        assert "<svg" in answered("play", source, given=data).out
        if number > 1:
            assert "choose one" in refused("draw", source, "-o", str(tmp_path / "tour.gif"), given=data)
            last = answered("convert", source, "--tour", str(number), "--format", "grid", given=data).out
            assert Path(grids).read_text("utf-8").endswith(f"\n\n{last}")
            assert f"holds {number} tours: read_tours reads them all" in refusal(ktsolve.read_tour, file)
        assert len(ktsolve.read_tours(file)) == number


@pytest.mark.slow
def test_files_of_all_tours(tmp_path: Path) -> None:
    grids = str(tmp_path / "grids.txt")
    answered("tour", "6x6", "--all", "-q", "-o", grids)
    assert sorted(map(int, answered("rank", "6x6", grids, "-q").out.split())) == list(range(9862))
    before = grids
    for name in ("moves", "json", "cells", "grid"):
        file = str(tmp_path / f"tours.{name}")
        answered("convert", before, "-o", file)
        before = file
    assert Path(before).read_bytes() == Path(grids).read_bytes()
    assert answered("check", before).out == "9862 valid closed tours of 6x6\n"


def test_one_of_several_tours_is_chosen() -> None:
    given = SEVERAL["cells"].encode()
    assert answered("convert", "-", "--tour", "2", "--format", "cells", given=given).out.startswith("d1 b2")
    assert refused("convert", "-", "--tour", "3", "--format", "cells", given=given) == (
        "standard input holds 2 tours, and --tour 3"
    )
    for other in ("6x6", "graph:petersen", "ends-6x6.toml"):
        assert "is about a file of several tours" in refused(
            "convert", other, "--tour", "1", "--format", "json"
        )


def test_lines_of_separators_part_grids() -> None:
    text = lines(BARE, ";") + ";;;\r\n" + lines(BARE, ";")
    assert answered("check", "-", given=text.encode()).out == "2 valid open tours of 3x4\n"


def test_arrays_one_after_the_other_are_refused() -> None:
    array = tour_file([TOUR], format_named("npy", TOUR_FORMATS))
    assert "goes on after the array of 12 numbers" in refused("check", "-", given=array * 2)


def test_check_says_what_it_read() -> None:
    assert answered("check", "-", given=ONE["from zero"].encode()).err == "the steps are numbered from 0\n"
    spoilt = SEVERAL["grids"].replace("12", "11")
    said = answered("check", "-", given=spoilt.encode(), status=1)
    assert said.out.splitlines() == [
        "tour 1: not a tour: line 3, entry 4: step 11 occurs twice (also in line 2, entry 2), and step 12 is "
        "missing",
        "tour 2: not a tour: line 6, entry 3: step 11 occurs twice (also in line 5, entry 1), and step 12 is "
        "missing",
    ]
    data = answered("check", "-", "--json", given=SEVERAL["cells"].encode()).json
    assert (data["status"], data["number"], [each["line"] for each in data["tours"]]) == ("valid", 2, [1, 2])


def test_a_zero_is_a_hole_where_no_move_leads_from_it() -> None:
    ring = read_tour("1 6 3\n4 0 8\n7 2 5")
    assert (str(ring.board), len(ring)) == ("3x3 without b2", 8)
    two = read_tour("0 1\n0 2", change=lambda board: Board.parse(board.size, leaper=(0, 1)))
    assert len(two) == 2


@pytest.mark.parametrize("form", ["grid", "cells", "csv", "tsplib", "edges", "json"])
@pytest.mark.parametrize("more", ["--without b2", "--leaper 0,1", "--wrap x"])
def test_files_state_what_cannot_be_seen(form: str, more: str) -> None:
    board = "4x4" if "leaper" in more else "3x3" if "without" in more else "3x6"
    file = answered("tour", board, *more.split(), "--format", form, "-q").out.encode()
    wanted = f"valid closed tour of {board} {more.replace('--', '')}\n"
    assert answered("check", "-", given=file).out == wanted
    bare = b"\n".join(line for line in file.splitlines() if not line.startswith(b"#"))
    if form in ("grid", "cells"):
        assert answered("check", "-", *more.split(), given=bare).out == wanted
        again = answered("convert", "-", *more.split(), "--format", "tsplib", given=bare).out.encode()
        assert answered("check", "-", given=again).out == wanted


@pytest.mark.parametrize("form", ["grid", "cells", "csv", "tsplib", "edges", "json"])
def test_a_non_crossing_walk_leaves_cells_out(form: str) -> None:
    file = answered("non-crossing", "4x4", "--open", "--format", form, "-q").out.encode()
    assert answered("check", "-", given=file).out == "valid open non-crossing walk with 5 moves on 4x4\n"
    again = answered("convert", "-", "--format", "grid", given=file).out.encode()
    assert answered("check", "-", given=again).out == "valid open non-crossing walk with 5 moves on 4x4\n"
    assert "holds tours of all cells" in refused("convert", "-", "--format", "npy", given=file)


NEARLY = {
    "1 4 7 1O\n8 11 2 5\n3 6 9 12": "line 1, entry 4: '1O' is not a step number: is the letter O there",
    "1 4 7 10\n8 l1 2 5\n3 6 9 12": "line 2, entry 2: 'l1' is not a step number: is the letter l there",
    "# a\n\n1 4 7 10\n8 11 2 5\n3 6 9 9": "line 5, entry 4: step 9 occurs twice (also in line 5, "
    "entry 3), and step 12 is missing",
    "1 4 7 10\n8 11 2 5\n3 6 9 13": "step 12 is missing from the grid, of 12 steps (line 3, entry 4 is 13)",
    "1 4 7 10\n8 11 2 5\n3 6 912": "line 3 of the grid has 3 entries where line 1 has 4: are two numbers "
    "joined in '912'?",
    "1;4;7;10\n8;11;2;5;6\n3;6;9;12": "line 2 of the grid has 5 entries where line 1 has 4",
    "step,cell\n1,a3\n1,c2": "line 3 of the CSV: step 1 occurs twice (also in line 2)",
    "step,row,column\n1,0,x": "line 2 of the CSV: 'x' is not a column: write a whole number",
    "[[1 4 ... 7]\n [8 11 ... 2]]": "the array is abbreviated by ...: print it whole",
    '{"trace": {}}': "the input is a recorded walk, which ktsolve play shows",
}


@pytest.mark.parametrize("text", NEARLY)
def test_a_nearly_right_file(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_tours(text)
    assert str(caught.value).startswith(NEARLY[text])


@given(real_tours(), st.sampled_from([",", ";", "\t", ", ", " ; "]), st.integers(0, 2), st.booleans())
@examples(60)
def test_grids_of_spreadsheets_are_read_back(tour: Tour, between: str, ends: int, empty: bool) -> None:
    if tour.board.columns < 3:
        return
    rows = [line.split() for line in tour.grid().splitlines()]
    if empty and all(row[-1] != "." and row[0] != "." for row in rows):
        rows = [["" if mark == "." else mark for mark in row] for row in rows]
    text = "".join(between.join(row) + between.strip(" ") * ends + "\r\n" for row in rows)
    again = read_tour("\ufeff" + text, tour.board, tour.closed)
    assert again == tour
    nested = json.dumps([[int(mark) if mark.isdigit() else None for mark in row] for row in rows])
    assert read_tour(nested, tour.board, tour.closed) == tour


@given(st.lists(real_tours(), min_size=2, max_size=4), st.sampled_from(["grid", "cells"]))
@examples(40)
def test_several_tours_of_any_boards_are_read_back(tours: list[Tour], name: str) -> None:
    form = next(each for each in TOUR_FORMATS if each.name == name)
    text = tour_file(tours, form).decode()
    if any(len(tour) < 3 or tour.board.columns < 2 for tour in tours):
        return
    parts = split_tours(text)
    assert [read_tour(part.text) for part in parts] == tours


def test_grids_of_two_files_one_after_the_other_need_a_blank_line() -> None:
    small, large = (answered("tour", size, "-q").out for size in ("5x6", "6x6"))
    both = answered("check", "-", given=f"{small}\n{large}".encode()).out
    assert both == "1 valid closed tour of 5x6\n1 valid closed tour of 6x6\n"
    said = answered("check", "-", given=(small + large).encode(), status=1).out
    assert said.endswith("; between several grids a blank line is needed\n")


def test_an_instance_file_stands_for_its_board_and_conditions() -> None:
    tour = answered("tour", "ends-6x6.toml", "-q").out.encode()
    assert answered("check", "-", "--board", "ends-6x6.toml", given=tour).out == "valid open tour of 6x6\n"
    other = answered("tour", "6x6", "--open", "--start", "c3", "-q").out.encode()
    assert (
        "condition violated" in answered("check", "-", "--board", "ends-6x6.toml", status=1, given=other).out
    )
    assert answered("count", "quarter-turn-10x10.toml").out.startswith("closed 10x10 symmetry rot90: 831804 ")
    assert answered("convert", "ends-6x6.toml", "--format", "cnf").out.startswith("c open 6x6 start")
    assert "┌" in answered("draw", "ends-6x6.toml").out
    assert "use ktsolve solve" in refused("count", "sudoku-9x9.toml")
    assert "needs a board" in refused("walk", "ends-6x6.toml")
    assert "counts and puzzles are drawn as .svg" in refused("draw", "guarini.toml")
    assert refused("tour", "ends-6x6.toml", "--wrap", "x").startswith("--wrap is stated by the instance")
