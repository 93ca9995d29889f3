"""Masyu, also called Pearls."""

from __future__ import annotations

import random
from collections.abc import Collection
from functools import partial

from ktsolve.graphs.notation import Cell
from ktsolve.grids.puzzle import Edge, GridPuzzle, GridSolution, edge
from ktsolve.models.masyu import BLACK, WHITE, MasyuModel
from ktsolve.wings.puzzles import pzpr
from ktsolve.wings.puzzles.drawing import Pen
from ktsolve.wings.puzzles.kind import Design, Kind, one_loop
from ktsolve.wings.puzzles.loops import border, improve, random_region, varied

__all__ = ["Masyu"]

_PEARLS = WHITE + BLACK

_WORTH = {BLACK: 3.0, WHITE: 1.0, "": 0.0}
"""What pearls are worth in a loop: black ones say more than white ones."""


class Masyu(Kind):
    """One loop through all pearls: it turns at black ones, and goes straight through white ones."""

    name = "masyu"
    title = "Masyu"
    rules = (
        "Draw one loop through the centres of cells and all pearls. At a black pearl it turns, and goes "
        "straight through the cells before and after; at a white pearl it goes straight, and turns before or "
        "after."
    )
    model = MasyuModel
    address = pzpr.Address(
        "mashu",
        partial(pzpr.read_circles, marks=_PEARLS),
        partial(pzpr.write_circles, marks=_PEARLS),
        beyond=2,
    )

    def violation(self, puzzle: GridPuzzle, solution: GridSolution) -> str:
        for cell, pearl in puzzle.clues:
            here = [way for way in ("left", "right", "up", "down") if _leaves(solution, cell, way)]
            if len(here) != 2:
                return f"the loop does not go through the pearl in {puzzle.where(cell)}"
            straight = [_leaves(solution, _neighbour(cell, way), way) for way in here]
            if (set(here) in ({"left", "right"}, {"up", "down"})) != (pearl == WHITE):
                return f"the loop {'turns' if pearl == WHITE else 'goes straight'} in {puzzle.where(cell)}"
            if pearl == BLACK and not all(straight):
                return f"the loop turns beside the black pearl in {puzzle.where(cell)}"
            if pearl == WHITE and all(straight):
                return f"the loop goes straight on both sides of the white pearl in {puzzle.where(cell)}"
        return one_loop(solution)

    def design(self, rows: int, columns: int, chooser: random.Random) -> Design:
        """A loop rich in pearls, and all its pearls."""
        region = random_region(rows - 1, columns - 1, chooser)
        cells = [(r, c) for r in range(rows - 1) for c in range(columns - 1)]
        improve(region, cells, 10 * rows * columns, chooser, _worth)
        return _designed(frozenset(border(region)), rows, columns)

    def refined(self, design: Design, others: list[GridSolution], chooser: random.Random) -> Design | None:
        """A loop that is different where the last other solution differs."""
        rows, columns = design.puzzle.rows, design.puzzle.columns
        lines, other = design.solution.lines, others[-1].lines
        return _designed(varied(lines, other, rows - 1, columns - 1, chooser, _worth), rows, columns)

    def draw(self, pen: Pen, puzzle: GridPuzzle, solution: GridSolution | None) -> None:
        pen.grid()
        if solution is not None:
            pen.lines(solution)
        for cell, pearl in puzzle.clues:
            fill = pen.theme.ink if pearl == BLACK else pen.theme.background
            pen.disc(cell, 0.33, fill, pen.theme.ink)
        if solution is not None:
            pen.lines(solution, width=0.05)


def _neighbour(cell: Cell, direction: str) -> Cell:
    r, c = cell
    return {"left": (r, c - 1), "right": (r, c + 1), "up": (r - 1, c), "down": (r + 1, c)}[direction]


def _leaves(solution: GridSolution, cell: Cell, direction: str) -> bool:
    """Whether the lines leave a cell in a direction."""
    return edge(cell, _neighbour(cell, direction)) in solution.lines


def _designed(lines: frozenset[Edge], rows: int, columns: int) -> Design:
    pearls = {(r, c): mark for r in range(rows) for c in range(columns) if (mark := _pearl((r, c), lines))}
    return Design(GridPuzzle.of(rows, columns, pearls), GridSolution(lines))


def _worth(cell: Cell, lines: Collection[Edge]) -> float:
    return _WORTH[_pearl(cell, lines)]


def _pearl(cell: Cell, lines: Collection[Edge]) -> str:
    """The pearl that a loop may have in a cell; empty if none."""
    r, c = cell
    left, right = ((r, c - 1), cell) in lines, (cell, (r, c + 1)) in lines
    up, down = ((r - 1, c), cell) in lines, (cell, (r + 1, c)) in lines
    if left + right + up + down != 2:
        return ""
    on_left, on_right = ((r, c - 2), (r, c - 1)) in lines, ((r, c + 1), (r, c + 2)) in lines
    on_up, on_down = ((r - 2, c), (r - 1, c)) in lines, ((r + 1, c), (r + 2, c)) in lines
    if left and right:
        return "" if on_left and on_right else WHITE
    if up and down:
        return "" if on_up and on_down else WHITE
    return BLACK if (on_left if left else on_right) and (on_up if up else on_down) else ""
