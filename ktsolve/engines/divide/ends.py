"""Open tours: around one open base where both sides are odd, or from a given start to a given end.

The blocks between the start's and the end's are traversed one after the other, along the start's row of
blocks to the end's column and then along that: in each an open base leads from where the tour comes in to
where it goes out. All other blocks are closed bases, joined to these (:mod:`.joining`). A block of an
even number of cells is entered and left on different colours, so the colours of the ends take care of
themselves. Where both sides are odd, so is one block; its tour begins and ends on the colour of its
corners, so it cannot be joined: the path has to pass through it. The odd row of blocks is laid through the
start, the odd column through the end, and the odd block is where the path turns.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ktsolve.engines.divide.bases import open_base
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
from ktsolve.engines.divide.tiles import NO_MOVE, Mosaic, Tile, code
from ktsolve.ground.notation import Cell

__all__ = ["open_tour"]


_MANY = 12
"""Sides from which there are several bands."""


def open_tour(rows: int, columns: int, start: Cell | None, end: Cell | None, seed: int) -> Mosaic | None:
    """An open tour with these ends; the sides at least 5, and both odd if an end is left free.

    None if none was found, which on a board of one block means that there is none.

    >>> mosaic = open_tour(15, 15, None, (14, 14), 0)
    >>> mosaic.laid.shape, mosaic.start != (14, 14)
    ((2, 2), True)
    """
    for layout in _layouts(rows, columns, start, end):
        found = _Path(layout, start, end, seed).found()
        if found is not None:
            return found
    return None


@dataclass(frozen=True)
class _Layout:
    """Bands, and the blocks where the path begins and ends."""

    heights: Sequence[int]
    widths: Sequence[int]
    first: Cell
    last: Cell


def _layouts(rows: int, columns: int, start: Cell | None, end: Cell | None) -> Iterator[_Layout]:
    """Ways to cut the board up, the simplest first."""
    if rows * columns % 2 == 0:
        assert start is not None
        assert end is not None
        for heights, widths in itertools.product(
            (bands(rows), bands(rows)[::-1]), (bands(columns), bands(columns)[::-1])
        ):
            first = _band(heights, start[0]), _band(widths, start[1])
            yield _Layout(heights, widths, first, (_band(heights, end[0]), _band(widths, end[1])))
        return
    # One free end leaves the path in the odd block; both do the same anywhere.
    here, there = start or end or (0, 0), end or start or (0, 0)
    for heights, widths in itertools.product(_around(rows, here[0]), _around(columns, there[1])):
        first = _band(heights, here[0]), _band(widths, here[1])
        yield _Layout(heights, widths, first, (_band(heights, there[0]), _band(widths, there[1])))


def _around(side: int, at: int) -> Iterator[list[int]]:
    """Bands of an odd side, such that the odd one holds a given row or column.

    >>> list(_around(15, 7))
    [[9, 6], [6, 9]]
    """
    for odd in (9, 7, 11, 5) if side >= _MANY else (side,):
        for before in range(0, side - odd + 1, 2):
            after = side - odd - before
            if before <= at < before + odd and all(part == 0 or part >= 6 for part in (before, after)):
                yield [*_even(before), odd, *_even(after)]


def _even(side: int) -> list[int]:
    return bands(side) if side else []


def _band(sizes: Sequence[int], at: int) -> int:
    return int(np.searchsorted(np.cumsum(sizes), at, side="right"))


@dataclass(frozen=True)
class _Step:
    """A move from one block on the path into the next: the two cells, as seen from either block."""

    here: tuple[Cell, Cell]
    there: tuple[Cell, Cell]


@dataclass(frozen=True)
class _Part:
    """A block on the path: its tile, the move into the next block, and by which joints others join it."""

    tile: Tile
    onward: _Step | None
    joints: tuple[int, ...]


class _Path:
    """The blocks from the start's to the end's, each with an open base that fits the one before."""

    def __init__(self, layout: _Layout, start: Cell | None, end: Cell | None, seed: int) -> None:
        self._layout = layout
        self._seed = seed
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
        """The first way that works, by backtracking along the blocks."""
        waiting = [self._ways(None)]
        parts: list[_Part] = []
        while waiting:
            part = next(waiting[-1], None)
            if part is None:
                waiting.pop()
                if parts:
                    parts.pop()
                continue
            parts.append(part)
            if len(parts) == len(self._blocks):
                return self._mosaic(parts)
            waiting.append(self._ways(part.onward, len(parts)))
        return None

    def _size(self, block: Cell) -> Cell:
        return self._layout.heights[block[0]], self._layout.widths[block[1]]

    def _ways(self, came: _Step | None, number: int = 0) -> Iterator[_Part]:
        """Open bases for a block that is entered by a move, and where each leads."""
        block = self._blocks[number]
        rows, columns = self._size(block)
        entry = self._start if came is None else came.there[1]
        siding = [joint for joint in (LEFT, RIGHT, UP, DOWN) if self._children[block] >> (joint - 1) & 1]
        for onward in self._onward(number, entry):
            leaves = self._end if onward is None else onward.here[0]
            for joints in itertools.product(*((joint, other_end(joint)) for joint in siding)):
                require = frozenset(corner_move(joint, rows, columns) for joint in joints)
                base = open_base(rows, columns, entry, leaves, require, self._seed)
                if base is None:
                    continue
                tile = base.copy()
                if came is not None:
                    _lead(tile, came.there[1], came.there[0])
                if onward is not None:
                    _lead(tile, *onward.here)
                yield _Part(tile, onward, joints)

    def _onward(self, number: int, entry: Cell | None) -> Iterator[_Step | None]:
        """The moves into the next block that colours allow; from the last there is none."""
        if number + 1 == len(self._blocks):
            yield None
            return
        block, following = self._blocks[number], self._blocks[number + 1]
        rows, columns = self._size(block)
        last = self._end if number + 2 == len(self._blocks) else None
        assert entry is not None
        away = (sum(entry) + (rows * columns + 1) % 2) % 2
        down, right = self._tops[following[0]] - self._tops[block[0]], 0
        right = int(self._lefts[following[1]] - self._lefts[block[1]])
        for leaves, to in _crossings(rows, columns, following[0] - block[0], following[1] - block[1]):
            entered = to[0] - int(down), to[1] - right
            if sum(leaves) % 2 == away and leaves != entry and entered != last:
                yield _Step((leaves, to), ((leaves[0] - int(down), leaves[1] - right), entered))

    def _mosaic(self, parts: Sequence[_Part]) -> Mosaic:
        joints = self._joints.copy()
        for block, part in zip(self._blocks, parts, strict=True):
            for joint in part.joints:
                joints[joining(block, joint)] = joint
        core = {block: part.tile for block, part in zip(self._blocks, parts, strict=True)}
        heights, widths = self._layout.heights, self._layout.widths
        tiles, laid = joined(heights, widths, joints, core, self._seed)
        # Where the start is free, it is an end of the one open base.
        first, last = self._blocks[0], tiles[laid[self._blocks[0]]]
        ends = [(int(r), int(c)) for r, c in np.argwhere((last == NO_MOVE).any(axis=2))]
        local = self._start or next(cell for cell in ends if cell != self._end)
        move = int(last[local].min())
        start = int(local[0] + self._tops[first[0]]), int(local[1] + self._lefts[first[1]])
        return Mosaic(heights, widths, tiles, laid, start, move)


def _from_to(first: int, last: int) -> list[int]:
    return list(range(first, last + 1) if first <= last else range(first, last - 1, -1))


def _lead(tile: Tile, cell: Cell, to: Cell) -> None:
    """Let an end of the tile's tour go on."""
    slot = int(np.flatnonzero(tile[cell] == NO_MOVE)[0])
    tile[(*cell, slot)] = code(cell, to)


def _crossings(rows: int, columns: int, down: int, right: int) -> Iterator[tuple[Cell, Cell]]:
    """Moves that lead out of a block on one side, from the middle of the side outwards."""
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
