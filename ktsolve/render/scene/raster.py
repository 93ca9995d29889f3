"""Scenes as PNG files and images of Pillow; large tours as a pixel for each cell."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from types import ModuleType
from typing import TYPE_CHECKING

from ktsolve.base.errors import BadInput
from ktsolve.render.scene.shapes import Circle, PathShape, Point, Polyline, Rect, Scene, Text, flattened
from ktsolve.render.scene.theme import blend, named_theme

if TYPE_CHECKING:
    from PIL import Image, ImageDraw, ImageFont

    from ktsolve.graphs.tour_arrays import Steps

__all__ = ["MOST_PIXELS", "SMALLEST", "pillow", "png", "rasterise", "visits_png"]

MOST_PIXELS = 10_000  # longest side of an image, in pixels
SMALLEST = 16  # least length of the longer side of an image, in pixels
_CANVAS = 8_400  # longest side of the canvas on which an image is drawn before it is reduced: 200 MB
_SUPERSAMPLING = 4  # largest ratio of the canvas to the image

_MANY_PIXELS = 8_000_000
"""Pixels above which an image is written with 256 colours; a line drawing of 1000x1000 would have 9 MB."""

_CURVE = 12  # number of straight lines that approximate a curve


def png(scene: Scene, pixels: int | None = None) -> bytes:
    """Return the PNG file of a scene; its longer side is by default twice that on a screen, 800 to 4000.

    Raises BadInput if Pillow is not installed, or the size is out of range.
    """
    default = min(max(round(2 * max(scene.pixels, scene.width, scene.height)), 800), 4000)
    image = rasterise(scene, default if pixels is None else pixels)
    file = io.BytesIO()
    number = image.width * image.height
    if number > _MANY_PIXELS:
        # The edges of lines have about a thousand shades. With 256 the file has a third of the size.
        image = image.quantize(256, pillow("Image").Quantize.FASTOCTREE, dither=pillow("Image").Dither.NONE)
    image.save(file, "PNG", optimize=number < 4_000_000)
    return file.getvalue()


def pillow(name: str) -> ModuleType:
    """Return a module of Pillow. Raises BadInput if Pillow is not installed."""
    from importlib import import_module

    try:
        return import_module(f"PIL.{name}")
    except ImportError:
        install = f"{sys.executable} -m pip install pillow"
        raise BadInput(f"PNG and GIF need Pillow: {install}; or write .svg") from None


def rasterise(scene: Scene, pixels: int) -> Image.Image:
    """Return the scene as an image of Pillow whose longer side has that many pixels.

    The image is drawn larger and then reduced, which smooths the edges. Linear in shapes and pixels.
    """
    if not SMALLEST <= pixels <= MOST_PIXELS:
        raise BadInput(
            f"an image has {SMALLEST} to {MOST_PIXELS:,} pixels on its longer side, not {pixels:,}"
        )
    image_of, draw_on = pillow("Image"), pillow("ImageDraw")
    scale = pixels / max(scene.width, scene.height)
    finer = max(1, min(_SUPERSAMPLING, _CANVAS // pixels))
    # Each pixel of the image is the mean of finer x finer pixels of the canvas.
    width, height = max(1, round(scene.width * scale)), max(1, round(scene.height * scale))
    canvas = image_of.new("RGB", (width * finer, height * finer), scene.background)
    pen = draw_on.Draw(canvas)
    for shape, left, top, zoom in scene.drawn(scale=scale * finer):
        brush = _Brush(pen, zoom, left, top)
        match shape:
            case Rect():
                brush.rect(shape)
            case Circle():
                brush.circle(shape)
            case PathShape():
                brush.path(shape)
            case Polyline():
                points = (shape.points * zoom + (left, top)).ravel().tolist()
                brush.stroke(points, shape.stroke, shape.stroke_width)
            case Text():
                brush.text(shape)
    image: Image.Image = canvas.reduce(finer) if finer > 1 else canvas
    return image


@lru_cache(maxsize=64)
def _font(size: int) -> ImageFont.FreeTypeFont:
    """The font that is part of Pillow, the same on every machine."""
    font: ImageFont.FreeTypeFont = pillow("ImageFont").load_default(max(size, 1))
    return font


class _Brush:
    """Draws shapes, scaled and moved."""

    def __init__(self, on: ImageDraw.ImageDraw, scale: float, left: float, top: float) -> None:
        self.on, self.scale, self.left, self.top = on, scale, left, top

    def at(self, point: Point) -> Point:
        return point[0] * self.scale + self.left, point[1] * self.scale + self.top

    def rect(self, shape: Rect) -> None:
        x0, y0 = self.at((shape.x, shape.y))
        x1, y1 = self.at((shape.x + shape.width, shape.y + shape.height))
        # Pillow includes the pixels of both corners.
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

    def path(self, shape: PathShape) -> None:
        for strand in shape.strands:
            points = [self.at(point) for point in flattened(strand, _CURVE)]
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
        """Draw a line with round joints and ends; a line of more than 10,000 points is drawn without."""
        thickness = max(1, round(width * self.scale))
        self.on.line(points, colour, thickness)
        if thickness > 2 and len(points) <= 20_000:
            half = thickness / 2
            for x, y in zip(points[::2], points[1::2], strict=True):
                self.on.ellipse([x - half, y - half, x + half, y + half], colour)

    def text(self, shape: Text) -> None:
        x, y = self.at((shape.x, shape.y))
        size = shape.size * self.scale
        font = _font(round(size))
        anchor = {"start": "l", "middle": "m", "end": "r"}[shape.anchor] + "s"
        bold = max(1, round(size / 44)) if shape.bold else 0
        self.on.text((x, y + 0.355 * size), shape.text, shape.fill, font, anchor, stroke_width=bold)


def _dashes(points: list[Point], dash: tuple[float, float], scale: float) -> Iterator[list[Point]]:
    """The dashes of a broken line."""
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


_USUAL_PIXELS = 1200


def visits_png(steps: Steps, *, theme: str = "light", pixels: int | None = None) -> bytes:
    """Return a PNG with a pixel for each cell, or for each square of cells on boards with too many.

    The colour of a pixel is that of its mean step, in the theme's colours of values. Linear in the cells:
    10^8 cells take a second.

    - ``pixels``: largest length of the longer side, by default 1200; smaller boards are not enlarged

    Raises BadInput if Pillow is not installed, the size is out of range, or the theme is unknown.

    >>> from ktsolve.engines.divide.construct import tour_steps
    >>> visits_png(tour_steps(200, 300, closed=True))[1:4]
    b'PNG'
    """
    import numpy as np

    most = _USUAL_PIXELS if pixels is None else pixels
    if not SMALLEST <= most <= MOST_PIXELS:
        raise BadInput(f"an image has {SMALLEST} to {MOST_PIXELS:,} pixels on its longer side, not {most:,}")
    colours = named_theme(theme).heat
    table = "".join(blend(colours, i / 255)[1:] for i in range(256))
    means = np.asarray(pillow("Image").fromarray(steps).reduce(-(-max(steps.shape) // most)))
    image = pillow("Image").fromarray(np.minimum(256 * (means / steps.size), 255).astype(np.uint8), "L")
    image.putpalette(bytes.fromhex(table))
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()
