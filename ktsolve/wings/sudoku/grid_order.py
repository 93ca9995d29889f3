"""All grids of a shape in a fixed order: the k-th grid, the place of a grid, uniform samples.

The order is that of the native core (ktsolve/sudoku/sudoku.hpp, ``GridOrder``): by the class of the
column sets of the top band, their table, the names of the digits, the rows of the band, and those below it.
The first four have equally many values for all grids of a class, and each top band of a class has equally
many completions. So an index is the number of the grids in earlier classes, and a number in mixed radix
within the class. All numbers are whole numbers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.errors import BadInput, IndexOutOfRange, Refused, WrongAnswer
from ktsolve.base.limits import Clock, Settings, check_status, native_progress
from ktsolve.base.text import shown
from ktsolve.base.uniform import uniform_integers
from ktsolve.grids.box import Box, Grid
from ktsolve.grids.sudoku_text import read_grid
from ktsolve.wings.sudoku.grids import check_countable
from ktsolve.wings.sudoku.puzzle import Puzzle

__all__ = ["Grids"]

_Place = tuple[int, ...]

_AT_ONCE = 1024  # grids made together while iterating


class Grids:
    """All grids of a shape in a fixed order, numbered from 0.

    The settings limit the preparation and each later call. The same name of an ``order`` means the same
    order, on every machine. ``classes`` has the number of grids of each class of top bands, in order.
    Preparation takes about 0.05 s for 3x3, and a grid 0.3 ms. A shape with fewer rows than columns in its
    boxes has the order of the transposed grids. Raises Refused if the grids cannot be counted, LimitReached.

    >>> grids = Grids("2x2")
    >>> grids.count, grids.order
    (288, 'sudoku:1:2x2')
    >>> print(grids.box.draw(grids[287]))
    41|23
    32|41
    --+--
    23|14
    14|32
    >>> grids.index(grids[100])
    100
    >>> len(Grids("3x3").classes), Grids("3x3").count
    (44, 6670903752021072936960)
    """

    def __init__(self, box: Box | str = "3x3", settings: Settings | None = None) -> None:
        from ktsolve import _native

        self.box = Box.parse(box) if isinstance(box, str) else box
        self._settings = settings or Settings()
        counted = check_countable(self.box)
        self._core = _native.SudokuGridOrder()
        progress = native_progress(self._settings, f"order of the grids of {self.box}")
        try:
            status = self._core.prepare((counted.rows, counted.columns), self._settings.timeout, progress)
        except (ValueError, OverflowError) as error:
            raise Refused(f"grids of {self.box} boxes cannot be counted: {error}") from None
        check_status(status, self._settings, f"the order of the grids of {self.box} is not prepared")
        self._radices = [tuple(map(int, each)) for each in self._core.classes]
        self.classes = [a * b * c * d for a, b, c, d in self._radices]
        self._firsts = [0, *accumulate(self.classes)]
        self.count = self._firsts[-1]
        self.order = f"sudoku:1:{self.box}"

    def __repr__(self) -> str:
        return f"<{self.count} grids of {self.box} boxes, order {self.order}>"

    # -- from numbers to grids ----------------------------------------------------------------------------

    def __getitem__(self, index: int) -> Grid:
        """The grid of an index."""
        return self.at([index])[0]

    def __iter__(self) -> Iterator[Grid]:
        places = iter(range(self.count))
        while indices := list(islice(places, _AT_ONCE)):
            yield from self.at(indices)

    def at(self, indices: Iterable[int]) -> list[Grid]:
        """The grids of many indices. Raises as ``[...]`` does, and LimitReached."""
        return [tuple(row) for row in self.arrays(indices).tolist()]

    def arrays(self, indices: Iterable[int]) -> NDArray[np.uint8]:
        """The grids of many indices, as rows of digits; the core's answers are ranked back and compared."""
        clock = Clock(self._settings)
        places = [self._place(index) for index in indices]
        settings = clock.within(self._settings)
        numbers = np.array(places, np.uint64).reshape(len(places), 5)
        status, digits = self._core.unrank(numbers, settings.timeout, native_progress(settings, "grids"))
        done = digits.reshape(-1, self.box.cells)
        check_status(status, settings, f"{len(done)} of {len(places)} grids made")
        if self._ranked(digits, clock.within(self._settings)) != places:
            raise WrongAnswer(f"the core gives grids of {self.box} boxes that it does not rank back")
        return self._turned(done)

    def _place(self, index: int) -> _Place:
        if isinstance(index, bool) or not isinstance(index, Integral):
            raise BadInput(f"{shown(index)} is not a whole number: the index of a grid is one, such as 5")
        rest = int(index)
        if not 0 <= rest < self.count:
            raise IndexOutOfRange(
                f"index {shown(rest)} is out of range: sudoku {self.box} has 0 to {self.count - 1}"
            )
        which = bisect_right(self._firsts, rest) - 1
        rest -= self._firsts[which]
        place = []
        for radix in reversed(self._radices[which]):
            rest, value = divmod(rest, radix)
            place.append(value)
        return (which, *reversed(place))

    # -- from grids to numbers ----------------------------------------------------------------------------

    def index(self, grid: Sequence[int] | str) -> int:
        """The index of a grid, given as digits or text."""
        return self.indices([grid])[0]

    def indices(self, grids: Iterable[Sequence[int] | str]) -> list[int]:
        """The indices of many grids. Raises as :meth:`index` does, and LimitReached."""
        listed = [self._checked(grid) for grid in grids]
        rows = np.array(listed, np.uint8).reshape(len(listed), self.box.cells)
        places = self._ranked(self._turned(rows).reshape(-1), self._settings)
        return [self._number(place) for place in places]

    def __contains__(self, grid: object) -> bool:
        try:
            self._checked(grid)  # type: ignore[arg-type]
        except (BadInput, TypeError):
            return False
        return True

    def _checked(self, grid: Sequence[int] | str) -> Grid:
        digits = read_grid(grid, self.box).grid if isinstance(grid, str) else tuple(map(int, grid))
        empty = len(digits) - Puzzle(self.box, digits).given
        if empty:
            raise BadInput(
                f"the grid has {empty} empty cell{'s' if empty > 1 else ''}: only a full grid has an index"
            )
        return digits

    def _ranked(self, digits: NDArray[np.uint8], settings: Settings) -> list[_Place]:
        status, numbers = self._core.rank(digits, settings.timeout, native_progress(settings, "indices"))
        check_status(
            status, settings, f"{len(numbers) // 5} of {len(digits) // self.box.cells} indices found"
        )
        return [tuple(row) for row in numbers.reshape(-1, 5).tolist()]

    def _number(self, place: _Place) -> int:
        which, *values = place
        number = 0
        for value, radix in zip(values, self._radices[which], strict=True):
            number = number * radix + value
        return self._firsts[which] + number

    def _turned(self, rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The grids transposed, where the core has the transposed shape."""
        if self.box.rows >= self.box.columns:
            return rows
        side = self.box.side
        turned = rows.reshape(-1, side, side).transpose(0, 2, 1)
        return np.ascontiguousarray(turned).reshape(-1, self.box.cells)

    # -- samples ------------------------------------------------------------------------------------------

    def sample(self, number: int, seed: int | None = None) -> list[Grid]:
        """Grids drawn with equal chances, independently of each other.

        The same seed draws the same grids, on every machine; None takes the operating system's numbers.

        >>> grids = Grids("2x3")
        >>> grids.sample(5, seed=7) == [grids[k] for k in grids.sample_places(5, seed=7)]
        True
        """
        return self.at(self.sample_places(number, seed))

    def sample_places(self, number: int, seed: int | None = None) -> list[int]:
        """The indices of the grids that :meth:`sample` draws."""
        if number < 0:
            raise BadInput(f"{number} grids cannot be drawn: give a number from 0")
        return uniform_integers(self.count, number, seed)

    def to_json(self, indices: Sequence[int], grids: Sequence[Grid]) -> dict[str, Any]:
        """Some grids and their indices as a JSON object."""
        return {
            "box": str(self.box),
            "count": str(self.count),
            "order": self.order,
            "indices": list(map(str, indices)),
            "grids": list(map(self.box.line, grids)),
        }
