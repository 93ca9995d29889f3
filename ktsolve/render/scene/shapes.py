"""Scenes: the shapes of a picture in painting order, for the writers of files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "Circle",
    "Curve",
    "Drawn",
    "Group",
    "Motion",
    "PathShape",
    "Placed",
    "Point",
    "Polyline",
    "Rect",
    "Scene",
    "Shape",
    "Strand",
    "Text",
    "flattened",
    "grouped",
]

Point = tuple[float, float]  # ``(x, y)``, x to the right and y downwards

Curve = tuple[Point, Point, Point]
"""A cubic Bézier curve from the current point: two control points and the end."""


@dataclass(frozen=True)
class Strand:
    """A connected line: straight to each point, or along each curve."""

    start: Point
    steps: tuple[Point | Curve, ...]
    closed: bool = False


@dataclass(frozen=True)
class Rect:
    """A rectangle, its corners rounded by ``radius``."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None = None
    stroke: str | None = None
    stroke_width: float = 0
    radius: float = 0


@dataclass(frozen=True)
class Circle:
    """A circle around ``(x, y)``; an SVG file shows its ``title`` where the pointer is on it."""

    x: float
    y: float
    radius: float
    fill: str | None = None
    stroke: str | None = None
    stroke_width: float = 0
    title: str = ""


@dataclass(frozen=True)
class PathShape:
    """Strands with one fill and one stroke; strokes have round ends. ``dash``: lengths of dash and gap."""

    strands: tuple[Strand, ...]
    fill: str | None = None
    stroke: str | None = None
    stroke_width: float = 0
    dash: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False)
class Polyline:
    """A stroked line through many points: an array of whole numbers of shape (points, 2), (x, y) each."""

    points: NDArray[np.int64]
    stroke: str
    stroke_width: float


@dataclass(frozen=True)
class Text:
    """A text with its centre (or ``anchor``: start, end) at x; digits are centred vertically at y."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    anchor: str = "middle"
    bold: bool = False


@dataclass(frozen=True)
class Motion:
    """An endless motion: points, the times at which they are reached, from 0 to the length in seconds."""

    points: tuple[Point, ...]
    times: tuple[float, ...]


@dataclass(frozen=True)
class Group:
    """Shapes with a common name. With a motion they lie around the origin; only SVG files show it."""

    name: str
    shapes: Sequence[Shape]
    motion: Motion | None = None


@dataclass(frozen=True)
class Placed:
    """A scene inside another, scaled, with its upper left corner at ``(x, y)``."""

    scene: Scene
    x: float
    y: float
    scale: float


Drawn = Rect | Circle | PathShape | Polyline | Text
Shape = Drawn | Group | Placed


def flattened(strand: Strand, parts: int) -> list[Point]:
    """Return the points of a strand, each curve as that number of straight lines.

    >>> flattened(Strand((0, 0), (((0, 2), (4, 2), (4, 0)), (4, 5))), 2)
    [(0, 0), (2.0, 1.5), (4.0, 0.0), (4, 5)]
    """
    points = [strand.start]
    for step in strand.steps:
        if len(step) == 2:
            points.append(step)
            continue
        (x0, y0), ((x1, y1), (x2, y2), (x3, y3)) = points[-1], step
        for i in range(1, parts + 1):
            t = i / parts
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            points.append((a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3))
    return points


def grouped(name: str, shapes: Sequence[Shape]) -> list[Shape]:
    """Return a group of shapes; nothing if none exist."""
    return [Group(name, shapes)] if shapes else []


@dataclass(frozen=True)
class Scene:
    """A picture: its size, title, description and shapes."""

    width: float  # size of the coordinate system, whose upper left corner is ``(0, 0)``
    height: float
    title: str  # with the description the text alternatives of the picture in SVG files
    description: str
    background: str  # colour behind all shapes
    shapes: tuple[Shape, ...]
    pixels: float  # default length of the longer side on a screen

    @property
    def page(self) -> tuple[Shape, ...]:
        """The background, and the shapes on it."""
        return (Rect(0, 0, self.width, self.height, self.background), *self.shapes)

    def drawn(
        self, left: float = 0, top: float = 0, scale: float = 1
    ) -> Iterator[tuple[Drawn, float, float, float]]:
        """Yield the page without groups, in painting order; each shape with its offset and scale."""
        stack = [(iter(self.page), left, top, scale)]
        while stack:
            shapes, left, top, scale = stack[-1]
            match shape := next(shapes, None):
                case None:
                    stack.pop()
                case Group(_, inner, motion):
                    x, y = (0.0, 0.0) if motion is None else motion.points[0]
                    stack.append((iter(inner), left + x * scale, top + y * scale, scale))
                case Placed(placed):
                    inside = left + shape.x * scale, top + shape.y * scale, scale * shape.scale
                    stack.append((iter(placed.page), *inside))
                case _:
                    yield shape, left, top, scale

    @property
    def screen(self) -> tuple[float, float]:
        """Width and height in pixels of a screen."""
        scale = self.pixels / max(self.width, self.height)
        return self.width * scale, self.height * scale
