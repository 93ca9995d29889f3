"""``ktsolve tour``: construct one tour, several, or all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.cli import options as opt
from ktsolve.cli.each_graph import answer_each
from ktsolve.cli.output import remark, with_progress
from ktsolve.cli.problem_options import ProblemSpec, takes_problem
from ktsolve.cli.tour_list import many, many_as_json
from ktsolve.cli.tour_output import (
    check_drawn,
    check_several,
    emit_answer,
    emit_none,
    emit_tour,
    ground_format,
    problem_fields,
    takes_tours,
)

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.formats.table import Format
    from ktsolve.problem.problem import TourProblem


@takes_problem(without=("format",))
@opt.takes_work("solver", "encoding", "seed", "timeout", "threads", "memory")
@takes_tours
def tour(
    *,
    spec: ProblemSpec,
    minimise: Annotated[
        str | None, opt.problem_option("--minimise", "Tour with the least statistic, such as turns.", "WHAT")
    ] = None,
    maximise: Annotated[
        str | None,
        opt.problem_option("--maximise", "Tour with the greatest statistic, such as obtuse.", "WHAT"),
    ] = None,
    number: Annotated[int | None, opt.NUMBER] = None,
    all_tours: Annotated[
        bool, typer.Option("--all", help="All tours. Exit status 3 if the list is cut short.")
    ] = False,
    diverse: Annotated[
        bool, typer.Option("--diverse", help="With --number: tours with few moves in common.")
    ] = False,
    engine: opt.EngineOption = "auto",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Construct one tour, several different ones, or all of them.

    Each undirected tour is listed once. On a terminal a tour is a board in colours; through a pipe, and with
    --format, it is text.

    Examples
    --------
    ktsolve tour 8x8                             # a closed tour
    ktsolve tour 8x8 --open --start a1 --end h7  # an open one
    ktsolve tour 6x6 --symmetry rot90            # equal to its quarter turn
    ktsolve tour 8x8 -n 3 --diverse              # with few moves in common
    ktsolve tour 6x6 --all -o tours.txt          # all 9862, in a file
    ktsolve tour graph:dodecahedral              # a Hamiltonian cycle
    """
    if all_tours and number is not None:
        raise BadInput("--all and --number do not go together: give one of them")
    if minimise is not None and maximise is not None:
        raise BadInput("--minimise and --maximise do not go together: give one of them")
    if (minimise or maximise) and (all_tours or number is not None):
        raise BadInput("--minimise and --maximise find one tour: leave out --number and --all")
    if diverse and (number is None or number < 2):
        raise BadInput("--diverse is about several tours: give --number, 2 or more")
    settings = work.settings
    if settings.encoding != "lazy":
        from ktsolve.engines.through_model import SatEngine

        if engine != SatEngine.name:
            raise BadInput(f"--encoding {settings.encoding} is for engine sat: add --engine sat")
    spec = replace(spec, format=out.graph_format)
    form = out.form
    if all_tours or number not in (None, 1):
        check_several(form, "leave out --number and --all")

    def answer(problem: TourProblem, settings: Settings, out: opt.OutputOptions) -> int:
        written = ground_format(form, problem.ground, out.format)
        with with_progress(settings, str(problem), quiet=out.quiet) as watched:
            for sense, wanted in (("minimise", minimise), ("maximise", maximise)):
                if wanted is not None:
                    return _best(problem, (sense, wanted), engine, watched, written, out)
            if all_tours or number is not None:
                limit = None if all_tours else number
                listed = many_as_json if out.json else many
                return listed(problem, engine, watched, limit, diverse, written, out)
            check_drawn(written, len(problem.ground))
            return _one(problem, engine, watched, written, out)

    one = not (all_tours or number or minimise or maximise)
    return answer_each(spec, settings, out, answer, any_size=one)


def _one(problem: TourProblem, engine: str, settings: Settings, form: Format, out: opt.OutputOptions) -> int:
    from ktsolve.tasks.find import find

    with out.stopping({"status": "unknown", **problem_fields(problem), "engine": engine}):
        answer = find(problem, engine, settings)
    data = {"status": answer.status, **problem_fields(problem)}
    if answer.tour is None:
        note = f"{problem}: {answer.work_text}"
        emit_none(problem, answer.reason, {**data, **answer.work}, note, settings, out)
        return 1
    if out.json:
        emit_answer({**data, "squares": [], **answer.work}, answer.tour, out.output)
    else:
        emit_tour(answer.tour, form, out)
        remark(answer.work_text, quiet=out.quiet)
    return 0


def _best(
    problem: TourProblem,
    wanted: tuple[str, str],
    engine: str,
    settings: Settings,
    form: Format,
    out: opt.OutputOptions,
) -> int:
    from ktsolve.problem.statistics import parse_objective
    from ktsolve.tasks.best import best

    objective = parse_objective(*wanted, problem.ground)
    asked = {**problem_fields(problem), "objective": objective.text(problem.ground)}
    with out.stopping({"status": "unknown", **asked, "engine": engine}):
        found = best(problem, objective, engine, settings)
    data = {"status": found.status, **asked}
    if found.tour is None:
        emit_none(problem, found.reason, {**data, **found.work}, "", settings, out)
        return 1
    if out.json:
        data |= {"squares": found.tour.to_json()["squares"], "value": found.value, "bound": found.bound}
        out.emit(data | found.work, "")
    else:
        emit_tour(found.tour, form, out)
        name = objective.statistic.text(problem.ground)
        proved = "proved best" if found.optimal else f"bound {found.bound}, gap {found.gap}"
        known = proved if found.bound is not None else "no bound is known"
        remark(f"{name} {found.value}, {known}; {found.work_text}", quiet=out.quiet)
    if not found.optimal:
        raise LimitReached("the best tour found is not proved optimal: give more time")
    return 0
