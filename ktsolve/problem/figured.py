"""Figured tours: given steps, such as the squares, stand in a figure.

Source: T. R. Dawson's and G. P. Jelliss's figured tours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

from ktsolve.errors import BadInput
from ktsolve.ground.board import Board
from ktsolve.ground.figures import magic_lines
from ktsolve.ground.notation import Cell, shown
from ktsolve.ground.symmetry import Symmetry
from ktsolve.ground.tour import Fault, Tour
from ktsolve.problem.conditions import Condition, cell_map, check_cells

__all__ = ["SHAPES", "Figure", "step_list", "step_list_name"]

SHAPES = ("row", "column", "cells", "path", "circuit")
"""Figures: all in one row, in one column, on given cells; or each a move from the next, and back."""


def _squares(most: int) -> list[int]:
    return [i * i for i in range(1, most + 1) if i * i <= most]


def _triangles(most: int) -> list[int]:
    return [i * (i + 1) // 2 for i in range(1, most + 1) if i * (i + 1) // 2 <= most]


def _primes(most: int) -> list[int]:
    return [p for p in range(2, most + 1) if all(p % d for d in range(2, int(p**0.5) + 1))]


_NAMED = {"squares": _squares, "triangles": _triangles, "primes": _primes}


def step_list(text: str, most: int) -> tuple[int, ...]:
    """Steps up to ``most`` from words: ``squares``, ``triangles``, ``primes``, ``1+3``, or ``1,4,9``.

    ``A+K`` is the arithmetic progression A, A + K, A + 2 K, ...

    >>> step_list("squares", 36), step_list("1+9", 36), step_list("9,1,4", 36)
    ((1, 4, 9, 16, 25, 36), (1, 10, 19, 28), (1, 4, 9))
    """
    text = text.strip()
    if text in _NAMED:
        return tuple(_NAMED[text](most))
    if match := re.fullmatch(r"(\d{1,9})\s*\+\s*(\d{1,9})", text, re.ASCII):
        first, gap = int(match[1]), int(match[2])
        if gap == 0:
            raise BadInput(f"the progression {shown(text)} stands still: write FIRST+GAP, such as 1+3")
        return tuple(range(first, most + 1, gap))
    parts = [part for part in re.split(r"[\s,]+", text) if part]
    if not parts or not all(re.fullmatch(r"\d{1,9}", part, re.ASCII) for part in parts):
        raise BadInput(
            f"{shown(text)} is no list of steps: write {', '.join(_NAMED)}, FIRST+GAP such as 1+3, or 1,4,9"
        )
    return tuple(sorted({int(part) for part in parts}))


def step_list_name(steps: tuple[int, ...], most: int) -> str:
    """The shortest words for a list of steps.

    >>> step_list_name((1, 4, 9, 16, 25, 36), 36), step_list_name((2, 5, 8), 9), step_list_name((1, 3), 9)
    ('squares', '2+3', '1,3')
    """
    for name, listed in _NAMED.items():
        if tuple(listed(most)) == steps:
            return name
    if len(steps) > 2 and tuple(range(steps[0], most + 1, steps[1] - steps[0])) == steps:
        return f"{steps[0]}+{steps[1] - steps[0]}"
    return ",".join(map(str, steps))


@dataclass(frozen=True)
class Figure(Condition):
    """Given steps stand in a figure.

    Attributes
    ----------
    steps:
        The steps, ascending.
    shape:
        One of :data:`SHAPES`. On a path each is a move from the next, on a circuit also the last from the
        first.
    cells:
        The cells, if the shape is ``cells``.

    Examples
    --------
    >>> board = Board.parse("6x6")
    >>> Figure(step_list("squares", 36), "row").text(board)
    'squares=row'
    """

    feature: ClassVar[str] = "figures"
    key: ClassVar[str] = "figure"
    steps: tuple[int, ...]
    shape: str
    cells: frozenset[Cell] = frozenset()

    def validate(self, board: Board) -> None:
        """Known shape, steps that there are, cells that are there."""
        if self.shape not in SHAPES:
            raise BadInput(
                f"the figure {shown(self.shape)} is unknown: use row, column, path, circuit, or cells"
            )
        check_cells(board, self.cells)
        if (self.shape == "cells") != bool(self.cells):
            raise BadInput("a figure of shape cells, and no other, needs its cells")
        if not self.steps:
            raise BadInput("a figure needs steps: there is none up to the number of cells")
        if list(self.steps) != sorted(set(self.steps)):
            raise BadInput("the steps of a figure are given in ascending order, each once")
        if self.steps[0] < 1 or self.steps[-1] > len(board):
            wrong = self.steps[0] if self.steps[0] < 1 else self.steps[-1]
            raise BadInput(
                f"step {wrong} is not among the {len(board)} steps of the tour (1 to {len(board)})"
            )

    def lines(self, board: Board) -> list[frozenset[Cell]]:
        """The sets of cells of which one holds all the steps, for figures in lines or on cells."""
        if self.shape == "cells":
            return [self.cells]
        there = set(board.cells)
        drawn = magic_lines(board, {"row": "rows", "column": "columns"}[self.shape])
        return [frozenset(line) & there for line in drawn]

    def links(self) -> Iterator[tuple[int, int]]:
        """Steps that must be a move apart, for paths and circuits."""
        yield from pairwise(self.steps)
        if self.shape == "circuit":
            yield self.steps[-1], self.steps[0]

    def fault(self, tour: Tour) -> Fault | None:
        """Do they?"""
        at = {step: tour.squares[step - 1] for step in self.steps}
        if self.shape in ("path", "circuit"):
            for step, next_step in self.links():
                if not tour.board.adjacent(at[step], at[next_step]):
                    return Fault(
                        step, f"steps {step} and {next_step} are not a move apart, as a {self.shape} asks"
                    )
            return None
        if any(set(at.values()) <= line for line in self.lines(tour.board)):
            return None
        if self.shape == "cells":
            step = next(step for step, cell in at.items() if cell not in self.cells)
            return Fault(
                step, f"step {step} is at {tour.board.name(at[step])}, not on one of the given cells"
            )
        return Fault(0, f"the steps {step_list_name(self.steps, len(tour))} do not stand in one {self.shape}")

    def text(self, board: Board) -> str:
        """``squares=row``, or ``1,2=a1,b3``."""
        where = ",".join(board.name(cell) for cell in sorted(self.cells)) if self.cells else self.shape
        return f"{step_list_name(self.steps, len(board))}={where}"

    def moved(self, board: Board, symmetry: Symmetry) -> Condition | None:
        """Cells go along; lines must go to lines of the same kind."""
        if self.shape in ("path", "circuit"):
            return self
        there = cell_map(board, symmetry)
        if self.shape == "cells":
            return replace(self, cells=frozenset(map(there, self.cells)))
        lines = self.lines(board)
        return self if {frozenset(map(there, line)) for line in lines} == set(lines) else None

    def refuted(self, board: Board, closed: bool) -> str | None:
        """Steps need as many cells, and as many of either colour."""
        if self.shape in ("path", "circuit"):
            return None
        number, lines = len(self.steps), self.lines(board)
        where = "the given cells" if self.shape == "cells" else f"a {self.shape}"
        room = max(len(line) for line in lines)
        if number > room:
            return f"{number} steps do not fit on {where}, {room} at most"
        colour = board.colouring
        if colour is None:
            return None
        odd = sum(1 for step in self.steps if step % 2)
        for line in lines:
            first = sum(1 for cell in line if colour[cell] == 0)
            second = len(line) - first
            if (odd <= first and number - odd <= second) or (odd <= second and number - odd <= first):
                return None
        return (
            f"{odd} odd and {number - odd} even steps stand on as many cells of either colour: "
            f"{where} has not so many"
        )
