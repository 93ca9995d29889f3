"""The report of a cross-check, as a table and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ktsolve.engines.registry import ENGINES
from ktsolve.verify.run import CaseResult, Report

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["as_json", "as_tables", "verdict"]


def verdict(report: Report) -> str:
    """One line that says how it went."""
    wrong = len(report.disagreements)
    if not wrong and report.unanswered:
        return f"{len(report.unanswered)} answers missing, the others agree, {report.seconds:.1f} s"
    if wrong:
        return f"{wrong} disagreements in {report.comparisons} answers, {report.seconds:.1f} s"
    return f"all {report.comparisons} answers agree, {report.seconds:.1f} s"


def as_json(report: Report) -> dict[str, Any]:
    """The report in terms of JSON."""
    return {
        "level": report.level,
        "agree": not report.disagreements and not report.unanswered,
        "disagreements": report.disagreements,
        "unanswered": report.unanswered,
        "seconds": round(report.seconds, 3),
        "cases": [_case_as_json(case) for case in report.cases],
        "identities": [_line_as_json(line) for line in report.identities],
        "instances": [_line_as_json(line) for line in report.instances],
        "puzzles": [_line_as_json(line) for line in report.puzzles],
    }


def _line_as_json(line: Any) -> dict[str, Any]:
    return {
        "name": line.name,
        "agree": not line.fault and not line.limit,
        "detail": line.fault or line.limit or line.detail,
        "seconds": round(line.seconds, 3),
    }


def _case_as_json(case: CaseResult) -> dict[str, Any]:
    published = None
    if case.published is not None:
        published = {"count": str(case.published.count), "source": case.published.source}
    return {
        "problem": str(case.problem),
        "published": published,
        "agree": not case.disagreements() and not any(o.limit for o in case.says.values()),
        "engines": {
            name: {
                "count": None if outcome.error else str(outcome.value.count),
                "listed": None if outcome.error else outcome.value.tours is not None,
                "seconds": round(outcome.seconds, 3),
                **({"error": outcome.error} if outcome.error else {}),
            }
            for name, outcome in case.says.items()
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
            outcome = case.says.get(name)
            if outcome is None:
                cells.append("·")
            elif outcome.error:
                cells.append("limit" if outcome.limit else "error")
            else:
                cells.append(str(outcome.value.count))
        published = ("", "") if case.published is None else (str(case.published.count), case.published.source)
        seconds = max((outcome.seconds for outcome in case.says.values()), default=0.0)
        mark = Text("NO", style="bold red") if wrong else Text("ok", style="green")
        if not wrong and any(outcome.limit for outcome in case.says.values()):
            mark = Text("?", style="yellow")
        table.add_row(str(case.problem), *cells, *published, f"{seconds:.2f}", mark)
    lines = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    lines.add_column("identity, instance or puzzle", overflow="fold")
    lines.add_column("found", overflow="fold")
    lines.add_column("s", justify="right", no_wrap=True)
    lines.add_column("", no_wrap=True)
    for line in report.lines:
        mark = Text("NO", style="bold red") if line.fault else Text("ok", style="green")
        if line.limit:
            mark = Text("?", style="yellow")
        lines.add_row(line.name, line.fault or line.limit or line.detail, f"{line.seconds:.2f}", mark)
    return [table, lines]
