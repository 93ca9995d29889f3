"""Levels of vector instructions: the setting that forces one, and what names the one in use."""

import os
import subprocess
import sys

import pytest
from marks import quick

from ktsolve import TourProblem, _native
from ktsolve.verify.report import as_json, as_lines
from ktsolve.verify.run import CaseResult, Report


def ktsolve(vectors: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ktsolve", *arguments],
        env={**os.environ, "KTSOLVE_VECTORS": vectors},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("level", quick(_native.vector_levels(), _native.vector_levels()[:1].__contains__))
def test_every_level_of_the_machine_counts_the_same(level: str) -> None:
    done = ktsolve(level, "count", "6x6", "--open", "--engine", "join")
    assert done.stdout == "open 6x6: 3318960 undirected tours\n"


def test_a_level_that_is_not_there_is_refused_in_one_line() -> None:
    done = ktsolve("v9", "count", "6x6", "--engine", "join")
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    levels = ", ".join(_native.vector_levels())
    assert line == (
        f"ktsolve: KTSOLVE_VECTORS: 'v9' is not a level of vector instructions: this machine has {levels}"
    )


def test_a_level_can_be_taken_and_left() -> None:
    best = _native.vector_level()
    assert best == _native.vector_levels()[-1] or "KTSOLVE_VECTORS" in os.environ
    with pytest.raises(ValueError, match="not a level of vector instructions"):
        _native.use_vector_level("best")
    _native.use_vector_level("plain")
    assert _native.vector_level() == "plain"
    _native.use_vector_level(best)


def test_verify_names_the_level() -> None:
    report = Report("quick", [CaseResult(TourProblem("5x6"), None)], [], vectors="v3 of plain, v3")
    assert as_json(report)["vectors"] == "v3 of plain, v3"
    assert "Vectors: v3 of plain, v3" in list(as_lines(report))
