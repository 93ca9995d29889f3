"""How a tour is written, or the reason why there is none: shared by the commands that find tours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.cli.output import SCHEMA, emit, emit_chunks, emit_json
from ktsolve.errors import BadInput
from ktsolve.formats.table import Format, format_named, format_of_suffix, formats_of, listed

if TYPE_CHECKING:
    from ktsolve.ground.arrays import ArrayTour
    from ktsolve.ground.tour import Tour
    from ktsolve.problem.problem import TourProblem
    from ktsolve.settings import Settings
    from ktsolve.tasks.conflict import Conflict
    from ktsolve.tasks.large import RectangleProblem

__all__ = [
    "FormatOption",
    "emit_answer",
    "emit_tour",
    "question",
    "refusal",
    "rounded",
    "say_none",
    "tour_format",
    "why_none",
]

_FORMATS = (*formats_of("tour"), format_named("svg", formats_of("picture")))

_GRID = format_named("grid", _FORMATS)

FormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="NAME",
        help=f"{listed(_FORMATS)}. Default: by the suffix of -o, else grid.",
        rich_help_panel="What is printed",
    ),
]

_EXPLAINING = 1.0
"""Seconds for finding the conditions that conflict."""


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


def why_none(problem: TourProblem) -> str:
    """The reason why a list of tours is empty."""
    return str(problem.obstruction() or "the engine searched everything")


def _conflict(problem: TourProblem | RectangleProblem, settings: Settings) -> Conflict | None:
    """The conditions that cannot hold together, as far as a second suffices; None without conditions."""
    from ktsolve.problem.problem import TourProblem
    from ktsolve.tasks.conflict import find_conflict

    if not isinstance(problem, TourProblem) or not problem.conditions:
        return None
    return find_conflict(problem, _EXPLAINING, settings)


def refusal(problem: TourProblem | RectangleProblem, reason: str, settings: Settings) -> dict[str, Any]:
    """In JSON: why there is no tour, and the conditions that conflict."""
    data: dict[str, Any] = {"reason": reason}
    if (conflict := _conflict(problem, settings)) is not None:
        data["conflict"] = {"conditions": conflict.texts, "minimal": conflict.minimal}
    return data


def say_none(problem: TourProblem | RectangleProblem, reason: str, settings: Settings) -> None:
    """Print why there is no tour, and the conditions that conflict."""
    emit(f"no tour: {reason}", None)
    if (conflict := _conflict(problem, settings)) is not None:
        emit(str(conflict), None)


def question(problem: TourProblem | RectangleProblem) -> dict[str, Any]:
    """The problem in the JSON of answers."""
    return {"board": problem.board.to_json(), "problem": str(problem), "closed": problem.closed}


def rounded(seconds: float) -> float:
    """Seconds to a millionth."""
    return round(seconds, 6)


def emit_answer(data: dict[str, Any], tour: Tour | ArrayTour, output: str | None) -> None:
    """Print one JSON object; its key ``squares`` gets the cells of the tour."""
    from ktsolve.formats.json import write_array
    from ktsolve.ground.arrays import ArrayTour

    if isinstance(tour, ArrayTour):
        emit_chunks(write_array(tour, {"schema": SCHEMA, **data}), output)
    else:
        emit_json({**data, "squares": [list(cell) for cell in tour.squares]}, output)


def emit_tour(tour: Tour | ArrayTour, form: Format, output: str | None) -> None:
    """Write one tour."""
    from ktsolve.formats.tours import tour_chunks

    emit_chunks(tour_chunks(tour, form), output, text=not form.binary)
