"""Pictures of puzzles of kinds and their solutions."""

from __future__ import annotations

from dataclasses import dataclass

from ktsolve.grids.puzzle import GridPuzzle, GridSolution
from ktsolve.render.scene.shapes import Group, Scene, Shape, Text
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.theme import named_theme
from ktsolve.wings.puzzles.booklet import Booklet
from ktsolve.wings.puzzles.drawing import Pen
from ktsolve.wings.puzzles.files import Named
from ktsolve.wings.puzzles.kind import Kind

__all__ = ["GridPuzzles", "puzzle_scene"]

_MARGIN, _GAP, _ABOVE = 14.0, 40.0, 30.0


@dataclass(frozen=True)
class GridPuzzles(Booklet):
    """Puzzles of kinds as the subject of a picture, with the solutions that are known.

    A solution may be drawn beside its puzzle.
    """

    puzzles: tuple[Named, ...]
    known: tuple[GridSolution | None, ...]
    beside: bool = False

    def heading(self) -> str:
        """Return the title of a sheet or booklet."""
        titles = {f"{each.kind.title} of {each.puzzle.size}" for each in self.puzzles}
        return titles.pop() if len(titles) == 1 else "Puzzles"

    def scenes(self, style: Style) -> list[Scene]:
        """Return the puzzles, each with its solution if that is drawn beside."""
        caption = style.caption if len(self.puzzles) == 1 else ""
        return [
            puzzle_scene(
                each.kind, each.puzzle, known if self.beside else None, theme=style.theme, caption=caption
            )
            for each, known in zip(self.puzzles, self.known, strict=True)
        ]

    def solutions(self, style: Style) -> list[Scene]:
        """Return the solutions that are known."""
        return [
            puzzle_scene(each.kind, each.puzzle, known, theme=style.theme, alone=True)
            for each, known in zip(self.puzzles, self.known, strict=True)
            if known is not None
        ]


def puzzle_scene(
    kind: Kind,
    puzzle: GridPuzzle,
    solution: GridSolution | None = None,
    *,
    theme: str = "print",
    caption: str = "",
    alone: bool = False,
) -> Scene:
    r"""The picture of a puzzle; with a solution both side by side, or the solution ``alone``.

    >>> from ktsolve.wings.puzzles.kinds import KINDS
    >>> puzzle_scene(KINDS["slitherlink"], GridPuzzle.read("3 .\n. 0")).title
    'Slitherlink of 2x2'
    """
    colours = named_theme(theme)
    top = _MARGIN + (_ABOVE if caption else 0)
    shapes: list[Shape] = []
    left, bottom = _MARGIN, top
    for drawn in [solution] if alone or solution is None else [None, solution]:
        pen = Pen(puzzle, colours, left, top)
        kind.draw(pen, puzzle, drawn)
        shapes.append(Group("puzzle" if drawn is None else "solution", pen.shapes))
        left, bottom = left + pen.width + _GAP, top + pen.height
    width, height = left - _GAP + _MARGIN, bottom + _MARGIN
    if caption:
        shapes.append(Text(width / 2, _MARGIN + 8, caption, 16, colours.ink))
    title = f"{kind.title} of {puzzle.size}"
    description = f"{title} with {len(puzzle.clues)} clues. {kind.rules}"
    pixels = min(max(width, height), 1400.0)
    return Scene(width, height, title, description, colours.background, tuple(shapes), pixels)
