"""``ktsolve convert``: tours, boards and problems from one format to another."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated

import typer

from ktsolve.cli import options as opt
from ktsolve.cli.arrays import read_tour_text
from ktsolve.cli.input import read_text
from ktsolve.cli.limits import backstop
from ktsolve.cli.output import emit, emit_bytes
from ktsolve.cli.problem_options import ProblemWords, takes_problem
from ktsolve.cli.tour_file import UNTOLD, given_board
from ktsolve.errors import BadInput

if TYPE_CHECKING:
    from ktsolve.engines.base import Settings
    from ktsolve.ground.board import Board

__all__ = ["register"]

_BOARD = re.compile(r"\d+\s*[xX×]\s*\d+", re.ASCII)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="convert")(convert)


@takes_problem(**UNTOLD)
def convert(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE|-|BOARD", help="Tours, a graph that tells its board, or a size."),
    ],
    words: ProblemWords,
    encoding: Annotated[
        str,
        typer.Option(
            "--encoding",
            metavar="onehot|binary",
            help="Of circuits, for .cnf and .opb.",
            rich_help_panel="What is printed",
        ),
    ] = "onehot",
    timeout: opt.TimeoutOption = None,
    memory: opt.MemoryOption = None,
    output: opt.OutputOption = None,
    format: Annotated[  # noqa: A002
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help="txt cells json csv tour; hcp col g6 graphml net; cnf opb. Default: as the output ends.",
            rich_help_panel="What is printed",
        ),
    ] = None,
) -> int:
    """Write tours as grid, cells, JSON, CSV or TSPLIB; move graphs and problems for other programs."""
    ending = _ending(format, output)
    settings = opt.make_settings(timeout, memory, None, None, None)
    with backstop(settings.timeout):
        text = _converted(file, words, ending, encoding, settings)
    if output in (None, "-"):
        emit(text, None)
    else:
        emit_bytes(text.encode(), str(output))
    return 0


def _ending(style: str | None, output: str | None) -> str:
    from ktsolve.exchange.graphs import GRAPH_FORMATS
    from ktsolve.exchange.problems import PROBLEM_FORMATS
    from ktsolve.exchange.tours import TOUR_FORMATS

    if style is None and output in (None, "-"):
        raise BadInput("say what is to be written: --format NAME, or -o FILE with an ending that tells")
    ending = PurePath(str(output)).suffix.removeprefix(".").lower() if style is None else style
    known = list(dict.fromkeys([*TOUR_FORMATS, *GRAPH_FORMATS, *PROBLEM_FORMATS]))
    if ending not in known:
        raise BadInput(f"format {ending!r} is unknown: use {', '.join(known)}")
    return ending


def _converted(file: str, words: ProblemWords, ending: str, encoding: str, settings: Settings) -> str:
    from ktsolve.exchange.graphs import GRAPH_FORMATS, graph_file
    from ktsolve.exchange.problems import PROBLEM_FORMATS, problem_file
    from ktsolve.exchange.tours import TOUR_FORMATS, tours_file
    from ktsolve.render.subjects import Tours, read_subject

    board = _board(file, words, settings)
    if board is None:
        if ending not in TOUR_FORMATS:
            raise BadInput(
                f".{ending} holds a board or a problem, and {file} is neither: "
                f"use {', '.join(f'.{each}' for each in TOUR_FORMATS)}"
            )
        subject = read_subject(read_tour_text(file), given_board(words, settings), words.closed)
        if not isinstance(subject, Tours):
            raise BadInput(f"{file} holds no tour: only tours, boards and problems are converted")
        return tours_file(subject.tours, ending)
    if ending in TOUR_FORMATS:
        raise BadInput(f".{ending} holds a tour, and {file} is a board: ktsolve tour finds one")
    problem = replace(words, closed=words.closed is not False).make(board)
    if ending in PROBLEM_FORMATS:
        return problem_file(problem, ending, encoding=encoding)
    assert ending in GRAPH_FORMATS
    if extra := sorted(problem.features - {"closed", "open", "holes", "leaper", "wrap"}):
        raise BadInput(f".{ending} holds the moves of a board, and no {extra[0]}: use .hcp, .cnf or .opb")
    return graph_file(board, ending)


def _board(file: str, words: ProblemWords, settings: Settings) -> Board | None:
    """The board that the argument is, or that its graph belongs to; None if it is something else."""
    from ktsolve.exchange.graphs import GRAPH_FORMATS, board_of

    if _BOARD.fullmatch(file) and not Path(file).exists():
        if words.board:
            raise BadInput(f"{file} is a board, and so is --board {words.board}: give one of them")
        return given_board(replace(words, board=file), settings)
    ending = PurePath(file).suffix.removeprefix(".").lower()
    if ending in GRAPH_FORMATS:
        return board_of(read_text(file, f"a .{ending} is text"), ending)
    return None
