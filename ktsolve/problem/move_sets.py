"""Named sets of moves: the slopes, moves on the border, moves at the corners, moves by the colours of cells.

Every command and function that takes a set of moves reads it here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown, small_number
from ktsolve.graphs.board import Board, needs_board
from ktsolve.graphs.graph import Graph, Move
from ktsolve.graphs.notation import Cell

__all__ = ["MOVE_SETS", "MoveSet", "read_move_sets"]


@dataclass(frozen=True)
class MoveSet:
    """A set of moves, with a name of :data:`MOVE_SETS` or the text that listed the moves."""

    name: str
    moves: frozenset[Move]

    def __len__(self) -> int:
        return len(self.moves)

    def places(self, ground: Graph) -> list[int]:
        """The places of the moves in ``ground.edges``, in order."""
        index = ground.index
        pairs = [(index[a], index[b]) for a, b in self.moves]
        return sorted(ground.places_of(pairs).tolist())


MOVE_SETS = {
    "slopes": "a set for each slope",
    "slope:R,C": "moves by R rows down and C columns to the right, in either direction",
    "border": "both cells lie on the border",
    "frame": "both cells lie in the two outer rings",
    "corners": "moves from corner cells",
    "white-on-top": "the white cell lies above the black one (a1 is black)",
    "black-to-white": "a set for each direction from the black cell to the white one",
    "black-to-white:R,C": "the white cell lies R rows below the black one and C columns to its right",
}
"""Names of sets of moves on boards, with what they hold. A list of moves, such as ``a1-b3,c2-d4``, or of
moves and names is a set, too."""


def read_move_sets(ground: Graph, given: str | Iterable[str | Move]) -> tuple[MoveSet, ...]:
    """The sets that a text names: one, or several for ``slopes`` and ``black-to-white``.

    The text is a name of :data:`MOVE_SETS`, or a list of moves and of names, which is one set, as moves
    themselves are; on a bare graph sets are lists of edges. Raises BadInput for an unknown name, or a move
    that the piece cannot make.

    >>> board = Board.parse("8x8")
    >>> [(each.name, len(each)) for each in read_move_sets(board, "slopes")]
    [('slope:1,-2', 42), ('slope:1,2', 42), ('slope:2,-1', 42), ('slope:2,1', 42)]
    >>> [len(each) for name in ("border", "frame", "corners") for each in read_move_sets(board, name)]
    [8, 64, 8]
    >>> [sorted(each.moves) for each in read_move_sets(Board.parse("3x3"), "a1-b3, c2-a1")]
    [[((0, 1), (2, 0)), ((1, 2), (2, 0))]]
    """
    if not isinstance(given, str):
        moves = frozenset(map(ground.move, given))
        named = " ".join(ground.move_name(move) for move in ground.moves_in_order(moves))
        return (MoveSet(named if len(moves) <= 6 else f"{len(moves)} {ground.nouns.moves}", moves),)
    parts = ground.split_list(given)
    if not parts:
        raise BadInput(f"{shown(given)} names no moves: give {_examples(ground)}")
    read = [tuple(_read(ground, part)) for part in parts]
    for part, sets in zip(parts, read, strict=True):
        if not any(map(len, sets)):
            raise BadInput(f"{shown(part)} has no move on {ground}: give {_examples(ground)}")
    if len(read) == 1:
        return tuple(each for each in read[0] if len(each))
    moves = frozenset[Move]().union(*(each.moves for sets in read for each in sets))
    return (MoveSet(" ".join(parts), moves),)


def _examples(ground: Graph) -> str:
    if isinstance(ground, Board):
        return f"moves such as a1-b3,c2-d4, or one of {', '.join(MOVE_SETS)}"
    return f"{ground.nouns.moves} such as {ground.move_name(ground.moves[0]) if ground.moves else 'a-b'}"


def _read(ground: Graph, part: str) -> Iterator[MoveSet]:
    """The sets of one part of a list: a name, a name with a displacement, or a move."""
    name, colon, given = part.partition(":")
    if not isinstance(ground, Board):
        if part in MOVE_SETS or (colon and f"{name}:R,C" in MOVE_SETS):
            needs_board(ground, f"the set of moves {part}")
        yield MoveSet(part, frozenset({ground.move(part)}))
    elif colon and name in _DISPLACED:
        down, right = _displacement(part, given)
        yield MoveSet(f"{name}:{down},{right}", _DISPLACED[name](ground, down, right))
    elif part == "slopes":
        for down, right in ground.offsets:
            if (down, right) > (0, 0):
                yield MoveSet(f"slope:{down},{right}", _slope(ground, down, right))
    elif part == "black-to-white":
        for down, right in ground.offsets:
            yield MoveSet(f"{part}:{down},{right}", _black_to_white(ground, down, right))
    elif part in _CHOSEN:
        chosen = _CHOSEN[part]
        yield MoveSet(part, frozenset(move for move in ground.moves if chosen(ground, *move)))
    elif "-" in part:
        yield MoveSet(part, frozenset({ground.move(part)}))
    else:
        raise BadInput(f"{shown(part)} names no set of moves: give {_examples(ground)}")


def _displacement(part: str, given: str) -> tuple[int, int]:
    match = re.fullmatch(r"\s*(-?)(\d+)\s*,\s*(-?)(\d+)\s*", given, re.ASCII)
    if match is None:
        raise BadInput(f"{shown(part)} is not understood: write R,S after the colon, such as 1,2 or 2,-1")
    down, right = small_number(match[2]), small_number(match[4])
    return -down if match[1] else down, -right if match[3] else right


# -- by the displacement of a move ---------------------------------------------------------------------------


def _moves_by(board: Board, down: int, right: int) -> Iterator[tuple[Cell, Cell]]:
    """All moves by a displacement, on a wrapped board across its edges too, as first and second cell."""
    if (down, right) not in board.offsets:
        return
    for row, column in board.cells:
        there = (
            (row + down) % board.rows if "y" in board.wrap else row + down,
            (column + right) % board.columns if "x" in board.wrap else column + right,
        )
        if there in board and there != (row, column):
            yield (row, column), there


def _slope(board: Board, down: int, right: int) -> frozenset[Move]:
    return frozenset(board.edge(a, b) for a, b in _moves_by(board, down, right))


def _black_to_white(board: Board, down: int, right: int) -> frozenset[Move]:
    pairs = _moves_by(board, down, right)
    return frozenset(board.edge(a, b) for a, b in pairs if _black(board, a) and not _black(board, b))


_DISPLACED: dict[str, Callable[[Board, int, int], frozenset[Move]]] = {
    "slope": _slope,
    "black-to-white": _black_to_white,
}


# -- by the places of the two cells --------------------------------------------------------------------------


def _black(board: Board, cell: Cell) -> bool:
    """Whether a cell has the colour of a1, as on a chessboard."""
    return (board.rows - 1 - cell[0] + cell[1]) % 2 == 0


def _ring(board: Board, cell: Cell) -> int:
    """0 for cells on the border, 1 for the ring inside it, ..."""
    row, column = cell
    return min(row, column, board.rows - 1 - row, board.columns - 1 - column)


def _is_corner(board: Board, cell: Cell) -> bool:
    return cell[0] in (0, board.rows - 1) and cell[1] in (0, board.columns - 1)


def _white_on_top(board: Board, a: Cell, b: Cell) -> bool:
    upper, lower = sorted((a, b))
    return upper[0] < lower[0] and _black(board, lower) and not _black(board, upper)


_CHOSEN: dict[str, Callable[[Board, Cell, Cell], bool]] = {
    "border": lambda board, a, b: _ring(board, a) == _ring(board, b) == 0,
    "frame": lambda board, a, b: max(_ring(board, a), _ring(board, b)) <= 1,
    "corners": lambda board, a, b: _is_corner(board, a) or _is_corner(board, b),
    "white-on-top": _white_on_top,
}
