"""Jobs of the cross-check about which boards have tours: built, walked, or refuted by certificates."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from ktsolve.base.limits import Settings
from ktsolve.engines.divide.construct import tour_steps
from ktsolve.engines.registry import engine_named
from ktsolve.engines.walk.rules import RULES
from ktsolve.engines.walk.walk import repaired_walk, walk
from ktsolve.graphs.board import Board
from ktsolve.graphs.tour import Tour
from ktsolve.problem.conditions import Bound
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.rectangles import why_none
from ktsolve.problem.statistics import Statistic
from ktsolve.proof.certificate import read_certificate
from ktsolve.proof.checker import check_certificate
from ktsolve.proof.maker import prove
from ktsolve.tasks.base_boards import shipped_bases, validate_bases
from ktsolve.verify.jobs import LEVELS, Context, Job, Sides

_AS_OBJECTS = 5_000  # cells up to which a tour is checked as an object as well as an array

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
        tour = Tour.from_steps(steps, closed)
        violation = tour.violation
        if violation is None and len(tour) <= _AS_OBJECTS:
            problem = TourProblem(board=tour.board, closed=closed)
            violation = problem.check(Tour(tour.board, tour.squares, closed))
        found.append(name if violation is None else f"{name}: {violation.reason}")
        right.append(name)
    return Sides(", ".join(found), ", ".join(right))


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


_REPAIRED = (
    ("quick", ("5x6", "3x20", "20x20", "31x50")),
    ("standard", ("3x200", "100x101", "200x200")),
    ("full", ("1000x1000",)),
)


def _walks(context: Context, sizes: tuple[str, ...], repaired: bool) -> Sides:
    """Walks over boards by every rule, with backtracking or repaired: valid tours, and tours requested."""
    asked = 0
    wrong = []
    rules = ("home", "random") if repaired else tuple(RULES)
    for size, closed, rule in itertools.product(sizes, (True, False), rules):
        problem = TourProblem(board=size, closed=closed)
        if closed and problem.obstruction() is not None:
            continue
        asked += 1
        tour = _tour(context, problem, rule, repaired)
        violation = "no tour" if tour is None else problem.check(tour)
        if violation is not None:
            wrong.append(f"{problem} by {rule}: {violation}")
    return Sides.unless(wrong, f"{asked} tours by {len(rules)} rules")


def _tour(context: Context, problem: TourProblem, rule: str, repaired: bool) -> Tour | None:
    if repaired:
        tour = repaired_walk(problem, rule, settings=context.settings, attempts=200).tour
    else:
        tour = walk(problem, rule, settings=context.settings, most_nodes=1_000_000).tour
    if tour is not None and context.faulty == "walk":
        first, second, *rest = tour.squares
        return Tour(tour.board, (second, first, *rest), tour.closed)
    return tour


def _starts(context: Context, size: str) -> Sides:
    """The cells from which open tours begin, by exhaustive walks and by engine ``search``."""
    board = TourProblem(board=size, closed=False).board
    search = engine_named("search")
    walked, searched = [], []
    for cell in board.cells:
        problem = TourProblem(board=board, closed=False, start=cell)
        found = walk(problem, settings=context.settings)
        if found.tour is not None or not found.exhausted:
            walked.append(board.name(cell))
        if search.construct(problem, context.settings) is not None:
            searched.append(board.name(cell))
    walked = walked[context.faulty == "walk" :]
    sides = [f"{len(starts)} of {len(board)} starts: {' '.join(starts)}" for starts in (walked, searched)]
    return Sides(*(text if sides[0] != sides[1] else text.partition(":")[0] for text in sides))


def walk_jobs(_level: str) -> Iterator[Job]:
    """Jobs of engine walk."""
    for size in ("3x4", "4x5", "5x5"):
        yield Job(f"starts of open tours {size} (walk)", _starts, (size,))
    yield Job("walks 6x6 to 10x10 (walk)", _walks, (("6x6", "8x8", "9x9", "10x10"), False))
    for level, sizes in _REPAIRED:
        for size in sizes:
            yield Job(f"repaired walks {size} (walk)", _walks, ((size,), True), level)


def _has_tour(rows: int, columns: int, closed: bool) -> bool:
    """Schwenk (1991) on closed tours; Conrad, Hindrichs, Morsy & Wegener (1994) on open ones."""
    short, long = sorted((rows, columns))
    if closed:
        return not (rows * columns % 2 or short in (1, 2, 4) or (short == 3 and long in (4, 6, 8)))
    return long == 1 or not (short <= 2 or (short, long) in ((3, 3), (3, 5), (3, 6), (4, 4)))


def settled(problem: TourProblem, argument: str, settings: Settings) -> bool | None:
    """Is there a tour? None if neither a valid tour nor a valid certificate was found."""
    found = prove(problem, settings, argument=argument)
    if isinstance(found, Tour):
        return True if problem.check(found) is None else None
    read = read_certificate(found.to_text())
    return False if read.problem == problem and check_certificate(read) is None else None


def boards(context: Context, closed: bool, cells: int, argument: str) -> Sides:
    """Boards of at most a given number of cells without tours: as certified, and as theorems state.

    ``argument`` is that of :func:`~ktsolve.proof.maker.prove`; ``clauses`` avoids arguments by colours.
    """
    sizes = [(a, b) for a in range(1, cells + 1) for b in range(a, cells // a + 1)]
    wrong, without = [], 0
    for rows, columns in sizes:
        problem = TourProblem(board=f"{rows}x{columns}", closed=closed)
        expected = _has_tour(rows, columns, closed)
        without += not expected
        if settled(problem, argument, context.settings) != expected:
            wrong.append(problem.board.size)
    return Sides.unless(wrong, f"{without} of {len(sizes)} boards without tours certified")


def certified(context: Context, problem: TourProblem, argument: str) -> Sides:
    """A problem without tours: its settled answer, and that it is certified."""
    texts = {True: "there is a tour", False: "certified", None: "neither tour nor certificate holds"}
    return Sides(texts[settled(problem, argument, context.settings)], texts[False])


_job = partial(Job, seconds=3.0)


def proof_jobs(level: str) -> Iterator[Job]:
    """Jobs of certificates."""
    most = 36 if level == "quick" else 60
    for (cells, argument), closed in itertools.product(((most, "auto"), (24, "clauses")), (True, False)):
        name = f"proofs of {'closed' if closed else 'open'} boards to {cells} cells ({argument})"
        yield _job(name, boards, (closed, cells, argument))
    chessboard = TourProblem(board="8x8", closed=True)
    obtuse = Bound(Statistic.made("obtuse", chessboard.board), most=3)
    quarter = chessboard.replace(symmetry="rot90")
    for problem, argument, at in (
        (chessboard.replace(conditions=[obtuse]), "clauses", "quick"),
        (quarter, "symmetry", "quick"),
        (TourProblem(board="6x6", closed=True, magic=["rows", "columns"]), "sums", "quick"),
        (quarter, "clauses", "standard"),
    ):
        yield _job(f"proof of no {problem} ({argument})", certified, (problem, argument), at)
