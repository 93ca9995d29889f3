"""How clue puzzles are written: as grids, as JSON, as pictures, as a booklet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ktsolve.base.text import number_of
from ktsolve.cli import options as opt
from ktsolve.cli.output import remark
from ktsolve.cli.tour_output import emit_picture, shown_clues

if TYPE_CHECKING:
    from ktsolve.problem.clues import CluePuzzle

__all__ = ["emit_puzzles", "puzzle_note"]


def emit_puzzles(puzzles: Sequence[CluePuzzle], out: opt.OutputOptions, note: str) -> int:
    """Write puzzles in the format that is asked for; the exit status."""
    if out.form.holds == "picture":
        from ktsolve.render.puzzle_subjects import Puzzles

        emit_picture(Puzzles(tuple(puzzles)), out.form, out.output)
        remark(note, quiet=out.quiet)
        return 0
    one = len(puzzles) == 1
    data = puzzles[0].to_json() if one else {"puzzles": [each.to_json() for each in puzzles]}
    out.emit(data, "\n\n".join(_text(each, out) for each in puzzles), note)
    return 0


def _text(puzzle: CluePuzzle, out: opt.OutputOptions) -> str:
    """The puzzle as a board in colours where the terminal can show it, else as a grid."""
    header, _, _ = str(puzzle).rpartition("\n" * puzzle.problem.board.rows)
    board = shown_clues(puzzle.problem.board, puzzle.clues, out)
    first = str(puzzle).partition("\n")[0]
    return f"{first}\n{board}" if first.startswith(("# closed", "# open")) else header + board


def puzzle_note(puzzle: CluePuzzle) -> str:
    """What is known about a puzzle, in one line."""
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
