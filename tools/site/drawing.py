"""Cells, moves and text as shapes in the colours of all pictures, for the drawings of the site.

A drawing has the theme ``auto``: it is dark where the reader prefers a dark scheme. Places are in cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import ktsolve
from ktsolve.graphs.board import Board, Move
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.tour import Tour
from ktsolve.render.boards.layout import BoardLayout, board_shapes, edge_shapes
from ktsolve.render.scene.shapes import Circle, PathShape, Point, Rect, Scene, Shape, Strand, Text
from ktsolve.render.scene.svg import scene_svg
from ktsolve.render.scene.theme import THEMES, blend

CELL = 30
"""Side of a cell in a drawing."""

MARGIN = 4
"""Room around a drawing."""

THEME = THEMES["auto"]
COLOURS = THEME.categories
INK, FAINT, FIRST, SECOND = THEME.ink, THEME.faint, THEME.categories[0], THEME.categories[1]


def found(board: str | Board, **conditions: object) -> Tour:
    """Return a tour of a problem, the same at every build."""
    problem = ktsolve.TourProblem(board=board, **{"closed": True, **conditions})  # type: ignore[arg-type]
    tour = ktsolve.find(problem).tour
    assert tour is not None, problem
    return tour


def drawing(columns: float, rows: float, title: str, shapes: Iterable[Shape]) -> str:
    """Return an SVG file of that many cells."""
    width, height = columns * CELL + 2 * MARGIN, rows * CELL + 2 * MARGIN
    pixels = 1.4 * max(width, height)
    return scene_svg(Scene(width, height, title, "", THEME.background, tuple(shapes), pixels))


def at(x: float, y: float) -> Point:
    """Return a point given in cells from the upper left corner."""
    return MARGIN + x * CELL, MARGIN + y * CELL


def board_shapes_at(board: Board, left: int = 0) -> list[Shape]:
    """Return the cells and the edge of a board, some cells to the right."""
    layout = BoardLayout(board, CELL, MARGIN + left * CELL, MARGIN)
    return [*board_shapes(layout, THEME), *edge_shapes(layout, THEME)]


def centre(cell: Cell, left: float = 0) -> Point:
    """Return the centre of a cell."""
    return at(cell[1] + 0.5 + left, cell[0] + 0.5)


def stroke(
    points: Sequence[Point], colour: str, width: float = 1.0, dash: tuple[float, float] | None = None
) -> PathShape:
    """Return a line through points."""
    return PathShape((Strand(points[0], tuple(points[1:])),), stroke=colour, stroke_width=width, dash=dash)


def line(
    move: Move, colour: str, width: float = 2.4, dash: tuple[float, float] | None = None, left: float = 0
) -> PathShape:
    """Return a move as a line."""
    return stroke([centre(cell, left) for cell in move], colour, width, dash)


def dot(cell: Cell, colour: str, radius: float = 4, fill: bool = True, left: float = 0) -> Circle:
    """Return a disc or a ring on a cell."""
    x, y = centre(cell, left)
    return Circle(x, y, radius, colour) if fill else Circle(x, y, radius, None, colour, 2)


def shade(cells: Iterable[Cell], colour: str, strength: float = 0.3, left: float = 0) -> list[Shape]:
    """Return cells in a mixture of their own colour and another."""
    shapes: list[Shape] = []
    for r, c in cells:
        x, y = at(c + left, r)
        own = THEME.dark if (r + c) % 2 else THEME.light
        shapes.append(Rect(x, y, CELL, CELL, blend((own, colour), strength)))
    return shapes


def text(x: float, y: float, content: str, size: float = 11, colour: str = INK) -> Text:
    """Return text centred at a point given in cells."""
    return Text(*at(x, y), content, size, colour)


def along(position: float) -> str:
    """Return the colour at a position from 0 to 1 along an open path."""
    return blend(THEME.path, position)
