"""``ktsolve puzzle``: loop and path puzzles solved, proved unique, made and drawn."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.guard import stand_down
from ktsolve.base.text import plural
from ktsolve.cli import options as opt
from ktsolve.cli.help import HelpGroup
from ktsolve.cli.hints import emit_hints
from ktsolve.cli.input import read_text
from ktsolve.cli.output import emit, emit_json, remark, width_of, writing_stdout_to
from ktsolve.cli.output_format import STILL, Writes, some_formats
from ktsolve.cli.tour_output import emit_picture, emit_scene
from ktsolve.graphs.notation import parse_size
from ktsolve.render.text_table import Column, drawing_in
from ktsolve.wings.puzzles.clue_commands import CLUES, PATTERNS, made_in_time
from ktsolve.wings.puzzles.kinds import KINDS, kind_named

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ktsolve.base.limits import Settings
    from ktsolve.grids.puzzle import GridSolution
    from ktsolve.wings.puzzles.files import Named
    from ktsolve.wings.puzzles.making import Made

LOOPS = Writes("a puzzle", (*some_formats("answer", "text", "json", "url", "id"), *STILL.formats))
"""What ``puzzle make`` writes."""

DRAWN = Writes("this picture", (*some_formats("picture", "text"), *STILL.formats), suffixed=True)
"""What ``puzzle draw`` writes."""

_KINDS = " or ".join((", ".join([*KINDS][:-1]), [*KINDS][-1]))
_LEVELS = "easy, medium or hard"
_MOST = 10_000  # puzzles made by one command

PuzzleArgument = Annotated[
    str, typer.Argument(metavar="FILE|URL|-", help="A puzzle as text, address of puzz.link, or game id.")
]
KindOption = Annotated[
    str | None, opt.problem_option("--kind", "Kind, if the text does not name it.", "KIND")
]

_HELP = f"""Loop and path puzzles: solve, prove unique, hint, make, draw.

The kinds are {_KINDS}.

Examples
--------
ktsolve puzzle make slitherlink 10x10 -o loop.txt  # a puzzle
ktsolve puzzle solve loop.txt                      # its solution
ktsolve puzzle draw loop.txt -o loop.svg           # a picture to print
"""


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(cls=HelpGroup, help=_HELP, no_args_is_help=True)
    for command in (solve, unique, hint, make, draw):
        group.command(name=command.__name__)(command)
    group.command(name="list")(list_kinds)
    app.add_typer(group, name="puzzle")


def _read(given: str, kind: str | None, settings: Settings) -> list[Named]:
    """The puzzles of a file or of standard input; an address or a game id is its own text."""
    from ktsolve.wings.puzzles.files import is_address, read_puzzles

    if given == "-" or os.path.exists(given) or not is_address(given):
        given = read_text(given, "a puzzle is a grid of clues, or an address of puzz.link", settings)
    return read_puzzles(given, None if kind is None else kind_named(kind))


def _each(
    listed: Sequence[Named], work: opt.WorkOptions, out: opt.OutputOptions
) -> Iterator[tuple[Named, Settings, opt.OutputOptions, dict[str, Any]]]:
    """The puzzles, each with the time that is left, where its answer goes, and what JSON says first.

    Of several puzzles the answers are lines of JSON, or texts below the places of the puzzles.
    """
    from ktsolve.base.limits import Clock
    from ktsolve.wings.puzzles.files import puzzle_json

    settings = work.settings
    if len(listed) == 1:
        yield listed[0], settings, out, dict(puzzle_json(listed[0].kind, listed[0].puzzle))
        return
    if out.form.holds == "picture":
        raise BadInput(
            f"the input holds {len(listed)} puzzles: ktsolve puzzle draw --solution draws several on a sheet"
        )
    clock = Clock(settings)
    with writing_stdout_to(out.output):
        for number, each in enumerate(listed, 1):
            rest = (
                settings if number == 1 else clock.within(settings, f"{number - 1} of {len(listed)} puzzles")
            )
            if not out.json:
                space = "" if number == 1 else "\n"
                emit(f"{space}{each.place}: {each.kind.title} of {each.puzzle.size}", None)
            data = {"place": each.place, **puzzle_json(each.kind, each.puzzle)}
            yield each, rest, replace(out, output=None), data


def _solutions(
    named: Named,
    most: int,
    engine: str,
    settings: Settings,
    out: opt.OutputOptions,
    question: dict[str, Any],
    stops: list[BaseException] | None = None,
) -> tuple[list[GridSolution], dict[str, Any]]:
    """The solutions and the JSON. With ``stops`` a limit or Ctrl-C after the first solution goes there."""
    from ktsolve.wings.puzzles.solving import solutions

    started = time.perf_counter()
    title = f"{named.kind.title} {named.puzzle.size}"
    found: list[GridSolution] = []
    with out.reporting(settings, title, {**question, "status": "unknown"}) as watched:
        try:
            found.extend(solutions(named.kind, named.puzzle, most, engine, watched))
        except (LimitReached, KeyboardInterrupt) as stop:
            if stops is None or not found:
                raise
            stand_down()
            stops.append(stop)
            question = {**question, "complete": False, "reason": str(stop) or "interrupted"}
    seconds = round(time.perf_counter() - started, 6)
    return found, {
        **question,
        "status": "found" if found else "impossible",
        "engine": engine,
        "seconds": seconds,
    }


def _drawing(named: Named, found: GridSolution, out: opt.OutputOptions) -> str:
    """A solution in characters, as wide as the terminal at most."""
    return drawing_in(out.width, named.kind.model.drawing(named.puzzle, found))


@opt.takes_work("solver", "timeout", "threads", "memory")
@opt.takes_output(writes=CLUES)
def solve(
    *,
    file: PuzzleArgument,
    kind: KindOption = None,
    number: Annotated[int, opt.NUMBER] = 1,
    engine: opt.ModelEngineOption = "auto",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Solve a puzzle.

    -o FILE writes a picture by its suffix: .svg, .pdf, .png or .tex. Of several puzzles in a file each is
    answered; --json prints a line for each.

    Examples
    --------
    ktsolve puzzle solve loop.txt                                     # a solution
    ktsolve puzzle solve loop.txt -o solved.svg                       # as a picture
    ktsolve puzzle solve "https://puzz.link/p?slither/5/5/cbcbcddad"  # an address
    """
    status = 0
    for named, settings, answer, question in _each(_read(file, kind, work.settings), work, out):
        stops: list[BaseException] = []
        found, data = _solutions(named, number, engine, settings, answer, question, stops)
        status = status if found else 1
        if out.form.holds == "picture" and not found:
            emit("no solution", None)
        elif out.form.holds == "picture":
            from ktsolve.wings.puzzles.pictures import puzzle_scene

            style = out.style("print")
            scene = puzzle_scene(
                named.kind, named.puzzle, found[0], theme=style.theme, caption=style.caption, alone=True
            )
            emit_scene(scene, out)
        else:
            data["list"] = [each.to_json() for each in found]
            drawn = (_drawing(named, each, out) for each in found)
            answer.emit(data, "\n\n".join(drawn) or "no solution")
        if stops:
            raise stops[0]
    return status


@opt.takes_work("solver", "timeout", "threads", "memory")
@opt.takes_output()
def unique(
    *,
    file: PuzzleArgument,
    kind: KindOption = None,
    engine: opt.ModelEngineOption = "auto",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Prove that a puzzle has exactly one solution, and rate its difficulty.

    Exit status 1 if none exists or others do, whose differences are shown. Of several puzzles in a file each
    is answered; --json prints a line for each.

    Examples
    --------
    ktsolve puzzle unique loop.txt  # the solution, if it is the only one
    """
    from ktsolve.base.limits import Clock
    from ktsolve.wings.puzzles.deduction import rate
    from ktsolve.wings.puzzles.solving import differences

    status = 0
    for named, settings, answer, question in _each(_read(file, kind, work.settings), work, out):
        clock = Clock(settings)
        found, data = _solutions(named, 2, engine, settings, answer, question)
        only = len(found) == 1
        status = status if only else 1
        data |= {"status": "several" if len(found) > 1 else data["status"], "unique": only}
        texts = [_drawing(named, each, out) for each in found[:1]] or ["no solution"]
        if found:
            data["solution"] = found[0].to_json()
        if only:
            texts.append("the only solution")
            try:
                rating = rate(named.kind, named.puzzle, clock)
            except LimitReached:
                remark("the time did not suffice to rate the difficulty", quiet=out.quiet)
            else:
                data["difficulty"] = rating.to_json()
                texts.append(str(rating))
        elif found:
            changed = differences(*found)
            data |= {"other": found[1].to_json(), "differences": changed.to_json()}
            texts.append(f"not the only solution: {changed}")
            texts.append(_drawing(named, found[1], out))
        answer.emit(data, "\n".join(texts))
    return status


@opt.takes_work("timeout", "memory")
@opt.takes_output(writes=CLUES)
def hint(
    *,
    file: PuzzleArgument,
    kind: KindOption = None,
    number: Annotated[int, opt.NUMBER] = 1,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Give what follows next from few rules, with the reason.

    -o FILE writes a picture for each step, several on a sheet: red is what follows, yellow its reason.

    Examples
    --------
    ktsolve puzzle hint loop.txt                # one step
    ktsolve puzzle hint loop.txt -n 4 -o h.svg  # four, as pictures
    """
    from ktsolve.wings.puzzles.clue_tasks import NoSolution
    from ktsolve.wings.puzzles.hints import GridHints, hints

    status = 0
    for named, settings, answer, question in _each(_read(file, kind, work.settings), work, out):
        title = f"hints for {named.kind.title} {named.puzzle.size}"
        try:
            with answer.reporting(settings, title, {**question, "status": "unknown"}) as watched:
                found = list(islice(hints(named.kind, named.puzzle, watched), number))
        except NoSolution as none:
            answer.emit({**question, "status": "impossible"}, str(none))
            status = 1
            continue
        emit_hints(found, number, GridHints, question, answer)
    return status


@opt.takes_work("seed", "timeout", "memory")
@opt.takes_output(writes=LOOPS)
def make(
    *,
    kind: Annotated[str, typer.Argument(metavar="KIND", help=f"One of {_KINDS}.")],
    size: Annotated[str, typer.Argument(metavar="ROWSxCOLS", help="Rows and columns, such as 10x10.")],
    difficulty: Annotated[str, opt.problem_option("--difficulty", f"One of {_LEVELS}.", "LEVEL")] = "medium",
    givens: Annotated[
        int | None, opt.problem_option("--givens", "Number of clues. Default: as few as needed.", "K", min=1)
    ] = None,
    pattern: Annotated[
        str | None, opt.problem_option("--pattern", "Symmetry of the set of clues.", "|".join(PATTERNS))
    ] = None,
    number: Annotated[int, opt.NUMBER] = 1,
    solution: Annotated[bool, opt.output_option("--solution", "Show the solutions, too.")] = False,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Make a puzzle with one solution; the seed decides which.

    Easy: local rules suffice. Medium: with one assumption at a time, or forced moves on numbered boards.
    Hard: needs search. Each is proved unique by two engines. A PDF is a booklet: puzzles, and their solutions
    at the end.

    Examples
    --------
    ktsolve puzzle make slitherlink 10x10                          # a puzzle
    ktsolve puzzle make masyu 8x8 --seed 3 --difficulty easy       # another
    ktsolve puzzle make hidato 6x6 --number 4 -o booklet.pdf       # puzzles, then solutions
    ktsolve puzzle make slitherlink 10x10 --format url             # an address
    """
    from ktsolve.grids.puzzle import GridPuzzle
    from ktsolve.wings.puzzles.files import write_puzzle
    from ktsolve.wings.puzzles.making import PuzzleWishes
    from ktsolve.wings.puzzles.making import make as make_puzzle

    named = kind_named(kind)
    rows, columns = parse_size(size)
    if number > _MOST:
        raise BadInput(f"--number {number}: give up to {_MOST:,} puzzles at once")
    if out.form.name in ("url", "id"):
        write_puzzle(named, GridPuzzle(1, 1), out.form.name)  # refuse kinds without such a form at once
    first = work.seed or 0
    unknown = {"kind": named.name, "rows": rows, "columns": columns, "status": "unknown"}
    started = time.perf_counter()
    with out.reporting(work.settings, f"{named.title} {rows}x{columns}", unknown, notice=True) as settings:
        seeds = range(first, first + number)
        wanted = PuzzleWishes(difficulty, givens, pattern)
        making = (make_puzzle(named, rows, columns, seed, wanted, settings) for seed in seeds)
        made, status = made_in_time(making, number, out)
    _emit_made(made, solution, time.perf_counter() - started, out)
    return status


def _emit_made(made: list[Made], solution: bool, seconds: float, out: opt.OutputOptions) -> None:
    from ktsolve.wings.puzzles.files import Named, puzzle_json, write_puzzle
    from ktsolve.wings.puzzles.pictures import GridPuzzles

    if out.form.holds == "picture":
        listed = [Named(each.kind, each.puzzle) for each in made]
        levels = tuple(each.rating.level for each in made)
        known = tuple(each.solution for each in made)
        beside = solution and out.form.name != "pdf"
        emit_picture(GridPuzzles(tuple(listed), known, beside, levels), out, "print")
    elif out.form.name == "json":
        entries = [{**puzzle_json(each.kind, each.puzzle, each.solution), **each.to_json()} for each in made]
        timed = {"seconds": round(seconds, 6)}
        emit_json({**entries[0], **timed} if len(made) == 1 else {"list": entries, **timed}, out.output)
    else:
        form = out.form.name
        width = out.width if form == "text" else None
        texts = [drawing_in(width, write_puzzle(each.kind, each.puzzle, form)) for each in made]
        if solution:
            texts = [
                f"{text}\n\n{_drawing(Named(each.kind, each.puzzle), each.solution, out)}"
                for text, each in zip(texts, made, strict=True)
            ]
        emit(("\n\n" if form == "text" else "\n").join(texts), out.output)
    for each in made:
        clues = len(each.puzzle.clues)
        again = f", {each.confirmed_by}" if each.confirmed_by else ""
        proved = f"one solution (sat{again})"
        remark(f"seed {each.seed}: {clues} {plural(clues, 'clue')}, {proved}, {each.rating}", quiet=out.quiet)


@opt.takes_work("timeout", "memory")
@opt.takes_output("output", "quiet", writes=DRAWN)
def draw(
    *,
    files: Annotated[
        list[str], typer.Argument(metavar="FILE|URL|-", help="Puzzles as text, addresses, or game ids.")
    ],
    kind: KindOption = None,
    solution: Annotated[
        bool, opt.problem_option("--solution", "Draw the solution beside the puzzle.")
    ] = False,
    columns: Annotated[
        int | None, opt.problem_option("--columns", "Pictures in a row of a sheet.", "K", min=1)
    ] = None,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Draw puzzles and solutions for print; several puzzles on a sheet, of several files, too.

    Without -o the drawing is text. A PDF is a booklet with the rules of each kind, and with --solution the
    solutions at its end. ktsolve draw mixes them with sudokus.

    Examples
    --------
    ktsolve puzzle draw loop.txt -o loop.svg             # a puzzle
    ktsolve puzzle draw loop.txt --solution -o loop.pdf  # with its solution
    """
    from ktsolve.cli.output import with_progress
    from ktsolve.wings.puzzles.pictures import GridPuzzles

    if files.count("-") > 1:
        raise BadInput("standard input (-) can be read once: name files for the others")
    listed = [each for file in files for each in _read(file, kind, work.settings)]
    subject = GridPuzzles(tuple(listed), (None,) * len(listed))
    if solution:
        with with_progress(work.settings, "solutions", quiet=out.quiet) as settings:
            subject = subject.with_solutions(settings)
        subject = replace(subject, beside=out.form.name != "pdf", answered=out.form.name == "text")
    emit_picture(subject, out, "print", columns=columns, width=width_of(out.output))
    return 0


@opt.takes_output("json", "output", "quiet")
def list_kinds(*, out: opt.OutputOptions) -> int:
    """List the kinds of puzzles with their rules.

    Examples
    --------
    ktsolve puzzle list  # all kinds
    """
    data = [{"name": each.name, "title": each.title, "rules": each.rules} for each in KINDS.values()]
    columns = [Column("kind"), Column("rules", text=True, wraps=True)]
    out.emit({"kinds": data}, out.table(columns, [(each.name, each.rules) for each in KINDS.values()]))
    return 0
