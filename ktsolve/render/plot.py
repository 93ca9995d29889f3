"""Drawing of scenes on axes of matplotlib (extra ``pictures``)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ktsolve.errors import BadInput
from ktsolve.render.scene import Circle, Group, Path, Placed, Polyline, Rect, Scene, Shape, Strand, Text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot"]

_PIXELS_PER_INCH = 96
_POINTS_PER_INCH = 72


def plot(scene: Scene, axes: Axes | None = None) -> Axes:
    """Draw a scene on axes, by default on new ones of the size of the scene, and return the axes.

    Line widths and font sizes fit the current size of the axes. Linear in the shapes.

    Raises
    ------
    BadInput
        If matplotlib is not installed.
    """
    try:
        from matplotlib import pyplot
    except ImportError:
        raise BadInput("plots need matplotlib: pip install 'ktsolve[pictures]'") from None
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
    pen = _Pen(axes, scale)
    pen.draw([Rect(0, 0, scene.width, scene.height, scene.background), *scene.shapes], 0, 0, 1)
    return axes


class _Pen:
    """Adds shapes to axes, later ones above earlier ones."""

    def __init__(self, axes: Axes, points: float) -> None:
        self.axes, self.points, self.order = axes, points, 1.0

    def draw(self, shapes: Iterable[Shape], left: float, top: float, scale: float) -> None:
        from matplotlib import patches
        from matplotlib.lines import Line2D

        def at(x: float, y: float) -> tuple[float, float]:
            return left + x * scale, top + y * scale

        for shape in shapes:
            self.order += 0.001
            match shape:
                case Rect():
                    width, height = shape.width * scale, shape.height * scale
                    style = self._style(shape.fill, shape.stroke, shape.stroke_width * scale)
                    self.axes.add_patch(patches.Rectangle(at(shape.x, shape.y), width, height, **style))
                case Circle():
                    style = self._style(shape.fill, shape.stroke, shape.stroke_width * scale)
                    self.axes.add_patch(patches.Circle(at(shape.x, shape.y), shape.radius * scale, **style))
                case Path():
                    style = self._style(shape.fill, shape.stroke, shape.stroke_width * scale)
                    style |= {"capstyle": "round", "joinstyle": "round"}
                    if shape.dash is not None:
                        width = shape.stroke_width
                        style["linestyle"] = (0, tuple(length / width for length in shape.dash))
                    self.axes.add_patch(patches.PathPatch(_path(shape.strands, left, top, scale), **style))
                case Polyline():
                    xs, ys = shape.points[:, 0] * scale + left, shape.points[:, 1] * scale + top
                    line = Line2D(
                        xs,
                        ys,
                        color=shape.stroke,
                        linewidth=shape.stroke_width * scale * self.points,
                        solid_capstyle="round",
                        solid_joinstyle="round",
                        zorder=self.order,
                    )
                    self.axes.add_line(line)
                case Text():
                    sides = {"start": "left", "middle": "center", "end": "right"}
                    x, y = at(shape.x, shape.y + 0.355 * shape.size)
                    self.axes.text(
                        x,
                        y,
                        shape.text.replace("$", r"\$"),
                        size=shape.size * scale * self.points,
                        color=shape.fill,
                        ha=sides[shape.anchor],
                        va="baseline",
                        weight="bold" if shape.bold else "normal",
                        zorder=self.order,
                    )
                case Group():
                    self.draw(shape.shapes, left, top, scale)
                case Placed():
                    inner = shape.scene
                    page = Rect(0, 0, inner.width, inner.height, inner.background)
                    self.draw([page, *inner.shapes], *at(shape.x, shape.y), scale * shape.scale)

    def _style(self, fill: str | None, stroke: str | None, width: float) -> dict[str, Any]:
        style: dict[str, Any] = {"facecolor": fill or "none", "zorder": self.order}
        return style | {"edgecolor": stroke or "none", "linewidth": width * self.points if stroke else 0}


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
