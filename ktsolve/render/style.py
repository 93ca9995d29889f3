"""How a picture is to look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ktsolve.errors import BadInput
from ktsolve.ground.notation import shown
from ktsolve.render.heat import Heat
from ktsolve.render.theme import THEMES, Theme, named_theme

if TYPE_CHECKING:
    from ktsolve.problem.problem import TourProblem

__all__ = ["LINES", "MOST_DETAILS", "Look"]

LINES = ("straight", "smooth", "none")
"""How the path is drawn."""

MOST_DETAILS = 10_000
"""Cells up to which numbers, curves, angles, crossings and parts are drawn: more are a grey mass."""


@dataclass(frozen=True, kw_only=True)
class Look:
    """What is shown of a tour, and in which colours. What is None depends on the board's size.

    Parameters
    ----------
    theme:
        One of :data:`ktsolve.render.theme.THEMES`.
    path:
        One of :data:`LINES`.
    numbers, coordinates:
        Step numbers in the cells (default: up to 20x20); names of files and ranks.
    gradient:
        Colours along the path; by default unless values or parts have the colours.
    ends:
        Mark the first cell, and the last of an open tour.
    symmetry:
        Show axes and centres of the tour's own symmetries, and the parts they carry into each other.
    crossings, angles:
        Mark where moves cross; mark each cell by the angle of the tour there. Not on wrapped boards, and not
        with a smooth path.
    accessibility:
        In the cells that are still free, the number of free cells that they reach; see ``after``.
    after:
        Draw the walk after so many steps only.
    knight:
        Show the knight on the last cell drawn; by default if the walk is not at its end.
    heat:
        Values of cells, as colours.
    problem:
        A question whose given cells, required and forbidden moves are marked.
    caption:
        A line above the board.

    Raises
    ------
    BadInput
        For unknown names and numbers that make no sense.
    """

    theme: str = "light"
    path: str = "straight"
    numbers: bool | None = None
    coordinates: bool | None = None
    gradient: bool | None = None
    ends: bool = True
    symmetry: bool = False
    crossings: bool = False
    angles: bool = False
    accessibility: bool = False
    after: int | None = None
    knight: bool | None = None
    heat: Heat | None = None
    problem: TourProblem | None = None
    caption: str = ""

    def __post_init__(self) -> None:
        if self.theme not in THEMES:
            named_theme(self.theme)
        if self.path not in LINES:
            raise BadInput(f"path {shown(self.path)} is unknown: use {', '.join(LINES)}")
        if self.path == "smooth" and (self.crossings or self.angles):
            raise BadInput("crossings and angles are those of straight moves: draw the path straight")
        if self.after is not None and self.after < 0:
            raise BadInput(f"a walk cannot be drawn after {self.after} steps: give 0 or more")

    @property
    def colours(self) -> Theme:
        """The theme itself."""
        return THEMES[self.theme]

    def refuse_crowds(self, cells: int, *, characters: bool = False) -> None:
        """Raise BadInput if details are asked for that a board of so many cells cannot show."""
        if cells <= MOST_DETAILS:
            return
        asked = {
            "cells in characters": characters,
            "numbers": bool(self.numbers),
            "a smooth path": self.path == "smooth",
            "parts of a symmetric tour": self.symmetry,
            "crossings": self.crossings,
            "angles": self.angles,
            "accessibility": self.accessibility,
            "values": self.heat is not None,
        }
        for name, wanted in asked.items():
            if wanted:
                raise BadInput(
                    f"{name} are drawn on at most {MOST_DETAILS:,} cells, and this board has {cells:,}: "
                    "draw its path alone, as .svg or .png"
                )
