"""``ktsolve convert``: tours, boards and problems from one format to another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.base.errors import BadInput
from ktsolve.base.text import number_of
from ktsolve.cli import options as opt
from ktsolve.cli.input import name_of
from ktsolve.cli.output import emit_chunks
from ktsolve.cli.problem_options import ProblemSpec, graphs_of_text, is_instance, takes_problem
from ktsolve.cli.tour_input import (
    UNSTATED,
    board_change,
    checked_array,
    given_board,
    named_board,
    naming,
    read_graph_or_tour,
)
from ktsolve.cli.tour_output import check_drawn
from ktsolve.formats.table import (
    GRAPH_TOUR_FORMATS,
    Format,
    format_named,
    format_of_suffix,
    formats_of,
    listed,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ktsolve.base.limits import Settings
    from ktsolve.formats.graphs.given import ReadGraph
    from ktsolve.graphs.tour import Tour
    from ktsolve.model.model import Model
    from ktsolve.problem.longest import LongestProblem

_TOURS, _GRAPHS, _MODELS = formats_of("tour"), formats_of("graph"), formats_of("model", can="write")

_PICTURES = tuple(each for each in formats_of("picture") if each.name != "text")

_FORMATS = (*_TOURS, *_GRAPHS, *_MODELS, *_PICTURES)


@takes_problem(without=("format", "keep_going"), **UNSTATED)
@opt.takes_work("timeout", "memory")
def convert(
    *,
    file: Annotated[
        str, typer.Argument(metavar="FILE|-|BOARD", help="Tours, graphs, models, a size, graph:NAME.")
    ],
    spec: ProblemSpec,
    tour: Annotated[
        int | None,
        opt.problem_option("--tour", "The tour of that number, of a file with several.", "K", min=1),
    ] = None,
    encoding: Annotated[
        str, opt.output_option("--encoding", "Encoding of circuits, for cnf, wcnf, opb.", "one-hot|binary")
    ] = "one-hot",
    work: opt.WorkOptions,
    output: opt.OutputOption = None,
    format: Annotated[  # noqa: A002
        str | None,
        opt.output_option("--format", f"Format: {listed(_FORMATS)}. Default: by the suffix of -o.", "NAME"),
    ] = None,
) -> int:
    """Convert tours, move graphs, problems and models from one format to another.

    Examples
    --------
    ktsolve convert tour.json --format cells           # a1 b3 ...
    ktsolve convert tours.txt --tour 3 -o tour.gif     # one tour of several
    ktsolve convert 8x8 -o knight.g6                   # the moves of a board as a graph
    ktsolve convert graph:petersen --format edges      # a graph by name
    ktsolve convert 6x6 --open --start a1 -o open.cnf  # a problem as clauses
    ktsolve convert soft.wcnf -o soft.opb              # a model for other solvers
    """
    form, chunks = _converted(file, spec, tour, _formats(format, output), encoding, work.settings)
    emit_chunks(chunks, output, text=not form.binary)
    return 0


def _formats(name: str | None, output: str | None) -> tuple[Format, ...]:
    """The formats of a name or of the suffix of the output; one each of tours, graphs and models at most."""
    if name is None and output in (None, "-"):
        raise BadInput("no format is given: add --format NAME, or -o FILE with a suffix such as .csv")
    found = []
    for forms in (_TOURS, _GRAPHS, _MODELS, _PICTURES):
        named = (each for each in forms if name == each.name or name in each.aliases)
        form = format_of_suffix(output, forms) if name is None else next(named, None)
        found += [] if form is None else [form]
    if not found and name is not None:
        format_named(name, _FORMATS)
    if not found:
        raise BadInput(f"-o {output}: the suffix is unknown: add --format, one of {listed(_FORMATS)}")
    return tuple(found)


def _converted(
    file: str,
    spec: ProblemSpec,
    number: int | None,
    forms: tuple[Format, ...],
    encoding: str,
    settings: Settings,
) -> tuple[Format, Iterable[bytes]]:
    """The format that is written, and the pieces of the file."""
    from ktsolve.formats.graphs.given import ReadGraph
    from ktsolve.formats.models import is_model_file, load_model, read_model, shows_model
    from ktsolve.formats.tours.files import read_parts, read_tours, tour_chunks, tour_file
    from ktsolve.graphs.board import Board
    from ktsolve.render.subjects import valid_walk

    named = None if is_model_file(file) else named_board(file, spec, settings)
    other = is_model_file(file) or named is not None
    graph, read = (None, "") if other else read_graph_or_tour(file, spec, settings)
    if number is not None and (other or graph is not None or not isinstance(read, str)):
        raise BadInput(f"--tour {number} is about a file of several tours, and {name_of(file)} is not one")
    if is_model_file(file):
        return _model(file, lambda: load_model(file, settings), spec, forms, encoding)
    if named is not None:
        spec = replace(spec, board=file) if is_instance(file) else spec
        return _statements([ReadGraph(named)], file, spec, forms, encoding)
    if graph is not None and isinstance(read, str):
        found = graphs_of_text(read, graph, name_of(file), strict=spec.strict)
        changed = (ReadGraph(spec.changed(each.ground, each.required), each.required) for each in found)
        return _statements(list(changed), file, spec, forms, encoding)
    if isinstance(read, str) and shows_model(read):
        return _model(file, lambda: read_model(read), spec, forms, encoding)
    form = next((each for each in forms if each in (*_TOURS, *_PICTURES)), None)
    if form is None:
        what = f"{forms[0].name} holds a board or a problem"
        raise BadInput(f"{what}, and {name_of(file)} is neither: use {listed(_TOURS)}")
    board = given_board(spec, settings)
    if not isinstance(read, str):
        array = checked_array(read, file, board, spec.closed)
        if form.holds != "picture":
            return form, tour_chunks(array, form)
        check_drawn(form, len(array))
        return form, [_picture([array], form)]
    with naming(file, spec.board):
        stated = valid_walk(read, board, spec.closed, board_change(spec))
        walk = None if stated is None else stated[1]
        if stated is not None and number is None:
            tours = [stated[0]]
        elif number is None:
            tours = read_tours(read, board, spec.closed, board_change(spec))
        else:
            parts = read_parts(read, board, spec.closed, board_change(spec))
            if number > len(parts):
                raise BadInput(f"{name_of(file)} holds {number_of(len(parts), 'tour')}, and --tour {number}")
            tours = [parts[number - 1].require(f"tour {number}")]
    if form.holds == "picture":
        return form, [_picture(tours, form, walk)]
    if walk is not None and not walk.non_crossing:
        raise BadInput(
            f"{form.name} holds tours of all {walk.ground.nouns.cells}, and the walk leaves some out"
        )
    for tour in tours:
        if not isinstance(tour.ground, Board) and not form.bare:
            raise BadInput(
                f"{form.name} holds tours of boards, not of a {tour.ground}: use {listed(GRAPH_TOUR_FORMATS)}"
            )
    return form, [tour_file(tours, form, non_crossing=walk is not None)]


def _picture(tours: Sequence[Tour], form: Format, walk: LongestProblem | None = None) -> bytes:
    from ktsolve.render.scene.style import Style
    from ktsolve.render.subject import PictureOptions, picture_file
    from ktsolve.render.subjects import DrawnTours

    return picture_file(DrawnTours(tuple(tours), walk), Style(), PictureOptions(form=form))


def _model(
    file: str, load: Callable[[], Model], spec: ProblemSpec, forms: tuple[Format, ...], encoding: str
) -> tuple[Format, Iterable[bytes]]:
    """A model of a file in another format of models."""
    from ktsolve.formats.models import model_file

    form = next((each for each in forms if each in _MODELS), None)
    if form is None:
        raise BadInput(
            f"{forms[0].name} does not hold a model, and {name_of(file)} is one: use {listed(_MODELS)}"
        )
    unstated: dict[str, Any] = {"board": None, "closed": None, "leaper": None, "wrap": None}
    if spec != ProblemSpec(**unstated):
        raise BadInput(f"{name_of(file)} is a model: options of boards and tours do not apply to it")
    return form, [model_file(load(), form.name, encoding=encoding).encode()]


def _statements(
    graphs: Sequence[ReadGraph], file: str, spec: ProblemSpec, forms: tuple[Format, ...], encoding: str
) -> tuple[Format, Iterable[bytes]]:
    """The graphs, or the problems that the options state, in a format."""
    from ktsolve.graphs.tour import Tour

    if forms[0].holds == "picture":
        return forms[0], [_picture([Tour(each.ground, ()) for each in graphs], forms[0])]
    form = next((each for each in forms if each not in _TOURS), None)
    if form is None:
        raise BadInput(f"{forms[0].name} holds a tour, and a board or graph is given: ktsolve tour finds one")
    if len(graphs) > 1 and form.separator is None:
        several = listed(each for each in _GRAPHS if each.several)
        raise BadInput(f"{file} holds {len(graphs)} graphs, and {form.name} holds one: use {several}")
    return form, [_statement(each, spec, forms, encoding) for each in graphs]


def _statement(graph: ReadGraph, spec: ProblemSpec, forms: tuple[Format, ...], encoding: str) -> bytes:
    """A graph, or the problem that the options state on it, in a format."""
    from ktsolve.formats.graphs.files import graph_file
    from ktsolve.formats.models import problem_file

    problem = replace(spec, closed=spec.closed is not False).make(graph.ground, graph.required)
    stated = problem.features - {"closed", "open", "holes", "leaper", "wrap", "graph", "digraph"}
    model = next((each for each in forms if each in _MODELS), None)
    if model is not None and (stated or not problem.closed or not any(each in _GRAPHS for each in forms)):
        return problem_file(problem, model.name, encoding=encoding).encode()
    form = next(each for each in forms if each in _GRAPHS)
    if stated:
        raise BadInput(f"{form.name} does not hold {sorted(stated)[0]}, only a graph: use {listed(_MODELS)}")
    return graph_file(graph.ground, form.name).encode()
