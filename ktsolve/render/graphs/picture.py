"""Pictures of bare graphs and of tours on them: thin edges, vertices with their names, arrow heads."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from math import isfinite, nan

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.graphs.graph import Vertex
from ktsolve.graphs.tour import Tour
from ktsolve.render.boards.composition import Composition, caption_height
from ktsolve.render.boards.heat import accessibility
from ktsolve.render.graphs.layout import GraphLayout, arrow_shapes, graph_layout, line_ends
from ktsolve.render.graphs.positions import positions
from ktsolve.render.scene.shapes import Circle, PathShape, Rect, Shape, Strand, Text, grouped
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.theme import legible

__all__ = ["GraphPicture", "graph_positions", "picture_layout"]

_MARGIN = 12.0
_FONT = 13.0


class GraphPicture(Composition):
    """A picture of a tour on a bare graph, or of the graph alone."""

    layout: GraphLayout
    lines_end_at_vertices = True

    def __init__(self, tour: Tour, style: Style) -> None:
        self.graph = tour.ground
        style.check_graph(self.graph)
        super().__init__(tour, style)

    def place(self) -> None:
        """Set layout and sizes."""
        graph = self.graph
        self.numbers = bool(self.style.numbers)
        self.layout = picture_layout(self.tour, self.style)
        self.margin, self.below, self.font = _MARGIN, 0.0, _FONT
        self.line = min(max(0.085 * self.layout.unit, 1.4), 3.4)
        # Thin lines of many edges, so that the tour stays visible.
        crowd = len(graph.edges) / max(len(graph), 1) * len(graph) ** 0.5
        self.thin = min(max(22 / max(crowd, 1), 0.35), 1.2)

    def ground_text(self) -> str:
        """The graph in words."""
        return f"a {self.graph}"

    def underground(self, sentences: list[str]) -> list[Shape]:
        """The edges that the tour does not use and the problem does not forbid."""
        layout = self.layout
        colour = self.theme.frame if self.tour.squares else self.theme.faint
        walk = self.drawn.squares
        used = set(pairwise([*walk, *walk[:1]] if self.whole and self.tour.closed else walk))
        if not self.graph.directed:
            used |= {(b, a) for a, b in used}
        if self.style.problem is not None:
            used |= self.style.problem.forbid
        unused = [(u, v) for u, v in self.graph.moves if (u, v) not in used]
        if not self.graph.directed:
            lines = [Strand(layout.centre(u), (layout.centre(v),)) for u, v in unused]
            heads: list[Shape] = []
        else:
            size = min(8.0, 0.3 * layout.unit)
            ends = (line_ends(layout, u, v, size / 2) for u, v in unused)
            lines = [Strand(start, (stop,)) for start, stop in ends]
            heads = list(arrow_shapes(layout, unused, size, colour))
        if not lines:
            return []
        return grouped("edges", [PathShape(tuple(lines), stroke=colour, stroke_width=self.thin), *heads])

    def _path(self) -> list[Shape]:
        if not self.graph.directed or self.style.path == "none" or self.steps < 2:
            return super()._path()
        layout, shapes = self.layout, list[Shape]()
        walk = [*self.tour.squares, self.tour.squares[0]]
        size = 3.2 * self.line
        for first, stop, colour in self._runs():
            arcs = list(pairwise(walk[first : stop + 1]))
            ends = [line_ends(layout, u, v, 0.7 * size) for u, v in arcs]
            lines = tuple(Strand(start, (end,)) for start, end in ends)
            shapes.append(PathShape(lines, stroke=colour, stroke_width=self.line))
            shapes.extend(arrow_shapes(layout, arcs, size, colour))
        return grouped("path", shapes)

    def contents(self) -> list[Shape]:
        """The vertices, each a disc or its name in a box; ends, numbers, the place of the walk."""
        layout, theme, style = self.layout, self.theme, self.style
        walk = self.drawn.squares
        bare = style.path == "none"
        rings = dict(zip(walk, self.step_colours(), strict=True)) if not bare else {}
        plain = theme.frame if walk else theme.line
        texts = self._texts()
        nodes: list[Shape] = []
        for vertex in self.graph.cells:
            ring, fill = rings.get(vertex, plain), self.end_colours.get(vertex)
            square = fill == theme.end and vertex != walk[0]
            nodes.append(self._vertex(vertex, ring, fill, vertex in texts, square))
        shapes = grouped("nodes", nodes)
        shapes += grouped("numbers" if self.numbers else "names", list(texts.values()))
        if walk and (not self.whole if style.knight is None else style.knight):
            x, y = layout.centre(walk[-1])
            away = 3 + self.line
            half, high = layout.half_width(walk[-1]) + away, layout.radius + away
            ring_width = max(2.0, 0.6 * self.line)
            place = Rect(x - half, y - high, 2 * half, 2 * high, None, theme.ink, ring_width, radius=high)
            shapes += grouped("walker", [place])
        return shapes

    def _vertex(self, vertex: Vertex, ring: str, fill: str | None, text: bool, square: bool) -> Shape:
        """A vertex: a box if it holds text, else a dot; at the ends of the tour in their colour."""
        layout, theme = self.layout, self.theme
        x, y = layout.centre(vertex)
        radius = layout.radius
        if text:
            half, corner = layout.half_width(vertex), radius / 4 if square else radius
            width, colour = 0.12 * radius + 0.5, fill or theme.node
            return Rect(x - half, y - radius, 2 * half, 2 * radius, colour, ring, width, corner)
        radius *= (0.8 if fill else 0.5) if layout.detailed else (2.5 if fill else 1)
        if square:
            return Rect(x - radius, y - radius, 2 * radius, 2 * radius, fill, radius=radius / 4)
        # On a large graph the vertices cover the path: they have its colour.
        ink = theme.ink if layout.detailed and self.tour.squares else ring
        return Circle(x, y, radius, fill or ink)

    def _texts(self) -> dict[Vertex, Text]:
        """The text in each vertex: its step, its accessibility or its name."""
        layout, theme, style = self.layout, self.theme, self.style
        walk, problem = self.drawn.squares, self.style.problem
        bold, content = dict[Vertex, str](), dict[Vertex, str]()
        if style.accessibility:
            free = accessibility(self.graph, frozenset(walk))
            content |= {vertex: str(number) for vertex, number in free.items()}
        if self.numbers:
            content |= {vertex: str(step) for step, vertex in enumerate(walk, 1)}
            if problem is not None:
                bold = {cell: str(step) for step, cell in problem.known_steps}
        if layout.font:
            named = zip(self.graph.cells, self.graph.names, strict=True)
            content |= {vertex: name for vertex, name in named if vertex not in content}
        if not layout.detailed:
            return {}
        longest = max(map(len, content.values()), default=1)
        size = layout.font or min(1.15 * layout.radius, 1.7 * layout.radius / (0.58 * longest))
        found = {}
        content |= bold
        for vertex in self.graph.in_order(content):
            text = content[vertex]
            ink = legible(self.end_colours.get(vertex, theme.node))
            found[vertex] = Text(*layout.centre(vertex), text, size, ink, bold=vertex in bold)
        return found


def picture_layout(tour: Tour, style: Style) -> GraphLayout:
    """Return the layout of a tour of a bare graph in a picture of this style."""
    import numpy as np

    return graph_layout(
        tour.ground,
        np.array([(x, -y) for x, y in graph_positions(tour, style).values()]),
        _MARGIN,
        lambda width: caption_height(style.caption, _FONT, width, _MARGIN),
        names=style.coordinates,
        digits=len(str(len(tour.ground))) if style.numbers or style.accessibility else 0,
    )


def graph_positions(tour: Tour, style: Style) -> Mapping[Vertex, tuple[float, float]]:
    """Return ``(x, y)`` of each vertex of a bare graph, y upwards, as :attr:`Style.positions` takes them.

    They are those of the style, those that the graph has, or those of the layout that the style names. Raises
    BadInput if positions are given, and one is missing or is not a point.

    >>> from ktsolve.graphs.graph import Graph
    >>> given = {"a": (0, 0), "b": (1, 0), "c": (1, 1)}
    >>> graph_positions(Tour(Graph("abc", ["ab", "bc", "ca"]), ()), Style(positions=given))["c"]
    (1.0, 1.0)
    """
    graph, given = tour.ground, style.positions
    if given is None:
        own = graph.positions if style.layout == "auto" else None
        points = positions(graph, style.layout, tour.indices) * (1, -1) if own is None else own
        return {vertex: (x, y) for vertex, (x, y) in zip(graph.cells, points.tolist(), strict=True)}
    found = {}
    for vertex, plain in zip(graph.cells, graph.names, strict=True):
        name = graph.name(vertex)
        place = given[vertex] if vertex in given else given.get(plain)
        if place is None:
            raise BadInput(f"the positions lack {name}: give (x, y) for each vertex")
        try:
            x, y = (float(value) for value in place)
        except (TypeError, ValueError):
            x = y = nan
        if not (isfinite(x) and isfinite(y)):
            raise BadInput(f"the position of {name} is {shown(place)}: give (x, y)")
        found[vertex] = x, y
    return found
