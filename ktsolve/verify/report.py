"""The report of a cross-check, as text, as JSON and as CSV."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from string import ascii_letters, digits
from typing import Any

from ktsolve.base.text import csv_text, number_of
from ktsolve.engines.registry import ENGINES
from ktsolve.render.text_table import Column, fitted, shortened, wrapped
from ktsolve.verify.jobs import Outcome
from ktsolve.verify.run import CaseResult, LineResult, Report

SECTIONS = ("identities", "graphs", "sequence", "instances", "models", "puzzles")
"""The sections of the report after the problems."""

_LONG = 24  # digits of the longest number that a terminal shows in full


def verdict(report: Report) -> str:
    """The result in one line."""
    wrong, seconds = len(report.disagreements), f"{report.seconds:.1f} s"
    if report.stopped and not report.crashes:
        answered = report.comparisons - len(report.unanswered)
        agree = f", {number_of(wrong, 'disagreement')}" if wrong else ", which agree" if answered else ""
        of_all = f"{answered} of {number_of(report.comparisons, 'answer')}"
        return f"{report.stopped}: {of_all}{agree}, {seconds}"
    if report.crashes:
        return f"{len(report.crashes)} worker processes crashed, {wrong} disagreements, {seconds}"
    if not wrong and report.unanswered:
        return f"{len(report.unanswered)} answers missing, the others agree, {seconds}"
    if wrong:
        return f"{wrong} disagreements in {report.comparisons} answers, {seconds}"
    return f"all {report.comparisons} answers agree, {seconds}"


def as_json(report: Report) -> dict[str, Any]:
    """The report as one JSON object."""
    return {
        "level": report.level,
        "vectors": report.vectors,
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
                    "agree": not line.disagreement and line.outcome.error is None,
                    "detail": line.detail,
                    "seconds": round(line.outcome.seconds, 3),
                }
                for line in report.section(section)
            ]
            for section in SECTIONS
        },
    }


def as_csv(report: Report) -> str:
    """The report as a table: a line for each problem and each other check."""
    rows: list[tuple[str, ...]] = []
    for case in report.cases:
        problem, answer, _, published, seconds, mark = _case_row(case, letters(), None, verbose=True)
        engines = " ".join(name for name, outcome in case.answers.items() if not outcome.error)
        rows.append(("problems", problem, answer, engines, published, seconds, mark))
    for section in SECTIONS:
        for name, found, seconds, mark in (_line_row(line, None, True) for line in report.section(section)):
            rows.append((section, name, found, "", "", seconds, mark))
    return csv_text(("section", "name", "found", "engines", "published", "seconds", "agrees"), rows)


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


def letters() -> dict[str, str]:
    """Each engine with its letter in the report: the first of its name that no engine before it has.

    >>> letters()["search"], letters()["sat"]
    ('s', 'a')
    """
    taken: dict[str, str] = {}
    for name in ENGINES:
        taken[next(sign for sign in name + ascii_letters + digits if sign not in taken)] = name
    return {name: sign for sign, name in taken.items()}


def as_lines(report: Report, width: int | None = None, *, verbose: bool = False) -> Iterator[str]:
    """The lines of the report: one for each problem and each other check; sections end in their totals.

    ``width`` is the most characters of a line; None writes everything in full. ``verbose`` shows also the
    sources of published values, and seconds.
    """
    signs = letters()
    seconds = [Column("seconds", "r", dropped=1)] if verbose else []
    cases = [case for case in report.cases if not _only_stopped(case.answers.values())]
    if cases:
        legend = ", ".join(f"{sign}={name}" for name, sign in signs.items())
        yield from wrapped(f"Engines: {legend}; .=not asked, X=differs, ?=no answer", width)
        if report.vectors:
            yield f"Vectors: {report.vectors}"
        yield ""
        yield from fitted(
            [
                Column("problem", text=True),
                Column("answer", "r"),
                Column("engines"),
                Column("published", text=verbose, dropped=2),
                *seconds,
                Column(""),
            ],
            [_case_row(case, signs, width, verbose) for case in cases],
            width,
        )
        outcomes = [each for case in cases for each in case.answers.values() if not each.stopped]
        yield _total("problem", len(cases), len(report.cases), outcomes)
        yield ""
    for name in SECTIONS:
        section = report.section(name)
        if lines := [line for line in section if not line.outcome.stopped]:
            columns = [Column(name, text=True), Column("found", text=True), *seconds, Column("")]
            yield from fitted(columns, [_line_row(line, width, verbose) for line in lines], width)
            yield _total("check", len(lines), len(section), [line.outcome for line in lines])
            yield ""


def _case_row(case: CaseResult, signs: dict[str, str], width: int | None, verbose: bool) -> list[str]:
    wrong = case.wrong
    agreed = ""
    for name, sign in signs.items():
        if (outcome := case.answers.get(name)) is None:
            agreed += "."
        elif name in wrong:
            agreed += "X"
        else:
            agreed += "?" if outcome.error else sign
    published = "" if case.published is None else case.published.source if verbose else "yes"
    answer = "" if case.believed is None else _word(str(case.believed), width)
    outcomes = list(case.answers.values())
    return [
        *(str(case.problem), answer, agreed, published),
        *_seconds(outcomes, verbose),
        _mark(bool(wrong), outcomes),
    ]


def _line_row(line: LineResult, width: int | None, verbose: bool) -> list[str]:
    found = " ".join(_word(word, width) for word in line.detail.split(" "))
    outcomes = [line.outcome]
    return [line.name, found, *_seconds(outcomes, verbose), _mark(bool(line.disagreement), outcomes)]


def _word(text: str, width: int | None) -> str:
    """A number of many digits by its beginning, its end and its length, in a terminal."""
    return text if width is None else shortened(text, _LONG)


def _seconds(outcomes: Sequence[Outcome], verbose: bool) -> list[str]:
    return [f"{max((outcome.seconds for outcome in outcomes), default=0.0):.2f}"] if verbose else []


def _mark(wrong: bool, outcomes: Sequence[Outcome]) -> str:
    return "NO" if wrong else "?" if any(outcome.error for outcome in outcomes) else "ok"


def _only_stopped(outcomes: Collection[Outcome]) -> bool:
    return bool(outcomes) and all(each.stopped for each in outcomes)


def _total(noun: str, shown: int, number: int, outcomes: Sequence[Outcome]) -> str:
    work = sum(outcome.seconds for outcome in outcomes)
    answers = f", {number_of(len(outcomes), 'answer')}" if len(outcomes) > shown else ""
    of_all = f"{shown} of " if shown < number else ""
    return f"{of_all}{number_of(number, noun)}{answers}, {work:.1f} s of work"
