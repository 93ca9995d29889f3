"""What counts of ``join`` and ``frontier`` take: ``rates``, ``memory`` or ``twice`` as the first argument.

``rates`` prints a table of states, entries, bytes and seconds for each of some boards, met and as
``count --estimate`` says before: the rates in ktsolve/engines/join/fitting.py are made from it. ``memory``
prints what one count takes within smaller and smaller memory limits, of a board or with the options of a
command (``--board "7x8 --engine frontier"``). Both give CPU time, which depends less than others on what else
the machine does. docs/counting.md and docs/frontier.md have the tables of ``memory``.

``twice --board 8x17`` counts closed tours of a large board in two ways that share no table: exactly by the
best plan, and modulo a prime by the best one with another separator, or with ``--spill DIR`` by the same one
in other blocks. It prints both as a JSON object.
``twice --board 8xN --upto 31`` does so for all lengths of a strip: the sweep modulo a prime has halves that
differ by two columns or three. It prints docs/counts/closed-8xN.csv, and the CPU time to standard error.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ktsolve import Settings
    from ktsolve.engines.join.plan import JoinPlan

RATED = ("6x10", "7x8", "7x10", "8x8", "7x7 --open", "8x8 --open", "8x9", "8x10")
LIMITS = {
    "8x8": (400, 200, 150, 130, 120, 110, 105, 100),
    "6x12": (100, 60, 55),
    "7x8 --engine frontier": (1500, 700, 600, 500, 450),
    "graph:hypercube:5 --engine frontier": (300, 110, 100, 90, 80),
    "graph:grid:16x16 --engine frontier": (300, 110, 100, 90, 80),
}


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
        command = [
            sys.executable,
            "-m",
            "ktsolve",
            "count",
            *board.split(),
            "--memory",
            f"{limit}M",
            "--verbose",
        ]
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
        passes = f"about {found[1]}" if found else "none"
        print(
            f"| {limit} | {passes} | {used.ru_maxrss / 1000:.0f} | {cpu:.2f} | {cpu / first:.1f} |",
            flush=True,
        )


def in_more_blocks(plan: JoinPlan, settings: Settings) -> JoinPlan:
    """The plan in blocks by one set of cells more than those of its count in passes, the fastest such."""
    from ktsolve.engines.join.fitting import fits
    from ktsolve.engines.join.passes import with_blocks

    sets = 1 + len(next(fits(plan, settings)).plan.blocks)
    divided = [with_blocks(plan, sets, settings.memory_budget / layers) for layers in (2, 4, 12)]
    possible = [each for each in divided if each is not None]
    if not possible:
        raise SystemExit(f"{plan.name}: there are no blocks by {sets} sets of cells")
    return min(possible, key=lambda each: next(fits(each, settings)).seconds)


def twice(board: str, modulus: int, memory: str, spill: str | None) -> None:
    """Print the number of closed tours, and the residue that confirms it.

    The residue has another separator; with a folder for passes the same in blocks by one set of cells more.
    """
    from ktsolve import Settings, TourProblem
    from ktsolve.base.limits import Clock
    from ktsolve.engines.join.planning import plans_for
    from ktsolve.engines.join.run import count_along, residue_along
    from ktsolve.problem.cycle_graph import CycleGraph

    problem, settings = TourProblem(board, closed=True), Settings(memory=memory, spill=spill)
    best, *others = plans_for(problem, CycleGraph.of(problem))
    if spill is None:
        lines = {frozenset(map(len, (best.top, best.bottom)))}
        other = next(plan for plan in others if frozenset(map(len, (plan.top, plan.bottom))) not in lines)
        confirmed_by = other.name
    else:
        other = in_more_blocks(best, settings)
        confirmed_by = f"{other.name}, blocks by {len(other.blocks)} of the separator's sets of cells"
    times = [time.process_time()]
    count = count_along(problem, best, settings, Clock(settings)).count
    times.append(time.process_time())
    residue = residue_along(problem, other, settings, Clock(settings), modulus)
    times.append(time.process_time())
    if count % modulus != residue:
        raise SystemExit(f"{board}: {count} by {best.name}, but {residue} modulo {modulus} by {confirmed_by}")
    said = {"board": board, "count": str(count), "by": best.name, "cpu_s": round(times[1] - times[0])}
    said |= {"modulus": modulus, "residue": residue, "confirmed_by": confirmed_by}
    print(json.dumps(said | {"confirmed_cpu_s": round(times[2] - times[1])}), flush=True)


def twice_strip(strip: str, upto: int, modulus: int, memory: str) -> None:
    """Print the number of closed tours of each length, and the residue by another cut that confirms it."""
    from ktsolve import Settings
    from ktsolve.engines.strip.joined import JoinedStrip
    from ktsolve.engines.strip.shape import StripShape

    joined, settings = JoinedStrip(StripShape.parse(strip, closed=True)), Settings(memory=memory)
    times = [time.process_time()]
    swept = joined.sweep(upto, settings, modulus, apart=2)
    residues = {n: number * pow(divisor, -1, modulus) % modulus for n, number, divisor in swept}
    times.append(time.process_time())
    print(f"{times[1] - times[0]:.0f} s of CPU modulo {modulus}", file=sys.stderr)
    print(f"length,tours,modulo {modulus} by another cut", flush=True)
    for length, count in enumerate(joined.counts(upto, settings), 1):
        if count % modulus != residues.get(length, count % modulus):
            raise SystemExit(f"{strip}, length {length}: {count}, but {residues[length]} modulo {modulus}")
        print(f"{length},{count},{residues.get(length, '')}", flush=True)
    taken = time.process_time() - times[1]
    print(f"{taken:.0f} s of CPU for the numbers, {joined.peak_bytes:,} bytes of tables", file=sys.stderr)


def main() -> int:
    """Print a table; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", nargs="?", choices=("rates", "memory", "twice"), help="what to print")
    parser.add_argument("--board", default="8x8", help=f"board to count; for memory {' or '.join(LIMITS)}")
    parser.add_argument("--upto", type=int, default=20, help="greatest length of a strip")
    parser.add_argument("--modulus", type=int, default=2**31 - 1, help="modulus of the second count")
    parser.add_argument("--memory", default="14G", help="memory limit of the counts made twice")
    parser.add_argument("--spill", help="folder for the passes of counts made twice")
    parser.add_argument(
        "--limits", type=int, nargs="+", metavar="MIB", help="other limits than the usual ones"
    )
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one is not None:
        print(json.dumps(rated(given.one)))
    elif given.table == "memory":
        memory(given.board, tuple(given.limits or LIMITS.get(given.board, LIMITS["8x8"])))
    elif given.table == "twice" and "N" in given.board:
        twice_strip(given.board, given.upto, given.modulus, given.memory)
    elif given.table == "twice":
        twice(given.board, given.modulus, given.memory, given.spill)
    else:
        rates()
    return 0


if __name__ == "__main__":
    sys.exit(main())
