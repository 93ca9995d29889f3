"""``ktsolve uncrossed``: the longest path or cycle that does not cross itself."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ktsolve.cli import options as opt
from ktsolve.cli.limits import backstop
from ktsolve.cli.output import emit, emit_json, json_when_stopped, remark, with_progress
from ktsolve.cli.problem_options import ProblemSpec, takes_problem
from ktsolve.errors import LimitReached


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="uncrossed")(uncrossed)


@takes_problem("board", "closed", "without", "leaper")
def uncrossed(
    spec: ProblemSpec,
    engine: Annotated[
        str,
        typer.Option(
            "--engine",
            metavar="NAME",
            help="auto, search or cpsat.",
            rich_help_panel="How it is worked out",
        ),
    ] = "auto",
    timeout: opt.TimeoutOption = None,
    threads: opt.ThreadsOption = None,
    memory: opt.MemoryOption = None,
    json: opt.JsonOption = False,
    output: opt.OutputOption = None,
    quiet: opt.QuietOption = False,
) -> int:
    """Find the longest cycle (--closed) or path (--open) that does not cross itself.

    It need not visit all cells.
    """
    from ktsolve.problem.non_crossing import UncrossedProblem
    from ktsolve.tasks.non_crossing import longest_non_crossing

    settings = opt.make_settings(timeout, memory, threads, None, None)
    with backstop(settings.timeout):
        problem = UncrossedProblem(spec.make_board(settings), spec.closed)
        question: dict[str, Any] = {
            "walk": "uncrossed",
            "board": problem.board.to_json(),
            "closed": problem.closed,
        }
        with (
            json_when_stopped(json, {**question, "status": "unknown", "engine": engine}, output),
            with_progress(settings, str(problem), quiet=quiet) as watched,
        ):
            found = longest_non_crossing(problem, engine, watched)
    if json:
        data = {**question, "status": found.status, "moves": found.length, "bound": found.bound}
        if found.walk is not None:
            data["squares"] = [list(cell) for cell in found.walk.squares]
        emit_json(data | {"engine": found.engine, "seconds": round(found.seconds, 6)}, output)
    elif found.walk is None:
        emit(f"there is no {problem}", output)
    else:
        emit(found.walk.grid(), output)
        proved = "proved longest" if found.optimal else f"at most {found.bound}"
        remark(f"{found.length} moves, {proved}; {found.engine}, {found.seconds:.3f} s", quiet=quiet)
    if found.status == "found":
        raise LimitReached("the longest found is not proved longest: give more time")
    return 1 if found.walk is None else 0
