"""The exact number of grids of a shape, and an estimate of the cost of counting them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import comb, factorial, prod
from typing import Any

from ktsolve.base.errors import Refused
from ktsolve.base.limits import Settings, check_status, native_progress
from ktsolve.grids.box import Box
from ktsolve.wings.sudoku.bands import MOST_TABLES, expected_tables

__all__ = ["GridCount", "GridEstimate", "check_countable", "count_grids", "estimate_grids"]

_HOPELESS = 24 * 3600.0  # estimated seconds above which a count is refused

_SECONDS_PER_TABLE = 3e-6
_SECONDS_PER_LOOK_UP = 2e-9
_SECONDS_PER_MATCHING = 2e-6  # measured on 3x3 and 2x5


@dataclass(frozen=True)
class GridEstimate:
    """The estimated cost of a count.

    The box is the shape that is counted: the given one or its transpose, whichever has the cheaper count.
    """

    box: Box
    tables: float
    classes: float
    seconds: float

    def to_json(self) -> dict[str, float]:
        """The numbers, rounded, as a JSON object."""
        return {name: float(f"{getattr(self, name):.3g}") for name in ("tables", "classes", "seconds")}

    def __str__(self) -> str:
        rounded = self.to_json()
        return (
            f"about {rounded['tables']:,.0f} tables of column sets in {rounded['classes']:,.0f} classes, "
            f"{rounded['seconds']:g} s"
        )


@dataclass(frozen=True)
class GridCount:
    """The number of all grids and the numbers it is a sum of.

    ``counted`` is the given shape or its transpose, whose bands with box 1 fixed were classified: each class
    of column sets has a number of bands and of completions of each. ``steps`` are look-ups and matchings.
    """

    box: Box
    counted: Box
    total: int
    bands: int
    classes: tuple[tuple[int, int], ...]
    steps: int
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """The numbers as a JSON object; large ones are decimal strings."""
        return {
            "count": str(self.total),
            "counted": str(self.counted),
            "bands": str(self.bands),
            "classes": len(self.classes),
            "steps": self.steps,
            "seconds": round(self.seconds, 6),
        }

    def __str__(self) -> str:
        return f"sudoku {self.box}: {self.total} grids"


def estimate_grids(box: Box) -> GridEstimate:
    """The estimated cost of counting all grids, from the numbers of column sets and of middle bands.

    The number of classes is estimated from the order of the group, that of matchings from van der Waerden's
    bound. The estimates are within a factor of five for all shapes of two rows or more that have been
    counted; latin squares take far less time, since most of their column sets come again.

    >>> estimate_grids(Box(3, 3)).seconds < 1, estimate_grids(Box(3, 4)).seconds > 1e6
    (True, True)
    """
    # The shape or its transpose, whichever has fewer and taller bands.
    counted = box if box.rows >= box.columns else Box(box.columns, box.rows)
    n, rows, columns = counted.side, counted.rows, counted.columns
    tables = expected_tables(counted)
    classes = 1 + 3 * tables / (factorial(columns) ** rows * factorial(rows))
    matchings = prod(factorial(n) * (degree / n) ** n / degree for degree in range(3, rows + 1))
    stacks = sum(comb(rows, k) ** 3 for k in range(rows + 1))
    look_ups = float(stacks**rows) ** (columns - 2) if columns >= 3 else 0.0
    each = _SECONDS_PER_MATCHING * matchings + _SECONDS_PER_LOOK_UP * look_ups
    return GridEstimate(counted, tables, classes, _SECONDS_PER_TABLE * tables + each * classes)


def check_countable(box: Box) -> Box:
    """The shape that is counted: the given one or its transpose."""
    expected = estimate_grids(box)
    if expected.seconds > _HOPELESS or expected.tables > MOST_TABLES:
        days = expected.seconds / 86400
        needed = f"{days:,.0f} days" if days < 1e5 else f"{days / 365.25:.0e} years"
        raise Refused(
            f"counting the grids of {box} boxes would take about {needed} and {expected.tables:.0e} tables "
            "of column sets: count boxes of up to 3x3, 2x5 or 1x7"
        )
    return expected.box


def count_grids(box: Box, settings: Settings | None = None) -> GridCount:
    """The number of all grids of a shape; boxes of one row or column give latin squares.

    See ktsolve/sudoku/sudoku.hpp.

    >>> count_grids(Box(3, 3)).total
    6670903752021072936960
    >>> count_grids(Box(2, 3)).total, count_grids(Box(1, 5)).total
    (28200960, 161280)
    """
    from ktsolve import _native

    settings = settings or Settings()
    counted = check_countable(box)
    started = time.perf_counter()
    try:
        found = _native.sudoku_grids(
            (counted.rows, counted.columns),
            False,
            settings.timeout,
            native_progress(settings, f"{box} grids"),
        )
    except (ValueError, OverflowError) as error:
        raise Refused(f"grids of {box} boxes cannot be counted: {error}") from None
    check_status(found.status, settings, f"{found.steps:,} steps done")
    classes = tuple((each.bands, each.completions) for each in found.classes)
    total = factorial(counted.side) * sum(bands * completions for bands, completions in classes)
    bands = sum(bands for bands, _ in classes)
    return GridCount(box, counted, total, bands, classes, found.steps, time.perf_counter() - started)
