"""Jobs of the cross-check about walks: tours by every rule, and starts without tours."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ktsolve.engines.registry import engine_named
from ktsolve.engines.walk.rules import RULES
from ktsolve.engines.walk.walk import repaired_walk, walk
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.verify.jobs import Context, Job, Sides

__all__ = ["walk_jobs"]

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
        fault = "no tour" if tour is None else problem.check(tour)
        if fault is not None:
            wrong.append(f"{problem} by {rule}: {fault}")
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
