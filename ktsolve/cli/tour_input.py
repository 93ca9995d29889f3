"""Input of commands that read tours: options for what a file leaves open, and the file itself."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ktsolve.cli import options as opt
from ktsolve.cli.input import begins_with, name_of, read_bytes
from ktsolve.cli.problem_options import ProblemSpec
from ktsolve.errors import BadInput, NotATour

if TYPE_CHECKING:
    from ktsolve.ground.arrays import ArrayTour
    from ktsolve.ground.board import Board
    from ktsolve.settings import Settings
    from ktsolve.tasks.large import RectangleProblem

__all__ = [
    "SMALL",
    "UNSTATED",
    "board_for",
    "checked_array",
    "given_board",
    "named_board",
    "read_tour_file",
    "rectangle_problem",
]

UNSTATED: dict[str, Any] = {
    "board": (
        Annotated[str | None, opt.asked("--board", "The board, if the file does not state it.", "BOARD")],
        None,
    ),
    "closed": (Annotated[bool | None, opt.asked("--closed/--open", "Must be closed, or may be open.")], None),
    "leaper": (Annotated[str | None, opt.asked("--leaper", "The piece. Default: 1,2.", "R,S")], None),
    "wrap": (Annotated[str | None, opt.asked("--wrap", "Join opposite edges.", "none|x|y|xy")], None),
}
"""For ``takes_problem``: options that are None where they are left to the file."""

_SIZE = re.compile(r"\d+\s*[xX×]\s*\d+", re.ASCII)

SMALL = 10_000
"""Cells up to which commands that need one tour only read an array by way of its text, as any other tour."""


def given_board(spec: ProblemSpec, settings: Settings) -> Board | None:
    """The board that the options state, None if they do not.

    Raises
    ------
    BadInput
        If an option about the board is given without the board.
    """
    if spec.board:
        return replace(spec, leaper=spec.leaper or "1,2", wrap=spec.wrap or "none").make_board(settings)
    for option, given in (("--without", spec.without), ("--leaper", spec.leaper), ("--wrap", spec.wrap)):
        if given:
            raise BadInput(f"{option} needs --board: a file by itself states which board it has")
    return None


def named_board(file: str, spec: ProblemSpec, settings: Settings) -> Board | None:
    """The board whose size is given in place of a file, None if a file is given.

    Raises
    ------
    BadInput
        If ``--board`` is given as well.
    """
    if not _SIZE.fullmatch(file) or Path(file).exists():
        return None
    if spec.board:
        raise BadInput(f"{file} is a board, and so is --board {spec.board}: give one of them")
    return given_board(replace(spec, board=file), settings)


def board_for(spec: ProblemSpec, text: str, settings: Settings) -> Board | None:
    """As :func:`given_board`; leaper and wrap without a board change that of the tour in the text."""
    from ktsolve.formats.tours import read_tour
    from ktsolve.ground.board import Board

    if spec.board or spec.without or not (spec.leaper or spec.wrap):
        return given_board(spec, settings)
    plain = read_tour(text, None, spec.closed).board
    moved = Board.parse(plain.size, leaper=spec.leaper or plain.leaper, wrap=spec.wrap or plain.wrap)
    return replace(moved, removed=plain.removed)


def rectangle_problem(spec: ProblemSpec) -> RectangleProblem | None:
    """The problem of a whole rectangle that the options state; None if they state more than its ends."""
    from ktsolve.tasks.large import RectangleProblem

    ends = [text for text in (spec.start, spec.end) if text is not None]
    if not spec.at_most_ends or any(len(text.split()) > 1 or ":" in text or ";" in text for text in ends):
        return None
    return RectangleProblem.parse(spec.board, closed=spec.closed, start=spec.start, end=spec.end)


def read_tour_file(file: str, most: int = 10**6) -> str | ArrayTour:
    """The text of a file, or of standard input for ``-``; a tour of more than so many cells as an array.

    Raises
    ------
    NotATour, BadInput
        As :func:`ktsolve.formats.tours.load`, and if the file cannot be read.
    """
    from ktsolve.formats.tours import NPY_OPENING, load

    data = NPY_OPENING if (array := begins_with(file, NPY_OPENING)) else read_bytes(file)
    try:
        return load(data, file if array else "", most)
    except NotATour:
        raise
    except BadInput as error:
        raise BadInput(f"{name_of(file)}: {error}") from None


def checked_array(
    tour: ArrayTour,
    file: str,
    board: Board | None = None,
    closed: bool | None = None,
    *,
    most: int | None = None,
    why: str = "",
) -> ArrayTour:
    """A large tour that was read, checked.

    Parameters
    ----------
    board, closed:
        What the options state.
    most, why:
        So many cells at most, and the reason for the error.

    Raises
    ------
    BadInput
        If it is no tour, has more cells, or the board is another, or no whole rectangle for the knight.
    """
    from ktsolve.settings import Settings
    from ktsolve.tasks.large import RectangleProblem

    if most is not None and tour.board.cells > most:
        raise BadInput(f"{file} is a tour of {tour.board}: {why}")
    if board is not None and (board.rows, board.columns) != tour.steps.shape:
        raise BadInput(f"{file}: the tour has {tour.board} cells, the board is {board}")
    if board is not None and not board.plain:
        cells = f"{tour.board.cells:,} cells"
        raise BadInput(f"{file}: a tour of {cells} is read for the knight on a whole board, not {board}")
    tour = tour.as_closed(closed)
    fault = RectangleProblem(tour.board, tour.is_closed).check(tour, Settings())
    if fault is not None:
        raise BadInput(f"{file}: not a tour: {fault}")
    return tour
