"""Closed tours of large boards by the SAT engine: any, with a required move, with moves forbidden at random.

``python benchmarks/large.py [--sides 30 100 ...]`` prints a table of CPU seconds from the question to the
judged tour, the best of three up to 100x100 and of one beyond.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from typing import Any

from ktsolve import Board, TourProblem, find

__all__ = ["main"]

_SIDES = (30, 100, 200, 400)


def _questions(side: int) -> dict[str, dict[str, Any]]:
    """What is asked; the forbidden moves are the same each time and spare the corners."""
    middle = side // 2
    corners = {(row, column) for row in (0, side - 1) for column in (0, side - 1)}
    moves = [move for move in Board(side, side).moves if corners.isdisjoint(move)]
    forbidden = random.Random(1).sample(moves, len(moves) // 50)
    return {
        "any tour": {},
        "one required move": {"require": [((middle, middle), (middle + 1, middle + 2))]},
        "2 % of the moves forbidden, at random": {"forbid": forbidden},
    }


def _seconds(side: int, asked: dict[str, Any]) -> float:
    """CPU seconds; the board is a new one, whose moves are not known yet."""
    problem = TourProblem(board=f"{side}x{side}", closed=True, **asked)
    started = time.process_time()
    answer = find(problem, "sat")
    taken = time.process_time() - started
    assert answer.tour is not None
    assert problem.check(answer.tour) is None
    return taken


def main(arguments: Sequence[str]) -> int:
    """Measure and print; returns the exit status."""
    parser = argparse.ArgumentParser(prog="large.py", description="Large closed tours by SAT.")
    parser.add_argument("--sides", type=int, nargs="+", default=list(_SIDES), help="even, from 8")
    sides = parser.parse_args(arguments).sides
    if any(side < 8 or side % 2 for side in sides):
        parser.error("give even sides, 8 or more")
    rows: dict[str, list[str]] = {}
    for side in sides:
        for name, asked in _questions(side).items():
            best = min(_seconds(side, asked) for _ in range(3 if side <= 100 else 1))
            rows.setdefault(name, []).append(f"{best:.2g} s")
    print(f"| closed | {' | '.join(f'{side}x{side}' for side in sides)} |")
    print(f"| --- |{' --- |' * len(sides)}")
    for name, times in rows.items():
        print(f"| {name} | {' | '.join(times)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
