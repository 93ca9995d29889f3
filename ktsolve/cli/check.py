"""``ktsolve check``: whether a file is a tour, and answers the question."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.cli import options as opt
from ktsolve.cli.output import remark
from ktsolve.cli.problem_options import ProblemSpec, takes_problem
from ktsolve.cli.tour_input import UNSTATED, board_for, read_tour_file, rectangle_problem
from ktsolve.errors import BadInput, NotATour
from ktsolve.formats.table import formats_of, listed

if TYPE_CHECKING:
    from ktsolve.ground.arrays import ArrayTour, Rectangle
    from ktsolve.ground.graph import Graph, Move
    from ktsolve.ground.tour import Fault
    from ktsolve.settings import Settings

_MANY_CELLS = 10**6
"""Cells of a board from which no object is made for each."""


@takes_problem(without=("format",), **UNSTATED)
@opt.takes_work("timeout", "memory")
@opt.takes_output("json", "output", graphs=True)
def check(
    *,
    file: Annotated[
        str,
        typer.Argument(metavar="FILE|-", help=f"A tour: {listed(formats_of('tour'))}."),
    ],
    spec: ProblemSpec,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Check that a file is a tour, or name the first violation.

    Examples
    --------
    ktsolve check tour.json                                       # any format
    ktsolve check tour.json --closed                              # and it is closed
    ktsolve tour 6x6 --structured | ktsolve check - --structured  # with conditions
    """
    from ktsolve.formats.tours import read_tour
    from ktsolve.ground.arrays import ArrayTour
    from ktsolve.ground.board import Board
    from ktsolve.ground.tour import Fault

    spec = replace(spec, format=out.graph_format)
    settings = work.settings
    given: Graph | None = None
    try:
        on_graph = bool(spec.board) and spec.is_graph
        if file == "-" and spec.board == "-":
            raise BadInput("standard input (-) can be read once: name a file for the tour or the graph")
        read = read_tour_file(file, settings, on_graph=on_graph)
        if isinstance(read, ArrayTour):
            return _check_array(spec, read, settings, out)
        required: tuple[Move, ...] = ()
        if on_graph:
            graph = replace(spec, leaper=spec.leaper or "1,2", wrap=spec.wrap or "none").graph(settings)
            given, required = graph.ground, graph.required
        else:
            given = board_for(spec, read, settings)
        tour = read_tour(read, given, spec.closed)
    except NotATour as error:
        return _report(None, False, given, Fault(0, str(error)), out)
    ground = tour.ground
    if isinstance(ground, Board) and len(tour) < len(ground) and len(ground) > _MANY_CELLS:
        # A few cells far apart span a board that no memory holds.
        few = Fault(0, f"{len(tour):,} of {len(ground):,} cells visited")
        return _report(None, False, ground, few, out)
    asked = replace(spec, closed=tour.closed, leaper=spec.leaper or "1,2", wrap=spec.wrap or "none")
    violation = asked.make(ground, required).check(tour)
    if violation is not None and not spec.board and isinstance(ground, Board) and ground.rows == 1:
        remark("read as a board of one row; a tour of a graph needs --board GRAPH", quiet=False)
    return _report(tour.closed, violation is None or tour.valid, ground, violation, out)


def _check_array(spec: ProblemSpec, tour: ArrayTour, settings: Settings, out: opt.OutputOptions) -> int:
    from ktsolve.ground.arrays import steps_fault

    tour = tour.as_closed(spec.closed)
    closed = tour.is_closed
    asked = rectangle_problem(replace(spec, board=spec.board or str(tour.board), closed=closed))
    if asked is None:
        taken = "--board, --closed, --open, --start and --end"
        raise BadInput(f"a tour of {tour.board.cells:,} cells is checked with {taken} only")
    if asked.board != tour.board:
        raise BadInput(f"the tour has {tour.board} cells, the board is {spec.board}")
    violation = asked.check(tour, settings)
    valid = violation is None or steps_fault(tour.steps, closed=closed) is None
    return _report(closed, valid, tour.board, violation, out)


def _report(
    closed: bool | None,
    valid: bool,
    board: Graph | Rectangle | None,
    fault: Fault | None,
    out: opt.OutputOptions,
) -> int:
    data: dict[str, Any] = {
        "status": "valid" if fault is None else "invalid",
        "board": None if board is None else board.to_json(),
        "closed": closed,
    }
    if fault is None:
        text = f"valid {'closed' if closed else 'open'} tour of {board}"
    else:
        data["fault"] = {"step": fault.step or None, "reason": fault.reason}
        text = f"condition violated: {fault}" if valid else f"not a tour: {fault}"
    out.emit(data, text)
    return 0 if fault is None else 1
