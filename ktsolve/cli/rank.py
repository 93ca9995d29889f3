"""``ktsolve rank``: the indices of given tours."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from ktsolve.base.errors import BadInput
from ktsolve.cli import options as opt
from ktsolve.cli.input import name_of
from ktsolve.cli.output import long_numbers, remark
from ktsolve.cli.problem_options import ProblemSpec, takes_problem
from ktsolve.cli.tour_input import checked_array, read_tour_file
from ktsolve.cli.tour_list import shown_tours
from ktsolve.cli.tour_output import problem_fields
from ktsolve.cli.tour_sequence import OrderOptions, one_problem, opened, takes_order
from ktsolve.formats.table import formats_of, listed

if TYPE_CHECKING:
    from ktsolve.graphs.tour import Tour
    from ktsolve.problem.problem import TourProblem


@takes_problem(without=("format",))
@takes_order
@opt.takes_work("timeout", "threads", "memory", "spill")
@opt.takes_output(graphs=True)
@long_numbers()
def rank(
    *,
    spec: ProblemSpec,
    file: Annotated[
        str,
        typer.Argument(metavar="FILE|-", help=f"Tours: {listed(formats_of('tour'))}."),
    ],
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
    from ktsolve.tasks.tours import labeled_rows

    settings, spec = work.settings, replace(spec, format=out.graph_format)
    started = time.perf_counter()
    if file == "-" and spec.board == "-":
        raise BadInput("standard input (-) can be read once: name a file for the tours or the graph")
    problem = one_problem(spec, settings)
    read = read_tour_file(file, settings, on_graph=spec.is_graph)
    try:
        rows = labeled_rows(problem, _tours(read, file, problem))
    except BadInput as error:
        raise BadInput(f"{name_of(file)}: {error}") from None
    with opened(problem, how, settings, out) as found:
        data = {**problem_fields(problem), "count": str(found.count), "order": found.order}
        with out.stopping({"status": "unknown", **data, "engine": found.engine}):
            indices = list(map(str, found.ranks(rows)))
    seconds = time.perf_counter() - started
    work_done = {"engine": found.engine, "seconds": round(seconds, 6)}
    out.emit({"status": "found", **data, "indices": indices, **work_done}, "\n".join(indices))
    if not out.json:
        note = f"order {found.order}, {found.engine}, {seconds:.3f} s"
        remark(f"{shown_tours(len(indices))} of {found.count}, {note}", quiet=out.quiet)
    return 0


def _tours(read: str | Tour, file: str, problem: TourProblem) -> list[Tour]:
    from ktsolve.formats.tours.files import read_tours

    if isinstance(read, str):
        return read_tours(read, problem.ground, problem.closed)
    return [checked_array(read, file, problem.ground, problem.closed)]
