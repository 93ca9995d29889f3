"""Pictures of boards and of tours on boards: cells, coordinates, values, angles, crossings, symmetry."""

from __future__ import annotations

from functools import cached_property

from ktsolve.base.text import number_of, plural
from ktsolve.graphs.board import Board
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.tour import Tour
from ktsolve.render.boards.composition import Composition, caption_height
from ktsolve.render.boards.contents import Contents
from ktsolve.render.boards.layout import (
    Around,
    BoardLayout,
    board_shapes,
    coordinate_shapes,
    edge_shapes,
    squares,
)
from ktsolve.render.boards.legend import Item
from ktsolve.render.boards.marks import angle_shapes, crossing_shapes, heat_move_shapes
from ktsolve.render.boards.orbit_images import axis_shapes, symmetry_text
from ktsolve.render.boards.wrap_copies import beyond_shapes
from ktsolve.render.scene.shapes import Shape, grouped
from ktsolve.render.scene.style import Style

__all__ = ["BoardPicture"]

_NUMBERED = 20
"""Longest side of a board whose steps are numbered by default."""


class BoardPicture(Composition):
    """A picture of a tour on a board, or of the board alone."""

    layout: BoardLayout

    def __init__(self, tour: Tour, style: Style) -> None:
        self.board: Board = tour.board
        style.check_size(self.board.rows * self.board.columns)
        super().__init__(tour, style)

    def place(self) -> None:
        """Set layout and sizes."""
        style, board = self.style, self.board
        longest = max(board.rows, board.columns)
        detailed = BoardLayout(board, 2, 0, 0).detailed
        unit = 40 if detailed else 2
        # Text must be legible at any size: in line drawings it grows with the board.
        self.font = 13.0 if detailed else longest / 25
        margin = 14 if detailed else 2 * max(1, longest // 50)
        self.coordinates = detailed if style.coordinates is None else style.coordinates
        # Moves over wrapped edges go on beside the board, to copies of their cells.
        drawn = bool(self.tour.squares) and style.path != "none" and longest <= _NUMBERED
        reach = max(board.leaper) * unit if drawn else 0
        self.around = Around(reach if "x" in board.wrap else 0, reach if "y" in board.wrap else 0)
        self.stubs = drawn
        left = margin
        self.below, self.beside = self.around.down, self.around.across
        if self.coordinates:
            digits = len(str(board.rows))
            left = 2 * round(self.font * max(1.15, 0.3 * digits + 0.5))
            self.below += 2 * round(self.font)
        width = board.columns * unit + 2 * self.around.across
        top = margin + self.around.down + caption_height(style.caption, self.font, width, margin)
        self.margin = margin
        self.layout = BoardLayout(board, unit, left + self.around.across, top)
        self.numbers = longest <= _NUMBERED if style.numbers is None else style.numbers
        self.line = unit * (0.085 if detailed else 0.22)
        self.scale = 1 if detailed else 4

    def ground_text(self) -> str:
        """The board in words."""
        board = self.board
        where = f"a board of {board.rows} {plural(board.rows, 'row')} and {board.columns} "
        where += plural(board.columns, "column")
        missing = len(board.removed)
        return where + (f" without {missing} {plural(missing, 'cell')}" if missing else "")

    def underground(self, sentences: list[str]) -> list[Shape]:
        """Cells, values, coordinates."""
        style, layout, theme = self.style, self.layout, self.theme
        shapes = board_shapes(layout, theme, plain=style.heat is not None)
        if style.heat is not None:
            shapes.extend(self._heat())
            sentences.append(f"Colours: {style.heat.caption}, from {style.heat.least} to {style.heat.most}.")
        if self.coordinates:
            shapes.extend(coordinate_shapes(layout, theme, self.font, self.around))
        if self.around.across or self.around.down:
            shapes.extend(
                beyond_shapes(self.geometry, self.around, self.made, self.step_colours(), self.numbers, theme)
            )
        return shapes

    def ground_colour(self, x: float, y: float) -> str:
        """The colour of the cell at a point, or of its mark."""
        layout, theme = self.layout, self.theme
        cell = int((y - layout.top) // layout.unit), int((x - layout.left) // layout.unit)
        if cell not in self.board:
            return theme.background
        if cell in self._given:
            return theme.clue
        if self.style.heat is not None:
            return self.style.heat.colour(cell, theme) if cell in self.style.heat.values else theme.light
        return theme.dark if sum(cell) % 2 else theme.light

    @cached_property
    def _given(self) -> frozenset[Cell]:
        """The given cells of the problem."""
        problem = self.style.problem
        if problem is None:
            return frozenset()
        return frozenset({cell for _, cell in problem.known_steps} | problem.starts | problem.ends)

    def rim(self) -> list[Shape]:
        """The edge of the board, and the moves of a heat map."""
        shapes = edge_shapes(self.layout, self.theme)
        if self.style.heat is not None and self.style.heat.moves:
            shapes += heat_move_shapes(self.style.heat, self.layout, self.theme, self.line)
        return shapes

    def marks(self, items: list[Item], sentences: list[str]) -> list[Shape]:
        """Angles and crossings."""
        theme, shapes = self.theme, list[Shape]()
        if self.style.angles:
            marks, kinds = angle_shapes(self.drawn, self.layout, theme)
            shapes.extend(marks)
            items += [
                (colour, f"{n} {kind}") for colour, (kind, n) in zip(theme.angles, kinds.items(), strict=True)
            ]
            sentences.append("Angles: " + ", ".join(f"{n} {kind}" for kind, n in kinds.items()) + ".")
        if self.style.crossings:
            marks, number = crossing_shapes(self.drawn, self.layout, theme)
            shapes.extend(marks)
            count = number_of(number, "crossing")
            items.append((theme.crossing, count))
            sentences.append(f"{count}.")
        return shapes

    def contents(self) -> list[Shape]:
        """Numbers, dots, ends, values and the knight."""
        colours = self.step_colours() if self.numbers else []
        return Contents(self.drawn, self.whole, self.style, self.layout, self.numbers, colours).shapes()

    def finish(self, items: list[Item], sentences: list[str]) -> list[Shape]:
        """The axes and the centre of the symmetries."""
        if not self.style.symmetry:
            return []
        items.append(("", symmetry_text(self.group)))
        sentences.append(f"{symmetry_text(self.group).capitalize()}.")
        return axis_shapes(self.group, self.layout, self.theme)

    def _heat(self) -> list[Shape]:
        """One path for the cells of each colour."""
        assert self.style.heat is not None
        heat, cells = self.style.heat, set(self.board.cells)
        by_colour: dict[str, list[Cell]] = {}
        for cell in heat.values:
            if cell in cells:
                by_colour.setdefault(heat.colour(cell, self.theme), []).append(cell)
        return grouped("heat", [squares(self.layout, sorted(by_colour[c]), c) for c in sorted(by_colour)])
