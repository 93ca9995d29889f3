"""``ktsolve verify``: the cross-check of every engine against the others and the published values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import out_of_time
from ktsolve.cli import options as opt
from ktsolve.cli.output import colour_depth, emit, emit_json, styled, with_progress, writing
from ktsolve.cli.output_format import TABLE

_MOST_MISSING = 10  # unanswered jobs that are named


@opt.takes_work("timeout", "threads", "memory")
@opt.takes_output(writes=TABLE)
def verify(
    *,
    level: Annotated[
        str, typer.Option("--level", metavar="quick|standard|full", help="Number of checks. Default: quick.")
    ] = "quick",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
    verbose: Annotated[
        bool, opt.output_option("--verbose", "Show sources and seconds; the traceback of an internal error.")
    ] = False,
    faulty: Annotated[str | None, typer.Option("--inject-fault", hidden=True)] = None,
) -> int:
    """Compare the answers of all engines, and with published values.

    Further checks are identities, graphs, sequences, instances and puzzles.

    Examples
    --------
    ktsolve verify                          # under a minute on two cores
    ktsolve verify --level full             # minutes, and 2 GB
    ktsolve verify --verbose -o report.txt  # with sources and seconds
    """
    from ktsolve.verify.report import as_csv, as_json, as_lines, verdict
    from ktsolve.verify.run import verify as cross_check

    with with_progress(work.settings, "verify", quiet=out.quiet) as shown:

        def progress(done: int, total: int, name: str) -> None:
            if shown.progress is not None:
                shown.progress(done / total, f"{done}/{total} {name}")

        report = cross_check(level, work.settings, faulty=faulty, on_progress=progress)
    if out.json:
        emit_json(as_json(report), out.output)
    elif out.csv:
        emit(as_csv(report), out.output)
    else:
        red, bold = ("31", "1") if colour_depth(out.output) else ("", "")
        with writing(out.output) as write:
            for line in as_lines(report, out.width, verbose=verbose):
                write(line)
            missing = report.limited[:_MOST_MISSING]
            if (more := len(report.limited) - _MOST_MISSING) > 0:
                missing.append(f"and {more} more")
            listed: dict[str, Sequence[object]] = {
                "CRASH": report.crashes,
                "DISAGREEMENT": report.disagreements,
                "NOT ANSWERED": missing,
            }
            for kind, lines in listed.items():
                for each in lines:
                    write(styled(f"{kind}  {each}", red))
            write(styled(verdict(report), bold))
    if report.crashes:
        raise report.crashes[0]
    if report.disagreements:
        return 1
    if report.stopped == "out of time":
        raise out_of_time(work.settings)
    if report.stopped:
        raise LimitReached(report.stopped)
    return 3 if report.limited else 0
