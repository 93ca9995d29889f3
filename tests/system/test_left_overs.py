"""Nothing is left of a command that is interrupted, terminated or killed: no process, no half file."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from marks import full, quick
from measured_command import KTSOLVE, Running, measured

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs the /proc of Linux")

Event = Callable[[Running], bool]


def workers(number: int) -> Event:
    return lambda running: len(running.children) >= number


def spills(running: Running) -> bool:
    """It has written a table to its temporary folder."""
    return any(path.is_file() for path in running.temporary.rglob("*"))


def writes(running: Running) -> bool:
    """It has written to a file."""
    return running.writes


WORK: dict[str, tuple[str, Event]] = {
    "a SAT solver in a worker": ("tour 24x24 --engine sat --encoding binary --timeout 600", workers(1)),
    "a census": ("census run 8x8 --open --ledger census.db --workers 2", workers(2)),
    "the cross-check": ("verify --level full", workers(1)),
    "tables on disk": ("count 8x9 --engine join --memory 150M", spills),
    "tours to a file": ("tour 8x8 --all --format cells -o out.txt", writes),
    "one object to a file": ("tour 8x8 --all --json -o out.txt", writes),
}

KEPT = {"census.db", "census.db-journal", "census.db-wal", "census.db-shm"}
"""The ledger and the files of SQLite beside it: the next run goes on from them."""


@pytest.mark.parametrize("number", [signal.SIGTERM, full(signal.SIGKILL)])
@pytest.mark.parametrize(
    "name", quick(WORK, lambda name: name == "tables on disk", lambda number: number % 2 == 0)
)
def test_nothing_is_left(name: str, number: signal.Signals) -> None:
    line, event = WORK[name]
    seen = measured([*KTSOLVE, *line.split()], send=number, when=event)
    assert seen.processes == (), seen
    kept = {"out.txt"} if number == signal.SIGTERM else set()
    assert set(seen.files) <= KEPT | kept, seen.files
    if number == signal.SIGKILL:
        assert seen.status == -number
        return
    assert seen.status == 3, seen
    assert "terminated" in seen.complaint + seen.out.decode(), seen
    assert seen.after_signal < 30


NOT_IGNORED = pytest.mark.skipif(
    signal.getsignal(signal.SIGHUP) == signal.SIG_IGN, reason="commands ignore SIGHUP below nohup"
)


@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGHUP, marks=[NOT_IGNORED, pytest.mark.full])]
)
def test_what_was_found_is_kept(number: signal.Signals, tmp_path: Path) -> None:
    line, event = WORK["tours to a file"]
    seen = measured([*KTSOLVE, *line.split()], send=number, when=event, cwd=tmp_path)
    word = "interrupted" if number == signal.SIGINT else "terminated"
    assert (seen.status, seen.processes, seen.files) == (3, (), ("out.txt",))
    written = int(seen.complaint.removeprefix(f"ktsolve: {word}, ").split()[0])
    assert (tmp_path / "out.txt").read_text().count("\n") - written in (0, 1)


@pytest.mark.full
@pytest.mark.parametrize(
    "line",
    [
        full("tour 6x6 --all --engine sat --memory 2G --format cells"),
        "census run 5x5 --open --ledger census.db --workers 2",
    ],
)
def test_a_closed_pipe_leaves_nothing(line: str, tmp_path: Path) -> None:
    command = " ".join(KTSOLVE)
    seen = measured(["bash", "-c", f"set -o pipefail; {command} {line} | head -1"], cwd=tmp_path)
    assert (seen.status, seen.processes) == (0, ()), seen
    assert set(seen.files) <= KEPT
    assert seen.out.count(b"\n") == 1
