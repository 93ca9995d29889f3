"""How a tour is written, or the reason why there is none: shared by the commands that find tours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

from ktsolve.cli import options as opt
from ktsolve.cli.output import SCHEMA, emit, emit_chunks, emit_json, remark
from ktsolve.cli.terminal import colour_depth, columns
from ktsolve.errors import BadInput
from ktsolve.formats.table import (
    GRAPH_TOUR_FORMATS,
    Format,
    format_named,
    format_of_suffix,
    formats_of,
    listed,
)
from ktsolve.guard import stand_down

if TYPE_CHECKING:
    from ktsolve.cli.problem_options import ProblemSpec
    from ktsolve.ground.arrays import ArrayTour
    from ktsolve.ground.board import Board
    from ktsolve.ground.graph import Graph, Vertex
    from ktsolve.ground.notation import Cell
    from ktsolve.ground.tour import Tour
    from ktsolve.problem.problem import TourProblem
    from ktsolve.settings import Settings
    from ktsolve.tasks.large import RectangleProblem

__all__ = [
    "TourOutput",
    "coloured",
    "emit_answer",
    "emit_none",
    "emit_tour",
    "graph_of_format",
    "ground_format",
    "question",
    "shown_clues",
    "shown_tour",
    "takes_tour_output",
    "tour_format",
    "vertices_as_json",
]

_FORMATS = (*formats_of("tour"), format_named("svg", formats_of("picture")))

_GRID = format_named("grid", _FORMATS)

_EXPLAINING = 1.0
"""Seconds for finding the conditions that conflict."""


@dataclass(frozen=True)
class TourOutput(opt.OutputOptions):
    """The options about output of tours, as typed."""

    format: Annotated[
        str | None,
        opt.printed("--format", f"Format: {listed(_FORMATS)}; or of a graph read. Default: grid.", "NAME"),
    ] = None


def graph_of_format(spec: ProblemSpec, out: TourOutput) -> tuple[ProblemSpec, TourOutput]:
    """Take ``--format`` with the name of a format of graphs only as that of the graph read.

    The names ``json`` and ``edges`` mean the tour; a graph in these formats is recognised by its contents.
    """
    named = out.format
    if named is None or not spec.is_graph or _has(named, _FORMATS) or not _has(named, formats_of("graph")):
        return spec, out
    return replace(spec, format=named), replace(out, format=None)


def _has(name: str, formats: Iterable[Format]) -> bool:
    return any(name == each.name or name in each.aliases for each in formats)


def ground_format(form: Format, ground: Graph, named: str | None) -> Format:
    """The format in which tours of a ground are written: of a bare graph names of vertices, and no grid.

    Raises
    ------
    BadInput
        If a format was named that has no tours of graphs.
    """
    from ktsolve.ground.board import Board

    if isinstance(ground, Board) or form.bare or form.holds == "picture":
        return form
    if named is None and form is _GRID:
        return format_named("cells", _FORMATS)
    raise BadInput(f"{form.name} holds tours of boards, not of a {ground}: use {listed(GRAPH_TOUR_FORMATS)}")


takes_tour_output = opt.in_place_of(
    "out", opt.options_of(TourOutput, ("json", "output", "format", "quiet")), TourOutput
)


def tour_format(
    name: str | None,
    output: str | None,
    *,
    json: bool = False,
    several: bool = False,
    instead: str = "leave out --number and --all",
) -> Format:
    """The format to write: the named one, or by the suffix of the output, or a grid.

    ``instead`` is the advice where a format holds one tour and several are asked for.

    Raises
    ------
    BadInput
        If the name is unknown, the suffix is that of a picture that ``draw`` makes, or the format holds one
        tour and several are asked for.
    """
    if json:
        return format_named("json", _FORMATS)
    if name is not None:
        form = format_named(name, _FORMATS)
    elif found := format_of_suffix(output, _FORMATS):
        form = found
    elif picture := format_of_suffix(output, formats_of("picture")):
        raise BadInput(
            f"-o {output}: no tour is written as {picture.name}: write a .json, and use ktsolve draw"
        )
    else:
        form = _GRID
    if several and not form.several:
        raise BadInput(f"--format {form.name} holds one tour: {instead}")
    return form


def emit_none(
    problem: TourProblem | RectangleProblem,
    reason: str,
    data: Mapping[str, Any],
    note: str,
    settings: Settings,
    out: opt.OutputOptions,
) -> None:
    """Print why there is no tour, and the conditions that conflict as far as a second suffices."""
    from ktsolve.problem.problem import TourProblem
    from ktsolve.tasks.conflict import find_conflict

    if not out.json:
        emit(f"no tour: {reason}", None)
    conflict = None
    if isinstance(problem, TourProblem) and problem.conditions and not out.one_line:
        conflict = find_conflict(problem, _EXPLAINING, settings)
    if out.json:
        more = {"conflict": {"conditions": conflict.texts, "minimal": conflict.minimal}} if conflict else {}
        emit_json({**data, "reason": reason, **more}, out.output)
        return
    if conflict is not None:
        emit(str(conflict), None)
    if note:
        remark(note, quiet=out.quiet)


def question(problem: TourProblem | RectangleProblem) -> dict[str, Any]:
    """The problem in the JSON of answers."""
    from ktsolve.problem.problem import TourProblem

    ground = problem.ground if isinstance(problem, TourProblem) else problem.board
    return {"board": ground.to_json(), "problem": str(problem), "closed": problem.closed}


def vertices_as_json(ground: Graph, vertices: Iterable[Vertex]) -> list[Any]:
    """Cells of a board as they are, vertices of a bare graph by name."""
    from ktsolve.ground.board import Board

    return list(vertices) if isinstance(ground, Board) else [ground.names[vertex] for vertex in vertices]


def emit_answer(data: dict[str, Any], tour: Tour | ArrayTour, output: str | None) -> None:
    """Print one JSON object; its key ``squares`` gets the cells of the tour."""
    from ktsolve.formats.json import write_array
    from ktsolve.ground.arrays import ArrayTour

    stand_down()
    if isinstance(tour, ArrayTour):
        emit_chunks(write_array(tour, {"schema": SCHEMA, **data}), output)
    else:
        emit_json({**data, "squares": tour.to_json()["squares"]}, output)


def emit_tour(tour: Tour | ArrayTour, form: Format, out: opt.OutputOptions) -> None:
    """Write one tour: as a board in colours where no format is asked for and the terminal can show it."""
    from ktsolve.formats.tours import tour_chunks
    from ktsolve.ground.tour import Tour

    stand_down()
    if isinstance(tour, Tour) and (text := coloured(tour, form, out)) is not None:
        emit(text, None)
    else:
        emit_chunks(tour_chunks(tour, form), out.output, text=not form.binary)


def coloured(tour: Tour, form: Format, out: opt.OutputOptions) -> str | None:
    """A tour as a board in colours, None if a format is asked for or the terminal cannot show it."""
    if form is not _GRID or getattr(out, "format", None) is not None:
        return None
    return _board_in_colours(tour, out.output)


def shown_tour(tour: Tour, out: opt.OutputOptions) -> str:
    """A tour as text: a board in colours where the terminal can show it, else as :class:`str` has it."""
    return _board_in_colours(tour, out.output) or str(tour)


def shown_clues(board: Board, clues: Mapping[int, Cell], out: opt.OutputOptions) -> str:
    """Some steps of a tour as text: a board in colours where the terminal can show it, else a grid."""
    from ktsolve.problem.clues import clue_grid

    if colours := colour_depth(out.output):
        from ktsolve.render.text_board import board_text

        marks = {cell: str(step) for step, cell in clues.items()}
        if (text := board_text(board, marks, colours, columns())) is not None:
            return text
    return clue_grid(board, clues)


def _board_in_colours(tour: Tour, output: str | None) -> str | None:
    from ktsolve.ground.board import Board

    colours = colour_depth(output)
    if not colours or not isinstance(tour.ground, Board):
        return None
    from ktsolve.render.text_board import tour_text

    return tour_text(tour, colours, columns())
