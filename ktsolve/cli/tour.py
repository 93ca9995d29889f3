"""``ktsolve tour``: construct one tour, several, or all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.cli import options as opt
from ktsolve.cli.limits import backstop
from ktsolve.cli.output import emit_json, json_when_stopped, remark, with_progress
from ktsolve.cli.problem_options import ProblemSpec, takes_problem
from ktsolve.cli.tour_input import rectangle_problem
from ktsolve.cli.tour_list import many, many_as_json
from ktsolve.cli.tour_output import (
    FormatOption,
    emit_answer,
    emit_tour,
    question,
    refusal,
    rounded,
    say_none,
    tour_format,
)
from ktsolve.errors import BadInput, LimitReached

if TYPE_CHECKING:
    from ktsolve.formats.table import Format
    from ktsolve.problem.problem import TourProblem
    from ktsolve.settings import Settings
    from ktsolve.tasks.find import Answer
    from ktsolve.tasks.large import ArrayAnswer, RectangleProblem


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
    format: FormatOption = None,  # noqa: A002
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
    several = all_tours or number not in (None, 1)
    form = tour_format(format, output, json=json, several=several)
    as_json = form.name == "json"
    with backstop(settings.timeout):
        if not (all_tours or number or minimise or maximise):
            from ktsolve.tasks.large import takes_array

            large = rectangle_problem(spec)
            if large is not None and takes_array(large, engine):
                return _one(large, engine, settings, as_json, form, output, quiet)
        problem = spec.make(spec.make_board(settings))
        with with_progress(settings, str(problem), quiet=quiet) as watched:
            for sense, wanted in (("minimise", minimise), ("maximise", maximise)):
                if wanted is not None:
                    return _best(problem, (sense, wanted), engine, watched, as_json, form, output, quiet)
            if all_tours or number is not None:
                limit = None if all_tours else number
                if as_json:
                    return many_as_json(problem, engine, watched, limit, diverse, output)
                return many(problem, engine, watched, limit, diverse, form, output, quiet)
            return _one(problem, engine, watched, as_json, form, output, quiet)


def _one(
    problem: TourProblem | RectangleProblem,
    engine: str,
    settings: Settings,
    as_json: bool,
    form: Format,
    output: str | None,
    quiet: bool,
) -> int:
    from ktsolve.tasks.find import find
    from ktsolve.tasks.large import ArrayAnswer, RectangleProblem, find_array

    answer: Answer | ArrayAnswer
    with json_when_stopped(as_json, {"status": "unknown", **question(problem), "engine": engine}, output):
        if isinstance(problem, RectangleProblem):
            answer = find_array(problem, settings)
        else:
            answer = find(problem, engine, settings)
    seconds = f"{answer.seconds:.3f} s"
    if isinstance(answer, ArrayAnswer) and answer.tour is not None:
        seconds += f", checked in {answer.checked:.3f} s"
    if as_json:
        _as_json(problem, answer, settings, output)
    elif answer.tour is not None:
        emit_tour(answer.tour, form, output)
        remark(f"{answer.engine}, {seconds}", quiet=quiet)
    else:
        say_none(problem, answer.reason, settings)
        remark(f"{problem}: {answer.engine}, {seconds}", quiet=quiet)
    return 0 if answer.tour is not None else 1


def _as_json(
    problem: TourProblem | RectangleProblem,
    answer: Answer | ArrayAnswer,
    settings: Settings,
    output: str | None,
) -> None:
    data: dict[str, Any] = {"status": answer.status, **question(problem)}
    work = {"engine": answer.engine, "seconds": rounded(answer.seconds)}
    if answer.tour is None:
        emit_json({**data, **work, **refusal(problem, answer.reason, settings)}, output)
    else:
        emit_answer({**data, "squares": [], **work}, answer.tour, output)


def _best(
    problem: TourProblem,
    wanted: tuple[str, str],
    engine: str,
    settings: Settings,
    as_json: bool,
    form: Format,
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
        emit_tour(found.tour, form, output)
        name = objective.quantity.text(problem.board)
        proved = "proved best" if found.optimal else f"bound {found.bound}, gap {found.gap}"
        known = proved if found.bound is not None else "no bound is known"
        remark(f"{name} {found.value}, {known}; {found.engine}, {found.seconds:.3f} s", quiet=quiet)
    if found.tour is None:
        return 1
    if not found.optimal:
        raise LimitReached("the best found is not proved best: give more time")
    return 0
