"""Swap puzzles: the statement of the model, which draws itself and writes itself as JSON; and their moves.

Moves are made slowly and plainly here, by strings and recursion, for the networks and a count by layers. The
native search and the Boolean model have their own definitions of a move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import factorial, prod
from typing import TYPE_CHECKING, Any

from ktsolve.base.limits import Clock, Settings
from ktsolve.graphs.board import Board
from ktsolve.graphs.drawing import Drawn
from ktsolve.models._swap_statement import EMPTY, Position, SwapMove, SwapStatement, after
from ktsolve.render.subject import Subject

if TYPE_CHECKING:
    from ktsolve.render.scene.shapes import Scene
    from ktsolve.render.scene.style import Style

__all__ = [
    "EMPTY",
    "Layered",
    "Position",
    "State",
    "SwapMove",
    "SwapPuzzle",
    "after",
    "count_by_layers",
    "goals",
    "starts",
    "steps",
    "walks",
]


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


State = tuple[Position, str]
"""A position and the colour that moved last; the colour is empty unless colours alternate."""


def starts(puzzle: SwapPuzzle) -> list[State]:
    """The states in which solutions begin; either colour may move first."""
    return [(puzzle.first, colour) for colour in _turns(puzzle)]


def goals(puzzle: SwapPuzzle) -> list[State]:
    """The states in which solutions end."""
    return [(puzzle.last, colour) for colour in _turns(puzzle)]


def _turns(puzzle: SwapPuzzle) -> list[str]:
    return sorted(set(puzzle.colour_of.values())) if puzzle.alternate else [""]


def steps(puzzle: SwapPuzzle, state: State) -> Iterator[tuple[SwapMove, State]]:
    """Every move from a state, with the state after it; each walk is a move of its own.

    >>> puzzle = SwapPuzzle(start="A./../..", goal="../../.A")
    >>> list(steps(puzzle, ("A.....", "")))
    [((0, 5), ('.....A', ''))]
    """
    position, before = state
    for here, letter in enumerate(position):
        if letter == EMPTY or (puzzle.alternate and puzzle.colour_of[letter] == before):
            continue
        colour = puzzle.colour_of[letter] if puzzle.alternate else ""
        for walk in walks(puzzle, position, here):
            yield walk, (after(position, walk), colour)


def walks(puzzle: SwapPuzzle, position: Position, here: int) -> Iterator[SwapMove]:
    """The walks that the piece on a cell may make in one move, each before its continuations."""
    letter = position[here]

    def longer(walk: SwapMove) -> Iterator[SwapMove]:
        for there in puzzle.jumps[letter][walk[-1]]:
            if position[there] != EMPTY or there in walk:
                continue
            further = (*walk, there)
            if puzzle.peaceful and puzzle.attack(after(position, further)) is not None:
                continue
            yield further
            if len(further) <= puzzle.reach:
                yield from longer(further)

    return longer((here,))


@dataclass(frozen=True)
class Layered:
    """Length and number of shortest solutions, None and 0 without solutions, and the sizes of the layers."""

    length: int | None
    count: int
    layers: tuple[int, ...]


def count_by_layers(puzzle: SwapPuzzle, settings: Settings | None = None) -> Layered:
    """The length and number of shortest solutions.

    The number of paths to a state of a layer is a sum over the moves that lead to it from the layer before.
    Time and memory grow with the states reached. Raises LimitReached at the time limit.

    >>> count_by_layers(SwapPuzzle(start="W.W/.x./B.B", goal="B.B/.x./W.W", objective="moves"))
    Layered(length=7, count=8, layers=(1, 8, 28, 56, 70, 70, 46, 1))
    """
    clock = Clock(settings or Settings())
    layer: dict[State, int] = dict.fromkeys(starts(puzzle), 1)
    seen = set(layer)
    sizes = []
    while layer:
        clock.check(f"{len(seen):,} states reached")
        sizes.append(len(layer))
        found = [layer[goal] for goal in goals(puzzle) if goal in layer]
        if found:
            # The empty solution is one, not one for each colour that could move first.
            return Layered(len(sizes) - 1, sum(found) if len(sizes) > 1 else 1, tuple(sizes))
        if puzzle.most is not None and len(sizes) > puzzle.most:
            break
        following: dict[State, int] = {}
        for state, paths in layer.items():
            for _, reached in steps(puzzle, state):
                if reached not in seen:
                    following[reached] = following.get(reached, 0) + paths
        seen.update(following)
        layer = following
    return Layered(None, 0, tuple(sizes))
