"""``ktsolve survey``: distributions of statistics over uniform samples of all tours."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from ktsolve.base.errors import LimitReached
from ktsolve.base.guard import stand_down
from ktsolve.base.limits import Clock
from ktsolve.cli import options as opt
from ktsolve.cli.output import emit, emit_chunks, long_numbers, remark
from ktsolve.cli.output_format import SURVEY
from ktsolve.cli.problem_options import ProblemSpec, takes_problem
from ktsolve.cli.tour_output import emit_none, problem_fields
from ktsolve.cli.tour_sequence import OrderOptions, one_problem, opened, takes_order
from ktsolve.tasks.answer import EXHAUSTED

if TYPE_CHECKING:
    from ktsolve.tasks.survey import Survey


@takes_problem(without=("format",))
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
    theme: Annotated[str, opt.THEME] = "light",
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
    from ktsolve.render.scene.theme import named_theme
    from ktsolve.tasks.survey import read_measures, survey_tours

    settings, spec = work.settings, replace(spec, format=out.graph_format)
    named_theme(theme)
    form = out.form.name
    clock = Clock(settings)
    problem = one_problem(spec, settings)
    read_measures(of, problem)  # before the tables are made
    with opened(problem, how, settings, out) as found:
        if not found:
            data = {"status": "impossible", **problem_fields(problem), "count": "0", "engine": found.engine}
            reason = found.reason or EXHAUSTED
            emit_none(problem, reason, data, f"{problem}: {found.engine}", settings, out)
            return 1
        result = survey_tours(
            found, of, samples, seed=settings.seed, exact=exact, clock=clock, keep_interrupted=True
        )
    stand_down()
    _emit(result, form, theme, out)
    if result.reason:
        if result.complete or result.reason == "interrupted":
            raise LimitReached(result.reason)
        raise LimitReached(f"{result.reason}: {result.number:,} of {samples:,} tours drawn")
    return 0


def _emit(result: Survey, form: str, theme: str, out: opt.OutputOptions) -> None:
    if form == "json":
        from ktsolve.cli.output import emit_json

        emit_json({**problem_fields(result.problem), **result.to_json()}, out.output)
    elif form == "csv":
        emit(result.csv(), out.output)
    elif form == "text":
        emit(result.text(out.width), out.output)
    else:
        from ktsolve.render.subject import still_file

        emit_chunks([still_file(result.scene(theme), out.form)], out.output, text=not out.form.binary)
    seeded = "" if result.seed is None else f"seed {result.seed}, "
    if form != "json":
        note = f"{seeded}order {result.order}, {result.engine}, {result.seconds:.3f} s"
        remark(note if form == "text" else f"{result.title}, {note}", quiet=out.quiet)
