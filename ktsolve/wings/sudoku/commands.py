"""``ktsolve sudoku``: puzzles and single grids."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.guard import stand_down
from ktsolve.base.limits import Clock
from ktsolve.base.text import unknown
from ktsolve.cli import options as opt
from ktsolve.cli.help import HelpGroup
from ktsolve.cli.hints import emit_hints
from ktsolve.cli.input import names_file, read_text
from ktsolve.cli.output import colour_depth, emit, remark, with_progress, writing
from ktsolve.cli.output_format import ANSWER, STILL, Writes
from ktsolve.cli.tour_order import NEGATIVE_NUMBERS, IndicesArgument, range_of, read_bounds
from ktsolve.cli.tour_output import emit_picture
from ktsolve.formats.table import JSON_HEAD
from ktsolve.grids.box import DIGITS, Box
from ktsolve.wings.sudoku.count_commands import BoxOption, bands, count

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.grids.box import Grid
    from ktsolve.wings.sudoku.files import Given
    from ktsolve.wings.sudoku.puzzle import Puzzle

PuzzleArgument = Annotated[
    str, typer.Argument(metavar="PUZZLE", help="Cells row by row, . for empty; or a file, or -.")
]
DigitsOption = Annotated[
    str | None, opt.problem_option("--digits", "First and last digit, such as 0-F, if unclear.", "FIRST-LAST")
]
MaybeBoxOption = Annotated[
    str | None, opt.problem_option("--box", "Default: the square box that fits.", "RxC")
]

GRIDS = Writes("a grid of digits", (*ANSWER.formats, *STILL.formats))
"""What commands on single grids write."""

_MOST_GRIDS = 1_000_000

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
    for command in (count, bands, solve, unique, hint, canonical, same, automorphisms, random, rank):
        group.command(name=command.__name__)(command)
    group.command(name="unrank", context_settings=NEGATIVE_NUMBERS)(unrank)
    app.add_typer(group, name="sudoku")


def _read(text: str, box: str | None, digits: str | None, settings: Settings) -> list[Given]:
    """The puzzles of a file, of standard input for ``-``, or of a text."""
    from ktsolve.wings.sudoku.files import read_sudokus

    shape = None if box is None else Box.parse(box)
    if text == "-" or (len(text) < 256 and "\0" not in text and os.path.isfile(text)):
        name = "" if text == "-" else f"{text}: "
        text = read_text(text, "a puzzle is digits, and . for empty cells", settings)
    elif names_file(text):
        name = f"there is no file {text}, and as a puzzle: "
    else:
        name = ""
    try:
        return read_sudokus(text, shape, digits)
    except BadInput as error:
        raise BadInput(f"{name}{error}") from None


def _read_one(text: str, box: str | None, digits: str | None, settings: Settings) -> Puzzle:
    found = _read(text, box, digits, settings)
    if len(found) != 1:
        raise BadInput(f"{text} holds {len(found)} puzzles: give one")
    return found[0].puzzle


class _Reply(NamedTuple):
    """The answer about a puzzle: as JSON, as text, in one line, and whether it is yes."""

    data: dict[str, Any]
    text: str
    line: str
    yes: bool = True
    remarks: Sequence[str] = ()


def _answer(
    givens: Sequence[Given],
    title: str,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
    reply: Callable[[Given, Settings], _Reply],
) -> int:
    """Print the answer about one puzzle, or a line for each of several: a text or a JSON object."""
    if len(givens) == 1:
        unknown = {**_puzzle_fields(givens[0].puzzle), "status": "unknown"}
        with out.reporting(work.settings, title, unknown) as settings:
            only = reply(givens[0], settings)
        _emit_grid(only.data, only.text, "", out)
        for line in () if out.json else only.remarks:
            emit(line, None)
        return 0 if only.yes else 1
    _check_one(out, "all puzzles but one")
    clock = Clock(work.settings)
    all_yes = True
    with writing(out.output) as write:
        for number, given in enumerate(givens, 1):
            try:
                within = clock.within(work.settings, f"{number - 1} of {len(givens)} puzzles answered")
                with with_progress(within, f"{title} {number}", quiet=out.quiet) as settings:
                    each = reply(given, settings)
            except (LimitReached, KeyboardInterrupt) as stop:
                if out.json:
                    unknown = {**_puzzle_fields(given.puzzle), "status": "unknown"}
                    reason = str(stop) or "interrupted"
                    write(json.dumps({**JSON_HEAD, **unknown, "reason": reason}))
                raise
            line = "  ".join([each.line, *each.remarks])
            write(json.dumps({**JSON_HEAD, **each.data}) if out.json else line)
            all_yes &= each.yes
    return 0 if all_yes else 1


@opt.takes_work("timeout", "threads", "memory")
@opt.takes_output(writes=GRIDS)
def solve(
    puzzle: PuzzleArgument,
    *,
    box: MaybeBoxOption = None,
    digits: DigitsOption = None,
    limit: Annotated[
        int | None, opt.problem_option("--count", "Count solutions, up to N.", "N", min=1)
    ] = None,
    engine: opt.ModelEngineOption = "auto",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Solve puzzles, or count their solutions.

    Of several puzzles in a file, one line each. Exit status 1 if one has no solution, or another than the
    file gives.

    Examples
    --------
    ktsolve sudoku solve 1.3..........2..        # 4x4, row by row
    ktsolve sudoku solve puzzle.txt --count 100  # how many solutions, up to 100
    """
    from ktsolve.wings.sudoku.puzzle import count_solutions

    givens = _read(puzzle, box, digits, work.settings)
    if limit is None:
        return _solve(givens, engine, work, out, unique=False)
    _check_one(out, "--count")

    def reply(given: Given, settings: Settings) -> _Reply:
        started = time.perf_counter()
        counted = count_solutions(given.puzzle, limit, settings)
        seconds = {"seconds": round(time.perf_counter() - started, 6)}
        data = {**_puzzle_fields(given.puzzle), **counted.to_json(), **seconds}
        return _Reply(data, str(counted), str(counted), counted.count > 0)

    return _answer(givens, "sudoku", work, out, reply)


@opt.takes_work("timeout", "threads", "memory")
@opt.takes_output(writes=GRIDS)
def unique(
    puzzle: PuzzleArgument,
    *,
    box: MaybeBoxOption = None,
    digits: DigitsOption = None,
    engine: opt.ModelEngineOption = "auto",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Prove that puzzles have exactly one solution.

    Of several puzzles in a file, one line each. Exit status 1 if one has none or others.

    Examples
    --------
    ktsolve sudoku unique puzzle.txt  # the solution, if it is the only one
    """
    return _solve(_read(puzzle, box, digits, work.settings), engine, work, out, unique=True)


@opt.takes_work("timeout", "memory")
@opt.takes_output(writes=GRIDS)
def hint(
    puzzle: PuzzleArgument,
    *,
    box: MaybeBoxOption = None,
    digits: DigitsOption = None,
    number: Annotated[int, opt.NUMBER] = 1,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Give the next digit that follows, with the reason.

    -o FILE writes a picture for each step, several on a sheet: red is what follows, yellow its reason.

    Examples
    --------
    ktsolve sudoku hint puzzle.txt                # one step
    ktsolve sudoku hint puzzle.txt -n 4 -o h.svg  # four, as pictures
    """
    from ktsolve.wings.sudoku.hints import SudokuHints, Unsolvable, hints

    asked = _read_one(puzzle, box, digits, work.settings)
    question = _puzzle_fields(asked)
    with out.reporting(work.settings, "hints", {**question, "status": "unknown"}) as settings:
        try:
            found = list(islice(hints(asked, settings), number))
        except Unsolvable as none:
            out.emit({**question, "status": "impossible"}, str(none))
            return 1
    emit_hints(found, number, SudokuHints, question, out)
    return 0


def _puzzle_fields(puzzle: Puzzle) -> dict[str, Any]:
    return {**_named_digits(puzzle), "puzzle": puzzle.line(puzzle.clues)}


def _named_digits(puzzle: Puzzle) -> dict[str, Any]:
    """The box, and the signs of the digits where they may be meant in two ways."""
    signs = puzzle.digits[: puzzle.box.side]
    fields = {"box": str(puzzle.box)}
    plain = len(signs) <= 9 and DIGITS.startswith(signs)
    return fields if plain else {**fields, "digits": f"{signs[0]}-{signs[-1]}"}


def _solve(
    givens: Sequence[Given], engine: str, work: opt.WorkOptions, out: opt.OutputOptions, *, unique: bool
) -> int:
    from ktsolve.wings.sudoku.puzzle import solutions

    def reply(given: Given, settings: Settings) -> _Reply:
        started = time.perf_counter()
        puzzle = given.puzzle
        grids = solutions(puzzle, 2 if unique else 1, engine, settings)
        seconds = {"seconds": round(time.perf_counter() - started, 6)}
        status = "impossible" if not grids else "several" if len(grids) > 1 else "found"
        data = {**_puzzle_fields(puzzle), "status": status}
        remarks = []
        if grids:
            data["grid"] = puzzle.line(grids[0])
        if unique:
            data["unique"] = status == "found"
            if grids:
                remarks.append("the only solution" if status == "found" else "not the only solution")
        fault = given.fault()
        if given.solution is not None:
            same = bool(grids) and given.solution == grids[0]
            data["given_solution"] = f"wrong: {fault}" if fault else "the same" if same else "another"
            if fault:
                remarks.append(f"the solution in the input is wrong: {fault}")
            elif not same:
                remarks.append("the solution in the input is another one")
        shown = _shown(puzzle.box, grids[0], out, puzzle.digits, puzzle.clues) if grids else "no solution"
        data |= {"engine": engine, **seconds}
        return _Reply(data, shown, data.get("grid", shown), status == "found" and not fault, remarks)

    return _answer(givens, "sudoku", work, out, reply)


@opt.takes_work("timeout", "memory")
@opt.takes_output("json", "output")
def canonical(
    puzzle: PuzzleArgument,
    *,
    box: MaybeBoxOption = None,
    digits: DigitsOption = None,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Print the least of all symmetric images with renamed digits.

    Of several puzzles in a file, one line each.

    Examples
    --------
    ktsolve sudoku canonical 1234341221434321
    """
    from ktsolve.wings.sudoku.canonical import canonical as canonical_form

    def reply(given: Given, settings: Settings) -> _Reply:
        found = canonical_form(given.puzzle, settings)
        line = given.puzzle.line(found.grid)
        data = {**_named_digits(given.puzzle), "grid": line, "automorphisms": found.automorphisms}
        return _Reply(data, line, line)

    return _answer(_read(puzzle, box, digits, work.settings), "canonical form", work, out, reply)


@opt.takes_work("timeout", "memory")
@opt.takes_output("json", "output")
def same(
    one: PuzzleArgument,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="Another grid or puzzle, in the same forms.")],
    *,
    box: MaybeBoxOption = None,
    digits: DigitsOption = None,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Compare two grids or puzzles up to symmetry and names of digits.

    Examples
    --------
    ktsolve sudoku same 1234341221434321 2143432112343412
    """
    from ktsolve.wings.sudoku.canonical import same as are_same

    first, second = (_read_one(text, box, digits, work.settings) for text in (one, other))
    with out.reporting(work.settings, "canonical forms", {"box": str(first.box)}) as settings:
        answer = are_same(first, second, settings)
    out.emit({"box": str(first.box), "same": answer}, "the same" if answer else "different")
    return 0 if answer else 1


@opt.takes_work("timeout", "memory")
@opt.takes_output("json", "output")
def automorphisms(
    puzzle: PuzzleArgument,
    *,
    box: MaybeBoxOption = None,
    digits: DigitsOption = None,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Count the symmetries that map a grid or puzzle to itself.

    Digits may be renamed. Of several puzzles in a file, one line each.

    Examples
    --------
    ktsolve sudoku automorphisms 1234341221434321
    """
    from collections import Counter

    from ktsolve.graphs.groups import order_of
    from ktsolve.wings.sudoku.canonical import automorphisms as automorphisms_of

    def reply(given: Given, settings: Settings) -> _Reply:
        found = automorphisms_of(given.puzzle, settings)
        orders = sorted(Counter(map(order_of, found)).items())
        data = {
            "box": str(given.puzzle.box),
            "automorphisms": len(found),
            "cells": found,
            "orders": {str(order): number for order, number in orders},
        }
        by_order = ", ".join(f"{number} of order {order}" for order, number in orders)
        text = f"{len(found)} automorphisms: {by_order}"
        return _Reply(data, text, text)

    return _answer(_read(puzzle, box, digits, work.settings), "automorphisms", work, out, reply)


@opt.takes_work("seed", "timeout")
@opt.takes_output(writes=GRIDS)
def random(
    *,
    box: BoxOption = "3x3",
    puzzle: Annotated[bool, opt.problem_option("--puzzle", "Make a puzzle with one solution.")] = False,
    clues: Annotated[
        int | None, opt.problem_option("--givens", "Number of givens. Default: minimal.", "K")
    ] = None,
    difficulty: Annotated[
        str | None, opt.problem_option("--difficulty", "Of puzzles: what solves them.", "easy|medium|hard")
    ] = None,
    uniform: Annotated[bool, opt.problem_option("--uniform", "Every grid has the same chance.")] = False,
    number: Annotated[int | None, opt.NUMBER] = None,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Make a random grid, or a random puzzle with one solution.

    The same seed makes the same one. Easy puzzles need singles only, medium ones up to three assumptions. A
    PDF of puzzles is a booklet with the solutions at its end.

    Examples
    --------
    ktsolve sudoku random --puzzle            # a puzzle
    ktsolve sudoku random --puzzle -n 8 -o booklet.pdf  # puzzles to print
    ktsolve sudoku random --uniform           # all grids have the same chance
    ktsolve sudoku random --box 2x3 --seed 7  # a grid of 6x6
    """
    from random import randrange

    from ktsolve.wings.sudoku.puzzle import Puzzle, random_grid, random_puzzles

    shape = Box.parse(box)
    if clues is not None and not puzzle:
        raise BadInput(f"--givens {clues} is for puzzles: give --puzzle as well")
    if difficulty is not None and not puzzle:
        raise BadInput(f"--difficulty {difficulty} is for puzzles: give --puzzle as well")
    if uniform:
        if puzzle:
            raise BadInput("--uniform and --puzzle do not go together: puzzles are not uniform")
        return _random_uniform(shape, number, work, out)
    seed = randrange(2**31) if work.seed is None else work.seed
    if puzzle and (number is not None or difficulty is not None or out.form.name == "pdf"):
        return _random_puzzles(shape, clues, difficulty, number, seed, work, out)
    if number is not None:
        _check_one(out, "--number")
        with out.reporting(work.settings, "random", {"box": str(shape), "seed": seed}) as settings:
            grids = [random_grid(shape, each, settings) for each in range(seed, seed + number)]
        data = {"box": str(shape), "grids": list(map(shape.line, grids)), "seed": seed}
        out.emit(data, _lines(shape, grids), f"seeds {seed} to {seed + number - 1}")
        return 0
    made, stopped = Puzzle(shape, (0,) * shape.cells), ""
    with out.reporting(work.settings, "random", {"box": str(shape), "seed": seed}) as settings:
        try:
            if puzzle:
                for each in random_puzzles(shape, seed, settings, clues=clues):
                    made = each
            else:
                made = Puzzle(shape, random_grid(shape, seed, settings))
        except (LimitReached, KeyboardInterrupt) as stop:
            if not made.given:
                raise
            stand_down()
            stopped = f"{str(stop) or 'interrupted'}: perhaps some of the {made.given} clues can be left out"
    data = {**_named_digits(made), "grid": made.line(made.clues), "clues": made.given, "seed": seed}
    if stopped:
        data["reason"] = stopped
    _emit_grid(data, _shown(shape, made.clues, out), f"seed {seed}", out)
    if stopped:
        raise LimitReached(stopped)
    return 0


_MOST_PUZZLES = 1000
_SEEDS = 100  # that are tried for a puzzle of a difficulty


def _random_puzzles(
    shape: Box,
    clues: int | None,
    difficulty: str | None,
    number: int | None,
    seed: int,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Puzzles of the seeds from a number on, those of one difficulty."""
    from ktsolve.wings.sudoku.picture import Sudokus
    from ktsolve.wings.sudoku.puzzle import count_solutions, random_puzzle
    from ktsolve.wings.sudoku.rating import LEVELS, level_of

    if (number or 1) > _MOST_PUZZLES:
        raise BadInput(f"--number {number}: give up to {_MOST_PUZZLES:,} puzzles at once")
    if difficulty not in (None, *LEVELS):
        raise unknown("difficulty", difficulty, LEVELS)
    made: list[tuple[int, Puzzle, str]] = []
    stopped, clock = "", Clock(work.settings)
    unknown_yet = {"box": str(shape), "seed": seed}
    with out.reporting(work.settings, "sudokus", unknown_yet, notice=True) as settings:
        try:
            tried = 0
            while len(made) < (number or 1):
                if tried == _SEEDS:
                    raise BadInput(f"no {difficulty} sudoku of {shape} in {_SEEDS} seeds: give another one")
                within = clock.within(settings, f"{len(made)} of {number or 1} puzzles made")
                found = random_puzzle(shape, seed, within, clues=clues)
                level = level_of(found)
                tried += 1
                if difficulty in (None, level):
                    made.append((seed, found, level))
                    tried = 0
                seed += 1
        except (LimitReached, KeyboardInterrupt) as stop:
            if not made:
                raise
            stand_down()
            stopped = str(stop) or "interrupted"
    puzzles = tuple(each for _, each, _ in made)
    seeds, levels = [each for each, _, _ in made], tuple(each for _, _, each in made)
    said = ", ".join(f"{levels.count(level)} {level}" for level in LEVELS if level in levels)
    note = f"{len(made)} of seeds {seeds[0]} to {seeds[-1]}: {said}" if number else f"seed {seeds[0]}, {said}"
    if out.form.holds == "picture":
        answers = tuple(count_solutions(each, 1, keep=1).grids[0] for each in puzzles)
        emit_picture(Sudokus(puzzles, answers, levels), out)
        remark(note, quiet=out.quiet)
    else:
        entries = [
            {**_puzzle_fields(each), "clues": each.given, "difficulty": level, "seed": own}
            for own, each, level in made
        ]
        texts = [each.line(each.clues) for each in puzzles]
        text = "\n".join(texts) if number else _shown(shape, puzzles[0].clues, out)
        out.emit({"box": str(shape), "puzzles": entries} if number else entries[0], text, note)
    if stopped:
        raise LimitReached(f"{stopped}: {len(made)} of {number} puzzles made")
    return 0


def _shown(
    box: Box, grid: Grid, out: opt.OutputOptions, digits: str = DIGITS, clues: Grid | None = None
) -> str:
    """A grid as text: its boxes in colours where the terminal can show them, given digits in bold."""
    colours = 0 if out.format else colour_depth(out.output)
    if not colours:
        return box.draw(grid, digits)
    from ktsolve.render.boards.text import tiles_text

    tiles = []
    for cell, digit in enumerate(grid):
        r, c = divmod(cell, box.side)
        bold = clues is not None and clues[cell] != 0
        tiles.append((box.line((digit,), digits), (r // box.rows + c // box.columns) % 2 == 0, bold))
    return tiles_text([tiles[at : at + box.side] for at in range(0, len(tiles), box.side)], colours)


def _emit_grid(data: dict[str, Any], text: str, note: str, out: opt.OutputOptions) -> None:
    """Write one grid as text, JSON or a picture; without a grid as text or JSON."""
    if out.form.holds != "picture" or "grid" not in data:
        out.emit(data, text, note)
        return
    from ktsolve.wings.sudoku.picture import digits_of

    emit_picture(digits_of(data), out)
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
        _emit_grid(
            {**single, **data}, _shown(shape, grid, out), f"{seeded}index {place} of {grids.count}", out
        )
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
    text = _lines(shape, made) if several else _shown(shape, made[0], out)
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
    digits: DigitsOption = None,
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
    read = [each.puzzle for text in given for each in _read(text, box, digits, settings)]
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
