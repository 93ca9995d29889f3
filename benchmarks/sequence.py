"""Measure tours by number: tables prepared, tours drawn, unranked and listed, exact distributions, strips.

``samplers.py`` has the steps of ktsolve and the programs that draw tours at random, which are compared with
the exact numbers. Each case runs in a process of its own with limits of time and memory (``measure.py``),
and another process checks its answer. Failures stay in the tables. Exit status: 0, 1 if an answer was wrong,
2 for bad options, 3 when interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from contract import Question
from measure import Limits, Measured, Sample, ask, run_command, run_contender
from options import facts_text, parser_of, positive, write_between
from report import grid, seconds
from samplers import SAMPLERS

__all__ = ["main"]

WORKER = Path(__file__).with_name("sequence_worker.py")

MARKS = "<!-- begin: output of benchmarks/sequence.py -->", "<!-- end: output of benchmarks/sequence.py -->"

_KTSOLVE = str(Path(sys.executable).with_name("ktsolve"))

_INDEX = "1234567890123"
"""An index of a closed tour of 8x8."""


@dataclass(frozen=True)
class Target:
    """A row of the table.

    Attributes
    ----------
    text:
        What is measured.
    phase:
        The phase of the work, ``work`` for all of it, ``whole`` for the process, or ``memory``.
    most:
        The most that it should be: seconds, or GiB.
    """

    text: str
    phase: str
    most: float

    def measured(self, sample: Sample) -> float | None:
        """The measured value."""
        if self.phase == "memory":
            peak = sample.details.get("bytes")
            return None if peak is None else peak / 2**30
        return {"work": sample.work, "whole": sample.wall}.get(self.phase, sample.phases.get(self.phase))

    def cpu(self, sample: Sample) -> float | None:
        """The CPU time that belongs to the value."""
        whole = {"work": sample.work_cpu, "whole": sample.cpu}
        return whole.get(self.phase, sample.phases.get(f"{self.phase}, CPU"))


@dataclass(frozen=True)
class Case:
    """What one process does.

    Attributes
    ----------
    name:
        For ``--only``.
    question:
        The problem.
    action:
        Of the contender (``samplers.py``), or ``command``.
    targets:
        The rows that it gives.
    number:
        Tours that are drawn.
    command:
        The arguments of ``ktsolve``; ``{file}`` is a file in a folder of its own.
    before:
        A command that makes this file and is not measured.
    says:
        Patterns that the output of the command must have.
    contenders:
        Who runs.
    long, memory:
        Whether it needs ``--long``; GiB of address space, if it needs more than the others.
    """

    name: str
    question: Question
    action: str
    targets: tuple[Target, ...] = ()
    number: int = 100_000
    command: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    contenders: tuple[str, ...] = ("ktsolve",)
    long: bool = False
    memory: float = 0.0


@dataclass
class _Run:
    """What was measured in a case, by contender, and what the check found."""

    measured: dict[str, Measured] = field(default_factory=dict)
    found: dict[int, Mapping[str, object]] = field(default_factory=dict)
    """By ``id`` of the sample."""

    def details(self, sample: Sample) -> Mapping[str, object]:
        """What the check found in an answer."""
        return self.found.get(id(sample), {})


_CLOSED, _OPEN = Question("8x8", True), Question("8x8", False)

CASES = (
    Case(
        "numbered/8x8",
        _CLOSED,
        "numbered",
        (
            Target("closed 8x8 prepared", "prepare", 6),
            Target("its memory, interpreter included", "memory", 1.5),
            Target("100,000 uniform tours of it", "draw", 3),
            Target("one tour by its index", "single", 0.02),
            Target("the indices of 1,000 tours", "rank", 1),
        ),
    ),
    Case(
        "prepared/8x8",
        _CLOSED,
        "command",
        (Target("whole command with a prepared file", "whole", 0.5),),
        command=("unrank", "8x8", _INDEX, "--prepared", "{file}", "--quiet"),
        before=("unrank", "8x8", "0", "--prepared", "{file}", "--quiet"),
    ),
    Case(
        "numbered/open-8x8",
        _OPEN,
        "numbered",
        (
            Target("open 8x8 prepared", "prepare", 60),
            Target("its memory, interpreter included", "memory", 6),
            Target("1,000 uniform tours of it", "draw", 3),
        ),
        number=1000,
        long=True,
        memory=12,
    ),
    Case(
        "listed/6x6",
        Question("6x6", True),
        "listed",
        (Target("all tours of 6x6 in order, prepared and listed", "work", 0.3),),
    ),
    Case("moves/8x8", _CLOSED, "moves", (Target("frequencies of all moves of 8x8", "work", 10),)),
    Case(
        "uses/8x8",
        _CLOSED,
        "uses",
        (Target("tours of 8x8 by moves of one slope", "work", 300),),
        long=True,
        memory=8,
    ),
    Case(
        "strips/6xN",
        Question("6x6", True),
        "command",
        (Target("`ktsolve sequence 6xN --upto 60`", "whole", 60),),
        command=("sequence", "6xN", "--upto", "60"),
        says=(r"(?m)^\W*6\D+9862\b", r"(?m)^\W*8\D+55488142\b"),
    ),
    Case(
        "strips/5x1000",
        Question("5x1000", True),
        "command",
        (Target("`ktsolve count 5x1000`", "whole", 1),),
        command=("count", "5x1000", "--quiet"),
    ),
    Case("uniform/6x6", Question("6x6", True), "sample", contenders=tuple(SAMPLERS)),
    Case("uniform/8x8", _CLOSED, "sample", contenders=tuple(SAMPLERS)),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark. Return the exit status."""
    options = _options(arguments)
    chosen = [
        case
        for case in CASES
        if (options.long or not case.long or case.name in options.only)
        and (not options.only or any(_selects(name, case.name) for name in options.only))
    ]
    unknown = [name for name in options.only if not any(_selects(name, case.name) for case in CASES)]
    nobody = [name for name in options.contenders if name not in SAMPLERS]
    if nobody or unknown or not chosen:
        what = f"contender {' '.join(nobody)}" if nobody else f"case {' '.join(unknown or options.only)}"
        print(f"sequence.py: no {what}: see --list", file=sys.stderr)
        return 2
    if options.list:
        print("\n".join(f"{case.name}{'  (--long)' if case.long else ''}" for case in chosen))
        print()
        for name, kind in SAMPLERS.items():
            contender = kind(0)
            print(f"{name}: {contender.available() or f'{contender.package} {contender.version()}'}")
        return 0
    packages = [*dict.fromkeys(kind.package for kind in SAMPLERS.values()), "numpy"]
    machine = ask({"action": "facts", "packages": packages}, WORKER)
    load, started, interrupted = os.getloadavg()[0], time.perf_counter(), False
    results: dict[str, _Run] = {}
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        try:
            for case in chosen:
                results[case.name] = run = _Run()
                _measure(case, run, options, Path(folder))
        except KeyboardInterrupt:
            interrupted = True
    changed = ask({"action": "facts", "packages": packages}, WORKER)["fingerprint"] != machine["fingerprint"]
    facts: dict[str, str] = machine["facts"]
    facts["limits"] = f"{options.limit:g} s and {options.memory:g} GiB of address space for each run"
    more = [f"{case.name} {case.memory:g} GiB" for case in chosen if case.memory > options.memory]
    facts["limits"] += f"; {', '.join(more)}" if more else ""
    facts["runs"] = f"{options.runs} of each case"
    minutes = (time.perf_counter() - started) / 60
    facts["load"] = f"{load:.1f} before, {os.getloadavg()[0]:.1f} after; {minutes:.1f} minutes in all"
    text = facts_text(facts, changed=changed, interrupted=interrupted)
    text += _targets([case for case in chosen if case.targets and case.name in results], results)
    text += _uniform([case for case in chosen if not case.targets and case.name in results], results)
    text += _failures(chosen, results)
    print(text)
    if options.markdown is not None:
        write_between(options.markdown, MARKS, text)
    if interrupted:
        return 3
    everything = [s for run in results.values() for each in run.measured.values() for s in each.samples]
    return int(any(sample.status == "wrong" for sample in everything))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = parser_of(
        "sequence.py",
        "Measure tours by number.",
        only="groups (strips), or cases (strips/5x1000)",
        runs=1,
        limit=300.0,
    )
    parser.add_argument(
        "--draw", metavar="SECONDS", type=positive, default=20.0, help="for drawing one by one, default 20"
    )
    parser.add_argument("--long", action="store_true", help="include the cases marked (--long) in --list")
    parser.add_argument("--contenders", metavar="NAME", nargs="+", default=[], help="these only")
    parser.add_argument("--folder", metavar="FOLDER", help="where prepared files are made")
    return parser.parse_args(arguments)


def _selects(name: str, case: str) -> bool:
    return case == name or case.startswith(f"{name}/")


# -- measuring ------------------------------------------------------------------------------------------


def _measure(case: Case, run: _Run, options: argparse.Namespace, folder: Path) -> None:
    """Run a case, the contenders in turns; then check the answers."""
    limits = Limits(options.limit, round(max(case.memory, options.memory) * 2**30))
    names = [name for name in case.contenders if not options.contenders or name in options.contenders]
    run.measured = {name: Measured() for name in names}
    for number in range(options.runs):
        for name, measured in run.measured.items():
            if measured.failure is not None:
                continue
            answer = folder / f"answer-{name}-{number}"
            sample = _sample(case, name, limits, options.draw, answer)
            measured.samples.append(sample)
            took = f"{sample.wall:.2f} s" if sample.status == "ok" else f"{sample.status}: {sample.reason}"
            print(f"{case.name}/{name}, run {number + 1}: {took}", file=sys.stderr, flush=True)
    good = [sample for measured in run.measured.values() for sample in measured.good]
    if not good:
        return
    job = {"action": "check", "task": case.action, "question": case.question.to_json(), "says": case.says}
    try:
        verdicts = ask({**job, "files": [str(sample.answer) for sample in good]}, WORKER)
    except RuntimeError as error:
        verdicts = [("failed", f"not checked: {error}", {})] * len(good)
    for sample, (status, remark, found) in zip(good, verdicts, strict=True):
        sample.status, sample.reason = status, remark
        run.found[id(sample)] = found
        if isinstance(found.get("bytes"), int):
            sample.details["bytes"] = found["bytes"]
        if sample.answer is not None:
            sample.answer.unlink(missing_ok=True)


def _sample(case: Case, name: str, limits: Limits, draw: float, answer: Path) -> Sample:
    if case.action != "command":
        job: dict[str, object] = {
            "action": case.action,
            "contender": name,
            "question": case.question.to_json(),
            "number": case.number,
            "seconds": draw,
        }
        return run_contender(job, limits, answer, SAMPLERS[name].environment, WORKER)
    file = str(answer.with_name("prepared"))
    for command in filter(None, (case.before, case.command)):
        line = [_KTSOLVE, *(part.format(file=file) for part in command)]
        sample = run_command(line, limits, answer)
        if sample.status != "ok":
            break
    return sample


# -- the tables -----------------------------------------------------------------------------------------


def _targets(cases: Sequence[Case], results: Mapping[str, _Run]) -> str:
    if not cases:
        return ""
    rows = []
    for case in cases:
        run = results[case.name]
        measured = run.measured.get("ktsolve", Measured())
        for target in case.targets:
            value, unit = measured.median(target.measured), "GiB" if target.phase == "memory" else "s"
            shown, met = "not run", ""
            if measured.failure is not None:
                shown, met = f"**{measured.failure.status}**", "**no**"
            elif value is not None:
                number = seconds(value) if unit == "s" else f"{value:.2f}"
                shown, met = f"{number} {unit}", "yes" if value < target.most else "**no**"
                cpu = measured.median(target.cpu)
                if value >= target.most and cpu is not None and cpu < target.most:
                    met = "**no**: the machine was busy"
            cpu_text = seconds(measured.median(target.cpu))
            peak = measured.median(lambda sample: sample.peak_bytes)
            rows.append(
                [
                    target.text,
                    f"under {target.most:g} {unit}",
                    shown,
                    met,
                    cpu_text,
                    "" if peak is None else f"{peak / 1e6:.0f}",
                ]
            )
    head = ["what", "target", "measured", "met", "CPU s", "RSS MB"]
    return (
        f"\n\n### Tours by number\n\n{grid(head, rows, 4)}\n\nTimes of commands are those of the whole "
        "process, the others those of the work alone; *CPU s* is the time of all threads for the same. *RSS "
        "MB* is the peak memory of the whole process. ktsolve checks each tour that it draws; the check is "
        "part of the time."
    )


def _uniform(cases: Sequence[Case], results: Mapping[str, _Run]) -> str:
    if not cases:
        return ""
    rows = []
    for case in cases:
        run = results[case.name]
        for name, measured in run.measured.items():
            row = [f"{'closed' if case.question.closed else 'open'} {case.question.board}", name]
            failure = measured.failure
            if failure is not None or not measured.good:
                failed = "not run" if failure is None else f"**{failure.status}**"
                rows.append([*row, failed, *[""] * 5])
                continue
            found = run.details(measured.good[0])
            drawn = int(str(found["drawn"]))
            draw = measured.median(lambda sample: sample.phases.get("draw"))
            rows.append(
                [
                    *row,
                    f"{drawn:,}",
                    seconds(measured.median(lambda sample: sample.phases.get("prepare"))),
                    f"{drawn / draw:,.0f}" if draw else "",
                    f"{int(str(found['different'])):,}" if "different" in found else "",
                    f"{float(str(found['tours'])):.3g}" if "tours" in found else "",
                    f"{float(str(found['moves'])):.3g}" if "moves" in found else "",
                ]
            )
    head = ["tours", "program", "drawn", "prepared s", "tours/s", "different", "chi-square/df", "moves"]
    return (
        f"\n\n### Uniform or not\n\n{grid(head, rows, 2)}\n\n*chi-square/df*: over all tours of the board; "
        "*moves*: mean square of the deviations of the frequencies of moves from the exact ones, in standard "
        "deviations. Both are near 1 for a uniform sample, and grow with the number of tours for any other."
    )


def _failures(cases: Sequence[Case], results: Mapping[str, _Run]) -> str:
    lines = [
        f"- {case.name}/{name} {failure.status}: {failure.reason}"
        for case in cases
        for name, measured in results.get(case.name, _Run()).measured.items()
        if (failure := measured.failure) is not None
    ]
    return "\n\n" + "\n".join(["Failures:", "", *lines]) if lines else ""


if __name__ == "__main__":
    sys.exit(main())
