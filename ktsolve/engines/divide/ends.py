"""Open tours: around one open base if both sides are odd, or from a given start to a given end.

The tour visits the blocks from the start to the end one after the other: along the start's row of blocks to
the end's column, then along this column. In each block an open base leads from the entry to the exit. All
other blocks are closed bases, joined to these (:mod:`.joining`). A block with an even number of cells is
entered and left on different colours, so that the ends always get their right colours. If both sides are odd,
one block is odd. Its tour begins and ends on the colour of its corners, so that it cannot be a closed base:
the path must pass through it. The odd row of blocks contains the start, the odd column the end, and the path
turns in the odd block.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ktsolve.engines.divide.bases import Bases
from ktsolve.engines.divide.joining import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    bands,
    children,
    corner_move,
    joined,
    joining,
    other_end,
    towards,
)
from ktsolve.engines.divide.tiles import NO_MOVE, Mosaic, Tile, band_of, code
from ktsolve.graphs.notation import Cell

__all__ = ["open_tour"]

_MANY = 12
"""Smallest side that is divided into several bands."""


def open_tour(rows: int, columns: int, start: Cell | None, end: Cell | None, bases: Bases) -> Mosaic | None:
    """Return an open tour with these ends, or None if none was found. Raises LimitReached.

    The sides are at least 5, and both are odd if an end is free. On a board of one block None means that
    there is no such tour.

    >>> from ktsolve.base.limits import Clock, Settings
    >>> mosaic = open_tour(15, 15, None, (14, 14), Bases(Settings(), Clock(None)))
    >>> mosaic.laid.shape, mosaic.start != (14, 14)
    ((2, 2), True)
    """
    for layout in _layouts(rows, columns, start, end):
        found = _Path(layout, start, end, bases).found()
        if found is not None:
            return found
    return None


@dataclass(frozen=True)
class _Layout:
    """Bands, and the first and last block of the path."""

    heights: Sequence[int]
    widths: Sequence[int]
    first: Cell
    last: Cell


def _layouts(rows: int, columns: int, start: Cell | None, end: Cell | None) -> Iterator[_Layout]:
    """Yield the divisions of the board, the simplest first."""
    # With a free end the path is the odd block alone; with two free ends the odd block may be anywhere.
    here, there = start or end or (0, 0), end or start or (0, 0)
    down: Iterable[list[int]] = (bands(rows), bands(rows)[::-1])
    right: Iterable[list[int]] = (bands(columns), bands(columns)[::-1])
    if rows % 2 and columns % 2:
        down, right = _around(rows, here[0]), _around(columns, there[1])
    for heights, widths in itertools.product(down, right):
        first, last = ((band_of(heights, r)[0], band_of(widths, c)[0]) for r, c in (here, there))
        yield _Layout(heights, widths, first, last)


def _around(side: int, at: int) -> Iterator[list[int]]:
    """Yield bands of an odd side whose odd band contains a given row or column.

    >>> list(_around(15, 7))
    [[9, 6], [6, 9]]
    """
    for odd in (9, 7, 11, 5) if side >= _MANY else (side,):
        for before in range(0, side - odd + 1, 2):
            after = side - odd - before
            if before <= at < before + odd and all(part == 0 or part >= 6 for part in (before, after)):
                yield [*(bands(before) if before else ()), odd, *(bands(after) if after else ())]


@dataclass(frozen=True)
class _MosaicStep:
    """A move from a block of the path into the next: its two cells, in the coordinates of either block."""

    here: tuple[Cell, Cell]
    there: tuple[Cell, Cell]


@dataclass(frozen=True)
class _Part:
    """A block of the path: its tile, the move into the next block, and the joints of its neighbours."""

    tile: Tile
    onward: _MosaicStep | None
    joints: tuple[int, ...]


class _Path:
    """The blocks from the start to the end, each with an open base that continues the one before."""

    def __init__(self, layout: _Layout, start: Cell | None, end: Cell | None, bases: Bases) -> None:
        self._layout = layout
        self._bases = bases
        (i, j), (k, m) = layout.first, layout.last
        self._blocks = [(i, c) for c in _from_to(j, m)] + [(r, m) for r in _from_to(i, k)[1:]]
        self._joints = towards((len(layout.heights), len(layout.widths)), i, frozenset(self._blocks))
        self._children = children(self._joints)
        self._tops, self._lefts = np.cumsum([0, *layout.heights]), np.cumsum([0, *layout.widths])
        self._start, self._end = self._local(start, layout.first), self._local(end, layout.last)

    def _local(self, cell: Cell | None, block: Cell) -> Cell | None:
        if cell is None:
            return None
        return int(cell[0] - self._tops[block[0]]), int(cell[1] - self._lefts[block[1]])

    def found(self) -> Mosaic | None:
        """Return the first tour that backtracking along the blocks finds, or None."""
        open_levels = [self._parts_for(None)]
        parts: list[_Part] = []
        while open_levels:
            part = next(open_levels[-1], None)
            if part is None:
                open_levels.pop()
                if parts:
                    parts.pop()
                continue
            parts.append(part)
            if len(parts) == len(self._blocks):
                return self._mosaic(parts)
            open_levels.append(self._parts_for(part.onward, len(parts)))
        return None

    def _size(self, block: Cell) -> Cell:
        return self._layout.heights[block[0]], self._layout.widths[block[1]]

    def _parts_for(self, came: _MosaicStep | None, number: int = 0) -> Iterator[_Part]:
        """Yield the open bases for a block that is entered by a move, each with its exit."""
        block = self._blocks[number]
        rows, columns = self._size(block)
        entry = self._start if came is None else came.there[1]
        sides = [joint for joint in (LEFT, RIGHT, UP, DOWN) if self._children[block] >> (joint - 1) & 1]
        for onward in self._onward(number, entry):
            leaves = self._end if onward is None else onward.here[0]
            for joints in itertools.product(*((joint, other_end(joint)) for joint in sides)):
                require = frozenset(corner_move(joint, rows, columns) for joint in joints)
                base = self._bases.open(rows, columns, entry, leaves, require)
                if base is None:
                    continue
                tile = base.copy()
                if came is not None:
                    _lead(tile, came.there[1], came.there[0])
                if onward is not None:
                    _lead(tile, *onward.here)
                yield _Part(tile, onward, joints)

    def _onward(self, number: int, entry: Cell | None) -> Iterator[_MosaicStep | None]:
        """Yield the moves into the next block that colours allow; None for the last block."""
        if number + 1 == len(self._blocks):
            yield None
            return
        block, following = self._blocks[number], self._blocks[number + 1]
        rows, columns = self._size(block)
        last = self._end if number + 2 == len(self._blocks) else None
        assert entry is not None
        away = (sum(entry) + (rows * columns + 1) % 2) % 2
        down = int(self._tops[following[0]] - self._tops[block[0]])
        right = int(self._lefts[following[1]] - self._lefts[block[1]])
        for leaves, to in _crossings(rows, columns, following[0] - block[0], following[1] - block[1]):
            entered = to[0] - down, to[1] - right
            if sum(leaves) % 2 == away and leaves != entry and entered != last:
                yield _MosaicStep((leaves, to), ((leaves[0] - down, leaves[1] - right), entered))

    def _mosaic(self, parts: Sequence[_Part]) -> Mosaic:
        joints = self._joints.copy()
        for block, part in zip(self._blocks, parts, strict=True):
            for joint in part.joints:
                joints[joining(block, joint)] = joint
        core = {block: part.tile for block, part in zip(self._blocks, parts, strict=True)}
        heights, widths = self._layout.heights, self._layout.widths
        tiles, laid = joined(heights, widths, joints, core, self._bases)
        # A free start is an end of the only open base.
        first, last = self._blocks[0], tiles[laid[self._blocks[0]]]
        ends = [(int(r), int(c)) for r, c in np.argwhere((last == NO_MOVE).any(axis=2))]
        local = self._start or next(cell for cell in ends if cell != self._end)
        move = int(last[local].min())
        start = int(local[0] + self._tops[first[0]]), int(local[1] + self._lefts[first[1]])
        return Mosaic(heights, widths, tiles, laid, start, move)


def _from_to(first: int, last: int) -> list[int]:
    step = 1 if first <= last else -1
    return list(range(first, last + step, step))


def _lead(tile: Tile, cell: Cell, to: Cell) -> None:
    """Continue the tile's tour from its end at a cell."""
    slot = int(np.flatnonzero(tile[cell] == NO_MOVE)[0])
    tile[(*cell, slot)] = code(cell, to)


def _crossings(rows: int, columns: int, down: int, right: int) -> Iterator[tuple[Cell, Cell]]:
    """Yield the moves out of a block on one side, from the middle of the side outwards."""
    high, wide = (rows, columns) if right else (columns, rows)
    for row in sorted(range(high), key=lambda row: abs(2 * row - high + 1)):
        for back, aside, out in ((1, 2, 0), (1, 1, 1), (2, 1, 0)):
            for to in (row + aside, row - aside):
                if not 0 <= to < high:
                    continue
                leaves, entered = (row, wide - back), (to, wide + out)
                if down < 0 or right < 0:
                    leaves, entered = (row, back - 1), (to, -1 - out)
                yield (leaves, entered) if right else (leaves[::-1], entered[::-1])
