"""``ktsolve verify``: the cross-check of every engine against the others and the published values."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from ktsolve.cli import options as opt
from ktsolve.cli.output import emit_json, with_progress, writing

if TYPE_CHECKING:
    from ktsolve.verify.run import Report

_MOST_MISSING = 10
"""Unanswered jobs that are named."""


@opt.takes_work("timeout", "threads", "memory")
@opt.takes_output()
def verify(
    *,
    level: Annotated[
        str, typer.Option("--level", metavar="quick|standard|full", help="Number of checks. Default: quick.")
    ] = "quick",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
    verbose: bool = False,
    faulty: Annotated[str | None, typer.Option("--inject-fault", hidden=True)] = None,
) -> int:
    """Compare the answers of all engines: tours, published values, identities."""
    from ktsolve.verify.report import as_json, as_lines, verdict
    from ktsolve.verify.run import verify as cross_check

    with with_progress(work.settings, "verify", quiet=out.quiet) as shown:

        def progress(done: int, total: int, name: str) -> None:
            if shown.progress is not None:
                shown.progress(done / total, f"{done}/{total} {name}")

        report = cross_check(level, work.settings, faulty=faulty, on_progress=progress)
    if out.json:
        emit_json(as_json(report), out.output)
    else:
        to_terminal = out.output is None and sys.stdout.isatty()
        width = shutil.get_terminal_size().columns if to_terminal else None
        colours = to_terminal and "NO_COLOR" not in os.environ
        with writing(out.output) as write:
            for line in as_lines(report, width, verbose=verbose):
                write(line)
            for line in _fallen(report):
                write(typer.style(line, fg="red") if colours else line)
            write(typer.style(verdict(report), bold=True) if colours else verdict(report))
    if report.crashes:
        raise report.crashes[0]
    if report.disagreements:
        return 1
    return 3 if report.unanswered else 0


def _fallen(report: Report) -> Iterator[str]:
    """What crashed, disagreed or got no answer, a line each."""
    yield from (f"CRASH  {crash}" for crash in report.crashes)
    yield from (f"DISAGREEMENT  {line}" for line in report.disagreements)
    missing = report.unanswered
    yield from (f"NOT ANSWERED  {line}" for line in missing[:_MOST_MISSING])
    if len(missing) > _MOST_MISSING:
        yield f"NOT ANSWERED  and {len(missing) - _MOST_MISSING} more"
