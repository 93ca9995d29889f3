"""``ktsolve sudoku solve``, ``canonical``, ``same``, ``automorphisms``, ``random``: single grids."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.cli import options as opt
from ktsolve.cli.input import read_text
from ktsolve.cli.output import emit
from ktsolve.errors import BadInput

if TYPE_CHECKING:
    from ktsolve.sudoku.puzzle import Puzzle

PuzzleArgument = Annotated[
    str, typer.Argument(metavar="PUZZLE", help="Cells row by row, . for empty; or a file, or -.")
]
MaybeBoxOption = Annotated[str | None, opt.asked("--box", "Default: the square box that fits.", "RxC")]


def register(group: typer.Typer) -> None:
    """Add the commands."""
    for command in (solve, canonical, same, automorphisms, random):
        group.command(name=command.__name__)(command)


def _read(text: str, box: str | None) -> Puzzle:
    from ktsolve.ground.box import Box
    from ktsolve.sudoku.puzzle import Puzzle

    if text == "-" or (len(text) < 256 and "\0" not in text and os.path.isfile(text)):
        text = read_text(text, "a puzzle is digits, and . for empty cells")
    return Puzzle.read(text, None if box is None else Box.parse(box))


@opt.takes_work("timeout", "threads", "memory")
@opt.takes_output()
def solve(
    puzzle: PuzzleArgument,
    *,
    box: MaybeBoxOption = None,
    limit: Annotated[int | None, opt.asked("--count", "Count solutions, up to N.", "N", min=1)] = None,
    unique: Annotated[bool, opt.asked("--unique", "Prove that there is no other solution.")] = False,
    engine: opt.ModelEngineOption = "auto",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Solve a puzzle, count its solutions, or prove that it has exactly one."""
    from ktsolve.sudoku.puzzle import count_solutions, solutions

    if limit is not None and unique:
        raise BadInput("--count and --unique do not go together: give --count 2 to count, or --unique")
    started = time.perf_counter()
    given = _read(puzzle, box)
    question: dict[str, Any] = {"box": str(given.box), "puzzle": given.box.line(given.clues)}
    with out.working(work.settings, "sudoku", {**question, "status": "unknown"}) as settings:
        if limit is None:
            grids = solutions(given, 2 if unique else 1, engine, settings)
        else:
            counted = count_solutions(given, limit, settings)
    seconds = {"seconds": round(time.perf_counter() - started, 6)}
    if limit is not None:
        out.emit({**question, **counted.to_json(), **seconds}, str(counted))
        return 0 if counted.count else 1
    status = "impossible" if not grids else "several" if len(grids) > 1 else "found"
    data = {**question, "status": status}
    if grids:
        data["grid"] = given.box.line(grids[0])
    if unique:
        data["unique"] = status == "found"
    out.emit({**data, "engine": engine, **seconds}, given.box.draw(grids[0]) if grids else "no solution")
    if unique and grids and not out.json:
        emit("the only solution" if status == "found" else "not the only solution", None)
    return 0 if status == "found" else 1


@opt.takes_work("timeout", "memory")
@opt.takes_output("json", "output")
def canonical(
    puzzle: PuzzleArgument, *, box: MaybeBoxOption = None, work: opt.WorkOptions, out: opt.OutputOptions
) -> int:
    """Print the least grid among all symmetric images with renamed digits."""
    from ktsolve.sudoku.canonical import canonical as canonical_form

    given = _read(puzzle, box)
    with out.working(work.settings, "canonical form", {"box": str(given.box)}) as settings:
        found = canonical_form(given, settings)
    line = found.box.line(found.grid)
    out.emit({"box": str(found.box), "grid": line, "automorphisms": found.automorphisms}, line)
    return 0


@opt.takes_work("timeout", "memory")
@opt.takes_output("json", "output")
def same(
    one: PuzzleArgument,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="Another grid or puzzle, in the same forms.")],
    *,
    box: MaybeBoxOption = None,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Compare two grids or puzzles up to symmetry and names of digits."""
    from ktsolve.sudoku.canonical import same as are_same

    first, second = _read(one, box), _read(other, box)
    with out.working(work.settings, "canonical forms", {"box": str(first.box)}) as settings:
        answer = are_same(first, second, settings)
    out.emit({"box": str(first.box), "same": answer}, "the same" if answer else "different")
    return 0 if answer else 1


@opt.takes_work("timeout", "memory")
@opt.takes_output("json", "output")
def automorphisms(
    puzzle: PuzzleArgument, *, box: MaybeBoxOption = None, work: opt.WorkOptions, out: opt.OutputOptions
) -> int:
    """Count the symmetries that map a grid or puzzle to itself, up to names of digits."""
    from collections import Counter

    from ktsolve.sudoku.canonical import automorphisms as automorphisms_of
    from ktsolve.symmetry.groups import order_of

    given = _read(puzzle, box)
    with out.working(work.settings, "automorphisms", {"box": str(given.box)}) as settings:
        found = automorphisms_of(given, settings)
    orders = sorted(Counter(map(order_of, found)).items())
    data = {
        "box": str(given.box),
        "automorphisms": len(found),
        "cells": found,
        "orders": {str(order): number for order, number in orders},
    }
    by_order = ", ".join(f"{number} of order {order}" for order, number in orders)
    out.emit(data, f"{len(found)} automorphisms: {by_order}")
    return 0


@opt.takes_work("seed", "timeout")
@opt.takes_output()
def random(
    *,
    box: opt.BoxOption = "3x3",
    puzzle: Annotated[bool, opt.asked("--puzzle", "Make a puzzle with one solution.")] = False,
    clues: Annotated[int | None, opt.asked("--clues", "Number of clues. Default: minimal.", "K")] = None,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Make a random grid, or a random puzzle with exactly one solution; the same for the same seed."""
    from random import randrange

    from ktsolve.ground.box import Box
    from ktsolve.sudoku.puzzle import random_grid, random_puzzle

    shape = Box.parse(box)
    if clues is not None and not puzzle:
        raise BadInput(f"--clues {clues} is for puzzles: give --puzzle as well")
    seed = randrange(2**31) if work.seed is None else work.seed
    with out.working(work.settings, "random", {"box": str(shape), "seed": seed}) as settings:
        made = (
            random_puzzle(shape, seed, settings, clues=clues).clues
            if puzzle
            else random_grid(shape, seed, settings)
        )
    given = sum(digit != 0 for digit in made)
    data = {"box": str(shape), "grid": shape.line(made), "clues": given, "seed": seed}
    out.emit(data, shape.draw(made), f"seed {seed}")
    return 0
