"""A grid of step numbers with gaps: read as a board with the cells of known steps, and written."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.graphs.board import Board
from ktsolve.graphs.notation import Cell

__all__ = ["clue_grid", "read_clues"]

_UNKNOWN = frozenset({".", "_", "0", "?"})
_HOLE = "#"


def read_clues(
    text: str, *, leaper: tuple[int, int] = (1, 2), wrap: str = "none"
) -> tuple[Board, dict[int, Cell]]:
    r"""The board of a partly numbered grid, and its clues.

    Parameters
    ----------
    text:
        A line per row, entries separated by spaces: a step number, ``.`` for a cell whose step is to be found
        (``_``, ``?`` and ``0`` as well), ``#`` for a hole.
    leaper, wrap:
        The rest of the board.

    Raises
    ------
    BadInput
        Naming line and entry of the first fault.

    Examples
    --------
    >>> board, clues = read_clues("1 . . 10\n. . # .\n3 . 9 .")
    >>> str(board), clues[9]
    ('3x4 without c2', (2, 2))
    """
    rows = [re.split(r"[\s|]+", line.strip(" \t|")) for line in text.strip("\ufeff \r\n").splitlines()]
    rows = [row for row in rows if row != [""]]
    if not rows:
        raise BadInput("there are no clues in the input: it is empty")
    holes: set[Cell] = set()
    clues: dict[int, Cell] = {}
    for r, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise BadInput(
                f"line {r + 1} of the clues has {len(row)} entries where line 1 has {len(rows[0])}"
            )
        for c, mark in enumerate(row):
            if mark == _HOLE:
                holes.add((r, c))
            elif mark not in _UNKNOWN:
                if not (mark.isascii() and mark.isdigit() and len(mark) < 10):
                    raise BadInput(
                        f"line {r + 1}, entry {c + 1} of the clues: {shown(mark, 20)} is neither a step "
                        "number, nor . for a cell to be found, nor # for a hole"
                    )
                if int(mark) in clues:
                    raise BadInput(f"line {r + 1}, entry {c + 1} of the clues: step {int(mark)} occurs twice")
                clues[int(mark)] = (r, c)
    return Board(len(rows), len(rows[0]), frozenset(holes), leaper, wrap), clues


def clue_grid(board: Board, clues: Mapping[int, Cell]) -> str:
    """The grid that :func:`read_clues` reads.

    >>> print(clue_grid(Board.parse("2x3", without="c1"), {1: (0, 0), 5: (1, 1)}))
    1 . .
    . 5 #
    """
    width = len(str(len(board)))
    marks = {cell: str(step) for step, cell in clues.items()}
    return "\n".join(
        " ".join(
            (_HOLE if (r, c) in board.removed else marks.get((r, c), ".")).rjust(width)
            for c in range(board.columns)
        )
        for r in range(board.rows)
    )
