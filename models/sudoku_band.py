"""Bands of sudoku grids, with reductions as symmetry-breaking constraints.

A band is the top R rows of a grid of RxC boxes. Each reduction is an order that selects one of several bands
with equally many completions:

- ``names``: box 1 holds the digits in order (digits can be renamed);
- ``columns``: the top row of each other box ascends (columns of a box can be permuted);
- ``boxes``: the first digits of the other boxes ascend (boxes can be permuted);
- ``rectangles``: if two columns hold a, b and b, a in two rows below the top, outside box 1, the first
  column, box by box, has the smaller digit on top (the digits can be exchanged);
- ``triples``: the same for three columns that hold a, b, c in one row and b, c, a in the other.

The first three give the lexicographically reduced bands, 36288 for 3x3. With the last two fewer bands remain,
but more than one of each class: no constraint on a few cells defines the least band of a class.

Parameters of an instance: ``box`` (default ``3x3``); ``reductions``, a list of these names (default: the
first three).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from typing import Any

from ktsolve.models import Built
from ktsolve.models.sudoku_grid import digits_of, place_digits

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.grids.box import Box, Grid
from ktsolve.model.constraints import Assignment, Literal
from ktsolve.model.model import Model
from ktsolve.problem.parameters import check_keys

__all__ = ["LEXICOGRAPHIC", "REDUCTIONS", "BandModel", "build"]

REDUCTIONS = ("names", "columns", "boxes", "rectangles", "triples")
LEXICOGRAPHIC = REDUCTIONS[:3]


class BandModel:
    """All bands of a shape that satisfy some reductions.

    >>> BandModel(Box(2, 3)).model
    <Model band of 2x3, names columns boxes: 72 Booleans, 54 constraints>
    """

    def __init__(self, box: Box, reductions: Sequence[str] = LEXICOGRAPHIC) -> None:
        for name in reductions:
            if name not in REDUCTIONS:
                raise BadInput(f"reduction {shown(name)} is unknown: use {', '.join(REDUCTIONS)}")
        self.box, self.reductions = box, tuple(reductions)
        self.model = Model(f"band of {box}, {' '.join(self.reductions) or 'all'}")
        self._places = place_digits(self.model, box, box.rows)
        if "names" in self.reductions:
            for digit in range(box.side):
                row, column = divmod(digit, box.columns)
                self.model.fix(self._at(0, row, column)[digit])
        if "columns" in self.reductions:
            for number in range(1, box.stacks):
                for column in range(box.columns - 1):
                    self._ascend(self._at(number, 0, column), self._at(number, 0, column + 1))
        if "boxes" in self.reductions:
            for number in range(1, box.stacks - 1):
                self._ascend(self._at(number, 0, 0), self._at(number + 1, 0, 0))
        for size, name in ((2, "rectangles"), (3, "triples")):
            if name in self.reductions:
                self._break_cycles(size)

    def _at(self, number: int, row: int, column: int) -> list[Literal]:
        """The Booleans of a cell of a box, by digit."""
        return self._places[row * self.box.side + number * self.box.columns + column]

    def _ascend(self, first: list[Literal], second: list[Literal]) -> None:
        """State that the digit of one cell is smaller than that of another."""
        for digit, literal in enumerate(first):
            self.model.clause(~literal, *second[digit + 1 :])

    def _break_cycles(self, size: int) -> None:
        """Exclude one of the two orders of each cycle of columns with equal digits in two rows."""
        for upper, lower in combinations(range(1, self.box.rows), 2):
            for columns in self._cycles(size):
                cells = [
                    (self._at(box, upper, column), self._at(box, lower, column)) for box, column in columns
                ]
                for digits in permutations(range(self.box.side), size):
                    if digits[0] > digits[1]:
                        after = (*digits[1:], digits[0])
                        self.model.clause(
                            *(~above[d] for (above, _), d in zip(cells, digits, strict=True)),
                            *(~below[d] for (_, below), d in zip(cells, after, strict=True)),
                        )

    def _cycles(self, size: int) -> Iterator[list[tuple[int, int]]]:
        """The cycles of columns outside box 1, each from its first column on."""
        columns = product(range(1, self.box.stacks), range(self.box.columns))
        for some in combinations(columns, size):
            for rest in permutations(some[1:]):
                yield [some[0], *rest]

    def band(self, assignment: Assignment) -> Grid:
        """The band of a solution, row by row."""
        return digits_of(self._places, assignment)

    def assignment(self, band: Grid) -> Assignment:
        """The values of all Booleans for a band."""
        true = {cell[digit - 1] for cell, digit in zip(self._places, band, strict=True)}
        return [Literal(number) in true for number in range(len(self.model))]


def build(parameters: Mapping[str, Any]) -> Built:
    """The model of an instance."""
    check_keys(parameters, {"box": str, "reductions": list}, "parameters")
    box = Box.parse(parameters.get("box", "3x3"))
    compiled = BandModel(box, [str(name) for name in parameters.get("reductions", LEXICOGRAPHIC)])
    return Built(compiled.model, lambda assignment: box.draw(compiled.band(assignment)))
