"""How a tour is written, or the reason why there is none: shared by the commands that find tours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from ktsolve.cli import options as opt
from ktsolve.cli.output import SCHEMA, emit, emit_chunks, emit_json, remark
from ktsolve.errors import BadInput
from ktsolve.formats.table import Format, format_named, format_of_suffix, formats_of, listed

if TYPE_CHECKING:
    from ktsolve.ground.arrays import ArrayTour
    from ktsolve.ground.tour import Tour
    from ktsolve.problem.problem import TourProblem
    from ktsolve.settings import Settings
    from ktsolve.tasks.large import RectangleProblem

__all__ = [
    "TourOutput",
    "emit_answer",
    "emit_none",
    "emit_tour",
    "question",
    "takes_tour_output",
    "tour_format",
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
        opt.printed("--format", f"{listed(_FORMATS)}. Default: by the suffix of -o, else grid.", "NAME"),
    ] = None


takes_tour_output = opt.in_place_of(
    "out", opt.options_of(TourOutput, ("json", "output", "format", "quiet")), TourOutput
)


def tour_format(name: str | None, output: str | None, *, json: bool = False, several: bool = False) -> Format:
    """The format to write: the named one, or by the suffix of the output, or a grid.

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
        raise BadInput(f"--format {form.name} holds one tour: leave out --number and --all")
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
    if isinstance(problem, TourProblem) and problem.conditions:
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
    return {"board": problem.board.to_json(), "problem": str(problem), "closed": problem.closed}


def emit_answer(data: dict[str, Any], tour: Tour | ArrayTour, output: str | None) -> None:
    """Print one JSON object; its key ``squares`` gets the cells of the tour."""
    from ktsolve.formats.json import write_array
    from ktsolve.ground.arrays import ArrayTour

    if isinstance(tour, ArrayTour):
        emit_chunks(write_array(tour, {"schema": SCHEMA, **data}), output)
    else:
        emit_json({**data, "squares": tour.squares}, output)


def emit_tour(tour: Tour | ArrayTour, form: Format, output: str | None) -> None:
    """Write one tour."""
    from ktsolve.formats.tours import tour_chunks

    emit_chunks(tour_chunks(tour, form), output, text=not form.binary)
