"""All grids of a shape, exactly, and what counting them would take."""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import comb, factorial, prod

from ktsolve.errors import Refused
from ktsolve.ground.box import Box
from ktsolve.settings import Settings
from ktsolve.sudoku.bands import MOST_TABLES, expected_tables
from ktsolve.sudoku.watched import finished, reporter

__all__ = ["GridCount", "GridEstimate", "count_grids", "estimate_grids"]

_HOPELESS = 24 * 3600.0
"""Seconds of estimated work from which a count is refused."""

_SECONDS_PER_TABLE = 3e-6
_SECONDS_PER_LOOK = 2e-9
_SECONDS_PER_MATCHING = 2e-6
"""Measured on 3x3 and 2x5."""


@dataclass(frozen=True)
class GridEstimate:
    """What a count is expected to take.

    Attributes
    ----------
    box:
        The shape that is counted: the given one or its transpose, whichever is easier.
    tables:
        Column sets of a band up to the names of digits, about.
    classes:
        Classes of these, about.
    seconds:
        Time, about.
    """

    box: Box
    tables: float
    classes: float
    seconds: float


@dataclass(frozen=True)
class GridCount:
    """The number of all grids, and where it comes from.

    Attributes
    ----------
    box, counted:
        The shape asked for, and the one whose bands were classified (the same, or its transpose).
    total:
        Grids.
    bands:
        Bands of ``counted`` with box 1 fixed.
    classes:
        Classes of column sets: (bands with box 1 fixed, completions of each).
    steps:
        Look-ups and matchings of the native core.
    seconds:
        Wall-clock time.
    """

    box: Box
    counted: Box
    total: int
    bands: int
    classes: tuple[tuple[int, int], ...]
    steps: int
    seconds: float


def _easier(box: Box) -> Box:
    """Few bands of many rows each: with one band nothing is below it, with two one thing."""
    return box if box.rows >= box.columns else box.transposed


def estimate_grids(box: Box) -> GridEstimate:
    """What counting all grids would take, from the number of column sets and of ways below them.

    Classes are taken from the order of the group, matchings from van der Waerden's bound. Within a factor
    of five for what has been counted; meant to tell seconds from years.

    >>> estimate_grids(Box(3, 3)).seconds < 1, estimate_grids(Box(3, 4)).seconds > 1e6
    (True, True)
    """
    counted = _easier(box)
    n, rows, columns = counted.side, counted.rows, counted.columns
    tables = expected_tables(counted)
    classes = 1 + 3 * tables / (factorial(columns) ** rows * factorial(rows))
    matchings = prod(factorial(n) * (degree / n) ** n / degree for degree in range(3, rows + 1))
    ways = sum(comb(rows, k) ** 3 for k in range(rows + 1)) ** rows if columns >= 3 else 0
    looks = float(ways) ** (columns - 2) if columns >= 3 else 0.0
    each = _SECONDS_PER_MATCHING * matchings + _SECONDS_PER_LOOK * looks
    return GridEstimate(counted, tables, classes, _SECONDS_PER_TABLE * tables + each * classes)


def count_grids(box: Box, settings: Settings | None = None) -> GridCount:
    """All grids.

    Raises
    ------
    Refused
        If counting would not end, with the estimate.
    LimitReached
        At the time limit.

    Examples
    --------
    >>> count_grids(Box(3, 3)).total
    6670903752021072936960
    >>> count_grids(Box(2, 3)).total, count_grids(Box(1, 5)).total
    (28200960, 161280)

    Notes
    -----
    See native/include/ktsolve/sudoku.hpp. Boxes of one row or column give latin squares.
    """
    from ktsolve import _native

    settings = settings or Settings()
    expected = estimate_grids(box)
    if expected.seconds > _HOPELESS or expected.tables > MOST_TABLES:
        raise Refused(_refusal(box, expected))
    counted = expected.box
    started = time.perf_counter()
    try:
        found = _native.sudoku_grids(
            (counted.rows, counted.columns), False, settings.timeout, reporter(settings, f"{box} grids")
        )
    except (ValueError, OverflowError) as error:
        raise Refused(f"grids of {box} boxes cannot be counted: {error}") from None
    finished(found.status, settings, f"{found.steps:,} steps done")
    classes = tuple((each.bands, each.completions) for each in found.classes)
    total = factorial(counted.side) * sum(bands * completions for bands, completions in classes)
    bands = sum(bands for bands, _ in classes)
    return GridCount(box, counted, total, bands, classes, found.steps, time.perf_counter() - started)


def _refusal(box: Box, expected: GridEstimate) -> str:
    days = expected.seconds / 86400
    time_needed = f"{days:,.0f} days" if days < 1e5 else f"{days / 365.25:.0e} years"
    return (
        f"counting the grids of {box} boxes would take about {time_needed} and {expected.tables:.0e} tables "
        "of column sets: count boxes of up to 3x3, 2x5 or 1x7"
    )
