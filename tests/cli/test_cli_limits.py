"""Time and memory limits of every command."""

from __future__ import annotations

import re
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest
from command import answered, refused, users_instance
from marks import full, slow

from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Settings
from ktsolve.cli import options, problem_options, prove
from ktsolve.problem.problem import TourProblem
from ktsolve.proof.certificate import Certificate, Clauses


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        full("count 8x10 --timeout 1", r"stopped at the time limit of 1 s(, \d+ of \d+ cells of .*)?"),
        slow(
            "count 8x8 --memory 20M",
            r"counting closed 8x8 by halves .* needs .*; the memory limit is 20 MiB",
        ),
        (
            "count 8x8 --engine search --timeout .3",
            r"stopped at the time limit of 0\.3 s(, [\d,]+ tours found .*)?",
        ),
        # Where the machine is slow or busy the model may be all that there is.
        full(
            "count 8x8 --engine sat --timeout .5s",
            r"stopped at the time limit of 0\.5 s(, ([\d,]+|no) tours? found.*|, after stating .*)?",
        ),
        (
            "count 8x8 --engine cpsat --timeout 0.5",
            r"stopped at the time limit of 0\.5 s(, ([\d,]+|no) tours? found|, after stating .*)?",
        ),
        full("count 8x8 --open --by endpoints --timeout 0.5", r"stopped at the time limit of .*"),
        full(
            "count 200x200",
            r"counting closed 200x200 needs a frontier of \d+ cells, about \de\+\d+ states .*",
        ),
        full("count 20x20", r"counting closed 20x20 needs a frontier of \d+ cells, about \de\+\d+ states .*"),
        full("tour 40x40 --open --engine cpsat --timeout 0.2", r"stopped at the time limit of 0\.2 s.*"),
        full(
            "tour 160x160 --engine sat --memory 64M --timeout 12",
            r"the SAT solver stopped at the memory limit of 64 MiB, .*",
        ),
        (
            "tour 20000x20000 --engine sat",
            r"a board of 400,000,000 cells takes at least 745 GiB; the memory limit is .*",
        ),
        (
            "count 20000x20000",
            r"a board of 400,000,000 cells takes at least 745 GiB; the memory limit is .*",
        ),
        (
            "count 300x300 --memory 100M",
            r"a board of 90,000 cells takes at least 172 MiB; the memory limit is 100 MiB",
        ),
        ("tour 20000x20000 --without first:300000000", r"a board of 400,000,000 cells takes .*"),
        ("check - --board 20000x20000", r"a board of 400,000,000 cells takes .*"),
        full("prove 999x999 --timeout 1", r"stopped at the time limit of 1 s.*"),
        full("tour 300x300 --engine sat --timeout 0.1", r"stopped at the time limit of 0\.1 s.*"),
        (
            "count 100x100 --timeout 0.1",
            r"(stopped at the time limit of 0\.1 s|counting closed 100x100 needs a ).*",
        ),
    ],
)
def test_limits_end_with_status_3_and_what_was_reached(arguments: str, message: str) -> None:
    started = time.monotonic()
    given = b"a1 b3"
    assert re.fullmatch(message, refused(*arguments.split(), status=3, given=given))
    # A limit of memory alone is met after some work, which takes as long as the machine is busy.
    assert "--timeout" not in arguments or time.monotonic() - started < 60


def test_a_users_model_that_never_ends_is_stopped(tmp_path: Path) -> None:
    path = users_instance(tmp_path, "def build(parameters):\n    while True:\n        pass\n", "")
    assert refused("solve", path, "--timeout", "0.2", status=3) == "stopped at the time limit of 0.2 s"


@pytest.mark.full
def test_the_backstop_leaves_nothing_behind() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with (
        pytest.raises(LimitReached, match=r"stopped at the time limit of 0\.01 s"),
        options.backstop(Settings(timeout=0.01)),
    ):
        time.sleep(5)
    with options.backstop(Settings(timeout=0.01)):
        pass
    with options.backstop(Settings()):
        pass
    time.sleep(1.2)
    assert signal.getsignal(signal.SIGALRM) is before


def test_sizes_that_fit() -> None:
    problem_options.check_size("8x8", Settings(memory=1 << 20))
    with pytest.raises(LimitReached):
        problem_options.check_size("80x80", Settings(memory=1 << 20))


@pytest.mark.parametrize(
    ("text", "value"),
    [("30", 30), ("30s", 30), ("0.5", 0.5), (".5", 0.5), ("5m", 300), ("2h", 7200), (" 1.5 m ", 90)],
)
def test_times(text: str, value: float) -> None:
    assert options.WorkOptions(timeout=text).settings.timeout == value
    assert options.WorkOptions().settings.timeout is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("500M", 500 << 20),
        ("4G", 4 << 30),
        ("2GiB", 2 << 30),
        ("1.5gb", 3 << 29),
        ("2048k", 2 << 20),
        ("1T", 1 << 40),
    ],
)
def test_sizes(text: str, value: int) -> None:
    assert options.WorkOptions(memory=text).settings.memory == value
    assert options.WorkOptions().settings.memory is None


FORGED = Clauses(variables=(), stated=((1,), (-1,)), cuts=(), lemmas=((),))


@pytest.mark.full
@pytest.mark.parametrize(("board", "steps"), [("60x60", {5: "c3"}), ("300x300", {})])
def test_a_forged_certificate_is_checked_under_a_limit_by_default(
    board: str, steps: dict[int, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = TourProblem(board=board, closed=True, at=steps)
    path = tmp_path / "forged.json"
    path.write_text(Certificate(problem, FORGED).to_text(), encoding="utf-8")
    assert path.stat().st_size < 1000
    monkeypatch.setattr(prove, "_CHECK_SECONDS", 0.2)
    assert refused("prove", "--check", str(path), status=3) == "stopped at the time limit of 0.2 s"
    monkeypatch.undo()
    unfounded = replace(FORGED, stated=((1, 2),))  # what is cheap to check comes first
    path.write_text(Certificate(problem, unfounded).to_text(), encoding="utf-8")
    said = answered("prove", "--check", str(path), status=1)
    assert "lemma" in said.out
