"""Symmetric tours counted once more, without quotients, voltages or native code: a second opinion for tests.

The whole board is swept, and the moves that a symmetry carries into each other are made together or not at
all. A state keeps, for each cell that has moves both decided and to be decided, the other end of its path
(itself if it has no move yet, none if it has two). That is the textbook's frontier method (Knuth, TAOCP 4A,
section 7.1.4, Simpath), and nothing else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

Cell = tuple[int, int]
Edge = tuple[Cell, Cell]

OUTSIDE = (-1, -1)
"""Where an open tour comes from and goes to: a cell that is a move from its two ends."""

TURNS: dict[str, Callable[[Cell, int, int], Cell]] = {
    "rot180": lambda c, rows, columns: (rows - 1 - c[0], columns - 1 - c[1]),
    "rot90": lambda c, rows, _: (c[1], rows - 1 - c[0]),
    "flip-h": lambda c, _, columns: (c[0], columns - 1 - c[1]),
    "flip-v": lambda c, rows, _: (rows - 1 - c[0], c[1]),
}


def symmetric_tours(rows: int, columns: int, closed: bool, symmetry: str) -> int:
    """How many knight's tours of a rectangle the symmetry carries into themselves, undirected."""

    def image(cell: Cell) -> Cell:
        return cell if cell == OUTSIDE else TURNS[symmetry](cell, rows, columns)

    cells = [(r, c) for r in range(rows) for c in range(columns)]
    known = set(cells)
    leaps = [(1, 2), (2, 1), (2, -1), (1, -2)]
    edges = [((r, c), (r + a, c + b)) for r, c in cells for a, b in leaps if (r + a, c + b) in known]
    if not closed:
        cells.append(OUTSIDE)
        edges += [(cell, OUTSIDE) for cell in known]

    # From the borders inwards, along the longer side, images side by side.
    def place(cell: Cell) -> tuple[int, ...]:
        orbit, here = {cell}, image(cell)
        while here != cell:
            orbit.add(here)
            here = image(here)
        key = [(c, r) if columns >= rows else (r, c) for r, c in orbit if (r, c) != OUTSIDE]
        return min(key) if key else (10**6,)

    bundles: dict[frozenset[frozenset[Cell]], list[Edge]] = {}
    for edge in edges:
        orbit, here = [edge], (image(edge[0]), image(edge[1]))
        while {*here} != {*edge}:
            orbit.append(here)
            here = image(here[0]), image(here[1])
        bundles.setdefault(frozenset(map(frozenset, orbit)), orbit)
    # A bundle is decided when its earlier cell is finished.
    ordered = sorted(bundles.values(), key=lambda orbit: sorted(map(place, orbit[0])))
    last: dict[Cell, int] = {}
    first: dict[Cell, int] = {}
    for number, orbit in enumerate(ordered):
        for cell in (cell for edge in orbit for cell in edge):
            first.setdefault(cell, number)
            last[cell] = number
    if set(cells) - set(last):
        return 0
    return _swept(ordered, first, last, len(cells))


def _swept(ordered: list[list[Edge]], first: dict[Cell, int], last: dict[Cell, int], n: int) -> int:
    number = {cell: i for i, cell in enumerate(sorted(first, key=lambda cell: (first[cell], cell)))}
    states: dict[tuple[int | None, ...], int] = {(): 1}
    frontier: list[int] = []
    total = begun = 0
    for step, orbit in enumerate(ordered):
        new = [number[cell] for cell in first if first[cell] == step]
        begun += len(new)
        frontier += sorted(new)
        slot = {cell: i for i, cell in enumerate(frontier)}
        done = [slot[number[cell]] for cell in last if last[cell] == step]
        pairs = [(number[a], number[b]) for a, b in orbit]
        keep = [i for i in range(len(frontier)) if i not in done]
        after: dict[tuple[int | None, ...], int] = defaultdict(int)
        for short, ways in states.items():
            state = short + tuple(sorted(new))
            # Without these moves.
            if all(state[i] is None for i in done):
                after[tuple([state[i] for i in keep])] += ways
            # With them.
            mate = list(state)
            circle = False
            for a, b in pairs:
                u, v = mate[slot[a]], mate[slot[b]]
                if circle or u is None or v is None:
                    break
                if u == b:
                    circle = True
                # a and b become inner cells, unless they were single ones; the far ends are mates now.
                mate[slot[a]] = mate[slot[b]] = None
                if not circle:
                    mate[slot[u]], mate[slot[v]] = v, u
            else:
                if circle:
                    # It must be all there is.
                    if begun == n and all(each is None for each in mate):
                        total += ways
                elif all(mate[i] is None for i in done):
                    after[tuple([mate[i] for i in keep])] += ways
        frontier = [frontier[i] for i in keep]
        states = after
    return total
