"""``ktsolve draw``: pictures of tours, counts and bands, as SVG, PNG, GIF, HTML or text."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ktsolve.cli import options as opt
from ktsolve.cli.limits import backstop
from ktsolve.cli.output import check_writable, emit_chunks
from ktsolve.cli.problem_options import ProblemSpec, takes_problem
from ktsolve.cli.tour_input import SMALL, UNSTATED, checked_array, given_board, read_tour_file
from ktsolve.errors import BadInput
from ktsolve.formats.table import formats_of, listed

if TYPE_CHECKING:
    from ktsolve.ground.tour import Tour
    from ktsolve.problem.problem import TourProblem
    from ktsolve.render.subjects import Counts, Digits, Tours, Visits
    from ktsolve.settings import Settings

_BOARD = re.compile(r"\d+\s*[xX×]\s*\d+", re.ASCII)
_SEEN = (
    *("board", "closed", "without", "leaper", "wrap"),
    *("start", "end", "at", "clues", "require", "forbid", "structured", "corners"),
)
"""Parts of a problem that can be seen on a board."""

_PICTURE, _FILE = "What is shown", "What is written"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="draw")(draw)


@takes_problem(*_SEEN, **UNSTATED)
def draw(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE|-|BOARD",
            help="Tours in any format, JSON of other commands, or a size.",
        ),
    ],
    spec: ProblemSpec,
    theme: Annotated[
        str,
        typer.Option("--theme", metavar="NAME", help="light, dark, print or safe.", rich_help_panel=_PICTURE),
    ] = "light",
    path: Annotated[
        str,
        typer.Option("--path", metavar="straight|smooth|none", help="The path.", rich_help_panel=_PICTURE),
    ] = "straight",
    numbers: Annotated[
        bool | None,
        typer.Option("--numbers/--no-numbers", help="Step numbers.", rich_help_panel=_PICTURE),
    ] = None,
    coordinates: Annotated[
        bool | None,
        typer.Option("--coordinates/--no-coordinates", help="Files, ranks.", rich_help_panel=_PICTURE),
    ] = None,
    gradient: Annotated[
        bool | None,
        typer.Option("--gradient/--no-gradient", help="Colours along the path.", rich_help_panel=_PICTURE),
    ] = None,
    ends: Annotated[
        bool, typer.Option("--ends/--no-ends", help="Mark the ends.", rich_help_panel=_PICTURE)
    ] = True,
    show_symmetry: Annotated[
        bool,
        typer.Option(
            "--show-symmetry", help="The tour's own symmetry: parts, axes.", rich_help_panel=_PICTURE
        ),
    ] = False,
    crossings: Annotated[
        bool, typer.Option("--crossings", help="Where moves cross.", rich_help_panel=_PICTURE)
    ] = False,
    angles: Annotated[
        bool, typer.Option("--angles", help="Kinds of angles.", rich_help_panel=_PICTURE)
    ] = False,
    accessibility: Annotated[
        bool,
        typer.Option("--accessibility", help="Free cells that free cells reach.", rich_help_panel=_PICTURE),
    ] = False,
    after: Annotated[
        int | None,
        typer.Option("--after", metavar="K", help="Only the first K steps.", min=0, rich_help_panel=_PICTURE),
    ] = None,
    heat: Annotated[
        str | None,
        typer.Option(
            "--heat",
            metavar="visit|accessibility|starts",
            help="Values of cells as colours.",
            rich_help_panel=_PICTURE,
        ),
    ] = None,
    caption: Annotated[
        str, typer.Option("--caption", metavar="TEXT", help="A line above.", rich_help_panel=_PICTURE)
    ] = "",
    classes: Annotated[
        bool, typer.Option("--classes", help="One tour of each class.", rich_help_panel=_PICTURE)
    ] = False,
    columns: Annotated[
        int | None,
        typer.Option(
            "--columns", metavar="K", help="Pictures in a row of a sheet.", rich_help_panel=_PICTURE
        ),
    ] = None,
    timeout: opt.TimeoutOption = None,
    memory: opt.MemoryOption = None,
    size: Annotated[
        int | None,
        typer.Option("--size", metavar="PIXELS", help="Of the longer side.", rich_help_panel=_FILE),
    ] = None,
    frames: Annotated[
        int | None, typer.Option("--frames", metavar="K", help="Of a walk.", rich_help_panel=_FILE)
    ] = None,
    speed: Annotated[
        float | None, typer.Option("--speed", metavar="S", help="Steps a second.", rich_help_panel=_FILE)
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help=f"By suffix: {listed(formats_of('picture'))}. Default: text, on standard output.",
            rich_help_panel=_FILE,
            callback=check_writable,
        ),
    ] = None,
) -> int:
    """Draw tours (several on a sheet), a walk that moves, counts by start, or bands of sudoku."""
    from ktsolve.render.files import PictureOptions, picture_file, picture_format
    from ktsolve.render.style import Style
    from ktsolve.render.subjects import Tours

    style = Style(
        theme=theme,
        path=path,
        numbers=numbers,
        coordinates=coordinates,
        gradient=gradient,
        ends=ends,
        symmetry=show_symmetry,
        crossings=crossings,
        angles=angles,
        accessibility=accessibility,
        after=after,
        caption=caption,
    )
    options = PictureOptions(
        form=picture_format(output), pixels=size, frames=frames, speed=speed, columns=columns
    )
    if output is not None and Path(file).exists() and os.path.realpath(file) == os.path.realpath(output):
        raise BadInput(f"{output} is the input itself: give the picture another name")
    settings = opt.make_settings(timeout, memory, None, None, None)
    with backstop(settings.timeout):
        subject = _subject(file, spec, settings, visits=heat == "visit" and options.form.name == "png")
        if isinstance(subject, Tours):
            if classes:
                subject = Tours(_one_of_each_class(subject.tours))
            style = replace(style, problem=_problem(spec, subject.tours))
        picture = picture_file(subject, style, options, heat=heat)
    emit_chunks([picture], output, text=not options.form.binary)
    return 0


def _subject(
    file: str, spec: ProblemSpec, settings: Settings, *, visits: bool
) -> Tours | Counts | Digits | Visits:
    """The subject of the picture; of a large array only the visits, where only these are drawn."""
    from ktsolve.ground.tour import Tour
    from ktsolve.render.files import MOST_CELLS
    from ktsolve.render.subjects import Tours, Visits, read_subject

    if _BOARD.fullmatch(file) and not Path(file).exists():
        if spec.board:
            raise BadInput(f"{file} is a board, and so is --board {spec.board}: give one of them")
        board = given_board(replace(spec, board=file), settings)
        assert board is not None
        return Tours((Tour(board, ()),))
    read, board = read_tour_file(file, SMALL), given_board(spec, settings)
    if isinstance(read, str):
        return read_subject(read, board, spec.closed)
    if visits:
        return Visits(checked_array(read, file, board, spec.closed).steps)
    why = f"lines are drawn on at most {MOST_CELLS:,} cells; --heat visit draws more, as .png"
    return Tours((checked_array(read, file, board, spec.closed, most=MOST_CELLS, why=why).tour(),))


def _one_of_each_class(tours: tuple[Tour, ...]) -> tuple[Tour, ...]:
    """Least images, in order: the same whatever found the tours."""
    return tuple(sorted({tour.canonical() for tour in tours}, key=lambda tour: tour.squares))


def _problem(spec: ProblemSpec, tours: tuple[Tour, ...]) -> TourProblem | None:
    """The conditions to be marked, which are about one board."""
    if not (spec.conditions or spec.clues):
        return None
    if len({tour.board for tour in tours}) != 1:
        raise BadInput("conditions are about one board, and the input has tours of several")
    return replace(spec, closed=tours[0].closed).make(tours[0].board)
