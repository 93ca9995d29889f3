"""Yajilin, also called Arrow Ring."""

from __future__ import annotations

import random
from collections.abc import Collection

from ktsolve.graphs.notation import Cell
from ktsolve.grids.puzzle import Edge, GridPuzzle, GridSolution
from ktsolve.models.yajilin import ARROWS, UNKNOWN, YajilinModel, cells_ahead, read_clue
from ktsolve.wings.puzzles import pzpr
from ktsolve.wings.puzzles.drawing import Pen
from ktsolve.wings.puzzles.kind import Design, Kind, one_loop
from ktsolve.wings.puzzles.loops import border, improve, near, random_region, varied

__all__ = ["Yajilin"]

_SHADED = 0.6
"""Chance that a cell without a line and without shaded neighbours is shaded; else it gets a clue."""

_TRIES = 60
"""Changes of arrows before another loop is tried."""


class Yajilin(Kind):
    """Shaded cells, which clues count, and one loop through all other cells."""

    name = "yajilin"
    title = "Yajilin"
    rules = (
        "Shade cells, no two of them neighbours, and draw one loop through all other cells without a clue. A "
        "clue says how many cells in the direction of its arrow are shaded."
    )
    least = 4
    model = YajilinModel
    address = pzpr.Address("yajilin", pzpr.read_arrows, pzpr.write_arrows)
    reducible = False
    levels = ("medium", "hard")

    def violation(self, puzzle: GridPuzzle, solution: GridSolution) -> str:
        visited = solution.degrees
        for r, c in puzzle.cells:
            states = ((r, c) in puzzle.clue) + ((r, c) in solution.shaded) + ((r, c) in visited)
            if states != 1:
                what = "two of clue, shade and line" if states else "neither a clue, nor shade, nor a line"
                return f"{puzzle.where((r, c))} has {what}"
            if (r, c) in solution.shaded and {(r, c + 1), (r + 1, c)} & solution.shaded:
                return f"{puzzle.where((r, c))} has a shaded neighbour"
        for cell, clue in puzzle.clues:
            if clue == UNKNOWN:
                continue
            number, arrow = read_clue(puzzle, cell, clue)
            if (found := _count(puzzle, cell, arrow, solution)) != number:
                return f"{puzzle.where(cell)} has {found} shaded cells ahead, not {number}"
        return one_loop(solution)

    def design(self, rows: int, columns: int, chooser: random.Random) -> Design:
        """A loop that leaves cells out, some of which are shaded; the others have clues."""
        region = random_region(rows - 1, columns - 1, chooser)
        cells = [(r, c) for r in range(rows - 1) for c in range(columns - 1)]
        improve(region, cells, 10 * rows * columns, chooser, _Worth(rows, columns))
        lines = frozenset(border(region))
        puzzle = GridPuzzle(rows, columns)
        return _designed(puzzle, GridSolution(lines, _shaded(lines, puzzle, chooser)), chooser)

    def refined(self, design: Design, others: list[GridSolution], chooser: random.Random) -> Design | None:
        """Other arrows that exclude all other solutions so far; else a clue for a shade, or another loop."""
        puzzle, solution = design.puzzle, design.solution
        clues = dict(puzzle.clues)
        telling = [_telling(puzzle, solution, other) for other in others]
        if all(telling):
            for _ in range(_TRIES):
                open_ones = [each for each in telling if not any(clues[cell] == clue for cell, clue in each)]
                if not open_ones:
                    return Design(GridPuzzle.of(puzzle.rows, puzzle.columns, clues), solution)
                cell, clue = chooser.choice(chooser.choice(open_ones))
                clues[cell] = clue
        lines, shaded = solution.lines, solution.shaded
        if lighter := sorted(shaded - others[-1].shaded):
            shaded -= {chooser.choice(lighter)}
        else:
            rows, columns = puzzle.rows - 1, puzzle.columns - 1
            worth = _Worth(puzzle.rows, puzzle.columns)
            lines = varied(lines, others[-1].lines, rows, columns, chooser, worth)
            shaded = _shaded(lines, puzzle, chooser, shaded)
        return _designed(puzzle, GridSolution(lines, shaded), chooser)

    def eased(self, design: Design, chooser: random.Random) -> Design | None:
        """A clue in place of a shade."""
        shaded = sorted(design.solution.shaded)
        if not shaded:
            return None
        fewer = design.solution.shaded - {chooser.choice(shaded)}
        return _designed(design.puzzle, GridSolution(design.solution.lines, fewer), chooser)

    def draw(self, pen: Pen, puzzle: GridPuzzle, solution: GridSolution | None) -> None:
        pen.fill(puzzle.clue, pen.theme.dark)
        pen.fill(solution.shaded if solution is not None else (), pen.theme.ink)
        pen.grid()
        for cell, clue in puzzle.clues:
            pen.text(cell, clue.rstrip("".join(ARROWS)), size=0.45)
            if clue != UNKNOWN:
                pen.arrow(cell, ARROWS[clue[-1]])
        if solution is not None:
            pen.lines(solution)


class _Worth:
    """Cells without lines are worth something, most if none of their neighbours is such a cell."""

    def __init__(self, rows: int, columns: int) -> None:
        self._rows, self._columns = rows, columns

    def __call__(self, cell: Cell, lines: Collection[Edge]) -> float:
        if not self._is_free(cell, lines):
            return 0
        return (1.6, 0.8, -0.5, -2, -3)[sum(self._is_free(each, lines) for each in near(cell))]

    def _is_free(self, cell: Cell, lines: Collection[Edge]) -> bool:
        inside = 0 <= cell[0] < self._rows and 0 <= cell[1] < self._columns
        return inside and not any((min(cell, each), max(cell, each)) in lines for each in near(cell))


def _shaded(
    lines: frozenset[Edge], puzzle: GridPuzzle, chooser: random.Random, before: Collection[Cell] = ()
) -> frozenset[Cell]:
    """Some of the cells without lines, no two of them neighbours; first those that were shaded before."""
    visited = GridSolution(lines).degrees
    free = [cell for cell in puzzle.cells if cell not in visited]
    chooser.shuffle(free)
    free.sort(key=lambda cell: cell not in before)
    shaded: set[Cell] = set()
    for cell in free:
        wanted = cell in before or (cell not in puzzle.clue and chooser.random() < _SHADED)
        if wanted and shaded.isdisjoint(near(cell)):
            shaded.add(cell)
    return frozenset(shaded)


def _designed(old: GridPuzzle, solution: GridSolution, chooser: random.Random) -> Design:
    """The puzzle of a solution, with arrows as in an old one where that fits."""
    rows, columns = old.rows, old.columns
    used = solution.degrees.keys() | solution.shaded
    puzzle = GridPuzzle.of(rows, columns, {cell: UNKNOWN for cell in old.cells if cell not in used})
    clues = {}
    for cell in puzzle.clue:
        seen = {arrow: len(set(cells_ahead(puzzle, cell, arrow)) - puzzle.clue.keys()) for arrow in ARROWS}
        arrow = old.clue.get(cell, UNKNOWN)[-1]
        if not seen.get(arrow):
            arrow = chooser.choices(list(seen), [1e-9 + number for number in seen.values()])[0]
        clues[cell] = f"{_count(puzzle, cell, arrow, solution)}{arrow}"
    return Design(GridPuzzle.of(rows, columns, clues), solution)


def _count(puzzle: GridPuzzle, cell: Cell, arrow: str, solution: GridSolution) -> int:
    return sum(each in solution.shaded for each in cells_ahead(puzzle, cell, arrow))


def _telling(puzzle: GridPuzzle, solution: GridSolution, other: GridSolution) -> list[tuple[Cell, str]]:
    """The clues that hold in a solution and not in another."""
    found = []
    for cell in puzzle.clue:
        for arrow in ARROWS:
            number = _count(puzzle, cell, arrow, solution)
            if _count(puzzle, cell, arrow, other) != number:
                found.append((cell, f"{number}{arrow}"))
    return found
