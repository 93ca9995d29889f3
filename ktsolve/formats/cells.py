"""Lists of cells: names (``a1 b3 ...``, also joined by ``-``) or ``row,column`` pairs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ktsolve.errors import BadInput
from ktsolve.formats.common import tour_read
from ktsolve.ground.arrays import ArrayTour, order_chunks
from ktsolve.ground.board import Board
from ktsolve.ground.graph import Graph
from ktsolve.ground.notation import LARGEST_SIDE, cell_name, parse_cell, shown
from ktsolve.ground.tour import Tour

__all__ = ["read", "write", "write_array"]

# A cell, what stands between cells, or the rest of the text from a flaw on. Lists are scanned item by item:
# one expression for the whole list takes exponential time on a list with a flaw at its end.
_ITEM = re.compile(
    r"(?P<cell>[a-z]+\d+|\d+\s*,\s*\d+)|\(\s*(?P<pair>\d+\s*,\s*\d+)\s*\)|[\s;,\[\]>–-]|(?P<flaw>(?s:.+))",
    re.IGNORECASE | re.ASCII,
)


def write(tour: Tour) -> str:
    """The names of the cells in order, in one line; it does not state the board."""
    return tour.names() + "\n"


def write_array(tour: ArrayTour, cells: int = 1 << 22) -> Iterator[bytes]:
    """The same line in pieces of so many cells."""
    rows, columns = tour.steps.shape
    between = ""
    for chunk in order_chunks(tour.steps, cells):
        names = " ".join(cell_name(divmod(cell, columns), rows) for cell in chunk.tolist())
        yield (between + names).encode()
        between = " "
    yield b"\n"


def read(text: str, board: Graph | None = None, closed: bool | None = None) -> Tour:
    """Read a list of cells, on the smallest board from a1 (from row 0, column 0) that holds them.

    Of a bare graph the names of the vertices are read, in double quotes where they hold spaces.

    Raises
    ------
    BadInput
        If the text holds anything else, or a cell is off the board.
    """
    body = "\n".join(line for line in text.splitlines() if line.strip() and not line.startswith("# "))
    if board is not None and not isinstance(board, Board):
        return tour_read(board, [board.cell(name) for name in board.split_list(body)], closed)
    names = []
    for item in _ITEM.finditer(body):
        if item["flaw"]:
            raise BadInput(
                "the input is no tour: it is neither a grid of numbers, nor a list of cells, nor JSON "
                f"(not a cell: {shown(item['flaw'], 20)})"
            )
        if name := item["cell"] or item["pair"]:
            names.append(name)
    if not names:
        raise BadInput("there are no cells in the input: write their names, such as a1 b3")
    board = board or _smallest_board(names)
    return tour_read(board, [parse_cell(name, board.rows, board.columns) for name in names], closed)


def _smallest_board(names: list[str]) -> Board:
    rows = columns = 1
    for name in names:
        try:
            row, column = parse_cell(name, LARGEST_SIDE, LARGEST_SIDE)
        except BadInput:
            raise BadInput(
                f"{shown(name, 20)} is on no board: ranks count from 1, and a side is at most {LARGEST_SIDE}"
            ) from None
        # A rank counts from the bottom, a row from the top.
        rows = max(rows, row + 1 if "," in name else LARGEST_SIDE - row)
        columns = max(columns, column + 1)
    return Board(rows, columns)
