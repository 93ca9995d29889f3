"""``ktsolve play``: tours and recorded searches as one HTML page that walks them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.base.errors import BadInput
from ktsolve.cli import options as opt
from ktsolve.cli.input import name_of
from ktsolve.cli.output import emit
from ktsolve.cli.output_format import PLAYER
from ktsolve.cli.problem_options import ProblemSpec, is_board, takes_problem
from ktsolve.cli.tour_input import UNSTATED, board_change, checked_array, given_board, read_graph_or_tour
from ktsolve.graphs.named_graphs import PREFIX

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.graphs.tour import Tour


_SEEN = ("board", "closed", "without", "leaper", "wrap", "strict")
"""Parts of a problem that a file of a tour may leave open."""


@takes_problem(*_SEEN, **UNSTATED)
@opt.takes_work("timeout", "memory")
@opt.takes_output("output", writes=PLAYER, graphs=True)
def play(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE|-", help="Tours, recorded searches, JSON of non-crossing.")
    ],
    *,
    spec: ProblemSpec,
    work: opt.WorkOptions,
    title: Annotated[str | None, opt.output_option("--title", "Heading of the page.", "TEXT")] = None,
    step: Annotated[
        int | None, opt.output_option("--step", "Steps made when the page opens. Default: 1.", "K", min=0)
    ] = None,
    out: opt.OutputOptions,
) -> int:
    """Write a page that plays tours and searches in any browser, offline.

    Two are shown side by side.

    Examples
    --------
    ktsolve play tour.json -o tour.html             # a tour
    ktsolve play walk.json -o walk.html             # a search, step by step
    ktsolve play tour.json walk.json -o both.html   # side by side
    """
    from ktsolve.formats.tours.files import read_tours
    from ktsolve.render.player import player_html, read_trace
    from ktsolve.render.player.page import LONGEST
    from ktsolve.render.subjects import read_non_crossing

    if files.count("-") > 1:
        raise BadInput("standard input (-) can be read once: name files for the others")
    settings = work.settings
    played: dict[str, list[tuple[str, Any]]] = {"tour": [], "trace": [], "walk": []}
    for file in files:
        name = name_of(Path(file).name)
        read = _read(file, spec, settings)
        if not isinstance(read, str):
            why = f"at most {LONGEST:,} cells can be played"
            board = given_board(spec, settings)
            array = checked_array(read, name, board, spec.closed, most=LONGEST, why=why)
            played["tour"].append((name, array))
            continue
        try:
            if (trace := read_trace(read)) is not None:
                played["trace"].append((name, trace))
                continue
            board, change = given_board(spec, settings), board_change(spec)
            if (walk := read_non_crossing(read, board, spec.closed, change)) is not None:
                played["walk"].append((name, walk))
                continue
            found = read_tours(read, board, spec.closed, change)
            several = [f"{name}, {number}" for number in range(1, len(found) + 1)]
            played["tour"] += zip(several if len(found) > 1 else [name], found, strict=True)
        except BadInput as error:
            raise BadInput(f"{name}: {error}") from None
    tours, traces, walks = ([each for _, each in listed] for listed in played.values())
    called = [name for listed in played.values() for name, _ in listed]
    page = player_html(tours, traces, non_crossing=walks, names=called, title=title, step=step)
    emit(page, out.output)
    return 0


def _read(file: str, spec: ProblemSpec, settings: Settings) -> str | Tour:
    """The contents of a file; boards and graphs in the place of a tour are refused."""
    is_name = (is_board(file) or file.startswith(PREFIX)) and not Path(file).exists()
    graph, read = (None, "") if is_name else read_graph_or_tour(file, spec, settings)
    if is_name or graph is not None:
        what = "board" if is_board(file) else "graph"
        found = "ktsolve tour finds one" if file == "-" else f"ktsolve tour {file} -o tour.json finds one"
        raise BadInput(f"{name_of(file)} is a {what}, and a tour is played: {found}")
    return read
