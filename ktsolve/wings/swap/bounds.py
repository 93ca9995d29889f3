"""Arithmetic about swap puzzles: a lower bound, the parity of the length, reasons for impossibility.

The planning engines start from these. The engine bfs does not use them, so that search and arithmetic check
each other.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import ceil
from typing import TYPE_CHECKING

from ktsolve.graphs.groups import cycle_lengths
from ktsolve.wings.swap.puzzle import EMPTY, Position, SwapPuzzle

if TYPE_CHECKING:
    import networkx

__all__ = ["lower_bound", "obstruction", "parity"]


def lower_bound(puzzle: SwapPuzzle) -> int | None:
    """A lower bound on the jumps (moves) of every solution, or None if some piece cannot reach its goal.

    For each letter, the bound adds up the jumps on an empty board in a cheapest matching of pieces to goal
    cells; parity (see :func:`parity`) may add one.

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

    here = [cell for cell, mark in enumerate(puzzle.first) if mark == letter]
    there = [cell for cell, mark in enumerate(puzzle.last) if mark == letter]
    graph: networkx.Graph[tuple[int, int]] = networkx.Graph()
    for u in here:
        away = puzzle.away(letter, [u])
        for v in there:
            if v in away:
                # networkx maximises the weight.
                graph.add_edge((0, u), (1, v), weight=-ceil(away[v] / puzzle.reach))
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    if len(matching) < len(here):
        return None
    return -sum(int(graph.edges[pair]["weight"]) for pair in matching)


def parity(puzzle: SwapPuzzle) -> int | None:
    """The parity of the number of steps of every solution, 0 or 1, or None if the argument does not apply.

    The cells must have a colouring in which each jump leads to the other colour. Then the numbers of pieces
    on cells of one colour, at the start and at the goal, fix the parity. It does not apply to moves of more
    than one jump.

    >>> parity(SwapPuzzle(start="A./../..", goal="../../.A"))
    1
    """
    colour = _colouring(puzzle)
    if puzzle.reach > 1 or colour is None:
        return None

    def on_black(position: Position) -> int:
        return sum(c for c, mark in zip(colour, position, strict=True) if mark != EMPTY)

    return (on_black(puzzle.first) - on_black(puzzle.last)) % 2


@cache
def _jump_graph(puzzle: SwapPuzzle) -> networkx.Graph[int]:
    """The cells, joined where some piece can jump."""
    import networkx

    cells = range(len(puzzle.first))
    around = {
        here: sorted({there for jumps in puzzle.jumps.values() for there in jumps[here]}, reverse=True)
        for here in cells
    }
    return networkx.from_dict_of_lists(around)


@cache
def _colouring(puzzle: SwapPuzzle) -> list[int] | None:
    """Colours 0 and 1 of the cells such that every jump of every piece changes colour."""
    import networkx

    graph = _jump_graph(puzzle)
    if not networkx.is_bipartite(graph):
        return None
    colour: dict[int, int] = networkx.bipartite.color(graph)
    return [colour[cell] for cell in range(len(graph))]


def obstruction(puzzle: SwapPuzzle) -> str | None:
    """The reason why the goal cannot be reached, if one of three simple arguments applies, else None.

    - The pieces in a component of the graph of jumps stay there.
    - Pieces on a ring keep their order round it.
    - If a component has one empty cell and two colours, and all its pieces are different, jumps are
      transpositions: their number has the parity of the permutation, and of the path of the empty cell.

    >>> obstruction(SwapPuzzle(start="W.W/.x./B.B", goal="W.B/.x./B.W"))
    'pieces on the ring a3-b1-c3-a2-c1-b3-a1-c2 keep their order: WWBB cannot become WBWB'
    """
    import networkx

    graph = _jump_graph(puzzle)
    components = [
        list(networkx.dfs_preorder_nodes(graph, min(cells))) for cells in networkx.connected_components(graph)
    ]
    # The later arguments need the same pieces in each component before and after.
    for argue in (_counts, _order, _permutation):
        for component in components:
            if (because := argue(puzzle, component)) is not None:
                return because
    return None


def _pieces(position: Position, component: list[int]) -> str:
    return "".join(position[cell] for cell in component if position[cell] != EMPTY)


def _counts(puzzle: SwapPuzzle, component: list[int]) -> str | None:
    before, after = (Counter(_pieces(position, component)) for position in (puzzle.first, puzzle.last))
    for letter in puzzle.letters:
        # A component with too few pieces of a letter means another with too many.
        if before[letter] > after[letter]:
            named = ", ".join(puzzle.name(cell) for cell in sorted(component)[:4])
            return (
                f"no jump leaves the {len(component)} cells {named}{', ...' if len(component) > 4 else ''}: "
                f"they have {before[letter]} {letter} at the start, {after[letter]} at the goal"
            )
    return None


def _order(puzzle: SwapPuzzle, component: list[int]) -> str | None:
    graph = _jump_graph(puzzle)
    if len(component) < 3 or any(graph.degree[cell] != 2 for cell in component):
        return None
    before, after = _pieces(puzzle.first, component), _pieces(puzzle.last, component)
    if after in before + before:
        return None
    ring = "-".join(puzzle.name(cell) for cell in component)
    return f"pieces on the ring {ring} keep their order: {before} cannot become {after}"


def _permutation(puzzle: SwapPuzzle, component: list[int]) -> str | None:
    colour = _colouring(puzzle)
    before = [puzzle.first[cell] for cell in component]
    after = [puzzle.last[cell] for cell in component]
    if colour is None or before.count(EMPTY) != 1 or len(set(before)) < len(before):
        return None
    steps = colour[component[before.index(EMPTY)]] + colour[component[after.index(EMPTY)]]
    where = tuple(before.index(mark) for mark in after)
    swaps = len(where) - len(cycle_lengths(where))
    if (steps - swaps) % 2 == 0:
        return None
    return (
        f"the pieces form {'an odd' if swaps % 2 else 'an even'} permutation, but the empty cell makes "
        f"{'an odd' if steps % 2 else 'an even'} number of jumps"
    )
