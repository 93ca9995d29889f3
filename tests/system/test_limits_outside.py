"""Limits of every command, measured from outside: memory of all its processes, time, what is left behind.

Both depend on how busy the machine is: the guard is a thread, which waits for a processor like any other, and
the process goes on while it waits. The ordinary tests allow for that, and time does not count while a thread
waits. The test of five per cent is slow, for a machine with nothing else to do.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from marks import full, quick
from measured_command import KTSOLVE, Measured, measured

from ktsolve.cli.app import root

pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs the /proc of Linux"),
]

ALLOWED = 1.05


class Limits(NamedTuple):
    """MiB and seconds that a command gets, and MiB more that it may take.

    The MiB are more than Python with the modules of most commands, and less than the work in the table takes.
    Most work passes them within two seconds, or never.
    """

    memory: int
    seconds: int
    behind: int

    @property
    def options(self) -> list[str]:
        """The options of a command."""
        return ["--memory", f"{self.memory}M", "--timeout", str(self.seconds)]


BUSY = Limits(100, 2, 32)
"""A process may take 32 MiB while the guard waits for a processor."""

AT_LEISURE = Limits(160, 8, 0)

SLOW_MODEL = """
from ktsolve import Model
from ktsolve.models import Built

def build(parameters):
    kept, model = [], Model("endless")
    while True:
        kept.append(model.boolean(f"x{len(kept)}"))
"""

OWN = 'model = "own.py"\n[parameters]\n'


def files(folder: Path) -> None:
    """The files that commands of the table read."""
    (folder / "own.py").write_text(SLOW_MODEL, encoding="utf-8")
    (folder / "own.toml").write_text(OWN, encoding="utf-8")
    blank = "\n".join(" ".join("." for _ in range(8)) for _ in range(8))
    (folder / "clues.txt").write_text(f"1{blank[1:]}\n", encoding="utf-8")
    (folder / "sudoku.txt").write_text("." * 81 + "\n", encoding="utf-8")
    (folder / "loop.txt").write_text(f"slitherlink\n{blank}\n", encoding="utf-8")
    (folder / "tour.txt").write_text("a1 b3\n", encoding="utf-8")
    (folder / "list.g6").write_text("IheA@GUAo\n" * 100_000, encoding="utf-8")


COMMANDS: dict[str, str] = {
    "tour": "tour 20x20 --range c3=5..9 --engine sat",
    "walk": "walk 900x900",
    "count": "count 8x9 --engine frontier",
    "sequence": "sequence 6xN --open --upto 5000",
    "sample": "sample 8x9 --open",
    "unrank": "unrank 8x9 5",
    "rank": "rank 8x9 tour.txt",
    "survey": "survey 8x8 --of crossings",
    "graphs": "graphs list.g6 --columns hypohamiltonian,hamilton-connected,paths --check",
    "longest": "longest 12x12 --induced",
    "properties": "properties 20x20 --of hamilton-connected",
    "non-crossing": "non-crossing 9x9",
    "solve": "solve own.toml",
    "swap": "swap guarini",
    "draw": "draw 300x300 -o out.svg",
    "convert": "convert 100x100 --format cnf",
    "prove": "prove 60x60 --symmetry rot90 --argument clauses",
    "check": "check tour.txt",
    "play": "play tour.txt",
    "base validate": "base validate tour.txt",
    "verify": "verify",
    "clues solve": "clues solve clues.txt --engine sat",
    "clues count": "clues count clues.txt",
    "clues unique": "clues unique clues.txt",
    "clues hint": "clues hint clues.txt --number 60",
    "clues reduce": "clues reduce clues.txt",
    "clues make": "clues make 16x16",
    "census run": "census run 8x8 --open --ledger census.db --workers 2",
    "sudoku count": "sudoku count",
    "sudoku bands": "sudoku bands",
    "sudoku solve": "sudoku solve sudoku.txt --count 1000000",
    "sudoku unique": "sudoku unique sudoku.txt",
    "sudoku hint": "sudoku hint sudoku.txt",
    "sudoku canonical": "sudoku canonical sudoku.txt",
    "sudoku same": "sudoku same sudoku.txt sudoku.txt",
    "sudoku automorphisms": "sudoku automorphisms sudoku.txt",
    "sudoku random": "sudoku random --number 1000000",
    "sudoku rank": "sudoku rank sudoku.txt",
    "sudoku unrank": "sudoku unrank 5",
    "puzzle solve": "puzzle solve loop.txt --number 100000",
    "puzzle unique": "puzzle unique loop.txt",
    "puzzle hint": "puzzle hint loop.txt",
    "puzzle make": "puzzle make slitherlink 30x30",
    "puzzle draw": "puzzle draw loop.txt --solution -o out.svg",
    "base make": "base make 40x40",
}
"""Work for each command with limits, much if there is much to do for it; it may also be refused."""


def limited_commands() -> dict[str, set[str]]:
    """The commands with limits, and which they have."""

    def below(command: Any, path: tuple[str, ...]) -> dict[str, set[str]]:
        if hasattr(command, "commands"):
            parts = [below(each, (*path, name)) for name, each in command.commands.items()]
            return {name: limits for part in parts for name, limits in part.items()}
        options = {option for parameter in command.params for option in parameter.opts}
        return {" ".join(path): options & {"--memory", "--timeout"}}

    return {name: found for name, found in below(root(), ()).items() if found}


def test_every_command_with_limits_has_a_row() -> None:
    assert limited_commands().keys() == COMMANDS.keys()


def ended_well(seen: Measured) -> None:
    """It answered, refused or stopped with one line, and left nothing but complete files of its own."""
    assert seen.status in (0, 1, 2, 3), seen
    assert "Traceback" not in seen.complaint, seen
    assert "internal error" not in seen.complaint, seen
    assert seen.processes == (), seen
    assert [name for name in seen.files if name not in ("out.svg", "census.db")] == [], seen


BOTH = [pytest.param(BUSY, id="busy"), pytest.param(AT_LEISURE, id="at leisure", marks=pytest.mark.slow)]


@pytest.mark.parametrize(
    "name",
    quick(
        (name for name, limits in limited_commands().items() if "--memory" in limits),
        lambda name: name == "count",
        lambda number: number % 3 == 0,
    ),
)
@pytest.mark.parametrize("limits", BOTH)
def test_memory(name: str, limits: Limits, tmp_path: Path) -> None:
    files(tmp_path)
    seen = measured([*KTSOLVE, *COMMANDS[name].split(), *limits.options], cwd=tmp_path)
    ended_well(seen)
    assert "No such option" not in seen.complaint
    assert "Missing option" not in seen.complaint
    assert seen.mebibytes <= limits.memory * ALLOWED + limits.behind, seen


LEAST_OF_CPSAT = 160
"""MiB that are more than Python with OR-Tools."""

ISSUE = {
    "cpsat": "tour 14x14 --at 50=c3 --engine cpsat",
    "encoded": "tour 14x14 --at 50=c3 --engine sat --encoding one-hot",
    "race": "count graph:hypercube:6",
    "below workers": "tour 8x8 --minimise turns",
}
"""Besides those in the table: a model stated, a formula written, workers. A list has a test of its own."""


@pytest.mark.full
@pytest.mark.parametrize("work", ISSUE.values(), ids=ISSUE)
@pytest.mark.parametrize("limits", BOTH)
def test_memory_of_what_once_passed_the_limit(work: str, limits: Limits) -> None:
    with_solver = limits._replace(memory=max(limits.memory, LEAST_OF_CPSAT if "cpsat" in work else 0))
    seen = measured([*KTSOLVE, *work.split(), *with_solver.options])
    ended_well(seen)
    assert seen.mebibytes <= with_solver.memory * ALLOWED + limits.behind, seen


@pytest.mark.slow
@pytest.mark.parametrize("name", limited_commands())
def test_time_within_two_seconds(name: str, tmp_path: Path) -> None:
    files(tmp_path)
    seen = measured([*KTSOLVE, *COMMANDS[name].split(), "--timeout", "1"], cwd=tmp_path)
    ended_well(seen)
    assert seen.seconds - seen.waited <= 1 + 2, seen


@pytest.mark.full
@pytest.mark.parametrize(
    "work", ["tour 1000x1000 --engine sat", "solve own.toml", "convert 300x300 --format cnf"]
)
def test_time_while_a_model_is_stated(work: str, tmp_path: Path) -> None:
    files(tmp_path)
    seen = measured([*KTSOLVE, *work.split(), "--timeout", "1"], cwd=tmp_path)
    ended_well(seen)
    assert seen.status == 3
    assert seen.complaint.startswith("ktsolve: stopped at the time limit of 1 s"), seen
    assert seen.seconds < 30  # a machine may be busy; see the slow test


@pytest.mark.full
def test_a_count_in_parts_prints_its_answer_and_nothing_else() -> None:
    """Also at its end, where the native core would report objects that are left."""
    command = [*KTSOLVE, "count", "7x10", "--memory", "80M", "--quiet"]
    said = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    expected = (0, "closed 7x10: 1250063279938854 undirected tours\n", "")
    assert (said.returncode, said.stdout, said.stderr) == expected


@pytest.mark.full
@pytest.mark.parametrize("seconds", [2, pytest.param(10, marks=pytest.mark.slow)])
def test_a_list_as_json_takes_no_memory_and_is_complete_at_a_limit(seconds: int) -> None:
    limits = ["--memory", "120M", "--timeout", str(seconds)]
    seen = measured([*KTSOLVE, "tour", "7x7", "--open", "--all", "--json", *limits])
    ended_well(seen)
    assert seen.mebibytes < 90, seen.mebibytes
    data = json.loads(seen.out)
    assert (seen.status, data["status"], data["complete"]) == (3, "found", False)
    assert len(data["tours"]) > 100
    assert data["reason"].startswith(f"stopped at the time limit of {seconds} s")


@pytest.mark.full
def test_a_slow_reader_gets_the_whole_answer() -> None:
    command = f"{' '.join(KTSOLVE)} tour 300x300 --timeout 3 | (sleep 5; wc -c)"
    seen = measured(["bash", "-o", "pipefail", "-c", command])
    assert (seen.status, seen.out.split()) == (0, [b"540000"]), seen


def test_a_limit_below_what_python_takes_is_refused() -> None:
    seen = measured([*KTSOLVE, "count", "5x6", "--memory", "20M"])
    assert seen.status == 3
    assert "is too low: Python and its modules alone take" in seen.complaint
    assert seen.complaint.count("\n") == 0


HOLDING = """
import sys
from ktsolve.base.guard import guarded, own_process
from ktsolve.base.errors import LimitReached
own_process()
with guarded({time}, {memory}, lambda which: LimitReached("stopped by " + which)):
    {work}
"""


@pytest.mark.parametrize(
    ("time", "memory", "work", "which"),
    [
        # One long call in C, which holds the interpreter lock: no Python runs before it ends.
        full(0.2, None, "sum(range(10**11))", "time"),
        full(None, 100 << 20, "list(range(4 * 10**8))", "memory"),
        (None, 100 << 20, "b'x' * (3 << 30)", "memory"),
    ],
)
def test_the_guard_needs_no_help(time: float | None, memory: int | None, work: str, which: str) -> None:
    code = HOLDING.format(time=time, memory=memory, work=work)
    seen = measured([sys.executable, "-c", code])
    assert (seen.status, seen.complaint) == (3, f"ktsolve: stopped by {which}")
    assert memory is None or seen.peak < memory * 1.3
    assert seen.seconds < 30
