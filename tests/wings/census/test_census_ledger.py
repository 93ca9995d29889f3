"""The ledger: what is written is there, claims, and everything that can be wrong with a file."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.graphs.board import Board
from ktsolve.problem.problem import TourProblem
from ktsolve.wings.census import ledger, storage
from ktsolve.wings.census.jobs import Census, JobResult, make_census
from ktsolve.wings.census.ledger import Disagreement, Ledger
from ktsolve.wings.census.storage import Claimant

CENSUS = make_census(TourProblem(board="5x5", closed=False))
SEVEN = JobResult(7, "search", "0.1.0", "nodes 12", 0.25, 4096)


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "tours.db")


@contextlib.contextmanager
def at_work(path: str, census: Census = CENSUS) -> Iterator[Ledger]:
    with Ledger.open(path, census) as opened:
        opened.enter(workers=1)
        yield opened


def change(path: str, statement: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)


# -- questions and jobs -----------------------------------------------------------------------------------


@st.composite
def censuses(draw: st.DrawFn) -> Census:
    rows, columns = draw(st.integers(2, 5)), draw(st.integers(2, 5))
    board = Board.parse(
        f"{rows}x{columns}",
        wrap=draw(st.sampled_from(["none", "x", "y", "xy"])),
        leaper=draw(st.sampled_from(["1,2", "0,1", "1,3"])),
        without=draw(st.sampled_from(["", "a1", "a1 b2"])),
    )
    moves = draw(st.lists(st.sampled_from(board.moves), max_size=3, unique=True)) if board.moves else []
    problem = TourProblem(board=board, closed=draw(st.booleans()), require=moves[:1], forbid=moves[1:])
    return make_census(problem, parts=draw(st.sampled_from([None, 1, 5])))


@examples(25)
@given(censuses())
def test_a_question_survives_its_key(census: Census) -> None:
    again = Census.from_key(census.key)
    assert again == census
    assert again.jobs == census.jobs
    assert again.key == census.key


@examples(25)
@given(censuses())
def test_jobs_are_all_there_is(census: Census) -> None:
    assert [job.number for job in census.jobs] == list(range(1, len(census.jobs) + 1))
    assert len({job.name for job in census.jobs}) == len(census.jobs)
    if census.split == "parts":
        assert [job.part for job in census.jobs] == [(i, census.parts) for i in range(census.parts)]
        return
    members = [pair for job in census.jobs for pair in census.members(job)]
    assert len(members) == len(set(members)) == sum(job.multiplicity for job in census.jobs)
    cells = len(census.problem.board)
    assert len(members) + census.ruled_out == cells * (cells - 1) // 2


@pytest.mark.parametrize(
    ("classes", "names"),
    [("a1-c1", ["a5-c5"]), ("e1-a1; c3-a1", ["a5-e5", "a5-c3"]), ("4,0-4,2,a1-c1", ["a5-c5"])],
)
def test_any_member_names_its_class(classes: str, names: list[str]) -> None:
    census = make_census(CENSUS.problem, classes=classes)
    assert [job.name for job in census.jobs] == names
    assert not census.whole


# -- what is written is there -----------------------------------------------------------------------------


@examples(15)
@given(
    count=st.integers(0, 10**80),
    engine=st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20),
    plan=st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=60),
    seconds=st.floats(0, 1e9),
    peak=st.none() | st.integers(0, 2**62),
)
def test_a_result_survives_the_ledger(
    count: int, engine: str, plan: str, seconds: float, peak: int | None
) -> None:
    result = JobResult(count, engine, "1.0", plan, seconds, peak)
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/tours.db"
        with at_work(path) as opened:
            opened.record(3, result)
        with Ledger.read(path) as opened:
            row = opened.rows()[2]
            assert (row.result, row.state) == (result, "counted")


def test_a_ledger_at_rest_is_one_file(path: str) -> None:
    with at_work(path) as opened:
        opened.record(1, SEVEN)
        assert os.path.exists(f"{path}-wal")
    assert os.listdir(os.path.dirname(path)) == ["tours.db"]


def test_the_disk_is_waited_for(path: str) -> None:
    with at_work(path) as opened:
        pragma = opened._connection.execute
        assert pragma("PRAGMA synchronous").fetchone() == (2,)
        assert pragma("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_count_is_written_once(path: str) -> None:
    with at_work(path) as opened:
        assert opened.record(1, SEVEN)
        assert not opened.record(1, JobResult(7, "frontier", "0.2", "", 1.0, None))
        assert opened.rows()[0].result == SEVEN
        with pytest.raises(Disagreement, match="a5-c5: frontier counts 8, the ledger has 7"):
            opened.record(1, JobResult(8, "frontier", "0.2", "", 1.0, None))


# -- claims -----------------------------------------------------------------------------------------------


def test_nobody_claims_twice(path: str) -> None:
    with at_work(path) as first, at_work(path) as second:
        assert first.claim([1, 2, 3]) == [1, 2, 3]
        assert second.claim([2, 3, 4]) == [4]
        assert second.free_dead() == 0
        assert second.waiting() == list(range(5, 17))
        first.release([2])
        second.release([3])  # not its own
        assert second.claim([2, 3]) == [2]
        assert first.working().keys() == second.working().keys() == {1, 2}
    with Ledger.read(path) as opened:
        assert {row.state for row in opened.rows()} == {"waiting"}


def test_many_claim_at_once(path: str) -> None:
    got: list[list[int]] = []

    def claim() -> None:
        with at_work(path) as opened:
            got.append([number for each in range(1, 17) for number in opened.claim([each])])
            together.wait()

    together = threading.Barrier(4)
    with Ledger.open(path, CENSUS):
        threads = [threading.Thread(target=claim) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(number for numbers in got for number in numbers) == list(range(1, 17))


BEGINS = """
import random, sys, time
from ktsolve.wings.census.jobs import make_census
from ktsolve.wings.census.ledger import Ledger
from ktsolve.problem.problem import TourProblem
census = make_census(TourProblem(board="5x5", closed=False))
sys.stdin.readline()
for round in range(20):
    with Ledger.open(f"{sys.argv[1]}{round}", census) as ledger:
        ledger.enter(1)
        time.sleep(0.01 * random.random())
        with Ledger.read(ledger.path) as seen:
            seen.check_rows()
"""


@pytest.mark.full
def test_runs_that_begin_and_end_at_the_same_time(path: str) -> None:
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", BEGINS, path], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    for run in runs:
        assert run.stdin is not None
        run.stdin.write("go\n")
        run.stdin.flush()
    for run in runs:
        assert run.communicate(timeout=60)[1] == ""


CLAIMS = """
import os, signal, sys
from ktsolve.wings.census.jobs import make_census
from ktsolve.wings.census.ledger import Ledger
from ktsolve.problem.problem import TourProblem
ledger = Ledger.open(sys.argv[1], make_census(TourProblem(board="5x5", closed=False)))
ledger.enter(1)
ledger.claim([1, 2])
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_claims_of_a_killed_run_are_free_at_once(path: str) -> None:
    subprocess.run([sys.executable, "-c", CLAIMS, path], check=False)
    with Ledger.read(path) as seen:
        assert seen.rows()[0].state == "claimed"
        assert seen.working() == {}
    with at_work(path) as opened:
        assert opened.free_dead() == 2
        assert opened.claim([1, 2]) == [1, 2]


def test_claims_from_elsewhere_expire(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with at_work(path) as there:
        there.claim([1])
        change_place = "UPDATE run SET place = 'another container'"
        there._connection.execute(change_place)
        with at_work(path) as here:
            assert here.free_dead() == 0
            monkeypatch.setattr(storage, "LEASE", 0.0)
            assert here.free_dead() == 1
            # It was not dead, only silent: its result is welcome, or compared.
            assert here.claim([1]) == [1]
            assert there.record(1, SEVEN)
            assert not here.record(1, SEVEN)


def test_a_number_used_again_is_another_process() -> None:
    me = Claimant.this_process()
    assert me.alive(silence=1e9)
    assert not Claimant(me.place, me.pid, "12").alive(silence=0)
    child = subprocess.Popen(["sleep", "60"])
    its = Claimant(me.place, child.pid, storage._born(child.pid) or "")
    assert its.alive(silence=0)
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # dead, and not buried
    assert not its.alive(silence=0)
    child.wait()
    assert not its.alive(silence=0)


# -- what can be wrong with a file ------------------------------------------------------------------------


@pytest.fixture
def filled(path: str) -> str:
    with at_work(path) as opened:
        for number in range(1, 9):
            opened.record(number, SEVEN)
    return path


def test_another_question(filled: str) -> None:
    other = make_census(TourProblem(board="5x6", closed=False))
    with pytest.raises(BadInput, match=r"is of open 5x5 by ends, .* open 5x6 by ends"):
        Ledger.open(filled, other)
    with pytest.raises(BadInput, match=r"is of open 5x5 by ends, .* open 5x5 by ends, classes a5-c5"):
        Ledger.open(filled, make_census(CENSUS.problem, classes="a1-c1"))


@pytest.mark.parametrize(
    ("statement", "row"),
    [
        ("UPDATE job SET count = '8' WHERE number = 2", r"row 2 \(a5-e5\) has a wrong checksum"),
        ("UPDATE job SET count = '07' WHERE number = 2", "row 2"),
        ("UPDATE job SET seconds = 0 WHERE number = 2", "row 2"),
        ("UPDATE job SET engine = NULL WHERE number = 2", "row 2"),
        ("UPDATE job SET checksum = 'x' WHERE number = 2", "row 2"),
        (
            "UPDATE job SET multiplicity = 5 WHERE number = 2",
            r"row 2 \('a5-e5', multiplicity 5\) is not",
        ),
        ("UPDATE job SET name = 'a5-zz' WHERE number = 2", r"row 2 \('a5-zz', multiplicity 4\) is not a job"),
        ("DELETE FROM job WHERE number = 2", r"row 2 \(a5-e5\) is missing"),
        ("INSERT INTO job (number, name, multiplicity) VALUES (17, 'a5-c5 again', 8)", "row 17"),
        ("UPDATE census SET question = '{}'", "checksum of its question"),
        ("DELETE FROM census", "checksum of its question"),
    ],
)
def test_edited_ledgers(filled: str, statement: str, row: str) -> None:
    change(filled, statement)
    with pytest.raises(BadInput, match=f"is damaged: .*{row}"):
        Ledger.open(filled, CENSUS)


def test_what_sqlite_itself_refuses(filled: str) -> None:
    for statement in (
        "INSERT INTO job (number, name, multiplicity) VALUES (2, 'x', 1)",
        "INSERT INTO job (number, name, multiplicity) VALUES (99, 'a5-e5', 1)",
        "UPDATE job SET multiplicity = 'many'",
        "UPDATE job SET count = NULL",
    ):
        with pytest.raises(sqlite3.IntegrityError):
            change(filled, statement)


def test_a_row_fits_into_no_other_ledger(filled: str, tmp_path: Path) -> None:
    other = str(tmp_path / "other.db")
    census = make_census(TourProblem(board="5x5", closed=False, forbid=["c3-d5"]))
    Ledger.open(other, census).close()
    with contextlib.closing(sqlite3.connect(other)) as connection, connection:
        connection.execute("ATTACH ? AS old", (filled,))
        columns = "count, engine, version, plan, seconds, peak_bytes, finished, checksum"
        connection.execute(
            f"UPDATE job SET ({columns}) = (SELECT {columns} FROM old.job WHERE number = 1) WHERE number = 1"
        )
    with pytest.raises(BadInput, match="wrong checksum"):
        Ledger.open(other, census)


def test_cleared_rows_are_waiting_again(filled: str) -> None:
    change(filled, "UPDATE job SET count = '8' WHERE number IN (2, 4)")
    assert Ledger.clear_damaged(filled, CENSUS) == ["a5-e5", "a5-d4"]
    with Ledger.open(filled, CENSUS) as opened:
        assert [row.state for row in opened.rows()[:5]] == [
            "counted",
            "waiting",
            "counted",
            "waiting",
            "counted",
        ]


def both_refuse(path: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        Ledger.open(path, CENSUS)
    with pytest.raises(BadInput, match=message):
        Ledger.read(path)


def test_not_sqlite(path: str) -> None:
    Path(path).write_text("number,job\n" * 200)
    both_refuse(path, "tours.db is not a ledger.*: not an SQLite file")


def test_sqlite_of_something_else(path: str) -> None:
    change(path, "CREATE TABLE songs (title TEXT)")
    both_refuse(path, "tours.db is not a ledger.*: an SQLite file of another program")


def test_of_another_schema(filled: str) -> None:
    change(filled, "PRAGMA user_version = 99")
    both_refuse(filled, "has schema 99, this version of ktsolve reads schema 1")


@pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
def test_truncated(filled: str, part: float) -> None:
    os.truncate(filled, int(os.path.getsize(filled) * part))
    both_refuse(filled, "is damaged|not an SQLite file")


def test_overwritten_in_the_middle(filled: str) -> None:
    with open(filled, "r+b") as stream:
        stream.seek(os.path.getsize(filled) // 2)
        stream.write(os.urandom(6000))
    both_refuse(filled, "is damaged")


def test_no_file_and_no_folder(path: str) -> None:
    with pytest.raises(BadInput, match=r"the ledger .* does not exist"):
        Ledger.read(path)
    with pytest.raises(BadInput, match=r"the folder .* does not exist"):
        Ledger.open(f"{path}/there/tours.db", CENSUS)
    both_refuse(os.path.dirname(path), "is a folder")
    Path(path).touch()
    with pytest.raises(BadInput, match="is empty"):
        Ledger.read(path)
    Ledger.open(path, CENSUS).close()  # an empty file may become one


@pytest.mark.skipif(not os.path.isdir("/sys/kernel"), reason="a folder where nobody can write")
def test_a_folder_where_nothing_can_be_made() -> None:
    with pytest.raises(BadInput, match=r"the ledger /sys/kernel/tours\.db cannot be opened"):
        Ledger.open("/sys/kernel/tours.db", CENSUS)


def test_a_ledger_without_permission(filled: str) -> None:
    os.chmod(filled, 0o400)
    if os.access(filled, os.W_OK):
        pytest.skip("root may write everywhere")
    with pytest.raises(BadInput, match="cannot be written"):
        Ledger.open(filled, CENSUS)
    Ledger.read(filled).close()


def test_a_full_disk(path: str) -> None:
    with at_work(path) as opened:
        opened.record(1, SEVEN)
        (pages,) = opened._connection.execute("PRAGMA page_count").fetchone()
        opened._connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(LimitReached, match=r"the disk is full: .*ledger"):
            opened.record(2, JobResult(1, "search", "1", "x" * 50_000, 0.1, None))
        with Ledger.read(path) as seen:
            rows = seen.rows()
    assert rows[0].result == SEVEN
    assert all(row.sound for row in rows)


def test_a_disk_full_from_the_beginning(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def tiny(path: str, mode: str) -> sqlite3.Connection:
        connection = storage.connect(path, mode)
        connection.execute("PRAGMA max_page_count = 2")
        return connection

    monkeypatch.setattr(ledger, "connect", tiny)
    with pytest.raises(LimitReached, match="the disk is full"):
        Ledger.open(path, CENSUS)


def test_a_ledger_that_is_moved_away(path: str) -> None:
    with at_work(path) as opened:
        opened.heartbeat(1)
        shutil.move(path, f"{path}.old")
        with pytest.raises(BadInput, match="was moved or replaced while it was in use"):
            opened.heartbeat(1)


def test_a_ledger_locked_by_others(filled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "_LOCK_TIMEOUT", 0.1)
    with contextlib.closing(sqlite3.connect(filled, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(LimitReached, match=r"another program has kept the ledger .* locked for 0\.1 s"):
            Ledger.open(filled, CENSUS)


def test_readers_do_not_hold_up_the_writer(filled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "_LOCK_TIMEOUT", 0.0)
    with at_work(filled) as opened, Ledger.read(filled) as seen:
        seen._connection.execute("BEGIN")
        before = seen.rows()
        assert opened.record(9, SEVEN)  # in the middle of a reader's transaction
        assert seen.rows() == before
        seen._connection.execute("COMMIT")
        assert seen.rows()[8].result == SEVEN
