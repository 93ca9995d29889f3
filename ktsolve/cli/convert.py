"""``ktsolve convert``: tours, boards and problems from one format to another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from ktsolve.cli import options as opt
from ktsolve.cli.input import read_text
from ktsolve.cli.limits import backstop
from ktsolve.cli.output import emit_chunks
from ktsolve.cli.problem_options import ProblemSpec, takes_problem
from ktsolve.cli.tour_input import SMALL, UNSTATED, checked_array, given_board, named_board, read_tour_file
from ktsolve.errors import BadInput
from ktsolve.formats.table import Format, format_named, format_of_suffix, formats_of, listed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ktsolve.ground.board import Board
    from ktsolve.settings import Settings

_TOURS, _GRAPHS, _MODELS = formats_of("tour"), formats_of("graph"), formats_of("model")

_FORMATS = (*_TOURS, *_GRAPHS, *_MODELS)


@takes_problem(**UNSTATED)
@opt.takes_work("timeout", "memory")
def convert(
    *,
    file: Annotated[
        str,
        typer.Argument(metavar="FILE|-|BOARD", help="Tours, a graph that states its board, or a size."),
    ],
    spec: ProblemSpec,
    encoding: Annotated[
        str, opt.printed("--encoding", "Encoding of circuits, for cnf and opb.", "onehot|binary")
    ] = "onehot",
    work: opt.WorkOptions,
    output: opt.OutputOption = None,
    format: Annotated[  # noqa: A002
        str | None, opt.printed("--format", f"{listed(_FORMATS)}. Default: by the suffix of -o.", "NAME")
    ] = None,
) -> int:
    """Convert tours, move graphs and problems from one format to another."""
    form = _format(format, output)
    settings = work.settings
    with backstop(settings.timeout):
        chunks = _converted(file, spec, form, encoding, settings)
    emit_chunks(chunks, output, text=not form.binary)
    return 0


def _format(name: str | None, output: str | None) -> Format:
    if name is not None:
        return format_named(name, _FORMATS)
    if output in (None, "-"):
        raise BadInput("no format is given: add --format NAME, or -o FILE with a suffix such as .csv")
    form = format_of_suffix(output, _FORMATS)
    if form is None:
        raise BadInput(f"-o {output}: the suffix is unknown: add --format, one of {listed(_FORMATS)}")
    return form


def _converted(
    file: str, spec: ProblemSpec, form: Format, encoding: str, settings: Settings
) -> Iterable[bytes]:
    from ktsolve.formats.graphs import board_of, graph_format
    from ktsolve.formats.tours import read_tours, tour_chunks, tour_file

    if (named := named_board(file, spec, settings)) is not None:
        return [_statement(named, spec, form, encoding)]
    graph = format_of_suffix(file, _GRAPHS)
    read = read_tour_file(file, SMALL) if graph is None else read_text(file, f"{graph.name} is text")
    if isinstance(read, str) and (graph := graph or graph_format(read)) is not None:
        return [_statement(board_of(read, graph.name), spec, form, encoding)]
    if form not in _TOURS:
        raise BadInput(f"{form.name} holds a board or a problem, and {file} is neither: use {listed(_TOURS)}")
    board = given_board(spec, settings)
    if isinstance(read, str):
        return [tour_file(read_tours(read, board, spec.closed), form)]
    return tour_chunks(checked_array(read, file, board, spec.closed), form)


def _statement(board: Board, spec: ProblemSpec, form: Format, encoding: str) -> bytes:
    """The board's graph or the problem that the options state, in a format."""
    from ktsolve.formats.graphs import graph_file
    from ktsolve.formats.models import problem_file

    if form in _TOURS:
        raise BadInput(f"{form.name} holds a tour, and a board is given: ktsolve tour finds one")
    problem = replace(spec, closed=spec.closed is not False).make(board)
    if form.name in {each.name for each in _MODELS}:
        return problem_file(problem, form.name, encoding=encoding).encode()
    if extra := sorted(problem.features - {"closed", "open", "holes", "leaper", "wrap"}):
        raise BadInput(f"{form.name} holds the moves of a board, and no {extra[0]}: use {listed(_MODELS)}")
    return graph_file(board, form.name).encode()
