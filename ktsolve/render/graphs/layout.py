"""The place of a bare graph in a picture: positions in pixels, sizes of vertices, room for names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import hypot
from typing import TYPE_CHECKING

from ktsolve.graphs.graph import Graph, Vertex
from ktsolve.render.scene.shapes import PathShape, Point, Shape, Strand

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["GraphLayout", "arrow_shapes", "graph_layout", "line_ends"]

_LETTER = 0.6  # width of a letter as a share of the font size
_SIZES = (13.0, 11.5, 10.0, 8.5)  # font sizes of names, the largest that fits is taken
_LONGEST_NAME = 24  # letters of a name that is drawn
_NAMED = 400  # vertices of the largest graph whose names are drawn by default
_DETAILED = 600  # vertices of the largest graph whose vertices are discs and not dots


@dataclass(frozen=True, eq=False)
class GraphLayout:
    """A bare graph in a picture."""

    graph: Graph  # the graph
    points: NDArray[np.float64]  # the positions of its vertices, an array of shape (vertices, 2)
    unit: float  # the room around a vertex
    left: float  # the place of all vertices: left, top, width, height
    top: float
    width: float
    height: float
    radius: float  # half the height of a vertex that holds text; of a dot on large graphs
    font: float  # size of names; 0 if they are not drawn
    _half: Sequence[float] = field(default=(), repr=False)

    @property
    def detailed(self) -> bool:
        """Whether vertices are discs that can hold text."""
        return len(self.graph) <= _DETAILED

    def centre(self, vertex: Vertex) -> Point:
        """The position of a vertex."""
        x, y = self.points[self.graph.place(vertex)].tolist()
        return x, y

    def half_width(self, vertex: Vertex) -> float:
        """Half the width of a vertex: its radius, or more for a long name."""
        return self._half[self.graph.place(vertex)] if self.font else self.radius


def graph_layout(
    graph: Graph,
    points: NDArray[np.float64],
    margin: float,
    head: Callable[[float], float],
    *,
    names: bool | None,
    digits: int,
) -> GraphLayout:
    """Return the layout of a graph whose vertices are at these points, in any scale.

    ``head`` gives the room above for a width of the graph; ``digits`` are those of numbers in the vertices.
    """
    import numpy as np

    number = len(graph)
    extent = np.ptp(points, axis=0) if number else np.zeros(2)
    side = min(max(60.0 * number**0.5, 270.0), 1500.0)
    points = (points - points.min(axis=0)) * (side / max(float(extent.max()), 1e-9))
    near = _nearest(points)
    # Few vertices that are closer than the others are drawn overlapping, rather than all tiny.
    close = float(np.quantile(near, 0.1)) if number > 1 else side
    unit = min(max(close, 6.0), 52.0)
    radius = min(0.26 * unit, 13.0) if number <= _DETAILED else min(max(0.2 * unit, 1.2), 4.0)
    if digits and number <= _DETAILED:
        radius = min(0.46 * unit, max(radius, 3.5 + 3.3 * digits))
    font, half = 0.0, np.full(number, radius)
    if names is not False and not digits and (names or number <= _NAMED):
        lengths = np.array([len(name) for name in graph.names])
        for size in _SIZES if lengths.max() <= _LONGEST_NAME else ():
            wide = np.maximum(0.72 * size, 0.5 * _LETTER * size * lengths + 0.3 * size)
            # A disc for the names of up to two letters.
            high = max(0.82 * size, float(wide.min()) if lengths.max() <= 2 else 0.0)
            if names or _apart(points, wide + 2, high + 2):
                font, half, radius = size, np.maximum(wide, high), high
                if _apart(points, wide + 2, high + 2):
                    break
    around = margin + float(half.max()), margin + radius
    wide, high = extent * (side / max(float(extent.max()), 1e-9))
    width = float(wide) + 2 * (around[0] - margin)
    above = head(width)
    # Files have hundredths: so rounded, lines end exactly where others begin.
    points = (points + np.array([around[0], around[1] + above])).round(2)
    return GraphLayout(
        graph,
        points,
        unit,
        left=margin,
        top=margin + above,
        width=width,
        height=float(high) + 2 * radius,
        radius=radius,
        font=font,
        _half=tuple(half.tolist()),
    )


def _nearest(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """The distance from each point to the nearest other one."""
    import numpy as np

    found = np.full(len(points), np.inf)
    order = np.argsort(points[:, 0], kind="stable")
    ordered = points[order]
    # Along the axis, neighbours at growing distance until all that can be nearer are seen.
    for step in range(1, min(len(points), 400)):
        gap = np.linalg.norm(ordered[step:] - ordered[:-step], axis=1)
        found[order[step:]] = np.minimum(found[order[step:]], gap)
        found[order[:-step]] = np.minimum(found[order[:-step]], gap)
    return found


def _apart(points: NDArray[np.float64], wide: NDArray[np.float64], high: float) -> bool:
    """Whether rectangles of these half widths and heights around the points do not overlap."""
    import numpy as np

    across = np.abs(points[:, None, 0] - points[:, 0]) >= wide[:, None] + wide
    down = np.abs(points[:, None, 1] - points[:, 1]) >= 2 * high
    return bool((across | down | np.eye(len(points), dtype=bool)).all())


def line_ends(layout: GraphLayout, tail: Vertex, tip: Vertex, back: float = 0) -> tuple[Point, Point]:
    """Return the ends of an arc: the centre of its tail, and the edge of its tip less ``back``."""
    (x0, y0), (x1, y1) = layout.centre(tail), layout.centre(tip)
    length = hypot(x1 - x0, y1 - y0) or 1.0
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    # The rim of a rounded rectangle, taken as the larger of a disc and what a rectangle leaves.
    radius, half = layout.radius, layout.half_width(tip)
    rim = min(half / max(abs(dx), 1e-9), radius / max(abs(dy), 1e-9))
    rim = max(radius, min(rim, half)) + 1
    away = min(rim + back, length)
    return (x0, y0), (x1 - away * dx, y1 - away * dy)


def arrow_shapes(
    layout: GraphLayout, arcs: Iterable[tuple[Vertex, Vertex]], size: float, colour: str
) -> Iterator[Shape]:
    """Yield the heads of arcs as one shape of triangles, ``size`` long."""
    strands = []
    for tail, tip in arcs:
        _, (x, y) = line_ends(layout, tail, tip)
        _, (bx, by) = line_ends(layout, tail, tip, back=size)
        nx, ny = 0.42 * (y - by), 0.42 * (bx - x)
        strands.append(Strand((x, y), ((bx + nx, by + ny), (bx - nx, by - ny)), closed=True))
    if strands:
        yield PathShape(tuple(strands), fill=colour)
