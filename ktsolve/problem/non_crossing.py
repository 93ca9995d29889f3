"""Non-crossing walks: longest paths and cycles of a leaper that do not cross themselves.

They need not visit all cells. Source: L. D. Yarbrough, Uncrossed knight's tours, J. Recreational Math. 1
(1968); OEIS A003192 (paths) and A157416 (cycles).
"""

from __future__ import annotations

from dataclasses import dataclass

from ktsolve.graphs.board import Board
from ktsolve.graphs.geometry import crossings, needs_plane
from ktsolve.graphs.tour import Tour, Violation

__all__ = ["NonCrossingProblem"]


@dataclass(frozen=True)
class NonCrossingProblem:
    """The question for a longest non-crossing path, or cycle, on a board that is not wrapped.

    >>> problem = NonCrossingProblem(Board.parse("3x3"), closed=False)
    >>> print(problem.check(Tour.from_names(problem.board, "a1 b3 c1 a2 c3")))
    a1-b3 crosses a2-c3
    """

    board: Board
    closed: bool

    def __post_init__(self) -> None:
        needs_plane(self.board)

    def check(self, walk: Tour) -> Violation | None:
        """The first violation in a walk over some of the cells, or None."""
        if walk.board != self.board:
            return Violation(0, f"the walk is on {walk.board}, the problem on {self.board}")
        if walk.step_violation is not None:
            return walk.step_violation
        if self.closed and not walk.closes:
            start, end = (self.board.name(walk.squares[at]) for at in (0, -1))
            return Violation(len(walk), f"{end} is not a move from {start}")
        for first, second in crossings(walk.as_closed(self.closed)):
            return Violation(0, f"{self.board.move_name(first)} crosses {self.board.move_name(second)}")
        return None

    @property
    def most_moves(self) -> int:
        """The moves of a walk over all cells."""
        return len(self.board) - (not self.closed)

    def length(self, walk: Tour) -> int:
        """Number of moves."""
        return len(walk.as_closed(self.closed).moves)

    def __str__(self) -> str:
        return f"non-crossing {'cycle' if self.closed else 'path'} on {self.board}"
