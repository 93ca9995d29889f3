"""Solutions of swap puzzles, their check and their text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ktsolve.problem.swap import Position, SwapMove, SwapPuzzle
from ktsolve.problem.swap_checker import violation
from ktsolve.problem.swap_picture import EMPTY

__all__ = ["SwapSolution", "after"]


def after(position: Position, move: SwapMove) -> Position:
    """The position after a move.

    >>> after("W..B", (0, 2))
    '..WB'
    """
    marks = list(position)
    marks[move[-1]], marks[move[0]] = marks[move[0]], EMPTY
    return "".join(marks)


@dataclass(frozen=True)
class SwapSolution:
    """Moves claimed to solve a puzzle.

    Examples
    --------
    >>> puzzle = SwapPuzzle(start="A./../..", goal="../../.A", objective="moves")
    >>> solution = SwapSolution(puzzle, ((0, 5),))
    >>> print(solution)
    1. A a3-b1
    >>> solution.positions
    ('A.....', '.....A')
    """

    puzzle: SwapPuzzle
    moves: tuple[SwapMove, ...]

    def __len__(self) -> int:
        return len(self.moves)

    @cached_property
    def positions(self) -> tuple[Position, ...]:
        """The positions before, between and after the moves."""
        found = [self.puzzle.first]
        for move in self.moves:
            found.append(after(found[-1], move))
        return tuple(found)

    @property
    def pieces(self) -> tuple[str, ...]:
        """The letter of the piece that makes each move."""
        return tuple(position[move[0]] for position, move in zip(self.positions, self.moves, strict=False))

    @property
    def jumps(self) -> int:
        """Number of jumps in all moves together."""
        return sum(len(move) - 1 for move in self.moves)

    def violation(self) -> str | None:
        """The first violation, or None; see :func:`ktsolve.problem.swap_checker.violation`."""
        return violation(self.puzzle, self.moves)

    def __str__(self) -> str:
        width = len(str(len(self)))
        return "\n".join(
            f"{number:{width}}. {piece} {self.puzzle.move_name(move)}"
            for number, (piece, move) in enumerate(zip(self.pieces, self.moves, strict=True), 1)
        )

    def line(self) -> str:
        """All moves on one line: ``a1-b3 c2-a3``."""
        return " ".join(map(self.puzzle.move_name, self.moves))

    def to_json(self) -> list[dict[str, Any]]:
        """The moves as JSON objects: ``piece``, and ``path`` as cells ``[row, column]``."""
        cells = self.puzzle.board.cells
        return [
            {"piece": piece, "path": [list(cells[cell]) for cell in move]}
            for piece, move in zip(self.pieces, self.moves, strict=True)
        ]
