"""Booklets: PDF files of puzzles with numbers, rules and difficulty, and the solutions at the end."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Self

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.text import number_of
from ktsolve.render.scene.lettering import caption_lines, fitting
from ktsolve.render.scene.pdf import pdf_pages
from ktsolve.render.scene.shapes import Placed, Scene, Shape, Text
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.theme import named_theme
from ktsolve.render.subject import PictureOptions, Subject
from ktsolve.render.text_table import drawing_in

__all__ = ["Booklet", "MixedBooklet", "booklet"]

_A4 = (794.0, 1123.0)  # in pixels of a screen, 96 to an inch

_MARGIN, _FOOT, _GAP = 56.0, 30.0, 28.0
_NOTE = 11.5  # size of the letters of rules
_SOLUTIONS = 6  # solutions on a page


@dataclass(frozen=True, kw_only=True)
class Booklet(Subject):
    """Puzzles: a PDF has pages of puzzles, and at the end the solutions that are known.

    Other formats show one picture, or a sheet of several.
    """

    answered: bool = False  # whether formats other than PDF show the solutions in place of the puzzles

    def puzzle_scenes(self, style: Style) -> Sequence[Scene]:
        """Return the scenes of the puzzles."""
        raise NotImplementedError

    def solution_scenes(self, style: Style) -> Sequence[Scene | None]:
        """Return the scene of each puzzle's solution, None where it is not known."""
        raise NotImplementedError

    def texts(self) -> Sequence[str]:
        """Return each puzzle in characters, or its solution if that is shown."""
        raise NotImplementedError

    def with_solutions(self, settings: Settings) -> Self:
        """Return the puzzles with all solutions, found within the limits if they are not known.

        Raises BadInput if a puzzle has no solution.
        """
        raise NotImplementedError

    def labels(self) -> Sequence[str]:
        """Return what is said about each puzzle: its kind, its size, its difficulty."""
        raise NotImplementedError

    def rules(self) -> Sequence[str]:
        """Return the rules of each kind, as the first page has them."""
        raise NotImplementedError

    def solved(self, settings: Settings) -> Self:
        """Return the solutions as a subject."""
        return replace(self.with_solutions(settings), answered=True)

    def scenes(self, style: Style) -> Sequence[Scene]:
        """Return the puzzles, or the solutions if these are shown."""
        if not self.answered:
            return self.puzzle_scenes(style)
        return [each for each in self.solution_scenes(style) if each is not None]

    def file(self, style: Style, options: PictureOptions) -> bytes | None:
        """Return the text or the PDF; None for other formats that show puzzles."""
        if options.form.name == "text":
            return ("\n\n".join(drawing_in(options.width, text) for text in self.texts()) + "\n").encode()
        if options.form.name != "pdf":
            return super().file(style, options)
        alone = replace(style, caption="", title="")
        pages = booklet(
            self.puzzle_scenes(alone),
            self.solution_scenes(alone),
            style.title or style.caption or self.heading(),
            theme=style.theme,
            labels=self.labels(),
            notes=[*([style.caption] if style.title and style.caption else []), *self.rules()],
            paper=options.paper or _A4,
        )
        return pdf_pages(pages)


@dataclass(frozen=True)
class MixedBooklet(Booklet):
    """Puzzles of several subjects in one booklet or on one sheet."""

    parts: tuple[Booklet, ...]

    def heading(self) -> str:
        """Return the title of a sheet or booklet."""
        return "Puzzles"

    def puzzle_scenes(self, style: Style) -> list[Scene]:
        """Return the scenes of the puzzles."""
        style = replace(style, caption="")
        return [scene for part in self.parts for scene in part.puzzle_scenes(style)]

    def solution_scenes(self, style: Style) -> list[Scene | None]:
        """Return the scene of each puzzle's solution, None where it is not known."""
        style = replace(style, caption="")
        return [scene for part in self.parts for scene in part.solution_scenes(style)]

    def texts(self) -> list[str]:
        """Return each puzzle in characters, or its solution if that is shown."""
        return [text for part in self.parts for text in replace(part, answered=self.answered).texts()]

    def labels(self) -> list[str]:
        """Return kind, size and difficulty of each puzzle."""
        return [label for part in self.parts for label in part.labels()]

    def rules(self) -> list[str]:
        """Return the rules of the kinds that occur."""
        return list(dict.fromkeys(chain.from_iterable(part.rules() for part in self.parts)))

    def with_solutions(self, settings: Settings) -> MixedBooklet:
        """Return the puzzles with all solutions, found within the limits if they are not known."""
        clock, parts = Clock(settings), []
        for part in self.parts:
            try:
                parts.append(part.with_solutions(clock.within(settings)))
            except BadInput as error:
                raise BadInput(f"{part.heading()}: {error}") from None
        return replace(self, parts=tuple(parts))


def booklet(
    puzzles: Sequence[Scene],
    solutions: Sequence[Scene | None],
    title: str = "Puzzles",
    *,
    theme: str = "light",
    labels: Sequence[str] = (),
    notes: Sequence[str] = (),
    paper: tuple[float, float] = _A4,
) -> list[Scene]:
    """Return the pages of a booklet: the puzzles with numbers, then their solutions.

    There are as many solutions as puzzles, or none; None is one that is not known. ``labels`` are above the
    puzzles, ``notes`` below the title of the first page. The puzzles are as large as the pages of that width
    and height allow.

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
    known = {number: scene for number, scene in enumerate(solutions, 1) if scene is not None}
    if known:
        most = 1 if len(known) == 1 else _SOLUTIONS
        numbers = [str(number) if several else "" for number in known]
        pages += layout.pages([*known.values()], f"{title}: solutions", most, numbers, [])
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
