"""The common part of ``sample``, ``unrank`` and ``rank``: options, the sequence of all tours, output."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.guard import stand_down
from ktsolve.cli import options as opt
from ktsolve.cli.output import check_writable, emit_json, remark, with_progress
from ktsolve.cli.tour_list import shown_tours, write_tours
from ktsolve.cli.tour_output import emit_none, ground_format, problem_fields
from ktsolve.tasks.answer import EXHAUSTED

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.cli.problem_options import ProblemSpec
    from ktsolve.graphs.tour import Tour
    from ktsolve.problem.problem import TourProblem
    from ktsolve.tasks.tours import Tours

__all__ = ["OrderOptions", "emit_by_index", "one_problem", "opened", "takes_order"]

_BYTES_IN_JSON = 120
"""Memory for each cell of a tour in one JSON object."""


def _usable(prepared: str | None) -> str | None:
    """The name of a prepared file, if it can be read, or made."""
    if prepared is None:
        return None
    if not os.path.lexists(prepared):
        return check_writable(prepared)
    if not os.path.isfile(prepared):
        raise BadInput(f"--prepared {prepared}: this is no ordinary file")
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


def one_problem(spec: ProblemSpec, settings: Settings) -> TourProblem:
    """The problem on the board, or on the one graph in its place."""
    read = spec.graph(settings)
    return spec.make(read.ground, read.required, settings)


@contextlib.contextmanager
def opened(
    problem: TourProblem, how: OrderOptions, settings: Settings, out: opt.OutputOptions
) -> Iterator[Tours]:
    """The sequence of all tours, prepared or read from the prepared file; with a progress bar."""
    from ktsolve.tasks.tours import tours

    if how.prepared is not None and out.output is not None:
        same = os.path.realpath(how.prepared) == os.path.realpath(out.output)
        if same:
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


def emit_by_index(
    found: Tours,
    indices: Iterable[int],
    number: int,
    settings: Settings,
    out: opt.OutputOptions,
    started: float,
    drawn: str = "",
    **more: Any,
) -> int:
    """Write the tours at some indices; returns the exit status.

    Parameters
    ----------
    number:
        Number of indices.
    started:
        When the command began, by ``time.perf_counter``.
    drawn:
        How they were chosen, for the remark.
    more:
        Further values of the JSON.
    """
    problem = found.problem
    form = ground_format(out.form, problem.ground, out.format)
    data = {**problem_fields(problem), "count": str(found.count), "order": found.order}
    if not found:
        nothing = {"status": "impossible", **data, "engine": found.engine}
        emit_none(problem, found.reason or EXHAUSTED, nothing, f"{problem}: {found.engine}", settings, out)
        return 1
    if out.json:
        return _emit_json(found, indices, number, {**data, **more}, settings, out, started)
    written = write_tours(found.at(indices), form, out)
    note = f"order {found.order}, {found.engine}, {time.perf_counter() - started:.3f} s"
    remark(f"{shown_tours(written)} of {found.count}{drawn}, {note}", quiet=out.quiet)
    return 0


def _emit_json(
    found: Tours,
    indices: Iterable[int],
    number: int,
    data: dict[str, Any],
    settings: Settings,
    out: opt.OutputOptions,
    started: float,
) -> int:
    needed = number * len(found.problem.ground) * _BYTES_IN_JSON
    if needed > settings.memory_budget:
        raise LimitReached(
            f"{number} tours in one JSON object take {needed / 2**30:,.1f} GiB; the memory limit is "
            f"{settings.memory_limit / 2**30:,.1f} GiB: leave out --json"
        )
    places = list(indices)
    listed: list[Tour] = []
    stopped: BaseException | None = None
    try:
        for each in found.at(places):
            listed.append(each)  # noqa: PERF402 (kept at Ctrl-C)
    except (LimitReached, KeyboardInterrupt) as stop:
        stopped = stop
    stand_down()
    answer = {
        "status": "found" if listed or not number else "unknown",
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
