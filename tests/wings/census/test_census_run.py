"""Runs of a census: killed, interrupted, two at once, looked at, in batches, in parts, short of memory."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import re
import signal
import sqlite3
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest
from census_engines import STUBS, census, ended, start
from command import answered

from ktsolve.base.limits import Settings
from ktsolve.engines.registry import ENGINES
from ktsolve.problem.problem import TourProblem
from ktsolve.wings.census.jobs import LedgerRow, make_census
from ktsolve.wings.census.ledger import Ledger
from ktsolve.wings.census.run import CensusRun, Ended
from ktsolve.wings.census.work import LocalPool, engine_for

OPEN_5X5 = ["5x5", "--open"]
TOTAL = "open 5x5 by ends: 864 undirected tours"


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "tours.db")


@pytest.fixture
def log(tmp_path: Path) -> str:
    return str(tmp_path / "log.txt")


def rows(path: str) -> list[LedgerRow]:
    with Ledger.read(path) as opened:
        return opened.rows()


def counted(path: str) -> int:
    """Jobs counted; 0 as long as there is no ledger."""
    with contextlib.suppress(Exception):
        return sum(row.result is not None for row in rows(path))
    return 0


def wait_for(path: str, number: int, process: subprocess.Popen[str]) -> None:
    """Wait until so many jobs are counted."""
    until = time.monotonic() + 30
    while counted(path) < number:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.02)


def jobs_done(log: str) -> Counter[str]:
    return Counter(Path(log).read_text("ascii").splitlines())


# -- killed and gone on -----------------------------------------------------------------------------------


@pytest.mark.full
def test_kill_9_loses_the_jobs_in_flight_and_no_more(path: str, log: str) -> None:
    arguments = [*OPEN_5X5, "--ledger", path, "--engine", "logged"]
    first = start(*arguments, CENSUS_LOG=log, CENSUS_DELAY="0.1")
    wait_for(path, 4, first)
    first.kill()
    announced = first.communicate()[1].splitlines()
    kept = {row.name: row.result for row in rows(path) if row.result is not None}
    assert 4 <= len(kept) < 16
    # What was announced is there.
    assert {line.partition(":")[0] for line in announced} <= set(kept)
    time.sleep(0.3)
    in_flight = len(jobs_done(log)) - len(kept)  # its worker is dead as well, or the log would grow
    assert in_flight <= 1

    said = census(*arguments, CENSUS_LOG=log)
    assert said.status == 0, said
    assert said.out.splitlines()[0] == TOTAL
    after = {row.name: row.result for row in rows(path)}
    assert kept.items() <= after.items()
    assert sum(jobs_done(log).values()) <= 16 + in_flight


@pytest.mark.full
def test_two_runs_at_once_do_no_job_twice(path: str, log: str) -> None:
    arguments = [*OPEN_5X5, "--ledger", path, "--engine", "logged"]
    both = [start(*arguments, CENSUS_LOG=log, CENSUS_DELAY="0.05") for _ in range(2)]
    for said in [ended(each) for each in both]:
        assert said.status == 0, said
        assert said.out.splitlines()[0] == TOTAL
    assert set(jobs_done(log).values()) == {1}
    assert len(jobs_done(log)) == 16
    with contextlib.closing(sqlite3.connect(path)) as connection:
        shared = connection.execute("SELECT run, count(*) FROM job GROUP BY run").fetchall()
    assert len(shared) == 2


@pytest.mark.full
def test_one_of_two_runs_is_killed_and_the_other_takes_over(path: str, log: str) -> None:
    arguments = [*OPEN_5X5, "--ledger", path, "--engine", "logged"]
    first = start(*arguments, CENSUS_LOG=log, CENSUS_DELAY="0.1")
    wait_for(path, 2, first)
    second = start(*arguments, CENSUS_LOG=log, CENSUS_DELAY="0.1")
    wait_for(path, 6, second)
    first.kill()
    first.communicate()
    said = ended(second)
    assert (said.status, said.out.splitlines()[0]) == (0, TOTAL)
    assert sum(jobs_done(log).values()) <= 17


@pytest.mark.full
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_stops_at_once_and_keeps_what_was_found(path: str, log: str, number: int) -> None:
    running = start(*OPEN_5X5, "--ledger", path, "--engine", "logged", CENSUS_LOG=log, CENSUS_DELAY="0.3")
    wait_for(path, 1, running)
    running.send_signal(number)
    began = time.monotonic()
    said = ended(running)
    assert time.monotonic() - began < 15
    assert said.status == 3
    why = "interrupted" if number == signal.SIGINT else "terminated"
    assert said.err.endswith(f"\nktsolve: {why}\n")
    assert "undirected tours so far\n" in said.out
    left = [row for row in rows(path) if row.result is None]
    assert left
    assert all(row.state == "waiting" for row in left)
    assert os.listdir(os.path.dirname(path)).count("tours.db-wal") == 0


@pytest.mark.full
def test_a_time_limit_keeps_what_was_found(path: str, log: str) -> None:
    arguments = [*OPEN_5X5, "--ledger", path, "--engine", "logged", "--timeout", "10"]
    said = census(*arguments, "--json", "-q", CENSUS_LOG=log, CENSUS_DELAY="3")
    assert (said.status, said.err) == (3, "ktsolve: stopped at the time limit of 10 s\n")
    assert said.json["count"] is None
    assert said.json["reason"] == "stopped at the time limit of 10 s"
    assert 0 < said.json["counted"] == counted(path) < 16


# -- looked at --------------------------------------------------------------------------------------------


@pytest.mark.full
def test_a_report_while_it_runs(path: str, log: str) -> None:
    running = start(*OPEN_5X5, "--ledger", path, "--engine", "logged", CENSUS_LOG=log, CENSUS_DELAY="0.1")
    wait_for(path, 3, running)
    until = time.monotonic() + 10
    data = answered("census", "report", "--ledger", path, "--format", "json").json
    while data["claimed"] == 0 and time.monotonic() < until:  # between one job and the next
        data = answered("census", "report", "--ledger", path, "--format", "json").json
    assert data["count"] is None
    assert 3 <= data["counted"] < data["total"] == 16
    assert (data["claimed"], data["runs"]) == (1, 1)
    assert 0 < data["left_seconds"] < 16
    text = answered("census", "report", "--ledger", path).out
    assert re.search(r"of 16 jobs counted,( 1 claimed by 1 run,)? about [\d.]+ s left\n", text)
    assert ended(running).status == 0
    assert answered("census", "report", "--ledger", path, "--format", "json").json["count"] == "864"


# -- workers ----------------------------------------------------------------------------------------------


@pytest.mark.full
def test_several_workers(path: str, log: str) -> None:
    said = census(*OPEN_5X5, "--ledger", path, "--engine", "logged", "--workers", "3", CENSUS_LOG=log)
    assert (said.status, said.out.splitlines()[0]) == (0, TOTAL)
    assert set(jobs_done(log).values()) == {1}


@pytest.mark.full
def test_a_worker_that_dies_is_replaced(path: str, log: str) -> None:
    said = census(*OPEN_5X5, "--ledger", path, "--engine", "mortal", CENSUS_LOG=log)
    assert (said.status, said.out.splitlines()[0]) == (0, TOTAL)


@pytest.mark.full
def test_a_job_that_kills_its_workers_is_left_alone(path: str) -> None:
    arguments = [*OPEN_5X5, "--ledger", path, "--engine", "mortal", "--ends", "a1-c1,a1-b2", "-q"]
    said = census(*arguments, CENSUS_LOG="")
    assert said.status == 3
    assert said.err == "ktsolve: a5-c5: its worker process was killed (SIGKILL), 3 times, and 1 more\n"
    assert {row.state for row in rows(path)} == {"waiting"}


@pytest.mark.full
def test_a_crash_is_reported_as_a_crash_and_the_other_jobs_are_done(path: str) -> None:
    said = census(*OPEN_5X5, "--ledger", path, "--engine", "faulty", "-q", "--verbose")
    assert said.status == 4
    *trace, last = said.err.splitlines()
    assert "in count" in "".join(trace)
    assert "a5-c5: a worker process crashed: ZeroDivisionError: fault injected (census_engines.py" in last
    assert last.endswith(", and 7 more")
    assert counted(path) == 8


@pytest.mark.full
def test_a_fatal_signal_is_reported_as_a_crash(path: str) -> None:
    arguments = [*OPEN_5X5, "--ledger", path, "--engine", "faulty", "--ends", "a1-c1", "-q"]
    said = census(*arguments, CENSUS_SIGNAL=str(int(signal.SIGSEGV)))
    assert said.status == 4
    assert "a5-c5: a worker process crashed: SIGSEGV, 3 times" in said.err
    assert said.err.count("\n") == 1


# -- batches, parts, memory -------------------------------------------------------------------------------


@pytest.fixture
def _stubs(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, home in STUBS.items():
        monkeypatch.setitem(ENGINES, name, home)


def run(
    path: str, engine: str, workers: int = 1, parts: int | None = None, **how: int
) -> tuple[Ended, list[LedgerRow]]:
    problem = TourProblem(board="5x6" if parts else "5x5", closed=parts is not None)
    asked = make_census(problem, parts=parts)
    settings = Settings(**how)  # type: ignore[arg-type]
    with Ledger.open(path, asked) as opened, contextlib.closing(LocalPool(workers, settings)) as pool:
        found = CensusRun(opened, pool, engine_for(engine, asked), settings)()
    return found, rows(path)


@pytest.mark.usefixtures("_stubs")
def test_batches_are_used_where_the_engine_offers_them(path: str) -> None:
    found, table = run(path, "inpairs")
    assert found == Ended(16, 0)
    plans = {row.result.plan for row in table if row.result}
    assert "batch 7" in plans
    assert sum(row.multiplicity * row.result.count for row in table if row.result) == 864


@pytest.mark.full
def test_results_of_a_batch_are_kept_one_by_one(path: str) -> None:
    running = start(*OPEN_5X5, "--ledger", path, "--engine", "inpairs", CENSUS_DELAY="0.15")
    wait_for(path, 2, running)
    running.kill()
    running.communicate()
    assert 2 <= counted(path) < 7
    said = census(*OPEN_5X5, "--ledger", path, "--engine", "inpairs")
    assert (said.status, said.out.splitlines()[0]) == (0, TOTAL)


@pytest.mark.full
@pytest.mark.usefixtures("_stubs")
def test_parts(path: str) -> None:
    found, table = run(path, "inparts", workers=2, parts=3)
    assert found == Ended(3, 0)
    assert [row.result.count for row in table if row.result] == [3, 3, 2]
    assert [row.name for row in table] == ["part 1 of 3", "part 2 of 3", "part 3 of 3"]
    data = answered("census", "5x6", "--ledger", path, "--parts", "3", "--audit", "1", "--json").json
    assert data["count"] == "8"
    assert data["audited"][0]["job"] == "total"


@pytest.mark.usefixtures("_stubs")
def test_auto_finds_an_engine_that_counts_in_parts(path: str) -> None:
    data = answered("census", "5x6", "--ledger", path, "--parts", "2", "--json", "-q").json
    assert (data["count"], data["total"]) == ("8", 2)


@pytest.mark.full
@pytest.mark.usefixtures("_stubs")
def test_jobs_too_large_are_refused_and_the_others_done(path: str) -> None:
    found, table = run(path, "hungry", workers=2, memory=64 << 20)
    assert (found.counted, found.left) == (8, 8)
    assert str(found.error) == "a5-c5: it needs about 1 GiB; the memory limit is 64 MiB, and 7 more"
    assert {row.state for row in table if row.name.startswith("a5-")} == {"waiting"}


@pytest.mark.full
@pytest.mark.usefixtures("_stubs")
def test_large_jobs_wait_for_memory(path: str) -> None:
    # Each worker's share is 600 MiB; a job of 1 GiB runs when it has the machine to itself.
    found, table = run(path, "hungry", workers=2, memory=1200 << 20)
    assert found == Ended(16, 0)
    assert all(row.result for row in table)


def test_a_worker_names_the_limit_and_not_its_share() -> None:
    settings = Settings(memory=400 << 20).within_memory(100 << 20, held_counts=False)
    sent = pickle.loads(pickle.dumps(settings))
    assert sent.memory_budget <= 100 << 20
    assert sent.memory_limit == sent.memory_use.total == 400 << 20


def test_a_pool_hands_out_its_memory() -> None:
    with contextlib.closing(LocalPool(4, Settings(memory=400 << 20, threads=8))) as pool:
        slot = pool.offer(None)
        assert slot is not None
        assert (slot.memory, slot.threads) == (100 << 20, 2)
        large = pool.offer(300 << 20)
        assert large is not None
        assert large.memory == 300 << 20


def test_jobs_that_arithmetic_answers(path: str) -> None:
    data = answered("census", "3x3", "--open", "--engine", "search", "--ledger", path, "--json", "-q").json
    assert data["count"] == "0"
    text = json.dumps([row.result.engine for row in rows(path) if row.result])
    assert "arithmetic" in text
