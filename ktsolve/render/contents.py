"""Shapes inside the cells of a picture: numbers, dots, ends, values and the knight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ktsolve.ground.notation import Cell
from ktsolve.ground.tour import Tour
from ktsolve.render.accessibility import accessibility
from ktsolve.render.heat import short_number
from ktsolve.render.layout import Layout
from ktsolve.render.marks import end_shapes, knight
from ktsolve.render.scene import Circle, Group, Shape, Text
from ktsolve.render.style import Style
from ktsolve.render.theme import Theme, legible

__all__ = ["Contents"]

_NODE = 0.26
"""Radius of the disc behind a number, in cells."""

_DIGIT = 0.58
"""Width of a digit as a share of the font size."""


@dataclass(frozen=True)
class Contents:
    """The contents of the cells of a picture.

    Attributes
    ----------
    walk:
        The steps that are drawn.
    whole:
        Whether these are all steps of the tour.
    numbers:
        Whether the steps are numbered.
    colours:
        For each step the colour of the path at its cell.
    """

    walk: Tour
    whole: bool
    style: Style
    layout: Layout
    numbers: bool
    colours: Sequence[str]

    @property
    def _theme(self) -> Theme:
        return self.style.colours

    @property
    def _bare(self) -> bool:
        """Whether there is no path behind the numbers."""
        return self.style.path == "none" or not self.walk.squares

    def shapes(self) -> list[Shape]:
        """All shapes, in painting order."""
        style, layout, walk = self.style, self.layout, self.walk.squares
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
        if style.accessibility and (free := self._accessibility()):
            shapes.append(Group("accessibility", free))
        if walk and (not self.whole if style.knight is None else style.knight):
            head = knight(*layout.centre(walk[-1]), 0.86 * unit, self._theme.ink, self._theme.background)
            shapes.append(Group("knight", head))
        return shapes

    def _ends(self) -> list[Shape]:
        if not self.style.ends:
            return []
        board, layout = self.layout.board, self.layout
        radius = (_NODE + 0.05 if self.numbers else 0.2) * layout.unit
        if not layout.detailed:
            radius = max(board.rows, board.columns) / 60
        # A walk drawn only in part shows no last cell.
        shown = self.walk if self.whole else Tour(board, self.walk.squares[:1])
        return end_shapes(shown, layout, self._theme, radius)

    def _steps(self) -> list[Shape]:
        walk, theme, given = self.walk.squares, self._theme, self._given_steps()
        ends = {}
        if self.style.ends and walk:
            if self.whole and not self.walk.closed:
                ends[len(walk)] = theme.end
            ends[1] = theme.start
        texts: list[Shape] = []
        for step, cell in enumerate(walk, 1):
            fill = ends.get(step, self._fill(cell) if self._bare else theme.node)
            centre = self.layout.centre(cell)
            texts.append(Text(*centre, str(step), self._size(), legible(fill), bold=cell in given))
        return texts

    def _size(self) -> float:
        """The font size of step numbers."""
        digits = len(str(len(self.layout.board)))
        if self._bare:
            return self.layout.unit * min(0.42, 0.84 / (_DIGIT * digits))
        return self.layout.unit * min(0.27, 1.75 * _NODE / (_DIGIT * digits))

    def _given_steps(self) -> dict[Cell, int]:
        problem = self.style.problem
        return {} if problem is None else {cell: step for step, cell in problem.known_steps}

    def _given(self) -> list[Shape]:
        """Given step numbers in cells that the drawn steps do not visit."""
        visited, ink = set(self.walk.squares), legible(self._theme.clue)
        return [
            Text(*self.layout.centre(cell), str(step), self._size(), ink, bold=True)
            for cell, step in self._given_steps().items()
            if cell not in visited
        ]

    def _fill(self, cell: Cell) -> str:
        """The colour of a cell."""
        heat = self.style.heat
        if heat is not None and cell in heat.values:
            return heat.colour(cell, self._theme)
        return self._theme.light

    def _values(self) -> list[Shape]:
        """Values as numbers, on a picture without a walk."""
        heat = self.style.heat
        if heat is None or self.walk.squares:
            return []
        texts = {cell: short_number(value, heat.most) for cell, value in sorted(heat.values.items())}
        longest = max((len(text) for text in texts.values()), default=1)
        size = self.layout.unit * min(0.36, 0.84 / (_DIGIT * longest))
        return [
            Text(*self.layout.centre(cell), text, size, legible(self._fill(cell)))
            for cell, text in texts.items()
        ]

    def _accessibility(self) -> list[Shape]:
        numbers = accessibility(self.layout.board, frozenset(self.walk.squares))
        size = 0.38 * self.layout.unit
        heat = {} if self.style.heat is None else self.style.heat.values
        # Faint text is not legible on the colours of values.
        return [
            Text(
                *self.layout.centre(cell),
                str(number),
                size,
                legible(self._fill(cell)) if cell in heat else self._theme.faint,
            )
            for cell, number in numbers.items()
        ]
