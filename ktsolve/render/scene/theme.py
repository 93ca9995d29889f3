"""Themes: the colours of pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from ktsolve.base.text import unknown

__all__ = ["THEMES", "Theme", "TwoColours", "blend", "channels", "css_variables", "legible", "named_theme"]


class TwoColours(str):
    """A colour with another one for readers who prefer a dark scheme; only SVG files show the second.

    >>> colour = TwoColours("#ffffff", "#12151c")
    >>> colour, colour.dark, colour == "#ffffff", colour == TwoColours("#ffffff", "#000000")
    ('#ffffff', '#12151c', True, False)
    """

    dark: str

    def __new__(cls, light: str, dark: str) -> TwoColours:
        """Return the first colour, with the second as an attribute."""
        colour = super().__new__(cls, light)
        colour.dark = dark
        return colour

    def __eq__(self, other: object) -> bool:
        """Whether the colours are equal; any other text is compared with the first colour."""
        return str.__eq__(self, other) is True and getattr(other, "dark", self.dark) == self.dark

    def __ne__(self, other: object) -> bool:
        """The opposite."""
        return not self == other

    __hash__ = str.__hash__


@dataclass(frozen=True)
class Theme:
    """The colours of a picture, each as ``#rrggbb``."""

    background: str  # page and removed cells
    light: str  # two kinds of cells
    dark: str
    frame: str  # edge of the board
    ink: str  # numbers
    faint: str  # coordinates and legend
    path: tuple[str, ...]  # colours along an open path, from its first move to its last
    cycle: tuple[str, ...]  # colours along a closed path: the last is followed by the first
    line: str  # colour of a path of one colour
    node: str  # disc behind a number on the path
    start: str  # first cell of the path
    end: str  # last cell of the path, and forbidden moves
    clue: str  # given cells
    require: str  # required moves
    crossing: str  # crossings of moves
    angles: tuple[str, str, str, str]  # one colour for each kind of :data:`ktsolve.graphs.geometry.ANGLES`
    categories: tuple[str, ...]  # images of the moves of a symmetric path
    heat: tuple[str, ...]  # colours of a heat map, from the least value to the greatest


# The palette of Okabe and Ito (2008), distinguishable with every kind of colour vision.
_OKABE_ITO = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#8c6d00", "#000000")

_COLOURS = {
    "background": ("#ffffff", "#12151c", "#ffffff", "#ffffff"),
    "light": ("#f8f4ea", "#262c38", "#ffffff", "#f7f7f7"),
    "dark": ("#e9dfcb", "#1c212b", "#ededed", "#e6e6e6"),
    "frame": ("#b9a887", "#4a5468", "#000000", "#7a7a7a"),
    "ink": ("#33302a", "#eceff5", "#000000", "#1a1a1a"),
    "faint": ("#736b5a", "#8b95a8", "#444444", "#666666"),
    "line": ("#2a5a8c", "#6fb1ff", "#000000", "#0072b2"),
    "node": ("#fffdf8", "#12151c", "#ffffff", "#ffffff"),
    "start": ("#1f9d55", "#4ade80", "#000000", "#0072b2"),
    "end": ("#c62f39", "#ff5d6c", "#000000", "#d55e00"),
    "clue": ("#ffd54a", "#8a6d00", "#cfcfcf", "#f0e442"),
    "require": ("#f2b705", "#ffd166", "#bdbdbd", "#e69f00"),
    "crossing": ("#7b2d8b", "#d99bff", "#000000", "#cc79a7"),
}
"""The single colours of ``light``, ``dark``, ``print`` and ``safe``."""

_LISTS: Mapping[str, tuple[Sequence[str], ...]] = {
    "path": (
        ("#2f3f9e", "#1c84a6", "#2c9c73", "#b98012", "#c4412f"),
        ("#5f8dff", "#35c3d6", "#6fdc8c", "#ffd166", "#ff6f61"),
        ("#000000", "#8a8a8a"),
        ("#08306b", "#0072b2", "#7d8694", "#d55e00", "#7f3000"),
    ),
    "angles": (
        ("#c4412f", "#b98012", "#2c9c73", "#2f3f9e"),
        ("#ff6f61", "#ffd166", "#6fdc8c", "#5f8dff"),
        ("#000000", "#555555", "#999999", "#d0d0d0"),
        ("#d55e00", "#e69f00", "#009e73", "#0072b2"),
    ),
    "categories": (
        ("#2f5fae", "#c4412f", "#2c9c73", "#b98012", "#7b2d8b", "#1c84a6", "#8a6d3b", "#555555"),
        ("#5f9dff", "#ff8a65", "#6fdc8c", "#ffd166", "#d99bff", "#35c3d6", "#c0a16b", "#aab4c5"),
        ("#000000", "#999999", "#555555", "#c4c4c4", "#333333", "#777777", "#aaaaaa", "#dddddd"),
        _OKABE_ITO,
    ),
    "heat": (
        ("#fff6da", "#fdc56f", "#ef7d3e", "#b92b32", "#5e1030"),
        ("#1d2440", "#3d53a8", "#2fa6a8", "#a5d66a", "#fff07a"),
        ("#ffffff", "#3a3a3a"),
        ("#fdea45", "#bcaf6f", "#7c7b78", "#3b496c", "#00204d"),
    ),
}
"""Their lists of colours."""

_CLOSING = (("#8f3a8a",), ("#c481f5",), (), ("#2b1b2f",))
"""The colours of a closed path after those of an open one."""


def _single(number: int) -> Theme:
    """The theme in one column of the tables."""
    lists: dict[str, Any] = {name: tuple(columns[number]) for name, columns in _LISTS.items()}
    colours: dict[str, Any] = {name: columns[number] for name, columns in _COLOURS.items()}
    return Theme(**colours, **lists, cycle=lists["path"] + _CLOSING[number])


_SINGLE = {name: _single(number) for number, name in enumerate(("light", "dark", "print", "safe"))}


def _adaptive(light: Theme, dark: Theme) -> Theme:
    """The theme whose colours are those of two themes."""
    colours: dict[str, Any] = {}
    for field in fields(Theme):
        first, second = getattr(light, field.name), getattr(dark, field.name)
        if isinstance(first, str):
            colours[field.name] = TwoColours(first, second)
        else:
            colours[field.name] = tuple(TwoColours(*pair) for pair in zip(first, second, strict=True))
    return Theme(**colours)


THEMES: Mapping[str, Theme] = {**_SINGLE, "auto": _adaptive(_SINGLE["light"], _SINGLE["dark"])}
"""``light``, ``dark``, ``print`` (black and grey), ``safe`` (for every kind of colour vision), and ``auto``:
``light``, or ``dark`` where the reader prefers a dark scheme, in SVG files."""


def named_theme(name: str) -> Theme:
    """Return the theme of that name. Raises BadInput for an unknown name."""
    if name not in THEMES:
        raise unknown("theme", name, THEMES)
    return THEMES[name]


def css_variables(
    light: Theme,
    dark: Theme,
    *,
    light_selector: str = ":root",
    dark_selector: str = ':root[data-theme="dark"]',
    automatic: str | None = ':root:not([data-theme="light"])',
) -> str:
    r"""Return CSS rules with the colours of two themes as custom properties, for pages.

    A colour ``background`` is ``--kt-background``; colours of a list are numbered from 1: ``--kt-path-1``.
    ``automatic`` are the elements that have the dark colours where the reader prefers a dark scheme.

    >>> rules = css_variables(THEMES["light"], THEMES["dark"])
    >>> print("\n".join(rules.splitlines()[:4]))
    :root {
      color-scheme: light;
      --kt-background: #ffffff;
      --kt-light: #f8f4ea;
    """
    parts = [_rule(light_selector, "light", light)]
    if automatic is not None:
        inner = _rule(automatic, "dark", dark)
        parts.append(f"@media (prefers-color-scheme: dark) {{\n{inner}\n}}")
    parts.append(_rule(dark_selector, "dark", dark))
    return "\n".join(parts) + "\n"


def _rule(selector: str, scheme: str, theme: Theme) -> str:
    """A rule with the colours of a theme."""
    lines = [f"{selector} {{", f"  color-scheme: {scheme};"]
    for field in fields(theme):
        value = getattr(theme, field.name)
        named = [(field.name, value)]
        if not isinstance(value, str):
            named = [(f"{field.name}-{i}", colour) for i, colour in enumerate(value, 1)]
        lines.append("  " + " ".join(f"--kt-{name}: {colour};" for name, colour in named))
    return "\n".join([*lines, "}"])


def blend(colours: Sequence[str], share: float) -> str:
    """Return the colour at a position from 0 to 1 along a list of colours.

    >>> blend(["#000000", "#ff0000", "#ffffff"], 0.75)
    '#ff8080'
    """
    if len(colours) == 1:
        return colours[0]
    if darker := _darks(colours):
        return TwoColours(blend([str(each) for each in colours], share), blend(darker, share))
    at = min(max(share, 0.0), 1.0) * (len(colours) - 1)
    first = min(int(at), len(colours) - 2)
    left, right = (channels(colours[i]) for i in (first, first + 1))
    mixed = [round(a + (b - a) * (at - first)) for a, b in zip(left, right, strict=True)]
    return "#" + "".join(f"{value:02x}" for value in mixed)


def legible(fill: str, dark: str = "#1c1c1c", light: str = "#ffffff") -> str:
    """Return the one of two inks with the higher contrast to a colour, as defined by WCAG.

    >>> legible("#ffff00"), legible("#000080")
    ('#1c1c1c', '#ffffff')
    """
    if darker := _darks((fill, dark, light)):
        return TwoColours(legible(str(fill), str(dark), str(light)), legible(*darker))

    def linear(value: int) -> float:
        share = value / 255
        return share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4

    def luminance(colour: str) -> float:
        red, green, blue = (linear(value) for value in channels(colour))
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    def contrast(first: float, second: float) -> float:
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)

    here = luminance(fill)
    return max((dark, light), key=lambda ink: contrast(luminance(ink), here))


def _darks(colours: Sequence[str]) -> list[str]:
    """The second colours, if there is one with two."""
    if not any(isinstance(each, TwoColours) for each in colours):
        return []
    return [each.dark if isinstance(each, TwoColours) else each for each in colours]


def channels(colour: str) -> tuple[int, int, int]:
    """Return the red, green and blue of a colour ``#rrggbb``, from 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
