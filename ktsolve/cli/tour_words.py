"""Output of a tour, or of the reason why there is none, in the formats of ``ktsolve tour``."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

from ktsolve.cli import arrays
from ktsolve.cli.output import emit
from ktsolve.errors import BadInput

if TYPE_CHECKING:
    from ktsolve.ground.tour import Tour
    from ktsolve.problem.problem import TourProblem
    from ktsolve.settings import Settings
    from ktsolve.tasks.conflict import Conflict

__all__ = [
    "TourFormat",
    "emit_tour",
    "question",
    "refusal",
    "rounded",
    "say_none",
    "style_of",
    "why_none",
    "written",
]

_EXPLAINING = 1.0
"""Seconds for finding the conditions that conflict."""


class TourFormat(str, Enum):
    """Formats of a tour."""

    grid = "grid"
    cells = "cells"
    json = "json"
    svg = "svg"
    moves = "moves"
    npy = "npy"


def style_of(format: TourFormat | None, output: str | None) -> TourFormat:  # noqa: A002
    """The format given, or else the one that the file name ends with."""
    if format is not None:
        return format
    ending = (output or "").rpartition(".")[2].lower()
    return TourFormat(ending) if ending in TourFormat.__members__ else TourFormat.grid


def why_none(problem: TourProblem) -> str:
    """The reason why a list of tours is empty."""
    return str(problem.obstruction() or "the engine searched everything")


def _conflict(problem: TourProblem, settings: Settings) -> Conflict | None:
    """The conditions that cannot hold together, as far as a second suffices; None without conditions."""
    from ktsolve.tasks.conflict import find_conflict

    return find_conflict(problem, _EXPLAINING, settings) if problem.conditions else None


def refusal(problem: TourProblem, reason: str, settings: Settings) -> dict[str, Any]:
    """In JSON: why there is no tour, and the conditions that conflict."""
    data: dict[str, Any] = {"reason": reason}
    if (conflict := _conflict(problem, settings)) is not None:
        data["conflict"] = {"conditions": conflict.texts, "minimal": conflict.minimal}
    return data


def say_none(problem: TourProblem, reason: str, settings: Settings) -> None:
    """Print why there is no tour, and the conditions that conflict."""
    emit(f"no tour: {reason}", None)
    if (conflict := _conflict(problem, settings)) is not None:
        emit(str(conflict), None)


def question(problem: TourProblem) -> dict[str, Any]:
    """The question in JSON."""
    return {"board": problem.board.to_json(), "problem": str(problem), "closed": problem.closed}


def rounded(seconds: float) -> float:
    """Seconds to a millionth."""
    return round(seconds, 6)


def emit_tour(tour: Tour, style: TourFormat, output: str | None) -> None:
    """Write one tour."""
    if style is TourFormat.npy:
        from ktsolve.ground.arrays import steps_of_tour

        arrays.emit_steps(steps_of_tour(tour), tour.closed, style.value, output)
    else:
        emit(written(tour, style), output)


def written(each: Tour, style: TourFormat) -> str:
    """One tour as text."""
    if style is TourFormat.cells:
        return each.names()
    if style is TourFormat.svg:
        return each.svg()
    if style is TourFormat.moves:
        from ktsolve.ground.arrays import moves_line, steps_of_tour

        if not each.board.plain:
            raise BadInput("--format moves is for the knight on whole rectangles: use cells")
        return moves_line(steps_of_tour(each), closed=each.closed).decode("ascii")
    return each.grid()
