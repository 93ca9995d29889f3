"""Slitherlink, also called Fences or Loop the Loop.

What follows from a number and the lines around it is stated as clauses: the prime implicates of the rules at
one place, so that unit propagation on them finds every line that these rules decide together (Quine 1955). A
corner cell with a 3 has both lines at the corner, for example; no clause of the model alone says so.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import product

import numpy as np

from ktsolve.graphs.notation import Cell
from ktsolve.grids.puzzle import Edge, GridPuzzle, GridSolution, edge
from ktsolve.model.encode import number
from ktsolve.models._grid import GridModel
from ktsolve.models.slitherlink import SlitherlinkModel
from ktsolve.wings.puzzles import pzpr
from ktsolve.wings.puzzles.drawing import Pen
from ktsolve.wings.puzzles.kind import Design, Kind, one_loop
from ktsolve.wings.puzzles.loops import border, improve, random_region, sides

__all__ = ["Slitherlink", "prime_clauses"]


class Slitherlink(Kind):
    """One loop along the sides of cells; a number counts the sides of its cell that the loop has."""

    name = "slitherlink"
    title = "Slitherlink"
    rules = "Draw one loop along the sides of cells. A number says how many sides of its cell it has."
    model = SlitherlinkModel
    corners = True
    address = pzpr.Address("slither", pzpr.read_few, pzpr.write_few, beyond=2)

    def violation(self, puzzle: GridPuzzle, solution: GridSolution) -> str:
        for cell, clue in puzzle.clues:
            if (number := _sides(cell, solution)) != int(clue):
                return f"{puzzle.where(cell)} has {number} lines around it, not {clue}"
        return one_loop(solution)

    def design(self, rows: int, columns: int, chooser: random.Random) -> Design:
        """A loop, and the number of lines around each cell."""
        region = random_region(rows, columns, chooser)
        cells = [(r, c) for r in range(rows) for c in range(columns)]
        improve(region, cells, rows * columns, chooser)
        solution = GridSolution(frozenset(border(region)))
        return Design(
            GridPuzzle.of(rows, columns, {cell: str(_sides(cell, solution)) for cell in cells}), solution
        )

    def local_clauses(self, model: GridModel) -> Iterator[list[int]]:
        """What a number and the rule of the loop at the four corners of its cell say together.

        The clauses hold where the clue is given (:attr:`GridModel.given`).
        """
        assert isinstance(model, SlitherlinkModel)
        for cell, clue in model.puzzle.clues:
            edges = _edges_at(cell)
            present = tuple(each in model.line for each in edges)
            numbers = [number(model.line[each]) for each in edges if each in model.line]
            given = [-number(model.given[cell])] if cell in model.given else []
            for clause in _around_number(int(clue), present):
                yield [*given, *(numbers[abs(x) - 1] * (1 if x > 0 else -1) for x in clause)]

    def draw(self, pen: Pen, puzzle: GridPuzzle, solution: GridSolution | None) -> None:
        for cell, clue in puzzle.clues:
            pen.text(cell, clue, size=0.55)
        if solution is not None:
            pen.lines(solution, corners=True)
        pen.dots()


def _sides(cell: Cell, solution: GridSolution) -> int:
    return sum(each in solution.lines for each in sides(cell))


# -- what is seen at one clue --------------------------------------------------------------------------------


def prime_clauses(allowed: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> list[tuple[int, ...]]:
    """The prime implicates of a truth table with an axis of length two for each variable.

    Variable i + 1 of the clauses is axis i. The time is proportional to n 3^n for n variables.

    >>> table = np.array([bin(i).count("1") == 1 for i in range(8)]).reshape(2, 2, 2)
    >>> sorted(prime_clauses(table))
    [(-2, -3), (-1, -3), (-1, -2), (1, 2, 3)]
    """
    # Index 2 of an axis: the variable is free. The entry says whether some allowed row agrees.
    cubes = allowed
    for axis in range(allowed.ndim):
        cubes = np.concatenate([cubes, cubes.any(axis=axis, keepdims=True)], axis=axis)
    prime = ~cubes
    for axis in range(allowed.ndim):
        freed = np.take(cubes, [2], axis=axis)
        kept = prime & freed  # no smaller clause, without this variable, follows as well
        at_free = [slice(None)] * allowed.ndim
        at_free[axis] = slice(2, 3)
        kept[tuple(at_free)] = prime[tuple(at_free)]
        prime = kept
    return [
        tuple(i + 1 if value == 0 else -i - 1 for i, value in enumerate(cube) if value != 2)
        for cube in np.argwhere(prime).tolist()
    ]


def _edges_at(cell: Cell) -> list[Edge]:
    """The four sides of a cell, then the two other edges at each of its corners."""
    (r, c), outer = cell, []
    for down, right in ((0, 0), (0, 1), (1, 1), (1, 0)):
        corner = (r + down, c + right)
        outer += [
            edge(corner, (corner[0] + 2 * down - 1, corner[1])),
            edge(corner, (corner[0], corner[1] + 2 * right - 1)),
        ]
    return sides(cell) + outer


@cache
def _around_number(clue: int, present: tuple[bool, ...]) -> list[tuple[int, ...]]:
    """The clauses for a number, by the edges that exist, numbered among those."""
    rows = []
    for values in product((False, True), repeat=sum(present)):
        drawn = iter(values)
        line = [exists and next(drawn) for exists in present]
        # Side i runs from corner i - 1 to corner i.
        degrees = [line[i] + line[(i + 1) % 4] + line[4 + 2 * i] + line[5 + 2 * i] for i in range(4)]
        rows.append(sum(line[:4]) == clue and all(degree in (0, 2) for degree in degrees))
    return prime_clauses(np.array(rows).reshape((2,) * sum(present)))
