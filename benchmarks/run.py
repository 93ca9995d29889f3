"""Measure ktsolve and its rivals, one process for each run, turn by turn.

What is measured is listed in ``cases.py``, who takes part in ``contract.py`` (ours) and ``rivals.py``; how a
run is measured is told in ``measure.py``. Every answer is checked, by another process, before its time is
shown. Failures stay in the tables. Exit status: 0, or 1 if an answer was wrong, 2 for bad options, 3 when
interrupted.
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
from report import table_texts
from rivals import CONTENDERS

__all__ = ["main"]

BEGIN, END = "<!-- begin: output of benchmarks/run.py -->", "<!-- end: output of benchmarks/run.py -->"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmarks; returns the exit status."""
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
    told = ask({"action": "facts"})
    facts: dict[str, str] = told["facts"]
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
    changed = ask({"action": "facts"})["fingerprint"] != told["fingerprint"]
    took, load_after = time.perf_counter() - started, os.getloadavg()[0]

    facts["runs"] = f"{options.runs} each, turn by turn; fewer when a contender has used up the time limit"
    facts["limits"] = f"{limits.seconds:g} s and {options.memory:g} GiB of address space for each run"
    facts["load"] = f"{load_before:.1f} before, {load_after:.1f} after; {took / 60:.1f} minutes in all"
    facts["RSS floor"] = f"{floor / 1e6:.0f} MB: smaller processes cannot be told apart"
    text = "\n".join(f"- {key}: {value}" for key, value in facts.items())
    if changed:
        text += "\n- **ktsolve was changed during this run: rows are not all about the same program**"
    if interrupted:
        text += "\n- **interrupted: the rest was not run**"
    with_targets = not options.only or "targets" in options.only
    for title, table in table_texts(chosen, results, limits, with_targets):
        text += f"\n\n### {title}\n\n{table}"
    text += "\n\nTimes are medians in seconds, the least in brackets; ratios are to the first of each group."
    print(text)
    if options.markdown is not None:
        _write(options.markdown, text)
    if interrupted:
        return 3
    return int(any(sample.status == "wrong" for each in results.values() for sample in each.samples))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="run.py", description="Measure ktsolve and its rivals.")
    parser.add_argument(
        "--only",
        metavar="NAME",
        nargs="+",
        default=[],
        help="tables, cases (counting/closed-6x6) or single contenders (counting/closed-6x6/search)",
    )
    parser.add_argument("--runs", metavar="N", type=_at_least_one, default=3, help="runs of each, default 3")
    parser.add_argument(
        "--limit", metavar="SECONDS", type=_positive, default=60.0, help="for each run, default 60"
    )
    parser.add_argument(
        "--memory", metavar="GIB", type=_positive, default=4.0, help="address space for each run, default 4"
    )
    parser.add_argument("--long", action="store_true", help="closed 7x8 too")
    parser.add_argument(
        "--markdown",
        metavar="FILE",
        type=Path,
        help="write the tables there too; if the file has the marks for it, between them",
    )
    parser.add_argument("--list", action="store_true", help="show all names and who is available, and stop")
    return parser.parse_args(arguments)


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not more than 0")
    return value


def _at_least_one(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return value


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
    """All runs of a case, the contenders taking turns; then the judge."""
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
        _judge(case, contender, measured)
    _compare(here)


def _one_run(case: Case, contender: str, limits: Limits, answer: Path) -> Sample:
    if case.question is None:
        return run_command(COMMANDS[contender].line(), limits, answer)
    job = {"action": case.action, "contender": contender, "question": case.question.to_json()}
    return run_contender(job, limits, answer, CONTENDERS[contender].environment)


def _judge(case: Case, contender: str, measured: Measured) -> None:
    question: Question | None = case.question or COMMANDS[contender].question
    good = measured.good
    if not good:
        return
    if question is None:
        for sample in good:
            sample.verdict = "exit status 0"
        return
    files = [str(sample.answer) for sample in good]
    job = {"action": "judge", "task": case.action, "question": question.to_json(), "files": files}
    for sample, (status, remark, tours) in zip(good, ask(job), strict=True):
        sample.status, sample.verdict, sample.tours = status, remark, tours
        if tours != good[0].tours:
            sample.status, sample.verdict = "wrong", "not the same answer in every run"


def _compare(here: dict[str, Measured]) -> None:
    """Contenders that count must agree, also where nothing is published."""
    unsure = [
        sample for each in here.values() for sample in each.good if sample.verdict == "no published value"
    ]
    told = {name: str(each.good[0].tours) for name, each in here.items() if each.good}
    for sample in unsure:
        if len(set(told.values())) > 1:
            said = ", ".join(f"{name} {count}" for name, count in told.items())
            sample.status, sample.verdict = "wrong", f"no agreement: {said}"
        elif len(told) > 1:
            sample.verdict = "nothing published; all here agree"


def _write(file: Path, text: str) -> None:
    old = file.read_text("utf-8") if file.exists() else ""
    before, begin, rest = old.partition(BEGIN)
    _, end, after = rest.partition(END)
    new = f"{before}{begin}\n\n{text}\n\n{end}{after}" if begin and end else f"{text}\n"
    file.write_text(new, "utf-8")


if __name__ == "__main__":
    sys.exit(main())
