"""Which construction takes which board, and its tour as an array of step numbers.

========================================  =============================================================
closed, even sides, differing by <= 2     quarters of seeds/001 (:mod:`.quarters`)
closed, sides from 5                      closed bases joined like a comb (:mod:`.joining`)
closed, three rows                        a repeating strip (:mod:`.strips`)
open                                      a closed tour, cut where it begins; or
open, both sides odd                      the same comb around one open base (:mod:`.ends`)
open, three or four rows                  a repeating strip
open from start to end, sides from 5      a path of open bases, and combs on both sides (:mod:`.ends`)
========================================  =============================================================
"""

from __future__ import annotations

import operator

import numpy as np
from numpy.typing import NDArray

from ktsolve.engines.divide.bases import closed_base
from ktsolve.engines.divide.ends import open_tour
from ktsolve.engines.divide.joining import bands, joined, towards
from ktsolve.engines.divide.quarters import quartered, quarters
from ktsolve.engines.divide.strips import strip
from ktsolve.engines.divide.tiles import NO_MOVE, Mosaic, Tile, transposed
from ktsolve.errors import BadInput, LimitReached, Refused
from ktsolve.ground.notation import Cell, parse_cell
from ktsolve.problem.rectangles import closed_reason, ends_reason, open_reason
from ktsolve.settings import Settings, out_of_time, shown_bytes

__all__ = ["NoTour", "tour_steps", "why_none"]


class NoTour(BadInput):
    """There is no such tour, though no theorem says so: the board is one block, and search found no base."""


_THICK = 5
"""Sides from which blocks are joined; thinner boards are strips."""

_BYTES_PER_CELL = 4.5
"""A number, and the tiles: 36 bytes or less for every 60 cells; a bit for the check."""

_LARGEST = 2**31 - 1
"""Cells that 32-bit numbers can number."""


def why_none(
    rows: int, columns: int, *, closed: bool, start: Cell | None = None, end: Cell | None = None
) -> str | None:
    """The theorem by which there is no such tour; None if none is known.

    >>> why_none(3, 8, closed=True)
    'no closed tour exists on 3x4, 3x6 and 3x8 (Schwenk 1991)'
    """
    if closed:
        return closed_reason(rows, columns)
    return open_reason(rows, columns) or ends_reason(rows, columns, start, end)


def tour_steps(
    rows: int,
    columns: int,
    *,
    closed: bool = True,
    start: Cell | str | None = None,
    end: Cell | str | None = None,
    settings: Settings | None = None,
) -> NDArray[np.int32]:
    """A knight's tour of a rectangle of any size, as an array of step numbers from 1; linear in the cells.

    Parameters
    ----------
    rows, columns:
        The board, of less than 2^31 cells.
    closed:
        Whether it returns to where it begins.
    start, end:
        First and last cell, as (row, column) or by name. Both together ask for sides of at least 5; an open
        tour of a strip of 3 or 4 rows takes none, unless the strip has a closed tour.
    settings:
        ``threads`` number tiles at the same time, ``memory`` and ``timeout`` are kept, ``seed`` varies the
        base boards.

    Returns
    -------
    numpy.ndarray
        Of shape (rows, columns) and type int32; it owns memory that the native core filled.

    Raises
    ------
    BadInput
        If there is no such tour, with the theorem; or :class:`NoTour`.
    Refused
        If only a thicker board takes these ends.
    LimitReached
        If the array does not fit into memory, or time ran out.

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
    rows, columns = _sides(rows, columns, settings)
    start, end = (_cell(name, cell, rows, columns) for name, cell in (("start", start), ("end", end)))
    reason = why_none(rows, columns, closed=closed, start=start, end=end)
    if reason is not None:
        raise BadInput(f"{reason}: there is no such tour of {rows}x{columns}")
    laid = _mosaic(rows, columns, closed, start, end, settings.seed or 0)
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
        settings.timeout,
        None,
    )
    if steps is None:
        raise out_of_time(settings.timeout) if status == "time" else LimitReached("stopped")
    assert isinstance(steps, np.ndarray)
    if cyclic and start is None and end is not None:
        np.subtract(rows * columns + 1, steps, out=steps)  # the same tour backwards
    return steps


def _sides(rows: int, columns: int, settings: Settings) -> tuple[int, int]:
    try:
        rows, columns = operator.index(rows), operator.index(columns)
    except TypeError:
        raise BadInput(f"rows and columns are whole numbers, not {rows!r:.40} and {columns!r:.40}") from None
    if rows < 1 or columns < 1:
        raise BadInput(f"a board has at least one row and one column, not {rows} and {columns}")
    cells = rows * columns
    needed, budget = _BYTES_PER_CELL * cells, settings.memory_budget
    if needed > budget or cells > _LARGEST:
        raise LimitReached(
            f"the step numbers of {cells:,} cells take {shown_bytes(needed)}; the limit is "
            + (f"{shown_bytes(budget)} of memory" if needed > budget else f"{_LARGEST:,} cells")
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
            f"{name} {cell!r:.40} is not a cell: give (row, column), or a name such as 'b3'"
        ) from None
    if not (0 <= row < rows and 0 <= column < columns):
        raise BadInput(f"{name} {row},{column} is off the {rows}x{columns} board")
    return row, column


def _mosaic(rows: int, columns: int, closed: bool, start: Cell | None, end: Cell | None, seed: int) -> Mosaic:
    both = start is not None and end is not None
    thin = min(rows, columns) < _THICK
    if (both and rows * columns > 1) or (rows % 2 and columns % 2 and not thin):
        if thin:
            raise Refused(
                f"engine divide leads from start to end on sides from {_THICK}: use sat, search, cpsat"
            )
        return _between(rows, columns, closed, start, end, seed)
    if closed_reason(rows, columns) is not None and (start or end) and rows * columns > 1:
        raise Refused("engine divide takes no end on strips without a closed tour: use sat, search, cpsat")
    if thin:
        return _strip(rows, columns, closed, seed)
    if quarters(rows, columns) and seed == 0:
        return quartered(rows, columns)
    heights, widths = bands(rows), bands(columns)
    joints = towards((len(heights), len(widths)), 0, frozenset({(0, 0)}))
    tiles, laid = joined(heights, widths, joints, {(0, 0): closed_base(heights[0], widths[0], seed)}, seed)
    return Mosaic(heights, widths, tiles, laid, (0, 0), int(tiles[laid[0, 0]][0, 0, 1]))


def _between(
    rows: int, columns: int, closed: bool, start: Cell | None, end: Cell | None, seed: int
) -> Mosaic:
    if closed:
        assert start is not None
        assert end is not None
        if sorted((abs(start[0] - end[0]), abs(start[1] - end[1]))) != [1, 2]:
            raise BadInput("a closed tour returns from its end to its start: they must be a move apart")
    found = open_tour(rows, columns, start, end, seed)
    if found is None and max(len(bands(rows)), len(bands(columns))) == 1:
        raise NoTour(f"a search through all tours of {rows}x{columns} found none with these ends")
    if found is None:
        raise LimitReached(f"engine divide found no open tour of {rows}x{columns} with these ends: use sat")
    return found


def _strip(rows: int, columns: int, closed: bool, seed: int) -> Mosaic:
    """A board of at most four rows or columns, by the one construction for few rows."""
    short, long = sorted((rows, columns))
    found = strip(short, long, closed=closed_reason(rows, columns) is None, seed=seed)
    assert found is not None, f"the theorems are wrong about {rows}x{columns}"
    lengths, parts = found
    number: dict[int, int] = {}
    tiles: list[Tile] = []
    for part in parts:
        if id(part) not in number:
            number[id(part)] = len(tiles)
            tiles.append(part)
    laid = np.array([[number[id(part)] for part in parts]], dtype=np.int32)
    heights, widths = [short], lengths
    if rows > columns:
        tiles, laid, heights, widths = [transposed(t) for t in tiles], laid.T.copy(), widths, heights
    start, move = _first(heights, widths, tiles, laid)
    return Mosaic(heights, widths, tiles, laid, start, move)


def _first(
    heights: list[int], widths: list[int], tiles: list[Tile], laid: NDArray[np.int32]
) -> tuple[Cell, int]:
    """An end of the tour, or the corner of a closed one; and the move made from there."""
    for number, tile in enumerate(tiles):
        for r, c in np.argwhere((tile == NO_MOVE).any(axis=2)):
            i, j = np.argwhere(laid == number)[0]
            return (int(sum(heights[:i]) + r), int(sum(widths[:j]) + c)), int(tile[r, c].min())
    return (0, 0), int(tiles[laid[0, 0]][0, 0, 1])
