"""``ktsolve clues``: partly numbered boards solved, counted, proved unique, reduced and made."""

from __future__ import annotations

import itertools
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.cli import options as opt
from ktsolve.cli.help import HelpGroup
from ktsolve.cli.problem_options import CLUES_ARE, CLUES_EXPAND, ProblemSpec, takes_problem
from ktsolve.cli.tour_output import shown_clues, shown_tour
from ktsolve.ground.notation import plural

if TYPE_CHECKING:
    from ktsolve.ground.tour import Tour
    from ktsolve.problem.problem import TourProblem
    from ktsolve.settings import Settings
    from ktsolve.tasks.clues import Reduced

FileArgument = Annotated[
    str, typer.Argument(metavar="FILE|-", help="A grid: step numbers, . for unknown steps, # for holes.")
]
# The file draws the board and gives the clues.
_given_by_file = takes_problem(
    without=("board", "without", "clues", "structured", "corners", "symmetry", "format", "strict")
)
_takes_work = opt.takes_work("solver", "timeout", "threads", "memory")
_takes_work_with_seed = opt.takes_work("seed", "timeout", "threads", "memory")
_takes_output = opt.takes_output()


_HELP = """Partly numbered boards: solve, count, prove unique, reduce, make.

Examples
--------
ktsolve clues make 6x6 -o clues.txt   # a puzzle
ktsolve clues solve clues.txt         # its solution
"""


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(cls=HelpGroup, help=_HELP, no_args_is_help=True)
    for command in (solve, count, unique, reduce, make):
        group.command(name=command.__name__)(command)
    app.add_typer(group, name="clues")


def _problem(file: str, spec: ProblemSpec, settings: Settings) -> TourProblem:
    from ktsolve.cli.input import read_text
    from ktsolve.ground.board import Board
    from ktsolve.problem.clues import read_clues

    drawn, clues = read_clues(read_text(file, CLUES_ARE, settings, CLUES_EXPAND))
    kind = Board.parse(drawn.size, leaper=spec.leaper, wrap=spec.wrap)
    board = replace(kind, removed=drawn.removed)
    stated = replace(spec, board=board.size).make(board)
    return stated.replace(steps=[*stated.steps, *clues.items()])


@_given_by_file
@_takes_work
@_takes_output
def solve(
    *,
    file: FileArgument,
    spec: ProblemSpec,
    engine: opt.EngineOption = "auto",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Fill in the missing steps.

    Examples
    --------
    ktsolve clues solve clues.txt                        # a solution
    ktsolve clues solve clues.txt --closed --engine sat  # by one engine
    """
    data, found, seconds = _solutions(file, spec, 1, engine, work, out)
    out.emit({**data, **_first(found), **seconds}, shown_tour(found[0], out) if found else "no solution")
    return 0 if found else 1


@_given_by_file
@_takes_work
@_takes_output
def count(
    *,
    file: FileArgument,
    spec: ProblemSpec,
    number: Annotated[
        int, typer.Option("--number", "-n", metavar="K", help="Stop at K solutions.", min=1)
    ] = 1000,
    engine: opt.EngineOption = "auto",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Count the solutions, up to a limit.

    A tour that fits in both directions is two solutions.

    Examples
    --------
    ktsolve clues count clues.txt        # how many
    ktsolve clues count clues.txt -n 10  # up to ten
    """
    data, found, seconds = _solutions(file, spec, number, engine, work, out)
    complete = len(found) < number
    more, noun = "" if complete else " or more", plural(len(found), "solution")
    out.emit(
        {**data, "count": str(len(found)), "complete": complete, **seconds}, f"{len(found)}{more} {noun}"
    )
    return 0


@_given_by_file
@_takes_work
@_takes_output
def unique(
    *,
    file: FileArgument,
    spec: ProblemSpec,
    engine: opt.EngineOption = "auto",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Prove that there is exactly one solution.

    Exit status 1 if there is none, or another.

    Examples
    --------
    ktsolve clues unique clues.txt  # the solution, if it is the only one
    """
    data, found, seconds = _solutions(file, spec, 2, engine, work, out)
    only = len(found) == 1
    data |= {"status": "several" if len(found) > 1 else data["status"], "unique": only, **_first(found)}
    out.emit({**data, **seconds}, shown_tour(found[0], out) if found else "no solution")
    if found and not out.json:
        typer.echo("the only solution" if only else "not the only solution")
    return 0 if only else 1


def _solutions(
    file: str, spec: ProblemSpec, most: int, engine: str, work: opt.WorkOptions, out: opt.OutputOptions
) -> tuple[dict[str, Any], list[Tour], dict[str, float]]:
    """Question and status in JSON, the solutions up to ``most``, and the seconds in JSON."""
    from ktsolve.tasks.clues import solutions

    started = time.perf_counter()
    settings = work.settings
    problem = _problem(file, spec, settings)
    question = {"board": problem.board.to_json(), "problem": str(problem)}
    with out.reporting(settings, str(problem), {**question, "status": "unknown"}) as watched:
        found = list(itertools.islice(solutions(problem, engine, watched), most))
    status = "found" if found else "impossible"
    return {**question, "status": status}, found, {"seconds": round(time.perf_counter() - started, 6)}


def _first(found: list[Tour]) -> dict[str, Any]:
    return {"squares": found[0].squares} if found else {}


@_given_by_file
@_takes_work_with_seed
@_takes_output
def reduce(
    *,
    file: FileArgument,
    spec: ProblemSpec,
    engine: opt.EngineOption = "auto",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Leave out clues as long as the solution stays the only one.

    Examples
    --------
    ktsolve clues reduce clues.txt --seed 1  # another seed leaves out others
    """
    from ktsolve.tasks.clues import reduce_clues

    settings = work.settings
    problem = _problem(file, spec, settings)
    with out.reporting(settings, "clues", {"status": "unknown"}) as watched:
        reduced = reduce_clues(problem, settings.seed or 0, engine, watched)
    return _emit(reduced, out)


@takes_problem("board", "closed")
@_takes_work_with_seed
@_takes_output
def make(
    *,
    spec: ProblemSpec,
    engine: opt.EngineOption = "auto",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Make a puzzle with one solution; the seed decides which.

    Examples
    --------
    ktsolve clues make 6x6                        # a puzzle
    ktsolve clues make 6x6 --seed 3 -o clues.txt  # another, in a file
    """
    from ktsolve.tasks.clues import make_clues

    settings = replace(work.settings, seed=work.seed or 0)
    board = spec.make_board(settings)
    with out.reporting(settings, f"clues {board}", {"status": "unknown"}) as watched:
        made = make_clues(board, spec.closed, work.seed or 0, engine, watched)
    return _emit(made, out)


def _emit(reduced: Reduced, out: opt.OutputOptions) -> int:
    problem = reduced.problem
    clues = dict(problem.steps)
    data = {
        "board": problem.board.to_json(),
        "closed": problem.closed,
        "clues": clues,
        "solution": reduced.solution.squares,
        "minimal": reduced.minimal,
    }
    left = "none can be left out" if reduced.minimal else "perhaps some can be left out"
    note = f"{len(clues)} {plural(len(clues), 'clue')}, one solution, {left}"
    out.emit(data, shown_clues(problem.board, clues, out), note)
    return 0
