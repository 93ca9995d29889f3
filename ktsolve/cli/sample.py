"""``ktsolve sample``: tours drawn with equal chances."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Annotated

import typer

from ktsolve.cli import options as opt
from ktsolve.cli.output import long_numbers
from ktsolve.cli.problem_options import ProblemSpec, takes_problem
from ktsolve.cli.tour_output import check_several, takes_tours
from ktsolve.cli.tour_sequence import OrderOptions, emit_by_index, one_problem, opened, takes_order


@takes_problem(without=("format",))
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
    spec = replace(spec, format=out.graph_format)
    if number > 1:
        check_several(out.form, "leave out --number")
    problem = one_problem(spec, settings)
    with opened(problem, how, settings, out) as found:
        indices = found.sample_places(number, settings.seed, distinct=distinct) if found else iter(())
        drawn = "" if settings.seed is None else f", seed {settings.seed}"
        more = {"seed": settings.seed, "distinct": distinct}
        return emit_by_index(found, indices, number, settings, out, started, drawn, **more)
