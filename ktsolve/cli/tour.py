"""``ktsolve tour``: construct one tour, several, or all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ktsolve.cli import arrays
from ktsolve.cli import options as opt
from ktsolve.cli.limits import backstop
from ktsolve.cli.output import emit_json, json_when_stopped, remark, with_progress
from ktsolve.cli.problem_options import ProblemSpec, takes_problem
from ktsolve.cli.tour_list import many, many_as_json
from ktsolve.cli.tour_words import TourFormat, emit_tour, question, refusal, rounded, say_none, style_of
from ktsolve.errors import BadInput, LimitReached

if TYPE_CHECKING:
    from ktsolve.problem.problem import TourProblem
    from ktsolve.settings import Settings


_ASKED = "What is asked"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="tour")(tour)


@takes_problem()
def tour(
    spec: ProblemSpec,
    minimise: Annotated[
        str | None,
        typer.Option(
            "--minimise",
            metavar="WHAT",
            help="As few turns, crossings ... as can be.",
            rich_help_panel=_ASKED,
        ),
    ] = None,
    maximise: Annotated[
        str | None,
        typer.Option("--maximise", metavar="WHAT", help="As many as can be.", rich_help_panel=_ASKED),
    ] = None,
    number: Annotated[
        int | None, typer.Option("--number", "-n", metavar="K", help="K different tours.", min=1)
    ] = None,
    all_tours: Annotated[
        bool, typer.Option("--all", help="All tours. A list that is cut short ends with status 3.")
    ] = False,
    diverse: Annotated[
        bool, typer.Option("--diverse", help="With --number: tours with few moves in common.")
    ] = False,
    engine: opt.EngineOption = "auto",
    solver: opt.SolverOption = None,
    encoding: opt.EncodingOption = "lazy",
    seed: opt.SeedOption = None,
    timeout: opt.TimeoutOption = None,
    threads: opt.ThreadsOption = None,
    memory: opt.MemoryOption = None,
    json: opt.JsonOption = False,
    output: opt.OutputOption = None,
    format: Annotated[  # noqa: A002
        TourFormat | None,
        typer.Option(
            "--format",
            help="How each is written; else as -o ends, or grid.",
            rich_help_panel="What is printed",
        ),
    ] = None,
    quiet: opt.QuietOption = False,
) -> int:
    """Construct a tour, K different ones, or all of them (each undirected tour once)."""
    if all_tours and number is not None:
        raise BadInput("--all and --number do not go together: give one of them")
    if minimise is not None and maximise is not None:
        raise BadInput("--minimise and --maximise do not go together: give one of them")
    if (minimise or maximise) and (all_tours or number is not None):
        raise BadInput("--minimise and --maximise ask for one tour: leave out --number and --all")
    if diverse and (number is None or number < 2):
        raise BadInput("--diverse is about several tours: give --number, 2 or more")
    settings = opt.make_settings(timeout, memory, threads, seed, solver, encoding=encoding)
    if settings.encoding != "lazy" and engine != "sat":
        raise BadInput(f"--encoding {encoding} is for engine sat: add --engine sat")
    style = TourFormat.json if json else style_of(format, output)
    as_json = style is TourFormat.json
    if style is TourFormat.svg and (all_tours or number not in (None, 1)):
        raise BadInput("--format svg draws one tour: leave out --number and --all")
    if style is TourFormat.npy and (all_tours or number not in (None, 1)):
        raise BadInput("--format npy is one tour: leave out --number and --all")
    single = not (as_json or all_tours or number or minimise or maximise)
    with backstop(settings.timeout):
        if single and style.value in arrays.ARRAYS and arrays.takes_array(spec, engine):
            return arrays.build(spec, style.value, settings, output, quiet)
        problem = spec.make(spec.make_board(settings))
        with with_progress(settings, str(problem), quiet=quiet) as watched:
            for sense, wanted in (("minimise", minimise), ("maximise", maximise)):
                if wanted is not None:
                    return _best(problem, (sense, wanted), engine, watched, as_json, style, output, quiet)
            if all_tours or number is not None:
                limit = None if all_tours else number
                if as_json:
                    return many_as_json(problem, engine, watched, limit, diverse, output)
                return many(problem, engine, watched, limit, diverse, style, output, quiet)
            return _one(problem, engine, watched, as_json, style, output, quiet)


def _one(
    problem: TourProblem,
    engine: str,
    settings: Settings,
    as_json: bool,
    style: TourFormat,
    output: str | None,
    quiet: bool,
) -> int:
    from ktsolve.tasks.find import find

    with json_when_stopped(as_json, {"status": "unknown", **question(problem), "engine": engine}, output):
        answer = find(problem, engine, settings)
    if as_json:
        data = {"status": answer.status, **question(problem)}
        if answer.tour is not None:
            data["squares"] = [list(cell) for cell in answer.tour.squares]
        data |= {"engine": answer.engine, "seconds": rounded(answer.seconds)}
        if answer.tour is None:
            data |= refusal(problem, answer.reason, settings)
        emit_json(data, output)
    elif answer.tour is not None:
        emit_tour(answer.tour, style, output)
        remark(f"{answer.engine}, {answer.seconds:.3f} s", quiet=quiet)
    else:
        say_none(problem, answer.reason, settings)
        remark(f"{problem}: {answer.engine}, {answer.seconds:.3f} s", quiet=quiet)
    return 0 if answer.tour is not None else 1


def _best(
    problem: TourProblem,
    wanted: tuple[str, str],
    engine: str,
    settings: Settings,
    as_json: bool,
    style: TourFormat,
    output: str | None,
    quiet: bool,
) -> int:
    from ktsolve.problem.statistic import parse_objective
    from ktsolve.tasks.optimise import best

    objective = parse_objective(*wanted, problem.board)
    asked = {**question(problem), "objective": objective.text(problem.board)}
    with json_when_stopped(as_json, {"status": "unknown", **asked, "engine": engine}, output):
        found = best(problem, objective, engine, settings)
    if as_json:
        data = {"status": found.status, **asked}
        if found.tour is not None:
            data["squares"] = [list(cell) for cell in found.tour.squares]
            data |= {"value": found.value, "bound": found.bound}
        else:
            data |= refusal(problem, found.reason, settings)
        emit_json(data | {"engine": found.engine, "seconds": rounded(found.seconds)}, output)
    elif found.tour is None:
        say_none(problem, found.reason, settings)
    else:
        emit_tour(found.tour, style, output)
        name = objective.quantity.text(problem.board)
        proved = "proved best" if found.optimal else f"bound {found.bound}, gap {found.gap}"
        known = proved if found.bound is not None else "no bound is known"
        remark(f"{name} {found.value}, {known}; {found.engine}, {found.seconds:.3f} s", quiet=quiet)
    if found.tour is None:
        return 1
    if not found.optimal:
        raise LimitReached("the best found is not proved best: give more time")
    return 0
