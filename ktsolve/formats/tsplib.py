"""Tours in the format of TSPLIB (Reinelt 1991), which Concorde and LKH read and write."""

from __future__ import annotations

import json
import re
from typing import Any

from ktsolve.errors import BadInput
from ktsolve.ground.board import Board
from ktsolve.ground.notation import Cell, shown
from ktsolve.ground.tour import Tour

__all__ = ["MARK", "as_tsplib", "board_mark", "is_tsplib", "read_mark", "read_tsplib"]

MARK = "ktsolve"
"""The word with which a comment begins that tells the board."""

_HEAD = re.compile(r"^\s*(?:NAME|TYPE|COMMENT|DIMENSION)\s*:|^\s*TOUR_SECTION\s*$", re.MULTILINE)


def board_mark(board: Board, closed: bool | None = None) -> str:
    """The comment that tells the board, and whether the tour is closed; one line.

    >>> board_mark(Board.parse("3x4"), False)
    'ktsolve {"rows": 3, "columns": 4, "without": [], "leaper": [1, 2], "wrap": "none", "closed": false}'
    """
    data = board.to_json()
    return f"{MARK} {json.dumps(data if closed is None else {**data, 'closed': closed})}"


def read_mark(text: str) -> tuple[Board | None, bool | None]:
    """The board and the kind of tour of the first such comment in a text, None where there is none.

    Raises
    ------
    BadInput
        If what the comment tells is no board.
    """
    match = re.search(rf"\b{MARK} (\{{.*\}})", text)
    if match is None:
        return None, None
    try:
        data: Any = json.loads(match[1])
    except (ValueError, RecursionError):
        raise BadInput(f"the comment of ktsolve is damaged: {shown(match[1])}") from None
    closed = data.get("closed")
    return Board.from_json(data), closed if isinstance(closed, bool) else None


def as_tsplib(tour: Tour) -> str:
    """The tour as a ``.tour`` file: cells by number from 1, row by row; a comment tells the board.

    The format knows closed tours only; of an open one the comment says so.

    >>> tour = Tour.from_names(Board.parse("1x3", leaper=(0, 1)), "a1 b1 c1")
    >>> print(as_tsplib(tour), end="")  # doctest: +ELLIPSIS
    NAME : 1x3 leaper 0,1
    COMMENT : ktsolve {"rows": 1, "columns": 3, "without": [], ... "wrap": "none", "closed": false}
    TYPE : TOUR
    DIMENSION : 3
    TOUR_SECTION
    1
    2
    3
    -1
    EOF
    """
    lines = [
        f"NAME : {tour.board}",
        f"COMMENT : {board_mark(tour.board, tour.closed)}",
        "TYPE : TOUR",
        f"DIMENSION : {len(tour)}",
        "TOUR_SECTION",
        *(str(i + 1) for i in tour.indices),
        "-1",
        "EOF",
    ]
    return "\n".join(lines) + "\n"


def is_tsplib(text: str) -> bool:
    """Does a text begin as a file of TSPLIB does?"""
    return _HEAD.match(text) is not None


def read_tsplib(
    text: str, board: Board | None = None, closed: bool | None = None
) -> tuple[Board, list[Cell], bool | None]:
    """Read a ``.tour`` file: the board, the cells in order, and whether the tour is closed, if that is told.

    A tour of one node more than the board has cells comes from the problem of an open tour, in which the last
    number joins the two ends: it is cut there.

    Raises
    ------
    BadInput
        If it is no tour, if nothing tells the board, or if the numbers are not those of its cells.
    """
    head, section, body = text.partition("TOUR_SECTION")
    if not section:
        raise BadInput("the TSPLIB file has no TOUR_SECTION: it is no tour")
    kind = re.search(r"^\s*TYPE\s*:\s*(\S+)", head, re.MULTILINE)
    if kind is not None and kind[1].upper() != "TOUR":
        raise BadInput(f"the TSPLIB file is of type {shown(kind[1], 20)}, not TOUR")
    marked, told = read_mark(head)
    board = marked if board is None else board
    if board is None:
        raise BadInput("the TSPLIB tour does not tell its board: give it (--board, for commands)")
    closed = told if closed is None else closed
    numbers = _numbers(body)
    size = len(board)
    if len(numbers) == size + 1 and numbers.count(size + 1) == 1:
        at = numbers.index(size + 1)
        numbers = numbers[at + 1 :] + numbers[:at]
        closed = False if closed is None else closed
    elif marked is None and closed is None:
        closed = True
    cells = board.cells
    for step, number in enumerate(numbers, 1):
        if not 1 <= number <= size:
            raise BadInput(f"step {step}: {number} is no cell of {board}: they are numbered 1 to {size}")
    return board, [cells[number - 1] for number in numbers], closed


def _numbers(body: str) -> list[int]:
    """The numbers up to the -1, after which nothing may come but EOF."""
    numbers: list[int] = []
    words = body.split()
    for place, word in enumerate(words):
        if word in ("-1", "EOF"):
            rest = [each for each in words[place + 1 :] if each not in ("-1", "EOF")]
            if rest:
                raise BadInput("the TSPLIB file holds several tours: give one at a time")
            break
        if not (word.isascii() and word.isdigit()) or len(word) > 12:
            raise BadInput(f"the TSPLIB tour has {shown(word, 20)} where a number of a node is expected")
        numbers.append(int(word))
    if not numbers:
        raise BadInput("the TSPLIB tour is empty")
    return numbers
