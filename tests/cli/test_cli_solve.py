"""``ktsolve solve``: instances, expectations, models of one's own, exports."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from command import SOLVE_KEYS, USERS_MODEL, Said, answered, keys_of, refused, users_instance

from ktsolve.formats.tours.files import read_tour
from ktsolve.tasks.instance import load_instance


def test_an_instance_as_expected() -> None:
    said = answered("solve", "guarini-ring")
    grid, verdict = said.out.split("\n\n")
    assert read_tour(grid).closed
    assert verdict.endswith(": found, 1 solution; as expected\n")
    assert re.fullmatch(r"search, \d+\.\d+ s\n", said.err)
    assert answered("solve", "guarini-ring.toml", "--quiet") == Said(0, said.out, "")


def test_one_conflict_a_smallest_and_all(tmp_path: Path) -> None:
    file = tmp_path / "three.cnf"
    file.write_text("p cnf 3 6\n1 2 0\n-1 0\n-2 0\n3 0\n-3 0\n-1 -3 0\n")
    conflicts = [["x1 or x2", "not x1", "not x2"], ["x3", "not x3"]]
    conflicts.append(["x1 or x2", "not x2", "x3", "not x1 or not x3"])
    assert answered("solve", str(file), "--core", "--json", status=1).json["core"] in conflicts
    assert (
        answered("solve", str(file), "--cores", "smallest", "--json", status=1).json["core"] == conflicts[1]
    )
    data = answered("solve", str(file), "--cores", "all", "--json", status=1).json
    assert (sorted(data["cores"]), data["complete"], data["status"]) == (
        sorted(conflicts),
        True,
        "impossible",
    )
    *lines, last = answered("solve", str(file), "--cores", "all", "-q", status=1).out.splitlines()
    assert [line.split(": ")[1].split("; ") for line in lines] == data["cores"]
    assert last == "three.cnf: impossible, 3 conflicts; these are all"
    assumed = answered("solve", str(file), "--cores", "all", "--assume", "x1", "-q", status=1).out
    assert assumed.startswith("conflict 1: no solution, by the constraints without a name alone\n")
    file.write_text("p cnf 1 1\n1 0\n")
    assert answered("solve", str(file), "--cores", "all", "-q").out == "x1\n\nthree.cnf: found\n"
    assert refused("solve", str(file), "--cores", "few").startswith("--cores few: use smallest or all")
    assert refused("solve", "open-4x4", "--cores", "all").endswith("asks for tours: use --core")


def test_a_solution_step_by_step(tmp_path: Path) -> None:
    file = tmp_path / "four.cnf"
    file.write_text("p cnf 4 4\n1 2 0\n-1 0\n-2 3 4 0\n-3 0\n")
    assert answered("solve", str(file), "--steps", "-q").out.splitlines() == [
        "1. not x1, by not x1",
        "2. not x3, by not x3",
        "3. x2, by x1 or x2, as not x1",
        "4. x4, by not x2 or x3 or x4, as x2, not x3",
        "four.cnf: found, 4 steps; these are all",
    ]
    data = answered("solve", str(file), "--steps", "--json").json
    last = {"facts": ["x4"], "constraints": ["not x2 or x3 or x4"], "given": ["x2", "not x3"]}
    assert (data["steps"][-1], data["complete"], data["status"]) == (last, True, "found")
    file.write_text("p cnf 1 2\n1 0\n-1 0\n")
    assert answered("solve", str(file), "--steps", "-q", status=1).out == ("four.cnf: impossible\n")
    assert refused("solve", "closed-6x6", "--steps").endswith("asks for tours")


@pytest.mark.parametrize("name", ["slitherlink-5x5", "sudoku-9x9"])
def test_the_steps_of_a_puzzle_are_drawn_as_its_hints(name: str, tmp_path: Path) -> None:
    kind = name.partition("-")[0]
    puzzle, hints, steps = (tmp_path / each for each in ("puzzle.txt", "hints.svg", "steps.svg"))
    clues = load_instance(name).parameters["clues"]
    command = ("sudoku",) if kind == "sudoku" else ("puzzle",)
    puzzle.write_text(clues if kind == "sudoku" else f"{kind}\n{clues}")
    answered(*command, "hint", str(puzzle), "-n", "3", "-o", str(hints))
    assert answered("solve", name, "--steps", "-n", "3", "-o", str(steps)).out == ""
    assert steps.read_text() == hints.read_text()
    assert hints.read_text().count("<text") > 3


def test_what_has_no_picture_of_steps_is_refused(tmp_path: Path) -> None:
    drawn = tmp_path / "steps.svg"
    for given, said in {
        ("masyu-6x6",): "only the steps to a solution are drawn: add --steps",
        ("masyu-6x6", "--steps", "--assume", "a"): "steps from assumptions are not drawn: leave out --assume",
        ("sudoku-bands-2x3", "--steps"): "steps are drawn for puzzles, not for the model sudoku_band",
        ("closed-6x6", "--steps"): "asks for tours",
    }.items():
        assert refused("solve", *given, "-o", str(drawn)).endswith(said)
    said = answered("solve", "slitherlink-empty-3x3", "--steps", "-o", str(drawn)).out
    assert said.endswith(": found, but nothing follows\n")
    assert not drawn.exists()


def test_an_instance_without_a_solution() -> None:
    said = answered("solve", "open-4x4", "-q")
    assert said.out.endswith("impossible, the engine searched everything; as expected\n")


def test_a_graph_is_the_question_of_a_closed_tour(tmp_path: Path) -> None:
    said = answered("solve", "graph:petersen", "-q", status=1)
    assert said.out == "graph:petersen: impossible, the engine searched everything; nothing was expected\n"
    square, several = tmp_path / "square.hcp", tmp_path / "two.g6"
    square.write_text(
        "TYPE : HCP\nDIMENSION : 4\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n"
        "1 2\n2 3\n3 4\n4 1\n1 3\n-1\nFIXED_EDGES_SECTION\n1 2\n-1\nEOF\n"
    )
    data = answered("solve", str(square), "--json").json
    assert (data["model"], data["status"], data["agrees"], data["closed"]) == ("tour", "found", None, True)
    square.write_text(square.read_text().replace("\n1 2\n-1\nEOF", "\n1 3\n-1\nEOF"))
    assert answered("solve", str(square), "-q", status=1).out.split(": ")[1].startswith("impossible")
    several.write_text("C~\nC~\n")
    assert refused("solve", str(several)) == f"{several}: the file holds 2 graphs: an instance is about one"
    missing = tmp_path / "none.g6"
    assert refused("solve", str(missing)) == f"{missing}: cannot be read: No such file or directory"
    assert refused("solve", "graph:petersn").startswith("graph 'graph:petersn': the name is unknown")


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


def test_a_model_of_ones_own(tmp_path: Path) -> None:
    path = users_instance(tmp_path, USERS_MODEL, "n = 4\nk = 2", "[expect]\ncount = 6")
    said = answered("solve", path, "-q")
    assert re.fullmatch(r"\[\d, \d\]\n\nown: found, 6 solutions; as expected\n", said.out)
    data = answered("solve", path, "--json").json
    assert keys_of(data) == {**SOLVE_KEYS, "solution": str, "count": str}
    assert (data["model"], data["count"]) == ("own.py", "6")
    listing = answered("solve", path, "--format", "listing").out
    assert listing == "model odd ones out: 4 Booleans, 1 constraint\n  exactly 2 of {x0, x1, x2, x3}\n"


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
@pytest.mark.parametrize("encoding", ["one-hot", "binary"])
def test_exports(tmp_path: Path, export: str, encoding: str) -> None:
    from ktsolve.model.io import to_dimacs, to_opb

    model = load_instance("guarini-ring").built.model
    expected = (to_dimacs if export == "cnf" else to_opb)(model, circuits=encoding)
    path = tmp_path / "written"
    assert answered("solve", "guarini-ring", "--format", export, "--encoding", encoding).out == expected
    answered("solve", "guarini-ring", "--format", export, "--encoding", encoding, "-o", str(path))
    assert path.read_text() == expected


def test_the_export_for_other_solvers_of_tours() -> None:
    out = answered("solve", "closed-3x10", "--format", "hcp").out
    assert out.startswith("NAME : closed 3x10\nTYPE : HCP\nDIMENSION : 30\n")
    assert "HCP cannot express a" in refused("solve", "half-turn-6x6", "--format", "hcp")
