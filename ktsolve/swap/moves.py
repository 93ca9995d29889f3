"""Every move of a swap puzzle from a position, for the networks and the count by layers.

Slow and plain: strings and recursion. The native search and the Boolean model have their own definitions of a
move.
"""

from __future__ import annotations

from collections.abc import Iterator

from ktsolve.problem.swap import Position, SwapMove, SwapPuzzle
from ktsolve.problem.swap_picture import EMPTY
from ktsolve.problem.swap_solution import after

__all__ = ["State", "goals", "starts", "steps", "walks"]

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
