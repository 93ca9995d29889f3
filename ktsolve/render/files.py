"""Pictures as files, in the format of a file's suffix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.text import number_of, plural
from ktsolve.formats.table import Format, format_named, format_of_suffix, formats_of
from ktsolve.graphs.board import Board, needs_board
from ktsolve.graphs.step_arrays import array_of_tour
from ktsolve.graphs.tour import Tour
from ktsolve.render.bands import digits_scene
from ktsolve.render.boards.animation import animation
from ktsolve.render.boards.composition import in_title
from ktsolve.render.boards.downsampled import visits_png
from ktsolve.render.boards.heat import named_heat
from ktsolve.render.boards.text import text_drawing
from ktsolve.render.booklet import booklet
from ktsolve.render.clue_picture import clue_scene, clue_solution_scene
from ktsolve.render.graphs.picture import graph_positions
from ktsolve.render.picture import ground_scene, tour_scene
from ktsolve.render.player import player_html
from ktsolve.render.puzzle_subjects import Digits, Puzzles
from ktsolve.render.scene.pdf import pdf, pdf_pages
from ktsolve.render.scene.raster import png
from ktsolve.render.scene.shapes import Scene
from ktsolve.render.scene.sheet import check_number, sheet_scene, text_on_sheet
from ktsolve.render.scene.style import MOST_DETAILS, Style
from ktsolve.render.scene.svg import scene_svg
from ktsolve.render.scene.tikz import tikz
from ktsolve.render.subject import Drawable
from ktsolve.render.subjects import Counts, Tours, Visits

__all__ = [
    "MOST_CELLS",
    "PICTURE_FORMATS",
    "PictureOptions",
    "picture_file",
    "picture_format",
    "puzzle_file",
    "still_file",
]

MOST_CELLS = 4_000_000
"""Cells of one picture: the SVG of as many has 16 MB, and a PNG two pixels for each."""

PICTURE_FORMATS = formats_of("picture")

_VECTORS: dict[str, Callable[[Scene], bytes]] = {
    "svg": lambda scene: scene_svg(scene).encode(),
    "pdf": pdf,
    "tikz": lambda scene: tikz(scene).encode(),
}
"""The writers of one picture as lines and text."""

_STILLS = (*_VECTORS, "png")

_READABLE = 6.5
"""Least size of text on a sheet, in pixels of a screen."""

_SMALL_TEXTS = {"numbers": ("numbers",), "coordinates": ("coordinates", "names")}
"""The groups of texts that a detail of a style shows by default."""


@dataclass(frozen=True, kw_only=True)
class PictureOptions:
    """Format and size of a picture; None is left to the format.

    Attributes
    ----------
    form:
        One of :data:`PICTURE_FORMATS`.
    pixels:
        The longer side of a PNG, GIF or APNG.
    frames, speed:
        Of a GIF or APNG: number of frames, steps a second.
    columns:
        Pictures in a row of a sheet.
    """

    form: Format
    pixels: int | None = None
    frames: int | None = None
    speed: float | None = None
    columns: int | None = None

    def __post_init__(self) -> None:
        named = {"pixels": "a size in pixels", "frames": "a number of frames", "speed": "a speed"}
        for option, what in named.items():
            if getattr(self, option) is not None and option not in self.form.options:
                able = " or ".join(each.name for each in PICTURE_FORMATS if option in each.options)
                raise BadInput(f"{what} is an option of {able}, not of {self.form.name}")
        if self.columns is not None and self.columns < 1:
            raise BadInput(f"a sheet has at least 1 picture in a row, not {self.columns}")


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
    subject: Tours | Counts | Digits | Visits | Puzzles | Drawable,
    style: Style,
    options: PictureOptions,
    *,
    heat: str | None = None,
) -> bytes:
    """The file of a picture.

    Parameters
    ----------
    heat:
        Values of each tour's cells by name (see :data:`ktsolve.render.boards.heat.HEATS`).

    Raises
    ------
    BadInput
        If the subject cannot be drawn so, with what can be.
    """
    if style.theme == "auto" and options.form.name in (*_STILLS[1:], "gif", "apng"):
        raise BadInput(
            f"theme auto is for .svg, which adapts to its reader, not .{options.form.name}: use light"
        )
    if isinstance(subject, Tours) and heat == "visit" and options.form.name == "png":
        subject = _large_as_visits(subject)
    if isinstance(subject, Visits):
        return _visits(subject, style, options)
    if isinstance(subject, Puzzles):
        if options.form.name == "text":
            return ("\n\n".join(map(str, subject.puzzles)) + "\n").encode()
        return _clue_puzzles(subject, style, options)
    if isinstance(subject, Tours):
        for tour in subject.tours if heat is not None else ():
            needs_board(tour.ground, f"heat {heat}")
        styles = [style if heat is None else replace(style, heat=named_heat(heat, t)) for t in subject.tours]
        return _tours_file(subject, styles, options)
    if heat is not None:
        raise BadInput(f"heat {heat} is drawn on a tour, and the input holds none")
    if options.form.name not in _STILLS:
        if isinstance(subject, Counts) and options.form.name == "text":
            shown = replace(style, heat=subject.heat)
            return (text_drawing(Tour(subject.board, ()), shown) + "\n").encode()
        raise BadInput(f"counts and puzzles are drawn as {_listed(_STILLS)}, not .{options.form.name}")
    if isinstance(subject, Counts):
        shown = replace(style, heat=subject.heat, caption=style.caption or subject.title)
        return _still(ground_scene(subject.board, shown), options)
    if not isinstance(subject, Digits):
        return _still(_page(subject.scenes(style), style, options, ""), options)
    scenes = [
        digits_scene(digits, subject.box, theme=style.theme, caption=words) for digits, words in subject.grids
    ]
    return _still(_page(scenes, style, options, subject.title), options)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f".{name}" for name in names[:-1]) + f" or .{names[-1]}"


def _large_as_visits(subject: Tours) -> Tours | Visits:
    """The visits of one tour of so many cells that each is a pixel."""
    (tour, *others) = subject.tours
    if others or len(tour.ground) <= MOST_DETAILS or len(tour) < tour.board.rows * tour.board.columns:
        return subject
    return Visits(array_of_tour(tour).steps)


def _visits(subject: Visits, style: Style, options: PictureOptions) -> bytes:
    rows, columns = subject.steps.shape
    if options.form.name != "png":
        raise BadInput(f"the visits of {rows}x{columns} are drawn as .png, not .{options.form.name}")
    style.check_size(rows * columns)
    if style.caption or style.coordinates or style.problem is not None or style.after is not None:
        raise BadInput(
            f"the visits of {rows}x{columns} are drawn without captions, marks and unfinished walks"
        )
    return visits_png(subject.steps, theme=style.theme, pixels=options.pixels)


def _tours_file(subject: Tours, styles: list[Style], options: PictureOptions) -> bytes:
    tours = subject.tours
    if options.form.name == "html":
        if not any(tour.squares for tour in tours):
            raise BadInput("the player plays a tour, and the input holds none: give a file with one")
        return (player_html(non_crossing=tours) if subject.non_crossing else player_html(tours)).encode()
    if options.form.name == "text":
        for tour in tours:
            needs_board(tour.ground, "a drawing in characters (give -o FILE.svg)")
        drawings = [text_drawing(tour, style) for tour, style in zip(tours, styles, strict=True)]
        return ("\n\n".join(drawings) + "\n").encode()
    if "frames" in options.form.options:
        if len(tours) != 1:
            raise BadInput(f"an animation shows one tour, and the input holds {len(tours)}: give one")
        return animation(
            tours[0],
            styles[0],
            ending=options.form.name,
            frames=options.frames,
            speed=options.speed,
            pixels=options.pixels,
        )
    cells = sum(len(tour.ground) for tour in tours)
    if options.form.name == "tikz" and cells > MOST_DETAILS:
        raise BadInput(
            f"TikZ files have at most {MOST_DETAILS:,} cells, and this has {cells:,}: draw it as .pdf"
        )
    if len(tours) == 1:
        return _still(_scene(tours[0], styles[0]), options)
    check_number(len(tours))
    if cells > 1_000_000:
        raise BadInput(f"a sheet shows at most 1,000,000 cells, not {cells:,}: give fewer tours")
    first = styles[0]
    # The caption belongs to the page. Tours of one graph are drawn with the same positions.
    placed = {
        tour.ground: graph_positions(tour, styles[0])
        for tour in reversed(tours)
        if not isinstance(tour.ground, Board)
    }
    styles = [
        replace(style, caption="", positions=placed.get(tour.ground))
        for tour, style in zip(tours, styles, strict=True)
    ]
    scenes = [_scene(tour, style) for tour, style in zip(tours, styles, strict=True)]
    # Texts that are drawn by default are left out where they would be too small to be read.
    hidden: dict[str, Any] = {
        detail: False
        for detail, names in _SMALL_TEXTS.items()
        if getattr(styles[0], detail) is None
        and any(text_on_sheet(scenes, name, options.columns) < _READABLE for name in names)
    }
    if hidden:
        scenes = [_scene(t, replace(style, **hidden)) for t, style in zip(tours, styles, strict=True)]
    if not any(tour.squares for tour in tours):
        return _still(_page(scenes, first, options, number_of(len(tours), "graph")), options)
    kinds = {("closed" if tour.closed else "open", in_title(tour.ground)) for tour in tours}
    title = f"{len(tours)} {plural(len(tours), 'tour')}"
    if len(kinds) == 1:
        ((kind, board),) = kinds
        title = f"{len(tours)} {kind} {plural(len(tours), 'tour')} of {board}"
    return _still(_page(scenes, first, options, title), options)


def _scene(tour: Tour, style: Style) -> Scene:
    return tour_scene(tour, style) if tour.squares else ground_scene(tour.ground, style)


def _page(scenes: list[Scene], style: Style, options: PictureOptions, title: str) -> Scene:
    if len(scenes) == 1:
        return scenes[0]
    return sheet_scene(scenes, style.caption or title, theme=style.theme, columns=options.columns)


def _still(scene: Scene, options: PictureOptions) -> bytes:
    return still_file(scene, options.form, options.pixels)


def puzzle_file(
    puzzles: Sequence[Scene],
    solutions: Sequence[Scene],
    title: str,
    options: PictureOptions,
    *,
    theme: str = "light",
    solved: bool = False,
) -> bytes:
    """The file of pictures of puzzles.

    A PDF has pages of puzzles, and at the end the solutions that are known. Other formats show one picture,
    or a sheet of several.

    Parameters
    ----------
    puzzles, solutions:
        As many of these as of those, or no solutions.
    title:
        Of a sheet or a booklet.
    solved:
        Show the solutions alone.

    Raises
    ------
    BadInput
        If there are no solutions to show, or the format shows no still pictures.
    """
    if options.form.name not in _STILLS:
        raise BadInput(f"puzzles are drawn as {_listed(_STILLS)}, not .{options.form.name}")
    if solved and not solutions:
        raise BadInput("the input holds no solutions: ktsolve clues solve finds them")
    if options.form.name == "pdf":
        pages = booklet(solutions if solved else puzzles, () if solved else solutions, title, theme=theme)
        return pdf_pages(pages)
    shown = solutions if solved else puzzles
    page = shown[0] if len(shown) == 1 else sheet_scene(shown, title, theme=theme, columns=options.columns)
    return _still(page, options)


def _clue_puzzles(subject: Puzzles, style: Style, options: PictureOptions) -> bytes:
    puzzles, title = subject.puzzles, style.caption or subject.title
    alone = replace(style, caption="") if len(puzzles) > 1 else style
    known = all(puzzle.solution is not None for puzzle in puzzles)
    return puzzle_file(
        [clue_scene(puzzle, alone) for puzzle in puzzles],
        [clue_solution_scene(puzzle, alone) for puzzle in puzzles] if known else [],
        title,
        options,
        theme=style.theme,
        solved=subject.solved,
    )


def still_file(scene: Scene, form: Format, pixels: int | None = None) -> bytes:
    """The file of any scene as SVG, PDF, TikZ or PNG, this with so many pixels on its longer side."""
    return png(scene, pixels) if form.name == "png" else _VECTORS[form.name](scene)
