"""Arguments from degrees and connectivity, of directed graphs too, in whole arrays: linear in the moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ktsolve.graphs.edge_arrays import component_labels, strong_components
from ktsolve.graphs.graph import Vertex

if TYPE_CHECKING:
    from ktsolve.problem.problem import TourProblem

__all__ = ["why_no_degrees", "why_not_connected"]


def why_no_degrees(problem: TourProblem) -> str | None:
    """Why the numbers of moves at single vertices exclude every tour, or None if they do not.

    >>> from ktsolve import TourProblem
    >>> why_no_degrees(TourProblem(board="3x4", closed=True, forbid=["a1-b3"]))
    'a1 has one move left; a closed tour needs two'
    """
    board, ends, nouns = problem.ground, problem.allowed_edges, problem.ground.nouns
    if board.directed:
        return _one_way_degrees(problem)
    degrees = np.bincount(ends.ravel(), minlength=len(board))
    low = np.flatnonzero(degrees < 2).tolist()
    single: list[Vertex] = []
    for cell in board.cells_of(low):
        if degrees[board.index[cell]] == 0:
            return f"{board.title(cell)} has no {nouns.move} left"
        if problem.closed:
            return f"{board.title(cell)} has one {nouns.move} left; a closed tour needs two"
        single.append(cell)
    if len(single) > 2:
        named = ", ".join(board.name(cell) for cell in single[:3])
        return f"{len(single)} {nouns.cells} have one {nouns.move} left ({named}, ...); only the two ends may"
    if problem.start is not None and problem.end is not None:
        for cell in single:
            if cell not in (problem.start, problem.end):
                return f"{board.title(cell)} has one {nouns.move} left but is not an end"
    return None


def _one_way_degrees(problem: TourProblem) -> str | None:
    """Every vertex needs an arc in and one out; at the ends of an open tour one of them is enough."""
    board = problem.ground
    for column, end, which, verb in ((1, problem.start, "first", "into"), (0, problem.end, "last", "out of")):
        present = np.bincount(problem.allowed_edges[:, column], minlength=len(board)) > 0
        without = board.cells_of(np.flatnonzero(~present).tolist())
        if without and problem.closed:
            return f"no arc leads {verb} {board.title(without[0])}"
        if len(without) > 1:
            named = " and ".join(map(board.title, without[:2]))
            return f"no arc leads {verb} {named}; only the {which} vertex may have none"
        if without and end is not None and end != without[0]:
            return f"no arc leads {verb} {board.title(without[0])}, which is not the {which} vertex"
    return None


def why_not_connected(problem: TourProblem) -> str | None:
    """Why some vertex cannot be reached from another, or None if all can.

    >>> from ktsolve import TourProblem
    >>> why_not_connected(TourProblem(board="3x3", closed=False))
    'no moves lead from a3 to b2'
    """
    board = problem.ground
    labels = component_labels(len(board), problem.allowed_edges)
    apart = np.flatnonzero(labels)
    if len(apart):
        first, other = board.cells_of([0, int(apart[0])])
        return f"no {board.nouns.moves} lead from {board.title(first)} to {board.title(other)}"
    return _one_way_connectivity(problem) if board.directed else None


def _one_way_connectivity(problem: TourProblem) -> str | None:
    """A closed tour needs one strong component; an open one visits them one after the other, each once."""
    board, arcs = problem.ground, problem.allowed_edges
    parts = strong_components(len(board), arcs)
    if problem.closed:
        if len(parts) == 1:
            return None
        last, first = board.cells_of([parts[-1][0], parts[0][0]])
        return f"no arcs lead from {board.title(last)} to {board.title(first)}"
    part_of = np.empty(len(board), dtype=np.int64)
    for number, part in enumerate(parts):
        part_of[part] = number
    tails, heads = part_of[arcs[:, 0]], part_of[arcs[:, 1]]
    linked = np.zeros(len(parts), dtype=np.bool_)
    linked[tails[heads == tails + 1]] = True
    broken = np.flatnonzero(~linked[:-1])
    if len(broken):
        at = int(broken[0])
        one, other = board.cells_of([parts[at][0], parts[at + 1][0]])
        return f"no arcs lead from {board.title(one)} to {board.title(other)}, and none back"
    for end, part, what in ((problem.start, parts[0], "begin"), (problem.end, parts[-1], "end")):
        if end is not None and board.index[end] not in part:
            (other,) = board.cells_of(part[:1])
            ways = (end, other) if what == "begin" else (other, end)
            from_, to = map(board.title, ways)
            return f"an open tour cannot {what} at {board.title(end)}: no arcs lead from {from_} to {to}"
    return None
