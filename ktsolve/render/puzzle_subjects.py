"""Puzzles as subjects of pictures: partly numbered boards, sudoku; read from files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.text import number_of, plural
from ktsolve.graphs.board import Board
from ktsolve.grids.box import Box
from ktsolve.problem.clues import CluePuzzle, read_puzzles
from ktsolve.render.subject import Source

__all__ = ["Digits", "Puzzles", "read_clue_puzzles", "read_sudoku"]

_HEADER = re.compile(r"\A\s*#\s*(closed|open)\b", re.IGNORECASE)
_GIVEN = re.compile(r"\d+|[._?#]")
_SUDOKU_ROW = re.compile(r"[0-9A-Za-z.]+(\|[0-9A-Za-z.]+)+")
_SUDOKU_LINE = re.compile(r"[-+]+")


@dataclass(frozen=True)
class Puzzles:
    """Partly numbered boards; ``solved`` asks for the pictures of their solutions."""

    puzzles: tuple[CluePuzzle, ...]
    solved: bool = False

    @property
    def title(self) -> str:
        """A heading for a page of them."""
        boards = {str(puzzle.problem.board) for puzzle in self.puzzles}
        where = f" on {boards.pop()}" if len(boards) == 1 else ""
        piece = "Knight" if all(p.problem.board.leaper == (1, 2) for p in self.puzzles) else "Leaper"
        return f"{piece} {plural(len(self.puzzles), 'puzzle')}{where}"


@dataclass(frozen=True)
class Digits:
    """Bands or grids of sudoku, each with a caption."""

    box: Box
    grids: tuple[tuple[str, str], ...]
    title: str


def read_clue_puzzles(source: Source) -> Puzzles | None:
    r"""Read clue puzzles; None if the text is something else.

    At first it takes only what cannot be a tour: JSON with clues, grids with a line that states the question,
    and marks for unknown steps. Of a text that was refused as tours it takes also grids whose step numbers
    have gaps.

    Examples
    --------
    >>> read_clue_puzzles(Source("1 . . 10\n. . . .\n3 . 9 .", {}, refused=True)).title
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


def read_sudoku(source: Source) -> Digits | None:
    r"""Read grids of sudoku with lines around boxes, or the JSON of ``ktsolve sudoku``; None for other texts.

    Examples
    --------
    >>> digits = read_sudoku(Source("1.|34\n..|..\n--+--\n21|..\n..|..", {}))
    >>> str(digits.box), digits.grids
    ('2x2', (('1.34....21......', ''),))
    """
    if source.data:
        return _digits(source.data) if isinstance(source.data.get("box"), str) else None
    rows: list[list[str]] = []
    heights: list[int] = [0]
    for line in map(str.strip, source.text.strip("\ufeff \t\r\n").splitlines()):
        if _SUDOKU_ROW.fullmatch(line):
            rows.append(line.split("|"))
            heights[-1] += 1
        elif not line or _SUDOKU_LINE.fullmatch(line):
            heights.append(0)
        else:
            return None
    if not rows:
        return None
    box = Box(heights[0], len(rows[0][0]))
    side = box.rows * box.columns
    digits = "".join(part for row in rows for part in row).replace("0", ".")
    if any(sum(map(len, row)) != side for row in rows) or len(rows) % side:
        rows_text = number_of(len(rows), "row")
        raise BadInput(f"the sudoku has {rows_text}, boxes of {box}: give whole grids of {side}x{side}")
    grids = tuple((digits[first : first + side * side], "") for first in range(0, len(digits), side * side))
    return Digits(box, grids, f"Sudoku of boxes {box}")


def _digits(data: dict[str, Any]) -> Digits:
    box = Box.parse(data["box"])
    if isinstance(data.get("grid"), str):
        return Digits(box, ((data["grid"], ""),), f"Sudoku of boxes {box}")
    grids = []
    for number, each in enumerate(data["classes"]):
        count = each.get("completions")
        caption = f"{number}: {each['bands']} bands" + (f", {count} completions" if count is not None else "")
        grids.append((str(each["representative"]), caption))
    return Digits(box, tuple(grids), f"{number_of(len(grids), 'class')} of bands, boxes {box}")
