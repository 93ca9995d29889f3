"""The command line as a whole: help, versions, ways to call it, and internal errors."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command import Said, answered, process, refused

import ktsolve as package
from ktsolve.base.errors import BadInput, InternalError, KtsolveError, LimitReached, Refused, WrongAnswer
from ktsolve.problem.conditions import KEYS

ROOT = Path(__file__).parents[2]


PROBLEM_OPTIONS = "--closed --open --without --leaper --wrap --clues --strict " + " ".join(
    f"--{key.flag}" for key, _ in KEYS.values() if key.flag
)


WORK_OPTIONS = "--engine --solver --timeout --threads --memory"


ORDER_OPTIONS = "--engine --prepared --order-name --check --timeout --threads --memory --spill"


PICTURE_OPTIONS = "--theme --caption --title --paper"


OPTIONS = {
    "tour": f"{PROBLEM_OPTIONS} {WORK_OPTIONS} --keep-going --number --all --minimise --maximise --diverse "
    f"--encoding --seed --up-to-symmetry {PICTURE_OPTIONS} --json --output --format --quiet --help",
    "count": f"{PROBLEM_OPTIONS} {WORK_OPTIONS} --keep-going --directed --by --by-uses --by-moves --by-steps "
    f"--by-length --certificate --csv --up-to-symmetry --spill --disk --estimate {PICTURE_OPTIONS} --verbose "
    "--format --json --output --quiet --help",
    "sample": f"{PROBLEM_OPTIONS} {ORDER_OPTIONS} --number --distinct --seed --format --json --output "
    f"{PICTURE_OPTIONS} --quiet --help",
    "unrank": f"{PROBLEM_OPTIONS} {ORDER_OPTIONS} {PICTURE_OPTIONS} --format --json --output --quiet --help",
    "rank": f"{PROBLEM_OPTIONS} {ORDER_OPTIONS} --format --json --csv --output --quiet --help",
    "census": "--ledger --closed --open --require --forbid --without --leaper --wrap --ends --parts "
    "--workers --dask --audit --recount --engine --timeout --threads --memory --spill --disk --json "
    "--output --format --quiet --help",
    "clues": "--help",
    "longest": "--closed --open --start --end --without --leaper --wrap --strict --keep-going --induced "
    "--weighted "
    f"--engine --timeout --threads --memory --json {PICTURE_OPTIONS} --output --format --quiet --help",
    "properties": "--without --leaper --wrap --strict --keep-going --of --timeout --threads --memory "
    "--json --output --format --quiet --help",
    "non-crossing": "--closed --open --without --leaper --engine --timeout --threads --memory --json "
    f"{PICTURE_OPTIONS} --output --format --quiet --help",
    "solve": f"{WORK_OPTIONS} --seed --assume --core --cores --steps --count --number --encoding --json "
    f"{PICTURE_OPTIONS} --output --format --quiet --help",
    "check": f"{PROBLEM_OPTIONS} --format --board --timeout --memory --json --output --help",
    "draw": "--theme --path --layout --numbers --no-numbers --coordinates --no-coordinates --gradient "
    "--no-gradient --ends --no-ends --show-symmetry --crossings --angles --accessibility --after "
    "--heat --caption --title --paper --solution --dots --up-to-symmetry --columns --board --closed --open "
    "--start --end --require --forbid --without --leaper --wrap --at --structured --corners --clues "
    "--format --strict "
    "--timeout --memory --size --frames --speed --output --help",
    "verify": "--level --timeout --threads --memory --json --csv --output --format --quiet --help",
}


# -- help ----------------------------------------------------------------------------------------------------


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")


@pytest.mark.usefixtures("wide")
def test_help_names_every_command() -> None:
    told = answered("--help")
    assert told.err == ""
    assert all(command in told.out for command in OPTIONS)
    assert "--version" in told.out
    statuses = " ".join(told.out.partition("Exit status: ")[2].split())
    assert statuses.startswith("0 answered, 1 the answer is no, 2 bad input, 3 stopped")
    assert statuses.endswith("4 an engine gave a wrong answer, or ktsolve has a bug.")
    assert answered().out == told.out


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize("command", OPTIONS)
def test_help_lists_every_option(command: str) -> None:
    told = answered(command, "--help")
    assert told.err == ""
    assert set(re.findall(r"--[a-z][a-z-]*", told.out)) >= set(OPTIONS[command].split())
    documented = {*OPTIONS[command].split(), "--verbose", "--color"}
    listed = set(re.findall(r"^  (?:-\w, )?(--[a-z][a-z-]*)", told.out, re.MULTILINE))
    assert listed <= documented


def test_version() -> None:
    assert answered("--version") == Said(0, f"ktsolve {package.__version__}\n", "")


@pytest.mark.parametrize(
    ("commands", "spared"),
    [
        (
            ["--help", "tour --help", "solve --help"],
            {"ortools", "pysat", "networkx", "numpy", "ktsolve._native"},
        ),
        (["count 6x6", "count 8x8 --estimate", "count 5x7 --open --estimate"], {"ortools", "networkx"}),
    ],
    ids=["help", "counts"],
)
def test_what_is_not_needed_is_not_imported(commands: list[str], spared: set[str]) -> None:
    code = (
        "import contextlib, io, sys\n"
        "from ktsolve.cli.app import run\n"
        "for line in sys.argv[1:]:\n"
        "    with contextlib.redirect_stdout(io.StringIO()):\n"
        "        assert run(line.split()) == 0\n"
        "print(*sys.modules)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code, *commands], capture_output=True, text=True, check=True
    )
    assert not spared & set(ended.stdout.split())


def test_the_module_is_the_command() -> None:
    assert process("--version").out == f"ktsolve {package.__version__}\n"
    assert "tour" in process("--help").out


@pytest.mark.full
@pytest.mark.skipif(not (ROOT / "cli.py").exists(), reason="only a checkout has cli.py")
def test_the_file_in_the_checkout_is_the_command(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), "--help"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=60,
        check=True,
    )
    assert all(command in ended.stdout for command in OPTIONS)


# -- internal errors -----------------------------------------------------------------------------------------


def fails_with(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    # Imported first: it would keep the replacement, which it imports by name.
    importlib.import_module("ktsolve.tasks.count_tables")
    for name in ("find.find", "find.find_all", "count.count"):
        monkeypatch.setattr(f"ktsolve.tasks.{name}", fail)


def test_a_bug_is_one_line_and_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    fails_with(monkeypatch, ZeroDivisionError("division\nby zero"))
    for arguments in (["tour", "5x6"], ["tour", "5x6", "--all"], ["count", "5x6", "--json"]):
        said = answered(*arguments, status=4)
        assert said.out == ""
        assert re.fullmatch(
            r"ktsolve: internal error, please report it: ZeroDivisionError: division by zero \(.*\)\n",
            said.err,
        )


def test_the_traceback_of_a_bug_is_shown_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    for error in (ZeroDivisionError("nothing"), InternalError("nothing")):
        fails_with(monkeypatch, error)
        verbose = answered("tour", "5x6", "--verbose", status=4)
        assert "Traceback" in verbose.err
        assert verbose.err.splitlines()[-1].startswith("ktsolve: internal error, please report it: ")
        assert "Traceback" not in answered("tour", "5x6", status=4).err
        with monkeypatch.context() as environment:
            environment.setenv("KTSOLVE_TRACEBACK", "1")
            assert "Traceback" in answered("tour", "5x6", status=4).err


def test_every_command_takes_verbose() -> None:
    assert "--verbose" in answered("clues", "solve", "--help").out
    assert answered("check", "--help").out.count("--verbose") == 1
    assert answered("count", "--help").out.count("--verbose") == 1


def test_a_wrong_answer_of_an_engine_has_a_status_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    fails_with(monkeypatch, WrongAnswer("engine search gave a wrong tour"))
    assert refused("tour", "5x6", status=4) == "engine search gave a wrong tour"


@pytest.mark.parametrize(
    ("error", "status"),
    [(BadInput, 2), (Refused, 2), (LimitReached, 3), (InternalError, 4), (WrongAnswer, 4)],
)
def test_each_error_has_an_exit_status(
    monkeypatch: pytest.MonkeyPatch, error: type[KtsolveError], status: int
) -> None:
    fails_with(monkeypatch, error("the reason"))
    assert answered("tour", "5x6", status=status).err.endswith("the reason\n")


def test_lack_of_memory_is_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    fails_with(monkeypatch, MemoryError())
    assert refused("count", "5x6", status=3) == "out of memory: give more by --memory, or a smaller problem"


@pytest.mark.parametrize("command", ["tour", "count"])
def test_ctrl_c_is_a_limit(monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    fails_with(monkeypatch, KeyboardInterrupt())
    assert refused(command, "5x6", status=3) == "interrupted"
    said = answered(command, "5x6", "--json", status=3)
    assert said.complaint == "interrupted"
    assert said.json["reason"] == "interrupted"
