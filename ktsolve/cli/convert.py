"""``ktsolve convert``: tours, boards and problems from one format to another."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated

import typer

from ktsolve.cli import options as opt
from ktsolve.cli.arrays import emit_steps
from ktsolve.cli.input import read_text
from ktsolve.cli.limits import backstop
from ktsolve.cli.output import emit, emit_bytes, writing_bytes
from ktsolve.cli.problem_options import ProblemSpec, takes_problem
from ktsolve.cli.subject import large_tour, read_file, read_steps
from ktsolve.cli.tour_file import UNTOLD, given_board
from ktsolve.errors import BadInput

if TYPE_CHECKING:
    from ktsolve.ground.board import Board
    from ktsolve.settings import Settings

__all__ = ["register"]

_PIECEWISE = {"txt": "grid", "cells": "cells", "moves": "moves", "npy": "npy"}
"""Formats that tours of any size are written in, and how :func:`ktsolve.cli.arrays.emit_steps` calls them."""

_MOST_OBJECTS = 4_000_000

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
    spec: ProblemSpec,
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
            help="txt cells json csv tour moves npy; hcp col g6 graphml net; cnf opb. By default as -o ends.",
            rich_help_panel="What is printed",
        ),
    ] = None,
) -> int:
    """Write tours as grid, cells, JSON, CSV, TSPLIB, moves or .npy; graphs, problems for other programs."""
    ending = _ending(format, output)
    settings = opt.make_settings(timeout, memory, None, None, None)
    with backstop(settings.timeout):
        text = _converted(file, spec, ending, encoding, settings, output)
    if text is None:
        return 0
    if ending == "npy":
        with writing_bytes(output) as stream:
            stream.write(text)
    elif output in (None, "-"):
        emit(text.decode(), None)
    else:
        emit_bytes(text, str(output))
    return 0


def _ending(style: str | None, output: str | None) -> str:
    from ktsolve.formats.graphs import GRAPH_FORMATS
    from ktsolve.formats.problems import PROBLEM_FORMATS
    from ktsolve.formats.writing import TOUR_ENDINGS

    if style is None and output in (None, "-"):
        raise BadInput("say what is to be written: --format NAME, or -o FILE with an ending that tells")
    ending = PurePath(str(output)).suffix.removeprefix(".").lower() if style is None else style
    known = list(dict.fromkeys([*TOUR_ENDINGS, *GRAPH_FORMATS, *PROBLEM_FORMATS]))
    if ending not in known:
        raise BadInput(f"format {ending!r} is unknown: use {', '.join(known)}")
    return ending


def _converted(
    file: str, spec: ProblemSpec, ending: str, encoding: str, settings: Settings, output: str | None
) -> bytes | None:
    """What is to be written; None if it is already, piece by piece."""
    from ktsolve.formats.graphs import GRAPH_FORMATS, graph_file
    from ktsolve.formats.problems import PROBLEM_FORMATS, problem_file
    from ktsolve.formats.writing import TOUR_ENDINGS

    board = _board(file, spec, settings)
    if board is None:
        if ending not in TOUR_ENDINGS:
            raise BadInput(
                f".{ending} holds a board or a problem, and {file} is neither: "
                f"use {', '.join(f'.{each}' for each in TOUR_ENDINGS)}"
            )
        return _converted_tours(file, spec, ending, settings, output)
    if ending in TOUR_ENDINGS:
        raise BadInput(f".{ending} holds a tour, and {file} is a board: ktsolve tour finds one")
    problem = replace(spec, closed=spec.closed is not False).make(board)
    if ending in PROBLEM_FORMATS:
        return problem_file(problem, ending, encoding=encoding).encode()
    assert ending in GRAPH_FORMATS
    if extra := sorted(problem.features - {"closed", "open", "holes", "leaper", "wrap"}):
        raise BadInput(f".{ending} holds the moves of a board, and no {extra[0]}: use .hcp, .cnf or .opb")
    return graph_file(board, ending).encode()


def _converted_tours(
    file: str, spec: ProblemSpec, ending: str, settings: Settings, output: str | None
) -> bytes | None:
    from ktsolve.formats.writing import tours_bytes
    from ktsolve.render.subjects import Tours, read_subject

    read, board = read_file(file), given_board(spec, settings)
    if isinstance(read, str):
        subject = read_subject(read, board, spec.closed)
        if not isinstance(subject, Tours) or subject.uncrossed:
            raise BadInput(f"{file} holds no tour: only tours, boards and problems are converted")
        return tours_bytes(subject.tours, ending)
    if ending in _PIECEWISE:
        steps, closed = read_steps(read, file, board, spec.closed)
        emit_steps(steps, closed, _PIECEWISE[ending], output)
        return None
    others = ", ".join(f".{each}" for each in _PIECEWISE)
    why = f"a .{ending} is written of at most {_MOST_OBJECTS:,} cells: use {others}"
    return tours_bytes([large_tour(read, file, board, spec.closed, most=_MOST_OBJECTS, why=why)], ending)


def _board(file: str, spec: ProblemSpec, settings: Settings) -> Board | None:
    """The board that the argument is, or that its graph belongs to; None if it is something else."""
    from ktsolve.formats.graphs import GRAPH_FORMATS, board_of

    if _BOARD.fullmatch(file) and not Path(file).exists():
        if spec.board:
            raise BadInput(f"{file} is a board, and so is --board {spec.board}: give one of them")
        return given_board(replace(spec, board=file), settings)
    ending = PurePath(file).suffix.removeprefix(".").lower()
    if ending in GRAPH_FORMATS:
        return board_of(read_text(file, f"a .{ending} is text"), ending)
    return None
