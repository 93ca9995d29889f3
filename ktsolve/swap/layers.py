"""Shortest solutions counted a second time: dynamic programming over layers, in plain Python.

The number of paths to a state of a layer is a sum over the moves that lead to it from the layer before.
"""

from __future__ import annotations

from dataclasses import dataclass

from ktsolve.problem.swap import SwapPuzzle
from ktsolve.settings import Clock, Settings
from ktsolve.swap.moves import State, goals, starts, steps

__all__ = ["Layered", "count_by_layers"]


@dataclass(frozen=True)
class Layered:
    """Length and number of shortest solutions, and the sizes of the layers.

    Attributes
    ----------
    length:
        Jumps (moves) of the shortest solutions; None if there are none.
    count:
        Number of shortest solutions.
    layers:
        Number of states at each distance, up to the goal.
    """

    length: int | None
    count: int
    layers: tuple[int, ...]


def count_by_layers(puzzle: SwapPuzzle, settings: Settings | None = None) -> Layered:
    """The length and number of shortest solutions. Time and memory grow with the states reached.

    Raises
    ------
    LimitReached
        At the time limit.

    Examples
    --------
    >>> count_by_layers(SwapPuzzle(start="W.W/.x./B.B", goal="B.B/.x./W.W", objective="moves"))
    Layered(length=7, count=8, layers=(1, 8, 28, 56, 70, 70, 46, 1))
    """
    clock = Clock((settings or Settings()).timeout)
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
