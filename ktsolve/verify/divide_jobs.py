"""The jobs of the cross-check about divide-and-conquer: base boards, boards of all kinds, existence."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ktsolve.engines.divide.construct import tour_steps, why_none
from ktsolve.engines.registry import engine_named
from ktsolve.ground.arrays import Steps, steps_fault, tour_of_steps
from ktsolve.ground.board import Board
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Settings
from ktsolve.tasks.base_boards import shipped_bases, validate_bases
from ktsolve.verify.jobs import IdentitySays

__all__ = ["BasesJob", "BuiltJob", "ExistenceJob", "divide_jobs"]

_AS_OBJECTS = 5_000
"""Cells up to which a tour is judged as an object as well as an array."""

_SPREAD = {
    # even and odd sides in every combination, alike and far apart; strips of three and four
    "quick": ["6x6", "16x16", "22x24", "7x8", "40x13", "21x21", "5x64", "5x33", "3x50", "3x31", "41x4"],
    "standard": ["1000x1000", "999x1000", "777x555", "3x20000", "4x19999", "5x10001", "20000x6", "64x1001"],
    "full": ["10000x10000", "9999x9998", "9999x9997"],
}


@dataclass(frozen=True)
class BasesJob:
    """Are the nine boards of seeds/001 structured closed tours?"""

    sabotaged: str | None = None

    def __call__(self) -> IdentitySays:
        """How many are, and that nine are."""
        text = Path(shipped_bases()["nine-boards"]).read_text("utf-8")
        if self.sabotaged == "divide":
            text = text.replace(" 30 ", " 31 ")
        usable = [verdict.usable for verdict in validate_bases(text)]
        return IdentitySays(f"{sum(usable)} of {len(usable)} usable", "9 of 9 usable")


@dataclass(frozen=True)
class BuiltJob:
    """Build the tours of a board, closed and open, and judge them.

    Attributes
    ----------
    sabotaged:
        ``divide`` to exchange two steps before the judge looks.
    """

    size: str
    settings: Settings
    sabotaged: str | None = None

    def __call__(self) -> IdentitySays:
        """What was built, and that it is right."""
        rows, columns = (int(side) for side in self.size.split("x"))
        said, right = [], []
        for closed in (True, False):
            name = "closed" if closed else "open"
            if why_none(rows, columns, closed=closed) is not None:
                continue
            steps = tour_steps(rows, columns, closed=closed, settings=self.settings)
            if self.sabotaged == "divide":
                steps[0, 0], steps[1, 1] = steps[1, 1], steps[0, 0]
            fault = _fault(steps, closed)
            said.append(name if fault is None else f"{name}: {fault}")
            right.append(name)
        return IdentitySays(", ".join(said), ", ".join(right))


def _fault(steps: Steps, closed: bool) -> str | None:
    fault = steps_fault(steps, closed=closed)
    if fault is None and steps.size <= _AS_OBJECTS:
        problem = TourProblem(board=Board(*steps.shape), closed=closed)
        fault = problem.check(tour_of_steps(steps, closed=closed))
    return None if fault is None else fault.reason


@dataclass(frozen=True)
class ExistenceJob:
    """Which boards have tours: what theorems say, what divide builds, what a solver finds or refutes.

    The solver is SAT, except where both sides are odd and the tour closed: there colours count, and clauses
    say so only to a solver that adds them up. One of the searches of CP-SAT does, but not the first of them,
    so it gets two threads.
    """

    rows: int
    columns: range
    settings: Settings
    sabotaged: str | None = None

    def __call__(self) -> IdentitySays:
        """Number of boards with a tour as all three have it, and every board where they differ."""
        found = 0
        wrong = []
        for columns, closed in itertools.product(self.columns, (True, False)):
            problem = TourProblem(board=Board(self.rows, columns), closed=closed)
            colours = closed and self.rows % 2 == columns % 2 == 1
            solver, settings = (
                ("cpsat", replace(self.settings, threads=2)) if colours else ("sat", self.settings)
            )
            says = {
                "theorem": why_none(self.rows, columns, closed=closed) is None,
                "divide": self._built(problem),
                solver: engine_named(solver).construct(problem, settings) is not None,
            }
            found += says[solver]
            if len(set(says.values())) > 1:
                wrong.append(f"{problem}: {', '.join(f'{who} {says[who]}' for who in says)}")
        said = f"{found} of {2 * len(self.columns)} exist"
        return IdentitySays("; ".join([said, *wrong]), said)

    def _built(self, problem: TourProblem) -> bool:
        tour = engine_named("divide").construct(problem, self.settings)
        return (tour is not None and problem.check(tour) is None) != (self.sabotaged == "divide")


def divide_jobs(
    level: str, settings: Settings, sabotaged: str | None
) -> Iterator[tuple[str, Callable[[], IdentitySays]]]:
    """Names and jobs of a level and of those below it."""
    levels = ("quick", "standard", "full")
    yield "base boards of seeds/001", BasesJob(sabotaged)
    for each in levels[: levels.index(level) + 1]:
        for size in _SPREAD[each]:
            yield f"divide {size}", BuiltJob(size, settings, sabotaged)
    largest = 8 if level == "quick" else 12
    for rows in range(1, largest + 1):
        columns = range(rows, largest + 1)
        yield f"existence {rows}x{rows} to {rows}x{largest}", ExistenceJob(rows, columns, settings, sabotaged)
