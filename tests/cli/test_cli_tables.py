"""``ktsolve count --by-uses``, ``--by-moves`` and ``--by-steps``: tables, JSON, CSV, pictures, refusals."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command import answered, ktsolve, refused

from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Settings
from ktsolve.engines.strip import transfer
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.count_answer import CountAnswer
from ktsolve.tasks.count_total import count_tours


def test_by_uses() -> None:
    said = answered("count", "5x5", "--open", "--by-uses", "corners", "-q")
    assert said.out.splitlines() == [
        "uses  tours",
        "   6    352",
        "   7    512",
        "",
        "corners: 6.5926 of 8 moves on average",
        "open 5x5: 864 undirected tours",
    ]


def test_by_uses_of_several_sets() -> None:
    said = answered("count", "5x6", "--by-uses", "slopes", "-q")
    assert said.out.splitlines()[0].split() == ["uses", "slope:1,-2", "slope:1,2", "slope:2,-1", "slope:2,1"]
    data = answered("count", "5x6", "--by-uses", "slopes", "--json", "-q").json
    assert data["count"] == "8"
    assert [each["name"] for each in data["by_uses"]] == said.out.splitlines()[0].split()[1:]
    for each in data["by_uses"]:
        assert sum(map(int, each["counts"].values())) == 8
        assert len(each["moves"]) in (15, 16)
    assert sum(each["mean"] for each in data["by_uses"]) == 30


def test_no_tour_has_an_empty_table() -> None:
    said = answered("count", "4x5", "--by-uses", "corners", "-q")
    assert said.out.startswith("closed 4x5: 0 undirected tours: ")
    data = answered("count", "4x5", "--by-moves", "--json", "-q").json
    assert data["count"] == "0"
    assert {each["count"] for each in data["by_moves"]} == {"0"}


def test_by_moves() -> None:
    said = answered("count", "5x5", "--open", "--by-moves", "-q")
    assert said.out.splitlines()[:3] == [
        "move   class of  tours through each    share",
        "a5-c4         8                 712  82.41 %",
        "b5-d4         8                 760  87.96 %",
    ]
    data = answered("count", "5x5", "--open", "--by-moves", "--json", "-q").json
    assert sum(len(each["moves"]) * int(each["count"]) for each in data["by_moves"]) == 24 * 864


def test_csv() -> None:
    said = answered("count", "5x5", "--open", "--by-uses", "corners", "--csv", "-q")
    assert said.out == "uses,corners\n6,352\n7,512\n"
    lines = answered("count", "5x5", "--open", "--by-moves", "--csv", "-q").out.splitlines()
    assert lines[0] == "move,tours"
    assert len(lines) == 49
    said = answered("count", "3x4", "--open", "--by-steps", "a1", "--csv", "-q")
    assert said.out.splitlines()[0] == "step,tours"


@pytest.mark.full
def test_by_steps() -> None:
    said = answered("count", "5x5", "--open", "--start", "a1", "--by-steps", "c3", "-q")
    assert said.out.splitlines()[1:3] == ["   5      8", "   7     20"]
    assert said.out.splitlines()[-1] == "open 5x5 start a1: 304 directed tours"
    data = answered("count", "6x6", "--start", "a1", "--by-steps", "c2", "--json", "-q").json
    counts = data["by_steps"]["counts"]
    assert data["count"] == "19724"
    assert sum(map(int, counts.values())) == 19724
    # A closed tour is walked either way.
    assert all(counts[str(38 - int(step))] == count for step, count in counts.items())


def test_by_length() -> None:
    said = answered("count", "graph:petersen", "--by-length", "-q").out.splitlines()
    assert said[:5] == [
        "length  cycles",
        "     5      12",
        "     6      10",
        "     8      15",
        "     9      20",
    ]
    assert said[-1] == "closed graph of 10 vertices and 15 edges: 57 undirected cycles"
    table = answered("count", "3x4", "--open", "--start", "a1", "--by-length", "--csv", "-q").out.splitlines()
    assert table[:3] == ["length,paths", "1,2", "2,3"]
    data = answered(
        "count", "graph:grid:7x7", "--open", "--start", "a1", "--end", "g7", "--by-length", "--json"
    )
    assert data.json["count"] == "575780564"  # OEIS A007764
    assert data.json["by_length"]["12"] == "924"


def test_moves_are_drawn(tmp_path: Path) -> None:
    picture = tmp_path / "moves.svg"
    answered("count", "5x5", "--open", "--by-moves", "-o", str(picture), "-q")
    text = picture.read_text("utf-8")
    assert 'class="heat-moves"' in text or "heat-moves" in text
    # A caption may have several lines.
    assert "Open tours of 5x5 by their moves" in " ".join(re.sub("<[^>]*>", " ", text).split())
    said = answered("count", "5x5", "--open", "--by-moves", "--json", "-q")
    again = tmp_path / "again.svg"
    counted = tmp_path / "counts.json"
    counted.write_text(said.out, "utf-8")
    answered("draw", str(counted), "-o", str(again))
    assert again.read_text("utf-8") == text


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("6x6 --by-uses edges", "'edges' names no set of moves: give moves such as a1-b3"),
        ("6x6 --by-uses a1-a2", "a1-a2 is not a move"),
        ("6x6 --by-uses corners --by-moves", "--by-uses and --by-moves are two tables: give one of them"),
        ("6x6 --open --by start --by-moves", "--by-moves and --by are two tables: give one of them"),
        ("6x6 --by-moves --directed", "a table does not go together with --directed: leave it out"),
        ("6x6 --by-moves --estimate", "a table does not go together with --estimate: leave it out"),
        ("6x6 --csv", "csv holds a table of counts: give one of --by-uses, --by-moves, --by-steps"),
        ("6x6 --by-length --engine join", "engine join counts tours only, not by length: use frontier"),
        ("6x6 --by-length --require a1-b3", "a count by length takes ends only: leave them out"),
        ("6x6 --by-length --start a1", "a cycle has neither start nor end"),
        ("6x6 --by-length -o x.svg", "svg shows counts by moves or by ends"),
        ("6x6 --by-moves --csv --json", "--json and --csv do not go together: give one of them"),
        ("6x6 --by-steps c3", "closed tours have no first step: give a start, such as --start a6"),
        ("6x6 --open --by-steps c3", "and there are 3,318,960: use ktsolve survey --of visit:c3"),
        ("6x6 --open --by-steps g1", "g1"),
        ("6x6 --by-moves --engine walk", "engine walk cannot tally tours: use"),
        ("graph:petersen --open --by start -o x.svg", "a picture of counts needs a board"),
        ("graph:petersen --open --by-uses corners", "the set of moves corners needs a board"),
    ],
)
def test_refusals(arguments: str, complaint: str) -> None:
    said = ktsolve("count", *arguments.split())
    assert said.status == 2, said
    assert complaint in said.complaint


@pytest.mark.parametrize(
    ("stop", "said"),
    [(LimitReached("stopped at the limit"), "stopped at the limit"), (KeyboardInterrupt(), "interrupted")],
)
def test_a_sequence_that_is_stopped_keeps_the_lengths_counted(
    stop: BaseException, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def stopped(*_: object) -> None:
        raise stop

    monkeypatch.setattr(transfer, "_MOMENT", 1000.0)
    monkeypatch.setattr(transfer.Transfer, "__init__", stopped)
    target = tmp_path / "counts.txt"
    ended = ktsolve("sequence", "6xN", "--upto", "5", "-o", str(target))
    assert (ended.status, ended.err) == (3, f"ktsolve: {said}\n")
    assert target.read_text(encoding="utf-8").split()[-2:] == ["5", "8"]
    data = json.loads(ktsolve("sequence", "6xN", "--upto", "5", "--json").out)
    assert (data["counts"], data["reason"]) == (["0", "0", "0", "0", "8"], said)


def test_tables_of_classes_are_csv() -> None:
    head, *rows = answered("sudoku", "count", "--box", "2x2", "--up-to-symmetry", "--csv").out.splitlines()
    assert head == "cycles of,size,invariant grids"
    assert len(rows) > 3
    assert answered("sudoku", "count", "--box", "2x2", "--csv").out == "box,grids\n2x2,288\n"
    head, *rows = answered("base", "validate", "nine-boards", "--csv").out.splitlines()
    assert (head, len(rows)) == ("line,board,structured,usable as", 9)
    assert rows[0].endswith(",6x6,tl tr bl br,any quarter")
    tours = answered("unrank", "5x6", "7", "0", "-q").out.encode()
    assert answered("rank", "5x6", "-", "--csv", given=tours).out == "tour,index\n1,7\n2,0\n"


@pytest.mark.parametrize(
    "stop", [LimitReached("stopped at the time limit of 1 s"), KeyboardInterrupt("terminated")]
)
def test_a_table_that_is_stopped_has_the_classes_counted(
    monkeypatch: pytest.MonkeyPatch, stop: BaseException
) -> None:
    def counted(problem: TourProblem, engine: str, settings: Settings) -> CountAnswer:
        if problem.start == (1, 0):
            raise stop
        return count_tours(problem, engine, settings)

    whole = answered("count", "3x4", "--open", "--by", "start")
    monkeypatch.setattr("ktsolve.tasks.count_total.count_tours", counted)
    said = answered("count", "3x4", "--open", "--by", "start", status=3)
    *lines, end = said.out.splitlines()
    assert (lines[-2][:2], lines[-1]) == ("b3", "")
    assert lines[:-1] == whole.out.splitlines()[: len(lines) - 1]
    assert end.startswith("open 3x4: 2 of 4 classes counted, each exactly; the total is unknown")
    assert said.complaint == str(stop)
    said = answered("count", "3x4", "--open", "--by", "start", "--json", status=3)
    data = said.json
    assert (data["count"], data["complete"], data["counted"], data["total"]) == (None, False, 2, 4)
    assert [each["cells"] for each in data["classes"]] == [[[0, 0]], [[0, 1]]]
    drawn = refused("draw", "-", given=said.out.encode())
    assert drawn == "the count is not done: 2 of 4 classes are counted"
    assert answered("count", "3x4", "--open", "--by", "start", "--csv", status=3).out.count("\n") == 3


def test_a_table_without_rows_yet_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise LimitReached("stopped at the time limit of 1 s")

    monkeypatch.setattr("ktsolve.tasks.count_tables.count_by_moves", stopped)
    complaint = refused("count", "5x6", "--by-moves", status=3)
    assert complaint == "stopped at the time limit of 1 s; no row of the table is known yet"
