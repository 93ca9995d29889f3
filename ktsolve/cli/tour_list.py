"""Output of several tours, or all, as they are found; Ctrl-C keeps those already found."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ktsolve.base.errors import LimitReached
from ktsolve.base.guard import stand_down
from ktsolve.base.text import plural
from ktsolve.cli.output import JsonWithList, emit_json, remark, writing
from ktsolve.cli.tour_output import coloured, emit_none, emit_tour, emit_tours_drawn, problem_fields
from ktsolve.tasks.answer import EXHAUSTED

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.cli.options import OutputOptions
    from ktsolve.formats.table import Format
    from ktsolve.graphs.tour import Tour
    from ktsolve.problem.problem import TourProblem
    from ktsolve.tasks.find import FoundTours

__all__ = ["many", "many_as_json", "shown_tours", "write_tours"]


def many(
    problem: TourProblem,
    engine: str,
    settings: Settings,
    number: int | None,
    diverse: bool,
    form: Format,
    out: OutputOptions,
) -> int:
    """Write the tours as they are found; returns the exit status."""
    from ktsolve.graphs.tour import least_difference
    from ktsolve.tasks.find import find_all

    started = time.perf_counter()
    tours = find_all(problem, engine, settings, number, diverse)
    compared: list[Tour] = []

    def listed() -> Iterator[Tour]:
        for each in tours:
            if diverse:
                compared.append(each)
            yield each

    found = write_tours(listed(), form, out)
    note = f"{tours.engine}, {time.perf_counter() - started:.3f} s"
    if len(compared) > 1:
        least = least_difference(compared)
        note = f"any two differ in {least} of {len(compared[0].moves)} moves or more, {note}"
    note = f"{shown_tours(found)}, {note}"
    if not found:
        emit_none(problem, _why_none(problem), {}, note, settings, out)
    else:
        remark(note, quiet=out.quiet)
    return 0 if found else 1


def write_tours(tours: Iterable[Tour], form: Format, out: OutputOptions) -> int:
    """Write tours as they come, and return their number. A format that is not text holds one.

    Raises
    ------
    LimitReached
        At Ctrl-C, with the number of tours written.
    """
    from ktsolve.formats.tours.files import TourWriter

    if form.holds == "picture":
        if drawn := list(tours):
            emit_tours_drawn(drawn, form, out.output)
        return len(drawn)
    if form.binary:
        (tour,) = tours
        emit_tour(tour, form, out)
        return 1
    written, writer = 0, TourWriter(form)
    try:
        with writing(out.output) as write:
            for each in tours:
                if written and form.separator:
                    write("")
                write(coloured(each, form, out) or writer.text(each))
                written += 1
    except KeyboardInterrupt as stop:
        raise LimitReached(f"{str(stop) or 'interrupted'}, {shown_tours(written)} written") from None
    return written


def _why_none(problem: TourProblem) -> str:
    return str(problem.obstruction() or EXHAUSTED)


def many_as_json(
    problem: TourProblem,
    engine: str,
    settings: Settings,
    number: int | None,
    diverse: bool,
    _form: Format,
    out: OutputOptions,
) -> int:
    """Print one JSON object with the tours found, also at a limit; returns the exit status."""
    from ktsolve.graphs.tour import least_difference
    from ktsolve.tasks.find import find_all

    started = time.perf_counter()
    name = engine
    tours: FoundTours | None = None
    compared: list[Tour] = []
    stopped: BaseException | None = None

    def before() -> dict[str, Any]:
        return {"status": "found", **problem_fields(problem)}

    with JsonWithList(before, "tours", out.output) as printed:
        try:
            tours = find_all(problem, engine, settings, number, diverse)
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
            emit_json({"status": "unknown", **problem_fields(problem), "tours": [], **data}, out.output)
        raise stopped
    if not printed.entries:
        nothing = {"status": "impossible", **problem_fields(problem), "tours": [], **data}
        emit_none(problem, _why_none(problem), nothing, "", settings, out)
    return 0 if printed.entries else 1


def shown_tours(number: int) -> str:
    """A number of tours as text."""
    return f"{number} {plural(number, 'tour')}"
