"""Pictures as files: what is drawn, in the format that the ending of a name says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import PurePath

from ktsolve.errors import BadInput
from ktsolve.ground.tour import Tour
from ktsolve.render.animation import ANIMATED, animation
from ktsolve.render.bands import digits_scene
from ktsolve.render.downsampled import visits_png
from ktsolve.render.heat import named_heat
from ktsolve.render.picture import board_scene, tour_scene
from ktsolve.render.raster import png
from ktsolve.render.scene import Scene
from ktsolve.render.sheet import check_number, sheet_scene
from ktsolve.render.style import MOST_DETAILS, Style
from ktsolve.render.subjects import Counts, Digits, Tours, Visits
from ktsolve.render.svg import scene_svg
from ktsolve.render.text import text_drawing

__all__ = ["ENDINGS", "MOST_CELLS", "Paper", "ending_of", "picture_file"]

MOST_CELLS = 4_000_000
"""Cells of one picture: the SVG of as many has 16 MB, and a PNG two pixels for each."""

ENDINGS = ("svg", "png", "gif", "apng", "html", "txt")
"""Endings of the files that can be drawn."""


@dataclass(frozen=True, kw_only=True)
class Paper:
    """What a picture is drawn on; None is left to the format.

    Attributes
    ----------
    ending:
        One of :data:`ENDINGS`.
    pixels:
        The longer side of a PNG, GIF or APNG.
    frames, speed:
        Of a GIF or APNG: number of frames, steps a second.
    columns:
        Pictures in a row of a sheet.
    """

    ending: str
    pixels: int | None = None
    frames: int | None = None
    speed: float | None = None
    columns: int | None = None

    def __post_init__(self) -> None:
        for name, value, endings in (
            ("a size in pixels", self.pixels, ("png", *ANIMATED)),
            ("a number of frames", self.frames, ANIMATED),
            ("a speed", self.speed, ANIMATED),
        ):
            if value is not None and self.ending not in endings:
                wanted = " or ".join(f".{each}" for each in endings)
                raise BadInput(f"{name} belongs to {wanted}, not .{self.ending}")
        if self.columns is not None and self.columns < 1:
            raise BadInput(f"a sheet has at least 1 picture in a row, not {self.columns}")


def ending_of(name: str) -> str:
    """The format that a file's name asks for.

    >>> ending_of("tours/first.SVG")
    'svg'
    """
    ending = PurePath(name).suffix.removeprefix(".").lower()
    if ending not in ENDINGS:
        wanted = ", ".join(f".{each}" for each in ENDINGS)
        raise BadInput(f"{name}: a picture ends with one of {wanted}")
    return ending


def picture_file(
    subject: Tours | Counts | Digits | Visits, style: Style, paper: Paper, *, heat: str | None = None
) -> bytes:
    """The whole file.

    Parameters
    ----------
    heat:
        Values of each tour's cells by name (see :data:`ktsolve.render.heat.HEATS`).

    Raises
    ------
    BadInput
        If this cannot be drawn so, with what can.
    """
    if isinstance(subject, Tours) and heat == "visit" and paper.ending == "png":
        subject = _large_as_visits(subject)
    if isinstance(subject, Visits):
        return _visits(subject, style, paper)
    if isinstance(subject, Tours):
        styles = [style if heat is None else replace(style, heat=named_heat(heat, t)) for t in subject.tours]
        return _tours_file(subject, styles, paper)
    if heat is not None:
        raise BadInput(f"heat {heat} is about a tour, and the input holds none")
    if paper.ending not in ("svg", "png"):
        if isinstance(subject, Counts) and paper.ending == "txt":
            shown = replace(style, heat=subject.heat)
            return _lines(text_drawing(Tour(subject.board, ()), shown))
        raise BadInput(f"counts and sudoku are drawn as .svg or .png, not .{paper.ending}")
    if isinstance(subject, Counts):
        shown = replace(style, heat=subject.heat, caption=style.caption or subject.title)
        return _still(board_scene(subject.board, shown), paper)
    scenes = [
        digits_scene(digits, subject.box, theme=style.theme, caption=words) for digits, words in subject.grids
    ]
    return _still(_page(scenes, style, paper, subject.title), paper)


def _large_as_visits(subject: Tours) -> Tours | Visits:
    """One tour of so many cells that their values are pixels, no more."""
    from ktsolve.ground.arrays import steps_of_tour

    (tour, *others) = subject.tours
    if others or len(tour.board) <= MOST_DETAILS or len(tour) < tour.board.rows * tour.board.columns:
        return subject
    return Visits(steps_of_tour(tour))


def _visits(subject: Visits, style: Style, paper: Paper) -> bytes:
    rows, columns = subject.steps.shape
    if paper.ending != "png":
        raise BadInput(f"the visits of {rows}x{columns} are drawn as .png, not .{paper.ending}")
    style.check_size(rows * columns)
    if style.caption or style.coordinates or style.problem is not None or style.after is not None:
        raise BadInput(f"the visits of {rows}x{columns} are drawn without words, marks and unfinished walks")
    return visits_png(subject.steps, theme=style.theme, pixels=paper.pixels)


def _tours_file(subject: Tours, styles: list[Style], paper: Paper) -> bytes:
    tours = subject.tours
    if paper.ending == "html":
        return _player(subject)
    if paper.ending == "txt":
        return _lines("\n\n".join(text_drawing(t, style) for t, style in zip(tours, styles, strict=True)))
    if paper.ending in ANIMATED:
        if len(tours) != 1:
            raise BadInput(f"an animation shows one tour, and the input holds {len(tours)}: give one")
        return animation(
            tours[0],
            styles[0],
            ending=paper.ending,
            frames=paper.frames,
            speed=paper.speed,
            pixels=paper.pixels,
        )
    if len(tours) == 1:
        drawn = tour_scene if tours[0].squares else lambda tour, style: board_scene(tour.board, style)
        return _still(drawn(tours[0], styles[0]), paper)
    check_number(len(tours))
    cells = sum(len(tour.board) for tour in tours)
    if cells > 1_000_000:
        raise BadInput(f"a sheet shows at most 1,000,000 cells, not {cells:,}: give fewer tours")
    # The caption belongs to the page.
    scenes = [tour_scene(tour, replace(style, caption="")) for tour, style in zip(tours, styles, strict=True)]
    kinds = {("closed" if tour.closed else "open", str(tour.board)) for tour in tours}
    title = f"{len(tours)} tours"
    if len(kinds) == 1:
        ((kind, board),) = kinds
        title = f"{len(tours)} {kind} tours of {board}"
    return _still(_page(scenes, styles[0], paper, title), paper)


def _page(scenes: list[Scene], style: Style, paper: Paper, title: str) -> Scene:
    if len(scenes) == 1:
        return scenes[0]
    return sheet_scene(scenes, style.caption or title, theme=style.theme, columns=paper.columns)


def _still(scene: Scene, paper: Paper) -> bytes:
    return png(scene, paper.pixels) if paper.ending == "png" else scene_svg(scene).encode()


def _lines(text: str) -> bytes:
    return (text + "\n").encode()


def _player(subject: Tours) -> bytes:
    if not any(tour.squares for tour in subject.tours):
        raise BadInput("the player walks a tour, and there is none: give a file with one")
    try:
        player = import_module("ktsolve.render.player")
    except ModuleNotFoundError:
        wanted = ", ".join(f".{each}" for each in ENDINGS if each != "html")
        raise BadInput(f"this ktsolve has no player: draw {wanted}") from None
    walks = {"non_crossing" if subject.uncrossed else "tours": subject.tours}
    page: str = player.player_html(**walks)
    return page.encode()
