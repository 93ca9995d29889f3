"""Thin strips: boards of three rows, and open tours of four.

Boards so thin have no moves that could be exchanged between two closed tours. But where a tour crosses two
upright cuts in the same way (the same moves, and their ends joined in the same way on the left) the part
between the cuts can be left out, or put in any number of times, and it stays one tour. So the tours of a
few widths, found by search and cut up at such places, give those of every width. This is the pumping lemma
of finite automata, whose states here are the ways to cross a cut.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from ktsolve.engines.divide.tiles import NO_MOVE, Tile, mirrored, tile_of_tour
from ktsolve.ground.board import Board, Move
from ktsolve.ground.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Settings

__all__ = ["crossing", "strip"]

_PERIOD = 4

_PUMPED: dict[tuple[int, bool], dict[int, int]] = {
    (3, True): {14: 4, 16: 3},
    (3, False): {8: 3, 13: 1, 14: 3, 15: 0},
    (4, False): {10: 11, 11: 8, 12: 4, 13: 15},
}
"""By rows, and whether closed: widths whose tours repeat after four columns, one for each rest modulo four
that has any, each with a seed with which search soon finds one. Other seeds do too, later."""

_TRIES = 500
"""Tours looked at with one seed."""


@dataclass(frozen=True)
class _Repeating:
    """A tour whose columns from ``first`` to ``second`` can be repeated."""

    tile: Tile
    first: int
    second: int


def strip(rows: int, columns: int, *, closed: bool, seed: int) -> tuple[list[int], list[Tile]] | None:
    """Widths and tiles, from the left, of a tour of a board of 3 or 4 rows; None if there is none.

    Linear in the columns. The seed chooses a mirror image.

    >>> widths, tiles = strip(3, 1002, closed=True, seed=0)
    >>> sum(widths), widths[10], tiles[10] is tiles[11]
    (1002, 4, True)
    >>> strip(3, 5, closed=False, seed=0) is None
    True
    """
    if (rows, columns) == (1, 1):
        return [1], [np.full((1, 1, 2), NO_MOVE, dtype=np.uint8)]
    base = max(
        (w for w in _PUMPED[rows, closed] if w <= columns and (columns - w) % _PERIOD == 0), default=None
    )
    if base is None:
        problem = TourProblem(board=Board(rows, columns), closed=closed)
        tour = next(_tours(problem, 0), None)
        tiles = [] if tour is None else [tile_of_tour(rows, columns, tour.squares, closed=closed)]
    else:
        found = _repeating(rows, base, closed)
        parts = np.split(found.tile, [found.first, found.second], axis=1)
        left, middle, right = (np.ascontiguousarray(part) for part in parts)
        tiles = [left, *[middle] * (1 + (columns - base) // _PERIOD), right]
        tiles = [tile for tile in tiles if tile.shape[1]]
    if not tiles:
        return None
    image = {id(tile): mirrored(tile, rows=bool(seed & 1), columns=bool(seed & 2)) for tile in tiles}
    tiles = [image[id(tile)] for tile in (reversed(tiles) if seed & 2 else tiles)]
    return [tile.shape[1] for tile in tiles], tiles


def _tours(problem: TourProblem, seed: int) -> Iterator[Tour]:
    from ktsolve.engines.registry import engine_named

    return engine_named("search").enumerate(problem, Settings(seed=seed))


@cache
def _repeating(rows: int, columns: int, closed: bool) -> _Repeating:
    problem = TourProblem(board=Board(rows, columns), closed=closed)
    for seed in itertools.count(_PUMPED[rows, closed][columns]):
        for tour in itertools.islice(_tours(problem, seed), _TRIES):
            ways = [crossing(tour, cut) for cut in range(1, columns)]
            for first, way in enumerate(ways[: -_PERIOD or None], 1):
                if way == ways[first - 1 + _PERIOD]:
                    tile = tile_of_tour(rows, columns, tour.squares, closed=closed)
                    return _Repeating(tile, first, first + _PERIOD)
    raise AssertionError


def crossing(tour: Tour, cut: int) -> frozenset[object]:
    """How a tour crosses the line left of a column: its moves there, and what each is joined to on the left.

    Moves are told by their two cells, columns counted from the line; a loose end on the left is None.
    """
    moves = list(zip(tour.squares, tour.squares[1:], strict=False))
    if tour.closed:
        moves.append((tour.squares[-1], tour.squares[0]))
    crossed = [(a, b) for a, b in moves if (a[1] < cut) != (b[1] < cut)]

    def name(move: Move) -> Move:
        (r, c), (s, d) = sorted(move, key=lambda cell: cell[1])
        return (r, c - cut), (s, d - cut)

    joined: set[object] = set()
    for i, (a, b) in enumerate(crossed):
        joined.add(name((a, b)))
        if b[1] < cut:  # the walk comes in here and leaves by the next, if there is one
            last = i + 1 == len(crossed) and not tour.closed
            after = None if last else name(crossed[(i + 1) % len(crossed)])
            joined.add(frozenset((name((a, b)), after)))
        elif i == 0 and not tour.closed:
            joined.add(frozenset((name((a, b)), None)))
    return frozenset(joined)
