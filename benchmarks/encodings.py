"""One closed tour by SAT: size and time of each encoding of a single cycle.

``python benchmarks/encodings.py [--sides 6 8 ...] [--limit SECONDS] [--memory GIB]`` prints a table. Each run
is a separate process with a time limit and a limit of address space; an encoding that fails on a board does
not run on larger boards. Every tour is checked. All encodings but ``lazy`` use the SAT solver cadical153:

- ``one-hot``, ``binary``, ``remainder``, ``elimination``: eager (``ktsolve/model/cycle_encodings.py``);
- ``cuts``: degree clauses, and a cut for each subtour of a solution, until there are no subtours;
- ``lazy``: the default of the engine: ``cuts`` with joined subtours, initial edges, and minicard.

*stated* is the time from the board to the loaded solver, *solved* the time from there to the tour; *ratio* is
their sum relative to that of ``lazy`` in the same round.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

from ktsolve.models.tour import TourModel

from ktsolve import TourProblem
from ktsolve.engines.sat.lazy import LazySolver
from ktsolve.engines.sat.python_sat import MAIN_SOLVER, TRIAL_SOLVER

__all__ = ["main"]

_EAGER = ("one-hot", "binary", "remainder", "elimination")
_ENCODINGS = ("lazy", "cuts", *_EAGER)
_SIDES = (6, 8, 10, 12, 16, 20, 24, 30)


def _measure(side: int, encoding: str) -> dict[str, Any]:
    """Return the measurements of one run in this process."""
    problem = TourProblem(board=f"{side}x{side}", closed=True)
    started = time.perf_counter()
    compiled = TourModel(problem)
    lazy = encoding == "lazy"
    eager = encoding if encoding in _EAGER else "lazy"
    solver = LazySolver(compiled.model, TRIAL_SOLVER if lazy else MAIN_SOLVER, join=lazy, encoding=eager)
    stated = time.perf_counter()
    solution = solver.next_solution()
    solved = time.perf_counter()
    assert solution is not None, "there is a tour"
    return {
        "variables": solver.variables,
        "clauses": solver.clauses,
        "cuts": solver.cuts,
        "stated": stated - started,
        "solved": solved - stated,
        "fault": str(problem.check(compiled.decode(solution)) or ""),
    }


def _child(side: int, encoding: str, gib: float) -> None:
    limit = int(gib * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    # The first run imports everything.
    _measure(6, encoding)
    print(json.dumps(_measure(side, encoding)))


def _run(side: int, encoding: str, seconds: float, gib: float) -> dict[str, Any] | str:
    """Return the measurements of a run in a separate process, or why it failed."""
    command = [sys.executable, __file__, "--child", str(side), encoding, "--memory", str(gib)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return "time limit"
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        short = "MemoryError" in done.stderr or "bad_alloc" in done.stderr or done.returncode < 0
        return "memory limit" if short else f"failed: {last}"
    measured = json.loads(done.stdout)
    assert isinstance(measured, dict)
    return f"wrong: {measured['fault']}" if measured["fault"] else measured


def _row(side: int, encoding: str, measured: dict[str, Any] | str, plain: float | None) -> str:
    if isinstance(measured, str):
        return f"| {side}x{side} | {encoding} | | | | | | {measured} |"
    seconds = measured["stated"] + measured["solved"]
    ratio = "" if plain is None else f"{seconds / plain:.2g}"
    sizes = f"{measured['variables']:,} | {measured['clauses']:,}"
    cuts = f"{measured['cuts']:,} cuts" if measured["cuts"] else "found"
    times = f"{measured['stated']:.3f} | {measured['solved']:.3f} | {ratio}"
    return f"| {side}x{side} | {encoding} | {sizes} | {times} | {cuts} |"


def _arguments(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="encodings.py", description="One closed tour by SAT, in every encoding."
    )
    parser.add_argument(
        "--sides", type=int, nargs="+", default=list(_SIDES), help="sides of the boards: even, from 6"
    )
    parser.add_argument("--limit", type=float, default=60.0, metavar="SECONDS", help="time limit of each run")
    parser.add_argument("--memory", type=float, default=2.0, metavar="GIB", help="address space of each run")
    parser.add_argument("--child", nargs=2, metavar=("SIDE", "ENCODING"), help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if any(side < 6 or side % 2 for side in given.sides):
        parser.error(f"sides must be even and at least 6, not {given.sides}")
    return given


def main(arguments: Sequence[str]) -> int:
    """Print the table. Return the exit status: 1 if a tour was wrong."""
    given = _arguments(arguments)
    if given.child:
        _child(int(given.child[0]), given.child[1], given.memory)
        return 0
    print("| board | encoding | variables | clauses | stated s | solved s | ratio | |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |")
    failed: set[str] = set()
    wrong = False
    for side in sorted(given.sides):
        plain: float | None = None
        for encoding in _ENCODINGS:
            if encoding in failed:
                print(_row(side, encoding, "failed before", None), flush=True)
                continue
            measured = _run(side, encoding, given.limit, given.memory)
            if isinstance(measured, str):
                failed.add(encoding)
                wrong = wrong or not measured.endswith("limit")
            elif encoding == "lazy":
                plain = measured["stated"] + measured["solved"]
            print(_row(side, encoding, measured, plain), flush=True)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
