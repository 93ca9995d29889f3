"""Scenes as pixels, by Pillow (the extra ``pictures``): no browser, no Cairo."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from types import ModuleType
from typing import TYPE_CHECKING

from ktsolve.errors import BadInput
from ktsolve.render.scene import (
    Circle,
    Group,
    Path,
    Placed,
    Point,
    Polyline,
    Rect,
    Scene,
    Shape,
    Strand,
    Text,
)

if TYPE_CHECKING:
    from PIL import Image, ImageDraw, ImageFont

__all__ = ["MOST_PIXELS", "SMALLEST", "pillow", "png", "rasterise"]

MOST_PIXELS = 10_000
"""Longest side of an image, in pixels."""

SMALLEST = 16
"""Shortest longer side of an image that shows anything."""

_CANVAS = 8_400
"""Longest side of the canvas on which an image is drawn before it is made smaller: 200 MB."""

_SHARPEST = 4
"""Times that the canvas is larger than the image, at most; edges get so many shades."""

_MANY_DOTS = 8_000_000
"""Pixels of an image that is written with 256 colours: without, a line drawing of 1000x1000 has 9 MB."""

_CURVE = 12
"""Straight lines that stand for a curve."""


def png(scene: Scene, pixels: int | None = None) -> bytes:
    """The scene as a PNG file.

    Parameters
    ----------
    pixels:
        Length of the longer side; by default twice what the scene asks for on a screen, and at least 800.

    Raises
    ------
    BadInput
        If Pillow is not installed, or for an impossible size.
    """
    image = rasterise(scene, default_pixels(scene) if pixels is None else pixels)
    file = io.BytesIO()
    dots = image.width * image.height
    if dots > _MANY_DOTS:
        # Edges have a thousand shades; 256 cannot be told from them, and take a third of the space.
        image = image.quantize(256, pillow("Image").Quantize.FASTOCTREE, dither=pillow("Image").Dither.NONE)
    image.save(file, "PNG", optimize=dots < 4_000_000)
    return file.getvalue()


def default_pixels(scene: Scene) -> int:
    """Length of the longer side of an image: twice that on a screen or of the scene, from 800 to 4000."""
    return min(max(round(2 * max(scene.pixels, scene.width, scene.height)), 800), 4000)


def pillow(name: str) -> ModuleType:
    """A module of Pillow; raises BadInput if that is not installed."""
    from importlib import import_module

    try:
        return import_module(f"PIL.{name}")
    except ImportError:
        raise BadInput(
            "PNG and GIF need Pillow: pip install 'ktsolve[pictures]', or write .svg, which needs nothing"
        ) from None


def rasterise(scene: Scene, pixels: int) -> Image.Image:
    """The scene as an image of Pillow whose longer side has that many pixels.

    Drawn larger and then made smaller, which smooths the edges. Linear in shapes and pixels.
    """
    if not SMALLEST <= pixels <= MOST_PIXELS:
        raise BadInput(
            f"an image has {SMALLEST} to {MOST_PIXELS:,} pixels on its longer side, not {pixels:,}"
        )
    image_of, draw_on = pillow("Image"), pillow("ImageDraw")
    scale = pixels / max(scene.width, scene.height)
    finer = max(1, min(_SHARPEST, _CANVAS // pixels))
    # Whole pixels of the image, so that each is made of whole pixels of the canvas.
    width, height = max(1, round(scene.width * scale)), max(1, round(scene.height * scale))
    canvas = image_of.new("RGB", (width * finer, height * finer), scene.background)
    _Brush(draw_on.Draw(canvas), scale * finer, 0, 0).paint(scene.shapes)
    image: Image.Image = canvas.reduce(finer) if finer > 1 else canvas
    return image


@lru_cache(maxsize=64)
def _font(size: int) -> ImageFont.FreeTypeFont:
    """The font that comes with Pillow: the same on every machine."""
    font: ImageFont.FreeTypeFont = pillow("ImageFont").load_default(max(size, 1))
    return font


class _Brush:
    """Draws shapes, scaled and moved. Polygons have no outline of their own: it is drawn as a line."""

    def __init__(self, on: ImageDraw.ImageDraw, scale: float, left: float, top: float) -> None:
        self.on, self.scale, self.left, self.top = on, scale, left, top

    def paint(self, shapes: Iterable[Shape]) -> None:
        for shape in shapes:
            match shape:
                case Rect():
                    self.rect(shape)
                case Circle():
                    self.circle(shape)
                case Path():
                    self.path(shape)
                case Polyline():
                    points = (shape.points * self.scale + (self.left, self.top)).ravel().tolist()
                    self.stroke(points, shape.stroke, shape.stroke_width)
                case Text():
                    self.text(shape)
                case Group():
                    self.paint(shape.shapes)
                case Placed():
                    inner = shape.scene
                    brush = _Brush(self.on, self.scale * shape.scale, *self.at((shape.x, shape.y)))
                    brush.rect(Rect(0, 0, inner.width, inner.height, inner.background))
                    brush.paint(inner.shapes)

    def at(self, point: Point) -> Point:
        return point[0] * self.scale + self.left, point[1] * self.scale + self.top

    def rect(self, shape: Rect) -> None:
        x0, y0 = self.at((shape.x, shape.y))
        x1, y1 = self.at((shape.x + shape.width, shape.y + shape.height))
        # Pillow paints both corners.
        box = [round(x0), round(y0), max(round(x1) - 1, round(x0)), max(round(y1) - 1, round(y0))]
        width = max(1, round(shape.stroke_width * self.scale)) if shape.stroke else 1
        radius = shape.radius * self.scale
        self.on.rounded_rectangle(box, radius, shape.fill, shape.stroke, width if shape.stroke else 0)

    def circle(self, shape: Circle) -> None:
        x, y = self.at((shape.x, shape.y))
        radius = shape.radius * self.scale
        if shape.stroke is not None:
            outer = radius + shape.stroke_width * self.scale / 2
            self.on.ellipse([x - outer, y - outer, x + outer, y + outer], shape.stroke)
            radius -= shape.stroke_width * self.scale / 2
        if shape.fill is not None:
            self.on.ellipse([x - radius, y - radius, x + radius, y + radius], shape.fill)

    def path(self, shape: Path) -> None:
        for strand in shape.strands:
            points = [self.at(point) for point in _flat(strand)]
            if shape.fill is not None and len(points) > 2:
                self.on.polygon(points, shape.fill)
            if shape.stroke is not None:
                if strand.closed:
                    points.append(points[0])
                lines = [points] if shape.dash is None else _dashes(points, shape.dash, self.scale)
                for line in lines:
                    self.stroke(
                        [value for point in line for value in point], shape.stroke, shape.stroke_width
                    )

    def stroke(self, points: list[float], colour: str, width: float) -> None:
        """A line with round joints and ends; joints of many short lines are too small to be seen."""
        thick = max(1, round(width * self.scale))
        self.on.line(points, colour, thick)
        if thick > 2 and len(points) <= 20_000:
            half = thick / 2
            for x, y in zip(points[::2], points[1::2], strict=True):
                self.on.ellipse([x - half, y - half, x + half, y + half], colour)

    def text(self, shape: Text) -> None:
        x, y = self.at((shape.x, shape.y))
        size = shape.size * self.scale
        font = _font(round(size))
        anchor = {"start": "l", "middle": "m", "end": "r"}[shape.anchor] + "s"
        bold = max(1, round(size / 44)) if shape.bold else 0
        self.on.text((x, y + 0.355 * size), shape.text, shape.fill, font, anchor, stroke_width=bold)


def _flat(strand: Strand) -> list[Point]:
    """The points of a strand, curves as short straight lines."""
    points = [strand.start]
    for step in strand.steps:
        if len(step) == 2:
            points.append(step)
            continue
        (x0, y0), ((x1, y1), (x2, y2), (x3, y3)) = points[-1], step
        for i in range(1, _CURVE + 1):
            t = i / _CURVE
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            points.append((a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3))
    return points


def _dashes(points: list[Point], dash: tuple[float, float], scale: float) -> Iterator[list[Point]]:
    """The drawn parts of a broken line."""
    lengths = (dash[0] * scale, dash[1] * scale)
    drawn, left = True, lengths[0]
    for (x0, y0), (x1, y1) in pairwise(points):
        whole = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
        at = 0.0
        while whole - at > 1e-9:
            step = min(left, whole - at)
            if drawn:
                a, b = at / whole, (at + step) / whole
                yield [(x0 + a * (x1 - x0), y0 + a * (y1 - y0)), (x0 + b * (x1 - x0), y0 + b * (y1 - y0))]
            at, left = at + step, left - step
            if left <= 1e-9:
                drawn = not drawn
                left = lengths[0 if drawn else 1]
