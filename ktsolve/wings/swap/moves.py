"""Every move of a swap puzzle from a position, for the networks; and a count of shortest solutions by layers.

Slow and plain: strings and recursion. The native search and the Boolean model have their own definitions of a
move.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ktsolve.base.limits import Clock, Settings
from ktsolve.wings.swap.puzzle import EMPTY, Position, SwapMove, SwapPuzzle, after

__all__ = ["Layered", "State", "count_by_layers", "goals", "starts", "steps", "walks"]

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
