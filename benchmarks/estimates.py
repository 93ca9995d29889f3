"""Compare what ``--estimate`` says with the CPU time that counts take: ``python benchmarks/estimates.py``.

Each question is answered in a process of its own, with one thread, and its CPU time is that of this process
without the imports: the load of the machine does not matter. ``--only TEXT`` takes the questions that contain
a text, ``--limit SECONDS`` stops each. The table is in docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from typing import Any

QUESTIONS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("frontier", "5x12", {}),
    ("frontier", "6x7", {}),
    ("frontier", "6x8", {}),
    ("frontier", "7x8", {}),
    ("frontier", "5x8", {"closed": False}),
    ("frontier", "6x6", {"closed": False}),
    ("frontier", "6x7", {"closed": False, "start": "a1"}),
    ("frontier", "6x7", {"closed": False, "start": "a1", "end": "b1"}),
    ("frontier", "graph:king:7x7", {}),
    ("frontier", "graph:king:8x8", {}),
    ("frontier", "graph:king:7x7", {"closed": False}),
    ("frontier", "graph:king:8x8", {"closed": False}),
    ("frontier", "graph:king:9x9", {"closed": False}),
    ("frontier", "graph:king:6x20", {"closed": False}),
    ("frontier", "graph:king:9x9", {}),
    ("frontier", "graph:grid:12x12", {}),
    ("frontier", "graph:grid:14x14", {}),
    ("frontier", "graph:grid:9x9", {"closed": False}),
    ("frontier", "graph:grid:11x11", {"closed": False}),
    ("frontier", "graph:grid:3x4x5", {}),
    ("frontier", "graph:hypercube:5", {}),
    ("frontier", "graph:random-regular:3,80,1", {"closed": False}),
    ("frontier", "graph:random-regular:4,36,1", {}),
    ("frontier", "graph:random-regular:4,36,1", {"closed": False}),
    ("frontier", "graph:complete:14", {}),
    ("frontier", "8x8", {"symmetry": "rot180"}),
    ("join", "6x8", {}),
    ("join", "6x10", {}),
    ("join", "7x8", {}),
    ("join", "6x12", {}),
    ("join", "8x8", {}),
    ("join", "7x7", {"closed": False, "start": "a1", "end": "c1"}),
    ("search", "5x8", {}),
    ("search", "6x6", {}),
    ("search", "5x6", {"closed": False}),
    ("search", "graph:grid:7x8", {}),
    ("search", "graph:king:5x5", {}),
    ("quotient", "8x8", {"symmetry": "rot180"}),
    ("quotient", "12x12", {"symmetry": "rot90"}),
    ("quotient", "7x10", {"symmetry": "rot180"}),
    ("strip", "5x30", {}),
    ("strip", "5x400", {}),
    ("strip", "5x1500", {}),
    ("strip", "4x800", {"closed": False}),
    ("strip", "5x40", {"closed": False}),
)
"""Engine, board or graph, and conditions; each takes 0.2 to 20 s."""


def answered(engine: str, ground: str, stated: dict[str, Any]) -> dict[str, Any]:
    """What the estimate says, and what the count takes; in a process of its own."""
    from ktsolve import Settings, TourProblem
    from ktsolve.engines.registry import engine_named

    problem, settings = TourProblem(ground, **{"closed": True, **stated}), Settings(threads=1)
    chosen = engine_named(engine)
    said = chosen.estimate(problem, settings)
    started = time.process_time()
    counted = chosen.count(problem, settings)
    taken = time.process_time() - started
    return {
        "said": None if said is None else said.seconds,
        "states": None if said is None else said.states,
        "taken": taken,
        "peak_states": (counted.details or {}).get("peak_states"),
    }


def main() -> int:
    """Print the table; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only questions that contain this text")
    parser.add_argument("--limit", type=float, default=120, help="wall-clock seconds of each question")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one is not None:
        print(json.dumps(answered(*json.loads(given.one))))
        return 0
    print("| engine | question | said s | taken s (CPU) | said / taken | states said / met |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    within = total = 0
    for engine, ground, stated in QUESTIONS:
        shown = " ".join([ground, *(f"{key} {value}" for key, value in stated.items())])
        shown = shown.replace("closed False", "open")
        if given.only not in f"{engine} {shown}":
            continue
        line = json.dumps([engine, ground, stated])
        try:
            done = subprocess.run(
                [sys.executable, __file__, "--one", line], capture_output=True, text=True, timeout=given.limit
            )
            found = json.loads(done.stdout)
        except (subprocess.TimeoutExpired, ValueError) as error:
            print(f"| {engine} | {shown} | {type(error).__name__} |", flush=True)
            continue
        if found["said"] is None:
            print(f"| {engine} | {shown} | nothing | {found['taken']:.2f} | | |", flush=True)
            continue
        ratio = found["said"] / found["taken"]
        within, total = within + (1 / 3 <= ratio <= 3), total + 1
        met = f"{found['states'] / found['peak_states']:.2g}" if found["peak_states"] else ""
        print(
            f"| {engine} | {shown} | {found['said']:.2f} | {found['taken']:.2f} | {ratio:.2g} | {met} |",
            flush=True,
        )
    print(f"\n{within} of {total} within a factor of 3.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
