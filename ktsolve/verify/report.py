"""The report of a cross-check, as a table and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ktsolve.engines.registry import ENGINES
from ktsolve.verify.run import CaseResult, Report

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["as_json", "as_tables", "verdict"]


def verdict(report: Report) -> str:
    """The result in one line."""
    wrong = len(report.disagreements)
    if report.crashes:
        return (
            f"{len(report.crashes)} worker processes crashed, {wrong} disagreements, {report.seconds:.1f} s"
        )
    if not wrong and report.unanswered:
        return f"{len(report.unanswered)} answers missing, the others agree, {report.seconds:.1f} s"
    if wrong:
        return f"{wrong} disagreements in {report.comparisons} answers, {report.seconds:.1f} s"
    return f"all {report.comparisons} answers agree, {report.seconds:.1f} s"


def as_json(report: Report) -> dict[str, Any]:
    """The report as one JSON object."""
    return {
        "level": report.level,
        "agree": not report.disagreements and not report.unanswered and not report.crashes,
        "disagreements": report.disagreements,
        "unanswered": report.unanswered,
        "crashes": [str(crash) for crash in report.crashes],
        "seconds": round(report.seconds, 3),
        "cases": [_case_as_json(case) for case in report.cases],
        **{
            section: [
                {
                    "name": line.name,
                    "agree": not line.fault and line.outcome.error is None,
                    "detail": line.detail,
                    "seconds": round(line.outcome.seconds, 3),
                }
                for line in report.section(section)
            ]
            for section in ("identities", "graphs", "sequence", "instances", "puzzles")
        },
    }


def _case_as_json(case: CaseResult) -> dict[str, Any]:
    published = None
    if case.published is not None:
        published = {"count": str(case.published.count), "source": case.published.source}
    return {
        "problem": str(case.problem),
        "published": published,
        "agree": not case.disagreements() and not any(each.error for each in case.answers.values()),
        "engines": {
            name: {
                "count": None if outcome.error else str(outcome.value.count),
                "listed": None if outcome.error else outcome.value.tours is not None,
                "seconds": round(outcome.seconds, 3),
                **({"error": str(outcome.error)} if outcome.error else {}),
            }
            for name, outcome in case.answers.items()
        },
    }


def as_tables(report: Report) -> list[RenderableType]:
    """The report as tables for a terminal."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title_justify="left")
    table.add_column("problem", overflow="fold", min_width=18)
    for name in ENGINES:
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("published", justify="right", no_wrap=True)
    table.add_column("source", overflow="fold")
    table.add_column("s", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for case in report.cases:
        wrong = bool(case.disagreements())
        cells = []
        for name in ENGINES:
            outcome = case.answers.get(name)
            if outcome is None:
                cells.append("·")
            elif outcome.error:
                cells.append("limit" if outcome.limit else "crash" if outcome.crash else "error")
            else:
                cells.append(str(outcome.value.count))
        published = ("", "") if case.published is None else (str(case.published.count), case.published.source)
        seconds = max((outcome.seconds for outcome in case.answers.values()), default=0.0)
        mark = Text("NO", style="bold red") if wrong else Text("ok", style="green")
        if not wrong and any(outcome.error for outcome in case.answers.values()):
            mark = Text("?", style="yellow")
        table.add_row(str(case.problem), *cells, *published, f"{seconds:.2f}", mark)
    lines = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    lines.add_column("identity, graph, sequence, instance or puzzle", overflow="fold")
    lines.add_column("found", overflow="fold")
    lines.add_column("s", justify="right", no_wrap=True)
    lines.add_column("", no_wrap=True)
    for line in report.lines:
        mark = Text("NO", style="bold red") if line.fault else Text("ok", style="green")
        if not line.fault and line.outcome.error is not None:
            mark = Text("?", style="yellow")
        lines.add_row(line.name, line.detail, f"{line.outcome.seconds:.2f}", mark)
    return [table, lines]
