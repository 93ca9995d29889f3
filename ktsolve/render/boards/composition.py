"""What all pictures of tours have in common: the path in its colours, marks, frame, legend."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property
from itertools import groupby

from ktsolve.base.text import plural
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph, Vertex
from ktsolve.graphs.symmetry import Symmetry
from ktsolve.graphs.tour import Tour
from ktsolve.render.boards.halos import Crossing, haloed_path
from ktsolve.render.boards.layout import Layout
from ktsolve.render.boards.marks import (
    Item,
    clue_shapes,
    forbidden_shapes,
    image_numbers,
    legend_shapes,
    required_shapes,
)
from ktsolve.render.boards.path_geometry import PathGeometry, Run
from ktsolve.render.scene.lettering import caption_lines
from ktsolve.render.scene.shapes import Point, Scene, Shape, Text, grouped
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.theme import blend

__all__ = ["Composition", "caption_height", "in_title", "in_words"]

_LARGEST_SCREEN = 1200  # largest default length of the longer side on a screen, in pixels
_HALO = 0.55  # width of a halo beside a move, as a share of the width of the path
_SHADES = 128  # number of colours along a path; each is one line of the file


_NOUNS = (
    *("hedron", "cube", "cycle", "grid", "ladder", "lattice"),
    *("path", "prism", "snark", "star", "tree", "wheel"),
)
"""Ends of names of graphs behind which the word graph is too much."""


def in_words(ground: Graph) -> str:
    """The heading of a board or graph: ``8x8``, ``Petersen graph``, ``Graph of 20 vertices and 30 edges``.

    >>> from ktsolve.graphs.named_graphs import named_graph
    >>> [in_words(named_graph(name)) for name in ("dodecahedral", "petersen", "hypercube:4")]
    ['Dodecahedron', 'Petersen graph', 'Hypercube 4']
    """
    base, _, numbers = ground.known_as.partition(":")
    if not base:
        text = str(ground)
        return text[0].upper() + text[1:]
    words = base.replace("hedral", "hedron").replace("cubical", "cube").replace("-", " ").title()
    noun = "" if words.lower().endswith(_NOUNS) else " graph"
    return f"{words}{noun} {numbers}".rstrip()


def in_title(ground: Graph) -> str:
    """A board by its size, a graph with its article."""
    if isinstance(ground, Board):
        return str(ground)
    return f"the {in_words(ground)}" if ground.known_as else f"a {ground}"


def caption_height(caption: str, font: float, width: float, margin: float) -> int:
    """The room for a caption above a ground of that width: an even number, 0 without a caption."""
    if not caption:
        return 0
    lines, size = caption_lines(caption, 1.1 * font, width + 1.5 * margin)
    return int(1.7 * font + 1.3 * (len(lines) - 1) * size + 1) // 2 * 2


class Composition(ABC):
    """The parts of one picture: its layout, and its shapes in painting order.

    - ``layout``: the positions of the vertices
    - ``font``, ``margin``, ``below``, ``beside``: size of text; room around the ground; room below it, and to
      its right, for further drawings
    - ``line``: width of the path
    - ``numbers``: whether steps are numbered
    - ``scale``: pixels on a screen for a unit of the scene, unless it would be too large
    - ``lines_end_at_vertices``: whether vertices are painted over all lines
    - ``stubs``: whether moves across wrapped edges go on beside the board
    """

    layout: Layout
    font: float
    margin: float
    below: float
    beside: float = 0
    line: float
    numbers: bool
    scale: float = 1
    lines_end_at_vertices: bool = False
    stubs: bool = False

    def __init__(self, tour: Tour, style: Style) -> None:
        self.tour, self.style, self.theme = tour, style, style.colours
        steps = len(tour) if style.after is None else min(style.after, len(tour))
        self.steps = steps
        self.whole = steps == len(tour)
        self.drawn = tour if self.whole else Tour(tour.ground, tour.squares[:steps])
        self.place()
        self.geometry = PathGeometry(tour, self.layout, style.path == "smooth", self.stubs)

    # -- what a kind of ground adds -----------------------------------------------------------------------

    @abstractmethod
    def place(self) -> None:
        """Set the attributes of the class."""

    @abstractmethod
    def ground_text(self) -> str:
        """The ground as a noun phrase."""

    @abstractmethod
    def underground(self, sentences: list[str]) -> list[Shape]:
        """Shapes below everything else; adds sentences to the description."""

    def rim(self) -> list[Shape]:
        """Shapes above given cells and below the path."""
        return []

    def marks(self, items: list[Item], sentences: list[str]) -> list[Shape]:
        """Marks on the path; adds to the legend and to the description."""
        return []

    @abstractmethod
    def contents(self) -> list[Shape]:
        """Shapes at the vertices."""

    def finish(self, items: list[Item], sentences: list[str]) -> list[Shape]:
        """Shapes above everything else; adds to the legend and to the description."""
        return []

    # -- the scene ----------------------------------------------------------------------------------------

    def scene(self, title: str | None = None) -> Scene:
        """The scene, with title, description and legend."""
        style, theme, layout = self.style, self.theme, self.layout
        sentences: list[str] = [self._walk_text()]
        items: list[Item] = []
        shapes: list[Shape] = []
        if style.caption:
            x = layout.left + layout.width / 2
            lines, size = caption_lines(style.caption, 1.1 * self.font, layout.width + 1.5 * self.margin)
            for number, line in enumerate(lines):
                y = self.margin + 0.5 * self.font + 1.3 * number * size
                shapes.append(Text(x, y, line, size, theme.ink, bold=True))
        shapes += self.underground(sentences)
        problem, ordered = style.problem, self.tour.ground.moves_in_order
        shapes.extend(clue_shapes(self.tour.ground.in_order(self.given), layout, theme))
        shapes.extend(self.rim())
        if problem is not None and problem.required_moves:
            shapes.extend(required_shapes(ordered(problem.required_moves), layout, theme, 3 * self.line))
            items.append((theme.require, "required"))
        shapes.extend(self._path())
        shapes.extend(self.marks(items, sentences))
        forbidden: list[Shape] = []
        if problem is not None and problem.forbid:
            forbidden = forbidden_shapes(ordered(problem.forbid), layout, theme, 0.8 * self.line)
            items.append((theme.end, "forbidden"))
        contents = self.contents()
        shapes += [*forbidden, *contents] if self.lines_end_at_vertices else [*contents, *forbidden]
        shapes.extend(self.finish(items, sentences))
        return self._framed(shapes, items, title or self._title(), " ".join(sentences))

    def _title(self) -> str:
        kind, ground = "Closed" if self.tour.closed else "Open", self.tour.ground
        if 0 < len(self.tour) < len(ground):
            cells = "cells" if isinstance(ground, Board) else "vertices"
            return f"{kind} walk over {len(self.tour)} {cells} of {in_title(ground)}"
        return f"{kind} tour of {in_title(ground)}"

    def _framed(self, shapes: list[Shape], items: list[Item], title: str, description: str) -> Scene:
        layout = self.layout
        top = layout.top + layout.height + self.below + (self.margin / 2 if not self.below else 0)
        heat, left, wide = self.style.heat, layout.left, layout.width
        legend, high = legend_shapes(items, heat, left, top, wide, self.font, self.theme)
        width = layout.left + layout.width + self.beside + self.margin
        height = top + high + (self.margin / 2 if high or not self.below else 4)
        pixels = min(self.scale * max(width, height), _LARGEST_SCREEN)
        return Scene(width, height, title, description, self.theme.background, (*shapes, *legend), pixels)

    def _walk_text(self) -> str:
        tour, where = self.tour, self.ground_text()
        if not self.steps:
            return f"{where[0].upper()}{where[1:]}."
        name = tour.ground.name
        first, last = name(tour.squares[0]), name(tour.squares[self.steps - 1])
        if not self.whole:
            return f"The first {self.steps} of {len(tour)} steps, from {first} to {last}, on {where}."
        if tour.closed:
            return f"{len(tour)} steps from {first} through {last} back to {first} on {where}."
        return f"{len(tour)} {plural(len(tour), 'step')} from {first} to {last} on {where}."

    @cached_property
    def given(self) -> frozenset[Vertex]:
        """The given cells of the problem."""
        problem = self.style.problem
        if problem is None:
            return frozenset()
        return frozenset({cell for _, cell in problem.known_steps} | problem.starts | problem.ends)

    @cached_property
    def end_colours(self) -> dict[Vertex, str]:
        """The colours of the first vertex, and of the last one of a whole open walk, where ends are shown."""
        walk, found = self.drawn.squares, dict[Vertex, str]()
        if self.style.ends and walk:
            if self.whole and not self.tour.closed:
                found[walk[-1]] = self.theme.end
            found[walk[0]] = self.theme.start
        return found

    # -- the path -----------------------------------------------------------------------------------------

    @cached_property
    def group(self) -> tuple[Symmetry, ...]:
        """The symmetries of the tour."""
        return self.tour.stabiliser()

    @property
    def made(self) -> int:
        """Number of drawn moves."""
        return self.geometry.moves if self.whole else max(self.steps - 1, 0)

    def _runs(self) -> Iterator[Run]:
        """The drawn moves, as runs of one colour."""
        style, theme = self.style, self.theme
        moves, made = self.geometry.moves, self.made
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
        # Along a closed tour the colours return to the first one.
        colours = (*theme.cycle, theme.cycle[0]) if self.geometry.closes else theme.path
        for k in range(shades):
            first, stop = k * moves // shades, min((k + 1) * moves // shades, made)
            if first < stop:
                yield first, stop, blend(colours, (k + 0.5) / shades)

    def step_colours(self) -> list[str]:
        """For each drawn step the colour of the move from it; for the last step, of the move to it."""
        colours = [colour for first, stop, colour in self._runs() for _ in range(first, stop)]
        return [*colours, colours[-1] if colours else self.theme.line][: self.steps]

    def _path(self) -> list[Shape]:
        if self.style.path == "none" or self.steps < 2:
            return []
        width = (0.6 if self.style.heat is not None and not self.style.gradient else 1.0) * self.line
        if not self.layout.detailed:
            return grouped("path", [s for run in self._runs() for s in self.geometry.shapes(run, width)])
        gap, ground = _HALO * self.line, self._colour_at_crossing
        return grouped("path", list(haloed_path(self.geometry, self._runs(), self.made, width, gap, ground)))

    def ground_colour(self, x: float, y: float) -> str:
        """The colour below the path at a point."""
        return self.theme.background

    def _colour_at_crossing(self, crossing: Crossing, point: Point) -> str:
        """The colour below the path near a crossing; required moves lie on a band."""
        problem = self.style.problem
        if problem is not None and problem.required_moves:
            walk = [*self.tour.squares, *self.tour.squares[:1]]
            moves = {frozenset(walk[i : i + 2]) for i in (crossing.lower, crossing.upper)}
            if not moves.isdisjoint(map(frozenset, problem.required_moves)):
                return self.theme.require
        return self.ground_colour(*point)
