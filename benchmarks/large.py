"""Tours of large boards by the SAT engine: closed and open ones, with required and forbidden moves, holes.

``python benchmarks/large.py [--sides 30 100 ...]`` prints a table of CPU seconds from the question to the
checked tour: the best of three runs up to 100x100, one run on larger boards.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from ktsolve import Board, TourProblem, find

__all__ = ["main"]

_SIDES = (30, 100, 200, 400, 1000)


def _questions(side: int) -> dict[str, dict[str, Any]]:
    """Return the questions. The forbidden moves are the same each time; none is at a corner."""
    board, middle = Board(side, side), side // 2
    corners = [board.place((row, column)) for row in (0, side - 1) for column in (0, side - 1)]
    inner = np.flatnonzero(~np.isin(board.edges, corners).any(axis=1)).tolist()
    forbidden = board.edges[random.Random(1).sample(inner, len(inner) // 50)].tolist()
    hole = board.name((middle, middle)), board.name((middle, middle + 1))
    return {
        "closed": {},
        "open": {"closed": False},
        "open, both ends given": {"closed": False, "start": "a1", "end": board.name((0, 0))},
        "closed, one required move": {"require": [((middle, middle), (middle + 1, middle + 2))]},
        "closed, two cells left out": {"without": " ".join(hole)},
        "closed, 2 % of the moves forbidden, at random": {"forbid": list(map(board.cells_of, forbidden))},
    }


def _seconds(side: int, asked: dict[str, Any]) -> float:
    """Return the CPU seconds of a question on a new board, whose moves are not cached."""
    problem = TourProblem(f"{side}x{side}", **asked)
    started = time.process_time()
    answer = find(problem, "sat")
    taken = time.process_time() - started
    assert answer.tour is not None
    assert problem.check(answer.tour) is None
    return taken


def main(arguments: Sequence[str]) -> int:
    """Print the table. Return the exit status."""
    parser = argparse.ArgumentParser(prog="large.py", description="Large tours by SAT.")
    parser.add_argument(
        "--sides", type=int, nargs="+", default=list(_SIDES), help="sides of the boards: even, from 8"
    )
    sides = parser.parse_args(arguments).sides
    if any(side < 8 or side % 2 for side in sides):
        parser.error(f"sides must be even and at least 8, not {sides}")
    rows: dict[str, list[str]] = {}
    for side in sides:
        for name, asked in _questions(side).items():
            best = min(_seconds(side, asked) for _ in range(3 if side <= 100 else 1))
            rows.setdefault(name, []).append(f"{best:.2g} s")
    print(f"| | {' | '.join(f'{side}x{side}' for side in sides)} |")
    print(f"| --- |{' --- |' * len(sides)}")
    for name, times in rows.items():
        print(f"| {name} | {' | '.join(times)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
