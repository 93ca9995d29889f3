"""``ktsolve check``: is this a tour, and does it answer the question?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.cli import options as opt
from ktsolve.cli.arrays import Large, Rectangle, check_large, read_tour_file
from ktsolve.cli.output import emit, emit_json
from ktsolve.cli.problem_options import ProblemSpec, takes_problem
from ktsolve.cli.tour_file import UNTOLD
from ktsolve.errors import BadInput

if TYPE_CHECKING:
    from ktsolve.ground.board import Board
    from ktsolve.ground.tour import Fault

_MANY_CELLS = 10**6


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="check")(check)


@takes_problem(**UNTOLD)
def check(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE|-", help="A tour: grid, list of cells, JSON, move string, .npy."),
    ],
    spec: ProblemSpec,
    json: opt.JsonOption = False,
    output: opt.OutputOption = None,
) -> int:
    """Say whether a file (or standard input) is a valid tour, or name the first fault."""
    from dataclasses import replace

    from ktsolve.formats.reading import NotATour, read_tour
    from ktsolve.ground.board import Board
    from ktsolve.ground.tour import Fault
    from ktsolve.settings import Settings

    whole = replace(spec, closed=bool(spec.closed), leaper=spec.leaper or "1,2", wrap=spec.wrap or "none")
    text = read_tour_file(file)
    if isinstance(text, Large):
        closed, fault, valid = check_large(spec, text)
        return _report(closed, valid, text.rectangle, fault, json, output)
    given = whole.make_board(Settings()) if spec.board else None
    if given is None and spec.without:
        raise BadInput("--without needs --board: a file by itself tells which cells it has")
    try:
        tour = read_tour(text, given, spec.closed)
    except NotATour as fault:
        return _report(None, False, given, Fault(0, str(fault)), json, output)
    if given is None and (spec.leaper or spec.wrap):
        plain = tour.board
        moved = Board.parse(plain.size, leaper=spec.leaper or plain.leaper, wrap=spec.wrap or plain.wrap)
        moved = replace(moved, removed=plain.removed)
        tour = read_tour(text, moved, spec.closed)
    if len(tour) < len(tour.board) and len(tour.board) > _MANY_CELLS:
        # A few cells far apart span a board that no memory holds.
        few = Fault(0, f"{len(tour):,} of {len(tour.board):,} cells visited")
        return _report(None, False, tour.board, few, json, output)
    wrong = replace(whole, closed=tour.closed).make(tour.board).check(tour)
    return _report(tour.closed, wrong is None or tour.valid, tour.board, wrong, json, output)


def _report(
    closed: bool | None,
    valid: bool,
    board: Board | Rectangle | None,
    fault: Fault | None,
    json: bool,
    output: str | None,
) -> int:
    if json:
        data: dict[str, Any] = {
            "status": "valid" if fault is None else "invalid",
            "board": None if board is None else board.to_json(),
            "closed": closed,
        }
        if fault is not None:
            data["fault"] = {"step": fault.step or None, "reason": fault.reason}
        emit_json(data, output)
    elif fault is None:
        emit(f"valid {'closed' if closed else 'open'} tour of {board}", output)
    else:
        emit(f"not as asked: {fault}" if valid else f"not a tour: {fault}", output)
    return 0 if fault is None else 1
