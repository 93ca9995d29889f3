"""Numberlink, also called Arukone."""

from __future__ import annotations

import random
from itertools import pairwise

from ktsolve.graphs.notation import Cell
from ktsolve.grids.puzzle import GridPuzzle, GridSolution, edge
from ktsolve.models.numberlink import NumberlinkModel, pairs_of
from ktsolve.wings.puzzles import pzpr
from ktsolve.wings.puzzles.drawing import Pen
from ktsolve.wings.puzzles.kind import Design, Kind, components
from ktsolve.wings.puzzles.loops import near

__all__ = ["Numberlink"]

_ON = 0.93
"""Chance that a line that could go on does so."""


class Numberlink(Kind):
    """Lines join equal numbers, without branching or crossing."""

    name = "numberlink"
    title = "Numberlink"
    rules = "Join equal numbers by lines through the centres of cells that do not branch, cross or meet."
    model = NumberlinkModel
    address = pzpr.Address("numlin", pzpr.read_numbers, pzpr.write_numbers)
    reducible = False

    def violation(self, puzzle: GridPuzzle, solution: GridSolution) -> str:
        degrees = solution.degrees
        for cell in puzzle.cells:
            allowed = (1,) if cell in puzzle.clue else (0, 2)
            if degrees[cell] not in allowed:
                return f"{puzzle.where(cell)} has {degrees[cell]} lines"
        for line in components(solution):
            ends = sorted(puzzle.clue[cell] for cell in line if cell in puzzle.clue)
            if len(ends) != 2 or ends[0] != ends[1]:
                return f"a line joins {' and '.join(ends) or 'nothing'}"
        return ""

    def design(self, rows: int, columns: int, chooser: random.Random) -> Design:
        """Lines through most of the cells, none of which could be shorter."""
        return _designed(rows, columns, _lines(rows, columns, chooser))

    def refined(self, design: Design, others: list[GridSolution], chooser: random.Random) -> Design | None:
        """Two lines in place of one that is different in the last other solution."""
        ways = _ways(design)
        changed = [i for i, way in enumerate(ways) if not _edges(way) <= others[-1].lines]
        return _cut(design, ways, changed, chooser)

    def eased(self, design: Design, chooser: random.Random) -> Design | None:
        """Two lines in place of a long one."""
        ways = _ways(design)
        longest = max(map(len, ways))
        return _cut(design, ways, [i for i, way in enumerate(ways) if len(way) == longest], chooser)

    def draw(self, pen: Pen, puzzle: GridPuzzle, solution: GridSolution | None) -> None:
        pen.grid()
        if solution is not None:
            pen.lines(solution, width=0.16)
        for cell, mark in puzzle.clues:
            pen.disc(cell, 0.36, pen.theme.background, pen.theme.ink)
            pen.text(cell, mark, size=0.46)


def _lines(rows: int, columns: int, chooser: random.Random) -> list[list[Cell]]:
    """Lines that cover most of a grid; cells of one line are neighbours only if one follows the other."""
    free = {(r, c) for r in range(rows) for c in range(columns)}

    def onward(way: list[Cell]) -> list[Cell]:
        """The free cells that can follow the last of a line; those with fewest free neighbours."""
        fit = [
            cell for cell in near(way[-1]) if cell in free and sum(each in way for each in near(cell)) == 1
        ]
        fewest = min((sum(each in free for each in near(cell)) for cell in fit), default=0)
        return [cell for cell in fit if sum(each in free for each in near(cell)) == fewest]

    ways: list[list[Cell]] = []
    while free:
        start = min(free, key=lambda cell: (sum(each in free for each in near(cell)), chooser.random()))
        way = [start]
        free.discard(start)
        for _ in range(2):  # on from both ends
            while (fit := onward(way)) and (len(way) < 4 or chooser.random() < _ON):
                way.append(chooser.choice(fit))
                free.discard(way[-1])
            way.reverse()
        ways.append(way)
    return _without_single_cells(ways)


def _without_single_cells(ways: list[list[Cell]]) -> list[list[Cell]]:
    """The lines, cells alone joined to an end of another where that fits, else left out."""
    long = [way for way in ways if len(way) > 1]
    for (cell,) in (way for way in ways if len(way) == 1):
        for way in long:
            beside = [each for each in near(cell) if each in way]
            if len(beside) == 1 and beside[0] in (way[0], way[-1]):
                way.insert(0 if beside[0] == way[0] else len(way), cell)
                break
            if len(beside) == 1 and 2 <= (at := way.index(beside[0])) < len(way) - 2:
                # The line is cut beside the cell, which joins the first part.
                long.append(way[at + 1 :])
                way[at + 1 :] = [cell]
                break
    return long


def _cut(design: Design, ways: list[list[Cell]], which: list[int], chooser: random.Random) -> Design | None:
    """The design with one of these lines cut into two."""
    fit = [i for i in which if len(ways[i]) > 3]
    if not fit:
        return None
    way = ways.pop(chooser.choice(fit))
    at = chooser.randrange(2, len(way) - 1)
    return _designed(design.puzzle.rows, design.puzzle.columns, [*ways, way[:at], way[at:]])


def _edges(way: list[Cell]) -> frozenset[tuple[Cell, Cell]]:
    return frozenset(edge(a, b) for a, b in pairwise(way))


def _designed(rows: int, columns: int, ways: list[list[Cell]]) -> Design:
    ways = sorted((min(way, way[::-1]) for way in ways), key=lambda way: way[0])
    clues = {cell: str(i) for i, way in enumerate(ways, 1) for cell in (way[0], way[-1])}
    lines = frozenset().union(*map(_edges, ways))
    return Design(GridPuzzle.of(rows, columns, clues), GridSolution(lines))


def _ways(design: Design) -> list[list[Cell]]:
    """The lines of a design, each as its cells in order."""
    lines, ways = design.solution.lines, []
    for start, _ in pairs_of(design.puzzle).values():
        way = [start]
        while True:
            after = [p for p in near(way[-1]) if edge(way[-1], p) in lines and p not in way[-2:]]
            if not after:
                break
            way.append(after[0])
        ways.append(way)
    return ways
