"""``ktsolve sudoku``: answers in text, JSON and CSV; bad input; limits; Ctrl-C."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from command import answered, ktsolve
from interrupting import interrupted

from ktsolve.grids.box import Box
from ktsolve.wings.sudoku.checks import sudoku_band_classes, sudoku_values
from ktsolve.wings.sudoku.puzzle import Puzzle, random_grid, random_puzzles

EMPTY = "." * 81
EXAMPLE = "3..2.1...74.....19.2..6.5...3.74...1..8...9..6...92.5...2.8..4.15.....97...9.3..2"


def test_totals() -> None:
    assert ktsolve("sudoku", "count").out == "sudoku 3x3: 6670903752021072936960 grids\n"
    data = ktsolve("sudoku", "count", "--box", "2x3", "--json").json
    assert (data["box"], data["count"], data["bands"]) == ("2x3", "28200960", "640")


def test_essentially_different() -> None:
    said = ktsolve("sudoku", "count", "--box", "2x2", "--up-to-symmetry")
    assert said.out.endswith("sudoku 2x2: 2 essentially different grids, 3 without transposition\n")
    data = ktsolve("sudoku", "count", "--box", "2x3", "--up-to-symmetry", "--json").json
    assert (data["count"], data["different"], data["order"]) == ("28200960", "49", 3456)
    total = sum(each["size"] * int(each["invariant"]) for each in data["symmetries"])
    assert total == 49 * 3456


def test_estimates() -> None:
    data = ktsolve("sudoku", "count", "--box", "4x4", "--estimate", "--json").json
    assert data["estimate"]["seconds"] > 1e15
    assert ktsolve("sudoku", "count", "--estimate").out.startswith("sudoku 3x3: about 18,200 tables")


@pytest.mark.full
def test_the_chain_as_json() -> None:
    data = ktsolve("sudoku", "bands", "--json").json
    assert [stage["count"] for stage in data["stages"]] == list(sudoku_values("3x3").stages)
    assert [set(stage) for stage in data["stages"]] == [{"name", "count", "seconds"}] * 6
    assert len(data["classes"]) == 44
    assert [set(each) for each in data["classes"]] == [{"representative", "bands", "completions"}] * 44
    total = sum(each["bands"] * int(each["completions"]) for each in data["classes"])
    assert total * 72 * 362880 == sudoku_values("3x3").grids


def test_the_seventy_one_as_csv() -> None:
    said = ktsolve("sudoku", "bands", "--stage", "subsets", "--csv")
    rows = list(csv.DictReader(io.StringIO(said.out)))
    assert [(int(row["bands"]), int(row["completions"])) for row in rows] == sudoku_band_classes()
    assert rows[0]["representative"] == "123456789456789123789123456"


@pytest.mark.parametrize(
    "stage", ["bands", "reduced", "permutations", "rectangles", "subsets", "column-sets"]
)
def test_one_stage(stage: str) -> None:
    data = ktsolve("sudoku", "bands", "--box", "3x2", "--stage", stage, "--json").json
    assert [each["name"] for each in data["stages"]] == [stage]
    if stage not in ("bands", "reduced"):
        assert data["stages"][0]["count"] == len(data["classes"])
        total = sum(each["bands"] * int(each["completions"]) for each in data["classes"])
        assert total * 8 * 720 == 28200960


@pytest.mark.full
def test_the_chain_as_text() -> None:
    lines = ktsolve("sudoku", "bands").out.splitlines()
    assert [line.split()[:2] for line in lines[1:7]] == [
        ["bands", "2612736"],
        ["reduced", "36288"],
        ["permutations", "416"],
        ["rectangles", "174"],
        ["subsets", "71"],
        ["column-sets", "44"],
    ]
    assert lines[-1].endswith("s: sudoku 3x3: 6670903752021072936960 grids")
    # Boxes whose bands can be listed but not completed.
    lines = ktsolve("sudoku", "bands", "--box", "2x5").out.splitlines()
    assert lines[1].split()[:2] == ["bands", "14400"]
    assert "completions" not in lines[-1]


def test_solving(tmp_path: Path) -> None:
    said = ktsolve("sudoku", "unique", EXAMPLE)
    assert said.status == 0
    assert said.out.startswith("395|271|486\n")
    assert said.out.endswith("the only solution\n")
    (tmp_path / "puzzle.txt").write_text(EXAMPLE)
    data = ktsolve("sudoku", "solve", str(tmp_path / "puzzle.txt"), "--engine", "cpsat", "--json").json
    assert (data["status"], data["grid"][:9]) == ("found", "395271486")
    assert (
        ktsolve("sudoku", "solve", "-", given=EXAMPLE.encode()).out
        == "\n".join(said.out.splitlines()[:-1]) + "\n"
    )


SOLVED = "395271486746835219821469573539748621278516934614392758962187345153624897487953162"


@pytest.mark.full
def test_many_puzzles_have_a_line_each(tmp_path: Path) -> None:
    file = tmp_path / "many.sdm"
    file.write_text(f"# three\n{EXAMPLE}\n{EXAMPLE.replace('.', '0')}\n{'.' * 81}\n")
    said = ktsolve("sudoku", "unique", str(file))
    lines = said.out.splitlines()
    assert (said.status, lines[:2]) == (1, [f"{SOLVED}  the only solution"] * 2)
    assert lines[2].endswith("  not the only solution")
    said = ktsolve("sudoku", "solve", str(file), "--json", "-o", str(tmp_path / "out.json"))
    assert (said.status, said.out) == (0, "")
    objects = [json.loads(line) for line in (tmp_path / "out.json").read_text().splitlines()]
    assert [each["status"] for each in objects] == ["found"] * 3
    assert [each["grid"] for each in objects[:2]] == [SOLVED] * 2
    said = ktsolve("sudoku", "solve", str(file), "--count", "2")
    assert said.out == "1 solution\n1 solution\n2 and more solutions\n"
    assert len(set(ktsolve("sudoku", "canonical", str(file)).out.splitlines())) == 2
    said = ktsolve("sudoku", "solve", str(file), "-o", str(tmp_path / "out.svg"))
    assert (said.status, "shows one grid" in said.complaint) == (2, True)
    assert "holds 3 puzzles" in ktsolve("sudoku", "same", str(file), EXAMPLE).complaint
    said = ktsolve("sudoku", "solve", str(file), "--json", "--count", str(10**12), "--timeout", "0.2")
    assert said.status == 3
    assert [json.loads(line).get("count") for line in said.out.splitlines()] == ["1", "1", None]


def test_solutions_of_the_file_are_compared(tmp_path: Path) -> None:
    file = tmp_path / "sudoku.csv"
    file.write_text(f"quizzes,solutions\n{EXAMPLE},{SOLVED}\n{EXAMPLE},{SOLVED[:-1]}1\n")
    said = ktsolve("sudoku", "solve", str(file))
    wrong = "the solution in the input is wrong: cell 81 is 1, not 2 as given"
    assert (said.status, said.out.splitlines()) == (1, [SOLVED, f"{SOLVED}  {wrong}"])
    file.write_text(f"puzzle,solution\n1.....3.........,{'1234341221434321'}\n")
    assert (
        ktsolve("sudoku", "solve", str(file)).out.splitlines()[-1].startswith("the solution in the input is ")
    )
    empty, grid = "." * 16, "4321214334121234"
    file.write_text(f"{empty},{grid}\n")
    data = ktsolve("sudoku", "solve", str(file), "--json").json
    assert data["given_solution"] == ("the same" if data["grid"] == grid else "another")


@pytest.mark.full
def test_answers_have_the_digits_of_the_puzzle() -> None:
    box = Box(4, 4)
    line = box.line(random_grid(box, 3), "0123456789ABCDEF")
    puzzle = "." + line[1:]
    data = ktsolve("sudoku", "solve", puzzle, "--json").json
    assert (data["grid"], data["digits"]) == (line, "0-F")
    assert ktsolve("sudoku", "unique", "-", given=json.dumps(data).encode()).out.startswith(line[:4] + "|")
    unclear = line.replace("0", ".")
    assert "--digits" in ktsolve("sudoku", "solve", unclear).complaint
    assert ktsolve("sudoku", "solve", unclear, "--digits", "0-F", "--json").json["grid"] == line


def test_errors_name_the_file_and_the_place(tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    file.write_text(f"# a remark\n{EXAMPLE[:40]}o{EXAMPLE[41:]}\n")
    complaint = ktsolve("sudoku", "solve", str(file)).complaint
    assert complaint.startswith(f"{file}: 'o' in row 5, column 5 is not")
    assert "(line 2, column 41 of the text)" in complaint
    assert "there is no file missing.sdk" in ktsolve("sudoku", "solve", "missing.sdk").complaint


def test_pictures_of_frames() -> None:
    hexadecimal = Box(4, 4).draw(random_grid(Box(4, 4), 3), "0123456789ABCDEF")
    assert ktsolve("draw", "-", "--format", "svg", given=hexadecimal.encode()).out.count(">0</text>") == 16
    framed = "+--+--+\n|1.|..|\n|..|2.|\n+--+--+\n|.3|..|\n|..|.4|\n+--+--+\n"
    assert "Sudoku 4x4" in ktsolve("draw", "-", "--format", "svg", given=framed.encode()).out


def test_counting_solutions() -> None:
    two = "1.....3........."
    assert ktsolve("sudoku", "solve", two, "--count", "1000").out == "12 solutions\n"
    assert ktsolve("sudoku", "solve", two, "--count", "11").out == "11 and more solutions\n"
    data = ktsolve("sudoku", "solve", two, "--count", "11", "--json").json
    assert (data["count"], data["complete"]) == ("11", False)
    said = ktsolve("sudoku", "unique", two)
    assert (said.status, said.out.splitlines()[-1]) == (1, "not the only solution")
    # Row 1 needs a 4 in its last cell, whose column has one.
    none = "123....4........"
    assert ktsolve("sudoku", "solve", none).out == "no solution\n"
    assert ktsolve("sudoku", "solve", none).status == 1
    assert ktsolve("sudoku", "solve", none, "--json").json["status"] == "impossible"
    assert ktsolve("sudoku", "solve", none, "--count", "2").status == 1


def test_forms() -> None:
    one, other = "1234341221434321", "3412123443212143"
    assert ktsolve("sudoku", "canonical", one).out == ktsolve("sudoku", "canonical", other).out
    assert ktsolve("sudoku", "same", one, other).out == "the same\n"
    said = ktsolve("sudoku", "same", one, "1234341223414123", "--json")
    assert (said.status, said.json["same"]) == (1, False)
    assert ktsolve("sudoku", "automorphisms", one).out.startswith("32 automorphisms: 1 of order 1, ")
    assert len(ktsolve("sudoku", "automorphisms", one, "--json").json["cells"]) == 32


def test_random_ones() -> None:
    said = ktsolve("sudoku", "random", "--seed", "5", "--quiet")
    assert said.out == ktsolve("sudoku", "random", "--seed", "5", "--quiet").out
    data = ktsolve("sudoku", "random", "--puzzle", "--givens", "30", "--seed", "5", "--json").json
    assert (data["clues"], data["seed"]) == (30, 5)
    assert ktsolve("sudoku", "solve", data["grid"], "--count", "5").out == "1 solution\n"
    seed = ktsolve("sudoku", "random", "--json").json["seed"]
    assert 0 <= seed < 2**31


@pytest.mark.full
def test_random_puzzles_of_large_boxes() -> None:
    made = ktsolve("sudoku", "random", "--box", "4x4", "--puzzle", "--seed", "1")
    assert (made.status, made.err) == (0, "seed 1\n")
    said = ktsolve("sudoku", "unique", "-", given=made.out.encode())
    assert (said.status, said.out.splitlines()[-1]) == (0, "the only solution")


@pytest.mark.slow
def test_a_random_puzzle_that_is_stopped_is_printed() -> None:
    # After the grid is made and before its clues are: how long that takes depends on the machine.
    for seconds in ("0.8", "1", "1.3", "1.6", "2", "3", "4", "6", "8", "12", "20", "30"):
        said = ktsolve("sudoku", "random", "--box", "4x4", "--puzzle", "--timeout", seconds, "--json")
        if said.status == 3 and "grid" in said.json:
            break
    assert said.status == 3
    assert said.json["reason"].endswith(f"perhaps some of the {said.json['clues']} clues can be left out")
    counted = ktsolve("sudoku", "solve", "-", "--count", "2", given=said.out.encode())
    assert counted.out == "1 solution\n"


BAD = {
    "count --box 3x4": ("3x4", "120 days", "3x3, 2x5 or 1x7"),
    "count --box 5x5": ("5 x 5", "16"),
    "count --box 0x3": ("0 x 3", "16"),
    "count --box nine": ("box", "'nine'", "2x3"),
    "count --up-to-symmetry --box 3x4": ("3x4", "2e+07", "3x3 or 2x5"),
    "bands --box 3x4": ("3x4", "1e+08", "column sets"),
    "bands --stage triangles": ("stage", "'triangles'", "bands, reduced, permutations, rectangles"),
    "bands --json --csv": ("--json", "--csv"),
    "solve 123": ("81", "not 3"),
    "solve 123 --box 2x3": ("2x3", "36 cells", "3: write"),
    f"solve 11{'.' * 79}": ("digit 1", "row 1"),
    f"solve x{'.' * 80}": ("'x'", "row 1, column 1", "1 to 9"),
    f"solve {EMPTY} --engine search": ("engine search", "sat, cpsat"),
    f"solve {EMPTY} --engine nobody": ("engine", "'nobody'"),
    "solve no/file --box 2x3": ("2x3", "36 cells"),
    "random --givens 30": ("--givens 30", "--puzzle"),
    "random --puzzle --givens 5 --seed 1": ("seed 1", "5 clues", "with 2"),
    "random --puzzle --givens 99": ("clues 99", "0 to 81"),
    f"canonical {'.' * 256}": ("4x4", "orders of columns"),
    f"automorphisms {EMPTY}": ("3,359,232 automorphisms", "10,000"),
}


@pytest.mark.parametrize("arguments", BAD)
def test_bad_input_is_one_line(arguments: str) -> None:
    said = ktsolve("sudoku", *arguments.split())
    assert (said.status, said.out) == (2, "")
    for named in BAD[arguments]:
        assert named in said.complaint


@pytest.mark.full
def test_limits() -> None:
    for arguments in (
        f"solve {EMPTY} --count 1000000000000",
        "count --box 2x5",
        "count --up-to-symmetry --box 2x5",
        "bands --box 4x2",
    ):
        started = time.monotonic()
        said = ktsolve("sudoku", *arguments.split(), "--timeout", "0.2")
        assert said.status == 3, arguments
        assert "stopped at the time limit of 0.2 s" in said.complaint
        assert time.monotonic() - started < 10
    said = ktsolve("sudoku", "count", "--box", "2x5", "--json", "--timeout", "0.2")
    assert (said.status, said.json["count"]) == (3, None)
    said = ktsolve("sudoku", "bands", "--box", "4x2", "--json", "--timeout", "0.4")
    assert said.status == 3
    assert said.json["reason"].startswith("stopped at the time limit of 0.4 s")
    said = ktsolve("sudoku", "canonical", EMPTY, "--memory", "2M")
    assert (said.status, said.complaint) == (3, "stopped at the memory limit of 2 MiB")


@pytest.mark.full
@pytest.mark.parametrize(
    "arguments",
    [
        "count --box 2x5",
        "count --up-to-symmetry --box 2x5",
        (f"solve {EMPTY} --count 1000000000000"),
    ],
)
def test_ctrl_c(arguments: str) -> None:
    said, _ = interrupted(["sudoku", *arguments.split()], environment={"PYTHONUNBUFFERED": "1"})
    assert (said.status, said.out) == (3, "")
    assert "interrupted" in said.err
    assert "Traceback" not in said.err


def test_ctrl_c_keeps_the_smallest_puzzle_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    def nine_and_ctrl_c(*given: Any, **wanted: Any) -> Iterator[Puzzle]:
        yield from islice(random_puzzles(*given, **wanted), 9)
        raise KeyboardInterrupt

    before = [made.given for made in islice(random_puzzles(Box(3, 3), 1), 9)]
    assert before == sorted(before, reverse=True)
    monkeypatch.setattr("ktsolve.wings.sudoku.puzzle.random_puzzles", nine_and_ctrl_c)
    data = answered("sudoku", "random", "--puzzle", "--seed", "1", "--json", "-q", status=3).json
    assert data["reason"] == f"interrupted: perhaps some of the {before[-1]} clues can be left out"
    assert len(data["grid"]) - data["grid"].count(".") == data["clues"] == before[-1]
