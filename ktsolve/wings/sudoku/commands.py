"""``ktsolve sudoku``: puzzles and single grids, all grids, bands."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.cli import options as opt
from ktsolve.cli.help import HelpGroup
from ktsolve.cli.input import read_text
from ktsolve.cli.output import emit, emit_json, remark, with_progress
from ktsolve.cli.output_format import ANSWER, COUNT, STILL, Writes
from ktsolve.cli.tour_order import NEGATIVE_NUMBERS, IndicesArgument, range_of, read_bounds
from ktsolve.cli.tour_output import emit_picture
from ktsolve.grids.box import Box

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.grids.box import Grid
    from ktsolve.wings.sudoku.puzzle import Puzzle

PuzzleArgument = Annotated[
    str, typer.Argument(metavar="PUZZLE", help="Cells row by row, . for empty; or a file, or -.")
]
BoxOption = Annotated[str, opt.problem_option("--box", "Rows and columns of a sudoku box.", "RxC")]
MaybeBoxOption = Annotated[
    str | None, opt.problem_option("--box", "Default: the square box that fits.", "RxC")
]

GRIDS = Writes("a grid of digits", (*ANSWER.formats, *STILL.formats))
"""What commands on single grids write."""

_MOST_GRIDS = 1_000_000
_LONGEST_ROW = 2 * 16
"""Characters of a row of a grid, with marks between its boxes."""

BANDS = Writes("a table of bands", COUNT.formats)
"""What ``sudoku bands`` writes."""

_HELP = """Sudoku grids: count, classify bands, solve, compare.

Examples
--------
ktsolve sudoku random --puzzle             # a puzzle
ktsolve sudoku unique puzzle.txt           # its only solution
ktsolve sudoku count --box 2x3             # 28200960 grids
"""


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(cls=HelpGroup, help=_HELP, no_args_is_help=True)
    for command in (count, bands, solve, unique, canonical, same, automorphisms, random, rank):
        group.command(name=command.__name__)(command)
    group.command(name="unrank", context_settings=NEGATIVE_NUMBERS)(unrank)
    app.add_typer(group, name="sudoku")


def _read(text: str, box: str | None, settings: Settings) -> Puzzle:
    from ktsolve.wings.sudoku.puzzle import Puzzle

    if text == "-" or (len(text) < 256 and "\0" not in text and os.path.isfile(text)):
        text = read_text(text, "a puzzle is digits, and . for empty cells", settings)
    return Puzzle.read(text, None if box is None else Box.parse(box))


@opt.takes_work("timeout", "threads", "memory")
@opt.takes_output(writes=GRIDS)
def solve(
    puzzle: PuzzleArgument,
    *,
    box: MaybeBoxOption = None,
    limit: Annotated[
        int | None, opt.problem_option("--count", "Count solutions, up to N.", "N", min=1)
    ] = None,
    engine: opt.ModelEngineOption = "auto",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Solve a puzzle, or count its solutions.

    Examples
    --------
    ktsolve sudoku solve 1.3..........2..        # 4x4, row by row
    ktsolve sudoku solve puzzle.txt --count 100  # how many solutions, up to 100
    """
    from ktsolve.wings.sudoku.puzzle import count_solutions

    if limit is None:
        return _solve(puzzle, box, engine, work, out, unique=False)
    _check_one(out, "--count")
    started = time.perf_counter()
    given = _read(puzzle, box, work.settings)
    question = _puzzle_fields(given)
    with out.reporting(work.settings, "sudoku", {**question, "status": "unknown"}) as settings:
        counted = count_solutions(given, limit, settings)
    seconds = {"seconds": round(time.perf_counter() - started, 6)}
    out.emit({**question, **counted.to_json(), **seconds}, str(counted))
    return 0 if counted.count else 1


@opt.takes_work("timeout", "threads", "memory")
@opt.takes_output(writes=GRIDS)
def unique(
    puzzle: PuzzleArgument,
    *,
    box: MaybeBoxOption = None,
    engine: opt.ModelEngineOption = "auto",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Prove that a puzzle has exactly one solution.

    Exit status 1 if none exists or others do.

    Examples
    --------
    ktsolve sudoku unique puzzle.txt  # the solution, if it is the only one
    """
    return _solve(puzzle, box, engine, work, out, unique=True)


def _puzzle_fields(given: Puzzle) -> dict[str, Any]:
    return {"box": str(given.box), "puzzle": given.box.line(given.clues)}


def _solve(
    puzzle: str, box: str | None, engine: str, work: opt.WorkOptions, out: opt.OutputOptions, *, unique: bool
) -> int:
    from ktsolve.wings.sudoku.puzzle import solutions

    started = time.perf_counter()
    given = _read(puzzle, box, work.settings)
    question = _puzzle_fields(given)
    with out.reporting(work.settings, "sudoku", {**question, "status": "unknown"}) as settings:
        grids = solutions(given, 2 if unique else 1, engine, settings)
    seconds = {"seconds": round(time.perf_counter() - started, 6)}
    status = "impossible" if not grids else "several" if len(grids) > 1 else "found"
    data = {**question, "status": status}
    if grids:
        data["grid"] = given.box.line(grids[0])
    if unique:
        data["unique"] = status == "found"
    shown = given.box.draw(grids[0]) if grids else "no solution"
    _emit_grid({**data, "engine": engine, **seconds}, shown, "", out)
    if unique and grids and not out.json:
        emit("the only solution" if status == "found" else "not the only solution", None)
    return 0 if status == "found" else 1


@opt.takes_work("timeout", "memory")
@opt.takes_output("json", "output")
def canonical(
    puzzle: PuzzleArgument, *, box: MaybeBoxOption = None, work: opt.WorkOptions, out: opt.OutputOptions
) -> int:
    """Print the least of all symmetric images with renamed digits.

    Examples
    --------
    ktsolve sudoku canonical 1234341221434321
    """
    from ktsolve.wings.sudoku.canonical import canonical as canonical_form

    given = _read(puzzle, box, work.settings)
    with out.reporting(work.settings, "canonical form", {"box": str(given.box)}) as settings:
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
    """Compare two grids or puzzles up to symmetry and names of digits.

    Examples
    --------
    ktsolve sudoku same 1234341221434321 2143432112343412
    """
    from ktsolve.wings.sudoku.canonical import same as are_same

    first, second = (_read(text, box, work.settings) for text in (one, other))
    with out.reporting(work.settings, "canonical forms", {"box": str(first.box)}) as settings:
        answer = are_same(first, second, settings)
    out.emit({"box": str(first.box), "same": answer}, "the same" if answer else "different")
    return 0 if answer else 1


@opt.takes_work("timeout", "memory")
@opt.takes_output("json", "output")
def automorphisms(
    puzzle: PuzzleArgument, *, box: MaybeBoxOption = None, work: opt.WorkOptions, out: opt.OutputOptions
) -> int:
    """Count the symmetries that map a grid or puzzle to itself.

    Digits may be renamed.

    Examples
    --------
    ktsolve sudoku automorphisms 1234341221434321
    """
    from collections import Counter

    from ktsolve.graphs.groups import order_of
    from ktsolve.wings.sudoku.canonical import automorphisms as automorphisms_of

    given = _read(puzzle, box, work.settings)
    with out.reporting(work.settings, "automorphisms", {"box": str(given.box)}) as settings:
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
@opt.takes_output(writes=GRIDS)
def random(
    *,
    box: BoxOption = "3x3",
    puzzle: Annotated[bool, opt.problem_option("--puzzle", "Make a puzzle with one solution.")] = False,
    clues: Annotated[
        int | None, opt.problem_option("--givens", "Number of givens. Default: minimal.", "K")
    ] = None,
    uniform: Annotated[bool, opt.problem_option("--uniform", "Every grid has the same chance.")] = False,
    number: Annotated[int | None, opt.NUMBER] = None,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Make a random grid, or a random puzzle with one solution.

    The same seed makes the same one.

    Examples
    --------
    ktsolve sudoku random --puzzle            # a puzzle
    ktsolve sudoku random --uniform           # all grids have the same chance
    ktsolve sudoku random --box 2x3 --seed 7  # a grid of 6x6
    """
    from random import randrange

    from ktsolve.wings.sudoku.puzzle import random_grid, random_puzzle

    shape = Box.parse(box)
    if clues is not None and not puzzle:
        raise BadInput(f"--givens {clues} is for puzzles: give --puzzle as well")
    if number is not None and not uniform:
        raise BadInput(f"--number {number} is for uniform grids: give --uniform as well")
    if uniform:
        if puzzle:
            raise BadInput("--uniform and --puzzle do not go together: puzzles are not uniform")
        return _random_uniform(shape, number, work, out)
    seed = randrange(2**31) if work.seed is None else work.seed
    with out.reporting(work.settings, "random", {"box": str(shape), "seed": seed}) as settings:
        made = (
            random_puzzle(shape, seed, settings, clues=clues).clues
            if puzzle
            else random_grid(shape, seed, settings)
        )
    given = sum(digit != 0 for digit in made)
    data = {"box": str(shape), "grid": shape.line(made), "clues": given, "seed": seed}
    _emit_grid(data, shape.draw(made), f"seed {seed}", out)
    return 0


def _emit_grid(data: dict[str, Any], text: str, note: str, out: opt.OutputOptions) -> None:
    """Write one grid as text, JSON or a picture; without a grid as text or JSON."""
    if out.form.holds != "picture" or "grid" not in data:
        out.emit(data, text, note)
        return
    from ktsolve.wings.sudoku.picture import digits_of

    emit_picture(digits_of(data), out.form, out.output)
    if note:
        remark(note, quiet=out.quiet)


def _check_one(out: opt.OutputOptions, several: str) -> None:
    if out.form.holds == "picture":
        raise BadInput(f"{out.form.name} shows one grid: leave out {several}")


def _random_uniform(shape: Box, number: int | None, work: opt.WorkOptions, out: opt.OutputOptions) -> int:
    """Grids drawn with equal chances; without a seed, by the operating system's numbers."""
    from ktsolve.wings.sudoku.grid_order import Grids

    if number is not None and number > _MOST_GRIDS:
        raise BadInput(f"--number {number}: give up to {_MOST_GRIDS} grids at once")
    if number is not None:
        _check_one(out, "--number")
    seed = work.seed
    unknown = {"box": str(shape), "seed": seed, "uniform": True}
    with out.reporting(work.settings, f"random grids of {shape}", unknown) as settings:
        grids = Grids(shape, settings)
        places = grids.sample_places(number or 1, seed)
        made = grids.at(places)
    data = {"seed": seed, "uniform": True, **grids.to_json(places, made)}
    seeded = "" if seed is None else f"seed {seed}, "
    if number is None:
        (grid,), (place,) = made, places
        single = {"grid": shape.line(grid), "clues": len(grid)}
        _emit_grid({**single, **data}, shape.draw(grid), f"{seeded}index {place} of {grids.count}", out)
    else:
        out.emit(data, _lines(shape, made), f"{seeded}{number} of {grids.count} grids")
    return 0


def _lines(shape: Box, grids: Sequence[Grid]) -> str:
    return "\n".join(map(shape.line, grids))


@opt.takes_work("timeout")
@opt.takes_output()
def unrank(
    indices: IndicesArgument, *, box: BoxOption = "3x3", work: opt.WorkOptions, out: opt.OutputOptions
) -> int:
    """Print the grids with given indices among all grids.

    Of several indices, one grid a line.

    Examples
    --------
    ktsolve sudoku unrank 1000000000000000000  # one of all
    ktsolve sudoku unrank 0:5                  # the first five
    """
    from ktsolve.wings.sudoku.grid_order import Grids

    shape = Box.parse(box)
    wanted = read_bounds(indices, work.settings)
    with out.reporting(work.settings, f"grids of {shape}", {"box": str(shape), "grids": None}) as settings:
        grids = Grids(shape, settings)
        ranges = [range_of(each, grids.count, f"sudoku {shape}") for each in wanted]
        number = sum(each.stop - each.start for each in ranges)
        if number > _MOST_GRIDS:
            raise BadInput(f"{number} grids are too many at once: give up to {_MOST_GRIDS} indices")
        places = list(chain.from_iterable(ranges))
        made = grids.at(places)
    several = len(wanted) > 1 or wanted[0][1] is not None
    text = _lines(shape, made) if several else shape.draw(made[0])
    out.emit(grids.to_json(places, made), text, f"order {grids.order}")
    return 0


@opt.takes_work("timeout")
@opt.takes_output()
def rank(
    given: Annotated[
        list[str],
        typer.Argument(metavar="GRID...", help="Cells row by row; or files; or -, one grid a line."),
    ],
    *,
    box: MaybeBoxOption = None,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Print the indices of grids among all grids of their shape.

    Examples
    --------
    ktsolve sudoku rank 1234341221434321
    """
    from ktsolve.wings.sudoku.grid_order import Grids

    settings = work.settings
    read = [_read(text, box, settings) for each in given for text in _each_grid(each, settings)]
    shape = read[0].box
    for each in read:
        if each.box != shape:
            raise BadInput(f"grids of {shape} and of {each.box} boxes have no common order: rank them apart")
    with out.reporting(
        work.settings, f"indices of {shape}", {"box": str(shape), "indices": None}
    ) as settings:
        grids = Grids(shape, settings)
        places = grids.indices(each.clues for each in read)
    text = "\n".join(map(str, places))
    out.emit(grids.to_json(places, [each.clues for each in read]), text, f"order {grids.order}")
    return 0


def _each_grid(text: str, settings: Settings) -> list[str]:
    """A text as it is; standard input as one grid, or as one grid a line if every line is whole."""
    if text != "-":
        return [text]
    read = read_text(text, "a grid is digits", settings)
    lines = read.split()
    whole = len(lines) > 1 and len({len(line) for line in lines}) == 1 and len(lines[0]) > _LONGEST_ROW
    return lines if whole else [read]


# -- all grids, and bands ---------------------------------------------------------------------------------


@opt.takes_work("timeout", "threads", "memory")
@opt.takes_output()
def count(
    *,
    box: BoxOption = "3x3",
    classes: Annotated[
        bool, opt.problem_option("--up-to-symmetry", "Up to symmetry, by Burnside's lemma.")
    ] = False,
    only_estimate: opt.EstimateOption = False,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Count all grids, or the essentially different ones.

    The boxes have R rows and C columns.

    Examples
    --------
    ktsolve sudoku count                             # 6670903752021072936960 grids
    ktsolve sudoku count --box 2x3 --up-to-symmetry  # essentially different ones
    ktsolve sudoku count --box 3x4 --estimate        # the cost
    """
    from ktsolve.wings.sudoku.grids import GridCount, count_grids, estimate_grids
    from ktsolve.wings.sudoku.symmetries import essentially_different

    shape = Box.parse(box)
    settings = work.settings
    if only_estimate:
        expected = estimate_grids(shape)
        out.emit({"box": str(shape), "estimate": expected.to_json()}, f"sudoku {shape}: {expected}")
        return 0
    with out.reporting(settings, f"sudoku {shape}", {"box": str(shape), "count": None}) as settings:
        found = essentially_different(shape, settings) if classes else count_grids(shape, settings)
    text = str(found) if isinstance(found, GridCount) else found.text(out.width)
    out.emit({"box": str(shape), **found.to_json()}, text, f"{found.seconds:.3f} s")
    return 0


@opt.takes_work("timeout")
@opt.takes_output(writes=BANDS)
def bands(
    *,
    box: BoxOption = "3x3",
    stage: Annotated[
        str | None,
        opt.problem_option(
            "--stage", "Only bands, reduced, permutations, rectangles, subsets or column-sets.", "NAME"
        ),
    ] = None,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Classify the top bands in stages, and count their completions.

    Examples
    --------
    ktsolve sudoku bands --box 2x3        # all stages
    ktsolve sudoku bands --box 2x3 --csv  # the classes
    """
    from ktsolve.wings.sudoku.picture import digits_of
    from ktsolve.wings.sudoku.stages import Classification

    found = Classification(Box.parse(box))
    settings = work.settings
    try:
        with with_progress(settings, f"bands {found.box}", quiet=out.quiet) as shown:
            found.run(stage, shown)
    except (LimitReached, KeyboardInterrupt) as stop:
        if out.json:
            emit_json({**found.to_json(), "reason": str(stop) or "interrupted"}, out.output)
        raise
    if out.csv:
        emit(found.csv(), out.output)
    elif out.form.holds == "picture":
        emit_picture(digits_of(found.to_json()), out.form, out.output)
    else:
        out.emit(found.to_json(), found.text(out.width))
    return 0
