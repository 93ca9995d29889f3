"""Bands of sudoku grids, with reductions as symmetry-breaking constraints.

A band is the top R rows of a grid of RxC boxes. Each reduction takes one of many bands that have equally many
completions, by asking for order:

- ``names``: box 1 holds the digits in order (digits can be renamed);
- ``columns``: the top rows of the other boxes ascend (columns of a box can change places);
- ``boxes``: the first digits of the other boxes ascend (boxes can change places);
- ``rectangles``: where two columns hold a, b and b, a in two rows below the top, outside box 1, the first of
  them, box by box, has the smaller digit on top (the digits can change places);
- ``triples``: likewise for three columns that hold a, b, c in one row and b, c, a in the other.

The first three leave the lexicographically reduced bands, 36288 for 3x3. The last two leave fewer, but not
one of each class: which band is the least of its class under all exchanges is no matter of a few cells.

Parameters of an instance: ``box`` (default ``3x3``); ``reductions``, a list of these names (default: the
first three).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import Any

from ktsolve.models import Built
from ktsolve.models.sudoku_grid import digits_of, place_digits, rule_out

from ktsolve.errors import BadInput
from ktsolve.ground.box import Box, Grid
from ktsolve.ground.notation import shown
from ktsolve.model.constraints import Assignment, Literal
from ktsolve.model.model import Model
from ktsolve.problem.parameters import check_keys

__all__ = ["LEXICOGRAPHIC", "REDUCTIONS", "BandModel", "build"]

REDUCTIONS = ("names", "columns", "boxes", "rectangles", "triples")
LEXICOGRAPHIC = REDUCTIONS[:3]


class BandModel:
    """All bands of a shape that are left after some reductions.

    Attributes
    ----------
    box, reductions:
        The question.
    model:
        Its Booleans and constraints.

    Examples
    --------
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
        """Booleans, by digit, of a cell of a box."""
        return self._places[row * self.box.side + number * self.box.columns + column]

    def _ascend(self, first: list[Literal], second: list[Literal]) -> None:
        """The digit of one cell is smaller than that of another."""
        for digit, literal in enumerate(first):
            self.model.clause(~literal, *second[digit + 1 :])

    def _break_cycles(self, size: int) -> None:
        """Of a cycle of columns with equal digits in two rows, one of both orders is left."""
        for upper, lower in combinations(range(1, self.box.rows), 2):
            for columns in self._cycles(size):
                cells = [(self._at(*where(upper)), self._at(*where(lower))) for where in columns]
                for digits in permutations(range(self.box.side), size):
                    if digits[0] > digits[1]:
                        after = (*digits[1:], digits[0])
                        self.model.clause(
                            *(~above[d] for (above, _), d in zip(cells, digits, strict=True)),
                            *(~below[d] for (_, below), d in zip(cells, after, strict=True)),
                        )

    def _cycles(self, size: int) -> Iterator[list[_Column]]:
        """Columns outside box 1, the first one first and the others in any order."""
        columns = [
            _Column(number, column)
            for number in range(1, self.box.stacks)
            for column in range(self.box.columns)
        ]
        for some in combinations(columns, size):
            for rest in permutations(some[1:]):
                yield [some[0], *rest]

    def band(self, assignment: Assignment) -> Grid:
        """The band of a solution, row by row."""
        return digits_of(self._places, assignment)

    def assignment(self, band: Grid) -> Assignment:
        """The values of all Booleans for a band, as if it were a solution."""
        true = {cell[digit - 1] for cell, digit in zip(self._places, band, strict=True)}
        return [Literal(number) in true for number in range(len(self.model))]

    def rule_out(self, band: Grid) -> None:
        """Do not give this band (again)."""
        rule_out(self.model, self._places, band)


class _Column:
    """A column of a box; called with a row it says which cell that is."""

    def __init__(self, number: int, column: int) -> None:
        self._number, self._column = number, column

    def __call__(self, row: int) -> tuple[int, int, int]:
        return self._number, row, self._column


def build(parameters: Mapping[str, Any]) -> Built:
    """The model of an instance."""
    check_keys(parameters, {"box": str, "reductions": list}, "parameters")
    box = Box.parse(parameters.get("box", "3x3"))
    compiled = BandModel(box, [str(name) for name in parameters.get("reductions", LEXICOGRAPHIC)])
    return Built(compiled.model, lambda assignment: box.draw(compiled.band(assignment)))
