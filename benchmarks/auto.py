"""Measure the choice of ``--engine auto``: every question by ``auto`` and by each engine that takes it.

``auto_cases.py`` lists the questions, commands as a user types them. Each run is a process of its own with a
limit (``measure.py``). ``auto`` runs first. By default another engine is stopped when it has taken as long:
then it cannot be the best; ``--full`` lets all run up to the limit. Times are those that the command states
in its JSON: the choice included, the start of the process not. Answers are compared with each other: a
difference is an error. Exit status: 0, 1 if answers differ, 2 for bad options, 3 when interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from auto_cases import LINES, TASKS
from cases import Command
from measure import Limits, ask, run_command
from options import facts_text, parser_of, write_between
from report import grid, seconds

__all__ = ["main"]

WORKER = Path(__file__).with_name("auto_worker.py")

MARKS = "<!-- begin: output of benchmarks/auto.py -->", "<!-- end: output of benchmarks/auto.py -->"

_TIMES, _FLOOR, _EXCESS = 3.0, 0.3, 20.0
"""``auto`` should take at most so many times the best, or so many seconds more, and never this much more."""

_LEAST = 0.5
"""Seconds that every engine gets."""


@dataclass(frozen=True)
class Run:
    """What one engine did.

    Attributes
    ----------
    status:
        ``ok``, ``stopped``, ``time limit``, ``memory limit`` or ``failed``.
    seconds:
        The time that the command states; of a run without an answer, the time until it was stopped.
    answer:
        A text by which answers are compared.
    engine:
        The engine that answered.
    start:
        Seconds of the process besides.
    reason:
        The message of a failure.
    """

    status: str
    seconds: float
    answer: str = ""
    engine: str = ""
    start: float = 0.0
    reason: str = ""


@dataclass
class Row:
    """A question with the runs of ``auto`` and of the engines that take it."""

    line: str
    task: str
    auto: Run
    others: dict[str, Run] = field(default_factory=dict)

    @property
    def best(self) -> tuple[str, float] | None:
        """The engine with the least time, ``auto`` among them; None if there is no answer."""
        times = [(run.seconds, name) for name, run in self.others.items() if run.status == "ok"]
        times += [(self.auto.seconds, "auto")] if self.auto.status == "ok" else []
        return None if not times else min(times)[::-1]

    @property
    def excess(self) -> float:
        """Seconds that ``auto`` took more than the best; until it was stopped, if it has no answer."""
        return 0.0 if self.best is None else self.auto.seconds - self.best[1]

    @property
    def near(self) -> bool:
        """Whether ``auto`` answered in about the time of the best."""
        if self.best is None or self.auto.status != "ok":
            return False
        return self.auto.seconds <= max(_TIMES * self.best[1], self.best[1] + _FLOOR)

    @property
    def answers(self) -> dict[str, list[str]]:
        """The different answers, each with the engines that gave it."""
        found: dict[str, list[str]] = {}
        for name, run in {"auto": self.auto, **self.others}.items():
            if run.status == "ok":
                found.setdefault(run.answer, []).append(name)
        return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark. Return the exit status."""
    options = _options(arguments)
    chosen = [line for line in LINES if not options.only or any(each in line for each in options.only)]
    if not chosen:
        print(f"auto.py: no question with {' or '.join(options.only)}: see --list", file=sys.stderr)
        return 2
    asked: list[tuple[str, list[str]]] = ask({"action": "engines", "lines": chosen}, WORKER)
    if options.list:
        for line, (task, engines) in zip(chosen, asked, strict=True):
            print(f"{task}: {line}: {' '.join(engines)}")
        return 0
    limits = Limits(options.limit, round(options.memory * 2**30))
    packages = ["ktsolve", "ortools", "python-sat", "numpy"]
    machine = ask({"action": "facts", "packages": packages}, WORKER)
    load, started = os.getloadavg()[0], time.perf_counter()
    rows: list[Row] = []
    interrupted = False
    with tempfile.TemporaryDirectory() as folder:
        try:
            for line, (task, engines) in zip(chosen, asked, strict=True):
                rows.append(_measured(line, task, engines, options, limits, Path(folder) / "answer"))
                _say(rows[-1])
        except KeyboardInterrupt:
            interrupted = True
    changed = ask({"action": "facts", "packages": packages}, WORKER)["fingerprint"] != machine["fingerprint"]
    facts: dict[str, str] = machine["facts"]
    facts["limits"] = f"{limits.seconds:g} s and {options.memory:g} GiB for each run"
    facts["others"] = (
        "up to the limit" if options.full else f"stopped after the time of auto, {_LEAST:g} s at least"
    )
    facts["runs"] = f"{options.runs} of each; the shortest counts"
    minutes = (time.perf_counter() - started) / 60
    facts["load"] = f"{load:.1f} before, {os.getloadavg()[0]:.1f} after; {minutes:.1f} minutes in all"
    text = facts_text(facts, changed=changed, interrupted=interrupted)
    text += f"\n\n{_table(rows)}\n\n{_summary(rows)}"
    print(text)
    if options.markdown is not None:
        write_between(options.markdown, MARKS, text)
    if interrupted:
        return 3
    return int(any(len(row.answers) > 1 for row in rows))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = parser_of(
        "auto.py",
        "Measure the choice of --engine auto.",
        only="parts of commands, such as 'count 6x6' or '--magic'",
        runs=1,
        limit=60.0,
    )
    parser.add_argument("--full", action="store_true", help="let every engine run up to the limit")
    parser.add_argument("--engines", metavar="NAME", nargs="+", default=[], help="these only, besides auto")
    return parser.parse_args(arguments)


# -- measuring ------------------------------------------------------------------------------------------


def _measured(
    line: str, task: str, engines: Sequence[str], options: argparse.Namespace, limits: Limits, answer: Path
) -> Row:
    def best_of(engine: str, most: float) -> Run:
        runs = [_run(line, engine, limits, most, answer)]
        while len(runs) < options.runs and runs[-1].status == "ok":
            runs.append(_run(line, engine, limits, most, answer))
        return min(runs, key=lambda run: (run.status != "ok", run.seconds))

    row = Row(line, task, best_of("auto", limits.seconds))
    most = limits.seconds
    if row.auto.status == "ok" and not options.full:
        most = min(most, max(row.auto.seconds, _LEAST) + row.auto.start)
    for engine in engines:
        if not options.engines or engine in options.engines:
            row.others[engine] = best_of(engine, most)
    return row


def _run(line: str, engine: str, limits: Limits, most: float, answer: Path) -> Run:
    """Run a command with an engine for at most so many seconds."""
    memory = f"{limits.memory >> 20}M"
    command = Command(("ktsolve", *line.split(), "--engine", engine, "--json", "--memory", memory)).line()
    sample = run_command(command, Limits(most, limits.memory), answer)
    try:
        said: dict[str, Any] = json.loads(answer.read_text("utf-8"))
    except ValueError:
        if sample.status == "time limit":
            return Run("time limit" if most >= limits.seconds else "stopped", sample.wall)
        beyond = "exit status 3" in sample.reason or sample.status == "memory limit"
        return Run("memory limit" if beyond else "failed", sample.wall, reason=sample.reason)
    if said.get("status") == "unknown" or said.get("count", 0) is None:
        return Run("memory limit", sample.wall, reason=str(said.get("reason", "")))
    if said.get("complete") is False or ("objective" in said and said["status"] == "found"):
        return Run("failed", sample.wall, reason="a part of the answer")
    return Run("ok", said["seconds"], _answer(said), said["engine"], max(0.0, sample.wall - said["seconds"]))


def _answer(said: dict[str, Any]) -> str:
    """Return the part of the JSON of an answer that does not depend on the engine."""
    if "by_uses" in said:
        return json.dumps([said["count"], [each["counts"] for each in said["by_uses"]]])
    if "count" in said:
        return str(said["count"])
    if "objective" in said:
        return str(said.get("value"))
    if "tours" in said:
        return f"{len(said['tours'])} tours"
    return str(said["status"])


def _say(row: Row) -> None:
    """Print a line about a row to standard error."""
    best = "no answer" if row.best is None else f"{row.best[0]} {seconds(row.best[1])}"
    mark = "" if row.near else "  <--"
    print(f"{row.line[:70]}: auto {_shown(row.auto)}, best {best}{mark}", file=sys.stderr, flush=True)
    if len(row.answers) > 1:
        print(f"ANSWERS DIFFER: {row.answers}", file=sys.stderr, flush=True)


# -- the table ------------------------------------------------------------------------------------------


def _shown(run: Run) -> str:
    if run.status == "ok":
        return f"{seconds(run.seconds)} ({run.engine})"
    return f"> {seconds(run.seconds)}" if run.status in ("time limit", "stopped") else f"**{run.status}**"


def _table(rows: Sequence[Row]) -> str:
    lines = []
    for task in TASKS:
        for row in (each for each in rows if each.task == task):
            best = row.best
            ratio = (
                ""
                if best is None or row.auto.status != "ok"
                else f"{row.auto.seconds / max(best[1], 1e-3):.1f}"
            )
            line = row.line if len(row.line) <= 70 else f"{row.line[:67]}..."
            others = ", ".join(
                f"{name} {seconds(run.seconds) if run.status == 'ok' else _shown(run)}"
                for name, run in sorted(row.others.items(), key=lambda pair: pair[1].seconds)
            )
            shown = "" if best is None else f"{best[0]} {seconds(best[1])}"
            lines.append([f"`{line}`", _shown(row.auto), shown, ratio, others])
    return grid(["question", "auto", "best", "ratio", "engines"], lines, 3)


def _summary(rows: Sequence[Row]) -> str:
    answered = [row for row in rows if row.best is not None]
    near = sum(row.near for row in answered)
    text = (
        f"`auto` is within {_TIMES:g} times the best (or {_FLOOR:g} s) on {near} of {len(answered)} "
        "questions that an engine answers within the limit"
    )
    worst = max(answered, key=lambda row: row.excess, default=None)
    if worst is not None:
        text += f"; its largest excess is {worst.excess:.1f} s (`{worst.line[:70]}`)"
    lines = [f"{text}.", *_remarks(rows)]
    return "\n".join(lines)


def _remarks(rows: Sequence[Row]) -> Iterator[str]:
    far = [row for row in rows if row.best is not None and not row.near]
    if far:
        yield "\nFurther off:\n"
        for row in sorted(far, key=lambda row: -row.excess):
            assert row.best is not None
            name, least = row.best
            yield f"- `{row.line[:100]}`: auto {_shown(row.auto)}, {name} {seconds(least)}"
    none = [row for row in rows if row.best is None]
    if none:
        yield "\nNo engine answered: " + ", ".join(f"`{row.line[:70]}`" for row in none) + "."
    failed = [
        f"- `{row.line[:70]}`, {name}: {run.reason}"
        for row in rows
        for name, run in {"auto": row.auto, **row.others}.items()
        if run.status == "failed"
    ]
    if failed:
        yield "\nFailures:\n"
        yield from failed
    for row in rows:
        if len(row.answers) > 1:
            yield f"\n**Answers differ**: `{row.line}`: {row.answers}"


if __name__ == "__main__":
    sys.exit(main())
