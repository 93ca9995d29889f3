"""Compare languages: fifty problems in ktsolve, CPMpy, plain OR-Tools and plain python-sat.

The problems are rows of ``language_cases.py``. They are stated in ``language_ktsolve.py``,
``language_cpmpy.py``, ``language_ortools.py`` and ``language_pysat.py``, a function for each model, and the
answers are checked by ``language_checks.py``. Plain python-sat states those that a person would state in
clauses. ktsolve runs with the engine of its choice, and with each of its two engines.

The tables have the lines of the function (without its first line, its ``return``, comments and docstring),
the CPU seconds to state the model, and those to solve it with one thread, the translation for the solver
included; for the times the medians of several runs. Each contender has a process of its own for a problem, in
which imports and a first small model are not counted. The limit of a run is CPU time too. Ratios "in all" are
those of the times to state and to solve together: statements for OR-Tools and python-sat make the objects of
the solver, which ktsolve and CPMpy make when they solve. Answers are checked and compared. Exit status: 0; 1
if an answer is wrong or answers differ; 2 for bad options.
"""

from __future__ import annotations

import importlib
import inspect
import multiprocessing
import re
import resource
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from itertools import takewhile
from math import ceil
from statistics import median
from time import process_time
from types import ModuleType
from typing import Any

import language_checks
from language_cases import PROBLEMS, Problem
from options import facts_text, parser_of, write_between
from report import grid, seconds

__all__ = ["main"]

MARKS = "<!-- begin: output of benchmarks/language.py -->", "<!-- end: output of benchmarks/language.py -->"

CONTENDERS = {
    "ktsolve": ("ktsolve", ()),
    "by sat": ("ktsolve", ("sat",)),
    "by cpsat": ("ktsolve", ("cpsat",)),
    "CPMpy": ("cpmpy", ()),
    "OR-Tools": ("ortools", ()),
    "python-sat": ("pysat", ()),
}
"""The module ``language_*.py`` of each contender, and what it passes to the functions that solve."""

_PACKAGES = {"ktsolve": "ktsolve", "CPMpy": "cpmpy", "OR-Tools": "ortools", "python-sat": "python-sat"}


@dataclass
class Result:
    """What a contender needs for a problem: lines, CPU seconds to state and to solve; and its answer."""

    lines: int
    answer: str = ""
    failure: str = ""
    stated: list[float] = field(default_factory=list)
    solved: list[float] = field(default_factory=list)

    def median(self, phase: str) -> float:
        """Return the median of the runs, of "both" phases together; infinity without an answer."""
        if self.failure:
            return float("inf")
        both = [sum(each) for each in zip(self.stated, self.solved, strict=True)]
        return median({"stated": self.stated, "solved": self.solved, "both": both}[phase])


Results = dict[str, dict[str, Result]]


def _cpu() -> float:
    """Return the CPU seconds of this process and of those that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _lines(model: Callable[..., object]) -> int:
    """Return the number of lines of a model."""
    body = inspect.getsource(model).splitlines()[1:]
    code = takewhile(lambda line: not line.strip().startswith("return"), body)
    return sum(bool(line.strip()) and not line.strip().startswith("#") for line in code)


def _runs(
    side: ModuleType, given: Sequence[str], problem: Problem, runs: int, limit: float, memory: int, out: Any
) -> None:
    """Solve a problem several times in a process of its own; send the times and the answer of each run."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    solve = side.every if problem.every else side.answer
    solve(*side.queens(4), *given)
    check = getattr(language_checks, problem.model, None)
    for _ in range(runs):
        resource.setrlimit(resource.RLIMIT_CPU, (ceil(process_time() + limit), resource.RLIM_INFINITY))
        started = _cpu()
        statement = getattr(side, problem.model)(*problem.data)
        between = _cpu()
        found = solve(*statement, *given)
        ended = _cpu()
        if problem.every:
            assert check is not None
            assert {check(values, *problem.data) for values in found} <= {"valid"}
            answer = str(len({repr(values) for values in found}))
            assert answer == str(len(found))
        else:
            answer = "none" if found is None or check is None else check(found, *problem.data)
        out.send((between - started, ended - between, answer))


def _measured(
    side: ModuleType, given: Sequence[str], problem: Problem, runs: int, limit: float, memory: float
) -> Result:
    result = Result(_lines(getattr(side, problem.model)))
    processes = multiprocessing.get_context("fork")
    inbox, outbox = processes.Pipe(duplex=False)
    work = partial(_runs, side, given, problem, runs, limit, int(memory * 2**30), outbox)
    process = processes.Process(target=work)
    process.start()
    outbox.close()
    try:
        for _ in range(runs):
            stated, solved, answer = inbox.recv()
            result.stated.append(stated)
            result.solved.append(solved)
            if result.answer not in ("", answer):
                answer = f"{result.answer} / {answer}"
            result.answer = answer
    except EOFError:
        process.join()
        stopped = process.exitcode == -signal.SIGXCPU
        result.failure = f"more than {limit:g} s" if stopped else "failed"
    finally:
        process.kill()
        process.join()
    return result


def _cell(result: Result | None, phase: str) -> str:
    if result is None or (result.failure and phase == "stated"):
        return "-"
    return result.failure or seconds(result.median(phase))


def _tables(results: Results, names: Sequence[str]) -> str:
    """Return the table of answers and seconds to solve, and that of lines and milliseconds to state."""
    solve, state = [], []
    for name, row in results.items():
        answers = sorted({result.answer for result in row.values() if not result.failure})
        answer = answers[0] if len(answers) == 1 else f"**differ: {', '.join(answers)}**"
        answer = re.sub(r"\b\d{5,}\b", lambda number: f"{int(number[0]):,}", answer)
        solve.append([PROBLEMS[name].text, answer, *(_cell(row.get(each), "solved") for each in names)])
        stated = [row.get(each) for each in names if each in _PACKAGES]
        lines = ["-" if each is None else str(each.lines) for each in stated]
        state.append([PROBLEMS[name].text, *lines, *(_cell(each, "stated") for each in stated)])
    sides = [each for each in names if each in _PACKAGES]
    heads = [f"{what}: {side}" for what in ("lines", "seconds") for side in sides]
    tables = grid(["CPU seconds to solve", "answer", *names], solve, 2), grid(["to state", *heads], state, 1)
    return "\n\n".join(tables)


def _summary(results: Results) -> str:
    """Return the ratios of ktsolve to each other contender, over the problems that both state."""
    rows = []
    for other in CONTENDERS:
        both = {
            name: (row["ktsolve"], row[other])
            for name, row in results.items()
            if other in row and "ktsolve" in row
        }
        if other == "ktsolve" or not both:
            continue
        solve = {name: _ratio(*pair, "solved") for name, pair in both.items()}
        stated = [pair for pair in both.values() if not any(each.failure for each in pair)]
        state = [_ratio(*pair, "stated") for pair in stated]
        lines = sum(pair[0].lines for pair in both.values()) / sum(pair[1].lines for pair in both.values())
        above = sorted((name for name in solve if solve[name] > 2), key=lambda name: -solve[name])
        worst = ", ".join(f"{name} {solve[name]:.2g}" for name in above[:6])
        row = [f"ktsolve / {other}", str(len(both)), f"{lines:.2f}", f"{median(state or [1.0]):.2f}"]
        row += [f"{median(solve.values()):.2f}", f"{len(above)}{': ' * bool(above)}{worst}"]
        whole = {name: _ratio(*pair, "both") for name, pair in both.items()}
        slow = sorted((name for name in whole if whole[name] > 2), key=lambda name: -whole[name])
        worst = ", ".join(f"{name} {whole[name]:.2g}" for name in slow[:6])
        rows.append([*row, f"{median(whole.values()):.2f}", f"{len(slow)}{': ' * bool(slow)}{worst}"])
    heads = ["ratios", "problems", "lines", "to state", "to solve", "above 2", "in all", "above 2 in all"]
    table = grid(heads, rows, 1)
    best = {
        name: min(row[each].median("solved") for each in ("by sat", "by cpsat") if each in row)
        for name, row in results.items()
        if "ktsolve" in row and ("by sat" in row or "by cpsat" in row)
    }
    far = {name: results[name]["ktsolve"].median("solved") / least for name, least in best.items()}
    near = sum(ratio <= 1.5 for ratio in far.values())
    others = ", ".join(f"{name} {ratio:.2g}" for name, ratio in far.items() if ratio > 1.5) or "none"
    chosen = f"The engine of choice is within 1.5 times the better one on {near} of {len(far)}; beyond:"
    return f"{table}\n\n{chosen} {others}."


def _ratio(own: Result, other: Result, phase: str) -> float:
    mine, theirs = own.median(phase), other.median(phase)
    if mine == theirs == float("inf"):
        return 1.0
    return mine / max(theirs, 1e-6)


def main(arguments: Sequence[str]) -> int:
    """Print the tables. Return the exit status."""
    description = (__doc__ or "").split("\n", 1)[0]
    parser = parser_of("language.py", description, only="names of problems", runs=3, limit=60)
    parser.add_argument(
        "--sides", metavar="NAME", nargs="+", default=[], help="names of contenders, such as 'by sat'"
    )
    options = parser.parse_args(arguments)
    wrong = [name for name in options.only if name not in PROBLEMS]
    wrong += [name for name in options.sides if name not in CONTENDERS]
    if wrong:
        parser.error(f"{wrong[0]} is neither a problem nor a contender: see --list")
    sides = {}
    for name in options.sides or CONTENDERS:
        try:
            sides[name] = importlib.import_module(f"language_{CONTENDERS[name][0]}")
        except ImportError as error:
            print(f"language.py: without {name}: {error}", file=sys.stderr)
    if options.list:
        print("\n".join(f"{name}: {problem.text}" for name, problem in PROBLEMS.items()))
        print(f"contenders: {', '.join(sides)}")
        return 0
    solvers = ("sat.solver", "cpsat.translate", "model_choice")
    for each in ("pysat.solvers", *(f"ktsolve.engines.{solver}" for solver in solvers)):
        importlib.import_module(each)  # once, not in each process
    results: Results = {}
    for name in options.only or PROBLEMS:
        results[name] = {}
        for side, module in sides.items():
            problem = PROBLEMS[name]
            if not hasattr(module, problem.model):
                continue
            given = CONTENDERS[side][1]
            result = _measured(module, given, problem, options.runs, options.limit, options.memory)
            results[name][side] = result
            times = f"{_cell(result, 'stated')} to state, {_cell(result, 'solved')} to solve"
            print(
                f"{name}, {side}: {result.answer:.30}: {result.lines} lines, {times}",
                file=sys.stderr,
                flush=True,
            )
    versions = {side: version(_PACKAGES[side]) for side in sides if side in _PACKAGES}
    limits = {"limits of a run": f"{options.limit:g} s, {options.memory:g} GiB", "runs": str(options.runs)}
    facts = facts_text(versions | limits, changed=False, interrupted=False)
    text = f"{facts}\n\n{_tables(results, list(sides))}\n\n{_summary(results)}"
    print(text)
    if options.markdown:
        write_between(options.markdown, MARKS, text)
    return int(any(_is_wrong(row) for row in results.values()))


def _is_wrong(row: dict[str, Result]) -> bool:
    answers = {result.answer for result in row.values() if not result.failure}
    return len(answers) > 1 or any(result.failure == "failed" for result in row.values())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
