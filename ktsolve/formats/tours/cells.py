"""Lists of cells: names (``a1 b3 ...``, also joined by ``-``) or ``row,column`` pairs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.formats.tours.common import board_comment, board_of_names, read_board_comment, tour_read
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.notation import LISTED_SIDE, cell_name, parse_cell
from ktsolve.graphs.tour import Tour
from ktsolve.graphs.tour_arrays import order_chunks

# A cell, what stands between cells, or the rest of the text from a flaw on. Lists are scanned item by item:
# one expression for the whole list takes exponential time on a list with a flaw at its end.
_ITEM = re.compile(
    r"(?P<cell>[a-z]+\d+|\d+\s*,\s*\d+)|\(\s*(?P<pair>\d+\s*,\s*\d+)\s*\)|[\s;,\[\]>–-]|(?P<flaw>(?s:.+))",
    re.IGNORECASE | re.ASCII,
)


def write(tour: Tour) -> str:
    """The names of the cells in order, in one line; ``comment`` states the board."""
    return tour.names() + "\n"


def comment(tour: Tour) -> str:
    """The comment that states the board and the kind, empty where the names of the cells determine them.

    >>> comment(Tour.from_names(Board(3, 3), "a1 b3"))[:31], comment(Tour.from_names(Board(3, 2), "a1 b3"))
    ('ktsolve {"rows": 3, "columns": ', '')
    """
    if not isinstance(tour.ground, Board):
        return ""
    rows = tour.board.rows
    smallest = (1, 1)
    if tour.squares:  # ranks count from the bottom
        smallest = max(rows - r for r, _ in tour.squares), max(c for _, c in tour.squares) + 1
    if max(smallest) <= LISTED_SIDE and tour.board == Board(*smallest) and tour.closed == tour.closes:
        return ""
    return board_comment(tour.board, tour.closed)


def write_array(tour: Tour, cells: int = 1 << 22) -> Iterator[bytes]:
    """The same line in pieces of a given number of cells."""
    rows, columns = tour.steps.shape
    between = ""
    for chunk in order_chunks(tour.steps, cells):
        names = " ".join(cell_name(divmod(cell, columns), rows) for cell in chunk.tolist())
        yield (between + names).encode()
        between = " "
    yield b"\n"


def read(text: str, board: Graph | None = None, closed: bool | None = None) -> Tour:
    """Read a list of cells, on the stated board, or the smallest from a1 (row 0, column 0) that holds them.

    Of a bare graph the names of the vertices are read, in double quotes where they hold spaces. Raises
    BadInput if the text holds anything else, or a cell is off the board.
    """
    body = "\n".join(line for line in text.splitlines() if line.strip() and not line.startswith("# "))
    if board is not None and not isinstance(board, Board):
        return tour_read(board, [board.cell(name) for name in board.split_list(body)], closed)
    names = []
    for item in _ITEM.finditer(body):
        if item["flaw"]:
            raise BadInput(
                "the input is not a tour: it is neither a grid of numbers, nor a list of cells, nor JSON "
                f"(not a cell: {shown(item['flaw'], 20)})"
            )
        if name := item["cell"] or item["pair"]:
            names.append(name)
    if not names:
        raise BadInput("there are no cells in the input: write their names, such as a1 b3")
    stated, stated_closed = read_board_comment(text) if "#" in text else (None, None)
    closed = stated_closed if closed is None else closed
    board = board or stated or board_of_names(names)
    return tour_read(board, [parse_cell(name, board.rows, board.columns) for name in names], closed)
