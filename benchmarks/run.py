"""Measure ktsolve and its rivals, one process per run; the contenders take turns.

``cases.py`` lists the cases, ``contract.py`` and ``rivals.py`` define the contenders, ``measure.py`` measures
a run. Another process checks every answer before its time is shown. Failures stay in the tables. Exit status:
0, 1 if an answer was wrong, 2 for bad options, 3 when interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from cases import CASES, COMMANDS, Case, select
from contract import Question
from measure import Limits, Measured, Sample, ask, run_command, run_contender
from options import facts_text, parser_of, write_between
from report import table_texts
from rivals import CONTENDERS

__all__ = ["main"]

BEGIN, END = "<!-- begin: output of benchmarks/run.py -->", "<!-- end: output of benchmarks/run.py -->"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmarks. Return the exit status."""
    options = _options(arguments)
    if options.list:
        _list()
        return 0
    try:
        chosen = select(options.only, options.long)
    except ValueError as error:
        print(f"run.py: {error}", file=sys.stderr)
        return 2
    limits = Limits(options.limit, round(options.memory * 2**30))
    machine = ask({"action": "facts"})
    facts: dict[str, str] = machine["facts"]
    load_before, started = os.getloadavg()[0], time.perf_counter()
    results: dict[tuple[str, str], Measured] = {}
    interrupted = False
    with tempfile.TemporaryDirectory() as folder:
        answers = Path(folder)
        try:
            for case, contenders in chosen:
                _measure(case, contenders, options.runs, limits, answers, results)
        except KeyboardInterrupt:
            interrupted = True
        floor = run_command(["/bin/true"], limits, answers / "floor").peak_bytes
    changed = ask({"action": "facts"})["fingerprint"] != machine["fingerprint"]
    took, load_after = time.perf_counter() - started, os.getloadavg()[0]

    facts["runs"] = (
        f"{options.runs} of each contender, in turns; fewer if the sum of its times exceeds the time limit"
    )
    facts["limits"] = f"{limits.seconds:g} s and {options.memory:g} GiB of address space for each run"
    facts["load"] = f"{load_before:.1f} before, {load_after:.1f} after; {took / 60:.1f} minutes in all"
    facts["RSS floor"] = f"{floor / 1e6:.0f} MB: the least that can be measured"
    text = facts_text(facts, changed=changed, interrupted=interrupted)
    with_targets = not options.only or "targets" in options.only
    for title, table in table_texts(chosen, results, limits, with_targets):
        text += f"\n\n### {title}\n\n{table}"
    text += "\n\nTimes are medians in seconds, with the least in parentheses; "
    text += "ratios are relative to the first of each group."
    print(text)
    if options.markdown is not None:
        write_between(options.markdown, (BEGIN, END), text)
    if interrupted:
        return 3
    return int(any(sample.status == "wrong" for each in results.values() for sample in each.samples))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = parser_of(
        "run.py",
        "Measure ktsolve and its rivals.",
        only="tables, cases (counting/closed-6x6) or single contenders (counting/closed-6x6/search)",
        runs=3,
        limit=60.0,
    )
    parser.add_argument("--long", action="store_true", help="include the cases marked (--long) in --list")
    return parser.parse_args(arguments)


def _list() -> None:
    for case in CASES:
        for contender in case.contenders:
            print(f"{case.path}/{contender}{'  (--long)' if case.long else ''}")
    print()
    for name, kind in CONTENDERS.items():
        rival = kind(0)
        reason = rival.available()
        print(f"{name}: {reason or f'{rival.package} {rival.version()}'}")


# -- measuring ------------------------------------------------------------------------------------------


def _measure(
    case: Case,
    contenders: Sequence[str],
    runs: int,
    limits: Limits,
    answers: Path,
    results: dict[tuple[str, str], Measured],
) -> None:
    """Run a case, the contenders in turns; then check the answers."""
    here = {contender: Measured() for contender in contenders}
    results.update({(case.path, contender): measured for contender, measured in here.items()})
    for number in range(runs):
        for contender, measured in here.items():
            used = sum(sample.wall for sample in measured.samples)
            if measured.failure is not None or used > limits.seconds:
                continue
            place = list(here).index(contender)
            sample = _one_run(case, contender, limits, answers / f"{place}-{number}")
            measured.samples.append(sample)
            took = f"{sample.wall:.2f} s" if sample.status == "ok" else f"{sample.status}: {sample.reason}"
            print(f"{case.path}/{contender}, run {number + 1}: {took}", file=sys.stderr, flush=True)
    for contender, measured in here.items():
        _check(case, contender, measured)
    _compare(here)


def _one_run(case: Case, contender: str, limits: Limits, answer: Path) -> Sample:
    if case.question is None:
        return run_command(COMMANDS[contender].line(), limits, answer)
    job = {"action": case.action, "contender": contender, "question": case.question.to_json()}
    return run_contender(job, limits, answer, CONTENDERS[contender].environment)


def _check(case: Case, contender: str, measured: Measured) -> None:
    question: Question | None = case.question or COMMANDS[contender].question
    good = measured.good
    if not good:
        return
    if question is None:
        for sample in good:
            sample.verdict = "exit status 0"
        return
    files = [str(sample.answer) for sample in good]
    job = {"action": "check", "task": case.action, "question": question.to_json(), "files": files}
    for sample, (status, remark, tours) in zip(good, ask(job), strict=True):
        sample.status, sample.verdict, sample.tours = status, remark, tours
        if tours != good[0].tours:
            sample.status, sample.verdict = "wrong", "answers differ between runs"


def _compare(here: dict[str, Measured]) -> None:
    """Mark counts as wrong that differ between contenders where no value is published."""
    unsure = [
        sample for each in here.values() for sample in each.good if sample.verdict == "no published value"
    ]
    counts = {name: str(each.good[0].tours) for name, each in here.items() if each.good}
    for sample in unsure:
        if len(set(counts.values())) > 1:
            said = ", ".join(f"{name} {count}" for name, count in counts.items())
            sample.status, sample.verdict = "wrong", f"counts differ: {said}"
        elif len(counts) > 1:
            sample.verdict = "nothing published; all contenders agree"


if __name__ == "__main__":
    sys.exit(main())
