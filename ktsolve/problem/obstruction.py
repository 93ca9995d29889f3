"""Reasons, found by arithmetic alone, why a tour cannot exist.

These are proofs: each names the theorem or the count that rules the tour out. Finding none proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from ktsolve.ground.board import Board
from ktsolve.ground.graph import Vertex
from ktsolve.ground.symmetry import named_symmetry
from ktsolve.problem.question import TourQuestion
from ktsolve.problem.stationary import why_not_symmetric
from ktsolve.problem.step_windows import why_no_steps
from ktsolve.problem.sum_parity import sums_refuted

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


def find_obstruction(problem: TourQuestion) -> Obstruction | None:
    """The first argument that applies, or None. Linear in cells and moves.

    >>> str(find_obstruction(TourQuestion(board="4x6", closed=True)))
    'no closed tour exists on a rectangle with a side of 1, 2 or 4 (Schwenk 1991)'
    """
    arguments: tuple[Callable[[TourQuestion], Obstruction | None], ...] = (
        _too_small,
        _colours,
        _schwenk,
        _degrees,
        _connectivity,
        _required_moves,
        _steps,
        _orders,
        _conditions,
        _sums,
        _symmetry,
    )
    return next((found for argument in arguments if (found := argument(problem)) is not None), None)


def _too_small(problem: TourQuestion) -> Obstruction | None:
    if problem.closed and len(problem.ground) < 3:
        return Obstruction("size", f"a closed tour needs at least 3 cells, not {len(problem.ground)}")
    return None


def _colours(problem: TourQuestion) -> Obstruction | None:
    if _connectivity(problem) is not None:
        return None
    colour = problem.ground.colouring
    if colour is None:
        return None
    board = problem.ground
    counts = [sum(1 for c in colour.values() if c == which) for which in (0, 1)]
    more, fewer = max(counts), min(counts)
    kind = "closed" if problem.closed else "open"
    if more - fewer > (0 if problem.closed else 1):
        return Obstruction(
            "colours",
            f"{'a' if problem.closed else 'an'} {kind} tour alternates between the two colours, "
            f"but the board has {more} cells of one and {fewer} of the other",
        )
    # Steps of one parity have one colour; when the counts differ it is known which.
    first = 0 if counts[0] > counts[1] else 1 if counts[1] > counts[0] else None
    known = problem.known_steps
    for step, cell in known:
        if first is not None and (colour[cell] == first) != (step % 2 == 1):
            parity = "odd" if colour[cell] == first else "even"
            return Obstruction(
                "colours",
                f"{board.name(cell)} cannot be at step {step}: cells of its colour, "
                f"{'the more' if parity == 'odd' else 'the less'} frequent one, stand at {parity} steps only",
            )
    if known:
        step, cell = known[0]
        for other_step, other in known[1:]:
            same = colour[cell] == colour[other]
            if same != ((other_step - step) % 2 == 0):
                return Obstruction(
                    "colours",
                    f"{board.name(cell)} at step {step} and {board.name(other)} at step {other_step} do not "
                    f"fit: they have {'the same colour' if same else 'different colours'}",
                )
    return None


def _schwenk(problem: TourQuestion) -> Obstruction | None:
    """A. J. Schwenk, Which rectangular chessboards have a knight's tour?, Math. Magazine 64 (1991)."""
    board = problem.ground
    if not (problem.closed and isinstance(board, Board) and board.plain):
        return None
    short, long = sorted((board.rows, board.columns))
    if short in (1, 2, 4):
        return Obstruction("Schwenk 1991", "no closed tour exists on a rectangle with a side of 1, 2 or 4")
    if short == 3 and long in (4, 6, 8):
        return Obstruction("Schwenk 1991", "no closed tour exists on 3x4, 3x6 and 3x8")
    # Both sides odd is the colour count.
    return None


def _degrees(problem: TourQuestion) -> Obstruction | None:
    board = problem.ground
    if len(board) < 2:
        return None
    forbidden = problem.forbid
    single: list[Vertex] = []
    for cell, others in board.neighbours.items():
        left = sum(1 for other in others if (min(cell, other), max(cell, other)) not in forbidden)
        if left == 0 and len(board) > 1:
            return Obstruction("degrees", f"{board.name(cell)} has no move left")
        if left == 1:
            if problem.closed:
                return Obstruction(
                    "degrees", f"{board.name(cell)} has one move left; a closed tour needs two"
                )
            single.append(cell)
    if problem.closed:
        return None
    if len(single) > 2:
        named = ", ".join(board.name(cell) for cell in single[:3])
        return Obstruction(
            "degrees", f"{len(single)} cells have one move left ({named}, ...); only the two ends may"
        )
    if problem.start is not None and problem.end is not None:
        for cell in single:
            if cell not in (problem.start, problem.end):
                return Obstruction("degrees", f"{board.name(cell)} has one move left but is not an end")
    return None


def _connectivity(problem: TourQuestion) -> Obstruction | None:
    board = problem.ground
    seen = {board.cells[0]}
    waiting = [board.cells[0]]
    while waiting:
        cell = waiting.pop()
        for other in board.neighbours[cell]:
            if other not in seen and (min(cell, other), max(cell, other)) not in problem.forbid:
                seen.add(other)
                waiting.append(other)
    if len(seen) == len(board):
        return None
    apart = next(cell for cell in board.cells if cell not in seen)
    return Obstruction(
        "connectivity", f"no moves lead from {board.name(board.cells[0])} to {board.name(apart)}"
    )


def _required_moves(problem: TourQuestion) -> Obstruction | None:
    board = problem.ground
    around: dict[Vertex, list[Vertex]] = {}
    for first, second in sorted(problem.required_moves):
        around.setdefault(first, []).append(second)
        around.setdefault(second, []).append(first)
    ends = () if problem.closed else (problem.start, problem.end)
    for cell, others in around.items():
        most = 1 if cell in ends else 2
        if len(others) > most:
            what = "an end of the tour" if most == 1 else "a cell"
            return Obstruction(
                "required moves",
                f"{len(others)} required moves meet at {board.name(cell)}; {what} has {most}",
            )
    # Every part of the required moves is now a path or a cycle; a cycle must be the whole closed tour.
    seen: set[Vertex] = set()
    for root in around:
        if root in seen:
            continue
        part, waiting = {root}, [root]
        while waiting:
            for other in around[waiting.pop()]:
                if other not in part:
                    part.add(other)
                    waiting.append(other)
        seen |= part
        if all(len(around[cell]) == 2 for cell in part) and (not problem.closed or len(part) < len(board)):
            return Obstruction(
                "required moves",
                f"the required moves through {board.name(root)} close a cycle of {len(part)} cells",
            )
    return None


def _steps(problem: TourQuestion) -> Obstruction | None:
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
            reached = {
                n
                for c in reached
                for n in board.neighbours[c]
                if (min(c, n), max(c, n)) not in problem.forbid
            }
        if other not in reached:
            return Obstruction(
                "steps",
                f"{board.name(other)} cannot be reached from {board.name(cell)} in {later - step} "
                f"{'move' if later - step == 1 else 'moves'}, as steps {step} and "
                f"{(later - 1) % len(board) + 1} ask",
            )
    return None


def _orders(problem: TourQuestion) -> Obstruction | None:
    reason = why_no_steps(problem)
    return None if reason is None else Obstruction("orders", reason)


def _sums(problem: TourQuestion) -> Obstruction | None:
    reason = sums_refuted(problem)
    return None if reason is None else Obstruction("sums", reason)


def _conditions(problem: TourQuestion) -> Obstruction | None:
    for condition in problem.listed_conditions:
        if (reason := condition.refuted(problem.ground, problem.closed)) is not None:
            return Obstruction(condition.theorem, reason)
    return None


def _symmetry(problem: TourQuestion) -> Obstruction | None:
    """What a symmetry does to a path or cycle.

    The quarter turn is after G. P. Jelliss, Symmetry in knight's tours.
    """
    name = problem.symmetry
    if name is None:
        return None
    board = problem.board
    symmetry = named_symmetry(board, name)
    fixed = sum(1 for i in range(len(board)) if symmetry(i) == i)
    if fixed == len(board):
        return None
    if not problem.closed and name == "rot90":
        return Obstruction("symmetry", "a path has no symmetry of order 4: its ends can only be exchanged")
    # A symmetry other than the identity turns a cycle, fixing no cell, or reflects it, fixing at most two; it
    # can only reverse a path, fixing at most the middle cell.
    most = 2 if problem.closed else 1
    if fixed > most:
        kind = "closed tour" if problem.closed else "open tour"
        return Obstruction(
            "symmetry",
            f"a symmetry of {'a' if problem.closed else 'an'} {kind} fixes at most {most} "
            f"{'cells' if most > 1 else 'cell'}; {name} fixes {fixed} of this board",
        )
    if name == "rot90" and board.plain and board.rows % 4 == 0:
        return Obstruction(
            "quarter-turn theorem", "a square of side divisible by 4 has no closed tour with a quarter turn"
        )
    reason = why_not_symmetric(problem, symmetry)
    return None if reason is None else Obstruction("symmetry", reason)
