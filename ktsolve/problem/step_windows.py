"""What given steps, ranges, orders and sets of ends leave of the steps that a cell can have.

Each cell that is spoken of has a window of steps. What comes before what makes the windows smaller, from the
first cells on and from the last ones back; where the board has two colours, cells of one are an even number
of steps apart.
"""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from ktsolve.ground.notation import Cell
from ktsolve.problem.conditions import Order, StepRange
from ktsolve.problem.problem import TourProblem

__all__ = ["why_no_steps"]


def why_no_steps(problem: TourProblem) -> str | None:
    """Why the cells cannot have steps as asked, or None if this does not tell. Linear in what is asked.

    >>> from ktsolve.ground.board import Board
    >>> from ktsolve.problem.condition_words import parse_condition
    >>> board = Board.parse("6x6")
    >>> stated = [*parse_condition("range", "a1=..8", board), *parse_condition("order", "c3,a1", board)]
    >>> why_no_steps(TourProblem(board=board, closed=False, steps={7: "c3"}, conditions=stated))
    'what is asked of steps and orders leaves no step for c3'
    """
    named = problem.board.name
    windows = _windows(problem)
    before: dict[Cell, set[Cell]] = {}
    for each in sorted(problem.conditions, key=repr):
        if isinstance(each, Order):
            for cell, other in pairwise(each.cells):
                before.setdefault(other, set()).add(cell)
    try:
        order = list(TopologicalSorter(before).static_order())
    except CycleError as error:
        circle = error.args[1][:-1]
        first = circle.index(max(circle))  # a1 comes after all cells above it
        named_circle = [named(cell) for cell in (*circle[first:], *circle[: first + 1])]
        return f"the orders go round in a circle: {', '.join(named_circle)}"
    colour = problem.board.colouring if order else None

    def gap(cell: Cell, other: Cell) -> int:
        return 2 if colour is not None and colour[cell] == colour[other] else 1

    for other in order:
        for cell in before.get(other, ()):
            (a, _), (c, d) = windows[cell], windows[other]
            windows[other] = max(c, a + gap(cell, other)), d
    for other in reversed(order):
        for cell in before.get(other, ()):
            (a, b), (_, d) = windows[cell], windows[other]
            windows[cell] = a, min(b, d - gap(cell, other))
    for cell, (least, most) in sorted(windows.items()):
        if least > most:
            return f"what is asked of steps and orders leaves no step for {named(cell)}"
    at: dict[int, Cell] = {}
    for cell, (least, most) in sorted(windows.items()):
        if least == most and at.setdefault(least, cell) != cell:
            return f"step {least} cannot be both {named(at[least])} and {named(cell)}"
    return None


def _windows(problem: TourProblem) -> dict[Cell, tuple[int, int]]:
    """The first and the last step that each cell can have, as single conditions tell."""
    n = len(problem.board)
    windows: dict[Cell, tuple[int, int]] = {}

    def narrow(cell: Cell, least: int, most: int) -> None:
        a, b = windows.get(cell, (1, n))
        windows[cell] = max(a, least), min(b, most)

    for step, cell in problem.known_steps:
        narrow(cell, step, step)
    for each in problem.conditions:
        if isinstance(each, StepRange):
            narrow(each.cell, each.least, each.most)
        elif isinstance(each, Order):
            for cell in each.cells:
                narrow(cell, 1, n)
    # Only the cells that may be an end can have its step.
    for cell in windows:
        if problem.starts and cell not in problem.starts:
            narrow(cell, 2, n)
        if problem.ends and cell not in problem.ends:
            narrow(cell, 1, n - 1)
    return windows
