"""Drawing of scenes on axes of matplotlib (extra ``pictures``)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ktsolve.base.errors import BadInput
from ktsolve.render.scene.shapes import Circle, Drawn, PathShape, Polyline, Rect, Scene, Strand, Text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot"]

_PIXELS_PER_INCH = 96
_POINTS_PER_INCH = 72


def plot(scene: Scene, axes: Axes | None = None) -> Axes:
    """Draw a scene on axes, by default on new ones of the size of the scene, and return the axes.

    Line widths and font sizes fit the current size of the axes. Linear in the shapes. Raises BadInput if
    matplotlib is not installed.
    """
    try:
        from matplotlib import pyplot
    except ImportError:
        raise BadInput("plots need matplotlib: pip install matplotlib") from None
    if axes is None:
        width, height = (side / _PIXELS_PER_INCH for side in scene.screen)
        figure = pyplot.figure(figsize=(width, height))
        axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, scene.width)
    axes.set_ylim(scene.height, 0)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_gid(scene.title)
    box = axes.get_window_extent()
    scale = min(box.width / scene.width, box.height / scene.height) / axes.figure.dpi * _POINTS_PER_INCH
    for order, (shape, left, top, zoom) in enumerate(scene.drawn()):
        _add(axes, shape, (left, top, zoom), scale * zoom, zorder=1 + order / 1000)
    return axes


def _add(axes: Axes, shape: Drawn, place: tuple[float, float, float], points: float, zorder: float) -> None:
    """Add a shape above earlier ones; ``points`` is the size of a unit of the shape in points."""
    from matplotlib import patches
    from matplotlib.lines import Line2D

    left, top, zoom = place

    def at(x: float, y: float) -> tuple[float, float]:
        return left + x * zoom, top + y * zoom

    match shape:
        case Polyline():
            xs, ys = shape.points[:, 0] * zoom + left, shape.points[:, 1] * zoom + top
            line = Line2D(xs, ys, linewidth=shape.stroke_width * points, color=shape.stroke, zorder=zorder)
            line.set(solid_capstyle="round", solid_joinstyle="round")
            axes.add_line(line)
            return
        case Text():
            axes.text(
                *at(shape.x, shape.y + 0.355 * shape.size),
                shape.text.replace("$", r"\$"),
                size=shape.size * points,
                color=shape.fill,
                ha={"start": "left", "middle": "center", "end": "right"}[shape.anchor],
                va="baseline",
                weight="bold" if shape.bold else "normal",
                zorder=zorder,
            )
            return
    style: dict[str, Any] = {"facecolor": shape.fill or "none", "edgecolor": shape.stroke or "none"}
    style |= {"linewidth": shape.stroke_width * points if shape.stroke else 0, "zorder": zorder}
    match shape:
        case Rect():
            size = shape.width * zoom, shape.height * zoom
            axes.add_patch(patches.Rectangle(at(shape.x, shape.y), *size, **style))
        case Circle():
            axes.add_patch(patches.Circle(at(shape.x, shape.y), shape.radius * zoom, **style))
        case PathShape():
            if shape.dash is not None:
                style["linestyle"] = (0, tuple(length / shape.stroke_width for length in shape.dash))
            style |= {"capstyle": "round", "joinstyle": "round"}
            axes.add_patch(patches.PathPatch(_path(shape.strands, left, top, zoom), **style))


def _path(strands: Iterable[Strand], left: float, top: float, scale: float) -> Any:
    from matplotlib.path import Path as Outline

    points: list[tuple[float, float]] = []
    codes: list[Any] = []
    for strand in strands:
        points.append(strand.start)
        codes.append(Outline.MOVETO)
        for step in strand.steps:
            if len(step) == 3:
                points.extend(step)
                codes.extend([Outline.CURVE4] * 3)
            else:
                points.append(step)
                codes.append(Outline.LINETO)
        if strand.closed:
            points.append(strand.start)
            codes.append(Outline.CLOSEPOLY)
    return Outline([(left + x * scale, top + y * scale) for x, y in points], codes)
