"""Scenes of a tour, of the first steps of a walk, of a board with values, or of a bare graph."""

from __future__ import annotations

from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour
from ktsolve.render.boards.picture import BoardPicture
from ktsolve.render.graphs.picture import GraphPicture
from ktsolve.render.scene.shapes import Scene
from ktsolve.render.scene.style import Style

__all__ = ["ground_scene", "tour_scene"]


def tour_scene(tour: Tour, style: Style | None = None) -> Scene:
    """Return the picture of a tour, or of any walk.

    - ``tour``: need not be valid: invalid moves are drawn straight
    - ``style``: by default light, with colours along the path; numbers on boards up to 20x20, and the names
      of the vertices of a bare graph where they fit

    Raises BadInput if the style needs something that this board or graph does not have or is too large for.

    >>> tour = Tour.from_names(Board.parse("3x4"), "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
    >>> scene = tour_scene(tour, Style(theme="dark", crossings=True))
    >>> scene.title
    'Open tour of 3x4'
    >>> scene.description
    '12 steps from a3 to d1 on a board of 3 rows and 4 columns. 20 crossings.'
    >>> tour_scene(Tour(Graph("abcd", ["ab", "bc", "cd", "ad", "ac"]), (0, 1, 2, 3), closed=True)).description
    '4 steps from a through d back to a on a graph of 4 vertices and 5 edges.'
    """
    style = style or Style()
    if isinstance(tour.ground, Board):
        return BoardPicture(tour, style).scene()
    return GraphPicture(tour, style).scene()


def ground_scene(ground: Graph, style: Style | None = None) -> Scene:
    """Return the picture of a graph, or of a board without a tour: cells, given cells and moves, values."""
    style = style or Style()
    if isinstance(ground, Board):
        return BoardPicture(Tour(ground, ()), style).scene(f"Board {ground}")
    text = str(ground)
    return GraphPicture(Tour(ground, ()), style).scene(text[0].upper() + text[1:])
