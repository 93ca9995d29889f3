"""Output of one tour, or of the reason why none exists: shared by the commands that find tours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ktsolve.base.errors import BadInput
from ktsolve.base.guard import stand_down
from ktsolve.cli import options as opt
from ktsolve.cli.output import SCHEMA, emit, emit_chunks, emit_json, remark
from ktsolve.cli.output_format import TOURS, holds_several
from ktsolve.cli.terminal import colour_depth, columns
from ktsolve.formats.table import GRAPH_TOUR_FORMATS, Format, format_named, formats_of, listed

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.graphs.graph import Graph
    from ktsolve.graphs.tour import Tour
    from ktsolve.problem.problem import TourProblem
    from ktsolve.render.scene.style import Style
    from ktsolve.render.subject import Subject

__all__ = [
    "check_several",
    "coloured",
    "emit_answer",
    "emit_none",
    "emit_picture",
    "emit_tour",
    "ground_format",
    "problem_fields",
    "shown_tour",
    "takes_tours",
]

_GRID, _CELLS = (format_named(name, formats_of("tour")) for name in ("grid", "cells"))

_EXPLAINING = 1.0
"""Seconds for finding the conditions that conflict."""


def ground_format(form: Format, ground: Graph, named: str | None) -> Format:
    """The format in which tours of a ground are written: of a bare graph names of vertices, and no grid.

    Raises
    ------
    BadInput
        If a format was named that has no tours of graphs.
    """
    from ktsolve.graphs.board import Board

    if isinstance(ground, Board) or form.bare or form.holds == "picture":
        return form
    if named is None and form is _GRID:
        return _CELLS
    raise BadInput(f"{form.name} holds tours of boards, not of a {ground}: use {listed(GRAPH_TOUR_FORMATS)}")


takes_tours = opt.takes_output(writes=TOURS, graphs=True)
"""Give a command that finds tours its options of output."""


def check_several(form: Format, instead: str) -> None:
    """Raise BadInput, with what to do instead, for a format that holds one tour where several are asked."""
    if not holds_several(form):
        raise BadInput(f"--format {form.name} holds one tour: {instead}")


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
) -> None:
    """Print why there is no tour, and the conditions that conflict as far as a second suffices."""
    if not out.json:
        emit(f"no tour: {reason}", None)
    conflict = None
    if problem.conditions and not problem.is_large_rectangle and not out.one_line:
        from ktsolve.tasks.explain import find_conflict

        conflict = find_conflict(problem, _EXPLAINING, settings)
    if out.json:
        more = {"conflict": {"conditions": conflict.texts, "minimal": conflict.minimal}} if conflict else {}
        emit_json({**data, "reason": reason, **more}, out.output)
        return
    if conflict is not None:
        emit(str(conflict), None)
    if note:
        remark(note, quiet=out.quiet)


def problem_fields(problem: TourProblem) -> dict[str, Any]:
    """The problem in the JSON of answers."""
    return {"board": problem.ground.to_json(), "problem": str(problem), "closed": problem.closed}


def emit_answer(data: dict[str, Any], tour: Tour, output: str | None) -> None:
    """Print one JSON object; its key ``squares`` gets the cells of the tour."""
    from ktsolve.formats.tours.json import write_array

    stand_down()
    if tour.is_array:
        emit_chunks(write_array(tour, {"schema": SCHEMA, **data}), output)
    else:
        emit_json({**data, "squares": tour.to_json()["squares"]}, output)


def emit_tour(tour: Tour, form: Format, out: opt.OutputOptions, *, non_crossing: bool = False) -> None:
    """Write one tour: as a board in colours where no format is asked for and the terminal can show it.

    ``non-crossing`` says that it is a non-crossing walk, which leaves cells out.
    """
    from ktsolve.formats.tours.files import tour_chunks

    stand_down()
    if form.holds == "picture":
        emit_tours_drawn([tour], form, out.output, non_crossing=non_crossing)
    elif not tour.is_array and (text := coloured(tour, form, out)) is not None:
        emit(text, None)
    else:
        emit_chunks(tour_chunks(tour, form, non_crossing=non_crossing), out.output, text=not form.binary)


def emit_tours_drawn(
    tours: Iterable[Tour], form: Format, output: str | None, *, non_crossing: bool = False
) -> None:
    """Write the picture of one tour, the sheet of several, or the page that plays them."""
    from ktsolve.render.subjects import DrawnTours

    emit_picture(DrawnTours(tuple(tours), non_crossing), form, output)


def emit_picture(
    subject: Subject,
    form: Format,
    output: str | None,
    style: Style | None = None,
) -> None:
    """Write the picture of what a command has found, in a format of pictures."""
    from ktsolve.render.scene.style import Style
    from ktsolve.render.subject import PictureOptions, picture_file

    picture = picture_file(subject, style or Style(), PictureOptions(form=form))
    emit_chunks([picture], output, text=not form.binary)


def coloured(tour: Tour, form: Format, out: opt.OutputOptions) -> str | None:
    """A tour as a board in colours, None if a format is asked for or the terminal cannot show it."""
    if form is not _GRID or out.format is not None:
        return None
    return _board_in_colours(tour, out.output)


def shown_tour(tour: Tour, out: opt.OutputOptions) -> str:
    """A tour as text: a board in colours where the terminal can show it, else as :class:`str` has it."""
    return _board_in_colours(tour, out.output) or str(tour)


def _board_in_colours(tour: Tour, output: str | None) -> str | None:
    from ktsolve.graphs.board import Board

    colours = colour_depth(output)
    if not colours or not isinstance(tour.ground, Board):
        return None
    from ktsolve.render.boards.text import tour_text

    return tour_text(tour, colours, columns())
