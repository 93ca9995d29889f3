"""``ktsolve play``: tours and recorded searches as one HTML page that walks them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ktsolve.cli import options as opt
from ktsolve.cli.output import emit
from ktsolve.cli.problem_options import ProblemSpec, takes_problem
from ktsolve.cli.subject import large_tour, read_file
from ktsolve.cli.tour_file import UNTOLD
from ktsolve.errors import BadInput

if TYPE_CHECKING:
    from ktsolve.ground.board import Board
    from ktsolve.ground.tour import Tour
    from ktsolve.render.player import Trace


_SEEN = ("board", "closed", "without", "leaper", "wrap")
"""Parts of a problem that the file of a tour may leave open."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="play")(play)


@takes_problem(*_SEEN, **UNTOLD)
def play(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE|-", help="Tours, recorded searches, JSON of uncrossed."),
    ],
    spec: ProblemSpec,
    title: Annotated[
        str | None,
        typer.Option("--title", metavar="TEXT", help="Heading.", rich_help_panel="What is printed"),
    ] = None,
    output: opt.OutputOption = None,
) -> int:
    """Write a page that plays tours and searches in any browser, offline; two stand side by side."""
    from ktsolve.render.player import player_html, read_trace
    from ktsolve.render.player.page import LONGEST
    from ktsolve.render.subjects import read_uncrossed
    from ktsolve.settings import Settings

    if files.count("-") > 1:
        raise BadInput("standard input (-) can be read once: name files for the others")
    given: Board | None = None
    if spec.board:
        whole = replace(spec, leaper=spec.leaper or "1,2", wrap=spec.wrap or "none")
        given = whole.make_board(Settings())
    elif spec.without:
        raise BadInput("--without needs --board: a file by itself tells which cells it has")
    tours: list[Tour] = []
    traces: list[Trace] = []
    walks: list[Tour] = []
    names: dict[str, list[str]] = {"tour": [], "trace": [], "walk": []}
    for file in files:
        name = "standard input" if file == "-" else Path(file).name
        text = read_file(file)
        if not isinstance(text, str):
            why = f"at most {LONGEST:,} cells can be played"
            tours.append(large_tour(text, name, given, spec.closed, most=LONGEST, why=why))
            names["tour"].append(name)
            continue
        try:
            if (walk := read_uncrossed(text, given, spec.closed)) is not None:
                walks.append(walk)
                names["walk"].append(name)
            elif (trace := read_trace(text)) is not None:
                traces.append(trace)
                names["trace"].append(name)
            else:
                tours.append(_tour(text, given, spec))
                names["tour"].append(name)
        except BadInput as error:
            raise BadInput(f"{name}: {error}") from None
    called = [*names["tour"], *names["trace"], *names["walk"]]
    emit(player_html(tours, traces, non_crossing=walks, names=called, title=title), output)
    return 0


def _tour(text: str, board: Board | None, spec: ProblemSpec) -> Tour:
    from ktsolve.formats.reading import read_tour
    from ktsolve.ground.board import Board

    tour = read_tour(text, board, spec.closed)
    if board is not None or not (spec.leaper or spec.wrap):
        return tour
    plain = tour.board
    moved = Board.parse(plain.size, leaper=spec.leaper or plain.leaper, wrap=spec.wrap or plain.wrap)
    return read_tour(text, replace(moved, removed=plain.removed), spec.closed)
