"""Jobs of the cross-check about divide-and-conquer: base boards, boards of all kinds, existence."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ktsolve.engines.divide.construct import tour_steps
from ktsolve.engines.registry import engine_named
from ktsolve.graphs.board import Board
from ktsolve.graphs.tour import Tour
from ktsolve.graphs.tour_arrays import Steps
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.rectangles import why_none
from ktsolve.tasks.base_boards import shipped_bases, validate_bases
from ktsolve.verify.jobs import LEVELS, Context, Job, Sides

__all__ = ["divide_jobs"]

_AS_OBJECTS = 5_000
"""Cells up to which a tour is checked as an object as well as an array."""

_SIZES = {
    # Even and odd sides in every combination, squares and long boards; strips of three and four.
    "quick": ["6x6", "16x16", "22x24", "7x8", "40x13", "21x21", "5x64", "5x33", "3x50", "3x31", "41x4"],
    "standard": ["1000x1000", "999x1000", "777x555", "3x20000", "4x19999", "5x10001", "20000x6", "64x1001"],
    "full": ["10000x10000", "9999x9998", "9999x9997"],
}


def _bases(context: Context) -> Sides:
    """The boards ``nine-boards``: how many are structured closed tours."""
    text = Path(shipped_bases()["nine-boards"]).read_text("utf-8")
    if context.faulty == "divide":
        text = text.replace(" 30 ", " 31 ")
    usable = [verdict.usable for verdict in validate_bases(text)]
    return Sides(f"{sum(usable)} of {len(usable)} usable", "9 of 9 usable")


def _built(context: Context, size: str) -> Sides:
    """The closed and the open tour that divide builds on a board, and which of them exist."""
    rows, columns = (int(side) for side in size.split("x"))
    found, right = [], []
    for closed in (True, False):
        name = "closed" if closed else "open"
        if why_none(rows, columns, closed=closed) is not None:
            continue
        steps = tour_steps(rows, columns, closed=closed, settings=context.settings)
        if context.faulty == "divide":
            steps[0, 0], steps[1, 1] = steps[1, 1], steps[0, 0]
        fault = _fault(steps, closed)
        found.append(name if fault is None else f"{name}: {fault}")
        right.append(name)
    return Sides(", ".join(found), ", ".join(right))


def _fault(steps: Steps, closed: bool) -> str | None:
    tour = Tour.from_steps(steps, closed)
    violation = tour.violation
    if violation is None and len(tour) <= _AS_OBJECTS:
        problem = TourProblem(board=tour.board, closed=closed)
        violation = problem.check(Tour(tour.board, tour.squares, closed))
    return None if violation is None else violation.reason


def _existence(context: Context, rows: int, columns: range) -> Sides:
    """Boards with a tour: by theorem, by divide, and by a solver that finds or refutes.

    The solver is SAT, except for closed tours of odd boards, where colours count: clauses show that only to a
    solver that adds them up. One of the searches of CP-SAT does, but not the first, so it gets two threads.
    """
    exist = 0
    wrong = []
    for column, closed in itertools.product(columns, (True, False)):
        problem = TourProblem(board=Board(rows, column), closed=closed)
        colours = closed and rows % 2 == column % 2 == 1
        solver, settings = (
            ("cpsat", replace(context.settings, threads=2)) if colours else ("sat", context.settings)
        )
        tour = engine_named("divide").construct(problem, context.settings)
        built = tour is not None and problem.check(tour) is None
        answers = {
            "theorem": why_none(rows, column, closed=closed) is None,
            "divide": built != (context.faulty == "divide"),
            solver: engine_named(solver).construct(problem, settings) is not None,
        }
        exist += answers[solver]
        if len(set(answers.values())) > 1:
            wrong.append(f"{problem}: {', '.join(f'{name} {found}' for name, found in answers.items())}")
    return Sides.unless(wrong, f"{exist} of {2 * len(columns)} exist")


def divide_jobs(level: str) -> Iterator[Job]:
    """Jobs of engine divide."""
    yield Job("shipped base boards", _bases)
    for each in LEVELS:
        for size in _SIZES[each]:
            yield Job(f"divide {size}", _built, (size,), each)
    largest = 8 if level == "quick" else 12
    for rows in range(1, largest + 1):
        name = f"existence {rows}x{rows} to {rows}x{largest}"
        yield Job(name, _existence, (rows, range(rows, largest + 1)))
