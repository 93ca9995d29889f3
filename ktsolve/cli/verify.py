"""``ktsolve verify``: the cross-check of every engine against the others and the published values."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ktsolve.cli import options as opt
from ktsolve.cli.output import emit_json, writing

_MOST_MISSING = 10


@opt.takes_work("timeout", "threads", "memory")
@opt.takes_output()
def verify(
    *,
    level: Annotated[
        str, typer.Option("--level", metavar="quick|standard|full", help="Number of checks. Default: quick.")
    ] = "quick",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
    faulty: Annotated[str | None, typer.Option("--inject-fault", hidden=True)] = None,
) -> int:
    """Compare the answers of all engines: tours, published values, identities."""
    from rich.console import Console

    from ktsolve.verify.report import as_json, as_tables, verdict
    from ktsolve.verify.run import verify as cross_check

    settings = work.settings
    terminal = sys.stderr.isatty() and not out.quiet

    def progress(done: int, total: int, name: str) -> None:
        print(f"\r\x1b[K{done}/{total}  {name[:60]}", end="", file=sys.stderr, flush=True)

    try:
        report = cross_check(level, settings, faulty=faulty, on_progress=progress if terminal else None)
    finally:
        if terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    if out.json:
        emit_json(as_json(report), out.output)
    else:
        missing = [f"NOT ANSWERED  {line}" for line in report.unanswered]
        if len(missing) > _MOST_MISSING:
            missing[_MOST_MISSING:] = [f"NOT ANSWERED  and {len(missing) - _MOST_MISSING} more"]
        wrong = [f"CRASH  {crash}" for crash in report.crashes]
        wrong += [f"DISAGREEMENT  {line}" for line in report.disagreements]
        to_terminal = out.output is None and sys.stdout.isatty()
        console = Console(force_terminal=to_terminal, width=None if to_terminal else 180, highlight=False)
        with writing(out.output) as write:
            with console.capture() as captured:
                for table in as_tables(report):
                    console.print(table)
                for style, lines in (("red", wrong), ("yellow", missing), ("bold", [verdict(report)])):
                    for line in lines:
                        console.print(line, style=style, markup=False, soft_wrap=True)
            write(captured.get())
    if report.crashes:
        raise report.crashes[0]
    if report.disagreements:
        return 1
    return 3 if report.unanswered else 0
