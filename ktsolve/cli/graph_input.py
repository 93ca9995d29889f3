"""Graphs in the place of a board: a file, a name such as ``graph:petersen``, or standard input (``-``)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ktsolve.base.errors import BadInput
from ktsolve.base.text import number_of, shown
from ktsolve.cli.input import name_of, read_text
from ktsolve.cli.output import remark
from ktsolve.formats.files import check_length
from ktsolve.formats.table import Format, format_named, format_of_suffix, formats_of, listed
from ktsolve.graphs.named_graphs import PREFIX, named_graph

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.formats.graphs.files import ReadGraph
    from ktsolve.graphs.graph import Graph
    from ktsolve.problem.problem import TourProblem

__all__ = [
    "check_lines",
    "graphs_of_text",
    "instance_problem",
    "is_board",
    "is_graph",
    "is_instance",
    "read_graphs",
]

_SIZE = re.compile(r"\s*\d+\s*[xX×]\s*\d+\s*", re.ASCII)

_FORMATS = formats_of("graph")

_WHAT = f"a graph is {listed(_FORMATS)}"


def is_board(text: str) -> bool:
    """Whether a text is the size of a board, such as ``6x6``."""
    return _SIZE.fullmatch(text) is not None


def is_instance(text: str) -> bool:
    """Whether a text is the name of an instance file."""
    return text.endswith(".toml")


@cache
def instance_problem(file: str) -> TourProblem:
    """The tour problem that an instance file states.

    Raises
    ------
    BadInput
        If it is not an instance file, or its model is not a tour problem.
    """
    from ktsolve.problem.problem import TourProblem
    from ktsolve.tasks.instance import load_instance

    instance = load_instance(file)
    problem = instance.built.problem
    if not isinstance(problem, TourProblem):
        raise BadInput(f"{file} states a model {instance.model_name}, and no tours: use ktsolve solve {file}")
    return problem


def is_graph(text: str) -> bool:
    """Whether a text names a graph, and no board: by ``graph:``, ``-``, or as a file.

    A file that does not exist is one if its name has a folder in it, or the suffix of a format of graphs.
    """
    if is_board(text) or is_instance(text) or not text.strip():
        return False
    if text == "-" or text.startswith(PREFIX) or "/" in text or format_of_suffix(text, _FORMATS):
        return True
    try:
        return Path(text).exists()
    except (OSError, ValueError):
        return False


def read_graphs(
    text: str, form: str | None, settings: Settings, *, strict: bool, quiet: bool = False
) -> Iterator[ReadGraph]:
    """The graphs that a text names.

    Parameters
    ----------
    settings:
        Whose memory limit holds for reading.
    form:
        The format of a file; by default by its suffix, or by its contents.
    strict:
        Refuse loops and parallel edges, which are dropped with a remark otherwise.

    Raises
    ------
    BadInput
        If there is no such graph; the message names the file.
    OutOfMemory
        If the file is too long for the memory limit.
    """
    from ktsolve.formats.graphs.files import ReadGraph, graph_format

    if text.startswith(PREFIX):
        if form is not None:
            raise BadInput(f"--format {form} is about a file, and {shown(text)} is a name: leave it out")
        yield ReadGraph(_simple(named_graph(text), text, strict=False, quiet=True))
        return
    named = None if form is None else format_named(form, _FORMATS)

    def format_of(contents: str) -> Format:
        found = named or graph_format(contents, text, guess=True)
        assert found is not None
        return found

    contents = read_text(
        text, _WHAT, settings, lambda head: format_of(head.decode("utf-8", "replace")).read_expansion
    )
    named = format_of(contents)
    check_lines(contents, named, name_of(text), settings)
    yield from graphs_of_text(contents, named, name_of(text), strict=strict, quiet=quiet)


def check_lines(contents: str | bytes, form: Format, name: str, settings: Settings) -> None:
    """Raise OutOfMemory if one of several graphs is too long for the memory limit."""
    if form.several:
        lines = contents.splitlines() if isinstance(contents, bytes) else contents.split("\n")
        check_length(max(map(len, lines), default=0), form.expansion, f"a line of {name}", settings)


def graphs_of_text(
    contents: str, form: Format, where: str, *, strict: bool, quiet: bool = False
) -> Iterator[ReadGraph]:
    """The graphs of the contents of a file; ``where`` is its name in messages."""
    from ktsolve.formats.graphs.files import ReadGraph, graphs_in

    try:
        for number, each in enumerate(graphs_in(contents, form), 1):
            name = f"{where}, graph {number}" if number > 1 else where
            yield ReadGraph(_simple(each.ground, name, strict=strict, quiet=quiet), each.required)
    except BadInput as error:
        raise BadInput(str(error) if str(error).startswith(where) else f"{where}: {error}") from None


def _simple(graph: Graph, where: str, *, strict: bool, quiet: bool) -> Graph:
    """The graph, after a remark about dropped edges; refused under ``--strict``."""
    counts = ((graph.dropped["loops"], "loop"), (graph.dropped["parallel"], "parallel edge"))
    parts = [number_of(number, what) for number, what in counts if number]
    if parts:
        found = " and ".join(parts)
        if strict:
            raise BadInput(f"{where}: the graph has {found}: --strict takes simple graphs only")
        remark(f"{where}: {found} dropped", quiet=quiet)
    return graph
