"""``fzn-ktsolve``: solve a FlatZinc file as MiniZinc calls a solver, and make ktsolve known to MiniZinc."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from ktsolve import __version__
from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.limits import Settings
from ktsolve.cli.app import answered, ended
from ktsolve.cli.options import backstop

if TYPE_CHECKING:
    from ktsolve.model.io.fzn import FlatZinc
    from ktsolve.tasks.solve import ModelAnswer

__all__ = ["main", "parser", "run"]

_FLAGS = ["-a", "-n", "-a-o", "-n-o", "-i", "-s", "-t", "-p", "-r", "-f"]


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command and exit with its status."""
    ended(lambda: run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    return answered(arguments, lambda: _solve(_options(arguments)))


def parser() -> argparse.ArgumentParser:
    """Return the parser of the options."""
    made = argparse.ArgumentParser(
        "fzn-ktsolve",
        description="Solve a FlatZinc file, as MiniZinc calls a solver.",
        epilog="After 'fzn-ktsolve --install', 'minizinc --solver ktsolve model.mzn' uses ktsolve.",
        allow_abbrev=False,
    )
    made.add_argument("file", nargs="?", metavar="FILE.fzn", help="the model")
    made.add_argument("-a", action="store_true", help="all solutions; of an objective, all better ones")
    made.add_argument("-n", type=int, metavar="N", help="so many solutions, if there is no objective")
    made.add_argument("-a-o", action="store_true", dest="every_best", help="all solutions of the best value")
    made.add_argument("-n-o", type=int, metavar="N", dest="best", help="so many solutions of the best value")
    made.add_argument("-i", action="store_true", help="each better solution as it is found")
    made.add_argument("-s", action="store_true", help="statistics")
    made.add_argument("-t", type=int, metavar="MS", help="time limit in milliseconds")
    made.add_argument("-p", type=int, metavar="N", help="threads; default: all processors")
    made.add_argument("-r", type=int, metavar="SEED", help="seed of the search")
    made.add_argument("-f", action="store_true", help="free search, which ktsolve always does")
    made.add_argument("--engine", default="auto", metavar="ENGINE", help="auto, sat or cpsat; default: auto")
    made.add_argument("--memory", metavar="SIZE", help="memory limit, such as 4G; default: what is free")
    made.add_argument("--install", action="store_true", help="write ktsolve.msc where MiniZinc finds it")
    made.add_argument("--version", action="version", version=f"ktsolve {__version__}")
    return made


def _options(arguments: list[str]) -> argparse.Namespace:
    given = parser().parse_args(arguments)
    if (given.file is None) is not given.install:
        raise BadInput("give one FlatZinc file, or --install alone")
    for option, number in (("-n", given.n), ("-n-o", given.best)):
        if number is not None and number < 1:
            raise BadInput(f"{option} {number}: give a number of solutions from 1")
    return given


def _solver_folder() -> Path:
    """The folder where MiniZinc looks for a user's solvers."""
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming") / "MiniZinc" / "solvers"
    return Path.home() / ".minizinc" / "solvers"


def _install() -> int:
    """Write the file by which MiniZinc finds the solver."""
    from ktsolve.base.files import new_file

    command = Path(sys.argv[0]).resolve()
    if command.name not in ("fzn-ktsolve", "fzn-ktsolve.exe"):
        command = Path(sys.executable).with_name("fzn-ktsolve")
    configuration = {
        "id": "org.ktsolve.ktsolve",
        "name": "ktsolve",
        "description": "exact solver by clauses and CP-SAT",
        "version": __version__,
        "executable": str(command),
        "mznlib": str(Path(__file__).resolve().parent.parent / "data" / "minizinc"),
        "tags": ["ktsolve", "cp", "int"],
        "stdFlags": _FLAGS,
        "extraFlags": [["--engine", "engine", "opt:auto:sat:cpsat", "auto"]],
        "supportsMzn": False,
        "supportsFzn": True,
        "needsSolns2Out": True,
    }
    folder = _solver_folder()
    try:
        os.makedirs(folder, exist_ok=True)
        with new_file(folder / "ktsolve.msc") as stream:
            stream.write((json.dumps(configuration, indent=2) + "\n").encode())
    except OSError as error:
        raise BadInput(f"{folder}: cannot be written: {error.strerror}") from None
    print(f"wrote {folder / 'ktsolve.msc'}: minizinc --solver ktsolve uses this ktsolve")
    return 0


def _solve(given: argparse.Namespace) -> int:
    if given.install:
        return _install()
    from ktsolve.formats.models import read_model_file
    from ktsolve.model.io.fzn import FlatZinc

    seconds = None if not given.t else given.t / 1000
    settings = Settings(timeout=seconds, threads=given.p or None, seed=given.r, memory=given.memory)
    printed = _Printed(given)
    try:
        with backstop(settings):
            read = read_model_file(given.file, settings, "fzn")[0]
            assert isinstance(read, FlatZinc)
            printed.read = read
            printed.search(settings)
    except LimitReached:
        printed.end("" if printed.number else "=====UNKNOWN=====")
    return 0


class _Printed:
    """The solutions that were printed, and the search for more."""

    read: FlatZinc

    def __init__(self, given: argparse.Namespace) -> None:
        self.given = given
        self.number = 0
        self.started = time.monotonic()
        self.last: ModelAnswer | None = None
        self.value: int | None = None

    def search(self, settings: Settings) -> None:
        """Print the solutions that are wanted, and the line of the end."""
        from ktsolve.tasks.solve import solutions, solve

        model, given = self.read.model, self.given
        if model.objective is not None:
            better = self.improved if given.a or given.i else None
            answer = solve(model, given.engine, settings, keep=True, on_solution=better)
            if answer.found:
                self.improved(answer)
                if answer.optimal:
                    self.others_as_good(answer, settings)
                return self.end("==========" if answer.optimal else "")
            return self.end("=====UNSATISFIABLE=====")
        wanted = None if given.a else given.n or 1
        if wanted == 1:
            answer = solve(model, given.engine, settings)
            if answer.found:
                self.solution(answer.assignment)
                return self.end("")
            return self.end("=====UNSATISFIABLE=====")
        for each in solutions(model, given.engine, settings, number=wanted):
            self.solution(each.assignment)
        if not self.number:
            return self.end("=====UNSATISFIABLE=====")
        return self.end("==========" if wanted is None or self.number < wanted else "")

    def solution(self, assignment: Any) -> None:
        self.number += 1
        print(self.read.text(assignment), flush=True)

    def improved(self, answer: ModelAnswer) -> None:
        """Print a better solution, unless it was printed."""
        if answer.value != self.value or not self.number:
            self.solution(answer.assignment)
        self.last, self.value = answer, answer.value

    def others_as_good(self, best: ModelAnswer, settings: Settings) -> None:
        """Print other solutions of the best value, as many as are wanted."""
        from ktsolve.tasks.solve import solutions

        wanted = None if self.given.every_best else (self.given.best or 1)
        if wanted == 1:
            return
        model = self.read.model.copy()
        assert model.objective is not None
        assert best.assignment is not None
        total = model.objective.total
        model.forget_objectives()
        model.add(total == total.value(best.assignment))
        printed, first = 1, self.read.text(best.assignment)
        for each in solutions(model, self.given.engine, settings):
            if wanted is not None and printed == wanted:
                return
            # Another solution may differ in what is not printed.
            if self.read.text(each.assignment) != first:
                self.solution(each.assignment)
                printed += 1

    def end(self, line: str) -> None:
        """Print the last line, and the statistics."""
        if line:
            print(line)
        if not self.given.s:
            return
        figures: dict[str, float | None] = {
            "nSolutions": self.number,
            "solveTime": round(time.monotonic() - self.started, 3),
        }
        if self.last is not None:
            figures |= {"objective": self.last.value, "objectiveBound": self.last.bound}
        for name, figure in figures.items():
            if figure is not None:
                print(f"%%%mzn-stat: {name}={figure}")
        print("%%%mzn-stat-end")
