"""Scenes of a tour, of the first steps of a walk, or of a board with values."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import groupby

from ktsolve.ground.board import Board
from ktsolve.ground.notation import Cell
from ktsolve.ground.symmetry import Symmetry
from ktsolve.ground.tour import Tour
from ktsolve.render.contents import Contents
from ktsolve.render.layout import Layout, board_shapes, coordinate_shapes, edge_shapes, squares
from ktsolve.render.legend import Item, legend_shapes
from ktsolve.render.marks import (
    angle_shapes,
    clue_shapes,
    crossing_shapes,
    forbidden_shapes,
    required_shapes,
)
from ktsolve.render.orbit_images import axis_shapes, image_numbers, symmetry_text
from ktsolve.render.path_geometry import PathGeometry, Run
from ktsolve.render.scene import Scene, Shape, Text, grouped
from ktsolve.render.style import Style
from ktsolve.render.theme import blend

__all__ = ["board_scene", "tour_scene"]

_NUMBERED = 20
"""Longest side of a board whose steps are numbered by default."""

_LARGEST_SCREEN = 1200
"""Largest default length of the longer side on a screen, in pixels."""

_SHADES = 128
"""Number of colours along a path; each is one line of the file."""


def tour_scene(tour: Tour, style: Style | None = None) -> Scene:
    """Return the picture of a tour, or of any walk.

    Parameters
    ----------
    tour:
        Need not be valid: invalid moves are drawn straight.
    style:
        By default light, with colours along the path and numbers up to 20x20.

    Raises
    ------
    BadInput
        If the style needs something that this board does not have or is too large for.

    Examples
    --------
    >>> tour = Tour.from_names(Board.parse("3x4"), "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
    >>> scene = tour_scene(tour, Style(theme="dark", crossings=True))
    >>> scene.title
    'Open tour of 3x4'
    >>> scene.description
    '12 steps from a3 to d1 on a board of 3 rows and 4 columns. 20 crossings.'
    """
    return _Picture(tour, style or Style()).scene()


def board_scene(board: Board, style: Style | None = None) -> Scene:
    """Return the picture of a board without a tour: its cells, given cells and moves, values."""
    return _Picture(Tour(board, ()), style or Style()).scene(f"Board {board}")


class _Picture:
    """The parts of one picture: its layout, and its shapes in painting order."""

    def __init__(self, tour: Tour, style: Style) -> None:
        self.tour, self.style, self.theme = tour, style, style.colours
        self.board = tour.board
        style.check_size(self.board.rows * self.board.columns)
        longest = max(self.board.rows, self.board.columns)
        detailed = Layout(self.board, 2, 0, 0).detailed
        self.unit = 40 if detailed else 2
        # Text must be legible at any size: in line drawings it grows with the board.
        self.font = 13.0 if detailed else longest / 25
        margin = 14 if detailed else 2 * max(1, longest // 50)
        self.coordinates = detailed if style.coordinates is None else style.coordinates
        left, self.below = margin, 0
        if self.coordinates:
            digits = len(str(self.board.rows))
            left = 2 * round(self.font * max(1.15, 0.3 * digits + 0.5))
            self.below = 2 * round(self.font)
        top = margin + (round(1.7 * self.font) // 2 * 2 if style.caption else 0)
        self.margin = margin
        self.layout = Layout(self.board, self.unit, left, top)
        self.numbers = longest <= _NUMBERED if style.numbers is None else style.numbers
        self.geometry = PathGeometry(tour, self.layout, style.path == "smooth")
        steps = len(tour) if style.after is None else min(style.after, len(tour))
        self.steps = steps
        self.whole = steps == len(tour)
        self.drawn = tour if self.whole else Tour(self.board, tour.squares[:steps])
        self.line = self.unit * (0.085 if detailed else 0.22)

    # -- the scene ----------------------------------------------------------------------------------------

    def scene(self, title: str | None = None) -> Scene:
        """The scene, with title, description and legend."""
        style, theme, layout = self.style, self.theme, self.layout
        sentences: list[str] = [self._walk_text()]
        items: list[Item] = []
        shapes: list[Shape] = []
        if style.caption:
            x, y = layout.left + layout.width / 2, self.margin + 0.5 * self.font
            shapes.append(Text(x, y, style.caption, 1.1 * self.font, theme.ink, bold=True))
        shapes += board_shapes(layout, theme, plain=style.heat is not None)
        if style.heat is not None:
            shapes.extend(self._heat())
            sentences.append(f"Colours: {style.heat.caption}, from {style.heat.least} to {style.heat.most}.")
        if self.coordinates:
            shapes.extend(coordinate_shapes(layout, theme, self.font))
        problem = style.problem
        if problem is not None:
            given = {cell for _, cell in problem.known_steps} | problem.starts | problem.ends
            shapes.extend(clue_shapes(given, layout, theme))
        shapes.extend(edge_shapes(layout, theme))
        if problem is not None and problem.required_moves:
            shapes.extend(required_shapes(problem.required_moves, layout, theme, 3 * self.line))
            items.append((theme.require, "required"))
        shapes.extend(self._path())
        if style.angles:
            marks, kinds = angle_shapes(self.drawn, layout, theme)
            shapes.extend(marks)
            items += [
                (colour, f"{n} {kind}") for colour, (kind, n) in zip(theme.angles, kinds.items(), strict=True)
            ]
            sentences.append("Angles: " + ", ".join(f"{n} {kind}" for kind, n in kinds.items()) + ".")
        if style.crossings:
            marks, number = crossing_shapes(self.drawn, layout, theme)
            shapes.extend(marks)
            count = f"{number} crossing{'' if number == 1 else 's'}"
            items.append((theme.crossing, count))
            sentences.append(f"{count}.")
        colours = self._step_colours() if self.numbers else []
        shapes.extend(Contents(self.drawn, self.whole, style, layout, self.numbers, colours).shapes())
        if problem is not None and problem.forbid:
            shapes.extend(forbidden_shapes(problem.forbid, layout, theme, 0.8 * self.line))
            items.append((theme.end, "forbidden"))
        if style.symmetry:
            shapes.extend(axis_shapes(self.group, layout, theme))
            items.append(("", symmetry_text(self.group)))
            sentences.append(f"{symmetry_text(self.group).capitalize()}.")
        return self._framed(shapes, items, title or self._title(), " ".join(sentences))

    def _title(self) -> str:
        kind = "Closed" if self.tour.closed else "Open"
        if 0 < len(self.tour) < len(self.board):
            return f"{kind} walk over {len(self.tour)} cells of {self.board}"
        return f"{kind} tour of {self.board}"

    def _framed(self, shapes: list[Shape], items: list[Item], title: str, description: str) -> Scene:
        layout = self.layout
        top = layout.top + layout.height + self.below + (self.margin / 2 if not self.below else 0)
        legend, high = legend_shapes(
            items, self.style.heat, layout.left, top, layout.width, self.font, self.theme
        )
        width = layout.left + layout.width + self.margin
        height = top + high + (self.margin / 2 if high or not self.below else 4)
        scale = 1 if self.layout.detailed else 4
        pixels = min(scale * max(width, height), _LARGEST_SCREEN)
        return Scene(width, height, title, description, self.theme.background, (*shapes, *legend), pixels)

    def _walk_text(self) -> str:
        board, tour = self.board, self.tour
        where = f"a board of {board.rows} rows and {board.columns} columns"
        if board.removed:
            where += f" without {len(board.removed)} cells"
        if not self.steps:
            return f"{where[0].upper()}{where[1:]}."
        first, last = board.name(tour.squares[0]), board.name(tour.squares[self.steps - 1])
        if not self.whole:
            return f"The first {self.steps} of {len(tour)} steps, from {first} to {last}, on {where}."
        if tour.closed:
            return f"{len(tour)} steps from {first} through {last} back to {first} on {where}."
        return f"{len(tour)} steps from {first} to {last} on {where}."

    # -- layers -------------------------------------------------------------------------------------------

    def _heat(self) -> list[Shape]:
        """One path for the cells of each colour."""
        assert self.style.heat is not None
        heat, cells = self.style.heat, set(self.board.cells)
        by_colour: dict[str, list[Cell]] = {}
        for cell in heat.values:
            if cell in cells:
                by_colour.setdefault(heat.colour(cell, self.theme), []).append(cell)
        return grouped("heat", [squares(self.layout, sorted(by_colour[c]), c) for c in sorted(by_colour)])

    @cached_property
    def group(self) -> tuple[Symmetry, ...]:
        """The symmetries of the tour."""
        return self.tour.stabiliser()

    def _runs(self) -> Iterator[Run]:
        """The drawn moves, as runs of one colour."""
        style, theme = self.style, self.theme
        moves = self.geometry.moves
        made = moves if self.whole else max(self.steps - 1, 0)
        if style.symmetry and len(self.group) > 1:
            at = 0
            for image, members in groupby(image_numbers(self.tour, self.group)[:made]):
                first, at = at, at + sum(1 for _ in members)
                yield first, at, theme.categories[image % len(theme.categories)]
            return
        graded = style.heat is None if style.gradient is None else style.gradient
        if not graded:
            yield 0, made, theme.ink if style.heat is not None else theme.line
            return
        shades = min(moves, _SHADES)
        for k in range(shades):
            first, stop = k * moves // shades, min((k + 1) * moves // shades, made)
            if first < stop:
                yield first, stop, blend(theme.path, (k + 0.5) / shades)

    def _step_colours(self) -> list[str]:
        """For each drawn step the colour of the move from it; for the last step, of the move to it."""
        colours = [colour for first, stop, colour in self._runs() for _ in range(first, stop)]
        return [*colours, colours[-1] if colours else self.theme.line][: self.steps]

    def _path(self) -> list[Shape]:
        if self.style.path == "none" or self.steps < 2:
            return []
        thin = 0.6 if self.style.heat is not None and not self.style.gradient else 1.0
        lines = [shape for run in self._runs() for shape in self.geometry.shapes(run, thin * self.line)]
        return grouped("path", lines)
