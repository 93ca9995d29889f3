"""``ktsolve check``: what ``tour`` writes it reads, and it names the first fault."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command import OPEN_3X4, answered, ktsolve, refused


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
    bare = b"\n".join(line for line in grid.splitlines() if not line.startswith(b"#"))
    for given in (grid, bare):
        assert answered("check", "-", *words, given=given).out.startswith("valid closed tour of")
    if words[0] != "--without":
        assert answered("check", "-", given=bare, status=1).out.startswith("not a tour: ")
    for stating in (grid, cells):
        assert answered("check", "-", given=stating).out.startswith(f"valid closed tour of {board} ")
    assert answered("check", "-", "--board", board, *words, given=grid).out.startswith("valid closed tour")


@pytest.mark.parametrize(
    ("given", "arguments", "out"),
    [
        (OPEN_3X4[0], "", "valid open tour of 3x4"),
        (OPEN_3X4[0], "--open", "valid open tour of 3x4"),
        (OPEN_3X4[0], "--closed", "not a tour: step 12: the last cell d1 is not a move from the first a3"),
        (OPEN_3X4[0], "--start a1", "condition violated: step 1 is a3, not a1"),
        (OPEN_3X4[0], "--end a1", "condition violated: step 12 is d1, not a1"),
        (OPEN_3X4[0], "--at 3=a1 --at 4=c3", "condition violated: step 4 is b3, not c3"),
        (OPEN_3X4[0], "--require a1-b3,b1-a3", "condition violated: the required move a3-b1 is not made"),
        (OPEN_3X4[0], "--forbid a1-b3", "condition violated: the forbidden move a1-b3 is made"),
        (OPEN_3X4[0], "--symmetry flip-h", "condition violated: not symmetric under flip-h: "),
        (OPEN_3X4[0], "--magic rows", "condition violated: row 1 adds up to 22, not 26"),
        (OPEN_3X4[0], "--corners tl", "valid open tour of 3x4"),
        (OPEN_3X4[0], "--corners bl", "condition violated: corner bl is not structured: "),
        (OPEN_3X4[0], "--board 4x4", "not a tour: a4 and 3 more never visited"),
        ("a1 b3 a1", "--board 3x3", "not a tour: step 3: a1 was visited before, at step 1"),
        ("a1 b2", "", "not a tour: step 2: a1 to b2 is not a move of the piece"),
        ("1 4 7 10\n8 11 2 5\n3 6 9 9", "", "not a tour: line 3, entry 4: step 9 occurs twice"),
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


@pytest.mark.parametrize(
    "command",
    [
        "check {} --board k4.col",
        "draw {} --board k4.col -o k4.svg",
        "convert {} --board k4.col --format cells",
    ],
)
def test_errors_name_which_of_the_two_files_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    edges = "\n".join(f"e {a} {b}" for a in range(1, 5) for b in range(1, a))
    Path("k4.col").write_text(f"p edge 4 6\n{edges}\n")
    Path("fine.txt").write_text("1 2 3 4\n2 1 3 4\n")
    Path("one.txt").write_text("1 2 3 x\n")
    Path("second.txt").write_text("1 2 3 4\n1 9 3 2\n")
    assert ktsolve(*command.format("fine.txt").split()).status == 0
    one = refused(*command.format("one.txt").split())
    assert re.match(r"one\.txt: 'x' is not a vertex of the graph", one)
    second = refused(*command.format("second.txt").split())
    assert re.match(r"second\.txt: tour 2, in line 2: '9' is not a vertex of the graph", second)
    Path("k4.col").write_text("p edge 4 6\ne 1 2\n")
    assert refused(*command.format("fine.txt").split()).startswith("k4.col: ")


def test_many_lists_of_a_graph_are_checked(tmp_path: Path) -> None:
    graph = tmp_path / "k4.g6"
    graph.write_text("C~\n")
    lists = "0 1 2 3\n3 0 2 1\n" * 200
    said = answered("check", "-", "--board", str(graph), given=lists.encode())
    assert said.out == "400 valid closed tours of graph of 4 vertices and 6 edges\n"
    said = answered("check", "-", "--board", str(graph), "--json", status=1, given=f"{lists}0 1 2 1".encode())
    assert (said.json["number"], said.json["tours"][-1]["line"]) == (401, 401)
