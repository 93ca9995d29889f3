"""Booklets: PDF files of puzzles with numbers, rules and difficulty, and the solutions at the end."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ktsolve.base.text import number_of
from ktsolve.render.scene.lettering import caption_lines, fitting
from ktsolve.render.scene.pdf import pdf_pages
from ktsolve.render.scene.shapes import Placed, Scene, Shape, Text
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.theme import named_theme
from ktsolve.render.subject import PictureOptions, Subject

__all__ = ["Booklet", "booklet"]

_A4 = (794.0, 1123.0)  # in pixels of a screen, 96 to an inch

_MARGIN, _FOOT, _GAP = 56.0, 30.0, 28.0
_NOTE = 11.5  # size of the letters of rules
_SOLUTIONS = 6  # solutions on a page


class Booklet(Subject):
    """Puzzles: a PDF has pages of puzzles, and at the end the solutions that are known.

    Other formats show one picture, or a sheet of several.
    """

    def solutions(self, style: Style) -> Sequence[Scene]:
        """Return the scenes of the solutions, as many as there are puzzles, or none."""
        raise NotImplementedError

    def labels(self) -> Sequence[str]:
        """Return what is said about each puzzle: its kind, its size, its difficulty."""
        raise NotImplementedError

    def rules(self) -> Sequence[str]:
        """Return the rules of each kind, as the first page has them."""
        raise NotImplementedError

    def file(self, style: Style, options: PictureOptions) -> bytes | None:
        """Return the PDF; None for other formats that show puzzles."""
        if options.form.name != "pdf":
            return super().file(style, options)
        alone = replace(style, caption="", title="")
        pages = booklet(
            self.scenes(alone),
            self.solutions(alone),
            style.title or style.caption or self.heading(),
            theme=style.theme,
            labels=self.labels(),
            notes=[*([style.caption] if style.title and style.caption else []), *self.rules()],
            paper=options.paper or _A4,
        )
        return pdf_pages(pages)


def booklet(
    puzzles: Sequence[Scene],
    solutions: Sequence[Scene],
    title: str = "Puzzles",
    *,
    theme: str = "light",
    labels: Sequence[str] = (),
    notes: Sequence[str] = (),
    paper: tuple[float, float] = _A4,
) -> list[Scene]:
    """Return the pages of a booklet: the puzzles with numbers, then their solutions.

    There are as many solutions as puzzles, or none. ``labels`` are above the puzzles, ``notes`` below the
    title of the first page. The puzzles are as large as the pages of that width and height allow.

    >>> puzzle = Scene(100, 100, "one", "", "#ffffff", (), 100)
    >>> pages = booklet([puzzle] * 5, [puzzle] * 5, "Five puzzles")
    >>> [page.title for page in pages]
    ['Five puzzles', 'Five puzzles, page 2', 'Five puzzles: solutions']
    """
    colours = named_theme(theme)
    several = len(puzzles) > 1
    names = [
        "  ".join([*([str(number)] if several else []), *([label] if label else [])])
        for number, label in enumerate(labels or [""] * len(puzzles), 1)
    ]
    on_page = 1 if len(puzzles) == 1 else 2 if len(puzzles) == 2 else 4
    layout = _Sheets(*paper, theme)
    pages = layout.pages(puzzles, title, on_page, names, notes)
    if solutions:
        most = 1 if len(solutions) == 1 else _SOLUTIONS
        numbers = [str(number) if several else "" for number in range(1, len(solutions) + 1)]
        pages += layout.pages(solutions, f"{title}: solutions", most, numbers, [])
    feet = (
        Text(layout.width / 2, layout.height - _MARGIN / 2, f"{number} / {len(pages)}", 11, colours.faint)
        for number in range(1, len(pages) + 1)
    )
    return [replace(page, shapes=(*page.shapes, foot)) for page, foot in zip(pages, feet, strict=True)]


@dataclass(frozen=True)
class _Sheets:
    """The pages of a booklet."""

    width: float
    height: float
    theme: str

    def pages(
        self, scenes: Sequence[Scene], title: str, on_page: int, names: Sequence[str], notes: Sequence[str]
    ) -> list[Scene]:
        """The pages with some scenes, each below its name."""
        pages = []
        for first in range(0, len(scenes), on_page):
            some = scenes[first : first + on_page]
            number = first // on_page + 1
            name = title if number == 1 else f"{title}, page {number}"
            described = number_of(len(some), "picture") + "."
            of_page = names[first : first + on_page]
            shapes = self._page(some, title, on_page, of_page, notes if number == 1 else [])
            background = named_theme(self.theme).background
            pages.append(
                Scene(self.width, self.height, name, described, background, tuple(shapes), self.height)
            )
        return pages

    def _page(
        self, scenes: Sequence[Scene], title: str, on_page: int, names: Sequence[str], notes: Sequence[str]
    ) -> list[Shape]:
        colours, room = named_theme(self.theme), self.width - 2 * _MARGIN
        lines, size = caption_lines(title, 20, room)
        shapes: list[Shape] = []
        top = _MARGIN
        for line in lines:
            shapes.append(Text(self.width / 2, top, line, size, colours.ink, bold=True))
            top += 1.3 * size
        top += 0.3 * size
        for note in notes:
            for line in textwrap.wrap(note, max(20, int(room / (_NOTE * 0.55)))):
                shapes.append(Text(_MARGIN, top, line, _NOTE, colours.ink, anchor="start"))
                top += 1.35 * _NOTE
            top += 0.4 * _NOTE
        across = 1 if on_page <= 2 else 2
        down = -(-on_page // across)
        wide = (room - (across - 1) * _GAP) / across
        high = (self.height - top - _MARGIN - _FOOT - (down - 1) * _GAP) / down
        named = any(names)
        for place, (scene, name) in enumerate(zip(scenes, names, strict=True)):
            left = _MARGIN + place % across * (wide + _GAP)
            above = top + place // across * (high + _GAP)
            label = 24.0 if named else 0.0
            scale = min(wide / scene.width, (high - label) / scene.height)
            x = left + (wide - scale * scene.width) / 2
            if name:
                letters = fitting(name, 14, wide, bold=True)
                shapes.append(Text(left + wide / 2, above + 8, name, letters, colours.ink, bold=True))
            shapes.append(Placed(scene, x, above + label, scale))
        return shapes
