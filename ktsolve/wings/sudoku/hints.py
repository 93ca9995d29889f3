"""Hints for sudoku: the next digit, and the rows, columns and boxes from which it follows; pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Settings
from ktsolve.grids.box import Box
from ktsolve.grids.sudoku_text import read_grid
from ktsolve.model.constraints import AllDifferent
from ktsolve.model.model import Model
from ktsolve.render.scene.shapes import Scene
from ktsolve.render.scene.sheet import captioned
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.theme import named_theme
from ktsolve.render.subject import Subject
from ktsolve.tasks.steps import explain_steps
from ktsolve.wings.sudoku.picture import digits_scene
from ktsolve.wings.sudoku.puzzle import Puzzle

__all__ = ["SudokuHint", "SudokuHints", "Unsolvable", "drawn_steps", "hints", "named_groups"]


class Unsolvable(BadInput):
    """The puzzle has no solution."""


@dataclass(frozen=True)
class SudokuHint:
    """Digits that follow in a puzzle, which has those of earlier steps.

    - ``found``, ``given``: The digits that follow, and those from which they follow, by cell.
    - ``groups``: The names of the rows, columns and boxes from which they follow.
    """

    puzzle: Puzzle
    found: Mapping[int, int]
    groups: tuple[str, ...]
    given: Mapping[int, int] = field(default_factory=dict)

    def _texts(self, digits: Mapping[int, int]) -> str:
        box, line = self.puzzle.box, self.puzzle.line
        return ", ".join(f"{_name(box, cell)} is {line((digit,))}" for cell, digit in digits.items())

    @property
    def heading(self) -> str:
        """What follows, and from which groups."""
        return f"{self._texts(self.found)}: {', '.join(self.groups)}"

    def __str__(self) -> str:
        return self.heading + (f", as {self._texts(self.given)}" if self.given else "")

    def to_json(self) -> dict[str, Any]:
        """Digits by row and column from 0, and the reason, as JSON."""
        side = self.puzzle.box.side

        def listed(digits: Mapping[int, int]) -> list[Any]:
            return [[list(divmod(cell, side)), self.puzzle.line((digit,))] for cell, digit in digits.items()]

        return {
            "digits": listed(self.found),
            "groups": list(self.groups),
            "given": listed(self.given),
            "text": str(self),
        }

    def scene(self, style: Style) -> Scene:
        """The grid so far; the groups of the reason are shaded, its digits marked, what follows is red."""
        box, colours = self.puzzle.box, named_theme(style.theme)
        grid = tuple(self.found.get(cell, digit) for cell, digit in enumerate(self.puzzle.clues))
        groups = named_groups(box)
        fills = {cell: colours.dark for name in self.groups for cell in groups[name]}
        fills |= dict.fromkeys(self.given, colours.clue)
        inks = dict.fromkeys(self.found, colours.end)
        scene = digits_scene(self.puzzle.line(grid), box, theme=style.theme, fills=fills, inks=inks)
        return captioned(scene, style.caption or self.heading, style.theme)


@dataclass(frozen=True)
class SudokuHints(Subject):
    """Hints as pictures, each below its text."""

    hints: tuple[SudokuHint, ...]

    def scenes(self, style: Style) -> list[Scene]:
        """Return a scene for each hint."""
        return [each.scene(style) for each in self.hints]


def hints(puzzle: Puzzle, settings: Settings | None = None) -> Iterator[SudokuHint]:
    """The steps that solve a puzzle, each as it is found; they end where nothing more follows.

    Raises Unsolvable if the puzzle has no solution, and LimitReached.

    >>> print(next(hints(Puzzle.read("1... ..2. .3.. ...4"))))
    r1c2 is 2, r2c4 is 1: row 1, box 2, as r2c3 is 2, r1c1 is 1
    """
    box = puzzle.box
    model = Model("sudoku")
    cells = list(model.integers(box.cells, 1, box.side, "cell"))
    for name, group in named_groups(box).items():
        model.add(AllDifferent([cells[i] for i in group]), name=name)
    earlier = {cell: digit for cell, digit in enumerate(puzzle.clues) if digit}
    known = {cells[cell]: digit for cell, digit in earlier.items()}
    try:
        for step in explain_steps(model, settings, known=known):
            # Where digits differ between solutions, a fact may only exclude one.
            found, given = (dict(map(_digit, facts)) for facts in (step.facts, step.given))
            if all(found.values()):
                digits = tuple(earlier.get(cell, 0) for cell in range(box.cells))
                yield SudokuHint(Puzzle(box, digits, puzzle.digits), found, step.names, given)
                earlier |= found
    except BadInput as error:
        raise Unsolvable("the puzzle has no solution") from error


def drawn_steps(
    model: str, parameters: Mapping[str, Any], settings: Settings, number: int | None
) -> SudokuHints | None:
    """The steps that solve an instance of the model of sudoku, as pictures; None for another model."""
    if model != "sudoku_grid" or "clues" not in parameters:
        return None
    box = Box.parse(parameters.get("box", "3x3"))
    read = read_grid(parameters["clues"], box, parameters.get("digits"))
    return SudokuHints(tuple(islice(hints(Puzzle(box, read.grid, read.digits), settings), number)))


def named_groups(box: Box) -> dict[str, tuple[int, ...]]:
    """The cells of the rows, columns and boxes by their names.

    >>> named_groups(Box(2, 2))["box 2"]
    (2, 3, 6, 7)
    """
    names = (f"{kind} {number}" for kind in ("row", "column", "box") for number in range(1, box.side + 1))
    return dict(zip(names, box.groups(), strict=True))


def _name(box: Box, cell: int) -> str:
    return f"r{cell // box.side + 1}c{cell % box.side + 1}"


def _digit(fact: Any) -> tuple[int, int]:
    """The cell and the digit of a fact; 0 where it says that the cell has another digit."""
    (variable,) = fact.variables()
    return variable.number, fact.right.constant if fact.sign == "==" else 0
