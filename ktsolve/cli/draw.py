"""``ktsolve draw`` and ``ktsolve play``: pictures of tours, counts and bands; a page that walks tours."""

from __future__ import annotations

import itertools
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.base.errors import BadInput
from ktsolve.base.text import small_number
from ktsolve.base.units import parse_length
from ktsolve.cli import options as opt
from ktsolve.cli.input import name_of
from ktsolve.cli.output import check_writable, colour_depth, emit, emit_chunks, width_of, with_progress
from ktsolve.cli.output_format import PICTURE, PLAYER
from ktsolve.cli.problem_options import ProblemSpec, graphs_of_text, is_instance, takes_problem
from ktsolve.cli.tour_input import (
    UNSTATED,
    board_change,
    checked_array,
    given_board,
    named_board,
    naming,
    read_graph_or_tour,
)
from ktsolve.graphs.named_graphs import PREFIX
from ktsolve.graphs.notation import is_size

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.graphs.tour import Tour
    from ktsolve.problem.problem import TourProblem
    from ktsolve.render.subject import Subject

# Parts of a problem that a file of a tour may leave open, and those that can be seen on a board.
_ON_BOARD = ("board", "closed", "without", "leaper", "wrap", "strict")
_SEEN = (*_ON_BOARD, "start", "end", "at", "clues", "require", "forbid", "structured", "corners")

_shown, _written = opt.panel("What is shown"), opt.panel("What is written")


@dataclass(frozen=True)
class _StyleOptions:
    """The options of :class:`~ktsolve.render.scene.style.Style`, as typed."""

    path: Annotated[str, _shown("--path", "Line of the path.", "straight|smooth|none")] = "straight"
    layout: Annotated[
        str, _shown("--layout", "Of a graph: auto, planar, distance, circle or tour.", "NAME")
    ] = "auto"
    numbers: Annotated[
        bool | None, _shown("--numbers/--no-numbers", "Show step numbers. Default: up to 20x20.")
    ] = None
    coordinates: Annotated[
        bool | None, _shown("--coordinates/--no-coordinates", "Show files and ranks (up to 60x60), or names.")
    ] = None
    gradient: Annotated[
        bool | None, _shown("--gradient/--no-gradient", "Colour the path from its first step to its last.")
    ] = None
    dots: Annotated[bool, _shown("--dots/--no-dots", "Show dots on cells without numbers.")] = True
    ends: Annotated[bool, _shown("--ends/--no-ends", "Mark the first and the last cell.")] = True
    symmetry: Annotated[
        bool, _shown("--show-symmetry", "Show axes and orbit images of the tour's symmetries.")
    ] = False
    crossings: Annotated[bool, _shown("--crossings", "Mark crossings of moves.")] = False
    angles: Annotated[bool, _shown("--angles", "Mark the kind of angle at each cell.")] = False
    accessibility: Annotated[
        bool, _shown("--accessibility", "Onward moves of each free cell; see --after.")
    ] = False
    after: Annotated[int | None, _shown("--after", "Draw only the first K steps.", "K", min=0)] = None


@takes_problem(*_SEEN, **UNSTATED)
@opt.in_place_of("style", opt.options_of(_StyleOptions, ()), _StyleOptions)
@opt.takes_work("timeout", "memory")
@opt.takes_output("output", writes=PICTURE, graphs=True)
def draw(
    *,
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE|-|BOARD",
            help="Tours or puzzles in any format, JSON of other commands, graphs, or a size.",
        ),
    ],
    spec: ProblemSpec,
    style: _StyleOptions,
    heat: Annotated[
        str | None, _shown("--heat", "Colour cells by a value.", "visit|accessibility|starts")
    ] = None,
    solution: Annotated[bool, _shown("--solution", "Draw the solutions of puzzles.")] = False,
    classes: Annotated[bool, _shown("--up-to-symmetry", "One tour of each symmetry class.")] = False,
    columns: Annotated[int | None, _shown("--columns", "Pictures in a row of a sheet.", "K")] = None,
    work: opt.WorkOptions,
    size: Annotated[
        str | None, _written("--size", "The longer side: 800 (pixels), 12cm or 5in.", "PIXELS|LENGTH")
    ] = None,
    frames: Annotated[int | None, _written("--frames", "Number of frames of an animation: 60.", "K")] = None,
    speed: Annotated[float | None, _written("--speed", "Steps per second of an animation: 8.", "S")] = None,
    out: opt.OutputOptions,
) -> int:
    """Draw tours, sheets of tours, animations, counts, puzzles, or bands of sudoku.

    The suffix of -o FILE decides the format; without -o the drawing is text. Tours of several files are drawn
    on one sheet, and puzzles of any kinds in one booklet, a PDF with the solutions at its end.

    Examples
    --------
    ktsolve draw tour.json                            # boxes with step numbers
    ktsolve draw tour.json -o tour.svg                # a picture
    ktsolve draw tour.json --path smooth -o tour.png  # a smooth line
    ktsolve draw tours.txt --columns 4 -o sheet.svg   # many tours on a page
    ktsolve draw tour.json -o tour.gif --size 300     # an animation
    ktsolve draw loop.json sudoku.json -o booklet.pdf # a booklet of both
    """
    from ktsolve.render.scene.style import Style
    from ktsolve.render.subject import PictureOptions, picture_file
    from ktsolve.render.subjects import together

    output = out.output
    terminal: dict[str, Any] = {"width": width_of(output), "colours": colour_depth(output)}
    options = PictureOptions(
        form=out.form,
        frames=frames,
        speed=speed,
        columns=columns,
        paper=out.page,
        **_sized(size, out),
        **terminal,
    )
    inputs = {os.path.realpath(file) for file in files if file != "-"}
    if output is not None and os.path.realpath(output) in inputs:
        raise BadInput(f"{output} is the input itself: give the picture another name")
    if files.count("-") > 1:
        raise BadInput("standard input (-) can be read once: name files for the others")
    settings = work.settings
    looks = Style(**vars(style), theme=out.theme or "light", caption=out.caption, title=out.title)
    subjects = []
    for file in files:
        with naming(file, "" if len(files) > 1 else None):
            subjects.append(
                _subject(file, spec, settings, visits=heat == "visit" and options.form.name == "png")
            )
    subject = together(subjects)
    if len(files) == 1 and is_instance(files[0]):
        spec = replace(spec, board=files[0])
    if classes:
        subject = subject.up_to_symmetry()
    if subject.tours:
        looks = replace(looks, problem=_problem(spec, subject.tours))
    if solution:
        with with_progress(settings, "solutions", quiet=False) as watched:
            subject = subject.solved(watched)
    picture = picture_file(subject, looks, options, heat=heat)
    emit_chunks([picture], output, text=not options.form.binary)
    return 0


_DOTS = 300  # pixels to an inch of a PNG whose size is a length


def _sized(size: str | None, out: opt.OutputOptions) -> dict[str, Any]:
    """The size of a picture: pixels, or a length on paper."""
    if size is None or size.strip().isdecimal():
        return {"pixels": None if size is None else small_number(size.strip())}
    length = parse_length(size)
    return {"pixels": round(length * _DOTS / 96)} if "pixels" in out.form.options else {"length": length}


def _subject(file: str, spec: ProblemSpec, settings: Settings, *, visits: bool) -> Subject:
    """The subject of the picture; of a large array only the visits, where only these are drawn."""
    from ktsolve.graphs.tour import Tour
    from ktsolve.render.subject import MOST_CELLS
    from ktsolve.render.subjects import DrawnTours, Visits, read_subject
    from ktsolve.wings import loaded

    for find in loaded("named_subjects"):
        subject: Subject | None = find(file, settings)
        if subject is not None:
            return subject
    if (named := named_board(file, spec, settings)) is not None:
        return DrawnTours((Tour(named, ()),))
    board = given_board(spec, settings)
    graph, read = read_graph_or_tour(file, spec, settings)
    if graph is not None and isinstance(read, str):
        graphs = graphs_of_text(read, graph, name_of(file), strict=spec.strict)
        return DrawnTours(tuple(Tour(spec.changed(each.ground, each.required), ()) for each in graphs))
    if isinstance(read, str):
        with naming(file, spec.board):
            return read_subject(read, board, spec.closed, board_change(spec), loaded("readers"))
    if visits:
        return Visits(checked_array(read, file, board, spec.closed).steps)
    why = f"lines are drawn on at most {MOST_CELLS:,} cells; --heat visit draws more, as .png"
    return DrawnTours((checked_array(read, file, board, spec.closed, most=MOST_CELLS, why=why),))


def _problem(spec: ProblemSpec, tours: tuple[Tour, ...]) -> TourProblem | None:
    """The conditions to be marked, which are about one board."""
    if not (spec.conditions or spec.clues or spec.is_instance):
        return None
    if len({tour.ground for tour in tours}) != 1:
        raise BadInput("conditions are about one board, and the input has tours of several")
    return replace(spec, closed=tours[0].closed).make(tours[0].ground)


@takes_problem(*_ON_BOARD, **UNSTATED)
@opt.takes_work("timeout", "memory")
@opt.takes_output("output", writes=PLAYER, graphs=True)
def play(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE|-", help="Tours, recorded searches, JSON of longest or non-crossing."),
    ],
    *,
    spec: ProblemSpec,
    work: opt.WorkOptions,
    title: Annotated[str | None, opt.output_option("--title", "Heading of the page.", "TEXT")] = None,
    step: Annotated[
        int | None, opt.output_option("--step", "Steps made when the page opens. Default: 1.", "K", min=0)
    ] = None,
    studio: Annotated[
        str | None, opt.output_option("--studio", "Page of ktsolve studio, to open tours there.", "ADDRESS")
    ] = None,
    out: opt.OutputOptions,
) -> int:
    """Write a page that plays tours and searches in any browser, offline.

    Two are shown side by side. On a terminal without -o the page becomes a file beside others here, and a
    browser opens it.

    Examples
    --------
    ktsolve play tour.json                          # a tour, in the browser
    ktsolve play tour.json -o tour.html             # as this file
    ktsolve play walk.json -o walk.html             # a search, step by step
    ktsolve play tour.json walk.json -o both.html   # side by side
    """
    from ktsolve.formats.tours.files import read_tours
    from ktsolve.render.player import player_html, read_trace
    from ktsolve.render.player.page import LONGEST
    from ktsolve.render.subjects import valid_walk

    if files.count("-") > 1:
        raise BadInput("standard input (-) can be read once: name files for the others")
    settings = work.settings
    played: dict[str, list[tuple[str, Any]]] = {"tour": [], "trace": [], "walk": []}
    for file in files:
        name = name_of(Path(file).name)
        read = _read_tours(file, spec, settings)
        if not isinstance(read, str):
            why = f"at most {LONGEST:,} cells can be played"
            board = given_board(spec, settings)
            array = checked_array(read, name, board, spec.closed, most=LONGEST, why=why)
            played["tour"].append((name, array))
            continue
        with naming(name):
            if (trace := read_trace(read)) is not None:
                played["trace"].append((name, trace))
                continue
            board, change = given_board(spec, settings), board_change(spec)
            if (walk := valid_walk(read, board, spec.closed, change)) is not None:
                played["walk"].append((name, walk))
                continue
            found = read_tours(read, board, spec.closed, change)
            several = [f"{name}, {number}" for number in range(1, len(found) + 1)]
            played["tour"] += zip(several if len(found) > 1 else [name], found, strict=True)
    tours, traces, walks = ([each for _, each in listed] for listed in played.values())
    # What comes through a pipe has the name of its board.
    called = [] if files == ["-"] else [name for listed in played.values() for name, _ in listed]
    page = player_html(tours, traces, walks=walks, names=called, title=title, step=step, studio=studio)
    if out.output is not None or out.format is not None or width_of(None) is None:
        emit(page, out.output)
        return 0
    stem = "tour" if files[0] == "-" else Path(files[0]).stem
    names = (f"{stem}-{number}.html" for number in itertools.count(2))
    target = next(name for name in itertools.chain([f"{stem}.html"], names) if not os.path.lexists(name))
    emit(page, check_writable(target))
    emit(f"written to {target}", None)
    if {"DISPLAY", "WAYLAND_DISPLAY", "BROWSER"} & {*os.environ} or sys.platform in ("darwin", "win32"):
        import webbrowser

        webbrowser.open(Path(target).resolve().as_uri())
    return 0


def _read_tours(file: str, spec: ProblemSpec, settings: Settings) -> str | Tour:
    """The contents of a file; boards and graphs in the place of a tour are refused."""
    is_name = (is_size(file) or file.startswith(PREFIX)) and not Path(file).exists()
    graph, read = (None, "") if is_name else read_graph_or_tour(file, spec, settings)
    if is_name or graph is not None:
        what = "board" if is_size(file) else "graph"
        found = "ktsolve tour finds one" if file == "-" else f"ktsolve tour {file} -o tour.json finds one"
        raise BadInput(f"{name_of(file)} is a {what}, and a tour is played: {found}")
    return read
