"""Pictures as files, in the format of a file's suffix."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.formats.table import Format, format_named, format_of_suffix
from ktsolve.render.scene.pdf import pdf
from ktsolve.render.scene.raster import png
from ktsolve.render.scene.shapes import Scene
from ktsolve.render.scene.sheet import sheet_scene, text_on_sheet
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.svg import scene_svg
from ktsolve.render.scene.tikz import tikz
from ktsolve.render.subject import PICTURE_FORMATS, PictureOptions, Subject

__all__ = ["MOST_CELLS", "PictureOptions", "picture_file", "picture_format", "still_file"]

MOST_CELLS = 4_000_000
"""Cells of one picture: the SVG of as many has 16 MB, and a PNG two pixels for each."""

_VECTORS: dict[str, Callable[[Scene], bytes]] = {
    "svg": lambda scene: scene_svg(scene).encode(),
    "pdf": pdf,
    "tikz": lambda scene: tikz(scene).encode(),
}
"""The writers of one picture as lines and text."""

_READABLE = 6.5
"""Least size of text on a sheet, in pixels of a screen."""

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

    - ``heat``: values of each tour's cells by name (see :data:`ktsolve.render.boards.heat.HEATS`)

    Raises BadInput if the subject cannot be drawn so, with what can be.
    """
    name = options.form.name
    if style.theme == "auto" and name in ("pdf", "tikz", "png", "gif", "apng"):
        raise BadInput(f"theme auto is for .svg, which adapts to its reader, not .{name}: use light")
    if heat is not None:
        subject = subject.heated(heat)
    file = subject.file(style, options)
    if file is None:
        file = still_file(_page(subject, style, options.columns), options.form, options.pixels)
    return file


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
    return sheet_scene(scenes, style.caption or subject.heading(), theme=style.theme, columns=columns)


def still_file(scene: Scene, form: Format, pixels: int | None = None) -> bytes:
    """The file of any scene as SVG, PDF, TikZ or PNG, which has that many pixels on its longer side."""
    return png(scene, pixels) if form.name == "png" else _VECTORS[form.name](scene)
