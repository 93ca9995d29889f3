"""Puzzles as subjects of pictures: partly numbered boards, swap puzzles, sudoku; read from files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.text import number_of, plural
from ktsolve.formats.tours.common import json_object
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.grids.box import Box
from ktsolve.problem.clues import CluePuzzle, read_puzzles
from ktsolve.problem.swap import SwapPuzzle

__all__ = ["Puzzles", "Swaps", "read_clue_puzzles", "read_sudoku", "swap_of_json"]

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
class Swaps:
    """One swap puzzle: its start and its goal."""

    puzzle: SwapPuzzle


def read_clue_puzzles(
    text: str, board: Graph | None = None, closed: bool | None = None, *, surely: bool
) -> Puzzles | None:
    r"""The clue puzzles of a text; None if it is something else.

    Parameters
    ----------
    surely:
        Take only what can be no tour: JSON with clues, grids with a line that states the question, and marks
        for unknown steps. Otherwise also grids whose step numbers have gaps, which may be meant as tours.

    Examples
    --------
    >>> read_clue_puzzles("1 . . 10\n. . . .\n3 . 9 .", surely=False).title
    'Knight puzzle on 3x4'
    >>> read_clue_puzzles("1 6 3\n4 . 8\n7 2 5", surely=False) is None
    True
    """
    data = json_object(text)
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
        if not (marked or (gaps and not surely)):
            return None
    leaper, wrap = (board.leaper, board.wrap) if isinstance(board, Board) else (None, None)
    return Puzzles(tuple(read_puzzles(text, closed=closed, leaper=leaper, wrap=wrap)))


def swap_of_json(data: dict[str, Any]) -> Swaps | None:
    """The swap puzzle in the JSON of ``ktsolve swap``; None if there is none."""
    if not all(isinstance(data.get(key), str) for key in ("start", "goal", "objective")):
        return None
    board = Board.from_json(data["board"])
    return Swaps(SwapPuzzle(start=data["start"], goal=data["goal"], board=board, objective=data["objective"]))


def read_sudoku(text: str) -> tuple[Box, tuple[str, ...]] | None:
    r"""The box and the grids of sudoku that are drawn with lines around boxes; None if the text is no such.

    Examples
    --------
    >>> box, grids = read_sudoku("1.|34\n..|..\n--+--\n21|..\n..|..")
    >>> str(box), grids
    ('2x2', ('1.34....21......',))
    """
    rows: list[list[str]] = []
    heights: list[int] = [0]
    for line in map(str.strip, text.strip("\ufeff \t\r\n").splitlines()):
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
    return box, tuple(digits[first : first + side * side] for first in range(0, len(digits), side * side))
