"""Whole commands, as a user types them, beside another version of ktsolve.

``python benchmarks/speed.py [--rival KTSOLVE] [--long]`` prints a table of times, memory and ratios. A rival
is the ``ktsolve`` of another installation, say of an older commit in a clone of its own. Both take turns.
9x12 takes half an hour and 28 GB of disk, and is no row: docs/counting.md has its runs. How long the tests
take, ``make test`` says.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from measure import Limits, Measured, Sample, ask, run_command
from options import facts_text, parser_of, write_between

__all__ = ["ROWS", "Row", "main"]

_MARKS = ("<!-- begin: output of benchmarks/speed.py -->", "<!-- end: output of benchmarks/speed.py -->")


_PACKAGES = ["ktsolve", "python-sat", "ortools", "numpy"]


@dataclass(frozen=True)
class Row:
    """A command line, a word that the last line of its output must have, and whether it takes minutes."""

    line: str
    answer: str | None = None
    long: bool = False


ROWS = (
    Row("--version"),
    Row("count 6x6 --quiet", "9862"),
    Row("count 8x8 --quiet", "13267364410532"),
    Row("count 8x9 --quiet", "7112881119092574"),
    Row("count 8x10 --quiet", "4235482818156697040"),
    Row("count 8x8 --open --quiet", "9795914085489952"),
    Row("count 8x8 --open --start a1 --end b1 --quiet", "54552256212699"),
    Row("count 8x8 --open --by endpoints --quiet", "9795914085489952"),
    Row("count 8x16 --memory 16G --quiet", "85817858712661625199875539483994794", long=True),
    Row("count 8x32 --memory 16G --quiet", long=True),
    Row("count 9x10 --memory 16G --quiet", "19381952998732022416892", long=True),
    Row("count 7x8 --engine frontier --quiet", "34524432316"),
    Row("count graph:grid:16x16 --engine frontier --quiet", "65882516522625836326159786165530572"),
    Row("count graph:hypercube:5 --engine frontier --quiet", "906545760"),
    Row("tour 100x100 --engine sat --quiet"),
    Row("tour 400x400 --engine sat --quiet"),
    Row("tour 1000x1000 --engine sat --quiet"),
    Row("sudoku count --up-to-symmetry --quiet", "5472730538"),
    Row("verify --quiet"),
)


def _sample(ktsolve: str, row: Row, limits: Limits, folder: Path) -> Sample:
    answer = folder / "answer"
    sample = run_command([ktsolve, *row.line.split()], limits, answer)
    if sample.status == "ok" and row.answer is not None:
        # The unit, if there is one, follows the number.
        last = (answer.read_text("utf-8").strip().splitlines() or [""])[-1].replace(",", "")
        if row.answer not in last.split():
            sample.status, sample.reason = "wrong", f"{last[:100]!r} instead of {row.answer}"
    return sample


def _cells(measured: Measured) -> list[str]:
    if measured.failure is not None:
        return [measured.failure.status, "", ""]
    return [
        f"{measured.median(lambda sample: sample.wall):.3g}",
        f"{measured.median(lambda sample: sample.cpu):.3g}",
        f"{max(sample.peak_bytes for sample in measured.good) / 1e6:,.0f}",
    ]


def _ratios(own: Measured, rival: Measured) -> list[str]:
    """The ratios of the medians, of wall-clock and of CPU time."""
    ratios = []
    for of in (lambda sample: sample.wall, lambda sample: sample.cpu):
        ours, theirs = own.median(of), rival.median(of)
        ratios.append(f"{ours / theirs:.2f}" if ours and theirs else "")
    return ratios


def _table(done: Sequence[tuple[Row, Measured, Measured | None]], rival: bool) -> Iterator[str]:
    head = ["command", "s", "CPU s", "MB"]
    if rival:
        head += ["rival s", "rival CPU s", "rival MB", "ratio", "CPU ratio"]
    yield f"| {' | '.join(head)} |"
    yield f"| --- |{' ---: |' * (len(head) - 1)}"
    for row, own, other in done:
        cells = [f"`ktsolve {row.line}`", *_cells(own)]
        if other is not None:
            cells += [*_cells(other), *_ratios(own, other)]
        yield f"| {' | '.join(cells)} |"


def main(arguments: Sequence[str]) -> int:
    """Print the table. Return the exit status: 1 if an answer was wrong."""
    parser = parser_of(
        "speed.py",
        "Whole commands of ktsolve, beside another version of it.",
        only="command lines, or their beginnings",
        runs=3,
        limit=7200,
        memory=20,
    )
    parser.add_argument("--rival", metavar="KTSOLVE", help="the command of another installation")
    parser.add_argument("--long", action="store_true", help="also the commands that take minutes")
    options = parser.parse_args(arguments)
    rows = [
        row
        for row in ROWS
        if (
            any(row.line.startswith(name) for name in options.only)
            if options.only
            else options.long or not row.long
        )
    ]
    if not rows:
        parser.error(f"--only {' '.join(options.only)}: no command begins so; --list prints all")
    if options.list:
        print("\n".join(row.line + " (--long)" * row.long for row in ROWS))
        return 0
    own_command = str(Path(sys.executable).with_name("ktsolve"))
    limits = Limits(options.limit, round(options.memory * 2**30))
    machine = ask({"action": "facts", "packages": _PACKAGES})
    load = os.getloadavg()[0]
    done: list[tuple[Row, Measured, Measured | None]] = []
    interrupted = False
    with tempfile.TemporaryDirectory() as name:
        try:
            for row in rows:
                own, other = Measured(), Measured() if options.rival else None
                for _ in range(1 if row.long else options.runs):
                    own.samples.append(_sample(own_command, row, limits, Path(name)))
                    if other is not None and other.failure is None:
                        other.samples.append(_sample(options.rival, row, limits, Path(name)))
                done.append((row, own, other))
                print(f"{row.line}: {' '.join(_cells(own))}", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            interrupted = True
    changed = ask({"action": "facts", "packages": _PACKAGES})["fingerprint"] != machine["fingerprint"]
    facts: dict[str, str] = machine["facts"]
    facts["runs"] = f"{options.runs} of each, of those that take minutes one; medians, and the largest memory"
    facts["load"] = f"{load:.1f} before, {os.getloadavg()[0]:.1f} after"
    text = "\n".join(_table(done, options.rival is not None))
    text = f"{facts_text(facts, changed=changed, interrupted=interrupted)}\n\n{text}"
    print(text)
    if options.markdown:
        write_between(options.markdown, _MARKS, text)
    if interrupted:
        return 3
    wrong = [sample for _, own, _ in done for sample in own.samples if sample.status == "wrong"]
    for sample in wrong:
        print(f"wrong: {sample.reason}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
