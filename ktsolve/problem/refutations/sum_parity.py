"""Sums that the parity of steps rules out.

Where moves alternate between two colours, the odd steps are on one colour, so that the parity of a sum of
steps is known from the colours of its cells alone. Where every move changes either the parity of the row or
that of the column, more is known:

Take a tour of a board with both sides even whose rows have equal sums, and its columns too. Let A, B, C, D be
the cells by parity of row and column: A even and even, B even and odd, C odd and odd, D odd and even. The
even rows hold half of the sum of everything, and so do the even columns: A + B = A + D, so B = D and A = C.
One of these pairs has the even steps, 2 + 4 + ... + N = N/2 (N/2 + 1), and each of the two half of that,
which must be even again. As N/2 is even, N must be divisible by 8: there is no magic tour of 6x6, nor of any
square whose side is twice an odd number (known; G. P. Jelliss, Existence theorems on magic tours).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ktsolve.graphs.graph import Vertex
from ktsolve.problem.conditions import CellSum, EqualSums

if TYPE_CHECKING:
    from ktsolve.problem.problem import TourProblem

__all__ = ["sums_refuted"]


def sums_refuted(problem: TourProblem) -> str | None:
    """The reason why the sums of a problem are impossible, or None if parity does not refute them.

    Examples
    --------
    >>> from ktsolve import TourProblem
    >>> print(sums_refuted(TourProblem(board="7x7", closed=False, magic=["rows"])))
    a row has sums of both parities: the odd steps are on one colour
    """
    if not (problem.magic or problem.each(CellSum)):
        return None
    colour = problem.ground.colouring
    if colour is None:
        return None
    reasons = []
    for odd in _colours_of_odd_steps(problem, colour):
        broken = next(
            (
                why
                for why, cells, total in _sums(problem)
                if sum(colour[cell] == odd for cell in cells) % 2 != total % 2
            ),
            None,
        )
        if broken is None:
            break
        reasons.append(broken)
    else:
        return reasons[0] if reasons else None
    if {"rows", "columns"} <= problem.magic:
        board = problem.board
        alternating = sum(board.leaper) % 2 == 1 and board.wrap == "none" and not board.removed
        if alternating and board.rows % 2 == 0 == board.columns % 2 and len(board) % 8:
            return (
                "on a board with even sides rows and columns can both have equal sums only if the number of "
                f"cells, {len(board)}, is divisible by 8"
            )
    return None


def _colours_of_odd_steps(problem: TourProblem, colour: dict[Vertex, int]) -> list[int]:
    """The colours that the first step may have."""
    counts = [sum(1 for each in colour.values() if each == which) for which in (0, 1)]
    if counts[0] != counts[1]:
        return [int(counts[1] > counts[0])]
    if problem.known_steps:
        step, cell = problem.known_steps[0]
        return [colour[cell] if step % 2 else 1 - colour[cell]]
    return [0, 1]


def _sums(problem: TourProblem) -> Iterator[tuple[str, list[Vertex], int]]:
    """Cells whose steps must add up to a total, and the message if they cannot."""
    ground = problem.ground
    for equal in problem.each(EqualSums):
        total, rest = equal.total(ground)
        why = f"a {equal.kind[:-1]} has sums of both parities: the odd steps are on one colour"
        for line in () if rest else equal.lines(ground):
            yield why, line, total
    for condition in problem.each(CellSum):
        odd = "an odd" if condition.total % 2 else "an even"
        why = f"sum {condition.text(ground)}: {odd} total does not fit the colours of these cells"
        yield why, sorted(condition.cells), condition.total
