"""Sudoku in the layouts of other programs, and in all of them mangled: the same puzzle, or a refusal."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, one_line, refusal

from ktsolve.base.errors import BadInput
from ktsolve.grids.box import Box
from ktsolve.wings.sudoku.files import read_sudokus
from ktsolve.wings.sudoku.puzzle import Puzzle, random_grid

THREE = Box(3, 3)
LINE = "3..2.1...74.....19.2..6.5...3.74...1..8...9..6...92.5...2.8..4.15.....97...9.3..2"
SOLVED = "395271486746835219821469573539748621278516934614392758962187345153624897487953162"
ZEROS = LINE.replace(".", "0")
ROWS = [LINE[at : at + 9] for at in range(0, 81, 9)]
ZERO_ROWS = [row.replace(".", "0") for row in ROWS]
PUZZLE = Puzzle(THREE, tuple(map(int, ZEROS)))
NUMBERS = [list(map(int, row)) for row in ZERO_ROWS]


def framed(line: str, *, outer: str = "", between: str = "|", inside: str = "", end: str = "") -> str:
    bands = [ROWS[at : at + 3] for at in (0, 3, 6)]
    drawn = [
        "\n".join(
            outer + between.join(inside.join(row[at : at + 3]) for at in (0, 3, 6)) + outer[::-1]
            for row in band
        )
        for band in bands
    ]
    middle = f"\n{line}\n".join(drawn)
    return f"{end}\n{middle}\n{end}" if end else middle


def fields(separator: str, end: str = "", whole: str = "") -> str:
    return "\n".join(
        separator.join("" if sign == "." else sign + whole for sign in row) + end for row in ROWS
    )


LAYOUTS = {
    "one line": LINE,
    "zeros": ZEROS,
    "stars": LINE.replace(".", "*"),
    "rows": "\n".join(ROWS),
    "rows in one line": " ".join(ROWS),
    "spaced": "\n".join(" ".join(row).replace(".", "_") for row in ROWS),
    "minus": "\n".join(ROWS).replace(".", "-"),
    "minus in one line": LINE.replace(".", "-"),
    "Simple Sudoku .ss": framed("|---+---+---|", outer="|", end="*-----------*"),
    "plus frame": framed("+---+---+---+", outer="|", end="+---+---+---+"),
    "QQwing": framed("-------|-------|-------", outer=" ", between=" | ", inside=" "),
    "wide frame": framed("------+-------+------", between=" | ", inside=" "),
    "frame of minus": framed("-" * 25, outer="| ", between=" | ", inside=" ", end="-" * 25),
    "box drawing": framed("├───┼───┼───┤", outer="│", between="│", end="┌───┬───┬───┐"),
    "every cell barred": "-------\n".join("|" + "|".join(row.replace(".", " ")) + "|\n" for row in ROWS),
    "SudoCue .sdk": "#ARuud\n#DA random puzzle\n#B03-08-2006\n#Uhttp://www.sudocue.net/\n" + "\n".join(ROWS),
    "SadMan .sdk": "[Puzzle]\n"
    + "\n".join(ROWS)
    + "\n[State]\n"
    + "\n".join(SOLVED[at : at + 9] for at in range(0, 81, 9))
    + "\n[PencilMarks]\n1,2,,,,,,,\n",
    "BOM and CRLF": "\ufeff" + "\r\n".join(ROWS) + "\r\n",
    "blank lines between bands": "\n\n".join("\n".join(ROWS[at : at + 3]) for at in (0, 3, 6)),
    "text after": "\n".join(ROWS) + "\n\nAuthor: Ruud, of SudoCue\n",
    "text in the line": f"{LINE} 24 clues, easy",
    "remark in the line": f"{LINE} # 24 clues; ED=1.2/1.2/1.2",
    "semicolons behind": f"{LINE};11.7;1.2;1.2",
    "HoDoKu": f":0000:x:{LINE.replace('7', '+7', 1)}:::\n",
    "CSV of empty fields": fields(","),
    "CSV with commas at the end": fields(",", end=","),
    "semicolons": fields(";"),
    "tabs": fields("\t"),
    "floats": fields(",", whole=".0"),
    "quoted fields": "\n".join(",".join(f'"{sign}"' for sign in row) for row in ZERO_ROWS),
    "lists of Python": "board = [\n" + "\n".join(f"    [{', '.join(row)}]," for row in ZERO_ROWS) + "\n]\n",
    "NumPy": "[[" + "]\n [".join(" ".join(row) for row in ZERO_ROWS) + "]]",
    "JSON": json.dumps(NUMBERS),
    "JSON in lines": json.dumps(NUMBERS, indent=1),
    "JSON with null": json.dumps([[number or None for number in row] for row in NUMBERS]),
    "JSON, flat": json.dumps([number for row in NUMBERS for number in row]),
    "JSON rows": json.dumps(ROWS),
    "JSON board": json.dumps({"board": NUMBERS}),
    "OpenSudoku": f'<?xml version="1.0"?>\n<opensudoku>\n<game data="{ZEROS}"/>\n</opensudoku>',
    "arrays of C": "int grid[9][9] = {\n"
    + ",\n".join("{" + ", ".join(row) + "}" for row in ZERO_ROWS)
    + "\n};",
    "characters": json.dumps([list(row) for row in ROWS]),
    "YAML": f"- {LINE}\n",
    "JSON of solve": json.dumps({"schema": "ktsolve/1", "box": "3x3", "puzzle": LINE, "grid": SOLVED}),
}

SEVERAL = {
    ".sdm": f"{ZEROS}\n{ZEROS}\n",
    "Project Euler": "".join(f"Grid 0{k}\n" + "\n".join(ZERO_ROWS) + "\n" for k in (1, 2)),
    "Norvig": "\n========\n".join(["\n".join(ZERO_ROWS)] * 2),
    "numbered": "".join(f"{k}.\n" + "\n".join(ROWS) + "\n" for k in (1, 2)),
    "sudoku-exchange": f"0000183b305c {ZEROS}  1.2\n0000183b305d {ZEROS}  7.2\n",
    "a JSON list of texts": json.dumps([LINE, ZEROS]),
    "JSON lists": json.dumps([NUMBERS, NUMBERS]),
}

SOLUTIONS = {
    "Kaggle": f"quizzes,solutions\n{ZEROS},{SOLVED}\n{ZEROS},{SOLVED}\n",
    "Kaggle, five columns": "id,puzzle,solution,clues,difficulty\n"
    f"1,{LINE},{SOLVED},24,2.2\n2,{LINE},{SOLVED},24,0",
    "the solution first": f'solution;"puzzle"\n{SOLVED};"{LINE}"\n{SOLVED};"{LINE}"\n',
    "without a head": f"{LINE},{SOLVED}\n{LINE},{SOLVED}\n",
    "JSON lines": 2 * (json.dumps({"puzzle": LINE, "solution": SOLVED}) + "\n"),
    "JSON of Dosuku": json.dumps(
        {"newboard": {"grids": [{"value": NUMBERS, "solution": list(map(int, SOLVED))}] * 2}}
    ),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts_of_one_puzzle(name: str) -> None:
    assert [each.puzzle for each in read_sudokus(LAYOUTS[name])] == [PUZZLE]


@pytest.mark.parametrize("name", SEVERAL)
def test_layouts_of_several_puzzles(name: str) -> None:
    assert [each.puzzle for each in read_sudokus(SEVERAL[name])] == [PUZZLE] * 2


@pytest.mark.parametrize("name", SOLUTIONS)
def test_layouts_with_solutions(name: str) -> None:
    read = read_sudokus(SOLUTIONS[name])
    assert [each.puzzle for each in read] == [PUZZLE] * 2
    assert [each.solution for each in read] == [tuple(map(int, SOLVED))] * 2


FOUR = Box(4, 4)
GRID = random_grid(FOUR, 3)
HEX, LETTERS, ONE = "0123456789ABCDEF", "ABCDEFGHIJKLMNOP", "123456789ABCDEFG"


def half(signs: str, empty: str, between: str = "", grid: tuple[int, ...] = GRID) -> str:
    """The grid with every third cell empty."""
    cells = [empty if place % 3 == 0 else signs[digit - 1] for place, digit in enumerate(grid)]
    return "\n".join(between.join(cells[at : at + 16]) for at in range(0, 256, 16))


HALF = Puzzle(FOUR, tuple(0 if place % 3 == 0 else digit for place, digit in enumerate(GRID)))


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        (half(HEX, "."), HEX),
        (half(HEX.lower(), "-"), HEX),
        (half(ONE, "."), ONE),
        (half(ONE, "0"), ONE),
        (half(LETTERS, "."), LETTERS),
        (half(LETTERS, "0"), LETTERS),
        (
            "\n".join(
                " ".join("0" if k % 3 == 0 else str(d) for k, d in row) for row in [[*enumerate(GRID)]]
            ),
            ONE,
        ),
        (json.dumps([None if k % 3 == 0 else digit - 1 for k, digit in enumerate(GRID)]), HEX),
    ],
)
def test_digits_of_large_grids_are_told_apart(text: str, signs: str) -> None:
    (read,) = read_sudokus(text)
    assert (read.puzzle, read.puzzle.digits) == (HALF, signs)


def test_full_grids_in_hexadecimal() -> None:
    text = FOUR.line(GRID, HEX)
    (read,) = read_sudokus(text)
    assert (read.puzzle.clues, read.puzzle.digits) == (GRID, HEX)
    (pair,) = read_sudokus(f"{half(HEX, '.').replace(chr(10), '')},{text}")
    assert (pair.puzzle, pair.solution) == (HALF, GRID)


def test_open_digits_are_refused_until_they_are_said() -> None:
    only = half(HEX, ".").replace("0", ".")
    assert "1-G or 0-F: say which by --digits" in refusal(read_sudokus, only)
    for digits, signs in (("1-G", ONE), ("0-f", HEX)):
        (read,) = read_sudokus(only, digits=digits)
        assert read.puzzle.digits == signs
        assert read.puzzle.line(read.puzzle.clues) == only.replace("\n", "")
    assert "1-G or 0-F or A-P" in refusal(read_sudokus, "ABCD" + "." * 252)
    assert "use 0" not in refusal(read_sudokus, only, digits="0-9")
    assert "1-9 or 0-8" in refusal(read_sudokus, "0" + LINE[1:].replace("9", "."))


WRONG = {
    "a letter": (
        "# x\n" + "\n".join(ROWS).replace("8...9", "8..o9"),
        ("'o'", "row 5, column 6", "line 6, column 6"),
    ),
    "a letter in one of many": (f"{LINE}\n{LINE[:40]}o{LINE[41:]}\n", ("'o'", "line 2, column 41")),
    "another sign for empty cells": ("\n".join(ROWS).replace(".", "x"), ("'x'", "row 1, column 2", "line 1")),
    "another sign in one of two": (
        f"{LINE}\n" + "\n".join(" ".join(row) for row in ROWS).replace(".", "x"),
        ("'x'",),
    ),
    "another sign in a line": (LINE.replace(".", "x"), ("'x'", "column 2")),
    "a short line of many": (f"{LINE}\n{LINE[:80]}\n{LINE}\n", ("line 2 has 80 cells",)),
    "a short row": ("\n".join([*ROWS[:3], ROWS[3][1:], *ROWS[4:]]), ("line 4 has 8 cells", "has 9")),
    "a cell in the next row": ("\n".join([ROWS[0] + "1", ROWS[1][1:], *ROWS[2:]]), ("line 1 has 10 cells",)),
    "a row too few": ("\n".join(ROWS[:8]), ("line 8 ends a grid of 8 rows",)),
    "candidates": ("\n".join(["123 4 5 6 7 8 9 12 3"] * 9), ("'123'", "line 1, column 1")),
    "a puzzle lost": (f"a,{LINE},{SOLVED}\nb,,{SOLVED}\n", ("line 2", "other columns")),
    "two puzzles in a line": (f"{LINE},{LINE}", ("line 1 has two puzzles",)),
    "a short field": (f"puzzle,solution\n{LINE[1:]},{SOLVED}", ("line 2, field 1 has 80 cells",)),
    "either size": ("\n".join(["1.3..........2.."] * 16), ("16 grids of 2x2", "1 grid of 4x4", "--box")),
    "unequal boxes": ("12|3456\n" * 6, ("not evenly spaced",)),
    "rows apart": ("1234\n----\n2143\n----\n3412\n----\n4321", ("does not show its boxes", "--box")),
    "JSON of something else": ('{"a": 1}', ("'a'", '"puzzle"')),
    "Booleans": ("[[true, 2], [3, 4]]", ("not cells",)),
    "JSON cut off": ('{"puzzle": ', ("line 1, column 11",)),
    "a conflict": (f"{LINE}\n33{LINE[2:]}", ("puzzle 2", "digit 3", "row 1")),
    "blanks in a frame": (
        "\n".join(f"| {row[:3]} | {row[3:6]} | {row[6:]} |" for row in ROWS).replace(".", " "),
        ("write a digit or .",),
    ),
    "25x25": ("." * 625, ("256 cells, not 625",)),
    "fields of which side": ("\n".join([",1" + "," * 8] * 9), ("10 fields", "first and the last")),
}


@pytest.mark.parametrize("name", WRONG)
def test_refusals_name_the_place(name: str) -> None:
    text, named = WRONG[name]
    message = refusal(read_sudokus, text)
    for part in named:
        assert part in message


def test_frames_show_the_box() -> None:
    puzzle = Puzzle(Box(2, 3), (1, *[0] * 35))
    assert read_sudokus(str(puzzle))[0].puzzle == puzzle
    assert "2x3, not 3x2" in refusal(read_sudokus, str(puzzle), Box(3, 2))


# -- every size in every layout ------------------------------------------------------------------------------

BOXES = st.sampled_from([Box(2, 2), Box(2, 3), THREE, Box(2, 5), Box(3, 4), FOUR])
SIGNS = {"1": ONE, "0": HEX, "A": LETTERS}


def written(puzzle: Puzzle, signs: str, empty: str, layout: str) -> str:
    """A puzzle in a layout."""
    box, side = puzzle.box, puzzle.box.side
    cells = [signs[digit - 1] if digit else empty for digit in puzzle.clues]
    if layout.startswith("number"):
        cells = [str(signs.index(cell) + (signs[0] == "1")) if cell in signs else empty for cell in cells]
    rows = [cells[at : at + side] for at in range(0, side**2, side)]
    if layout == "line":
        return "".join(cells)
    if layout == "json":
        return json.dumps([[None if cell == empty else cell for cell in row] for row in rows])
    if layout == "frame":
        lines = [
            "|" + "|".join("".join(row[at : at + box.columns]) for at in range(0, side, box.columns)) + "|"
            for row in rows
        ]
        rule = "+" + "+".join(["-" * box.columns] * box.rows) + "+"
        return "\n".join(
            line for k, row in enumerate(lines) for line in ([rule, row] if k % box.rows == 0 else [row])
        )
    between = {
        "rows": "",
        "spaced": " ",
        "csv": ",",
        "semicolons": ";",
        "tabs": "\t",
        "numbers": " ",
        "numbers,": ",",
    }
    return "\n".join(between[layout].join(row) for row in rows)


def mangled(text: str, chance: random.Random) -> str:
    """A text with changes that mean nothing."""
    lines = [line + " " * chance.choice([0, 0, 2]) for line in text.split("\n")]
    if text.startswith("["):  # JSON has no remarks
        return "\ufeff\r\n" + lines[0] + "\r\n"
    if chance.random() < 0.3:
        lines.insert(0, chance.choice(["# a remark", "", "Puzzle 7", "#CA comment of .sdk", "// x"]))
    if chance.random() < 0.3:
        lines.append(chance.choice(["", "# the end", "Author: somebody"]))
    if chance.random() < 0.3:
        lines.insert(chance.randrange(len(lines) + 1), chance.choice(["", "# between"]))
    return chance.choice(["", "\ufeff"]) + chance.choice(["\n", "\r\n", "\r"]).join(lines)


@given(
    BOXES,
    st.integers(0, 50),
    st.sampled_from([0.1, 0.4, 0.7, 0.95, 1.0]),
    st.sampled_from("10A"),
    st.sampled_from([".", "0", "_", "*", "-", ""]),
    st.sampled_from(
        ["line", "rows", "spaced", "csv", "semicolons", "tabs", "numbers", "numbers,", "json", "frame"]
    ),
    st.booleans(),
    st.randoms(use_true_random=False),
)
@examples(60)
def test_the_same_puzzle_or_a_refusal(
    box: Box, seed: int, kept: float, first: str, empty: str, layout: str, says: bool, chance: random.Random
) -> None:
    if (first == "0" and empty == "0") or (
        empty == "" and layout not in ("csv", "semicolons", "tabs", "json")
    ):
        empty = "."
    if first == "A" and layout.startswith("numbers"):
        first = "1"
    grid = random_grid(box, seed)
    puzzle = Puzzle(box, tuple(digit if chance.random() < kept else 0 for digit in grid))
    text = mangled(written(puzzle, SIGNS[first], empty, layout), chance)
    signs = SIGNS[first][: box.side]
    said = f"{signs[0]}-{signs[-1]}" if says else None
    for shape in (box, None):
        try:
            read = read_sudokus(text, shape, said)
        except BadInput as refused:
            one_line(refused)
            # What says its box and its digits is read, unless a sign means two things in it.
            assert not (shape and says) or empty in ("-", "") or layout == "frame", text
            continue
        assert [each.puzzle for each in read] == [puzzle], text
        if any(puzzle.clues) and any(sign not in "." for sign in text):
            assert box.line(puzzle.clues, read[0].puzzle.digits) == box.line(puzzle.clues, signs), text
