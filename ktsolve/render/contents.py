"""What stands in the cells of a picture: numbers or dots, the ends, values, the knight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ktsolve.ground.notation import Cell
from ktsolve.ground.tour import Tour
from ktsolve.render.accessibility import accessibility
from ktsolve.render.heat import short
from ktsolve.render.layout import Layout
from ktsolve.render.marks import end_shapes, knight
from ktsolve.render.scene import Circle, Group, Shape, Text
from ktsolve.render.style import Look
from ktsolve.render.theme import Theme, legible

__all__ = ["Contents"]

_NODE = 0.26
"""Radius of the disc behind a number, in cells."""

_DIGIT = 0.58
"""Width of a digit as a share of the size of the font."""


@dataclass(frozen=True)
class Contents:
    """The cells of a walk that is drawn.

    Attributes
    ----------
    walk:
        As far as it is drawn.
    whole:
        Is that all of it?
    numbers:
        Are the steps numbered?
    colours:
        For each step the colour of the path there.
    """

    walk: Tour
    whole: bool
    look: Look
    layout: Layout
    numbers: bool
    colours: Sequence[str]

    @property
    def _theme(self) -> Theme:
        return self.look.colours

    @property
    def _bare(self) -> bool:
        """Do numbers stand in the cells by themselves, with no path through them?"""
        return self.look.path == "none" or not self.walk.squares

    def shapes(self) -> list[Shape]:
        """From the bottom to the top."""
        look, layout, walk = self.look, self.layout, self.walk.squares
        unit = layout.unit
        shapes: list[Shape] = []
        nodes: list[Shape] = []
        if self.numbers and not self._bare:
            nodes += [
                Circle(*layout.centre(cell), _NODE * unit, self._theme.node, ring, 0.045 * unit)
                for cell, ring in zip(walk, self.colours, strict=True)
            ]
        elif layout.detailed and not self._bare:
            nodes += [Circle(*layout.centre(cell), 0.09 * unit, self._theme.ink) for cell in walk]
        if nodes:
            shapes.append(Group("nodes", nodes))
        shapes.extend(self._ends())
        if self.numbers:
            texts = [*self._steps(), *self._given(), *self._values()]
            if texts:
                shapes.append(Group("numbers", texts))
        if look.accessibility and (free := self._accessibility()):
            shapes.append(Group("accessibility", free))
        if walk and (not self.whole if look.knight is None else look.knight):
            head = knight(*layout.centre(walk[-1]), 0.86 * unit, self._theme.ink, self._theme.background)
            shapes.append(Group("knight", head))
        return shapes

    def _ends(self) -> list[Shape]:
        if not self.look.ends:
            return []
        board, layout = self.layout.board, self.layout
        radius = (_NODE + 0.05 if self.numbers else 0.2) * layout.unit
        if not layout.detailed:
            radius = max(board.rows, board.columns) / 60
        # What is cut short has no end yet.
        shown = self.walk if self.whole else Tour(board, self.walk.squares[:1])
        return end_shapes(shown, layout, self._theme, radius)

    def _steps(self) -> list[Shape]:
        walk, theme, given = self.walk.squares, self._theme, self._given_steps()
        ends = {}
        if self.look.ends and walk:
            if self.whole and not self.walk.closed:
                ends[len(walk)] = theme.end
            ends[1] = theme.start
        texts: list[Shape] = []
        for step, cell in enumerate(walk, 1):
            behind = ends.get(step, self._behind(cell) if self._bare else theme.node)
            place = self.layout.centre(cell)
            texts.append(Text(*place, str(step), self._size(), legible(behind), bold=cell in given))
        return texts

    def _size(self) -> float:
        """Of step numbers."""
        digits = len(str(len(self.layout.board)))
        if self._bare:
            return self.layout.unit * min(0.42, 0.84 / (_DIGIT * digits))
        return self.layout.unit * min(0.27, 1.75 * _NODE / (_DIGIT * digits))

    def _given_steps(self) -> dict[Cell, int]:
        problem = self.look.problem
        return {} if problem is None else {cell: step for step, cell in problem.known_steps}

    def _given(self) -> list[Shape]:
        """Given numbers that the walk has not come to."""
        visited, ink = set(self.walk.squares), legible(self._theme.clue)
        return [
            Text(*self.layout.centre(cell), str(step), self._size(), ink, bold=True)
            for cell, step in self._given_steps().items()
            if cell not in visited
        ]

    def _behind(self, cell: Cell) -> str:
        heat = self.look.heat
        if heat is not None and cell in heat.values:
            return heat.colour(cell, self._theme)
        return self._theme.light

    def _values(self) -> list[Shape]:
        """Values themselves, where there is no walk."""
        heat = self.look.heat
        if heat is None or self.walk.squares:
            return []
        words = {cell: short(value, heat.most) for cell, value in sorted(heat.values.items())}
        longest = max((len(text) for text in words.values()), default=1)
        size = self.layout.unit * min(0.36, 0.84 / (_DIGIT * longest))
        return [
            Text(*self.layout.centre(cell), text, size, legible(self._behind(cell)))
            for cell, text in words.items()
        ]

    def _accessibility(self) -> list[Shape]:
        numbers = accessibility(self.layout.board, frozenset(self.walk.squares))
        size = 0.38 * self.layout.unit
        heat = {} if self.look.heat is None else self.look.heat.values
        # Faint on the board; on a cell with a colour of its own that could not be read.
        return [
            Text(
                *self.layout.centre(cell),
                str(number),
                size,
                legible(self._behind(cell)) if cell in heat else self._theme.faint,
            )
            for cell, number in numbers.items()
        ]
