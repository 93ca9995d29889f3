"""Sheets: several pictures on one page."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, inf, sqrt

from ktsolve.base.errors import BadInput
from ktsolve.base.text import number_of
from ktsolve.render.scene.lettering import caption_lines
from ktsolve.render.scene.shapes import Group, Placed, Scene, Shape, Text
from ktsolve.render.scene.theme import named_theme

__all__ = ["MOST_PICTURES", "captioned", "check_number", "on_paper", "sheet_scene", "text_on_sheet"]

MOST_PICTURES = 1000  # largest number of pictures on a sheet

_GAP = 16
_HEAD = 40
_SCREEN = 1600  # largest default length of the longer side of a sheet on a screen, in pixels
_SIDE = 260  # width of the widest picture on a sheet


def check_number(number: int) -> None:
    """Raise BadInput if a sheet cannot have that number of pictures."""
    if not 1 <= number <= MOST_PICTURES:
        raise BadInput(f"a sheet has 1 to {MOST_PICTURES} pictures, not {number:,}: give fewer tours")


def sheet_scene(
    scenes: Sequence[Scene], title: str, *, theme: str = "light", columns: int | None = None
) -> Scene:
    """Return a scene with other scenes in rows, all to one scale.

    - ``columns``: pictures in a row, at least 1; by default such that the page is a little wider than high

    Raises BadInput if the number of scenes is out of range.

    >>> page = sheet_scene([Scene(100, 50, "one", "", "#fff", (), 100)] * 5, "Five", columns=3)
    >>> len(page.shapes), page.description
    (6, '5 pictures in 2 rows of 3.')
    """
    number = len(scenes)
    check_number(number)
    colours = named_theme(theme)
    wide, high, across, down = _arrangement(scenes, columns)
    scale = _SIDE / wide
    wide, high = wide * scale, high * scale
    lines, size = caption_lines(title, 20.0, across * (wide + _GAP) - _GAP)
    head = _HEAD + _GAP + 1.3 * (len(lines) - 1) * size
    shapes: list[Shape] = []
    for k, scene in enumerate(scenes):
        # The last row may be shorter: it is centred. Captions are above, so that pictures line up below.
        empty = across - min(across, number - k // across * across)
        x = _GAP + (k % across + empty / 2) * (wide + _GAP) + (wide - scene.width * scale) / 2
        y = head + (k // across) * (high + _GAP) + high - scene.height * scale
        shapes.append(Placed(scene, x, y, scale))
    width, height = _GAP + across * (wide + _GAP), head + down * (high + _GAP)
    for place, line in enumerate(lines):
        y = _GAP + 0.7 * 20 + 1.3 * place * size
        shapes.append(Text(width / 2, y, line, size, colours.ink, bold=True))
    description = f"{number_of(number, 'picture')} in {number_of(down, 'row')} of {across}."
    pixels = min(max(width, height), _SCREEN)
    return Scene(width, height, title, description, colours.background, tuple(shapes), pixels)


def captioned(scene: Scene, caption: str, theme: str = "light") -> Scene:
    """Return a scene below a caption; the scene itself for an empty one.

    >>> page = captioned(Scene(200, 50, "one", "", "#fff", (), 200), "For Anna")
    >>> page.width, page.height > 70, page.shapes[0].text
    (200, True, 'For Anna')
    """
    if not caption:
        return scene
    lines, size = caption_lines(caption, 16.0, 0.95 * scene.width)
    head = (1.3 * len(lines) + 0.4) * size
    texts: list[Shape] = [
        Text(scene.width / 2, (1.3 * place + 0.9) * size, line, size, named_theme(theme).ink, bold=True)
        for place, line in enumerate(lines)
    ]
    height = head + scene.height
    pixels = scene.pixels * max(scene.width, height) / max(scene.width, scene.height)
    shapes = (*texts, Placed(scene, 0, head, 1))
    return Scene(scene.width, height, scene.title, scene.description, scene.background, shapes, pixels)


_EDGE = 0.06  # margin of paper, as a share of its shorter side


def on_paper(scene: Scene, paper: tuple[float, float]) -> Scene:
    """Return a page of that width and height, with a scene as large as fits in its middle.

    >>> page = on_paper(Scene(100, 50, "one", "", "#fff", (), 100), (800, 1000))
    >>> (page.width, page.height, page.shapes[0].scale)
    (800, 1000, 7.04)
    """
    width, height = paper
    margin = _EDGE * min(paper)
    scale = min((width - 2 * margin) / scene.width, (height - 2 * margin) / scene.height)
    x, y = (width - scale * scene.width) / 2, (height - scale * scene.height) / 2
    placed = Placed(scene, x, y, scale)
    return Scene(
        width, height, scene.title, scene.description, scene.background, (placed,), max(width, height)
    )


def text_on_sheet(scenes: Sequence[Scene], name: str, columns: int | None = None) -> float:
    """Return the size on a screen, in pixels, of the smallest text in groups of a name; infinite without any.

    >>> small = Scene(260, 260, "", "", "#fff", (Group("numbers", [Text(9, 9, "1", 8, "#000")]),), 260)
    >>> text_on_sheet([small] * 2, "numbers"), text_on_sheet([small] * 200, "numbers") < 4
    (8.0, True)
    """
    wide, high, across, down = _arrangement(scenes, columns)
    longer = max(across * (_SIDE + _GAP), down * (high * _SIDE / wide + _GAP))
    scale = _SIDE / wide * min(1.0, _SCREEN / longer)
    sizes = [
        shape.size
        for scene in scenes
        for each in scene.shapes
        if isinstance(each, Group) and each.name == name
        for shape in each.shapes
        if isinstance(shape, Text)
    ]
    return min(sizes, default=inf) * scale


def _arrangement(scenes: Sequence[Scene], columns: int | None) -> tuple[float, float, int, int]:
    """Width and height of the largest scene; pictures in a row, and rows."""
    number = len(scenes)
    wide, high = max(scene.width for scene in scenes), max(scene.height for scene in scenes)
    across = min(number, columns or max(1, ceil(sqrt(1.25 * number * high / wide))))
    return wide, high, across, -(-number // across)
