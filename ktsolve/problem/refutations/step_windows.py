"""Windows of steps: the steps that given steps, ranges, orders and sets of ends leave for a cell.

Each cell that a condition names has a window. Orders narrow the windows, from the first cells on and from the
last ones back; on a bipartite graph, cells of one colour are an even number of steps apart.
"""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import TYPE_CHECKING

from ktsolve.graphs.graph import Vertex
from ktsolve.problem.conditions import Order, StepRange

if TYPE_CHECKING:
    from ktsolve.problem.problem import TourProblem

__all__ = ["why_no_steps"]


def why_no_steps(problem: TourProblem) -> str | None:
    """Why some cell can have no step, or None if windows do not refute. Linear in the conditions.

    >>> from ktsolve.graphs.board import Board
    >>> from ktsolve import TourProblem
    >>> from ktsolve.problem.conditions import parse_condition
    >>> board = Board.parse("6x6")
    >>> stated = [*parse_condition("range", "a1=..8", board), *parse_condition("order", "c3,a1", board)]
    >>> why_no_steps(TourProblem(board=board, closed=False, at={7: "c3"}, conditions=stated))
    'steps, ranges and orders leave no step for c3'
    """
    named = problem.ground.name
    windows = _windows(problem)
    before: dict[Vertex, set[Vertex]] = {}
    for each in problem.each(Order):
        for cell, other in pairwise(each.cells):
            before.setdefault(other, set()).add(cell)
    try:
        order = list(TopologicalSorter(before).static_order())
    except CycleError as error:
        circle = error.args[1][:-1]
        first = circle.index(max(circle))  # a1 comes after all cells above it
        named_circle = [named(cell) for cell in (*circle[first:], *circle[: first + 1])]
        return f"the orders form a cycle: {', '.join(named_circle)}"
    colour = problem.ground.colouring if order else None

    def gap(cell: Vertex, other: Vertex) -> int:
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
            return f"steps, ranges and orders leave no step for {named(cell)}"
    at: dict[int, Vertex] = {}
    for cell, (least, most) in sorted(windows.items()):
        if least == most and at.setdefault(least, cell) != cell:
            return f"step {least} cannot be both {named(at[least])} and {named(cell)}"
    return None


def _windows(problem: TourProblem) -> dict[Vertex, tuple[int, int]]:
    """The first and the last step that each cell can have by single conditions."""
    n = len(problem.ground)
    windows: dict[Vertex, tuple[int, int]] = {}

    def narrow(cell: Vertex, least: int, most: int) -> None:
        a, b = windows.get(cell, (1, n))
        windows[cell] = max(a, least), min(b, most)

    for step, cell in problem.known_steps:
        narrow(cell, step, step)
    for given in problem.each(StepRange):
        narrow(given.cell, given.least, given.most)
    for order in problem.each(Order):
        for cell in order.cells:
            narrow(cell, 1, n)
    # Only the cells that may be an end can have its step.
    for cell in windows:
        if problem.starts and cell not in problem.starts:
            narrow(cell, 2, n)
        if problem.ends and cell not in problem.ends:
            narrow(cell, 1, n - 1)
    return windows
