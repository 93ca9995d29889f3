"""Reading and writing of model files, in every format.

DIMACS CNF, WCNF, OPB, FlatZinc and XCSP3 are read, also compressed by gzip, xz or bzip2. Models and tour
problems are written in the first three, in MiniZinc, as TSPLIB HCP, and as listings to read.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NoReturn

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Settings
from ktsolve.formats.files import as_text, check_is_text, read_stream
from ktsolve.formats.graphs.files import graph_file
from ktsolve.formats.table import Format, format_named, format_of_suffix, formats_of, listed, uncompressed
from ktsolve.model.io import to_dimacs, to_minizinc, to_opb, to_tsplib, to_wcnf
from ktsolve.model.io.cnf import read_cnf, read_wcnf
from ktsolve.model.io.fzn import read_fzn
from ktsolve.model.io.opb import read_opb
from ktsolve.model.io.solution import ReadModel
from ktsolve.model.io.xcsp3 import read_xcsp3
from ktsolve.model.model import Model
from ktsolve.problem.problem import TourProblem

FUNCTIONS: dict[str, dict[str, Callable[..., Any]]] = {
    "read": {"cnf": read_cnf, "opb": read_opb, "wcnf": read_wcnf, "fzn": read_fzn, "xcsp3": read_xcsp3},
    "write": {
        "cnf": to_dimacs,
        "wcnf": to_wcnf,
        "opb": to_opb,
        "mzn": to_minizinc,
        "hcp": to_tsplib,
        "listing": str,
    },
}

MODEL_FORMATS = formats_of("model", can="write")  # the formats that are written

MODEL_FILES = formats_of("model", can="read")  # the formats that are read

_COMMENTS = re.compile(r"(?:[c*].*\n)*")

_CLAUSES = re.compile(r"(?:[ \t]*(?:c.*)?\n)*[ \t]*-?\d+(?:[ \t]+-?\d+)*[ \t]+0[ \t]*$", re.MULTILINE)

_HEAD = 1 << 16  # characters of a text that show its format


def read_model(text: str, name: str | None = None) -> Model:
    r"""The model of a text in CNF, WCNF, OPB or FlatZinc.

    Names and soft constraints are as for :func:`ktsolve.read_model`. Raises BadInput with the line.

    >>> model = read_model("c 1 a\nc 2 b\np cnf 2 2\n1 2 0\n-1 -2 0\n")
    >>> print(model)
    model cnf: 2 Booleans, 1 constraint
      2 clauses: a or b; not a or not b
    >>> read_model("min: +1 x1 ;\n+1 x1 +2 x2 >= 2 ;\n").objective.sense
    'minimise'
    """
    form = (_shown_by(text) or _unknown(text)) if name is None else format_named(name, MODEL_FILES)
    return _read(text, form).model


def load_model(path: str | Path, settings: Settings | None = None, *, name: str | None = None) -> Model:
    """The model of a file in CNF, WCNF, OPB or FlatZinc; see ``read_model``.

    The contents show the format, or else the suffix does. Files compressed by gzip, xz or bzip2 are read too.

    Raises BadInput if it cannot be read, or is not such a file; the message names file and line; OutOfMemory
    if reading it takes more memory than there may be.
    """
    return read_model_file(str(path), settings or Settings(), name)[0].model


def is_model_file(path: str) -> bool:
    """Return whether the suffix of a file, perhaps before one of compression, is that of a model format."""
    return format_of_suffix(uncompressed(path), MODEL_FILES) is not None


def read_model_file(path: str, settings: Settings, name: str | None = None) -> tuple[ReadModel, Format]:
    """The model of a file, or of standard input (``-``), and its format. Errors as for ``load_model``."""
    named = None if name is None else format_named(name, MODEL_FILES)
    by_suffix = format_of_suffix(uncompressed(path), MODEL_FILES)
    name_of = "standard input" if path == "-" else path
    refusal = f"{name_of} is not text: a model is {listed(MODEL_FILES)}"

    def expansion(head: bytes) -> int:
        check_is_text(head, refusal)
        form = named or _shown_by(head.decode("utf-8", "replace")) or by_suffix
        return max(each.expansion for each in MODEL_FILES) if form is None else form.expansion

    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else open(path, "rb") as stream:
            data = read_stream(stream, name_of, settings, expansion)
    except BadInput:
        raise
    except (OSError, ValueError) as error:  # a ValueError is about the name
        raise BadInput(f"{name_of}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    text = as_text(data, refusal)
    try:
        form = named or _shown_by(text) or by_suffix or _unknown(text)
        return _read(text, form), form
    except BadInput as error:
        raise BadInput(f"{name_of}: {error}") from None


def shows_model(text: str) -> bool:
    """Whether a text shows that it is a model, in a format that is read."""
    return _shown_by(text) is not None


def _shown_by(text: str) -> Format | None:
    """The format that the contents of a text show."""
    text = text.removeprefix("\ufeff")
    comments = _COMMENTS.match(text)
    assert comments is not None
    # The names of many variables can be long comments.
    heads = (text[:_HEAD], text[comments.end() : comments.end() + _HEAD])
    return next((each for head in heads for each in MODEL_FILES if each.opens(head)), None)


def _unknown(text: str) -> NoReturn:
    if _CLAUSES.match(text.removeprefix("\ufeff")):
        raise BadInput(
            "clauses without a line p: write p cnf VARIABLES CLAUSES above them, or of weighted ones p wcnf "
            "VARIABLES CLAUSES"
        )
    raise BadInput(f"the contents show none of the formats of models: {listed(MODEL_FILES)}")


def _read(text: str, form: Format) -> ReadModel:
    read: ReadModel = form.function("read")(text.removeprefix("\ufeff"))
    return read


def model_file(model: Model, name: str, *, encoding: str = "one-hot") -> str:
    """The model in a format.

    - ``encoding``: of circuits, for CNF, WCNF and OPB: ``one-hot``, ``binary``, ``remainder`` or
      ``elimination``

    Raises BadInput for a format that holds no models, or cannot state this one.
    """
    form = format_named(name, MODEL_FORMATS)
    options = {"circuits": encoding} if "encoding" in form.options else {}
    text: str = form.function("write")(model, **options)
    return text


def problem_file(problem: TourProblem, name: str, *, encoding: str = "one-hot") -> str:
    """The model of a tour problem in a format. Parameters and errors as for ``model_file``.

    >>> file = problem_file(TourProblem(board="3x4", closed=False), "hcp")
    >>> file.splitlines()[2]  # 12 cells and the node that joins the ends
    'DIMENSION : 13'
    """
    from ktsolve.models.tour import TourModel

    if name == "hcp" and problem.features <= {"closed", "holes", "leaper", "wrap", "graph"}:
        return graph_file(problem.ground, name)  # the same lines, without a model
    return model_file(TourModel(problem).model, name, encoding=encoding)
