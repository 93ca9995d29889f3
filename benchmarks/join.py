"""What counts of the engine ``join`` take: ``python benchmarks/join.py rates`` and ``... memory``.

``rates`` prints a table of states, entries, bytes and seconds for each of some boards, met and as
``count --estimate`` says before: the rates in ktsolve/engines/join/fitting.py are made from it. ``memory``
prints what the count of one board takes within smaller and smaller memory limits. Both give CPU time, which
depends less than others on what else the machine does. docs/counting.md has the table of ``memory``.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time

RATED = ("6x10", "7x8", "7x10", "8x8", "7x7 --open", "8x8 --open", "8x9", "8x10")
LIMITS = {"8x8": (400, 200, 150, 130, 120, 110, 105, 100), "6x12": (100, 60, 55)}


def rated(question: str) -> dict[str, float]:
    """The figures of one count with one thread; in a process of its own."""
    from ktsolve import Settings, TourProblem
    from ktsolve.engines.registry import engine_named

    board, *options = question.split()
    problem, settings = TourProblem(board, closed=not options), Settings(threads=1)
    join = engine_named("join")
    said = join.estimate(problem, settings)
    started = time.process_time()
    counted = join.count(problem, settings)
    taken = time.process_time() - started
    found = dict(counted.details or {})
    return {
        "said_states": said.states if said else 0,
        "said_bytes": said.bytes if said else 0,
        "said_seconds": said.seconds if said else 0,
        "taken": taken,
        "peak": counted.peak_bytes or 0,
        **found,
    }


def rates() -> None:
    """Print the table of rates."""
    print(
        "| tours | states joined | said / met | bytes a state | entries | ns an entry | patterns | "
        "join, us a pattern | MB, said / met | CPU s | said / met |"
    )
    print("| --- " + "| ---: " * 10 + "|")
    for question in RATED:
        command = [sys.executable, __file__, "--one", question]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        at = json.loads(done.stdout)
        halves, joined = 1e6 * at["halves_ms"] / at["transitions"], 1e3 * at["join_ms"] / at["patterns"]
        print(
            f"| {question} | {at['states']:,} | {at['said_states'] / at['states']:.2f} | "
            f"{at['table_bytes'] / at['states']:.1f} | {at['transitions']:,} | {halves:.1f} | "
            f"{at['patterns']:,} | {joined:.1f} | {at['said_bytes'] / at['peak']:.2f} | "
            f"{at['taken']:.2f} | {at['said_seconds'] / at['taken']:.2f} |",
            flush=True,
        )


def memory(board: str, limits: tuple[int, ...]) -> None:
    """Print what a count takes within limits in MiB."""
    print("| limit, MiB | passes | MB | CPU s | as a multiple |\n| ---: | ---: | ---: | ---: | ---: |")
    first = None
    for limit in limits:
        command = [sys.executable, "-m", "ktsolve", "count", board, "--memory", f"{limit}M", "--verbose"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert process.stdout is not None
        text = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        if status != 0:
            print(f"| {limit} | | | | {text.splitlines()[-1].removeprefix('ktsolve: ')} |", flush=True)
            continue
        cpu = used.ru_utime + used.ru_stime
        first = first or cpu
        found = re.search(r"in (\d+) passes", text)
        passes = f"some {found[1]}" if found else "none"
        print(
            f"| {limit} | {passes} | {used.ru_maxrss / 1000:.0f} | {cpu:.2f} | {cpu / first:.1f} |",
            flush=True,
        )


def main() -> int:
    """Print a table; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", nargs="?", choices=("rates", "memory"), help="the table to print")
    parser.add_argument("--board", default="8x8", choices=LIMITS, help="board of the table of memory")
    parser.add_argument(
        "--limits", type=int, nargs="+", metavar="MIB", help="other limits than the usual ones"
    )
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one is not None:
        print(json.dumps(rated(given.one)))
    elif given.table == "memory":
        memory(given.board, tuple(given.limits or LIMITS[given.board]))
    else:
        rates()
    return 0


if __name__ == "__main__":
    sys.exit(main())
