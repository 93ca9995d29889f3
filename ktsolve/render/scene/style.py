"""Styles: which details a picture shows, and its theme of colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ktsolve.base.errors import BadInput, Refused
from ktsolve.base.text import unknown
from ktsolve.render.boards.heat import Heat
from ktsolve.render.graphs.positions import LAYOUTS
from ktsolve.render.scene.theme import THEMES, Theme, named_theme

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ktsolve.graphs.graph import Graph, Vertex
    from ktsolve.problem.problem import TourProblem

__all__ = ["LINES", "MOST_DETAILS", "MOST_EDGES", "Style"]

LINES = ("straight", "smooth", "none")  # kinds of paths

MOST_DETAILS = 10_000
"""Largest number of cells on which numbers, curves, angles, crossings and symmetry are drawn."""

MOST_EDGES = 100_000  # largest number of edges of a bare graph that are drawn


@dataclass(frozen=True, kw_only=True)
class Style:
    """The style of a picture. The default of a field with None depends on the size of the board.

    Parameters
    ----------
    theme:
        One of :data:`ktsolve.render.scene.theme.THEMES`.
    path:
        One of ``LINES``.
    numbers, coordinates:
        Step numbers in the cells, by default up to 20x20; names of files and ranks, by default up to 60x60.
        On a bare graph step numbers in place of names, by default none; names of vertices, by default where
        they fit.
    gradient:
        Colours along the path; by default unless there is a heat map.
    dots:
        Dots on the cells of the path that have no numbers.
    ends:
        Mark the first cell, and the last of an open tour.
    symmetry:
        Show the axes and the centre of the symmetries of the tour, and colour the images of its moves.
    crossings, angles:
        Mark crossings of moves; mark the kind of angle at each cell. Neither on wrapped boards nor with a
        smooth path.
    accessibility:
        In each free cell the number of free cells one move away; see ``after``.
    after:
        Draw only the first ``after`` steps.
    knight:
        Show the knight on the last drawn cell; by default if not all steps are drawn.
    heat:
        A heat map of the cells.
    problem:
        A problem whose given cells, required and forbidden moves are marked.
    caption:
        A line above the board.
    title:
        The title of the file, by default what it shows; of a sheet or a booklet its heading.
    layout:
        Of a bare graph: one of ``ktsolve.render.graphs.positions.LAYOUTS``.
    positions:
        Of a bare graph: ``(x, y)`` of each vertex by its label, its number or its name, y upwards as in
        networkx; by default those that the graph has, else the layout.

    Raises
    ------
    BadInput
        For an unknown theme, path or layout, a negative ``after``, or marks on a smooth path.
    """

    theme: str = "light"
    path: str = "straight"
    numbers: bool | None = None
    coordinates: bool | None = None
    gradient: bool | None = None
    dots: bool = True
    ends: bool = True
    symmetry: bool = False
    crossings: bool = False
    angles: bool = False
    accessibility: bool = False
    after: int | None = None
    knight: bool | None = None
    heat: Heat | None = None
    problem: TourProblem | None = None
    caption: str = ""
    title: str = ""
    layout: str = "auto"
    positions: Mapping[Vertex, tuple[float, float]] | None = None

    def __post_init__(self) -> None:
        if self.theme not in THEMES:
            named_theme(self.theme)
        if self.path not in LINES:
            raise unknown("path", self.path, LINES)
        if self.layout not in LAYOUTS:
            raise unknown("layout", self.layout, LAYOUTS)
        if self.path == "smooth" and (self.crossings or self.angles):
            raise BadInput("crossings and angles cannot be drawn on a smooth path: use path straight")
        if self.after is not None and self.after < 0:
            raise BadInput(f"the number of steps to draw must be 0 or more, not {self.after}")

    @property
    def colours(self) -> Theme:
        """The colours of the theme."""
        return THEMES[self.theme]

    def check_size(self, cells: int, *, characters: bool = False) -> None:
        """Raise BadInput if a board of that number of cells is too large for a detail of this style."""
        if cells <= MOST_DETAILS:
            return
        details = {
            "cells in characters": characters,
            "numbers": bool(self.numbers),
            "a smooth path": self.path == "smooth",
            "symmetries": self.symmetry,
            "crossings": self.crossings,
            "angles": self.angles,
            "accessibility": self.accessibility,
            "values": self.heat is not None,
        }
        for name, wanted in details.items():
            if wanted:
                raise BadInput(
                    f"{name} are drawn on at most {MOST_DETAILS:,} cells, and this board has {cells:,}: "
                    "draw only its path, as .svg or .png"
                )

    def check_graph(self, graph: Graph) -> None:
        """Raise BadInput if a bare graph is too large for a picture, or lacks what this style shows."""
        if len(graph) > MOST_DETAILS or len(graph.edges) > MOST_EDGES:
            raise BadInput(
                f"a graph is drawn with at most {MOST_DETAILS:,} vertices and {MOST_EDGES:,} edges, "
                f"and this is a {graph}"
            )
        geometry = {
            "a smooth path": self.path == "smooth",
            "symmetries": self.symmetry,
            "crossings": self.crossings,
            "angles": self.angles,
            "values": self.heat is not None,
        }
        for name, wanted in geometry.items():
            if wanted:
                raise Refused(f"a picture with {name} needs a board with rows and columns, not a {graph}")
