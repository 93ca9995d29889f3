"""``ktsolve clues``: partly numbered boards solved, counted, proved unique, reduced and made."""

from __future__ import annotations

import contextlib
import itertools
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.cli import options as opt
from ktsolve.cli.limits import backstop
from ktsolve.cli.output import emit, emit_json, json_when_stopped, remark, with_progress
from ktsolve.cli.problem_options import CLUES_ARE, ProblemSpec, takes_problem

if TYPE_CHECKING:
    from ktsolve.problem.problem import TourProblem
    from ktsolve.settings import Settings
    from ktsolve.tasks.clues import Reduced

_ASKED = "What is asked"
_MANY = 2

FileArgument = Annotated[
    str, typer.Argument(metavar="FILE|-", help="A grid: step numbers, . where to be found, # for holes.")
]
# The file draws the board and gives the clues.
_given_by_file = takes_problem(without=("board", "without", "clues", "structured", "corners", "symmetry"))


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(help="Partly numbered boards: solve, count, reduce, make.", no_args_is_help=True)
    for command in (solve, count, unique, reduce, make):
        group.command(name=command.__name__)(command)
    app.add_typer(group, name="clues")


def _problem(file: str, spec: ProblemSpec) -> TourProblem:
    from ktsolve.cli.input import read_text
    from ktsolve.ground.board import Board
    from ktsolve.problem.clues import read_clues

    drawn, clues = read_clues(read_text(file, CLUES_ARE))
    kind = Board.parse(drawn.size, leaper=spec.leaper, wrap=spec.wrap)
    board = replace(kind, removed=drawn.removed)
    stated = replace(spec, board=board.size).make(board)
    return stated.replace(steps=[*stated.steps, *clues.items()])


@_given_by_file
def solve(
    file: FileArgument,
    spec: ProblemSpec,
    engine: opt.EngineOption = "auto",
    solver: opt.SolverOption = None,
    timeout: opt.TimeoutOption = None,
    threads: opt.ThreadsOption = None,
    memory: opt.MemoryOption = None,
    json: opt.JsonOption = False,
    output: opt.OutputOption = None,
    quiet: opt.QuietOption = False,
) -> int:
    """Fill in the missing steps."""
    return _counted(file, spec, 1, engine, (timeout, memory, threads, solver), json, output, quiet)


@_given_by_file
def count(
    file: FileArgument,
    spec: ProblemSpec,
    number: Annotated[
        int, typer.Option("--number", "-n", metavar="K", help="Stop at K solutions.", min=1)
    ] = 1000,
    engine: opt.EngineOption = "auto",
    solver: opt.SolverOption = None,
    timeout: opt.TimeoutOption = None,
    threads: opt.ThreadsOption = None,
    memory: opt.MemoryOption = None,
    json: opt.JsonOption = False,
    output: opt.OutputOption = None,
    quiet: opt.QuietOption = False,
) -> int:
    """Count the solutions, up to a limit; a tour that fits in both directions is two."""
    return _counted(
        file, spec, number, engine, (timeout, memory, threads, solver), json, output, quiet, "count"
    )


@_given_by_file
def unique(
    file: FileArgument,
    spec: ProblemSpec,
    engine: opt.EngineOption = "auto",
    solver: opt.SolverOption = None,
    timeout: opt.TimeoutOption = None,
    threads: opt.ThreadsOption = None,
    memory: opt.MemoryOption = None,
    json: opt.JsonOption = False,
    output: opt.OutputOption = None,
    quiet: opt.QuietOption = False,
) -> int:
    """Is there exactly one solution? Status 1 if there is none, or another."""
    return _counted(
        file, spec, _MANY, engine, (timeout, memory, threads, solver), json, output, quiet, "unique"
    )


def _counted(
    file: str,
    spec: ProblemSpec,
    most: int,
    engine: str,
    work: tuple[str | None, str | None, int | None, str | None],
    json: bool,
    output: str | None,
    quiet: bool,
    task: str = "solve",
) -> int:
    from ktsolve.tasks.clues import solutions

    started = time.perf_counter()
    timeout, memory, threads, solver = work
    settings = opt.make_settings(timeout, memory, threads, None, solver)
    with backstop(settings.timeout):
        problem = _problem(file, spec)
        question: dict[str, Any] = {"board": problem.board.to_json(), "problem": str(problem)}
        with (
            json_when_stopped(json, {**question, "status": "unknown"}, output),
            with_progress(settings, str(problem), quiet=quiet) as watched,
        ):
            found = list(itertools.islice(solutions(problem, engine, watched), most))
    number = len(found)
    several = task == "unique" and number > 1
    status = "impossible" if not found else "several" if several else "found"
    if json:
        data = {**question, "status": status}
        if task == "count":
            data |= {"count": str(number), "complete": number < most}
        elif task == "unique":
            data["unique"] = number == 1
        if found and task != "count":
            data["squares"] = [list(cell) for cell in found[0].squares]
        emit_json({**data, "seconds": round(time.perf_counter() - started, 6)}, output)
    elif task == "count":
        more = " or more" if number == most else ""
        emit(f"{number}{more} {'solution' if number == 1 else 'solutions'}", output)
    else:
        emit(found[0].grid() if found else "no solution", output)
        if task == "unique" and found:
            emit("not the only solution" if several else "the only solution", None)
    if task == "count":
        return 0
    return 0 if status == "found" else 1


@contextlib.contextmanager
def _working(
    json: bool, output: str | None, settings: Settings, title: str, quiet: bool
) -> Iterator[Settings]:
    """Progress, and JSON that says so if a limit comes before there is a puzzle."""
    with (
        json_when_stopped(json, {"status": "unknown"}, output),
        with_progress(settings, title, quiet=quiet) as watched,
    ):
        yield watched


@_given_by_file
def reduce(
    file: FileArgument,
    spec: ProblemSpec,
    seed: opt.SeedOption = None,
    engine: opt.EngineOption = "auto",
    timeout: opt.TimeoutOption = None,
    threads: opt.ThreadsOption = None,
    memory: opt.MemoryOption = None,
    json: opt.JsonOption = False,
    output: opt.OutputOption = None,
    quiet: opt.QuietOption = False,
) -> int:
    """Leave out clues as long as the solution stays the only one."""
    from ktsolve.tasks.clues import reduce_clues

    settings = opt.make_settings(timeout, memory, threads, seed, None)
    with backstop(settings.timeout):
        problem = _problem(file, spec)
        with _working(json, output, settings, "clues", quiet) as watched:
            reduced = reduce_clues(problem, seed or 0, engine, watched)
    return _tell(reduced, json, output, quiet)


def make(
    board: Annotated[str, typer.Argument(metavar="BOARD", help="ROWSxCOLUMNS, such as 6x6.")],
    closed: Annotated[
        bool, typer.Option("--closed/--open", help="A closed tour or an open one.", rich_help_panel=_ASKED)
    ] = True,
    seed: opt.SeedOption = None,
    engine: opt.EngineOption = "auto",
    timeout: opt.TimeoutOption = None,
    threads: opt.ThreadsOption = None,
    memory: opt.MemoryOption = None,
    json: opt.JsonOption = False,
    output: opt.OutputOption = None,
    quiet: opt.QuietOption = False,
) -> int:
    """Make a puzzle with one solution; the seed decides which."""
    from ktsolve.tasks.clues import make_clues

    chosen = 0 if seed is None else seed
    settings = opt.make_settings(timeout, memory, threads, chosen, None)
    with backstop(settings.timeout):
        asked = ProblemSpec(board=board, closed=closed).make_board(settings)
        with _working(json, output, settings, f"clues {board}", quiet) as watched:
            made = make_clues(asked, closed, chosen, engine, watched)
    return _tell(made, json, output, quiet)


def _tell(reduced: Reduced, json: bool, output: str | None, quiet: bool) -> int:
    from ktsolve.problem.clues import clue_grid

    problem = reduced.problem
    clues = dict(problem.steps)
    if json:
        emit_json(
            {
                "board": problem.board.to_json(),
                "closed": problem.closed,
                "clues": {str(step): list(cell) for step, cell in clues.items()},
                "solution": [list(cell) for cell in reduced.solution.squares],
                "minimal": reduced.minimal,
            },
            output,
        )
        return 0
    emit(clue_grid(problem.board, clues), output)
    left = "none can be left out" if reduced.minimal else "perhaps some can be left out"
    remark(f"{len(clues)} {'clue' if len(clues) == 1 else 'clues'}, one solution, {left}", quiet=quiet)
    return 0
