"""Commands on all tours in a fixed order: ``sample``, ``unrank``, ``rank`` and ``survey``."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.base.errors import BadInput, IndexOutOfRange, LimitReached
from ktsolve.base.guard import stand_down
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.text import csv_text, shown
from ktsolve.cli import options as opt
from ktsolve.cli.input import read_text
from ktsolve.cli.output import (
    check_writable,
    emit,
    emit_json,
    long_numbers,
    remark,
    with_progress,
)
from ktsolve.cli.output_format import SURVEY, TABLE
from ktsolve.cli.problem_options import ProblemSpec, takes_problem
from ktsolve.cli.tour_input import checked_array, naming, read_tour_file
from ktsolve.cli.tour_output import (
    check_several,
    emit_none,
    emit_scene,
    ground_format,
    problem_fields,
    shown_tours,
    takes_tours,
    write_tours,
)
from ktsolve.formats.table import formats_of, listed

if TYPE_CHECKING:
    from ktsolve.graphs.tour import Tour
    from ktsolve.problem.problem import TourProblem
    from ktsolve.tasks.survey import Survey
    from ktsolve.tasks.tours import Tours

_BYTES_IN_JSON = 120  # memory for each cell of a tour in one JSON object


def _usable(prepared: str | None) -> str | None:
    """The name of a prepared file, if it can be read, or made."""
    if prepared is None or not os.path.lexists(prepared):
        return check_writable(prepared)
    if not os.path.isfile(prepared):
        raise BadInput(f"--prepared {prepared}: this is not an ordinary file")
    return prepared


@dataclass(frozen=True)
class OrderOptions:
    """The options about the order of the tours, as typed."""

    engine: opt.EngineOption = "auto"
    prepared: Annotated[
        str | None,
        opt.engine_option(
            "--prepared", "File of tables: made if it is not there, else read.", "FILE", callback=_usable
        ),
    ] = None
    order_name: Annotated[
        str | None, opt.engine_option("--order-name", "Refuse any order but this.", "NAME")
    ] = None
    check: Annotated[bool, opt.engine_option("--check", "Rank back every tour, not only a few.")] = False


takes_order = opt.in_place_of("how", opt.options_of(OrderOptions, ()), OrderOptions)


@contextlib.contextmanager
def _opened(
    problem: TourProblem, how: OrderOptions, settings: Settings, out: opt.OutputOptions
) -> Iterator[Tours]:
    """The sequence of all tours, prepared or read from the prepared file; with a progress bar."""
    from ktsolve.tasks.tours import tours

    if how.prepared and out.output and os.path.realpath(how.prepared) == os.path.realpath(out.output):
        raise BadInput(f"-o {out.output} is the prepared file: give another name")
    settings = replace(settings, seed=None)  # the order does not depend on it
    unknown = {"status": "unknown", **problem_fields(problem), "engine": how.engine}
    with with_progress(settings, str(problem), quiet=out.quiet) as watched:
        with out.stopping(unknown):
            found = tours(
                problem,
                engine=how.engine,
                prepared=how.prepared,
                order=how.order_name,
                check=how.check,
                settings=watched,
            )
        if how.prepared is not None and found:
            what = "read from" if found.restored else "written to"
            remark(f"tables {what} {how.prepared}", quiet=out.quiet)
        yield found


# -- tours by their indices ----------------------------------------------------------------------------------

_AN_INDEX = "an index is a whole number such as 5, or a range such as 0:10"

IndicesArgument = Annotated[
    list[str],
    typer.Argument(metavar="INDEX...|-", help="Numbers from 0, ranges such as 0:10, or - to read them."),
]

NEGATIVE_NUMBERS = {"ignore_unknown_options": True}
"""Context settings of a command that takes indices: -1 is an index out of range and not an option."""

Bounds = tuple[str, str | None]
"""Digits of an index; or of the first of a range, and of the one after its last."""


def read_bounds(given: Sequence[str], settings: Settings, *, input_taken: bool = False) -> list[Bounds]:
    """The indices and ranges as typed, or those of standard input, unless it is taken by something else."""
    for text in given:
        if re.match(r"--?[^\W\d]", text):
            raise BadInput(f"No such option: {text}")
    if "-" in given:
        if len(given) > 1:
            raise BadInput("- reads all indices from standard input: leave out the others")
        if input_taken:
            raise BadInput("standard input (-) can be read once: name a file for the graph")
        given = read_text("-", _AN_INDEX, settings).split()
        if not given:
            raise BadInput(f"there is no index in the input: it is empty; {_AN_INDEX}")
    found = []
    for text in given:
        match = re.fullmatch(r"(-?[0-9]+)(?::([0-9]+))?", text)
        if match is None:
            raise BadInput(f"{shown(text)} is not a whole number: {_AN_INDEX}")
        found.append((match[1], match[2]))
    return found


def range_of(bounds: Bounds, count: int, what: str) -> range:
    """The indices between bounds, among ``count`` indices of ``what``; raises IndexOutOfRange or BadInput."""
    first, end = bounds
    start = _number(first, count - 1, first, count, what)
    if end is None:
        return range(start, start + 1)
    stop = _number(end, count, f"{first}:{end}", count, what)
    if stop < start:
        raise BadInput(f"{shown(f'{first}:{end}')} is not a range: its first index is past its last")
    return range(start, stop)


def _number(digits: str, most: int, text: str, count: int, what: str) -> int:
    plain = digits.lstrip("0") or "0"
    # A number with more digits is not converted: that takes time quadratic in their number.
    number = most + 1 if len(plain) > len(str(most)) else int(plain)
    if not 0 <= number <= most:
        raise IndexOutOfRange(f"index {shown(text)} is out of range: {what} has 0 to {count - 1}")
    return number


def _emit_at(
    found: Tours,
    indices: Iterable[int],
    number: int,
    settings: Settings,
    out: opt.OutputOptions,
    started: float,
    drawn: str = "",
    **more: Any,
) -> int:
    """Write the tours at some indices, of which there are ``number``; returns the exit status.

    ``drawn`` says in the remark how they were chosen; ``more`` are further values of the JSON.
    """
    problem = found.problem
    out = replace(out, form=ground_format(out.form, problem.ground, out.format))
    data = {**problem_fields(problem), "count": str(found.count), "order": found.order}
    if not found:
        return _emit_nothing(found, data, settings, out)
    if out.json:
        needed = number * len(problem.ground) * _BYTES_IN_JSON
        if needed > settings.memory_budget:
            raise LimitReached(
                f"{number} tours in one JSON object take {needed / 2**30:,.1f} GiB; the memory limit is "
                f"{settings.memory_limit / 2**30:,.1f} GiB: leave out --json"
            )
        return _emit_json(found, list(indices), {**data, **more}, out, started)
    written = write_tours(found.at(indices), out)
    note = f"order {found.order}, {found.engine}, {time.perf_counter() - started:.3f} s"
    remark(f"{shown_tours(written)} of {found.count}{drawn}, {note}", quiet=out.quiet)
    return 0


def _emit_nothing(found: Tours, data: dict[str, Any], settings: Settings, out: opt.OutputOptions) -> int:
    from ktsolve.tasks.answer import EXHAUSTED

    data = {"status": "impossible", **data, "engine": found.engine}
    note = f"{found.problem}: {found.engine}"
    return emit_none(found.problem, found.reason or EXHAUSTED, data, note, settings, out)


def _emit_json(
    found: Tours, places: list[int], data: dict[str, Any], out: opt.OutputOptions, started: float
) -> int:
    listed: list[Tour] = []
    stopped: BaseException | None = None
    try:
        for each in found.at(places):
            listed.append(each)  # noqa: PERF402 (kept at Ctrl-C)
    except (LimitReached, KeyboardInterrupt) as stop:
        stopped = stop
    stand_down()
    answer = {
        "status": "found" if listed or not places else "unknown",
        **data,
        "indices": [str(place) for place in places[: len(listed)]],
        "tours": [each.to_json()["squares"] for each in listed],
        "complete": stopped is None,
        "engine": found.engine,
        "seconds": round(time.perf_counter() - started, 6),
    }
    if stopped is not None:
        emit_json({**answer, "reason": str(stopped) or "interrupted"}, out.output)
        raise stopped
    emit_json(answer, out.output)
    return 0


@takes_problem(without=("format", "keep_going"))
@takes_order
@opt.takes_work("seed", "timeout", "threads", "memory", "spill")
@takes_tours
@long_numbers()
def sample(
    *,
    spec: ProblemSpec,
    number: Annotated[int, opt.NUMBER] = 1,
    distinct: Annotated[bool, typer.Option("--distinct", help="No tour twice.")] = False,
    how: OrderOptions,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Draw tours with exactly equal chances.

    They are independent of each other. The same seed draws the same tours, on every machine.

    Examples
    --------
    ktsolve sample 6x6                        # a random tour
    ktsolve sample 6x6 -n 3 --seed 7          # three, the same each time
    ktsolve sample 6x6 -n 1000 -o sample.txt  # a thousand, in a file
    """
    started = time.perf_counter()
    settings = work.settings
    if number > 1:
        check_several(out, "leave out --number")
    with _opened(spec.problem(settings), how, settings, out) as found:
        indices = found.sample_places(number, settings.seed, distinct=distinct) if found else iter(())
        drawn = "" if settings.seed is None else f", seed {settings.seed}"
        more = {"seed": settings.seed, "distinct": distinct}
        return _emit_at(found, indices, number, settings, out, started, drawn, **more)


@takes_problem(without=("format", "keep_going"))
@takes_order
@opt.takes_work("timeout", "threads", "memory", "spill")
@takes_tours
@long_numbers()
def unrank(
    *,
    spec: ProblemSpec,
    indices: IndicesArgument,
    how: OrderOptions,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Print the tours with given numbers among all tours of the problem.

    Examples
    --------
    ktsolve unrank 6x6 1234                 # the tour with number 1234
    ktsolve unrank 6x6 0:10 --format cells  # the first ten
    ktsolve unrank 6x6 0 9861               # the first and the last
    """
    started = time.perf_counter()
    settings = work.settings
    wanted = read_bounds(indices, settings, input_taken=spec.board == "-")
    for first, _ in wanted:
        if first.startswith("-") and first.strip("-0"):  # before the work
            raise IndexOutOfRange(f"index {shown(first)} is out of range: indices count from 0")
    if len(wanted) > 1 or any(end is not None for _, end in wanted):
        check_several(out, "give one index")
    with _opened(spec.problem(settings), how, settings, out) as found:
        ranges = [range_of(each, found.count, str(found.problem)) for each in wanted] if found else []
        number = sum(each.stop - each.start for each in ranges)
        return _emit_at(found, chain.from_iterable(ranges), number, settings, out, started)


unrank.context_settings = NEGATIVE_NUMBERS  # type: ignore[attr-defined]


@takes_problem(without=("format", "keep_going"))
@takes_order
@opt.takes_work("timeout", "threads", "memory", "spill")
@opt.takes_output(writes=TABLE, graphs=True)
@long_numbers()
def rank(
    *,
    spec: ProblemSpec,
    file: Annotated[str, typer.Argument(metavar="FILE|-", help=f"Tours: {listed(formats_of('tour'))}.")],
    how: OrderOptions,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Print the numbers of given tours among all tours of the problem.

    Examples
    --------
    ktsolve rank 6x6 tour.json                    # its number
    ktsolve unrank 6x6 1234 | ktsolve rank 6x6 -  # 1234
    """
    from ktsolve.formats.tours.files import read_tours
    from ktsolve.tasks.tours import labeled_rows

    settings = work.settings
    started = time.perf_counter()
    if file == "-" and spec.board == "-":
        raise BadInput("standard input (-) can be read once: name a file for the tours or the graph")
    problem = spec.problem(settings)
    read = read_tour_file(file, settings, on_graph=spec.is_graph)
    with naming(file):
        if isinstance(read, str):
            rows = labeled_rows(problem, read_tours(read, problem.ground, problem.closed))
        else:
            rows = labeled_rows(problem, [checked_array(read, file, problem.ground, problem.closed)])
    with _opened(problem, how, settings, out) as found:
        data = {**problem_fields(problem), "count": str(found.count), "order": found.order}
        with out.stopping({"status": "unknown", **data, "engine": found.engine}):
            indices = list(map(str, found.ranks(rows)))
    seconds = time.perf_counter() - started
    work_done = {"engine": found.engine, "seconds": round(seconds, 6)}
    note = f"order {found.order}, {found.engine}, {seconds:.3f} s"
    data = {"status": "found", **data, "indices": indices, **work_done}
    text = csv_text(("tour", "index"), enumerate(indices, 1)) if out.csv else "\n".join(indices)
    out.emit(data, text, f"{shown_tours(len(indices))} of {found.count}, {note}")
    return 0


@takes_problem(without=("format", "keep_going"))
@takes_order
@opt.takes_work("seed", "timeout", "threads", "memory", "spill")
@opt.takes_output(writes=SURVEY, graphs=True)
@long_numbers()
def survey(
    *,
    spec: ProblemSpec,
    of: Annotated[
        list[str],
        typer.Option("--of", metavar="LIST", help="Statistics: turns,crossings,uses:a1-b3,visit:d4."),
    ],
    samples: Annotated[
        int, typer.Option("--samples", "-n", metavar="N", help="Tours to draw, such as 10000.", min=1)
    ] = 10_000,
    exact: Annotated[bool, typer.Option("--exact", help="Count uses of moves exactly, too.")] = False,
    how: OrderOptions,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Measure statistics of tours that are drawn with equal chances.

    -o FILE writes a picture (.svg, .pdf, .png, .tex), .json or .csv by its suffix.

    Examples
    --------
    ktsolve survey 6x6 --of turns,crossings     # histograms and quantiles
    ktsolve survey 6x6 --of turns -o turns.svg  # a picture
    ktsolve survey 6x6 --of uses:a1-b3 --exact  # the exact numbers, too
    """
    from ktsolve.tasks.survey import read_measures, survey_tours

    settings = work.settings
    clock = Clock(settings)
    problem = spec.problem(settings)
    read_measures(of, problem)  # before the tables are made
    with _opened(problem, how, settings, out) as found:
        if not found:
            return _emit_nothing(found, {**problem_fields(problem), "count": "0"}, settings, out)
        result = survey_tours(
            found, of, samples, seed=settings.seed, exact=exact, clock=clock, keep_interrupted=True
        )
    stand_down()
    _emit_survey(result, out)
    if not result.reason:
        return 0
    if result.complete or result.reason == "interrupted":
        raise LimitReached(result.reason)
    raise LimitReached(f"{result.reason}: {result.number:,} of {samples:,} tours drawn")


def _emit_survey(result: Survey, out: opt.OutputOptions) -> None:
    seeded = "" if result.seed is None else f"seed {result.seed}, "
    note = f"{seeded}order {result.order}, {result.engine}, {result.seconds:.3f} s"
    if out.json or out.form.name == "text":
        data = {**problem_fields(result.problem), **result.to_json()} if out.json else {}
        out.emit(data, "" if out.json else result.text(out.width), note)
        return
    if out.csv:
        emit(result.csv(), out.output)
    else:
        emit_scene(result.scene(out.theme or "light", out.caption), out)
    remark(f"{result.title}, {note}", quiet=out.quiet)
