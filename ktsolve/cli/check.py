"""``ktsolve check``: is this a tour, and does it answer the question?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.cli import options as opt
from ktsolve.cli.input import read_text
from ktsolve.cli.output import emit, emit_json
from ktsolve.cli.problem_options import ProblemWords, takes_problem
from ktsolve.cli.tour_file import TOUR_WORDS, UNTOLD
from ktsolve.errors import BadInput

if TYPE_CHECKING:
    from ktsolve.ground.board import Board
    from ktsolve.ground.tour import Fault, Tour

_MANY_CELLS = 10**6


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="check")(check)


@takes_problem(**UNTOLD)
def check(
    file: Annotated[
        str, typer.Argument(metavar="FILE|-", help="A tour: number grid, list of cells, or JSON.")
    ],
    words: ProblemWords,
    json: opt.JsonOption = False,
    output: opt.OutputOption = None,
) -> int:
    """Say whether a file (or standard input) is a valid tour, or name the first fault."""
    from dataclasses import replace

    from ktsolve.engines.base import Settings
    from ktsolve.ground.board import Board
    from ktsolve.ground.formats import NotATour, read_tour

    whole = replace(words, closed=bool(words.closed), leaper=words.leaper or "1,2", wrap=words.wrap or "none")
    text = read_text(file, TOUR_WORDS)
    given = whole.make_board(Settings()) if words.board else None
    if given is None and words.without:
        raise BadInput("--without needs --board: a file by itself tells which cells it has")
    try:
        tour = read_tour(text, given, words.closed)
    except NotATour as fault:
        return _report(None, given, str(fault), 0, json, output)
    if given is None and (words.leaper or words.wrap):
        plain = tour.board
        moved = Board.parse(plain.size, leaper=words.leaper or plain.leaper, wrap=words.wrap or plain.wrap)
        moved = replace(moved, removed=plain.removed)
        tour = read_tour(text, moved, words.closed)
    if len(tour) < len(tour.board) and len(tour.board) > _MANY_CELLS:
        # A few cells far apart span a board that no memory holds.
        reason = f"{len(tour):,} of {len(tour.board):,} cells visited"
        return _report(None, tour.board, reason, 0, json, output)
    wrong = replace(whole, closed=tour.closed).make(tour.board).check(tour)
    return _report(tour, tour.board, None if wrong is None else wrong.reason, _step(wrong), json, output)


def _step(fault: Fault | None) -> int:
    return 0 if fault is None else fault.step


def _report(
    tour: Tour | None, board: Board | None, fault: str | None, step: int, json: bool, output: str | None
) -> int:
    if json:
        data: dict[str, Any] = {
            "status": "valid" if fault is None else "invalid",
            "board": None if board is None else board.to_json(),
            "closed": None if tour is None else tour.closed,
        }
        if fault is not None:
            data["fault"] = {"step": step or None, "reason": fault}
        emit_json(data, output)
    elif fault is None:
        assert tour is not None
        emit(f"valid {'closed' if tour.closed else 'open'} tour of {board}", output)
    else:
        emit(f"not a tour: {fault}" if tour is None or not tour.valid else f"not as asked: {fault}", output)
    return 0 if fault is None else 1
