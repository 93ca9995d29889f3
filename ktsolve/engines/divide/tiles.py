"""Tiles: rectangles of a board with the moves that a tour makes there; and mosaics of tiles.

A tile is an array of shape (rows, columns, 2). It contains for each cell the codes of the two moves made
there: 0 to 7, clockwise from one right and two up, and 8 at an end of the tour. The native code
``ktsolve/divide/mosaic.hpp`` numbers the steps of a mosaic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ktsolve.graphs.notation import Cell

__all__ = [
    "MOVES",
    "NO_MOVE",
    "Mosaic",
    "Tile",
    "band_of",
    "code",
    "exchanged",
    "mirrored",
    "tile_of_tour",
    "transposed",
]

Tile = NDArray[np.uint8]

MOVES: tuple[Cell, ...] = ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))
"""Displacements of the knight as (down, right), by code; code ^ 4 is the move back."""

NO_MOVE = 8

_CODE = {move: code for code, move in enumerate(MOVES)}


@dataclass(frozen=True)
class Mosaic:
    """A tour as tiles.

    - ``heights``, ``widths``: Sizes of the bands of rows and of columns.
    - ``laid``: Number of the tile in each block, by bands.
    - ``start``, ``move``: Cell of step 1, and the code of the move from there. Any cell of a closed tour can
      be taken instead.
    """

    heights: Sequence[int]
    widths: Sequence[int]
    tiles: Sequence[Tile]
    laid: NDArray[np.int32]
    start: Cell
    move: int

    def moves_at(self, cell: Cell) -> tuple[int, int]:
        """Return the codes of the two moves made at a cell of the board."""
        i, row = band_of(self.heights, cell[0])
        j, column = band_of(self.widths, cell[1])
        one, other = self.tiles[self.laid[i, j]][row, column].tolist()
        return one, other


def band_of(sizes: Sequence[int], at: int) -> tuple[int, int]:
    """Return the band that contains a row or column, and its place in the band."""
    band = 0
    while at >= sizes[band]:
        at -= sizes[band]
        band += 1
    return band, at


def code(first: Cell, second: Cell) -> int:
    """Return the code of the move from one cell to another."""
    return _CODE[second[0] - first[0], second[1] - first[1]]


def tile_of_tour(rows: int, columns: int, squares: Sequence[Cell], *, closed: bool) -> Tile:
    """Return the tile of a whole tour.

    >>> corner = tile_of_tour(3, 4, [(0, 0), (2, 1)], closed=False)[0, 0]
    >>> corner.tolist(), MOVES[3]
    ([8, 3], (2, 1))
    """
    tile = np.full((rows, columns, 2), NO_MOVE, dtype=np.uint8)
    for i in range(0 if closed else 1, len(squares)):
        before, cell = squares[i - 1], squares[i]
        tile[(*cell, 0)], tile[(*before, 1)] = code(cell, before), code(before, cell)
    return tile


def exchanged(tile: Tile, cell: Cell, lost: Cell, gained: Cell) -> None:
    """Replace a move of a cell by another in place; ``lost`` and ``gained`` are their targets.

    Targets may lie outside the tile. Only this cell changes: the caller changes the other ends of the moves.
    """
    slot = int(np.flatnonzero(tile[cell] == code(cell, lost))[0])
    tile[(*cell, slot)] = code(cell, gained)


def mirrored(tile: Tile, *, rows: bool = False, columns: bool = False) -> Tile:
    """Return the tile with its rows, its columns, or both in reverse order.

    >>> tile = tile_of_tour(3, 4, [(0, 0), (2, 1)], closed=False)
    >>> mirrored(tile, columns=True)[0, 3].tolist(), MOVES[4]
    ([8, 4], (2, -1))
    """
    if rows:
        tile = _flipped(tile[::-1], {(down, right): (-down, right) for down, right in MOVES})
    if columns:
        tile = _flipped(tile[:, ::-1], {(down, right): (down, -right) for down, right in MOVES})
    return tile


def transposed(tile: Tile) -> Tile:
    """Return the tile with rows and columns exchanged."""
    return _flipped(np.swapaxes(tile, 0, 1), {(down, right): (right, down) for down, right in MOVES})


def _flipped(tile: Tile, image: dict[Cell, Cell]) -> Tile:
    table = np.array([*(_CODE[image[move]] for move in MOVES), NO_MOVE], dtype=np.uint8)
    return np.ascontiguousarray(table[tile])
