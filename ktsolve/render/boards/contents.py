"""Shapes inside the cells of a picture: numbers, dots, ends, values and the knight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ktsolve.graphs.notation import Cell
from ktsolve.graphs.tour import Tour
from ktsolve.render.boards.accessibility import accessibility
from ktsolve.render.boards.heat import short_number
from ktsolve.render.boards.layout import BoardLayout
from ktsolve.render.boards.marks import end_shapes, knight
from ktsolve.render.scene.shapes import Circle, Group, Shape, Text, grouped
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.theme import legible

__all__ = ["Contents"]

_NODE = 0.26
"""Radius of the disc behind a number, in cells."""

_DIGIT = 0.58
"""Width of a digit as a share of the font size."""


@dataclass(frozen=True)
class Contents:
    """The contents of the cells of a picture."""

    walk: Tour  # the steps that are drawn
    whole: bool  # whether these are all steps of the tour
    style: Style
    layout: BoardLayout
    numbers: bool  # whether the steps are numbered
    colours: Sequence[str]  # for each step the colour of the path at its cell

    @property
    def _bare(self) -> bool:
        """Whether there is no path behind the numbers."""
        return self.style.path == "none" or not self.walk.squares

    def shapes(self) -> list[Shape]:
        """All shapes, in painting order."""
        style, layout, walk = self.style, self.layout, self.walk.squares
        unit, knight_on = layout.unit, self._knight_on
        nodes: list[Shape] = []
        if self.numbers and not self._bare:
            nodes += [
                Circle(*layout.centre(cell), _NODE * unit, self.style.colours.node, ring, 0.045 * unit)
                for cell, ring in zip(walk, self.colours, strict=True)
                if cell != knight_on
            ]
        elif layout.detailed and style.dots and not self._bare:
            nodes += [
                Circle(*layout.centre(cell), 0.09 * unit, self.style.colours.ink)
                for cell in walk
                if cell != knight_on
            ]
        shapes = [*grouped("nodes", nodes), *self._ends()]
        if self.numbers:
            shapes += grouped("numbers", [*self._steps(), *self._values()])
        if style.accessibility:
            shapes += grouped("accessibility", self._accessibility())
        if knight_on is not None:
            x, y = layout.centre(knight_on)
            shapes.append(
                Group("knight", knight(x, y, 0.9 * unit, self.style.colours.ink, self._fill(knight_on)))
            )
        return shapes

    @property
    def _knight_on(self) -> Cell | None:
        """The cell of the knight, if it is drawn: nothing else is drawn there."""
        shown = not self.whole if self.style.knight is None else self.style.knight
        return self.walk.squares[-1] if shown and self.walk.squares else None

    def _ends(self) -> list[Shape]:
        if not self.style.ends:
            return []
        board, layout = self.layout.board, self.layout
        radius = (_NODE + 0.05 if self.numbers else 0.2) * layout.unit
        if not layout.detailed:
            radius = max(board.rows, board.columns) / 60
        # A walk drawn only in part shows no last cell.
        shown = self.walk if self.whole else Tour(board, self.walk.squares[:1])
        if self._knight_on is not None and not shown.closed and shown.squares[-1] == self._knight_on:
            shown = Tour(board, shown.squares[:-1][:1])
        return end_shapes(shown, layout, self.style.colours, radius)

    def _steps(self) -> list[Shape]:
        """Step numbers of the drawn steps, and given step numbers in other cells."""
        walk, theme, centre = self.walk.squares, self.style.colours, self.layout.centre
        problem = self.style.problem
        given = {} if problem is None else {cell: step for step, cell in problem.known_steps}
        ends = {}
        if self.style.ends and walk:
            if self.whole and not self.walk.closed:
                ends[len(walk)] = theme.end
            ends[1] = theme.start
        texts: list[Shape] = []
        for step, cell in enumerate(walk, 1):
            if cell == self._knight_on:
                continue
            ink = legible(ends.get(step, self._fill(cell) if self._bare else theme.node))
            texts.append(Text(*centre(cell), str(step), self._size(), ink, bold=cell in given))
        for cell in sorted(given.keys() - set(walk), key=given.__getitem__):
            ink = legible(theme.clue)
            texts.append(Text(*centre(cell), str(given[cell]), self._size(), ink, bold=True))
        return texts

    def _size(self) -> float:
        """The font size of step numbers."""
        digits = len(str(len(self.layout.board)))
        if self._bare:
            return self.layout.unit * min(0.42, 0.84 / (_DIGIT * digits))
        return self.layout.unit * min(0.27, 1.75 * _NODE / (_DIGIT * digits))

    def _fill(self, cell: Cell) -> str:
        """The colour of a cell."""
        heat = self.style.heat
        if heat is not None and cell in heat.values:
            return heat.colour(cell, self.style.colours)
        return self.style.colours.dark if sum(cell) % 2 and heat is None else self.style.colours.light

    def _values(self) -> list[Shape]:
        """Values as numbers, on a picture without a walk."""
        heat = self.style.heat
        if heat is None or self.walk.squares:
            return []
        texts = {cell: short_number(value, heat.most) for cell, value in sorted(heat.values.items())}
        longest = max((len(text) for text in texts.values()), default=1)
        size = self.layout.unit * min(0.36, 0.77 / (_DIGIT * longest))
        return [
            Text(*self.layout.centre(cell), text, size, legible(self._fill(cell)))
            for cell, text in texts.items()
        ]

    def _accessibility(self) -> list[Shape]:
        numbers = accessibility(self.layout.board, frozenset(self.walk.squares))
        size = 0.38 * self.layout.unit
        heat = {} if self.style.heat is None else self.style.heat.values
        shapes: list[Shape] = []
        for cell, number in numbers.items():
            # Faint text is not legible on the colours of values.
            ink = legible(self._fill(cell)) if cell in heat else self.style.colours.faint
            shapes.append(Text(*self.layout.centre(cell), str(number), size, ink))
        return shapes
