"""``ktsolve check``: is this a tour, and does it answer the question?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.cli import options as opt
from ktsolve.cli.output import emit, emit_json
from ktsolve.errors import BadInput

if TYPE_CHECKING:
    from ktsolve.ground.board import Board
    from ktsolve.ground.tour import Fault, Tour

_LARGEST_FILE = 1 << 30
_MANY_CELLS = 10**6


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="check")(check)


def check(
    file: Annotated[
        str, typer.Argument(metavar="FILE|-", help="A tour: number grid, list of cells, or JSON.")
    ],
    board: Annotated[
        str | None,
        typer.Option(
            "--board",
            metavar="BOARD",
            help="The board, if the file does not tell.",
            rich_help_panel="What is asked",
        ),
    ] = None,
    closed: opt.MaybeClosedOption = None,
    start: opt.StartOption = None,
    end: opt.EndOption = None,
    require: opt.RequireOption = None,
    forbid: opt.ForbidOption = None,
    without: opt.WithoutOption = None,
    leaper: Annotated[
        str | None,
        typer.Option(
            "--leaper", metavar="R,S", help="The piece. Default: 1,2.", rich_help_panel="What is asked"
        ),
    ] = None,
    wrap: Annotated[
        str | None,
        typer.Option(
            "--wrap", metavar="none|x|y|xy", help="Join opposite edges.", rich_help_panel="What is asked"
        ),
    ] = None,
    symmetry: opt.SymmetryOption = None,
    at: opt.AtOption = None,
    structured: opt.StructuredOption = False,
    corners: opt.CornersOption = None,
    magic: opt.MagicOption = None,
    json: opt.JsonOption = False,
    output: opt.OutputOption = None,
) -> int:
    """Say whether a file (or standard input) is a valid tour, or name the first fault."""
    from dataclasses import replace

    from ktsolve.engines.base import Settings
    from ktsolve.ground.board import Board
    from ktsolve.ground.formats import NotATour, read_tour

    words = opt.ProblemWords(
        board or "",
        bool(closed),
        start,
        end,
        require,
        forbid,
        without,
        leaper or "1,2",
        wrap or "none",
        symmetry,
        at,
        structured,
        corners,
        magic,
    )
    text = _read(file)
    given = words.make_board(Settings()) if board is not None else None
    if board is None and without:
        raise BadInput("--without needs --board: a file by itself tells which cells it has")
    try:
        tour = read_tour(text, given, closed)
    except NotATour as fault:
        return _report(None, given, str(fault), 0, json, output)
    if given is None and (leaper is not None or wrap is not None):
        plain = tour.board
        moved = Board.parse(plain.size, leaper=leaper or plain.leaper, wrap=wrap or plain.wrap)
        moved = replace(moved, removed=plain.removed)
        tour = read_tour(text, moved, closed)
    if len(tour) < len(tour.board) and len(tour.board) > _MANY_CELLS:
        # A few cells far apart span a board that no memory holds.
        reason = f"{len(tour):,} of {len(tour.board):,} cells visited"
        return _report(None, tour.board, reason, 0, json, output)
    wrong = replace(words, closed=tour.closed).make(tour.board).check(tour)
    return _report(tour, tour.board, None if wrong is None else wrong.reason, _step(wrong), json, output)


def _step(fault: Fault | None) -> int:
    return 0 if fault is None else fault.step


def _read(file: str) -> str:
    try:
        if file == "-":
            data = sys.stdin.buffer.read(_LARGEST_FILE + 1)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(_LARGEST_FILE + 1)
    except OSError as error:
        raise BadInput(f"{file}: cannot be read: {error.strerror}") from None
    except ValueError as error:  # a NUL in the name
        raise BadInput(f"{file}: cannot be read: {error}") from None
    name = "standard input" if file == "-" else file
    if len(data) > _LARGEST_FILE:
        raise BadInput(f"{name} is larger than 1 GiB")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadInput(f"{name} is not text: a tour is a grid of numbers, a list of cells, or JSON") from None


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
