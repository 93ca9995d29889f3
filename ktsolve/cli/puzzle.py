"""``ktsolve sudoku solve``, ``canonical``, ``same``, ``automorphisms``, ``random``: single grids."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.cli import options as opt
from ktsolve.cli.limits import backstop
from ktsolve.cli.output import emit, emit_json, json_when_stopped, remark, with_progress
from ktsolve.errors import BadInput

if TYPE_CHECKING:
    from ktsolve.ground.box import Grid
    from ktsolve.settings import Settings
    from ktsolve.sudoku.puzzle import Puzzle, Solutions

_ASKED = "What is asked"
_LARGEST_FILE = 1 << 20

PuzzleArgument = Annotated[
    str, typer.Argument(metavar="PUZZLE", help="Its cells row by row, . for empty; or a file, or -.")
]
MaybeBoxOption = Annotated[
    str | None,
    typer.Option("--box", metavar="RxC", help="Default: the square box that fits.", rich_help_panel=_ASKED),
]


def register(group: typer.Typer) -> None:
    """Add the commands."""
    group.command(name="solve")(solve)
    group.command(name="canonical")(canonical)
    group.command(name="same")(same)
    group.command(name="automorphisms")(automorphisms)
    group.command(name="random")(random)


def _read(text: str, box: str | None) -> Puzzle:
    from ktsolve.ground.box import Box
    from ktsolve.sudoku.puzzle import Puzzle

    try:
        if text == "-":
            text = sys.stdin.read(_LARGEST_FILE)
        elif len(text) < 256 and os.path.isfile(text):
            with Path(text).open(encoding="utf-8") as stream:
                text = stream.read(_LARGEST_FILE)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise BadInput(f"{text[:60]}: cannot be read: {reason}") from None
    return Puzzle.read(text, None if box is None else Box.parse(box))


def solve(
    puzzle: PuzzleArgument,
    box: MaybeBoxOption = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--count", metavar="N", help="Count solutions, up to N, natively.", min=1, rich_help_panel=_ASKED
        ),
    ] = None,
    unique: Annotated[
        bool,
        typer.Option("--unique", help="Prove that there is no other solution.", rich_help_panel=_ASKED),
    ] = False,
    engine: opt.ModelEngineOption = "auto",
    timeout: opt.TimeoutOption = None,
    threads: opt.ThreadsOption = None,
    memory: opt.MemoryOption = None,
    json: opt.JsonOption = False,
    output: opt.OutputOption = None,
    quiet: opt.QuietOption = False,
) -> int:
    """Solve a puzzle, count its solutions, or prove that it has exactly one."""
    if limit is not None and unique:
        raise BadInput(
            "--count and --unique do not go together: --count 2 tells as well whether there is one"
        )
    settings = opt.make_settings(timeout, memory, threads, None, None)
    started = time.perf_counter()
    given = _read(puzzle, box)
    question = {"box": str(given.box), "puzzle": given.box.line(given.clues)}
    with (
        backstop(settings.timeout),
        json_when_stopped(json, {**question, "status": "unknown"}, output),
        with_progress(settings, "sudoku", quiet=quiet) as watched,
    ):
        if limit is not None:
            counted = _counted(given, limit, watched)
            return _tell_count(given, counted, question, started, json, output)
        grid = _solved(given, engine, watched)
        one = grid is not None and unique and _proved(given, engine, watched)
    status = "impossible" if grid is None else "several" if unique and not one else "found"
    if json:
        data: dict[str, Any] = {**question, "status": status}
        if grid is not None:
            data["grid"] = given.box.line(grid)
        if unique:
            data["unique"] = one
        emit_json({**data, "engine": engine, "seconds": round(time.perf_counter() - started, 6)}, output)
    elif grid is None:
        emit("no solution", output)
    else:
        emit(given.box.draw(grid), output)
        if unique:
            emit("the only solution" if one else "not the only solution", None)
    return 0 if status == "found" else 1


def _solved(given: Puzzle, engine: str, settings: Settings) -> Grid | None:
    from ktsolve.errors import WrongAnswer
    from ktsolve.sudoku.puzzle import solve as solve_puzzle

    grid = solve_puzzle(given, engine, settings)
    if grid is not None and (fault := given.fault(grid)):
        raise WrongAnswer(f"engine {engine} gave a wrong solution: {fault}")
    return grid


def _proved(given: Puzzle, engine: str, settings: Settings) -> bool:
    from ktsolve.sudoku.puzzle import is_unique

    return is_unique(given, engine, settings)


def _counted(given: Puzzle, limit: int, settings: Settings) -> Solutions:
    from ktsolve.sudoku.puzzle import count_solutions

    return count_solutions(given, limit, settings)


def _tell_count(
    given: Puzzle,
    counted: Solutions,
    question: dict[str, str],
    started: float,
    json: bool,
    output: str | None,
) -> int:
    if json:
        seconds = round(time.perf_counter() - started, 6)
        data = {"count": str(counted.count), "complete": counted.all_found, "seconds": seconds}
        emit_json({**question, **data}, output)
    else:
        more = "" if counted.all_found else " and more"
        emit(
            f"{counted.count}{more} {'solution' if counted.count == 1 and not more else 'solutions'}", output
        )
    return 0 if counted.count else 1


def canonical(
    puzzle: PuzzleArgument,
    box: MaybeBoxOption = None,
    timeout: opt.TimeoutOption = None,
    memory: opt.MemoryOption = None,
    json: opt.JsonOption = False,
    output: opt.OutputOption = None,
) -> int:
    """The least grid that symmetries and new names of digits lead to."""
    from ktsolve.sudoku.canonical import canonical as canonical_form

    settings = opt.make_settings(timeout, memory, None, None, None)
    given = _read(puzzle, box)
    with backstop(settings.timeout):
        found = canonical_form(given, settings)
    if json:
        line = found.box.line(found.grid)
        emit_json({"box": str(found.box), "grid": line, "automorphisms": found.automorphisms}, output)
    else:
        emit(found.box.line(found.grid), output)
    return 0


def same(
    one: PuzzleArgument,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="Another, in the same way.")],
    box: MaybeBoxOption = None,
    timeout: opt.TimeoutOption = None,
    memory: opt.MemoryOption = None,
    json: opt.JsonOption = False,
    output: opt.OutputOption = None,
) -> int:
    """Tell whether two grids or puzzles are the same up to symmetry and names of digits."""
    from ktsolve.sudoku.canonical import same as are_same

    settings = opt.make_settings(timeout, memory, None, None, None)
    first, second = _read(one, box), _read(other, box)
    with backstop(settings.timeout):
        answer = are_same(first, second, settings)
    if json:
        emit_json({"box": str(first.box), "same": answer}, output)
    else:
        emit("the same" if answer else "different", output)
    return 0 if answer else 1


def automorphisms(
    puzzle: PuzzleArgument,
    box: MaybeBoxOption = None,
    timeout: opt.TimeoutOption = None,
    memory: opt.MemoryOption = None,
    json: opt.JsonOption = False,
    output: opt.OutputOption = None,
) -> int:
    """The symmetries that carry a grid or puzzle to itself, but for the names of digits."""
    from collections import Counter

    from ktsolve.sudoku.canonical import automorphisms as automorphisms_of
    from ktsolve.symmetry.groups import order_of

    settings = opt.make_settings(timeout, memory, None, None, None)
    given = _read(puzzle, box)
    with backstop(settings.timeout):
        found = automorphisms_of(given, settings)
    orders = sorted(Counter(map(order_of, found)).items())
    if json:
        data = {"box": str(given.box), "automorphisms": len(found), "cells": [list(each) for each in found]}
        emit_json({**data, "orders": {str(order): number for order, number in orders}}, output)
    else:
        words = ", ".join(f"{number} of order {order}" for order, number in orders)
        emit(f"{len(found)} automorphisms: {words}", output)
    return 0


def random(
    box: opt.BoxOption = "3x3",
    puzzle: Annotated[
        bool, typer.Option("--puzzle", help="A puzzle with one solution.", rich_help_panel=_ASKED)
    ] = False,
    clues: Annotated[
        int | None,
        typer.Option(
            "--clues", metavar="K", help="With so many clues; else minimal.", rich_help_panel=_ASKED
        ),
    ] = None,
    seed: opt.SeedOption = None,
    timeout: opt.TimeoutOption = None,
    json: opt.JsonOption = False,
    output: opt.OutputOption = None,
    quiet: opt.QuietOption = False,
) -> int:
    """A random grid, or a random puzzle with exactly one solution; the same for the same seed."""
    from random import randrange

    from ktsolve.ground.box import Box
    from ktsolve.sudoku.samples import random_grid, random_puzzle

    shape = Box.parse(box)
    settings = opt.make_settings(timeout, None, None, seed, None)
    chosen = randrange(2**31) if settings.seed is None else settings.seed
    if clues is not None and not puzzle:
        raise BadInput("--clues says how many clues a puzzle has: give --puzzle as well")
    with backstop(settings.timeout):
        if puzzle:
            made = random_puzzle(shape, chosen, settings, clues=clues).clues
        else:
            made = random_grid(shape, chosen, settings)
    if json:
        given = sum(digit != 0 for digit in made)
        emit_json({"box": str(shape), "grid": shape.line(made), "clues": given, "seed": chosen}, output)
    else:
        emit(shape.draw(made), output)
        remark(f"seed {chosen}", quiet=quiet)
    return 0
