"""Output of tours, or of the reason why none exists: shared by the commands that find tours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.guard import stand_down
from ktsolve.base.text import plural
from ktsolve.cli import options as opt
from ktsolve.cli.output import (
    colour_depth,
    columns,
    emit,
    emit_chunks,
    emit_json,
    remark,
    width_of,
    writing,
)
from ktsolve.cli.output_format import TOURS, holds_several
from ktsolve.formats.table import GRAPH_TOUR_FORMATS, JSON_HEAD, Format, format_named, formats_of, listed
from ktsolve.render.text_table import drawing_in, wrapped_lines

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.graphs.graph import Graph
    from ktsolve.graphs.tour import Tour
    from ktsolve.problem.longest import LongestProblem
    from ktsolve.problem.problem import TourProblem
    from ktsolve.render.scene.shapes import Scene
    from ktsolve.render.subject import Subject

_GRID, _CELLS = (format_named(name, formats_of("tour")) for name in ("grid", "cells"))

_EXPLAINING = 1.0  # seconds for finding the conditions that conflict


def ground_format(form: Format, ground: Graph, named: str | None) -> Format:
    """The format in which tours of a ground are written: of a bare graph names of vertices instead of a grid.

    A named format without tours of graphs is refused.
    """
    from ktsolve.graphs.board import Board

    if isinstance(ground, Board) or form.bare or form.holds == "picture":
        return form
    if named is None and form is _GRID:
        return _CELLS
    raise BadInput(f"{form.name} holds tours of boards, not of a {ground}: use {listed(GRAPH_TOUR_FORMATS)}")


takes_tours = opt.takes_output(writes=TOURS, graphs=True)
"""Give a command that finds tours its options of output."""


def check_several(out: opt.OutputOptions, instead: str) -> None:
    """Raise BadInput, with what to do instead, for a format that holds one tour where several are asked."""
    if not holds_several(out.form):
        raise BadInput(f"{out.given_form} holds one tour: {instead}")


def check_drawn(form: Format, cells: int) -> None:
    """Raise BadInput for the picture of a tour that is too large to be drawn."""
    if form.holds != "picture":
        return
    from ktsolve.render.subject import MOST_CELLS

    if cells > MOST_CELLS:
        raise BadInput(
            f"{form.name} shows at most {MOST_CELLS:,} cells, not {cells:,}: write a .npy, and use "
            "ktsolve draw --heat visit -o FILE.png"
        )


def emit_none(
    problem: TourProblem,
    reason: str,
    data: Mapping[str, Any],
    note: str,
    settings: Settings,
    out: opt.OutputOptions,
) -> int:
    """Print why there is no tour, and the conditions that conflict as far as a second suffices; returns 1."""
    from ktsolve.tasks.answer import EXHAUSTED
    from ktsolve.tasks.explain import find_conflict, open_tour_exists

    if not out.json:
        emit(wrapped_lines(f"no tour: {reason}", width_of(None)), None)
    conflict = None
    explained = not problem.is_large_rectangle and not out.one_line
    if problem.conditions and explained:
        conflict = find_conflict(problem, _EXPLAINING, settings)
    advice = []
    if explained and not out.quiet and open_tour_exists(problem, settings, _EXPLAINING):
        advice.append("open tours exist: give --open")
    if reason == EXHAUSTED:
        advice.append("ktsolve prove makes a proof that can be checked")
    if out.json:
        more: dict[str, Any] = {"advice": "; ".join(advice)} if advice else {}
        if conflict is not None:
            more["conflict"] = {"conditions": conflict.texts, "minimal": conflict.minimal}
        emit_json({**data, "reason": reason, **more}, out.output)
        return 1
    if conflict is not None:
        emit(wrapped_lines(str(conflict), width_of(None)), None)
    for each in (note, *advice):
        if each:
            remark(each, quiet=out.quiet)
    return 1


def problem_fields(problem: TourProblem) -> dict[str, Any]:
    """The problem in the JSON of answers."""
    return {"board": problem.ground.to_json(), "problem": str(problem), "closed": problem.closed}


def emit_found(
    tour: Tour | None,
    data: dict[str, Any],
    out: opt.OutputOptions,
    note: str,
    *,
    none: str = "",
    walk: LongestProblem | None = None,
) -> None:
    """Print a tour as JSON, with its cells as ``squares``, or in a format, with a note on standard error.

    Without a tour the text is ``none``.
    """
    from ktsolve.formats.tours.json import write_array

    stand_down()
    if not out.json:
        if tour is not None:
            emit_tour(tour, out, walk)
        elif none:
            emit(none, None)
        remark(note, quiet=out.quiet or not note)
    elif tour is None:
        emit_json(data, out.output)
    elif tour.is_array:
        emit_chunks(write_array(tour, {**JSON_HEAD, **data}), out.output)
    else:
        emit_json({**data, "squares": tour.to_json()["squares"]}, out.output)


def emit_tour(tour: Tour, out: opt.OutputOptions, walk: LongestProblem | None = None) -> None:
    """Write one tour: as a board in colours where no format is asked for and the terminal can show it.

    ``walk`` is the problem of a non-crossing walk, which leaves cells out.
    """
    from ktsolve.formats.tours.files import tour_chunks

    stand_down()
    if out.form.holds == "picture":
        emit_tours_drawn([tour], out, walk)
    elif (text := _on_terminal(tour, out)) is not None:
        emit(text, None)
    else:
        chunks = tour_chunks(tour, out.form, non_crossing=walk is not None)
        emit_chunks(chunks, out.output, text=not out.form.binary)


def emit_tours_drawn(
    tours: Iterable[Tour], out: opt.OutputOptions, walk: LongestProblem | None = None
) -> None:
    """Write the picture of one tour or walk, the sheet of several, or the page that plays them."""
    from ktsolve.render.subjects import DrawnTours

    emit_picture(DrawnTours(tuple(tours), walk), out)


def emit_picture(subject: Subject, out: opt.OutputOptions, theme: str = "light", **options: Any) -> None:
    """Write the picture of what a command has found, in a format of pictures, and a theme by default."""
    from ktsolve.render.subject import PictureOptions, picture_file

    options = {"form": out.form, "paper": out.page, **options}
    picture = picture_file(subject, out.style(theme), PictureOptions(**options))
    emit_chunks([picture], out.output, text=not out.form.binary)


def emit_scene(scene: Scene, out: opt.OutputOptions, theme: str = "light") -> None:
    """Write a scene as :func:`emit_picture` does."""
    from ktsolve.render.subject import PictureOptions, scene_file

    file = scene_file(scene, out.style(theme), PictureOptions(form=out.form, paper=out.page))
    emit_chunks([file], out.output, text=not out.form.binary)


def _on_terminal(tour: Tour, out: opt.OutputOptions) -> str | None:
    """A tour as a terminal shows it, None if a format is asked for or it goes elsewhere."""
    if out.form is not _GRID or out.format is not None:
        return None
    return _board_on_terminal(tour, out.output)


def shown_tour(tour: Tour, out: opt.OutputOptions) -> str:
    """A tour as text: as a terminal shows it, elsewhere as :class:`str` has it."""
    return _board_on_terminal(tour, out.output) or str(tour)


def _board_on_terminal(tour: Tour, output: str | None) -> str | None:
    """A board in colours, or its path where it is too wide; None where the plain text is right."""
    from ktsolve.graphs.board import Board

    colours, width = colour_depth(output), width_of(output)
    if (not colours and width is None) or not isinstance(tour.ground, Board):
        return None
    from ktsolve.render.boards.text import path_text, tour_text

    if colours and not tour.is_array and (text := tour_text(tour, colours, columns())) is not None:
        return text
    row = " ".join([str(len(tour))] * tour.board.columns)
    if width is None or len(row) <= width:
        return None
    return path_text(tour, colours, width) or drawing_in(width, row)


def write_tours(tours: Iterable[Tour], out: opt.OutputOptions) -> int:
    """Write tours as they come, and return their number; at Ctrl-C raise LimitReached with it.

    A format that is not text holds one tour.
    """
    from ktsolve.formats.tours.files import TourWriter

    form = out.form
    if form.holds == "picture":
        if drawn := list(tours):
            emit_tours_drawn(drawn, out)
        return len(drawn)
    if form.binary:
        (tour,) = tours
        emit_tour(tour, out)
        return 1
    written, writer = 0, TourWriter(form)
    try:
        with writing(out.output) as write:
            for each in tours:
                if written and form.separator:
                    write("")
                write(_on_terminal(each, out) or writer.text(each))
                written += 1
    except KeyboardInterrupt as stop:
        raise LimitReached(f"{str(stop) or 'interrupted'}, {shown_tours(written)} written") from None
    return written


def shown_tours(number: int) -> str:
    """A number of tours as text."""
    return f"{number} {plural(number, 'tour')}"
