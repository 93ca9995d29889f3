"""Reading tours: a grid of numbers, a list of cells, JSON, CSV or TSPLIB.

The format is recognised from the text itself:

- JSON: the object written by ``ktsolve tour --json`` or :meth:`Tour.to_json`, or a bare list of cells;
- a list of cells: names (``a1 b3 ...``, also joined by ``-``) or ``row,column`` pairs;
- a move string (:mod:`ktsolve.ground.arrays`): ``moves 3x4 open 0,0 25025052052``;
- TSPLIB: a ``.tour`` file (:mod:`ktsolve.formats.tsplib`); CSV: with a header (:mod:`ktsolve.formats.csv`);
- a grid: one line per row of step numbers from 1, with ``.``, ``-`` or ``0`` where no cell is.
  Lines that begin with ``#`` and a space are comments.

Nothing here judges a tour: cells visited twice or moves that are none are read as they stand, and
:attr:`Tour.fault` names them.
"""

from __future__ import annotations

import json
import re
from typing import Any

from ktsolve.errors import BadInput, NotATour
from ktsolve.formats.csv import is_csv, read_csv
from ktsolve.formats.tsplib import is_tsplib, read_tsplib
from ktsolve.ground.board import Board
from ktsolve.ground.notation import LARGEST_SIDE, Cell, parse_cell, shown
from ktsolve.ground.tour import Tour

__all__ = ["NotATour", "read_tour"]

_LARGE = 10_000
"""Entries from which a grid is read by NumPy, which takes half the time."""

_HOLES = frozenset({".", "-"})
# One cell, or what stands between cells. Lists are scanned item by item: one expression for the whole list
# takes exponential time on a list with a flaw at its end.
_ITEM = re.compile(
    r"(?P<cell>[a-z]+\d+|\d+\s*,\s*\d+)|\(\s*(?P<pair>\d+\s*,\s*\d+)\s*\)|[\s;,\[\]>–-]",
    re.IGNORECASE | re.ASCII,
)


def read_tour(text: str, board: Board | None = None, closed: bool | None = None) -> Tour:
    r"""Read a tour in any of the formats.

    Parameters
    ----------
    text:
        The tour.
    board:
        Its board. By default the one that JSON names; for a grid the grid's own cells; for a list of cells
        the smallest rectangle from the corner a1 (or from row 0, column 0) that holds them.
    closed:
        Whether it is meant to be closed; by default what JSON says, else whether the ends are a move apart.

    Raises
    ------
    NotATour
        If a grid has a step twice, misses one, or has rows of unequal length.
    BadInput
        If the text is no tour in any format, or does not fit the board.

    Examples
    --------
    >>> tour = read_tour("1 4 7 10\n8 11 2 5\n3 6 9 12")
    >>> tour.board, tour.closed, tour.valid
    (Board.parse('3x4'), False, True)
    >>> read_tour(tour.names(), tour.board) == tour
    True
    """
    stripped = text.strip("\ufeff \t\r\n")
    if not stripped:
        raise BadInput("there is no tour in the input: it is empty")
    if stripped.startswith("moves "):
        return _from_moves(stripped, board, closed)
    if stripped[0] in "{[":
        return _from_json(stripped, board, closed)
    if is_tsplib(stripped):
        return _finish(*read_tsplib(stripped, board, closed))
    if is_csv(stripped):
        return _finish(*read_csv(stripped, board, closed))
    lines = [line for line in stripped.splitlines() if line.strip() and not line.startswith("# ")]
    body = "\n".join(lines)
    if not re.search(r"[a-z,]", body, re.IGNORECASE):
        parts = re.split(r"\n[ \t]*\r?\n", re.sub(r"^# .*$", "", stripped, flags=re.MULTILINE))
        if sum(1 for part in parts if re.search(r"(?<!\d)1(?!\d)", part)) > 1:
            raise BadInput("the input holds several grids, with blank lines between them: give one at a time")
        return _from_grid(lines, board, closed)
    return _from_cells(_cells_in(body), board, closed)


def _cells_in(text: str) -> list[str]:
    tokens = []
    position = 0
    while position < len(text):
        match = _ITEM.match(text, position)
        if match is None:
            raise BadInput(
                "the input is no tour: it is neither a grid of numbers, nor a list of cells, nor JSON "
                f"(not a cell: {shown(text[position:], 20)})"
            )
        if token := match["cell"] or match["pair"]:
            tokens.append(token)
        position = match.end()
    return tokens


def _finish(board: Board, squares: list[Cell], closed: bool | None) -> Tour:
    tour = Tour(board, tuple(squares), bool(closed))
    return tour.as_closed(True) if closed is None and tour.closes else tour


def _from_moves(text: str, board: Board | None, closed: bool | None) -> Tour:
    from ktsolve.ground.arrays import read_moves, tour_of_steps

    steps, says_closed, fault = read_moves(text.encode("ascii", "replace"))
    if fault is not None:
        raise NotATour(fault.reason)
    if board is not None and steps.shape != (board.rows, board.columns):
        raise BadInput(f"the moves are those of {steps.shape[0]}x{steps.shape[1]}, the board is {board.size}")
    return tour_of_steps(steps, closed=says_closed if closed is None else closed, board=board)


def _from_grid(lines: list[str], board: Board | None, closed: bool | None) -> Tour:
    if not lines:
        raise BadInput("there is no tour in the input: it has comments only")
    rows = [re.split(r"[\s|]+", line.strip(" \t|")) for line in lines]
    if len({len(row) for row in rows}) != 1:
        for number, row in enumerate(rows, 1):
            if len(row) != len(rows[0]):
                raise NotATour(
                    f"line {number} of the grid has {len(row)} entries where line 1 has {len(rows[0])}"
                )
    if board is not None and (len(rows), len(rows[0])) != (board.rows, board.columns):
        raise BadInput(f"the grid has {len(rows)}x{len(rows[0])} entries, the board is {board.size}")
    if len(rows) * len(rows[0]) >= _LARGE and (squares := _numbered(rows)) is not None:
        board = board or Board(len(rows), len(rows[0]))
        if not board.removed:
            tour = Tour._trusted(board, tuple(squares), bool(closed))
            return tour.as_closed(True) if closed is None and tour.closes else tour
    at: dict[int, Cell] = {}
    holes = set()
    for r, row in enumerate(rows):
        for c, mark in enumerate(row):
            if mark in _HOLES:
                holes.add((r, c))
                continue
            if not (mark.isascii() and mark.isdigit()) or len(mark) > 12:
                raise BadInput(f"line {r + 1}, entry {c + 1}: {shown(mark, 20)} is not a step number")
            step = int(mark)
            if step == 0:
                holes.add((r, c))
                continue
            if step in at:
                raise NotATour(
                    f"line {r + 1}, entry {c + 1}: step {step} stands twice (also in line {at[step][0] + 1}, "
                    f"entry {at[step][1] + 1})"
                )
            at[step] = (r, c)
    if not at:
        raise BadInput("the grid holds no step numbers")
    for expected, step in enumerate(sorted(at), 1):
        if step != expected:
            # One is missing and none stands twice: another is too large, and that is a place to look at.
            (r, c), large = next((cell, s) for s, cell in sorted(at.items(), key=_place) if s > len(at))
            raise NotATour(
                f"step {expected} is missing from the grid, of {len(at)} steps "
                f"(line {r + 1}, entry {c + 1} is {large})"
            )
    board = board or Board(len(rows), len(rows[0]), frozenset(holes))
    return _finish(board, [at[step] for step in sorted(at)], closed)


def _place(item: tuple[int, Cell]) -> Cell:
    return item[1]


def _numbered(rows: list[list[str]]) -> list[Cell] | None:
    """The cells of a grid in order, all at once; None if it has holes, or is no numbering."""
    import numpy as np

    if not all((marks := "".join(row)).isascii() and marks.isdigit() for row in rows):
        return None
    try:
        steps = np.array(rows, dtype=np.int64).ravel()
    except (ValueError, OverflowError):  # more digits than a number of 64 bits
        return None
    order = np.argsort(steps)
    if not np.array_equal(steps[order], np.arange(1, len(steps) + 1)):
        return None
    columns = len(rows[0])
    return list(zip((order // columns).tolist(), (order % columns).tolist(), strict=True))


def _from_cells(tokens: list[str], board: Board | None, closed: bool | None) -> Tour:
    if not tokens:
        raise BadInput("there are no cells in the input")
    if board is None:
        rows = columns = 1
        for token in tokens:
            try:
                row, column = parse_cell(token, LARGEST_SIDE, LARGEST_SIDE)
            except BadInput:
                raise BadInput(
                    f"{shown(token, 20)} is on no board: "
                    f"ranks count from 1, and a side is at most {LARGEST_SIDE}"
                ) from None
            # A rank counts from the bottom, a row from the top.
            rows = max(rows, row + 1 if "," in token else LARGEST_SIDE - row)
            columns = max(columns, column + 1)
        board = Board(rows, columns)
    return _finish(board, [parse_cell(token, board.rows, board.columns) for token in tokens], closed)


def _from_json(text: str, board: Board | None, closed: bool | None) -> Tour:
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"the input looks like JSON but is not: {str(error)[:120]}") from None
    if isinstance(data, dict):
        if board is None and "board" in data:
            named = data["board"]
            board = Board.parse(named) if isinstance(named, str) else Board.from_json(named)
        if closed is None and isinstance(data.get("closed"), bool):
            closed = data["closed"]
        if "squares" not in data and isinstance(data.get("tours"), list):
            several = data["tours"]
            if len(several) != 1:
                raise BadInput(f"the input holds {len(several)} tours: give one at a time")
            data = several[0]
        else:
            data = data.get("squares")
    if not isinstance(data, list) or not data:
        raise BadInput(
            'a tour in JSON is a list of [row, column], or an object with such a list as "squares"'
        )
    squares: list[Cell] = []
    for step, item in enumerate(data, 1):
        match item:
            case [int(r), int(c)] if not isinstance(r, bool) and not isinstance(c, bool):
                if not (0 <= r < 10**6 and 0 <= c < 10**6):
                    raise BadInput(f"step {step}: {shown(item)} is on no board")
                squares.append((r, c))
            case str() if board is not None:
                squares.append(parse_cell(item, board.rows, board.columns))
            case _:
                raise BadInput(f"step {step}: {shown(item)} is not a cell: write [row, column]")
    if board is None:
        board = Board(max(r for r, _ in squares) + 1, max(c for _, c in squares) + 1)
    return _finish(board, squares, closed)
