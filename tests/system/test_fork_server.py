"""Forked commands are as those of ordinary processes: output, status, folder, environment, signals, pipes."""

from __future__ import annotations

import os
import signal
import subprocess
import sysconfig
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from marks import quick

pytestmark = pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="needs the /proc of Linux")

LINES = [
    "ktsolve count 6x6",
    "ktsolve tour 4x6; echo $?",
    "ktsolve tour 6x6 --engine search -q | ktsolve check - --closed",
    "ktsolve list engines | head -n 1; echo ${PIPESTATUS[@]}",
    "ktsolve count 5x5x5; echo $?",
    "ktsolve count 8x9 --timeout 0.001 2>&1; echo $?",
    "ktsolve walk 5x6 -q -o a.txt; ktsolve check ./a.txt; cat a.txt",
    "COLUMNS=70 ktsolve count --help",
]


def said(line: str, folder: Path, programs: str) -> tuple[int, str, str]:
    environment = {**os.environ, "PATH": os.pathsep.join([programs, os.environ["PATH"]])}
    done = subprocess.run(
        ["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, timeout=120
    )
    errors = [each for each in done.stderr.splitlines() if each.startswith("ktsolve: ")]
    return done.returncode, done.stdout, "\n".join(errors)


@pytest.mark.parametrize("line", quick(LINES, LINES[1:2].__contains__))
def test_a_forked_command_says_what_a_process_says(line: str, tmp_path: Path, forked: str) -> None:
    assert said(line, tmp_path, forked) == said(line, tmp_path, sysconfig.get_path("scripts"))


LONG = "ktsolve tour 8x8 --all -q -o a.txt & client=$!; "


@pytest.mark.full
def test_a_client_that_is_killed_takes_its_command_along(tmp_path: Path, forked: str) -> None:
    line = f"{LONG} sleep 1; kill -9 $client; wait $client; echo $?"
    assert said(line, tmp_path, forked)[1] == "137\n"
    assert within_a_minute(lambda: not commands_in(tmp_path))


def test_a_signal_that_ends_a_command_ends_its_client(tmp_path: Path, forked: str) -> None:
    with ThreadPoolExecutor(1) as pool:
        ended = pool.submit(said, f"{LONG} wait $client; echo $?", tmp_path, forked)
        assert within_a_minute(lambda: bool(commands_in(tmp_path)))
        for process in commands_in(tmp_path):
            os.kill(process, signal.SIGKILL)
        assert ended.result()[1] == "137\n"


def within_a_minute(holds: Callable[[], bool]) -> bool:
    until = time.monotonic() + 60
    while not (held := holds()) and time.monotonic() < until:
        time.sleep(0.02)
    return held


def commands_in(folder: Path) -> list[int]:
    """The forked processes whose folder this is."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (process / "cwd").readlink() == folder and b"fork_server" in (
                process / "cmdline"
            ).read_bytes():
                found.append(int(process.name))
    return found
