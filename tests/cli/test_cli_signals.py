"""Pipes, terminals and Ctrl-C."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import COMMAND, Said, answered, names_in, process, tours_in, users_instance
from interrupting import interrupted
from marks import full
from measured_command import measured

from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.find import FoundTours, find_all


def shell(line: str) -> Said:
    ended = subprocess.run(
        ["bash", "-c", f"set -o pipefail; ktsolve() {{ '{sys.executable}' -m ktsolve \"$@\"; }}; {line}"],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    return Said(ended.returncode, ended.stdout, ended.stderr)


@pytest.mark.parametrize(
    "line",
    [
        "ktsolve tour 8x8 --all -q | head -1",
        full("ktsolve tour 8x8 --number 1 -q | head -1"),
        full("ktsolve tour 8x8 --all -q --format cells | head -1"),
        full("ktsolve sample 6x6 --number 100000 -q --format cells | head -1"),
        full("ktsolve --help | head -1"),
        full("ktsolve tour 5x6 -q | true"),
        full("ktsolve count 4x5 --open --by endpoints --json -q | true"),
        full("(yes C~ || true) | head -99 | ktsolve prove - --certificate /dev/null -q | head -1"),
    ],
)
def test_a_closed_pipe_is_no_error(line: str) -> None:
    said = shell(line)
    assert (said.status, said.err) == (0, "")
    assert said.out.count("\n") <= 1


@pytest.mark.full
def test_streams_that_are_not_there() -> None:
    assert shell("ktsolve tour 5x6 -q >&-").status == 0
    assert shell("ktsolve tour 5x6 2>&-") == Said(0, process("tour", "5x6", "-q").out, "")
    assert shell("ktsolve tour 8+8 2>&-") == Said(2, "", "")
    said = shell("ktsolve check - <&-")
    assert said == Said(2, "", "ktsolve: there is no tour in the input: it is empty\n")


@pytest.mark.full
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize(
    "arguments",
    [
        "tour 5x6 -q",
        "tour 5x6 --all -q",
        "count 5x6 --json",
        "--help",
    ],
)
def test_a_full_disk_is_one_line(arguments: str) -> None:
    said = shell(f"ktsolve {arguments} > /dev/full")
    assert said.status == 2
    assert said.complaint == "input or output failed: [Errno 28] No space left on device"
    said = shell(f"ktsolve {arguments} -o /dev/full") if arguments != "--help" else said
    assert said.status == 2
    assert "No space left on device" in said.complaint


@pytest.mark.full
def test_a_terminal_that_lacks_letters(tmp_path: Path) -> None:
    path = tmp_path / "ring.toml"
    title = 'title = "Rösselsprünge ♞"\n'
    path.write_text(f'{title}model = "tour"\n[parameters]\nboard = "4x6"\nclosed = true\n', encoding="utf-8")
    env = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    said = process("solve", str(path), "-q", env=env)
    assert (said.status, said.err) == (1, "")
    assert said.out.startswith(r"R\xf6sselspr\xfcnge \u265e: impossible")
    assert process("solve", str(path), "-q", "--json", env=env).json["instance"] == "Rösselsprünge ♞"


@pytest.mark.parametrize(
    "arguments",
    [
        ["count", "8x10"],
        full(["count", "8x8", "--open", "--by", "endpoints"]),
        full(["count", "8x8", "--engine", "frontier"]),
        full(["count", "8x8", "--engine", "search"]),
        full(["count", "6x7", "--open", "--engine", "sat", "--timeout", "60"]),
        full(["sample", "7x8", "--engine", "frontier"]),
        full(["tour", "80x80", "--engine", "cpsat"]),
        full(["tour", "24x24", "--engine", "sat", "--encoding", "binary"]),
    ],
)
def test_ctrl_c_stops_long_work(arguments: list[str]) -> None:
    said, seconds = interrupted(arguments)
    assert (said.status, said.out) == (3, "")
    assert said.complaint == "interrupted"
    assert seconds < 15


PIGEONS = """
from ktsolve import Model
from ktsolve.models import Built

def build(parameters):
    n = parameters["n"]
    model = Model("one pigeon too many")
    sits = [[model.boolean(f"{pigeon}:{hole}") for hole in range(n)] for pigeon in range(n + 1)]
    for pigeon in sits:
        model.clause(*pigeon)
    for hole in zip(*sits):
        for i, first in enumerate(hole):
            for second in hole[:i]:
                model.clause(~first, ~second)
    return Built(model, list)
"""


@pytest.mark.full
def test_ctrl_c_is_heard_within_a_long_call_of_a_sat_solver(tmp_path: Path) -> None:
    path = users_instance(tmp_path, PIGEONS, "n = 20")
    # The start takes half a second of processor time, more of a busy one; before it ends there is no JSON.
    said, seconds = interrupted(["solve", path, "--engine", "sat", "--json"], busy=2.0)
    assert (said.status, said.complaint) == (3, "interrupted")
    assert (said.json["status"], said.json["reason"]) == ("unknown", "interrupted")
    assert seconds < 15


@pytest.mark.parametrize("many", ["--all", "--number=9"])
def test_an_interrupted_list_keeps_what_it_has(monkeypatch: pytest.MonkeyPatch, many: str) -> None:
    def two_and_ctrl_c(problem: TourProblem, *_: object) -> FoundTours:
        def tours() -> Iterator[Tour]:
            real = find_all(problem)
            yield next(real)
            yield next(real)
            raise KeyboardInterrupt

        return FoundTours("sat", tours())

    monkeypatch.setattr("ktsolve.tasks.find.find_all", two_and_ctrl_c)
    said = answered("tour", "5x6", many, "--format", "cells", status=3)
    assert len(tours_in(said.out, "5x6", closed=True)) == 2
    assert said.complaint == "interrupted, 2 tours written"
    assert len(answered("tour", "5x6", many, "--json", status=3).json["tours"]) == 2


@pytest.mark.full
def test_ctrl_c_keeps_the_tours_drawn_so_far() -> None:
    said, seconds = interrupted(["sample", "6x6", "-n", "1000000000", "--format", "cells"], first_line=True)
    assert (said.status, bool(re.fullmatch(r"interrupted, \d+ tours written", said.complaint))) == (3, True)
    assert seconds < 15
    assert len(tours_in(said.out, "6x6", closed=True)) > 1


@pytest.mark.parametrize(
    "engine",
    ["search", full("sat"), full("cpsat")],
)
def test_ctrl_c_keeps_the_tours_found_so_far(engine: str) -> None:
    said, seconds = interrupted(
        ["tour", "8x8", "--all", "--format", "cells", "--engine", engine], first_line=True
    )
    assert said.status == 3
    assert seconds < 15
    tours = tours_in(said.out, "8x8", closed=True)
    assert len(tours) > 1
    told = re.fullmatch(r"interrupted, (\d+) tours written", said.complaint)
    assert told is not None
    assert len(tours) - int(told[1]) in (0, 1)  # one may have been on its way


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs the /proc of Linux")
def test_ctrl_c_keeps_the_tours_found_so_far_as_json(tmp_path: Path) -> None:
    line = ["tour", "8x8", "--all", "--json", "-o", "out.json"]
    seen = measured([*COMMAND, *line], when=lambda running: running.writes, cwd=tmp_path)
    assert (seen.status, seen.out, seen.complaint) == (3, b"", "ktsolve: interrupted")
    data = json.loads((tmp_path / "out.json").read_text())
    assert (data["status"], data["complete"], data["reason"]) == ("found", False, "interrupted")
    assert len(data["tours"]) > 1
    assert names_in(tmp_path) == ["out.json"]


@pytest.mark.full
@pytest.mark.parametrize(
    ("arguments", "busy"),
    [
        (["tour", "8x8", "--minimise", "crossings"], 1.5),
        (["non-crossing", "9x9"], 1.5),
        (["clues", "reduce", "tour.txt"], 1.5),
    ],
)
def test_ctrl_c_keeps_the_best_so_far(
    arguments: list[str], busy: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answered("tour", "14x14", "-o", "tour.txt", "-q")
    said, seconds = interrupted([*arguments, "--json", "-q"], busy=busy)
    assert said.status == 3
    assert seconds < 15
    data = said.json
    if "clues" in data:
        assert data["minimal"] is False
    else:
        assert (data["status"], data["squares"][0] != []) == ("found", True)


LOST = """
import signal, sys, time
import ktsolve.cli.app
from ktsolve.__main__ import main

class Destroyed:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

def command():
    Destroyed()  # Python prints and drops what a destructor raises
    time.sleep(50)

ktsolve.cli.app.main = command
try:
    main()
except KeyboardInterrupt:
    print("heard")
"""


def test_ctrl_c_within_a_destructor_is_not_lost() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOST], capture_output=True, text=True, check=False, timeout=40
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "heard\n", "")
