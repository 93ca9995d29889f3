"""Closed tours by quarters: divide the board into four, recurse, join the quarters by four moves.

Boards with even sides that differ by at most 2 are divided into nine base boards, which the source prints.
Where four boards meet, their moves A, B, C and D (one of each board) are replaced by E, F, G and H between
them. This joins the four tours into one:

    . . . . . .|. . . . . .
    . . . . . .|. . . . . .
    . . . . . .|. 2 . . . .      A = 0-1   B = 2-3   C = 4-5   D = 6-7   are lost,
    . . . . . 1|. . . . . .      E = 1-2   F = 3-4   G = 5-6   H = 7-0   are made
    . . . 0 . .|3 . . . . .
    ------------+-----------
    . . . . . 7|. . 4 . . .
    . . . . . .|5 . . . . .
    . . . . 6 .|. . . . . .

The code does not recurse: the centres of one level are all pairs of certain rows and columns.

Source: a Chinese course paper with nine base boards, after the textbook of Wang Xiaodong; the idea of
structured boards is that of I. Parberry, An efficient algorithm for the knight's tour problem, Discrete
Applied Mathematics 73 (1997).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources

import numpy as np

from ktsolve.engines.divide.tiles import Mosaic, Tile, exchanged, tile_of_tour
from ktsolve.graphs.notation import Cell

__all__ = ["nine_boards", "quartered", "quarters"]

_SMALLEST, _DIVIDED = 6, 12

# The eight cells, relative to the cell below and right of the point where the boards meet.
_POINTS: tuple[Cell, ...] = ((-1, -3), (-2, -1), (-3, 1), (-1, 0), (0, 2), (1, 0), (2, -2), (0, -1))


def quarters(rows: int, columns: int) -> bool:
    """Return whether a board can be divided into the nine base boards.

    >>> quarters(16, 18), quarters(16, 20), quarters(15, 16)
    (True, False, False)
    """
    return min(rows, columns) >= _SMALLEST and rows % 2 == columns % 2 == 0 and abs(rows - columns) <= 2


@cache
def nine_boards() -> dict[tuple[int, int], Tile]:
    """Return the nine base boards as tiles, by rows and columns. Do not change them: they are cached.

    >>> sorted(nine_boards())[:3]
    [(6, 6), (6, 8), (8, 6)]
    """
    text = resources.files("ktsolve.instances").joinpath("base", "nine-boards.txt").read_text("utf-8")
    boards = {}
    for part in text.split("\n\n")[1:]:  # the first part is the source
        steps = np.loadtxt(part.splitlines(), dtype=np.int64)
        rows, columns = steps.shape
        squares = [divmod(cell, columns) for cell in steps.argsort(axis=None).tolist()]
        boards[rows, columns] = tile_of_tour(rows, columns, squares, closed=True)
    return boards


def _halves(side: int) -> tuple[int, int]:
    first = side // 2 if side % 4 == 0 else side // 2 - 1
    return first, side - first


def _bands(side: int) -> list[tuple[int, int]]:
    """Return the final bands of a side: sizes, each with 1 or 2 for the halves of a side of 12, else 0."""
    if side < _DIVIDED:
        return [(side, 0)]
    if side == _DIVIDED:
        return [(6, 1), (6, 2)]
    first, second = _halves(side)
    return _bands(first) + (_bands(second) if second != first else _bands(first))


def _centres(rows: int, columns: int) -> Iterator[tuple[list[int], list[int]]]:
    """Yield rows and columns, level by level; four boards meet at each pair of a row and a column."""
    down, right = [(0, rows)], [(0, columns)]
    while True:
        tall = [at + _halves(size)[0] for at, size in down if size >= _DIVIDED]
        wide = [at + _halves(size)[0] for at, size in right if size >= _DIVIDED]
        if not tall or not wide:
            return
        yield tall, wide
        down, right = _next(down), _next(right)


def _next(parts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    split = []
    for at, size in parts:
        first, second = _halves(size) if size >= _DIVIDED else (size, 0)
        split.append((at, first))
        if second:
            split.append((at + first, second))
    return split


def quartered(rows: int, columns: int) -> Mosaic:
    """Return the closed tour of a board for which :func:`quarters` holds, in time linear in the cells.

    >>> quartered(16, 16).heights, quartered(22, 24).heights
    ([8, 8], [10, 6, 6])
    """
    down, right = _bands(rows), _bands(columns)
    heights, widths = [size for size, _ in down], [size for size, _ in right]
    cut = np.zeros((len(down), len(right)), dtype=np.int64)
    tops, lefts = np.cumsum([0, *heights]), np.cumsum([0, *widths])
    for tall, wide in _centres(rows, columns):
        i, j = np.searchsorted(tops, tall), np.searchsorted(lefts, wide)
        # A: above left, B: above right, C: below right, D: below left of where they meet
        for bit, (up, left) in enumerate(((1, 1), (1, 0), (0, 0), (0, 1))):
            cut[np.ix_(i - up, j - left)] |= 1 << bit
    kind_of = {band: kind for kind, band in enumerate(sorted({*down, *right}))}
    kinds = len(kind_of)
    high = np.array([kind_of[band] for band in down])
    broad = np.array([kind_of[band] for band in right])
    keys = (high[:, None] * kinds + broad[None, :]) * 16 + cut
    number = np.zeros(int(keys.max()) + 1, dtype=np.int32)
    tiles: list[Tile] = []
    band_of = list(kind_of)
    for key in np.flatnonzero(np.bincount(keys.ravel())).tolist():
        number[key] = len(tiles)
        first, second = divmod(key // 16, kinds)
        tiles.append(_cut(_part(band_of[first], band_of[second]), key % 16))
    start = (0, 0)
    return Mosaic(heights, widths, tiles, number[keys], start, int(tiles[number[keys[start]]][0, 0, 1]))


def _part(down: tuple[int, int], right: tuple[int, int]) -> Tile:
    """Return one of the nine base boards, or half of one with a side of 12."""
    (height, half_down), (width, half_right) = down, right
    boards = nine_boards()
    if (height, width) in boards:
        return boards[height, width].copy()
    if half_down:
        return np.split(boards[2 * height, width], 2, axis=0)[half_down - 1].copy()
    return np.split(boards[height, 2 * width], 2, axis=1)[half_right - 1].copy()


def _cut(tile: Tile, bits: int) -> Tile:
    rows, columns = tile.shape[:2]
    corners = ((rows, columns), (rows, 0), (0, 0), (0, columns))
    for letter, (row, column) in enumerate(corners):
        if bits >> letter & 1:
            points = [(row + r, column + c) for r, c in _POINTS]
            one, other = 2 * letter, 2 * letter + 1
            exchanged(tile, points[one], points[other], points[one - 1])
            exchanged(tile, points[other], points[one], points[(other + 1) % 8])
    return tile
