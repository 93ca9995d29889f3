"""Published numbers of grids and bands of sudoku, each with its source, as data (``ktsolve/data``)."""

from __future__ import annotations

import csv
from dataclasses import dataclass

from ktsolve.verify.published import data_lines, data_tables

__all__ = ["PublishedSudoku", "sudoku_band_classes", "sudoku_class_sizes", "sudoku_values"]


@dataclass(frozen=True)
class PublishedSudoku:
    """Published numbers of the grids of a shape; None where none exists."""

    box: str
    grids: int
    source: str
    different: int | None = None
    without_transposition: int | None = None
    stages: tuple[int, ...] = ()


def sudoku_values(box: str) -> PublishedSudoku:
    """The published numbers of the grids of a shape.

    >>> sudoku_values("2x3").different
    49
    """
    entry = next(entry for entry in data_tables()["sudoku"] if entry["box"] == box)
    numbers = {
        key: int(entry[key]) for key in ("grids", "different", "without_transposition") if key in entry
    }
    return PublishedSudoku(box, source=entry["source"], stages=tuple(entry.get("stages", ())), **numbers)


def sudoku_class_sizes() -> list[int]:
    """Sizes of the 416 classes of 3x3 bands under permutations, in the order of their first bands."""
    return [int(size) for line in data_lines("sudoku-416-class-sizes.txt") for size in line.split()]


def sudoku_band_classes() -> list[tuple[int, int]]:
    """Bands, and completions of each, of the 71 classes of 3x3 bands, in the order of their first bands.

    >>> sudoku_band_classes()[0]
    (4, 7802998272)
    """
    rows = csv.DictReader(data_lines("sudoku-71-band-classes.csv"))
    return [(int(row["bands"]), 72 * int(row["completions_over_72"])) for row in rows]
