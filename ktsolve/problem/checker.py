"""The one judge that every engine's answer passes through.

It reads the numbered tour and the question, nothing else; no engine shares code with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ktsolve.ground.figures import corner_moves
from ktsolve.ground.symmetry import named_symmetry
from ktsolve.ground.tour import Fault, Tour
from ktsolve.problem.problem import TourProblem

__all__ = ["judge"]


def judge(problem: TourProblem, tour: Tour) -> Fault | None:
    """The first reason why ``tour`` does not answer ``problem``, or None. Linear in cells and conditions."""
    if tour.board != problem.board:
        return Fault(0, f"the tour is on {tour.board}, the problem on {problem.board}")
    tour = tour.as_closed(problem.closed)
    if tour.fault is not None:
        return tour.fault
    return next(_broken(problem, tour), None)


def _broken(problem: TourProblem, tour: Tour) -> Iterator[Fault]:
    board = problem.board
    if not problem.features - {"closed", "open", "holes", "leaper", "wrap"}:
        return
    wanted = [(1, problem.start), (len(tour), problem.end), *problem.steps]
    for step, cell in wanted:
        if cell is not None and tour.squares[step - 1] != cell:
            found = board.name(tour.squares[step - 1])
            yield Fault(step, f"step {step} is {found}, not {board.name(cell)} as asked")
    for move in sorted(problem.require - tour.moves):
        yield Fault(0, f"the required move {board.move_name(move)} is not made")
    for move in sorted(problem.forbid & tour.moves):
        step = min(tour.step_of[move[0]], tour.step_of[move[1]])
        yield Fault(step, f"the forbidden move {board.move_name(move)} is made")
    for corner in sorted(problem.corners):
        for move in sorted(corner_moves(board, corner) - tour.moves):
            yield Fault(0, f"corner {corner} is not structured: {board.move_name(move)} is not made")
    if problem.symmetry is not None:
        symmetry = named_symmetry(board, problem.symmetry)
        for a, b in sorted(tour.moves):
            images = sorted(board.cells[symmetry(board.index[cell])] for cell in (a, b))
            if (images[0], images[1]) not in tour.moves:
                made, missing = board.move_name((a, b)), board.move_name((images[0], images[1]))
                yield Fault(0, f"not symmetric under {problem.symmetry}: {made} is made, {missing} is not")
    for cells, cell, which in (
        (problem.starts, tour.squares[0], "begins"),
        (problem.ends, tour.squares[-1], "ends"),
    ):
        if cells and cell not in cells:
            yield Fault(0, f"the tour {which} at {board.name(cell)}, which is not among the cells allowed")
    yield from _unequal_sums(problem, tour)
    for condition in problem.conditions:
        if (fault := condition.fault(tour)) is not None:
            yield fault


def _unequal_sums(problem: TourProblem, tour: Tour) -> Iterator[Fault]:
    rows, columns, step = problem.board.rows, problem.board.columns, tour.step_of
    total = len(tour) * (len(tour) + 1) // 2
    lines = {
        "rows": [[(r, c) for c in range(columns)] for r in range(rows)],
        "columns": [[(r, c) for r in range(rows)] for c in range(columns)],
        "diagonals": [[(i, i) for i in range(rows)], [(i, rows - 1 - i) for i in range(rows)]],
    }
    for kind in sorted(problem.magic):
        number = columns if kind == "columns" else rows
        for which, line in enumerate(lines[kind], 1):
            found = sum(step[cell] for cell in line)
            if found * number != total:
                yield Fault(0, f"{kind[:-1]} {which} adds up to {found}, not {total / number:g}")
