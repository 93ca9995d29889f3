"""Lines of words below a picture: what its marks and colours mean."""

from __future__ import annotations

from collections.abc import Sequence

from ktsolve.render.heat import Heat, power, short
from ktsolve.render.scene import Circle, Group, Rect, Shape, Text
from ktsolve.render.theme import Theme, blend

__all__ = ["Item", "legend_shapes"]

Item = tuple[str, str]
"""A colour and what it means; without a colour the words stand by themselves."""

_SHADES = 48
"""Steps of a bar of colours."""

_LETTER = 0.58
"""Mean width of a letter as a share of the size of the font."""


def legend_shapes(
    items: Sequence[Item], heat: Heat | None, left: float, top: float, width: float, size: float, theme: Theme
) -> tuple[list[Shape], float]:
    """The legend as shapes, no wider than ``width`` where that is possible, and its height."""
    shapes: list[Shape] = []
    y = top
    if heat is not None and heat.values:
        y += size * 0.5
        bar, high = _bar(heat, left, y, width, size, theme)
        shapes.extend(bar)
        y += high
    x = left
    for colour, words in items:
        needed = (1.3 * size if colour else 0) + _LETTER * size * len(words)
        if x > left and x + needed > left + width:
            x, y = left, y + 1.55 * size
        if colour:
            shapes.append(Circle(x + 0.45 * size, y + 0.8 * size, 0.4 * size, colour))
            x += 1.3 * size
        shapes.append(Text(x, y + 0.8 * size, words, size, theme.faint, anchor="start"))
        x += _LETTER * size * len(words) + 1.2 * size
    if items:
        y += 1.7 * size
    return [Group("legend", shapes)] if shapes else [], y - top


def _bar(
    heat: Heat, left: float, y: float, width: float, size: float, theme: Theme
) -> tuple[list[Shape], float]:
    """The colours from the least to the greatest value, both named, what the values are; and the height."""
    step = width / _SHADES
    shades: list[Shape] = [
        # A little wider than a step, so that no seam is seen between two.
        Rect(
            left + i * step,
            y,
            step * (1.3 if i < _SHADES - 1 else 1),
            size,
            blend(theme.heat, i / (_SHADES - 1)),
        )
        for i in range(_SHADES)
    ]
    thousands = power(heat.most)
    caption = heat.caption + (f", in 10^{3 * thousands}" if thousands else "")
    if heat.logarithmic:
        caption += ", logarithmic"
    least, most = short(heat.least, heat.most), short(heat.most, heat.most)
    first = second = y + 1.9 * size
    if _LETTER * size * (len(least) + len(caption) + len(most) + 4) > width:
        second += 1.4 * size
    words: list[Shape] = [
        Text(left, first, least, size, theme.faint, anchor="start"),
        Text(left + width, first, most, size, theme.faint, anchor="end"),
        Text(left + width / 2, second, caption, min(size, width / (_LETTER * len(caption))), theme.faint),
    ]
    return [Group("scale", shades), *words], second - y + 1.4 * size
