"""Reports of a ledger: text, CSV, JSON, Markdown. Reading does not delay a run."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.text import csv_text, plural
from ktsolve.base.units import shown_seconds
from ktsolve.render.boards.heat import counted_heat
from ktsolve.render.subjects import Counts
from ktsolve.render.text_table import Column, fitted, wrapped
from ktsolve.verify.published import linked
from ktsolve.wings.census.checks import Check, checks, partial_total
from ktsolve.wings.census.jobs import Census, LedgerRow
from ktsolve.wings.census.ledger import Ledger

__all__ = [
    "CensusReport",
    "as_csv",
    "as_json",
    "as_markdown",
    "as_text",
    "heat_map",
    "report",
    "snapshot",
    "summary",
]


@dataclass(frozen=True)
class CensusReport:
    """A ledger at one moment."""

    census: Census  # the census of the ledger
    rows: tuple[LedgerRow, ...]  # a row per job
    runs: int  # number of active runs
    workers: int  # number of their workers
    checks: tuple[Check, ...]  # results of the checks; empty until all jobs are counted
    taken: float  # time of the report in seconds since 1970

    def number(self, state: str) -> int:
        """Number of rows in a state: ``waiting``, ``claimed``, ``counted`` or ``damaged``."""
        return sum(row.state == state for row in self.rows)

    @property
    def complete(self) -> bool:
        """Is every job counted?"""
        return self.number("counted") == len(self.rows)

    @property
    def total(self) -> int:
        """Undirected tours of the counted jobs."""
        return partial_total(self.rows)

    @property
    def seconds(self) -> float:
        """Computing time of the counted jobs."""
        return sum(row.result.seconds for row in self.rows if row.result is not None)

    @property
    def left_seconds(self) -> float | None:
        """Estimated time to the end with the present workers; None without data."""
        counted = self.number("counted")
        if self.complete:
            return 0.0
        if not counted or not self.workers:
            return None
        busy = min(self.workers, len(self.rows) - counted)
        each = self.seconds / counted
        now = [self.taken - row.claimed for row in self.rows if row.state == "claimed" and row.claimed]
        # A worker is at work on one of the jobs of its batch.
        begun = sum(sorted(min(spent, each) for spent in now)[-busy:])
        return max(0.0, each * (len(self.rows) - counted) - begun) / busy

    @property
    def damaged(self) -> list[str]:
        """Names of the rows with a wrong checksum."""
        return [row.name for row in self.rows if not row.sound]

    @property
    def failed(self) -> list[str]:
        """The checks that fail, a line each."""
        return [f"{check.name}: {check.detail}" for check in self.checks if check.holds is False]


def report(ledger: Ledger) -> CensusReport:
    """The report of a ledger; runs may write to it meanwhile.

    Raises BadInput if rows are missing or surplus.
    """
    found = snapshot(ledger)
    ledger.check_rows(found.rows, sealed=False)
    return replace(found, checks=tuple(checks(ledger.census, found.rows))) if found.complete else found


def snapshot(ledger: Ledger, checked: Sequence[Check] = ()) -> CensusReport:
    """The state of a ledger now, with these results of checks."""
    with ledger.at_one_moment():
        rows, working = tuple(ledger.rows()), ledger.working()
    return CensusReport(ledger.census, rows, len(working), sum(working.values()), tuple(checked), time.time())


def summary(found: CensusReport) -> list[str]:
    """The state of a census in a few lines."""
    done, total = found.number("counted"), len(found.rows)
    census = found.census
    way = f"undirected {plural(found.total, 'tour')}"
    jobs = f"{done} of {total} {plural(total, 'job')} counted"
    if found.complete:
        lines = [f"{census}: {found.total} {way}", f"{jobs}, {shown_seconds(found.seconds)} of work"]
    else:
        parts = [jobs]
        if claimed := found.number("claimed"):
            runs = f"{found.runs} {plural(found.runs, 'run')}"
            parts.append(f"{claimed} claimed by {runs if found.runs else 'a run that has ended'}")
        if found.damaged:
            parts.append(f"{len(found.damaged)} damaged")
        if not found.workers:
            parts.append("no active run")
        elif found.left_seconds is not None:
            parts.append(f"about {shown_seconds(found.left_seconds)} left")
        lines = [f"{census}: {found.total} {way} so far", ", ".join(parts)]
    verdicts = {True: "holds", False: "FAILS", None: "not checked"}
    lines += [f"{check.name}: {check.detail}, {verdicts[check.holds]}" for check in found.checks]
    return lines


_COLUMNS = (
    Column("job", text=True),
    Column("multiplicity", "r", dropped=2),
    Column("tours each", "r"),
    Column("engine", dropped=3),
    Column("seconds", "r", dropped=1),
    Column("memory", "r", dropped=4),
    Column("plan", text=True),
)


def _cells(row: LedgerRow) -> tuple[str, ...]:
    if row.result is None or not row.sound:
        return (row.name, str(row.multiplicity), row.state, "", "", "", "")
    result = row.result
    memory = "" if result.peak_bytes is None else f"{result.peak_bytes / 1e6:.1f} MB"
    seconds = f"{result.seconds:.3f}"
    engine = f"{result.engine} {result.version}"
    return (row.name, str(row.multiplicity), str(result.count), engine, seconds, memory, result.plan)


def as_text(found: CensusReport, width: int | None = None) -> str:
    """The table without plans, and the summary, in lines of limited length."""
    lines = fitted(_COLUMNS[:-1], [_cells(row)[:-1] for row in found.rows], width)
    said = (line for each in summary(found) for line in wrapped(each, width))
    return "\n".join([*lines, "", *said])


def as_markdown(found: CensusReport, picture: str | None = None) -> str:
    """A page: a heading, the heat map, the summary, and the table of jobs, which readers open.

    Numbers have separators, and numbers of OEIS are links. Plans are left out: :func:`as_csv` has them.

    - ``picture``: address of the heat map (:func:`heat_map`), as seen from the page
    """
    lines = [f"# Census of {found.census}", ""]
    if picture is not None:
        lines += [f"![{_title(found)}: the number for each cell in colours]({picture})", ""]
    lines += [f"- {_on_page(line)}" for line in summary(found)]
    done = [row.result for row in found.rows if row.result is not None and row.sound]
    head = [column.head for column in _COLUMNS]
    kept = [i for i, name in enumerate(head) if name != "plan"]
    if len(engines := {f"{result.engine} {result.version}" for result in done}) == 1:
        lines.append(f"- counted by engine {engines.pop()}")
        kept.remove(head.index("engine"))
    cells = [head, ["---" if column.side == "l" else "---:" for column in _COLUMNS]]
    cells += [
        [_on_page(" ".join(cell.split())).replace("|", "\\|") for cell in _cells(row)] for row in found.rows
    ]
    table = ["| " + " | ".join(row[i] for i in kept) + " |" for row in cells]
    # Hundreds of rows hide the rest of a page. Markdown inside HTML begins after an empty line.
    jobs = f"{len(found.rows):,} {plural(len(found.rows), 'job')}"
    lines += ["", '<details markdown="1">', f"<summary>{jobs}</summary>", "", *table, "", "</details>"]
    return "\n".join(lines)


_NUMBER = re.compile(r"(?<![\w.])\d{4,}(?!\w)|\([^()]*\)")
"""A number, or a text in brackets: a source, with its year."""


def _on_page(text: str) -> str:
    """The text with separated thousands outside brackets, and links to OEIS.

    >>> _on_page("published: 9862 = 9862 (OEIS A175881; B. D. McKay 1997), holds")
    'published: 9,862 = 9,862 (OEIS [A175881](https://oeis.org/A175881); B. D. McKay 1997), holds'
    """

    def separated(part: re.Match[str]) -> str:
        return f"{int(part[0]):,}" if part[0].isdecimal() else part[0]

    return linked(_NUMBER.sub(separated, text))


def heat_map(found: CensusReport) -> Counts:
    """The tours by their ends, as a picture shows them.

    Raises BadInput if the census is not done, or is not split by ends.
    """
    census = found.census
    if census.split != "endpoints" or not census.whole:
        raise BadInput(f"a heat map needs the tours of all pairs of ends, and this is a census of {census}")
    if not found.complete:
        counted, total = found.number("counted"), len(found.rows)
        raise BadInput(f"the census is not done: {counted} of {total} jobs are counted")
    counts = (row.result.count for row in found.rows if row.result is not None)
    listed = zip(census.jobs, counts, strict=True)
    classes = [(job.ends, count) for job, count in listed if job.ends is not None]
    problem = census.problem
    return Counts(problem.board, counted_heat(problem.board, classes, problem.automorphisms), _title(found))


def _title(found: CensusReport) -> str:
    return f"Open tours of {found.census.problem.board} by their ends"


_FIELDS = ("count", "engine", "version", "plan", "seconds", "peak_bytes")


def as_csv(found: CensusReport) -> str:
    """A line per job with all its columns."""
    rows = []
    for row in found.rows:
        values = _values(row)
        fields = ["" if values[name] is None else values[name] for name in (*_FIELDS, "finished")]
        rows.append([row.number, row.name, row.multiplicity, row.state, *fields])
    return csv_text(["number", "job", "multiplicity", "state", *_FIELDS, "finished"], rows)


def _values(row: LedgerRow) -> dict[str, Any]:
    values: tuple[Any, ...] = (None,) * len(_FIELDS)
    if row.result is not None and row.sound:
        values = row.result.fields()
    return {**dict(zip(_FIELDS, values, strict=True)), "finished": row.finished if row.sound else None}


def as_json(found: CensusReport) -> dict[str, Any]:
    """One JSON object: the problem, the state, and the list of jobs."""
    problem = found.census.problem
    jobs = []
    for row, job in zip(found.rows, found.census.jobs, strict=True):
        ends = {} if job.ends is None else {"cells": [list(cell) for cell in job.ends]}
        state = {"multiplicity": row.multiplicity, "state": row.state}
        jobs.append({"job": row.name, **ends, **state, **_values(row)})
    return {
        "board": str(problem.board),
        "kind": "closed" if problem.closed else "open",
        "problem": problem.to_json(),
        "count": str(found.total) if found.complete else None,
        "complete": found.complete,
        "so_far": str(found.total),
        **{state: found.number(state) for state in ("counted", "claimed", "damaged")},
        "total": len(found.rows),
        "runs": found.runs,
        "left_seconds": None if found.left_seconds is None else round(found.left_seconds, 3),
        "seconds": round(found.seconds, 6),
        "checks": [asdict(check) for check in found.checks],
        "jobs": jobs,
    }
