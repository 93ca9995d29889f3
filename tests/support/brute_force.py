"""Tours counted from the definition: a third reading of every condition, for the tests.

It imports nothing of ktsolve. A question is plain data: a board by its sides, leaper, wrap and holes, or a
graph by its edges; closed or open; conditions as tuples of a name and numbers, cells and moves. Tours are
sequences of cells, found by depth-first search; each condition is checked in each numbering. The meaning of
the conditions is that of README.md and docs/conditions.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations
from typing import Any

Cell = Any
"""A pair of row and column, from 0, row 0 on top; the name of a vertex."""
Condition = tuple[Any, ...]


# -- grounds -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ground:
    """Cells, and the cells to which a move leads from each."""

    after: Mapping[Cell, tuple[Cell, ...]]
    rows: int = 0
    columns: int = 0
    flat: bool = True
    directed: bool = False
    weights: Mapping[Any, int] = field(default_factory=dict)

    @property
    def cells(self) -> list[Cell]:
        return sorted(self.after)

    def move(self, a: Cell, b: Cell) -> Any:
        """A move as it is made: an ordered pair on a directed graph, else the set of its cells."""
        return (a, b) if self.directed else frozenset((a, b))


def board(
    rows: int,
    columns: int,
    leaper: tuple[int, int] = (1, 2),
    wrap: str = "none",
    holes: Iterable[tuple[int, int]] = (),
) -> Ground:
    """A board. Moves that coincide are one, a move onto its own cell is none."""
    cells = {(r, c) for r in range(rows) for c in range(columns)} - set(holes)
    after = {}
    for r, c in cells:
        reached = set()
        for long, short in (leaper, leaper[::-1]):
            for down in (long, -long):
                for right in (short, -short):
                    to_row, to_column = r + down, c + right
                    if wrap in ("y", "xy"):
                        to_row %= rows
                    if wrap in ("x", "xy"):
                        to_column %= columns
                    reached.add((to_row, to_column))
        after[r, c] = tuple(sorted(reached & cells - {(r, c)}))
    return Ground(after, rows, columns, flat=wrap == "none")


def graph(names: Iterable[str], edges: Mapping[tuple[str, str], int], *, directed: bool = False) -> Ground:
    """A graph by its weighted edges, or arcs, tail first."""
    after: dict[str, list[str]] = {name: [] for name in names}
    for a, b in edges:
        after[a].append(b)
        if not directed:
            after[b].append(a)
    weights = {(pair if directed else frozenset(pair)): weight for pair, weight in edges.items()}
    listed = {name: tuple(sorted(others)) for name, others in after.items()}
    return Ground(listed, directed=directed, weights=weights)


# -- tours ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Walk:
    """A tour in one numbering: its cells, from the first to the last."""

    ground: Ground
    cells: tuple[Cell, ...]
    closed: bool

    @cached_property
    def steps(self) -> list[tuple[Cell, Cell]]:
        """The moves one after the other, that of a closed tour from the last cell to the first included."""
        pairs = [(self.cells[i], self.cells[i + 1]) for i in range(len(self.cells) - 1)]
        return [*pairs, (self.cells[-1], self.cells[0])] if self.closed else pairs

    @cached_property
    def moves(self) -> frozenset[Any]:
        return frozenset(self.ground.move(a, b) for a, b in self.steps)

    @cached_property
    def step_of(self) -> dict[Cell, int]:
        return {cell: i + 1 for i, cell in enumerate(self.cells)}

    @cached_property
    def crossings(self) -> int:
        return sum(1 for one, other in combinations(self.moves, 2) if shared_point(one, other))

    @cached_property
    def _reverse(self) -> Walk:
        return Walk(self.ground, self.cells[::-1], self.closed)

    def directions(self) -> list[Walk]:
        """The tour, and its reverse where that is another sequence of cells and follows the moves."""
        if self.ground.directed or len(self.cells) == 1:
            return [self]
        return [self, self._reverse]

    def labelings(self) -> list[Walk]:
        """In this direction: from any cell of a closed tour."""
        return self._turned if self.closed else [self]

    @cached_property
    def _turned(self) -> list[Walk]:
        turned = (self.cells[i:] + self.cells[:i] for i in range(len(self.cells)))
        return [Walk(self.ground, cells, True) for cells in turned]


def sequences(ground: Ground, first: Iterable[Cell]) -> list[tuple[Cell, ...]]:
    """All sequences of all cells, each a move from the one before."""
    size = len(ground.after)
    found: list[tuple[Cell, ...]] = []

    def extend(walk: list[Cell], visited: set[Cell]) -> None:
        if len(walk) == size:
            found.append(tuple(walk))
            return
        for cell in ground.after[walk[-1]]:
            if cell not in visited:
                walk.append(cell)
                visited.add(cell)
                extend(walk, visited)
                visited.remove(cell)
                walk.pop()

    for cell in first:
        extend([cell], {cell})
    return found


def tours(ground: Ground, closed: bool) -> list[Walk]:
    """Every tour once: both directions of an undirected one are the same tour."""
    cells = ground.cells
    if closed:
        # A cycle passes each cell once: it may begin at any. It has three cells or more.
        found = [s for s in sequences(ground, cells[:1]) if s[0] in ground.after[s[-1]] and len(s) > 2]
        if not ground.directed:
            found = [s for s in found if s[1] < s[-1]]
    else:
        found = [s for s in sequences(ground, cells) if ground.directed or s[0] <= s[-1]]
    return [Walk(ground, s, closed) for s in found]


# -- statistics ----------------------------------------------------------------------------------------------


def bends(walk: Walk) -> list[tuple[int, int]]:
    """At each cell with a move before and one after: the dot and the cross product of the displacements."""
    found = []
    for (a, b), (_, c) in zip(walk.steps, walk.steps[1:] + walk.steps[:1], strict=True):
        if not walk.closed and b == walk.cells[-1]:
            continue
        p, q = (a[0] - b[0], a[1] - b[1]), (c[0] - b[0], c[1] - b[1])
        found.append((p[0] * q[0] + p[1] * q[1], p[0] * q[1] - p[1] * q[0]))
    return found


@cache
def shared_point(one: frozenset[Cell], other: frozenset[Cell]) -> bool:
    """Whether two moves share a point that is not an end of both."""
    (a, b), (c, d) = sorted(one), sorted(other)
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = a, b, c, d
    ux, uy, vx, vy = bx - ax, by - ay, dx - cx, dy - cy
    across = ux * vy - uy * vx
    if across:  # the lines meet in one point, a + t u = c + w v
        t = Fraction((cx - ax) * vy - (cy - ay) * vx, across)
        w = Fraction((cx - ax) * uy - (cy - ay) * ux, across)
        ends = t in (0, 1) and w in (0, 1)
        return 0 <= t <= 1 and 0 <= w <= 1 and not ends
    if (cx - ax) * uy != (cy - ay) * ux:  # parallel lines
        return False
    # One line, along which lattice points are ordered as pairs are: the moves overlap, or touch in an end.
    return bool(max(a, c) < min(b, d))


STATISTICS: dict[str, Callable[[Walk, tuple[Any, ...]], int]] = {
    "acute": lambda walk, _: sum(1 for dot, _ in bends(walk) if dot > 0),
    "right": lambda walk, _: sum(1 for dot, _ in bends(walk) if dot == 0),
    "obtuse": lambda walk, _: sum(1 for dot, _ in bends(walk) if dot < 0),
    "straight": lambda walk, _: sum(1 for dot, cross in bends(walk) if dot < 0 and cross == 0),
    "turns": lambda walk, _: sum(1 for dot, cross in bends(walk) if cross != 0 or dot > 0),
    "crossings": lambda walk, _: walk.crossings,
    "moves": lambda walk, given: len({walk.ground.move(a, b) for a, b in given} & walk.moves),
    "weight": lambda walk, _: sum(walk.ground.weights[move] for move in walk.moves),
}
"""The value of a tour, given the moves of ``moves:...``."""


# -- conditions ----------------------------------------------------------------------------------------------


def symmetric(walk: Walk, name: str) -> bool:
    last_row, last_column = walk.ground.rows - 1, walk.ground.columns - 1
    images: dict[str, Callable[[int, int], tuple[int, int]]] = {
        "rot180": lambda r, c: (last_row - r, last_column - c),
        "rot90": lambda r, c: (c, last_row - r),
        "flip-h": lambda r, c: (r, last_column - c),  # left to right
        "flip-v": lambda r, c: (last_row - r, c),
    }
    image = images[name]
    return {frozenset(image(*cell) for cell in move) for move in walk.moves} == walk.moves


def cut_off(walk: Walk, corner: str) -> bool:
    """The corner cell is (0, 0) with rows and columns counted from the edges that meet there."""

    def at(row: int, column: int) -> tuple[int, int]:
        return (
            row if corner in ("tl", "tr") else walk.ground.rows - 1 - row,
            column if corner in ("tl", "bl") else walk.ground.columns - 1 - column,
        )

    return {frozenset((at(0, 1), at(2, 0))), frozenset((at(0, 2), at(1, 0)))} <= walk.moves


def equal_sums(walk: Walk, kind: str) -> bool:
    rows, columns = range(walk.ground.rows), range(walk.ground.columns)
    at = walk.step_of
    if kind == "rows":
        return len({sum(at[r, c] for c in columns) for r in rows}) == 1
    if kind == "columns":
        return len({sum(at[r, c] for r in rows) for c in columns}) == 1
    # The diagonals' sums are those that equal rows would have.
    side = len(rows)
    row = Fraction(sum(at.values()), side)
    return sum(at[i, i] for i in rows) == sum(at[i, side - 1 - i] for i in rows) == row


def figure(walk: Walk, steps: tuple[int, ...], shape: str, cells: Iterable[Cell]) -> bool:
    at = [walk.cells[step - 1] for step in steps]
    if shape == "row":
        return len({cell[0] for cell in at}) == 1
    if shape == "column":
        return len({cell[1] for cell in at}) == 1
    if shape == "cells":
        return set(at) <= set(cells)
    links = [(at[i], at[i + 1]) for i in range(len(at) - 1)]
    if shape == "circuit":
        links.append((at[-1], at[0]))
    return all(b in walk.ground.after[a] for a, b in links)


def in_one_run(walk: Walk, cells: Iterable[Cell]) -> bool:
    """Some stretch of the walk, of a closed one also across its end, consists of just these cells."""
    wanted, size = set(cells), len(walk.cells)
    begins = range(size) if walk.closed else range(size - len(wanted) + 1)
    twice = walk.cells + walk.cells
    return any(set(twice[at : at + len(wanted)]) == wanted for at in begins)


def bounded(walk: Walk, name: str, least: int | None, most: int | None, *given: Any) -> bool:
    value = STATISTICS[name](walk, given)
    return (least is None or least <= value) and (most is None or value <= most)


OF_TOURS: dict[str, Callable[..., bool]] = {
    "Require": lambda walk, a, b: walk.ground.move(a, b) in walk.moves,
    "Forbid": lambda walk, a, b: walk.ground.move(a, b) not in walk.moves,
    "Symmetric": symmetric,
    "Corner": cut_off,
    "Run": in_one_run,
    "Bound": bounded,
}
"""Conditions on the moves that a tour makes, whatever its numbering."""

OF_NUMBERINGS: dict[str, Callable[..., bool]] = {
    "Start": lambda walk, *cells: walk.cells[0] in cells,
    "End": lambda walk, *cells: walk.cells[-1] in cells,
    "At": lambda walk, step, cell: walk.cells[step - 1] == cell,
    "EqualSums": equal_sums,
    "StepRange": lambda walk, cell, least, most: least <= walk.step_of[cell] <= most,
    "Order": lambda walk, *cells: [cell for cell in walk.cells if cell in cells] == list(cells),
    "Figure": figure,
    "CellSum": lambda walk, total, *cells: sum(walk.step_of[cell] for cell in cells) == total,
}
"""Conditions on a tour in one numbering."""

CONDITIONS = OF_TOURS | OF_NUMBERINGS
"""Each condition by its name: whether a walk satisfies it, given what follows the name."""


def holds(walk: Walk, condition: Condition) -> bool:
    """Whether a walk satisfies a condition."""
    name, *given = condition
    return CONDITIONS[name](walk, *given)


@dataclass(frozen=True)
class Answers:
    """The tours that answer a question, as sets of moves, and in how many directions they answer it."""

    tours: frozenset[frozenset[Any]]
    directed: int

    @property
    def count(self) -> int:
        return len(self.tours)


def answers(walks: Iterable[Walk], conditions: Iterable[Condition]) -> Answers:
    """Which tours satisfy all the conditions, in one of their labelings."""
    of_tours = [each for each in conditions if each[0] in OF_TOURS]
    of_labelings = [each for each in conditions if each[0] not in OF_TOURS]
    found, directed = set(), 0
    for walk in walks:
        if all(holds(walk, each) for each in of_tours):
            ways = [
                direction
                for direction in walk.directions()
                if any(all(holds(each, one) for one in of_labelings) for each in direction.labelings())
            ]
            directed += len(ways)
            if ways:
                found.add(walk.moves)
    return Answers(frozenset(found), directed)
