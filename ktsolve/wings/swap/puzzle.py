"""Swap puzzles: the statement of the model, which draws itself and writes itself as JSON."""

from __future__ import annotations

from collections import Counter
from math import factorial, prod
from typing import TYPE_CHECKING, Any

from ktsolve.graphs.board import Board
from ktsolve.graphs.drawing import Drawn
from ktsolve.models._swap_statement import EMPTY, Position, SwapMove, SwapStatement, after
from ktsolve.render.subject import Subject

if TYPE_CHECKING:
    from ktsolve.render.scene.shapes import Scene
    from ktsolve.render.scene.style import Style

__all__ = ["EMPTY", "Position", "SwapMove", "SwapPuzzle", "after"]


class SwapPuzzle(SwapStatement, Drawn, Subject):
    """A swap puzzle: the pieces at the start, the pieces at the goal, and the rules of their moves.

    Attributes
    ----------
    start, goal:
        Pictures of the same board, rows as lines or separated by ``/``. Letters and digits are pieces, ``.``
        is an empty cell, ``x`` a missing one.
    board:
        The board and its leaper; None takes the cells from the picture of the start, and the knight.
    leapers:
        ``(r, s)`` by letter, for pieces other than the board's leaper.
    objective:
        ``jumps`` or ``moves``. A *move* is a walk of one piece over empty cells, jump by jump, that visits no
        cell twice.
    longest:
        Most jumps in one move; None or ``any`` for any number.
    different:
        No two pieces are alike: every letter stands once.
    colours:
        Texts of letters of one colour; a letter in none of them is a colour of its own.
    alternate:
        The two colours move by turns; either may begin.
    peaceful:
        No two pieces of different colours attack each other, neither between moves nor during one.
    most:
        Most jumps (moves) of a solution; None for any number.

    Raises
    ------
    BadInput
        Naming the place or the letter that is wrong.

    Examples
    --------
    >>> puzzle = SwapPuzzle(start="W.W/.x./B.B", goal="B.B/.x./W.W")
    >>> puzzle.positions
    420
    >>> SwapPuzzle(start="W.W/.x./B.B", goal="W.B/.x./W.W")
    Traceback (most recent call last):
    ktsolve.base.errors.BadInput: the start has 2 B, the goal 1: both must have the same pieces
    """

    @property
    def positions(self) -> int:
        """Number of positions of the pieces on the board."""
        return factorial(len(self.first)) // prod(map(factorial, Counter(self.first).values()))

    def to_json(self) -> dict[str, Any]:
        """The board, both pictures and the objective as a JSON object."""
        names = ("start", "goal", "objective", "longest")
        return {"board": self.board.to_json(), **{name: getattr(self, name) for name in names}}

    def ground(self) -> Board:
        """Return the board."""
        return self.board

    def scenes(self, style: Style) -> list[Scene]:
        """The picture of the puzzle: its start, an arrow, and its goal.

        Parameters
        ----------
        style:
            Colours and sizes.

        Returns
        -------
        list[Scene]
            One picture.
        """
        from ktsolve.wings.swap.picture import puzzle_scene

        return [puzzle_scene(self, style)]
