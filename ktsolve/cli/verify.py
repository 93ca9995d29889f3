"""``ktsolve verify``: the cross-check of every engine against the others and the published values."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ktsolve.cli import options as opt
from ktsolve.cli.output import emit_json, writing

_MOST_MISSING = 10


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="verify")(verify)


def verify(
    level: Annotated[
        str, typer.Option("--level", metavar="quick|standard|full", help="Number of checks. Default: quick.")
    ] = "quick",
    timeout: opt.TimeoutOption = None,
    threads: opt.ThreadsOption = None,
    memory: opt.MemoryOption = None,
    json: opt.JsonOption = False,
    output: opt.OutputOption = None,
    quiet: opt.QuietOption = False,
    faulty: Annotated[str | None, typer.Option("--inject-fault", hidden=True)] = None,
) -> int:
    """Compare the answers of all engines: tours, published values, identities."""
    from rich.console import Console

    from ktsolve.verify.report import as_json, as_tables, verdict
    from ktsolve.verify.run import verify as cross_check

    settings = opt.make_settings(timeout, memory, threads, None, None)
    terminal = sys.stderr.isatty() and not quiet

    def progress(done: int, total: int, name: str) -> None:
        print(f"\r\x1b[K{done}/{total}  {name[:60]}", end="", file=sys.stderr, flush=True)

    try:
        report = cross_check(level, settings, faulty=faulty, on_progress=progress if terminal else None)
    finally:
        if terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    if json:
        emit_json(as_json(report), output)
    else:
        with writing(output) as write:
            to_terminal = output is None and sys.stdout.isatty()
            console = Console(force_terminal=to_terminal, width=None if to_terminal else 150, highlight=False)
            with console.capture() as captured:
                for table in as_tables(report):
                    console.print(table)
                for crash in report.crashes:
                    console.print(f"CRASH  {crash}", style="red", markup=False, soft_wrap=True)
                for line in report.disagreements:
                    console.print(f"DISAGREEMENT  {line}", style="red", markup=False, soft_wrap=True)
                missing = report.unanswered
                for line in missing[:_MOST_MISSING]:
                    console.print(f"NOT ANSWERED  {line}", style="yellow", markup=False, soft_wrap=True)
                if len(missing) > _MOST_MISSING:
                    console.print(f"NOT ANSWERED  and {len(missing) - _MOST_MISSING} more", style="yellow")
                console.print(verdict(report), style="bold", markup=False)
            write(captured.get())
    if report.crashes:
        raise report.crashes[0]
    if report.disagreements:
        return 1
    return 3 if report.unanswered else 0
