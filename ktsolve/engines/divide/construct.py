"""The construction for each board, and its tour as an array of step numbers.

========================================  =============================================================
closed, even sides, differing by <= 2     four quarters, recursively (:mod:`.quarters`)
closed, sides from 5                      closed bases joined like a comb (:mod:`.joining`)
closed, three rows                        a repeating strip
open, both sides odd                      the same comb around one open base (:mod:`.ends`)
open, three or four rows                  a repeating strip
open, other boards                        a closed tour, cut open at its start
open from start to end, sides from 5      a path of open bases, and combs on both sides (:mod:`.ends`)
========================================  =============================================================

The exchange of moves in :mod:`.joining` needs blocks of at least five rows. Strips use repetition instead.
Consider two vertical cuts that a tour crosses in the same way: by the same moves, whose ends are connected in
the same way on the left. The part between the cuts can be removed, or repeated any number of times, and the
result is a tour. The engine ``search`` finds tours of a few widths; repetition gives all other widths. This
is the pumping lemma of finite automata; the states are the ways to cross a cut.
"""

from __future__ import annotations

import itertools
import operator

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.errors import BadInput, LimitReached, Refused
from ktsolve.base.limits import Clock, Settings, check_status, takes_settings
from ktsolve.base.units import shown_bytes
from ktsolve.engines.divide.bases import Bases
from ktsolve.engines.divide.ends import open_tour
from ktsolve.engines.divide.joining import bands, joined, towards
from ktsolve.engines.divide.quarters import quartered, quarters
from ktsolve.engines.divide.tiles import NO_MOVE, Mosaic, Tile, mirrored, tile_of_tour, transposed
from ktsolve.graphs.board import Board, Move
from ktsolve.graphs.notation import Cell, parse_cell
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.rectangles import closed_reason, why_none

__all__ = ["NoTour", "crossing", "tour_steps"]

_PERIOD = 4

_PUMPED: dict[tuple[int, bool], dict[int, int]] = {
    (3, True): {14: 4, 16: 3},
    (3, False): {8: 3, 13: 1, 14: 3, 15: 0},
    (4, False): {10: 11, 11: 8, 12: 4, 13: 15},
}
"""For each number of rows, and for closed and open tours: widths whose tours have a part of four columns that
can be repeated, one width per remainder modulo four, each with a seed for which ``search`` finds such a tour
early."""

_TRIES = 500  # tours tried with one seed

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


class NoTour(BadInput):
    """There is no such tour: the board is one block, and an exhaustive search found no base."""


_SMALLEST_BLOCK = 5  # smallest side of a block; boards with a smaller side are strips

_BYTES_PER_CELL = 4.5
"""A step number of 4 bytes, at most 36 bytes of tiles for every 60 cells, and a bit for the check."""

_LARGEST = 2**31 - 1  # most cells that 32-bit step numbers allow


@takes_settings
def tour_steps(
    rows: int,
    columns: int,
    *,
    closed: bool = True,
    start: Cell | str | None = None,
    end: Cell | str | None = None,
    settings: Settings | None = None,
) -> NDArray[np.int32]:
    """Return a knight's tour of a rectangle as an array of step numbers from 1, in time linear in the cells.

    Parameters
    ----------
    rows, columns:
        Sides of the board, which has less than 2^31 cells.
    closed:
        Whether the last cell is a move from the first.
    start, end:
        First and last cell, as (row, column) or by name. Both together need sides of at least 5. An open tour
        of a strip of 3 or 4 rows takes an end only if the strip has a closed tour.
    settings:
        ``threads`` number the tiles. ``timeout``, ``memory`` and ``threads`` also limit the search for base
        boards; ``seed`` varies them.

    Returns
    -------
    numpy.ndarray
        An array of shape (rows, columns) and type int32.

    Raises
    ------
    BadInput
        If a theorem excludes such a tour; :class:`NoTour` if an exhaustive search does.
    Refused
        If the board is a strip, and the construction does not take its ends.
    LimitReached
        If the array does not fit into memory, or the time limit is reached.

    Examples
    --------
    >>> steps = tour_steps(6, 6)
    >>> steps[0].tolist(), int(steps.max())
    ([1, 30, 33, 16, 3, 24], 36)
    >>> steps = tour_steps(101, 99, closed=False, start=(50, 50), end=(0, 0))
    >>> int(steps[50, 50]), int(steps[0, 0])
    (1, 9999)
    >>> int(tour_steps(8, 8, start="e4")[4, 4])
    1
    """
    from ktsolve import _native

    settings = settings or Settings()
    clock = Clock(settings)
    rows, columns = _sides(rows, columns, settings)
    start, end = (_cell(name, cell, rows, columns) for name, cell in (("start", start), ("end", end)))
    reason = why_none(rows, columns, closed=closed, start=start, end=end)
    if reason is not None:
        raise BadInput(f"{reason}: there is no such tour of {rows}x{columns}")
    laid = _mosaic(rows, columns, closed, start, end, Bases(settings, clock))
    clock.check()
    (row, column), move = laid.start, laid.move
    cyclic = NO_MOVE not in laid.moves_at(laid.start)
    if cyclic and (start or end):
        row, column = start or end or (0, 0)
        move = laid.moves_at((row, column))[1]
    status, steps = _native.number_mosaic(
        list(laid.heights),
        list(laid.widths),
        list(laid.tiles),
        laid.laid,
        row,
        column,
        move,
        settings.thread_budget,
        clock.left,
        None,
    )
    check_status(status, settings)
    assert isinstance(steps, np.ndarray)
    if cyclic and start is None and end is not None:
        np.subtract(rows * columns + 1, steps, out=steps)  # reverse the tour
    return steps


def _sides(rows: int, columns: int, settings: Settings) -> tuple[int, int]:
    try:
        rows, columns = operator.index(rows), operator.index(columns)
    except TypeError:
        raise BadInput(
            f"rows and columns must be whole numbers, not {rows!r:.40} and {columns!r:.40}"
        ) from None
    if rows < 1 or columns < 1:
        raise BadInput(f"rows and columns must be at least 1, not {rows} and {columns}")
    cells = rows * columns
    needed = _BYTES_PER_CELL * cells
    too_large = needed > settings.memory_budget
    if too_large or cells > _LARGEST:
        limit = f"{shown_bytes(settings.memory_limit)} of memory" if too_large else f"{_LARGEST:,} cells"
        raise LimitReached(
            f"the step numbers of {cells:,} cells take {shown_bytes(needed)}; the limit is {limit}"
        )
    return rows, columns


def _cell(name: str, cell: Cell | str | None, rows: int, columns: int) -> Cell | None:
    if cell is None:
        return None
    if isinstance(cell, str):
        return parse_cell(cell, rows, columns)
    try:
        row, column = map(operator.index, cell)
    except (TypeError, ValueError):
        raise BadInput(
            f"{name} {cell!r:.40} is not a cell: use (row, column) or a name such as 'b3'"
        ) from None
    if not (0 <= row < rows and 0 <= column < columns):
        raise BadInput(f"{name} {row},{column} is off the {rows}x{columns} board")
    return row, column


def _mosaic(
    rows: int, columns: int, closed: bool, start: Cell | None, end: Cell | None, bases: Bases
) -> Mosaic:
    both = start is not None and end is not None
    thin = min(rows, columns) < _SMALLEST_BLOCK
    if (both and rows * columns > 1) or (rows % 2 and columns % 2 and not thin):
        if thin:
            raise Refused(
                f"engine divide takes start and end together only on sides from {_SMALLEST_BLOCK}: "
                "use another engine, or auto"
            )
        return _between(rows, columns, closed, start, end, bases)
    if closed_reason(rows, columns) is not None and (start or end) and rows * columns > 1:
        raise Refused(
            "engine divide takes no start or end on strips without a closed tour: use another engine"
        )
    if thin:
        return _strip(rows, columns, closed, bases)
    if quarters(rows, columns) and bases.seed == 0:
        return quartered(rows, columns)
    heights, widths = bands(rows), bands(columns)
    joints = towards((len(heights), len(widths)), 0, frozenset({(0, 0)}))
    tiles, laid = joined(heights, widths, joints, {(0, 0): bases.closed(heights[0], widths[0])}, bases)
    return Mosaic(heights, widths, tiles, laid, (0, 0), int(tiles[laid[0, 0]][0, 0, 1]))


def _between(
    rows: int, columns: int, closed: bool, start: Cell | None, end: Cell | None, bases: Bases
) -> Mosaic:
    if closed:
        assert start is not None
        assert end is not None
        if sorted((abs(start[0] - end[0]), abs(start[1] - end[1]))) != [1, 2]:
            raise BadInput("the end of a closed tour must be a move from its start")
    found = open_tour(rows, columns, start, end, bases)
    if found is None and max(len(bands(rows)), len(bands(columns))) == 1:
        raise NoTour(f"an exhaustive search of {rows}x{columns} found no tour with these ends")
    if found is None:
        raise LimitReached(f"engine divide found no open tour of {rows}x{columns} with these ends")
    return found


def _strip(rows: int, columns: int, closed: bool, bases: Bases) -> Mosaic:
    """Return the tour of a board of at most four rows or columns."""
    short, long = sorted((rows, columns))
    found = strip(short, long, closed=closed_reason(rows, columns) is None, bases=bases)
    assert found is not None, f"the theorems are wrong about {rows}x{columns}"
    lengths, parts = found
    tiles = list({id(part): part for part in parts}.values())
    number = {id(tile): i for i, tile in enumerate(tiles)}
    laid = np.array([[number[id(part)] for part in parts]], dtype=np.int32)
    heights, widths = [short], lengths
    if rows > columns:
        tiles, laid, heights, widths = [transposed(t) for t in tiles], laid.T.copy(), widths, heights
    start, move = _first(heights, widths, tiles, laid)
    return Mosaic(heights, widths, tiles, laid, start, move)


def _first(
    heights: list[int], widths: list[int], tiles: list[Tile], laid: NDArray[np.int32]
) -> tuple[Cell, int]:
    """Return an end of the tour, or the corner of a closed tour, and the move made from there."""
    for number, tile in enumerate(tiles):
        for r, c in np.argwhere((tile == NO_MOVE).any(axis=2)):
            i, j = np.argwhere(laid == number)[0]
            return (int(sum(heights[:i]) + r), int(sum(widths[:j]) + c)), int(tile[r, c].min())
    return (0, 0), int(tiles[laid[0, 0]][0, 0, 1])
