"""Options of commands that read tours from files: what the files do not tell about their board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.errors import BadInput

if TYPE_CHECKING:
    from ktsolve.cli.problem_options import ProblemSpec
    from ktsolve.ground.board import Board
    from ktsolve.settings import Settings

__all__ = ["TOUR_WORDS", "UNTOLD", "given_board"]

TOUR_WORDS = "a tour is a grid of numbers, a list of cells, JSON, CSV or TSPLIB"
"""What a file ought to hold, for errors."""

_ASKED = "What is asked"

_MaybeBoard = Annotated[
    str | None,
    typer.Option(
        "--board", metavar="BOARD", help="The board, if the file does not tell.", rich_help_panel=_ASKED
    ),
]
_MaybeClosed = Annotated[
    bool | None,
    typer.Option("--closed/--open", help="Must be closed, or may be open.", rich_help_panel=_ASKED),
]
_MaybeLeaper = Annotated[
    str | None,
    typer.Option("--leaper", metavar="R,S", help="The piece. Default: 1,2.", rich_help_panel=_ASKED),
]
_MaybeWrap = Annotated[
    str | None,
    typer.Option("--wrap", metavar="none|x|y|xy", help="Join opposite edges.", rich_help_panel=_ASKED),
]

UNTOLD: dict[str, Any] = {
    "board": (_MaybeBoard, None),
    "closed": (_MaybeClosed, None),
    "leaper": (_MaybeLeaper, None),
    "wrap": (_MaybeWrap, None),
}
"""For ``takes_problem``: a file may tell its board and whether the tour is closed; what is unsaid is None."""


def given_board(spec: ProblemSpec, settings: Settings) -> Board | None:
    """The board that the options state, None if they do not.

    Raises
    ------
    BadInput
        If there is no board, but something about it.
    """
    from dataclasses import replace

    if spec.board:
        return replace(spec, leaper=spec.leaper or "1,2", wrap=spec.wrap or "none").make_board(settings)
    for option, given in (("--without", spec.without), ("--leaper", spec.leaper), ("--wrap", spec.wrap)):
        if given:
            raise BadInput(f"{option} needs --board: a file by itself tells which board it has")
    return None
