"""Tours in the format of TSPLIB (Reinelt 1991), which Concorde and LKH read and write."""

from __future__ import annotations

import re

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.formats.tours.common import kind_comment, read_board_comment, tour_read
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour


def write(tour: Tour) -> str:
    """The tour as a ``.tour`` file: cells by number from 1, row by row; a comment states the board.

    Vertices of a bare graph are numbered from 1 in their order, as in its other TSPLIB files.

    The format holds closed tours; of an open tour the comment states that it is open.

    >>> tour = Tour.from_names(Board.parse("1x3", leaper=(0, 1)), "a1 b1 c1")
    >>> print(write(tour), end="")  # doctest: +ELLIPSIS
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
        f"NAME : {tour.ground}",
        f"COMMENT : {kind_comment(tour)}",
        "TYPE : TOUR",
        f"DIMENSION : {len(tour)}",
        "TOUR_SECTION",
        *(str(i + 1) for i in tour.indices),
        "-1",
        "EOF",
    ]
    return "\n".join(lines) + "\n"


def read(text: str, board: Graph | None = None, closed: bool | None = None) -> Tour:
    """Read a ``.tour`` file.

    A tour of one node more than the board has cells comes from the problem of an open tour, in which the last
    node joins the two ends: it is cut there. Raises BadInput if it is not a tour, if its board is not stated,
    or if the numbers are not those of its cells.
    """
    head, section, body = text.partition("TOUR_SECTION")
    if not section:
        raise BadInput("the TSPLIB file has no TOUR_SECTION: it is not a tour")
    kind = re.search(r"^\s*TYPE\s*:\s*(\S+)", head, re.MULTILINE)
    if kind is not None and kind[1].upper() != "TOUR":
        raise BadInput(f"the TSPLIB file is of type {shown(kind[1], 20)}, not TOUR")
    stated, stated_closed = read_board_comment(head)
    board = board or stated
    if board is None:
        raise BadInput("the TSPLIB tour does not state its board: give --board (for commands), or board=")
    closed = stated_closed if closed is None else closed
    numbers = _numbers(body)
    size = len(board)
    if len(numbers) == size + 1 and numbers.count(size + 1) == 1:
        at = numbers.index(size + 1)
        numbers = numbers[at + 1 :] + numbers[:at]
        closed = False if closed is None else closed
    elif stated is None and closed is None:
        closed = True
    what = "cell" if isinstance(board, Board) else "vertex"
    for step, number in enumerate(numbers, 1):
        if not 1 <= number <= size:
            raise BadInput(f"step {step}: {number} is not a {what} of {board}: they are numbered 1 to {size}")
    return tour_read(board, board.cells_of(number - 1 for number in numbers), closed)


def _numbers(body: str) -> list[int]:
    """The numbers up to the -1, after which only EOF may follow."""
    words = body.split()
    end = next((place for place, word in enumerate(words) if word in ("-1", "EOF")), len(words))
    if set(words[end:]) - {"-1", "EOF"}:
        raise BadInput("the TSPLIB file holds several tours: give one at a time")
    for word in words[:end]:
        if not (word.isascii() and word.isdigit()) or len(word) > 12:
            raise BadInput(f"the TSPLIB tour has {shown(word, 20)} where the number of a node is expected")
    if not end:
        raise BadInput("the TSPLIB tour is empty")
    return list(map(int, words[:end]))
