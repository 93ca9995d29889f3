"""Models and tour problems as files for solvers: DIMACS CNF, OPB, TSPLIB HCP, and listings to read."""

from __future__ import annotations

from ktsolve.formats.graphs import graph_file
from ktsolve.formats.table import format_named, formats_of
from ktsolve.model.export import to_dimacs as write_cnf
from ktsolve.model.export import to_opb as write_opb
from ktsolve.model.export import to_tsplib as write_hcp
from ktsolve.model.model import Model
from ktsolve.problem.problem import TourProblem

__all__ = [
    "MODEL_FORMATS",
    "model_file",
    "problem_file",
    "write_cnf",
    "write_hcp",
    "write_listing",
    "write_opb",
]

MODEL_FORMATS = formats_of("model")

write_listing = str
"""The constraints of a model, one to a line."""


def model_file(model: Model, name: str, *, encoding: str = "onehot") -> str:
    """The model in a format.

    Parameters
    ----------
    encoding:
        Of circuits, for CNF and OPB: ``onehot``, ``binary``, ``remainder`` or ``elimination``.

    Raises
    ------
    BadInput
        For a format that holds no models, or cannot state this one.
    """
    form = format_named(name, MODEL_FORMATS)
    options = {"circuits": encoding} if "encoding" in form.options else {}
    text: str = form.function("write")(model, **options)
    return text


def problem_file(problem: TourProblem, name: str, *, encoding: str = "onehot") -> str:
    """The model of a tour problem in a format. Parameters and errors as for :func:`model_file`.

    Examples
    --------
    >>> file = problem_file(TourProblem(board="3x4", closed=False), "hcp")
    >>> file.splitlines()[2]  # 12 cells and the node that joins the ends
    'DIMENSION : 13'
    """
    from ktsolve.models.tour import TourModel

    if name == "hcp" and problem.features <= {"closed", "holes", "leaper", "wrap", "graph"}:
        return graph_file(problem.ground, name)  # the same lines, without a model
    return model_file(TourModel(problem).model, name, encoding=encoding)
