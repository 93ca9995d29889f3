"""Engines for tests of the census, and the ktsolve command with them in its registry.

``python census_engines.py census ...`` runs ``ktsolve census ...``. Environment variables control the
engines, since they work in other processes.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from ktsolve.base.limits import Settings
from ktsolve.engines.interface import Counted
from ktsolve.engines.registry import ENGINES
from ktsolve.engines.search.engine import SearchEngine
from ktsolve.graphs.notation import Cell
from ktsolve.problem.problem import TourProblem

if TYPE_CHECKING:
    from command import Said  # workers load this module, and it loads all solvers

COMMAND = [sys.executable, str(Path(__file__).resolve())]


class Logged(SearchEngine):
    """Search that takes its time (CENSUS_DELAY seconds a job) and notes what it counted (CENSUS_LOG)."""

    name = "logged"

    def count(self, problem: TourProblem, settings: Settings) -> Counted:
        time.sleep(float(os.environ.get("CENSUS_DELAY", "0")))
        counted = super().count(problem, settings)
        with open(os.environ["CENSUS_LOG"], "a", encoding="ascii") as log:
            log.write(f"{problem}\n")
        return counted


class Mortal(SearchEngine):
    """Search killed at its first job (which a file CENSUS_LOG remembers), or, if that is empty, always."""

    name = "mortal"

    def count(self, problem: TourProblem, settings: Settings) -> Counted:
        mark = os.environ["CENSUS_LOG"]
        if not mark or not os.path.exists(mark):
            if mark:
                Path(mark).write_text("was here")
            os.kill(os.getpid(), signal.SIGKILL)
        return super().count(problem, settings)


class Faulty(SearchEngine):
    """Search with a fault at ends in the corner a5: an exception, or the signal CENSUS_SIGNAL."""

    name = "faulty"

    def count(self, problem: TourProblem, settings: Settings) -> Counted:
        if problem.start == (0, 0):
            if "CENSUS_SIGNAL" in os.environ:
                os.kill(os.getpid(), int(os.environ["CENSUS_SIGNAL"]))
            raise ZeroDivisionError("fault injected")
        return super().count(problem, settings)


class InParts(SearchEngine):
    """Search that pretends to count in parts."""

    name = "inparts"

    def count_part(self, problem: TourProblem, settings: Settings, part: tuple[int, int]) -> Counted:
        i, n = part
        count = self.count(problem, settings).count
        return Counted(count // n + (i < count % n), 0, 1 << 20, {"part": i})


class InPairs(SearchEngine):
    """Search that counts many pairs of ends at once, and takes its time between two of them."""

    name = "inpairs"
    most_pairs: ClassVar = 7

    def count_pairs(
        self, problem: TourProblem, pairs: Sequence[tuple[Cell, Cell]], settings: Settings
    ) -> Iterator[tuple[tuple[Cell, Cell], Counted]]:
        for start, end in reversed(pairs):
            time.sleep(float(os.environ.get("CENSUS_DELAY", "0")))
            counted = self.count(problem.replace(start=start, end=end), settings)
            yield (start, end), Counted(counted.count, 0, None, {"batch": len(pairs)})


class Hungry(SearchEngine):
    """Search that says that ends in the corner a5 need a gigabyte."""

    name = "hungry"

    def memory_needed(self, problem: TourProblem, settings: Settings) -> int | None:
        return 1 << 30 if problem.start == (0, 0) else 1 << 20


class Off(SearchEngine):
    """Search that counts one tour too many where there are some."""

    name = "off"

    def count(self, problem: TourProblem, settings: Settings) -> Counted:
        count = super().count(problem, settings).count
        return Counted(count + (count > 0), 0)


STUBS = {
    each.name: f"census_engines:{each.__name__}"
    for each in (Logged, Mortal, Faulty, InParts, InPairs, Hungry, Off)
}


def start(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    """Start the command with these engines, as a process of its own."""
    return subprocess.Popen(
        [*COMMAND, "census", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )


def ended(process: subprocess.Popen[str], timeout: float = 60) -> Said:
    """What it printed, and its exit status."""
    from command import Said

    out, err = process.communicate(timeout=timeout)
    return Said(process.returncode, out, err)


def census(*arguments: str, **environment: str) -> Said:
    """Run the command with these engines, as a process of its own."""
    return ended(start(*arguments, **environment))


def _main() -> Any:
    from ktsolve.__main__ import main

    ENGINES.update(STUBS)
    main()


if __name__ == "__main__":
    _main()
