"""Pictures of sudoku bands and grids."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.text import number_of
from ktsolve.grids.box import Box, Grid
from ktsolve.grids.sudoku_text import read_grids
from ktsolve.render.booklet import Booklet
from ktsolve.render.scene.lettering import fitting
from ktsolve.render.scene.shapes import Group, PathShape, Rect, Scene, Shape, Strand, Text
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.theme import named_theme
from ktsolve.render.subject import Source, Subject
from ktsolve.wings.sudoku.puzzle import Puzzle

__all__ = ["Digits", "Sudokus", "digits_of", "digits_scene", "read_sudoku"]

_UNIT = 28
_ROW = re.compile(r"\|?[0-9A-Za-z. ]+(\|[0-9A-Za-z. ]+)+\|?")
_LINE = re.compile(r"[-+*|]*--[-+*|]*")


@dataclass(frozen=True)
class Digits(Subject):
    """Bands or grids of sudoku, each with a caption."""

    box: Box
    grids: tuple[tuple[str, str], ...]
    title: str

    def heading(self) -> str:
        """Return the title of a sheet."""
        return self.title

    def scenes(self, style: Style) -> list[Scene]:
        """Return a scene for each band or grid."""
        alone = style.caption if len(self.grids) == 1 else ""
        return [
            digits_scene(digits, self.box, theme=style.theme, caption=text or alone)
            for digits, text in self.grids
        ]


@dataclass(frozen=True)
class Sudokus(Booklet):
    """Sudoku puzzles of one shape, with their solutions and levels of difficulty."""

    puzzles: tuple[Puzzle, ...]
    answers: tuple[Grid, ...]
    levels: tuple[str, ...]

    def heading(self) -> str:
        """Return the title of a sheet or booklet."""
        side, number = self.puzzles[0].box.side, len(self.puzzles)
        return f"Sudoku {side}x{side}" if number == 1 else f"{number} sudokus {side}x{side}"

    def labels(self) -> list[str]:
        """Return kind, size and difficulty of each puzzle."""
        side = self.puzzles[0].box.side
        return [f"Sudoku {side}x{side}, {level}" for level in self.levels]

    def rules(self) -> list[str]:
        """Return the rules."""
        box = self.puzzles[0].box
        return [f"Sudoku: Fill in digits, so that each row, column and box of {box} cells has each once."]

    def scenes(self, style: Style) -> list[Scene]:
        """Return the puzzles, each with its difficulty as caption on a sheet."""
        return [
            digits_scene(each.line(each.clues), each.box, theme=style.theme, caption=style.caption)
            for each in self.puzzles
        ]

    def solutions(self, style: Style) -> list[Scene]:
        """Return the solutions."""
        return [
            digits_scene(each.line(answer), each.box, theme=style.theme)
            for each, answer in zip(self.puzzles, self.answers, strict=True)
        ]


def digits_scene(digits: str, box: Box, *, theme: str = "light", caption: str = "") -> Scene:
    """Return the picture of some rows of a sudoku grid, with thick lines around boxes.

    The digits are the cells row by row, ``.`` for an empty one.

    >>> digits_scene("123456456123", Box.parse("2x3"), caption="class 0").title
    'Sudoku 2x6: class 0'
    """
    colours = named_theme(theme)
    side = box.rows * box.columns
    if not digits or len(digits) % side:
        raise BadInput(f"{len(digits)} digits do not fill whole rows of {side} cells")
    rows = len(digits) // side
    margin, top = 10, 34 if caption else 10
    width, height = side * _UNIT, rows * _UNIT
    shapes: list[Shape] = [Rect(margin, top, width, height, colours.light)]
    texts: list[Shape] = []
    for number, digit in enumerate(digits):
        r, c = divmod(number, side)
        if digit != ".":
            x, y = margin + (c + 0.5) * _UNIT, top + (r + 0.5) * _UNIT
            texts.append(Text(x, y, digit, 0.6 * _UNIT, colours.ink))
    for strong in (False, True):
        lines = [
            Strand((margin, top + r * _UNIT), ((margin + width, top + r * _UNIT),))
            for r in range(rows + 1)
            if (r % box.rows == 0 or r == rows) == strong
        ]
        lines += [
            Strand((margin + c * _UNIT, top), ((margin + c * _UNIT, top + height),))
            for c in range(side + 1)
            if (c % box.columns == 0) == strong
        ]
        colour, thickness = (colours.ink, 2) if strong else (colours.frame, 0.8)
        if lines:
            shapes.append(PathShape(tuple(lines), stroke=colour, stroke_width=thickness))
    shapes.append(Group("digits", texts))
    if caption:
        size = fitting(caption, 15.0, width)
        shapes.append(Text(margin, 18, caption, size, colours.faint, anchor="start"))
    title = f"Sudoku {rows}x{side}" + (f": {caption}" if caption else "")
    page = (width + 2 * margin, top + height + margin)
    return Scene(*page, title, f"{rows} rows of {side} digits.", colours.background, tuple(shapes), max(page))


def read_sudoku(source: Source) -> Digits | None:
    r"""Read grids of sudoku with lines around boxes, or the JSON of ``ktsolve sudoku``; None for other texts.

    >>> digits = read_sudoku(Source("1.|34\n..|..\n--+--\n21|..\n..|..", {}))
    >>> str(digits.box), digits.grids
    ('2x2', (('1.34....21......', ''),))
    """
    if source.data:
        return digits_of(source.data) if isinstance(source.data.get("box"), str) else None
    lines = [line.strip() for line in source.text.strip("\ufeff \t\r\n").splitlines() if line.strip()]
    if not any(map(_ROW.fullmatch, lines)) or not all(
        _ROW.fullmatch(line) or _LINE.fullmatch(line) for line in lines
    ):
        return None
    found = read_grids([(source.text, "")])
    grids = tuple((each.box.line(each.grid, each.digits), "") for each in found)
    return Digits(found[0].box, grids, f"Sudoku of boxes {found[0].box}")


def digits_of(data: Mapping[str, Any]) -> Digits:
    """Return the grid or the bands in the JSON of ``ktsolve sudoku``."""
    box = Box.parse(data["box"])
    if isinstance(data.get("grid"), str):
        return Digits(box, ((data["grid"], ""),), f"Sudoku of boxes {box}")
    grids = []
    for number, each in enumerate(data["classes"]):
        count = each.get("completions")
        caption = f"{number}: {each['bands']} bands" + (f", {count} completions" if count is not None else "")
        grids.append((str(each["representative"]), caption))
    return Digits(box, tuple(grids), f"{number_of(len(grids), 'class')} of bands, boxes {box}")
