"""The commands ``ktsolve census`` and ``ktsolve census report``: what they print, and what they refuse."""

from __future__ import annotations

import csv
import io
import os
import re
import sqlite3
from pathlib import Path

import pytest
from command import answered, ktsolve, refused

from ktsolve.problem.problem import TourProblem
from ktsolve.verify.published import endpoint_table

pytestmark = pytest.mark.usefixtures("thread_workers")


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "tours.db")


@pytest.fixture
def done(path: str) -> str:
    answered("census", "5x5", "--open", "--engine", "frontier", "--ledger", path, "-q")
    return path


@pytest.mark.full
def test_the_published_table_of_6x6(path: str) -> None:
    said = answered("census", "6x6", "--open", "--engine", "search", "--ledger", path, "-q")
    assert said.out.splitlines()[0] == "open 6x6 by ends: 3318960 undirected tours"
    assert "ends a move apart: 355032 = 36 x 9862 closed tours (OEIS A175881), holds" in said.out
    told = answered("census", "report", "--ledger", path, "--format", "json").json
    board = TourProblem(board="6x6", closed=False).board
    found = sorted((each["multiplicity"], int(each["count"])) for each in told["jobs"])
    assert found == sorted((row.multiplicity, row.count) for row in endpoint_table("6x6"))
    assert len(board) * 9862 == 355032
    assert told["count"] == "3318960"


def test_results_are_announced(path: str) -> None:
    said = answered("census", "5x5", "--open", "--ends", "e1-e5", "--engine", "frontier", "--ledger", path)
    assert said.out.splitlines()[0] == "open 5x5 by ends, classes a5-e5: 240 undirected tours"
    assert said.err.startswith("a5-e5: 60 x 4 (frontier, ")
    assert (
        answered("census", "5x5", "--open", "--ends", "a1,a5".replace(",", "-"), "--ledger", path).err == ""
    )


def test_run_may_be_said(path: str) -> None:
    said = answered("census", "run", "5x6", "--ledger", path, "-q", "--audit")
    assert said.out.splitlines()[0] == "closed 5x6: 8 undirected tours"
    assert re.fullmatch(r"audit part 1 of 1: 8 by \w+, as in the ledger", said.out.splitlines()[-1])


def test_report_as_csv(done: str) -> None:
    lines = list(
        csv.DictReader(io.StringIO(answered("census", "report", "--ledger", done, "--format", "csv").out))
    )
    assert len(lines) == 16
    assert sum(int(line["multiplicity"]) * int(line["count"]) for line in lines) == 864
    assert {line["engine"] for line in lines} == {"frontier"}
    assert all("peak states" in line["plan"] and line["state"] == "counted" for line in lines)


def test_report_as_markdown_into_a_file(done: str, tmp_path: Path) -> None:
    file = tmp_path / "report.md"
    assert answered("census", "report", "--ledger", done, "--format", "markdown", "-o", str(file)).out == ""
    lines = file.read_text().splitlines()
    assert lines[0] == "# Census of open 5x5 by ends"
    assert lines[2] == "- open 5x5 by ends: 864 undirected tours"
    assert sum(line.startswith("| ") for line in lines) == 18
    assert "| job | multiplicity | tours each | seconds | memory |" in lines
    assert any(line.startswith("- counted by engine frontier ") for line in lines)


def test_report_as_text(done: str) -> None:
    said = answered("census", "report", "--ledger", done)
    assert said.err == ""
    lines = said.out.splitlines()
    assert lines[0].split() == ["job", "multiplicity", "tours", "each", "engine", "seconds", "memory"]
    assert lines[1].split()[:4] == ["a5-c5", "8", "14", "frontier"]
    assert lines[-1] == "published: 864 = 864 (OEIS A083386), holds"


def test_a_damaged_row_is_shown_and_complained_about(done: str) -> None:
    with sqlite3.connect(done) as connection:
        connection.execute("UPDATE job SET count = '15' WHERE number = 1")
    connection.close()
    said = ktsolve("census", "report", "--ledger", done)
    assert said.status == 2
    assert "a5-c5             8     damaged" in said.out
    assert "a5-e5             4          60" in said.out
    assert "752 undirected tours so far\n15 of 16 jobs counted, 1 damaged" in said.out
    assert said.complaint.endswith("is damaged: wrong checksums of a5-c5; --recount counts such rows again")
    again = ["census", "5x5", "--open", "--ledger", done]
    assert "row 1 (a5-c5) has a wrong checksum; --recount clears" in refused(*again)
    said = answered(*again, "--recount")
    assert said.err.splitlines()[0] == "a5-c5: cleared, to be counted again"
    assert said.out.splitlines()[0] == "open 5x5 by ends: 864 undirected tours"


BAD = [
    ("5x5", "Missing option '--ledger'"),
    ("5x5 --open --ledger FILE --start a1", "No such option: --start"),
    ("5x5 --ledger FILE --ends a1-c1", "--ends are classes of ends of open tours: leave out --parts"),
    ("5x5 --open --parts 2 --ledger FILE --ends a1-c1", "--ends are classes of ends of open tours"),
    (
        "5x5 --open --ledger FILE --ends a1-b3",
        "no tour of open 5x5 has the ends a1-b3: colours rule them out",
    ),
    ("5x5 --open --ledger FILE --ends a1", "'a1' is not a move: write two cells"),
    ("5x5 --open --ledger FILE --ends a1-a1", "a1-a1 is not a pair of ends"),
    ("5x5 --open --ledger FILE --ends ,", "--ends names no class: write pairs of ends"),
    ("5x5 --open --ledger FILE --ends a1-f9", "cell 'f9' is off the 5x5 board"),
    ("6x6 --ledger FILE --parts 0", "the number of parts must be from 1 to 10000, not 0"),
    ("6x6 --ledger FILE --workers 0", "the number of workers must be from 1 to 1024, not 0"),
    ("6x6 --ledger FILE --audit 0", "--audit takes the number of jobs to count again, at least 1, not 0"),
    ("6x6 --ledger FILE --audit -2", "--audit takes the number of jobs to count again, at least 1, not -2"),
    ("6x6 --ledger FILE --workers 2 --dask tcp://x:1", "--workers and --dask exclude each other"),
    ("6x6 --ledger FILE --engine turbo", "engine 'turbo' is unknown"),
    ("6x6 --ledger FILE --engine frontier --parts 3", "engine frontier cannot count in parts (--parts): "),
    ("40x40 --open --ledger FILE", "a census by ends takes boards of at most 1000 cells: give --parts"),
    ("6x6 --ledger FILE/there/tours.db", "/there of the ledger does not exist"),
    ("6x6 --ledger FOLDER", "is a folder: name a file for the ledger"),
    ("6x6 --ledger ''", "'' is not a file name"),
    ("report --ledger FILE", "tours.db does not exist"),
    (
        "report --ledger FILE --format gif",
        "--format gif: a report is written as text, csv, json, markdown, svg, ",
    ),
]


@pytest.mark.parametrize(("arguments", "message"), BAD, ids=str)
def test_bad_input(arguments: str, message: str, path: str) -> None:
    folder = os.path.dirname(path)
    words = arguments.replace("FILE", path).replace("FOLDER", folder).replace("''", "").split(" ")
    assert message in refused("census", *words)
    assert os.listdir(folder) == []  # nothing is begun that is not gone on with


def test_another_question(done: str) -> None:
    assert refused("census", "5x5", "--ledger", done).endswith(
        "is of open 5x5 by ends, not of closed 5x5: name another file"
    )
    assert "not of closed 5x5: name another" in refused("census", "5x5", "--ledger", done, "--recount")


def test_a_board_of_one_cell(path: str) -> None:
    said = answered("census", "1x1", "--open", "--ledger", path, "-q")
    assert said.out.splitlines()[0] == "open 1x1: 1 undirected tour"
