"""Tour problems as files for solvers: DIMACS CNF, OPB, and TSPLIB HCP."""

from __future__ import annotations

from ktsolve.errors import BadInput
from ktsolve.formats.graphs import graph_file
from ktsolve.model.export import to_dimacs, to_opb, to_tsplib
from ktsolve.problem.problem import TourProblem

__all__ = ["PROBLEM_FORMATS", "problem_file"]

PROBLEM_FORMATS = ("cnf", "opb", "hcp")
"""Endings of files, each of which names a format."""


def problem_file(problem: TourProblem, ending: str, *, encoding: str = "onehot") -> str:
    """The problem in the format of that file ending.

    Parameters
    ----------
    encoding:
        Of circuits, for CNF and OPB: ``onehot`` or ``binary``.

    Raises
    ------
    BadInput
        For another ending, or conditions that the format cannot say.

    Examples
    --------
    >>> file = problem_file(TourProblem(board="3x4", closed=False), "hcp")
    >>> file.splitlines()[2]  # 12 cells and the node that joins the ends
    'DIMENSION : 13'
    """
    from ktsolve.models.tour import TourModel

    if ending not in PROBLEM_FORMATS:
        listed = ", ".join(f".{each}" for each in PROBLEM_FORMATS)
        raise BadInput(f"a problem is written as {listed}, not .{ending}")
    if ending == "hcp" and problem.features <= {"closed", "holes", "leaper", "wrap"}:
        return graph_file(problem.board, "hcp")  # the same lines, with no model of them
    model = TourModel(problem).model
    if ending == "cnf":
        return to_dimacs(model, circuits=encoding)
    return to_opb(model, circuits=encoding) if ending == "opb" else to_tsplib(model)
