"""What arithmetic says about a swap puzzle before anything is searched: a lower bound, parity, impossibility.

Engines that plan with a given number of steps start from these. Searching does not use them, so that they
check each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import ceil

from ktsolve.problem.swap import SwapPuzzle
from ktsolve.problem.swap_picture import EMPTY

__all__ = ["distances", "lower_bound", "obstruction", "parity"]

_FAR = 10**6
"""Stands for no way at all; more than any sum of distances on a board."""


def distances(puzzle: SwapPuzzle, letter: str) -> list[list[int]]:
    """Fewest jumps of a piece from each cell to each on an empty board; many where there is no way."""
    around = puzzle.jumps[letter]
    table: list[list[int]] = []
    for root in range(len(around)):
        away = [_FAR] * len(around)
        away[root] = 0
        queue = [root]
        for here in queue:
            for there in around[here]:
                if away[there] == _FAR:
                    away[there] = away[here] + 1
                    queue.append(there)
        table.append(away)
    return table


def lower_bound(puzzle: SwapPuzzle) -> int | None:
    """A number of jumps (moves) that no solution is below, or None if no way leads to the goal.

    Pieces of a letter are given cells of the goal so that their jumps, on an empty board, are fewest; parity
    (see :func:`parity`) may add one.

    >>> lower_bound(SwapPuzzle(start="W.W/.x./B.B", goal="B.B/.x./W.W"))
    8
    """
    total = 0
    for letter in puzzle.letters:
        fewest = _fewest(puzzle, letter)
        if fewest is None:
            return None
        total += fewest
    odd = parity(puzzle)
    return total + (odd is not None and total % 2 != odd)


def _fewest(puzzle: SwapPuzzle, letter: str) -> int | None:
    import networkx

    away = distances(puzzle, letter)
    here = [cell for cell, mark in enumerate(puzzle.first) if mark == letter]
    there = [cell for cell, mark in enumerate(puzzle.last) if mark == letter]
    graph: networkx.Graph[tuple[int, int]] = networkx.Graph()
    for u in here:
        for v in there:
            if away[u][v] < _FAR:
                # The matching is of greatest weight.
                graph.add_edge((0, u), (1, v), weight=-ceil(away[u][v] / puzzle.reach))
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    if len(matching) < len(here):
        return None
    return -sum(int(graph.edges[pair]["weight"]) for pair in matching)


def parity(puzzle: SwapPuzzle) -> int | None:
    """Whether the number of jumps of every solution is even (0) or odd (1), or None if that is not known.

    A jump takes a piece to a cell of the other colour, if the cells can be coloured so; then the number of
    pieces on cells of one colour tells. Moves of more jumps than one keep no parity.

    >>> parity(SwapPuzzle(start="A./../..", goal="../../.A"))
    1
    """
    colour = _colouring(puzzle)
    if puzzle.reach > 1 or colour is None:
        return None

    def on_black(position: str) -> int:
        return sum(c for c, mark in zip(colour, position, strict=True) if mark != EMPTY)

    return (on_black(puzzle.first) - on_black(puzzle.last)) % 2


@cache
def _colouring(puzzle: SwapPuzzle) -> list[int] | None:
    """Colours 0 and 1 of the cells such that every jump of every piece changes colour."""
    colour = [-1] * len(puzzle.first)
    around = _around(puzzle)
    for root in range(len(colour)):
        if colour[root] >= 0:
            continue
        colour[root] = 0
        queue = [root]
        for here in queue:
            for there in around[here]:
                if colour[there] < 0:
                    colour[there] = 1 - colour[here]
                    queue.append(there)
                elif colour[there] == colour[here]:
                    return None
    return colour


def _around(puzzle: SwapPuzzle) -> list[list[int]]:
    """The cells that some piece could jump to from each cell."""
    return [
        sorted({there for letter in puzzle.letters for there in puzzle.jumps[letter][here]})
        for here in range(len(puzzle.first))
    ]


def _parts(puzzle: SwapPuzzle) -> Iterator[list[int]]:
    """The parts of the board between which no piece can go; each in the order of a walk through it."""
    around = _around(puzzle)
    seen: set[int] = set()
    for root in range(len(around)):
        if root in seen:
            continue
        part, waiting = [], [root]
        while waiting:
            here = waiting.pop()
            if here not in seen:
                seen.add(here)
                part.append(here)
                waiting.extend(there for there in around[here] if there not in seen)
        yield part


def obstruction(puzzle: SwapPuzzle) -> str | None:
    """Why the goal cannot be reached, as far as three simple arguments tell; None says nothing.

    - The pieces in a part of the board that no jump leaves stay there.
    - Pieces on a ring keep their order round it.
    - With one empty cell in a part whose cells have two colours, and all pieces different, jumps are
      transpositions: their number has the parity of the permutation, and of the way the empty cell goes.

    >>> obstruction(SwapPuzzle(start="W.W/.x./B.B", goal="W.B/.x./B.W"))
    'pieces on the ring a3-b1-c3-a2-c1-b3-a1-c2 keep their order: WWBB cannot become WBWB'
    """
    parts = list(_parts(puzzle))
    # The later arguments suppose that in each part the same pieces stand before and after.
    for argue in (_counts, _order, _permutation):
        for part in parts:
            if (because := argue(puzzle, part)) is not None:
                return because
    return None


def _standing(position: str, part: list[int]) -> str:
    return "".join(position[cell] for cell in part if position[cell] != EMPTY)


def _counts(puzzle: SwapPuzzle, part: list[int]) -> str | None:
    before, after = (Counter(_standing(position, part)) for position in (puzzle.first, puzzle.last))
    for letter in puzzle.letters:
        # Where one part has too few pieces of a letter, another has too many.
        if before[letter] > after[letter]:
            named = ", ".join(puzzle.name(cell) for cell in sorted(part)[:4])
            return (
                f"no jump leaves the {len(part)} cells {named}{', ...' if len(part) > 4 else ''}: "
                f"{before[letter]} {letter} stand there, and the goal wants {after[letter]}"
            )
    return None


def _order(puzzle: SwapPuzzle, part: list[int]) -> str | None:
    around = _around(puzzle)
    if len(part) < 3 or any(len(around[cell]) != 2 for cell in part):
        return None
    before, after = _standing(puzzle.first, part), _standing(puzzle.last, part)
    if after in before + before:
        return None
    ring = "-".join(puzzle.name(cell) for cell in part)
    return f"pieces on the ring {ring} keep their order: {before} cannot become {after}"


def _permutation(puzzle: SwapPuzzle, part: list[int]) -> str | None:
    colour = _colouring(puzzle)
    before = [puzzle.first[cell] for cell in part]
    after = [puzzle.last[cell] for cell in part]
    if colour is None or before.count(EMPTY) != 1 or len(set(before)) < len(before):
        return None
    steps = colour[part[before.index(EMPTY)]] + colour[part[after.index(EMPTY)]]
    where = [before.index(mark) for mark in after]
    swaps, seen = 0, set()
    for root in range(len(where)):
        here = root
        while here not in seen:
            seen.add(here)
            here = where[here]
            swaps += here != root
    if (steps - swaps) % 2 == 0:
        return None
    return (
        f"the pieces form {'an odd' if swaps % 2 else 'an even'} permutation, but the empty cell makes "
        f"{'an odd' if steps % 2 else 'an even'} number of jumps"
    )
