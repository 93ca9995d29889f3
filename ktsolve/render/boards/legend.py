"""The legend below a picture: the meaning of its marks and colours."""

from __future__ import annotations

from collections.abc import Sequence

from ktsolve.render.boards.heat import Heat, short_number, thousands
from ktsolve.render.scene.lettering import fitting, text_width
from ktsolve.render.scene.shapes import Circle, Group, Rect, Shape, Text, grouped
from ktsolve.render.scene.theme import Theme, blend

__all__ = ["Item", "legend_shapes"]

Item = tuple[str, str]
"""A colour and its meaning; the colour may be empty."""

_SHADES = 48
"""Number of colours of the scale."""


def legend_shapes(
    items: Sequence[Item], heat: Heat | None, left: float, top: float, width: float, size: float, theme: Theme
) -> tuple[list[Shape], float]:
    """Return the shapes of a legend in lines of at most ``width`` if possible, and its height."""
    shapes: list[Shape] = []
    y = top
    if heat is not None and (heat.values or heat.moves):
        y += size * 0.5
        bar, high = _bar(heat, left, y, width, size, theme)
        shapes.extend(bar)
        y += high
    x = left
    for colour, text in items:
        mark = 1.3 * size if colour else 0
        letters = fitting(text, size, width - mark)
        needed = mark + letters * text_width(text)
        if x > left and x + needed > left + width:
            x, y = left, y + 1.55 * size
        if colour:
            shapes.append(Circle(x + 0.45 * size, y + 0.8 * size, 0.4 * size, colour))
        shapes.append(Text(x + mark, y + 0.8 * size, text, letters, theme.faint, anchor="start"))
        x += needed + 1.2 * size
    if items:
        y += 1.7 * size
    return grouped("legend", shapes), y - top


def _bar(
    heat: Heat, left: float, y: float, width: float, size: float, theme: Theme
) -> tuple[list[Shape], float]:
    """The scale of a heat map with its least and greatest value and its caption; and its height."""
    step, last = width / _SHADES, _SHADES - 1
    shades: list[Shape] = [
        # Neighbouring rectangles overlap: without, viewers show thin gaps between them.
        Rect(left + i * step, y, step * (1.3 if i < last else 1), size, blend(theme.heat, i / last))
        for i in range(_SHADES)
    ]
    power = 3 * thousands(heat.most)
    caption = heat.caption + (f", in 10^{power}" if power else "")
    if heat.logarithmic:
        caption += ", logarithmic"
    least, most = short_number(heat.least, heat.most), short_number(heat.most, heat.most)
    first = second = y + 1.9 * size
    if size * (text_width(least + caption + most) + 2.4) > width:
        second += 1.4 * size
    texts: list[Shape] = [
        Text(left, first, least, size, theme.faint, anchor="start"),
        Text(left + width, first, most, size, theme.faint, anchor="end"),
        Text(left + width / 2, second, caption, fitting(caption, size, width), theme.faint),
    ]
    return [Group("scale", shades), *texts], second - y + 1.4 * size
