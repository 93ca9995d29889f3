"""Compare languages: twenty problems in ktsolve, CPMpy, plain OR-Tools and plain python-sat.

The models are in ``language_ktsolve.py``, ``language_cpmpy.py``, ``language_ortools.py`` and
``language_pysat.py``, a function for each problem. Plain python-sat states those that a person would state in
clauses. For each problem and side the tables have the lines of the function (without its first line, its
``return``, comments and docstring), the CPU seconds to state the model, and those to solve it with one
thread, the translation for the solver included; for the times the least of several runs. All sides run in
this process; imports and first small models are not counted. Answers are checked, and optima compared.
Exit status: 0, 1 if answers differ, 2 for bad options.
"""

from __future__ import annotations

import importlib
import inspect
import resource
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import takewhile
from statistics import median
from types import ModuleType

from language_cases import CHECKS, PROBLEMS
from options import facts_text, parser_of, write_between
from report import grid, seconds

__all__ = ["main"]

MARKS = "<!-- begin: output of benchmarks/language.py -->", "<!-- end: output of benchmarks/language.py -->"

SIDES = {"ktsolve": "ktsolve", "cpmpy": "CPMpy", "ortools": "OR-Tools", "pysat": "python-sat"}
"""The modules ``language_*.py`` and the names of the sides."""

_PACKAGES = {"ktsolve": "ktsolve", "cpmpy": "cpmpy", "ortools": "ortools", "pysat": "python-sat"}


@dataclass(frozen=True)
class Result:
    """What a side needs for a problem: lines, CPU seconds to state and to solve; and its answer."""

    lines: int
    state: float
    solve: float
    answer: str


def _cpu() -> float:
    """Return the CPU seconds of this process and of those that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _lines(model: Callable[[], object]) -> int:
    """Return the number of lines of a model."""
    body = inspect.getsource(model).splitlines()[1:]
    code = takewhile(lambda line: not line.strip().startswith("return"), body)
    return sum(bool(line.strip()) and not line.strip().startswith("#") for line in code)


def _measured(side: ModuleType, name: str, runs: int) -> Result | None:
    model = getattr(side, name, None)
    if model is None:
        return None
    stated, solved, answers = [], [], set()
    for _ in range(runs):
        started = _cpu()
        statement = model()
        between = _cpu()
        values = side.answer(*statement)
        solved.append(_cpu() - between)
        stated.append(between - started)
        answers.add("none" if values is None else CHECKS[name](values))
    return Result(_lines(model), min(stated), min(solved), " / ".join(sorted(answers)))


def _tables(results: dict[str, dict[str, Result]], sides: Sequence[str]) -> str:
    """Return the table of lines and answers, that of the seconds to state, and that of those to solve."""
    names = [SIDES[side] for side in sides]
    lines = []
    for name, by_side in results.items():
        answers = sorted({result.answer for result in by_side.values()})
        answer = answers[0] if len(answers) == 1 else f"**differ: {', '.join(answers)}**"
        counts = [str(by_side[side].lines) if side in by_side else "-" for side in sides]
        lines.append([PROBLEMS[name], _shown(answer), *counts])
    tables = [grid(["lines of", "answer", *names], lines, 2)]
    for phase in ("state", "solve"):
        times = [
            [name, *(seconds(getattr(by_side[side], phase)) if side in by_side else "-" for side in sides)]
            for name, by_side in results.items()
        ]
        tables.append(grid([f"CPU seconds to {phase}", *names], times, 1))
    return "\n\n".join(tables)


def _shown(answer: str) -> str:
    """Return an answer for a table. Digits of several variables are no number: they are code."""
    text = answer if len(answer) < 60 else f"{answer[:20]}..."
    return f"`{text}`" if len(answer) > 4 and answer.isdigit() else text


def _summary(results: dict[str, dict[str, Result]]) -> str:
    """Return the sums over the problems that another side states too, and the medians of the ratios."""
    rows = []
    for side, label in SIDES.items():
        both = [r for r in results.values() if side in r and "ktsolve" in r]
        if side == "ktsolve" or not both:
            continue
        row = [f"ktsolve / {label}", str(len(both))]
        for what in ("lines", "state", "solve"):
            own = [getattr(r["ktsolve"], what) for r in both]
            other = [getattr(r[side], what) for r in both]
            row.append(f"{sum(own):.3g} / {sum(other):.3g}")
            row.append(f"{median(a / max(b, 1e-6) for a, b in zip(own, other, strict=True)):.2f}")
        rows.append(row)
    head = [
        "sums",
        "problems",
        "lines",
        "median ratio",
        "s to state",
        "median ratio",
        "s to solve",
        "median ratio",
    ]
    return grid(head, rows, 1)


def main(arguments: Sequence[str]) -> int:
    """Print the tables. Return the exit status."""
    description = (__doc__ or "").split("\n", 1)[0]
    parser = parser_of("language.py", description, only="names of problems", runs=3, limit=60)
    options = parser.parse_args(arguments)
    wrong = set(options.only) - PROBLEMS.keys()
    if wrong:
        parser.error(f"{min(wrong)} is not a problem: use {', '.join(PROBLEMS)}")
    sides = {}
    for name in SIDES:
        try:
            sides[name] = importlib.import_module(f"language_{name}")
        except ImportError as error:
            print(f"language.py: without {SIDES[name]}: {error}", file=sys.stderr)
    if options.list:
        print("\n".join(f"{name}: {text}" for name, text in PROBLEMS.items()))
        print(f"sides: {', '.join(SIDES[side] for side in sides)}")
        return 0
    for module in sides.values():
        for first in ("pigeons", "money"):
            if hasattr(module, first):
                module.answer(*getattr(module, first)())
    results: dict[str, dict[str, Result]] = {}
    for name in options.only or PROBLEMS:
        results[name] = {}
        for side, module in sides.items():
            result = _measured(module, name, options.runs)
            if result is not None:
                results[name][side] = result
                figures = f"{result.lines} lines, {result.state:.4f} s, {result.solve:.4f} s"
                print(f"{name}, {SIDES[side]}: {result.answer:.30}: {figures}", file=sys.stderr, flush=True)
    facts = facts_text(
        {SIDES[side]: version(_PACKAGES[side]) for side in sides}, changed=False, interrupted=False
    )
    text = f"{facts}\n\n{_tables(results, list(sides))}\n\n{_summary(results)}"
    print(text)
    if options.markdown:
        write_between(options.markdown, MARKS, text)
    return int(any(len({result.answer for result in each.values()}) > 1 for each in results.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
