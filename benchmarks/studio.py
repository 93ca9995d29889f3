"""The module of the studio in Node against the native core on one thread, by time of the processor.

``python benchmarks/studio.py`` prints a table; each number is the least of the runs. Node runs the same
engine of JavaScript as Chromium. The memory is that of the module.

How the module is compiled was chosen by this table (closed 8x8, counted and prepared):

- ``-mbulk-memory -msign-ext -mnontrapping-fptoint``: a fifth less time; kept
- large vectors rounded up to 64 KiB, not to the huge pages of 2 MiB: 187 MB instead of 203, and 445 instead
  of 505; kept
- ``-msse4.1``, with which the scan of ``line_scan_kernel.hpp`` takes four numbers at once; rows of eight
  lanes made of four columns at once; memory asked for by the MiB, not by 64 KiB: a quarter
  less time together; kept
- ``-flto``: the same time within the noise, 3 % larger; not kept
- ``-s MALLOC=emmalloc``: 5 % more time, the same memory; not kept
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

from studio_tasks import answers

import ktsolve
from ktsolve.base.limits import Settings
from ktsolve.problem.problem import TourProblem

ONE = Settings(threads=1)

CASES: tuple[tuple[str, str, str], ...] = (
    ("count", "7x7", "open"),
    ("count", "8x8", "closed"),
    ("prepare", "8x8", "closed"),
)


def native(task: str, board: str, tours: str) -> None:
    """The task by engine ``join`` in this process."""
    problem = TourProblem(board=board, closed=tours == "closed")
    if task == "count":
        ktsolve.count(problem, engine="join", settings=ONE)
    else:
        ktsolve.tours(problem, engine="join", settings=ONE)


def in_node(task: str, board: str, tours: str) -> tuple[float, float]:
    """Seconds of the processor and bytes of the module."""

    def used() -> float:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return children.ru_utime + children.ru_stime

    before = used()
    (answer,) = answers({"task": task, "fields": {"board": board, "tours": tours}})
    return used() - before, float(answer["bytes"])


def timed(work: Callable[[], object]) -> float:
    """Seconds of the processor."""
    before = time.process_time()
    work()
    return time.process_time() - before


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="runs of each (default: 3)")
    runs = parser.parse_args(arguments).runs
    print(
        "| task | board | native, s | module, s | ratio | memory, MB |\n| --- | --- | --- | --- | --- | --- |"
    )
    for task, board, tours in CASES:
        first = min(timed(partial(native, task, board, tours)) for _ in range(runs))
        seconds, size = min(in_node(task, board, tours) for _ in range(runs))
        row = (
            task,
            f"{tours} {board}",
            f"{first:.2f}",
            f"{seconds:.2f}",
            f"{seconds / first:.2f}",
            f"{size / 1e6:.0f}",
        )
        print(f"| {' | '.join(row)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
