"""Tours of growing boards: divide-and-conquer beside every other engine that constructs.

    python benchmarks/divide.py [--largest CELLS] [--limit SECONDS] [--runs N]

prints a Markdown table. Each figure is that of a process of its own: processor seconds without start-up and
import (the least of a few runs for divide, on one thread unless told otherwise), nanoseconds per cell, peak
memory. An engine that passes the limit, in wall-clock seconds, is not asked for larger boards.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from typing import Any

from ktsolve.engines.registry import ENGINES, engine_named

SIDES = (32, 100, 316, 1000, 3162, 10_000)

_BUILD = """
import json, resource, sys, time
from ktsolve.engines.base import Settings
from ktsolve.engines.divide.construct import tour_steps
from ktsolve.ground.arrays import steps_fault
def cpu():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
rows, columns = int(sys.argv[1]), int(sys.argv[1]) - int(sys.argv[3])
tour_steps(7, 6), tour_steps(6, 6)  # imports, and the small boards that every run begins with
best = check = 1e9
for _ in range(int(sys.argv[2])):
    steps = None
    started = cpu()
    steps = tour_steps(rows, columns, settings=Settings(threads=int(sys.argv[4])))
    best = min(best, cpu() - started)
started = cpu()
assert steps_fault(steps, closed=True, threads=int(sys.argv[4])) is None
check = cpu() - started
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps({"seconds": best, "check": check, "peak": peak}))
"""

_CONSTRUCT = """
import json, resource, sys, time
from ktsolve.engines.base import Settings
from ktsolve.engines.registry import engine_named
from ktsolve.errors import LimitReached
from ktsolve.problem.problem import TourProblem
def cpu():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
problem = TourProblem(board=f"{sys.argv[1]}x{sys.argv[1]}", closed=True)
engine = engine_named(sys.argv[2])
engine.construct(TourProblem(board="6x6", closed=True), Settings())
started = cpu()
try:
    found = engine.construct(problem, Settings(timeout=float(sys.argv[3]))) is not None
except LimitReached:
    found = False
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps({"seconds": cpu() - started, "found": found, "peak": peak}))
"""


def measured(script: str, *arguments: object, limit: float = 600) -> dict[str, Any] | None:
    """What the script prints, None if it did not get that far."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", script, *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    return json.loads(done.stdout) if done.returncode == 0 else None


def line(name: str, side: str, cells: int, found: dict[str, Any] | None, limit: float) -> str:
    """One row of the table."""
    if found is None or not found.get("found", True):
        return f"| {name} | {side} | {cells:,} | not in {limit:g} s | | | |"
    seconds, check = found["seconds"], found.get("check")
    checked = "" if check is None else f"{check:.3g}"
    per_cell = f"{seconds / cells * 1e9:,.1f}"
    return (
        f"| {name} | {side} | {cells:,} | {seconds:.3g} | {per_cell} | {found['peak'] >> 20:,} | {checked} |"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--largest", type=int, default=10**8)
    parser.add_argument("--limit", type=float, default=20.0)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    print("| engine | board | cells | CPU s | ns/cell | peak MiB | check, CPU s |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    sides = [side for side in SIDES if side * side <= given.largest]
    for name, shorter in (("divide, quarters", 0), ("divide, comb", 1)):
        for side in sides:
            found = measured(_BUILD, side, given.runs, shorter, given.threads)
            size = f"{side}x{side - shorter}"
            print(line(name, size, side * (side - shorter), found, 600), flush=True)
    for name in ENGINES:
        if name == "divide" or "construct" not in engine_named(name).abilities:
            continue
        for side in sides:
            found = measured(_CONSTRUCT, side, name, given.limit, limit=6 * given.limit + 60)
            print(line(name, f"{side}x{side}", side * side, found, given.limit), flush=True)
            if found is None or not found["found"]:
                break


if __name__ == "__main__":
    main()
