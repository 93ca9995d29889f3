"""Sudoku boxes, and grids and bands written as text.

A box has R rows and C columns; a grid has N = R*C rows, columns, boxes and digits. A *band* is a row of
boxes (R rows of the grid, R boxes), a *stack* a column of boxes. A grid is the tuple of its digits row by
row, 0 for an empty cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown

__all__ = ["DIGITS", "Box", "Grid"]

DIGITS = "123456789ABCDEFG"
"""The digits as text: after 9 come letters, in either case."""

Grid = tuple[int, ...]


@dataclass(frozen=True)
class Box:
    """The shape of a sudoku.

    >>> box = Box.parse("2x3")
    >>> box.side, box.bands, box.stacks
    (6, 3, 2)
    """

    rows: int = 3
    columns: int = 3

    def __post_init__(self) -> None:
        if self.rows < 1 or self.columns < 1 or self.rows * self.columns > len(DIGITS):
            raise BadInput(f"a box has 1 to {len(DIGITS)} cells, not {self.rows} x {self.columns}")

    @classmethod
    def parse(cls, text: str) -> Box:
        """The box of ``RxC``."""
        match = re.fullmatch(r"\s*(\d{1,3})\s*[xX*]\s*(\d{1,3})\s*", text, re.ASCII)
        if match is None:
            raise BadInput(f"box {shown(text)} is not understood: write ROWSxCOLUMNS, such as 3x3 or 2x3")
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}"

    @property
    def side(self) -> int:
        """Rows, columns, boxes, digits: N."""
        return self.rows * self.columns

    @property
    def cells(self) -> int:
        """Cells of a grid."""
        return self.side**2

    @property
    def bands(self) -> int:
        """Bands of a grid."""
        return self.columns

    @property
    def stacks(self) -> int:
        """Stacks of a grid, boxes of a band."""
        return self.rows

    def groups(self, rows: int | None = None) -> Iterator[tuple[int, ...]]:
        """The rows, columns and boxes of a grid, or the rows and boxes of its first ``rows`` rows, as cells.

        >>> [len(cells) for cells in Box(2, 2).groups()]
        [4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4]
        """
        return iter(_groups(self.rows, self.columns, self.side if rows is None else rows, rows is None))

    # -- text -------------------------------------------------------------------------------------------

    def line(self, grid: Sequence[int], digits: str = DIGITS) -> str:
        """A grid, or any part of one, in one line; ``digits`` are the signs of the digits.

        >>> Box(2, 2).line((1, 0, 0, 4))
        '1..4'
        """
        return "".join("." if digit == 0 else digits[digit - 1] for digit in grid)

    def draw(self, grid: Sequence[int], digits: str = DIGITS) -> str:
        """A grid or band as text, with lines between boxes.

        >>> print(Box(2, 2).draw((1, 2, 3, 4, 3, 4, 1, 2)))
        12|34
        34|12
        """
        lines: list[str] = []
        for start in range(0, len(grid), self.side):
            if lines and start // self.side % self.rows == 0:
                lines.append("+".join(["-" * self.columns] * self.stacks))
            row = self.line(grid[start : start + self.side], digits)
            parts = [row[at : at + self.columns] for at in range(0, self.side, self.columns)]
            lines.append("|".join(parts))
        return "\n".join(lines)

    def conflict(self, grid: Sequence[int], signs: str = DIGITS) -> str:
        """The first rule that the given digits break, as text; empty if they break none.

        >>> Box(2, 2).conflict((1, 1) + (0,) * 14)
        'digit 1 occurs twice in row 1'
        """
        names = ["row"] * self.side + ["column"] * self.side + ["box"] * self.side
        for number, (name, cells) in enumerate(zip(names, self.groups(), strict=True)):
            digits = [grid[cell] for cell in cells if grid[cell]]
            if len(set(digits)) == len(digits):
                continue
            for digit in digits:
                if digits.count(digit) > 1:
                    return f"digit {signs[digit - 1]} occurs twice in {name} {number % self.side + 1}"
        return ""


@lru_cache(maxsize=64)
def _groups(rows: int, columns: int, height: int, whole: bool) -> tuple[tuple[int, ...], ...]:
    """The rows, the columns of a whole grid, and the boxes, of the first ``height`` rows of a grid."""
    n = rows * columns
    found = [tuple(range(row * n, row * n + n)) for row in range(height)]
    if whole:
        found += [tuple(range(column, n * n, n)) for column in range(n)]
    boxes: dict[tuple[int, int], list[int]] = {}
    for cell in range(height * n):
        boxes.setdefault((cell // (n * rows), cell % n // columns), []).append(cell)
    return (*found, *map(tuple, boxes.values()))
