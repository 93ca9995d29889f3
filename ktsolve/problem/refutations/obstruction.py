"""Reasons, found by arithmetic alone, why a tour cannot exist.

These are proofs: each names the theorem or the count that rules the tour out. Finding none proves nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product
from typing import TYPE_CHECKING

from ktsolve.base.text import plural
from ktsolve.graphs.board import Board
from ktsolve.graphs.components import components
from ktsolve.graphs.graph import Vertex
from ktsolve.graphs.symmetry import named_symmetry
from ktsolve.problem.refutations.rectangles import schwenk
from ktsolve.problem.refutations.stationary import why_not_symmetric
from ktsolve.problem.refutations.step_windows import why_no_steps
from ktsolve.problem.refutations.sum_parity import sums_refuted

if TYPE_CHECKING:
    from ktsolve.problem.problem import TourProblem

__all__ = ["Obstruction", "find_obstruction"]


@dataclass(frozen=True)
class Obstruction:
    """Why there is no such tour.

    Attributes
    ----------
    theorem:
        Name of the argument: ``size``, ``colours``, ``degrees``, ``connectivity``, ``required moves``,
        ``steps``, ``orders``, ``sums``, ``bounds``, ``symmetry``, ``quarter-turn theorem`` or
        ``Schwenk 1991``.
    reason:
        The argument in words.
    """

    theorem: str
    reason: str

    def __str__(self) -> str:
        return f"{self.reason} ({self.theorem})"


def find_obstruction(problem: TourProblem) -> Obstruction | None:
    """The first argument that applies, or None. Linear in cells and moves.

    >>> from ktsolve import TourProblem
    >>> str(find_obstruction(TourProblem(board="4x6", closed=True)))
    'no closed tour exists on a rectangle with a side of 1, 2 or 4 (Schwenk 1991)'
    """
    for theorem, reason in _arguments(problem):
        if reason is not None:
            return Obstruction(theorem, reason)
    return None


def _arguments(problem: TourProblem) -> Iterator[tuple[str, str | None]]:
    ground, closed = problem.ground, problem.closed
    if closed and len(ground) < 3:
        yield "size", f"a closed tour needs at least 3 {ground.nouns.cells}, not {len(ground)}"
    # Imports NumPy, which commands do not need at their start.
    from ktsolve.problem.refutations.connectivity import why_no_degrees, why_not_connected

    apart = why_not_connected(problem)
    if apart is None and ground.colours is not None:
        yield "colours", _colours(problem)
    if closed and isinstance(ground, Board) and ground.plain:
        yield "Schwenk 1991", schwenk(ground.rows, ground.columns)
    if len(ground) > 1:
        yield "degrees", why_no_degrees(problem)
    yield "connectivity", apart
    yield "required moves", _required_moves(problem)
    yield "steps", _steps(problem)
    yield "orders", why_no_steps(problem)
    for condition in problem.listed_conditions:
        yield condition.theorem, condition.refuted(ground, closed)
    yield "sums", sums_refuted(problem)
    if problem.symmetry is not None:
        yield from _symmetry(problem, problem.symmetry)


def _colours(problem: TourProblem) -> str | None:
    board, known = problem.ground, problem.known_steps
    colours = board.colours
    assert colours is not None
    colour = {cell: int(colours[board.place(cell)]) for _, cell in known}
    ones = int(colours.sum())
    counts = [len(colours) - ones, ones]
    more, fewer = max(counts), min(counts)
    if more - fewer > (0 if problem.closed else 1):
        cells = plural(more, board.nouns.cell, board.nouns.cells)
        return (
            f"{'a closed' if problem.closed else 'an open'} tour alternates between the two colours, "
            f"but the {board.nouns.ground} has {more} {cells} of one and {fewer} of the other"
        )
    # If the counts differ, the odd steps have the more frequent colour.
    if more > fewer:
        first = counts.index(more)
        for step, cell in known:
            if (colour[cell] == first) != (step % 2 == 1):
                parity, which = ("odd", "more") if colour[cell] == first else ("even", "less")
                return (
                    f"{board.title(cell)} cannot be at step {step}: {board.nouns.cells} of its colour, "
                    f"the {which} frequent one, are at {parity} steps only"
                )
    for (step, cell), (other_step, other) in product(known[:1], known[1:]):
        same = colour[cell] == colour[other]
        if same != ((other_step - step) % 2 == 0):
            return (
                f"{board.title(cell)} at step {step} and {board.title(other)} at step {other_step} do not "
                f"fit: they have {'the same colour' if same else 'different colours'}"
            )
    return None


def _required_moves(problem: TourProblem) -> str | None:
    board, nouns = problem.ground, problem.ground.nouns
    if board.directed and (reason := _required_arcs(problem)) is not None:
        return reason
    around: dict[Vertex, list[Vertex]] = {}
    for first, second in sorted(problem.required_moves):
        around.setdefault(first, []).append(second)
        around.setdefault(second, []).append(first)
    ends = () if problem.closed else (problem.start, problem.end)
    for cell, others in around.items():
        most = 1 if cell in ends else 2
        if len(others) > most:
            what = "an end of the tour" if most == 1 else f"a {nouns.cell}"
            return f"{len(others)} required {nouns.moves} meet at {board.title(cell)}; {what} has {most}"
    # Every component is now a path or a cycle; a cycle must be the whole closed tour.
    for part in components(around):
        if all(len(around[cell]) == 2 for cell in part) and (not problem.closed or len(part) < len(board)):
            root = next(cell for cell in around if cell in part)
            where = f"the required {nouns.moves} through {board.title(root)}"
            return f"{where} close a cycle of {len(part)} {nouns.cells}"
    return None


def _required_arcs(problem: TourProblem) -> str | None:
    """One arc enters and one leaves a vertex, none the first and the last of an open tour."""
    board = problem.ground
    for column, end, which, verb in ((1, problem.start, "first", "into"), (0, problem.end, "last", "out of")):
        counts = Counter(move[column] for move in problem.required_moves)
        for cell, number in sorted(counts.items()):
            if number > 1:
                return f"{number} required arcs lead {verb} {board.title(cell)}; a tour has one"
            if not problem.closed and cell == end:
                return f"a required arc leads {verb} {board.title(cell)}, the {which} one"
    return None


def _steps(problem: TourProblem) -> str | None:
    """Cells at neighbouring steps must be a move apart, and no two cells closer in steps than in moves."""
    board, known = problem.ground, problem.known_steps
    pairs = list(pairwise(known))
    if problem.closed and len(known) > 1:
        (step, cell), last = known[0], known[-1]
        pairs.append((last, (step + len(board), cell)))
    for (step, cell), (later, other) in pairs:
        if later - step > 6:
            continue
        reached = {cell}
        for _ in range(later - step):
            reached = {other for each in reached for other in problem.neighbours[each]}
        if other not in reached:
            return (
                f"{board.title(other)} cannot be reached from {board.title(cell)} in {later - step} "
                f"{board.nouns.move if later - step == 1 else board.nouns.moves}, as steps {step} and "
                f"{(later - 1) % len(board) + 1} require"
            )
    return None


def _symmetry(problem: TourProblem, name: str) -> Iterator[tuple[str, str | None]]:
    """The arguments from a symmetry; the quarter turn is after G. P. Jelliss, Symmetry in knight's tours."""
    board = problem.board
    symmetry = named_symmetry(board, name)
    fixed = sum(1 for i in range(len(board)) if symmetry(i) == i)
    if fixed == len(board):
        return
    if not problem.closed and name == "rot90":
        yield "symmetry", "a path has no symmetry of order 4: its ends can only be exchanged"
    # A symmetry other than the identity turns a cycle, fixing no cell, or reflects it, fixing at most two; it
    # can only reverse a path, fixing at most the middle cell.
    kind, most = ("a closed tour", "2 cells") if problem.closed else ("an open tour", "1 cell")
    if fixed > (2 if problem.closed else 1):
        yield "symmetry", f"a symmetry of {kind} fixes at most {most}; {name} fixes {fixed} of this board"
    if name == "rot90" and board.plain and board.rows % 4 == 0:
        reason = "a square of side divisible by 4 has no closed tour with a quarter turn"
        yield "quarter-turn theorem", reason
    yield "symmetry", why_not_symmetric(problem, symmetry)
