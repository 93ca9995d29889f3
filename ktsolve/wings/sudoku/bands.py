"""Bands: the top R rows of a grid, with box 1 filled in order.

The digits can be renamed, so box 1 may hold 1, 2, 3, ... row by row; that divides all counts by N!. A band is
*reduced* (lexicographically) if the top row of each other box ascends, and the first digits of those boxes
ascend too. Each reduced band represents ``C!^(R-1) * (R-1)!`` bands with equally many completions.

The native core stores bands box by box with digits from 0; outside of this file a band is a tuple of digits
from 1, row by row, like the top of a grid.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import comb, factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.errors import BadInput, Refused
from ktsolve.base.limits import Settings, check_status, native_progress
from ktsolve.grids.box import Box, Grid

__all__ = [
    "MOST_TABLES",
    "Bands",
    "bands_each",
    "can_complete",
    "complete",
    "complete_by_search",
    "count_bands",
    "expected_tables",
    "number_of_bands",
    "reduced_bands",
]

MOST_TABLES = 5_000_000
"""Limit on the number of column sets, up to the names of digits; there are 589392 for 5x2."""

_MOST_LISTED = 5_000_000
"""Limit on the number of reduced bands to list; there are 36288 for 3x3 and 428032 for 4x2."""

_MOST_BANDS = {1: 6, 2: 4, 3: 3}
"""Most bands of a grid whose completions are counted, by the rows of a box; two for other numbers of rows."""


@dataclass(frozen=True)
class Bands:
    """The reduced bands of a shape, in lexicographic order box by box.

    ``digits`` are those of all bands in the format of the native core.
    """

    box: Box
    digits: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.digits) // (self.box.rows * self.box.side)

    def __getitem__(self, number: int) -> Grid:
        return tuple(int(digit) for digit in self.rows[number])

    @cached_property
    def rows(self) -> NDArray[np.uint8]:
        """All bands as an array of shape (bands, R*N), row by row, digits from 1."""
        box = self.box
        boxes = self.digits.reshape(-1, box.stacks, box.rows, box.columns)
        return boxes.transpose(0, 2, 1, 3).reshape(len(boxes), -1) + 1


def bands_each(box: Box) -> int:
    """Number of bands that each reduced band represents.

    >>> bands_each(Box(3, 3))
    72
    """
    return int(factorial(box.columns) ** (box.stacks - 1) * factorial(box.stacks - 1))


def expected_tables(box: Box) -> float:
    """An estimate of the number of column sets of a band, up to the names of digits.

    It counts tables with given sums as if their slices were independent. For 3x3, 4x2 and 5x2 the result is
    about four fifths of the exact number.

    >>> round(expected_tables(Box(3, 3)))
    18183
    """
    n, places = box.side, box.columns**box.rows
    slices = comb(places // box.columns + box.rows - 1, box.rows) ** box.columns
    return float(comb(places + n - 1, n) * (slices / comb(places + n - 1, n)) ** box.rows)


def number_of_bands(box: Box, settings: Settings | None = None) -> int:
    """The number of bands with box 1 fixed, by column sets, without a list of bands.

    >>> number_of_bands(Box(3, 3)), number_of_bands(Box(2, 3))
    (2612736, 36)
    """
    from ktsolve import _native

    settings = settings or Settings()
    tables = expected_tables(box)
    if tables > MOST_TABLES:
        raise Refused(
            f"bands of {box} boxes have about {tables:.0e} tables of column sets, too many to list: "
            f"up to {MOST_TABLES:.0e} are listed"
        )
    try:
        found = _native.sudoku_grids(
            (box.rows, box.columns), True, settings.timeout, native_progress(settings, "bands")
        )
    except ValueError as error:
        raise Refused(f"bands of {box} boxes cannot be counted: {error}") from None
    check_status(found.status, settings)
    return sum(each.bands for each in found.classes)


def count_bands(box: Box, settings: Settings | None = None) -> int:
    """The number of bands with box 1 fixed, by a visit of each.

    >>> count_bands(Box(2, 3)), count_bands(Box(3, 2))
    (36, 640)
    """
    return int(_listed(box, settings or Settings(), reduced=False, keep=False)[1])


def reduced_bands(box: Box, settings: Settings | None = None) -> Bands:
    """All lexicographically reduced bands.

    >>> bands = reduced_bands(Box(2, 3))
    >>> len(bands), bands[0]
    (6, (1, 2, 3, 4, 5, 6, 4, 5, 6, 1, 2, 3))
    """
    return Bands(box, _listed(box, settings or Settings(), reduced=True, keep=True)[2])


def _listed(box: Box, settings: Settings, *, reduced: bool, keep: bool) -> tuple[str, int, NDArray[np.uint8]]:
    from ktsolve import _native

    expected = number_of_bands(box, settings) // bands_each(box)
    if expected > _MOST_LISTED:
        raise Refused(f"{box} boxes have {expected:,} reduced bands: up to {_MOST_LISTED:,} are listed")
    found: tuple[str, int, NDArray[np.uint8]] = _native.sudoku_bands(
        (box.rows, box.columns), reduced, keep, settings.timeout, native_progress(settings, "bands")
    )
    check_status(found[0], settings, f"{found[1]:,} bands listed")
    return found


def _native_band(box: Box, band: Grid) -> NDArray[np.uint8]:
    """One band in the format of the native core. Raises BadInput if it is not a band."""
    if len(band) != box.rows * box.side:
        raise BadInput(f"a band of {box} boxes has {box.rows * box.side} digits, not {len(band)}")
    for cells in box.groups(box.rows):
        if sorted(band[cell] for cell in cells) != list(range(1, box.side + 1)):
            raise BadInput(f"this is not a band of {box} boxes: each row and box must hold 1 to {box.side}")
    rows = np.array(band, np.uint8).reshape(box.rows, box.stacks, box.columns)
    return np.ascontiguousarray(rows.transpose(1, 0, 2)).reshape(-1) - 1


def can_complete(box: Box) -> bool:
    """Whether the completions of a band can be counted within seconds.

    >>> can_complete(Box(3, 3)), can_complete(Box(2, 5))
    (True, False)
    """
    return box.columns <= _MOST_BANDS.get(box.rows, 2)


def complete(box: Box, bands: Bands | list[Grid], settings: Settings | None = None) -> list[int]:
    """The number of grids that begin with each of the bands, each counted from its own column sets.

    >>> box = Box(3, 3)
    >>> complete(box, [reduced_bands(box)[0]])
    [7802998272]

    Cost: about 2 ms a band for 3x3. See native/src/sudoku/completions.hpp.
    """
    from ktsolve import _native

    settings = settings or Settings()
    if not can_complete(box):
        raise Refused(
            f"completing a band of {box} boxes would take too long: use boxes of up to 3x3, 2x4 or 1x6, "
            "or of two columns"
        )
    if isinstance(bands, Bands):
        digits = bands.digits
    elif bands:
        digits = np.concatenate([_native_band(box, band) for band in bands])
    else:
        return []
    try:
        status, counts = _native.sudoku_complete(
            (box.rows, box.columns), digits, settings.timeout, native_progress(settings, "completions")
        )
    except OverflowError as error:
        raise Refused(f"completions of bands of {box} boxes cannot be counted: {error}") from None
    check_status(status, settings, f"{len(counts)} bands done")
    return [int(count) for count in counts]


def complete_by_search(box: Box, band: Grid, settings: Settings | None = None) -> int:
    """The number of grids that begin with a band, by plain search without column sets.

    >>> complete_by_search(Box(2, 2), (1, 2, 3, 4, 3, 4, 1, 2))
    4

    Cost: about a minute for 3x3.
    """
    from ktsolve import _native

    settings = settings or Settings()
    found: Any = _native.sudoku_complete_by_search(
        (box.rows, box.columns),
        _native_band(box, band),
        settings.timeout,
        native_progress(settings, "search"),
    )
    check_status(found[0], settings)
    return int(found[1])
