"""``ktsolve tour``: construct one tour, several, or all."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.base.errors import BadInput, LimitReached, Refused
from ktsolve.base.guard import stand_down
from ktsolve.cli import options as opt
from ktsolve.cli.output import JsonWithList, emit_json, remark, with_progress
from ktsolve.cli.problem_options import (
    ListLines,
    ProblemSpec,
    answer_each,
    batch_work,
    takes_problem,
    tour_of_list,
)
from ktsolve.cli.tour_output import (
    check_drawn,
    check_several,
    emit_found,
    emit_none,
    ground_format,
    problem_fields,
    shown_tours,
    takes_tours,
    write_tours,
)

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.graphs.tour import Tour
    from ktsolve.problem.obstruction import Obstruction
    from ktsolve.problem.problem import TourProblem
    from ktsolve.tasks.find import FoundTours
    from ktsolve.tasks.graph_list import GraphBatch

    _Find = Callable[[], FoundTours]


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
    classes: Annotated[
        bool, typer.Option("--up-to-symmetry", help="With --all: one tour of each symmetry class.")
    ] = False,
    diverse: Annotated[
        bool, typer.Option("--diverse", help="With --number: few moves in common; so are pictures.")
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
    if classes and not all_tours:
        raise BadInput("--up-to-symmetry is about all tours: give --all as well")
    if diverse and (number is None or number < 2):
        raise BadInput("--diverse is about several tours: give --number, 2 or more")
    settings = work.settings
    if settings.encoding != "lazy":
        from ktsolve.engines.through_model import SatEngine

        if engine != SatEngine.name:
            raise BadInput(f"--encoding {settings.encoding} is for engine sat: add --engine sat")
    by_limits = replace(settings, seed=None, solver=None, encoding="lazy")
    if all_tours or number not in (None, 1):
        check_several(out, "leave out --number and --all")

    def answer(problem: TourProblem, settings: Settings, out: opt.OutputOptions) -> int:
        out = replace(out, form=ground_format(out.form, problem.ground, out.format))
        with with_progress(settings, str(problem), quiet=out.quiet) as watched:
            for sense, wanted in (("minimise", minimise), ("maximise", maximise)):
                if wanted is not None:
                    return _best(problem, (sense, wanted), engine, watched, out)
            if all_tours or number is not None:
                from ktsolve.tasks.find import find_all

                find = partial(find_all, problem, engine, watched, None if all_tours else number, diverse)
                if classes:
                    find = partial(_representatives, problem, find, watched)
                if out.json:
                    return _many_as_json(problem, find, engine, diverse, watched, out)
                if engine == "auto" and not diverse and _seen_together(problem, number, out):
                    with contextlib.suppress(Refused):
                        apart = find_all(problem, engine, watched, number, diverse=True)
                        return _many(problem, lambda: apart, True, watched, out)
                return _many(problem, find, diverse, watched, out)
            check_drawn(out.form, len(problem.ground))
            return _one(problem, engine, watched, out)

    def line(batch: GraphBatch, place: int, _stated: str, why: Obstruction | None) -> str:
        return " ".join(tour_of_list(batch, place)) if why is None else f"no tour: {why}"

    def as_json(
        problem: TourProblem, batch: GraphBatch, place: int, why: Obstruction | None
    ) -> dict[str, Any]:
        asked, work = problem_fields(problem), batch_work(batch)
        if why is not None:
            return {"status": "impossible", **asked, **work, "reason": str(why)}
        return {"status": "found", **asked, "squares": tour_of_list(batch, place), **work}

    one = not (all_tours or number or minimise or maximise)
    usual = out.json or (out.format is None and out.form.name == "grid")
    plain = one and engine == "auto" and usual and settings == by_limits
    lines = ListLines("hamiltonian" if spec.closed else "traceable", line, as_json, (0, 1)) if plain else None
    return answer_each(spec, settings, out, answer, any_size=one, lines=lines)


def _representatives(problem: TourProblem, find: _Find, settings: Settings) -> FoundTours:
    """The least tour of each class under the symmetries of the problem, as it is found."""
    from ktsolve.base.limits import Clock
    from ktsolve.graphs.board import Board
    from ktsolve.graphs.groups import generate
    from ktsolve.graphs.symmetry import Symmetry
    from ktsolve.tasks.count_tables import graph_automorphisms
    from ktsolve.tasks.find import FoundTours

    group = problem.automorphisms
    if not isinstance(problem.ground, Board):
        elements = generate(graph_automorphisms(problem, Clock(settings)))
        group = tuple(Symmetry("", images) for images in elements)
    identity, found = group[:1], find()
    least = (each for each in found if each.canonical(group) == each.canonical(identity))
    return FoundTours(lambda: found.engine, least)


_MOST_APART = (50, 256)  # tours of a sheet, and their cells, that differ by themselves: in some seconds


def _seen_together(problem: TourProblem, number: int | None, out: opt.OutputOptions) -> bool:
    """Whether several tours become pictures, which show that tours of a list are alike."""
    most, cells = _MOST_APART
    return out.form.holds == "picture" and 1 < (number or 0) <= most and len(problem.ground) <= cells


def _one(problem: TourProblem, engine: str, settings: Settings, out: opt.OutputOptions) -> int:
    from ktsolve.tasks.find import find

    with out.stopping({"status": "unknown", **problem_fields(problem), "engine": engine}):
        answer = find(problem, engine, settings)
    data = {"status": answer.status, **problem_fields(problem)}
    if answer.tour is None:
        note = f"{problem}: {answer.work_text}"
        return emit_none(problem, answer.reason, data | answer.work, note, settings, out)
    emit_found(answer.tour, {**data, "squares": [], **answer.work}, out, answer.work_text)
    return 0


def _best(
    problem: TourProblem, wanted: tuple[str, str], engine: str, settings: Settings, out: opt.OutputOptions
) -> int:
    from ktsolve.problem.statistics import parse_objective
    from ktsolve.tasks.best import best

    objective = parse_objective(*wanted, problem.ground)
    asked = {**problem_fields(problem), "objective": objective.text(problem.ground)}
    with out.stopping({"status": "unknown", **asked, "engine": engine}):
        found = best(problem, objective, engine, settings, keep=True)
    data = {"status": found.status, **asked}
    if found.tour is None:
        return emit_none(problem, found.reason, data | found.work, "", settings, out)
    name = objective.statistic.text(problem.ground)
    proved = "proved best" if found.optimal else f"bound {found.bound}, gap {found.gap}"
    known = proved if found.bound is not None else "no bound is known"
    data |= {"squares": [], "value": found.value, "bound": found.bound, **found.work}
    emit_found(found.tour, data, out, f"{name} {found.value}, {known}; {found.work_text}")
    if not found.optimal:
        raise LimitReached("the best tour found is not proved optimal: give more time")
    return 0


def _many(
    problem: TourProblem, find: _Find, diverse: bool, settings: Settings, out: opt.OutputOptions
) -> int:
    """Write the tours as they are found; returns the exit status."""
    from ktsolve.graphs.tour import least_difference

    started = time.perf_counter()
    tours = find()
    compared: list[Tour] = []

    def listed() -> Iterator[Tour]:
        for each in tours:
            if diverse:
                compared.append(each)
            yield each

    found = write_tours(listed(), out)
    note = f"{tours.engine}, {time.perf_counter() - started:.3f} s"
    if len(compared) > 1:
        least = least_difference(compared)
        note = f"any two differ in {least} of {len(compared[0].moves)} moves or more, {note}"
    note = f"{shown_tours(found)}, {note}"
    if not found:
        return emit_none(problem, _why_none(problem), {}, note, settings, out)
    remark(note, quiet=out.quiet)
    return 0


def _many_as_json(
    problem: TourProblem, find: _Find, engine: str, diverse: bool, settings: Settings, out: opt.OutputOptions
) -> int:
    """Print one JSON object with the tours as they are found, also at a limit; returns the exit status."""
    from ktsolve.graphs.tour import least_difference

    started = time.perf_counter()
    name = engine
    tours: FoundTours | None = None
    compared: list[Tour] = []
    stopped: BaseException | None = None
    fields = problem_fields(problem)
    with JsonWithList({"status": "found", **fields}, "tours", out.output) as printed:
        try:
            tours = find()
            name = tours.engine
            for each in tours:
                if diverse:
                    compared.append(each)
                printed.add(each.to_json()["squares"])
        except (LimitReached, KeyboardInterrupt) as stop:
            stopped = stop
        stand_down()
        tours = None  # stops the engine now: the exception would keep it alive
        data: dict[str, Any] = {"complete": stopped is None, "engine": name}
        data["seconds"] = round(time.perf_counter() - started, 6)
        if diverse:
            data["least_difference"] = least_difference(compared)
        if stopped is not None:
            data["reason"] = str(stopped) or "interrupted"
        if printed.entries:
            printed.end(data)
    if stopped is not None:
        if not printed.entries:
            emit_json({"status": "unknown", **fields, "tours": [], **data}, out.output)
        raise stopped
    if not printed.entries:
        nothing = {"status": "impossible", **fields, "tours": [], **data}
        return emit_none(problem, _why_none(problem), nothing, "", settings, out)
    return 0


def _why_none(problem: TourProblem) -> str:
    from ktsolve.tasks.answer import EXHAUSTED

    return str(problem.obstruction() or EXHAUSTED)
