"""Pictures of sudoku bands and grids."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.text import number_of
from ktsolve.grids.box import Box, Grid
from ktsolve.render.booklet import Booklet
from ktsolve.render.scene.lettering import fitting
from ktsolve.render.scene.shapes import Group, PathShape, Rect, Scene, Shape, Strand, Text
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.theme import named_theme
from ktsolve.render.subject import Source, Subject
from ktsolve.wings.sudoku.files import Given, read_sudokus
from ktsolve.wings.sudoku.puzzle import Puzzle, solutions

__all__ = ["Digits", "Sudokus", "digits_of", "digits_scene", "read_sudoku"]

_UNIT = 28
_ROW = re.compile(r"\|?[0-9A-Za-z. ]+(\|[0-9A-Za-z. ]+)+\|?")
_PLAIN = re.compile(r"[0-9A-Za-z.*_-]+")
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
    answers: tuple[Grid | None, ...]
    levels: tuple[str, ...]  # empty where it is not known

    def heading(self) -> str:
        """Return the title of a sheet or booklet."""
        side, number = self.puzzles[0].box.side, len(self.puzzles)
        return f"Sudoku {side}x{side}" if number == 1 else f"{number} sudokus {side}x{side}"

    def labels(self) -> list[str]:
        """Return kind, size and difficulty of each puzzle."""
        side = self.puzzles[0].box.side
        return [f"Sudoku {side}x{side}" + (f", {level}" if level else "") for level in self.levels]

    def rules(self) -> list[str]:
        """Return the rules."""
        box = self.puzzles[0].box
        return [f"Sudoku: Fill in digits, so that each row, column and box of {box} cells has each once."]

    def texts(self) -> list[str]:
        """Return each puzzle in characters, or its solution if that is shown."""
        return [each.draw(answer if self.answered and answer else each.clues) for each, answer in self._pairs]

    @property
    def _pairs(self) -> list[tuple[Puzzle, Grid | None]]:
        return list(zip(self.puzzles, self.answers, strict=True))

    def with_solutions(self, settings: Settings) -> Sudokus:
        """Return the puzzles with all solutions, found within the limits if they are not known."""
        clock, answers = Clock(settings), list(self.answers)
        for at, (puzzle, answer) in enumerate(self._pairs):
            if answer is None:
                within = clock.within(settings, f"{at} of {len(answers)} puzzles solved")
                found = solutions(puzzle, 1, settings=within)
                if not found:
                    raise BadInput(f"puzzle {at + 1} has no solution to draw: leave out --solution")
                answers[at] = found[0]
        return replace(self, answers=tuple(answers))

    def puzzle_scenes(self, style: Style) -> list[Scene]:
        """Return the puzzles, each with its difficulty as caption on a sheet."""
        return [
            digits_scene(each.line(each.clues), each.box, theme=style.theme, caption=style.caption)
            for each in self.puzzles
        ]

    def solution_scenes(self, style: Style) -> list[Scene | None]:
        """Return the scene of each solution, None where it is not known."""
        return [
            None if answer is None else digits_scene(each.line(answer), each.box, theme=style.theme)
            for each, answer in self._pairs
        ]


def digits_scene(
    digits: str,
    box: Box,
    *,
    theme: str = "light",
    caption: str = "",
    fills: Mapping[int, str] | None = None,
    inks: Mapping[int, str] | None = None,
) -> Scene:
    """Return the picture of some rows of a sudoku grid, with thick lines around boxes.

    The digits are the cells row by row, ``.`` for an empty one. ``fills`` and ``inks`` are the colours of
    cells, and of their digits, where they are others than usual.

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
    for number, colour in (fills or {}).items():
        r, c = divmod(number, side)
        shapes.append(Rect(margin + c * _UNIT, top + r * _UNIT, _UNIT, _UNIT, colour))
    for number, digit in enumerate(digits):
        r, c = divmod(number, side)
        if digit != ".":
            x, y = margin + (c + 0.5) * _UNIT, top + (r + 0.5) * _UNIT
            ink = (inks or {}).get(number)
            texts.append(Text(x, y, digit, 0.6 * _UNIT, ink or colours.ink, bold=ink is not None))
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


def read_sudoku(source: Source) -> Digits | Sudokus | None:
    r"""Read sudokus with lines around boxes, or the JSON of ``ktsolve sudoku``; None for other texts.

    Of a text that was refused as tours it takes grids without such lines and without spaces, too.

    >>> read_sudoku(Source("1.|34\n..|..\n--+--\n21|..\n..|..", {})).labels()
    ['Sudoku 4x4']
    """
    if data := source.data:
        if not isinstance(data.get("box"), str):
            return None
        # What ``ktsolve sudoku solve`` prints has the solution as its grid, which is what is drawn.
        if "classes" in data or "." not in data.get("grid", "."):
            return digits_of(data)
        listed = data.get("puzzles", [data])
        return _sudokus(read_sudokus(source.text), [str(each.get("difficulty", "")) for each in listed])
    lines = [line.strip() for line in source.text.strip("\ufeff \t\r\n").splitlines() if line.strip()]
    framed = any(map(_ROW.fullmatch, lines)) and all(
        _ROW.fullmatch(line) or _LINE.fullmatch(line) for line in lines
    )
    if not framed and not (source.refused and all(map(_PLAIN.fullmatch, lines))):
        return None
    try:
        found = read_sudokus(source.text)
    except BadInput:
        if framed:
            raise
        return None
    if not all(0 in each.puzzle.clues for each in found):
        box = found[0].puzzle.box
        grids = tuple((each.puzzle.line(each.puzzle.clues), "") for each in found)
        return Digits(box, grids, f"Sudoku of boxes {box}")
    return _sudokus(found, [""] * len(found))


def _sudokus(found: Sequence[Given], levels: Sequence[str]) -> Sudokus:
    """Puzzles as read, with their levels. Raises BadInput for a solution that is wrong."""
    for number, each in enumerate(found, 1):
        if fault := each.fault():
            raise BadInput(f"the solution of puzzle {number} in the input is wrong: {fault}")
    known = tuple(each.solution for each in found)
    return Sudokus(tuple(each.puzzle for each in found), known, tuple(levels))


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
