"""Shared by several formats: the comment that states the board, and the tour made of the data read."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.text import quoted, shown
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph, Vertex
from ktsolve.graphs.notation import LISTED_SIDE, Cell, parse_cell
from ktsolve.graphs.tour import Tour

COMMENT = "ktsolve"  # the first word of the comment that states the board
_DIGITS = 4300  # most digits of a number: those that Python converts unless it is told to take more

_LONG_NUMBER = re.compile(rf"(?<!\d)\d{{{_DIGITS + 1}}}")


def parse_json(text: str, what: str) -> Any:
    """The value of a text in JSON.

    Raises BadInput with the line and the column at which the text is not JSON.
    """
    try:
        # Python converts long numbers in quadratic time where its limit is lifted, as some commands do.
        if sys.get_int_max_str_digits() == 0 and _LONG_NUMBER.search(text):
            raise ValueError
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise BadInput(f"{what}: {error.msg} (at line {error.lineno}, column {error.colno})") from None
    except RecursionError:
        raise BadInput(f"{what}: lists or objects are nested too deeply") from None
    except ValueError:  # the only other one
        raise BadInput(f"{what}: it has a number of more than {_DIGITS:,} digits") from None


def is_read(read: Callable[[], object]) -> bool:
    """Whether a function of an input does not refuse it."""
    try:
        read()
    except BadInput:
        return False
    return True


def json_object(text: str) -> dict[str, Any]:
    """Return the JSON object in a text; an empty one if the text is something else."""
    stripped = text.strip("\ufeff \t\r\n")
    try:
        data = parse_json(stripped, "") if stripped.startswith("{") else None
    except BadInput:
        return {}
    return data if isinstance(data, dict) else {}


def board_comment(board: Board, closed: bool | None = None) -> str:
    """The comment that states the board, and whether the tour is closed; one line.

    >>> board_comment(Board.parse("3x4"), False)
    'ktsolve {"rows": 3, "columns": 4, "without": [], "leaper": [1, 2], "wrap": "none", "closed": false}'
    """
    data = board.to_json()
    return f"{COMMENT} {json.dumps(data if closed is None else {**data, 'closed': closed})}"


def ground_comment(graph: Graph, mark: str = "") -> str:
    """The comment of a board as a line after ``mark``; nothing for a bare graph."""
    return f"{mark}{board_comment(graph)}\n" if isinstance(graph, Board) else ""


def kind_comment(tour: Tour) -> str:
    """The comment that states the board of a tour and its kind; of a bare graph only the kind."""
    if isinstance(tour.ground, Board):
        return board_comment(tour.ground, tour.closed)
    return f"{COMMENT} {json.dumps({'closed': tour.closed})}"


def read_board_comment(text: str) -> tuple[Board | None, bool | None]:
    """The board and the kind of tour that the first such comment of a text states, None without one.

    Raises BadInput if the comment states no board.
    """
    match = re.search(rf"\b{COMMENT} (\{{.*\}})", text)
    if match is None:
        return None, None
    try:
        data = parse_json(match[1], "")
    except BadInput:
        raise BadInput(f"the comment {shown(match[1])} is not JSON: leave it out, or copy the line") from None
    closed = data.get("closed")
    # Of a tour of a bare graph only the kind is stated.
    board = None if data.keys() == {"closed"} else Board.from_json(data)
    return board, closed if isinstance(closed, bool) else None


def smallest_board(cells: list[Cell]) -> Board:
    """The smallest rectangle from row 0 and column 0 that holds the cells."""
    sides = max(r for r, _ in cells) + 1, max(c for _, c in cells) + 1
    if max(sides) > LISTED_SIDE:
        raise BadInput(
            f"cells are listed on 1 to {LISTED_SIDE} rows and columns, not {max(sides)}: state the board"
        )
    return Board(*sides)


def board_of_names(names: Sequence[str]) -> Board:
    """The smallest board from a1, or from row 0 and column 0, that has cells of these names."""
    rows = columns = 1
    for name in names:
        try:
            row, column = parse_cell(name, LISTED_SIDE, LISTED_SIDE)
        except BadInput:
            raise BadInput(
                f"{shown(name, 20)} is on no board: ranks count from 1, and a side is at most {LISTED_SIDE}"
            ) from None
        # A rank counts from the bottom, a row from the top.
        rows = max(rows, row + 1 if "," in name else LISTED_SIDE - row)
        columns = max(columns, column + 1)
    return Board(rows, columns)


def vertex_of(graph: Graph, name: str) -> Vertex:
    """The vertex of a bare graph whose name stands in a file without quotes of its own.

    Spaces around a name do not count where they belong to no name. Raises BadInput.
    """
    try:
        return graph.cell(quoted(name))
    except BadInput:
        return graph.cell(name.strip())


def tour_read(board: Graph, cells: Sequence[Vertex], closed: bool | None) -> Tour:
    """The tour of these cells; where nothing states it, closed if the ends are a move apart."""
    tour = Tour(board, tuple(cells), bool(closed))
    return tour.as_closed(True) if closed is None and tour.closes else tour
