"""``ktsolve clues``: partly numbered boards solved, counted, proved unique, reduced and made; hints."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.guard import stand_down
from ktsolve.base.text import number_of, plural, shown, small_number, unknown
from ktsolve.cli import options as opt
from ktsolve.cli.help import HelpGroup
from ktsolve.cli.hints import emit_hints
from ktsolve.cli.input import names_file, read_text
from ktsolve.cli.output import colour_depth, columns, emit, remark
from ktsolve.cli.output_format import ANSWER, STILL, Writes
from ktsolve.cli.problem_options import CLUES_ARE, CLUES_EXPAND, SIZE, ProblemSpec, takes_problem
from ktsolve.cli.tour_input import UNSTATED
from ktsolve.cli.tour_output import emit_picture, emit_tours_drawn, problem_fields, shown_tour
from ktsolve.graphs.notation import Cell
from ktsolve.render.text_table import drawing_in

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.graphs.board import Board
    from ktsolve.graphs.tour import Tour
    from ktsolve.problem.problem import TourProblem
    from ktsolve.wings.puzzles.clue_tasks import ClueWishes
    from ktsolve.wings.puzzles.clues import CluePuzzle

_Puzzle = TypeVar("_Puzzle")

CLUES = Writes("a puzzle", (*ANSWER.formats, *STILL.formats))
"""What commands on puzzles write."""

FileArgument = Annotated[
    str,
    typer.Argument(
        metavar="FILE|-",
        help="A grid: step numbers, . for unknown steps, # for holes; or JSON of clues make.",
    ),
]
IndexOption = Annotated[
    int | None,
    opt.problem_option("--puzzle", "The puzzle of that number, of a file with several.", "N", min=1),
]
# The file draws the board and gives the clues.
_given_by_file = takes_problem(
    without=(
        *("board", "without", "clues", "structured", "corners", "symmetry", "format", "strict", "keep_going"),
    ),
    closed=(
        Annotated[
            bool | None,
            opt.problem_option("--closed/--open", "Closed tours or open ones. Default: the file's."),
        ],
        None,
    ),
    leaper=UNSTATED["leaper"],
    wrap=UNSTATED["wrap"],
)
_takes_work = opt.takes_work("solver", "timeout", "threads", "memory")
_takes_work_with_seed = opt.takes_work("seed", "timeout", "threads", "memory")
_takes_output = opt.takes_output(writes=CLUES)

_DIFFERENCES = 8  # steps at which two solutions differ that are listed as text

_wished = opt.panel("What the puzzle is like")

PATTERNS = ("rot180", "rot90", "flip-h", "flip-v", "transpose", "anti-transpose")

_REGIONS = ("diagonal", "antidiagonal", "diagonals", "border", "corners")
"""Cells by name, for ``--on`` and ``--keep``."""


_MOST = 1000

_HELP = """Partly numbered boards: solve, count, prove unique, hint, reduce, make.

Examples
--------
ktsolve clues make 6x6 -o clues.txt                # a puzzle
ktsolve clues solve clues.txt                      # its solution
ktsolve clues make 6x6 --number 4 -o booklet.pdf  # puzzles to print
"""


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(cls=HelpGroup, help=_HELP, no_args_is_help=True)
    for command in (solve, count, unique, hint, reduce, make):
        group.command(name=command.__name__)(command)
    app.add_typer(group, name="clues")


def _problem(file: str, spec: ProblemSpec, settings: Settings, puzzle: int | None) -> TourProblem:
    """The question of a puzzle in a file, with the conditions of the options."""
    from ktsolve.wings.puzzles.clues import read_puzzles

    text = read_text(file, CLUES_ARE, settings, CLUES_EXPAND)
    puzzles = read_puzzles(text, closed=spec.closed, leaper=spec.leaper, wrap=spec.wrap)
    if puzzle is None and len(puzzles) > 1:
        raise BadInput(f"{file} holds {len(puzzles)} puzzles: choose one, such as --puzzle 1")
    if (puzzle or 1) > len(puzzles):
        raise BadInput(f"--puzzle {puzzle}: {file} holds {len(puzzles)} {plural(len(puzzles), 'puzzle')}")
    read = puzzles[(puzzle or 1) - 1].problem
    stated = replace(spec, board=read.board.size, closed=read.closed, leaper="1,2", wrap="none").make(
        read.board
    )
    return stated.replace(at=[*stated.at, *read.at])


@_given_by_file
@_takes_work
@_takes_output
def solve(
    *,
    file: FileArgument,
    spec: ProblemSpec,
    puzzle: IndexOption = None,
    engine: opt.EngineOption = "auto",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Fill in the missing steps.

    Examples
    --------
    ktsolve clues solve clues.txt                        # a solution
    ktsolve clues solve clues.txt --closed --engine sat  # by one engine
    ktsolve clues solve clues.txt -o solution.svg        # a picture
    """
    problem = _problem(file, spec, work.settings, puzzle)
    data, found, seconds = _solutions(problem, 1, engine, work, out)
    if not found:
        return _no_solution(problem, data | seconds, work.settings, out)
    if out.form.holds == "picture":
        emit_tours_drawn(found, out)
    else:
        out.emit({**data, "squares": found[0].squares, **seconds}, shown_tour(found[0], out))
    return 0


def _no_solution(
    problem: TourProblem, data: dict[str, Any], settings: Settings, out: opt.OutputOptions
) -> int:
    """Print the reason why no solution exists, and whether open tours fit; the exit status."""
    from ktsolve.tasks.explain import open_tour_exists

    reason = _why_not(problem)
    advice = ""
    if open_tour_exists(problem, settings):
        advice = "open tours fit the clues: give --open"
    text = "no solution" + (f": {reason}" if reason else "")
    more = {key: value for key, value in (("reason", reason), ("advice", advice)) if value}
    text = "\n".join(each for each in (text, advice) if each)
    if out.form.holds == "picture":
        emit(text, None)
    else:
        out.emit({**data, **more}, text)
    return 1


def _why_not(problem: TourProblem) -> str:
    """A reason of arithmetic or propagation."""
    from ktsolve.problem.simplification import simplified

    if (obstruction := problem.replace(at={}).obstruction() or problem.obstruction()) is not None:
        return str(obstruction)
    return simplified(problem).refutation or ""


@_given_by_file
@_takes_work
@opt.takes_output()
def count(
    *,
    file: FileArgument,
    spec: ProblemSpec,
    puzzle: IndexOption = None,
    number: Annotated[int, opt.NUMBER] = 1000,
    engine: opt.EngineOption = "auto",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Count the solutions, up to a limit.

    A tour that fits in both directions is two solutions.

    Examples
    --------
    ktsolve clues count clues.txt        # how many
    ktsolve clues count clues.txt -n 10  # up to ten
    """
    problem = _problem(file, spec, work.settings, puzzle)
    data, found, seconds = _solutions(problem, number, engine, work, out)
    complete = len(found) < number
    more, noun = "" if complete else " or more", plural(len(found), "solution")
    out.emit(
        {**data, "count": str(len(found)), "complete": complete, **seconds}, f"{len(found)}{more} {noun}"
    )
    return 0


@_given_by_file
@_takes_work
@_takes_output
def unique(
    *,
    file: FileArgument,
    spec: ProblemSpec,
    puzzle: IndexOption = None,
    engine: opt.EngineOption = "auto",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Prove that there is exactly one solution, or show two and where they differ.

    Exit status 1 if none exists or others do.

    Examples
    --------
    ktsolve clues unique clues.txt            # the solution, if it is the only one
    ktsolve clues unique clues.txt -o it.svg  # a picture, of two solutions if there are two
    """
    from ktsolve.wings.puzzles.clue_tasks import differences, two_solutions

    problem = _problem(file, spec, work.settings, puzzle)
    data, found, seconds = _solutions(problem, 2, engine, work, out, two_solutions)
    if not found:
        return _no_solution(problem, data | {"unique": False} | seconds, work.settings, out)
    only = len(found) == 1
    data |= {"status": data["status"] if only else "several", "unique": only}
    data["squares"] = found[0].squares
    lines = [shown_tour(found[0], out), "the only solution"]
    if not only:
        apart = differences(*found)
        data["other"] = found[1].squares
        data["differences"] = [{"step": step, "cells": [one, two]} for step, one, two in apart]
        name = problem.ground.name
        listed = [f"step {step}: {name(one)} or {name(two)}" for step, one, two in apart[:_DIFFERENCES]]
        if len(apart) > _DIFFERENCES:
            listed.append("...")
        steps = f"{len(apart)} of {len(found[0])} steps differ"
        lines = [lines[0], "", shown_tour(found[1], out), "", f"{steps}: {', '.join(listed)}"]
        lines.append("not the only solution")
    if out.form.holds == "picture":
        emit_tours_drawn(found, out)
        remark(lines[-1], quiet=out.quiet)
    else:
        out.emit({**data, **seconds}, "\n".join(lines))
    return 0 if only else 1


def _solutions(
    problem: TourProblem,
    most: int,
    engine: str,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
    find: Any = None,
) -> tuple[dict[str, Any], list[Tour], dict[str, float]]:
    """Question and status in JSON, the solutions up to ``most``, and the seconds in JSON."""
    from ktsolve.wings.puzzles.clue_tasks import solutions

    started = time.perf_counter()
    question = {"board": problem.board.to_json(), "problem": str(problem)}
    with out.reporting(work.settings, str(problem), {**question, "status": "unknown"}) as watched:
        found = list(itertools.islice((find or solutions)(problem, engine, watched), most))
    status = "found" if found else "impossible"
    return {**question, "status": status}, found, {"seconds": round(time.perf_counter() - started, 6)}


@_given_by_file
@opt.takes_work("timeout", "memory")
@opt.takes_output(writes=CLUES)
def hint(
    *,
    file: FileArgument,
    spec: ProblemSpec,
    puzzle: IndexOption = None,
    number: Annotated[int, opt.NUMBER] = 1,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Give the next cell that follows, with the reason.

    -o FILE writes a picture for each step, several on a sheet: red is what follows, yellow its reason.

    Examples
    --------
    ktsolve clues hint clues.txt                # one step
    ktsolve clues hint clues.txt -n 5           # five, one after the other
    ktsolve clues hint clues.txt -n 4 -o h.svg  # four, as pictures
    """
    from ktsolve.wings.puzzles.clue_tasks import NoSolution
    from ktsolve.wings.puzzles.hints import ClueHint, GridHints, clue_hints

    problem = _problem(file, spec, work.settings, puzzle)

    def drawn(found: tuple[ClueHint, ...]) -> GridHints:
        return GridHints(tuple(each.drawn(problem) for each in found))

    with out.reporting(work.settings, "hints", {"status": "unknown"}) as watched:
        try:
            found = list(itertools.islice(clue_hints(problem, watched), number))
        except NoSolution:
            data = {**problem_fields(problem), "status": "impossible"}
            return _no_solution(problem, data, work.settings, out)
    emit_hints(found, number, drawn, {}, out, "every cell has its step")
    return 0


@_given_by_file
@_takes_work_with_seed
@_takes_output
def reduce(
    *,
    file: FileArgument,
    spec: ProblemSpec,
    puzzle: IndexOption = None,
    engine: opt.EngineOption = "auto",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Leave out clues as long as the solution stays the only one.

    Examples
    --------
    ktsolve clues reduce clues.txt --seed 1  # another seed leaves out others
    """
    from ktsolve.wings.puzzles.clue_tasks import reduce_clues

    settings = work.settings
    problem = _problem(file, spec, settings, puzzle)
    with out.reporting(settings, "clues", {"status": "unknown"}) as watched:
        reduced = reduce_clues(problem, settings.seed or 0, engine, watched)
    stand_down()
    return emit_puzzles([reduced], out) or (0 if reduced.minimal else 3)


# -- puzzles as wished ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Wishes:
    """The options about the clues, as typed."""

    givens: Annotated[
        str | None,
        _wished("--givens", "Number of clues, or fewest. Default: until all are needed.", "K|fewest"),
    ] = None
    pattern: Annotated[
        str | None, _wished("--pattern", "Symmetry of the set of clues.", "|".join(PATTERNS))
    ] = None
    on: Annotated[
        str | None,
        _wished(
            "--on", "Clues on these cells only: a1:h2, diagonals, border, or a file with a mask.", "CELLS"
        ),
    ] = None
    keep: Annotated[str | None, _wished("--keep", "Clues on these cells in any case.", "CELLS")] = None
    difficulty: Annotated[
        str | None, _wished("--difficulty", "What propagation reaches.", "easy|medium|hard")
    ] = None
    number: Annotated[int, opt.NUMBER] = 1

    def of(self, board: Board) -> ClueWishes:
        """The wishes on a board."""
        if self.number > _MOST:
            raise BadInput(f"--number {self.number}: give up to {_MOST:,} puzzles at once")
        from ktsolve.graphs.symmetry import symmetry_group
        from ktsolve.wings.puzzles.clue_tasks import FEWEST, ClueWishes

        givens = None
        if self.givens is not None:
            if self.givens != "fewest" and not (self.givens.isascii() and self.givens.isdigit()):
                raise BadInput(f"--givens {shown(self.givens)} is not a number of clues: give 12, or fewest")
            givens = FEWEST if self.givens == "fewest" else small_number(self.givens)
            if isinstance(givens, int) and givens > len(board):
                raise BadInput(f"--givens {givens}: {board} has {number_of(len(board), 'cell')}")
        pattern = None
        if self.pattern is not None:
            if self.pattern not in PATTERNS:
                raise unknown("--pattern", self.pattern, PATTERNS)
            named = {each.name: each for each in symmetry_group(board)}
            if self.pattern not in named:
                able = ", ".join(name for name in PATTERNS if name in named) or "none"
                raise BadInput(f"--pattern {self.pattern}: {board} has no such symmetry; it has {able}")
            pattern = named[self.pattern]
        return ClueWishes(
            givens=givens,
            pattern=pattern,
            on=None if self.on is None else _cells(self.on, board, "--on"),
            keep=frozenset() if self.keep is None else _cells(self.keep, board, "--keep"),
            difficulty=self.difficulty,
        )


@takes_problem("board", "closed", "without", "leaper", "wrap", "start", "end", board=SIZE)
@opt.in_place_of("wishes", opt.options_of(_Wishes, ()), _Wishes)
@opt.takes_work("seed", "timeout", "threads", "memory")
@opt.takes_output(writes=CLUES)
def make(
    *,
    spec: ProblemSpec,
    wishes: _Wishes,
    engine: opt.EngineOption = "auto",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Make puzzles with one solution; the seed decides which.

    A PDF is a booklet: puzzles, and their solutions at the end.

    Examples
    --------
    ktsolve clues make 6x6                                 # a puzzle
    ktsolve clues make 6x6 --seed 3 -o clues.txt           # another, in a file
    ktsolve clues make 8x8 --difficulty easy -o easy.svg   # a picture
    ktsolve clues make 8x8 --on diagonals --pattern rot90  # a theme
    ktsolve clues make 6x6 --number 4 -o booklet.pdf       # puzzles to print
    """
    from ktsolve.wings.puzzles.clue_tasks import make_puzzle

    seed = work.seed or 0
    settings = replace(work.settings, seed=seed)
    board = spec.make_board(settings)
    problem, wished = spec.make(board), wishes.of(board)
    with out.reporting(settings, f"clues {board}", {"status": "unknown"}, notice=True) as watched:
        seeds = ((seed + number) % 2**31 for number in range(wishes.number))
        making = (make_puzzle(problem, each, wished, engine, watched) for each in seeds)
        made, status = made_in_time(making, wishes.number, out)
    return emit_puzzles(made, out) or status


def made_in_time(making: Iterator[_Puzzle], number: int, out: opt.OutputOptions) -> tuple[list[_Puzzle], int]:
    """The puzzles that are made before a limit or Ctrl-C, if there is one, and the exit status."""
    made: list[_Puzzle] = []
    try:
        made.extend(making)
    except (LimitReached, KeyboardInterrupt) as stop:
        if not made:
            raise
        stand_down()
        stopped = f"{str(stop) or 'interrupted'}: {number_of(len(made), 'puzzle')} of {number}"
        remark(stopped, quiet=out.quiet)
        return made, 3
    return made, 0


def _note(made: Sequence[CluePuzzle]) -> str:
    """What is known about puzzles, in one line."""
    if len(made) == 1:
        return _note_of_one(made[0])
    numbers = sorted(len(each.clues) for each in made)
    levels = [each.rating.level for each in made]
    texts = (f"{levels.count(level)} {level}" for level in dict.fromkeys(levels))
    return f"{len(made)} puzzles, {numbers[0]} to {numbers[-1]} clues, {', '.join(texts)}"


# -- output --------------------------------------------------------------------------------------------------


def emit_puzzles(puzzles: Sequence[CluePuzzle], out: opt.OutputOptions) -> int:
    """Write puzzles in the format that is asked for; the exit status."""
    note = _note(puzzles)
    if out.form.holds == "picture":
        from ktsolve.wings.puzzles.pictures import Puzzles

        emit_picture(Puzzles(tuple(puzzles)), out)
        remark(note, quiet=out.quiet)
        return 0
    one = len(puzzles) == 1
    data = puzzles[0].to_json() if one else {"puzzles": [each.to_json() for each in puzzles]}
    out.emit(data, "\n\n".join(_text(each, out) for each in puzzles), note)
    return 0


def _text(puzzle: CluePuzzle, out: opt.OutputOptions) -> str:
    """The puzzle as a board in colours where the terminal can show it, else as a grid."""
    board = puzzle.problem.board
    if colours := colour_depth(out.output):
        from ktsolve.render.boards.text import board_text

        marks = {cell: str(step) for step, cell in puzzle.clues.items()}
        if (text := board_text(board, marks, colours, columns())) is not None:
            return puzzle.header + text
    return drawing_in(out.width, str(puzzle))


def _note_of_one(puzzle: CluePuzzle) -> str:
    clues = puzzle.clues
    if puzzle.fewest:
        left = "no fewer determine this tour"
    elif puzzle.minimal:
        left = "none can be left out"
    else:
        left = "perhaps some can be left out"
    parts = [number_of(len(clues), "clue"), "one solution", left, str(puzzle.rating)]
    if puzzle.confirmed:
        parts.append(f"confirmed by {puzzle.confirmed}")
    return ", ".join(parts)


# -- cells ---------------------------------------------------------------------------------------------------


def _cells(text: str, board: Board, option: str) -> frozenset[Cell]:
    """Cells by name, as rectangles, by region, or from the file of a mask."""
    if text in _REGIONS:
        cells = frozenset(cell for cell in board.cells if _in_region(cell, text, board))
    elif names_file(text):
        if not Path(text).is_file():
            raise BadInput(f"{option} {text}: there is no such file")
        cells = _mask(text, board, option)
    else:
        try:
            cells = board.read_cells(text).intersection(board.cells)
        except BadInput as error:
            raise BadInput(
                f"{option} {shown(text)}: {error}; or {', '.join(_REGIONS)}, or a file with a mask"
            ) from None
    if not cells:
        raise BadInput(f"{option} {shown(text)} names no cell of {board}")
    return cells


def _in_region(cell: Cell, region: str, board: Board) -> bool:
    r, c = cell
    down, right = board.rows - 1, board.columns - 1
    diagonal, antidiagonal = r * right == c * down, r * right == (right - c) * down
    return {
        "diagonal": diagonal,
        "antidiagonal": antidiagonal,
        "diagonals": diagonal or antidiagonal,
        "border": r in (0, down) or c in (0, right),
        "corners": r in (0, down) and c in (0, right),
    }[region]


def _mask(file: str, board: Board, option: str) -> frozenset[Cell]:
    """The marked cells of a picture: lines of characters, or a PNG whose dark pixels are marked."""
    if Path(file).suffix.lower() in (".png", ".gif", ".bmp"):
        return frozenset(_dark(file, board, option))
    lines = [line.split() for line in Path(file).read_text(encoding="utf-8", errors="replace").splitlines()]
    rows = [list("".join(line)) for line in lines if line]
    if len(rows) != board.rows or any(len(row) != board.columns for row in rows):
        raise BadInput(
            f"{option} {file}: the mask needs {number_of(board.rows, 'line')} of "
            f"{number_of(board.columns, 'character')}, X for a cell with a clue and . for others"
        )
    return frozenset(cell for cell in board.cells if rows[cell[0]][cell[1]] not in ".-_0 ")


def _dark(file: str, board: Board, option: str) -> Iterable[Cell]:
    try:
        from PIL import Image

        with Image.open(file) as image:
            over = Image.new("RGBA", image.size, "white")
            over.alpha_composite(image.convert("RGBA"))
            small = over.convert("L").resize((board.columns, board.rows), Image.Resampling.BOX)
    except ImportError:
        raise BadInput(f"{option} {file}: pictures are read with Pillow, which is not installed") from None
    except OSError as error:
        raise BadInput(f"{option} {file}: is not a picture that can be read: {error}") from None
    shades = small.tobytes()
    return (cell for cell in board.cells if shades[cell[0] * board.columns + cell[1]] < 128)
