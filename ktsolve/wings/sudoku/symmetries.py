"""Grids up to symmetry, by Burnside's lemma.

Two grids are *essentially the same* if one is the image of the other under permutations of rows in bands, of
bands, of columns in stacks, of stacks, transposition (for square boxes) and renaming of digits. The number of
essentially different grids is the mean, over these permutations of cells, of the number of grids that are
invariant up to names. Conjugate permutations have equally many invariant grids, so one permutation of each
conjugacy class is enough: for 3x3 there are 275 classes, and 27 of them have invariant grids.

The permutations of rows and of columns are wreath products. Without transposition a class is a class of row
permutations times a class of column permutations. Transposition merges each two classes that it exchanges. It
adds the classes of (rows by p, then transposed), one for each class of p; its size is that of p's class times
the order of the group of row permutations. After Russell & Jarvis (2006).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import cache
from math import factorial
from typing import Any

from ktsolve.base.errors import LimitReached, Refused
from ktsolve.base.limits import Clock, Settings, check_status
from ktsolve.base.text import csv_text
from ktsolve.graphs.groups import (
    ConjugacyClass,
    Permutation,
    burnside,
    compose,
    conjugacy_classes,
    cycle_lengths,
    exchange,
    generate,
    generators_of,
)
from ktsolve.grids.box import Box
from ktsolve.render.text_table import Column, fitted, wrapped
from ktsolve.wings.sudoku.grids import count_grids

__all__ = [
    "CellClass",
    "Different",
    "cell_classes",
    "centralisers",
    "essentially_different",
    "line_generators",
]

_MOST_LINES = 50_000
_MOST_TEMPLATES = 1_000_000


@dataclass(frozen=True)
class CellClass:
    """A conjugacy class of permutations of the cells of a grid.

    Its representative permutes rows and columns, and perhaps transposes the grid afterwards; ``invariant`` is
    the number of grids, up to names of digits, that each of the class leaves as they are, if counted.
    """

    rows: Permutation
    columns: Permutation
    transposed: bool
    size: int
    invariant: int | None = None

    @property
    def images(self) -> Permutation:
        """The image of each cell, cells numbered row by row."""
        return _of_cells(self.rows, self.columns, self.transposed)

    def __str__(self) -> str:
        turned = ", transposed" if self.transposed else ""
        return f"rows {_cycles(self.rows)}, columns {_cycles(self.columns)}{turned}"


@dataclass(frozen=True)
class Different:
    """The number of grids up to symmetry.

    ``without_transposition`` does not identify transposed grids; ``order`` is that of the group.
    """

    box: Box
    count: int
    without_transposition: int
    grids: int
    order: int
    classes: tuple[CellClass, ...]
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """The numbers and classes as a JSON object; large numbers are decimal strings."""
        return {
            "count": str(self.grids),
            "different": str(self.count),
            "without_transposition": str(self.without_transposition),
            "order": self.order,
            "symmetries": [
                {
                    "rows": list(each.rows),
                    "columns": list(each.columns),
                    "transposed": each.transposed,
                    "size": each.size,
                    "invariant": str(each.invariant),
                }
                for each in self.classes
            ],
            "seconds": round(self.seconds, 6),
        }

    def csv(self) -> str:
        """The classes that have invariant grids, as a table."""
        rows = [(each, each.size, each.invariant) for each in self.classes if each.invariant]
        return csv_text(("cycles of", "size", "invariant grids"), rows)

    def text(self, width: int | None = None) -> str:
        """The classes with invariant grids as a table, and the total, in lines of limited length."""
        columns = [
            Column("cycles of", text=True),
            Column("size", "r", dropped=1),
            Column("invariant grids", "r"),
        ]
        rows = [(str(each), str(each.size), str(each.invariant)) for each in self.classes if each.invariant]
        empty = len(self.classes) - len(rows)
        lines = fitted(columns, rows, width)
        of_all = f"{len(self.classes)} classes of {self.order} symmetries; {empty} have no invariant grid"
        lines += [*wrapped(of_all, width), ""]
        total = f"sudoku {self.box}: {self.count} essentially different grids"
        if self.count != self.without_transposition:
            total += f", {self.without_transposition} without transposition"
        return "\n".join([*lines, *wrapped(total, width)])


def _of_cells(rows: Permutation, columns: Permutation, transposed: bool = False) -> Permutation:
    """The images of cells when rows and columns are permuted and then, perhaps, the grid is transposed."""
    side = len(rows)
    places = ((r, c) for r in rows for c in columns)
    return tuple([c * side + r if transposed else r * side + c for r, c in places])


def _cycles(permutation: Permutation) -> str:
    lengths = cycle_lengths(permutation)
    counts = {length: lengths.count(length) for length in dict.fromkeys(lengths)}
    return " ".join(f"{length}^{number}" if number > 1 else str(length) for length, number in counts.items())


def line_generators(groups: int, size: int) -> list[Permutation]:
    """Generators of the permutations of lines that keep ``groups`` groups of ``size`` lines together.

    >>> len(line_generators(3, 3))
    4
    """
    lines = groups * size
    within = [exchange(lines, [(i, i + 1)]) for i in range(size - 1)]
    between = [
        exchange(lines, [(g * size + i, g * size + size + i) for i in range(size)]) for g in range(groups - 1)
    ]
    # Permutations of the first group's lines and exchanges of groups generate the others.
    return within + between or [tuple(range(lines))]


def cell_classes(box: Box, *, transposition: bool = True) -> list[CellClass]:
    """Conjugacy classes of the symmetries of a shape, as permutations of cells.

    >>> len(cell_classes(Box(3, 3))), len(cell_classes(Box(3, 3), transposition=False))
    (275, 484)
    >>> sum(each.size for each in cell_classes(Box(3, 3)))
    3359232
    """
    for groups, size in ((box.bands, box.rows), (box.stacks, box.columns)):
        if factorial(size) ** groups * factorial(groups) > _MOST_LINES:
            raise Refused(
                f"the rows or columns of {box} boxes have more than {_MOST_LINES:,} permutations: "
                "use boxes of up to 3x3 or 2x5"
            )
    rows = conjugacy_classes(line_generators(box.bands, box.rows))
    columns = conjugacy_classes(line_generators(box.stacks, box.columns))
    if not (transposition and box.rows == box.columns):
        return [
            CellClass(a.representative, b.representative, False, a.size * b.size)
            for a in rows
            for b in columns
        ]
    order, identity = sum(each.size for each in rows), rows[0].representative
    return [
        CellClass(a.representative, b.representative, False, a.size * b.size * (1 if a is b else 2))
        for i, a in enumerate(rows)
        for b in rows[i:]
    ] + [CellClass(each.representative, identity, True, each.size * order) for each in rows]


def centralisers(
    box: Box, classes: Sequence[CellClass], clock: Clock | None = None
) -> list[list[Permutation]]:
    """For each class, permutations of cells that, with its representative, generate all that commute with it.

    The centraliser of ``(rows, columns)`` is the product of the centralisers of rows and of columns, with
    transposition if both are the same. That of ``(rows by p, transposed)`` has the centraliser of p, which
    permutes rows and columns alike, and the products of that with ``(rows by p, transposed)`` itself.

    >>> classes = cell_classes(Box(2, 2))
    >>> [len(each) for each in centralisers(Box(2, 2), classes)][:3]
    [7, 6, 6]

    Cost: for each class of permutations of lines, the order of the group of all of them.
    """
    identity = tuple(range(box.side))
    groups = ((box.bands, box.rows), (box.stacks, box.columns))
    lines = [generate(line_generators(*each)) for each in groups]
    transpose = _of_cells(identity, identity, True)

    @cache
    def commuting(which: int, permutation: Permutation) -> list[Permutation]:
        return generators_of(
            [each for each in lines[which] if compose(each, permutation) == compose(permutation, each)]
        )

    def generators(each: CellClass) -> list[Permutation]:
        if clock is not None:
            clock.check("symmetries that commute")
        rows = commuting(0, each.rows)
        if each.transposed:
            return [_of_cells(one, one) for one in rows]
        found = [_of_cells(one, identity) for one in rows]
        found += [_of_cells(identity, one) for one in commuting(1, each.columns)]
        return [*found, transpose] if box.rows == box.columns and each.rows == each.columns else found

    return [generators(each) for each in classes]


def essentially_different(box: Box, settings: Settings | None = None) -> Different:
    """Grids up to symmetry, with and without transposition, and the table of conjugacy classes.

    >>> found = essentially_different(Box(2, 2))
    >>> found.count, found.without_transposition, found.order
    (2, 3, 128)
    >>> essentially_different(Box(2, 3)).count
    49
    """
    settings = settings or Settings()
    clock = Clock(settings)
    templates = factorial(box.rows) ** box.columns * factorial(box.columns) ** box.rows
    if templates > _MOST_TEMPLATES or box.cells > 128:
        raise Refused(
            f"classes of the grids of {box} boxes would take {templates:.0e} templates: "
            "use boxes of up to 3x3 or 2x5"
        )
    counted = count_grids(box, settings)
    classes = cell_classes(box)
    invariant = _invariant(box, classes, counted.total // factorial(box.side), settings, clock)
    classes = [replace(each, invariant=number) for each, number in zip(classes, invariant, strict=True)]
    return Different(
        box=box,
        count=_mean(classes),
        without_transposition=_mean([each for each in classes if not each.transposed]),
        grids=counted.total,
        order=sum(each.size for each in classes),
        classes=tuple(classes),
        seconds=clock.elapsed,
    )


def _mean(classes: list[CellClass]) -> int:
    """Burnside's lemma over classes of permutations of the cells."""
    invariant = {each.images: each.invariant or 0 for each in classes}
    return burnside([ConjugacyClass(each.images, each.size) for each in classes], invariant.__getitem__)


def _invariant(
    box: Box, classes: list[CellClass], unnamed: int, settings: Settings, clock: Clock
) -> list[int]:
    """The number of invariant grids of each class, counted on all threads."""
    from ktsolve import _native

    grids = _native.SudokuInvariantGrids((box.rows, box.columns))
    stopped = threading.Event()
    done: list[CellClass] = []

    def check_stopped(_step: int, _total: int, _states: int) -> None:
        if stopped.is_set():
            raise LimitReached("interrupted")

    def count(each: CellClass, symmetries: list[Permutation]) -> int:
        if list(each.images) == list(range(box.cells)):
            return unnamed
        check_stopped(0, 0, 0)
        status, found = grids.count(each.images, symmetries, clock.left, check_stopped)
        check_status(status, settings, f"{len(done)} of {len(classes)} classes of symmetries done")
        done.append(each)
        return int(found)

    with ThreadPoolExecutor(settings.thread_budget) as pool:
        tasks = list(zip(classes, centralisers(box, classes, clock), strict=True))
        waiting = [pool.submit(count, *each) for each in tasks]
        try:
            # The main thread must run Python code now and then, to receive Ctrl-C.
            while wait(waiting, timeout=0.05, return_when=FIRST_EXCEPTION).not_done:
                if settings.progress is not None:
                    settings.progress(len(done) / len(classes), f"{len(done)} of {len(classes)} classes")
                if any(future.done() and future.exception() for future in waiting):
                    break
        finally:
            stopped.set()
        return [future.result() for future in waiting]
