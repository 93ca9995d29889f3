"""Tours as CSV: a line for each step."""

from __future__ import annotations

import csv
import io
import re
from typing import Any, Literal

from ktsolve.base.errors import BadInput, NotATour
from ktsolve.base.text import csv_text, shown
from ktsolve.formats.tours.common import (
    board_comment,
    board_of_names,
    kind_comment,
    read_board_comment,
    smallest_board,
    tour_read,
    vertex_of,
)
from ktsolve.graphs.board import Board, needs_board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.notation import LARGEST_SIDE, LISTED_SIDE, Cell
from ktsolve.graphs.tour import Tour

_COLUMNS = ("step", "row", "column")

_GRAPH_COLUMNS = ("step", "vertex")  # of a tour of a bare graph


def write(tour: Tour) -> str:
    r"""The tour as CSV: ``step,row,column,cell``, rows and columns from 0, the top row first.

    Where the cells alone do not determine the board and the kind of tour, a first line ``# ktsolve {...}``
    states them; most readers of CSV can skip it as a comment. A tour of a bare graph has ``step,vertex``.

    >>> tour = Tour.from_names(Board.parse("1x3", leaper=(0, 1)), "a1 b1")
    >>> print(write(tour), end="")
    # ktsolve {"rows": 1, "columns": 3, "without": [], "leaper": [0, 1], "wrap": "none", "closed": false}
    step,row,column,cell
    1,0,0,a1
    2,0,1,b1
    """
    file = io.StringIO()
    if not isinstance(tour.ground, Board):
        file.write(f"# {kind_comment(tour)}\n")
        names = [tour.ground.names[i] for i in tour.indices]
        outer = any(name != name.strip() for name in names)  # readers may drop outer spaces without quotes
        quoting: Literal[0, 2] = csv.QUOTE_NONNUMERIC if outer else csv.QUOTE_MINIMAL
        rows = [_GRAPH_COLUMNS, *enumerate(names, 1)]
        csv.writer(file, lineterminator="\n", quoting=quoting).writerows(rows)
        return file.getvalue()
    listed = tour.squares and max(tour.board.rows, tour.board.columns) <= LISTED_SIDE
    board = smallest_board(list(tour.squares)) if listed else None
    if board is None or tour.board != board or tour.closed != Tour(board, tour.squares).closes:
        file.write(f"# {board_comment(tour.board, tour.closed)}\n")
    steps = ((step, *cell, tour.board.name(cell)) for step, cell in enumerate(tour.squares, 1))
    return file.getvalue() + csv_text([*_COLUMNS, "cell"], steps)


def read(text: str, board: Graph | None = None, closed: bool | None = None) -> Tour:
    """Read columns ``step``, ``row``, ``column`` in any order, as ``write`` or spreadsheets write.

    Further columns are left out; lines may come in any order. Separators are commas, semicolons or tabs. A
    column ``cell`` of names may stand for row and column, and steps may count from 0. Raises NotATour if a
    step is missing or given twice; BadInput if a column is missing, or a value is not a number.
    """
    comments = "\n".join(line for line in text.splitlines()[:20] if line.startswith("#"))
    stated, stated_closed = read_board_comment(comments)
    kept = [
        (number, line)
        for number, line in enumerate(re.split(r"\r\n?|\n", text.lstrip("\ufeff")), 1)
        if line.strip(" \t\r,;") and not line.startswith("#")
    ]
    numbers, lines = [number for number, _ in kept], [line for _, line in kept]
    separator = next((mark for mark in ",;\t" if lines and mark in lines[0]), ",")
    reader = csv.DictReader(lines, delimiter=separator, restval="")
    try:
        header = reader.fieldnames = [name.strip().lower() for name in reader.fieldnames or ()]
        rows = list(reader)
    except csv.Error as error:
        raise BadInput(f"the CSV cannot be read: {error}") from None
    bare = board is not None and not isinstance(board, Board)
    columns = _GRAPH_COLUMNS if bare else _COLUMNS
    if not bare and header.count("cell") == 1 and not {"row", "column"} & set(header):
        columns = ("step", "cell")
    for name in columns:
        if header.count(name) != 1:
            raise BadInput(f"the CSV has {header.count(name)} columns {name}: write {','.join(columns)}")
    longest = LISTED_SIDE if board is None and stated is None else LARGEST_SIDE
    at: dict[int, Any] = {}
    first: dict[int, int] = {}
    for number, row in zip(numbers[1:], rows, strict=False):
        step = _whole(row["step"].strip(), number, "step", 10**12)
        if step in at:
            raise NotATour(f"line {number} of the CSV: step {step} occurs twice (also in line {first[step]})")
        first[step] = number
        if board is not None and bare:
            at[step] = vertex_of(board, row["vertex"])
        elif "cell" in columns:
            at[step] = row["cell"].strip()
        else:
            sides = ("row", "column")
            at[step] = tuple(_whole(row[name].strip(), number, name, longest) for name in sides)
    if at and min(at) == 0:
        at = {step + 1: cell for step, cell in at.items()}
    for expected, step in enumerate(sorted(at), 1):
        if step != expected:
            raise NotATour(f"step {expected} is missing from the CSV")
    if not at:
        raise BadInput("the CSV has no steps")
    cells = [at[step] for step in sorted(at)]
    if "cell" in columns:
        named = stated or board_of_names(cells) if board is None else needs_board(board, "a column of cells")
        cells = [_cell(name, first[step], named) for step, name in zip(sorted(first), cells, strict=True)]
        board = named
    closed = stated_closed if closed is None else closed
    return tour_read(board or stated or smallest_board(cells), cells, closed)


def _cell(name: str, number: int, board: Board) -> Cell:
    try:
        return board.cell(name)
    except BadInput as error:
        raise BadInput(f"line {number} of the CSV: {error}") from None


def _whole(text: str, number: int, name: str, limit: int) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 12:
        raise BadInput(f"line {number} of the CSV: {shown(text, 20)} is not a {name}: write a whole number")
    value = int(text)
    if value >= limit:
        raise BadInput(f"line {number} of the CSV: {name} {value} is on no board: write 0 to {limit - 1}")
    return value
