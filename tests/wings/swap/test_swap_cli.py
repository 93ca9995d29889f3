"""``ktsolve swap``: text, JSON, files, bad input, limits."""

from __future__ import annotations

import re
import time
from pathlib import Path

import networkx
import pytest
from command import answered, keys_of, ktsolve, names_in, refused
from interrupting import interrupted
from marks import full

from ktsolve.base.errors import LimitReached

KEYS = {
    "schema": str,
    "instance": str,
    "board": dict,
    "start": str,
    "goal": str,
    "objective": str,
    "longest": type(None),
    "status": str,
}
ANSWER = {"proof": str, "reached": str, "states": str, "agrees": bool, "engine": str, "seconds": float}


MOVES = ("--objective", "moves", "--longest", "2")


def written(folder: Path, text: str) -> str:
    path = folder / "own.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


CORRIDOR = '[parameters]\nstart = "AB.."\ngoal = "BA.."\nleaper = [0, 1]\n'


def test_text() -> None:
    said = answered("swap", "guarini-diagonal", "--objective", "moves", "--count")
    assert said.out.splitlines()[-3:] == [
        "Four knights of 3x3, equal colours on a diagonal: 5 moves",
        "searched: none of the 139 positions within 4 moves is the goal",
        "8 shortest solutions: sequences of moves, distinguished by the cells they visit",
    ]
    assert re.match(r"1\. [WB] [a-c][1-3](-[a-c][1-3])+\n2\. ", said.out)
    said = answered("swap", "knights-in-fen-2")
    assert said.err.startswith(
        "67,603,900 positions: 129 MiB for their distances, and lists of a layer on top\n"
    )
    assert answered("swap", "knights-in-fen-2", "-q").err == ""


def test_no_solution_is_status_1() -> None:
    said = answered("swap", "order-on-a-ring", status=1)
    assert said.out == (
        "Four knights of 3x3 cannot overtake each other: no solution\n"
        "searched: 280 of 420 positions can be reached, the goal is not among them\n"
    )
    said = answered("swap", "order-on-a-ring", "--engine", "sat", status=1)
    assert "arithmetic: pieces on the ring" in said.out


def test_json() -> None:
    data = answered("swap", "eight-knights", "--count", "--json").json
    assert keys_of(data) == {**KEYS, "length": int, "moves": list, "solutions": str, **ANSWER}
    assert (data["status"], data["length"], data["solutions"]) == ("found", 18, "1162562")
    assert (data["states"], data["agrees"], data["engine"]) == ("11550", True, "bfs")
    assert data["moves"][0] == {"piece": "C", "path": [[2, 1], [0, 0]]}
    data = answered("swap", "order-on-a-ring", "--json", "--engine", "cpsat", status=1).json
    assert keys_of(data) == {**KEYS, "proof": str, "agrees": bool, "engine": str, "seconds": float}
    data = answered("swap", "guarini", "--objective", "moves", "--all", "--json").json
    assert keys_of(data) == {**KEYS, "complete": bool, "list": list, "engine": str, "seconds": float}
    assert len(data["list"]) == 8


@pytest.mark.full
def test_json_when_a_limit_stops_it() -> None:
    said = ktsolve("swap", "guarini", "--engine", "sat", "--count", "--timeout", "1", "--json")
    assert said.status == 3
    assert keys_of(said.json) == {**KEYS, "engine": str, "seconds": float, "reason": str}
    assert (said.json["status"], said.json["reason"]) == ("unknown", said.complaint)


@pytest.mark.full
def test_all_solutions_line_by_line(tmp_path: Path) -> None:
    lists = [
        answered(
            "swap", "eight-knights", "--objective", "moves", "--longest", "2", "--all", "--engine", engine
        ).out
        for engine in ("bfs", "sat", "cpsat")
    ]
    assert {frozenset(text.splitlines()) for text in lists} == {frozenset(lists[0].splitlines())}
    assert lists[0].count("\n") == 2
    answered("swap", "guarini", "--objective", "moves", "--all", "-o", str(tmp_path / "all.txt"))
    assert (tmp_path / "all.txt").read_text().count("\n") == 8
    assert answered("swap", "order-on-a-ring", "--all", status=1).out == "no solution\n"


def test_the_answer_is_compared_with_the_expected_one(tmp_path: Path) -> None:
    wrong = written(tmp_path, CORRIDOR + "[[answer]]\nlength = 4\n")
    said = answered("swap", wrong, status=1)
    assert said.out.splitlines()[-1] == "disagrees with the file: expected 4 jumps"
    found = '[parameters]\nstart = "A."\ngoal = ".A"\nleaper = [0, 1]\n[[answer]]\nlength = 1\n'
    found += "solutions = 7\n"
    said = answered("swap", written(tmp_path, found), "--count", status=1)
    assert said.out.splitlines()[-1] == "disagrees with the file: expected 7 solutions"
    data = answered("swap", written(tmp_path, found), "--count", "--json", status=1).json
    assert (data["agrees"], data["reason"]) == (False, "expected 7 solutions")
    assert answered("swap", written(tmp_path, CORRIDOR), "--json", status=1).json["agrees"] is None


def test_drawings_have_a_theme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    answered(
        "swap", "guarini-diagonal", "--draw", "auto.svg", "--animate", "both.svg", "--theme", "auto", "-q"
    )
    for name in ("auto.svg", "both.svg"):
        assert "prefers-color-scheme:dark" in (tmp_path / name).read_text()
    said = refused("swap", "guarini", "--draw", "none.svg", "--theme", "blue")
    assert said == "theme 'blue' is unknown: use light, dark, print, safe, auto"
    assert not (tmp_path / "none.svg").exists()


def test_drawings_have_a_caption_a_title_and_paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = ("--draw", "it.svg", "--animate", "moving.svg")
    answered("swap", "guarini-diagonal", *files, "--caption", "For Anna", "--title", "Winter", "-q")
    answered("draw", "guarini", "--caption", "For Anna", "--title", "Winter", "-o", "start.svg")
    for name in names_in(tmp_path):
        text = (tmp_path / name).read_text()
        assert re.search(">For Anna<", text)
        assert "<title>Winter</title>" in text
    answered("swap", "guarini-diagonal", "--draw", "it.pdf", "--paper", "100x200mm", "-q")
    assert b"/MediaBox [0 0 283.46" in (tmp_path / "it.pdf").read_bytes()
    assert refused("swap", "guarini", "--caption", "x").startswith("--caption is about pictures: give --draw")
    assert refused("swap", "guarini", "--draw", "x.svg", "--paper", "a4").startswith("paper is about .pdf")


def test_an_answer_does_not_depend_on_its_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the time ends while the proof is made, the answer is printed, and the exit status is 3."""

    def too_late(*_: object) -> None:
        raise LimitReached("stopped at the time limit")

    monkeypatch.setattr("ktsolve.wings.swap.planning.certify", too_late)
    said = ktsolve("swap", "guarini", "--proof", "late.cnf", "--json")
    assert said.status == 3
    assert said.json["length"] == 16
    assert "stopped at the time limit: --proof late.cnf was not written" in said.err


@pytest.mark.full
def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = answered("swap", "eight-knights", "--export", "k.net")
    assert "k.net: 11,550 positions, 30,240 edges, 1 component\n" in said.err
    assert networkx.read_pajek("k.net").number_of_edges() == 30240
    said = answered("swap", "eight-knights", *MOVES, "--export", "s.json", "--network", "shortest")
    assert re.search(r"s\.json: \d+ positions, \d+ vertices within moves, \d+ arcs, 1 component\n", said.err)
    answered("swap", "eight-knights", *MOVES, "--draw", "layers.svg", "--animate", "moving.svg", "-q")
    assert (tmp_path / "layers.svg").read_text().startswith("<svg")
    assert "animateTransform" in (tmp_path / "moving.svg").read_text()
    said = answered("swap", "eight-knights", *MOVES, "--engine", "sat", "--proof", "p.cnf")
    refuted = r"refuted and checked: no solution of at most 11 moves .* p\.cnf, .* p\.drup and p\.lrat\n$"
    assert re.search(refuted, said.out)
    data = answered("swap", "guarini", "--proof", "q.cnf", "--json").json
    assert data["certificate"].startswith("refuted and checked: no solution of at most 15 jumps (")
    assert names_in(tmp_path) == [
        "k.net",
        "layers.svg",
        "moving.svg",
        "p.cnf",
        "p.drup",
        "p.lrat",
        "q.cnf",
        "q.drup",
        "q.lrat",
        "s.json",
    ]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("nowhere", ("nowhere", "eight-knights")),
        ("guarini --objective turns", ("objective", "'turns'", "jumps or moves")),
        ("guarini --longest 2", ("longest 2", "objective moves")),
        ("guarini --objective moves --longest 0", ("longest 0", "any")),
        ("guarini --objective moves --longest two", ("longest", "'two'", "any")),
        ("guarini --engine search", ("engine", "'search'", "bfs, sat, cpsat")),
        ("guarini --most -3", ("most -3", "64000")),
        ("guarini --export k.txt", ("--export k.txt", ".net, .graphml, .dot or .json, not .txt")),
        ("guarini --export no/k.net", ("no/k.net", "No such file")),
        ("guarini --network some", ("--network",)),
        ("order-on-a-ring --draw d.svg", ("no solution", "network")),
        ("order-on-a-ring --animate d.svg", ("--animate d.svg", "no solution")),
        ("order-on-a-ring --proof p.cnf", ("--proof p.cnf", "out of reach", "most")),
        ("eight-knights --all --count", ("--all", "--count")),
        ("guarini --all --proof p.cnf", ("--proof", "--all")),
        ("guarini --proof p.drup", ("--proof p.drup", ".cnf")),
        ("guarini --solver nobody", ("SAT solver", "'nobody'", "cadical153")),
    ],
)
def test_bad_input(
    arguments: str, named: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    message = refused("swap", *arguments.split())
    for part in named:
        assert part in message
    assert names_in(tmp_path) == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", ("parameters", "missing", "start", "goal")),
        ("model = 1", ("model", "answer, parameters, source, title")),
        ('[parameters]\nstart = "A."\ngoal = "A?"', ("parameters", "goal, row 1, column 2", "'?'")),
        (CORRIDOR + "[answer]\nlength = 1", ("answer", "list", "{'length': 1}")),
        (CORRIDOR.replace("[par", "answer = [1]\n[par"), ("answer", "[[answer]]")),
        (CORRIDOR + "[[answer]]\nlength = 1\nways = 2", ("answer 1.ways", "length")),
        (CORRIDOR + "[[answer]]\nsolutions = 2", ("answer 1", "length", "status")),
        (CORRIDOR + '[[answer]]\nstatus = "found"', ("answer 1", "length", "status")),
        (CORRIDOR + '[[answer]]\nstatus = "no"\nlength = 2', ("answer 1.status", "'no'")),
        (
            CORRIDOR + '[[answer]]\nstatus = "impossible"\nsolutions = 2',
            ("answer 1.solutions", "2", "status"),
        ),
        (CORRIDOR + '[[answer]]\nlength = 2\nsolutions = "many"', ("answer 1.solutions", "'many'")),
        (CORRIDOR + "[[answer]]\nlength = 2\nlongest = 3", ("answer 1", "longest 3", "objective")),
    ],
)
def test_errors_in_files(text: str, named: tuple[str, ...], tmp_path: Path) -> None:
    path = written(tmp_path, text)
    message = refused("swap", path)
    assert message.startswith(f"{path}: ")
    for part in named:
        assert part in message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        full(
            "single-file --engine sat --timeout 1",
            r"stopped at the time limit of 1 s, no solution of fewer than \d+ j.*",
        ),
        full("guarini --count --engine cpsat --timeout 1", r"stopped at the time limit of .*"),
        ("guarini --all --timeout 0.3", r"stopped at the time limit of .*"),
        (
            "knights-in-fen-2 --memory 100M",
            r"67,603,900 positions of the pieces take 129 MiB to search; the memory .*",
        ),
        (
            "eight-knights --export k.net --memory 10M",
            r"a network of 11,550 positions takes about 22 MiB; the .*",
        ),
    ],
)
def test_limits(arguments: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    started = time.monotonic()
    said = ktsolve("swap", *arguments.split())
    assert said.status == 3
    assert re.fullmatch(message, said.err.splitlines()[-1].removeprefix("ktsolve: "))
    assert time.monotonic() - started < 15


@pytest.mark.full
@pytest.mark.parametrize("engine", ["bfs", "sat", "cpsat"])
def test_ctrl_c(engine: str) -> None:
    lists = engine == "bfs"
    arguments = ["guarini", "--all"] if lists else ["single-file"]
    said, _ = interrupted(["swap", *arguments, "--engine", engine], busy=1.5, first_line=lists)
    assert said.status == 3
    assert "Traceback" not in said.err
    assert said.err.splitlines()[-1].startswith("ktsolve: interrupted")
    if lists:
        written = said.out.count("\n") - int(said.err.split()[-4].replace(",", ""))
        assert written in (0, 1)  # one may have been on its way
