"""Measure Hamiltonian cycles of graphs and of lists: find one, count all, refute; ktsolve and rivals.

``graph_families.py`` lists the cases, ``graph_contenders.py`` the contenders, which take turns. Each answer
comes from a process of its own with limits of time and memory (``measure.py``), and another process checks it
before its time is shown. Failures stay in the tables. Exit status: 0, 1 if an answer was wrong, 2 for bad
options, 3 when interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from graph_contenders import GRAPH_CONTENDERS, OURS
from graph_families import CASES, SMALL, Case, GraphQuestion
from measure import Limits, Measured, Sample, ask, run_contender
from options import facts_text, parser_of, write_between
from report import grid, seconds

__all__ = ["main"]

WORKER = Path(__file__).with_name("graph_worker.py")

MARKS = "<!-- begin: output of benchmarks/graphs.py -->", "<!-- end: output of benchmarks/graphs.py -->"

TITLES = {"find": "Finding a cycle", "count": "Counting all cycles", "refute": "Refuting"}
TITLES |= {
    "decide": "Lists: which graphs have a cycle",
    "count-each": "Lists: counting the cycles of each graph",
}

_AMONG, _NOISE = 2.0, 0.05
"""The factor within which ``auto`` should be of the best single engine, and seconds that do not matter."""

Results = Mapping[tuple[str, str], Measured]
"""Measurements, by names of case and contender."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark. Return the exit status."""
    options = _options(arguments)
    chosen = [case for case in (SMALL if options.small else CASES) if _selected(case.name, options.only)]
    names = [name for name in GRAPH_CONTENDERS if not options.contenders or name in options.contenders]
    unknown = set(options.contenders) - set(GRAPH_CONTENDERS)
    if unknown or not chosen:
        what = (
            f"no contender {', '.join(sorted(unknown))}" if unknown else f"no case {' '.join(options.only)}"
        )
        print(f"graphs.py: {what}: see --list", file=sys.stderr)
        return 2
    if options.list:
        print("\n".join(case.name for case in chosen))
        print()
        for name in names:
            contender = GRAPH_CONTENDERS[name](0)
            print(f"{name}: {contender.available() or f'{contender.package} {contender.version()}'}")
        return 0
    limits = Limits(options.limit, round(options.memory * 2**30))
    packages = list(dict.fromkeys([*(GRAPH_CONTENDERS[name].package for name in names), "python-sat"]))
    machine = ask({"action": "facts", "packages": packages}, WORKER)
    sizes = ask({"action": "describe", "graphs": [case.graph for case in chosen]}, WORKER)
    load, started = os.getloadavg()[0], time.perf_counter()
    results: dict[tuple[str, str], Measured] = {}
    interrupted = False
    with tempfile.TemporaryDirectory() as folder:
        try:
            for case in chosen:
                _measure(case, names, options.runs, limits, Path(folder), results)
        except KeyboardInterrupt:
            interrupted = True
    changed = ask({"action": "facts", "packages": packages}, WORKER)["fingerprint"] != machine["fingerprint"]
    facts: dict[str, str] = machine["facts"]
    facts["limits"] = f"{limits.seconds:g} s and {options.memory:g} GiB of address space for each run"
    facts["runs"] = f"{options.runs} of each contender, in turns"
    minutes = (time.perf_counter() - started) / 60
    facts["load"] = f"{load:.1f} before, {os.getloadavg()[0]:.1f} after; {minutes:.1f} minutes in all"
    text = facts_text(facts, changed=changed, interrupted=interrupted)
    for task, title in TITLES.items():
        rows = [
            (case, size)
            for case, size in zip(chosen, sizes, strict=True)
            if case.task == task and any((case.name, name) in results for name in names)
        ]
        if rows:
            text += f"\n\n### {title}\n\n{_table(rows, names, results)}"
    text += (
        "\n\nTimes are medians in seconds of the work alone: from the edges to the answer, without imports.\n"
    )
    text += _among_the_best(chosen, results)
    text += _failures(chosen, results)
    print(text)
    if options.markdown is not None:
        write_between(options.markdown, MARKS, text)
    if interrupted:
        return 3
    return int(any(sample.status == "wrong" for each in results.values() for sample in each.samples))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = parser_of(
        "graphs.py",
        "Measure Hamiltonian cycles of graphs.",
        only="tasks (count), or cases (count/hypercube:5)",
        runs=1,
        limit=30.0,
    )
    parser.add_argument("--small", action="store_true", help="a few small graphs: a minute")
    parser.add_argument("--contenders", metavar="NAME", nargs="+", default=[], help="these only")
    return parser.parse_args(arguments)


def _selected(name: str, only: Sequence[str]) -> bool:
    return not only or any(name == each or name.startswith(f"{each}/") for each in only)


# -- measuring ------------------------------------------------------------------------------------------


def _measure(
    case: Case,
    names: Sequence[str],
    runs: int,
    limits: Limits,
    folder: Path,
    results: dict[tuple[str, str], Measured],
) -> None:
    """Run a case, the contenders in turns; then check the answers."""
    here = {name: Measured() for name in names if case.task in GRAPH_CONTENDERS[name].tasks}
    results.update({(case.name, name): measured for name, measured in here.items()})
    action = {"find": "construct", "refute": "construct"}.get(case.task, case.task.replace("-", "_"))
    listed = GraphQuestion.parse(case.graph).listed
    file = str(folder / f"{case.graph}.g6") if listed else ""
    if listed and (reason := ask({"action": "list", "graph": case.graph, "file": file}, WORKER)):
        for measured in here.values():
            measured.samples.append(Sample("unavailable", reason))
    for number in range(runs):
        for name, measured in here.items():
            if measured.failure is not None:
                continue
            job: dict[str, object] = {"action": action, "contender": name, "graph": case.graph, "list": file}
            answer = folder / f"{name}-{number}"
            sample = run_contender(job, limits, answer, GRAPH_CONTENDERS[name].environment, WORKER)
            measured.samples.append(sample)
            took = f"{sample.wall:.2f} s" if sample.status == "ok" else f"{sample.status}: {sample.reason}"
            print(f"{case.name}/{name}, run {number + 1}: {took}", file=sys.stderr, flush=True)
    good = [sample for measured in here.values() for sample in measured.good]
    checked: dict[str, object] = {
        "action": "check",
        "task": case.task,
        "graph": case.graph,
        "known": case.known,
    }
    verdicts = ask({**checked, "files": [str(sample.answer) for sample in good]}, WORKER) if good else []
    for sample, (status, remark, answer_text) in zip(good, verdicts, strict=True):
        sample.status, sample.reason, sample.verdict = status, remark, answer_text
    _agree(here)


def _agree(here: Mapping[str, Measured]) -> None:
    """Mark answers as wrong that differ from those of most contenders where the right one is not known."""
    said = Counter(str(sample.verdict) for measured in here.values() for sample in measured.good)
    for measured in here.values():
        for sample in measured.good if len(said) > 1 else ():
            others = ", ".join(f"{number} times {answer}" for answer, number in said.most_common())
            sample.status, sample.reason = "wrong", f"answers differ: {others}"


# -- the tables -----------------------------------------------------------------------------------------


def _table(rows: Sequence[tuple[Case, tuple[int, int]]], names: Sequence[str], results: Results) -> str:
    task = rows[0][0].task
    shown = [name for name in names if task in GRAPH_CONTENDERS[name].tasks]
    lines = []
    for case, (vertices, edges) in rows:
        measured = {name: results.get((case.name, name), Measured()) for name in shown}
        answers = [str(sample.verdict) for each in measured.values() for sample in each.good]
        best = min((t for name in shown if (t := _work(measured[name])) is not None), default=None)
        cells = [_cell(measured[name], best) for name in shown]
        lines.append(
            [case.graph, f"{vertices:,}", f"{edges:,}", _short(answers[0] if answers else ""), *cells]
        )
    return grid(["graph", "vertices", "edges", "answer", *shown], lines, 1)


def _cell(measured: Measured, best: float | None) -> str:
    failure = measured.failure
    if failure is not None:
        short = {"time limit": "time", "memory limit": "memory", "refused": "refused"}
        return short.get(failure.status, f"**{failure.status}**")
    took = _work(measured)
    if took is None:
        return "not run"
    return f"**{seconds(took)}**" if took == best else seconds(took)


def _work(measured: Measured) -> float | None:
    return measured.median(lambda sample: sample.work)


def _short(answer: str) -> str:
    """A count of many digits as its number of digits."""
    if not answer.isdigit():
        return answer
    return f"{int(answer):,}" if len(answer) <= 13 else f"{len(answer)} digits"


def _among_the_best(chosen: Sequence[Case], results: Results) -> str:
    """Return on how many rows ``auto`` is within twice the best single engine of ktsolve."""
    single = [kind.name for kind in OURS if kind.name != "auto"]
    rows, near, slower = 0, 0, []
    for case in chosen:
        times = [t for name in single if (t := _work(results.get((case.name, name), Measured()))) is not None]
        auto = _work(results.get((case.name, "auto"), Measured()))
        if not times or (case.name, "auto") not in results:
            continue
        rows += 1
        if auto is not None and auto <= max(_AMONG * min(times), min(times) + _NOISE):
            near += 1
        else:
            slower.append(
                f"{case.name} ({'no answer' if auto is None else f'{auto / min(times):.1f} times'})"
            )
    text = f"\n`auto` is within twice the best single engine (or {_NOISE:g} s) on {near} of {rows} rows"
    return text + (f"; not on {', '.join(slower)}.\n" if slower else ".\n")


def _failures(chosen: Sequence[Case], results: Results) -> str:
    """Return the reasons of failures other than limits, each once for a contender."""
    found: dict[tuple[str, str], list[str]] = {}
    for case in chosen:
        for name in GRAPH_CONTENDERS:
            failure: Sample | None = results.get((case.name, name), Measured()).failure
            if failure is not None and failure.status not in ("time limit", "memory limit"):
                found.setdefault((name, f"{failure.status}: {failure.reason}"), []).append(case.name)
    lines = [
        f"- {name} {reason} ({', '.join(cases) if len(cases) < 3 else f'{len(cases)} rows'})"
        for (name, reason), cases in found.items()
    ]
    return (
        "\n" + "\n".join(["*time*, *memory*: the limit was reached. Other failures:", "", *lines])
        if lines
        else ""
    )


if __name__ == "__main__":
    sys.exit(main())
