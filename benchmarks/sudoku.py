"""Sudoku: each method compared with a plain method, measured in the same run.

``python benchmarks/sudoku.py [--long]`` prints a table; ratios are relative to the plain method of the task.
The answers of both methods are compared. ``--long`` adds a 3x3 band by plain search, which takes about a
minute.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import factorial

from ktsolve.grids.box import Box
from ktsolve.wings.sudoku.bands import bands_each, complete, complete_by_search, reduced_bands
from ktsolve.wings.sudoku.grids import count_grids
from ktsolve.wings.sudoku.puzzle import Puzzle, count_solutions
from ktsolve.wings.sudoku.stages import bands_by_model, run_stage, total_of
from ktsolve.wings.sudoku.symmetries import cell_classes, essentially_different

__all__ = ["main"]


@dataclass(frozen=True)
class Task:
    """A question, a plain method to answer it, and other methods."""

    name: str
    plain: tuple[str, Callable[[], object]]
    others: tuple[tuple[str, Callable[[], object]], ...]


def _total_by_bands(box: Box) -> int:
    """Return the total by a plain search over every reduced band."""
    bands = reduced_bands(box)
    found = sum(complete_by_search(box, bands[number]) for number in range(len(bands)))
    return factorial(box.side) * bands_each(box) * found


def _different_by_listing(box: Box) -> int:
    """Return the number of classes by Burnside's lemma, from a list of all grids up to names."""
    everything = count_solutions(Puzzle(box, (0,) * box.cells), 10**6, keep=10**6).grids
    unnamed = {_unnamed(grid) for grid in everything}
    classes = cell_classes(box)
    total = sum(
        each.size * sum(_unnamed([grid[i] for i in each.images]) == grid for grid in unnamed)
        for each in classes
    )
    return total // sum(each.size for each in classes)


def _unnamed(grid: Sequence[int]) -> tuple[int, ...]:
    name: dict[int, int] = {}
    return tuple(name.setdefault(digit, len(name) + 1) for digit in grid)


def _total_by_chain(box: Box) -> int:
    result = run_stage(box, "permutations")
    assert result.bands is not None
    return total_of(result.classes(complete(box, [result.bands[first] for first in result.firsts])), box)


def _tasks(long: bool) -> list[Task]:
    small, three = Box(2, 3), Box(3, 3)
    native = reduced_bands(three)
    tasks = [
        Task(
            "total 2x3",
            ("every band by search", lambda: _total_by_bands(small)),
            (("column sets", lambda: count_grids(small).total),),
        ),
        Task(
            "total 3x3",
            ("416 bands by their column sets", lambda: _total_by_chain(three)),
            (("44 classes by column sets", lambda: count_grids(three).total),),
        ),
        Task(
            "different 2x2",
            ("all grids listed", lambda: _different_by_listing(Box(2, 2))),
            (("covers by orbits of templates", lambda: essentially_different(Box(2, 2)).count),),
        ),
        Task(
            "reduced bands 3x3",
            ("SAT", lambda: len(bands_by_model(three, "sat"))),
            (("native", lambda: len(reduced_bands(three))),),
        ),
    ]
    if long:
        tasks.append(
            Task(
                "one band 3x3",
                ("plain search", lambda: [complete_by_search(three, native[0])]),
                (("column sets", lambda: complete(three, [native[0]])),),
            )
        )
    return tasks


def _timed(work: Callable[[], object]) -> tuple[object, float]:
    started = time.perf_counter()
    answer = work()
    return answer, time.perf_counter() - started


def main(arguments: Sequence[str]) -> int:
    """Print the table. Return the exit status: 1 if two methods disagree."""
    if set(arguments) - {"--long"}:
        print("sudoku.py: the only option is --long", file=sys.stderr)
        return 2
    wrong = False
    print("| task | method | s | ratio |\n| --- | --- | --- | --- |")
    for task in _tasks("--long" in arguments):
        answer, plain = _timed(task.plain[1])
        print(f"| {task.name} | {task.plain[0]} | {plain:.4f} | 1 |", flush=True)
        for name, work in task.others:
            other, seconds = _timed(work)
            agrees = "" if other == answer else f" **wrong: {other}, not {answer}**"
            wrong = wrong or bool(agrees)
            print(f"| {task.name} | {name}{agrees} | {seconds:.4f} | {seconds / plain:.2g} |", flush=True)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
