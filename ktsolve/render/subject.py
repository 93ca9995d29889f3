"""The subject of a picture: anything with scenes, and texts that are read as one.

:mod:`ktsolve.render.files` makes files of all formats from a subject. Subjects of the core are in
:mod:`ktsolve.render.subjects`; wings have their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from ktsolve.base.errors import BadInput
from ktsolve.formats.table import Format, formats_of
from ktsolve.graphs.graph import Graph

if TYPE_CHECKING:
    from ktsolve.graphs.tour import Tour
    from ktsolve.render.scene.shapes import Scene
    from ktsolve.render.scene.style import Style

__all__ = ["PICTURE_FORMATS", "STILLS", "PictureOptions", "Reader", "Source", "Subject"]

PICTURE_FORMATS = formats_of("picture")

STILLS = ("svg", "pdf", "tikz", "png")
"""The formats of a scene."""


@dataclass(frozen=True, kw_only=True)
class PictureOptions:
    """Format and size of a picture; None is left to the format."""

    form: Format  # one of :data:`PICTURE_FORMATS`
    pixels: int | None = None  # the longer side of a PNG, GIF or APNG
    frames: int | None = None  # of a GIF or APNG
    speed: float | None = None  # of a GIF or APNG, in steps a second
    columns: int | None = None  # pictures in a row of a sheet

    def __post_init__(self) -> None:
        named = {"pixels": "a size in pixels", "frames": "a number of frames", "speed": "a speed"}
        for option, what in named.items():
            if getattr(self, option) is not None and option not in self.form.options:
                able = " or ".join(each.name for each in PICTURE_FORMATS if option in each.options)
                raise BadInput(f"{what} is an option of {able}, not of {self.form.name}")
        if self.columns is not None and self.columns < 1:
            raise BadInput(f"a sheet has at least 1 picture in a row, not {self.columns}")


class Subject:
    """What a picture shows. A subclass has scenes; everything else has a default here."""

    tours: tuple[Tour, ...] = ()

    def scenes(self, style: Style) -> Sequence[Scene]:
        """Return the scenes in a style; several are drawn on a sheet, which has the caption of the style."""
        raise NotImplementedError

    def heading(self) -> str:
        """Return the title of a sheet, or of the scene; empty where the scene's own title is right."""
        return ""

    def ground(self) -> Graph | None:
        """Return the graph whose size is that of the picture, if there is one."""
        return None

    def file(self, style: Style, options: PictureOptions) -> bytes | None:
        """Return the file in a format that is not made of scenes, such as text; None for the others.

        Raises BadInput if the subject cannot be drawn in the format, with what it can be drawn as.
        """
        if options.form.name not in STILLS:
            able = ", ".join(f".{name}" for name in STILLS[:-1]) + f" or .{STILLS[-1]}"
            raise BadInput(f"counts and puzzles are drawn as {able}, not .{options.form.name}")
        return None

    def heated(self, heat: str) -> Subject:
        """Return the subject with its cells coloured by values of a name; by default it is refused."""
        raise BadInput(f"heat {heat} is drawn on a tour, and the input holds none")

    def solved(self) -> Subject:
        """Return the solutions as a subject; by default it is refused."""
        raise BadInput("--solution is about clue puzzles, and the input holds none")

    def up_to_symmetry(self) -> Self:
        """Return the subject with one tour of each symmetry class."""
        return self


@dataclass(frozen=True)
class Source:
    """A text that is read as the subject of a picture, and the options given with it."""

    text: str
    data: dict[str, Any]  # the JSON object in it, empty if it is something else
    board: Graph | None = None
    closed: bool | None = None  # the kind of tours
    # Whether the text was read as tours, and refused. Before that a reader leaves alone what may be meant as
    # a tour.
    refused: bool = False


Reader = Callable[[Source], Subject | None]
"""A function that reads a subject; it returns None for other texts."""
