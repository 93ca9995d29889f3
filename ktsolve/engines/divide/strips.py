"""Strips: closed tours of three rows, and open tours of three or four.

The exchange of moves in :mod:`ktsolve.engines.divide.joining` needs blocks of at least five rows. Strips use
repetition instead. Consider two vertical cuts that a tour crosses in the same way: by the same moves, whose
ends are connected in the same way on the left. The part between the cuts can be removed, or repeated any
number of times, and the result is a tour. The engine ``search`` finds tours of a few widths; repetition gives
all other widths. This is the pumping lemma of finite automata; the states are the ways to cross a cut.
"""

from __future__ import annotations

import itertools

import numpy as np

from ktsolve.engines.divide.bases import Bases
from ktsolve.engines.divide.tiles import NO_MOVE, Tile, mirrored, tile_of_tour
from ktsolve.graphs.board import Board, Move
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem

__all__ = ["crossing", "strip"]

_PERIOD = 4

_PUMPED: dict[tuple[int, bool], dict[int, int]] = {
    (3, True): {14: 4, 16: 3},
    (3, False): {8: 3, 13: 1, 14: 3, 15: 0},
    (4, False): {10: 11, 11: 8, 12: 4, 13: 15},
}
"""For each number of rows, and for closed and open tours: widths whose tours have a part of four columns that
can be repeated, one width per remainder modulo four, each with a seed for which ``search`` finds such a tour
early."""

_TRIES = 500
"""Tours tried with one seed."""

_found: dict[tuple[int, int, bool], tuple[Tile, int]] = {}
"""For rows, columns and closed: a tour, and the first of its columns that can be repeated."""


def strip(rows: int, columns: int, *, closed: bool, bases: Bases) -> tuple[list[int], list[Tile]] | None:
    """Return widths and tiles, from the left, of a tour of a board of 3 or 4 rows; None if none exists.

    The time is linear in the columns. The seed chooses a mirror image. Raises LimitReached.

    >>> from ktsolve.base.limits import Clock, Settings
    >>> bases = Bases(Settings(), Clock(None))
    >>> widths, tiles = strip(3, 1002, closed=True, bases=bases)
    >>> sum(widths), widths[10], tiles[10] is tiles[11]
    (1002, 4, True)
    >>> strip(3, 5, closed=False, bases=bases) is None
    True
    """
    if (rows, columns) == (1, 1):
        return [1], [np.full((1, 1, 2), NO_MOVE, dtype=np.uint8)]
    base = max(
        (w for w in _PUMPED[rows, closed] if w <= columns and (columns - w) % _PERIOD == 0), default=None
    )
    if base is None:
        problem = TourProblem(board=Board(rows, columns), closed=closed)
        tour = next(bases.tours(problem, 0), None)
        tiles = [] if tour is None else [tile_of_tour(rows, columns, tour.squares, closed=closed)]
    else:
        tile, first = _repeating(rows, base, closed, bases)
        parts = np.split(tile, [first, first + _PERIOD], axis=1)
        left, middle, right = (np.ascontiguousarray(part) for part in parts)
        tiles = [left, *[middle] * (1 + (columns - base) // _PERIOD), right]
        tiles = [tile for tile in tiles if tile.shape[1]]
    if not tiles:
        return None
    turned = {"rows": bool(bases.seed & 1), "columns": bool(bases.seed & 2)}
    image = {id(tile): mirrored(tile, **turned) for tile in tiles}
    tiles = [image[id(tile)] for tile in (reversed(tiles) if bases.seed & 2 else tiles)]
    return [tile.shape[1] for tile in tiles], tiles


def _repeating(rows: int, columns: int, closed: bool, bases: Bases) -> tuple[Tile, int]:
    key = rows, columns, closed
    problem = TourProblem(board=Board(rows, columns), closed=closed)
    seeds = itertools.count(_PUMPED[rows, closed][columns])
    while key not in _found:
        for tour in itertools.islice(bases.tours(problem, next(seeds)), _TRIES):
            ways = [crossing(tour, cut) for cut in range(1, columns)]
            pairs = enumerate(zip(ways, ways[_PERIOD:], strict=False), 1)
            first = next((cut for cut, (way, later) in pairs if way == later), None)
            if first is not None:
                _found[key] = tile_of_tour(rows, columns, tour.squares, closed=closed), first
                break
    return _found[key]


def crossing(tour: Tour, cut: int) -> frozenset[object]:
    """Return how a tour crosses the line left of a column: its moves and their connections on the left.

    A move is given by its two cells, with columns counted from the line; None stands for an end of the tour.
    """
    moves = itertools.pairwise([*tour.squares, tour.squares[0]] if tour.closed else tour.squares)
    crossed = [(a, b) for a, b in moves if (a[1] < cut) != (b[1] < cut)]

    def name(move: Move) -> Move:
        (r, c), (s, d) = sorted(move, key=lambda cell: cell[1])
        return (r, c - cut), (s, d - cut)

    joined: set[object] = set()
    for i, (a, b) in enumerate(crossed):
        joined.add(name((a, b)))
        if b[1] < cut:  # the tour enters here and leaves by the next crossing, if there is one
            last = i + 1 == len(crossed) and not tour.closed
            after = None if last else name(crossed[(i + 1) % len(crossed)])
            joined.add(frozenset((name((a, b)), after)))
        elif i == 0 and not tour.closed:
            joined.add(frozenset((name((a, b)), None)))
    return frozenset(joined)
