"""Move strings: a knight's tour of a whole board in one line, a digit for each move.

    moves 3x4 open 0,0 25025052052

The line holds the board, whether the tour is closed, the first cell as row,column, and the moves: 0 to 7
clockwise, from one right and two up. A closed tour has the move back to its first cell as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from ktsolve import _native
from ktsolve.base.errors import BadInput, NotATour
from ktsolve.base.text import shown
from ktsolve.graphs.board import Board
from ktsolve.graphs.notation import parse_cell, parse_size
from ktsolve.graphs.tour import Tour


def write(tour: Tour) -> str:
    """The move string of a tour.

    Raises BadInput for another piece, a board with holes or joined edges, or a walk that is not a tour.
    """
    if not tour.board.plain or not tour.valid:
        raise BadInput(f"a move string is a knight's tour of a whole board, not {tour.board}: use json")
    return b"".join(write_array(tour)).decode("ascii")


def write_array(tour: Tour) -> Iterator[bytes]:
    r"""The move string of a large tour.

    >>> b"".join(write_array(Tour.from_steps(([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]]))))
    b'moves 3x4 open 0,0 25025052052\n'
    """
    steps, closed = tour.steps, tour.closed
    row, column = divmod(int(np.argmax(steps == 1)), steps.shape[1])
    yield f"moves {tour.board} {'closed' if closed else 'open'} {row},{column} ".encode()
    yield _native.moves_of_steps(steps, closed)
    yield b"\n"


def read_array(data: bytes, closed: bool | None = None) -> Tour:
    """The tour of a move string, meant to be closed as it states unless that is given.

    Raises NotATour if the moves make no tour, with the first that is wrong; BadInput if it is not a move
    string at all.

    >>> read_array(b"moves 3x4 open 0,0 25025052052").steps.tolist()
    [[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]]
    >>> read_array(b"moves 3x4 open 0,0 2506")
    Traceback (most recent call last):
    ...
    ktsolve.base.errors.NotATour: move 4: 6 leads off the board or to a cell visited before
    """
    match = re.match(rb"moves +(\S{1,40}) +(closed|open) +(\S{1,40})[ \t]*\r?\n?", data)
    if match is None:
        raise BadInput(
            f"{shown(data[:40].decode('ascii', 'replace'))} is not a move string: "
            "write moves ROWSxCOLUMNS closed|open ROW,COLUMN and a digit 0 to 7 for each move"
        )
    rows, columns = parse_size(match[1].decode("ascii", "replace"))
    if rows * columns >= 2**31:
        raise BadInput(f"a board of {rows}x{columns} has more cells than 32 bits can number")
    row, column = parse_cell(match[3].decode("ascii", "replace"), rows, columns)
    returns = match[2] == b"closed"
    moves = data[match.end() :].strip()
    wanted = rows * columns - (0 if returns else 1)
    number = f"moves where {'a closed' if returns else 'an open'} tour makes {wanted:,}"
    # Too few are refused before memory is taken for the board, which a short text may state as huge. But on
    # boards of ordinary size the first wrong move is named even so.
    if len(moves) < wanted and rows * columns > 10**6:
        raise NotATour(f"{len(moves):,} {number}")
    steps, made = _native.steps_of_moves(moves, rows, columns, row * columns + column)
    if made < len(moves):
        mark = shown(chr(moves[made]))[1:-1]
        leads = mark in "01234567"
        why = "leads off the board or to a cell visited before" if leads else "is not a digit 0 to 7"
        raise NotATour(f"move {made + 1}: {mark} {why}")
    if made != wanted:
        raise NotATour(f"{made:,} {number}")
    return Tour.from_steps(steps, returns if closed is None else closed)


def read(text: str, board: Board | None = None, closed: bool | None = None) -> Tour:
    """The tour of a move string as an object. Raises as ``read_array``, and for another board."""
    tour = read_array(text.encode("ascii", "replace"), closed)
    if board is not None and tour.board.size != board.size:
        raise BadInput(f"the moves are those of {tour.board}, the board is {board.size}")
    tour = Tour.from_steps(tour.steps, tour.closed, board)
    return Tour.from_indices(tour.ground, tour.places, tour.closed)
