"""Structured closed tours, the base boards of divide-and-conquer (Parberry 1997).

A closed tour is *structured* at a corner if it makes the two moves that cut the corner off: at the top-left
(0,1)-(2,0) and (0,2)-(1,0). Four boards structured at the corners where they meet are joined into one closed
tour by exchanging four such moves for four moves between them.

Parameters of an instance: ``board``; ``corners``, a list of ``tl``, ``tr``, ``bl``, ``br`` (default: all
four); ``symmetry``, as of the model ``tour``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ktsolve.models import Built
from ktsolve.models.tour import TourModel

from ktsolve.base.errors import BadInput
from ktsolve.graphs.geometry import CORNERS
from ktsolve.problem.parameters import check_keys, tour_problem
from ktsolve.problem.problem import TourProblem

__all__ = ["build", "structured_problem"]


def structured_problem(
    board: str, corners: tuple[str, ...] = CORNERS, *, symmetry: str | None = None
) -> TourProblem:
    """The question for a structured closed tour.

    >>> problem = structured_problem("6x6")
    >>> len(problem.required_moves)
    8
    """
    return TourProblem(board=board, closed=True, corners=corners, symmetry=symmetry)


def build(parameters: Mapping[str, Any]) -> Built:
    """The model of an instance."""
    check_keys(parameters, {"board": str, "corners": list, "symmetry": str}, "parameters")
    if "board" not in parameters:
        raise BadInput('parameters.board is missing: write board = "6x6"')
    problem = tour_problem({"closed": True, "corners": list(CORNERS), **parameters})
    compiled = TourModel(problem)
    return Built(model=compiled.model, decode=compiled.decode, problem=problem)
