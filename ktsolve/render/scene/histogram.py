"""Histograms: a panel for each statistic, several on a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import floor, log10

from ktsolve.render.boards.marks import legend_shapes
from ktsolve.render.scene.lettering import fitting
from ktsolve.render.scene.shapes import Circle, PathShape, Rect, Scene, Shape, Strand, Text, grouped
from ktsolve.render.scene.sheet import sheet_scene
from ktsolve.render.scene.theme import Theme, named_theme

__all__ = ["Bar", "Panel", "histogram_scene"]

_WIDTH, _HEIGHT = 360.0, 190.0  # the area of the bars

_LEFT, _RIGHT, _TOP, _BELOW = 52.0, 16.0, 54.0, 40.0
_SIZE = 13.0
_TICKS = 7  # most numbers along an axis


@dataclass(frozen=True)
class Bar:
    """A bar from ``first`` to ``last`` on the axis."""

    first: float
    last: float
    share: float  # its height: the share of the sample
    exact: float | None  # the share of all tours, if it is known
    name: str  # its values as text


@dataclass(frozen=True)
class Panel:
    """A histogram."""

    title: str  # the statistic
    caption: str  # a line about it
    bars: tuple[Bar, ...]  # neighbouring bars, from the left
    mean: float  # where the mean is on the axis
    whole: bool  # whether the values are whole numbers: a number is the middle of a bar of width 1


def histogram_scene(panels: Sequence[Panel], title: str, theme: str = "light") -> Scene:
    """The scene of some panels below a common title.

    >>> bars = Bar(3, 4, 0.25, None, "3"), Bar(4, 5, 0.75, None, "4")
    >>> scene = histogram_scene([Panel("turns", "mean 3.75", bars, 4.25, True)], "closed 6x6")
    >>> scene.title, scene.description
    ('closed 6x6', 'Histogram of turns, mean 3.75: most often 4.')
    """
    colours = named_theme(theme)
    scenes = [_panel_scene(each, colours, title if len(panels) == 1 else "") for each in panels]
    if len(scenes) == 1:
        return scenes[0]
    columns = 2 if len(scenes) in (2, 4) else None
    page = sheet_scene(scenes, title, theme=theme, columns=columns)
    described = " ".join(scene.description for scene in scenes)
    pixels = max(page.pixels, 1.25 * max(page.width, page.height))
    return Scene(page.width, page.height, title, described, page.background, page.shapes, pixels)


def _panel_scene(panel: Panel, theme: Theme, title: str) -> Scene:
    head = 26.0 if title else 0.0
    width, top = _LEFT + _WIDTH + _RIGHT, _TOP + head
    bottom = top + _HEIGHT
    low, high = panel.bars[0].first, panel.bars[-1].last
    most = max(max(each.share, each.exact or 0) for each in panel.bars) or 1
    ticks = _ticks(0, most * 100, 5)
    ceiling = max(most * 100, ticks[-1]) / 100

    def x(value: float) -> float:
        return _LEFT + _WIDTH * (value - low) / (high - low)

    def y(share: float) -> float:
        return bottom - _HEIGHT * share / ceiling

    middle = width / 2
    shapes: list[Shape] = []
    if title:
        size = fitting(title, 1.15 * _SIZE, width - 16, bold=True)
        shapes.append(Text(middle, 18, title, size, theme.ink, bold=True))
    name = fitting(panel.title, 1.15 * _SIZE, width - 16, bold=True)
    shapes.append(Text(middle, head + 18, panel.title, name, theme.ink, bold=True))
    small = fitting(panel.caption, _SIZE, width - 16)
    shapes.append(Text(middle, head + 37, panel.caption, small, theme.faint))
    shapes += grouped("scale", list(_scale([(tick, y(tick / 100)) for tick in ticks], theme)))
    gap = min(1.0, 0.12 * _WIDTH / len(panel.bars))
    shapes += grouped(
        "bars",
        [
            Rect(x(each.first) + gap / 2, y(each.share), x(each.last) - x(each.first) - gap,
                 bottom - y(each.share), theme.line)
            for each in panel.bars
            if each.share
        ],
    )  # fmt: skip
    radius = max(1.2, min(3.2, 0.35 * _WIDTH / len(panel.bars)))
    shapes += grouped(
        "exact",
        [
            Circle(x((each.first + each.last) / 2), y(each.exact), radius, theme.background, theme.end, 1.4)
            for each in panel.bars
            if each.exact is not None
        ],
    )
    shift = 0.5 if panel.whole else 0.0
    marks = _ticks(low, high - 2 * shift, _TICKS, whole=panel.whole)
    shapes += grouped("axis", list(_axis([(mark, x(mark + shift)) for mark in marks], bottom, theme)))
    at = x(panel.mean)
    dashes = (Strand((at, top), ((at, bottom),)),)
    shapes.append(PathShape(dashes, stroke=theme.ink, stroke_width=1.3, dash=(4, 3)))
    items = [(theme.line, "samples"), (theme.ink, "mean")]
    if any(each.exact is not None for each in panel.bars):
        items.insert(1, (theme.end, "all tours, exact"))
    legend, high_legend = legend_shapes(items, None, _LEFT, bottom + 24, _WIDTH, 0.9 * _SIZE, theme)
    shapes += legend
    height = bottom + 24 + high_legend + 6
    often = max(panel.bars, key=lambda each: each.share)
    described = f"Histogram of {panel.title}, {panel.caption}: most often {often.name}."
    scene_title = title or panel.title
    return Scene(width, height, scene_title, described, theme.background, tuple(shapes), 1.4 * width)


def _scale(ticks: Iterable[tuple[float, float]], theme: Theme) -> Iterator[Shape]:
    """Lines across the bars, each with its percentage; ``ticks`` are percentages and heights."""
    for tick, height in ticks:
        yield _line(_LEFT, height, _LEFT + _WIDTH, height, theme.dark)
        yield Text(_LEFT - 7, height, f"{tick:g} %", 0.85 * _SIZE, theme.faint, anchor="end")


def _axis(ticks: Iterable[tuple[float, float]], bottom: float, theme: Theme) -> Iterator[Shape]:
    """The line below the bars, with marks; ``ticks`` are values and places."""
    yield _line(_LEFT, bottom, _LEFT + _WIDTH, bottom, theme.frame, 1.4)
    for tick, at in ticks:
        yield _line(at, bottom, at, bottom + 4, theme.frame)
        yield Text(at, bottom + 14, f"{tick:g}", 0.85 * _SIZE, theme.faint)


def _line(x: float, y: float, to_x: float, to_y: float, colour: str, width: float = 1) -> PathShape:
    return PathShape((Strand((x, y), ((to_x, to_y),)),), stroke=colour, stroke_width=width)


def _ticks(low: float, high: float, most: int, *, whole: bool = False) -> list[float]:
    """Round numbers from ``low`` to ``high``, at most ``most``.

    >>> _ticks(0, 23, 5), _ticks(31, 36, 7, whole=True)
    ([0, 5, 10, 15, 20], [31, 32, 33, 34, 35, 36])
    """
    span = max(high - low, 1e-12)
    exponent = floor(log10(span / most)) if not whole else max(0, floor(log10(max(span, 1) / most)))
    while True:
        for factor in (1, 2, 5):
            step = factor * 10.0**exponent
            first, last = -floor(-low / step + 1e-9), floor(high / step + 1e-9)
            if last - first < most:
                ticks = [round(k * step, 12) for k in range(first, last + 1)]
                return [int(tick) if tick == int(tick) else tick for tick in ticks] or [low]
        exponent += 1
