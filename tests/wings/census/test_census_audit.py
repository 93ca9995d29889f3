"""Checks and audits: a ledger with a wrong count in it does not pass."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from pathlib import Path

import pytest
from census_engines import STUBS
from command import answered, ktsolve
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from ktsolve.base.limits import Settings
from ktsolve.engines.registry import ENGINES
from ktsolve.graphs.board import Board
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.count import count
from ktsolve.wings.census.checks import checks, transposed
from ktsolve.wings.census.jobs import JobResult, LedgerRow, make_census, row_checksum
from ktsolve.wings.census.ledger import Ledger

pytestmark = pytest.mark.usefixtures("thread_workers")


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "tours.db")


def plant(path: str, number: int, wrong: int) -> None:
    """Write a wrong count into a row and seal it, as a broken engine would."""
    with Ledger.read(path) as opened:
        key, row = opened.census.key, opened.rows()[number - 1]
    assert row.result is not None
    assert row.finished is not None
    result = JobResult(wrong, *row.result.fields()[1:])
    checksum = row_checksum(key, number, row.name, row.multiplicity, result, row.finished)
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "UPDATE job SET count = ?, checksum = ? WHERE number = ?", (str(wrong), checksum, number)
        )


def shifted(path: str) -> None:
    """Move a tour from one class to another of the same multiplicity, so that the total stays right."""
    plant(path, 1, 13)
    plant(path, 4, 15)


def test_a_planted_count_is_noticed_by_the_total(path: str) -> None:
    answered("census", "5x5", "--open", "--ledger", path, "-q")
    plant(path, 1, 13)
    said = ktsolve("census", "5x5", "--open", "--ledger", path, "-q")
    assert said.status == 1
    assert "published: 856 is not 864 (OEIS A083386), FAILS" in said.out
    told = ktsolve("census", "report", "--ledger", path)
    assert (told.status, told.err) == (1, "ktsolve: published: 856 is not 864 (OEIS A083386)\n")


def test_a_planted_count_that_no_identity_sees_is_noticed_by_the_audit(path: str) -> None:
    answered("census", "5x5", "--open", "--engine", "search", "--ledger", path, "-q")
    shifted(path)
    assert answered("census", "report", "--ledger", path).err == ""
    said = ktsolve("census", "5x5", "--open", "--ledger", path, "--audit", "16", "--json")
    assert said.status == 1
    wrong = [each for each in said.json["audited"] if each["count"] != each["again"]]
    assert {each["job"]: (each["count"], each["again"]) for each in wrong} == {
        "a5-c5": ("13", "14"),
        "a5-d4": ("15", "14"),
    }
    text = ktsolve("census", "5x5", "--open", "--ledger", path, "--audit", "16")
    assert re.search(
        r"^audit a5-c5: 14 by (join|frontier), the ledger has 13, FAILS$", text.out, re.MULTILINE
    )
    assert text.status == 1


@pytest.mark.full
def test_an_engine_that_miscounts_is_noticed_by_another(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENGINES, "off", STUBS["off"])
    board = ["4x5", "--open", "--forbid", "a1-b3"]
    answered("census", *board, "--ledger", path, "--engine", "off", "-q")
    assert ktsolve("census", *board, "--ledger", path, "--audit", "100", "-q").status == 1


def test_the_same_engine_audits_in_another_orientation(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ktsolve.wings.census.checks._auditors", lambda problem: [])
    answered("census", "4x5", "--open", "--wrap", "x", "--engine", "frontier", "--ledger", path, "-q")
    data = answered("census", "4x5", "--open", "--wrap", "x", "--ledger", path, "--audit", "6", "--json").json
    assert [each["count"] for each in data["audited"]] == [each["again"] for each in data["audited"]]
    hows = [each["how"] for each in data["audited"]]
    assert len(hows) == 6
    assert all(re.fullmatch(r"frontier, transposed, ends \w\d-\w\d", how) for how in hows)


def test_audits_within_limits(path: str) -> None:
    answered("census", "5x6", "--ledger", path, "-q")
    said = ktsolve("census", "5x6", "--ledger", path, "-q", "--audit", "--timeout", "0.001")
    assert said.status == 3
    assert said.err == "ktsolve: not audited: part 1 of 1: out of time\n"


@pytest.mark.full
def test_a_crash_during_an_audit(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ["census", "5x5", "--open", "--ledger", path, "--ends", "a1-c1", "-q"]
    answered(*arguments)
    monkeypatch.setitem(ENGINES, "faulty", STUBS["faulty"])
    monkeypatch.setattr("ktsolve.wings.census.checks._auditors", lambda problem: ["faulty"])
    said = ktsolve(*arguments, "--audit", "1")
    assert said.status == 4
    assert (
        "not audited: a5-c5: faulty: a worker process crashed: ZeroDivisionError: fault injected" in said.err
    )


@pytest.mark.parametrize("without", ["", "b2", "a1 d4"])
@pytest.mark.parametrize("wrap", ["none", "xy"])
def test_ends_a_move_apart(without: str, wrap: str) -> None:
    board = Board.parse(
        "4x4" if wrap == "none" else "3x4", without=without if wrap == "none" else "", wrap=wrap
    )
    problem = TourProblem(board=board, closed=False)
    table = count(problem, "search", by="ends")
    rows = [
        LedgerRow(i, "", each.multiplicity, 1, 0, JobResult(each.count, "search", "", "", 0, None), 0, True)
        for i, each in enumerate(table.rows, 1)
    ]
    found = checks(make_census(problem), rows, Settings())
    assert [check.holds for check in found if check.name != "published"] == [True, True]


def test_the_corners_tell_how_many_closed_tours_there_are(path: str) -> None:
    # Nothing is published about this board, and a report counts nothing: the class of a corner tells.
    answered("census", "4x5", "--open", "--leaper", "0,1", "--ledger", path, "-q")
    data = answered("census", "report", "--ledger", path, "--format", "json").json
    closed = count(TourProblem(board=Board.parse("4x5", leaper="0,1"), closed=True)).count
    apart = next(check for check in data["checks"] if check["name"] == "ends a move apart")
    assert apart["holds"]
    assert apart["detail"] == f"{20 * closed} = 20 x {closed} closed tours (as many as have the ends a4-b4)"


@pytest.mark.full
def test_required_moves_leave_the_identity_out(path: str) -> None:
    said = answered("census", "5x6", "--open", "--require", "a1-b3", "--ledger", path, "-q")
    assert "ends a move apart: does not apply with required or forbidden moves, not checked" in said.out


@examples(30)
@given(st.data())
def test_transposing_twice_changes_nothing(data: st.DataObject) -> None:
    sizes = st.integers(2, 6)
    board = Board.parse(
        f"{data.draw(sizes)}x{data.draw(sizes)}", wrap=data.draw(st.sampled_from(["none", "x", "y", "xy"]))
    )
    moves = data.draw(st.lists(st.sampled_from(board.moves), max_size=4, unique=True)) if board.moves else []
    problem = TourProblem(board=board, closed=False, start=(0, 0), require=moves[:2], forbid=moves[2:])
    assert transposed(transposed(problem)) == problem
