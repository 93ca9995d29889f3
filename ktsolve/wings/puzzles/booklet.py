"""Booklets: pages of puzzles of one size, and pages of their solutions at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ktsolve.base.text import number_of
from ktsolve.render.scene.pdf import pdf_pages
from ktsolve.render.scene.shapes import Placed, Scene, Shape, Text
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.theme import named_theme
from ktsolve.render.subject import PictureOptions, Subject

__all__ = ["Booklet", "booklet"]

_WIDTH, _HEIGHT = 794.0, 1123.0
"""A4 in pixels of a screen, 96 to an inch."""

_MARGIN, _HEAD, _FOOT, _GAP = 56.0, 64.0, 30.0, 28.0

_LARGEST = 1.6
"""Most that a picture is enlarged."""

_SOLUTIONS = 6
"""Solutions on a page."""


class Booklet(Subject):
    """Puzzles: a PDF has pages of puzzles, and at the end the solutions that are known.

    Other formats show one picture, or a sheet of several.
    """

    def solutions(self, style: Style) -> Sequence[Scene]:
        """Return the scenes of the solutions, as many as there are puzzles, or none."""
        raise NotImplementedError

    def file(self, style: Style, options: PictureOptions) -> bytes | None:
        """Return the PDF; None for other formats that show puzzles."""
        if options.form.name != "pdf":
            return super().file(style, options)
        title, alone = style.caption or self.heading(), replace(style, caption="")
        return pdf_pages(booklet(self.scenes(alone), self.solutions(alone), title, theme=style.theme))


def booklet(
    puzzles: Sequence[Scene],
    solutions: Sequence[Scene],
    title: str = "Puzzles",
    *,
    theme: str = "light",
) -> list[Scene]:
    """Return the pages of a booklet, each of A4: the puzzles with numbers, then their solutions.

    There are as many solutions as puzzles, or none.

    >>> puzzle = Scene(100, 100, "one", "", "#ffffff", (), 100)
    >>> pages = booklet([puzzle] * 5, [puzzle] * 5, "Five puzzles")
    >>> [page.title for page in pages]
    ['Five puzzles', 'Five puzzles, page 2', 'Five puzzles: solutions']
    """
    on_page = 1 if len(puzzles) == 1 else 2 if len(puzzles) == 2 else 4
    pages = _pages(puzzles, title, theme, on_page, named=len(puzzles) > 1)
    if solutions:
        most = 1 if len(solutions) == 1 else _SOLUTIONS
        pages += _pages(solutions, f"{title}: solutions", theme, most, named=len(solutions) > 1)
    faint, low = named_theme(theme).faint, _HEIGHT - _MARGIN / 2
    feet = (
        Text(_WIDTH / 2, low, f"{number} / {len(pages)}", 11, faint) for number in range(1, len(pages) + 1)
    )
    return [replace(page, shapes=(*page.shapes, foot)) for page, foot in zip(pages, feet, strict=True)]


def _pages(scenes: Sequence[Scene], title: str, theme: str, on_page: int, *, named: bool) -> list[Scene]:
    pages = []
    for first in range(0, len(scenes), on_page):
        some = scenes[first : first + on_page]
        number = first // on_page + 1
        name = title if number == 1 else f"{title}, page {number}"
        described = number_of(len(some), "picture") + "."
        shapes = _page(some, first + 1 if named else None, title, theme, on_page)
        background = named_theme(theme).background
        pages.append(Scene(_WIDTH, _HEIGHT, name, described, background, tuple(shapes), _HEIGHT))
    return pages


def _page(scenes: Sequence[Scene], number: int | None, title: str, theme: str, on_page: int) -> list[Shape]:
    colours = named_theme(theme)
    shapes: list[Shape] = [Text(_WIDTH / 2, _MARGIN, title, 20, colours.ink, bold=True)]
    across = 1 if on_page <= 2 else 2
    down = -(-on_page // across)
    wide = (_WIDTH - 2 * _MARGIN - (across - 1) * _GAP) / across
    high = (_HEIGHT - 2 * _MARGIN - _HEAD - _FOOT - (down - 1) * _GAP) / down
    label = 24.0 if number is not None else 0.0
    for place, scene in enumerate(scenes):
        left = _MARGIN + place % across * (wide + _GAP)
        top = _MARGIN + _HEAD + place // across * (high + _GAP)
        own = scene.pixels / max(scene.width, scene.height)
        scale = min(wide / scene.width, (high - label) / scene.height, _LARGEST * own)
        x = left + (wide - scale * scene.width) / 2
        if number is not None:
            shapes.append(Text(left + wide / 2, top + 8, str(number + place), 15, colours.ink, bold=True))
        shapes.append(Placed(scene, x, top + label, scale))
    return shapes
