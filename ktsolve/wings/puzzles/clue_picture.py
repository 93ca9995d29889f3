"""Pictures of partly numbered boards: the board with its clues, and with its solution; read from files."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ktsolve.base.errors import BadInput
from ktsolve.base.text import number_of, plural
from ktsolve.graphs.board import Board
from ktsolve.problem.problem import TourProblem
from ktsolve.render.picture import ground_scene, tour_scene
from ktsolve.render.scene.shapes import Scene
from ktsolve.render.scene.style import Style
from ktsolve.render.subject import PictureOptions, Source
from ktsolve.wings.puzzles.booklet import Booklet
from ktsolve.wings.puzzles.clues import CluePuzzle, read_puzzles

__all__ = ["Puzzles", "read_clue_puzzles"]

_HEADER = re.compile(r"\A\s*#\s*(closed|open)\b", re.IGNORECASE)
_GIVEN = re.compile(r"\d+|[._?#]")


@dataclass(frozen=True)
class Puzzles(Booklet):
    """Partly numbered boards, or their solutions."""

    puzzles: tuple[CluePuzzle, ...]
    solutions_alone: bool = False

    def heading(self) -> str:
        """Return the title of a sheet or booklet."""
        boards = {str(puzzle.problem.board) for puzzle in self.puzzles}
        where = f" on {boards.pop()}" if len(boards) == 1 else ""
        piece = "Knight" if all(p.problem.board.leaper == (1, 2) for p in self.puzzles) else "Leaper"
        return f"{piece} {plural(len(self.puzzles), 'puzzle')}{where}"

    def solved(self) -> Puzzles:
        """Return the solutions. Raises BadInput if one is not known."""
        if any(puzzle.solution is None for puzzle in self.puzzles):
            raise BadInput("the input holds no solutions: ktsolve clues solve finds them")
        return replace(self, solutions_alone=True)

    def scenes(self, style: Style) -> list[Scene]:
        """Return the boards with their clues, or with their solutions."""
        style = replace(style, caption="") if len(self.puzzles) > 1 else style
        return [_scene(puzzle, style, solved=self.solutions_alone) for puzzle in self.puzzles]

    def solutions(self, style: Style) -> list[Scene]:
        """Return the boards with their solutions, if all are known and not shown already."""
        if self.solutions_alone or any(puzzle.solution is None for puzzle in self.puzzles):
            return []
        return self.solved().scenes(style)

    def file(self, style: Style, options: PictureOptions) -> bytes | None:
        """Return the text or the booklet; None for other formats."""
        if options.form.name == "text":
            return ("\n\n".join(map(str, self.puzzles)) + "\n").encode()
        return super().file(style, options)


def _scene(puzzle: CluePuzzle, style: Style, *, solved: bool) -> Scene:
    """The board with its clues; with the solution all steps, the clues on coloured cells."""
    problem, board = puzzle.problem, puzzle.problem.board
    # Other conditions than the clues are not drawn.
    clues = TourProblem(board=board, closed=problem.closed, at=puzzle.clues)
    style = replace(style, problem=clues, numbers=True)
    kind, piece = "closed" if problem.closed else "open", "Knight" if board.leaper == (1, 2) else "Leaper"
    title = f"{piece} puzzle on {board}: {kind} tour, {number_of(len(puzzle.clues), 'clue')}"
    if not solved:
        return replace(ground_scene(board, style), title=title)
    assert puzzle.solution is not None
    return replace(tour_scene(puzzle.solution, style), title=f"{title}: solution")


def read_clue_puzzles(source: Source) -> Puzzles | None:
    r"""Read clue puzzles; None if the text is something else.

    At first it takes only what cannot be a tour: JSON with clues, grids with a line that states the question,
    and marks for unknown steps. Of a text that was refused as tours it takes also grids whose step numbers
    have gaps.

    >>> read_clue_puzzles(Source("1 . . 10\n. . . .\n3 . 9 .", {}, refused=True)).heading()
    'Knight puzzle on 3x4'
    >>> read_clue_puzzles(Source("1 6 3\n4 . 8\n7 2 5", {}, refused=True)) is None
    True
    """
    text, data, board, closed = source.text, source.data, source.board, source.closed
    if data:
        several = data.get("puzzles")
        each = several[0] if isinstance(several, list) and several else data
        if not (isinstance(each, dict) and isinstance(each.get("clues"), dict)):
            return None
        return Puzzles(tuple(read_puzzles(text, closed=closed)))
    if _HEADER.match(text) is None:
        entries = text.replace("|", " ").split()
        if not entries or any(_GIVEN.fullmatch(entry) is None for entry in entries):
            return None
        marked = bool({"?", "_"}.intersection(entries))
        steps = {int(entry) for entry in entries if entry.isdigit() and len(entry) < 10}
        gaps = len(steps) < max(steps, default=0) and "." in entries
        if not (marked or (gaps and source.refused)):
            return None
    leaper, wrap = (board.leaper, board.wrap) if isinstance(board, Board) else (None, None)
    return Puzzles(tuple(read_puzzles(text, closed=closed, leaper=leaper, wrap=wrap)))
