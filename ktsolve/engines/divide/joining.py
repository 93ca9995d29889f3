"""Closed base boards side by side, joined into one tour by exchanges of two moves for two others.

The corner of a board has only two moves, so every closed tour makes both. Let X be a closed tour of a board
with w columns; it makes the move (0,w-1)-(2,w-2) at its top right corner. Let Y be a closed base to the right
of X; it makes the move (1,1)-(3,0). Then (0,w-1) of X is a knight's move away from (1,1) of Y, and (2,w-2) of
X from (3,0) of Y. The exchange replaces the two moves by these two and makes one tour out of two::

    . . a|. .        a: (0,w-1) of X and (1,1) of Y, the corner
    . . .|. a
    . b .|. .        b: (2,w-2) of X and (3,0) of Y
    . . .|b .

Mirror images and transposes of this exchange join a block to any of its four neighbours. The blocks of a
board are joined like a comb: one row of blocks is the spine, and all other blocks join towards it. No two
exchanges touch the same move, so that their order does not matter. The result keeps all moves at its own four
corners: if the bases are structured there, the result is structured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ktsolve.engines.divide.bases import Bases
from ktsolve.engines.divide.tiles import Tile, exchanged, mirrored
from ktsolve.graphs.board import Move
from ktsolve.graphs.notation import Cell

__all__ = [
    "DOWN",
    "LEFT",
    "RIGHT",
    "UP",
    "bands",
    "children",
    "corner_move",
    "joined",
    "joining",
    "other_end",
    "towards",
]

LEFT, RIGHT, UP, DOWN = range(1, 5)
"""Joints: the side on which the other block lies."""

_OTHER = 4  # added to a joint that lies at the other end of the common side

_KINDS = 16

# A joint in the frame where X lies to the left of Y: cell, end of the lost move, end of the gained move.
# Columns of X are counted from its right side, where -1 is the last column.
_IN_Y = (((1, 1), (3, 0), (0, -1)), ((3, 0), (1, 1), (2, -2)))
_IN_X = (((0, -1), (2, -2), (1, 1)), ((2, -2), (0, -1), (3, 0)))


def bands(side: int) -> list[int]:
    """Return sizes from 5 on that add up to a side. At most one is odd; an odd size comes first.

    >>> bands(9), bands(20), bands(1001)[:2]
    ([9], [6, 6, 8], [9, 8])
    """
    if side < 12:
        return [side]
    rest = {4: [6, 6], 5: [7, 6], 6: [6], 7: [7]}.get(side % 8, [8 + side % 8])
    return rest + [8] * ((side - sum(rest)) // 8)


def _placed(joint: int, rows: int, columns: int, cell: Cell, *, of_x: bool) -> Cell:
    """Return the cell of a block for a cell in the frame of :data:`_IN_X` and :data:`_IN_Y`."""
    side, other = (joint - 1) % _OTHER + 1, joint > _OTHER
    if side in (UP, DOWN):
        rows, columns = columns, rows
    row, column = cell
    if of_x:
        column += columns
    if side in (RIGHT, DOWN):
        column = columns - 1 - column
    if other:
        row = rows - 1 - row
    return (column, row) if side in (UP, DOWN) else (row, column)


def _cut(tile: Tile, joint: int, *, of_x: bool) -> None:
    rows, columns = tile.shape[:2]
    for cells in _IN_X if of_x else _IN_Y:
        cell, lost, gained = (_placed(joint, rows, columns, cell, of_x=of_x) for cell in cells)
        exchanged(tile, cell, lost, gained)


def corner_move(joint: int, rows: int, columns: int) -> Move:
    """Return the corner move that a block loses when another block joins it by ``joint``.

    >>> corner_move(LEFT, 6, 8), corner_move(UP, 6, 8)
    (((0, 7), (2, 6)), ((4, 2), (5, 0)))
    """
    first, second = sorted(_placed(joint, rows, columns, cell, of_x=True) for cell in _IN_X[0][:2])
    return first, second


def other_end(joint: int) -> int:
    """Return the joint at the other end of the same side."""
    return joint + _OTHER if joint <= _OTHER else joint - _OTHER


def joining(block: Cell, joint: int) -> Cell:
    """Return the block that joins a given block by ``joint``."""
    down, right = {LEFT: (0, 1), RIGHT: (0, -1), UP: (1, 0), DOWN: (-1, 0)}[(joint - 1) % _OTHER + 1]
    return block[0] + down, block[1] + right


def towards(shape: Cell, spine: int, core: frozenset[Cell]) -> NDArray[np.int64]:
    """Return the joint of each block: along the spine towards the core, elsewhere towards the spine.

    Blocks of the core have joint 0. The core is a part of the row ``spine``, and possibly a part of a column
    that reaches this row.
    """
    joints = np.empty(shape, dtype=np.int64)
    joints[:spine] = DOWN
    joints[spine + 1 :] = UP
    along = [j for i, j in core if i == spine]
    joints[spine, : min(along)] = RIGHT
    joints[spine, max(along) + 1 :] = LEFT
    for block in core:
        joints[block] = 0
    return joints


def children(joints: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a bit set for each block: bit j - 1 is set if a block joins it by joint j."""
    flags = np.zeros_like(joints)
    views = {
        LEFT: (flags[:, :-1], joints[:, 1:]),
        RIGHT: (flags[:, 1:], joints[:, :-1]),
        UP: (flags[:-1], joints[1:]),
        DOWN: (flags[1:], joints[:-1]),
    }
    for side, (parent, child) in views.items():
        for joint in (side, side + _OTHER):
            parent[child == joint] |= 1 << (joint - 1)
    return flags


def joined(
    heights: Sequence[int],
    widths: Sequence[int],
    joints: NDArray[np.int64],
    core: Mapping[Cell, Tile],
    bases: Bases,
) -> tuple[list[Tile], NDArray[np.int32]]:
    """Return the tiles, and the tile number of each block, of blocks that are joined by ``joints``.

    ``core`` has the tiles of the blocks with joint 0; all other blocks are closed bases.
    """
    flags = children(joints)
    tall, wide = sorted(set(heights)), sorted(set(widths))
    sizes = (np.searchsorted(tall, heights) * len(wide))[:, None] + np.searchsorted(wide, widths)[None, :]
    keys = (sizes * _KINDS + joints) * 256 + flags  # small keys keep the table below small
    number = np.full(int(keys.max()) + 1, -1, dtype=np.int32)
    tiles: list[Tile] = []
    for key in np.flatnonzero(np.bincount(keys.ravel())).tolist():
        rest, flag = divmod(key, 256)
        rest, joint = divmod(rest, _KINDS)
        if joint == 0:
            continue
        number[key] = len(tiles)
        high, broad = divmod(rest, len(wide))
        tiles.append(_with_children(_block(tall[high], wide[broad], joint, bases), flag))
    laid = number[keys]
    for place, tile in core.items():
        laid[place] = len(tiles)
        tiles.append(_with_children(tile.copy(), int(flags[place])))
    return tiles, laid


def _block(rows: int, columns: int, joint: int, bases: Bases) -> Tile:
    """Return a closed base that is reflected to fit a joint, with the joint's moves exchanged."""
    side, other = (joint - 1) % _OTHER + 1, joint > _OTHER
    upright = side in (LEFT, RIGHT)
    tile = mirrored(
        bases.closed(rows, columns),
        rows=side == DOWN or (other and upright),
        columns=side == RIGHT or (other and not upright),
    ).copy()
    _cut(tile, joint, of_x=False)
    return tile


def _with_children(tile: Tile, flags: int) -> Tile:
    for joint in range(1, 2 * _OTHER + 1):
        if flags >> (joint - 1) & 1:
            _cut(tile, joint, of_x=True)
    return tile
