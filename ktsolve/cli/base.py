"""``ktsolve base``: base boards of divide-and-conquer, validated and made."""

from __future__ import annotations

from typing import Annotated

import typer

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.text import csv_text
from ktsolve.cli import options as opt
from ktsolve.cli.help import HelpGroup
from ktsolve.cli.output import emit
from ktsolve.cli.output_format import TABLE
from ktsolve.cli.problem_options import ClosedOption, SizeArgument, check_size
from ktsolve.cli.tour_input import read_tour_file
from ktsolve.cli.tour_output import emit_found, problem_fields, takes_tours
from ktsolve.engines.registry import MODEL_ENGINES
from ktsolve.graphs.symmetry import SYMMETRIES

_HELP = """Base boards of divide-and-conquer: validate them, make them.

Examples
--------
ktsolve base validate nine-boards   # the shipped boards
ktsolve base make 6x8               # a new one
"""


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(name="base", cls=HelpGroup, help=_HELP, no_args_is_help=True)
    group.command(name="validate")(validate)
    group.command(name="make")(make)
    app.add_typer(group)


@opt.takes_work("timeout", "memory")
@opt.takes_output("json", "output", writes=TABLE)
def validate(
    *,
    file: Annotated[
        str, typer.Argument(metavar="FILE|-|NAME", help="Tours, one or many; or nine-boards, as shipped.")
    ],
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Check base boards: closed tours, their structured corners, possible quarters.

    Exit status 1 if one is not a closed tour, or not structured at all corners.

    Examples
    --------
    ktsolve base validate nine-boards  # the shipped boards
    ktsolve base validate base.txt     # tours of a file
    """
    from pathlib import Path

    from ktsolve.render.text_table import Column
    from ktsolve.tasks.base_boards import shipped_bases, validate_bases

    shipped = shipped_bases()
    named = file in shipped and not Path(file).exists()
    text = read_tour_file(shipped[file] if named else file, work.settings)
    if not isinstance(text, str):
        raise BadInput(f"{file}: a base board has some hundred cells, not millions: use ktsolve check")
    try:
        verdicts = validate_bases(text)
    except BadInput as error:
        raise BadInput(f"{file}: {error}") from None
    fine = all(verdict.usable for verdict in verdicts)
    rows = []
    for verdict in verdicts:
        size = "-" if verdict.tour is None else verdict.tour.board.size
        if verdict.fault:
            said = f"not a closed tour: {verdict.fault}"
        elif verdict.usable:
            said = "any quarter"
        else:
            lacking = "; ".join(f"{corner} lacks {' '.join(moves)}" for corner, moves in verdict.lacks)
            said = f"quarter {' '.join(verdict.quarters)}" if verdict.quarters else "no quarter"
            said += f"; {lacking}"
        rows.append((str(verdict.line), size, " ".join(verdict.corners) or "-", said))
    columns = [
        Column("line", "r"),
        Column("board"),
        Column("structured", dropped=1),
        Column("usable as", text=True),
    ]
    data = {"status": "usable" if fine else "unusable", "boards": [each.to_json() for each in verdicts]}
    if out.csv:
        emit(csv_text([each.head for each in columns], rows), out.output)
    else:
        out.emit(data, out.table(columns, rows))
    return 0 if fine else 1


@opt.takes_work("seed", "solver", "timeout", "threads", "memory")
@takes_tours
def make(
    *,
    board: SizeArgument,
    corners: Annotated[
        str | None, opt.problem_option("--corners", "Only these corners structured.", "tl,tr,bl,br")
    ] = None,
    symmetry: Annotated[
        str | None, opt.problem_option("--symmetry", "Symmetry of the tour: rot180.", "|".join(SYMMETRIES))
    ] = None,
    joints: Annotated[
        bool, opt.problem_option("--joints", "With the moves by which divide joins boards.")
    ] = False,
    closed: ClosedOption = True,
    engine: Annotated[
        str,
        opt.engine_option(
            "--engine", f"Engine: {opt.one_of(MODEL_ENGINES)}; the other one confirms the tour.", "NAME"
        ),
    ] = MODEL_ENGINES[0],
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Make a structured tour by SAT or CP-SAT, confirmed by the other.

    If there is none, the command proves it.

    Examples
    --------
    ktsolve base make 6x6                                # all corners structured
    ktsolve base make 6x8 --symmetry rot180 -o base.txt  # equal to its half turn
    """
    from ktsolve.graphs.geometry import CORNERS
    from ktsolve.tasks.base_boards import base_problem, make_base

    settings = work.settings
    check_size(board, settings)
    if corners is not None and not closed:
        raise BadInput("--corners are those of closed bases: leave it out, or leave out --open")
    named = CORNERS if corners is None else tuple(corners.replace(",", " ").split())
    problem = base_problem(board, named, symmetry=symmetry, joints=joints, closed=closed)
    asked = problem_fields(problem)
    unknown = {"status": "unknown", **asked, "engine": engine}
    with out.reporting(settings, str(problem), unknown, notice=True) as watched:
        made = make_base(problem, engine, watched, keep=True)
    data = {"status": made.status, **asked, **({"squares": []} if made.tour else {}), **made.work}
    data |= {"confirmed": made.confirmed or None} | ({"reason": made.reason} if made.reason else {})
    agreed = made.engine
    if made.engine != made.confirmed:
        agreed += f", confirmed by {made.confirmed}" if made.confirmed else ", not confirmed"
    note = f"{agreed}, {made.seconds:.3f} s"
    emit_found(made.tour, data, out, note, none=f"no base: {made.reason}")
    if not made.confirmed:
        raise LimitReached(made.reason)
    return 0 if made.tour is not None else 1
