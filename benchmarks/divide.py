"""Tours of growing boards: divide and conquer compared with the other engines that construct tours.

    python benchmarks/divide.py [--largest CELLS] [--limit SECONDS] [--runs N] [--engines NAMES]
    python benchmarks/divide.py --scaling
    python benchmarks/divide.py --files

prints a Markdown table. Each measurement has its own process: CPU seconds without start-up and imports (for
divide the least of a few runs, on one thread), nanoseconds per cell, peak memory. An engine that exceeds the
limit, in wall-clock seconds, does not run on larger boards.

--scaling measures the wall-clock time to build and check the largest board on one thread, on two, and so on.
--files measures the wall-clock time of the command that writes this board in each format, and of the command
that checks the file, start-up included.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from ktsolve.engines.registry import ENGINES, engine_named
from ktsolve.problem.problem import TourProblem

SIDES = (32, 100, 316, 1000, 3162, 10_000)

_BUILD = """
import json, resource, sys, time
from ktsolve.base.limits import Settings
from ktsolve.engines.divide.construct import tour_steps
from ktsolve.graphs.tour import Tour
def cpu():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
rows, columns = int(sys.argv[1]), int(sys.argv[1]) - int(sys.argv[3])
tour_steps(7, 6), tour_steps(6, 6)  # imports and base boards
threads = int(sys.argv[4])
best, clock, kernel, check, check_clock = [1e9] * 5
for _ in range(int(sys.argv[2])):
    steps = None
    started, tick, inside = cpu(), time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF).ru_stime
    steps = tour_steps(rows, columns, settings=Settings(threads=threads))
    best, clock = min(best, cpu() - started), min(clock, time.perf_counter() - tick)
    kernel = min(kernel, resource.getrusage(resource.RUSAGE_SELF).ru_stime - inside)
    started, tick = cpu(), time.perf_counter()
    assert Tour.from_steps(steps, closed=True).first_violation(Settings(threads=threads)) is None
    check, check_clock = min(check, cpu() - started), min(check_clock, time.perf_counter() - tick)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
found = {"seconds": best, "clock": clock, "kernel": kernel, "check": check, "check_clock": check_clock}
print(json.dumps(found | {"peak": peak}))
"""

_CONSTRUCT = """
import json, resource, sys, time
from ktsolve.base.limits import Settings
from ktsolve.engines.registry import engine_named
from ktsolve.base.errors import LimitReached
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
    """Return the output of a script; None if it failed or exceeded the limit."""
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
    """Return one row of the table."""
    if found is None or not found.get("found", True):
        return f"| {name} | {side} | {cells:,} | not in {limit:g} s | | | |"
    seconds, check = found["seconds"], found.get("check")
    checked = "" if check is None else f"{check:.3g}"
    per_cell = f"{seconds / cells * 1e9:,.1f}"
    return (
        f"| {name} | {side} | {cells:,} | {seconds:.3g} | {per_cell} | {found['peak'] >> 20:,} | {checked} |"
    )


def yardstick(threads: int, runs: int) -> float:
    """Return the seconds in which independent threads hash 400 MB, as a reference for the speedup."""
    part = bytes(400_000_000 // threads)
    best = math.inf
    for _ in range(runs):
        started = time.perf_counter()
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda data: hashlib.sha256(data).digest(), [part] * threads))
        best = min(best, time.perf_counter() - started)
    return best


def scaling(side: int, runs: int) -> None:
    """Print the times of the largest board, and of independent work, by number of threads."""
    print("| | threads | built, s | of it CPU s | in the kernel | checked, s | of it CPU s |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    cores = os.cpu_count() or 1
    for threads in sorted({1, 2, cores // 2, cores} - {0}):
        print(f"| SHA-256 of 400 MB | {threads} | {yardstick(threads, runs):.3f} | | | | |", flush=True)
    for name, shorter in (("quarters", 0), ("comb", 1)):
        for threads in sorted({1, 2, cores // 2, cores} - {0}):
            found = measured(_BUILD, side, runs, shorter, threads)
            if found is not None:
                figures = (found[key] for key in ("clock", "seconds", "kernel", "check_clock", "check"))
                said = " | ".join(f"{figure:.3f}" for figure in figures)
                print(f"| {name}, {side}x{side - shorter} | {threads} | {said} |", flush=True)


_RUN = """
import json, resource, subprocess, sys
done = subprocess.run([sys.executable, "-m", "ktsolve", *sys.argv[1:]], capture_output=True, text=True)
assert done.returncode == 0, done
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)
"""


def files(side: int) -> None:
    """Print the time and memory of the commands that write a tour in each format and check it."""
    print("| format | MB | written, s | peak MiB | checked, s | peak MiB |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for form in ("npy", "moves", "grid"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"tour.{form}"
            row = []
            for arguments in (["tour", f"{side}x{side}", "--format", form, "-o", path], ["check", path]):
                started = time.perf_counter()
                peak = measured(_RUN, *arguments)
                row.append(f"{time.perf_counter() - started:.1f} | {peak or 0:,}")
            print(f"| {form} | {path.stat().st_size / 1e6:,.0f} | {' | '.join(row)} |", flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--largest", type=int, default=10**8)
    parser.add_argument("--limit", type=float, default=20.0)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument(
        "--engines", default=",".join(ENGINES), help="engines to compare with divide, separated by commas"
    )
    parser.add_argument("--scaling", action="store_true", help="measure numbers of threads instead")
    parser.add_argument("--files", action="store_true", help="measure files instead")
    given = parser.parse_args()
    if given.scaling or given.files:
        side = min(math.isqrt(given.largest) & ~1, SIDES[-1])
        scaling(side, given.runs) if given.scaling else files(side)
        return
    print("| engine | board | cells | CPU s | ns/cell | peak MiB | check, CPU s |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    sides = [side for side in SIDES if side * side <= given.largest]
    for name, shorter in (("divide, quarters", 0), ("divide, comb", 1)):
        for side in sides if "divide" in given.engines else ():
            found = measured(_BUILD, side, given.runs, shorter, 1)
            size = f"{side}x{side - shorter}"
            print(line(name, size, side * (side - shorter), found, 600), flush=True)
    plain = TourProblem(board="6x6", closed=True)
    for name in given.engines.split(","):
        if name == "divide" or engine_named(name).unsupported_feature("construct", plain):
            continue
        for side in sides:
            found = measured(_CONSTRUCT, side, name, given.limit, limit=6 * given.limit + 60)
            print(line(name, f"{side}x{side}", side * side, found, given.limit), flush=True)
            if found is None or not found["found"]:
                break


if __name__ == "__main__":
    main()
