"""``ktsolve tour``: construct one tour, several, or all."""

from __future__ import annotations

import time
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.cli import arrays
from ktsolve.cli import options as opt
from ktsolve.cli.limits import backstop, stand_down
from ktsolve.cli.output import emit, emit_json, json_when_stopped, remark, with_progress, writing
from ktsolve.cli.problem_options import ProblemWords, takes_problem
from ktsolve.errors import BadInput, LimitReached

if TYPE_CHECKING:
    from ktsolve.conflict import Conflict
    from ktsolve.dispatch import Tours
    from ktsolve.engines.base import Settings
    from ktsolve.ground.tour import Tour
    from ktsolve.problem.problem import TourProblem


_ASKED = "What is asked"
_EXPLAINING = 1.0
"""Seconds to find out which conditions clash."""


class TourFormat(str, Enum):
    """How a tour is written."""

    grid = "grid"
    cells = "cells"
    json = "json"
    svg = "svg"
    moves = "moves"
    npy = "npy"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="tour")(tour)


@takes_problem()
def tour(
    words: ProblemWords,
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
        TourFormat,
        typer.Option("--format", help="How each tour is written.", rich_help_panel="What is printed"),
    ] = TourFormat.grid,
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
    as_json = json or format is TourFormat.json
    if format is TourFormat.svg and not json and (all_tours or number not in (None, 1)):
        raise BadInput("--format svg draws one tour: leave out --number and --all")
    if output is not None and output.endswith(".npy") and format is TourFormat.grid:
        format = TourFormat.npy  # noqa: A001
    if format is TourFormat.npy and (all_tours or number not in (None, 1)):
        raise BadInput("--format npy is one tour: leave out --number and --all")
    single = not (as_json or all_tours or number or minimise or maximise)
    with backstop(settings.timeout):
        if single and format.value in arrays.ARRAYS and arrays.takes_array(words, engine):
            return arrays.build(words, format.value, settings, output, quiet)
        problem = words.make(words.make_board(settings))
        with with_progress(settings, str(problem), quiet=quiet) as watched:
            for sense, wanted in (("minimise", minimise), ("maximise", maximise)):
                if wanted is not None:
                    return _best(problem, (sense, wanted), engine, watched, as_json, format, output, quiet)
            if all_tours or number is not None:
                limit = None if all_tours else number
                if as_json:
                    return _many_as_json(problem, engine, watched, limit, diverse, output)
                return _many(problem, engine, watched, limit, diverse, format, output, quiet)
            return _one(problem, engine, watched, as_json, format, output, quiet)


def _one(
    problem: TourProblem,
    engine: str,
    settings: Settings,
    as_json: bool,
    style: TourFormat,
    output: str | None,
    quiet: bool,
) -> int:
    from ktsolve.dispatch import find

    with json_when_stopped(as_json, {"status": "unknown", **_question(problem), "engine": engine}, output):
        answer = find(problem, engine, settings)
    if as_json:
        data = {"status": answer.status, **_question(problem)}
        if answer.tour is not None:
            data["squares"] = [list(cell) for cell in answer.tour.squares]
        data |= {"engine": answer.engine, "seconds": _rounded(answer.seconds)}
        if answer.tour is None:
            data |= _refusal(problem, answer.reason, settings)
        emit_json(data, output)
    elif answer.tour is not None:
        _emit_tour(answer.tour, style, output)
        remark(f"{answer.engine}, {answer.seconds:.3f} s", quiet=quiet)
    else:
        _say_none(problem, answer.reason, settings)
        remark(f"{problem}: {answer.engine}, {answer.seconds:.3f} s", quiet=quiet)
    return 0 if answer.tour is not None else 1


def _why_none(problem: TourProblem) -> str:
    return str(problem.obstruction() or "the engine searched everything")


def _clash(problem: TourProblem, settings: Settings) -> Conflict | None:
    """Which conditions cannot hold together, if there are any to blame and a second tells."""
    from ktsolve.conflict import conditions_of, find_conflict

    return find_conflict(problem, _EXPLAINING, settings) if conditions_of(problem) else None


def _refusal(problem: TourProblem, reason: str, settings: Settings) -> dict[str, Any]:
    data: dict[str, Any] = {"reason": reason}
    if (clash := _clash(problem, settings)) is not None:
        data["conflict"] = {"conditions": clash.words, "minimal": clash.minimal}
    return data


def _say_none(problem: TourProblem, reason: str, settings: Settings) -> None:
    emit(f"no tour: {reason}", None)
    if (clash := _clash(problem, settings)) is not None:
        emit(str(clash), None)


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
    from ktsolve.optimise import best
    from ktsolve.problem.condition_words import parse_objective

    objective = parse_objective(*wanted, problem.board)
    question = {**_question(problem), "objective": objective.text(problem.board)}
    with json_when_stopped(as_json, {"status": "unknown", **question, "engine": engine}, output):
        found = best(problem, objective, engine, settings)
    if as_json:
        data = {"status": found.status, **question}
        if found.tour is not None:
            data["squares"] = [list(cell) for cell in found.tour.squares]
            data |= {"value": found.value, "bound": found.bound}
        else:
            data |= _refusal(problem, found.reason, settings)
        emit_json(data | {"engine": found.engine, "seconds": _rounded(found.seconds)}, output)
    elif found.tour is None:
        _say_none(problem, found.reason, settings)
    else:
        _emit_tour(found.tour, style, output)
        name = objective.quantity.text(problem.board)
        proved = "proved best" if found.optimal else f"bound {found.bound}, gap {found.gap}"
        known = proved if found.bound is not None else "no bound is known"
        remark(f"{name} {found.value}, {known}; {found.engine}, {found.seconds:.3f} s", quiet=quiet)
    if found.tour is None:
        return 1
    if not found.optimal:
        raise LimitReached("the best found is not proved best: give more time")
    return 0


def _many(
    problem: TourProblem,
    engine: str,
    settings: Settings,
    number: int | None,
    diverse: bool,
    style: TourFormat,
    output: str | None,
    quiet: bool,
) -> int:
    from ktsolve.dispatch import find_all

    started = time.perf_counter()
    tours = find_all(problem, engine, settings, number, diverse)
    found = 0
    compared: list[Tour] = []
    try:
        with writing(output) as write:
            for each in tours:
                if found and style is not TourFormat.cells:
                    write("")
                write(_written(each, style))
                found += 1
                if diverse:
                    compared.append(each)
    except KeyboardInterrupt:
        raise LimitReached(f"interrupted, {_tours(found)} written") from None
    seconds = time.perf_counter() - started
    if not found:
        _say_none(problem, _why_none(problem), settings)
    apart = f", {_apart(compared)}" if len(compared) > 1 else ""
    remark(f"{_tours(found)}{apart}, {tours.engine}, {seconds:.3f} s", quiet=quiet)
    return 0 if found else 1


def _apart(tours: list[Tour]) -> str:
    from ktsolve.ground.difference import least_difference

    return f"any two differ in {least_difference(tours)} of {len(tours[0].moves)} moves or more"


def _many_as_json(
    problem: TourProblem,
    engine: str,
    settings: Settings,
    number: int | None,
    diverse: bool,
    output: str | None,
) -> int:
    from ktsolve.dispatch import find_all
    from ktsolve.ground.difference import least_difference

    started = time.perf_counter()
    name = engine
    tours: Tours | None = None
    found: list[Tour] = []
    stopped: BaseException | None = None
    try:
        tours = find_all(problem, engine, settings, number, diverse)
        name = tours.engine
        for each in tours:
            found.append(each)  # noqa: PERF402 (kept at Ctrl-C)
    except (LimitReached, KeyboardInterrupt) as stop:
        stopped = stop
    stand_down()
    tours = None  # ends the engine's work now: the exception would keep it alive
    squares = [[list(cell) for cell in each.squares] for each in found]
    status = "found" if squares else "unknown" if stopped else "impossible"
    data = {"status": status, **_question(problem), "tours": squares, "complete": stopped is None}
    data |= {"engine": name, "seconds": _rounded(time.perf_counter() - started)}
    if diverse:
        data["least_difference"] = least_difference(found)
    if stopped is not None:
        data["reason"] = str(stopped) or "interrupted"
    elif not squares:
        data |= _refusal(problem, _why_none(problem), settings)
    emit_json(data, output)
    if stopped is not None:
        raise stopped
    return 0 if squares else 1


def _tours(number: int) -> str:
    return f"{number} {'tour' if number == 1 else 'tours'}"


def _question(problem: TourProblem) -> dict[str, Any]:
    return {"board": problem.board.to_json(), "problem": str(problem), "closed": problem.closed}


def _rounded(seconds: float) -> float:
    return round(seconds, 6)


def _emit_tour(tour: Tour, style: TourFormat, output: str | None) -> None:
    if style is TourFormat.npy:
        from ktsolve.ground.arrays import steps_of_tour

        arrays.emit_steps(steps_of_tour(tour), tour.closed, style.value, output)
    else:
        emit(_written(tour, style), output)


def _written(each: Tour, style: TourFormat) -> str:
    if style is TourFormat.cells:
        return each.names()
    if style is TourFormat.svg:
        return each.svg()
    if style is TourFormat.moves:
        from ktsolve.ground.arrays import moves_line, steps_of_tour

        if not each.board.plain:
            raise BadInput("--format moves is for the knight on whole rectangles: use cells")
        return moves_line(steps_of_tour(each), closed=each.closed).decode("ascii")
    return each.grid()
