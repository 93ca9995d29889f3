"""The subject of a picture: anything with scenes. Its files in all formats, and texts that are read as one.

Subjects of the core are in :mod:`ktsolve.render.subjects`; wings have their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from ktsolve.base.errors import BadInput
from ktsolve.formats.table import Format, format_named, format_of_suffix, formats_of
from ktsolve.graphs.graph import Graph
from ktsolve.render.scene.pdf import pdf
from ktsolve.render.scene.raster import png
from ktsolve.render.scene.shapes import Scene
from ktsolve.render.scene.sheet import on_paper, sheet_scene, text_on_sheet
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.svg import scene_svg
from ktsolve.render.scene.tikz import tikz

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.graphs.tour import Tour

__all__ = [
    "MOST_CELLS",
    "PICTURE_FORMATS",
    "STILLS",
    "PictureOptions",
    "Reader",
    "Source",
    "Subject",
    "picture_file",
    "picture_format",
    "scene_file",
    "still_file",
]

PICTURE_FORMATS = formats_of("picture")

STILLS = ("svg", "pdf", "tikz", "png")  # the formats of a scene


@dataclass(frozen=True, kw_only=True)
class PictureOptions:
    """Format and size of a picture; None is left to the format."""

    form: Format  # one of :data:`PICTURE_FORMATS`
    pixels: int | None = None  # the longer side of a PNG, GIF or APNG
    frames: int | None = None  # of a GIF or APNG
    speed: float | None = None  # of a GIF or APNG, in steps a second
    columns: int | None = None  # pictures in a row of a sheet
    paper: tuple[float, float] | None = None  # width and height of the pages of a PDF, in pixels
    length: float | None = None  # of the longer side of a picture, in pixels of a screen
    width: int | None = None  # columns of the terminal that a text goes to
    colours: int = 0  # that the terminal has

    def __post_init__(self) -> None:
        named = {"pixels": "a size in pixels", "frames": "a number of frames", "speed": "a speed"}
        for option, what in named.items():
            if getattr(self, option) is not None and option not in self.form.options:
                able = " or ".join(each.name for each in PICTURE_FORMATS if option in each.options)
                raise BadInput(f"{what} is an option of {able}, not of {self.form.name}")
        if self.paper is not None and self.form.name != "pdf":
            raise BadInput(f"paper is about .pdf, not .{self.form.name}")
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

    def solved(self, settings: Settings) -> Subject:
        """Return the solutions as a subject; by default it is refused."""
        raise BadInput("--solution is about puzzles, and the input holds other things")

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


MOST_CELLS = 4_000_000  # cells of one picture: the SVG of as many has 16 MB, and a PNG two pixels for each

_VECTORS: dict[str, Callable[[Scene], bytes]] = {
    "svg": lambda scene: scene_svg(scene).encode(),
    "pdf": pdf,
    "tikz": lambda scene: tikz(scene).encode(),
}
"""The writers of one picture as lines and text."""

_READABLE = 6.5  # least size of text on a sheet, in pixels of a screen

_SMALL_TEXTS = {"numbers": ("numbers",), "coordinates": ("coordinates", "names")}
"""The groups of texts that a detail of a style shows by default."""


def picture_format(output: str | None) -> Format:
    """The format of a picture by the suffix of its file; text on standard output.

    >>> picture_format("tours/first.SVG").name, picture_format("-").name
    ('svg', 'text')
    """
    if output in (None, "-"):
        return format_named("text", PICTURE_FORMATS)
    form = format_of_suffix(output, PICTURE_FORMATS)
    if form is None:
        suffixes = ", ".join(f".{suffix}" for each in PICTURE_FORMATS for suffix in each.suffixes)
        raise BadInput(f"{output}: the suffix of a picture is one of {suffixes}")
    return form


def picture_file(
    subject: Subject, style: Style, options: PictureOptions, *, heat: str | None = None
) -> bytes:
    """The file of a picture.

    - ``heat``: values of each tour's cells by name (see ``ktsolve.render.boards.heat.HEATS``)

    Raises BadInput if the subject cannot be drawn so, with what can be.
    """
    name = options.form.name
    if style.theme == "auto" and name in ("pdf", "tikz", "png", "gif", "apng"):
        raise BadInput(f"theme auto is for .svg, which adapts to its reader, not .{name}: use light")
    if heat is not None:
        subject = subject.heated(heat)
    file = subject.file(style, options)
    if file is None:
        file = scene_file(_page(subject, style, options.columns), style, options)
    return file


def scene_file(scene: Scene, style: Style, options: PictureOptions) -> bytes:
    """The file of a scene with the title, the size and the paper that are asked for."""
    scene = replace(scene, title=style.title or scene.title, pixels=options.length or scene.pixels)
    if options.paper is not None:
        scene = on_paper(scene, options.paper)
    return still_file(scene, options.form, options.pixels)


def _page(subject: Subject, style: Style, columns: int | None) -> Scene:
    """The scene of a subject, or a sheet of several."""
    scenes = subject.scenes(style)
    if len(scenes) == 1:
        return scenes[0]
    # Texts that are drawn by default are left out where they would be too small to be read.
    hidden: dict[str, Any] = {
        detail: False
        for detail, names in _SMALL_TEXTS.items()
        if getattr(style, detail) is None
        and any(text_on_sheet(scenes, name, columns) < _READABLE for name in names)
    }
    if hidden:
        scenes = subject.scenes(replace(style, **hidden))
    heading = style.caption or style.title or subject.heading()
    return sheet_scene(scenes, heading, theme=style.theme, columns=columns)


def still_file(scene: Scene, form: Format, pixels: int | None = None) -> bytes:
    """The file of any scene as SVG, PDF, TikZ or PNG, which has that many pixels on its longer side."""
    return png(scene, pixels) if form.name == "png" else _VECTORS[form.name](scene)
