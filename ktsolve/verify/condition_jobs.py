"""Jobs of the cross-check about conditions: best values, non-crossing walks, conflicts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from ktsolve.graphs.board import Board
from ktsolve.graphs.tour_rows import TourRows
from ktsolve.problem.conditions import parse_condition
from ktsolve.problem.non_crossing import NonCrossingProblem
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistics import parse_objective
from ktsolve.tasks.best import best, longest_non_crossing
from ktsolve.tasks.explain import find_conflict
from ktsolve.tasks.find import find, find_all
from ktsolve.verify.jobs import Context, Job, Sides

__all__ = ["condition_jobs"]

_BEST = (
    ("6x6", "minimise", "obtuse", "quick"),
    ("6x6", "maximise", "straight", "quick"),
    ("5x6", "minimise", "crossings", "quick"),
    ("6x6", "minimise", "turns", "standard"),
    ("6x6", "maximise", "acute", "standard"),
    ("6x6", "maximise", "obtuse", "standard"),
    ("6x6", "maximise", "right", "full"),
    ("6x6", "minimise", "crossings", "full"),
)

# Side, closed, published length (OEIS A003192, A157416), engines, level.
_NON_CROSSING = (
    (4, False, 5, ("search", "cpsat"), "quick"),
    (4, True, 4, ("search", "cpsat"), "quick"),
    (5, False, 10, ("search",), "quick"),
    (5, True, 8, ("search", "cpsat"), "standard"),
    (6, False, 17, ("search",), "quick"),
    (6, True, 12, ("search",), "quick"),
    (7, True, 24, ("search",), "standard"),
    (7, False, 24, ("search",), "full"),
)


def _best(context: Context, size: str, sense: str, statistic: str) -> Sides:
    """The best value over all closed tours: by CP-SAT, by SAT step by step, and from the list of tours."""
    problem = TourProblem(board=size, closed=True)
    objective = parse_objective(sense, statistic, problem.board)
    listed = [tour.indices for tour in find_all(problem, "search", context.settings)]
    of_all = objective.statistic.values(TourRows(problem.ground, np.array(listed), closed=True))
    values = []
    for engine in ("cpsat", "sat"):
        found = best(problem, objective, engine, context.settings)
        value = (found.value or 0) + (engine == context.faulty)
        values.append(str(value) if found.optimal else f"{value}, not proved")
    left = values[0] if values[0] == values[1] else " by cpsat, ".join(values) + " by sat"
    return Sides(left, str(of_all.min() if sense == "minimise" else of_all.max()))


def _non_crossing(context: Context, side: int, closed: bool, length: int, engines: tuple[str, ...]) -> Sides:
    """The longest non-crossing walk of a square by each engine, and the published length."""
    problem = NonCrossingProblem(Board(side, side), closed)
    lengths = set()
    for engine in engines:
        found = longest_non_crossing(problem, engine, context.settings)
        moves = f"{found.length + (engine == context.faulty)} moves"
        lengths.add(moves if found.optimal else f"{moves}, not proved")
    return Sides(" and ".join(sorted(lengths)), f"{length} moves")


def _fewest_obtuse(context: Context) -> Sides:
    """Closed tours of the chessboard with at most three obtuse angles, and with four (Knuth 2025)."""
    board = Board.parse("8x8")
    three, four = (
        TourProblem(board=board, closed=True, conditions=parse_condition("most", f"obtuse={most}", board))
        for most in (3, 4)
    )
    none = find(three, "sat", context.settings).tour is None
    tours = list(find_all(four, "sat", context.settings))[context.faulty == "sat" :]
    classes = len({tour.canonical() for tour in tours})
    left = f"{'none' if none else 'some'} with 3; {len(tours)} with 4, {classes} up to symmetry"
    return Sides(left, "none with 3; 4 with 4, 1 up to symmetry")


def _conflict(context: Context) -> Sides:
    """The conditions named in a conflict, and those that conflict."""
    problem = TourProblem(
        board="6x6", closed=False, start="a1", end="c3", require=["b1-d2"], forbid=["d4-f5"]
    )
    return Sides("; ".join(find_conflict(problem, 20.0, context.settings).texts), "start a1; end c3")


_job = partial(Job, seconds=3.0, limited=True)


def condition_jobs(_level: str) -> Iterator[Job]:
    """Jobs of conditions."""
    for size, sense, statistic, level in _BEST:
        yield _job(f"{sense} {statistic} {size}", _best, (size, sense, statistic), level)
    for side, closed, length, engines, level in _NON_CROSSING:
        name = f"non-crossing {'cycle' if closed else 'path'} {side}x{side}"
        yield _job(name, _non_crossing, (side, closed, length, engines), level)
    yield _job("fewest obtuse angles 8x8", _fewest_obtuse)
    yield _job("conflicting conditions 6x6", _conflict)
