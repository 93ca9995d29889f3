"""``ktsolve census``: a resumable count with a ledger; ``ktsolve census report`` shows a ledger."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

import typer

from ktsolve.base.errors import BadInput, InternalError, KtsolveError
from ktsolve.cli import options as opt
from ktsolve.cli.help import HelpGroup
from ktsolve.cli.output import emit, emit_json, remark, width_of, with_progress
from ktsolve.cli.output_format import STILL, Writes, some_formats
from ktsolve.cli.problem_options import ProblemSpec, takes_problem
from ktsolve.cli.tour_output import emit_picture
from ktsolve.render.text_table import wrapped

if TYPE_CHECKING:
    from ktsolve.base.limits import Clock, Settings
    from ktsolve.render.subjects import Counts
    from ktsolve.wings.census.checks import Audited, Check
    from ktsolve.wings.census.jobs import Census, CensusJob, JobResult
    from ktsolve.wings.census.ledger import Ledger
    from ktsolve.wings.census.report import CensusReport
    from ktsolve.wings.census.work import Pool

LEDGER = Writes(
    "a report",
    (*some_formats("answer", "text", "csv", "json", "markdown"), *STILL.formats),
    pictures_beside=True,
)
"""What ``census report`` writes."""

_SAMPLE = 3  # jobs that ``--audit`` counts again without a number


class _WithRun(HelpGroup):
    """``census BOARD`` means ``census run BOARD``, and the number of ``--audit`` is optional."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args or args[0] not in self.commands:
            args = ["run", *args]
        complete = []
        for argument, following in zip(args, [*args[1:], ""], strict=True):
            complete.append(argument)
            if argument == "--audit" and not re.fullmatch(r"[+-]?\d+", following):
                complete.append(str(_SAMPLE))
        return super().parse_args(ctx, complete)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(cls=_WithRun, help="Resumable count: jobs, recorded in a ledger.")
    group.command(name="run")(run)
    group.command(name="report")(report)
    app.add_typer(group, name="census")


# Conditions that leave both ends free and do not depend on the direction of a tour.
@takes_problem("board", "closed", "require", "forbid", "without", "leaper", "wrap")
@opt.takes_work("timeout", "threads", "memory", "spill", "disk")
@opt.takes_output()
def run(
    *,
    spec: ProblemSpec,
    ledger: Annotated[str, opt.engine_option("--ledger", "SQLite file for the results.", "FILE")],
    classes: Annotated[
        str | None, opt.problem_option("--ends", "Only the classes of these ends: a1-b3,a1-c2.", "ENDS")
    ] = None,
    parts: Annotated[
        int | None, opt.engine_option("--parts", "Split into N parts, not by ends.", "N")
    ] = None,
    workers: Annotated[
        int | None, opt.engine_option("--workers", "Worker processes. Default: 1.", "N")
    ] = None,
    dask: Annotated[
        str | None,
        opt.engine_option("--dask", "Use the workers of a Dask cluster: tcp://host:8786.", "ADDRESS"),
    ] = None,
    audit: Annotated[
        int | None, opt.engine_option("--audit", "Count K jobs again in another way. Default: 3.", "[K]")
    ] = None,
    recount: Annotated[bool, opt.engine_option("--recount", "Count damaged rows again.")] = False,
    engine: opt.EngineOption = "auto",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Count in jobs and record every result in a ledger.

    The same command continues a stopped count. Open tours are split by endpoint class, closed tours into
    parts. "ktsolve census report --ledger FILE" shows a ledger, also during a run.

    Examples
    --------
    ktsolve census 6x6 --open --ledger 6x6.db          # start, or continue
    ktsolve census 6x6 --ledger closed.db --parts 4    # closed tours in four parts
    ktsolve census 6x6 --open --ledger 6x6.db --audit  # count a sample again
    """
    from ktsolve.base.limits import Clock

    settings = work.settings
    clock = Clock(settings)
    from ktsolve.wings.census.jobs import make_census
    from ktsolve.wings.census.ledger import Ledger
    from ktsolve.wings.census.report import as_json, snapshot, summary
    from ktsolve.wings.census.run import CensusRun, stoppable
    from ktsolve.wings.census.work import engine_for

    _check_options(workers, dask, audit)
    problem = spec.make(spec.make_board(settings), settings=settings)
    census = make_census(problem, classes=classes, parts=parts)
    chosen = engine_for(engine, census)

    with ExitStack() as stack:
        if recount:
            for name in Ledger.clear_damaged(ledger, census):
                remark(f"{name}: cleared, to be counted again", quiet=out.quiet)

        @cache
        def pool() -> Pool:
            opened = _opened(workers, dask, settings)
            stack.callback(opened.close)
            return opened

        if dask is not None:
            pool()  # a wrong address is reported before a ledger is created
        kept = stack.enter_context(Ledger.open(ledger, census))
        error: KtsolveError | None = None
        if kept.left():
            with with_progress(settings, str(census), quiet=out.quiet) as watched, stoppable() as stopped:
                quiet = out.quiet or watched.progress is not None
                ended = CensusRun(
                    kept,
                    pool(),
                    chosen,
                    settings,
                    clock,
                    stopped,
                    on_result=lambda job, result: _announce(census, job, result, quiet=quiet),
                    on_progress=watched.progress or (lambda _fraction, _note: None),
                    on_wait=lambda why: remark(why, quiet=quiet),
                )()
            error = ended.error
        checked: list[Check] = []
        audited: list[Audited] = []
        if error is None:
            checked, audited, error = _examine(kept, settings, clock, pool, audit)
        found = snapshot(kept, checked)
        data = {key: value for key, value in as_json(found).items() if key != "jobs"}
        data |= {"elapsed_seconds": round(clock.elapsed, 6), "audited": [each.to_json() for each in audited]}
        if error is not None:
            data["reason"] = str(error)
        said = (line for each in (*summary(found), *map(str, audited)) for line in wrapped(each, out.width))
        out.emit(data, "\n".join(said))
    if any(check.holds is False for check in checked) or any(each.holds is False for each in audited):
        return 1
    if error is not None:
        raise error
    return 0


def _check_options(workers: int | None, dask: str | None, audit: int | None) -> None:
    if workers is not None and not 1 <= workers <= 1024:
        raise BadInput(f"the number of workers must be from 1 to 1024, not {workers}")
    if workers is not None and dask is not None:
        raise BadInput("--workers and --dask exclude each other: give one of them")
    if audit is not None and audit < 1:
        raise BadInput(f"--audit takes the number of jobs to count again, at least 1, not {audit}")


def _opened(workers: int | None, dask: str | None, settings: Settings) -> Pool:
    """The workers of a run, of this machine or of a cluster."""
    if dask is None:
        from ktsolve.wings.census.work import LocalPool

        return LocalPool(workers or 1, settings)
    from ktsolve.wings.census.cluster import DaskPool

    return DaskPool(dask, settings)


def _announce(census: Census, job: CensusJob, result: JobResult, *, quiet: bool) -> None:
    times = f" x {job.multiplicity}" if census.split == "endpoints" else ""
    remark(f"{job.name}: {result.count}{times} ({result.engine}, {result.seconds:.3f} s)", quiet=quiet)


def _examine(
    ledger: Ledger, settings: Settings, clock: Clock, pool: Callable[[], Pool], number: int | None
) -> tuple[list[Check], list[Audited], KtsolveError | None]:
    """Checks and audit of a finished ledger, and the reason why the audit is not complete."""
    from ktsolve.wings.census.checks import audit, checks
    from ktsolve.wings.census.run import stoppable, with_text

    ledger.check_rows()
    rows = ledger.rows()
    checked = checks(
        ledger.census, rows, settings if clock.left is None else replace(settings, timeout=clock.left or 1e-3)
    )
    audited: list[Audited] = []
    if number is not None:
        with stoppable() as stopped:
            audited = list(audit(ledger.census, rows, number, pool(), settings, clock, stopped))
    missing = [each for each in audited if each.error is not None]
    # A crash comes first: it is worse than a limit.
    for each in sorted(missing, key=lambda each: not isinstance(each.error, InternalError)):
        assert each.error is not None
        return checked, audited, with_text(each.error, f"not audited: {each.name}: {each.how}")
    return checked, audited, None


@opt.takes_output("json", "output", "quiet", writes=LEDGER)
def report(
    *,
    ledger: Annotated[
        str | None, opt.problem_option("--ledger", "Ledger of a census. Required.", "FILE")
    ] = None,
    picture: Annotated[
        str | None,
        opt.file_option("--picture", "Draw the heat map of all ends; markdown shows it.", "FILE.svg"),
    ] = None,
    out: opt.OutputOptions,
) -> int:
    """Show a ledger: its jobs, their state and the checks.

    It does not delay a run.

    Examples
    --------
    ktsolve census report --ledger 6x6.db                     # jobs and checks
    ktsolve census report --ledger 6x6.db --format csv        # with all columns
    ktsolve census report --ledger 6x6.db --picture ends.svg  # a heat map of the ends
    """
    from ktsolve.wings.census import report as reports
    from ktsolve.wings.census.ledger import Ledger

    drawn, output, shown = STILL.form(picture, option="--picture"), out.output, out.form.name
    if ledger is None:
        raise BadInput("give the ledger of a census: --ledger FILE")
    with Ledger.read(ledger) as opened:
        found: CensusReport = reports.report(opened)
    if picture is not None:
        _draw(reports.heat_map(found), replace(out, form=drawn, output=picture))
    if out.form.holds == "picture":
        _draw(reports.heat_map(found), out)
    elif shown == "json":
        emit_json(reports.as_json(found), output)
    elif shown == "markdown":
        emit(reports.as_markdown(found, picture and _from(picture, output)), output)
    elif shown == "csv":
        emit(reports.as_csv(found), output)
    else:
        emit(reports.as_text(found, width_of(output)), output)
    if found.damaged:
        names = ", ".join(found.damaged[:3]) + (", ..." if len(found.damaged) > 3 else "")
        raise BadInput(
            f"the ledger {ledger} is damaged: wrong checksums of {names}; --recount counts such rows again"
        )
    for line in found.failed:
        remark(f"ktsolve: {line}")
    return 1 if found.failed else 0


def _draw(counts: Counts, out: opt.OutputOptions) -> None:
    """Draw the heat map into a file."""
    # Pages have light and dark readers; only SVG serves both.
    emit_picture(counts, out, "auto" if out.form.name == "svg" else "light")


def _from(picture: str, page: str | None) -> str:
    """The address of the picture as seen from the page: a path with slashes, escaped as in a URL."""
    if page in (None, "-"):
        return quote(Path(picture).as_posix())
    return quote(Path(os.path.relpath(picture, Path(str(page)).parent)).as_posix())
