"""``ktsolve clues make``: puzzles as wished, written as grids, as JSON, as pictures, as a booklet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.text import number_of, shown
from ktsolve.cli import options as opt
from ktsolve.cli.output import colour_depth, columns, remark
from ktsolve.cli.output_format import ANSWER, STILL, Writes
from ktsolve.cli.problem_options import ProblemSpec, takes_problem
from ktsolve.cli.tour_output import emit_picture
from ktsolve.graphs.notation import Cell

if TYPE_CHECKING:
    from ktsolve.graphs.board import Board
    from ktsolve.wings.puzzles.clue_tasks import ClueWishes
    from ktsolve.wings.puzzles.clues import CluePuzzle

__all__ = ["CLUES", "emit_puzzles", "make"]

CLUES = Writes("a puzzle", (*ANSWER.formats, *STILL.formats))
"""What commands on puzzles write."""

_wished = opt.panel("What the puzzle is like")

_PATTERNS = ("rot180", "rot90", "flip-h", "flip-v", "transpose", "anti-transpose")

_REGIONS = ("diagonal", "antidiagonal", "diagonals", "border", "corners")
"""Cells by name, for ``--on`` and ``--keep``."""


_MOST = 1000


@dataclass(frozen=True)
class _Wishes:
    """The options about the clues, as typed."""

    givens: Annotated[
        str | None,
        _wished("--givens", "Number of clues, or fewest. Default: until all are needed.", "K|fewest"),
    ] = None
    pattern: Annotated[
        str | None, _wished("--pattern", "Symmetry of the set of clues.", "|".join(_PATTERNS))
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
                raise BadInput(f"--givens {shown(self.givens)} is no number of clues: give 12, or fewest")
            givens = FEWEST if self.givens == "fewest" else int(self.givens)
        pattern = None
        if self.pattern is not None:
            if self.pattern not in _PATTERNS:
                raise BadInput(f"--pattern {shown(self.pattern)} is unknown: use {', '.join(_PATTERNS)}")
            named = {each.name: each for each in symmetry_group(board)}
            if self.pattern not in named:
                able = ", ".join(name for name in _PATTERNS if name in named) or "none"
                raise BadInput(f"--pattern {self.pattern}: {board} has no such symmetry; it has {able}")
            pattern = named[self.pattern]
        return ClueWishes(
            givens=givens,
            pattern=pattern,
            on=None if self.on is None else _cells(self.on, board, "--on"),
            keep=frozenset() if self.keep is None else _cells(self.keep, board, "--keep"),
            difficulty=self.difficulty,
        )


@takes_problem("board", "closed", "without", "leaper", "wrap", "start", "end")
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
    made: list[CluePuzzle] = []
    with out.reporting(settings, f"clues {board}", {"status": "unknown"}) as watched:
        try:
            seeds = ((seed + number) % 2**31 for number in range(wishes.number))
            made.extend(make_puzzle(problem, each, wished, engine, watched) for each in seeds)
        except LimitReached as limit:
            if not made:
                raise
            remark(f"{limit}: {number_of(len(made), 'puzzle')} of {wishes.number}", quiet=out.quiet)
            emit_puzzles(made, out)
            return 3
    return emit_puzzles(made, out)


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
        from ktsolve.wings.puzzles.clue_picture import Puzzles

        emit_picture(Puzzles(tuple(puzzles)), out.form, out.output)
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
    return str(puzzle)


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
    elif Path(text).is_file():
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
        raise BadInput(f"{option} {file}: is no picture that can be read: {error}") from None
    shades = small.tobytes()
    return (cell for cell in board.cells if shades[cell[0] * board.columns + cell[1]] < 128)
