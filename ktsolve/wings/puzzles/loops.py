"""Random loops on grids for puzzles: the border of a region that winds through the whole grid.

The region grows from one cell by cells that touch it along one stretch, so that its border stays one loop.
Cells with one neighbour in the region are preferred: the region becomes a tree of corridors, and so does what
it leaves out. Without this preference loops are fat and leave half of the grid empty, and puzzles made from
them have large parts without anything to deduce. Afterwards cells change sides one by one, towards loops that
a kind of puzzle can use.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Collection, Iterable

from ktsolve.graphs.notation import Cell
from ktsolve.grids.puzzle import Edge, edge

__all__ = ["Worth", "border", "improve", "inside_of", "near", "random_region", "sides", "varied"]

_AROUND = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))
"""The eight neighbours of a cell, in order around it."""

_FILL = 0.12
"""Share of the cells that fill a bend when no corridor can grow: they make the corridors uneven."""

_REACH = 3
"""Rows and columns from a cell that changes sides to the last places whose worth may change."""

Worth = Callable[[Cell, Collection[Edge]], float]
"""How much a place is worth in a loop, given its lines within two places around."""


def random_region(rows: int, columns: int, chooser: random.Random) -> set[Cell]:
    """Cells of a grid whose border is one loop, spread over the grid.

    Source: grown as the fractal trees of Eden (1961), restricted to corridors.

    >>> region = random_region(6, 6, random.Random(1))
    >>> 12 < len(region) < 30
    True
    """
    inside = {(chooser.randrange(rows), chooser.randrange(columns))}
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    for neighbours, share in ((1, 1.0), (2, _FILL), (1, 1.0)):
        waiting = [cell for cell in cells if cell not in inside]
        while waiting:
            chooser.shuffle(waiting)
            later: list[Cell] = []
            for cell in waiting:
                beside, stretches = _touching(cell, inside)
                if stretches == 1 and beside == neighbours and chooser.random() < share:
                    inside.add(cell)
                else:
                    later.append(cell)
            if len(later) == len(waiting) or neighbours != 1:
                break
            waiting = later
    return inside


def _touching(cell: Cell, inside: set[Cell]) -> tuple[int, int]:
    """Neighbours of a cell inside, and the stretches of cells inside around it.

    A stretch is one cell or several in a row around the cell. One that is a diagonal neighbour only counts as
    two: the border would touch itself there.
    """
    r, c = cell
    around = [(r + dr, c + dc) in inside for dr, dc in _AROUND]
    beside = sum(around[1::2])
    stretches = sum(around[i] and not around[i - 1] for i in range(8))
    return beside, stretches if beside or not stretches else 2


def border(region: Iterable[Cell]) -> set[Edge]:
    """The sides of a region's cells that are sides of no other: edges between the corners of cells.

    >>> len(border({(0, 0), (0, 1)}))
    6
    """
    found: set[Edge] = set()
    for cell in region:
        found.symmetric_difference_update(sides(cell))
    return found


def sides(cell: Cell) -> list[Edge]:
    """The four sides of a cell, in order around it: side i leads to its corner i, the first is upper left."""
    r, c = cell
    corners = [(r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c)]
    return [edge(corners[i - 1], corners[i]) for i in range(4)]


def near(cell: Cell) -> list[Cell]:
    """The cells beside a cell: to the right, below, to the left, and above."""
    r, c = cell
    return [(r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c)]


def inside_of(lines: Collection[Edge], rows: int, columns: int) -> set[Cell]:
    """The cells of a grid inside a loop, which :func:`border` turns into the loop again.

    >>> inside_of(border({(0, 0), (0, 1), (1, 1)}), 3, 3) == {(0, 0), (0, 1), (1, 1)}
    True
    """
    inside = set()
    for r in range(rows):
        within = False
        for c in range(columns):
            within ^= ((r, c), (r + 1, c)) in lines
            if within:
                inside.add((r, c))
    return inside


def varied(
    lines: frozenset[Edge],
    other: frozenset[Edge],
    rows: int,
    columns: int,
    chooser: random.Random,
    worth: Worth,
) -> frozenset[Edge]:
    """The loop in a grid of corners, changed at random within two places of where it differs from another."""
    region = inside_of(lines, rows, columns)
    at = {cell for each in lines ^ other for cell in each}
    near = {(r + dr, c + dc) for r, c in at for dr in range(-2, 2) for dc in range(-2, 2)}
    cells = sorted((r, c) for r, c in near if 0 <= r < rows and 0 <= c < columns)
    improve(region, cells, 2 * len(cells), chooser, worth)
    return frozenset(border(region))


def improve(
    region: set[Cell], cells: list[Cell], steps: int, chooser: random.Random, worth: Worth | None = None
) -> None:
    """Let random cells change sides, in place, where the border stays one loop.

    A change that lowers the total worth by d is made with the chance exp(-d), one that does not always
    (Metropolis et al. 1953).
    Only the given cells may change sides. Without a worth this is a random walk.
    """
    lines = border(region)
    for _ in range(steps if cells else 0):
        cell = chooser.choice(cells)
        beside, stretches = _touching(cell, region)
        if stretches != 1 or beside == 4 or len(region) == 1:
            continue
        (r, c), reach = cell, range(-2, 1 + _REACH)
        places = [(r + dr, c + dc) for dr in reach for dc in reach] if worth else []
        before = sum(worth(place, lines) for place in places) if worth else 0
        region ^= {cell}
        lines.symmetric_difference_update(sides(cell))
        loss = before - sum(worth(place, lines) for place in places) if worth else 0
        if loss > 0 and chooser.random() > math.exp(-loss):
            region ^= {cell}
            lines.symmetric_difference_update(sides(cell))
