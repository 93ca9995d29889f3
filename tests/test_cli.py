"""The command line: every option of every command, JSON, files, limits, pipes and Ctrl-C."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from command import COMMAND, Said, answered, ktsolve, process, refused

import ktsolve as package
from ktsolve import dispatch
from ktsolve.cli import limits, options
from ktsolve.engines.base import Settings
from ktsolve.errors import LimitReached
from ktsolve.ground.board import Board
from ktsolve.ground.formats import read_tour
from ktsolve.ground.tour import Tour
from ktsolve.instance import load_instance
from ktsolve.problem.problem import TourProblem

ROOT = Path(__file__).parent.parent
PROBLEM_OPTIONS = (
    "--closed --open --start --end --require --forbid --without --leaper --wrap --symmetry --at --structured "
    "--corners --magic"
)
WORK_OPTIONS = "--engine --solver --timeout --threads --memory"
OPTIONS = {
    "tour": f"{PROBLEM_OPTIONS} {WORK_OPTIONS} --number --all --seed --json --output --format --quiet --help",
    "count": f"{PROBLEM_OPTIONS} {WORK_OPTIONS} --directed --by --spill --estimate --verbose --json --output "
    "--quiet --help",
    "census": "--ledger --closed --open --require --forbid --without --leaper --wrap --classes --parts "
    "--workers --dask --audit --recount --engine --timeout --threads --memory --spill --json --output "
    "--quiet --help",
    "solve": f"{WORK_OPTIONS} --seed --export --encoding --json --output --quiet --help",
    "check": f"{PROBLEM_OPTIONS} --board --json --output --help",
    "verify": "--level --timeout --threads --memory --json --output --quiet --help",
}
OPEN_3X4 = ["a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1", "3x4"]


def tours_in(text: str, size: str, *, closed: bool, **words: str) -> list[Tour]:
    """Tours written as lists of cells, one to a line; each must be one."""
    board = Board.parse(size, **words)
    tours = [Tour.from_names(board, line.split(), closed) for line in text.splitlines()]
    assert all(tour.valid for tour in tours)
    return tours


# -- help -------------------------------------------------------------------------------------------------


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")


@pytest.mark.usefixtures("wide")
def test_help_names_every_command() -> None:
    told = answered("--help")
    assert told.err == ""
    assert all(command in told.out for command in OPTIONS)
    assert "--version" in told.out
    assert "Exit status: 0 answered, 1 the answer is no, 2 bad input, 3 stopped" in told.out
    assert answered().out == told.out


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize("command", OPTIONS)
def test_help_lists_every_option(command: str) -> None:
    told = answered(command, "--help")
    assert told.err == ""
    assert set(re.findall(r"--[a-z][a-z-]*", told.out)) >= set(OPTIONS[command].split())
    documented = set(OPTIONS[command].split())
    listed = set(re.findall(r"^│ (?:\*? +)?(--[a-z][a-z-]*)", told.out, re.MULTILINE))
    assert listed <= documented


def test_version() -> None:
    assert answered("--version") == Said(0, f"ktsolve {package.__version__}\n", "")


def test_help_costs_no_heavy_import() -> None:
    code = (
        "import sys, ktsolve.cli.app\n"
        "heavy = {'ortools', 'pysat', 'networkx', 'numpy', 'ktsolve._native'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == "[]\n"


def test_the_module_is_the_command() -> None:
    assert process("--version").out == f"ktsolve {package.__version__}\n"
    assert "tour" in process("--help").out


@pytest.mark.skipif(not (ROOT / "cli.py").exists(), reason="only a checkout has cli.py")
def test_the_file_in_the_checkout_is_the_command(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), "--help"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=60,
        check=True,
    )
    assert all(command in ended.stdout for command in OPTIONS)


# -- tour: what is asked ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("6x6", TourProblem(board="6x6", closed=True)),
        ("5x6 --closed --engine cpsat", TourProblem(board="5x6", closed=True)),
        ("3x4 --open --engine search", TourProblem(board="3x4", closed=False)),
        ("5x5 --open --start a1 --end 4,4", TourProblem(board="5x5", closed=False, start="a1", end="e1")),
        ("6x6 --start c3 --engine sat", TourProblem(board="6x6", closed=True, start="c3")),
        ("6x6 --end a1", TourProblem(board="6x6", closed=True, end="a1")),
        (
            "6x6 --require c3-d5 --require c4-d2,d1-f2 --forbid c4-e3",
            TourProblem(board="6x6", closed=True, require=["c3-d5", "c4-d2", "d1-f2"], forbid=["c4-e3"]),
        ),
        (
            "6x6 --require 3,2-1,3",
            TourProblem(board="6x6", closed=True, require=["c3-d5"]),
        ),
        ("4x4 --without a1,a4 --without d1:d1 --without 0,3", None),
        ("3x3 --without b2", TourProblem(board=Board.parse("3x3", without="b2"), closed=True)),
        ("4x4 --leaper 0,1", TourProblem(board=Board.parse("4x4", leaper="0,1"), closed=True)),
        ("4x4 --leaper 1,0", TourProblem(board=Board.parse("4x4", leaper="0,1"), closed=True)),
        ("4x4 --wrap xy", TourProblem(board=Board.parse("4x4", wrap="xy"), closed=True)),
        ("3x6 --wrap x", TourProblem(board=Board.parse("3x6", wrap="x"), closed=True)),
        ("6x6 --symmetry rot90", TourProblem(board="6x6", closed=True, symmetry="rot90")),
        (
            "5x5 --open --at 13=c3 --at 25=e5",
            TourProblem(board="5x5", closed=False, steps={13: "c3", 25: "e5"}),
        ),
        ("6x6 --structured", TourProblem(board="6x6", closed=True, corners=True)),
        ("6x6 --corners tl,br", TourProblem(board="6x6", closed=True, corners=["tl", "br"])),
        ("4x6 --open --magic rows", TourProblem(board="4x6", closed=False, magic=["rows"])),
    ],
    ids=str,
)
def test_a_tour_answers_what_is_asked(arguments: str, problem: TourProblem | None) -> None:
    if problem is None:
        problem = TourProblem(board=Board.parse("4x4", without="a1 a4 d1 d4"), closed=True)
    data = answered("tour", *arguments.split(), "--json", "--quiet").json
    assert data["status"] == "found"
    assert data["problem"] == str(problem)
    tour = Tour(problem.board, tuple((r, c) for r, c in data["squares"]), data["closed"])
    assert tour.valid
    assert problem.check(tour) is None


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("4x6", "no closed tour exists on a rectangle with a side of 1, 2 or 4 (Schwenk 1991)"),
        ("4x4 --open", "the engine searched everything"),
        (
            "7x7",
            "a closed tour alternates between the two colours, but the board has 25 cells of one and 24 of",
        ),
        ("5x5 --open --start b5", "b5 cannot be at step 1: cells of its colour, the less frequent one"),
        ("5x6 --forbid a1-b3", "a1 has one move left; a closed tour needs two (degrees)"),
        ("3x10 --magic columns", "10 equal sums of columns cannot add up to 465 = 1 + 2 + ... + 30 (sums)"),
        ("8x8 --symmetry rot90", "a square of side divisible by 4 has no closed tour with a quarter turn"),
    ],
)
def test_no_tour_is_told_with_the_reason(arguments: str, reason: str) -> None:
    said = answered("tour", *arguments.split(), status=1)
    assert said.out.startswith(f"no tour: {reason}")
    assert answered("tour", *arguments.split(), "--quiet", status=1) == Said(1, said.out, "")
    data = answered("tour", *arguments.split(), "--json", status=1).json
    assert data["status"] == "impossible"
    assert data["reason"].startswith(reason)
    assert "squares" not in data
    for many in ("--all", "--number=2"):
        assert answered("tour", *arguments.split(), many, "-q", status=1) == Said(1, said.out, "")
        data = answered("tour", *arguments.split(), many, "--json", status=1).json
        assert (data["status"], data["tours"], data["complete"]) == ("impossible", [], True)
        assert data["reason"].startswith(reason)


# -- tour: how it is written ------------------------------------------------------------------------------


def test_a_grid() -> None:
    said = answered("tour", "3x4", "--open", "--start", "a3", "--end", "d1")
    assert said.out == " 1  4  7 10\n 8 11  2  5\n 3  6  9 12\n"
    assert re.fullmatch(r"search, \d+\.\d{3} s\n", said.err)
    assert answered("tour", "3x4", "--open", "--start", "a3", "--end", "d1", "-q") == Said(0, said.out, "")


def test_cells() -> None:
    said = answered("tour", "3x4", "--open", "--start=a3", "--end=d1", "--format", "cells", "--quiet")
    assert said == Said(0, OPEN_3X4[0] + "\n", "")


def test_svg() -> None:
    said = answered("tour", "5x6", "--format", "svg", "--quiet")
    assert said.out.startswith("<svg ")
    assert said.out.endswith("</svg>\n")


def test_svg_draws_one_tour() -> None:
    assert answered("tour", "5x6", "--format", "svg", "--number", "1", "-q").out.count("<svg ") == 1
    for many in ("--all", "--number=2"):
        message = "--format svg draws one tour: leave out --number and --all"
        assert refused("tour", "5x6", "--format", "svg", many) == message
        assert len(answered("tour", "5x6", "--format", "svg", many, "--json").json["tours"]) > 1


def test_json_as_a_format() -> None:
    by_format = answered("tour", "5x6", "--format", "json").json
    by_option = answered("tour", "5x6", "--json").json
    assert {**by_format, "seconds": 0} == {**by_option, "seconds": 0}


@pytest.mark.parametrize("engine", ["auto", "search", "sat", "cpsat"])
def test_all_tours(engine: str) -> None:
    said = answered("tour", "5x6", "--all", "--engine", engine, "--format", "cells")
    tours = tours_in(said.out, "5x6", closed=True)
    assert len({tour.normalised() for tour in tours}) == len(tours) == 8
    assert re.fullmatch(rf"8 tours, {'search' if engine == 'auto' else engine}, \d+\.\d+ s\n", said.err)


@pytest.mark.parametrize("number", [1, 3, 8, 9])
def test_some_tours(number: int) -> None:
    said = answered("tour", "5x6", "--number", str(number), "--format", "cells", "--quiet")
    assert len({t.normalised() for t in tours_in(said.out, "5x6", closed=True)}) == min(number, 8)
    assert answered("tour", "5x6", "-n", str(number), "--format", "cells", "--quiet") == said


def test_grids_of_several_tours_stand_apart() -> None:
    said = answered("tour", "5x6", "--all", "--quiet")
    grids = said.out.split("\n\n")
    assert len(grids) == 8
    assert len({read_tour(grid).normalised() for grid in grids}) == 8


def test_the_seed_decides() -> None:
    def tour(*seed: str) -> str:
        return answered("tour", "8x8", "--format=cells", "-q", *seed).out

    assert tour("--seed", "5") == tour("--seed", "5")
    assert len({tour("--seed", str(seed)) for seed in range(1, 7)}) > 1


# -- JSON -------------------------------------------------------------------------------------------------

TOUR_KEYS = {"schema": str, "status": str, "board": dict, "problem": str, "closed": bool, "engine": str} | {
    "seconds": float
}
COUNT_KEYS = {
    "schema": str,
    "board": str,
    "kind": str,
    "problem": dict,
    "count": str,
    "directed": bool,
    "engine": str,
    "seconds": float,
    "peak_bytes": int,
}
SOLVE_KEYS = {
    "schema": str,
    "instance": str,
    "model": str,
    "status": str,
    "agrees": bool,
    "engine": str,
    "seconds": float,
}
CHECK_KEYS = {"schema": str, "status": str, "board": dict, "closed": bool}


def keys_of(data: dict[str, Any]) -> dict[str, type]:
    return {key: type(value) for key, value in data.items()}


def is_cell(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(x) is int for x in value)


def test_json_of_a_tour() -> None:
    data = answered("tour", "3x4", "--open", "--json").json
    assert keys_of(data) == {**TOUR_KEYS, "squares": list}
    board = {"rows": 3, "columns": 4, "without": [], "leaper": [1, 2], "wrap": "none"}
    assert (data["board"], data["closed"], data["problem"]) == (board, False, "open 3x4")
    assert len(data["squares"]) == 12
    assert all(is_cell(cell) for cell in data["squares"])


def test_json_of_tours() -> None:
    data = answered("tour", "3x3", "--without", "b2", "--all", "--json").json
    assert keys_of(data) == {**TOUR_KEYS, "tours": list, "complete": bool}
    assert (data["status"], data["complete"], len(data["tours"])) == ("found", True, 1)
    assert all(is_cell(cell) for cell in data["tours"][0])
    assert data["board"]["without"] == [[1, 1]]


def test_json_of_no_tour() -> None:
    data = answered("tour", "4x4", "--json", status=1).json
    assert keys_of(data) == {**TOUR_KEYS, "reason": str}
    assert data["engine"] == "arithmetic"


def test_json_of_a_count() -> None:
    data = answered("count", "5x6", "--json").json
    assert {key: data[key] for key in ("board", "kind", "count", "directed", "engine")} == {
        "board": "5x6",
        "kind": "closed",
        "count": "8",
        "directed": False,
        "engine": "join",
    }
    assert keys_of(data) == {**COUNT_KEYS, "details": dict}
    data = answered("count", "5x6", "--directed", "--json", "--engine", "sat").json
    assert (data["count"], data["directed"], data["peak_bytes"]) == ("16", True, None)
    data = answered("count", "4x4", "--json").json
    assert keys_of(data) == {**COUNT_KEYS, "peak_bytes": type(None), "reason": str}
    assert data["count"] == "0"


def test_json_of_a_count_beyond_64_bits() -> None:
    data = answered("count", "3x200", "--json").json
    assert re.fullmatch(r"[1-9]\d{40,}", data["count"])


def test_json_of_a_check() -> None:
    data = answered("check", "-", "--json", given=b"1 4 7 10\n8 11 2 5\n3 6 9 12\n").json
    assert keys_of(data) == CHECK_KEYS
    assert (data["status"], data["closed"]) == ("valid", False)
    data = answered("check", "-", "--json", "--closed", status=1, given=OPEN_3X4[0].encode()).json
    assert keys_of(data) == {**CHECK_KEYS, "fault": dict}
    assert data["fault"] == {"step": 12, "reason": "step 12: the last cell d1 is no move from the first a3"}
    data = answered("check", "-", "--json", status=1, given=b"1 2\n3").json
    assert (data["status"], data["board"], data["closed"], data["fault"]["step"]) == ("invalid", *[None] * 3)


def test_json_of_an_instance() -> None:
    data = answered("solve", "guarini-ring", "--json").json
    assert keys_of(data) == {**SOLVE_KEYS, "closed": bool, "squares": list, "count": str}
    assert (data["status"], data["agrees"], data["count"], data["model"]) == ("found", True, "1", "tour")
    data = answered("solve", "schwenk-4x6", "--json").json
    assert keys_of(data) == {**SOLVE_KEYS, "reason": str}
    assert (data["status"], data["agrees"]) == ("impossible", True)


# -- count ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "number"),
    [
        ("5x6", 8),
        ("5x6 --directed", 16),
        ("5x6 --engine search", 8),
        ("5x6 --engine sat --solver glucose4", 8),
        ("5x6 --engine cpsat --threads 1", 8),
        ("6x6", 9862),
        ("6x6 --structured", 2946),
        ("6x6 --symmetry rot180", 78),
        ("3x4 --open", 8),
        ("3x4 --open --directed", 16),
        ("3x4 --open --start a3 --end d1", 1),
        ("5x5 --open --start a1 --at 13=c3", 48),
        ("5x5 --open --at 1=a1,13=c3", 48),
        ("3x4 --open --at 1=2,0;3=0,0", 2),
        ("6x6 --require c3-d5 --forbid c4-e3,d1-e3", 467),
        ("4x4 --wrap xy", 1344),
        ("6x6 --leaper 0,1", 1072),
        ("4x4 --without a1,a4,d1,d4", 2),
        ("1x1 --open", 1),
        ("4x4", 0),
    ],
)
def test_counts(arguments: str, number: int) -> None:
    said = answered("count", *arguments.split())
    way = "directed" if "--directed" in arguments else "undirected"
    assert re.search(rf": {number} {way} {'tour' if number == 1 else 'tours'}(:|\n)", said.out)
    assert said.out.count("\n") == 1
    assert re.fullmatch(r"\w+, \d+\.\d+ s(, \d+\.\d MB of states)?\n", said.err)
    assert answered("count", *arguments.split(), "--quiet").err == ""


def test_classes_by_start() -> None:
    """1728 directed tours of 5x5: 304 from a corner, 64 from the centre, 56 from eight cells between."""
    said = answered("count", "5x5", "--open", "--by", "start", "-q")
    assert said.out.splitlines() == [
        "start  cells  tours each",
        "a5         4         304",
        "c5         4          56",
        "b4         4          56",
        "c3         1          64",
        "",
        "open 5x5: 864 undirected tours, each counted from both its ends above",
    ]
    data = answered("count", "5x5", "--open", "--by", "start", "--json").json
    assert (data["count"], data["directed"]) == ("864", False)
    assert data["classes"][0] == {"cells": [[0, 0]], "multiplicity": 4, "count": "304"}
    assert sum(each["multiplicity"] * int(each["count"]) for each in data["classes"]) == 1728


def test_classes_by_endpoints() -> None:
    data = answered("count", "3x4", "--open", "--by", "endpoints", "--json").json
    found = {
        tuple(map(tuple, each["cells"])): (each["multiplicity"], each["count"]) for each in data["classes"]
    }
    assert {cells: it for cells, it in found.items() if it[1] != "0"} == {
        ((0, 0), (1, 0)): (4, "1"),
        ((0, 0), (2, 3)): (2, "1"),
        ((1, 0), (1, 3)): (1, "2"),
    }
    assert sum(m * int(number) for m, number in found.values()) == int(data["count"]) == 8
    directed = answered("count", "3x4", "--open", "--by", "endpoints", "--directed", "--json").json
    assert (directed["count"], directed["directed"]) == ("16", True)
    assert [int(each["count"]) for each in directed["classes"]] == [2 * int(n) for _, n in found.values()]
    text = answered("count", "3x4", "--open", "--by", "endpoints", "-q").out
    assert text.splitlines()[0] == "ends   pairs  tours each"
    assert "a3 d1      2           1" in text


def test_classes_are_left_out_for_their_colours_only() -> None:
    data = answered("count", "1x2", "--open", "--by", "endpoints", "--json").json
    assert data["count"] == "0"  # the cells are not joined, but nothing is wrong with their colours
    assert data["classes"] == [{"cells": [[0, 0], [0, 1]], "multiplicity": 1, "count": "0"}]
    wazir = answered("count", "1x3", "--open", "--leaper", "0,1", "--by", "endpoints", "--json").json
    assert wazir["classes"] == [{"cells": [[0, 0], [0, 2]], "multiplicity": 1, "count": "1"}]


def test_classes_of_a_single_cell() -> None:
    for by, cells in (("start", [[0, 0]]), ("endpoints", [[0, 0], [0, 0]])):
        data = answered("count", "1x1", "--open", "--by", by, "--json").json
        assert (data["count"], data["classes"]) == ("1", [{"cells": cells, "multiplicity": 1, "count": "1"}])


# -- check ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", ["grid", "cells", "json"])
@pytest.mark.parametrize(
    ("asked", "known"),
    [
        ("6x6", ""),
        ("6x6 --structured --symmetry rot180", "--structured --symmetry rot180 --closed"),
        ("5x5 --open --start a1 --at 13=c3", "--open --start a1 --at 13=c3"),
        ("6x6 --require c3-d5 --forbid c4-e3", "--require c3-d5 --forbid c4-e3"),
        ("4x6 --open --magic rows", "--magic rows"),
        ("6x6 --corners tl --end f6", "--corners tl --end f6"),
    ],
)
def test_what_tour_writes_check_reads(tmp_path: Path, style: str, asked: str, known: str) -> None:
    path = tmp_path / "tour"
    answered("tour", *asked.split(), "--format", style, "-o", str(path))
    size, closed = asked.split()[0], "--open" not in asked
    said = answered("check", str(path), *known.split())
    assert re.fullmatch(rf"valid (open|closed) tour of {size}\n", said.out)
    if closed or style == "json":
        assert said.out.split()[1] == ("closed" if closed else "open")
    assert answered("check", "-", *known.split(), given=path.read_bytes()).out == said.out


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("3x6", ["--wrap", "x"]),
        ("4x4", ["--wrap", "xy"]),
        ("6x6", ["--leaper", "0,1"]),
        ("3x3", ["--without", "b2"]),
    ],
)
def test_check_takes_the_board_as_tour_does(board: str, words: list[str]) -> None:
    cells = answered("tour", board, *words, "--format=cells", "-q").out.encode()
    assert answered("check", "-", "--board", board, *words, given=cells).out.startswith(
        "valid closed tour of"
    )
    grid = answered("tour", board, *words, "-q").out.encode()
    if words[0] != "--without":
        assert answered("check", "-", *words, given=grid).out.startswith("valid closed tour of")
        assert answered("check", "-", given=grid, status=1).out.startswith("not a tour: ")
    assert answered("check", "-", "--board", board, *words, given=grid).out.startswith("valid closed tour")


@pytest.mark.parametrize(
    ("given", "arguments", "out"),
    [
        (OPEN_3X4[0], "", "valid open tour of 3x4"),
        (OPEN_3X4[0], "--open", "valid open tour of 3x4"),
        (OPEN_3X4[0], "--closed", "not a tour: step 12: the last cell d1 is no move from the first a3"),
        (OPEN_3X4[0], "--start a1", "not as asked: step 1 is a3, not a1 as asked"),
        (OPEN_3X4[0], "--end a1", "not as asked: step 12 is d1, not a1 as asked"),
        (OPEN_3X4[0], "--at 3=a1 --at 4=c3", "not as asked: step 4 is b3, not c3 as asked"),
        (OPEN_3X4[0], "--require a1-b3,b1-a3", "not as asked: the required move a3-b1 is not made"),
        (OPEN_3X4[0], "--forbid a1-b3", "not as asked: the forbidden move a1-b3 is made"),
        (OPEN_3X4[0], "--symmetry flip-h", "not as asked: not symmetric under flip-h: "),
        (OPEN_3X4[0], "--magic rows", "not as asked: row 1 adds up to 22, not 26"),
        (OPEN_3X4[0], "--corners tl", "valid open tour of 3x4"),
        (OPEN_3X4[0], "--corners bl", "not as asked: corner bl is not structured: "),
        (OPEN_3X4[0], "--board 4x4", "not a tour: a4 and 3 more never visited"),
        ("a1 b3 a1", "--board 3x3", "not a tour: step 3: a1 was visited before, at step 1"),
        ("a1 b2", "", "not a tour: step 2: a1 to b2 is no move of the piece"),
        ("1 4 7 10\n8 11 2 5\n3 6 9 9", "", "not a tour: line 3, entry 4: step 9 stands twice"),
        ("1 4 7 10\n8 11 2 5\n3 6 9 13", "", "not a tour: step 12 is missing from the grid"),
        ("1 2 3\n4 5", "", "not a tour: line 2 of the grid has 2 entries where line 1 has 3"),
        ("a1 zzz999", "", "not a tour: 2 of 18,259,722 cells visited"),
    ],
)
def test_check_names_the_first_fault(given: str, arguments: str, out: str) -> None:
    said = ktsolve("check", "-", *arguments.split(), given=given.encode())
    assert said.status == (0 if out.startswith("valid") else 1)
    assert said.out.startswith(out)
    assert said.out.count("\n") == 1
    assert said.err == ""


# -- solve ------------------------------------------------------------------------------------------------


def test_an_instance_as_expected() -> None:
    said = answered("solve", "guarini-ring")
    grid, verdict = said.out.split("\n\n")
    assert read_tour(grid).closed
    assert verdict.endswith(": found, 1 solution; as expected\n")
    assert re.fullmatch(r"search, \d+\.\d+ s\n", said.err)
    assert answered("solve", "guarini-ring.toml", "--quiet") == Said(0, said.out, "")


def test_an_instance_without_a_solution() -> None:
    said = answered("solve", "open-4x4", "-q")
    assert said.out.endswith("impossible, the engine searched everything; as expected\n")


@pytest.fixture
def instance(tmp_path: Path) -> Callable[[str], str]:
    def write(text: str) -> str:
        path = tmp_path / "asked.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


@pytest.mark.parametrize(
    ("board", "expect", "status", "verdict"),
    [
        ("5x6", "count = 8", 0, "found, 8 solutions; as expected"),
        ("5x6", "count = 9", 1, "found, 8 solutions; disagrees: expected 9 solutions, got 8"),
        ("5x6", 'status = "impossible"', 1, "found; disagrees: expected impossible, got found"),
        ("5x6", "", 0, "found; nothing was expected"),
        ("4x6", 'status = "impossible"', 0, "(Schwenk 1991); as expected"),
        ("4x6", 'status = "found"', 1, "(Schwenk 1991); disagrees: expected found, got impossible"),
        ("4x6", "", 1, "(Schwenk 1991); nothing was expected"),
    ],
)
def test_expectations_and_exit_status(
    instance: Callable[[str], str], board: str, expect: str, status: int, verdict: str
) -> None:
    path = instance(
        f'title = "T"\nmodel = "tour"\n[parameters]\nboard = "{board}"\nclosed = true\n[expect]\n{expect}'
    )
    said = answered("solve", path, "-q", status=status)
    assert said.out.splitlines()[-1].startswith("T: ")
    assert said.out.endswith(f"{verdict}\n")
    data = answered("solve", path, "--json", status=status).json
    assert data["agrees"] is (None if not expect else status == 0)
    if expect and status:
        assert data["reason"] == verdict.partition("disagrees: ")[2]


def test_an_instance_by_every_engine() -> None:
    for engine in ("search", "frontier", "sat", "cpsat"):
        data = answered("solve", "guarini-ring", "--engine", engine, "--json").json
        assert (data["count"], data["engine"]) == ("1", engine)


USERS_MODEL = """
from ktsolve import Model
from ktsolve.models import Built

def build(parameters):
    model = Model("odd ones out")
    x = [model.boolean(f"x{i}") for i in range(parameters["n"])]
    model.exactly(parameters["k"], x)
    return Built(model, lambda assignment: [i for i, literal in enumerate(x) if literal.holds(assignment)])
"""


def users_instance(folder: Path, model: str, parameters: str, more: str = "") -> str:
    (folder / "own.py").write_text(model, encoding="utf-8")
    path = folder / "own.toml"
    path.write_text(f'model = "own.py"\n[parameters]\n{parameters}\n{more}', encoding="utf-8")
    return str(path)


def test_a_model_of_ones_own(tmp_path: Path) -> None:
    path = users_instance(tmp_path, USERS_MODEL, "n = 4\nk = 2", "[expect]\ncount = 6")
    said = answered("solve", path, "-q")
    assert re.fullmatch(r"\[\d, \d\]\n\nown: found, 6 solutions; as expected\n", said.out)
    data = answered("solve", path, "--json").json
    assert keys_of(data) == {**SOLVE_KEYS, "solution": str, "count": str}
    assert (data["model"], data["count"]) == ("own.py", "6")
    listing = answered("solve", path, "--export", "listing").out
    assert listing == "model odd ones out: 4 Booleans, 1 constraints\n  exactly 2 of {x0, x1, x2, x3}\n"


def test_the_best_of_a_model_of_ones_own(tmp_path: Path) -> None:
    model = USERS_MODEL.replace(
        "    return Built(model",
        "    model.maximise({literal: i for i, literal in enumerate(x)})\n    return Built(model",
    )
    path = users_instance(tmp_path, model, "n = 5\nk = 2", "[expect]\nvalue = 7")
    said = answered("solve", path, "-q")
    assert said.out.startswith("[3, 4]\n\nown: found, value 7, proved best; as expected")
    data = answered("solve", path, "--json").json
    assert keys_of(data) == {**SOLVE_KEYS, "solution": str, "value": int, "bound": int}
    assert (data["value"], data["bound"]) == (7, 7)
    path = users_instance(tmp_path, model, "n = 5\nk = 2", "[expect]\nvalue = 8")
    said = answered("solve", path, "-q", status=1)
    assert said.out.endswith("disagrees: expected the value 8, got 7\n")


@pytest.mark.parametrize("export", ["cnf", "opb"])
@pytest.mark.parametrize("encoding", ["onehot", "binary"])
def test_exports(tmp_path: Path, export: str, encoding: str) -> None:
    from ktsolve.model.export import to_dimacs, to_opb

    model = load_instance("guarini-ring").built.model
    expected = (to_dimacs if export == "cnf" else to_opb)(model, circuits=encoding)
    path = tmp_path / "written"
    assert answered("solve", "guarini-ring", "--export", export, "--encoding", encoding).out == expected
    answered("solve", "guarini-ring", "--export", export, "--encoding", encoding, "-o", str(path))
    assert path.read_text() == expected


def test_the_export_for_other_solvers_of_tours() -> None:
    out = answered("solve", "closed-3x10", "--export", "hcp").out
    assert out.startswith("NAME : closed 3x10\nTYPE : HCP\nDIMENSION : 30\n")
    assert "HCP cannot say an implication" in refused("solve", "half-turn-6x6", "--export", "hcp")


# -- files ------------------------------------------------------------------------------------------------


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_output_goes_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    for arguments in (
        ["tour", "5x6"],
        ["tour", "5x6", "--all"],
        ["tour", "5x6", "--json"],
        ["tour", "5x6", "--all", "--json"],
        ["count", "5x6"],
        ["count", "5x6", "--json"],
        ["solve", "guarini-ring", "--json"],
    ):
        said = answered(*arguments, "-q", "-o", str(path))
        assert said == Said(0, "", ""), arguments
        printed = answered(*arguments, "-q").out
        erased = [re.sub(r'"(seconds|\w+_ms)": [\d.e-]+', "", text) for text in (path.read_text(), printed)]
        assert erased[0] == erased[1], arguments
    assert names_in(tmp_path) == ["out.json"]
    assert path.stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_a_file_that_is_replaced_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.touch(0o600)
    answered("count", "5x6", "-q", "-o", str(path))
    assert path.read_text() == "closed 5x6: 8 undirected tours\n"
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_dash_is_standard_output() -> None:
    assert answered("count", "5x6", "-q", "-o", "-").out == "closed 5x6: 8 undirected tours\n"


def test_no_tour_makes_no_file(tmp_path: Path) -> None:
    path = tmp_path / "out"
    for arguments in (["4x4"], ["4x4", "--all"], ["4x4", "--open", "--all"]):
        assert answered("tour", *arguments, "-o", str(path), status=1).out.startswith("no tour: ")
    assert names_in(tmp_path) == []


def test_a_failure_leaves_an_old_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("old\n")
    assert "MiB" in refused("count", "8x8", "--memory", "10M", "-o", str(path), status=3)
    assert path.read_text() == "old\n"
    assert names_in(tmp_path) == ["out"]


def test_a_list_that_is_cut_short_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "out"
    arguments = ["tour", "8x8", "--all", "--format=cells", "--timeout", "0.5"]
    message = refused(*arguments, "-o", str(path), status=3)
    assert message.startswith("stopped at the time limit of 0.5 s")
    tours = tours_in(path.read_text(), "8x8", closed=True)
    assert len({tour.normalised() for tour in tours}) == len(tours) > 10
    assert names_in(tmp_path) == ["out"]


def test_a_link_is_followed_and_a_pipe_is_written_to(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    answered("count", "5x6", "-q", "-o", str(tmp_path / "link"))
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "closed 5x6: 8 undirected tours\n"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True) as reader:
        try:
            assert process("count", "5x6", "-q", "-o", str(pipe)) == Said(0, "", "")
            assert reader.communicate(timeout=20)[0] == "closed 5x6: 8 undirected tours\n"
        finally:
            reader.kill()
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    ("output", "why"),
    [
        ("nowhere/out", "No such file or directory"),
        ("", "Is a directory"),
        (".", "Is a directory"),
        ("new/", "Is a directory"),
        ("x" * 300, "File name too long"),
        ("a\0b", "embedded null byte"),
        ("file/out", "Not a directory"),
    ],
)
@pytest.mark.parametrize(
    "command", [["tour", "5x6"], ["count", "20x20"], ["solve", "closed-6x6"], ["check", "-"]]
)
def test_a_file_that_cannot_be_written_is_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str, why: str, command: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    assert refused(*command, "-o", output) == f"cannot write {output}: {why}".replace("\0", "\\x00")
    assert names_in(tmp_path) == ["file"]


def test_a_locked_folder(tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o555)
    if os.access(locked, os.W_OK):
        pytest.skip("nothing is locked for the superuser")
    path = locked / "out"
    assert refused("count", "5x6", "-o", str(path)) == f"cannot write {path}: Permission denied"


# -- limits -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("count 8x10 --timeout 1", r"stopped at the time limit of 1 s(, \d+ of \d+ cells of the half .*)?"),
        (
            "count 8x8 --memory 20M",
            r"stopped at the memory limit of 20 MiB, .* states in .*|counting closed 8x8 needs .*",
        ),
        (
            "count 8x8 --engine search --timeout .3",
            r"stopped at the time limit of 0\.3 s(, [\d,]+ tours found .*)?",
        ),
        (
            "count 8x8 --engine sat --timeout .5s",
            r"stopped at the time limit of 0\.5 s(, [\d,]+ solutions found)?",
        ),
        (
            "count 8x8 --engine cpsat --timeout 0.5",
            r"stopped at the time limit of 0\.5 s(, [\d,]+ solutions found)?",
        ),
        ("count 6x7 --open --by endpoints --timeout 0.3", r"stopped at the time limit of .*"),
        ("count 20x20", r"counting closed 20x20 needs a frontier of \d+ cells, about 8e\+22 states and .*"),
        ("tour 40x40 --open --engine cpsat --timeout 0.2", r"stopped at the time limit of 0\.2 s.*"),
        (
            "tour 50x50 --engine sat --memory 64M --timeout 5",
            r"the SAT solver stopped at the memory limit of 64 MiB, .*",
        ),
        (
            "tour 20000x20000",
            r"a board of 400,000,000 cells takes at least 745\.1 GiB; the memory limit is .*",
        ),
        (
            "count 20000x20000",
            r"a board of 400,000,000 cells takes at least 745\.1 GiB; the memory limit is .*",
        ),
        (
            "count 300x300 --memory 100M",
            r"a board of 90,000 cells takes at least 0\.2 GiB; the memory limit is 0\.1.*",
        ),
        ("tour 20000x20000 --without first:300000000", r"a board of 400,000,000 cells takes .*"),
        ("check - --board 20000x20000", r"a board of 400,000,000 cells takes .*"),
        ("tour 300x300 --timeout 0.1", r"stopped at the time limit of 0\.1 s.*"),
        (
            "count 100x100 --timeout 0.1",
            r"(stopped at the time limit of 0\.1 s|counting closed 100x100 needs a ).*",
        ),
    ],
)
def test_limits_end_with_status_3_and_what_was_reached(arguments: str, message: str) -> None:
    started = time.monotonic()
    given = b"a1 b3"
    assert re.fullmatch(message, refused(*arguments.split(), status=3, given=given))
    assert time.monotonic() - started < 6


def test_json_tells_what_was_reached() -> None:
    data = ktsolve("tour", "8x8", "--all", "--timeout", "0.5", "--json")
    assert data.status == 3
    assert data.complaint.startswith("stopped at the time limit of 0.5 s")
    found = data.json
    assert keys_of(found) == {**TOUR_KEYS, "tours": list, "complete": bool, "reason": str}
    assert (found["status"], found["complete"], found["reason"]) == ("found", False, data.complaint)
    assert len(found["tours"]) > 10


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        ("tour 300x300", {**TOUR_KEYS, "reason": str}),
        ("count 8x8", {**COUNT_KEYS, "count": type(None), "peak_bytes": type(None), "reason": str}),
        ("solve closed-6x6 --engine cpsat", {**SOLVE_KEYS, "agrees": type(None), "reason": str}),
    ],
)
def test_json_of_an_answer_that_is_not_known(arguments: str, keys: dict[str, type]) -> None:
    said = ktsolve(*arguments.split(), "--timeout", "0.1", "--json")
    assert said.status == 3
    assert keys_of(said.json) == keys
    assert said.json["reason"] == said.complaint
    assert said.json.get("status", "unknown") == "unknown"


def test_a_users_model_that_never_ends_is_stopped(tmp_path: Path) -> None:
    path = users_instance(tmp_path, "def build(parameters):\n    while True:\n        pass\n", "")
    assert refused("solve", path, "--timeout", "0.2", status=3) == "stopped at the time limit of 0.2 s"


def test_the_backstop_leaves_nothing_behind() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(LimitReached, match=r"stopped at the time limit of 0\.01 s"), limits.backstop(0.01):
        time.sleep(5)
    with limits.backstop(0.01):
        pass
    with limits.backstop(None):
        assert signal.getsignal(signal.SIGALRM) is before
    time.sleep(1.2)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_sizes_that_fit() -> None:
    limits.check_size("8x8", Settings(memory=1 << 20))
    with pytest.raises(LimitReached):
        limits.check_size("80x80", Settings(memory=1 << 20))


@pytest.mark.parametrize(
    ("text", "value"),
    [("30", 30), ("30s", 30), ("0.5", 0.5), (".5", 0.5), ("5m", 300), ("2h", 7200), (" 1.5 m ", 90)],
)
def test_times(text: str, value: float) -> None:
    assert options.seconds(text) == value
    assert options.seconds(None) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("500M", 500 << 20),
        ("4G", 4 << 30),
        ("2GiB", 2 << 30),
        ("1.5gb", 3 << 29),
        ("2048k", 2 << 20),
        ("1T", 1 << 40),
    ],
)
def test_sizes(text: str, value: int) -> None:
    assert options.number_of_bytes(text) == value
    assert options.number_of_bytes(None) is None


# -- what nobody foresaw ----------------------------------------------------------------------------------


def fails_with(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    for name in ("find", "find_all", "count"):
        monkeypatch.setattr(dispatch, name, fail)


def test_a_bug_is_one_line_and_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    fails_with(monkeypatch, ZeroDivisionError("division\nby zero"))
    for arguments in (["tour", "5x6"], ["tour", "5x6", "--all"], ["count", "5x6", "--json"]):
        said = answered(*arguments, status=3)
        assert said.out == ""
        assert re.fullmatch(
            r"ktsolve: internal error, please report it: ZeroDivisionError: division by zero \(.*\)\n",
            said.err,
        )
    monkeypatch.setenv("KTSOLVE_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        ktsolve("tour", "5x6")


def test_a_wrong_answer_of_an_engine_is_a_no(monkeypatch: pytest.MonkeyPatch) -> None:
    fails_with(monkeypatch, dispatch.WrongAnswer("engine search gave a wrong tour"))
    assert refused("tour", "5x6", status=1) == "engine search gave a wrong tour"


def test_lack_of_memory_is_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    fails_with(monkeypatch, MemoryError())
    assert refused("count", "5x6", status=3) == "out of memory: give --memory, or ask for less"


@pytest.mark.parametrize("command", ["tour", "count"])
def test_ctrl_c_is_a_limit(monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    fails_with(monkeypatch, KeyboardInterrupt())
    assert refused(command, "5x6", status=3) == "interrupted"
    said = answered(command, "5x6", "--json", status=3)
    assert said.complaint == "interrupted"
    assert said.json["reason"] == "interrupted"


# -- pipes and signals ------------------------------------------------------------------------------------


def shell(line: str) -> Said:
    ended = subprocess.run(
        ["bash", "-c", f"set -o pipefail; ktsolve() {{ '{sys.executable}' -m ktsolve \"$@\"; }}; {line}"],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    return Said(ended.returncode, ended.stdout, ended.stderr)


@pytest.mark.parametrize(
    "line",
    [
        "ktsolve tour 8x8 --all -q | head -1",
        "ktsolve tour 8x8 --number 1 -q | head -1",
        "ktsolve tour 8x8 --all -q --format cells | head -1",
        "ktsolve --help | head -1",
        "ktsolve tour 5x6 -q | true",
        "ktsolve count 4x5 --open --by endpoints --json -q | true",
    ],
)
def test_a_closed_pipe_is_no_error(line: str) -> None:
    said = shell(line)
    assert (said.status, said.err) == (0, "")
    assert said.out.count("\n") <= 1


def test_streams_that_are_not_there() -> None:
    assert shell("ktsolve tour 5x6 -q >&-").status == 0
    assert shell("ktsolve tour 5x6 2>&-") == Said(0, process("tour", "5x6", "-q").out, "")
    assert shell("ktsolve tour 8*8 2>&-") == Said(2, "", "")
    said = shell("ktsolve check - <&-")
    assert said == Said(2, "", "ktsolve: there is no tour in the input: it is empty\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize("arguments", ["tour 5x6 -q", "tour 5x6 --all -q", "count 5x6 --json", "--help"])
def test_a_full_disk_is_one_line(arguments: str) -> None:
    said = shell(f"ktsolve {arguments} > /dev/full")
    assert said.status == 2
    assert said.complaint == "input or output failed: [Errno 28] No space left on device"
    said = shell(f"ktsolve {arguments} -o /dev/full") if arguments != "--help" else said
    assert said.status == 2
    assert "No space left on device" in said.complaint


def test_a_terminal_that_lacks_letters(tmp_path: Path) -> None:
    path = tmp_path / "ring.toml"
    title = 'title = "Rösselsprünge ♞"\n'
    path.write_text(f'{title}model = "tour"\n[parameters]\nboard = "4x6"\nclosed = true\n', encoding="utf-8")
    env = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    said = process("solve", str(path), "-q", env=env)
    assert (said.status, said.err) == (1, "")
    assert said.out.startswith(r"R\xf6sselspr\xfcnge \u265e: impossible")
    assert process("solve", str(path), "-q", "--json", env=env).json["instance"] == "Rösselsprünge ♞"


def busy_seconds(process_id: int) -> float:
    """Seconds that a process has computed; a guess where the system does not tell."""
    try:
        fields = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 1e9
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def interrupted(arguments: list[str], busy: float = 0.8, first_line: bool = False) -> tuple[Said, float]:
    """What a command says when it is interrupted, and how long it takes to end.

    It is interrupted when it has printed a line, or has computed for so long that it is surely at work, or
    after three seconds, should it leave the work to another process.
    """
    with subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        head = running.stdout.readline() if first_line else ""
        try:
            begun = time.monotonic()
            while not first_line and time.monotonic() - begun < 3 and busy_seconds(running.pid) < busy:
                time.sleep(0.05)
            time.sleep(0.3)
            assert running.poll() is None, "it ended before it could be interrupted"
            running.send_signal(signal.SIGINT)
            started = time.monotonic()
            assert running.stderr is not None
            # Not communicate(), which would lose what readline() has read ahead.
            out, err = running.stdout.read(), running.stderr.read()
            return Said(running.wait(20), head + out, err), time.monotonic() - started
        finally:
            with contextlib.suppress(ProcessLookupError):
                running.kill()


@pytest.mark.parametrize(
    "arguments",
    [
        ["count", "8x8"],
        ["count", "8x8", "--engine", "search"],
        ["count", "6x7", "--open", "--engine", "sat", "--timeout", "60"],
        ["tour", "80x80", "--engine", "cpsat"],
    ],
)
def test_ctrl_c_stops_long_work(arguments: list[str]) -> None:
    said, seconds = interrupted(arguments)
    assert (said.status, said.out) == (3, "")
    assert said.complaint == "interrupted"
    assert seconds < 2


PIGEONS = """
from ktsolve import Model
from ktsolve.models import Built

def build(parameters):
    n = parameters["n"]
    model = Model("one pigeon too many")
    sits = [[model.boolean(f"{pigeon}:{hole}") for hole in range(n)] for pigeon in range(n + 1)]
    for pigeon in sits:
        model.clause(*pigeon)
    for hole in zip(*sits):
        for i, first in enumerate(hole):
            for second in hole[:i]:
                model.clause(~first, ~second)
    return Built(model, list)
"""


def test_ctrl_c_is_heard_within_a_long_call_of_a_sat_solver(tmp_path: Path) -> None:
    path = users_instance(tmp_path, PIGEONS, "n = 20")
    said, seconds = interrupted(["solve", path, "--engine", "sat", "--json"])
    assert (said.status, said.complaint) == (3, "interrupted")
    assert (said.json["status"], said.json["reason"]) == ("unknown", "interrupted")
    assert seconds < 2


@pytest.mark.parametrize("many", ["--all", "--number=9"])
def test_an_interrupted_list_keeps_what_it_has(monkeypatch: pytest.MonkeyPatch, many: str) -> None:
    def two_and_ctrl_c(problem: TourProblem, *_: object) -> dispatch.Tours:
        def tours() -> Iterator[Tour]:
            real = find_all(problem)
            yield next(real)
            yield next(real)
            raise KeyboardInterrupt

        return dispatch.Tours("sat", tours())

    find_all = dispatch.find_all
    monkeypatch.setattr(dispatch, "find_all", two_and_ctrl_c)
    said = answered("tour", "5x6", many, "--format", "cells", status=3)
    assert len(tours_in(said.out, "5x6", closed=True)) == 2
    assert said.complaint == "interrupted, 2 tours written"
    assert len(answered("tour", "5x6", many, "--json", status=3).json["tours"]) == 2


@pytest.mark.parametrize("engine", ["search", "sat", "cpsat"])
def test_ctrl_c_keeps_the_tours_found_so_far(engine: str) -> None:
    said, seconds = interrupted(
        ["tour", "8x8", "--all", "--format", "cells", "--engine", engine], first_line=True
    )
    assert said.status == 3
    assert seconds < 2
    tours = tours_in(said.out, "8x8", closed=True)
    assert len(tours) > 1
    told = re.fullmatch(r"interrupted, (\d+) tours written", said.complaint)
    assert told is not None
    assert len(tours) - int(told[1]) in (0, 1)  # one may have been on its way


def test_ctrl_c_keeps_the_tours_found_so_far_as_json(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    said, seconds = interrupted(["tour", "8x8", "--all", "--json", "-o", str(path)], busy=1.5)
    assert (said.status, said.out, said.complaint) == (3, "", "interrupted")
    assert seconds < 2
    data = json.loads(path.read_text())
    assert (data["status"], data["complete"], data["reason"]) == ("found", False, "interrupted")
    assert len(data["tours"]) > 1
    assert names_in(tmp_path) == ["out.json"]


def test_count_says_what_it_would_take() -> None:
    said = answered("count", "8x8", "--estimate")
    assert re.fullmatch(
        r"closed 8x8: engine join\nrows 3\+2\+3: 24 \+ 16 \+ 24 cells, .*\n"
        r"about [\d.e+]+ states at once, [\d.]+ MiB of memory\nabout [\d.]+ s with \d+ threads\n",
        said.out,
    )
    said = answered("count", "9x10", "--estimate", "--memory", "8G", "--threads", "2")
    assert re.search(r", in \d+ passes\n.*\(the limit is 8 GiB\), [\d.]+ GiB of disk\n", said.out)
    assert "engine search cannot tell" in answered("count", "3x4", "--estimate").out
    data = answered("count", "6x7", "--estimate", "--json", "--engine", "frontier").json
    assert data["engine"] == "frontier"
    assert data["estimate"]["states"] > 1000


def test_count_says_how_it_is_planned() -> None:
    said = answered("count", "5x6", "--verbose")
    assert said.out == "closed 5x6: 8 undirected tours\n"
    assert re.search(r"^join: (rows|columns) 2\+2\+\d: ", said.err)


def test_count_keeps_tables_where_it_is_told(tmp_path: Path) -> None:
    arguments = ("count", "7x8", "--memory", "16M", "--quiet", "--spill", str(tmp_path))
    assert answered(*arguments).out == "closed 7x8: 34524432316 undirected tours\n"
    assert any(path.suffix == ".layer" for path in tmp_path.iterdir())
    assert answered(*arguments).out == "closed 7x8: 34524432316 undirected tours\n"
