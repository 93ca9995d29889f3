"""``ktsolve unrank``: the tours with given indices."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import chain

from ktsolve.base.errors import IndexOutOfRange
from ktsolve.base.text import shown
from ktsolve.cli import options as opt
from ktsolve.cli.indices import NEGATIVE_NUMBERS, IndicesArgument, range_of, read_bounds
from ktsolve.cli.output import long_numbers
from ktsolve.cli.problem_options import ProblemSpec, takes_problem
from ktsolve.cli.tour_output import check_several, takes_tours
from ktsolve.cli.tour_sequence import OrderOptions, emit_by_index, one_problem, opened, takes_order


@takes_problem(without=("format",))
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
    spec = replace(spec, format=out.graph_format)
    wanted = read_bounds(indices, settings, input_taken=spec.board == "-")
    for first, _ in wanted:
        if first.startswith("-") and first.strip("-0"):  # before the work
            raise IndexOutOfRange(f"index {shown(first)} is out of range: indices count from 0")
    several = len(wanted) > 1 or any(end is not None for _, end in wanted)
    if several:
        check_several(out.form, "give one index")
    problem = one_problem(spec, settings)
    with opened(problem, how, settings, out) as found:
        ranges = [range_of(each, found.count, str(found.problem)) for each in wanted] if found else []
        number = sum(each.stop - each.start for each in ranges)
        return emit_by_index(found, chain.from_iterable(ranges), number, settings, out, started)


unrank.context_settings = NEGATIVE_NUMBERS  # type: ignore[attr-defined]
